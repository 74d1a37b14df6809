"""Small controls, made in one line each, never without a spoken name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QSplitter,
    QToolButton,
    QWidget,
)

from ui import style
from ui.widgets.icons import icon, paint

W = TypeVar("W", bound=QWidget)


def spoken(widget: W, name: str) -> W:
    """Gives a widget its name for screen readers."""
    widget.setAccessibleName(name)
    return widget


def label(text: str = "", kind: str = "muted") -> QLabel:
    """`kind` is a look in the style sheet: heading, muted, faint."""
    result = QLabel(text)
    result.setObjectName(kind)
    return result


def tool(name: str, tip: str, sign: str = "", text: str = "", checkable: bool = False, checked: bool = False) -> QToolButton:
    """A flat button with an icon (`sign`) or a text."""
    button = spoken(QToolButton(), name)
    button.setToolTip(tip)
    button.setText(text)
    if sign:
        button.setIcon(icon(sign, "muted"))
    button.setCheckable(checkable)
    button.setChecked(checked)
    return button


def search_box(name: str, hint: str, tip: str = "") -> QLineEdit:
    edit = spoken(QLineEdit(), name)
    edit.setPlaceholderText(hint)
    edit.setClearButtonEnabled(True)
    edit.setToolTip(tip)
    edit.addAction(icon("search", "faint"), QLineEdit.ActionPosition.LeadingPosition)
    return edit


class Choice(QComboBox):
    """A drop-down list whose arrow follows the theme."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            box = QRectF(self.width() - 20, (self.height() - 13) / 2, 13, 13)
            paint(painter, "down", box, style.theme().color("muted" if self.isEnabled() else "faint").name(), 2.2)


def count_box(name: str, prefix: str) -> QSpinBox:
    box = spoken(QSpinBox(), name)
    box.setPrefix(prefix)
    box.setKeyboardTracking(False)
    box.lineEdit().setTextMargins(6, 0, 2, 0)
    return box


def number_box(name: str, value: float) -> QDoubleSpinBox:
    box = spoken(QDoubleSpinBox(), name)
    box.setDecimals(6)
    box.setFixedWidth(84)
    box.setSingleStep(0.01)
    box.setRange(-1e9, 1e9)
    box.setValue(value)
    box.setToolTip(name)
    box.lineEdit().setTextMargins(6, 0, 2, 0)
    return box


def single_shot(parent: QObject, milliseconds: int, does: Callable[[], object]) -> QTimer:
    """A timer that waits for things to calm down: each `start` begins the wait anew."""
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


def halves(*widgets: QWidget, sizes: tuple[int, ...]) -> QSplitter:
    """Widgets one above the other, the line between them can be dragged."""
    splitter = QSplitter(Qt.Orientation.Vertical)
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(1)
    for widget in widgets:
        splitter.addWidget(widget)
    splitter.setSizes(list(sizes))
    return splitter
