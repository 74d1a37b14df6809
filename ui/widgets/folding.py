"""A row of controls that folds: those without room move behind a button at its end."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from ui.widgets.controls import Words, tool

MARGIN, SPACING = 6, 4
WORDS = 100
"""Pixels that words keep: controls fold first."""


class FoldingStrip(QWidget):
    """right: the last ones fold first, `kept` of the first ones never; left: fold after them, `firm` of the first ones, or all,
    never; leaving: what folds instead, in that order; grows: take the room that is left."""

    def __init__(
        self, left: Sequence[QWidget], right: Sequence[QWidget], kept: int = 0, grows: QWidget | Sequence[QWidget] = (),
        firm: int | None = None, leaving: Sequence[QWidget] | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.setObjectName("strip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._left, self._right = tuple(left), tuple(right)
        usual = *reversed(self._right[kept:]), *reversed(self._left[len(left) if firm is None else firm :])
        self._leaving = usual if leaving is None else tuple(leaving)
        """What folds, in that order."""
        self._growing = (grows,) if isinstance(grows, QWidget) else tuple(grows)
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
            self._row.addWidget(widget, int(widget in self._growing))
        self._row.addStretch(int(not self._growing))
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

    def event(self, event: QEvent) -> bool:
        """Words of a control have become longer or shorter."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fold()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        """Decides what fits, and moves what does not."""
        every = *self._left, *self._right
        wanted = sum(_width(widget) for widget in every if not widget.isHidden()) + 2 * MARGIN + SPACING
        away: list[QWidget] = []
        more = self.more.sizeHint().width() + SPACING
        for widget in self._leaving:
            if wanted + more * bool(away) <= self.width():
                break
            if not widget.isHidden():
                away.append(widget)
                wanted -= _width(widget)
        away = [widget for widget in every if widget in away]
        if tuple(away) == self._away:
            return
        self._moving = True
        here = [widget for widget in every if widget not in away]
        for widget in every:
            hidden = widget.isHidden()
            if widget in away:
                self._inside.addWidget(widget)
            else:
                place = here.index(widget) + (widget in self._right)  # behind the stretch
                self._row.insertWidget(place, widget, int(widget in self._growing))
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
    """Pixels that a control needs; of words, those that they keep."""
    wanted = widget.sizeHint().width()
    wanted = min(wanted, WORDS) if isinstance(widget, Words) else wanted
    return min(max(wanted, widget.minimumWidth()), widget.maximumWidth()) + SPACING
