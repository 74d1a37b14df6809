"""Device state, field by field, against what an independent implementation answered after the same calls."""

from __future__ import annotations

from pathlib import Path

import pytest

import inspector
from tests.captures.states import differences, expected, snapshots
from tests.conftest import CAPTURES

NAMES = sorted(path.name.removesuffix(".json.gz") for path in (CAPTURES / "state").glob("*.json.gz"))


@pytest.mark.parametrize("name", NAMES)
def test_state_agrees(captures: Path, name: str) -> None:
    trace = next(t for part in ("apps", "tests") if (t := captures / part / f"{name}.trace").exists())
    told = snapshots(captures / "state" / f"{name}.json.gz")
    assert sum(len(list(expected(snapshot))) for snapshot in told) > 200
    capture = inspector.open(trace)
    assert [line for snapshot in told for line in differences(capture, snapshot)] == []
