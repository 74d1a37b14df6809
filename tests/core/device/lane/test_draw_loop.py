"""Draws in the compiled loop: the same pixels and Findings as draws one at a time in Python, whatever happens in between."""

from __future__ import annotations

import struct
from dataclasses import astuple
from typing import Any

import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.ddi.stream import dp2
from core.ddi.stream.shader_assemble import assemble
from core.device.lane import drawing
from core.device.lane.draw_facts import MOST_STATES
from core.device.memory.surfaces import SurfacePart
from core.device.past.rewind import Rewind
from core.device.past.tap import Tap
from core.pipeline.pixel import binned
from core.pipeline.records.layout import PIXEL_STATE
from core.spec import slots
from core.spec.enums import TextureOp
from tests.core.device.drawn import (
    CONTEXT,
    DEPTH,
    FAN,
    SCREEN_TEXTURED,
    STRIP,
    TARGET,
    TRIANGLES,
    Machine,
    shader,
    stage,
    states,
    textured_quad,
)

SPACE = 0x142  # XYZ, DIFFUSE, TEX1
PIXEL_SHADERS = [assemble(f"ps_1_1\n{code}") for code in (
    "tex t0\nmul r0, t0, v0", "add r0, v0, c0", "def c0, 0.2, 0.4, 0.6, 0.8\nadd r0, v0, c0"
)]  # fmt: skip
VERTEX_SHADERS = [assemble(f"vs_1_1\n{code}") for code in (
    "mov oPos, v0\nmov oD0, v1", "add oPos, v0, c0\nmov oD0, c1", "def c1, 0.2, 0.4, 0.6, 0.8\nmov oPos, v0\nmov oD0, c1"
)]  # fmt: skip
DECLARATION = np.array([0x20000000, 0x40030000, 0x40040001, 0xFFFFFFFF], np.uint32).tobytes()
SURFACES = ((TARGET, "A8R8G8B8", 16), (12, "A8R8G8B8", 16), (13, "R5G6B5", 32), (20, "A8R8G8B8", 4), (21, "A8R8G8B8", 8),
            (24, "P8", 4))  # fmt: skip
MOST_EVENTS = 2000
RENDER_STATES = (
    ("ALPHABLENDENABLE", (0, 1)), ("SRCBLEND", (2, 5)), ("DESTBLEND", (1, 6)), ("ZENABLE", (0, 1)), ("FILLMODE", (3, 3, 2)),
    ("SHADEMODE", (1, 2)), ("TEXTUREFACTOR", (0, 0xFF00FF00)), ("LIGHTING", (0, 1)), ("COLORKEYENABLE", (0, 1)),
    ("PATCHSEGMENTS", (0x3F800000, 0x40000000)), ("CULLMODE", (1, 1, 2, 3)),
)  # fmt: skip
STAGE_STATES = ("COLOROP", (2, 4, TextureOp.DISABLE)), ("COLORARG1", (2, 3)), ("MAGFILTER", (1, 2))
RECORDS = ("DRAWPRIMITIVE", "DRAWINDEXEDPRIMITIVE", *["draw"] * 6, "state", "state", "stage", "texture")
RARE = ("target", "source", "indices", "format", "transform", "viewport", "clear", "blit", "palette", "pixel shader", "light",
        "make shader", "constants", "lod", "points")  # fmt: skip


