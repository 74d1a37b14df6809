"""The tree of findings by rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView

from ui.models.rules import COUNT, NAME, SEVERITY, TEXT, RulesModel
from ui.roles import HEADING_ROLE, LINK_ROLE
from ui.widgets.cells import ValueCell
from ui.widgets.controls import spoken
from ui.widgets.row_menu import give_row_menu
from ui.widgets.tables import SEARCHED
from ui.widgets.trees import Arrows

FEW = 3
"""Rules whose findings are shown at once."""
WIDE = 640
WIDTHS = {NAME: 180, COUNT: 56, SEVERITY: 68}, {NAME: 148, COUNT: 50, SEVERITY: 66}
"""Of a tree from WIDE pixels on, of a narrower one; the sentence takes what is left."""
BESIDE = 12
"""Pixels between a name and the next column."""


class RuleTree(QTreeView):
    """`chosen(finding)`: became current; `followed(event)`: is to be gone to."""

    chosen = Signal(object)
    followed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        spoken(self, "Findings by rule")
        self.rules = RulesModel(self)
        self.setModel(self.rules)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self.setIndentation(14)
        self.setExpandsOnDoubleClick(False)
        cell = ValueCell(self)
        cell.followed.connect(lambda event: self.followed.emit(int(event)))
        self.setItemDelegate(cell)
        self._narrow = False
        self._fit()
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(TEXT, QHeaderView.ResizeMode.Stretch)
        self.activated.connect(self._follow)
        self.selectionModel().currentChanged.connect(lambda index, _: self.chosen.emit(self.rules.finding_at(index)))
        Arrows(self)
        give_row_menu(self, lambda index: None)

    def keyboardSearch(self, letters: str) -> None:
        """As in tables (Table.keyboardSearch)."""
        if sum(len(group.found) for group in self.rules.groups) <= SEARCHED:
            super().keyboardSearch(letters)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (narrow := self.width() < WIDE) != self._narrow:
            self._narrow = narrow
            self._fit()

    def _fit(self) -> None:
        """In a narrow tree the sentence gets what the other columns can do without."""
        for column, pixels in WIDTHS[self._narrow].items():
            self.setColumnWidth(column, pixels)
        self._give_names_room()

    def _give_names_room(self) -> None:
        """Names of rules stand whole where that leaves most of the width to the sentences."""
        wanted = min(self.sizeHintForColumn(NAME) + BESIDE, self.width() * 2 // 5)
        self.setColumnWidth(NAME, max(self.columnWidth(NAME), wanted))

    def show_found(self, found: Sequence[Any]) -> None:
        """Shows these instead; rules that were open stay open."""
        opened = {group.rule for row, group in enumerate(self.rules.groups) if self.isExpanded(self.rules.index(row, 0))}
        self.rules.set_found(found)
        for row, group in enumerate(self.rules.groups):
            self.setExpanded(self.rules.index(row, 0), group.rule in opened or len(self.rules.groups) <= FEW)
        self._give_names_room()

    def show_finding(self, found: Any) -> None:
        """Makes a finding current, its rule opened; None: no row."""
        index = self.rules.index_of(found) if found is not None else QModelIndex()
        self.setCurrentIndex(index)
        if index.isValid():
            self.scrollTo(index)

    @property
    def current(self) -> Any:
        """The finding of the current row, of a rule its first; None without one."""
        return self.rules.finding_at(self.currentIndex())

    def _follow(self, index: QModelIndex) -> None:
        """Enter on a rule opens or closes it; on a finding, goes to its event."""
        first = index.siblingAtColumn(NAME)
        if first.data(HEADING_ROLE):
            self.setExpanded(first, not self.isExpanded(first))
        elif (event := first.data(LINK_ROLE)) is not None:
            self.followed.emit(int(event))
