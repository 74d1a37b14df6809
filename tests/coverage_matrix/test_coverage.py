"""docs/coverage.md is what the tests are; nothing of the specifications is without a test or a reason."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.coverage_matrix import evidence, extract, matrix, page
from tests.coverage_matrix.reasons import NAMES, SENTENCES

SPECIFICATIONS = Path(os.environ.get("DDI_SPECIFICATIONS", ROOT.parent / "shared" / "seeds"))


def test_nothing_is_without_a_test_or_a_reason() -> None:
    assert matrix.gaps() == []


def lasting(text: str) -> list[str]:
    """The page without what another test may change at any time: counts, and tests that were found by their text."""
    body = text[text.index("## Tokens") :]
    return [re.sub(r"`[\w/]+\.py(::\w+)?`", "", line) for line in body.splitlines()]


def test_the_page_is_the_present_one() -> None:
    committed = page.PAGE.read_text(encoding="utf-8")
    assert lasting(committed) == lasting(page.text()), "python -m tests.coverage_matrix writes it anew"


def test_tests_on_the_page_are_there() -> None:
    committed = page.PAGE.read_text(encoding="utf-8")
    named = {f"tests/{path}::{name}" for path, name in re.findall(r"`([\w/]+\.py)::(\w+)`", committed)}
    assert len(named) > 10
    assert [test for test in sorted(named) if not matrix.exists(test)] == []


def test_reasons_are_needed() -> None:
    """A reason for something that has a test, or that no specification names, is left over."""
    rows = {row.name: row for group in matrix.named().values() for row in group}
    assert [name for name in NAMES if name not in rows or rows[name].reason != NAMES[name]] == []
    used = {cover.removeprefix("reason ") for cover in matrix.declared().values()}
    assert set(SENTENCES) <= used


def test_sentences_are_those_of_the_specifications() -> None:
    known = {sentence.digest for sentence in matrix.sentences()}
    assert set(matrix.declared()) == known
    assert len(known) > 300


def test_a_gap_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that no test mentions any more, a scene that is gone, a sentence nobody assigned."""
    found = {name: tests for name, tests in evidence.gather().items() if name != "D3DHALDP2_EXECUTEBUFFER"}
    monkeypatch.setattr(matrix, "gather", lambda: found)
    changed = dict(matrix.declared())
    first, second, *_ = changed
    changed[first], changed[second] = "scene tokens/NOTHING", ""
    monkeypatch.setattr(matrix, "declared", lambda: changed)
    missing = matrix.gaps()
    assert missing[0] == "D3DHALDP2_EXECUTEBUFFER" and len(missing) == 3


@pytest.mark.parametrize(
    ("test", "there"),
    [
        ("tests/scenes/test_scenes.py::test_scene[tokens/CLEAR]", True),
        ("tests/scenes/test_scenes.py::test_scene[tokens/NOTHING]", False),
        ("tests/core/ddi/driver/test_dxgi.py::test_nothing", False),
        ("tests/core/ddi/nothing.py::test_nothing", False),
        ("", False),
    ],
)
def test_tests_are_looked_up(test: str, there: bool) -> None:
    assert matrix.exists(test) == there


def test_the_index_is_that_of_the_specifications() -> None:
    if not SPECIFICATIONS.is_dir():
        pytest.skip(f"the text of the specifications is not in {SPECIFICATIONS} (environment variable DDI_SPECIFICATIONS)")
    assert json.loads(extract.INDEX.read_text(encoding="utf-8")) == json.loads(json.dumps(extract.read(SPECIFICATIONS)))
