"""Real programs: every picture looks like the one another implementation drew.

Rasterisation by llvmpipe is a reference, not the law: edges, filters and rounding may differ a little.  The sheets that
`python -m tests.captures.comparison` writes into test-output are for looking at.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.captures.comparison import differences, write_sheet
from tests.conftest import CAPTURES

MEAN = 1.0  # of 255
FAR_OFF = 0.005  # share of pixels that look different
APPS = sorted(path.stem for path in (CAPTURES / "apps").glob("*.json") if path.with_suffix(".trace").exists())


@pytest.mark.parametrize("name", APPS)
def test_pictures_look_like_the_reference(captures: Path, name: str) -> None:
    rows = differences(captures / "apps" / f"{name}.json")
    if rows:
        write_sheet(captures / "apps" / f"{name}.json", rows)
    wrong = [
        f"{row.picture.title}: mean {row.mean:.3f}, far off {row.far_off:.2%}"
        for row in rows
        if row.mean > MEAN or row.far_off > FAR_OFF
    ]
    assert not wrong


def test_every_capture_is_there(captures: Path) -> None:
    assert len(APPS) >= 12
