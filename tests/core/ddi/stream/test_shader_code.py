"""Shader code: bytes | text, both ways, and against apitrace's disassembly of real shaders."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ddi.rules.shader_check import validate
from core.ddi.stream.shader_assemble import assemble
from core.ddi.stream.shader_code import code_size, constants, decode, program
from core.ddi.stream.shader_text import disassemble, lines
from core.errors import ShaderError
from core.spec.shaders import INSTRUCTION, ROWS, VERSIONS, Sio, Spr, Spsm, instruction, is_pixel
from tests.core.ddi.shader_captures import real_shaders

# version, dwords of one instruction | its text
TABLE = """
vs_1_1 00000001 c00f0000 90e40000 | mov oPos, v0
vs_1_1 00000001 b0010000 a0000003 | mov a0.x, c3.x
vs_1_1 00000009 c0010001 90e40000 a0e42004 | dp4 oFog.x, v0, c[a0.x + 4]
vs_1_1 00000004 80070003 811b0001 a0ff0010 80e40002 | mad r3.xyz, -r1.wzyx, c16.w, r2
vs_1_1 00000014 c00f0000 90e40000 a0e40000 | m4x4 oPos, v0, c0
vs_1_1 00000007 80080000 80ff0000 | rsq r0.w, r0.w
vs_1_1 0000004e 800f0000 90550000 | expp r0, v0.y
vs_1_1 00000013 80030000 80e40001 | frc r0.xy, r1
vs_1_0 00000001 d00f0001 90e40005 | mov oD1, v5
vs_1_1 00000001 e00f0007 90e40007 | mov oT7, v7
vs_1_1 00000001 c0010002 a0000005 | mov oPts.x, c5.x
vs_1_1 0002fffe 64636261 00000065 | comment 0x64636261 0x00000065
vs_1_1 00000000 | nop
ps_1_1 00000042 b00f0000 | tex t0
ps_1_1 00000040 b00f0001 | texcoord t1
ps_1_1 00000041 b00f0002 | texkill t2
ps_1_3 00000043 b00f0001 b0e40000 | texbem t1, t0
ps_1_1 0000004c b00f0003 b4e40000 a0e40000 | texm3x3spec t3, t0_bx2, c0
ps_1_1 00000005 81170000 84e40000 86ff0001 | mul_x2_sat r0.rgb, r0_bx2, 1-r1.a
ps_1_1 40000001 8f080000 83aa0000 | +mov_d2 r0.a, -r0_bias.b
ps_1_1 00000050 800f0000 80ff0000 a0e40001 a0e40002 | cnd r0, r0.a, c1, c2
ps_1_1 00000012 800f0000 90e40000 90e40001 b0e40000 | lrp r0, v0, v1, t0
ps_1_4 00000042 800f0000 bae40000 | texld r0, t0_dw
ps_1_4 00000040 80070001 b9a40001 | texcrd r1.rgb, t1_dz.rgbb
ps_1_4 00000059 80030001 80e40000 80e40001 | bem r1.rg, r0, r1
ps_1_4 00000057 800f0005 | texdepth r5
ps_1_4 0000fffd | phase
ps_1_4 00000002 8d0f0002 87e40000 88e40001 | add_d8 r2, r0_x2, -r1_x2
ps_1_2 00000058 800f0000 80e40000 80e40001 b0e40000 | cmp r0, r0, r1, t0
ps_1_1 00000051 a00f0003 3f800000 bf000000 00000000 7f800000 | def c3, 1.0, -0.5, 0.0, inf
ps_1_1 00000051 a00f0003 ffc00001 80000000 00000001 7fc00000 | def c3, 0xffc00001, -0.0, 1e-45, 0x7fc00000
"""
ROWS_ = [line.split(" | ") for line in TABLE.strip().splitlines()]


def _code(line: str) -> list[int]:
    version, *words = line.split()
    number = {name: token for token, name in VERSIONS.items()}[version]
    return [number, *(int(word, 16) for word in words), 0xFFFF]


@pytest.mark.parametrize(("words", "text"), ROWS_, ids=[f"{row[0][:6]} {row[1]}" for row in ROWS_])
def test_instruction(words: str, text: str) -> None:
    code = _code(words)
    assert lines(code) == [(1, text)]
    assert assemble(f"{words[:6]}\n{text}").tolist() == code


def test_mnemonics_are_all_in_the_rows() -> None:
    """Every opcode of the header but the reserved TEXM3x3DIFF exists in some version."""
    assert {row.op for row in ROWS} == set(Sio) - {Sio.TEXM3x3DIFF}


def _operand(version: int, source: bool) -> st.SearchStrategy[str]:
    names = ["r0", "r1", "v0", "c5"] if source else ["r0", "r1"]
    parts = ["", ".a" if is_pixel(version) else ".w"] + ([".bgra" if is_pixel(version) else ".zyxw"] if source else [])
    before = ["", "-"] if source else [""]
    return st.tuples(*map(st.sampled_from, (before, names, parts))).map("".join)


@st.composite
def shader_texts(draw: st.DrawFn) -> str:
    version = draw(st.sampled_from(sorted(VERSIONS)))
    rows = [row for row in ROWS if row is instruction(version, row.op) and row.kind != "other"]
    text = [VERSIONS[version]]
    for row in draw(st.lists(st.sampled_from(rows), max_size=12)):
        operands = [draw(_operand(version, False))] + [draw(_operand(version, True)) for _ in range(row.sources)]
        text.append(f"{row.name} {', '.join(operands)}")
    return "\n".join(text) + "\n"


@settings(max_examples=60, deadline=None)
@given(shader_texts())
def test_text_survives_the_round_trip(text: str) -> None:
    code = assemble(text)
    assert disassemble(code) == text
    assert code_size(code) == 4 * len(code)
    assert len(program(code)) == text.count("\n") - 1


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(VERSIONS)), st.lists(st.integers(0, 0xFFFFFFFF), max_size=30))
def test_noise_decodes_or_says_where(version: int, words: list[int]) -> None:
    code = [version, *words]
    try:
        shader = decode(code)
    except ShaderError as error:
        assert 0 < error.offset <= len(code)
        assert [(problem.dword, True) for problem in validate(code)] == [(error.offset, True)]
    else:
        assert shader.size <= len(code)
        disassemble(shader)
        validate(shader)


ERRORS = [
    ([], 0, "the shader has no code"),
    ([0xFFFE0200, 0xFFFF], 0, "0xfffe0200 is not a version of a DirectX 8 shader"),
    ([0xFFFE0101], 1, "the code ends without an END token"),
    ([0xFFFE0101, 0x42, 0xFFFF], 1, "vs_1_1 has no instruction 0x42"),
    ([0xFFFE0101, 0x01, 0xC00F0000], 3, "the code ends within mov"),
    ([0xFFFE0101, 0x01, 0xC00F0000, 0xFFFF], 3, "0x0000ffff is not an operand of mov"),
    ([0xFFFE0101, 0x90E40000], 1, "0x90e40000 is an operand where an instruction is expected"),
    ([0xFFFF0101, 0x51, 0xA00F0000, 0, 0], 1, "def needs 4 dwords, 2 left"),
    ([0xFFFF0101, 0x0004FFFE, 0], 1, "comment needs 4 dwords, 1 left"),
]


@pytest.mark.parametrize(("code", "offset", "sentence"), ERRORS, ids=[row[2] for row in ERRORS])
def test_decoding_errors(code: list[int], offset: int, sentence: str) -> None:
    with pytest.raises(ShaderError) as caught:
        decode(code)
    assert str(caught.value) == f"shader+{offset}: {sentence}"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "line 1: missing version"),
        ("vs_3_0", "line 1: 'vs_3_0' is not a version of a DirectX 8 shader"),
        ("vs_1_1\n\nmovv r0, r1", "line 3: 'movv' is not an instruction of this version"),
        ("vs_1_1\nmov r0", "line 2: mov takes 2 operands, not 1"),
        ("vs_1_1\nmov r0, t0", "line 2: 't0' is not a register of this version"),
        ("ps_1_1\nmov_x9 r0, t0", "line 2: '_x9' is not a result modifier"),
        ("ps_1_1\nmov r0, t0_by2", "line 2: 't0_by2' has no such modifier"),
        ("ps_1_1\nmov r0.q, t0", "line 2: 'q' are not components"),
        ("vs_1_1\nmov r0, c[r0.x]", "line 2: 'r0.x' is not an address"),
    ],
)
def test_assembly_errors(text: str, sentence: str) -> None:
    with pytest.raises(ShaderError, match=re.escape(sentence)):
        assemble(text)


def test_the_assembler_takes_the_old_spellings() -> None:
    new = assemble("vs_1_1\nmov r0, c4\nmov r1.xy, c[a0.x + 0].xyyy")
    old = assemble("vs.1.1   ; as DirectX 8 writes it\nMOV r0.xyzw, c[4]  // remark\n\nmov r1.xy, c[a0.x].xy\n")
    assert old.tolist() == new.tolist()


# ---- what the kernels run --------------------------------------------------------------------


def test_program_records() -> None:
    records = program(
        assemble("ps_1_4\ndef c0, 1, 2, 3, 4\ntexld r0, t1_dw.rga\nphase\nmad_d2_sat r1.rg, -r0.b, c0, 1-v0\n+mov r1.a, r0.a")
    )
    assert records.dtype == INSTRUCTION
    assert records["op"].tolist() == [Sio.TEX, Sio.MAD, Sio.MOV]
    assert records["phase"].tolist() == [1, 2, 2]
    assert records["coissue"].tolist() == [0, 0, 1]
    assert records["dword"].tolist() == [7, 11, 16]
    mad = records[1]
    assert (mad["dest_type"], mad["dest_index"], mad["write_mask"], mad["dest_shift"], mad["saturate"]) == (
        Spr.TEMP,
        1,
        3,
        -1,
        1,
    )
    assert mad["source_count"] == 3
    assert mad["source"]["swizzle"].tolist() == [0xAA, 0xE4, 0xE4, 0xE4]
    assert mad["source"]["modifier"].tolist()[:3] == [Spsm.NEG, Spsm.NONE, Spsm.COMP]
    assert mad["source"]["type"].tolist()[:3] == [Spr.TEMP, Spr.CONST, Spr.INPUT]
    assert records[0]["source"][0]["modifier"] == Spsm.DW


def test_constants_of_def() -> None:
    assert constants(assemble("ps_1_1\ndef c2, 1, -2, 0.5, 0\nmov r0, c2")) == {2: (1.0, -2.0, 0.5, 0.0)}


@pytest.mark.parametrize(("operand", "swizzle"), [("r0", 0xFF), ("r0.x", 0x00), ("r0.zzzz", 0xAA), ("r0.xyzz", 0xAA)])
def test_scalar_instructions_read_one_component(operand: str, swizzle: int) -> None:
    """w under the identity swizzle: Wine's d3d8 tests on rcp, rsq, exp and log."""
    assert program(assemble(f"vs_1_1\nrcp r1, {operand}"))[0]["source"][0]["swizzle"] == swizzle


