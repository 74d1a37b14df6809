"""Pixels of the past: the changes to one pixel of a subresource in order, and the fragments behind them.

Asks a Rewind.  Batches are asked for a single pixel by drawing it again (core.pipeline.explain.redraw) from the tiles of their
journals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.device.memory.surfaces import Contents, SurfacePart
from core.device.past.rewind import Rewind, like
from core.device.past.tap import Overwrite, Pass
from core.kernels.jit import array, boolean, i8, kernel, void
from core.pipeline.explain.redraw import DrawnBatch, Redrawn
from core.pipeline.pixel.binned import Seen
from core.pipeline.pixel.observer import LOG_RECORD
from core.pipeline.surface.blit import plane_words

TOUCHED = np.dtype([("event", "i8"), ("primitive", "i4"), ("pixels", "i8")])
FEW_TILES = 12  # drawn one by one: after that all at once is faster, and kept for the next question
Rect = tuple[int, int, int, int]
Words = tuple[int, ...]
"""A pixel as stored, a number per sample; of a compressed format: the block that holds it."""


@dataclass(frozen=True, slots=True)
class Touch:
    """A batch, or a clear, copy or upload, that may have changed a pixel: what stood there before and after it."""

    cause: Pass | Overwrite
    before: Words
    after: Words
    batch: DrawnBatch | None = None  # if a batch did it

    @property
    def seq(self) -> int:
        """The (first) event."""
        return self.cause.first_seq if isinstance(self.cause, Pass) else self.cause.seq


class Write(NamedTuple):
    """A change of one sample of a pixel; primitive -1: by a clear, copy, upload or flip."""

    event: int
    primitive: int
    sample: int
    before: int
    after: int


class PixelLog:
    """Pixels of all surfaces in one log."""

    def __init__(self, rewind: Rewind) -> None:
        self.rewind = rewind

    def touches(self, part: SurfacePart, x: int, y: int, slice: int = 0) -> list[Touch]:
        """What touched the pixel's tile or, other than drawing, the pixel, in order."""
        after = pixel_words(part, self.rewind.contents(part), x, y, slice)
        found: list[Touch] = []
        for cause in reversed(self.rewind.changes_of(part)):
            if isinstance(cause, Overwrite):
                before = pixel_words(part, cause.before, x, y, slice)
                if cause.covers(x, y, slice):
                    found.append(Touch(cause, before, after))
                after = before
                continue
            for batch in reversed(drawn_at(cause, x, y)):
                words = batch.journal.pixel_before(x, y)[part is cause.parts[1]]
                assert words is not None
                before = tuple(words.tolist())
                found.append(Touch(cause, before, after, batch))
                after = before
        return found[::-1]

    def words_at(self, part: SurfacePart, x: int, y: int, seq: int, slice: int = 0) -> Words:
        """What stood at a pixel just after event `seq`."""
        for touch in self.touches(part, x, y, slice):
            if isinstance(touch.cause, Pass) and touch.cause.last_seq > seq:
                words = list(touch.before)
                for write in writes(touch, part, x, y):
                    if write.event <= seq:
                        words[write.sample] = write.after
                return tuple(words)
            if touch.seq > seq:
                return touch.before
        return pixel_words(part, self.rewind.contents(part), x, y, slice)

    def writers(self, part: SurfacePart, x: int, y: int, slice: int = 0) -> list[Write]:
        """What changed a pixel, in order, and every clear, copy or upload of it (once, for its first sample)."""
        found: list[Write] = []
        for touch in self.touches(part, x, y, slice):
            if isinstance(touch.cause, Pass):
                found += writes(touch, part, x, y)
            else:
                found.append(Write(touch.cause.seq, -1, 0, touch.before[0], touch.after[0]))
        return found

    def touched(self, part: SurfacePart, rect: Rect, first: int, last: int) -> np.ndarray:
        """TOUCHED[n] in order: what of events first..last changed pixels of slice 0 within a rectangle, and how many."""
        causes = [cause for cause in self.rewind.changes_of(part) if _events(cause)[0] <= last and _events(cause)[1] >= first]
        if not causes:
            return np.zeros(0, TOUCHED)
        words = words_of(part, self.rewind.part(part, _events(causes[-1])[1]).contents())
        found: list[np.ndarray] = []
        for cause in reversed(causes):
            if isinstance(cause, Overwrite):
                _take_back(words, part, cause.before, rect)
                found.append(overwritten(cause, part, rect))
            else:
                found.append(_counted(cause, part, rect, words))
        rows = np.concatenate(found[::-1])
        return rows[(rows["event"] >= first) & (rows["event"] <= last)]


