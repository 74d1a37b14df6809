"""Formulas over surfaces: what they compute, what they refuse, and that they end."""

from __future__ import annotations

import math
import subprocess
import sys
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import inspector
from core.errors import BadInput, Cancelled
from inspector.query.looks.custom import EXAMPLES, NAMES, Custom, FindTexel
from inspector.query.looks.expression import BAND, FUNCTIONS, MOST_NODES, parse
from inspector.query.looks.look import Look
from tests.conftest import ROOT
from tests.inspector.query.looks.surfaces import BUMP, DEPTH, DRAWN_DEPTH, INDEXED, RAMP, VOLUME, last
from tests.scenes.kit import TARGET

A = np.array([[[0.25, 0.5, 0.75, 1.0], [0.0, 1.0, 0.5, 0.5]]], np.float32)
B = np.array([[[1.0, 0.5, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0]]], np.float32)


def value(text: str, **names: Any) -> list[Any]:
    """Of two pixels side by side, rounded."""
    names = names or {"this": A, "other": B, "a": A[..., 3]}
    made = parse(text, set(names)).bands({name: np.asarray(one) for name, one in names.items()}, (1, 2))
    return np.round(np.concatenate([band for _, band in made])[0].astype(float), 5).tolist()


@pytest.mark.parametrize(("text", "expected"), [
    ("this * 2", [[0.5, 1, 1.5, 2], [0, 2, 1, 1]]),
    ("this.rgb * a", [[0.25, 0.5, 0.75], [0, 0.5, 0.25]]),
    ("abs(this - other) * 8", [[6, 0, 6, 0], [0, 8, 4, 4]]),
    ("this.bgr", [[0.75, 0.5, 0.25], [0.5, 1, 0]]),
    ("this.xy + 1", [[1.25, 1.5], [1, 2]]),
    ("(this.r, 0.5, a)", [[0.25, 0.5, 1], [0, 0.5, 0.5]]),
    ("this.r > 0.1", [[1], [0]]),
    ("0 < this.r < 0.3 and a == 1", [[1], [0]]),
    ("not this.r or a < 0.5", [[0], [1]]),
    ("1 if this.g > 0.7 else 0.25", [[0.25], [1]]),
    ("-this.r ** 2", [[-0.0625], [0]]),
    ("this.b // 0.5 + this.b % 0.5", [[1.25], [1]]),
    ("min(this.r, this.g, 0.1)", [[0.1], [0]]),
    ("max(this, 0.6).rg", [[0.6, 0.6], [0.6, 1]]),
    ("clamp(this.rgb, 0.3, 0.6)", [[0.3, 0.5, 0.6], [0.3, 0.6, 0.5]]),
    ("mix(this.r, 1, 0.5)", [[0.625], [0.5]]),
    ("dot(this.rg, other.rg)", [[0.5], [0]]),
    ("length((3, 4)) + 0 * a", [[5], [5]]),
    ("normalize((3, 4))", [[0.6, 0.8], [0.6, 0.8]]),
    ("fract(this.g * 3.5)", [[0.75], [0.5]]),
    ("where(a == 1, this.rgb, 0)", [[0.25, 0.5, 0.75], [0, 0, 0]]),
    ("step(0.3, this.g) + sign(-a)", [[0], [0]]),
    ("smoothstep(0, 1, this.r)", [[0.15625], [0]]),
    ("cos(pi) + sqrt(4) + floor(1.5) + ceil(1.5) + round(2.6) + log2(8) + a * 0", [[10], [10]]),
    ("luminance(this)", [[round(0.25 * 0.2126 + 0.5 * 0.7152 + 0.75 * 0.0722, 5)], [round(0.7152 + 0.5 * 0.0722, 5)]]),
    ("sum(this.rgb)", [[1.5], [1.5]]),
    ("isnan(0 / 0) + isinf(1 / 0) + a * 0", [[2], [2]]),
])  # fmt: skip
def test_formulas_have_their_values(text: str, expected: list[Any]) -> None:
    assert value(text) == expected


@pytest.mark.parametrize("text", [
    "", "   ", "this +", "this; this", "x = 1", "lambda: 1", "[this]", "{}", "'a'", "f'{this}'", "this[0]", "this.shape",
    "this.__class__", "().__class__", "__import__('os')", "open('x')", "abs.__self__", "abs(this, 1)", "abs()", "min(this)",
    "abs(x=1)", "abs(*this)", "clamp(this, 0)", "nobody", "this.rgba.rgbaa", "this.rx", "a.g", "this.rgb + other.rg",
    "(this, other)", "yield", "await this", "[i for i in this]", "this if", "True", "None", "...", "1j", "this @ other",
    "~this", "this is other", "this in other", "a := 1", "9" * 30, "(" * 150 + "1" + ")" * 150 + ")", "\0", "this << 2",
    "-" * 1999 + "1", "1+" * 900 + "1", "this" + ".r" * 990 + "()", "this.r(1)", "(1)(2)",
])  # fmt: skip
def test_everything_else_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        value(text)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 400


def test_the_parser_prints_no_warnings() -> None:
    """As Python's does of `1if`: `<unknown>:1: SyntaxWarning`.  In a program of its own: pytest filters warnings."""
    code = "from inspector.query.looks.expression import parse; parse('1if 1else 2', set())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


@given(text=st.text(alphabet="this.rgba+-*/()<>=,0159 andornotifelse_[]{}'\"\\:@~^|&%!", max_size=60))
def test_any_text_is_computed_or_refused(text: str) -> None:
    with suppress(BadInput):
        value(text)


def test_long_formulas_are_refused_before_anything_is_computed() -> None:
    for text in ("1" + "+1" * MOST_NODES, "-(" * 80 + "1" + ")" * 80):
        with pytest.raises(BadInput, match=r"too long|too deeply"):
            parse(text, set())


