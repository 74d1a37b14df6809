"""Findings as a tree of two levels: rules with counts, and the findings of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt

from core.spec.findings import RULES
from ui.models.findings import byte_text, link, token
from ui.roles import HEADING_ROLE, LINK_ROLE, MARK_ROLE, ROOT, ROW_FLAGS, TOKEN_ROLE, Index
from ui.words import tip

COLUMNS = ("Rule, event", "Count", "Severity", "Finding")
NAME, COUNT, SEVERITY, TEXT = range(len(COLUMNS))
RULE = 0
"""internalId of a rule's row; that of a finding's row is its rule's row + 1."""
ORDER = ("error", "warning")
"""Severities that come first; all others after them."""


@dataclass(frozen=True)
class RuleFindings:
    """The findings of one rule, in tape order; never empty."""

    rule: str
    found: tuple[Any, ...]

    @property
    def worst(self) -> Any:
        return min(self.found, key=_rank)

    @property
    def requirement(self) -> str:
        rule = RULES.get(self.rule)
        return rule.sentence if rule else str(self.found[0].text)


def by_rule(found: Iterable[Any]) -> list[RuleFindings]:
    """The worst rules first, among them those broken most often."""
    rules: dict[str, list[Any]] = {}
    for one in found:
        rules.setdefault(str(one.rule), []).append(one)
    groups = [RuleFindings(rule, tuple(ones)) for rule, ones in rules.items()]
    return sorted(groups, key=lambda group: (_rank(group.worst), -len(group.found), group.rule))


def _rank(found: Any) -> int:
    severity = str(found.severity)
    return ORDER.index(severity) if severity in ORDER else len(ORDER)


class RulesModel(QAbstractItemModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.groups: list[RuleFindings] = []

    def set_found(self, found: Iterable[Any]) -> None:
        self.beginResetModel()
        self.groups = by_rule(found)
        self.endResetModel()

    def finding_at(self, index: Index) -> Any:
        """The finding of a row; of a rule's row its first; None: no row."""
        if not index.isValid():
            return None
        if index.internalId() == RULE:
            return self.groups[index.row()].found[0]
        return self.groups[index.internalId() - 1].found[index.row()]

    def index_of(self, found: Any) -> QModelIndex:
        """The row of a finding; invalid if it is not shown."""
        for row, group in enumerate(self.groups):
            if group.rule == str(found.rule):
                place = next((place for place, one in enumerate(group.found) if one is found), None)
                return QModelIndex() if place is None else self.index(place, 0, self.index(row, 0))
        return QModelIndex()

    def index(self, row: int, column: int, parent: Index = ROOT) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else RULE)

    def parent(self, index: Index = ROOT) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or index.internalId() == RULE:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, RULE)

    def rowCount(self, parent: Index = ROOT) -> int:
        if not parent.isValid():
            return len(self.groups)
        return len(self.groups[parent.row()].found) if parent.internalId() == RULE and parent.column() == 0 else 0

    def columnCount(self, parent: Index = ROOT) -> int:
        return len(COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled if index.internalId() == RULE else ROW_FLAGS

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if index.internalId() == RULE:
            return _of_rule(self.groups[index.row()], index.column(), role)
        return _of_finding(self.finding_at(index), index.column(), role)


def _of_rule(group: RuleFindings, column: int, role: int) -> Any:
    if role == Qt.ItemDataRole.DisplayRole:
        return (group.rule, f"{len(group.found):,}", str(group.worst.severity), group.requirement)[column]
    if role == Qt.ItemDataRole.ToolTipRole:
        return tip(f"{group.requirement}\n{group.found[0].section}")
    if role == TOKEN_ROLE:
        return token(group.worst) if column == SEVERITY else "muted" if column == TEXT else "text"
    return True if role == HEADING_ROLE and column in (NAME, COUNT) else None


def _of_finding(found: Any, column: int, role: int) -> Any:
    if role == Qt.ItemDataRole.DisplayRole:
        place = f"#{found.seq}" if found.seq >= 0 else "whole capture"
        return (place, byte_text(found), str(found.severity), str(found.text))[column]
    if role == Qt.ItemDataRole.ToolTipRole:
        return tip(str(found.text))
    if role == TOKEN_ROLE:
        return token(found) if column in (NAME, SEVERITY) else "muted" if column == COUNT else "text"
    if role == LINK_ROLE and column == NAME:
        return link(found)
    return token(found) if role == MARK_ROLE and column == NAME else None
