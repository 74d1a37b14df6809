"""Small controls, each made in one line, always with an accessible name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QSplitter,
    QStyle,
    QStyleOptionComboBox,
    QToolButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from ui import style
from ui.widgets.icons import icon, paint
from ui.widgets.numbers import shortened
from ui.widgets.plain import PlainLabel
from ui.widgets.step_box import NumberBox, StepBox
from ui.words import tip

LOW = 380
"""Pixels of height below which two halves stand side by side, if there is the width."""
LOWEST = 220
"""Pixels of height below which they do so with any width."""
ROOMY = 460
"""Pixels of height from which on a half that has only a hint to show does so below the other."""

LITTLE = 90
"""Pixels of height below which what is left for a half that gives way is of no use."""

NARROWEST = 28
"""Pixels that a line of words keeps when there is no room."""

W = TypeVar("W", bound=QWidget)


def spoken(widget: W, name: str) -> W:
    """Gives a widget its name for screen readers."""
    widget.setAccessibleName(name)
    return widget


class Words(PlainLabel):
    """One line that gives way to its neighbours: what does not fit is dots, and a tooltip.  With wordWrap it has more lines."""

    def minimumSizeHint(self) -> QSize:
        if self.wordWrap():
            return super().minimumSizeHint()
        whole = super().sizeHint()
        return QSize(min(whole.width(), NARROWEST), whole.height())

    def _shown(self) -> str:
        if self.wordWrap():
            return self.text()
        return shortened(self.text(), self.fontMetrics(), self.contentsRect().width())

    def paintEvent(self, event: QPaintEvent) -> None:
        if (shown := self._shown()) == self.text():
            super().paintEvent(event)
            return
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(self.contentsRect(), int(self.alignment() | Qt.TextFlag.TextSingleLine), shown)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and not self.toolTip():
            QToolTip.showText(event.globalPos(), tip(self.text() if self._shown() != self.text() else ""), self)
            return True
        return super().event(event)


def label(text: str = "", kind: str = "muted") -> QLabel:
    """`kind` is a look in the style sheet: heading, muted, faint."""
    result = Words(text)
    result.setObjectName(kind)
    return result


def tool(name: str, about: str, sign: str = "", text: str = "", checkable: bool = False, checked: bool = False) -> QToolButton:
    """A flat button with an icon (`sign`) or a text."""
    button = spoken(QToolButton(), name)
    button.setToolTip(about)
    button.setText(text)
    button.setProperty("worded", bool(text))  # has an outline: words alone look like a label
    if sign:
        button.setIcon(icon(sign, "muted"))
    button.setCheckable(checkable)
    button.setChecked(checked)
    return button


def one_of(parent: QObject, *buttons: QAbstractButton) -> QButtonGroup:
    """A group of which one is down: Tab comes to that one, arrows lead to the others."""
    group = QButtonGroup(parent)

    def take_tab(button: QAbstractButton, checked: bool) -> None:
        policy = button.focusPolicy()
        button.setFocusPolicy(policy | Qt.FocusPolicy.TabFocus if checked else policy & ~Qt.FocusPolicy.TabFocus)

    for number, button in enumerate(buttons):
        group.addButton(button, number)
        take_tab(button, button.isChecked())
    group.buttonToggled.connect(take_tab)
    return group


def search_box(name: str, hint: str, about: str = "") -> QLineEdit:
    edit = spoken(QLineEdit(), name)
    edit.setPlaceholderText(hint)
    edit.setClearButtonEnabled(True)
    edit.setToolTip(about or name)
    edit.addAction(icon("search", "faint"), QLineEdit.ActionPosition.LeadingPosition)
    return edit


def paint_arrow(painter: QPainter, box: QWidget) -> None:
    """At the right end of what opens a list, in the colours of the theme."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    place = QRectF(box.width() - 20, (box.height() - 13) / 2, 13, 13)
    paint(painter, "down", place, style.theme().color("muted" if box.isEnabled() else "disabled").name(), 2.2)


class Choice(QComboBox):
    """A drop-down list whose arrow follows the theme."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setToolTip(name)

    def in_short(self, text: str) -> str:
        """What the closed list shows of the entry that is chosen."""
        return text

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """What does not fit ends in dots: a number that is cut reads as another one."""
        super().initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width()
        text = self.in_short(option.currentText)
        option.currentText = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, room)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel scrolls what is around: it would choose something else in passing."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            paint_arrow(painter, self)


def count_box(name: str, prefix: str) -> StepBox:
    box = spoken(StepBox(), name)
    box.setPrefix(prefix)
    box.setToolTip(name)
    box.setKeyboardTracking(False)
    box.lineEdit().setTextMargins(6, 0, 2, 0)
    return box


def number_box(name: str, value: float) -> NumberBox:
    box = spoken(NumberBox(), name)
    box.setDecimals(6)
    box.setFixedWidth(98)
    box.setSingleStep(0.01)
    box.setRange(-1e9, 1e9)
    box.setValue(value)
    box.setToolTip(name)
    box.lineEdit().setTextMargins(6, 0, 2, 0)
    return box


def single_shot(parent: QObject, milliseconds: int, does: Callable[[], object]) -> QTimer:
    """A timer that waits for things to calm down: each `start` restarts the wait."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(does)
    return timer


