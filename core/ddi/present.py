"""Driver entries that put pictures somewhere: Blt, Flip, and the questions about them.

Contents change at once; when the work counts as done is the business of the driver's clock (core.ddi.clock).  With the instant
clock nothing ever answers DDERR_WASSTILLDRAWING.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from core.ddi.arguments import Rejected, StillDrawing, number, numbers
from core.ddi.calls import DdiCall
from core.ddi.resources import box_of, part_of
from core.device import transfer
from core.device.surfaces import Level
from core.pipeline import clear
from core.spec.enums import DdBlt, DdFlip, HResult

if TYPE_CHECKING:
    from core.ddi.driver import EmulatedDriver

SRCCOPY = 0x00CC0020


def blt(driver: EmulatedDriver, call: DdiCall) -> None:
    """Blt(destination, source, destination_box, source_box, flags, color, depth, rop, filter): fills and copies."""
    target = part_of(driver, call, "destination")
    box = box_of(call, target, "destination_box")
    flags = number(call, "flags", 0)
    _queue(driver, call, target, box, flags)
    if not driver.device.draws:
        return
    driver.device.flush()
    if flags & (DdBlt.COLORFILL | DdBlt.DEPTHFILL):
        _fill(driver, call, target, box, flags)
        return
    if flags & (DdBlt.ROP | DdBlt.DDROPS) and number(call, "rop", SRCCOPY) != SRCCOPY:
        raise Rejected(HResult.DDERR_UNSUPPORTED, "bad-blit", f"Blt: raster operation {call.args['rop']:#x}")
    source = part_of(driver, call, "source")
    source_box = box_of(call, source, "source_box")
    driver.device.before_write(target, driver.seq)
    if flags & (DdBlt.KEYSRC | DdBlt.KEYSRCOVERRIDE):
        _copy_keyed(call, source, source_box, target, box)
        return
    _copy(driver, call, source, source_box, target, box)


def _queue(driver: EmulatedDriver, call: DdiCall, target: Level, box: transfer.Box, flags: int) -> None:
    """Submits a Blt, or refuses a presentation because three frames of its source are queued already. Raises StillDrawing."""
    source, clock = number(call, "source", 0), driver.clock
    if flags & DdBlt.PRESENTATION and clock.queue_full(source):
        raise StillDrawing
    width, height, _ = _size(box)
    clock.copies(target.handle, width * height)
    if flags & DdBlt.LAST_PRESENTATION:
        clock.presents(source)


def _fill(driver: EmulatedDriver, call: DdiCall, target: Level, box: transfer.Box, flags: int) -> None:
    """COLORFILL: `color` is a pixel in the surface's format. DEPTHFILL: `color` is a code, or `fill_depth` a depth in 0..1."""
    value, mask = number(call, "color", 0), 0xFFFFFFFF
    if flags & DdBlt.DEPTHFILL:
        depth = call.args.get("fill_depth")
        (shift, bits), _ = clear.depth_parts(target.format)
        mask = ((1 << bits) - 1) << shift if bits else mask
        code = clear.depth_code(depth, bits) if isinstance(depth, float) else value
        value = code << shift & 0xFFFFFFFF
    driver.device.before_write(target, driver.seq)
    if not transfer.fill(target, box, value, mask):
        raise Rejected(HResult.DDERR_UNSUPPORTED, "bad-blit", f"Blt: {target.format.name} cannot be filled")


def _size(box: transfer.Box) -> tuple[int, int, int]:
    return box[2] - box[0], box[3] - box[1], box[5] - box[4]


def _copy(
    driver: EmulatedDriver, call: DdiCall, source: Level, source_box: transfer.Box, target: Level, box: transfer.Box
) -> None:
    if source.format.id == target.format.id and _size(source_box) == _size(box):
        width, height, _ = source.format.block
        if (source_box[0] | box[0]) % width or (source_box[1] | box[1]) % height:
            raise Rejected(HResult.DDERR_INVALIDRECT, "bad-blit", f"Blt: boxes must start at blocks of {source.format.name}")
        transfer.copy(source, source_box, target, box)
        return
    palette = driver.device.palette_of(source.surface)
    linear = call.args.get("filter") == "linear"
    if not transfer.convert(source, source_box, target, box, palette.colors if palette else None, linear):
        raise Rejected(HResult.DDERR_UNSUPPORTED, "bad-blit", f"Blt: {source.format.name} into {target.format.name}")


