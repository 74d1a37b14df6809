"""The words for texture stages: formulas that compute what the scalar reference computes, arguments with what they select."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from core.spec.enums import TextureArg, TextureOp
from inspector.query.pixels.cascade import FORMULAS, StageWords
from tests.reference.stages import Cascade

WORDS = (TextureOp.DISABLE, TextureOp.PREMODULATE, TextureOp.BUMPENVMAP, TextureOp.BUMPENVMAPLUMINANCE, TextureOp.DOTPRODUCT3)
"""Not formulas but sentences."""
ARG1, ARG2, ARG0 = (0.9, 0.3, 0.5, 0.8), (0.6, 0.7, 0.2, 0.4), (0.25, 0.75, 0.1, 0.6)


class Colour(np.ndarray[Any, Any]):
    """r g b a, whose `.a` is its alpha."""

    @property
    def a(self) -> float:
        return float(self[3])


@pytest.mark.parametrize("op", [op for op in TextureOp if op not in WORDS])
def test_formulas_are_what_the_operations_compute(op: TextureOp) -> None:
    """ARG1 is the texture, ARG2 the diffuse colour (and CURRENT), ARG0 the specular one; the texture factor is 0x33..."""
    stage = {"COLOROP": op, "ALPHAOP": TextureOp.DISABLE, "COLORARG1": TextureArg.TEXTURE, "COLORARG2": TextureArg.DIFFUSE,
             "COLORARG0": TextureArg.SPECULAR, "RESULTARG": TextureArg.CURRENT}  # fmt: skip
    expected = Cascade(ARG2, ARG0, 0x33000000, [stage], [True], lambda _: ARG1).run()
    arg1, arg2, arg0 = (np.array(colour).view(Colour) for colour in (ARG1, ARG2, ARG0))
    factor = np.array([0, 0, 0, 0x33 / 255]).view(Colour)
    names = {"arg1": arg1, "arg2": arg2, "arg0": arg0, "texture": arg1, "diffuse": arg2, "current": arg2, "factor": factor}
    found = eval(FORMULAS[op].replace(" x ", " * "), names)
    np.testing.assert_allclose(np.clip(found, 0, 1)[:3], expected[:3], atol=1e-9)


class Held(NamedTuple):
    raw: tuple[int, ...]
    text: str


def stage(**values: Any) -> Any:
    """A state with one texture stage: names of enums by name of state."""
    default = {
        "COLOROP": "MODULATE",
        "ALPHAOP": "DISABLE",
        **{f"{c}ARG{n}": "CURRENT" for c in ("COLOR", "ALPHA") for n in range(3)},
    }
    kinds = {name: TextureOp if name.endswith("OP") else TextureArg for name in default}
    return {("TEXTURESTAGE", 0, name): Held((int(kinds[name][text]),), text) for name, text in {**default, **values}.items()}


def test_both_halves_are_told_and_what_arguments_select() -> None:
    words = StageWords(stage(COLOROP="MODULATE4X", COLORARG1="TEXTURE", ALPHAOP="SELECTARG2", ALPHAARG2="DIFFUSE"), 0, True)
    assert words.formula == "arg1 x arg2 x 4; alpha: arg2; clamped to 0..1"
    assert [words.named(name) for name in ("texture", "color_arg1", "color_arg2", "alpha_arg2", "current")] == [
        "texture", "color_arg1 (TEXTURE)", "color_arg2 (CURRENT)", "alpha_arg2 (DIFFUSE)", "current",
    ]  # fmt: skip
    assert StageWords(stage(ALPHAOP="MODULATE"), 0, False).formula == "arg1 x arg2; clamped to 0..1"
    assert StageWords(stage(ALPHAOP="LERP"), 0, False).formula.endswith(
        "; alpha: arg0 x arg1 + (1 - arg0) x arg2; clamped to 0..1"
    )


def test_operations_for_colour_only_select_the_first_argument_of_alpha() -> None:
    assert StageWords(stage(ALPHAOP="MODULATEALPHA_ADDCOLOR"), 0, True).formula == "arg1 x arg2; alpha: arg1; clamped to 0..1"
    assert "alpha" not in StageWords(stage(COLOROP="DOTPRODUCT3", ALPHAOP="ADD"), 0, True).formula


def test_a_half_that_reads_no_texture_passes_current_on() -> None:
    """Wine's and our decision: an operation that reads the texture where none is bound leaves CURRENT."""
    words = StageWords(stage(COLORARG1="TEXTURE", COLORARG2="DIFFUSE", ALPHAOP="SELECTARG1", ALPHAARG1="DIFFUSE"), 0, False)
    assert words.formula == "CURRENT, as no texture is bound; alpha: arg1; clamped to 0..1"
    assert words.named("color_arg1") == "color_arg1 (CURRENT)" and words.named("alpha_arg1") == "alpha_arg1 (DIFFUSE)"
