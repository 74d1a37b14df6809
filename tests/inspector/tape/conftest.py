"""A capture to read."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.tape import TapeWriter
from tests.inspector.tape.calls import some_calls


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A closed capture of 10,000 calls: several batches."""
    path = tmp_path / "a.ddicap"
    with TapeWriter(path, {"adapters": ["paper"]}) as writer:
        for call in some_calls(10_000):
            writer.append(call)
    return path
