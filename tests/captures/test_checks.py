"""Conformance: what real Windows drivers drew, pixel by pixel, and the documented value of every state-coverage cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.captures.checks import evaluate, kind
from tests.captures.oracle import conformance_checks, page_cells
from tests.conftest import CAPTURES

READERS = {"tests": conformance_checks, "pages": page_cells}
FILES = [f"{folder}/{path.stem}" for folder in READERS for path in sorted((CAPTURES / folder).glob("*.json"))]


@pytest.mark.parametrize("name", FILES)
def test_pixels_are_what_they_must_be(captures: Path, name: str) -> None:
    file = captures / f"{name}.json"
    results = evaluate(file.with_suffix(".trace"), READERS[name.split("/")[0]](file))
    failed = [f"({r.expectation.x},{r.expectation.y}) {r.rgba}: {r.expectation}" for r in results if kind(r) == "failed"]
    assert not failed, f"{len(failed)} of {len(results)}:\n" + "\n".join(failed[:20])
