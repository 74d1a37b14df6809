"""The list on the left: every event, one per row; filtered, and walked with the keyboard."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu

from inspector.focus import Focus
from inspector.query.search.completion import Completion, complete, lights_of
from inspector.query.search.search import NAMED_FILTERS
from inspector.query.search.syntax import FilterError
from inspector.query.state.places import Lights
from inspector.view import CaptureView
from ui.index import CLEAR, COPY, DRAW, PRESENT, EventIndex
from ui.models.events import CALL, NUMBER, SOURCE, TEXT, EventsModel
from ui.models.filter import Filter, select
from ui.models.findings import marks
from ui.panels.panel import Panel
from ui.widgets.cells import EventCell, NumberCell, QuietCell
from ui.widgets.controls import label, search_box, single_shot, strip, tool
from ui.widgets.row_menu import give_row_menu
from ui.widgets.suggestions import Suggestions
from ui.widgets.tables import Table
from ui.words import counting

ACTIONS = (DRAW, CLEAR, COPY, PRESENT)
TIP = """Matches any of the words; +word is required, -word excluded, "two words" a phrase
$draw() and ALPHAREF > 128, changed(FOG*), $param(count: 2), redundant()  (Ctrl+F)
Down lists completions; Tab accepts one"""
NARROW = 440  # pixels
HINT = "Filter:  blend   +draw   -clear   ALPHAREF > 128"


class EventsPanel(Panel):
    title, name = "Events", "events"
    depends = ()

    def build(self) -> None:
        self.model = EventsModel(self)
        self.filter = Filter()
        self._lights: Lights | None = None
        self._without_sources = False
        self._narrow = False
        self.edit = search_box("Filter events", HINT, TIP)
        self.suggestions = Suggestions(self.edit, self._suggest)
        self.actions_only = tool(
            "Draws and frames only", "Only draws, clears, copies and presents", text="Draws", checkable=True
        )
        self.count = label(kind="faint")
        self.table = Table(self.model, "Events", (58, 52, 300, 112))
        for column, cell in ((NUMBER, NumberCell), (CALL, NumberCell), (TEXT, EventCell), (SOURCE, QuietCell)):
            self.table.setItemDelegateForColumn(column, cell(self.table))
        self.table.stretch(TEXT)
        self.table.setColumnHidden(CALL, True)
        self.box.addWidget(strip(self.edit, self.actions_only))
        self.box.addWidget(self.table)
        self.box.addWidget(strip(self.count, None, name="foot"))
        self._wire()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow list the API call gives way to the event; the panel below the inspector names it, too."""
        super().resizeEvent(event)
        if (narrow := event.size().width() < NARROW) != self._narrow:
            self._narrow = narrow
            self.table.setColumnHidden(SOURCE, narrow)

    def _menu_of(self, event: int) -> QMenu | None:
        """What can be done with an event."""
        if self.desk.index is None:
            return None
        name, wanted = self.desk.index.name(event), self.desk.wanted
        menu = QMenu(self)
        menu.addAction(f"Only {name}", lambda: self._filter_by(f"+{name}"))
        menu.addAction(f"Hide {name}", lambda: self._filter_by(f"-{name}"))
        menu.addSeparator()
        menu.addAction("What if it did not happen", lambda: wanted.emit("edit", f"disable {event}"))
        menu.addAction("Use event as side A of comparison", lambda: wanted.emit("side", "a"))
        menu.addAction("Use event as side B of comparison", lambda: wanted.emit("side", "b"))
        return menu

    def _filter_by(self, term: str) -> None:
        self.edit.setText(f"{self.edit.text()} {term}".strip())

    def _suggest(self, text: str) -> list[Completion]:
        """What the last word could become; while nothing is typed, the filters that have a name."""
        if not text:
            return [Completion(filter, title, 0) for title, filter in NAMED_FILTERS.items()]
        if self._lights is None and (capture := self.desk.capture) is not None:
            self._lights = ()
            self.desk.ask("events.lights", lambda _: lights_of(capture), self._set_lights)
        return complete(text, self._lights or ())

    def _set_lights(self, lights: Lights) -> None:
        self._lights = lights

    def _wire(self) -> None:
        self._typing = single_shot(self, 120, self.apply_filter)
        self._fetching = single_shot(self, 30, self._fetch_sources)
        self.edit.textChanged.connect(lambda _: self._typing.start())
        self.edit.returnPressed.connect(self._to_table)
        self.actions_only.toggled.connect(lambda _: self.apply_filter())
        self.table.chosen_row.connect(self._choose)
        self.table.activated_row.connect(self._choose)
        self.table.clicked.connect(lambda index: self._choose(index.row()))  # the current row may be one nearby
        self.desk.found_changed.connect(self._mark_findings)
        give_row_menu(self.table, lambda index: self._menu_of(int(self.model.rows[index.row()])))
        self.model.sources_wanted.connect(lambda: self._fetching.isActive() or self._fetching.start())

    def capture_changed(self) -> None:
        self.desk.ask.cancel("events.filter")
        self._lights = None
        self.model.set_capture(self.desk.capture, self.desk.index)
        self._make_room()
        self.apply_filter()

    def _make_room(self) -> None:
        """Where no API call is known (the recording of a driver), there is no column for them."""
        capture = self.desk.capture
        without = capture is not None and not (capture.events.source >= 0).any()
        if without != self._without_sources:
            self._without_sources = without
            self.table.setColumnHidden(SOURCE, without)

    def moved(self, new: Focus, old: Focus) -> None:
        self._show_focus()

    def focus_filter(self) -> None:
        self.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.edit.selectAll()

    def apply_filter(self) -> None:
        """Shows what the box and the toggle leave; words are looked up away from the GUI thread."""
        index, capture = self.desk.index, self.desk.capture
        self.filter = Filter.parse(self.edit.text())
        if index is None or capture is None:
            self._set_rows(np.zeros(0, np.int64))
            return
        rows = _candidates(index, self.actions_only.isChecked())
        if not self.filter:
            self.desk.ask.cancel("events.filter")
            self._set_rows(rows)
            return
        wanted = self.filter
        self.count.setText("Filtering…")
        self.desk.ask(
            "events.filter",
            lambda progress: select(capture, rows, wanted, progress),
            lambda found: None if found is None or wanted != self.filter else self._found(found),
        )

    def _found(self, found: np.ndarray | FilterError) -> None:
        """The events that fit; or the list stays, and the foot says what is wrong with the filter."""
        if isinstance(found, FilterError):
            self.count.setText(str(found))
            self._mark(True)
        else:
            self._set_rows(found)

    def _set_rows(self, rows: np.ndarray) -> None:
        self.model.set_rows(rows)
        total = len(self.desk.index) if self.desk.index else 0
        shown = len(rows)
        self.table.placeholder = "No event matches." if total else ""
        counted = counting(total, "event") if shown == total else f"{shown:,} of {counting(total, 'event')}"
        self.count.setText("; ".join([counted, *self.filter.notes]))
        self._mark(bool(self.filter) and not shown)
        self._show_focus()

    def _mark(self, wrong: bool) -> None:
        self.edit.setProperty("wrong", wrong)
        self.edit.style().polish(self.edit)

    def _mark_findings(self) -> None:
        self.model.set_marks(marks(self.desk.found))

    def _show_focus(self) -> None:
        self.table.show_row(self.model.row_of(self.desk.focus.focus.event))

    def _choose(self, row: int) -> None:
        self.go("list", event=int(self.model.rows[row]))

    def _to_table(self) -> None:
        self._typing.stop()
        self.apply_filter()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fetch_sources(self) -> None:
        capture, wanted = self.desk.capture, sorted(self.model.wanted)[-200:]
        self.model.wanted.clear()
        if capture is not None and wanted:
            self.desk.ask("events.sources", lambda _: _sources(capture, wanted), self.model.set_sources)


def _candidates(index: EventIndex, actions_only: bool) -> np.ndarray:
    return np.flatnonzero(np.isin(index.kind, ACTIONS)) if actions_only else np.arange(len(index))


def _sources(capture: CaptureView, events: list[int]) -> dict[int, str]:
    """The name of the API call behind each event."""
    numbers = capture.events.source
    found = {}
    for event in events:
        number = int(numbers[event])
        found[event] = capture.tape.source(number).name.rpartition("::")[2] if number >= 0 else ""
    return found
