"""Reading surfaces: packed pixels, and 8-bit RGBA for display."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from core.device.memory import half_floats
from core.device.memory.surfaces import Surface, SurfacePart
from core.device.past.undo import swap_red_and_blue
from core.pipeline.records.recycle import recycled
from core.pipeline.surface.formats.texels import channels_of, to_rgba8
from core.spec.formats import Format
from core.spec.subresource import Subresource, Where

if TYPE_CHECKING:
    from core.device.device import Palette

NARROW = {"r": (16, 8), "g": (8, 8), "b": (0, 8)}  # of A8R8G8B8 and X8R8G8B8
ROLES = ("render_target", "depth", "back_buffer", "primary")


class DeviceView(Protocol):
    """A device, now or at an earlier moment."""

    @property
    def chain(self) -> list[int]:
        """The presentation chain, primary first."""

    @property
    def surfaces(self) -> dict[int, Surface]:
        """By root handle."""

    @property
    def targets(self) -> tuple[int, int]:
        """The handles of the render target and the depth surface."""

    def stand_in(self) -> int:
        """The handle of what is shown where nothing is drawn to; 0: what is presented next."""

    def owner(self, handle: int) -> tuple[Surface, int, int] | None:
        """(surface, level, face) of a handle."""

    def level(self, part: SurfacePart) -> SurfacePart:
        """A subresource with its contents."""

    def palette_of(self, surface: Surface) -> Palette | None:
        """The palette bound to a surface; None without."""


def role(place: DeviceView, name: str) -> int:
    """The handle of what plays a role (ROLES); 0: nothing does.

    Where nothing is drawn to (programs of DirectDraw alone), what was copied to stands in for the render target, or what is
    shown next: the back buffer, or the primary that pictures are copied to.
    """
    chain = place.chain
    if name == "render_target" and not place.targets[0]:
        written = place.stand_in()
        return written if written and place.owner(written) else role(place, "back_buffer") or role(place, "primary")
    if name in ("render_target", "depth"):
        return place.targets[name == "depth"]
    if name == "back_buffer" and len(chain) > 1:
        return chain[1]
    if name == "primary" and chain:
        return chain[0]
    labelled = (handle for handle, surface in place.surfaces.items() if surface.label == name)
    return next(labelled, 0) if name in ROLES else 0


def find(place: DeviceView, where: Where) -> SurfacePart | None:
    """The subresource that is meant, contents aside; None if there is none."""
    named = Subresource.of(where)
    found = place.owner(role(place, named.surface) if isinstance(named.surface, str) else int(named.surface))
    if found is None:
        return None
    owner, first_level, first_face = found
    level, face = named.level + first_level, named.face + first_face
    return owner.part(level, face) if 0 <= level < owner.levels and 0 <= face < owner.faces else None


def read(place: DeviceView, where: Where) -> tuple[np.ndarray, Format]:
    """(uint8[rows of blocks, pitch], Format) of a subresource as stored. Raises LookupError if there is none such."""
    part, named = _readable(place, where)
    return packed(place.level(part), named.slice, named.sample), part.format


def picture(place: DeviceView, where: Where) -> np.ndarray:
    """uint8[height, width, 4]; conventions: `rgba`. Raises LookupError if there is none such."""
    return both(place, where)[0]


def both(place: DeviceView, where: Where) -> tuple[np.ndarray, np.ndarray, Format]:
    """`picture`, and what `read` gives, looked up once. Raises LookupError if there is none such."""
    part, named = _readable(place, where)
    palette = place.palette_of(part.surface)
    rows = packed(place.level(part), named.slice, named.sample)
    return rgba(part.format, rows, part.width, part.height, palette.colors if palette else None), rows, part.format


def _readable(place: DeviceView, where: Where) -> tuple[SurfacePart, Subresource]:
    part, named = find(place, where), Subresource.of(where)
    slice, sample = named.slice, named.sample
    if part is None or not 0 <= slice < part.depth or (sample is not None and not 0 <= sample < part.planes):
        raise LookupError(f"no {named}")
    return part, named


def packed(part: SurfacePart, slice: int = 0, sample: int | None = None) -> np.ndarray:
    """Rows of a slice as stored: uint8[rows of blocks, pitch]; a multisampled level is resolved unless a sample is named."""
    rows = part.linear() if sample is None or not part.samples else part.plane(sample)
    return rows[slice * part.slice_pitch : (slice + 1) * part.slice_pitch].reshape(part.rows, part.pitch)


def rgba(format: Format, rows: np.ndarray, width: int, height: int, palette: np.ndarray | None = None) -> np.ndarray:
    """uint8[height, width, 4]: channels scaled to 0..255.

    Missing alpha is 255, depth grey over its full range, signed -1..1 becomes 0..255, floats are shown through the sRGB curve.
    """
    if format.family == "float":
        return half_floats.rgba8(rows, width)
    channels = {letter: (shift, bits) for letter, (shift, bits, _) in channels_of(format).items()}
    if all(channels.get(letter) == place for letter, place in NARROW.items()) and rows.shape[1] == 4 * width:
        shown = recycled(width * height)
        swap_red_and_blue(rows.reshape(-1).view(np.uint32), 0 if "a" in channels else 0xFF000000, shown)
        return shown.view(np.uint8).reshape(height, width, 4)
    return to_rgba8(format, rows, width, height, 1, rows.shape[1], None, palette)[0]
