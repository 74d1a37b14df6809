"""Presentations of every kind over time: submitted, waiting, refused, shown.

Flips, presentation blts, plain blts of runtimes that must not flag them (DirectX 7 drivers), and Present of DXGI.  The queue
is that of flips and flagged blts: other kinds wait for nothing, and have no times.

Times are microseconds of the driver's clock (core.ddi.driver.clock).  A capture that was recorded under the modelled clock has
them;
for others the model is asked: the calls go through a driver that draws nothing, and a refused presentation is tried again when
the queue has drained, as the runtime does (DX8 DDI, "Presentation").
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.errors import BadInput, Cancelled
from core.spec.enums import DdBlt, DxgiPresentFlag, HResult
from core.spec.profiles import PROFILES
from inspector.progress import Cancel
from inspector.timeline.frames import LAST_PRESENTATION

if TYPE_CHECKING:
    from inspector.capture import Capture

STILL_DRAWING = int(HResult.DDERR_WASSTILLDRAWING)
MOST_TRIES = 1000
TRY_AGAIN = 1000  # microseconds between tries
PRESENTATION = np.dtype(
    [("call", "i8"), ("event", "i8"), ("frame", "i4"), ("source", "u4"), ("flip", "?"), ("by", "U12"), ("refused", "i4"),
     ("waiting", "i4"), ("submitted", "i8"), ("shown", "i8")]
)  # fmt: skip
FLIP, BLT, PLAIN, DXGI_FLIP, DXGI_BLT, DXGI_NOTHING = "Flip", "Blt", "plain Blt", "DXGI flip", "DXGI blt", "DXGI Present"
QUEUED = (FLIP, BLT)


@dataclass(frozen=True)
class Queue:
    """One row a Present (its last Blt, its Flip, or its Present of DXGI; `by` says which): PRESENTATION.

    `refused`: how often it was answered DDERR_WASSTILLDRAWING before; `waiting`: frames of its source that were queued when it
    was taken; `submitted` and `shown` in microseconds (0 under the instant clock).  `recorded`: the times are the capture's.
    """

    rows: np.ndarray
    recorded: bool
    clock: str

    def of(self, source: int) -> np.ndarray:
        """The rows of one source surface: each window has a queue of its own."""
        return self.rows[self.rows["source"] == source]

    def depth(self, source: int) -> tuple[np.ndarray, np.ndarray]:
        """(times int64, frames waiting from then on int64) of one source: the queue over time."""
        rows = self.of(source)
        rows = rows[np.isin(rows["by"], QUEUED)]
        times = np.concatenate([rows["submitted"], rows["shown"]])
        steps = np.concatenate([np.ones(len(rows), np.int64), -np.ones(len(rows), np.int64)])
        order = np.lexsort((steps, times))  # a frame that is shown makes room first
        return times[order], np.cumsum(steps[order])


@dataclass(frozen=True)
class Presentation:
    """The queue over the whole capture; `clock`: "recorded" takes the capture's times if it has any, else the model's,
    "modelled" the model's always; `profile`: whose driver the model asks."""

    clock: str = "recorded"
    profile: str = "full"

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Queue:
        """Raises Cancelled, and BadInput for a clock or profile that is none."""
        if self.clock not in ("recorded", "modelled") or self.profile not in PROFILES:
            raise BadInput(f"there is no clock {self.clock!r} or no profile {self.profile!r}")
        if self.clock == "recorded":
            rows = _recorded(capture, cancel)
            if rows is not None:
                return Queue(rows, True, "recorded")
        return Queue(_modelled(capture, self.profile, cancel), False, "modelled")


def _kind(call: DdiCall) -> str:
    """How a call presents; empty if it does not."""
    flags = call.args.get("flags", 0)
    flags = flags if isinstance(flags, int) else 0
    if call.entry == "DxgiPresent":
        return DXGI_FLIP if flags & DxgiPresentFlag.FLIP else DXGI_BLT if flags & DxgiPresentFlag.BLT else DXGI_NOTHING
    if call.entry == "Blt":
        return BLT if flags & DdBlt.PRESENTATION else PLAIN if call.args.get("presentation") else ""
    return FLIP if call.entry == "Flip" else ""


def _ends_present(call: DdiCall) -> bool:
    if _kind(call) == PLAIN:
        return call.args.get("presentation") == LAST_PRESENTATION
    return call.entry != "Blt" or bool(call.args["flags"] & DdBlt.LAST_PRESENTATION)


def _source(call: DdiCall) -> int:
    if call.entry == "Blt":
        return int(call.args.get("source") or 0)
    handles = call.args.get("surface", call.args.get("surfaces", 0))
    chain = handles if isinstance(handles, (list, tuple)) else [handles]
    return int(chain[1] if len(chain) > 1 else chain[0])


def _row(capture: Capture, number: int, call: DdiCall, refused: int) -> tuple:
    event, out = capture.events.of_call(number).start, call.out
    return (
        number, event, capture.frame_of(event), _source(call), _kind(call) in (FLIP, DXGI_FLIP), _kind(call), refused,
        out.get("queued", 0), out.get("submitted", 0), out.get("retires", 0),
    )  # fmt: skip


def _recorded(capture: Capture, cancel: Cancel | None) -> np.ndarray | None:
    """Rows from the results on the tape; None if they carry no times."""
    rows: list[tuple] = []
    refused: dict[int, int] = {}
    timed = False
    for number, call in enumerate(capture.calls):
        _look(number, cancel)
        if not _kind(call):
            continue
        source = _source(call)
        timed |= "submitted" in call.out
        if call.result == STILL_DRAWING:
            refused[source] = refused.get(source, 0) + 1
        elif _ends_present(call):
            rows.append(_row(capture, number, call, refused.pop(source, 0)))
    return np.array(rows, PRESENTATION) if timed else None


def _modelled(capture: Capture, profile: str, cancel: Cancel | None) -> np.ndarray:
    """Rows as a driver that lets time pass would answer; surfaces and formats are what the capture has."""
    asked = replace(PROFILES["full"], conservative=PROFILES[profile].conservative)
    driver = EmulatedDriver(asked, draws=False, clock="modelled")
    rows: list[tuple] = []
    refused: dict[int, int] = {}
    for number, call in enumerate(capture.calls):
        _look(number, cancel)
        driver.call(call)
        if not _kind(call):
            continue
        source, tries = _source(call), refused.pop(_source(call), 0)
        while call.result == STILL_DRAWING and tries < MOST_TRIES:
            tries += 1
            driver.clock.advance(TRY_AGAIN)
            driver.call(call)
        if _ends_present(call):
            rows.append(_row(capture, number, call, tries))
        else:
            refused[source] = tries
    return np.array(rows, PRESENTATION)


def _look(number: int, cancel: Cancel | None) -> None:
    if cancel and number % 256 == 0 and cancel():
        raise Cancelled("question cancelled")
