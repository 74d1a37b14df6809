"""Thumbnails of surfaces, each made once per contents, and kept while there is room."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable

from PySide6.QtGui import QImage

from core.errors import BadInput
from inspector.progress import Cancel
from inspector.query.looks.thumbnails import Thumbnail
from inspector.view import CaptureView
from ui.models.pixels import THUMBNAIL, Picture, is_depth, thumbnail, thumbnail_of

MOST = 512
"""Pictures that are kept, 25 to 35 kB each."""
DENSE = 4 * THUMBNAIL
"""Pixels of the shorter side that are enough to make a thumbnail from."""


class Thumbnails:
    """Of one capture.  `latest` may be looked at from any thread, all else is for the asking thread."""

    def __init__(self, capture: CaptureView) -> None:
        self._capture = capture
        self._kept: dict[tuple[int, Hashable], QImage] = {}
        self.latest: dict[int, QImage] = {}
        """By handle, the image looked up last: shown until the right one is ready."""

    def find(self, event: int, handle: int, cancel: Cancel | None = None) -> QImage | None:
        """The picture after an event, if it is kept."""
        found = self._kept.get((handle, self._capture.stamp(event, handle, cancel)))
        if found is not None:
            self.latest[handle] = found
        return found

    def take(self, picture: Picture) -> None:
        """What is shown large need not be looked up again."""
        if picture.part is not None and not picture.changed_only and self.find(picture.event, picture.part) is None:
            self._keep(picture.event, picture.part, thumbnail_of(picture.argb, picture.is_depth))

    def _keep(self, event: int, handle: int, image: QImage) -> None:
        self._kept[handle, self._capture.stamp(event, handle)] = self.latest[handle] = image
        while len(self._kept) > MOST:
            del self._kept[next(iter(self._kept))]

    def make(self, event: int, wanted: Iterable[tuple[int, str]]) -> Generator[float, None, dict[int, QImage]]:
        """By handle, the pictures of (handle, format) that have one; a piece for each (ui.ask.Ask.aside)."""
        made: dict[int, QImage] = {}
        rows = list(wanted)
        for number, (handle, form) in enumerate(rows):
            yield number / len(rows)
            try:
                image = self.find(event, handle)
                if image is None:
                    image = thumbnail(self._capture.ask(Thumbnail(event, handle, DENSE)), is_depth(form))
                    self._keep(event, handle, image)
                made[handle] = image
            except BadInput:
                continue
        return made
