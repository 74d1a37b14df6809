"""Shader instructions and registers: the rows that drive decoding, disassembly, assembly, validation and the shader debugger.

Code is a stream of dwords: the version token, then instructions (an instruction token, a destination, sources), then END.
In versions 1.x an instruction token carries no length: the row says how many operands follow.

Sources: d3d8types.h (numbers), Microsoft's win32 direct3dhlsl assembler reference and the windows-driver-docs shader codes
(operands, versions, limits), Wine's d3d8 tests where they settle a question.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

SOURCES = 4

INSTRUCTION = np.dtype([
    ("op", "i4"),                           # Sio
    ("dest_type", "i4"),                    # Spr; -1: no destination
    ("dest_index", "i4"),
    ("write_mask", "i4"),                   # bits x=1 y=2 z=4 w=8
    ("dest_shift", "i4"),                   # the result times 2**dest_shift (-3..3)
    ("saturate", "i4"),                     # the result clamped to 0..1 afterwards
    ("source_count", "i4"),
    ("source", [
        ("type", "i4"),                     # Spr
        ("index", "i4"),
        ("swizzle", "i4"),                  # 4 x 2 bits, x lowest; 0xE4 = xyzw
        ("modifier", "i4"),                 # Spsm
        ("relative", "i4"),                 # 1: index + a0.x
    ], SOURCES),
    ("coissue", "i4"),                      # 1: runs together with the instruction before
    ("phase", "i4"),                        # ps_1_4: 1 or 2; without a phase marker the code is phase 2.  Otherwise 0
    ("dword", "i4"),                        # dwords from the version token to the instruction token
])  # fmt: skip
"""One instruction, decoded: what the shader kernels run.  Comments, NOP, DEF, PHASE and END are not in a program."""


class Sio(IntEnum):
    """D3DSHADER_INSTRUCTION_OPCODE_TYPE."""

    NOP = 0
    MOV = 1
    ADD = 2
    SUB = 3
    MAD = 4
    MUL = 5
    RCP = 6
    RSQ = 7
    DP3 = 8
    DP4 = 9
    MIN = 10
    MAX = 11
    SLT = 12
    SGE = 13
    EXP = 14
    LOG = 15
    LIT = 16
    DST = 17
    LRP = 18
    FRC = 19
    M4x4 = 20
    M4x3 = 21
    M3x4 = 22
    M3x3 = 23
    M3x2 = 24
    TEXCOORD = 64
    TEXKILL = 65
    TEX = 66
    TEXBEM = 67
    TEXBEML = 68
    TEXREG2AR = 69
    TEXREG2GB = 70
    TEXM3x2PAD = 71
    TEXM3x2TEX = 72
    TEXM3x3PAD = 73
    TEXM3x3TEX = 74
    TEXM3x3DIFF = 75
    TEXM3x3SPEC = 76
    TEXM3x3VSPEC = 77
    EXPP = 78
    LOGP = 79
    CND = 80
    DEF = 81
    TEXREG2RGB = 82
    TEXDP3TEX = 83
    TEXM3x2DEPTH = 84
    TEXDP3 = 85
    TEXM3x3 = 86
    TEXDEPTH = 87
    CMP = 88
    BEM = 89
    PHASE = 0xFFFD
    COMMENT = 0xFFFE
    END = 0xFFFF


class Spr(IntEnum):
    """D3DSHADER_PARAM_REGISTER_TYPE, shifted down; ADDR in vertex shaders is TEXTURE in pixel shaders."""

    TEMP = 0
    INPUT = 1
    CONST = 2
    ADDR = 3
    TEXTURE = 3
    RASTOUT = 4
    ATTROUT = 5
    TEXCRDOUT = 6


class RastOut(IntEnum):
    """D3DVS_RASTOUT_OFFSETS: the registers of type RASTOUT."""

    POSITION = 0
    FOG = 1
    POINT_SIZE = 2


class Spsm(IntEnum):
    """D3DSHADER_PARAM_SRCMOD_TYPE, shifted down (the token holds it in bits 27:24).  The swizzle comes first, then this."""

    NONE = 0
    NEG = 1
    BIAS = 2
    BIASNEG = 3
    SIGN = 4
    SIGNNEG = 5
    COMP = 6
    X2 = 7
    X2NEG = 8
    DZ = 9
    DW = 10


# ---- versions --------------------------------------------------------------------------------

VS_1_0, VS_1_1 = 0xFFFE0100, 0xFFFE0101
PS_1_0, PS_1_1, PS_1_2, PS_1_3, PS_1_4 = 0xFFFF0100, 0xFFFF0101, 0xFFFF0102, 0xFFFF0103, 0xFFFF0104
VERSIONS = {
    VS_1_0: "vs_1_0",
    VS_1_1: "vs_1_1",
    PS_1_0: "ps_1_0",
    PS_1_1: "ps_1_1",
    PS_1_2: "ps_1_2",
    PS_1_3: "ps_1_3",
    PS_1_4: "ps_1_4",
}
VERSION_OF = {name: version for version, name in VERSIONS.items()}


def is_pixel(version: int) -> bool:
    """A pixel shader's version token."""
    return version >> 16 == 0xFFFF


