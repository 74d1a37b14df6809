"""A picture of the shape of a draw, as one question."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
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
    on the screen, so far away that all of it is seen."""

    event: int
    which: str = "assembled"
    space: str = ""
    style: Style = field(default_factory=Style)
    camera: Camera | None = None
    width: int = 800
    height: int = 600

    def run(self, capture: Capture, cancel: Cancel | None = None) -> np.ndarray:
        """BadInput as of Shape and Style, and for sizes that are none.  Raises Cancelled."""
        if not (0 < self.width <= LARGEST and 0 < self.height <= LARGEST):
            raise BadInput(f"a picture has 1 to {LARGEST:,} pixels in each direction, not {self.width} x {self.height}")
        mesh = capture.ask(Shape(self.event, self.which, self.space, self.style.attribute == TEXTURE), cancel)
        camera = self.camera or usual_camera(mesh, self.width, self.height)
        return paint(mesh, camera, self.width, self.height, self.style, SAMPLES).picture


def usual_camera(mesh: Mesh, width: int, height: int, camera: Camera | None = None) -> Camera:
    """So far away that all of a shape is seen, in the direction of `camera`; at first what is on the screen from the front,
    with its box."""
    if camera is None:
        flat = mesh.space == "screen"
        camera = Camera(yaw=0.0, pitch=0.0, parallel=True) if flat else Camera()
    points = mesh.bounded
    if mesh.space != "object" and mesh.box is not None:
        near = np.nan_to_num(mesh.box) * np.asarray(mesh.scale)
        points = near if not len(points) else np.concatenate([near, points.clip(near.min(axis=0) * 2 - near.max(axis=0),
                                                                               near.max(axis=0) * 2 - near.min(axis=0))])  # fmt: skip
    return fitted(points, width, height, replace(camera))
