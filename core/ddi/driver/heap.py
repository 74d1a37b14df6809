"""Addresses of surfaces and buffers in the conceptual AGP heap and local video memory (DX8 DDI, "Handling Renaming").

A non-local heap has addresses of its own: it begins at fpStart (fpGARTLin of GUID_UpdateNonLocalHeap), which is not zero so
that no allocation is; fpHeapOffset of a surface lies in that space.  A process sees it at

    fpVidMem = pvVirtAddr + (fpHeapOffset - fpStart)

Local video memory has fpVidMem as an offset, seen at fpProcess + fpVidMem.  System memory is a plain pointer.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from core.ddi.rules.renaming import renamed_address

FIRST_OFFSET = 0x1000  # fpStart: no allocation has the address zero
AGP_ADDRESS = 0x20000000  # pvVirtAddr: where the process sees the AGP heap
VIDEO_ADDRESS = 0x40000000  # fpProcess: where it sees local video memory
SYSTEM_ADDRESS = 0x00400000
ALIGNMENT = 256


@dataclass(frozen=True, slots=True)
class Allocation:
    """Where an object's memory is; `heap_offset` is 0 in system memory."""

    memory: str
    heap_offset: int
    vid_mem: int
    size: int


@dataclass(slots=True)
class Heap:
    """Hands out memory of one heap: what was given back is used again for the same size, else the top grows."""

    start: int
    top: int = 0  # bytes from the start
    spare: dict[int, list[int]] = field(default_factory=dict)  # bytes -> offsets from the start

    def allocate(self, size: int) -> int:
        """An offset in the heap's own address space (HeapVidMemAllocAligned)."""
        size = _aligned(size)
        if free := self.spare.get(size):
            return self.start + free.pop()
        self.top += size
        return self.start + self.top - size

    def free(self, offset: int, size: int) -> None:
        """Gives memory back."""
        self.spare.setdefault(_aligned(size), []).append(offset - self.start)

    def copy(self) -> Heap:
        return Heap(self.start, self.top, {size: list(free) for size, free in self.spare.items()})


def _aligned(size: int) -> int:
    return -(-max(size, 1) // ALIGNMENT) * ALIGNMENT


@dataclass(slots=True)
class Heaps:
    """The three kinds of memory, and what lies where."""

    agp: Heap = field(default_factory=lambda: Heap(FIRST_OFFSET))
    video: Heap = field(default_factory=lambda: Heap(ALIGNMENT))
    system: Heap = field(default_factory=lambda: Heap(SYSTEM_ADDRESS))
    places: dict[int, Allocation] = field(default_factory=dict)  # by handle

    @property
    def start(self) -> int:
        """fpStart of the AGP heap."""
        return self.agp.start

    @start.setter
    def start(self, value: int) -> None:
        if not self.agp.top:
            self.agp.start = value

    def place(self, handle: int, memory: str, size: int) -> Allocation:
        """Memory for an object."""
        self.release(handle)
        found = self.places[handle] = self._new(memory, size)
        return found

    def _new(self, memory: str, size: int) -> Allocation:
        if memory == "agp":
            offset = self.agp.allocate(size)
            return Allocation(memory, offset, AGP_ADDRESS + (offset - self.agp.start), size)
        if memory == "video":
            offset = self.video.allocate(size)
            return Allocation(memory, offset, offset, size)
        return Allocation("system", 0, self.system.allocate(size), size)

    def rename(self, handle: int) -> Allocation | None:
        """New memory for an object (the new fpVidMem by the arithmetic of the specification); None if it has none."""
        old = self.places.get(handle)
        if old is None:
            return None
        new = self._new(old.memory, old.size)
        if old.memory == "agp":
            address = renamed_address(old.vid_mem, old.heap_offset, self.start, new.heap_offset)
            new = Allocation("agp", new.heap_offset, address, old.size)
        self._give_back(old)
        self.places[handle] = new
        return new

    def release(self, handle: int) -> None:
        """The object ends."""
        if (old := self.places.pop(handle, None)) is not None:
            self._give_back(old)

    def copy(self) -> Heaps:
        """Another one that changes on its own."""
        return Heaps(self.agp.copy(), self.video.copy(), self.system.copy(), dict(self.places))

    def _give_back(self, place: Allocation) -> None:
        heap = {"agp": self.agp, "video": self.video}.get(place.memory, self.system)
        heap.free(place.heap_offset or place.vid_mem, place.size)


def user_address(place: Allocation) -> int:
    """What the application gets from a lock."""
    return VIDEO_ADDRESS + place.vid_mem if place.memory == "video" else place.vid_mem
