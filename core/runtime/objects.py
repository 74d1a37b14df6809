"""Objects behind API pointers: resources and views of their subresources; and the table that the conversion loop searches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.runtime.rows import layout as c
from core.runtime.rows.convert import bind
from core.spec.enums import Pool

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

Box = tuple[int, int, int, int, int, int]  # left, top, right, bottom, front, back


@dataclass(eq=False, slots=True)
class Lock:
    """A lock that is open: where it is, at which address and pitch the program writes, and what it wrote."""

    handle: int
    box: tuple[int, ...] | None
    address: int
    pitch: int
    slice_pitch: int
    read_only: bool
    dirties: bool
    face: int = 0
    level: int = 0
    offset: int = 0  # of a buffer lock
    contents: Any = None
    skip: int = 0  # bytes between the locked address and where the written ones begin


@dataclass(eq=False, slots=True)
class Resource:
    """A texture, cube, volume, surface or buffer.

    `handle` owns handles up to handle + faces * levels - 1: one per subresource.  A managed resource has a system memory copy
    too, which locks work on; `dirty` lists per face the boxes (of level 0) in which the copies differ.  SYSTEMMEM resources
    keep such lists as well, for UpdateTexture.
    """

    kind: str  # texture cube volume surface vertex index
    handle: int
    format: int
    width: int
    height: int = 1
    depth: int = 1
    levels: int = 1
    faces: int = 1
    pool: int = Pool.DEFAULT
    usage: int = 0
    samples: int = 0
    system: int = 0
    pointer: int = 0
    implicit: bool = False  # made by the swap chain: Release does not end it
    key: int = 0  # in the table of pointers, where it is there (textures and buffers)
    dirty: list[list[Box]] = field(default_factory=list)
    locks: dict[tuple[int, int], Lock] = field(default_factory=dict)
    views: dict[tuple[int, int], int] = field(default_factory=dict)  # (face, level) -> surface pointer
    lod: int = 0
    priority: int = 0
    fvf: int = 0
    contents: np.ndarray | None = None  # of a vertex buffer, where the runtime processes vertices
    uploaded: bool = False  # managed: video memory had it once
    palette: int = -1  # number of the palette last sent to the driver

    @property
    def is_bound(self) -> bool:
        """Whether the loop finds it."""
        return bool(self.key)

    @property
    def is_buffer(self) -> bool:
        return self.kind in ("vertex", "index")

    @property
    def is_managed(self) -> bool:
        return bool(self.system)

    @property
    def written(self) -> int:
        """The handle that locks and copies into the resource work on."""
        return self.system or self.handle

    def subresource(self, face: int, level: int) -> int:
        """Offset of a subresource's handle from the first."""
        return face * self.levels + level

    def size(self, level: int) -> tuple[int, int, int]:
        """Width, height, depth of a level."""
        width, height, depth = self.width >> level, self.height >> level, self.depth >> level
        return (
            width if width > 0 else 1,
            height if height > 0 else 1,
            depth if depth > 0 else 1,
        )  # max costs three times as much

    def whole(self) -> Box:
        """Level 0."""
        return (0, 0, self.width, self.height, 0, self.depth)

    def add_dirty(self, face: int, level: int, box: Box | None) -> None:
        """Marks a box of a level as changed, as the box of level 0 that covers it."""
        boxes = self.dirty[face]
        if box is None or boxes == [self.whole()]:
            boxes[:] = [self.whole()]
            return
        left, top, right, bottom, front, back = (edge << level for edge in box)
        boxes.append((left, top, min(right, self.width), min(bottom, self.height), front, min(back, self.depth)))
        if len(boxes) > 16:
            boxes[:] = [union(boxes)]


def union(boxes: list[Box]) -> Box:
    """The smallest box around all."""
    return (
        min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes),
        max(b[3] for b in boxes), min(b[4] for b in boxes), max(b[5] for b in boxes),
    )  # fmt: skip


class View(NamedTuple):
    """A surface or volume of a resource: what GetSurfaceLevel and its kin return."""

    resource: Resource
    face: int = 0
    level: int = 0

    @property
    def handle(self) -> int:
        return self.resource.handle + self.resource.subresource(self.face, self.level)

    @property
    def written(self) -> int:
        return self.resource.written + self.resource.subresource(self.face, self.level)

    @property
    def size(self) -> tuple[int, int, int]:
        return self.resource.size(self.level)


@dataclass(slots=True)
class Sent:
    """What was last sent to the driver about the runtime's transformed vertices; `geometry`: the arenas that make them.

    numbers: those that the loop reads and writes, too (layout.SENT_FORMAT ...).  wraps: WRAPn of each stage.
    """

    numbers: np.ndarray = field(default_factory=lambda: np.array([-1, -1, c.NOTHING_SENT], np.int64))
    indices: bool = False
    wraps: list[int] = field(default_factory=lambda: [0] * 8)
    geometry: Any = None

    @property
    def format(self) -> int:
        return self.numbers.item(c.SENT_FORMAT)

    @property
    def stride(self) -> int:
        return self.numbers.item(c.SENT_STRIDE)

    @property
    def buffer(self) -> int:
        """The vertex buffer that the draws gathered so far read, 0: the program's memory."""
        return self.numbers.item(c.SENT_BUFFER)

    def tell(self, format: int, stride: int, buffer: int = c.NOTHING_SENT) -> None:
        """Vertices of this format and size follow, from a buffer or from the program's memory."""
        self.numbers[:] = format, stride, buffer


class Pointers:
    """Pointers and shader handles -> DDI handles, in open-addressing arrays that the loop reads."""

    def __init__(self, size: int = 1 << 12) -> None:
        self._make(size)

    def _make(self, size: int) -> None:
        self.keys = np.zeros(size, np.uint64)
        self.handles = np.zeros(size, np.uint32)
        self.infos = np.zeros(size, np.uint64)
        self._known: dict[int, tuple[int, int]] = {}

    def bind(self, key: int, handle: int, info: int = 0) -> bool:
        """Names an object (handle 0: no more); True when the arrays were replaced by larger ones."""
        self._known[key] = (handle, info)
        grown = 2 * len(self._known) > len(self.keys)
        if grown:
            known = {k: v for k, v in self._known.items() if v[0]}
            self._make(max(len(self.keys), 1 << (4 * len(known) + 16).bit_length()))
            self._known = known
            for k, (h, i) in known.items():
                self._put(k, h, i)
        else:
            self._put(key, handle, info)
        return grown

    def _put(self, key: int, handle: int, info: int) -> None:
        bind(self.keys, self.handles, self.infos, np.uint64(key), np.uint32(handle), np.uint64(info))

    def get(self, key: int) -> int:
        """The handle at a key, 0 if there is none."""
        return self._known.get(key, (0, 0))[0]


def resource_of(rt: Runtime, pointer: int) -> Resource | None:
    """The resource that a pointer names, or whose part it names; None with a finding when there is none."""
    thing = rt.objects.get(pointer)
    if isinstance(thing, View):
        return thing.resource
    if isinstance(thing, Resource):
        return thing
    rt.reject(f"{pointer:#x} names no resource")
    return None
