"""Findings as a tree of two levels: rules with counts, and the findings of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, Qt

from core.spec.findings import RULES
from ui.models.findings import byte_text, link, token
from ui.models.two_levels import TwoLevelModel
from ui.roles import HEADING_ROLE, LINK_ROLE, MARK_ROLE, ROW_FLAGS, TOKEN_ROLE, Index
from ui.words import tip

COLUMNS = ("Rule, event", "Count", "Severity", "Finding")
NAME, COUNT, SEVERITY, TEXT = range(len(COLUMNS))
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


class RulesModel(TwoLevelModel):
    columns = COLUMNS
    groups: list[RuleFindings]

    def items(self, group: RuleFindings) -> tuple[Any, ...]:
        return group.found

    def set_found(self, found: Iterable[Any]) -> None:
        self.beginResetModel()
        self.groups = by_rule(found)
        self.endResetModel()

    def finding_at(self, index: Index) -> Any:
        """The finding of a row; of a rule's row its first; None: no row."""
        if not index.isValid():
            return None
        return self.at(index).found[0] if self.is_group(index) else self.at(index)

    def index_of(self, found: Any) -> QModelIndex:
        """The row of a finding; invalid if it is not shown."""
        for row, group in enumerate(self.groups):
            if group.rule == str(found.rule):
                place = next((place for place, one in enumerate(group.found) if one is found), None)
                return QModelIndex() if place is None else self.index(place, 0, self.index(row, 0))
        return QModelIndex()

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled if self.is_group(index) else ROW_FLAGS

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        return (_of_rule if self.is_group(index) else _of_finding)(self.at(index), index.column(), role)


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
