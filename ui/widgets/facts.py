"""Names and values under headings: what the inspector on the right is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QSizePolicy, QWidget

from ui import style

EDGE, GAP = 12, 12
"""Pixels around the facts, and between names and values."""


@dataclass(frozen=True)
class Fact:
    """`event`: the value is a link to that event.  `mono`: digits line up."""

    name: str
    value: str
    event: int | None = None
    mono: bool = False


@dataclass(frozen=True)
class Section:
    title: str
    facts: Sequence[Fact] = field(default_factory=tuple)


class Facts(QScrollArea):
    """`followed(event)`: a link was clicked, or chosen with the keyboard."""

    followed = Signal(int)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.sections: tuple[Section, ...] = ()
        self._beside = True
        self._least = 0  # pixels that names and values side by side need

    def show_sections(self, sections: Sequence[Section]) -> None:
        """Replaces what is shown; nothing happens if it is the same."""
        if tuple(sections) != self.sections:
            self.sections = tuple(sections)
            self._lay_out(True)
            self._least = self._width_beside()
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Where there is no room for both, values stand under their names."""
        beside = self._least <= self.viewport().width()
        if self.sections and beside != self._beside:
            self._lay_out(beside)

    def _width_beside(self) -> int:
        """Pixels for the longest name and, beside it, the longest word of a value."""
        plain, mono = QFontMetrics(self.font()), QFontMetrics(style.mono_font())
        named = [fact for section in self.sections for fact in section.facts if fact.name]
        names = max((plain.horizontalAdvance(fact.name) for fact in named), default=0)
        words = ((mono if fact.mono else plain, word) for fact in named for word in fact.value.split())
        return names + max((metrics.horizontalAdvance(word) for metrics, word in words), default=0) + 2 * EDGE + GAP

    def _lay_out(self, beside: bool) -> None:
        place = self.verticalScrollBar().value()
        self._beside = beside
        page = QWidget()
        page.setObjectName("panel")
        page.setStyleSheet("QWidget#panel { border: none; }")
        grid = QGridLayout(page)
        grid.setContentsMargins(EDGE, 8, EDGE, EDGE)
        grid.setHorizontalSpacing(GAP)
        grid.setVerticalSpacing(4 if beside else 2)
        grid.setColumnStretch(1, 1)
        row = 0
        for section in self.sections:
            row = self._add_section(grid, section, row)
        grid.setRowStretch(row, 1)
        self.setWidget(page)
        self.verticalScrollBar().setValue(place)

    def _add_section(self, grid: QGridLayout, section: Section, row: int) -> int:
        if row:
            line = QFrame()
            line.setObjectName("line")
            grid.addWidget(line, row, 0, 1, 2)
            row += 1
        title = QLabel(section.title)
        title.setObjectName("heading")
        title.setWordWrap(True)
        grid.addWidget(title, row, 0, 1, 2)
        for fact in section.facts:
            row += 1
            if fact.name:
                name = QLabel(fact.name)
                name.setObjectName("muted")
                grid.addWidget(name, row, 0, 1, 1 if self._beside else 2, Qt.AlignmentFlag.AlignTop)
            if fact.name and self._beside:
                grid.addWidget(self._value(fact), row, 1)
            else:
                row += bool(fact.name)
                grid.addWidget(self._value(fact), row, 0, 1, 2)
        return row + 1

    def _value(self, fact: Fact) -> QLabel:
        value = QLabel()
        value.setWordWrap(True)
        value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        flags = Qt.TextInteractionFlag.TextSelectableByMouse
        if fact.mono:
            value.setFont(style.mono_font())
        if fact.event is not None:
            value.setTextFormat(Qt.TextFormat.RichText)
            value.setText(f'<a href="#{fact.event}" style="text-decoration:none">{escape(fact.value)}</a>')
            value.linkActivated.connect(lambda link: self.followed.emit(int(link[1:])))
            flags |= Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        else:
            value.setTextFormat(Qt.TextFormat.PlainText)
            value.setText(fact.value)
        value.setTextInteractionFlags(flags)
        return value
