"""A row of controls that folds: those without room move behind a button at its end."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from ui.widgets.controls import tool

MARGIN, SPACING = 6, 4


class FoldingStrip(QWidget):
    """left: kept as long as there is any room; right: the last ones fold first, `kept` of the first ones never; grows: takes
    the room that is left."""

    def __init__(self, left: Sequence[QWidget], right: Sequence[QWidget], kept: int = 0, grows: QWidget | None = None) -> None:
        super().__init__()
        self.setObjectName("strip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._left, self._right, self._kept = tuple(left), tuple(right), kept
        self.more = tool("More controls", "More controls", text="»")
        self.more.clicked.connect(self._show_page)
        self._page = QFrame(self, Qt.WindowType.Popup)
        self._page.setObjectName("panel")
        self._inside = QHBoxLayout(self._page)
        self._inside.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(MARGIN, 4, MARGIN, 4)
        self._row.setSpacing(SPACING)
        for widget in self._left:
            self._row.addWidget(widget, int(widget is grows))
        self._row.addStretch(int(grows is None))
        for widget in self._right:
            self._row.addWidget(widget)
        self._row.addWidget(self.more)
        self._away: tuple[QWidget, ...] = ()
        self._moving = False
        for widget in (*self._left, *self._right):
            widget.installEventFilter(self)
        self.more.hide()

    @property
    def folded(self) -> tuple[QWidget, ...]:
        """What is behind the button."""
        return self._away

    def minimumSizeHint(self) -> QSize:
        return QSize(60, super().minimumSizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Controls come and go with what is shown."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent) and not self._moving:
            self._fold()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        """Decides what fits, and moves what does not."""
        here = [widget for widget in self._right if not widget.isHidden()]
        wanted = sum(_width(widget) for widget in (*self._left, *here) if not widget.isHidden()) + 2 * MARGIN + SPACING
        away: list[QWidget] = []
        more = self.more.sizeHint().width() + SPACING
        while len(here) > self._kept and wanted + more * bool(away) > self.width():
            away.insert(0, here.pop())
            wanted -= _width(away[0])
        if tuple(away) == self._away:
            return
        self._moving = True
        for place, widget in enumerate(self._right):
            hidden = widget.isHidden()
            if widget in away:
                self._inside.addWidget(widget)
            else:
                self._row.insertWidget(len(self._left) + 1 + place - sum(one in away for one in self._right[:place]), widget)
            widget.setVisible(not hidden)
        self._away = tuple(away)
        self.more.setVisible(bool(away))
        self._moving = False

    def _show_page(self) -> None:
        self._page.adjustSize()
        corner = self.more.mapToGlobal(QPoint(self.more.width(), self.more.height() + 2))
        self._page.move(corner - QPoint(self._page.sizeHint().width(), 0))
        self._page.show()
        if self._away:
            self._away[0].setFocus(Qt.FocusReason.PopupFocusReason)


def _width(widget: QWidget) -> int:
    return min(max(widget.sizeHint().width(), widget.minimumWidth()), widget.maximumWidth()) + SPACING
