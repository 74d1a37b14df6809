"""Requests missing values for visible rows of the event list: API calls, targets, textures, counted pixels, costs."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from typing import Any

from core.errors import BadInput
from inspector.query.events.columns import EventColumn
from inspector.view import CaptureView
from ui.models.event_columns import COLUMNS, SOURCE, TEXTURES
from ui.models.events import EventsModel
from ui.panels.panel import Desk
from ui.widgets.controls import single_shot

MOST = 200
"""Events of a column that are asked about at once."""
PAUSE = 30
"""Milliseconds after which what was scrolled past is no longer asked about."""


class EventValues:
    """Keeps a model supplied: the state first, what needs replaying afterwards, so that nothing waits for it.

    Rows are looked at again with each repaint.  What is asked about already is not asked again: that would begin it anew.
    """

    def __init__(self, model: EventsModel, desk: Desk) -> None:
        self._model, self._desk = model, desk
        self._asked: dict[int, frozenset[int]] = {}
        """By column, the events that were asked about last."""
        self._painting = -1
        """The event whose thumbnails are made."""
        self._later = single_shot(model, PAUSE, self._fetch)
        model.values_wanted.connect(lambda: self._later.isActive() or self._later.start())

    def _fetch(self) -> None:
        capture = self._desk.capture
        for column, events in self._model.late.take(MOST).items():
            if capture is None:
                return
            put = partial(self._put, column, events)
            name = COLUMNS[column].name
            if self._desk.ask.is_asking(f"events.{name}") and self._asked[column].intersection(events):
                continue  # what else is seen is looked at again when the answer is painted
            self._asked[column] = frozenset(events)
            if column == SOURCE:
                self._desk.ask("events.source", partial(_sources, capture, events), put, quick=True)
            elif name in ("pixels", "cost"):
                self._desk.ask.aside(f"events.{name}", partial(_in_pieces, capture, name, events), put, lambda _: None)
            else:
                self._ask(capture, name, events, put)

    def _ask(self, capture: CaptureView, name: str, events: list[int], put: Callable[[dict[int, Any]], None]) -> None:
        column = EventColumn(name, tuple(events))
        question = lambda progress: capture.ask(column, progress.stop.is_set)  # noqa: E731
        self._desk.ask(f"events.{name}", question, put, lambda _: put({}))

    def _put(self, column: int, events: list[int], values: dict[int, Any]) -> None:
        self._model.set_values(column, dict.fromkeys(events) | values)
        if column == TEXTURES:
            self._paint(self._model.pictures_missing())

    def _paint(self, wanted: dict[int, tuple[int, ...]]) -> None:
        """Thumbnails of textures as they are at each draw, one draw after the other."""
        thumbnails = self._desk.small
        if thumbnails is None or not wanted or (self._painting in wanted and self._desk.ask.is_aside("events.pictures")):
            return
        event = self._painting = next(reversed(wanted))

        def done(pictures: dict[int, Any]) -> None:
            self._model.set_pictures(event, dict.fromkeys(wanted[event]) | pictures)
            self._paint(self._model.pictures_missing())

        make = partial(thumbnails.make, event, [(handle, "") for handle in wanted[event]])
        self._desk.ask.aside("events.pictures", make, done, lambda _: None)


def _in_pieces(capture: CaptureView, name: str, events: list[int]) -> Generator[float, None, dict[int, Any]]:
    """A frame at a time: the answer about one of its events holds for all its draws."""
    found: dict[int, Any] = {}
    frames = {capture.frame_of(event): event for event in events}
    for number, event in enumerate(frames.values()):
        yield number / len(frames)
        try:
            found |= capture.ask(EventColumn(name, (event,)))
        except BadInput:
            continue
    return found


def _sources(capture: CaptureView, events: list[int], _: object) -> dict[int, str]:
    """The name of the API call behind each event."""
    numbers = capture.events.source
    found = {}
    for event in events:
        number = int(numbers[event])
        found[event] = capture.tape.source(number).name.rpartition("::")[2] if number >= 0 else ""
    return found
