"""Rewind: a device's memory at earlier events, from the log of a tap.

A surface is taken back from its contents at the end of the log (or when it was destroyed), or from those before the first
clear, copy or upload after the moment in question, by undoing block records in reverse.  The device does not move, and may
go elsewhere meanwhile: what a Rewind needs of it was taken down when it was made.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.device.device import Context, Device, Palette
from core.device.memory.surfaces import Buffer, Contents, Surface, SurfacePart
from core.device.past.tap import Overwrite, Pass, Tap
from core.device.past.undo import undo
from core.pipeline.explain.misses import Misses
from core.pipeline.observe.shapes import Shape
from core.pipeline.pixel.observer import LOG_RECORD
from core.pipeline.records.layout import TILE_PIXELS, to_blocks

if TYPE_CHECKING:
    from core.device.memory.textures import Words

EVERYTHING = -1  # of the primitives of an event
RECORDS_KEPT = 96 << 20  # bytes of undo records kept for the next look
QUICK = 1 << 17  # blocks of a pass that is soon drawn up to a moment, without records
A_STAY = 4  # looks into the same pass, one after the other
COLOR_WORDS, DEPTH_WORDS = 20, 4  # where LOG_RECORD has the words before


@dataclass(frozen=True, slots=True)
class Past:
    """What there was beside contents: objects by handle, settings (Surface.settings()) and palettes; one moment's worth."""

    surfaces: dict[int, Surface]
    buffers: dict[int, Buffer]
    settings: dict[Surface, tuple]
    palettes: dict[tuple[Context, int], Palette | None]
    targets: dict[Context, tuple[int, int]]
    current: dict[None, Context]
    chain: dict[None, list[int]]

    @classmethod
    def present(cls, device: Device, left: list[Context]) -> Past:
        """The device as it is; `left`: contexts that were current before, perhaps destroyed since."""
        memory, contexts = device.memory, {*device.contexts.values(), device.context, *left}
        return cls(
            dict(memory.surfaces), dict(memory.buffers), {one: one.settings() for one in memory.surfaces.values()},
            {(one, handle): device.palette(one, handle) for one in contexts for handle in one.registers.palette_slot},
            {one: one.registers.targets for one in contexts}, {None: device.context}, {None: device.chain},
        )  # fmt: skip

    def copy(self) -> Past:
        """To be changed."""
        return Past(*(dict(getattr(self, name)) for name in self.__slots__))  # type: ignore[arg-type]

    def undo(self, table: str, key: Any, before: Any) -> None:
        """Takes a note back."""
        things = getattr(self, table)
        if before is None:
            things.pop(key, None)
        else:
            things[key] = before

    def owner(self, handle: int) -> tuple[Surface, int] | None:
        """The surface that a handle is a part of, and which."""
        if (surface := self.surfaces.get(handle)) is not None:
            return surface, 0
        for surface in self.surfaces.values():
            if 0 <= handle - surface.handle < len(surface.parts):
                return surface, handle - surface.handle
        return None


