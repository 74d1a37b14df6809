"""The user's position, shared by all panels: one value, one signal, one history."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext

from PySide6.QtCore import QObject, Signal

from inspector.focus import Focus

log = logging.getLogger(__name__)
HISTORY_LENGTH = 500
DRAG = "scrub"
"""What moves of the playhead merge with while it is dragged."""
SUBRESOURCE = ("surface", "level", "face", "slice", "sample")


class FocusModel(QObject):
    """Holds the one Focus.  `go` moves it; `changed(new, old)` is emitted only when it really moved, so nothing can loop."""

    changed = Signal(object, object)
    history_changed = Signal()

    def __init__(
        self, parent: QObject | None = None, gathering: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        """gathering: within it, all hear of a move."""
        super().__init__(parent)
        self._gathering = gathering
        self._focus = Focus()
        self._history = [self._focus]
        self._place = 0
        self._merge: str | None = None
        self.changed.connect(lambda new, old: log.debug("focus %s", new.text()))
        self._event_count: Callable[[], int] = lambda: 0
        self.pointed = ""
        """What was pointed at last, a "pixel" or a "vertex"; "": neither."""
        self.travelled = False
        """Whether the last move went back or forward in the history."""
        self.sizes: Mapping[int | str, tuple[int, int]] = {}
        """Width and height of surfaces, by handle or role, as far as they are known."""

    @property
    def focus(self) -> Focus:
        return self._focus

    @property
    def is_dragged(self) -> bool:
        """Whether the last move was one of the playhead's, dragged along the timeline: the next one follows at once."""
        return self._merge == DRAG

    def reset(self, event_count: Callable[[], int] = lambda: 0, focus: Focus | None = None) -> None:
        """Starts a new history; `event_count` bounds the event from now on."""
        self._event_count = event_count
        old, self._focus = self._focus, self._normalised(focus or Focus())
        self._history, self._place, self._merge, self.sizes = [self._focus], 0, None, {}
        self.travelled = False
        self.pointed = ""
        self._point(old)
        with self._gathering():
            self.changed.emit(self._focus, old)
        self.history_changed.emit()

    def go(self, merge: str | None = None, **changes: object) -> bool:
        """Moves to the same place but for `changes`; says whether that was a move.

        Moves in a row with the same `merge` word (a drag, a held key) are one step of the history.
        """
        return self.go_to(self.after(**changes), merge)

    def go_to(self, focus: Focus, merge: str | None = None) -> bool:
        new = self._normalised(focus)
        if new == self._focus:
            return False
        self._remember(new, merge)
        self._move(new)
        return True

    def back(self) -> None:
        self._travel(-1)

    def forward(self) -> None:
        self._travel(+1)

    @property
    def can_go_back(self) -> bool:
        return self._place > 0

    @property
    def can_go_forward(self) -> bool:
        return self._place + 1 < len(self._history)

    def after(self, **changes: object) -> Focus:
        """Where `go` would lead.  Another surface or subresource drops what pointed into the old one (the pixel stays if both
        are as large); another event drops vertex and step, another pixel or vertex the step."""
        dropped: dict[str, object] = {}
        if changes.get("surface", self._focus.surface) != self._focus.surface:
            dropped = {"level": 0, "face": 0, "slice": 0, "sample": None}
            if not self._same_size(changes["surface"]):
                dropped["pixel"] = None
        elif any(name in changes and changes[name] != getattr(self._focus, name) for name in SUBRESOURCE[1:4]):
            dropped = {"pixel": None}
        if changes.get("event", self._focus.event) != self._focus.event:
            dropped |= {"primitive": None, "vertex": None, "step": None}
        if any(name in changes and changes[name] != getattr(self._focus, name) for name in ("pixel", "vertex")):
            dropped |= {"step": None}
        return self._focus.replace(**(dropped | changes))

    def _same_size(self, surface: object) -> bool:
        """Whether a pixel of the present surface also exists on another surface."""
        here, there = self.sizes.get(self._focus.surface), self.sizes.get(surface)  # type: ignore[call-overload]
        return here is not None and here == there and not self._focus.level

    def _normalised(self, focus: Focus) -> Focus:
        last = max(self._event_count() - 1, 0)
        return focus.replace(event=min(max(focus.event, 0), last))

    def _remember(self, new: Focus, merge: str | None) -> None:
        self.travelled = False
        del self._history[self._place + 1 :]
        if merge is not None and merge == self._merge:
            self._history[self._place] = new
        else:
            self._history.append(new)
            del self._history[: max(len(self._history) - HISTORY_LENGTH, 0)]
        self._place = len(self._history) - 1
        self._merge = merge

    def _travel(self, steps: int) -> None:
        place = self._place + steps
        if 0 <= place < len(self._history):
            self._place, self._merge, self.travelled = place, None, True
            self._move(self._history[place])

    def _move(self, new: Focus) -> None:
        old, self._focus = self._focus, new
        self._point(old)
        with nullcontext() if self.is_dragged else self._gathering():
            self.changed.emit(new, old)
        self.history_changed.emit()

    def _point(self, old: Focus) -> None:
        """What is pointed at now, a pixel before a vertex, unless it is what was before."""
        for name in ("pixel", "vertex"):
            if getattr(self._focus, name) not in (None, getattr(old, name)):
                self.pointed = name
                return
        left = self._focus.vertex is None and old.vertex is not None and self._focus.event == old.event
        if left and self._focus.pixel is not None:
            self.pointed = "pixel"
