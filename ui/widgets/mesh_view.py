"""The shape of a draw: can be turned, flown through and clicked on.

Left drag turns it (or, to fly, the head), right drag turns the head, middle drag or Shift moves it, the wheel comes nearer.  A
click says which primitive and vertex is there.  It is painted on a thread of its own: a million triangles take a while.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any
from weakref import WeakMethod

import numpy as np
from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from core.errors import Cancelled
from inspector.query.shapes.camera import FIELD, Camera
from inspector.query.shapes.mesh import Mesh
from inspector.query.shapes.painting import TEXTURE, Painted, Style, paint
from inspector.query.shapes.picture import usual_camera
from ui import style
from ui.keys.keymap import KEYS
from ui.posting import Post, post
from ui.widgets.controls import single_shot

QUICK = 60_000
"""Shapes that are painted with all edges, and those smooth, while they move."""
STILL = 160
"""Milliseconds without movement after which edges become smooth."""
TURN, KEY_TURN, STEP, CLICK = 0.01, 0.12, 0.05, 4.0
"""Radians a pixel around the shape, and a key; parts of the distance a key; pixels that a click may move."""
MOVES = {
    "move-left": (-1, 0, 0), "move-right": (1, 0, 0), "move-up": (0, 1, 0), "move-down": (0, -1, 0),
    "forward": (0, 0, 1), "backward": (0, 0, -1),
}  # fmt: skip
"""By command, steps to the right, up and forward."""


class MeshView(QWidget):
    """`picked(primitive, vertex)`: a click, -1 for none.  `painted`: there is a new picture."""

    picked = Signal(int, int)
    painted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Shape of the draw")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(56)
        self.mesh: Mesh | None = None
        self.style_ = Style()
        self.flying = False
        self.hint = ""
        self.found: Painted | None = None
        self._cameras: dict[str, Camera] = {}
        self._turned: set[str] = set()  # the spaces whose direction was chosen
        self._picture = QImage()
        self._chosen: tuple[int | None, int | None] = (None, None)
        self._grab, self._pressed = QPointF(), QPointF()
        self._moving, self._busy, self._stale = False, False, False
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._calm = single_shot(self, STILL, self._settle)
        self._soon = single_shot(self, 0, self.repaint_shape)  # Qt paints what else there is to paint before
        style.current().changed.connect(self.repaint_shape)

    def sizeHint(self) -> QSize:
        return QSize(400, 260)

    # What is shown

    def set_mesh(self, mesh: Mesh | None) -> None:
        """Another shape, fitted; the direction stays that was chosen for its space.  What is being painted stops.

        As while it moves, edges become smooth once it stays: four times the pixels would make the other panels wait.  It is
        painted when the window has painted what else is new: two threads that run Python at once slow each other."""
        self.mesh = mesh
        self._stop.set()
        self._moving = mesh is not None
        self._calm.start()
        self._fit()
        if mesh is None:
            self.repaint_shape()
        else:
            self._soon.start()

    def set_style(self, **changes: object) -> None:
        """Draws it otherwise: parts of a Style."""
        self.style_ = replace(self.style_, **changes)  # type: ignore[arg-type]
        self.repaint_shape()

    def select(self, primitive: int | None, vertex: int | None) -> None:
        """Marks a primitive and a vertex (a row of the mesh)."""
        if (primitive, vertex) != self._chosen:
            self._chosen = (primitive, vertex)
            self.update()

    @property
    def camera(self) -> Camera:
        return self._cameras.get(self.mesh.space if self.mesh is not None else "", Camera())

    @camera.setter
    def camera(self, camera: Camera) -> None:
        if self.mesh is not None:
            before = self.camera
            if (camera.yaw, camera.pitch) != (before.yaw, before.pitch):
                self._turned.add(self.mesh.space)
            self._cameras[self.mesh.space] = camera
            self._moving = True
            self._calm.start()
            self.repaint_shape()

    def fit(self) -> None:
        """As far away as needed to see all of it."""
        self._fit()
        self.repaint_shape()

    def _fit(self) -> None:
        if self.mesh is not None:
            space = self.mesh.space
            chosen = self._cameras.get(space) if space in self._turned else None
            self._cameras[space] = usual_camera(self.mesh, *self._room(), chosen)

    def front(self) -> None:
        """From the direction of the beginning, fitted."""
        if self.mesh is not None:
            self._turned.discard(self.mesh.space)
            self.fit()

    # Painting it

    def _room(self) -> tuple[int, int]:
        """Pixels of the screen, at least one."""
        ratio = self.devicePixelRatioF()
        return max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1)

    def repaint_shape(self) -> None:
        """Paints it again, as soon as what is being painted is done."""
        mesh = self.mesh
        if mesh is None or not self.isVisible():
            self.found, self._picture = None, QImage()
            self.update()
            return
        if self._busy:
            self._stale = True
            return
        large = len(mesh.shapes) > QUICK
        samples = 1 if self._moving or large else 2
        self._busy, self._stop = True, threading.Event()
        given = (mesh, self.camera, *self._room(), self._wanted(mesh, bare=large and self._moving), samples, self._stop.is_set)
        work = (post(), WeakMethod(self._take), *given)
        self._thread = threading.Thread(target=_work, args=work, name="shape", daemon=True)
        self._thread.start()

    def _wanted(self, mesh: Mesh, bare: bool) -> Style:
        """The style in the theme's colours; `bare`: without edges."""
        ground, wire, guide = (_parts(style.theme().color(token)) for token in ("canvas", "kind:draw", "link"))
        chosen = self.style_.attribute if self.style_.attribute in ("", TEXTURE, *mesh.columns) else ""
        edges = self.style_.edges and not bare
        return replace(self.style_, attribute=chosen, edges=edges, ground=ground, wire=wire, guide=guide)

    def _take(self, found: Painted | None) -> None:
        """What was painted; None: it stopped."""
        self._busy = False
        if found is not None:
            self.found = found
            height, width = found.picture.shape[:2]
            self._picture = QImage(found.picture.tobytes(), width, height, width * 3, QImage.Format.Format_RGB888).copy()
            self.update()
            self.painted.emit()
        if self._stale:
            self._stale = False
            self.repaint_shape()

    def _settle(self) -> None:
        self._moving = False
        self.repaint_shape()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.oldSize().width() <= 0 and self.mesh is not None:
            self.fit()
        else:
            self.repaint_shape()

    def showEvent(self, event: object) -> None:
        self.fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), style.theme().color("canvas"))
            if not self._picture.isNull():
                painter.drawImage(self.rect(), self._picture)
                self._paint_chosen(painter)
            elif self.hint:
                style.paint_hint(painter, self.rect(), self.hint)
            style.paint_focus(painter, self)

    def _paint_chosen(self, painter: QPainter) -> None:
        """The primitive as an outline with a tint, the vertex as a ring."""
        mesh, found, (primitive, vertex) = self.mesh, self.found, self._chosen
        if mesh is None or found is None or len(found.places) != len(mesh.points):
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(style.theme().color("link"), 1.5))
        painter.setBrush(style.theme().color("link", 90))
        for shape in np.flatnonzero(mesh.primitives == primitive)[:64].tolist() if primitive is not None else ():
            corners = [self._spot(corner) for corner in mesh.shapes[shape].tolist()]
            if all(corner is not None for corner in corners):
                painter.drawPolygon(QPolygonF([corner for corner in corners if corner is not None]))
        if vertex is not None and vertex < len(found.places) and (spot := self._spot(vertex)) is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(style.theme().color("link"), 2))
            painter.drawEllipse(spot, 5, 5)

    def _spot(self, vertex: int) -> QPointF | None:
        """Where a vertex is in the widget."""
        place = self.found.place(vertex) if self.found is not None else None
        if place is None or max(map(abs, place)) > 1e6:
            return None
        return QPointF(*place) / self.devicePixelRatioF()

    # Mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._grab = self._pressed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        dx, dy = (event.position() - self._grab).toTuple()
        self._grab = event.position()
        left, right = event.buttons() & Qt.MouseButton.LeftButton, event.buttons() & Qt.MouseButton.RightButton
        moves = event.buttons() & Qt.MouseButton.MiddleButton or event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if moves and event.buttons():
            step = self.camera.distance / max(self.height(), 1)
            self.camera = self.camera.moved(-dx * step, dy * step, 0)
        elif left or right:
            looks = bool(right) or self.flying
            turn = 2 * np.arctan(FIELD) / max(self.height(), 1) if looks else TURN
            self.camera = self.camera.turned(dx * turn, dy * turn, looks)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        away = event.position() - self._pressed
        if event.button() != Qt.MouseButton.LeftButton or away.manhattanLength() > CLICK:
            return
        if self.mesh is not None and self.found is not None:
            place = event.position() * self.devicePixelRatioF()
            self.picked.emit(*self.found.at(self.mesh, place.x(), place.y()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._approach(event.angleDelta().y() / 120)
        event.accept()

    def _approach(self, notches: float) -> None:
        if self.flying:
            self.camera = self.camera.moved(0, 0, notches * STEP * 2 * self.camera.distance)
        else:
            self.camera = self.camera.nearer(1.15**notches)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        meant = KEYS.meant(event, "mesh")
        if meant in MOVES:
            self.camera = self.camera.moved(*(part * STEP * self.camera.distance for part in MOVES[meant]))
        elif meant in ("zoom-in", "zoom-out"):
            self._approach(-1 if meant == "zoom-out" else 1)
        elif meant in ("tilt-up", "tilt-down"):
            self.camera = self.camera.turned(0, KEY_TURN if (meant == "tilt-up") != self.flying else -KEY_TURN, self.flying)
        elif meant in ("turn-left", "turn-right"):
            self.camera = self.camera.turned(KEY_TURN if meant == "turn-right" else -KEY_TURN, 0, self.flying)
        elif meant == "fit":
            self.fit()
        elif meant == "front":
            self.front()
        else:
            super().keyPressEvent(event)


def _work(to: Post, taker: WeakMethod[Callable[..., object]], *given: Any) -> None:
    """On the thread, which knows nothing of the widget: it may be gone before its picture is done."""
    found = None
    with suppress(Cancelled):
        found = paint(*given)
    to.send(taker, found)


def _parts(color: QColor) -> tuple[float, float, float]:
    return color.redF(), color.greenF(), color.blueF()