class Program:
    """A random program: calls that can be carried out any number of times."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.calls: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
        self.skipped = np.random.default_rng(seed).random(MOST_EVENTS) < 0.2 if seed % 3 == 0 else None
        for _ in range(12):
            getattr(self, self.pick("stream", "stream", "stream", "texels", "vertices", "buffer", "surface", "color_key"))()

    def pick(self, *these: Any) -> Any:
        return these[self.random.integers(len(these))]

    def below(self, most: int) -> int:
        return int(self.random.integers(most))

    def add(self, entry: str, data: dict[str, Any] | None = None, **args: Any) -> None:
        self.calls.append((entry, args, data or {}))

    # ---- between streams
    def texels(self) -> None:
        handle, size = self.pick((20, 4 * 4 * 4), (21, 8 * 8 * 4), (24, 16))
        self.add("Lock", handle=handle, box=None, flags=0)
        self.add("Unlock", {"contents": self.random.bytes(size)}, handle=handle, box=None)

    def vertices(self) -> None:
        self.add("LockD3DBuffer", handle=40, offset=0, size=0)
        self.add("UnlockD3DBuffer", {"contents": quads(self.random)}, handle=40, offset=0)

    def buffer(self) -> None:
        self.add("DestroyD3DBuffer", handle=41)
        if self.below(2):
            self.add("CreateD3DBuffer", handle=41, size=28 * self.pick(4, 60), kind="vertex")

    def surface(self) -> None:
        self.add("DestroySurface", handle=20)
        self.add("CreateSurface", handle=20, width=4, height=4, format=21, label="texture")

    def color_key(self) -> None:
        self.add("SetColorKey", handle=21, low=0, high=0x7FFFFFFF, flags=8)

    # ---- a stream
    def stream(self) -> None:
        stream = bytearray()
        records = [token for _ in range(60) for token in self.record(self.pick(*RECORDS, self.pick(*RARE)))]
        for op, fields in [*self.usable(), *records]:
            once = op in ("CLEAR", "UPDATEPALETTE")
            dp2.emit(stream, op, fields[0] if once else [fields], **(fields[1] if once else {}))
        vertices = textured_quad(self.below(8), self.below(8), 9 + self.below(8), 9 + self.below(8))
        args = {"context": CONTEXT, "command_length": len(stream), "vertex_size": 28, "vertex_type": SCREEN_TEXTURED}
        self.add("DrawPrimitives2", {"commands": bytes(stream), "vertices": vertices}, vertex_length=4, **args)

    def usable(self) -> list[tuple[str, Any]]:
        """Most of what a draw needs."""
        tokens = [
            tokens_of(shader(SCREEN_TEXTURED)),
            ("SETSTREAMSOURCE", {"stream": 0, "buffer": 40, "stride": 28}),
            ("SETINDICES", {"buffer": 42, "stride": 2}),
            ("VIEWPORTINFO", {"x": 0, "y": 0, "width": 16, "height": 16}),
            ("SETRENDERTARGET", {"render_target": TARGET, "depth_stencil": DEPTH}),
            ("SETPIXELSHADER", {"shader": 0}),
        ]
        return [token for token in tokens if self.below(5)]

    def record(self, what: str) -> list[tuple[str, Any]]:
        pick, below = self.pick, self.below
        match what:
            case "DRAWPRIMITIVE" | "points":
                kind = 1 if what == "points" else pick(TRIANGLES, STRIP, FAN, 1 + below(6), below(9))
                return [("DRAWPRIMITIVE", {"type": kind, "start": below(40), "count": pick(0, 1, 2, 5, 7, 30)})]
            case "DRAWINDEXEDPRIMITIVE":
                fields = {"type": pick(TRIANGLES, STRIP, 1 + below(6)), "base": pick(0, 0, 3, -1), "min_index": 0}
                fields |= {"vertex_count": 60, "start": pick(0, 3, 900), "count": pick(1, 2, 20)}
                return [("DRAWINDEXEDPRIMITIVE", fields)]
            case "draw":
                return [("DRAWPRIMITIVE", {"type": STRIP, "start": 4 * below(10), "count": 2})]
            case "state":
                name, values = pick(*RENDER_STATES)
                return [tokens_of(states(**{name: pick(*values)}))]
            case "stage":
                name, values = pick(*STAGE_STATES)
                return [tokens_of(stage(below(2), **{name: pick(*values)}))]
            case "texture":
                return [tokens_of(stage(below(2), TEXTUREMAP=pick(0, 20, 20, 21, 24, 12, TARGET, 99)))]
            case "make shader":
                return self.make_shader(below(3))
            case "palette":
                entries = None, {"palette": 3, "start": 0, "count": 2, "entries": [below(1 << 24), 77]}
                return [("SETPALETTE", {"palette": 3, "flags": 0, "surface": 24}), ("UPDATEPALETTE", entries)]
        return [self.rare_record(what)]

    def make_shader(self, number: int) -> list[tuple[str, Any]]:
        if self.below(2):
            gone = [("DELETEPIXELSHADER", {"shader": 1})] if self.below(2) else []
            return [*gone, ("CREATEPIXELSHADER", {"shader": 1, "code": PIXEL_SHADERS[number]})]
        return [("CREATEVERTEXSHADER", {"shader": 5, "declaration": DECLARATION, "code": VERTEX_SHADERS[number]})]

    def rare_record(self, what: str) -> tuple[str, Any]:
        pick, below = self.pick, self.below
        match what:
            case "target":
                color, depth = pick((TARGET, DEPTH), (TARGET, 0), (12, DEPTH), (13, 0), (13, DEPTH), (99, 0))
                return "SETRENDERTARGET", {"render_target": color, "depth_stencil": depth}
            case "source":
                if not below(3):
                    return "SETSTREAMSOURCEUM", {"stream": 0, "stride": 28}
                return "SETSTREAMSOURCE", {"stream": 0, "buffer": pick(40, 40, 41, 0, 98), "stride": pick(28, 28, 28, 12)}
            case "indices":
                return "SETINDICES", {"buffer": pick(42, 42, 43, 0, 97), "stride": pick(2, 2, 4, 3)}
            case "format":
                return tokens_of(shader(pick(SCREEN_TEXTURED, SCREEN_TEXTURED, SPACE, 5, 7, 0)))
            case "transform":
                matrix = (np.eye(4) * pick(1.0, 0.5)).astype(np.float32).reshape(-1).tolist()
                return "SETTRANSFORM", {"type": pick(2, 3, 256), "matrix": matrix}
            case "viewport":
                return "VIEWPORTINFO", {"x": below(4), "y": 0, "width": pick(16, 16, 9, 0), "height": 16}
            case "clear":
                return "CLEAR", ([(0, 0, 8, 8)], {"flags": pick(1, 3), "color": below(1 << 24), "depth": 1.0, "stencil": 0})
            case "blit":
                return "TEXBLT", {"destination": 20, "source": 21, "point": (0, 0), "rect": (0, 0, 4, 4), "flags": 0}
            case "pixel shader":
                return "SETPIXELSHADER", {"shader": pick(0, 0, 1, 3)}
            case "constants":
                value = 0.1 * below(5), 0.5, 0.25, 1.0
                return pick("SETPIXELSHADERCONST", "SETVERTEXSHADERCONST"), {"register": 0, "count": 1, "values": [value]}
            case "lod":
                return "SETTEXLOD", {"surface": 21, "lod": below(2)}
        return "CREATELIGHT", {"index": below(3)}


def tokens_of(token: tuple) -> tuple[str, Any]:
    return token[0], token[1][0]


def quads(random: np.random.Generator) -> bytes:
    """Sixty vertices of SCREEN_TEXTURED, in quads."""
    found = [textured_quad(*(random.integers(0, 10, 2)), *(random.integers(8, 20, 2))) for _ in range(15)]
    colored = bytearray(b"".join(found))
    for at in range(16, len(colored), 28):
        colored[at : at + 4] = struct.pack("<I", int(random.integers(1 << 32)))
    return bytes(colored)


def machine() -> Machine:
    made = Machine()
    for handle, format, size in SURFACES[1:]:
        made.surface(handle, format, size, size, label="texture", levels=2 if handle == 21 else 1)
    made.buffer(40, quads(np.random.default_rng(5)))
    made.buffer(41, bytes(28 * 8))
    made.buffer(42, np.random.default_rng(6).integers(0, 60, 100).astype("<u2").tobytes(), "index")
    made.buffer(43, np.random.default_rng(7).integers(0, 60, 100).astype("<u4").tobytes(), "index")
    made.draw(
        ("CREATEPIXELSHADER", [{"shader": 1, "code": PIXEL_SHADERS[0]}]), shader(SCREEN_TEXTURED),
        ("SETSTREAMSOURCE", [{"stream": 0, "buffer": 40, "stride": 28}]), ("SETINDICES", [{"buffer": 42, "stride": 2}]),
        stage(COLOROP=4, COLORARG1=2, COLORARG2=0),
    )  # fmt: skip
    return made


def played(program: Program, how: str) -> tuple[list[np.ndarray], list[tuple]]:
    """Everything that can be seen after a program, and after half of it, and what was found."""
    made, pictures = machine(), []
    device = made.driver.device
    if how == "python":
        made.driver.executor.follower = lambda *_: None  # sees every draw
    device.threads = 3 if how == "threads" else 1
    device.skipped = program.skipped
    for number, (entry, args, data) in enumerate(program.calls):
        made.driver.call(DdiCall(entry, dict(args), dict(data)))
        if number in (5, len(program.calls) - 1):
            there = [handle for handle in (*(row[0] for row in SURFACES), DEPTH) if device.memory.part(handle)]
            pictures += [made.driver.read(handle)[0].copy() for handle in there]
    return pictures, [(finding.seq, finding.rule, finding.text) for finding in made.driver.findings]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Draws that Python carries out."""
    draws = [0]
    whole = drawing.Drawing.draw

    def draw(self: drawing.Drawing, *args: Any, **more: Any) -> None:
        draws[0] += 1
        whole(self, *args, **more)

    monkeypatch.setattr(drawing.Drawing, "draw", draw)
    return draws


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_whatever_a_program_does_the_loop_draws_it_as_python_does(first: int, counted: list[int],
                                                                  monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    in_python, in_loop = 0, 0
    monkeypatch.setattr(drawing, "BEGUN_PRIMITIVES", 5)
    monkeypatch.setattr(binned, "WORTH_A_THREAD", 2)
    for seed in range(first, first + 20):
        program = Program(seed)
        expected = played(program, "python")
        in_python += counted[0]
        counted[0] = 0
        for how in ("loop", "threads"):
            pictures, findings = played(program, how)
            assert findings == expected[1], (seed, how)
            for mine, theirs in zip(pictures, expected[0], strict=True):
                assert np.array_equal(mine, theirs), (seed, how)
        in_loop += counted[0]
        counted[0] = 0
    assert in_loop < 1.8 * in_python  # of twice as many


@pytest.mark.parametrize("log", [False, True])
def test_draws_that_leave_nothing_and_shaders_that_are_known_need_no_python(log: bool, counted: list[int]) -> None:
    """A draw outside the target teaches the loop no more than that; where it does leave something, Python draws it."""
    made, python = machine(), machine()
    python.driver.executor.follower = lambda *_: None
    place = {"type": STRIP, "start": 0, "count": 2}
    tokens = (("SETPIXELSHADER", [{"shader": 1}]), stage(TEXTUREMAP=20), ("DRAWPRIMITIVE", [place]),
              ("CLEAR", [(0, 0, 4, 4)], {"flags": 1, "color": 7, "depth": 1.0, "stencil": 0}))  # fmt: skip
    for one in (made, python):
        one("Lock", handle=20, box=None, flags=0)
        one("Unlock", {"contents": b"\xc0" * 64}, handle=20, box=None)
        one.driver.device.tap = Tap(log=True) if log else None
        counted[0] = 0
        for left, most in ((40, 1), (40, 0), (4, 1), (5, 0), (40, 0)):
            one("LockD3DBuffer", handle=40, offset=0, size=0)
            one("UnlockD3DBuffer", {"contents": textured_quad(left, 2, left + 6, 9)}, handle=40, offset=0)
            one.draw(*tokens)
            assert one is python or counted[0] <= most
            counted[0] = 0
    assert not made.driver.findings
    pictures = made.driver.read(TARGET)[0], python.driver.read(TARGET)[0]
    assert np.array_equal(*pictures)
    assert len(np.unique(pictures[0])) > 2


def test_setting_a_shader_loads_its_constants_again() -> None:
    made = machine()
    value = {"register": 0, "count": 2, "values": [(9.0,) * 4] * 2}
    tokens = [("SETPIXELSHADERCONST", [value]), ("SETVERTEXSHADERCONST", [value]), ("SETPIXELSHADER", [{"shader": 1}]),
              ("SETVERTEXSHADER", [{"shader": 5}]), ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])]  # fmt: skip
    made.draw(("CREATEPIXELSHADER", [{"shader": 1, "code": PIXEL_SHADERS[2]}]),
              ("CREATEVERTEXSHADER", [{"shader": 5, "declaration": DECLARATION, "code": VERTEX_SHADERS[2]}]),
              *tokens, *tokens)  # fmt: skip
    view = made.driver.device.registers.vector.view(np.float32)
    for slot, loaded in ((slots.PS_CONST, 0), (slots.VS_CONST, 4)):
        assert view[slot + loaded : slot + loaded + 4].tolist() == pytest.approx([0.2, 0.4, 0.6, 0.8])
        assert view[slot + 4 - loaded] == 9


