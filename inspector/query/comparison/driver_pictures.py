"""The recorded driver's pictures (entry "Picture" of a recording), each compared with ours.

The first picture that differs is explained: of its pixels that differ, the primitive (or clear, copy, upload) that wrote one of
them first since the surface was last seen to be alike.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.ddi.calls import DdiCall
from core.device.memory import transfer
from core.device.memory.surfaces import Surface, SurfacePart
from core.device.past import reading
from core.errors import Cancelled
from core.spec.formats import Format
from core.spec.subresource import Subresource
from inspector.query.pixels.writers import Writers
from inspector.timeline.budgets import usual_threads

if TYPE_CHECKING:
    from core.ddi.driver.emulated import EmulatedDriver
    from inspector.capture import Capture
    from inspector.progress import Cancel

ENTRY = "Picture"
MOST_PIXELS = 64  # of a picture that are asked who wrote them


@dataclass(frozen=True, slots=True)
class Difference:
    """The pixels of a picture that differ: how many, a box around them (left, top, right, bottom; the last two excluded), the
    largest difference in steps of a channel; the first of them, and its bytes here and in the driver, as numbers."""

    count: int
    box: tuple[int, int, int, int]
    largest: int
    slice: int
    x: int
    y: int
    ours: int
    theirs: int


@dataclass(frozen=True, slots=True)
class Culprit:
    """What wrote a pixel that differs: event and primitive (-1: a clear, copy or upload), and the pixel."""

    event: int
    primitive: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class DriverPicture:
    """A recorded picture: its event, what it shows and how it differs; `problem`: why it could not be compared.

    since: the last event before it after which the surface was compared and alike, -1: none.  culprit: only of the first
    picture that differs, None if nothing here has written the pixels since.
    """

    event: int
    where: Subresource
    since: int = -1
    difference: Difference | None = None
    problem: str = ""
    culprit: Culprit | None = None


@dataclass(frozen=True, slots=True)
class DriverPictures:
    """Compares every picture that a driver's recording holds.  tolerance: by how many steps a channel may differ."""

    tolerance: int = 0
    threads: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> tuple[DriverPicture, ...]:
        pieces = self.in_pieces(capture, cancel)
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                found: tuple[DriverPicture, ...] = end.value
                return found
            if cancel and cancel():
                raise Cancelled("verification cancelled")

    def in_pieces(self, capture: Capture, cancel: Cancel | None = None) -> Generator[float, None, tuple[DriverPicture, ...]]:
        """The same call by call, for who has other things to do in between: yields how far it is."""
        driver, found, alike = capture.driver(self.threads or usual_threads()), list[DriverPicture](), dict[Subresource, int]()
        total = max(len(capture.calls), 1)
        for number, call in enumerate(capture.calls):
            yield number / total
            first = capture.events.of_call(number).start
            driver.run(call, first)
            if call.entry != ENTRY:
                continue
            one = _compared(driver, call, first, self.tolerance)
            one = replace(one, since=alike.get(one.where, -1))
            if one.difference is None and not one.problem:
                alike[one.where] = first
            elif one.difference is not None and not any(other.difference for other in found):
                one = replace(one, culprit=_culprit(capture, one, _differing(driver, call, self.tolerance), cancel))
            found.append(one)
        return tuple(found)


def _compared(driver: EmulatedDriver, call: DdiCall, event: int, tolerance: int) -> DriverPicture:
    handle = call.args.get("handle")
    part = driver.part(handle) if isinstance(handle, int) else None
    if part is None:
        return DriverPicture(event, Subresource(0), problem=f"there is no surface {handle}")
    where = _where(part)
    theirs = _as_the_driver(part, call)
    if isinstance(theirs, str):
        return DriverPicture(event, where, problem=theirs)
    return DriverPicture(event, where, difference=_difference(part, theirs, tolerance))