def strip(*widgets: QWidget | None, name: str = "strip") -> QWidget:
    """A row of small controls; None is the stretch between them.  It takes the panel's width and asks for none of its own."""
    row = QWidget()
    row.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    row.setObjectName(name)
    row.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    layout = QHBoxLayout(row)
    layout.setContentsMargins(6, 4, 6, 4)
    layout.setSpacing(4)
    for widget in widgets:
        if widget is None:
            layout.addStretch(1)
        else:
            layout.addWidget(widget)
    return row


class Halves(QSplitter):
    """Widgets one above the other; side by side where there is much width and little height."""

    crowded = Signal(bool)
    """Whether the widget that gives way (`keep`) has no room."""

    def __init__(self, sizes: tuple[int, ...], beside: tuple[int, ...]) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._shares = {Qt.Orientation.Vertical: list(sizes), Qt.Orientation.Horizontal: list(beside)}
        self._spare: dict[QWidget, bool] = {}
        self._kept, self._least = QWidget(), QSize(0, 0)
        self._giving: QWidget | None = None
        self._is_crowded = self._swapped = False
        self._keeps_still = False
        self._pressed = single_shot(self, QApplication.doubleClickInterval(), self._share)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)

    def keep_still(self, view: QAbstractItemView) -> None:
        """A half that comes into sight waits for a second click on the row: else that would be on what has come there."""
        self._keeps_still = True
        view.pressed.connect(lambda _: self._pressed.start())

    @property
    def _is_still(self) -> bool:
        """A view says that it was pressed after it has said that another row was chosen."""
        if self._keeps_still and QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._pressed.start()
        return self._pressed.isActive()

    def set_empty(self, widget: QWidget, empty: bool, hint: bool = False) -> None:
        """What has nothing to show leaves its room to the others; a hint is shown only below them, in a high panel."""
        self._spare[widget] = hint
        widget.setProperty("empty", empty)
        self._share()

    def keep(self, widget: QWidget, least: QSize, giving: QWidget) -> None:
        """One half keeps so many pixels; where the other one has none left then, it gives way, and `swap` shows it instead."""
        self._kept, self._least, self._giving = widget, least, giving
        self._spare.setdefault(giving, False)

    def swap(self, swapped: bool) -> None:
        """Shows the half that gives way instead of the other one, where there is no room for both."""
        self._swapped = swapped
        self._share()

    def _share(self) -> None:
        beside = self.orientation() == Qt.Orientation.Horizontal
        for widget, hint in self._spare.items():
            wanted = not widget.property("empty") or (hint and not beside and self.height() >= ROOMY)
            widget.setVisible(wanted and not (widget.isHidden() and self._is_still))
        if self._giving is not None:
            self._give_way(beside, self._giving)

    def _give_way(self, beside: bool, giving: QWidget) -> None:
        list_, other = self._shares[self.orientation()][:2]
        room = self.width() * list_ // (list_ + other) - self._least.width() if beside else self.height() - self._least.height()
        crowded, alone = room < (0 if beside else LITTLE), bool(giving.property("empty"))
        self._kept.setMinimumHeight(0 if beside or crowded or alone else self._least.height())
        self._kept.setVisible(alone or not (crowded and self._swapped))
        wanted = not alone and (self._swapped or not crowded)
        giving.setVisible(wanted and not (giving.isHidden() and self._is_still))
        if crowded != self._is_crowded:
            self._is_crowded = crowded
            self.crowded.emit(crowded)

    def minimumSizeHint(self) -> QSize:
        """As low as side by side, which it is where that is needed."""
        halves = filter(None, map(self.widget, range(self.count())))
        heights = [half.minimumSizeHint().height() for half in halves]
        return QSize(super().minimumSizeHint().width(), max(heights, default=0))

    def _is_low(self) -> bool:
        """Whether there is little height, and the width that the halves need side by side, or no height for two at all."""
        needed = 0
        for half, share in zip(
            filter(None, map(self.widget, range(self.count()))), self._shares[Qt.Orientation.Horizontal], strict=False
        ):
            needed += share if not half.isHidden() or half.property("empty") else 0
        return self.height() < LOW and self.width() > 2 * self.height() and (self.width() >= needed or self.height() < LOWEST)

    def resizeEvent(self, event: QResizeEvent) -> None:
        wanted = Qt.Orientation.Horizontal if self._is_low() else Qt.Orientation.Vertical
        if wanted != self.orientation():
            self.setOrientation(wanted)
            self._share()
            self.setSizes(self._shares[wanted])
        else:
            self._share()
        super().resizeEvent(event)


def halves(*widgets: QWidget, sizes: tuple[int, ...], beside: tuple[int, ...] | None = None) -> Halves:
    """Widgets stacked (`sizes`), or side by side in a low panel (`beside`); the divider can be dragged."""
    splitter = Halves(sizes, beside or sizes)
    for widget in widgets:
        splitter.addWidget(widget)
    splitter.setSizes(list(sizes))
    return splitter


def titled(title: QLabel, widget: QWidget, *tools: QWidget) -> QWidget:
    """A widget below its title, at whose end are tools."""
    both = QWidget()
    box = QVBoxLayout(both)
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(0)
    box.addWidget(strip(title, None, *tools))
    box.addWidget(widget, 1)
    return both
