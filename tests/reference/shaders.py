"""Random pixel shaders: texture lookups, dependent ones too, and arithmetic with all modifiers, in every version.

An instruction is proposed at random and kept if the shader that it makes is valid.
"""

from __future__ import annotations

from core.ddi.rules.shader_check import validate
from core.ddi.stream.shader_assemble import assemble
from core.errors import ShaderError
from core.spec.enums import TextureOp
from tests.reference import formats
from tests.reference.pictures import no_stage, picture
from tests.reference.scene import Draw, Scene
from tests.reference.scenes import Dice, assembled, render_states
from tests.reference.texture import Texture
from tests.reference.vertex import Vertex

SHADER_BYTES = 6000
OPERANDS = {"mov": 1, "add": 2, "sub": 2, "mul": 2, "mad": 3, "lrp": 3, "dp3": 2, "dp4": 2, "cnd": 3, "cmp": 3}
BEFORE, AFTER = ("", "", "", "-", "1-"), ("", "", "", "_bias", "_bx2", "_x2")
SHIFTS = ("", "", "", "_x2", "_d2", "_x4", "_sat", "_x2_sat", "_d8", "_x8")
MASKS = ("", "", ".rgb", ".a", ".rg", ".b", ".ga")
PARTS = ("", "", "", ".a", ".b", ".r", ".g")
DEPENDENT = ("texreg2ar", "texreg2gb", "texreg2rgb", "texbem", "texbeml", "texdp3", "texdp3tex")
WIDE_ENOUGH = (21, 22, 23, 26, 31, 34, 62, 63, 64)  # formats of the pictures


def is_valid(text: str) -> bool:
    try:
        return not validate(assemble(text))
    except ShaderError:
        return False


class Writer:
    """Adds what keeps the shader valid."""

    def __init__(self, dice: Dice, minor: int) -> None:
        self.dice, self.minor, self.lines = dice, minor, [f"ps_1_{minor}"]

    def text(self, *more: str) -> str:
        return "\n".join([*self.lines, *more])

    def propose(self, line: str) -> bool:
        """Keeps a line if the shader is valid with it and an end that writes r0."""
        good = is_valid(self.text(line, "mov r0, c0"))
        if good:
            self.lines.append(line)
        return good

    def source(self, registers: tuple[str, ...]) -> str:
        pick = self.dice.pick
        return pick(BEFORE) + pick(registers) + pick(AFTER if self.minor == 4 else AFTER[:-1]) + pick(PARTS)

    def arithmetic(self, registers: tuple[str, ...], targets: tuple[str, ...], pair: bool) -> str:
        pick = self.dice.pick
        name = pick([n for n in OPERANDS if (self.minor > 1 or n not in ("dp4", "cmp"))])
        sources = [self.source(registers) for _ in range(OPERANDS[name])]
        if name == "cnd" and self.minor < 4:
            sources[0] = "r0.a"
        mask = pick(MASKS)
        return f"{'+ ' if pair else ''}{name}{pick(SHIFTS)} {pick(targets)}{mask}, {', '.join(sources)}"

    def several(self, count: int, registers: tuple[str, ...], targets: tuple[str, ...]) -> None:
        for number in range(count):
            self.propose(self.arithmetic(registers, targets, number > 0 and self.dice.once_in(3)))

    def matrix(self) -> None:
        """The rows of a matrix product with texture 0, and what becomes of it."""
        rows = self.dice.number(2, 3)
        ends = ("texm3x2tex",) if rows == 2 else ("texm3x3tex", "texm3x3", "texm3x3vspec", "texm3x3spec")
        lines = ["tex t0", *(f"texm3x{rows}pad t{n}, t0" for n in range(1, rows))]
        last = self.dice.pick(ends)
        lines.append(f"{last} t{rows}, t0{', c1' if last == 'texm3x3spec' else ''}")
        if is_valid(self.text(*lines, "mov r0, t0")):
            self.lines += lines

    def lookups(self) -> None:
        """The texture instructions of ps_1_1 to ps_1_3."""
        if self.dice.once_in(3):
            return self.matrix()
        for n in range(4):
            kind = self.dice.number(0, 7)
            if kind < 3 or not n:
                self.propose(f"tex t{n}")
            elif kind == 3:
                self.propose(f"texcoord t{n}")
            elif kind == 4:
                self.propose(f"texkill t{n}")
            elif kind == 5:
                self.propose(f"{self.dice.pick(DEPENDENT)} t{n}, t{self.dice.number(0, n - 1)}")

    def loads(self, again: bool) -> None:
        """texld and texcrd of one phase of ps_1_4; `again`: of registers too."""
        for n in range(self.dice.number(1, 4)):
            if again and self.dice.once_in(3):
                self.propose(f"texld r{n}, r{self.dice.number(0, 3)}")
            else:
                target = self.dice.pick((f"texld r{n}", f"texld r{n}", f"texcrd r{n}.rgb", f"texcrd r{n}.rg"))
                divided = n == 1 or target.endswith(".rg")  # texture 1 is a plane: nothing says what becomes of z
                ends = ("", "", ".xyw", "_dw.xyw", "_dz.xyz") if divided else ("", "", ".xyw")
                self.propose(f"{target}, t{self.dice.number(0, 5)}{self.dice.pick(ends)}")
        self.propose(f"texcrd r{self.dice.number(0, 5)}.rgb, t{self.dice.number(0, 5)}.xyz")