def _where(part: SurfacePart) -> Subresource:
    surface = part.surface
    place = surface.parts.index(part)
    return Subresource(surface.handle, place % surface.levels, place // surface.levels)


def _as_the_driver(part: SurfacePart, call: DdiCall) -> SurfacePart | str:
    """The subresource with what the driver had in it; or why the recorded bytes cannot be that."""
    box = transfer.as_box(part, call.args.get("box"))
    if box is None:
        return f"the box {call.args.get('box')} is not within the surface"
    contents = np.frombuffer(call.data.get("contents", b""), np.uint8)
    _, row_bytes, rows, _ = transfer.extent(part, box)
    pitch = _number(call.args.get("pitch")) or row_bytes
    slice_pitch = _number(call.args.get("slice_pitch")) or pitch * rows
    needed = transfer.upload_size(part, box, pitch, slice_pitch)
    if not 0 <= needed <= len(contents):
        return f"{len(contents)} bytes at a pitch of {pitch} were recorded, {needed} are needed"
    depth = part.depth if part.surface.volume else 1
    copy = Surface(0, part.format, part.width, part.height, depth, volume=part.surface.volume).part()
    whole = np.ascontiguousarray(np.concatenate([reading.packed(part, slice) for slice in range(depth)]).reshape(-1))
    transfer.upload(copy, transfer.whole(copy), whole, part.pitch, part.pitch * part.rows)
    transfer.upload(copy, box, contents.copy(), pitch, slice_pitch)
    return copy


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _words(rows: np.ndarray, format: Format) -> np.ndarray:
    """Rows of bytes as one number for each pixel, or for each eight bytes of a block: uint64[rows, n]."""
    size = max(min(format.block[2], 8), 1)
    whole = rows[:, : rows.shape[1] // size * size].reshape(len(rows), -1, size)
    wide = np.zeros((*whole.shape[:2], 8), np.uint8)
    wide[..., :size] = whole
    return wide.view("<u8")[..., 0]


def _steps(ours: np.ndarray, theirs: np.ndarray, format: Format) -> np.ndarray:
    """By how many steps the channel that differs most does, int64; bits of no channel do not count."""
    if not format.channels or format.block[:2] != (1, 1):
        return (ours != theirs).astype(np.int64)
    apart = np.zeros(ours.shape, np.int64)
    for _, shift, bits, kind in format.channels:
        values = [(words >> np.uint64(shift) & np.uint64((1 << bits) - 1)).astype(np.int64) for words in (ours, theirs)]
        if kind in ("snorm", "signed"):
            values = [value - ((value >> (bits - 1)) << bits) for value in values]
        apart = np.maximum(apart, np.abs(values[0] - values[1]))
    return apart


def _difference(part: SurfacePart, theirs: SurfacePart, tolerance: int) -> Difference | None:
    count, box, largest, first = 0, (0, 0, 0, 0), 0, None
    for slice in range(part.depth if part.surface.volume else 1):
        words = [_words(reading.packed(one, slice), part.format) for one in (part, theirs)]
        steps = _steps(words[0], words[1], part.format)
        rows, columns = np.nonzero(steps > tolerance)
        if not len(rows):
            continue
        wide, high = _pixels_of_word(part.format)
        count, largest = count + len(rows), max(largest, int(steps.max()))
        if first is None:
            y, x = int(rows[0]), int(columns[0])
            first = slice, x * wide, y * high, int(words[0][y, x]), int(words[1][y, x])
            box = (
                int(columns.min()) * wide,
                int(rows.min()) * high,
                (int(columns.max()) + 1) * wide,
                (int(rows.max()) + 1) * high,
            )
    return None if first is None else Difference(count, box, largest, *first)


def _pixels_of_word(format: Format) -> tuple[int, int]:
    """How wide and high what one number of `_words` stands for is."""
    width, height, size = format.block
    return max(width * min(size, 8) // size, 1), height


def _differing(driver: EmulatedDriver, call: DdiCall, tolerance: int) -> list[tuple[int, int, int]]:
    """(slice, x, y) of some of the pixels that differ, evenly chosen."""
    part = driver.part(call.args["handle"])
    assert part is not None
    theirs, found = _as_the_driver(part, call), list[tuple[int, int, int]]()
    assert not isinstance(theirs, str)
    wide, high = _pixels_of_word(part.format)
    for slice in range(part.depth if part.surface.volume else 1):
        words = [_words(reading.packed(one, slice), part.format) for one in (part, theirs)]
        rows, columns = np.nonzero(_steps(words[0], words[1], part.format) > tolerance)
        found += [(slice, x * wide, y * high) for y, x in zip(rows.tolist(), columns.tolist(), strict=True)]
    return [found[n] for n in np.linspace(0, len(found) - 1, min(MOST_PIXELS, len(found))).astype(int).tolist()]


def _culprit(
    capture: Capture, one: DriverPicture, pixels: list[tuple[int, int, int]], cancel: Cancel | None
) -> Culprit | None:  # fmt: skip
    """Of the last writers of these pixels, the first."""
    found = []
    for slice, x, y in pixels:
        where = replace(one.where, slice=slice)
        rows = capture.ask(Writers(where, x, y, one.since + 1, one.event), cancel)
        if len(rows):
            found.append(Culprit(int(rows["event"][-1]), int(rows["primitive"][-1]), x, y))
    return min(found, key=lambda each: (each.event, each.primitive), default=None)


def sentence(one: DriverPicture, named: str = "") -> str:
    """What became of a picture, as it is shown."""
    if one.problem:
        return f"not compared: {one.problem}"
    if one.difference is None:
        return "alike"
    gone = one.difference
    box = " ".join(map(str, gone.box))
    counted = f"1 pixel in ({box}) differs" if gone.count == 1 else f"{gone.count:,} pixels in ({box}) differ"
    words = f"{counted}, by up to {gone.largest}; the first at ({gone.x}, {gone.y}): "
    return f"{words}{gone.ours:#x} here, {gone.theirs:#x} in the driver{named}"


def blamed(one: DriverPicture, capture: Capture) -> str:
    """The primitive to look at, or why there is none."""
    if one.culprit is None:
        return f"nothing here has written these pixels since {f'event {one.since}' if one.since >= 0 else 'the start'}"
    what = f"primitive {one.culprit.primitive} of " if one.culprit.primitive >= 0 else ""
    return f"{what}event {one.culprit.event}, at ({one.culprit.x}, {one.culprit.y}): {capture.text(one.culprit.event)}"
