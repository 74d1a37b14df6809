"""Why two Direct3D 7 pictures differ from those of Wine and llvmpipe: each cause as the rule that makes their pixels.

docs/decisions.md says why ours is the right one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import inspector
from tests.captures.test_direct3d7 import FOLDER

RED, WHITE = (230, 60, 60), (240, 240, 240)
BRICKS, SHRUNK = (slice(10, 138), slice(180, 308)), (slice(90, 105), slice(400, 430))
CHECKER = (slice(10, 80), slice(400, 620))
SCROLLED = (slice(170, 290), slice(20, 220))


def both(name: str, capture: inspector.Capture, shot: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Our picture before a call that shows it, and the reference: int32[height, width, 3]."""
    event = capture.event_of_source_call(shot["present_call"] - 1)
    ours = capture.image(event, capture.surface_of_source(int(shot["surface"], 16), event))[..., :3]
    return ours.astype(np.int32), np.asarray(Image.open(FOLDER / shot["png"]).convert("RGB")).astype(np.int32)


def shots(name: str) -> tuple[inspector.Capture, list[dict[str, Any]]]:
    """A capture, and what is known of its screenshots."""
    return inspector.open(FOLDER / f"{name}.trace"), json.loads((FOLDER / f"{name}.json").read_text())["screenshots"]


# ---- own_blits ---------------------------------------------------------------------------------


def centred(pixels: int, texels: int) -> np.ndarray:
    """The source pixel of each pixel: at its centre (d3d7_api.md, 6)."""
    return (2 * np.arange(pixels) + 1) * texels // (2 * pixels)


def stepped(pixels: int, texels: int) -> np.ndarray:
    """That of Wine for surfaces in system memory: 16.16 steps, rounded down, from the edge on."""
    return np.arange(pixels) * ((texels << 16) // pixels) >> 16


def bilinear(source: np.ndarray, height: int, width: int) -> np.ndarray:
    """That of Wine for surfaces in video memory: the four texels around the centre, mixed; no edge is met here."""
    for axis, pixels in enumerate((height, width)):
        place = (np.arange(pixels) + 0.5) * source.shape[axis] / pixels - 0.5
        first = np.floor(place).astype(int)
        share = (place - first).reshape([-1, 1, 1] if axis == 0 else [1, -1, 1])
        source = source.take(first, axis) * (1 - share) + source.take(first + 1, axis) * share
    return source


def checker() -> np.ndarray:
    """The source of the large stretch: squares of 8 pixels."""
    x, y = np.meshgrid(np.arange(64) // 8, np.arange(64) // 8)
    return np.where(((x + y) & 1)[..., None], RED, WHITE)


def scrolled(frames: int) -> np.ndarray:
    """The surface that own_blits.cpp copies 8 pixels to the left onto itself before it adds a block, after so many frames."""
    picture = np.full((120, 200, 3), (0x20, 0x40, 0x20))
    for f in range(frames):
        picture[:, :192] = picture[:, 8:].copy()
        top = 20 + f * 7 % 80
        picture[top : top + 20, 192:] = (f * 40 & 255, 200, 255 - f * 8)
    return picture


def test_own_blits_differs_by_stretching_and_overlapping_copies_alone(captures: Path) -> None:
    capture, known = shots("own_blits")
    for shot in known:
        ours, theirs = both("own_blits", capture, shot)
        for picture, place, source, rule in (
            (ours, CHECKER, checker(), centred), (theirs, CHECKER, checker(), stepped), (ours, SHRUNK, ours[BRICKS], centred),
        ):  # fmt: skip
            rows, columns = (rule(*sizes) for sizes in zip(picture[place].shape[:2], source.shape[:2], strict=True))
            np.testing.assert_array_equal(picture[place], source[rows][:, columns])
        assert abs(theirs[SHRUNK] - bilinear(ours[BRICKS], 15, 30)).max() < 1
        np.testing.assert_array_equal(ours[SCROLLED], scrolled(shot["frame"] + 1))
        for place in (CHECKER, SHRUNK, SCROLLED):
            ours[place] = theirs[place]
        np.testing.assert_array_equal(ours, theirs)


# ---- own_cube_mips -----------------------------------------------------------------------------

EYE, FLOOR = np.array([0, 2.2, -5]), -1.6
COLORS = ((230, 60, 60), (60, 200, 80), (70, 110, 240))
ROWS, COLUMNS = range(206, 300, 4), np.arange(20, 110)


def as_565(color: tuple[int, ...]) -> np.ndarray:
    """What a texel of 5, 6 and 5 bits makes of a colour."""
    most = np.array([31, 63, 31])
    return np.round(np.array(color) * most / 255) * 255 / most


def texel_at(x: np.ndarray, y: int) -> np.ndarray:
    """The floor's texel (u, v) under the centre of a pixel: the view of own_cube_mips.cpp, 0.9 radians high, 640 x 480."""
    forward = -EYE / np.linalg.norm(EYE)
    right = np.cross((0, 1, 0), forward)
    right /= np.linalg.norm(right)
    up, size = np.cross(forward, right), np.tan(0.45)
    across, down = ((x + 0.5) / 320 - 1) * size * 4 / 3, (1 - (y + 0.5) / 240) * size
    ray = forward + across[:, None] * right + down * up
    place = EYE + (FLOOR - EYE[1]) / ray[:, 1:2] * ray
    return (place[:, [0, 2]] + (30, 4)) * 32


def squared_step(y: int) -> np.ndarray:
    """The longer step of a pixel, right or down, in texels, squared."""
    here = texel_at(COLUMNS, y)
    steps = (texel_at(COLUMNS + 1, y) - here, texel_at(COLUMNS, y + 1) - here)
    return np.max([(step**2).sum(1) for step in steps], axis=0)


def level_seen(picture: np.ndarray, level: int) -> float:
    """The level of detail that mixes the colours of two levels, and white, to the mean of some pixels."""
    white = as_565(WHITE)
    colors = np.stack([as_565(COLORS[level]) - white, as_565(COLORS[level + 1]) - white], 1)
    shares = np.linalg.lstsq(colors, picture.reshape(-1, 3).mean(0) - white, rcond=None)[0]
    return float(level + shares[1] / shares.sum())


def straight_logarithm(number: np.ndarray) -> np.ndarray:
    """log2 as llvmpipe has it: straight lines between the powers of 2."""
    exponent = np.floor(np.log2(number))
    return exponent + number / 2**exponent - 1


@pytest.mark.parametrize("name", ["own_cube_mips", "own_cube_mips_64"])
def test_own_cube_mips_differs_by_the_logarithm_of_the_level(captures: Path, name: str) -> None:
    """Half the logarithm of the squared step: exact in ours, up to 0.043 less in theirs."""
    capture, known = shots(name)
    ours, theirs = both(name, capture, known[-1])
    for row in ROWS:
        steps = np.concatenate([squared_step(row), squared_step(row + 1)])
        exact, straight = np.log2(steps).mean() / 2, straight_logarithm(steps).mean() / 2
        place = (slice(row, row + 2), COLUMNS)
        assert abs(level_seen(ours[place], int(exact)) - exact) < 0.02, row
        assert abs(level_seen(theirs[place], int(exact)) - straight) < 0.025, row
