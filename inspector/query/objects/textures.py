"""Every texture that draws sample, once: textures with the same pixels count as one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.device.memory.surfaces import Surface
from core.device.past.moment import Moment
from core.device.past.reading import find, packed
from core.errors import Cancelled
from inspector.progress import Cancel
from inspector.timeline.lives import WRITING, Role

if TYPE_CHECKING:
    from inspector.capture import Capture

DRAWN_TO = frozenset({Role.TARGET, Role.CLEARED, Role.DEPTH})


@dataclass(slots=True)
class UsedTexture:
    """One content: its hash, its shape, and where it was seen.

    `event`: a draw that samples it; `handle` its surface then.  `handles`: all surfaces that ever hold it; `draws`: how many
    draws sample it, of which `first` and `last` are events.
    """

    digest: str
    event: int
    handle: int
    width: int
    height: int
    depth: int
    levels: int
    faces: int
    format: str
    label: str
    first: int
    last: int
    draws: int = 0
    handles: list[int] = field(default_factory=list)
    stages: list[int] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What a file of it is called: the same pixels, the same name, whatever the capture."""
        return self.digest[:16]


@dataclass(frozen=True, slots=True)
class UsedTextures:
    """The textures that draws sample in events first..last, by content, in the order of their first use.

    Contents that are drawn are looked at when they are sampled last; `all_versions`: after each change.
    """

    first: int = 0
    last: int | None = None
    all_versions: bool = False

    def run(self, capture: Capture, cancel: Cancel | None = None) -> list[UsedTexture]:
        """Raises Cancelled."""
        found: dict[str, UsedTexture] = {}
        for uses, moment_event in sorted(self._versions(capture), key=lambda one: one[1]):
            if cancel and cancel():
                raise Cancelled("listing of textures cancelled")
            life = capture.resources.life(int(uses["life"][0]))
            moment = capture.moment(moment_event, None, cancel)
            part = find(moment, life.handle)
            if part is None:
                continue
            surface = part.surface
            digest = digest_of(moment, surface)
            events = uses["event"]
            one = found.get(digest)
            if one is None:
                depth = surface.depth if surface.volume else 1
                one = found[digest] = UsedTexture(
                    digest, moment_event, surface.handle, surface.width, surface.height, depth, surface.levels, surface.faces,
                    surface.format.name, surface.label, int(events.min()), int(events.max()),
                )  # fmt: skip
            one.first, one.last = min(one.first, int(events.min())), max(one.last, int(events.max()))
            one.draws += len(np.unique(events))
            one.handles = sorted({*one.handles, surface.handle})
            one.stages = sorted({*one.stages, *uses["detail"].tolist()})
        return sorted(found.values(), key=lambda one: (one.first, one.handle))

    def _versions(self, capture: Capture) -> Iterator[tuple[np.ndarray, int]]:
        """(rows of uses of one content of one texture, the event to look at it)."""
        resources = capture.resources
        uses = resources.uses[resources.uses["role"] == Role.TEXTURE]
        last = len(capture.events) - 1 if self.last is None else self.last
        uses = uses[(uses["event"] >= self.first) & (uses["event"] <= last)]
        writing = WRITING if self.all_versions else WRITING - DRAWN_TO
        for life in np.unique(uses["life"]).tolist():
            mine = uses[uses["life"] == life]
            rows = resources.happened([life])
            writes = np.unique(rows["event"][np.isin(rows["role"], list(writing))])
            version = np.searchsorted(writes, mine["event"], side="left")
            for number in np.unique(version).tolist():
                some = mine[version == number]
                yield some, int(some["event"][-1])


def digest_of(moment: Moment, surface: Surface) -> str:
    """SHA-256 of a texture's shape and of all its stored bytes, as 64 digits; of palettized ones their colours too."""
    shape = (surface.width, surface.height, surface.depth if surface.volume else 1, surface.levels, surface.faces)
    digest = hashlib.sha256(repr((*shape, surface.format.name)).encode())
    for part in surface.parts:
        level = moment.level(part)
        across, _, size = part.format.block
        used = -(-part.width // across) * size
        for slice in range(part.depth if surface.volume else 1):
            digest.update(packed(level, slice)[:, :used].tobytes())
    palette = moment.palette_of(surface)
    if palette is not None:
        digest.update(palette.colors.tobytes())
    return digest.hexdigest()
