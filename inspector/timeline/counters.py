"""Counters: fates of every draw's primitives and fragments, counted by the same kernels that draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.pipeline.observe.census import DRAW_COUNTS, FRAGMENT_FATES, PRIMITIVE_FATES
from inspector.progress import Cancel
from inspector.timeline.frames import Frame

if TYPE_CHECKING:
    from inspector.capture import Capture

__all__ = ["DRAW_COUNTS", "FRAGMENT_FATES", "PRIMITIVE_FATES", "counters", "overdraw"]


def counters(capture: Capture, frame: Frame | int, cancel: Cancel | None = None) -> np.ndarray:
    """DRAW_COUNTS, one row a draw of a frame, in order: executes the frame again.

    `primitives` = clipped + culled + degenerate + empty + rasterised; `fragments` = texkill + color_key + alpha_test +
    stencil_test + depth_test + masked + written (PRIMITIVE_FATES, FRAGMENT_FATES): a fragment is a covered sample.  `pixels`
    is how many pixels are another after the draw.  Draws of the frame that could not be executed have rows of zeros.
    """
    span = capture.frame(frame) if isinstance(frame, int) else frame
    draws = capture.draws[(capture.draws >= span.first_event) & (capture.draws <= span.last_event)]
    rows = np.zeros(len(draws), DRAW_COUNTS)
    rows["event"] = draws
    if len(draws):
        found = capture.replay.counted(span.first_event, int(draws[-1]), cancel)
        rows[np.searchsorted(draws, found["event"])] = found
    return rows


def overdraw(rows: np.ndarray) -> np.ndarray:
    """Fragments written for each pixel that a draw changed, float64; 0 where it changed none."""
    return np.divide(rows["written"], rows["pixels"], out=np.zeros(len(rows)), where=rows["pixels"] > 0)
