"""Names and values under headings: the parts of the panel on the right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QSizePolicy, QWidget

from ui import style
from ui.widgets.plain import PlainLabel

EDGE, GAP = 12, 12
"""Pixels around the facts, and between names and values."""
MAY_BREAK = "\u200b"
WORDS = re.compile(r"(?<=_)|(?<=[A-Z]{3})(?=PRIMITIVE|INDEXED|VERTEX|SHADER|STATE|STREAM|STAGE|CONST|TEXTURE|LIST|FAN|STRIP)")
"""Where the words of names end."""
BY_MOUSE_AND_KEYS = Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard


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
        self._spare: dict[object, list[QWidget]] = {}  # by their looks, those that were shown before
        self._shown_now: list[tuple[object, QWidget]] = []
        self._page: QWidget | None = None  # made with the first facts: its size counts where the room is shared out
        self._rows = 0
        self._laid_out: object = None
        self._needs: dict[Fact, int] = {}  # pixels of width to fit next to its name
        style.current().changed.connect(self._restyle)

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

    def _fit(self) -> None:
        """A value with no room next to its name goes below it."""
        looks = [[(self._is_beside(fact), fact.mono, not fact.link, not fact.origin) for fact in one.facts]
                 for one in self.sections]  # fmt: skip
        wanted = looks, [bool(one.title) for one in self.sections], style.mono_font().key()
        if wanted != self._laid_out:
            self._laid_out = wanted
            self._lay_out()

    def _restyle(self) -> None:
        """Links have other colours, perhaps digits another font."""
        if self.sections:
            self._needs = self._widths_beside()
            self._fit()
            self._write()

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
            bold = style.ui_font()
            bold.setWeight(QFont.Weight.DemiBold)
            yield self._breakable(section.title, bold)
        for fact in section.facts:
            if fact.name:
                yield _link(f"#{fact.origin}", fact.name) if fact.origin else fact.name
            yield _link(fact.link, fact.value) if fact.link else self._shown(fact)

    def _shown(self, fact: Fact) -> str:
        return fact.value if fact.mono or fact.link else self._breakable(fact.value, self.font())

    def _breakable(self, text: str, font: QFont) -> str:
        """Names may break behind underscores and between the words of a token where they have no room as a whole."""
        fits = _longest_word(text, QFontMetrics(font)) <= self.viewport().width() - 2 * EDGE
        return text if fits else WORDS.sub(MAY_BREAK, text)

    def _widths_beside(self) -> dict[Fact, int]:
        """Pixels for the longest name and, next to it, the longest word of the value."""
        plain, mono = QFontMetrics(self.font()), QFontMetrics(style.mono_font())
        named = [fact for section in self.sections for fact in section.facts if fact.name]
        names = max((plain.horizontalAdvance(fact.name) for fact in named), default=0) + 2 * EDGE + GAP
        return {fact: names + _longest_word(fact.value, mono if fact.mono else plain) for fact in named}

    def _make_page(self) -> QWidget:
        page = QWidget()
        page.setObjectName("panel")
        page.setStyleSheet("QWidget#panel { border: none; }")
        grid = QGridLayout(page)
        grid.setContentsMargins(EDGE, 8, EDGE, EDGE)
        grid.setHorizontalSpacing(GAP)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        return page

    def _lay_out(self) -> None:
        """Puts labels into their places: those that were there before, as making and styling them takes longest."""
        place, new = self.verticalScrollBar().value(), self._page is None
        page = self._page = self._page or self._make_page()
        grid = page.layout()
        assert isinstance(grid, QGridLayout)
        grid.setRowStretch(self._rows, 0)
        for looks, widget in reversed(self._shown_now):
            grid.removeWidget(widget)  # which ends its item: an item that is taken stays the widget's, with its old size
            self._spare.setdefault(looks, []).append(widget)
        self._labels, self._shown_now = [], []
        row = 0
        for section in self.sections:
            row = self._add_section(grid, section, row)
        grid.setRowStretch(row, 1)
        self._rows = row
        if new:
            self.setWidget(page)
        self._put_away()
        self.verticalScrollBar().setValue(place)

    def _put_away(self) -> None:
        for widgets in self._spare.values():
            for widget in widgets:
                widget.hide()
                if isinstance(widget, QLabel):
                    widget.clear()

    def _taken(self, looks: object, make: Callable[[], QWidget]) -> QWidget:
        """A widget that looks so, of those not used any more; a new one if there is none."""
        if spare := self._spare.get(looks):
            widget = spare.pop()
        else:
            widget = make()
            widget.setParent(self._page)  # or it would be a window
        widget.show()
        self._shown_now.append((looks, widget))
        return widget

    def _add_section(self, grid: QGridLayout, section: Section, row: int) -> int:
        if row:
            grid.addWidget(self._taken("line", _line), row, 0, 1, 2)
            row += 1
        if section.title:
            grid.addWidget(self._label("title", _title), row, 0, 1, 2)
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

    def _label(self, looks: object, make: Callable[[], QLabel]) -> QLabel:
        label = self._taken(looks, make)
        assert isinstance(label, QLabel)
        self._labels.append(label)
        return label

    def _name(self, fact: Fact) -> QLabel:
        return self._label(("name", bool(fact.origin)), partial(self._make_name, bool(fact.origin)))

    def _value(self, fact: Fact) -> QLabel:
        font = style.mono_font().key() if fact.mono else ""
        return self._label(("value", font, bool(fact.link)), partial(self._make_value, fact.mono, bool(fact.link)))

    def _make_name(self, is_link: bool) -> QLabel:
        name = PlainLabel()
        name.setObjectName("muted")
        if is_link:
            name.setTextFormat(Qt.TextFormat.RichText)
            name.setToolTip("Where does this come from?")
            name.linkActivated.connect(lambda link: self.origin_asked.emit(link[1:]))
            name.setTextInteractionFlags(BY_MOUSE_AND_KEYS)
        return name

    def _make_value(self, mono: bool, is_link: bool) -> QLabel:
        value = PlainLabel()
        value.setWordWrap(True)
        value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        flags = Qt.TextInteractionFlag.TextSelectableByMouse
        if mono:
            value.setFont(style.mono_font())
        if is_link:
            value.setTextFormat(Qt.TextFormat.RichText)
            value.linkActivated.connect(self._follow)
            flags |= BY_MOUSE_AND_KEYS
        value.setTextInteractionFlags(flags)
        return value

    def _follow(self, link: str) -> None:
        kind, _, handle = link.partition(":")
        if handle:
            self.asked.emit(kind, int(handle))
        else:
            self.followed.emit(int(link[1:]))


def _longest_word(text: str, metrics: QFontMetrics) -> int:
    """In pixels."""
    return max(map(metrics.horizontalAdvance, text.split()), default=0)


def _line() -> QFrame:
    line = QFrame()
    line.setObjectName("line")
    return line


def _title() -> QLabel:
    title = PlainLabel()
    title.setObjectName("heading")
    title.setWordWrap(True)
    title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # a long one makes nothing else wider
    return title


def _link(to: str, text: str) -> str:
    look = f"color:{style.theme().link};text-decoration:none"
    return f'<a href="{escape(to)}" style="{look}">{escape(text)}</a>'