def _events(cause: Pass | Overwrite) -> tuple[int, int]:
    """The first and the last."""
    return (cause.first_seq, cause.last_seq) if isinstance(cause, Pass) else (cause.seq, cause.seq)


def pixel_words(part: SurfacePart, contents: Contents, x: int, y: int, slice: int = 0) -> Words:
    """A pixel in contents of a subresource."""
    linear, blocks, _ = contents
    if blocks is not None:
        tile = (y >> 6) * ((part.width + 63) >> 6) + (x >> 6)
        at = tile * 4096 + (((y >> 2) & 15) * 16 + ((x >> 2) & 15)) * 16 + (y & 3) * 4 + (x & 3)
        return tuple(blocks[at :: plane_words(part.width, part.height)].tolist()[: part.planes])
    if linear is None:
        return (0,) * part.planes
    width, height, size = part.format.block
    at = slice * part.slice_pitch + y // height * part.pitch + x // width * size
    return (int.from_bytes(linear[at : at + size].tobytes(), "little"),) * part.planes


def drawn_at(cause: Pass, x: int, y: int) -> list[DrawnBatch]:
    """The batches of a pass that draw in the pixel's tile, in order."""
    shape = cause.parts[0] or cause.parts[1]
    assert shape is not None
    if x >= shape.width or y >= shape.height:
        return []
    tile = (y >> 6) * cause.columns + (x >> 6)
    return [DrawnBatch(journal) for journal in cause.watch.journals if journal.tiles[tile] >= 0]


def redrawn(touch: Touch, part: SurfacePart, x: int, y: int) -> Redrawn:
    """The fragments of a pixel in a batch; they come out as they did."""
    assert isinstance(touch.cause, Pass) and touch.batch is not None
    found = touch.batch.redraw(x, y)
    after = found.depth if part is touch.cause.parts[1] else found.color
    assert tuple(after.tolist()) == touch.after, f"event {touch.seq}: pixel {x}, {y} does not come out as it did"
    return found