def shader(dice: Dice) -> str:
    """The text of a shader that writes r0."""
    minor = dice.number(1, 4)
    writer = Writer(dice, minor)
    constants = ("c0", "c1", "c2", "c7")
    if minor < 4:
        writer.lookups()
        writer.several(6, ("r0", "r1", "v0", "v1", "t0", "t1", "t2", "t3", *constants), ("r0", "r1", "r0", "t1"))
    else:
        registers, two = tuple(f"r{n}" for n in range(6)), dice.once_in(2)
        if two:
            writer.loads(False)
            writer.several(3, (*registers, *constants), registers)
            writer.lines.append("phase")
        writer.loads(two)
        writer.several(5, (*registers, "v0", "v1", *constants), ("r0", "r1", "r4"))
    ends = [
        line for line in ("", f"mad r0, {'r0' if minor == 4 else 't0'}, c1, v0", "mov r0, v0") if is_valid(writer.text(line))
    ]
    return writer.text(ends[0])


def shaded(dice: Dice, width: int, height: int) -> Draw:
    """A transformed triangle."""
    text = shader(dice)
    computed = any(name in text for name in (*DEPENDENT, "texm3x", "texld r0, r", "texld r1, r", "texld r2, r", "texld r3, r"))
    textures = tuple(None if dice.once_in(6) else flat(dice, n) for n in range(6))
    filter = 1 if computed else dice.number(1, 2)
    stages = tuple(sampled(dice, filter) | {"TEXCOORDINDEX": dice.pick((n, n, n, 0))} for n in range(6))
    states = render_states(dice) | {"ALPHATESTENABLE": 0, "STENCILENABLE": 0}
    affine = dice.once_in(2)
    x, y = dice.number(0, width), dice.number(0, height)
    vertices = tuple(
        Vertex(
            (x + dice.number(-192, 192) / 16, y + dice.number(-192, 192) / 16, dice.unit(),
             1.0 if affine else dice.number(2, 20) / 10),
            diffuse=dice.color(), specular=dice.color(),
            coordinates=tuple(tuple(dice.number(-50, 150) / 97 for _ in range(3 + n % 2)) for n in range(6)),
        )
        for _ in range(3)
    )  # fmt: skip
    constants = tuple(constant(dice) for _ in range(8))
    return Draw(states, (*stages, no_stage()), (*textures, None), vertices, shader=text, constants=constants)


def constant(dice: Dice) -> formats.Color:
    red, green, blue, alpha = (dice.number(-130, 130) / 100 for _ in range(4))
    return red, green, blue, alpha


def flat(dice: Dice, number: int) -> Texture:
    """Without mip levels: derivatives do not matter."""
    made = picture(dice, WIDE_ENOUGH, ("plane",) if number == 1 else ("plane", "plane", "cube", "volume"))
    faces = tuple(face[:1] for face in made.faces)
    return Texture(made.format, made.width, made.height, made.levels[:1], made.depth, faces)


def sampled(dice: Dice, filter: int) -> dict[str, int | float]:
    stage: dict[str, int | float] = {"MAGFILTER": filter, "MINFILTER": filter, "MIPFILTER": 0, "MIPMAPLODBIAS": 0.0}
    stage |= {"ADDRESSU": dice.number(1, 5), "ADDRESSV": dice.number(1, 5), "ADDRESSW": dice.number(1, 5), "MAXMIPLEVEL": 0}
    stage |= {"COLOROP": TextureOp.DISABLE, "ALPHAOP": TextureOp.DISABLE, "BORDERCOLOR": dice.color()}
    matrix = {"BUMPENVMAT" + place: dice.number(-100, 100) / 100 for place in ("00", "01", "10", "11")}
    return stage | matrix | {"BUMPENVLSCALE": 0.5, "BUMPENVLOFFSET": 0.25, "TEXTURETRANSFORMFLAGS": 0}


def shader_scene(entropy: bytes) -> Scene:
    """16x16 to 32x32 pixels, one or two triangles."""
    return assembled(Dice(entropy), (16, 32), 2, shaded)
