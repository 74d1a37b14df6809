"""Driver entries that show pictures: Blt, Flip, and the queries of their status.

Contents change at once; when the work counts as done is the business of the driver's clock (core.ddi.driver.clock).  With the
instant clock nothing ever answers DDERR_WASSTILLDRAWING.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.driver.arguments import Rejected, StillDrawing, number, numbers
from core.ddi.driver.resources import box_of, part_of
from core.device.memory import transfer
from core.device.memory.color_keys import Key, packed_pixels, within
from core.device.memory.surfaces import SurfacePart, next_version
from core.pipeline.surface import clear
from core.pipeline.surface.blit import pieces, stretch
from core.spec.enums import DdBlt, DdFlip, HResult
from core.spec.formats import Format

if TYPE_CHECKING:
    from core.ddi.driver.emulated import EmulatedDriver

SRCCOPY = 0x00CC0020
KEY_SOURCE, KEY_TARGET = DdBlt.KEYSRC | DdBlt.KEYSRCOVERRIDE, DdBlt.KEYDEST | DdBlt.KEYDESTOVERRIDE
COLOR_KEY_DESTBLT, COLOR_KEY_SRCBLT = 0x2, 0x8  # DDCKEY_*
KEYED = KEY_SOURCE | KEY_TARGET


def blt(driver: EmulatedDriver, call: DdiCall) -> None:
    """Blt(destination, source, destination_box, source_box, flags, color, depth, rop, filter, mirror): fills and copies."""
    target = part_of(driver, call, "destination")
    box = box_of(call, target, "destination_box")
    flags = number(call, "flags", 0)
    _queue(driver, call, target, box, flags)
    if not driver.device.changes_memory(driver.seq):
        return
    driver.device.flush()
    if flags & (DdBlt.COLORFILL | DdBlt.DEPTHFILL):
        _fill(driver, call, target, box, flags)
        return
    if flags & (DdBlt.ROP | DdBlt.DDROPS) and number(call, "rop", SRCCOPY) != SRCCOPY:
        raise Rejected(HResult.DDERR_UNSUPPORTED, "bad-blit", f"Blt: raster operation {call.args['rop']:#x}")
    source = part_of(driver, call, "source")
    source_box = box_of(call, source, "source_box")
    driver.device.before_write(target, driver.seq, box)
    if flags & KEYED:
        _copy_keyed(driver, call, source, source_box, target, box, flags)
        return
    with transfer.one_sample_at_a_time(target, box):
        _copy(driver, call, source, source_box, target, box)
        _mirror(call, target, box)


def _queue(driver: EmulatedDriver, call: DdiCall, target: SurfacePart, box: transfer.Box, flags: int) -> None:
    """Submits a Blt, or refuses a presentation: three frames of its source are queued already, or it is a frame's last Blt, and
    the driver cannot tell when those retire and is not idle.  Under a clock that lets time pass, presentations say when they
    were submitted and when they retire.  Raises StillDrawing."""
    source, clock = number(call, "source", 0), driver.clock
    waiting = clock.queued(source)
    full = flags & DdBlt.PRESENTATION and clock.queue_full(source)
    if full or (flags & DdBlt.LAST_PRESENTATION and driver.profile.conservative and not clock.idle()):
        _report_times(driver, call, clock.now, waiting)
        raise StillDrawing
    width, height, _ = _size(box)
    clock.copies(target.handle, width * height)
    if flags & DdBlt.LAST_PRESENTATION:
        _report_times(driver, call, clock.presents(source), waiting)


def _report_times(driver: EmulatedDriver, call: DdiCall, retires: int, queued: int) -> None:
    """`submitted` and `retires` in microseconds, and how many frames of the source were queued before."""
    if driver.clock.keeps_time:
        call.out.update(submitted=driver.clock.now, retires=retires, queued=queued)


def _fill(driver: EmulatedDriver, call: DdiCall, target: SurfacePart, box: transfer.Box, flags: int) -> None:
    """COLORFILL: `color` is a pixel in the surface's format. DEPTHFILL: `color` is a code, or `fill_depth` a depth in 0..1."""
    value, mask = number(call, "color", 0), 0xFFFFFFFF
    if flags & DdBlt.DEPTHFILL:
        depth = call.args.get("fill_depth")
        (shift, bits), _ = clear.depth_parts(target.format)
        mask = ((1 << bits) - 1) << shift if bits else mask
        code = clear.depth_code(depth, bits) if isinstance(depth, float) else value
        value = code << shift & 0xFFFFFFFF
    driver.device.before_write(target, driver.seq, box)
    if not transfer.fill(target, box, value, mask):
        raise Rejected(HResult.DDERR_UNSUPPORTED, "bad-blit", f"Blt: {target.format.name} cannot be filled")


