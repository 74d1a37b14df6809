"""Kinds of random programs of Direct3D 8: vertex shaders, streams, state blocks, ProcessVertices, copies, pixel shaders."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from core.ddi.rules.shader_check import validate
from core.ddi.stream.shader_assemble import assemble
from core.errors import ShaderError
from core.runtime.d3d8 import D3DRS, D3DTSS
from tests.wine.drawn7 import DIFFUSE, HEIGHT, NORMAL, ROUNDS, SPECULAR, WIDTH, XYZ, XYZRHW, light
from tests.wine.kinds7 import close_floats
from tests.wine.programs7 import KINDS, Kind, allowed_to_fail, pixels, rect
from tests.wine.script8 import Recorder8

X8R8G8B8, A8R8G8B8, R5G6B5, A1R5G5B5, A4R4G4B4, D16, D24S8 = 22, 21, 23, 25, 26, 80, 75
DEFAULT, MANAGED, SYSTEMMEM = 0, 1, 2
WORLD, VIEW, PROJECTION, TEXTURE0 = 256, 2, 3, 16
TYPES = {0: ("<f4", 1), 1: ("<f4", 2), 2: ("<f4", 3), 3: ("<f4", 4), 4: ("u1", 4), 5: ("u1", 4), 6: ("<i2", 2), 7: ("<i2", 4)}
"""D3DVSDT: FLOAT1 to FLOAT4, D3DCOLOR, UBYTE4, SHORT2, SHORT4."""
BITS = {X8R8G8B8: 32, A8R8G8B8: 32, R5G6B5: 16, A1R5G5B5: 16, A4R4G4B4: 16}


def write_level(texture: Any, chance: Random, level: int, wide: int, high: int, form: int) -> None:
    """Noise for a level."""
    texture.LockRect(level)[:] = pixels(chance, wide, high, BITS[form]).view(np.uint8).reshape(high, -1)
    texture.UnlockRect(level)


class Stage8:
    """A device, a target with depth, and what programs make for it."""

    def __init__(self, rec: Recorder8, chance: Random, software: bool = False) -> None:
        self.rec, self.chance = rec, chance
        self.device = rec.device(software)
        self.form = chance.choice((X8R8G8B8, A8R8G8B8, R5G6B5))
        self.target = self.device.CreateRenderTarget(WIDTH, HEIGHT, self.form, 0, 0)
        self.depth = self.device.CreateDepthStencilSurface(WIDTH, HEIGHT, D24S8 if self.form != R5G6B5 else D16, 0)
        self.device.SetRenderTarget(self.target, self.depth)

    def state(self, name: str, value: Any) -> None:
        self.device.SetRenderState(D3DRS[name], value)

    def stage(self, number: int, name: str, value: Any) -> None:
        self.device.SetTextureStageState(number, D3DTSS[name], value)

    def begin(self) -> None:
        flags = 3 if self.form == R5G6B5 else 7
        self.device.Clear(0, None, flags, self.chance.getrandbits(32), self.chance.choice((1.0, 1.0, 0.6)), 1)
        self.state("CULLMODE", 1)
        self.device.BeginScene()

    def finish(self) -> None:
        self.device.EndScene()
        self.rec.read(self.target)

    def texture(self, form: int = A8R8G8B8, width: int = 8, height: int = 8, levels: int = 1, pool: int = MANAGED) -> Any:
        """A texture of noise."""
        made = self.device.CreateTexture(width, height, levels, 0, form, pool)
        for level in range(levels):
            wide, high = max(width >> level, 1), max(height >> level, 1)
            write_level(made, self.chance, level, wide, high, form)
        return made

    def camera(self) -> None:
        """Matrices of world, view and projection."""
        chance = self.chance
        world = np.identity(4)
        turn = np.linalg.qr(np.array([[chance.uniform(-1, 1) for _ in range(3)] for _ in range(3)]))[0]
        world[:3, :3] = turn * chance.uniform(1.0, 1.5)
        view = np.identity(4)
        view[3, :3] = chance.uniform(-0.5, 0.5), chance.uniform(-0.5, 0.5), chance.uniform(3, 6)
        projection = np.array([[1.2, 0, 0, 0], [0, 1.6, 0, 0], [0, 0, 12 / 11, 1], [0, 0, -12 / 11, 0]])
        for number, matrix in ((WORLD, world), (VIEW, view), (PROJECTION, projection)):
            self.device.SetTransform(number, matrix)

    def vertices(self, format: int, count: int) -> np.ndarray:
        """Random vertices of a format, one row of bytes each."""
        chance, fields = self.chance, []
        fields.append(("position", "<f4", 4 if format & XYZRHW == XYZRHW else 3))
        fields += [("normal", "<f4", 3)] * bool(format & NORMAL)
        fields += [(name, "<u4") for name, bit in (("diffuse", DIFFUSE), ("specular", SPECULAR)) if format & bit]
        fields += [(f"t{n}", "<f4", 2) for n in range(format >> 8 & 15)]
        made = np.zeros(count, fields)
        for one in made:
            for field in fields:
                name = field[0]
                if name == "position" and format & XYZRHW == XYZRHW:
                    one[name] = (chance.uniform(-8, WIDTH + 8), chance.uniform(-8, HEIGHT + 8), chance.random(),
                                 1 / chance.uniform(0.5, 4))  # fmt: skip
                elif name in ("diffuse", "specular"):
                    one[name] = chance.getrandbits(32)
                else:
                    reach = 2 if name == "position" else 1
                    one[name] = [chance.uniform(-reach, reach) for _ in one[name]]
                if name == "normal":
                    one[name] /= np.linalg.norm(one[name])
        return made.view(np.uint8).reshape(count, -1)

    def buffer(self, data: np.ndarray, format: int = 0, pool: int = MANAGED) -> Any:
        """A vertex buffer."""
        made = self.device.CreateVertexBuffer(data.size, 0, format, pool)
        made.Lock(0, 0, 0)[:] = data.reshape(-1)
        made.Unlock()
        return made

    def indices(self, count: int, most: int, wide: bool) -> Any:
        """An index buffer of random indices."""
        data = np.array([self.chance.randrange(most) for _ in range(count)], "<u4" if wide else "<u2")
        made = self.device.CreateIndexBuffer(data.nbytes, 0, 102 if wide else 101, MANAGED)
        made.Lock(0, 0, 0)[:] = data.view(np.uint8)
        made.Unlock()
        return made

    def draw_some(self, format: int) -> None:
        """One draw of fixed-function vertices, one way or another."""
        chance, device = self.chance, self.device
        kind, triangles = chance.choice((4, 5, 6)), chance.randint(1, 4)
        count = 3 * triangles if kind == 4 else triangles + 2
        device.SetVertexShader(format)
        if chance.random() < 0.4:
            data = self.vertices(format, count)
            device.DrawPrimitiveUP(kind, triangles, data, data.shape[1])
            return
        first, base = chance.randrange(3), chance.randrange(3)
        data = self.vertices(format, count + first + base)
        device.SetStreamSource(0, self.buffer(data, format), data.shape[1])
        if chance.random() < 0.5:
            device.DrawPrimitive(kind, first, triangles)
        else:
            device.SetIndices(self.indices(count + first, count, chance.random() < 0.3), base)
            device.DrawIndexedPrimitive(kind, 0, count, first, triangles)


def in_rounds(some: Callable[[Stage8], None], software: bool = False) -> Callable[[Any, Random], None]:
    """A program of several rounds, each of which meets the states of those before."""

    def play(rec: Any, chance: Random) -> None:
        stage = Stage8(rec, chance, software)
        for _ in range(ROUNDS):
            stage.begin()
            some(stage)
            stage.finish()

    play.__doc__ = some.__doc__
    return play


# ---- vertex shaders ----------------------------------------------------------------------------------

OPERANDS = {"mov": 1, "add": 2, "sub": 2, "mul": 2, "mad": 3, "dp3": 2, "dp4": 2, "min": 2, "max": 2, "slt": 2, "sge": 2,
            "dst": 2, "rcp": 1, "rsq": 1, "exp": 1, "log": 1, "frc": 1, "expp": 1}  # fmt: skip
SCALAR = {"rcp", "rsq", "exp", "log", "expp"}
SWIZZLES = ("", "", ".x", ".y", ".z", ".w", ".wzyx", ".yzxw", ".xxyy")
MASKS = ("", "", ".x", ".yz", ".xyz", ".w", ".xw")


def vertex_program(chance: Random, inputs: int) -> str:
    """A valid vs_1_1: the position from input 0 by c0 to c3, colours and coordinates from random arithmetic."""
    lines = ["vs_1_1"]
    lines += [f"dp4 r11.{part}, v0, c{n}" for n, part in enumerate("xyzw")]
    lines += [f"mov r{n}, v{n % inputs}" for n in range(1, 5)]
    if chance.random() < 0.5:
        lines.append("mov a0.x, c8.x")
    address = "a0.x" in lines[-1]

    def source(scalar: bool) -> str:
        name = chance.choice(["r1", "r2", "r3", "r4", *(f"c{n}" for n in range(4, 8)), *(["c[a0.x + 4]"] if address else [])])
        return chance.choice(("", "", "-")) + name + ("." + chance.choice("xyzw") if scalar else chance.choice(SWIZZLES))

    while len(lines) < 24:
        name = chance.choice(tuple(OPERANDS))
        target = f"r{chance.randint(1, 4)}" + (".y" if name == "frc" else chance.choice(MASKS))
        line = f"{name} {target}, " + ", ".join(source(name in SCALAR) for _ in range(OPERANDS[name]))
        if is_valid("\n".join([*lines, line, "mov oPos, r11"])):
            lines.append(line)
    lines += ["mov oPos, r11", "mov oD0, r1", "mov oD1, r2", "mov oT0, r3"]
    return "\n".join(lines)


def is_valid(text: str) -> bool:
    try:
        return not validate(assemble(text))
    except ShaderError:
        return False


def declaration(chance: Random, inputs: int) -> tuple[list[int], np.dtype[Any]]:
    """Inputs of all types in one stream: the words, and a vertex."""
    words, fields = [0x20000000], []
    for register in range(inputs):
        kind = 2 if register == 0 else chance.choice(tuple(TYPES))
        words.append(0x40000000 | kind << 16 | register)
        fields.append((f"v{register}", *TYPES[kind]))
    return [*words, 0xFFFFFFFF], np.dtype(fields)


def shaded(stage: Stage8) -> None:
    """Vertex shaders of random arithmetic over inputs of every type, with constants, relative addresses, fog and textures."""
    chance, device = stage.chance, stage.device
    stage.state("LIGHTING", 0)
    stage.state("SPECULARENABLE", chance.randrange(2))
    inputs = chance.randint(2, 4)
    words, fields = declaration(chance, inputs)
    handle = device.CreateVertexShader(words, assemble(vertex_program(chance, inputs)), 0)
    device.SetVertexShader(handle)
    device.SetVertexShaderConstant(0, np.array([[0.6, 0, 0, 0.1], [0, 0.6, 0, 0], [0, 0, 0.2, 0.5], [0, 0, 0.1, 1]], "<f4"), 4)
    device.SetVertexShaderConstant(4, np.array([chance.uniform(-1, 1.5) for _ in range(20)], "<f4"), 5)
    device.SetVertexShaderConstant(8, np.array([chance.choice((0.0, 1.0, 1.7, 2.0)), 0, 0, 0], "<f4"), 1)
    if chance.random() < 0.5:
        device.SetTexture(0, stage.texture())
        stage.stage(0, "COLOROP", chance.choice((2, 4, 7)))
    else:
        device.SetTexture(0, None)
    made = np.zeros(6, fields)
    for name in fields.names or ():
        column = made[name].reshape(6, -1)
        value = {"f": lambda: chance.uniform(-1.2, 1.2), "i": lambda: chance.randint(-3, 3), "u": lambda: chance.randrange(256)}
        made[name] = np.array([[value[column.dtype.kind]() for _ in row] for row in column]).reshape(made[name].shape)
    device.DrawPrimitiveUP(4, 2, made.view(np.uint8), fields.itemsize)


# ---- streams, state blocks ---------------------------------------------------------------------------


def streams(stage: Stage8) -> None:
    """Vertices of the fixed function from several streams by a declaration, and by formats with spare bytes in the stride."""
    chance, device = stage.chance, stage.device
    stage.state("LIGHTING", 0)
    stage.camera()
    device.SetTexture(0, stage.texture())
    stage.stage(0, "COLOROP", 4)
    count = 9
    positions, colors, coordinates = np.split(stage.vertices(XYZ | DIFFUSE | 0x100, count), (12, 16), 1)
    words = [0x20000000, 0x40020000, 0x20000001, 0x40040005, 0x20000002, 0x40010007, 0xFFFFFFFF]
    device.SetVertexShader(device.CreateVertexShader(words, None, 0))
    for number, data in enumerate((positions, colors, coordinates)):
        padded = np.concatenate([data, np.zeros((count, chance.choice((0, 4, 12))), np.uint8)], 1)
        device.SetStreamSource(number, stage.buffer(padded), padded.shape[1])
    for _ in range(2):
        if chance.random() < 0.5:
            device.DrawPrimitive(chance.choice((4, 5, 6)), chance.randrange(3), 2)
        else:
            device.SetIndices(stage.indices(9, 6, chance.random() < 0.5), chance.randrange(4))
            device.DrawIndexedPrimitive(chance.choice((4, 5, 6)), 0, 6, chance.randrange(3), 2)
    for number in (1, 2):
        device.SetStreamSource(number, None, 0)
    device.SetTexture(0, None)


CHANGED = {"ZENABLE": (0, 1), "ZFUNC": (1, 8), "ALPHABLENDENABLE": (0, 1), "SRCBLEND": (1, 11), "DESTBLEND": (1, 10),
           "SHADEMODE": (1, 2), "LIGHTING": (0, 1), "COLORVERTEX": (0, 1), "SPECULARENABLE": (0, 1),
           "DIFFUSEMATERIALSOURCE": (0, 2)}  # fmt: skip


def blocks8(stage: Stage8) -> None:
    """State blocks: recorded, created of each type, applied, captured, deleted; draws in between."""
    chance, device, state = stage.chance, stage.device, stage.state
    held: list[int] = []
    textures = [stage.texture(form) for form in (X8R8G8B8, A8R8G8B8, A4R4G4B4)]

    def some() -> None:
        for name, (low, high) in CHANGED.items():
            if chance.random() < 0.4:
                state(name, chance.randint(low, high))
        state("AMBIENT", chance.getrandbits(24))
        device.SetTexture(0, chance.choice((*textures, None)))
        stage.stage(0, "COLOROP", chance.choice((2, 3, 4)))
        stage.stage(0, "MAGFILTER", chance.choice((1, 2)))
        stage.stage(0, "ADDRESSU", chance.choice((1, 2, 3)))
        device.SetMaterial([[chance.random() for _ in range(4)] for _ in range(4)] + [5.0])
        number = chance.randrange(3)
        device.SetLight(number, light(chance))
        device.LightEnable(number, chance.randrange(2))
        if chance.random() < 0.4:
            stage.camera()
        if chance.random() < 0.3:
            device.SetViewport((chance.randrange(20), chance.randrange(20), 40, 28, 0.0, 1.0))
        if chance.random() < 0.3:
            device.SetClipPlane(0, [chance.uniform(-1, 1) for _ in range(4)])
            state("CLIPPLANEENABLE", chance.randrange(2))

    stage.camera()
    state("NORMALIZENORMALS", 1)
    stage.stage(0, "COLORARG1", 2)
    for n in range(3):
        device.SetLight(n, light(chance))
    for _ in range(chance.randint(2, 6)):
        what = chance.random()
        if what < 0.3:
            device.BeginStateBlock()
            some()
            held.append(device.EndStateBlock())
        elif what < 0.5:
            held.append(device.CreateStateBlock(chance.randint(1, 3)))
        elif what < 0.6:
            some()
        elif held and what < 0.85:
            device.ApplyStateBlock(chance.choice(held))
        elif held and what < 0.95:
            device.CaptureStateBlock(chance.choice(held))
        elif held:
            device.DeleteStateBlock(held.pop(chance.randrange(len(held))))
        stage.draw_some(XYZ | NORMAL | DIFFUSE | 0x100)
    device.SetViewport((0, 0, WIDTH, HEIGHT, 0.0, 1.0))


# ---- ProcessVertices, copies -------------------------------------------------------------------------


def processed8(stage: Stage8) -> None:
    """ProcessVertices of the fixed function: lights, coordinates, parts of buffers; the result is drawn and read."""
    chance, device, state = stage.chance, stage.device, stage.state
    stage.camera()
    state("NORMALIZENORMALS", 1)
    state("LIGHTING", chance.randrange(2))
    state("SPECULARENABLE", chance.randrange(2))
    device.SetMaterial([[chance.random() for _ in range(4)] for _ in range(4)] + [5.0])
    device.SetLight(0, light(chance))
    device.LightEnable(0, 1)
    format = XYZ | NORMAL | chance.choice((0, DIFFUSE, DIFFUSE | SPECULAR)) | chance.choice((0, 0x100, 0x200))
    into = XYZRHW | DIFFUSE | chance.choice((0, SPECULAR)) | chance.choice((0, 0x100, 0x200))
    data, old = stage.vertices(format, 9), stage.vertices(into, 9)
    device.SetStreamSource(0, stage.buffer(data, format, SYSTEMMEM), data.shape[1])
    device.SetVertexShader(format)
    made = stage.buffer(old, into, SYSTEMMEM)
    for _ in range(chance.randint(1, 2)):
        first, to = chance.randrange(4), chance.randrange(4)
        device.ProcessVertices(first, to, 5, made, 0)
    stage.rec.read_buffer(made, old.size)
    device.SetVertexShader(into)
    device.SetStreamSource(0, made, old.shape[1])
    device.DrawPrimitive(4, 0, 3)


def copies8(stage: Stage8) -> None:
    """CopyRects and UpdateTexture between levels, images and targets; levels and faces as targets; then all are read."""
    chance, device = stage.chance, stage.device
    form = chance.choice((X8R8G8B8, A8R8G8B8, R5G6B5))
    source = stage.texture(form, 16, 16, 5, SYSTEMMEM)
    target = device.CreateTexture(16, 16, 5, 0, form, DEFAULT)
    device.UpdateTexture(source, target)
    shelf = device.CreateTexture(16, 16, 1, 1, form, DEFAULT).GetSurfaceLevel(0)
    image = device.CreateImageSurface(24, 20, form)
    image.LockRect()[:] = pixels(chance, 24, 20, BITS[form]).view(np.uint8).reshape(20, -1)
    image.UnlockRect()
    device.CopyRects(image, [(0, 0, 16, 16)], 1, shelf, None)
    for _ in range(chance.randint(2, 6)):
        what, box = chance.random(), rect(chance, 16, 16)
        place = chance.randint(0, 16 - box[2] + box[0]), chance.randint(0, 16 - box[3] + box[1])
        if what < 0.3:
            allowed_to_fail(device.CopyRects, image, [box], 1, shelf, [place])
        elif what < 0.5:
            level = chance.randrange(5)
            write_level(source, chance, level, 16 >> level, 16 >> level, form)
            device.UpdateTexture(source, target)
        elif what < 0.7:
            device.SetRenderTarget(shelf, None)
            stage.state("ZENABLE", 0)
            if chance.random() < 0.5:
                device.Clear(1, [box], 1, chance.getrandbits(24), 1.0, 0)
            device.SetTexture(0, None)
            stage.draw_some(XYZRHW | DIFFUSE)
            device.SetRenderTarget(stage.target, stage.depth)
        else:
            allowed_to_fail(device.CopyRects, shelf, [box], 1, target.GetSurfaceLevel(0), [place])
    stage.rec.read(shelf)
    for level in range(5):
        stage.rec.read(target.GetSurfaceLevel(level))
    device.SetTexture(0, target)
    stage.stage(0, "COLOROP", 2)
    stage.stage(0, "MIPFILTER", chance.choice((0, 1)))
    stage.state("LIGHTING", 0)
    stage.draw_some(XYZRHW | DIFFUSE | 0x100)
    device.SetTexture(0, None)


KINDS |= {
    "shaded": Kind(in_rounds(shaded), 4, 8, 0.02, is_8=True),
    "streams": Kind(in_rounds(streams), 4, 8, 0.02, is_8=True),
    "blocks8": Kind(in_rounds(blocks8), 4, 8, 0.02, is_8=True),
    "processed8": Kind(in_rounds(processed8, True), 4, 8, 0.01, compare=close_floats, is_8=True),
    "copies8": Kind(in_rounds(copies8), 4, 8, 0.02, is_8=True),
}
