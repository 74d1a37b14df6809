"""The icons: strokes on a 24 x 24 grid, drawn in the theme's colours at any size and pixel density."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from ui import style

PATHS = {
    "open": (
        '<path d="M3 7V5.5A1.5 1.5 0 0 1 4.5 4H9l2 2.5h7.5A1.5 1.5 0 0 1 20 8v1.5"/>'
        '<path d="M3 7v11.5A1.5 1.5 0 0 0 4.5 20h13.2a1.5 1.5 0 0 0 1.45-1.1L21.5 10H6.2a1.5 1.5 0 0 0-1.45 1.1L3 17"/>'
    ),
    "save": '<path d="M12 3v11m0 0 4-4m-4 4-4-4"/><path d="M4 16v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3"/>',
    "back": '<path d="M19 12H5m0 0 6-6m-6 6 6 6"/>',
    "forward": '<path d="M5 12h14m0 0-6-6m6 6-6 6"/>',
    "previous-event": '<path d="m14.5 6-6 6 6 6"/>',
    "next-event": '<path d="m9.5 6 6 6-6 6"/>',
    "previous-draw": '<path d="M18.5 5.5v13L8 12z"/><path d="M5 5.5v13"/>',
    "next-draw": '<path d="M5.5 5.5v13L16 12z"/><path d="M19 5.5v13"/>',
    "previous-frame": '<path d="m12 6-6 6 6 6m7-12-6 6 6 6"/>',
    "next-frame": '<path d="m12 6 6 6-6 6M5 6l6 6-6 6"/>',
    "previous-difference": '<path d="M9 4.5 3.5 12 9 19.5"/><path d="M10.5 9.5h10m-10 5h10m-3-9-4 13"/>',
    "next-difference": '<path d="m15 4.5 5.5 7.5-5.5 7.5"/><path d="M3.5 9.5h10m-10 5h10m-3-9-4 13"/>',
    "play": '<path d="M7 5v14l11-7z"/>',
    "up": '<path d="m6.5 14.5 5.5-5.5 5.5 5.5"/>',
    "down": '<path d="m6.5 9.5 5.5 5.5 5.5-5.5"/>',
    "search": '<circle cx="10.5" cy="10.5" r="6"/><path d="m15 15 5.5 5.5"/>',
    "close": '<path d="M6 6l12 12M18 6 6 18"/>',
    "fit": '<path d="M4 9V5a1 1 0 0 1 1-1h4m6 0h4a1 1 0 0 1 1 1v4m0 6v4a1 1 0 0 1-1 1h-4m-6 0H5a1 1 0 0 1-1-1v-4"/>',
    "warning": '<path d="M12 4 2.8 19.5h18.4z"/><path d="M12 10v4.5m0 2.6v.3"/>',
    "error": '<circle cx="12" cy="12" r="9"/><path d="M12 7v6m0 3.4v.3"/>',
    "note": '<circle cx="12" cy="12" r="9"/><path d="M12 11v6m0-9.7v.3"/>',
    "theme": '<circle cx="12" cy="12" r="8.5"/><path d="M12 3.5a8.5 8.5 0 0 1 0 17z" fill="currentColor"/>',
    "checker": '<rect x="4" y="4" width="16" height="16" rx="1.5"/><path d="M4 4h8v8H4zm8 8h8v8h-8z" fill="currentColor"/>',
    "grid": '<rect x="4" y="4" width="16" height="16" rx="1.5"/><path d="M4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16"/>',
    "layers": '<path d="m12 3 9 5-9 5-9-5z"/><path d="m3.5 12.5 8.5 4.7 8.5-4.7M3.5 16.6l8.5 4.7 8.5-4.7"/>',
    "views": '<rect x="3.5" y="3.5" width="7" height="7" rx="1"/><rect x="13.5" y="3.5" width="7" height="7" rx="1"/>'
    '<rect x="3.5" y="13.5" width="7" height="7" rx="1"/><rect x="13.5" y="13.5" width="7" height="7" rx="1"/>',
    "pair": '<rect x="3" y="5" width="18" height="14" rx="1.5"/><path d="M12 2.5v19"/>'
    '<path d="M12 5h9v14h-9z" fill="currentColor" fill-opacity=".35"/>',
    "histogram": '<path d="M3 20.5h18M5.5 20v-5m4 5V9m4 11V4.5m4 15.5v-8"/>',
    "range": '<path d="M3 20c4 0 4-15 9-15s5 15 9 15z"/>',
    "file": '<path d="M6 3h8l5 5v12a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1z"/><path d="M14 3v5h5"/>',
    "target": '<circle cx="12" cy="12" r="7"/><path d="M12 2v6m0 8v6M2 12h6m8 0h6"/>',
    "float": '<rect x="9" y="4" width="11" height="10" rx="1.5"/><path d="M15 14v6H4V10h5"/>',
    "pin": '<path d="M9 3h6l-1 6 4 4H6l4-4z"/><path d="M12 13v8"/>',
    "logo": (
        '<path d="M12 2.6 20.4 7.3v9.4L12 21.4l-8.4-4.7V7.3z"/><path d="M3.8 7.4 12 12l8.2-4.6M12 12v9.2"/>'
        '<path d="M12 12 20.4 7.3v9.4L12 21.4z" fill="currentColor" fill-opacity=".35" stroke="none"/>'
    ),
}
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="{color}" color="{color}"'
    ' stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round">{path}</svg>'
)


def paint(painter: QPainter, name: str, rect: QRectF, color: str, width: float = 1.7) -> None:
    """Draws an icon into `rect`; `color` as #rrggbb."""
    _renderer(name, color, width).render(painter, rect)


@lru_cache(256)
def _renderer(name: str, color: str, width: float) -> QSvgRenderer:
    path = PATHS[name].replace("currentColor", color)
    return QSvgRenderer(QByteArray(_SVG.format(color=color, width=width, path=path).encode()))


class _Engine(QIconEngine):
    """Looks its colour up each time, so that it follows the theme."""

    def __init__(self, name: str, token: str) -> None:
        super().__init__()
        self._name, self._token = name, token

    def clone(self) -> QIconEngine:
        return _Engine(self._name, self._token)

    def paint(self, painter: QPainter, rect, mode: QIcon.Mode, state: QIcon.State) -> None:  # type: ignore[no-untyped-def]
        paint(painter, self._name, QRectF(rect), self._color(mode))

    def _color(self, mode: QIcon.Mode) -> str:
        return style.theme().color("disabled" if mode == QIcon.Mode.Disabled else self._token).name()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        if size.isEmpty():
            return QPixmap()  # of a button that was squeezed to nothing: Qt cannot paint on it, and complains
        return QPixmap.fromImage(_drawn(self._name, self._color(mode), size.width(), size.height()))


@lru_cache(512)
def _drawn(name: str, color: str, width: int, height: int) -> QImage:
    """The icon alone: the window is full of them, and Qt asks for each whenever it is painted."""
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        paint(painter, name, QRectF(image.rect()), color)
    return image


def icon(name: str, token: str = "text") -> QIcon:
    """An icon in the colour of a theme token."""
    return QIcon(_Engine(name, token))