# ---- bits of the tokens ----------------------------------------------------------------------

PARAMETER = 0x80000000  # bit 31 of every operand
COISSUE = 0x40000000  # in instruction tokens of ps_1_x
RELATIVE = 0x2000  # in source tokens: index + a0.x
REGISTER_MASK, TYPE_SHIFT = 0x7FF, 28
MASK_SHIFT, MODIFIER_SHIFT, SHIFT_SHIFT = 16, 20, 24  # of a destination token
SWIZZLE_SHIFT, SOURCE_MODIFIER_SHIFT = 16, 24  # of a source token
IDENTITY = 0xE4
REPLICATE = {0x00: 0, 0x55: 1, 0xAA: 2, 0xFF: 3}
"""Swizzles that give one component four times."""


# ---- instructions ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One instruction in the shader versions `first`..`last` (minor numbers) of vertex ("vs") or pixel ("ps") shaders.

    `sources` operands follow the destination (if `dest`).  `reads`: per source, the components that matter whatever is
    written ("mask": those of the write mask; they are named before the swizzle).  `writes`: the components it can write.
    `scalar`: one component of the source, the replicated one, or w under the identity swizzle.  `rows`: consecutive
    registers that source 1 of a matrix product names. `kind`: arithmetic, texture or other.  `slots`: of the instruction
    limit.
    """

    op: Sio
    name: str
    shader: str
    dest: bool
    sources: int
    meaning: str
    first: int = 0
    last: int = 4
    slots: int = 1
    kind: str = "arithmetic"
    reads: tuple[str, ...] = ()
    writes: str = "xyzw"
    scalar: bool = False
    rows: int = 0
    phase: int = 0


def _vs(
    op: Sio,
    name: str,
    sources: int,
    meaning: str,
    *,
    slots: int = 1,
    reads: tuple[str, ...] | None = None,
    scalar: bool = False,
    rows: int = 0,
    writes: str = "xyzw",
) -> Row:
    return Row(
        op, name, "vs", True, sources, meaning, 0, 1, slots, "arithmetic", reads or ("mask",) * sources, writes, scalar, rows
    )


def _ps(
    op: Sio,
    name: str,
    sources: int,
    meaning: str,
    first: int = 0,
    last: int = 4,
    *,
    slots: int = 1,
    reads: tuple[str, ...] | None = None,
    phase: int = 0,
    writes: str = "xyzw",
) -> Row:
    return Row(
        op,
        name,
        "ps",
        True,
        sources,
        meaning,
        first,
        last,
        slots,
        "arithmetic",
        reads or ("mask",) * sources,
        writes,
        phase=phase,
    )


def _tex(
    op: Sio,
    name: str,
    sources: int,
    meaning: str,
    first: int = 0,
    last: int = 3,
    *,
    reads: tuple[str, ...] = ("xyz",),
    slots: int = 1,
    phase: int = 0,
    writes: str = "xyzw",
) -> Row:
    return Row(
        op, name, "ps", True, sources, meaning, first, last, slots, "texture", reads * bool(sources), writes, phase=phase
    )


W, XYZ, XYZW = ("w",), "xyz", "xyzw"

_ROWS = [
    _vs(Sio.MOV, "mov", 1, "d = s; to a0.x: floor(s.x)"),
    _vs(Sio.ADD, "add", 2, "d = s0 + s1"),
    _vs(Sio.SUB, "sub", 2, "d = s0 - s1"),
    _vs(Sio.MAD, "mad", 3, "d = s0 * s1 + s2"),
    _vs(Sio.MUL, "mul", 2, "d = s0 * s1"),
    _vs(Sio.RCP, "rcp", 1, "d = 1 / s; 1 for 1, +inf for 0", reads=W, scalar=True),
    _vs(Sio.RSQ, "rsq", 1, "d = 1 / sqrt(|s|); 1 for 1, +inf for 0", reads=W, scalar=True),
    _vs(Sio.DP3, "dp3", 2, "d = s0.x * s1.x + s0.y * s1.y + s0.z * s1.z", reads=(XYZ, XYZ)),
    _vs(Sio.DP4, "dp4", 2, "d = s0.x * s1.x + s0.y * s1.y + s0.z * s1.z + s0.w * s1.w", reads=(XYZW, XYZW)),
    _vs(Sio.MIN, "min", 2, "d = s0 < s1 ? s0 : s1"),
    _vs(Sio.MAX, "max", 2, "d = s0 >= s1 ? s0 : s1"),
    _vs(Sio.SLT, "slt", 2, "d = s0 < s1 ? 1 : 0"),
    _vs(Sio.SGE, "sge", 2, "d = s0 >= s1 ? 1 : 0"),
    _vs(Sio.EXP, "exp", 1, "d = 2 ** s", slots=10, reads=W, scalar=True),
    _vs(Sio.LOG, "log", 1, "d = log2(|s|); -FLT_MAX for 0", slots=10, reads=W, scalar=True),
    _vs(Sio.LIT, "lit", 1, "d = (1, max(x, 0), x > 0 and y > 0 ? y ** clamp(w, +-127.9961) : 0, 1)", reads=("xyw",)),
    _vs(Sio.DST, "dst", 2, "d = (1, s0.y * s1.y, s0.z, s1.w)", reads=("yz", "yw")),
    _vs(Sio.FRC, "frc", 1, "d = s - floor(s); masks .y or .xy", slots=3, writes="xy"),
    _vs(Sio.M4x4, "m4x4", 2, "d[k] = dp4(s0, c[n + k]), k = 0..3", slots=4, reads=(XYZW, XYZW), rows=4),
    _vs(Sio.M4x3, "m4x3", 2, "d[k] = dp4(s0, c[n + k]), k = 0..2", slots=3, reads=(XYZW, XYZW), rows=3, writes=XYZ),
    _vs(Sio.M3x4, "m3x4", 2, "d[k] = dp3(s0, c[n + k]), k = 0..3", slots=4, reads=(XYZ, XYZ), rows=4),
    _vs(Sio.M3x3, "m3x3", 2, "d[k] = dp3(s0, c[n + k]), k = 0..2", slots=3, reads=(XYZ, XYZ), rows=3, writes=XYZ),
    _vs(Sio.M3x2, "m3x2", 2, "d[k] = dp3(s0, c[n + k]), k = 0..1", slots=2, reads=(XYZ, XYZ), rows=2, writes="xy"),
    _vs(Sio.EXPP, "expp", 1, "d = (2 ** floor(s), s - floor(s), 2 ** s, 1)", reads=W, scalar=True),
    _vs(Sio.LOGP, "logp", 1, "v = |s|: d = (exponent, mantissa, log2(v), 1)", reads=W, scalar=True),
    _ps(Sio.MOV, "mov", 1, "d = s"),
    _ps(Sio.ADD, "add", 2, "d = s0 + s1"),
    _ps(Sio.SUB, "sub", 2, "d = s0 - s1"),
    _ps(Sio.MAD, "mad", 3, "d = s0 * s1 + s2"),
    _ps(Sio.MUL, "mul", 2, "d = s0 * s1"),
    _ps(Sio.DP3, "dp3", 2, "d = s0.r * s1.r + s0.g * s1.g + s0.b * s1.b", reads=(XYZ, XYZ)),
    _ps(Sio.DP4, "dp4", 2, "d = the sum of four products", 2, 3, slots=2, reads=(XYZW, XYZW)),
    _ps(Sio.DP4, "dp4", 2, "d = the sum of four products", 4, 4, reads=(XYZW, XYZW)),
    _ps(Sio.LRP, "lrp", 3, "d = s0 * s1 + (1 - s0) * s2"),
    _ps(Sio.CND, "cnd", 3, "d = s0 > 0.5 ? s1 : s2; s0 is r0.a", 0, 3, reads=("w", "mask", "mask")),
    _ps(Sio.CND, "cnd", 3, "d = s0 > 0.5 ? s1 : s2, each component", 4, 4),
    _ps(Sio.CMP, "cmp", 3, "d = s0 >= 0 ? s1 : s2, each component", 2, 3, slots=2),
    _ps(Sio.CMP, "cmp", 3, "d = s0 >= 0 ? s1 : s2, each component", 4, 4),
    _ps(
        Sio.BEM,
        "bem",
        2,
        "d.rg = s0.rg + bump matrix of stage d * s1.rg",
        4,
        4,
        slots=2,
        reads=("xy", "xy"),
        phase=1,
        writes="xy",
    ),
    _tex(Sio.TEXCOORD, "texcoord", 0, "d = clamp(coordinates n, 0, 1), alpha 1"),
    _tex(Sio.TEXCOORD, "texcrd", 1, "d = coordinates s", 4, 4, writes=XYZ),
    _tex(Sio.TEXKILL, "texkill", 0, "discards the pixel if x, y or z < 0", 0, 4),
    _tex(Sio.TEX, "tex", 0, "d = texture n at coordinates n"),
    _tex(Sio.TEX, "texld", 1, "d = texture d at s", 4, 4),
    _tex(Sio.TEXBEM, "texbem", 1, "d = texture n at coordinates n + bump matrix n * s.rg", reads=("xy",)),
    _tex(Sio.TEXBEML, "texbeml", 1, "texbem, times s.b * scale n + offset n", slots=2),
    _tex(Sio.TEXREG2AR, "texreg2ar", 1, "d = texture n at (s.a, s.r)", reads=("xw",)),
    _tex(Sio.TEXREG2GB, "texreg2gb", 1, "d = texture n at (s.g, s.b)", reads=("yz",)),
    _tex(Sio.TEXREG2RGB, "texreg2rgb", 1, "d = texture n at s.rgb", 2, 3),
    _tex(Sio.TEXM3x2PAD, "texm3x2pad", 1, "u = coordinates n . s"),
    _tex(Sio.TEXM3x2TEX, "texm3x2tex", 1, "d = texture n at (u, coordinates n . s)"),
    _tex(Sio.TEXM3x3PAD, "texm3x3pad", 1, "a row of a 3x3 product"),
    _tex(Sio.TEXM3x3TEX, "texm3x3tex", 1, "d = texture n at the 3x3 product"),
    _tex(Sio.TEXM3x3SPEC, "texm3x3spec", 2, "d = texture n at the product reflected about s1", reads=(XYZ, XYZ)),
    _tex(Sio.TEXM3x3VSPEC, "texm3x3vspec", 1, "d = texture n at the product reflected about the coordinates' q"),
    _tex(Sio.TEXM3x3, "texm3x3", 1, "d = the 3x3 product, alpha 1", 2, 3),
    _tex(Sio.TEXM3x2DEPTH, "texm3x2depth", 1, "depth = z / w from two rows; 1 for w = 0", 3, 3),
    _tex(Sio.TEXDP3TEX, "texdp3tex", 1, "d = texture n at (coordinates n . s, 0, 0)", 2, 3),
    _tex(Sio.TEXDP3, "texdp3", 1, "d = coordinates n . s", 2, 3),
    _tex(Sio.TEXDEPTH, "texdepth", 0, "depth = r5.r / r5.g; 1 for r5.g = 0", 4, 4, phase=2),
]


def _other(op: Sio, name: str, meaning: str, *, dest: bool = False, shader: str = "", first: int = 0) -> list[Row]:
    shaders = (shader,) if shader else ("vs", "ps")
    return [Row(op, name, kind, dest, 0, meaning, first, 1 if kind == "vs" else 4, 0, "other") for kind in shaders]


_ROWS += [
    *_other(Sio.NOP, "nop", "nothing"),
    *_other(Sio.DEF, "def", "c[n] = four numbers, loaded when the shader becomes current", dest=True),
    *_other(Sio.PHASE, "phase", "ends phase 1; the alpha of r registers is undefined after it", shader="ps", first=4),
    *_other(Sio.COMMENT, "comment", "skipped"),
    *_other(Sio.END, "end", "the end"),
]

ROWS: tuple[Row, ...] = tuple(_ROWS)
_BY_VERSION: dict[tuple[int, int], Row] = {
    (version, int(row.op)): row
    for row in ROWS
    for version in VERSIONS
    if (row.shader == "ps") == is_pixel(version) and row.first <= version & 0xFF <= row.last
}
_BY_NAME = {(version, row.name): row for (version, _), row in _BY_VERSION.items()}


def instruction(version: int, op: int) -> Row | None:
    """The row of an opcode in a shader version; None where that version does not have it."""
    return _BY_VERSION.get((version, op))


def instruction_named(version: int, name: str) -> Row | None:
    """The row of a mnemonic in a shader version."""
    return _BY_NAME.get((version, name))


# ---- registers -------------------------------------------------------------------------------


@dataclass(frozen=True)
class RegisterFile:
    """Registers of one type: `name` with the number appended, `names` where they have their own; how many there are, and
    whether an instruction may read and write them; `read_ports`: different registers of the file that one instruction may
    read."""

    type: Spr
    name: str
    count: int
    readable: bool
    writable: bool
    read_ports: int = 3
    names: tuple[str, ...] = ()

    def register(self, index: int) -> str:
        return self.names[index] if index < len(self.names) else f"{self.name}{index}"


def _vs_files(address: int) -> dict[int, RegisterFile]:
    files = (
        RegisterFile(Spr.TEMP, "r", 12, True, True),
        RegisterFile(Spr.INPUT, "v", 16, True, False, 1),
        RegisterFile(Spr.CONST, "c", 256, True, False, 1),  # at least 96: MaxVertexShaderConst
        RegisterFile(Spr.ADDR, "a", address, False, True),
        RegisterFile(Spr.RASTOUT, "o", 3, False, True, names=("oPos", "oFog", "oPts")),
        RegisterFile(Spr.ATTROUT, "oD", 2, False, True),
        RegisterFile(Spr.TEXCRDOUT, "oT", 8, False, True),
    )
    return {int(file.type): file for file in files}


def _ps_files(
    temps: int, temp_ports: int, textures: int, texture_ports: int, texture_writable: bool
) -> dict[int, RegisterFile]:
    files = (
        RegisterFile(Spr.TEMP, "r", temps, True, True, temp_ports),
        RegisterFile(Spr.INPUT, "v", 2, True, False, 2),
        RegisterFile(Spr.CONST, "c", 8, True, False, 2),
        RegisterFile(Spr.TEXTURE, "t", textures, True, texture_writable, texture_ports),
    )
    return {int(file.type): file for file in files}


REGISTER_FILES: dict[int, dict[int, RegisterFile]] = {
    VS_1_0: _vs_files(0),
    VS_1_1: _vs_files(1),
    PS_1_0: _ps_files(2, 2, 4, 1, True),
    PS_1_1: _ps_files(2, 2, 4, 2, True),
    PS_1_2: _ps_files(2, 2, 4, 3, True),
    PS_1_3: _ps_files(2, 2, 4, 3, True),
    PS_1_4: _ps_files(6, 3, 6, 1, False),
}


@dataclass(frozen=True)
class Limits:
    """Instruction slots of a version: all together (vertex shaders), or arithmetic and texture ones (each phase of ps_1_4)."""

    total: int = 0
    arithmetic: int = 0
    texture: int = 0


LIMITS: dict[int, Limits] = {
    VS_1_0: Limits(128),
    VS_1_1: Limits(128),
    PS_1_0: Limits(0, 8, 4),
    PS_1_1: Limits(0, 8, 4),
    PS_1_2: Limits(0, 8, 4),
    PS_1_3: Limits(0, 8, 4),
    PS_1_4: Limits(0, 8, 6),
}

SHIFTS: dict[int, str] = {1: "_x2", 2: "_x4", 3: "_x8", -1: "_d2", -2: "_d4", -3: "_d8"}
"""Result shifts (powers of two).  _x8, _d4 and _d8 are ps_1_4's."""
SHIFTS_1_3 = frozenset((0, 1, 2, -1))
MODIFIERS: dict[int, tuple[str, str]] = {
    Spsm.NONE: ("", ""),
    Spsm.NEG: ("-", ""),
    Spsm.BIAS: ("", "_bias"),
    Spsm.BIASNEG: ("-", "_bias"),
    Spsm.SIGN: ("", "_bx2"),
    Spsm.SIGNNEG: ("-", "_bx2"),
    Spsm.COMP: ("1-", ""),
    Spsm.X2: ("", "_x2"),
    Spsm.X2NEG: ("-", "_x2"),
    Spsm.DZ: ("", "_dz"),
    Spsm.DW: ("", "_dw"),
}
"""Source modifiers as (before, after) the register's name."""