def test_large_pictures_go_through_in_bands_and_can_be_stopped() -> None:
    formula = parse("this * 2", {"this"})
    shape = (5, BAND // 2)
    picture = np.ones((*shape, 4), np.float32)
    firsts = [first for first, _ in formula.bands({"this": picture}, shape)]
    assert firsts == [0, 2, 4] and (formula.picture({"this": picture}, shape) == 2).all()
    asked = iter((False, True))
    with pytest.raises(Cancelled):
        list(formula.bands({"this": picture}, shape, lambda: next(asked)))


def test_names_mean_what_the_format_stores(known: inspector.Capture) -> None:
    def grey(text: str, where: int) -> np.ndarray:
        return known.ask(Custom(text, Look(last(known), where))).rgba[..., 0]

    assert np.allclose(grey("depth ** 2", DEPTH)[0, [0, 63]], [DRAWN_DEPTH**2, 1])
    assert grey("index / 16", INDEXED).tolist() == [[0, 1 / 16], [1, 255 / 16]]
    assert np.allclose(grey("v", BUMP), [[-1, 64 / 127]])
    assert np.allclose(grey("x / width + y", RAMP)[:, 128], [0.5, 1.5])
    with pytest.raises(BadInput, match="A8R8G8B8 has no depth; it has r, g, b, a"):
        grey("depth", RAMP)


def test_before_and_other_are_other_pictures(known: inspector.Capture) -> None:
    look = Look(last(known))
    changed = known.ask(Custom("abs(this - before)", look)).rgba
    assert (changed[:, :32, 0] == 1).all() and (changed[:, 32:, :3] == 0).all()
    other = known.ask(Custom("other.r", look, Look(last(known), DEPTH))).rgba
    assert np.allclose(other[0, [0, 63], 0], [DRAWN_DEPTH, 1])
    with pytest.raises(BadInput, match="no other surface"):
        known.ask(Custom("other", look))
    with pytest.raises(BadInput, match="the other surface is 256 x 2, this one 64 x 64"):
        known.ask(Custom("other", look, Look(last(known), RAMP)))
    first = known.ask(Custom("this - before", Look(0, TARGET)))
    assert (first.rgba[..., :3] == 0).all()


def test_components_become_colours(known: inspector.Capture) -> None:
    look = Look(last(known))
    for text, wanted in (("0.5", [0.5, 0.5, 0.5, 1]), ("(0.1, 0.2)", [0.1, 0.2, 0, 1]), ("(0.1, 0.2, 0.3)", [0.1, 0.2, 0.3, 1]),
                         ("(0.1, 0.2, 0.3, 0.4)", [0.1, 0.2, 0.3, 0.4])):  # fmt: skip
        assert np.allclose(known.ask(Custom(text, look)).rgba[7, 9], wanted)


def test_examples_and_functions_are_listed_and_work(known: inspector.Capture) -> None:
    for text in EXAMPLES:
        parse(text, set(NAMES))
    for name, (count, _, _) in FUNCTIONS.items():
        made = value(f"{name}({', '.join(['a'] * abs(count))})")
        assert all(math.isfinite(number) or name in ("log", "smoothstep") for row in made for number in row), name


# ---- finding -----------------------------------------------------------------------------------------------------------


def find(capture: inspector.Capture, text: str, where: int = RAMP, **more: Any) -> tuple[Any, int, int]:
    found = capture.ask(FindTexel(text, Look(last(capture), where), **more))
    return found.place, found.number, found.count


def test_the_next_texel_is_found_row_by_row_and_round(known: inspector.Capture) -> None:
    """Of the ramp's first row texel x has red x and alpha 255; of its second, alpha x and no red."""
    assert find(known, "200", INDEXED) == (None, 0, 0)
    assert find(known, "#c80000") == ((200, 0), 0, 1)
    assert find(known, "#00000080") == ((128, 1), 0, 1)
    assert find(known, "r == 0 and a < 0.01") == ((0, 1), 0, 3)
    assert find(known, "r == 0 and a < 0.01", start=(0, 1)) == ((1, 1), 1, 3)
    assert find(known, "r == 0 and a < 0.01", start=(2, 1)) == ((0, 1), 0, 3)
    assert find(known, "r == 0 and a < 0.01", start=(0, 1), backwards=True) == ((2, 1), 2, 3)
    assert find(known, "r == 0 and a < 0.01", backwards=True) == ((2, 1), 2, 3)
    assert find(known, "16", INDEXED) == ((0, 1), 0, 1)
    assert find(known, "0.2..0.3", DEPTH) == ((0, 0), 0, 2048)
    assert find(known, "0.502")[2] == 2  # the nearest of 8 bits: 128
    assert find(known, "-1", BUMP) == ((0, 0), 0, 1)
    assert find(known, "128")[2] == 2 and find(known, "128..130")[2] == 6  # as stored, in red and in alpha
    assert find(known, "64", BUMP) == ((1, 0), 0, 1), "of -127 to 127"
    searched = known.ask(FindTexel("0.31", Look(last(known), DEPTH))).searched
    assert searched == f"depth {DRAWN_DEPTH:.4g} to 1, stencil 0 to 0"
    assert known.ask(FindTexel("300", Look(last(known), RAMP))).searched.endswith("a 0 to 255 as stored")
    assert find(known, "nan", DEPTH) == (None, 0, 0)
    assert find(known, "#0a1400", VOLUME) == ((1, 1), 0, 1)


def test_values_that_make_no_sense_are_refused(known: inspector.Capture) -> None:
    for text in ("", "#12", "0.5..", "red", "import os"):
        with pytest.raises(BadInput):
            find(known, text)
