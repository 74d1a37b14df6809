"""The event list: rows are numbers in a numpy array (ui.models.outline); texts are made for visible rows."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QObject, Qt, Signal

from inspector.query.events.detail import outcome_of
from inspector.view import CaptureView
from ui.index import DRAW, KIND_TITLES, PRESENT, EventIndex
from ui.models.event_columns import (
    CALL,
    COLUMNS,
    DRAWN,
    FINDINGS,
    NUMBER,
    PRIMITIVES,
    SOURCE,
    TEXT,
    TEXTURES,
    LateValues,
)
from ui.models.group_texts import group_tip, text_of_group, told_apart
from ui.models.outline import CALL as CALLS
from ui.models.outline import EVENT, FRAME, LEVELS, TOKEN, Fold, Outline
from ui.roles import (
    BEGIN_ROLE,
    BOOKMARK_ROLE,
    DEPTH_ROLE,
    DISPLAY_ROLE,
    EVENT_ROLE,
    HIT_ROLE,
    KIND_ROLE,
    MARK_ROLE,
    NESTED_ROLE,
    OPEN_ROLE,
    OUTCOME_ROLE,
    PICTURE_ROLE,
    ROOT,
    ROW_FLAGS,
    VALUE_ROLE,
    Index,
)
from ui.words import tip

EVENT_PARTS = HIT_ROLE, KIND_ROLE, DEPTH_ROLE, OPEN_ROLE, OUTCOME_ROLE, BEGIN_ROLE, NESTED_ROLE
"""Of EVENT_ROLE, in this order."""
NO_ROWS = np.zeros(0, np.int64)


class EventsModel(QAbstractTableModel):
    """`keys`: the rows shown, in order.  Values that are looked at and not known yet are announced by `values_wanted`."""

    values_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.keys = NO_ROWS
        self.fold: Fold | None = None
        """Which groups are open; None: a flat list of events."""
        self.outline: Outline | None = None
        self._matches: np.ndarray | None = None
        self._capture: CaptureView | None = None
        self._index: EventIndex | None = None
        self.late = LateValues(self.values_wanted.emit)
        self._pictures: dict[tuple[int, int], Any] = {}
        self._rules: dict[int, str] = {}
        self._disabled: tuple[range, ...] = ()
        self._bookmarked: frozenset[int] = frozenset()
        self._hits = NO_ROWS
        self._marks: dict[int, str] = {}
        self._marked = NO_ROWS
        self._text = lru_cache(8192)(self._ask_text)
        self._depth = lru_cache(8192)(self._ask_depth)

    def set_capture(self, capture: CaptureView | None, index: EventIndex | None) -> None:
        self.beginResetModel()
        self._capture, self._index = capture, index
        self.outline = Outline(capture.events, index.frame_first) if capture is not None and index is not None else None
        self.late.clear()
        self._pictures, self._disabled, self._hits = {}, (), NO_ROWS
        self._text.cache_clear()
        self._depth.cache_clear()
        self._matches = None
        self.keys = np.arange(len(index) if index else 0) * LEVELS + EVENT
        self.endResetModel()

    def grow(self, capture: CaptureView, index: EventIndex) -> None:
        """More of the same capture: what is known of its events stays; `set_rows` comes next."""
        self._capture, self._index = capture, index
        self.outline = Outline(capture.events, index.frame_first)

    @property
    def rows(self) -> np.ndarray:
        """The event that each row leads to: a group's first one."""
        return self.keys // LEVELS

    def set_rows(self, matches: np.ndarray | None, fold: Fold | None = None, keys: np.ndarray | None = None) -> None:
        """Shows these events (None: all), as a tree if `fold` says how it is folded; `keys`: its rows, if known already."""
        self.beginResetModel()
        self._matches, self.fold = matches, fold
        if fold is not None and self.outline is not None:
            self.keys = self.outline.rows(fold, matches) if keys is None else keys
        else:
            events = np.arange(len(self._index) if self._index else 0) if matches is None else matches
            self.keys = events * LEVELS + EVENT
        self.endResetModel()

    def set_open(self, row: int, to: bool) -> None:
        """Opens or closes a group; for other rows, nothing."""
        key = int(self.keys[row])
        if self.fold is None or self.outline is None or key % LEVELS == EVENT or self.fold.is_open(key) == to:
            return
        self.fold = self.fold.flipped(key)
        if to:
            inside = self.outline.under(key, self.fold, self._matches)
            self.beginInsertRows(ROOT, row + 1, row + len(inside))
            self.keys = np.concatenate([self.keys[: row + 1], inside, self.keys[row + 1 :]])
            self.endInsertRows()
        else:
            after = int(np.searchsorted(self.keys, self.outline.end(key) * LEVELS))
            self.beginRemoveRows(ROOT, row + 1, after - 1)
            self.keys = np.concatenate([self.keys[: row + 1], self.keys[after:]])
            self.endRemoveRows()
        self.dataChanged.emit(self.index(row, 0), self.index(row, len(COLUMNS) - 1))

    def is_open(self, row: int) -> bool | None:
        """Whether a group is open; None for what is no group."""
        key = int(self.keys[row])
        return None if self.fold is None or key % LEVELS == EVENT else self.fold.is_open(key)

    def parent_row(self, row: int) -> int:
        """The row of the group that a row is in; -1 if it is in none."""
        key = int(self.keys[row])
        if self.fold is None or self.outline is None:
            return -1
        around = [group for group in self.outline.ancestors(key // LEVELS) if group < key]
        return int(np.searchsorted(self.keys, around[-1])) if around else -1

    def set_marks(self, marks: dict[int, str], rules: dict[int, str] | None = None) -> None:
        """Events with a bar at their left: event -> its theme token; and the rules that events broke."""
        self._marks, self._marked, self._rules = marks, np.array(sorted(marks), np.int64), rules or {}
        self._changed()

    def set_bookmarks(self, events: frozenset[int]) -> None:
        """Events with a bookmark."""
        self._bookmarked = events
        self._changed()

    def set_disabled(self, disabled: tuple[range, ...]) -> None:
        """Events that a what if leaves out."""
        if disabled != self._disabled:
            self._disabled = disabled
            self._changed()

    def set_hits(self, hits: np.ndarray) -> None:
        """Events (ascending) that were found, to be highlighted."""
        self._hits = hits
        self._changed()

    def _changed(self) -> None:
        if len(self.keys):
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.keys) - 1, len(COLUMNS) - 1))

    def row_of(self, event: int) -> int:
        """The row of the last event shown that is not after `event`, or of what it is hidden in; -1 if there is none."""
        return int(np.searchsorted(self.keys, event * LEVELS + EVENT, "right")) - 1

    def set_values(self, column: int, values: dict[int, Any]) -> None:
        """Puts in what was wanted: event -> its value, None if it has none."""
        self.late.put(column, values)
        if values and len(self.keys):
            first, last = max(self.row_of(min(values)), 0), max(self.row_of(max(values)), 0)
            self.dataChanged.emit(self.index(first, column), self.index(last, column))

    def set_pictures(self, event: int, pictures: dict[int, Any]) -> None:
        """Thumbnails of an event's textures, by handle."""
        self._pictures |= {(event, handle): picture for handle, picture in pictures.items()}
        if len(self.keys) and (row := self.row_of(event)) >= 0:
            self.dataChanged.emit(self.index(row, TEXTURES), self.index(row, TEXTURES))

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.keys)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return ROW_FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section].title
        if role == Qt.ItemDataRole.TextAlignmentRole and COLUMNS[section].is_number:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._index is None:
            return None
        key = int(self.keys[index.row()])
        event, level = divmod(key, LEVELS)
        if role == DISPLAY_ROLE:
            return self._display(event, index.column()) if level == EVENT else self._of_group(key, index.column())
        if role == EVENT_ROLE:
            return self._parts(index.row(), key)
        if role == BEGIN_ROLE:
            return self._begins(index.row(), event)
        if role in EVENT_PARTS:
            return self._parts(index.row(), key)[EVENT_PARTS.index(role)]
        if role == MARK_ROLE:
            return self._marks.get(event) if level == EVENT else self._mark_in(index.row(), key)
        if role == PICTURE_ROLE and index.column() == TEXTURES:
            return self._thumbnails(key)
        if role == BOOKMARK_ROLE:
            return level == EVENT and event in self._bookmarked
        if role == VALUE_ROLE:
            return self._number(event, index.column()) if level == EVENT else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(key)
        return self._spoken(key, index.row(), index.column()) if role == Qt.ItemDataRole.AccessibleTextRole else None

    def _parts(self, row: int, key: int) -> tuple[Any, ...]:
        """EVENT_PARTS of a row."""
        assert self._index is not None
        event, level = divmod(key, LEVELS)
        kind = PRESENT if level == FRAME else int(self._index.kind[event])
        begins, outcome = self._begins(row, event), self._outcome(key)
        hit = len(self._hits) > 0 and level == EVENT and self._is_hit(event)
        if self.fold is None:
            return hit, kind, None, None, outcome, begins, False
        depth = self._depth(key)
        return hit, kind, depth, self.is_open(row), outcome, begins, level == EVENT and depth > TOKEN

    def _ask_depth(self, key: int) -> int:
        assert self.outline is not None
        return self.outline.depth(key)

    def _mark_in(self, row: int, key: int) -> str | None:
        """The worst mark that a closed group hides."""
        if self.is_open(row) or not self.outline:
            return None
        first, end = np.searchsorted(self._marked, (key // LEVELS, self.outline.end(key)))
        hidden = {self._marks[event] for event in self._marked[first:end].tolist()}
        return next((mark for mark in ("error", "warning") if mark in hidden), next(iter(hidden), None))

    def _outcome(self, key: int) -> tuple[str, str, bool] | None:
        events, (event, level) = self._there.events, divmod(key, LEVELS)
        if self._disabled and self._is_disabled(key):
            return "disabled", "faint", False
        if not events.failed:  # as of most captures
            return None
        if level == CALLS and (failed := events.failed.get(int(events.call[event]))):
            last = events.of_call(int(events.call[event])).stop - 1
            return outcome_of(events, min(failed.first, last)), "error", failed.first > event
        if level in (FRAME, CALLS) or not (words := outcome_of(events, event)):
            return None
        return words, "error" if words.startswith("failed") else "faint", events.is_done(event)

    def _is_disabled(self, key: int) -> bool:
        """Whether a what if leaves out all of a row."""
        assert self.outline is not None
        first, last = key // LEVELS, self.outline.end(key) - 1
        return any(first in part and last in part for part in self._disabled)

    def _spoken(self, key: int, row: int, column: int) -> str:
        """What a screen reader says: also what failed, and whether a group is open."""
        event, level = divmod(key, LEVELS)
        text = self._display(event, column) if level == EVENT else self._of_group(key, column)
        if column != TEXT:
            return text
        outcome, is_open = self._outcome(key), self.is_open(row)
        folded = "" if is_open is None else ", expanded" if is_open else ", collapsed"
        marked = ", bookmarked" if level == EVENT and event in self._bookmarked else ""
        return text + (f", {outcome[0]}" if outcome else "") + marked + folded

    def _begins(self, row: int, event: int) -> bool:
        """Whether a frame boundary lies between a row and the one before."""
        assert self._index is not None
        return row > 0 and self._index.frame(event) != self._index.frame(int(self.keys[row - 1]) // LEVELS)

    @property
    def _there(self) -> CaptureView:
        """The capture that the rows are of."""
        assert self._capture is not None, "there are rows"
        return self._capture

    def _display(self, event: int, column: int) -> str:
        if column == TEXT:
            return self._text(event * LEVELS + EVENT)
        value = self._value(event, column)
        return "" if value is None else COLUMNS[column].text(value)

    def _value(self, event: int, column: int) -> Any:
        """What a column other than the text holds; None: nothing, or nothing yet."""
        assert self._index is not None
        kinds = COLUMNS[column].kinds
        if kinds and self._index.kind[event] not in kinds:
            return None
        if column == NUMBER:
            return event
        if column == CALL:
            return int(self._there.events.call[event])
        if column == DRAWN:
            place = int(np.searchsorted(self._index.draws, event))
            return place if place < len(self._index.draws) and self._index.draws[place] == event else None
        if column == PRIMITIVES:
            return self._there.primitives(event)
        if column == FINDINGS:
            return self._rules.get(event)
        if column == SOURCE and self._there.events.source[event] < 0:
            return None
        return self.late.get(column, event)

    def _number(self, event: int, column: int) -> Any:
        """As copies have it."""
        return self._value(event, column) if COLUMNS[column].is_number else None

    def _thumbnails(self, key: int) -> list[Any]:
        event, level = divmod(key, LEVELS)
        handles = (self._value(event, TEXTURES) or ()) if level == EVENT else ()
        return [self._pictures.get((event, handle)) for handle in handles]

    def pictures_missing(self) -> dict[int, tuple[int, ...]]:
        """By event, the textures that are known and have no thumbnail yet."""
        known = self.late.known(TEXTURES)
        return {event: handles for event, handles in known.items() if handles and (event, handles[0]) not in self._pictures}

    def _is_hit(self, event: int) -> bool:
        place = int(np.searchsorted(self._hits, event))
        return place < len(self._hits) and int(self._hits[place]) == event

    def _of_group(self, key: int, column: int) -> str:
        if column == CALL:
            return "" if key % LEVELS == FRAME else str(int(self._there.events.call[key // LEVELS]))
        return self._text(key) if column == TEXT else ""

    def _ask_text(self, key: int) -> str:
        assert self._index is not None and self.outline is not None
        event, level = divmod(key, LEVELS)
        if level == EVENT:
            primitives = self._there.primitives(event) if self._index.kind[event] == DRAW else None
            return told_apart(self._there.text(event), primitives)
        return text_of_group(self._there, self._index, event, self.outline.end(key), level)

    def _tip(self, key: int) -> str:
        assert self._index is not None
        event, level = divmod(key, LEVELS)
        frame, kind = self._index.frame(event), KIND_TITLES[self._index.kind[event]]
        outcome = self._outcome(key)
        about = [f"Event {event}, frame {frame} ({kind})", self._text(key)]
        if level in (CALLS, TOKEN):
            about = [self._text(key), *(group_tip(self._there, event) if level == CALLS else ())]
        return tip("\n".join([*about, *(outcome[:1] if outcome else ())]))
