"""The built-in capture, opened once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import inspector

ROOM = Path(__file__).resolve().parents[2] / "resources" / "room.ddicap"


@pytest.fixture(scope="session")
def room() -> Iterator[inspector.Capture]:
    with inspector.open(ROOM) as capture:
        yield capture
