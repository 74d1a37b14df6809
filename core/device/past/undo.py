"""Compiled loops for looking back: apply undo records to a surface, convert to 32-bit pixels for display."""

from __future__ import annotations

import numpy as np

from core.kernels.jit import array, i8, kernel, u4, void
from core.kernels.simd import load_int, mask_from_bits, pointer, select, store_int
from core.pipeline.pixel.observer import LOG_WORDS


@kernel(void(array("i4"), i8, i8, i8, array("u4"), i8, i8, i8, i8))
def undo(records, count, seq, primitive, words, plane, first_word, columns, own_columns):
    """Puts back what LOG_RECORDs replaced, last first, in the colour (first_word 20) or the depth words (4) of a target.

    records: as int32, `count` of them, in the order of drawing; those of events before `seq`, and of `seq` up to `primitive`
    (-1: all of it), stay done.  plane: words of a sample plane.  columns: tiles in a row of the blocks, own_columns: of words.
    """
    log, target = pointer(records, 0), pointer(words, 0)
    for n in range(count - 1, -1, -1):
        i = n * LOG_WORDS
        event = log[i + 1]
        if event < seq or (event == seq and (primitive < 0 or log[i + 2] <= primitive)):
            continue
        block, lanes = np.int64(log[i]), log[i + 3]
        if columns != own_columns:
            tile = block >> 8
            block = ((tile // columns) * own_columns + tile % columns) << 8 | (block & 255)
        at = np.intp((lanes >> 16) * plane + block * 16)
        store_int(target, at, select(mask_from_bits(lanes & 0xFFFF), load_int(log, i + first_word), load_int(target, at)))


@kernel(void(array("u4", readonly=True), u4, array("u4")))
def swap_red_and_blue(words, opaque, out):
    """A8R8G8B8 words -> the bytes r g b a; opaque: 0xFF000000 where there is no alpha."""
    for n in range(len(words)):
        word = words[n]
        red, blue = word >> np.uint32(16) & np.uint32(0xFF), word & np.uint32(0xFF)
        out[n] = word & np.uint32(0xFF00FF00) | red | blue << np.uint32(16) | opaque
