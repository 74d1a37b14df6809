"""A range of frames as a separate capture: it holds everything they need at their beginning, and they draw the same.

What came before is kept as far as it makes things: objects, shaders, palettes, state.  Nothing is drawn or copied there; the
contents that surfaces and buffers had when the stretch begins are uploaded instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.errors import BadInput, Cancelled, out_of_range
from core.spec.calls import kind_of_call
from core.spec.effects import ACTIONS
from core.spec.tokens import ops_that
from inspector.exports.edited import records
from inspector.progress import Progress
from inspector.tape import Tape, TapeWriter
from inspector.timeline.events import Events
from inspector.timeline.lives import MEMORY

if TYPE_CHECKING:
    from inspector.capture import Capture

CALLS_A_PROGRESS = 64
UPLOADS = ("Lock", "Unlock", "LockD3DBuffer", "UnlockD3DBuffer")
DROPPED = ops_that(lambda row: row.kind in ACTIONS and not row.name.endswith("PATCH"))
"""Tokens that only change pixels; a patch that is drawn once may be drawn again by its handle alone."""
DRAWS = ops_that(lambda row: bool(row.draws))


def export_trimmed(
    capture: Capture, path: Path, first: int, last: int, everything: bool = False, api_calls: bool = False,
    progress: Progress | None = None,
) -> None:  # fmt: skip
    """Writes frames first..last to `path`.

    `everything`: with the contents of all surfaces and buffers, not only of those that these frames use.  `api_calls`: with all
    API calls of the capture, which are most of a trace's size.

    Raises BadInput for frames that are not there; Cancelled.
    """
    for number in (first, last):
        if not 0 <= number < len(capture.all_frames):
            raise BadInput(f"{capture.title}: {out_of_range('frame', number, len(capture.all_frames))}")
    if last < first:
        raise BadInput(f"frame {last} is before frame {first}")
    begin, end = capture.all_frames[first].first_event, capture.all_frames[last].last_event
    calls = capture.events.rows["call"]
    used = None if everything else used_in(capture, begin, end)
    about = {"trimmed": {"source": capture.title, "first_frame": first, "last_frame": last}}
    with TapeWriter(path, about, durable=False) as writer:
        if api_calls and isinstance(capture.tape, Tape):
            writer.take_over(capture.tape)
        for number, call in enumerate(_made(capture, int(calls[begin]), int(calls[end]), used)):
            if progress and not number % CALLS_A_PROGRESS and progress(0.5, "writing calls") is False:
                raise Cancelled("trimming cancelled")
            writer.append(call if api_calls else _without_source(call))


def used_in(capture: Capture, first: int, last: int) -> set[int]:
    """Handles of the surfaces and buffers that events first..last do something with."""
    resources = capture.resources
    lives: set[int] = set()
    for rows in (resources.touches, resources.uses):
        low, high = np.searchsorted(rows["event"], [first, last + 1])
        lives |= set(np.unique(rows["life"][low:high]).tolist())
    bound = {handle for event in (first, last) for handle in capture.moment(event).targets}
    return bound | {life.handle for number in lives if (life := resources.life(number)).space == MEMORY}


def _without_source(call: DdiCall) -> DdiCall:
    data = {name: value for name, value in call.data.items() if name != "sources"}
    return DdiCall(call.entry, call.args, data, call.result, call.out)


def _made(capture: Capture, first: int, last: int, used: set[int] | None) -> Iterator[DdiCall]:
    """The calls of the trimmed capture; the stretch is calls first..last."""
    for number in range(first):
        call = capture.calls[number]
        if call.entry == "DrawPrimitives2":
            yield from states_of(call, capture.events, capture.events.of_call(number))
        elif call.entry not in UPLOADS and kind_of_call(call.entry, call.args) not in ACTIONS:
            yield call
    if first:
        with capture.replay.before(capture.events.of_call(first).start) as driver:
            uploads = list(uploads_of(driver, used))
        yield from uploads
    for number in range(first, last + 1):
        yield capture.calls[number]


def states_of(call: DdiCall, events: Events, span: range, wanted: np.ndarray | None = None) -> Iterator[DdiCall]:
    """The call with the tokens of `span` that do not draw; nothing, if nothing is left.  `wanted` bool[events]: only these."""
    ops = events.rows["op"][span.start : span.stop]
    number = int(events.rows["call"][span.start])
    failed = events.failed.get(number)
    kept = (ops > 0) & ~DROPPED[ops]
    if wanted is not None:
        kept &= wanted[span.start : span.stop]
    if failed is not None:
        kept &= np.arange(span.start, span.stop) < failed.first
    if not kept.any():
        return
    commands, sources = bytearray(), []
    edges = np.flatnonzero(np.diff(np.concatenate([[0], kept.astype(np.int8), [0]]))) + span.start
    for at, until in edges.reshape(-1, 2).tolist():
        for data, some in records(events, at, until, len(commands)):
            commands += data
            sources += events.rows["source"][some.start : some.stop].tolist()
    args = {**call.args, "command_offset": 0, "command_length": len(commands)}
    held: dict[str, Any] = {name: call.data[name] for name in call.data if name not in ("commands", "sources", "vertices")}
    if DRAWS[ops[kept]].any() and "vertices" in call.data:
        held["vertices"] = call.data["vertices"]
    held["commands"] = bytes(commands)
    if min(sources, default=-1) >= 0:
        held["sources"] = np.array(sources, np.uint32)
    yield DdiCall(call.entry, args, held, 0, {}, call.source)


def uploads_of(driver: EmulatedDriver, used: set[int] | None) -> Iterator[DdiCall]:
    """What surfaces and buffers hold, as uploads; what is all zeros is so without one.  `used`: only these handles."""
    driver.device.flush()
    for surface in driver.device.surfaces.values():
        for part in surface.parts:
            contents = part.linear()
            if (used is not None and surface.handle not in used) or not contents.any():
                continue
            yield DdiCall("Lock", {"handle": part.handle, "box": None, "flags": 0})
            args = {"handle": part.handle, "box": None, "pitch": part.pitch, "slice_pitch": part.slice_pitch}
            yield DdiCall("Unlock", args, {"contents": contents.copy()})
    for handle, buffer in driver.device.memory.buffers.items():
        if (used is None or handle in used) and buffer.contents.any():
            yield DdiCall("LockD3DBuffer", {"handle": handle, "offset": 0, "size": buffer.size, "flags": 0})
            data = {"contents": buffer.contents[: buffer.size].copy()}
            yield DdiCall("UnlockD3DBuffer", {"handle": handle, "offset": 0}, data)