def test_without_a_phase_marker_the_code_is_phase_2() -> None:
    assert program(assemble("ps_1_4\ntexld r0, t0\nmov r0, r0"))["phase"].tolist() == [2, 2]
    assert program(assemble("ps_1_3\ntex t0\nmov r0, t0"))["phase"].tolist() == [0, 0]


# ---- rules -----------------------------------------------------------------------------------

GOOD_VS, GOOD_PS = "vs_1_1\nm4x4 oPos, v0, c0\n", "ps_1_1\ntex t0\nmov r0, t0\n"
PROBLEMS = [
    (GOOD_VS, []),
    (GOOD_PS, []),
    ("vs_1_1\nmov oD0, v5", ["oPos is not written"]),
    ("vs_1_1\nmov oPos.xyz, v0", ["not all components of oPos are written"]),
    (GOOD_VS + "add r0, c0, c1", ["add reads 2 different c registers, at most 1"]),
    (GOOD_VS + "add r0, v0, v1", ["add reads 2 different v registers, at most 1"]),
    (GOOD_VS + "mov oD0, r3", ["r3 is read before it is written"]),
    (GOOD_VS + "mov r0.x, c0\nmov oD0.x, r0.x\nmov oD0.y, r0.y", ["r0 is read before it is written"]),
    (GOOD_VS + "mov v0, c0", ["v0 cannot be written"]),
    (GOOD_VS + "mov r0, oD0", ["oD0 cannot be read"]),
    (GOOD_VS + "mov r12, c0", ["vs_1_1 has no register r12"]),
    (GOOD_VS + "mov r0, c256", ["vs_1_1 has no register c256"]),
    (GOOD_VS + "mov r0, c[a0.x]", ["a0.x is used before it is written"]),
    (GOOD_VS + "mov a0.x, c0.x\nmov r0, c[a0.x]", []),
    (GOOD_VS + "add a0.x, c0.x, v0.x", ["only mov writes a0, and only a0.x"]),
    (GOOD_VS + "mov r0, c0_bias", ["vertex shaders negate sources, nothing else"]),
    (GOOD_VS + "mov_sat r0, c0", ["vertex shaders have no result modifiers"]),
    (GOOD_VS + "frc r0, c0", ["frc writes .y or .xy"]),
    (GOOD_VS + "m4x4 r0, v0, c253", ["m4x4 reads constants past c255"]),
    (GOOD_VS + "mov r0, c0\n" * 125, ["more than 128 instruction slots"]),
    (GOOD_VS + "mov r0, c0\n" * 124, []),
    ("ps_1_1\ntex t0", ["r0 is not written"]),
    ("ps_1_1\ntex t0\nmov r0.rgb, t0", ["not all components of r0 are written"]),
    ("ps_1_1\nmov r0, v0\ntex t0", ["tex stands after arithmetic instructions"]),
    (GOOD_PS + "add r0, r0, r0\n" * 8, ["more than 8 arithmetic instruction slots"]),
    (GOOD_PS + "mad r0, c0, c1, c2", ["mad reads 3 different c registers, at most 2"]),
    (GOOD_PS + "add_x8 r0, r0, t0", ["ps_1_1 has no such result shift"]),
    (GOOD_PS + "mov r0, r0_x2", ["ps_1_1 has no such source modifier"]),
    (GOOD_PS + "cnd r0, r0.b, t0, c0", ["cnd of ps_1_1 tests r0.a"]),
    (GOOD_PS + "mov r0.rgb, v0\n+mov r0.a, v1", []),
    (GOOD_PS + "mov r0, v0\n+mov r0.a, v1", ["of a pair one writes colour, the other alpha"]),
    (GOOD_PS + "mov r2, v0", ["ps_1_1 has no register r2"]),
    ("ps_1_4\ntexld r0, t0\nmov r1, r0\nphase\nmov r0, v0", []),
    ("ps_1_4\ntexld r0, t0\nadd r0, r0, v0\nphase\nmov r0, r0", ["v registers are read in phase 2"]),
    ("ps_1_4\ntexcrd r0, t0\nmov r0.a, c0", ["texcrd writes .rgb or .rg"]),
    ("ps_1_4\ntexld r0, t0\nmov r0, t0", ["t registers are read by texld and texcrd"]),
    ("ps_1_4\ntexld r0, t0\nmov r5, r0\ntexdepth r5\nmov r0, r0", ["texdepth stands after arithmetic instructions"]),
    ("ps_1_4\nmov r0, v0\nphase\nphase\nmov r0, v0", ["there is one phase marker at most", "v registers are read in phase 2"]),
    ("ps_1_4\ntexld r0, t0\nmov r0, v0\ndef c0, 1, 1, 1, 1", ["def stands before all instructions"]),
]