# ---- vertex declarations ---------------------------------------------------------------------


class VsdToken(IntEnum):
    """D3DVSD_TOKENTYPE: bits 31:29 of a declaration token."""

    NOP = 0
    STREAM = 1
    STREAMDATA = 2
    TESSELLATOR = 3
    CONSTMEM = 4
    EXT = 5
    END = 7


class VsdType(IntEnum):
    """D3DVSDT_*: how an element lies in its stream."""

    FLOAT1 = 0
    FLOAT2 = 1
    FLOAT3 = 2
    FLOAT4 = 3
    D3DCOLOR = 4
    UBYTE4 = 5
    SHORT2 = 6
    SHORT4 = 7


VSD_BYTES: dict[int, int] = {0: 4, 1: 8, 2: 12, 3: 16, 4: 4, 5: 4, 6: 4, 7: 8}
"""Bytes of an element, by VsdType."""


class VsdRegister(IntEnum):
    """D3DVSDE_*: what register numbers mean without shader code (fixed function)."""

    POSITION = 0
    BLENDWEIGHT = 1
    BLENDINDICES = 2
    NORMAL = 3
    PSIZE = 4
    DIFFUSE = 5
    SPECULAR = 6
    TEXCOORD0 = 7
    TEXCOORD1 = 8
    TEXCOORD2 = 9
    TEXCOORD3 = 10
    TEXCOORD4 = 11
    TEXCOORD5 = 12
    TEXCOORD6 = 13
    TEXCOORD7 = 14
    POSITION2 = 15
    NORMAL2 = 16


VSD_END = 0xFFFFFFFF
