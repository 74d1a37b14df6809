"""A look at a large file before all of it is read: pictures of some frames, more of them the further it is read.

File > Open frames of a trace shows them beside the list that inspector.imports.presents makes quickly.  The file is imported
for them, and the import is kept if it gets to the end: opening the file is quick then.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from core.cancel import cancellable
from core.errors import BadInput
from inspector.capture import Capture
from inspector.progress import Cancel, Progress
from inspector.query.looks.thumbnails import Thumbnail
from inspector.reading import open_growing
from inspector.timeline.budgets import Budgets
from inspector.timeline.frames import Frame

MOST = 48  # pictures, at most
SHARE = 0.5  # of the time goes into pictures, as long as more is to be read

Shown = Callable[[int, np.ndarray], object]
"""Gets a frame's number and its picture, uint8[height, width, 4]."""


class Glance:
    """Pictures of every frame whose number is a multiple of `step`, which doubles when there are more than `most`."""

    def __init__(self, shown: Shown, most: int = MOST, pixels: int = 120) -> None:
        self._shown, self._most, self._pixels = shown, max(most, 1), pixels
        self._drawn: set[int] = set()
        self._spent, self._began = 0.0, time.monotonic()
        self.step = 1

    def look(self, capture: Capture) -> bool:
        """Draws what is missing of a capture, as far as it is read, while there is time; whether all is drawn.

        Raises Cancelled.
        """
        frames = capture.frames
        while len(frames) > self.step * self._most:
            self.step *= 2
        for frame in frames[:: self.step]:
            if frame.index in self._drawn:
                continue
            began = time.monotonic()
            if not capture.complete and self._spent > SHARE * (began - self._began):
                return False
            picture = self._picture(capture, frame)
            self._drawn.add(frame.index)
            if picture is not None:
                self._shown(frame.index, picture)
            self._spent += time.monotonic() - began
        return True

    def _picture(self, capture: Capture, frame: Frame) -> np.ndarray | None:
        """What is on the screen after a frame; of one without a back buffer, its render target."""
        capture.walked  # noqa: B018 - what lies before is passed over then, not drawn
        for where in ("back_buffer", "render_target"):
            try:
                return capture.ask(Thumbnail(capture.picture_event(frame), where, self._pixels))
            except BadInput:
                continue
        return None


def glance(
    path: Path, shown: Shown, most: int = MOST, pixels: int = 120, progress: Progress | None = None,
    budgets: Budgets | None = None, cancel: Cancel | None = None,
) -> Capture:  # fmt: skip
    """Opens a file, and shows pictures of its frames meanwhile, in no certain order; the capture that came of it.

    When progress(fraction, text) returns False, reading ends there: the capture has what was read.  Once cancel() returns True,
    everything ends.  Raises BadInput, Cancelled.
    """
    looking = Glance(shown, most, pixels)
    with cancellable(cancel):
        capture = open_growing(path, looking.look, progress, budgets)
        try:
            looking.look(capture)
        except BaseException:
            capture.close()
            raise
    return capture
