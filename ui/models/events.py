"""The event list: rows are event numbers in a numpy array, words are made for the rows one sees."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QObject, Qt, Signal

from inspector.query.events.detail import outcome_of
from inspector.view import CaptureView
from ui.index import KIND_TITLES, EventIndex
from ui.roles import BEGIN_ROLE, DISPLAY_ROLE, KIND_ROLE, MARK_ROLE, OUTCOME_ROLE, ROOT, ROW_FLAGS, Index
from ui.words import tip

COLUMNS = ("#", "Driver call", "Event", "API call")
NUMBER, CALL, TEXT, SOURCE = range(len(COLUMNS))


class EventsModel(QAbstractTableModel):
    """`rows` lists the events shown, in order.  Sources that are not known yet are announced by `sources_wanted`."""

    sources_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows = np.zeros(0, np.int64)
        self._capture: CaptureView | None = None
        self._index: EventIndex | None = None
        self._sources: dict[int, str] = {}
        self._marks: dict[int, str] = {}
        self.wanted: set[int] = set()
        self._text = lru_cache(8192)(self._ask_text)

    def set_capture(self, capture: CaptureView | None, index: EventIndex | None) -> None:
        self.beginResetModel()
        self._capture, self._index = capture, index
        self.rows = np.arange(len(index) if index else 0)
        self._sources, self.wanted = {}, set()
        self._text.cache_clear()
        self.endResetModel()

    def set_rows(self, rows: np.ndarray) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def set_marks(self, marks: dict[int, str]) -> None:
        """Events with a bar beside their number: event -> its theme token."""
        self._marks = marks
        if len(self.rows):
            self.dataChanged.emit(self.index(0, NUMBER), self.index(len(self.rows) - 1, NUMBER))

    def row_of(self, event: int) -> int:
        """The row of the last event shown that is not after `event`; -1 if there is none."""
        return int(np.searchsorted(self.rows, event, "right")) - 1

    def set_sources(self, sources: dict[int, str]) -> None:
        """Puts in what was wanted: event -> the text of its API call."""
        self._sources |= sources
        self.wanted -= sources.keys()
        if sources and len(self.rows):
            first, last = max(self.row_of(min(sources)), 0), max(self.row_of(max(sources)), 0)
            self.dataChanged.emit(self.index(first, SOURCE), self.index(last, SOURCE))

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return ROW_FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section in (NUMBER, CALL):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._index is None:
            return None
        event = int(self.rows[index.row()])
        if role == DISPLAY_ROLE:
            return self._display(event, index.column())
        if role == KIND_ROLE:
            return int(self._index.kind[event])
        if role == BEGIN_ROLE:
            return index.row() > 0 and self._frame_begins(event, int(self.rows[index.row() - 1]))
        if role == MARK_ROLE:
            return self._marks.get(event)
        if role == OUTCOME_ROLE:
            return self._outcome(event)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(event)
        return self._spoken(event, index.column()) if role == Qt.ItemDataRole.AccessibleTextRole else None

    def _outcome(self, event: int) -> tuple[str, str, bool] | None:
        events = self._there.events
        if not events.failed or not (words := outcome_of(events, event)):  # as of most captures
            return None
        return words, "error" if words.startswith("failed") else "faint", events.is_done(event)

    def _spoken(self, event: int, column: int) -> str:
        """What a screen reader says: what failed in words, too."""
        outcome = self._outcome(event) if column == TEXT else None
        return f"{self._display(event, column)}, {outcome[0]}" if outcome else self._display(event, column)

    def _frame_begins(self, event: int, before: int) -> bool:
        """Whether a frame boundary lies between two events."""
        assert self._index is not None
        return self._index.frame(event) != self._index.frame(before)

    @property
    def _there(self) -> CaptureView:
        """The capture that the rows are of."""
        assert self._capture is not None, "there are rows"
        return self._capture

    def _display(self, event: int, column: int) -> str:
        if column == NUMBER:
            return str(event)
        if column == CALL:
            return str(int(self._there.events.call[event]))
        return self._text(event) if column == TEXT else self._source(event)

    def _ask_text(self, event: int) -> str:
        return self._there.text(event)

    def _source(self, event: int) -> str:
        text = self._sources.get(event)
        if text is None and self._there.events.source[event] >= 0:
            self.wanted.add(event)
            self.sources_wanted.emit()
        return text or ""

    def _tip(self, event: int) -> str:
        assert self._index is not None
        frame, kind = self._index.frame(event), KIND_TITLES[self._index.kind[event]]
        outcome = self._outcome(event)
        return tip(f"Event {event}, frame {frame} ({kind})\n{self._text(event)}" + (f"\n{outcome[0]}" if outcome else ""))
