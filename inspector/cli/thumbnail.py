"""ddi-inspector thumbnail: a small picture of a capture for file managers."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from PIL import Image

from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import number
from inspector.cli.opening import opened
from inspector.exports.formats import format_of
from inspector.files import write_bytes

EXAMPLES = ("thumbnail game.trace game.png --size 128",)
LAST_FRAMES = 5
"""Frames from the end that are tried until one shows something."""


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("picture", type=Path, metavar="OUT", help="the PNG file; its suffix does not matter")
    command.add_argument("--size", type=number, default=256, help="largest width and height in pixels (default: 256)")


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        rgba = last_picture(capture)
    image = Image.fromarray(rgba)
    image.thumbnail((max(chosen.size, 1),) * 2, Image.Resampling.BOX)
    write_bytes(chosen.picture, format_of(Path("thumbnail.png"), "picture").make(np.asarray(image)))
    return 0


def last_picture(capture: Capture) -> np.ndarray:
    """The render target at the end of the last frame that is not one colour; of the last one if all are."""
    frames = [frame for frame in capture.frames if frame.last_event >= frame.first_event]
    if not frames:
        raise BadInput(f"{capture.path}: no frame to show")
    found = None
    for frame in frames[: -1 - LAST_FRAMES : -1]:
        rgba = capture.image(capture.picture_event(frame))
        found = rgba if found is None else found
        if (rgba[..., :3] != rgba[0, 0, :3]).any():
            return rgba
    assert found is not None
    return found
