"""The window without a capture: recent captures, samples, and ways to get another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QProgressBar,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui import style
from ui.widgets.controls import spoken, tool
from ui.widgets.icons import paint
from ui.widgets.plain import PlainLabel
from ui.widgets.row_menu import MenuKey
from ui.words import tip

Index = QModelIndex | QPersistentModelIndex
HINT = "Drop a .trace, .ddicap or .ddirec here"


CARD = (112, 84)
"""Pixels of a card's picture."""
PAGES = {"manual": "Manual", "lessons": "Lessons", "new": "What's new"}


@dataclass(frozen=True)
class Card:
    """A capture to open.  about: a sentence on it, or where it was left."""

    path: str
    title: str
    about: str = ""
    picture: QImage | None = None


class Mark(QWidget):
    """The project's sign."""

    def __init__(self, side: int = 64) -> None:
        super().__init__()
        self.setFixedSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint(painter, "logo", QRectF(self.rect()), style.theme().accent, 1.2)


class CardCell(QStyledItemDelegate):
    """A card's title stands out from what is said about it."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        title, _, about = str(index.data()).partition("\n")
        look = shown.widget.style()
        place = look.subElementRect(QStyle.SubElement.SE_ItemViewItemText, shown, shown.widget).adjusted(6, 0, -4, 0)
        shown.text = ""
        look.drawControl(QStyle.ControlElement.CE_ItemViewItem, shown, painter, shown.widget)
        painter.save()
        bold, line = QFont(shown.font), QFontMetrics(shown.font).lineSpacing()
        bold.setBold(True)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
        room = QRect(0, 0, place.width(), shown.rect.height())
        lines = -(-QFontMetrics(shown.font).boundingRect(room, flags, about).height() // line)
        top = shown.rect.top() + max(shown.rect.height() - (1 + lines) * line, 0) // 2
        theme, enabled = style.theme(), bool(shown.state & QStyle.StateFlag.State_Enabled)
        painter.setFont(bold)
        painter.setPen(theme.color("text" if enabled else "faint"))
        painter.drawText(place.left(), top, place.width(), line, Qt.AlignmentFlag.AlignVCenter, title)
        painter.setFont(shown.font)
        painter.setPen(theme.color("muted" if enabled else "faint"))
        painter.drawText(place.left(), top + line, place.width(), lines * line, flags, about)
        painter.restore()


class Welcome(QWidget):
    """`opened(path)`: a capture was chosen; `forgotten(path)`: it is to leave the list, `sought(path)`: its folder is wanted;
    `wanted(name)`: a command; `asked(page)`: a page to read."""

    opened = Signal(str)
    forgotten = Signal(str)
    sought = Signal(str)
    browsed = Signal()
    wanted = Signal(str)
    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("welcome")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.hint = PlainLabel(HINT)
        self.hint.setObjectName("muted")
        self.open_button = spoken(QPushButton("Open a capture…"), "Open a capture")
        self.open_button.setObjectName("primary")
        self.open_button.setToolTip("Open a .trace, .ddicap or .ddirec")
        self.open_button.clicked.connect(self.browsed)
        self.record_button = spoken(QPushButton("Record a program…"), "Record a program")
        self.record_button.setToolTip("Start a program and record what it draws")
        self.record_button.clicked.connect(lambda: self.wanted.emit("record"))
        self.record_button.hide()
        self.work = PlainLabel()
        self.work.setObjectName("muted")
        self.bar = spoken(QProgressBar(), "Progress")
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1000)
        self.bar.setFixedWidth(320)
        self.recent = self._make_list("Recent captures")
        self.samples = self._make_list("Samples")
        self._make_one_current()
        self.recent_column = _column("Continue", self.recent)
        page = QVBoxLayout(self)
        page.setContentsMargins(44, 30, 44, 30)
        page.setSpacing(14)
        page.addLayout(self._make_head())
        page.addLayout(_centered(self.bar))
        page.addLayout(_centered(self.work))
        lists = QHBoxLayout()
        lists.setSpacing(28)
        lists.addWidget(self.recent_column, 1)
        lists.addWidget(_column("Samples", self.samples), 1)
        page.addLayout(lists, 1)
        page.addLayout(self._make_links())

    def _make_head(self) -> QHBoxLayout:
        title = PlainLabel("DDI Inspector")
        title.setFont(style.ui_font(20))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(title)
        words.addWidget(self.hint)
        head = QHBoxLayout()
        head.addWidget(Mark(56))
        head.addSpacing(10)
        head.addLayout(words)
        head.addStretch(1)
        head.addWidget(self.record_button)
        head.addWidget(self.open_button)
        return head

    def _make_list(self, name: str) -> QListWidget:
        made = spoken(QListWidget(), name)
        made.setObjectName("cards")
        made.setIconSize(QSize(*CARD))
        made.setItemDelegate(CardCell(made))
        made.setWordWrap(True)
        made.setSpacing(2)
        made.setUniformItemSizes(False)
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        made.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        made.itemActivated.connect(self._open)
        made.itemClicked.connect(self._open)
        return made

    def _make_one_current(self) -> None:
        """A card is current in one of the lists: Enter opens it."""
        for cards, others in ((self.recent, self.samples), (self.samples, self.recent)):
            cards.currentRowChanged.connect(lambda row, others=others: others.setCurrentRow(-1) if row >= 0 else None)
        self.recent.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.recent.customContextMenuRequested.connect(self._show_menu)
        MenuKey(self.recent)

    def _show_menu(self, place: QPoint) -> None:
        item = self.recent.itemAt(place) or self.recent.currentItem()
        if item is not None:
            menu = QMenu(self.recent)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction("Open", lambda: self._open(item))
            menu.addAction("Show in folder", lambda: self.sought.emit(item.data(Qt.ItemDataRole.UserRole)))
            menu.addAction("Remove from the list", lambda: self._forget(item))
            menu.popup(self.recent.viewport().mapToGlobal(place))

    def _forget(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.forgotten.emit(item.data(Qt.ItemDataRole.UserRole))

    def _make_links(self) -> QHBoxLayout:
        self.links: dict[str, QToolButton] = {}
        row = QHBoxLayout()
        for name, words in PAGES.items():
            button = tool(words, f"Read: {words}", text=words)
            button.clicked.connect(partial(self.asked.emit, name))
            button.hide()
            self.links[name] = button
            row.addWidget(button)
        row.addStretch(1)
        return row

    def set_pages(self, names: Iterable[str]) -> None:
        """The pages that there are to read."""
        there = set(names)
        for name, button in self.links.items():
            button.setVisible(name in there)

    def set_opening(self, name: str) -> None:
        """The file that is being opened; empty: none."""
        self.hint.setText(f"Opening {name}" if name else HINT)

    def show_progress(self, fraction: float, text: str) -> None:
        """While a capture is opened: how far; negative: none is."""
        opening = fraction >= 0
        self.bar.setValue(round(fraction * 1000))
        self.work.setText(text)
        self.bar.setVisible(opening)
        self.work.setVisible(opening)
        self.open_button.setEnabled(not opening)
        self.recent.setEnabled(not opening)
        self.samples.setEnabled(not opening)

    def set_recent(self, cards: Sequence[Card]) -> None:
        """Captures opened before, newest first."""
        self._fill(self.recent, cards)
        self.recent_column.setVisible(bool(cards))
        self.show_progress(-1.0, "")

    def set_samples(self, cards: Sequence[Card]) -> None:
        self._fill(self.samples, cards)

    def take_keys(self) -> None:
        """Gives the keyboard to the captures opened before; without any, to the samples."""
        cards = self.recent if self.recent.count() else self.samples
        cards.setCurrentRow(0)
        cards.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill(self, shown: QListWidget, cards: Sequence[Card]) -> None:
        shown.clear()
        for card in cards:
            item = QListWidgetItem(_icon(card.picture), f"{card.title}\n{card.about}")
            item.setToolTip(tip(card.path))
            item.setData(Qt.ItemDataRole.UserRole, card.path)
            shown.addItem(item)

    def _open(self, item: QListWidgetItem) -> None:
        self.opened.emit(item.data(Qt.ItemDataRole.UserRole))


def _column(title: str, below: QWidget) -> QWidget:
    words = PlainLabel(title)
    words.setObjectName("heading")
    column = QWidget()
    box = QVBoxLayout(column)
    box.setContentsMargins(0, 0, 0, 0)
    box.addWidget(words)
    box.addWidget(below, 1)
    return column


def _icon(picture: QImage | None) -> QIcon:
    """The picture in the middle of a card, which looks the same when it is chosen; without one, a sheet of paper."""
    card = QPixmap(CARD[0] * 2, CARD[1] * 2)
    card.fill(style.theme().color("canvas"))
    with QPainter(card) as painter:
        if picture is None or picture.isNull():
            side = CARD[1]
            paint(painter, "file", QRectF(CARD[0] - side / 2, CARD[1] - side / 2, side, side), style.theme().faint, 1.2)
        else:
            shown = picture.scaled(card.size(), Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
            painter.drawImage((card.width() - shown.width()) // 2, (card.height() - shown.height()) // 2, shown)
    icon = QIcon(card)
    icon.addPixmap(card, QIcon.Mode.Selected)
    return icon


def _centered(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addStretch(1)
    row.addWidget(widget)
    row.addStretch(1)
    return row
