"""The surface that pixels went to last, in programs without a render target (those of DirectDraw or DXGI alone)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.driver.dxgi_resources import view_handle
from core.device.past.moment import Moment

if TYPE_CHECKING:
    from inspector.capture import Capture

WRITERS = {"Blt": "destination", "Unlock": "handle"}
"""Driver call -> its argument that names the surface whose pixels it writes."""
OF_DXGI = {
    "DxgiCreateResource": ("handle", ""), "DxgiBlt": ("destination", "destination_subresource"),
    "DxgiPresent": ("surface", "subresource"),
}  # fmt: skip
"""The same of DXGI, with its argument for the part of the resource; of a Present, what is shown."""


def copied_to(capture: Capture, event: int) -> int:
    """The handle of the surface that was last copied to, filled, or written to by hand in the event's frame, up to the event.

    0: none was; or the frame ends with a Flip, and is whole: its picture is in the back buffer, whatever was copied last.
    """
    frame = capture.frame_at(event)
    if capture.picture_event(frame) <= event <= frame.last_event and capture.name(frame.last_event) == "Flip":
        return 0
    first = frame.first_event if event <= frame.last_event else frame.last_event + 1  # what comes after the last frame
    rows, index = capture.events.rows[first : event + 1], capture.tape.call_index()
    written = [number for number, name in index.names.items() if name in WRITERS or name in OF_DXGI]
    there = (rows["op"] == 0) & np.isin(np.asarray(index.entry)[rows["call"]], written)
    for place in reversed(np.flatnonzero(there).tolist()):
        if capture.events.is_done(first + place) and not capture.skipped[first + place]:
            call = capture.calls[int(rows["call"][place])]
            return _written(call)
    return 0


def _written(call: DdiCall) -> int:
    """The surface that a call writes; of DXGI, the one that shows the resource."""
    if call.entry in WRITERS:
        return int(call.args.get(WRITERS[call.entry]) or 0)
    resource, part = (int(call.args.get(name) or 0) for name in OF_DXGI[call.entry])
    return view_handle(resource, part)


def followed(capture: Capture, event: int, moment: Moment) -> Moment:
    """The moment after an event, at which what was copied to stands in for a render target."""
    moment.stand_in = partial(copied_to, capture, event)
    return moment