# ---- with a log ----------------------------------------------------------------------------------------


def contents(part: SurfacePart) -> bytes:
    return part.linear().tobytes()


def remembered(program: Program, how: str) -> list[Any]:
    """What the log of a program tells: every surface after some of its events, and the shapes of all draws."""
    made = machine()
    device, tap = made.driver.device, Tap(log=True)
    if how == "python":
        made.driver.executor.follower = lambda *_: None
    device.threads, device.skipped, device.tap = 2, program.skipped, tap
    for entry, args, data in program.calls:
        made.driver.call(DdiCall(entry, dict(args), dict(data)))
    rewind, parts = Rewind(device, tap), [device.memory.part(handle) for handle in (*(row[0] for row in SURFACES), DEPTH)]
    device.tap = None
    found: list[Any] = [(one.first_seq, one.last_seq, one.target, one.depth) for one in tap.passes]
    for part in filter(None, parts):
        found += [contents(rewind.part(part, seq)) for seq in range(0, MOST_EVENTS, 97)]
        found += [rewind.part(part, one.last_seq, 1).linear().tobytes() for one in tap.passes[::3]]
        for shape in tap.shapes_of(part):
            found.append([one.tobytes() if isinstance(one, np.ndarray) else one for one in astuple(shape)])
    return found