def _size(box: transfer.Box) -> tuple[int, int, int]:
    return box[2] - box[0], box[3] - box[1], box[5] - box[4]


def _copy(
    driver: EmulatedDriver, call: DdiCall, source: SurfacePart, source_box: transfer.Box, target: SurfacePart, box: transfer.Box
) -> None:
    if source.format.id == target.format.id and _size(source_box) == _size(box):
        _at_blocks(source, source_box)
        _at_blocks(target, box)
        transfer.copy(source, source_box, target, box)
        return
    _at_blocks(target, box)
    if source.format.id == target.format.id and source.format.family == "palette" and box[5] - box[4] == 1:
        _octets(target.write_linear(), target, box)[...] = _stretched(source, source_box, target, box)
        return
    palette = driver.device.palette_of(source.surface)
    if target.format.family == "palette" or (source.format.family == "palette" and palette is None):
        text = f"Blt: {source.format.name} into {target.format.name} without a palette that says which colours these are"
        raise Rejected(HResult.DDERR_UNSUPPORTED, "bad-blit", text)
    linear = call.args.get("filter") == "linear"
    if not transfer.convert(source, source_box, target, box, palette.colors if palette else None, linear):
        raise Rejected(HResult.DDERR_UNSUPPORTED, "bad-blit", f"Blt: {source.format.name} into {target.format.name}")


def _stretched(source: SurfacePart, source_box: transfer.Box, target: SurfacePart, box: transfer.Box) -> np.ndarray:
    """The pixels of a box of one slice as bytes, stretched to another: indices are no colours, none lies between two."""
    pixels = _octets(source.linear(), source, source_box).copy()
    return stretch(pixels, (box[2] - box[0], box[3] - box[1]))


def _mirror(call: DdiCall, target: SurfacePart, box: transfer.Box) -> None:
    """Exchanges left and right (`mirror` bit 0), top and bottom (bit 1) of what was copied. Raises Rejected."""
    if not (mirror := number(call, "mirror", 0, 0, 3)):
        return
    if target.format.block[:2] != (1, 1) or box[5] - box[4] != 1:
        raise Rejected(HResult.DDERR_UNSUPPORTED, "bad-blit", f"Blt: {target.format.name} cannot be mirrored")
    octets = _octets(target.write_linear(), target, box)
    octets[...] = octets[:: -1 if mirror & 2 else 1, :: -1 if mirror & 1 else 1].copy()


def _at_blocks(part: SurfacePart, box: transfer.Box) -> None:
    """Boxes start and end at blocks, or end with the surface. Raises Rejected."""
    width, height, _ = part.format.block
    ends = (box[2] % width == 0 or box[2] == part.width) and (box[3] % height == 0 or box[3] == part.height)
    if box[0] % width or box[1] % height or not ends:
        raise Rejected(HResult.DDERR_INVALIDRECT, "bad-blit", f"Blt: boxes must be blocks of {part.format.name}")


def _copy_keyed(
    driver: EmulatedDriver,
    call: DdiCall,
    source: SurfacePart,
    source_box: transfer.Box,
    target: SurfacePart,
    box: transfer.Box,
    flags: int,
) -> None:
    """Copies the pixels that are not within the source's key, onto those that are within the target's (KEYDEST).

    Keys are compared before stretching and conversion: a pixel of the target asks the source pixel nearest to it.
    """
    kept = np.ones((box[3] - box[1], box[2] - box[0]), bool)
    if flags & KEY_SOURCE:
        pixels = _keyed_pixels(source, source_box)
        named = _within(pixels, _key(call, source, "color_key", source.surface.color_key), source.format)
        mirror = number(call, "mirror", 0, 0, 3)
        kept &= ~stretch(named, kept.shape[::-1])[:: -1 if mirror & 2 else 1, :: -1 if mirror & 1 else 1]
    if flags & KEY_TARGET:
        key = _key(call, target, "destination_key", target.surface.destination_key)
        kept &= _within(_keyed_pixels(target, box), key, target.format)
    if target.format.block[:2] != (1, 1):
        raise Rejected(HResult.DDERR_UNSUPPORTED, "bad-blit", f"Blt: a colour key into {target.format.name}")
    before = _octets(target.linear(), target, box).copy()
    _copy(driver, call, source, source_box, target, box)
    _mirror(call, target, box)
    after = _octets(target.write_linear(), target, box)
    for rows in pieces(*kept.shape):
        after[rows][~kept[rows]] = before[rows][~kept[rows]]


def _within(pixels: np.ndarray, key: Key, format: Format) -> np.ndarray:
    """Which pixels [height, width] a key names, found in parts.  Raises Cancelled."""
    return np.concatenate([within(pixels[rows], key, format) for rows in pieces(*pixels.shape)])


