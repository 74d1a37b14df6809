"""A draw's triangles as a wire frame, projected by ourselves: turn with the left button, zoom with the wheel."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from ui import style
from ui.keys.keymap import KEYS

MOST_EDGES = 60_000
FARTHEST = 1e5
"""Widget units beyond which a point is drawn no farther away: vertices may be anywhere."""


class MeshView(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Shape of the draw")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(120)
        self._points = np.zeros((0, 3), np.float32)
        self._edges = np.zeros((0, 2), np.int64)
        self._flat = False
        self._vertex: int | None = None
        self._turn, self._tilt, self._zoom = 0.5, 0.35, 1.0
        self._grab = QPointF()

    def sizeHint(self) -> QSize:
        return QSize(400, 220)

    def set_mesh(self, points: np.ndarray, edges: np.ndarray, flat: bool) -> None:
        """`points` float32 (n, 3); `edges` int (m, 2) into them; `flat`: screen coordinates, seen from the front, y down."""
        usable = np.isfinite(points).all(axis=1) if len(points) else np.zeros(0, bool)
        self._points = np.where(usable[:, None], points, 0).astype(np.float32)
        edges = edges[(edges < len(points)).all(axis=1)] if len(edges) else edges
        self._edges = edges[usable[edges].all(axis=1)][:MOST_EDGES] if len(edges) else edges
        self._flat = flat
        self.update()

    def set_vertex(self, vertex: int | None) -> None:
        self._vertex = vertex
        self.update()

    def projected(self) -> np.ndarray:
        """float32 (n, 2): where each point is in the widget."""
        if not len(self._points):
            return np.zeros((0, 2), np.float32)
        points = self._points.astype(np.float64)
        used = points[np.unique(self._edges)] if len(self._edges) else points
        low, high = used.min(axis=0), used.max(axis=0)
        centered = points - (low + high) / 2
        if self._flat:
            flat, span = centered[:, :2], high[:2] - low[:2]
        else:
            flat, span = self._rotated(centered), np.full(2, float(np.linalg.norm(high - low)))
        fit = min((self.width() - 24) / max(float(span[0]), 1e-6), (self.height() - 24) / max(float(span[1]), 1e-6))
        places = flat * (fit * self._zoom) + np.array([self.width() / 2, self.height() / 2])
        return places.clip(-FARTHEST, FARTHEST).astype(np.float32)

    def _rotated(self, points: np.ndarray) -> np.ndarray:
        sin, cos = np.sin(self._turn), np.cos(self._turn)
        x = points[:, 0] * cos + points[:, 2] * sin
        z = points[:, 2] * cos - points[:, 0] * sin
        y = points[:, 1] * np.cos(self._tilt) - z * np.sin(self._tilt)
        return np.stack([x, -y], axis=1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._grab = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._rotate(*(event.position() - self._grab).toTuple())
            self._grab = event.position()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._scale(event.angleDelta().y() / 120)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match KEYS.meant(event, "mesh"):
            case "zoom-in" | "zoom-out" as way:
                self._scale(-1 if way == "zoom-out" else 1)
            case "tilt-up" | "tilt-down" as way:
                self._rotate(0, 12 if way == "tilt-down" else -12)
            case _:
                super().keyPressEvent(event)

    def _rotate(self, dx: float, dy: float) -> None:
        self._turn += dx * 0.01
        self._tilt = float(np.clip(self._tilt + dy * 0.01, -1.6, 1.6))
        self.update()

    def _scale(self, notches: float) -> None:
        self._zoom = float(np.clip(self._zoom * 1.15**notches, 0.05, 200))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            theme = style.theme()
            painter.fillRect(self.rect(), theme.color("canvas"))
            places = self.projected()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(self._edges) < 20_000)
            if len(self._edges):
                painter.setPen(QPen(theme.color("kind:draw", 190), 1))
                ends = places[self._edges].reshape(-1, 4).tolist()
                painter.drawLines([QLineF(*end) for end in ends])
            elif len(places):
                painter.setPen(QPen(theme.color("kind:draw"), 3))
                painter.drawPoints([QPointF(*place) for place in places.tolist()])
            if self._vertex is not None and self._vertex < len(places):
                painter.setPen(QPen(theme.color("link"), 2))
                painter.drawEllipse(QPointF(*places[self._vertex].tolist()), 5, 5)
            style.paint_focus(painter, self)


def edges_of(primitive: str, count: int) -> np.ndarray:
    """int (m, 2): the edges that `count` vertices in order make as this D3DPRIMITIVETYPE (its name without prefix)."""
    order = np.arange(count)
    if primitive == "LINELIST":
        return order[: count // 2 * 2].reshape(-1, 2)
    if primitive == "LINESTRIP":
        return np.stack([order[:-1], order[1:]], axis=1)
    if primitive == "TRIANGLESTRIP":
        triangles = np.stack([order[:-2], order[1:-1], order[2:]], axis=1)
    elif primitive == "TRIANGLEFAN":
        triangles = np.stack([np.zeros(max(count - 2, 0), int), order[1:-1], order[2:]], axis=1)
    elif primitive == "TRIANGLELIST":
        triangles = order[: count // 3 * 3].reshape(-1, 3)
    else:
        return np.zeros((0, 2), np.int64)
    return np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
