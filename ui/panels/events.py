"""The list on the left: every event, one per row; with a filter and keyboard navigation."""

from __future__ import annotations

import time
from functools import partial

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QToolButton

from inspector.focus import Focus
from inspector.query.search.completion import Completion, complete, lights_of
from inspector.query.search.search import NAMED_FILTERS
from inspector.query.search.syntax import FilterError
from inspector.query.state.places import Lights
from inspector.query.what_if.edits import Disable
from inspector.view import CaptureView
from ui.ask import Progress
from ui.index import CLEAR, COPY, DRAW, PRESENT, EventIndex
from ui.models.event_columns import SOURCE
from ui.models.events import NO_ROWS, EventsModel
from ui.models.filter import Filter, select
from ui.models.findings import marks
from ui.models.outline import CALL, FOLDED, FRAME, LEVELS, UNFOLDED, Fold, Outline
from ui.panels.contents import add_shows, things_of
from ui.panels.event_table import EventTable
from ui.panels.event_values import EventValues
from ui.panels.own_filters import OwnFilters
from ui.panels.panel import Panel
from ui.widgets.controls import label, search_box, single_shot, strip, tool
from ui.widgets.folding import FoldingStrip
from ui.widgets.row_menu import give_row_menu
from ui.widgets.suggestions import Suggestions
from ui.words import counting

ACTIONS = (DRAW, CLEAR, COPY, PRESENT)
TIP = """Matches any of the words; +word is required, -word excluded, "two words" a phrase
$draw() and ALPHAREF > 128, changed(FOG*), $param(count: 2), redundant()  (Ctrl+F)
Down lists completions; Tab accepts one"""
NARROW = 440  # pixels
LONG = 50_000
"""Events from which the rows of a tree take too long for the window's thread."""
RESTS = 120
"""Milliseconds after which a playhead that is dragged rests, and the list shows the place."""
SELDOM = 0.5
"""Seconds between two places that the list shows meanwhile: painting it takes as long as an image."""
HINT = "Filter:  blend   +draw   -clear   ALPHAREF > 128"


