"""What surfaces look like at the ends of frames: seen once, they are shown again without executing anything.

Dragging along the timeline goes from the end of one frame to that of another.  Kept are the stored bytes, on disk; a picture
is made of them as it was the first time, by the same function.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.device.past.moment import Moment
from core.device.past.reading import find, rgba
from core.device.past.rewind import Rewind
from core.device.past.tap import Tap
from core.folders import root_folder
from core.spec.formats import Format
from core.spec.subresource import Subresource, Where
from inspector.focus import RENDER_TARGET
from inspector.progress import Cancel
from inspector.query.events.copied import followed
from inspector.query.objects.surfaces import Births, SurfaceInfo, listed
from inspector.shelf import Shelf

if TYPE_CHECKING:
    from inspector.capture import Capture

MOST_ENDS = 4096
MOST_AHEAD = 1000
"""Captures of more frames are not gone through ahead."""
ROLES = (RENDER_TARGET, "depth", "back_buffer")
Look = tuple[np.ndarray, np.ndarray, Format]
"""As of Capture.look."""
Resolved = tuple[int, int] | None
"""As of Capture.resolve."""


class _Stored(NamedTuple):
    name: bytes  # on the shelf
    format: Format
    shape: tuple[int, ...]  # of the rows
    width: int
    height: int


@dataclass(slots=True)
class _End:
    surfaces: tuple[SurfaceInfo, ...] | None = None
    resolved: dict[Subresource, Resolved] = field(default_factory=dict)
    looks: dict[Subresource, _Stored] = field(default_factory=dict)


class Ends:
    """Of one capture.  Nothing is kept of events within frames, or once the device lacked memory.  Usable from any thread."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture
        self.shelf = Shelf(root_folder, capture.budgets.disk)
        self._ends: OrderedDict[int, _End] = OrderedDict()
        self._surfaces: tuple[SurfaceInfo, ...] = ()  # seen last
        self._tried: set[int] = set()  # in advance

    def _end(self, event: int) -> _End | None:
        """What is known of the end of a frame; None: the event is none."""
        if (end := self._ends.get(event)) is not None:
            return end
        capture = self._capture
        if not capture.budgets.disk or not 0 <= event < len(capture.events) or not capture.all_frames:
            return None
        frame = capture.frame_at(event)
        if event not in (frame.last_event, capture.picture_event(frame)):
            return None
        while len(self._ends) >= MOST_ENDS:
            self._ends.popitem(last=False)
        return self._ends.setdefault(event, _End())

    # ---- what Capture answers
    def look(self, event: int, where: Where) -> Look | None:
        """None: to be looked at."""
        end = self._end(event)
        stored = end.looks.get(Subresource.of(where)) if end is not None else None
        rows = self.shelf.get(stored.name) if stored is not None else None
        if rows is None or stored is None:
            return None
        rows = rows.reshape(stored.shape)
        return rgba(stored.format, rows, stored.width, stored.height), rows, stored.format

    def keep(self, event: int, where: Where, look: Look) -> Look:
        """What was looked at, after all of the event."""
        picture, rows, format = look
        end = self._end(event)
        if end is not None and format.family != "palette" and not self._capture.shortages and (name := self.shelf.put(rows)):
            height, width = picture.shape[:2]
            end.looks[Subresource.of(where)] = _Stored(name, format, rows.shape, width, height)
        return look

    def resolve(self, event: int, where: Where, moment: Callable[[], Moment]) -> Resolved:
        """`moment`: asked if it has to be looked up."""
        end, named = self._end(event), Subresource.of(where)
        if end is not None and named in end.resolved:
            return end.resolved[named]
        part = find(moment(), where)
        found = (part.surface.handle, part.handle) if part is not None else None
        if end is not None and not self._capture.shortages:
            end.resolved[named] = found
        return found

    def surfaces(self, event: int, moment: Callable[[], Moment]) -> list[SurfaceInfo]:
        """`moment`: asked if they have to be listed."""
        end = self._end(event)
        if end is not None and end.surfaces is not None:
            return list(end.surfaces)
        found = listed(moment(), self._births, event)
        if end is not None and not self._capture.shortages:
            end.surfaces = self._surfaces = self._surfaces if self._surfaces == tuple(found) else tuple(found)
        return found

    @cached_property
    def _births(self) -> Births:
        return Births(self._capture.calls.streams(), self._capture.events)

    # ---- in advance
    def prepare(self, cancel: Cancel | None) -> float:
        """Looks at the render target of one more frame's end, if all of them have room; how much of that is done, 1.0: all.

        Raises Cancelled.
        """
        capture, room = self._capture, self.shelf.room
        if not capture.complete or not room or len(capture.frames) > MOST_AHEAD:
            return 1.0
        events = [capture.picture_event(frame) for frame in capture.frames]
        missing = [event for event in events if event not in self._tried]
        if not missing or self.shelf.size * len(events) > room * (len(events) - len(missing)):
            return 1.0
        self._look_at(missing[0], cancel)
        self._tried.add(missing[0])
        return 1 - (len(missing) - 1) / len(events)

    def _look_at(self, event: int, cancel: Cancel | None) -> None:
        """What the window shows of it while it is passed; the device goes there, and leaves no log."""
        capture = self._capture
        if self.look(event, RENDER_TARGET) is not None:
            return
        with capture.replay.at(event, cancel) as driver:
            moment = followed(capture, event, Moment(Rewind(driver.device, Tap(log=True)), event))
            self.surfaces(event, lambda: moment)
            for role in ROLES:
                self.resolve(event, role, lambda: moment)
            if capture.render_target(event) is not None:
                with suppress(LookupError):
                    self.keep(event, RENDER_TARGET, moment.both(RENDER_TARGET))
