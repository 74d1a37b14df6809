"""Names and values under headings: the parts of the panel on the right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QSizePolicy, QWidget

from ui import style
from ui.widgets.plain import PlainLabel

EDGE, GAP = 12, 12
"""Pixels around the facts, and between names and values."""
MAY_BREAK = "\u200b"


@dataclass(frozen=True)
class Fact:
    """`event`: the value is a link to that event; `thing` ("vertex_shader", 5): to what that holds.  `mono`: digits line up.
    `origin`: the name is a link that asks where this value comes from."""

    name: str
    value: str
    event: int | None = None
    mono: bool = False
    thing: tuple[str, int] | None = None
    origin: str = ""

    @property
    def link(self) -> str:
        """Where the value leads; "": nowhere."""
        return f"#{self.event}" if self.event is not None else "{}:{}".format(*self.thing) if self.thing else ""


@dataclass(frozen=True)
class Section:
    title: str
    facts: Sequence[Fact] = field(default_factory=tuple)


class Facts(QScrollArea):
    """`followed(event)`: a link was clicked, or chosen with the keyboard; `asked(kind, handle)`: one to what a thing holds."""

    followed = Signal(int)
    asked = Signal(str, int)
    origin_asked = Signal(str)
    """The name of a fact was clicked: its `origin`."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.sections: tuple[Section, ...] = ()
        self._labels: list[QLabel] = []  # title, then name (if any) and value of each fact, section by section
        self._laid_out: object = None
        self._needs: dict[Fact, int] = {}  # pixels of width to fit next to its name
        style.current().changed.connect(self._write)

    def show_sections(self, sections: Sequence[Section]) -> None:
        """Replaces what is shown; nothing happens if it is the same."""
        if tuple(sections) != self.sections:
            self.sections = tuple(sections)
            self._needs = self._widths_beside()
            self._fit()
            self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.sections:
            self._fit()
            self._write()

    def _fit(self) -> bool:
        """A value with no room next to its name goes below it.  True if the labels are new, and empty."""
        looks = [[(self._is_beside(fact), fact.mono, not fact.link) for fact in one.facts] for one in self.sections]
        wanted = looks, [bool(one.title) for one in self.sections]
        if wanted == self._laid_out:
            return False
        self._laid_out = wanted
        self._lay_out()
        return True

    def _write(self) -> None:
        """Puts the words into the labels, links in the colour of the theme."""
        texts = (text for section in self.sections for text in self._texts(section))
        for label, text in zip(self._labels, texts, strict=True):
            if label.text() != text:
                label.setText(text)

    def _is_beside(self, fact: Fact) -> bool | None:
        """None: it has no name."""
        return self._needs[fact] <= self.viewport().width() if fact.name else None

    def _texts(self, section: Section) -> Iterator[str]:
        """What its labels say: the title, then names and values."""
        if section.title:
            yield section.title.replace("_", "_" + MAY_BREAK)
        for fact in section.facts:
            if fact.name:
                yield _link(f"#{fact.origin}", fact.name) if fact.origin else fact.name
            yield _link(fact.link, fact.value) if fact.link else self._shown(fact)

    def _shown(self, fact: Fact) -> str:
        """A name with underscores may break behind them where it has no room as a whole."""
        fits = "_" not in fact.value or fact.mono or fact.link or self._longest(fact) <= self.viewport().width() - 2 * EDGE
        return fact.value if fits else fact.value.replace("_", "_" + MAY_BREAK)

    def _longest(self, fact: Fact) -> int:
        """Pixels of the longest word of a value."""
        metrics = QFontMetrics(style.mono_font() if fact.mono else self.font())
        return max(map(metrics.horizontalAdvance, fact.value.split()), default=0)

    def _widths_beside(self) -> dict[Fact, int]:
        """Pixels for the longest name and, next to it, the longest word of the value."""
        plain = QFontMetrics(self.font())
        named = [fact for section in self.sections for fact in section.facts if fact.name]
        names = max((plain.horizontalAdvance(fact.name) for fact in named), default=0) + 2 * EDGE + GAP
        return {fact: names + self._longest(fact) for fact in named}

    def _lay_out(self) -> None:
        place = self.verticalScrollBar().value()
        self._labels = []
        page = QWidget()
        page.setObjectName("panel")
        page.setStyleSheet("QWidget#panel { border: none; }")
        grid = QGridLayout(page)
        grid.setContentsMargins(EDGE, 8, EDGE, EDGE)
        grid.setHorizontalSpacing(GAP)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        row = 0
        for section in self.sections:
            row = self._add_section(grid, section, row)
        grid.setRowStretch(row, 1)
        if (before := self.takeWidget()) is not None:
            before.deleteLater()  # at once is too early: Qt goes through all widgets when another theme makes this one narrower
        self.setWidget(page)
        page.show()
        self.verticalScrollBar().setValue(place)

    def _add_section(self, grid: QGridLayout, section: Section, row: int) -> int:
        if row:
            line = QFrame()
            line.setObjectName("line")
            grid.addWidget(line, row, 0, 1, 2)
            row += 1
        if section.title:
            title = self._label("heading")
            title.setWordWrap(True)
            title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # a long one makes nothing else wider
            grid.addWidget(title, row, 0, 1, 2)
        for fact in section.facts:
            row += 1
            beside = self._is_beside(fact)
            if fact.name:
                grid.addWidget(self._name(fact), row, 0, 1, 1 if beside else 2, Qt.AlignmentFlag.AlignTop)
            if beside:
                grid.addWidget(self._value(fact), row, 1)
            else:
                row += bool(fact.name)
                grid.addWidget(self._value(fact), row, 0, 1, 2)
        return row + 1

    def _label(self, name: str = "") -> QLabel:
        label = PlainLabel()
        label.setObjectName(name)
        self._labels.append(label)
        return label

    def _name(self, fact: Fact) -> QLabel:
        name = self._label("muted")
        if fact.origin:
            name.setTextFormat(Qt.TextFormat.RichText)
            name.setToolTip("Where does this come from?")
            name.linkActivated.connect(lambda link: self.origin_asked.emit(link[1:]))
            flags = Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
            name.setTextInteractionFlags(flags)
        return name

    def _value(self, fact: Fact) -> QLabel:
        value = self._label()
        value.setWordWrap(True)
        value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        flags = Qt.TextInteractionFlag.TextSelectableByMouse
        if fact.mono:
            value.setFont(style.mono_font())
        if fact.link:
            value.setTextFormat(Qt.TextFormat.RichText)
            value.linkActivated.connect(self._follow)
            flags |= Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        else:
            value.setTextFormat(Qt.TextFormat.PlainText)
        value.setTextInteractionFlags(flags)
        return value

    def _follow(self, link: str) -> None:
        kind, _, handle = link.partition(":")
        if handle:
            self.asked.emit(kind, int(handle))
        else:
            self.followed.emit(int(link[1:]))


def _link(to: str, text: str) -> str:
    look = f"color:{style.theme().link};text-decoration:none"
    return f'<a href="{escape(to)}" style="{look}">{escape(text)}</a>'
