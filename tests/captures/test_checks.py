"""Conformance: what real Windows drivers drew, pixel by pixel, and the documented value of every state-coverage cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.captures.checks import READERS, evaluate, kind
from tests.captures.oracle import OPEN
from tests.conftest import CAPTURES

FILES = [f"{folder}/{path.stem}" for folder in READERS for path in sorted((CAPTURES / folder).glob("*.json"))]


@pytest.mark.parametrize("name", FILES)
def test_pixels_are_what_they_must_be(captures: Path, name: str) -> None:
    file = captures / f"{name}.json"
    results = evaluate(file.with_suffix(".trace"), READERS[name.rpartition("/")[0]](file))
    failed = [f"({r.expectation.x},{r.expectation.y}) {r.rgba}: {r.expectation}" for r in results if kind(r) == "failed"]
    assert not failed, f"{len(failed)} of {len(results)}:\n" + "\n".join(failed[:20])


def test_what_cannot_be_met_is_not_met(captures: Path) -> None:
    for name in {name for name, _ in OPEN}:
        file = captures / "d3d7" / "tests" / f"{name}.json"
        results = evaluate(file.with_suffix(".trace"), READERS["d3d7/tests"](file))
        assert [kind(r) for r in results].count("open") == sum(one == name for one, _ in OPEN)
