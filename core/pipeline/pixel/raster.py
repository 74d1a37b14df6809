"""The kernel that rasterises the binned primitives of tiles; threads take tiles from one counter."""

from __future__ import annotations

import numpy as np

from core.kernels.jit import array, boolean, i8, kernel, stage, void
from core.kernels.simd import atomic_add, pointer, prefetch
from core.pipeline.pixel.coverage import QUEUE, cover_line, cover_smooth_line, cover_triangle, cover_triangle_samples
from core.pipeline.pixel.observer import FRAGMENT, SETTINGS, Observer, keep_tile
from core.pipeline.pixel.seam import shade_blocks
from core.pipeline.pixel.setup import count_bins
from core.pipeline.pixel.small import cover_small, is_small
from core.pipeline.records.layout import COVERED, EDGES, PIXEL_STATE, ROW_BLOCKS, TILE_BLOCKS, TILE_PIXELS
from core.pipeline.records.primitives import PrimitiveKind

LOG_ROOM = TILE_BLOCKS + QUEUE * ROW_BLOCKS  # undo records that one primitive can make, with what stands in the queue
DONE, LOG_FULL, PAUSE = 0, 1, 2
A_PLACE = 64  # pixels that are drawn in the time in which one primitive is found in one tile
A_PIECE = 1 << 22  # pixels after which a thread looks whether it is to go on: some 10 ms, 0.2 s with the longest shaders
NO_END = 1 << 62
COUNTERS, NEXT, READY = 16, 0, 8  # shared by threads: each in a cache line of its own

# of an Observer, one by one: a tuple as an argument costs 25 us a call
OBSERVER_ARRAYS = [array(d) for d in (SETTINGS, "i4", FRAGMENT, "i4", "i4", "i8", "i4")]

RASTER = i8(array("u4"), array("u4"), array(EDGES), array("f4"), array("i4"), array("i8"), array(PIXEL_STATE), array("u4"),
            array("f4"), array(COVERED), *OBSERVER_ARRAYS, i8, array("i8"), array("i8"), array("i8"), array("u4"),
            i8)  # fmt: skip


def tile_counter(first: int = 0) -> np.ndarray:
    """What threads share that draw the tiles from `first` on."""
    counter = np.zeros(COUNTERS, np.int64)
    counter[[NEXT, READY]] = first
    return counter


@stage
def fetch_ahead(edges, planes, places, k, last):
    """Asks for the primitives that come next in a tile: they lie all over megabytes, no processor guesses where."""
    prefetch(edges, places[min(k + 8, last)])
    start = edges[places[min(k + 4, last)]].planes
    for line in range(3):
        prefetch(planes, start + line * 16)


@stage
def cover(edge, state, number, x, y, items, count, shade, context):
    """Queues the blocks of one primitive in the tile at (x, y); returns the queue length."""
    if edge.kind == PrimitiveKind.LINE and state.edge_antialias:
        return cover_smooth_line(edge, state, number, x, y, items, count, shade, context)
    elif edge.kind == PrimitiveKind.LINE:
        return cover_line(edge, state, number, x, y, items, count, shade, context)
    elif state.samples > 1:
        return cover_triangle_samples(edge, state, number, x, y, items, count, shade, context)
    elif is_small(edge, x, y):
        return cover_small(edge, number, x, y, items, count, shade, context)
    return cover_triangle(edge, number, x, y, items, count, shade, context)


@stage
def pixels_within(edge, x, y):
    """The pixels of the tile at (x, y) that the bounds of a primitive hold, and some more for finding it there."""
    across, down = min(edge.right, x + 63) - max(edge.left, x) + 1, min(edge.bottom, y + 63) - max(edge.top, y) + 1
    return across * down + A_PLACE


