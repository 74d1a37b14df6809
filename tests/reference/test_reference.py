"""The reference itself, against results that Windows drivers gave (Wine's tests, as quoted in the specification)."""

from __future__ import annotations

import re

import pytest

from core.spec.enums import TextureOp
from tests.reference.coverage import Triangle
from tests.reference.formats import from_argb
from tests.reference.stages import Cascade

TRIANGLES = {
    "L": [(2, 1), (3, 3), (2, 5)], "T": [(2, 1), (4, 1), (3, 3)], "R": [(4, 1), (4, 5), (3, 3)], "B": [(3, 3), (4, 5), (2, 5)],
}  # fmt: skip
TEXTURE_OPERATIONS = """
SELECTARG1 00ff00 SELECTARG2 333333 MODULATE 003300 MODULATE2X 006600 MODULATE4X 00cc00 ADD 33ff33 ADDSIGNED 00b200
ADDSIGNED2X 00ff00 SUBTRACT 00cc00 ADDSMOOTH 33ff33 BLENDDIFFUSEALPHA 227722 BLENDTEXTUREALPHA 14ad14 BLENDFACTORALPHA 07e407
BLENDTEXTUREALPHAPM 14ff14 BLENDCURRENTALPHA 227722 MODULATEALPHA_ADDCOLOR 1fff1f MODULATECOLOR_ADDALPHA 99cc99
MODULATEINVALPHA_ADDCOLOR 14ff14 MODULATEINVCOLOR_ADDALPHA cc99cc DOTPRODUCT3 999999 MULTIPLYADD ff3300 LERP 003333
"""
CASES = re.findall(r"(\w+) ([0-9a-f]{6})\b", TEXTURE_OPERATIONS)


def test_four_triangles_share_their_edges_as_on_windows() -> None:
    """test_filling_convention."""
    rows = [["." for _ in range(8)] for _ in range(8)]
    for name, corners in TRIANGLES.items():
        for place in Triangle(corners).places(8, 8, 1):
            assert rows[place.y][place.x] == "."
            rows[place.y][place.x] = name
    middle = ["..TT....", "..LT....", "..LR....", "..LB...."]
    assert ["".join(row) for row in rows] == ["." * 8, *middle, *["." * 8] * 3]


@pytest.mark.parametrize(("name", "rgb"), CASES)
def test_texture_operations_give_what_windows_gave(name: str, rgb: str) -> None:
    """texop_test: arguments texture, factor, and diffuse as the third; a few steps of tolerance."""
    texel, diffuse = from_argb(0x9900FF00), from_argb(0x55FF0000)
    stage = {"COLOROP": TextureOp[name], "COLORARG1": 2, "COLORARG2": 3, "COLORARG0": 0, "ALPHAOP": TextureOp.SELECTARG1,
             "ALPHAARG1": 2, "ALPHAARG2": 3, "ALPHAARG0": 0, "RESULTARG": 1}  # fmt: skip
    end = {"COLOROP": TextureOp.DISABLE}
    color = Cascade(diffuse, diffuse, 0xDD333333, [stage, end], [True, False], lambda number: texel).run()
    for got, expected in zip(color[:3], bytes.fromhex(rgb), strict=True):
        assert abs(got * 255 - expected) < 3