def _key(call: DdiCall, part: SurfacePart, name: str, own: Key | None) -> Key:
    """The key of a call, or the surface's own. Raises Rejected."""
    key = tuple(numbers(call, name)) if name in call.args else own
    if not key or len(key) != 2:
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-blit", f"Blt: surface {part.handle} has no colour key")
    return key[0], key[1]


def _keyed_pixels(part: SurfacePart, box: transfer.Box) -> np.ndarray:
    """The packed pixels of a box of one slice. Raises Rejected."""
    pixels = packed_pixels(part)
    if pixels is None or box[5] - box[4] != 1:
        raise Rejected(HResult.DDERR_UNSUPPORTED, "bad-blit", f"Blt: a colour key on {part.format.name}, or on several slices")
    return pixels[box[4], box[1] : box[3], box[0] : box[2]]


def _octets(rows: np.ndarray, part: SurfacePart, box: transfer.Box) -> np.ndarray:
    """The bytes of the pixels of a box of one slice, uint8[height, width, bytes] (a view)."""
    size = part.format.bits // 8
    slice_ = rows[box[4] * part.slice_pitch :][: part.slice_pitch].reshape(part.rows, part.pitch)
    return slice_[:, : part.width * size].reshape(part.rows, part.width, size)[box[1] : box[3], box[0] : box[2]]


def flip(driver: EmulatedDriver, call: DdiCall) -> None:
    """Flip(surface = handles of the chain, the visible one first): contents move up by one, the visible ones go to the end."""
    name = "surfaces" if "surfaces" in call.args else "surface"
    handles = numbers(call, name)
    parts = [driver.device.memory.part(handle) for handle in handles]
    if not handles or len(set(handles)) != len(handles) or None in parts:
        raise Rejected(HResult.DDERR_INVALIDOBJECT, "bad-handle", f"Flip: chain {handles}")
    chain = [part for part in parts if part is not None]
    shapes = {(part.format.id, part.width, part.height, part.depth) for part in chain}
    behind = {part.samples for part in chain[1:]} or {chain[0].samples}
    if len(shapes) > 1 or len(behind) > 1 or chain[0].samples not in {0, *behind}:
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-argument", "Flip: the surfaces of the chain differ")
    if any(driver.clock.flipping(handle) for handle in handles):
        raise StillDrawing
    interval = 0 if number(call, "flags", 0) & DdFlip.NOVSYNC else number(call, "interval", 1, 0, 4)
    _report_times(driver, call, driver.clock.flips(handles, interval), 0)
    driver.device.flush()
    for part in chain:
        driver.device.before_write(part, driver.seq)
    _move_up(chain)
    driver.device.note(driver.seq, "chain", None, driver.device.chain)
    driver.device.chain = handles


def _move_up(chain: list[SurfacePart]) -> None:
    """Each surface takes the contents of the next, the last those of the first.

    The visible one may have one sample per pixel and the others several: its new contents are resolved, its old ones spread
    over the samples of the last (DX8 DDI, "Multi-sample Support via StretchBlt": conceptually at least a flip is being
    performed).
    """
    first, last = chain[0], chain[-1]
    if first.samples == last.samples:
        for here, there in itertools.pairwise(chain):
            here.swap(there)
        return
    shown = first.linear().copy()
    transfer.copy(chain[1], transfer.whole(chain[1]), first, transfer.whole(first))
    for here, there in itertools.pairwise(chain[1:]):
        here.swap(there)
    transfer.upload(last, transfer.whole(last), shown, first.pitch, first.slice_pitch)


def set_color_key(driver: EmulatedDriver, call: DdiCall) -> None:
    """SetColorKey(handle, flags, low, high): pixels low..high of a source are transparent, of a destination (flags: DDCKEY_*)
    replaced; without low: no key."""
    surface = part_of(driver, call).surface
    driver.device.note(driver.seq, "settings", surface, surface.settings())
    key = (number(call, "low"), number(call, "high", number(call, "low"))) if "low" in call.args else None
    if number(call, "flags", 0) & (COLOR_KEY_DESTBLT | COLOR_KEY_SRCBLT) == COLOR_KEY_DESTBLT:
        surface.destination_key = key
        return
    surface.color_key = key
    surface.version = next_version()  # draws that follow must bind it again


def status(driver: EmulatedDriver, call: DdiCall) -> None:
    """GetBltStatus, GetFlipStatus: whether work on the surface, or its flip, is over. Raises StillDrawing."""
    handle = part_of(driver, call).handle
    if driver.clock.busy(handle) if call.entry == "GetBltStatus" else driver.clock.flipping(handle):
        raise StillDrawing


def wait_for_vertical_blank(driver: EmulatedDriver, call: DdiCall) -> None:
    """WaitForVerticalBlank: until the next one begins."""
    driver.clock.wait_for_blank()
    call.out["status"] = 1
