"""Replaces the contents of a surface with an image, stretched to each of its subresources and packed in its format."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from core.ddi.calls import DdiCall
from core.device.memory.surfaces import SurfacePart
from core.errors import BadInput
from core.pipeline.surface.formats.texels import can_encode, encode
from core.spec.formats import FORMATS, Format
from inspector.query.what_if.edits import Texture

if TYPE_CHECKING:
    from inspector.capture import Capture


class Repainted:
    """A texture's image as what a driver puts in place of its contents (inspector.timeline.edited.Replaced)."""

    def __init__(self, edit: Texture, first: int) -> None:
        self.edit, self.handle, self.first = edit, edit.handle, first

    @classmethod
    def of(cls, capture: Capture, edit: Texture) -> Repainted:
        """Raises BadInput when there is no such surface, or its format cannot be packed."""
        made = [number for number, call in enumerate(capture.calls.streams()) if _makes(call, edit.handle)]
        if not made:
            raise BadInput(f"{capture.title}: unknown surface {edit.handle}")
        for number in made:
            row = FORMATS.get(capture.calls[number].args.get("format", 0))
            if row is None or not can_encode(row) or row.family == "palette":
                raise BadInput(f"texture {edit.handle}: cannot convert an image to {row.name if row else 'its format'}")
        edit.picture()
        return cls(edit, max(edit.first, capture.events.of_call(made[0]).start))

    def rows(self, part: SurfacePart) -> np.ndarray | None:
        """The bytes of a subresource; None: it keeps its own."""
        surface = part.surface
        face, level = divmod(part.handle - surface.handle, surface.levels)
        if self.edit.level not in (None, level) or self.edit.face not in (None, face):
            return None
        one = _packed(self.edit.png, part.format, part.width, part.height)
        if part.depth == 1:
            return _at_pitch(one, part)
        slices = part.linear().reshape(part.depth, -1).copy()
        slices[slice(None) if self.edit.slice is None else self.edit.slice] = _at_pitch(one, part)
        return slices.reshape(-1)


def _makes(call: DdiCall, handle: int) -> bool:
    return call.entry == "CreateSurface" and call.args.get("handle") == handle


def _at_pitch(rows: np.ndarray, part: SurfacePart) -> np.ndarray:
    """Packed rows at the pitch of a subresource, uint8[slice]."""
    padded = np.zeros((part.rows, part.pitch), np.uint8)
    padded[:, : rows.shape[1]] = rows
    return padded.reshape(-1)


@lru_cache(maxsize=64)
def _packed(png: bytes, format: Format, width: int, height: int) -> np.ndarray:
    """uint8[rows, row bytes]."""
    picture = Texture(0, png).picture()
    if picture.size != (width, height):
        picture = picture.resize((width, height), Image.Resampling.BOX if width < picture.width else Image.Resampling.BILINEAR)
    return encode(format, np.asarray(picture, np.float64) / 255.0)
