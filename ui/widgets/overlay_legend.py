"""The legend of the overlays, in a corner of the image: what each colour means, its pixels, and the opacity of each layer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QSlider, QVBoxLayout, QWidget

from inspector.query.pixels.layers import Layer, Meaning
from ui import style
from ui.widgets.controls import single_shot, spoken, tool
from ui.widgets.items import Items
from ui.widgets.picture_view import PictureView
from ui.widgets.plain import PlainLabel

MARK, GAP, ROW, EDGE, WIDEST = 10, 6, 20, 8, 380
"""Pixels: a colour's square, gaps, a row's height, from the corner of the image, of the legend at most."""
PART = "part"
"""A property: which control of which layer this is, whatever it is called now."""
FAINTEST, MOST = 10, 0.18
"""Per cent of opacity; the part of the picture that it covers at most unless the user opens it."""


class Rows(Items):
    """Colours with titles, pixels and shares; title: of the overlay."""

    def __init__(self, title: str, meanings: Sequence[Meaning], total: int) -> None:
        super().__init__()
        self.meanings = tuple(meanings)
        self._texts = [(one.title, f"{one.pixels:,} px", _share(one.pixels, total)) for one in meanings]
        self.setAccessibleName(f"Colours of {title}")
        self.setAccessibleDescription("\n".join(map(self.words_of, range(len(meanings)))))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if any(one.event is not None for one in meanings):
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def _widths(self) -> tuple[int, ...]:
        """Of titles, pixels and shares."""
        wide = QFontMetrics(style.ui_font(9)).horizontalAdvance
        return tuple(max(map(wide, texts)) for texts in zip(*self._texts, strict=True))

    def sizeHint(self) -> QSize:
        return QSize(MARK + 4 * GAP + sum(self._widths()), ROW * len(self._texts))

    def places(self) -> Sequence[QRect]:
        return [QRect(0, row * ROW, self.width(), ROW) for row in range(len(self._texts))]

    def words_of(self, item: int) -> str:
        event = self.meanings[item].event
        return " ".join(self._texts[item]) + ("" if event is None else f", event {event}")

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
            self.paint_ring(painter)


def _share(pixels: int, total: int) -> str:
    """`12%`, `<1%`."""
    per_cent = 100 * pixels / max(total, 1)
    return "<1%" if 0 < per_cent < 1 else f"{per_cent:.0f}%"


class OverlayLegend(QFrame):
    """Lies on an image.  `faded(name, per cent)`, `removed(name)`: what the user does with a layer; `folded(open)`: with all.
    `pointed(name, colour)`: a row under the pointer, None when it leaves; `chosen(event)`: a row of an event is clicked.
    """

    faded, removed, pointed, chosen, folded = Signal(str, int), Signal(str), Signal(str, object), Signal(int), Signal(bool)

    def __init__(self, image: PictureView) -> None:
        super().__init__(image)
        self._later = single_shot(self, 0, self._look_again)
        self.setObjectName("legend")
        self.setAccessibleName("Legend of the overlays")
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._image, self._shown = image, False
        self._wish: bool | None = None
        self._kinds: list[str] = []
        self._open, self._full = True, QSize()
        self._said: tuple[Sequence[tuple[str, str, Layer, int]], str] = ((), "")
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
        self._said = layers, note
        rows = [text for _, _, layer, _ in layers for text in (layer.note, *(text for _, text in layer.legend))]
        self.texts = [text for text in (*rows, note) if text]
        self._shown, held, kinds = bool(self.texts), self._held(), [name for name, *_ in layers]
        stays = self._wish is None and kinds == self._kinds and not self._open  # else it would come and go from event to event
        self._kinds, self._open = kinds, not stays and self._wish is not False
        self._fill()
        self._full = self._size() if self._open else self._full
        if self._open and not self._may_open():
            self._open = False
            self._fill()
        self._hold(held)
        self._place()

    def set_open(self, to: bool | None) -> None:
        """Whether more than the titles are shown; None: where that leaves most of the image free."""
        self._wish = to

    def _may_open(self) -> bool:
        """Whether the user wants it, or it leaves most of the picture that is in sight free."""
        if self._wish is not None:
            return self._wish
        width, height = self._image.picture_size
        seen = QRect(self._image.place_of(0, 0), self._image.place_of(width - 1, height - 1)) & self._image.rect()
        hidden = seen & self._rect(self._full)
        return hidden.width() * hidden.height() <= MOST * seen.width() * seen.height()

    def _look_again(self) -> None:
        """The image has another size, and fits in it by now."""
        if self._shown and self._wish is None and self._may_open() != self._open:
            self._kinds = []
            self.show_layers(*self._said)

    def _fill(self) -> None:
        layers, note = self._said
        inside = QWidget()
        box = QVBoxLayout(inside)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        for name, title, layer, opacity in reversed(layers):
            box.addWidget(self._head(name, title, opacity))
            for widget in self._body(name, title, layer) if self._open else ():
                box.addWidget(widget)
        if note:
            box.addWidget(_words(note))
        self._area.setWidget(inside)

    def _held(self) -> tuple[str, int]:
        """What has the keyboard, and its row."""
        widget = self.focusWidget()
        here = widget is not None and widget.hasFocus()
        return (str(widget.property(PART) or ""), getattr(widget, "under", 0)) if widget is not None and here else ("", 0)

    def _hold(self, held: tuple[str, int]) -> None:
        """Gives the keyboard back to it."""
        found = next((one for one in self._area.findChildren(QWidget) if held[0] and one.property(PART) == held[0]), None)
        if found is not None:
            found.setFocus(Qt.FocusReason.OtherFocusReason)
            if isinstance(found, Items):
                found.point_at(min(held[1], len(found.places()) - 1))

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
        for part, control in (("fold", fold), ("fade", slider), ("away", away)):
            control.setProperty(PART, f"{name} {part}")
        words = PlainLabel(title)
        words.setObjectName("heading")
        return _row(fold, words, None, slider, away)

    def _body(self, name: str, title: str, layer: Layer) -> list[QWidget]:
        """What is below a title."""
        meanings = layer.meanings[: layer.listed]
        words = [_words(layer.note)] if layer.note else []
        if not meanings:
            return [*words]
        rows = Rows(title, meanings, layer.rgba.shape[0] * layer.rgba.shape[1])
        rows.setProperty(PART, f"{name} rows")
        rows.pointed.connect(lambda row: self.pointed.emit(name, meanings[row].color if row >= 0 else None))
        rows.chosen.connect(lambda row: self._choose(meanings[row]))
        return [rows, *words]

    def _choose(self, meaning: Meaning) -> None:
        if meaning.event is not None:
            self.chosen.emit(meaning.event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self._shown:
            self._place()
            self._later.start()
        return False

    def _place(self) -> None:
        """In the lower left corner, as large as what it says and the image allow."""
        if not self._shown:
            self.hide()
            return
        self.setGeometry(self._rect(self._size()))
        self.show()

    def _rect(self, size: QSize) -> QRect:
        """Where it is on the image if it needs so much room."""
        size = size.boundedTo(self._image.size() - QSize(2 * EDGE, 2 * EDGE))
        return QRect(QPoint(EDGE, self._image.height() - EDGE - size.height()), size)

    def _size(self) -> QSize:
        """What it needs, at most as wide as the image."""
        inside, room = self._area.widget(), self._image.width() - 2 * EDGE
        assert inside is not None
        margins, most = self.contentsMargins(), inside.sizeHint()
        frame = 2 * self.frameWidth()
        width = min(max(most.width() + 2 * EDGE + frame + 12, 200), WIDEST, room)
        tall = inside.heightForWidth(width - 2 * EDGE - frame) if inside.hasHeightForWidth() else most.height()
        return QSize(width, max(tall, most.height()) + 6 + frame + margins.top())


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