def writes(touch: Touch, part: SurfacePart, x: int, y: int) -> list[Write]:
    """What changed a pixel in a batch, in order."""
    assert isinstance(touch.cause, Pass) and touch.batch is not None
    edges = touch.batch.edges
    name = "depth" if part is touch.cause.parts[1] else "color"
    fragments = redrawn(touch, part, x, y).fragments
    changed = fragments[fragments[f"old_{name}"] != fragments[f"new_{name}"]]
    rows = changed["primitive"]
    columns = (edges["seq"][rows], edges["number"][rows], changed["sample"], changed[f"old_{name}"], changed[f"new_{name}"])
    return [Write(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


# ---- rectangles --------------------------------------------------------------------------------------


@kernel(void(array(LOG_RECORD), array("u4"), i8, boolean, i8, i8, array("i8"), array("i8")))
def _count_changes(records, words, plane, depth, columns, own_columns, rect, counts):
    """Takes records back, last first, in the colour or depth words; counts: changed samples of each within the rectangle."""
    left, top, right, bottom = rect[0], rect[1], rect[2], rect[3]
    for n in range(len(records) - 1, -1, -1):
        record = records[n]
        tile, inner = record["block"] >> 8, record["block"] & 255
        x, y = tile % columns * 64 + (inner & 15) * 4, tile // columns * 64 + (inner >> 4) * 4
        at = (record["lanes"] >> 16) * plane + ((y >> 6) * own_columns + (x >> 6)) * 4096 + inner * 16
        before = record["depth"] if depth else record["color"]
        for lane in range(16):
            if record["lanes"] >> lane & 1 and words[at + lane] != before[lane]:
                words[at + lane] = before[lane]
                px, py = x + (lane & 3), y + (lane >> 2)
                counts[n] += left <= px < right and top <= py < bottom


def _counted(cause: Pass, part: SurfacePart, rect: Rect, words: np.ndarray) -> np.ndarray:
    """TOUCHED[n] of a pass that left these words, which become those before it, at least within the rectangle."""
    found = []
    for records in reversed(_records(cause, rect)):
        counts = np.zeros(len(records), np.int64)
        _count_changes(records, words, len(words) // part.planes, part is cause.parts[1], cause.columns, (part.width + 63) >> 6,
                       np.array(rect), counts)  # fmt: skip
        chosen = counts > 0
        found.append(np.stack([records["seq"][chosen], records["primitive"][chosen], counts[chosen]]))
    return summed(*np.concatenate([np.zeros((3, 0), np.int64), *found], axis=1))


def _records(cause: Pass, rect: Rect) -> list[np.ndarray]:
    """The undo records of a pass, at least those within a rectangle: its few tiles are drawn again, or the whole batch once."""
    left, top, right, bottom = rect
    tiles = [y * cause.columns + x for y in range(top >> 6, (bottom + 63) >> 6) for x in range(left >> 6, (right + 63) >> 6)]
    if cause.watch.recorded or len(tiles) > FEW_TILES:
        return cause.watch.written
    seen = Seen(log=True)
    for journal in cause.watch.journals:
        for tile in tiles:
            if tile < len(journal.tiles) and journal.tiles[tile] >= 0:
                journal.binned.draw(*journal.before(tile), 1, seen, tile)
    return seen.chunks


def summed(events: np.ndarray, primitives: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """TOUCHED[n]: counts by event and primitive."""
    keys, place = np.unique(events << 32 | primitives, return_inverse=True)
    rows = np.zeros(len(keys), TOUCHED)
    rows["event"], rows["primitive"] = keys >> 32, keys & 0xFFFFFFFF
    rows["pixels"] = np.bincount(place, counts, len(keys))
    return rows


def overwritten(cause: Overwrite, part: SurfacePart, rect: Rect) -> np.ndarray:
    """TOUCHED[0 or 1]: a clear, copy or upload."""
    mask = np.zeros((rect[3] - rect[1], rect[2] - rect[0]), bool)
    for left, top, right, bottom, *_ in cause.boxes or ((0, 0, part.width, part.height, 0, 1),):
        mask[max(top - rect[1], 0) : max(bottom - rect[1], 0), max(left - rect[0], 0) : max(right - rect[0], 0)] = True
    return np.array([(cause.seq, -1, mask.sum() * part.planes)], TOUCHED)[: int(mask.any())]


def _take_back(words: np.ndarray, part: SurfacePart, contents: Contents, rect: Rect) -> None:
    """Makes the words what they were, at least in the tiles of the rectangle."""
    blocks, columns, plane = contents[1], (part.width + 63) >> 6, len(words) // part.planes
    if blocks is None or not len(words):
        words[:] = words_of(part, contents)
        return
    left, right = rect[0] >> 6, (rect[2] + 63) >> 6
    for first in range(0, len(words), plane):
        for row in range(rect[1] >> 6, (rect[3] + 63) >> 6):
            span = slice(first + (row * columns + left) * 4096, first + (row * columns + right) * 4096)
            words[span] = blocks[span]


def words_of(part: SurfacePart, contents: Contents) -> np.ndarray:
    """Contents in block form, to be changed; nothing for what cannot be drawn to."""
    if not part.format.renderable:
        return np.zeros(0, np.uint32)
    copy = like(part)
    copy.set_contents(contents)
    return copy.blocks().copy()
