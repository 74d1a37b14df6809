"""The pictures of captures that have no back buffer to show: a resource of DXGI, or some scenes side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import inspector
from core.errors import BadInput
from inspector.exports.png import opaque, png
from inspector.tape import Tape

ACROSS, DOWN = 4, 3
SCENE = 64  # pixels
WIDTH = 320


def keep_resource(path: Path, handle: int) -> None:
    """What a resource of DXGI holds at the end becomes the picture of a `.ddicap`."""
    with inspector.open(path) as capture:
        last = len(capture.events) - 1
        surface = next(row.surface for row in capture.ask(inspector.DxgiResources(last)) if row.handle == handle)
        picture = capture.image(last, surface)
    _keep(path, picture)


def keep_frame(path: Path) -> None:
    """What the middle frame showed becomes the picture of a `.ddicap`: its back buffer may be another after the flip."""
    with inspector.open(path) as capture:
        picture = capture.image(capture.picture_event(capture.frames[len(capture.frames) // 2]))
    _keep(path, picture)


def keep_scenes(path: Path) -> None:
    """Frames that are not of one colour, spread evenly over the capture, become its picture."""
    with inspector.open(path) as capture:
        scenes = [scene for frame in capture.frames if (scene := _scene(capture, frame)) is not None]
    chosen = [scenes[number] for number in np.linspace(0, len(scenes) - 1, ACROSS * DOWN).round().astype(int)]
    _keep(path, np.vstack([np.hstack(chosen[first : first + ACROSS]) for first in range(0, len(chosen), ACROSS)]))


def _scene(capture: inspector.Capture, frame: Any) -> np.ndarray | None:
    """The target of a frame, SCENE pixels large; None for one of one colour, and of a size that does not fit."""
    try:
        rgba = opaque(capture.image(capture.picture_event(frame)))
    except BadInput:
        return None
    height, width = rgba.shape[:2]
    if height != width or SCENE % height or (rgba == rgba[0, 0]).all():
        return None
    return np.kron(rgba, np.ones((SCENE // height, SCENE // height, 1), np.uint8))


def _keep(path: Path, rgba: np.ndarray) -> None:
    with Tape(path) as tape:
        tape.keep_thumbnail(png(opaque(rgba), WIDTH))
