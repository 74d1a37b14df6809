"""The viewpoint of a shape: around a point, or inside it; in perspective, or parallel.

Left-handed as Direct3D's spaces: x to the right, y up, z away from who looks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

FIELD = np.tan(np.radians(45.0) / 2)
"""Half the height of what is seen at a distance of 1: 45 degrees from top to bottom."""
NEAR = 1e-3
"""The nearest that is seen, as a part of the distance."""
STEEPEST = 1.55
MARGIN = 1.1
Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Camera:
    """`target` is in the middle of the picture, `distance` away; `yaw` and `pitch` in radians: 0, 0 looks along z, a positive
    pitch looks down.  `parallel`: without perspective; the picture is then 2 FIELD distance high."""

    target: Vector = (0.0, 0.0, 0.0)
    yaw: float = 0.5
    pitch: float = 0.35
    distance: float = 3.0
    parallel: bool = False

    @property
    def axes(self) -> np.ndarray:
        """float64[3, 3]: unit vectors to the right, up and forward."""
        sin, cos, up, level = np.sin(self.yaw), np.cos(self.yaw), np.sin(self.pitch), np.cos(self.pitch)
        return np.array([[cos, 0, -sin], [sin * up, level, cos * up], [sin * level, -up, cos * level]])

    @property
    def eye(self) -> np.ndarray:
        """Where one stands."""
        return np.asarray(self.target) - self.axes[2] * self.distance

    def matrix(self, width: int, height: int) -> np.ndarray:
        """float64[4, 4]: what takes (x, y, z, 1) to (x w, y w, nearness w, w), x and y in pixels.

        What is nearer has the larger nearness: in perspective 1 / w.  w <= 0 is behind the eye.
        """
        axes, eye = self.axes, self.eye
        right, up, forward = (np.append(axis, -axis @ eye) for axis in axes)
        scale, one = height / 2 / FIELD / (self.distance if self.parallel else 1.0), np.array([0.0, 0.0, 0.0, 1.0])
        depth, nearness = (one, -forward / self.distance) if self.parallel else (forward, one)
        return np.column_stack([right * scale + depth * (width / 2), depth * (height / 2) - up * scale, nearness, depth])

    @property
    def farthest(self) -> float:
        """The largest 1 / w that is drawn."""
        return 2.0 if self.parallel else 1 / (NEAR * self.distance)

    @property
    def bias(self) -> tuple[float, float]:
        """By how much edges are nearer than the triangles they belong to: nearness times the first, plus the second."""
        return (1.0, 2e-3) if self.parallel else (1.002, 0.0)

    def turned(self, yaw: float, pitch: float, around_eye: bool = False) -> Camera:
        """Turned by so much, around the target, or around where one stands."""
        found = replace(self, yaw=self.yaw + yaw, pitch=float(np.clip(self.pitch + pitch, -STEEPEST, STEEPEST)))
        if not around_eye:
            return found
        return replace(found, target=_vector(self.eye + found.axes[2] * found.distance))

    def moved(self, right: float, up: float, forward: float) -> Camera:
        """Moved along its own axes."""
        return replace(self, target=_vector(np.asarray(self.target) + np.array([right, up, forward]) @ self.axes))

    def nearer(self, factor: float) -> Camera:
        """The distance divided by `factor`."""
        return replace(self, distance=float(np.clip(self.distance / factor, 1e-12, 1e30)))


def fitted(points: np.ndarray, width: int, height: int, camera: Camera) -> Camera:
    """As far away as needed for all points, finite float[n, 3], to be in a picture of this size; the direction stays."""
    if not len(points):
        return replace(camera, target=(0.0, 0.0, 0.0), distance=3.0)
    center = (points.min(axis=0) / 2 + points.max(axis=0) / 2).astype(np.float64)
    camera = replace(camera, target=_vector(center))
    away = (points.astype(np.float64) - center) @ camera.axes.T
    across = np.abs(away[:, 0]) * (height / max(width, 1))
    half = np.maximum(across, np.abs(away[:, 1])) * (MARGIN / FIELD)
    needed = half if camera.parallel else half - away[:, 2]
    largest = float(np.abs(away).max())
    return replace(camera, distance=max(float(needed.max()), largest * 1e-3, 1e-9))


def _vector(values: np.ndarray) -> Vector:
    x, y, z = values.tolist()
    return x, y, z
