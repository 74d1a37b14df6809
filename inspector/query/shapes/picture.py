"""An image of the shape of a draw, as one question."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput
from inspector.progress import Cancel
from inspector.query.shapes.camera import Camera, fitted
from inspector.query.shapes.mesh import Mesh, Shape
from inspector.query.shapes.painting import TEXTURE, Style, paint

if TYPE_CHECKING:
    from inspector.capture import Capture

LARGEST = 8192
SAMPLES = 2


@dataclass(frozen=True)
class ShapePicture:
    """The shape of a draw (Shape), drawn: uint8[height, width, 3].  `camera` None: from above and the side, or from the front
    what is flat or on the screen, so far away that all of it is seen."""

    event: int
    which: str = "assembled"
    space: str = ""
    style: Style = field(default_factory=Style)
    camera: Camera | None = None
    width: int = 800
    height: int = 600

    def run(self, capture: Capture, cancel: Cancel | None = None) -> np.ndarray:
        """BadInput as of Shape and Style, and for sizes that are none.  Raises Cancelled."""
        checked_size(self.width, self.height)
        mesh = capture.ask(Shape(self.event, self.which, self.space, self.style.attribute == TEXTURE), cancel)
        camera = self.camera or usual_camera(mesh, self.width, self.height)
        return paint(mesh, camera, self.width, self.height, self.style, SAMPLES).picture


def checked_size(width: int, height: int) -> None:
    """BadInput for a size that no picture has."""
    if not (0 < width <= LARGEST and 0 < height <= LARGEST):
        raise BadInput(f"a picture has 1 to {LARGEST:,} pixels in each direction, not {width} x {height}")


def usual_camera(mesh: Mesh, width: int, height: int, camera: Camera | None = None) -> Camera:
    """So far away that all of a shape is seen, in the direction of `camera`; at first what is on the screen or flat from the
    front, with the screen's box."""
    if camera is None:
        camera = Camera(yaw=0.0, pitch=0.0, parallel=True) if mesh.flat else Camera()
    points = mesh.bounded
    if mesh.space != "object" and mesh.box is not None:
        box = np.nan_to_num(mesh.box) * np.asarray(mesh.scale)
        low, high = box.min(axis=0), box.max(axis=0)
        points = np.concatenate([box, points.clip(2 * low - high, 2 * high - low)])  # what is far out may stay out
    return fitted(points, width, height, camera)
