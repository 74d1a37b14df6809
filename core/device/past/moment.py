"""A moment: the contents of a device's memory after an event, or after one primitive of it, read from a log.

Where core.device.past.reading asks a device about the present, it asks a Moment about the past.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from core.device.device import Palette, attached
from core.device.memory.surfaces import Buffer, Surface, SurfacePart
from core.device.past import reading
from core.device.past.rewind import Past, Rewind
from core.device.past.tap import Overwrite, Pass
from core.spec.formats import Format
from core.spec.subresource import Where


class Moment:
    """A moment of the past (core.device.past.reading.DeviceView); costs nothing until asked."""

    def __init__(self, rewind: Rewind, event: int, primitive: int | None = None) -> None:
        """`primitive`: with nothing of the event's later primitives."""
        self.rewind, self.event, self.primitive = rewind, event, primitive
        self.stand_in: Callable[[], int] = lambda: 0

    @cached_property
    def _past(self) -> Past:
        return self.rewind.past(self.event)

    @property
    def surfaces(self) -> dict[int, Surface]:
        """By root handle; their contents and settings are those of another time."""
        return self._past.surfaces

    @property
    def buffers(self) -> dict[int, Buffer]:
        """By handle; their contents are those of another time."""
        return self._past.buffers

    @property
    def chain(self) -> list[int]:
        """The presentation chain, primary first."""
        return self._past.chain[None]

    @property
    def targets(self) -> tuple[int, int]:
        """The handles of the render target and the depth surface."""
        return self._past.targets.get(self._past.current[None], (0, 0))

    def owner(self, handle: int) -> tuple[Surface, int, int] | None:
        """(surface, level, face) of a handle."""
        found = self._past.owner(handle)
        return None if found is None else (found[0], found[1] % found[0].levels, found[1] // found[0].levels)

    def level(self, part: SurfacePart) -> SurfacePart:
        """A copy of a subresource with its contents."""
        return self.rewind.part(part, self.event, self.primitive)

    def palette_of(self, surface: Surface) -> Palette | None:
        """The palette bound to a surface; None without."""
        handle = self._past.settings[surface][0]
        if isinstance(handle, tuple):
            return attached(handle[1])
        return self._past.palettes.get((self._past.current[None], handle)) if handle else None

    def stamp(self, part: SurfacePart, drawn: int) -> tuple[int, int, bytes]:
        """What a subresource looks like, as a value: where it is the same, so are contents and palette.

        drawn: the last event up to this moment that draws.
        """
        changes, palette = self.rewind.changes_of(part), self.palette_of(part.surface)
        first_left = next((n for n, one in enumerate(changes) if last_event(one) > self.event), len(changes))
        left = changes[first_left:]
        to_come = next((one for one in left if isinstance(one, Overwrite)), None)
        version = (to_come.before if to_come is not None else self.rewind.contents(part))[2]
        place = -1
        if left and left[0] is not to_come:  # passes that are not over: their contents have no version
            begun = left[0].first_seq <= self.event  # type: ignore[union-attr]
            before = None if begun or first_left else self.rewind.version_before(part)
            if before is not None:
                version = before
            else:
                place = drawn if begun else last_event(changes[first_left - 1]) if first_left else 0
        return version, place, palette.colors.tobytes() if palette is not None else b""

    def read(self, where: Where = "render_target") -> tuple[np.ndarray, Format]:
        """core.device.past.reading.read of the moment."""
        return reading.read(self, where)

    def rgba(self, where: Where = "render_target") -> np.ndarray:
        """core.device.past.reading.picture of the moment."""
        return reading.picture(self, where)

    def both(self, where: Where = "render_target") -> tuple[np.ndarray, np.ndarray, Format]:
        """core.device.past.reading.both of the moment."""
        return reading.both(self, where)


def last_event(change: Pass | Overwrite) -> int:
    """After which nothing more of a change is to come."""
    return change.last_seq if isinstance(change, Pass) else change.seq
