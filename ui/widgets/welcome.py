"""The window without a capture: how to get one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QProgressBar, QPushButton, QVBoxLayout, QWidget

from ui import style
from ui.widgets.controls import spoken
from ui.widgets.icons import icon, paint
from ui.widgets.plain import PlainLabel
from ui.words import tip

HINT = "Drop a .trace, .ddicap or .ddirec here"


class Mark(QWidget):
    """The project's sign."""

    def __init__(self, side: int = 64) -> None:
        super().__init__()
        self.setFixedSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint(painter, "logo", QRectF(self.rect()), style.theme().accent, 1.2)


class Welcome(QWidget):
    opened = Signal(str)
    browsed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("welcome")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._dropping = False
        title = PlainLabel("DDI Inspector")
        title.setFont(style.ui_font(22))
        self.hint = PlainLabel(HINT)
        self.hint.setObjectName("muted")
        self.hint.setFont(style.ui_font(11))
        self.open_button = spoken(QPushButton("Open a capture…"), "Open a capture")
        self.open_button.setObjectName("primary")
        self.open_button.clicked.connect(self.browsed)
        self.work = PlainLabel()
        self.work.setObjectName("muted")
        self.bar = spoken(QProgressBar(), "Progress")
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1000)
        self.bar.setFixedWidth(320)
        self.recent_title = PlainLabel("Recent")
        self.recent_title.setObjectName("faint")
        self.recent = spoken(QListWidget(), "Recent captures")
        self.recent.setObjectName("recent")
        self.recent.setFixedWidth(460)
        self.recent.setMaximumHeight(220)
        self.recent.setIconSize(QSize(16, 16))
        self.recent.itemActivated.connect(self._open)
        self.recent.itemClicked.connect(self._open)
        column = QVBoxLayout(self)
        column.addStretch(2)
        for widget, gap in ((Mark(72), 10), (title, 2), (self.hint, 16), (self.open_button, 26)):
            column.addLayout(_centered(widget))
            column.addSpacing(gap)
        self.recent_title.setFixedWidth(460)
        column.addLayout(_centered(self.bar))
        column.addLayout(_centered(self.work))
        column.addLayout(_centered(self.recent_title))
        column.addLayout(_centered(self.recent))
        column.addStretch(3)

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
        listed = not opening and self.recent.count() > 0
        self.recent.setVisible(listed)
        self.recent_title.setVisible(listed)

    def set_recent(self, paths: list[str]) -> None:
        self.recent.clear()
        for path in paths:
            item = QListWidgetItem(icon("file", "muted"), f"{Path(path).name}   ·   {Path(path).parent}")
            item.setToolTip(tip(path))
            item.setData(Qt.ItemDataRole.UserRole, path)
            self.recent.addItem(item)
        self.show_progress(-1.0, "")

    def set_dropping(self, dropping: bool) -> None:
        """While a file hovers over the window."""
        self._dropping = dropping
        self.update()

    def _open(self, item: QListWidgetItem) -> None:
        self.opened.emit(item.data(Qt.ItemDataRole.UserRole))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            theme = style.theme()
            painter.fillRect(self.rect(), theme.color("window"))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            token, width = ("accent", 2.0) if self._dropping else ("border", 1.4)
            pen = QPen(theme.color(token), width, Qt.PenStyle.DashLine)
            pen.setDashPattern([6, 5])
            painter.setPen(pen)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(18, 12, -18, -14), 12, 12)


def _centered(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addStretch(1)
    row.addWidget(widget)
    row.addStretch(1)
    return row
