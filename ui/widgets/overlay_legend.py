"""The legend of the overlays, in a corner of the image: what each colour means, its pixels, and the opacity of each layer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QSlider, QVBoxLayout, QWidget

from inspector.query.pixels.layers import Layer, Meaning
from ui import style
from ui.widgets.controls import spoken, tool
from ui.widgets.plain import PlainLabel

MARK, GAP, ROW, EDGE, WIDEST = 10, 6, 20, 8, 340
"""Pixels: a colour's square, gaps, a row's height, from the corner of the image, of the legend at most."""
FAINTEST = 10
"""Per cent of opacity."""


class Rows(QWidget):
    """Colours with titles, pixels and shares.  `pointed(row)`: under the pointer, -1 when it leaves; `chosen(row)`: clicked."""

    pointed, chosen = Signal(int), Signal(int)

    def __init__(self, meanings: Sequence[Meaning], total: int) -> None:
        super().__init__()
        self.meanings = tuple(meanings)
        self._texts = [(one.title, f"{one.pixels:,} px", _share(one.pixels, total)) for one in meanings]
        self.setAccessibleName("\n".join(" ".join(texts) for texts in self._texts))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        if any(one.event is not None for one in meanings):
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def _widths(self) -> tuple[int, ...]:
        """Of titles, pixels and shares."""
        wide = QFontMetrics(style.ui_font(9)).horizontalAdvance
        return tuple(max(map(wide, texts)) for texts in zip(*self._texts, strict=True))

    def sizeHint(self) -> QSize:
        return QSize(MARK + 4 * GAP + sum(self._widths()), ROW * len(self._texts))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointed.emit(self._row_at(event))

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(-1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and (row := self._row_at(event)) >= 0:
            self.chosen.emit(row)

    def _row_at(self, event: QMouseEvent) -> int:
        row = int(event.position().y()) // ROW
        return row if row < len(self._texts) else -1

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            theme = style.theme()
            painter.setFont(style.ui_font(9))
            _, pixels, share = self._widths()
            for row, (meaning, texts) in enumerate(zip(self.meanings, self._texts, strict=True)):
                line = QRect(0, row * ROW, self.width(), ROW)
                painter.setPen(QPen(theme.color("border"), 1))
                painter.setBrush(QColor(*meaning.color))
                painter.drawRoundedRect(QRectF(0.5, line.center().y() - MARK / 2 + 0.5, MARK, MARK), 2, 2)
                room = line.adjusted(MARK + GAP, 0, -pixels - share - 2 * GAP, 0)
                painter.setPen(theme.color("link" if meaning.event is not None else "text"))
                shown = painter.fontMetrics().elidedText(texts[0], Qt.TextElideMode.ElideRight, room.width())
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
                painter.setPen(theme.color("muted"))
                right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
                painter.drawText(line.adjusted(0, 0, -share - GAP, 0), right, texts[1])
                painter.drawText(line, right, texts[2])


def _share(pixels: int, total: int) -> str:
    """`12%`, `<1%`."""
    per_cent = 100 * pixels / max(total, 1)
    return "<1%" if 0 < per_cent < 1 else f"{per_cent:.0f}%"


class OverlayLegend(QFrame):
    """Lies on an image.  `faded(name, per cent)`, `removed(name)`: what the user does with a layer; `folded(open)`: with all.
    `pointed(name, colour)`: a row under the pointer, None when it leaves; `chosen(event)`: a row of an event is clicked.
    """

    faded, removed, pointed, chosen, folded = Signal(str, int), Signal(str), Signal(str, object), Signal(int), Signal(bool)

    def __init__(self, image: QWidget) -> None:
        super().__init__(image)
        self.setObjectName("legend")
        self.setAccessibleName("Legend of the overlays")
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._image, self._open, self._shown = image, True, False
        self.texts: list[str] = []
        """What it says, row by row."""
        self._area = QScrollArea()
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        box = QVBoxLayout(self)
        box.setContentsMargins(EDGE, 2, EDGE, 4)
        box.addWidget(self._area)
        image.installEventFilter(self)
        self.hide()

    def show_layers(self, layers: Sequence[tuple[str, str, Layer, int]], note: str) -> None:
        """(name, title, layer, per cent of opacity) each, the topmost last; note: why one is missing."""
        rows = [text for _, _, layer, _ in layers for text in (layer.note, *(text for _, text in layer.legend))]
        self.texts = [text for text in (*rows, note) if text]
        inside = QWidget()
        box = QVBoxLayout(inside)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        for name, title, layer, opacity in reversed(layers):
            box.addWidget(self._head(name, title, opacity))
            for widget in self._body(name, layer) if self._open else ():
                box.addWidget(widget)
        if note:
            box.addWidget(_words(note))
        self._area.setWidget(inside)
        self._shown = bool(self.texts)
        self._place()

    def set_open(self, to: bool) -> None:
        """Whether more than the titles are shown."""
        self._open = to

    def _head(self, name: str, title: str, opacity: int) -> QWidget:
        about = "Show only titles" if self._open else "Show the meanings of the colours"
        fold = tool(f"{about}: {title}", about, "down" if self._open else "next-event")
        fold.clicked.connect(lambda: self.folded.emit(not self._open))
        slider = spoken(QSlider(Qt.Orientation.Horizontal), f"Opacity of {title}")
        slider.setToolTip("Opacity")
        slider.setRange(FAINTEST, 100)
        slider.setValue(opacity)
        slider.setFixedWidth(64)
        slider.valueChanged.connect(partial(self.faded.emit, name))
        away = tool(f"Remove the overlay {title}", "Remove the overlay", "close")
        away.clicked.connect(lambda: self.removed.emit(name))
        words = PlainLabel(title)
        words.setObjectName("heading")
        return _row(fold, words, None, slider, away)

    def _body(self, name: str, layer: Layer) -> list[QWidget]:
        """What is below a title."""
        meanings = layer.meanings[: layer.listed]
        words = [_words(layer.note)] if layer.note else []
        if not meanings:
            return [*words]
        rows = Rows(meanings, layer.rgba.shape[0] * layer.rgba.shape[1])
        rows.pointed.connect(lambda row: self.pointed.emit(name, meanings[row].color if row >= 0 else None))
        rows.chosen.connect(lambda row: self._choose(meanings[row]))
        return [rows, *words]

    def _choose(self, meaning: Meaning) -> None:
        if meaning.event is not None:
            self.chosen.emit(meaning.event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        """In the lower left corner, as large as what it says and the image allow."""
        inside = self._area.widget()
        if not self._shown or inside is None:
            self.hide()
            return
        room = self._image.size() - QSize(2 * EDGE, 2 * EDGE)
        margins, most = self.contentsMargins(), inside.sizeHint()
        frame = 2 * self.frameWidth()
        width = min(max(most.width() + 2 * EDGE + frame + 12, 200), WIDEST, room.width())
        tall = inside.heightForWidth(width - 2 * EDGE - frame) if inside.hasHeightForWidth() else most.height()
        height = min(max(tall, most.height()) + 6 + frame + margins.top(), room.height())
        self.setGeometry(QRect(QPoint(EDGE, self._image.height() - EDGE - height), QSize(width, height)))
        self.show()


def _row(*widgets: QWidget | None) -> QWidget:
    """None is the stretch between the others; as wide as they are."""
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 2, 0, 2)
    layout.setSpacing(GAP)
    for widget in widgets:
        layout.addStretch(1) if widget is None else layout.addWidget(widget)
    return row


def _words(text: str) -> PlainLabel:
    words = PlainLabel(text)
    words.setObjectName("muted")
    words.setWordWrap(True)
    return words
