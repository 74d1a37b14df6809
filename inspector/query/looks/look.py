"""A subresource as an image: after an event, before it, or only the event's changes."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput, unknown
from core.spec.formats import Format
from core.spec.subresource import Subresource, Where
from inspector.focus import RENDER_TARGET
from inspector.progress import Cancel

if TYPE_CHECKING:
    from inspector.capture import Capture

MOMENTS = {
    "after": "after the event",
    "before": "before the event",
    "changed": "only what the event changed, the rest dimmed",
}
OPAQUE = np.uint32(0xFF000000)


@dataclass(frozen=True, slots=True)
class Picture:
    """`rgba` uint8[height, width, 4] as capture.image gives it; `stored` the bytes in `format`, uint8[rows of blocks, pitch].

    `event`, `primitive`: the moment; `where`: as it was asked for; `resource`, `handle`: of surface and subresource;
    `changed_only`: what the event left as it was is faded.
    """

    event: int
    primitive: int | None
    where: Subresource
    resource: int
    handle: int
    rgba: np.ndarray
    stored: np.ndarray
    format: Format
    changed_only: bool = False

    def __repr__(self) -> str:
        height, width = self.rgba.shape[:2]
        return f"<Picture of {self.where} after event {self.event}: {width} x {height} {self.format.name}>"

    def _repr_png_(self) -> bytes:
        """A notebook shows it."""
        from PIL import Image

        file = io.BytesIO()
        Image.fromarray(self.rgba).save(file, "PNG")
        return file.getvalue()


@dataclass(frozen=True, slots=True)
class Look:
    """What a surface or subresource looks like.  when: one of MOMENTS, before or after the event or that primitive of it.

    A role is meant as it is at the moment that is shown; where nothing is drawn to, the surface that the event copied to is
    also shown as it was before.
    """

    event: int
    where: Where = "render_target"
    primitive: int | None = None
    when: str = "after"

    @property
    def moment(self) -> tuple[int, int | None]:
        """(event, primitive) after which it is looked at."""
        if self.when != "before":
            return self.event, self.primitive
        return (self.event, self.primitive - 1) if self.primitive else (self.event - 1, None)

    def _shown(self, capture: Capture, cancel: Cancel | None) -> Where:
        """What to look at before the event: what stands in for the render target could be another surface there."""
        named = Subresource.of(self.where)
        if self.when != "before" or named.surface != RENDER_TARGET or capture.render_target(capture.check_event(self.event)):
            return named
        found = capture.resolve(self.event, named, cancel)
        return named if found is None else Subresource(found[1], slice=named.slice, sample=named.sample)

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Picture:
        """BadInput if there is no such moment or surface; of "changed": where there was none before, all is new."""
        if self.when not in MOMENTS:
            raise BadInput(unknown("moment", self.when, MOMENTS))
        shown = _look(capture, self._shown(capture, cancel), self.moment, cancel)
        if self.when != "changed":
            return shown
        same = Subresource(shown.handle, slice=shown.where.slice, sample=shown.where.sample)
        try:
            old = _look(capture, same, Look(self.event, same, self.primitive, "before").moment, cancel)
        except BadInput:
            return shown
        words = changed(old.rgba.view("<u4")[..., 0], shown.rgba.view("<u4")[..., 0])
        rgba = np.ascontiguousarray(words).view(np.uint8).reshape(shown.rgba.shape)
        return Picture(shown.event, shown.primitive, shown.where, shown.resource, shown.handle, rgba, shown.stored,
                       shown.format, True)  # fmt: skip


def _look(capture: Capture, where: Where, moment: tuple[int, int | None], cancel: Cancel | None) -> Picture:
    event, primitive = moment
    rgba, stored, format = capture.look(event, where, primitive, cancel)
    found = capture.resolve(event, where, cancel)
    assert found is not None, "what was looked at exists"
    return Picture(event, primitive, Subresource.of(where), *found, rgba, stored, format)


def changed(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """`after`, with everything that is the same in `before` faded to a dark grey.  Other sizes: all is new.

    uint32[height, width], 0xAARRGGBB or 0xAABBGGRR: green is in the middle of both.
    """
    if before.shape != after.shape:
        return after
    green = (after >> np.uint32(10)) & np.uint32(0x3F)
    faded = (green * np.uint32(0x010101)) | OPAQUE
    return np.where(before == after, faded, after)