@pytest.mark.parametrize("first", range(60, 90, 10))
def test_what_the_loop_logs_is_what_python_logs(first: int, counted: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    in_python = 0
    monkeypatch.setattr(drawing, "LOGGED_PRIMITIVES", 40)
    monkeypatch.setattr("core.pipeline.observe.shapes.CHUNK_WORDS", 500)
    for seed in range(first, first + 10):
        program = Program(seed)
        expected = remembered(program, "python")
        in_python += counted[0]
        counted[0] = 0
        assert remembered(program, "loop") == expected, seed
        in_python, counted[0] = in_python - counted[0], 0
    assert in_python > 100  # draws that the loop has done


# ---- states --------------------------------------------------------------------------------------------


def many_states(made: Machine, first: int) -> None:
    """Twice as many draws as states are kept, each with another constant colour at another place."""
    tokens = []
    for n in range(first, first + 2 * MOST_STATES):
        tokens.append(states(TEXTUREFACTOR=0xFF000000 | n * 7919 & 0xFFFFFF))
        tokens.append(("DRAWPRIMITIVE", [{"type": STRIP, "start": n % 60 // 4 * 4, "count": 2}]))
    made.draw(stage(COLOROP=2, COLORARG1=3), stage(1, COLOROP=1), *tokens)


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_states_that_are_never_met_again_are_bound_in_the_loop(threads: int, log: bool, counted: list[int]) -> None:
    pictures = []
    for how in ("python", "loop"):
        made = machine()
        device = made.driver.device
        device.threads, made.driver.executor.follower = threads, (lambda *_: None) if how == "python" else None
        device.tap = Tap(log=True) if log else None
        counted[0] = 0
        for call in range(3):
            many_states(made, 1500 * call)
            pictures.append(made.driver.read(TARGET)[0].copy())
    assert counted[0] <= 1
    assert len({picture.tobytes() for picture in pictures[:3]}) == 3
    for mine, theirs in zip(pictures[3:], pictures[:3], strict=True):
        assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("seed", range(6))
def test_binding_a_state_leaves_nothing_of_what_stood_there(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    for byte in (0x00, 0xCD, 0x7F):
        monkeypatch.setattr(binned.States, "_fresh", lambda self, byte=byte: np.full(
            self._room * PIXEL_STATE.itemsize, byte, np.uint8).view(PIXEL_STATE))  # fmt: skip
        seen.append(played(Program(seed), "loop"))
    for pictures, _ in seen[1:]:
        assert all(np.array_equal(mine, theirs) for mine, theirs in zip(pictures, seen[0][0], strict=True))
