"""Every capture there is opens, draws its last frame, and needs nothing that is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

import inspector
from tests.conftest import CAPTURES

TRACES = sorted(
    f"{folder}/{path.stem}" for folder in ("apps", "tests", "pages") for path in (CAPTURES / folder).glob("*.trace")
)


@pytest.mark.parametrize("name", TRACES)
def test_opens_and_draws(captures: Path, name: str) -> None:
    with inspector.open(captures / f"{name}.trace") as capture:
        assert capture.frames and len(capture.events) > 100
        last = capture.frames[-1].last_event
        assert capture.image(last, "back_buffer").any()
        with capture.replay.at(last) as driver:
            missing = [f.text for f in driver.findings if f.rule.startswith("unimplemented")]
    assert missing == []