@pytest.mark.parametrize(("text", "sentences"), PROBLEMS, ids=[f"{i} {row[1]}" for i, row in enumerate(PROBLEMS)])
def test_rules(text: str, sentences: list[str]) -> None:
    assert sorted(problem.sentence for problem in validate(assemble(text))) == sorted(sentences)


# ---- real shaders ----------------------------------------------------------------------------


def _ours(text: str) -> str:
    """apitrace's disassembly in our spelling: it names instructions as ps_1_4 does, and writes `def c0 = ...`."""
    text = re.sub(r"^def (\w+) = ", r"def \1, ", text.replace("a0.xyzw", "a0.x"), flags=re.MULTILINE)
    if text[:6] != "ps_1_4":
        text = re.sub(r"^(\+?)texcrd ", r"\1texcoord ", text, flags=re.MULTILINE)
        text = re.sub(r"^(\+?)texld ", r"\1tex ", text, flags=re.MULTILINE)
    return text


def test_real_shaders_are_read_as_apitrace_reads_them() -> None:
    """Assembling apitrace's text gives the program's own bytes, and so does assembling ours."""
    shaders = real_shaders()
    assert len(shaders) > 40
    for trace, text, code in shaders:
        words = np.frombuffer(code, "<u4")
        bare = [
            word
            for one in decode(words).instructions
            if one.op != Sio.COMMENT
            for word in words[one.dword : one.dword + 1 + one.row.dest + len(one.sources) + len(one.literals)]
        ]
        assert assemble(_ours(text)).tolist()[1:] == bare, (trace, text)
        assert assemble(disassemble(words)).tolist() == words.tolist(), (trace, text)


def test_programs_obey_the_rules() -> None:
    """Shaders of real programs passed the runtime's validation; Wine's own tests break rules on purpose and are left out."""
    for trace, text, code in real_shaders():
        if trace.startswith("apps/"):
            assert validate(np.frombuffer(code, "<u4")) == [], (trace, text)
