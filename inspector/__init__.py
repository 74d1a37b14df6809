"""THE MEMORY AND THE QUESTIONS.  Imports core.  No Qt.

What scripts see:

    import inspector
    capture = inspector.open("game.trace")                  # or .ddicap
    event = capture.frames[3].last_event
    capture.state(event)["ALPHAREF"].value
    capture.state(event)[("TEXTURESTAGE", 0, "COLOROP")].text
    capture.image(event)                                    # (h, w, 4) uint8: the render target after the event
"""

from __future__ import annotations

import os
from pathlib import Path

from inspector.capture import Capture, Progress
from inspector.focus import Focus

__all__ = ["Capture", "Focus", "Progress", "open"]


def open(
    path: str | os.PathLike[str], progress: Progress | None = None, frames: tuple[int, int] | None = None
) -> Capture:
    """Opens a `.trace` or `.ddicap`.

    `progress(fraction, text)` is told how far it is; returning False cancels (raises Cancelled).  `frames` = (a, b) lists
    only frames a..b-1: what comes before is executed for its effects; event and frame numbers stay those of the whole tape.
    Raises BadInput, in one sentence, for a file that cannot be used.
    """
    return Capture(Path(path), progress, frames)
