"""What other implementations drew and answered for the captures in DDI_CAPTURES: expectations as values.

`tests/`: checks asserted on real Windows drivers.  `pages/`: cells with the documented formula's value.  `apps/`: pictures
that Wine + llvmpipe drew.  The captures' README.md says more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CHANNELS = "rgba"


@dataclass(frozen=True)
class Expectation:
    """One pixel of one surface after one API call, and what it must be.

    `rgba` is compared on `channels` within `tolerance` (8-bit steps); `doubtful` says why the documents leave it open.
    """

    capture: str
    name: str
    after_call: int
    source_surface: int
    x: int
    y: int
    rgba: tuple[int, int, int, int]
    channels: str
    tolerance: float
    doubtful: str = ""
    todo: bool = False
    format: str = ""

    def met_by(self, rgba: Any) -> bool:
        """Whether the pixel is what it must be."""
        return all(
            abs(int(rgba[i]) - self.rgba[i]) <= self.tolerance for i, name in enumerate(CHANNELS) if name in self.channels
        )


@dataclass(frozen=True)
class Picture:
    """A whole render target as another implementation drew it; before or after an API call."""

    capture: str
    path: Path
    source_call: int  # the last API call it shows the effect of
    title: str


def unpack(argb: int) -> tuple[int, int, int, int]:
    return argb >> 16 & 255, argb >> 8 & 255, argb & 255, argb >> 24 & 255


def conformance_checks(file: Path) -> list[Expectation]:
    """The pixel checks of one file of tests/."""
    page = json.loads(file.read_text())
    return [check_of(file.stem, page["readbacks"][c["readback"]], c) for c in page["checks"] if "x" in c]


def check_of(capture: str, readback: dict[str, Any], check: dict[str, Any]) -> Expectation:
    expected = int(check["expected"], 16)
    return Expectation(
        capture, f"line {check['line']}: {check['msg']}", readback["after_call"], int(readback["source_surface"], 16),
        check["x"], check["y"], unpack(expected), "rgb", check["tolerance"], todo=check["todo"], format=readback["format"],
    )  # fmt: skip


def page_cells(file: Path) -> list[Expectation]:
    """The cells of one file of pages/ that have a documented value."""
    page = json.loads(file.read_text())
    return [
        cell_of(file.stem, readback, cell)
        for readback in page["readbacks"]
        for cell in readback["cells"]
        if "analytic" in cell
    ]  # fmt: skip


def cell_of(capture: str, readback: dict[str, Any], cell: dict[str, Any]) -> Expectation:
    told = cell["analytic"]
    return Expectation(
        capture, cell["label"], readback["after_call"], int(readback["source_surface"], 16), cell["x"], cell["y"],
        tuple(told["rgba"]), told["channels"], told["tol"] + 0.5, str(cell.get("doubtful") or ""),
        format=readback["format"],
    )  # fmt: skip


def pictures(file: Path) -> Iterator[Picture]:
    """The screenshots and mid-frame pictures of one file of apps/."""
    app = json.loads(file.read_text())
    for shot in app.get("screenshots", []):
        yield Picture(file.stem, file.parent / shot["png"], shot["present_call"] - 1, f"frame {shot['frame']}")
    for image in app.get("mid_frame", {}).get("images", []):
        yield Picture(file.stem, file.parent / image["png"], image["after_call"], f"draw {image['draw_index']}")