class Rewind:
    """The past of a device's memory, as far back as the tap (with `log`) was attached.  Usable from several threads."""

    def __init__(self, device: Device, tap: Tap, records_room: Callable[[], int] = lambda: RECORDS_KEPT) -> None:
        """`records_room`: bytes that undo records kept for the next look may have now; never more than RECORDS_KEPT."""
        device.flush()
        assert not tap.lost
        self._tap = tap
        self._present = Past.present(device, [note.before for note in tap.notes if note.table == "current"])
        gone = [note.before for note in tap.notes if isinstance(note.before, Surface)]
        parts = [part for surface in (*self._present.surfaces.values(), *gone) for part in surface.parts]
        self._contents: dict[SurfacePart, Contents] = {part: part.contents() for part in parts}
        self._settings = {surface: surface.settings() for surface in gone}  # of what was destroyed
        self._changes: dict[SurfacePart, list[Pass | Overwrite]] = {}
        self._misses: dict[SurfacePart, Misses] = {}
        self._looked: tuple[Pass | None, int] = None, 0  # which pass the last looks went into, and how many
        self._records_room = records_room
        self._lock = threading.Lock()

    def version_before(self, part: SurfacePart) -> int | None:
        """The version of the contents that the log begins with, if the first change of the subresource is a draw."""
        return self._tap.versions.get(part)

    def pieces(self) -> Iterator[np.ndarray | Words]:
        """The memory of the log and of the contents at its end, without records."""
        yield from self._tap.pieces()
        for linear, blocks, _ in self._contents.values():
            yield from (words for words in (linear, blocks) if words is not None)

    def past(self, seq: int) -> Past:
        """What there was just after event `seq`."""
        past = self._present.copy()
        for surface, settings in self._settings.items():
            past.settings.setdefault(surface, settings)
        for note in reversed(self._tap.notes):
            if note.seq <= seq:
                break
            past.undo(note.table, note.key, note.before)
        return past

    def at(self, handle: int, seq: int, primitive: int | None = None) -> SurfacePart:
        """A copy of a subresource just after event `seq`, or after that primitive of it. LookupError: no such handle."""
        found = self.past(seq).owner(handle)
        if found is None:
            raise LookupError(f"no surface {handle}")
        return self.part(found[0].parts[found[1]], seq, primitive)

    def part(self, part: SurfacePart, seq: int, primitive: int | None = None) -> SurfacePart:
        """As `at`, of a subresource that was there at that event."""
        changes = self.changes_of(part)
        stop = next((n for n, one in enumerate(changes) if isinstance(one, Overwrite) and one.seq > seq), len(changes))
        start = changes[stop].before if stop < len(changes) else self._contents[part]  # type: ignore[union-attr]
        copy = like(part)
        copy.set_contents(start)
        late = [one for one in changes[:stop] if isinstance(one, Pass) and one.last_seq >= seq]
        if late:
            self._undo(copy, part, late, seq, primitive)
        return copy

    def _undo(self, copy: SurfacePart, part: SurfacePart, passes: list[Pass], seq: int, primitive: int | None) -> None:
        """Takes passes that end at `seq` or later back: whole ones tile by tile, the one around `seq` record by record."""
        words, columns = copy.write_blocks(), (part.width + 63) >> 6
        done = np.zeros(len(words) // copy.planes // TILE_PIXELS, bool)
        later = [one for one in passes if one.first_seq > seq]
        whole = all(_inside(one, columns) is None for one in later)  # then the first pass that touched a tile is enough
        for one in later if whole else reversed(later):
            for journal in one.watch.journals if whole else reversed(one.watch.journals):
                done = done if whole else np.zeros_like(done)
                journal.put_back(words, part is one.parts[1], columns, done, _inside(one, columns))
        for one in reversed(passes):
            if one.first_seq <= seq and (one.last_seq > seq or primitive is not None):
                self._undo_partly(words, copy.planes, one, part is one.parts[1], columns, seq, primitive)

    def _undo_partly(self, words: np.ndarray, planes: int, one: Pass, depth: bool, columns: int, seq: int,
                     primitive: int | None) -> None:  # fmt: skip
        """By undoing records, or by drawing the pass again up to there."""
        if not self._uses_records(one):
            for journal in reversed(one.watch.journals):
                if not journal.begins_after(seq, primitive):
                    journal.put_partly(words, depth, columns, seq, primitive, _inside(one, columns))
                    return  # the earlier ones are whole
                done = np.zeros(len(words) // planes // TILE_PIXELS, bool)
                journal.put_back(words, depth, columns, done, _inside(one, columns))
            return
        stays = EVERYTHING if primitive is None else primitive
        for chunk in reversed(one.watch.written):
            undo(chunk.view(np.int32), len(chunk), seq, stays, words, len(words) // planes,
                 DEPTH_WORDS if depth else COLOR_WORDS, one.columns, columns)  # fmt: skip

    def _uses_records(self, one: Pass) -> bool:
        """Whether a look into a pass takes its records, which the first such look makes; there must be room for them.

        Making them takes as long as three looks into a quick pass without: they wait until looks stay in that pass.
        """
        with self._lock:
            if one.watch.recorded:
                return True
            blocks = sum(journal.most_records for journal in one.watch.journals)
            self._looked = one, self._looked[1] + 1 if one is self._looked[0] else 1
            if blocks <= QUICK and self._looked[1] < A_STAY:
                return False
            return self._make_room(blocks * LOG_RECORD.itemsize)

    def _make_room(self, most: int) -> bool:
        """Whether a pass may have so many bytes of records; those of others are forgotten when together they are too many."""
        held, room = [other for other in self._tap.passes if other.watch.recorded], min(self._records_room(), RECORDS_KEPT)
        while held and most <= room and sum(map(_records_of, held)) + most > room:
            held.pop(0).watch.forget_records()
        return most <= room

    def changes(self, handle: int) -> list[Pass | Overwrite]:
        """Everything that changed a subresource, in order; of the last one with this handle."""
        found = self._present.owner(handle)
        return self.changes_of(found[0].parts[found[1]]) if found else []

    def shapes_of(self, part: SurfacePart) -> Iterator[Shape]:
        """The draws to a subresource, on their way to the screen."""
        return self._tap.shapes_of(part)

    def misses(self, part: SurfacePart) -> Misses:
        """The draws to a subresource, to be asked what missed a pixel."""
        if (found := self._misses.get(part)) is None:
            found = self._misses[part] = Misses(list(self.shapes_of(part)))
        return found

    def contents(self, part: SurfacePart) -> Contents:
        """At the end of the log, or when the surface was destroyed."""
        return self._contents[part]

    def changes_of(self, part: SurfacePart) -> list[Pass | Overwrite]:
        """Everything that changed a subresource, in order."""
        if (found := self._changes.get(part)) is None:
            passes = [one for one in self._tap.passes if one.drew_to(part)]
            overwrites = [one for one in self._tap.overwrites if one.part is part]
            found = sorted([*passes, *overwrites], key=lambda one: one.first_seq if isinstance(one, Pass) else one.seq)
            self._changes[part] = found
        return found

    def writers(self, handle: int, x: int, y: int) -> np.ndarray:
        """(event, primitive) rows, int64, of what changed pixel (x, y), in order; primitive -1: a clear, copy or upload."""
        if self._present.owner(handle) is None:
            raise LookupError(f"no surface {handle}")
        lane = 1 << ((y & 3) * 4 + (x & 3))
        rows: list[np.ndarray] = []
        for one in self.changes(handle):
            if isinstance(one, Overwrite):
                rows.append(np.array([[one.seq, -1]]))
                continue
            block = ((y >> 6) * one.columns + (x >> 6)) * 256 + ((y >> 2) & 15) * 16 + ((x >> 2) & 15)
            records = one.watch.records
            mine = records[(records["block"] == block) & (records["lanes"] & lane != 0)]
            rows.append(np.stack([mine["seq"], mine["primitive"]], -1).astype(np.int64))
        return np.concatenate([np.zeros((0, 2), np.int64), *rows])


def _records_of(one: Pass) -> int:
    """Bytes."""
    return sum(chunk.nbytes for chunk in one.watch.written) if one.watch.recorded else 0


def _inside(one: Pass, columns: int) -> np.ndarray | None:
    """Which pixels of the tiles of a pass its target covers; None where a whole tile is a tile of the other surface too."""
    target = one.parts[0]
    if target is None or columns == one.columns:
        return None
    return to_blocks(np.ones((target.height, target.width), np.uint32)).reshape(-1, TILE_PIXELS) != 0


def like(part: SurfacePart) -> SurfacePart:
    """A subresource of the same shape on a surface of its own."""
    depth = part.depth if part.surface.volume else 1
    surface = Surface(0, part.format, part.width, part.height, depth, samples=part.samples, volume=part.surface.volume)
    surface.palette, surface.label = part.surface.palette, part.surface.label
    copy = surface.part()
    surface.parts = []  # in a cycle with its surface, the copy's memory would wait for the garbage collector
    return copy