def _copy_keyed(call: DdiCall, source: Level, source_box: transfer.Box, target: Level, box: transfer.Box) -> None:
    """Copies the pixels that are not within the source's colour key."""
    key = source.surface.color_key if "color_key" not in call.args else tuple(numbers(call, "color_key"))
    size = source.format.bits // 8
    if (
        source.format.id != target.format.id
        or _size(source_box) != _size(box)
        or source.format.block != (1, 1, size)
        or size == 3
    ):
        raise Rejected(HResult.DDERR_UNSUPPORTED, "bad-blit", "Blt: a colour key with stretching or conversion")
    if not key or len(key) != 2:
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-blit", "Blt: the source has no colour key")
    pixels, kept = _pixels(source.linear(), source, source_box, size), _pixels(target.write_linear(), target, box, size)
    visible = (pixels < key[0]) | (pixels > key[1])
    kept[visible] = pixels[visible]


def _pixels(rows: np.ndarray, part: Level, box: transfer.Box, size: int) -> np.ndarray:
    """The pixels of a box of slice 0 as integers (a view)."""
    whole = rows[: part.slice_pitch].reshape(part.rows, part.pitch)[:, : part.width * size].view(f"<u{size}")
    return whole[box[1] : box[3], box[0] : box[2]]


def flip(driver: EmulatedDriver, call: DdiCall) -> None:
    """Flip(surface = handles of the chain, the visible one first): contents move up by one, the visible ones go to the end."""
    name = "surfaces" if "surfaces" in call.args else "surface"
    handles = numbers(call, name)
    parts = [driver.device.memory.part(handle) for handle in handles]
    if not handles or len(set(handles)) != len(handles) or None in parts:
        raise Rejected(HResult.DDERR_INVALIDOBJECT, "bad-handle", f"Flip: chain {handles}")
    chain = [part for part in parts if part is not None]
    shapes = {(part.format.id, part.width, part.height, part.depth, part.samples) for part in chain}
    if len(shapes) > 1:
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-argument", "Flip: the surfaces of the chain differ")
    if any(driver.clock.flipping(handle) for handle in handles):
        raise StillDrawing
    driver.clock.flips(handles, 0 if number(call, "flags", 0) & DdFlip.NOVSYNC else number(call, "interval", 1, 0, 4))
    driver.device.flush()
    for part in chain:
        driver.device.before_write(part, driver.seq)
    for here, there in itertools.pairwise(chain):
        here.swap(there)
    driver.device.note(driver.seq, "chain", None, driver.device.chain)
    driver.device.chain = handles


def set_color_key(driver: EmulatedDriver, call: DdiCall) -> None:
    """SetColorKey(handle, low, high): pixels low..high of the source are transparent; without low: no key."""
    part = part_of(driver, call)
    driver.device.note(driver.seq, "settings", part.surface, part.surface.settings())
    part.surface.color_key = (number(call, "low"), number(call, "high", number(call, "low"))) if "low" in call.args else None


def status(driver: EmulatedDriver, call: DdiCall) -> None:
    """GetBltStatus, GetFlipStatus: whether work on the surface, or its flip, is over. Raises StillDrawing."""
    handle = part_of(driver, call).handle
    if driver.clock.busy(handle) if call.entry == "GetBltStatus" else driver.clock.flipping(handle):
        raise StillDrawing


def wait_for_vertical_blank(driver: EmulatedDriver, call: DdiCall) -> None:
    """WaitForVerticalBlank: until the next one begins."""
    driver.clock.wait_for_blank()
    call.out["status"] = 1
