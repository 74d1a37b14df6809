"""From decoded ps_1_x instructions to the pixel shader kernel's program.

Registers become slots of the scratch array; source modifiers a factor and an offset; co-issued pairs are put in an order in
which the first does not destroy what the second reads (or write through a spare slot). A component read before it is written is
0 (undefined by the SDK): an added instruction clears it.

A cnd that is co-issued and writes colour takes its second operand whatever r0.a holds (ps_1_1 to ps_1_3): so do all Windows
drivers, says Wine's cnd_test.

Results of arithmetic instructions are clamped to -8..8 after the shift, before _sat, in every version: that is the range of
registers that caps announce (MaxPixelShaderValue). Wine's cnd_test finds 2.0 in ps_1_1 registers on all Windows drivers.
Where they cannot be outside, nothing clamps them (core.pipeline.draw_state.pixel_ranges).
Constants are clamped to -1..1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.errors import BadInput
from core.pipeline.draw_state.pixel_ranges import drop_clamps
from core.pipeline.draw_state.pixel_slots import (
    ADJUSTED,
    ADJUSTED_R0,
    CLEAR,
    CONSTANT,
    DIFFUSE,
    LOOKUPS,
    NO_RESULT,
    SPARE,
    SPECULAR,
    TEMPORARY,
    InstructionKind,
    is_texture_op,
    reading,
    register_at,
    slot,
    written_components,
)  # fmt: skip
from core.pipeline.records.stage_state import (
    CLAMPED,
    MAX_INSTRUCTIONS,
    PIXEL_INSTRUCTION,
    SATURATED,
    SCALED,
    SHADER_CONSTANTS,
    SHADER_DEPTH,
    SHADER_DIFFUSE,
    SHADER_KILLS,
    SHADER_SPECULAR,
    SLOT,
)  # fmt: skip
from core.spec.shaders import Sio, Spr, Spsm

IDENTITY, REPLICATE_ALPHA = 0xE4, 0xFF
ALPHA_MASK = 8
MODIFIERS: dict[int, tuple[float, float]] = {       # factor, offset
    Spsm.NONE: (1.0, 0.0), Spsm.NEG: (-1.0, 0.0), Spsm.BIAS: (1.0, -0.5), Spsm.BIASNEG: (-1.0, 0.5), Spsm.SIGN: (2.0, -1.0),
    Spsm.SIGNNEG: (-2.0, 1.0), Spsm.COMP: (-1.0, 1.0), Spsm.X2: (2.0, 0.0), Spsm.X2NEG: (-2.0, 0.0), Spsm.DZ: (1.0, 0.0),
    Spsm.DW: (1.0, 0.0),
}  # fmt: skip
DIVISORS: dict[int, int] = {Spsm.DZ: 2, Spsm.DW: 3}
RUNNING = {Sio.MOV, Sio.ADD, Sio.SUB, Sio.MAD, Sio.MUL, Sio.DP3, Sio.DP4, Sio.LRP, Sio.CND, Sio.CMP, Sio.BEM, Sio.TEXCOORD,
           *LOOKUPS, *NO_RESULT, Sio.TEXM3x2DEPTH, Sio.TEXDP3, Sio.TEXM3x3}  # fmt: skip
REGISTER_ROWS = (Sio.TEXREG2AR, Sio.TEXREG2GB, Sio.TEXREG2RGB)  # read no coordinates of their own


@dataclass(frozen=True, slots=True)
class PixelProgram:
    """records: PIXEL_INSTRUCTION[n]; the rest says what the program needs and does."""

    records: np.ndarray
    kills: bool
    writes_depth: bool
    reads_diffuse: bool
    reads_specular: bool
    constants: frozenset[int]  # registers it reads
    textures: frozenset[int]  # stages it samples
    coordinates: frozenset[int]  # texture coordinate sets it reads

    @property
    def needs(self) -> int:
        """PIXEL_STATE.shader_needs: bits 0-7 coordinate sets, then the flags of stage_state"""
        flags = {SHADER_DIFFUSE: self.reads_diffuse, SHADER_SPECULAR: self.reads_specular, SHADER_DEPTH: self.writes_depth,
                 SHADER_KILLS: self.kills}  # fmt: skip
        numbers = [*self.coordinates, *(SHADER_CONSTANTS + number for number in self.constants)]
        return sum(1 << number for number in numbers) + sum(bit for bit, present in flags.items() if present)


def compile_pixel_program(code: np.ndarray, version: int) -> PixelProgram:
    """code: core.spec.shaders.INSTRUCTION[n], valid; version: the version token or its low word (0x0100..0x0104).

    Raises BadInput when the program has more instructions than PIXEL_STATE holds, or operations of vertex shaders. Registers
    that do not exist, which validation reports, are taken for the last of their kind."""
    minor = version & 0xFF
    body = [translate(code, number, minor) for number in range(len(code))]
    body = separate_pairs(body, code)
    drop_clamps(body)
    records = np.array([*prologue(body), *body], PIXEL_INSTRUCTION)
    if len(records) > MAX_INSTRUCTIONS:
        raise BadInput(f"a pixel shader of {len(records)} instructions, the most is {MAX_INSTRUCTIONS}")
    ops = {Sio(int(op)) for op in code["op"]}
    sources = {place for row in body for place, _ in map(register_at, row["read"][: 4 * row["sources"]])}
    return PixelProgram(
        records=records,
        kills=Sio.TEXKILL in ops,
        writes_depth=not ops.isdisjoint((Sio.TEXDEPTH, Sio.TEXM3x2DEPTH)),
        reads_diffuse=DIFFUSE in sources,
        reads_specular=SPECULAR in sources,
        constants=frozenset(place - CONSTANT for place in sources if place >= CONSTANT),
        textures=frozenset(int(row["stage"]) for row in body if row["op"] in LOOKUPS),
        coordinates=frozenset(set().union(*(coordinate_sets(row) for row in body))),
    )


# ---- one instruction -------------------------------------------------------------------------------


def translate(code: np.ndarray, number: int, minor: int) -> np.ndarray:
    """One INSTRUCTION as PIXEL_INSTRUCTION."""
    given, row = code[number], np.zeros((), PIXEL_INSTRUCTION)
    op = int(given["op"])
    if op not in RUNNING:
        raise BadInput(f"instruction {number} of a pixel shader has operation {op}, which is not in ps_1_x")
    op = Sio(op)
    row["op"], row["number"], row["coordinate"], row["third"] = op, number, -1, 2
    row["destination"] = slot(int(given["dest_type"]), int(given["dest_index"]))
    if op not in NO_RESULT and int(given["dest_type"]) != Spr.CONST:  # constants stay for all pixels
        row["write_mask"] = int(given["write_mask"]) or 15
    row["stage"] = int(given["dest_index"]) & 7
    row["scale"] = 2.0 ** int(given["dest_shift"])
    row["changes"] = SCALED * (row["scale"] != 1.0) | CLAMPED * (not is_texture_op(op)) | SATURATED * bool(given["saturate"])
    row["sources"] = min(int(given["source_count"]), 3)
    for place in range(int(row["sources"])):
        translate_source(row, place, given["source"][place])
    if op == Sio.CND and minor < 4:
        translate_old_cnd(row, given)
    if is_texture_op(op):
        place_coordinates(row, given, minor)
        row["row"] = matrix_row(code["op"], number)
        plain = op == Sio.TEX and row["coordinate"] >= 0 and row["third"] == 2
        row["kind"] = InstructionKind.LOOKUP if plain else InstructionKind.OTHER
    else:
        place_sources(row)
    return row


def translate_source(row: np.ndarray, place: int, given: np.ndarray) -> None:
    row["read"][4 * place : 4 * place + 4] = reading(slot(int(given["type"]), int(given["index"])), int(given["swizzle"]))
    modifier = int(given["modifier"])
    factor, offset = MODIFIERS.get(modifier, MODIFIERS[Spsm.NONE])
    row["factor"][place], row["offset"][place] = factor, offset
    row["changes"] |= ((factor, offset) != (1.0, 0.0)) << place
    row["divide"] = max(int(row["divide"]), DIVISORS.get(modifier, 0))


def translate_old_cnd(row: np.ndarray, given: np.ndarray) -> None:
    """cnd of ps_1_0 to ps_1_3: looks at r0.a, whatever the token says; a paired one that writes colour moves"""
    row["read"][:4] = reading(register_at(row["read"][0])[0], REPLICATE_ALPHA)
    if given["coissue"] and given["write_mask"] != ALPHA_MASK:
        row["op"], row["sources"], row["read"][:4] = Sio.MOV, 1, row["read"][4:8]
        row["factor"][0], row["offset"][0] = row["factor"][1], row["offset"][1]
        row["changes"] = row["changes"] & ~7 | row["changes"] >> 1 & 1


def place_sources(row: np.ndarray) -> None:
    """where arithmetic finds its sources: in a register as it is, or in a slot that the adjusted source is brought to before"""
    kind, components = InstructionKind[Sio(int(row["op"])).name], components_used(row)
    row["kind"] = kind
    for source in range(1 + (kind >= InstructionKind.ADD) + (kind >= InstructionKind.MAD)):
        places = [register_at(row["read"][4 * source + c]) for c in components] or [(TEMPORARY, 0)]
        first = places[0][0]
        if places != [(first, c) for c in components or [0]] or row["changes"] >> source & 1:
            row["adjusted"] |= 1 << source | ADJUSTED_R0 * (first == TEMPORARY)
            first = ADJUSTED + source
        row["place"][source] = first * SLOT
        row["held"] |= first == TEMPORARY


def place_coordinates(row: np.ndarray, given: np.ndarray, minor: int) -> None:
    """which coordinate set a texture instruction reads, and how"""
    row["coordinate"] = row["stage"]
    if minor < 4:
        return
    first = given["source"][0]
    if row["op"] == Sio.TEXKILL:
        if int(given["dest_type"]) == Spr.TEMP:
            row["coordinate"], row["sources"] = -1, 1
            row["read"][:4] = reading(int(row["destination"]), IDENTITY)
    elif row["op"] in (Sio.TEX, Sio.TEXCOORD):
        row["coordinate"] = int(first["index"]) & 7 if int(first["type"]) == Spr.TEXTURE else -1
        row["third"] = 3 if int(first["swizzle"]) >> 4 & 3 == 3 else 2
        row["changes"] &= ~7  # of the modifiers there are only _dz and _dw: `divide`
        row["read"][:4] = reading(register_at(row["read"][0])[0] if row["coordinate"] < 0 else TEMPORARY, IDENTITY)


def matrix_row(ops: np.ndarray, number: int) -> int:
    """texm3x2 and texm3x3: rows before this one, that is, the pads right before it"""
    row = 0
    while row < 2 and number - row > 0 and ops[number - row - 1] in (Sio.TEXM3x2PAD, Sio.TEXM3x3PAD):
        row += 1
    return row


def coordinate_sets(row: np.ndarray) -> set[int]:
    if not is_texture_op(int(row["op"])) or row["coordinate"] < 0 or row["op"] in (*REGISTER_ROWS, Sio.TEXDEPTH):
        return set()
    own = int(row["coordinate"])
    return {own, (own - 1) & 7, (own - 2) & 7} if row["op"] == Sio.TEXM3x3VSPEC else {own}


# ---- dependencies ----------------------------------------------------------------------------------


def read_components(row: np.ndarray) -> set[tuple[int, int]]:
    """(slot, component) pairs that an instruction reads"""
    op = int(row["op"])
    if op == Sio.TEXDEPTH:
        return {(int(row["destination"]), c) for c in (0, 1)}
    if is_texture_op(op) and op not in NO_RESULT and row["coordinate"] >= 0 and op in (Sio.TEX, Sio.TEXCOORD):
        return set()
    return {register_at(row["read"][4 * k + c]) for k in range(int(row["sources"])) for c in components_used(row)}


def components_used(row: np.ndarray) -> list[int]:
    """of the sources"""
    op = int(row["op"])
    if op == Sio.DP3 or is_texture_op(op):
        return [0, 1, 2, *((3,) if op == Sio.TEXREG2AR else ())]
    elif op in (Sio.DP4, Sio.BEM):
        return [0, 1, 2, 3]
    return [c for c in range(4) if int(row["write_mask"]) >> c & 1]


def separate_pairs(body: list[np.ndarray], code: np.ndarray) -> list[np.ndarray]:
    """Co-issued instructions read their sources before either writes."""
    result: list[np.ndarray] = []
    for number, row in enumerate(body):
        if not code["coissue"][number] or not result:
            result.append(row)
            continue
        first = result.pop()
        if read_components(row).isdisjoint(written_components(first)):
            result += [first, row]
        elif read_components(first).isdisjoint(written_components(row)):
            result += [row, first]
        else:
            result += [redirected(first), row, copied_back(first)]
    return result


def redirected(row: np.ndarray) -> np.ndarray:
    other = row.copy()
    other["destination"] = SPARE
    return other


def copied_back(row: np.ndarray) -> np.ndarray:
    """mov of the components that went to the spare slot"""
    move = np.zeros((), PIXEL_INSTRUCTION)
    move["op"], move["number"], move["coordinate"], move["third"], move["scale"] = Sio.MOV, row["number"], -1, 2, 1.0
    move["destination"], move["write_mask"], move["sources"] = row["destination"], row["write_mask"], 1
    move["read"][:4] = reading(SPARE, IDENTITY)
    place_sources(move)
    return move


def prologue(body: list[np.ndarray]) -> list[np.ndarray]:
    """zeros for what is read before it is written"""
    written: set[tuple[int, int]] = {(DIFFUSE, c) for c in range(4)}
    missing: set[int] = set()
    for row in body:
        missing |= {place for place, component in read_components(row) - written}
        written |= written_components(row)
    missing |= {TEMPORARY for c in range(4) if (TEMPORARY, c) not in written}
    return [clear(place) for place in sorted(missing) if place < CONSTANT and place not in (DIFFUSE, SPECULAR)]


def clear(place: int) -> np.ndarray:
    row = np.zeros((), PIXEL_INSTRUCTION)
    row["kind"], row["op"], row["number"] = InstructionKind.OTHER, CLEAR, -1
    row["coordinate"], row["third"], row["scale"] = -1, 2, 1.0
    row["destination"], row["write_mask"] = place, 15
    return row