class EventsPanel(Panel):
    title, name = "Events", "events"
    depends = ()

    def build(self) -> None:
        self.model = EventsModel(self)
        self.filter = Filter()
        self._lights: Lights | None = None
        self._matches: np.ndarray | None = None
        self.hits: np.ndarray | None = None
        """What was found while all events stay in the list."""
        self._unasked: int | None = None
        """The frame's row that opened because one got there, and closes when one leaves."""
        self._without_sources = False
        self._narrow = self._choosing = False
        self.edit = search_box("Filter events", HINT, TIP)
        self.suggestions = Suggestions(self.edit, self._suggest)
        self.actions_only = tool(
            "Draws and frames only", "Only draws, clears, copies and presents", text="Draws", checkable=True
        )
        self.count = label(kind="faint")
        self.as_tree = tool("Tree", "Frames, driver calls and tokens as a tree; off: a flat list", text="Tree", checkable=True)
        self.as_tree.setChecked(not self.kept("flat", False))
        self.table = EventTable(self.model)
        self.table.set_columns(self.kept("columns", []))
        self.table.arranged.connect(lambda: self.keep("columns", self.table.columns()))
        self.filters = OwnFilters(self.edit, self.kept("filters", {}), partial(self.keep, "filters"))
        self.values = EventValues(self.model, self.desk)
        self.find_only = self._make_find_only()
        more = (self.filters.button, self.find_only, self.as_tree, self.actions_only)
        self.box.addWidget(FoldingStrip((self.edit,), more, grows=self.edit))
        self.box.addWidget(self.table)
        self.box.addWidget(strip(self.count, None, name="foot"))
        self._wire()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow list the API call gives way to the event; the panel below the inspector names it as well."""
        super().resizeEvent(event)
        self._narrow = event.size().width() < NARROW
        self._show_sources()

    def _show_sources(self) -> None:
        """The API calls, unless the user has hidden them, or there is no room, or there are none."""
        shown = self.table.chosen.get(SOURCE, not self._narrow) and not self._without_sources
        if self.table.isColumnHidden(SOURCE) == shown:
            self.table.setColumnHidden(SOURCE, not shown)

    def _make_find_only(self) -> QToolButton:
        about = "Find: keep all events, highlight what matches; F3 and Shift+F3 go from match to match"
        button = tool("Find without filtering", about, text="Find", checkable=True)
        button.setChecked(self.kept("find", False))
        button.toggled.connect(partial(self.keep, "find"))
        button.toggled.connect(lambda _: self.apply_filter())
        return button

    def menu_of(self, row: int) -> QMenu | None:
        """What can be done with a row."""
        if self.desk.index is None:
            return None
        menu, key = QMenu(self), int(self.model.keys[row])
        if key % LEVELS not in (FRAME, CALL):
            self._add_deeds(menu, key // LEVELS)
        if self.model.fold is not None:
            if not menu.isEmpty():
                menu.addSeparator()
            menu.addAction("Expand all", lambda: self.fold_all(UNFOLDED))
            menu.addAction("Collapse all", lambda: self.fold_all(FOLDED))
        return menu

    def _add_deeds(self, menu: QMenu, event: int) -> None:
        assert self.desk.index is not None
        name, wanted = self.desk.index.name(event), self.desk.wanted
        menu.addAction(f"Only {name}", lambda: self._filter_by(f"+{name}"))
        menu.addAction(f"Hide {name}", lambda: self._filter_by(f"-{name}"))
        menu.addSeparator()
        there = any(one.focus.event == event for one in self.desk.bookmarks)
        menu.addAction("Remove bookmark" if there else "Bookmark", lambda: self._bookmark(event))
        if (capture := self.desk.capture) is not None:
            add_shows(menu, things_of(name, capture.event(event).fields), self.desk, self)
        menu.addAction("What if it did not happen", lambda: wanted.emit("edit", f"disable {event}"))
        menu.addAction("Use event as side A of comparison", lambda: wanted.emit("side", "a"))
        menu.addAction("Use event as side B of comparison", lambda: wanted.emit("side", "b"))

    def _bookmark(self, event: int) -> None:
        self.go(event=event)
        self.desk.bookmarking.toggle()

    def fold_all(self, fold: Fold) -> None:
        """Opens or closes all groups; of a long list away from the window's thread."""
        self._unasked = None
        outline, matches = self.model.outline, self._matches
        if outline is None or len(outline.events) < LONG:
            self._refold(matches, fold)
            return
        same = lambda: outline is self.model.outline and matches is self._matches  # noqa: E731
        self.desk.ask(
            "events.filter", lambda _: outline.rows(fold, matches),
            lambda keys: self._refold(matches, fold, keys) if same() else None,
        )  # fmt: skip

    def _refold(self, matches: np.ndarray | None, fold: Fold, keys: np.ndarray | None = None) -> None:
        self.model.set_rows(matches, fold, keys)
        self._show_focus()

    def _filter_by(self, term: str) -> None:
        self.edit.setText(f"{self.edit.text()} {term}".strip())

    def _suggest(self, text: str) -> list[Completion]:
        """What the last word could become; while nothing is typed, the filters that have a name."""
        if not text:
            return [Completion(filter, title, 0) for title, filter in (self.filters.kept | NAMED_FILTERS).items()]
        if self._lights is None and (capture := self.desk.capture) is not None:
            self._lights = ()
            self.desk.ask("events.lights", lambda _: lights_of(capture), self._set_lights)
        return complete(text, self._lights or ())

    def _set_lights(self, lights: Lights) -> None:
        self._lights = lights

    def _wire(self) -> None:
        self._typing = single_shot(self, 120, self.apply_filter)
        self._following = single_shot(self, RESTS, self._follow)
        self._followed = 0.0  # seconds of the clock
        self.edit.textChanged.connect(lambda _: self._typing.start())
        self.edit.returnPressed.connect(self._to_table)
        self.actions_only.toggled.connect(lambda _: self.apply_filter())
        self.as_tree.toggled.connect(self._set_tree)
        self.table.chosen_row.connect(self._choose)
        self.table.activated_row.connect(self._choose)
        self.table.clicked.connect(lambda index: self._choose(index.row()))  # the current row may be one nearby
        self.desk.found_changed.connect(self._mark_findings)
        give_row_menu(self.table, lambda index: self.menu_of(index.row()))
        self.desk.edits_changed.connect(self._show_disabled)
        self.desk.bookmarks_changed.connect(self._mark_bookmarks)

    def catch_up(self) -> None:
        self._mark_findings()
        self._show_disabled()
        self._mark_bookmarks()

    def _mark_bookmarks(self) -> None:
        self.model.set_bookmarks(frozenset(one.focus.event for one in self.desk.bookmarks))

    def capture_changed(self) -> None:
        self.desk.ask.cancel("events.filter")
        self._lights, self._unasked = None, None
        self.model.set_capture(self.desk.capture, self.desk.index)
        self._make_room()
        self.apply_filter()

    def grown(self) -> None:
        """More rows below; what one looks at stays where it is."""
        capture, index = self.desk.capture, self.desk.index
        if capture is None or index is None:
            return
        bar = self.table.verticalScrollBar()
        place, fold, unasked = bar.value(), self.model.fold, self._unasked
        self.model.grow(capture, index)
        if self.filter:
            self.apply_filter()
        else:
            self._set_rows(_candidates(index, self.actions_only.isChecked()), fold)
            self._unasked = unasked
        bar.setValue(place)

    def _make_room(self) -> None:
        """Where no API call is known (the recording of a driver), there is no column for them."""
        capture = self.desk.capture
        self._without_sources = capture is not None and not (capture.events.source >= 0).any()
        self._show_sources()

    def moved(self, new: Focus, old: Focus) -> None:
        if self.desk.focus.is_dragged and time.monotonic() - self._followed < SELDOM:
            self._following.start()
        else:
            self._following.stop()
            self._follow()

    def _follow(self) -> None:
        self._followed = time.monotonic()
        if not self._choosing:
            self._reveal(self.desk.focus.focus.event)
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
        wanted, tree = self.filter, self.model.outline if self.as_tree.isChecked() and not self.find_only.isChecked() else None
        self.count.setText("Filtering…")
        self.desk.ask(
            "events.filter",
            lambda progress: _select(capture, rows, wanted, progress, tree),
            lambda found: None if found[0] is None or wanted != self.filter else self._found(*found),
        )

    def _found(self, found: np.ndarray | FilterError, keys: np.ndarray | None) -> None:
        """The events that fit, and the rows of the tree with them; or the list stays, and the foot says what is wrong with the
        filter."""
        if isinstance(found, FilterError):
            self.count.setText(str(found))
            self._mark(True)
        elif self.find_only.isChecked() and self.desk.index:
            self._set_rows(_candidates(self.desk.index, self.actions_only.isChecked()))
            self.hits = found
            self.model.set_hits(found)
            self._count_hits()
            self._mark(not len(found))
        else:
            self._set_rows(found, keys=keys)

    def _count_hits(self, here: str = "") -> None:
        """here: which of them one is at."""
        found = counting(len(self.hits), "match") if self.hits is not None else ""
        self.count.setText("; ".join([f"{found} highlighted{here}", *self.filter.notes]))

    def _set_rows(self, rows: np.ndarray, fold: Fold | None = None, keys: np.ndarray | None = None) -> None:
        """Shows events.  In a tree what a filter found is open, its rows are `keys` if known; without a filter, as `fold` says,
        or the frame one is in."""
        total = len(self.desk.index) if self.desk.index else 0
        shown = len(rows)
        self._matches, self._unasked = rows if shown != total else None, None
        self.hits = None
        self.model.set_hits(NO_ROWS)
        filtered = bool(self.filter) and not self.find_only.isChecked()
        fold = None if not self.as_tree.isChecked() else UNFOLDED if filtered else fold or Fold()
        self.model.set_rows(self._matches, fold, keys if fold is UNFOLDED else None)
        self.table.placeholder = "No event matches." if total else ""
        counted = counting(total, "event") if shown == total else f"{shown:,} of {counting(total, 'event')}"
        self.count.setText("; ".join([counted + self.desk.so_far, *self.filter.notes]))
        self._mark(bool(self.filter) and not shown)
        self._reveal(self.desk.focus.focus.event)
        self._show_focus()

    def _set_tree(self, on: bool) -> None:
        self.keep("flat", not on)
        self.apply_filter()

    def _reveal(self, event: int) -> None:
        """Opens the frame of an event, and closes the one that was opened so before."""
        fold, outline = self.model.fold, self.model.outline
        if fold is None or outline is None or not len(self.model.keys) or event >= len(outline.events):
            return
        frame = outline.ancestors(event)[0]
        if fold.is_open(frame):
            return
        turned = {frame, self._unasked} if self._unasked is not None and fold.is_open(self._unasked) else {frame}
        self.model.set_rows(self._matches, fold.flipped(*turned))
        self._unasked = frame

    def _mark(self, wrong: bool) -> None:
        self.edit.setProperty("wrong", wrong)
        self.edit.style().polish(self.edit)

    def _mark_findings(self) -> None:
        rules: dict[int, dict[str, None]] = {}
        for one in self.desk.found:
            rules.setdefault(int(one.seq), {})[str(one.rule)] = None
        self.model.set_marks(marks(self.desk.found), {event: ", ".join(names) for event, names in rules.items()})

    def _show_disabled(self) -> None:
        """What the what if leaves out is struck through."""
        self.model.set_disabled(
            tuple(range(edit.first, edit.last + 1) for edit in self.desk.edits if isinstance(edit, Disable))
        )

    def find_match(self, direction: int) -> None:
        """To the next or previous event that the filter means; without one, to the next or previous event."""
        matches, event = self.hits, self.desk.focus.focus.event
        if matches is None:
            matches = self._matches if self._matches is not None else np.arange(len(self.desk.index or ()))
        place = int(np.searchsorted(matches, event, "right" if direction > 0 else "left")) - (direction < 0)
        if 0 <= place < len(matches):
            self.go("step", event=int(matches[place]))
            if self.hits is not None:
                self._count_hits(f"; this is {place + 1:,}")
        elif self.desk.index:
            self.count.setText("No match after this event" if direction > 0 else "No match before this event")

    def _show_focus(self) -> None:
        """The row of the event one is at; a group that begins with it stays chosen."""
        event, row = self.desk.focus.focus.event, self.table.currentIndex().row()
        if not 0 <= row < len(self.model.keys) or int(self.model.keys[row]) // LEVELS != event:
            row = self.model.row_of(event)
        self.table.show_row(row)

    def _choose(self, row: int) -> None:
        self._choosing = True
        try:
            self.go("list", event=int(self.model.keys[row]) // LEVELS)
        finally:
            self._choosing = False

    def _to_table(self) -> None:
        self._typing.stop()
        self.apply_filter()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)


def _select(
    capture: CaptureView, rows: np.ndarray, filter: Filter, progress: Progress, tree: Outline | None
) -> tuple[np.ndarray | FilterError | None, np.ndarray | None]:
    """What `select` finds, and the rows of the tree in which all of it is open, if there is one."""
    found = select(capture, rows, filter, progress)
    return found, tree.rows(UNFOLDED, found) if tree is not None and isinstance(found, np.ndarray) else None


def _candidates(index: EventIndex, actions_only: bool) -> np.ndarray:
    return np.flatnonzero(np.isin(index.kind, ACTIONS)) if actions_only else np.arange(len(index))
