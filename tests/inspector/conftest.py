"""The built-in capture, opened once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import inspector
from core import cancel

ROOM = Path(__file__).resolve().parents[2] / "resources" / "room.ddicap"


@pytest.fixture(autouse=True)
def every_look_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether work goes on, however soon after the last time: how often is not a matter of the machine's speed."""
    monkeypatch.setattr(cancel, "SELDOM", 0.0)


@pytest.fixture(scope="session")
def room() -> Iterator[inspector.Capture]:
    with inspector.open(ROOM) as capture:
        yield capture
