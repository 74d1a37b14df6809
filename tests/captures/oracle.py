"""What other implementations drew and answered for the captures in DDI_CAPTURES: expectations as values.

`tests/`, `d3d7/tests/`, `d3d7/d3d8_32/`: checks asserted on real Windows drivers.  `pages/`: cells with the value of the
documented formula.  `apps/`, `d3d7/apps/`: pictures that Wine + llvmpipe drew.  README.md of the captures says more.
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

    `rgba` is compared on `channels` within `tolerance` (8-bit steps), or, with a `mask`, as the dword that Lock shows;
    `also`: what is as right; `doubtful` says why the documents, or the trace, leave it open.
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
    mask: int = 0
    also: tuple[tuple[int, ...], ...] = ()

    def met_by(self, rgba: Any) -> bool:
        """Whether the pixel is what it must be."""
        return any(self._is(wanted, rgba) for wanted in (self.rgba, *self.also))

    def _is(self, wanted: tuple[int, ...], rgba: Any) -> bool:
        if self.mask:
            return (pack(wanted) ^ pack(rgba)) & self.mask == 0
        return all(abs(int(rgba[i]) - wanted[i]) <= self.tolerance for i, name in enumerate(CHANNELS) if name in self.channels)


@dataclass(frozen=True)
class Picture:
    """A whole surface as another implementation drew it, before or after an API call: the render target, or what the
    address `surface` names then."""

    capture: str
    path: Path
    source_call: int  # the last API call it shows the effect of
    title: str
    surface: int = 0


def pack(rgba: tuple[int, ...]) -> int:
    red, green, blue, alpha = rgba
    return alpha << 24 | red << 16 | green << 8 | blue


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


OFF = "the recorder leaves out dwFlags of D3DLIGHT2, which turn the light off"
OPEN = {("ddraw2__test_lighting", 4): OFF, ("ddraw4__test_lighting", 4): OFF}
"""Checks of ddraw.dll, by number, that cannot be met, and why (docs/decisions.md)."""


def older_checks(file: Path) -> list[Expectation]:
    """The checks of one file of d3d7/tests.  What Windows does is right, whether Wine does it or not."""
    page = json.loads(file.read_text())
    return [older_check(file.stem, page["readbacks"][check["readback"]], check) for check in page["checks"]]


def older_check(capture: str, readback: dict[str, Any], check: dict[str, Any]) -> Expectation:
    wanted = [unpack(int(check[name], 16)) for name in ("expected", "broken") if isinstance(check.get(name), str)]
    mask = int(check["mask"], 16) if check["kind"] == "value" else 0
    return Expectation(
        capture, f"line {check['line']}", readback["after_call"], int(readback["source_surface"], 16), check["x"], check["y"],
        wanted[0], "rgb", check.get("tolerance") or 0, OPEN.get((capture, check["i"]), ""), mask=mask, also=tuple(wanted[1:]),
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
        title, shown = f"frame {shot['frame']}", int(shot.get("surface", "0"), 16)
        yield Picture(file.stem, file.parent / shot["png"], shot["present_call"] - 1, title, shown)
    for image in app.get("mid_frame", {}).get("images", []):
        title, shown = f"draw {image['draw_index']}", int(image.get("surface", "0"), 16)
        yield Picture(file.stem, file.parent / image["png"], image["after_call"], title, shown)