@kernel(RASTER)
def raster_tiles(
    color, depth, edges, planes, order, starts, states, memory, registers, queue, observed, log, fragments, fates, overdraw,
    counts, latest, columns, counter, resume, slots, kept, shade
):  # fmt: skip
    """Rasters tiles until none is left, the undo log is full, or resume[2] pixels are done (PAUSE).

    resume[0:2]: where to go on (tile, place in order).  resume[2]: about how many pixels to draw before a pause.

    starts[t]..starts[t + 1]: the primitives of tile t in order; counter[NEXT]: the next tile; counter[READY]: how many are
    drawn; resume[0] = -1: take the next tile; observed to latest: an Observer; shade: where the kernel of seam.SHADE stands.
    With settings.keep, tile t is copied to place slots[t] of kept before anything is drawn in it.
    """
    items, places, first, next_tile = pointer(queue, 0), pointer(order, 0), pointer(edges, 0), pointer(counter, 0)
    watch = Observer(pointer(observed, 0), pointer(log, 0), pointer(fragments, 0), pointer(fates, 0), pointer(overdraw, 0),
                     pointer(counts, 0), pointer(latest, 0))  # fmt: skip
    settings, all_states = watch.settings[0], pointer(states, 0)
    tile, place, left = resume[0], resume[1], resume[2]
    if tile < 0:
        tile = atomic_add(next_tile, NEXT, 1)
        place = starts[min(tile, starts.size - 1)]
    while tile < starts.size - 1:
        x, y = (tile % columns) * 64, (tile // columns) * 64
        context = (all_states, first, pointer(planes, 0), pointer(color, tile * TILE_PIXELS),
                   pointer(depth, tile * TILE_PIXELS), pointer(memory, 0), pointer(registers, 0), watch,
                   tile * TILE_BLOCKS)  # fmt: skip
        if settings.keep and place == starts[tile] and place < starts[tile + 1]:
            keep_tile(all_states[first[places[place]].state], settings.keep, pointer(color, tile * TILE_PIXELS),
                      pointer(depth, tile * TILE_PIXELS), pointer(kept, 0), slots[tile])  # fmt: skip
        count, last = 0, starts[tile + 1] - 1
        for k in range(place, starts[tile + 1]):
            number = places[k]
            edge = first[number]
            fetch_ahead(first, context[2], places, k, last)
            state = all_states[edge.state]
            if settings.log and settings.log_room - settings.log_count < LOG_ROOM * state.samples:
                if count:
                    shade_blocks(shade, items, count, x, y, context)
                resume[0], resume[1] = tile, k
                return LOG_FULL
            if left < 0:
                if count:
                    shade_blocks(shade, items, count, x, y, context)
                resume[0], resume[1] = tile, k
                return PAUSE
            left -= pixels_within(edge, x, y)
            count = cover(edge, state, number, x, y, items, count, shade, context)
        if count:
            shade_blocks(shade, items, count, x, y, context)
        atomic_add(next_tile, READY, 1)
        tile = atomic_add(next_tile, NEXT, 1)
        place = starts[min(tile, starts.size - 1)]
    resume[0] = -1
    return DONE


@kernel(boolean(array("i8"), i8, i8))
def wait_until_ready(counter, tiles, rounds):
    """Whether this many tiles are drawn, looking again and again: where that is soon, less is lost than by sleeping."""
    for _ in range(rounds):  # noqa: SIM110 (the compiler knows no generators)
        if atomic_add(pointer(counter, 0), READY, 0) >= tiles:
            return True
    return False


@kernel(void(array(EDGES), i8, array("i8"), i8))
def count_places(edges, count, counts, columns):
    """Counts the primitives in each tile: setup.count_bins of all of them."""
    first, bins = pointer(edges, 0), pointer(counts, 0)
    for i in range(count):
        count_bins(first[i], bins, columns)


@kernel(void(array(EDGES), i8, array("i8"), i8, array("i4")))
def fill_bins(edges, count, places, columns, order):
    """Writes primitive after primitive into order, at places[t] of each tile t that it touches; that place moves on."""
    first = pointer(edges, 0)
    for i in range(count):
        edge = first[i]
        for ty in range(edge.top >> 6, (edge.bottom >> 6) + 1):
            for tx in range(edge.left >> 6, (edge.right >> 6) + 1):
                t = ty * columns + tx
                order[places[t]] = i
                places[t] += 1
