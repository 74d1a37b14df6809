"""Observers of the pixel pipeline: the undo log, the fragments of one block, fates and overdraw of a range of events.

All off: one flag is read per block.  Log records stand in the order of drawing within each block.  A journal
(core.pipeline.observe.journal) copies whole tiles instead, and has the records made when they are wanted.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from core.kernels.jit import stage
from core.kernels.simd import lane, load_int, mask_bits, select, store_int, stream_int, vint
from core.pipeline.records.layout import TILE_PIXELS, Fate

# One shaded block before it changed; sample planes of a multisampled target make one record each.
LOG_RECORD = np.dtype([
    ("block", "<i4"),                           # on the target: tile * 256 + block in the tile
    ("seq", "<i4"), ("primitive", "<i4"),       # event, primitive number within the draw
    ("lanes", "<i4"),                           # low half: lanes that changed; high half: sample
    ("depth", "<u4", 16), ("color", "<u4", 16), # the words before
])  # fmt: skip
LOG_WORDS = LOG_RECORD.itemsize // 4

# What happened to one fragment of a watched block.
FRAGMENT = np.dtype([
    ("seq", "<i4"), ("primitive", "<i4"), ("lane", "<i4"), ("sample", "<i4"),
    ("fate", "<i4"),                            # layout.Fate
    ("source", "<f4", 4),                       # the colour before blending
    ("depth", "<u4"),                           # the fragment's depth, in steps of the target
    ("old_depth", "<u4"), ("new_depth", "<u4"), ("old_color", "<u4"), ("new_color", "<u4"),     # whole words
])  # fmt: skip

SETTINGS = np.dtype([
    ("active", "i4"),                           # any of the following but `keep`
    ("keep", "i4"),                             # copy tiles before anything is drawn in them; 1: colour, 2: depth, 3: both
    ("log", "i4"), ("log_count", "i8"), ("log_room", "i8"),     # in records
    ("probe_block", "i4"), ("probe_lanes", "i4"),               # -1: no block is watched
    ("fragment_count", "i8"), ("fragment_room", "i8"),          # counts on beyond the room
    ("fates", "i4"),                            # 1: of all; PICKED + Fate: that one, the last of it, negative: the first
    ("first_seq", "i4"), ("last_seq", "i4"),
    ("counts", "i4"),                           # of each event first_seq..last_seq
], align=True)  # fmt: skip

PICKED = 2  # SETTINGS.fates

# Fragments of an event by Fate; those that changed a word; pixels that changed (once each, whatever their samples).
CHANGED, PIXELS, COUNTS = len(Fate), len(Fate) + 1, len(Fate) + 2

# settings: SETTINGS[1]; log: int32 words; fragments: FRAGMENT; fates and overdraw: int32 a pixel, in block order:
# 1 + Fate of the fragment that came furthest, and the number of fragments, of the events first_seq..last_seq; or, of the
# fragments of one fate, 1 + `number` of the last (first) one's primitive, and the number of those fragments
# counts: int64, COUNTS an event, from first_seq on; latest: int32 a block, the last event that changed it and lanes it changed
Observer = namedtuple("Observer", "settings log fragments fates overdraw counts latest")


@stage
def keep_plane(state, surface, kept, at):
    """Copies the words of a tile, of all samples, to kept[at:], at a cache line; returns the place behind them."""
    for sample in range(state.samples):
        start = np.intp(sample) * state.sample_stride
        for word in range(0, TILE_PIXELS, 16):
            stream_int(kept, at + word, load_int(surface, start + word))
        at += TILE_PIXELS
    return at


@stage
def keep_tile(state, keep, color, depth, kept, number):
    """Copies a tile to place `number` of kept: colour, then depth, as `keep` says."""
    at = np.intp(number) * ((keep & 1) + (keep >> 1)) * state.samples * TILE_PIXELS
    if keep & 1:
        at = keep_plane(state, color, kept, at)
    if keep & 2:
        keep_plane(state, depth, kept, at)


@stage
def watching(observer, block):
    """Blocks of which nothing may be skipped."""
    settings = observer.settings[0]
    return settings.active and (settings.fates or settings.counts or settings.probe_block == block)


@stage
def fates_of(stencil_ok, depth_ok, visible, killed):
    """The fate of each covered lane; visible: not killed by the shader or the alpha test."""
    later = select(stencil_ok, select(depth_ok, vint(Fate.WRITTEN), vint(Fate.DEPTH_TEST)), vint(Fate.STENCIL_TEST))
    return select(visible, later, select(killed, vint(Fate.KILLED), vint(Fate.ALPHA_TEST)))


@stage
def log_block(observer, edges, block, sample, changed, depth, color):
    """Appends an undo record; the caller has made room."""
    settings = observer.settings[0]
    number = settings.log_count
    settings.log_count = number + 1
    i = number * LOG_WORDS
    observer.log[i] = block
    observer.log[i + 1] = edges.seq
    observer.log[i + 2] = edges.number
    observer.log[i + 3] = changed | sample << 16
    store_int(observer.log, i + 4, depth)
    store_int(observer.log, i + 20, color)


@stage
def count_fates(observer, edges, pixel, covered, fate):
    """Fates and overdraw of the events in question; pixel: the place of the block in its sample plane."""
    settings = observer.settings[0]
    if settings.first_seq <= edges.seq <= settings.last_seq:
        before, value = load_int(observer.fates, pixel), fate + 1
        if settings.fates == 1:
            chosen = covered & (value > before)
        else:
            covered = covered & (fate == vint(abs(settings.fates) - PICKED))
            chosen, value = covered & ((before == vint(0)) | (vint(settings.fates) > vint(0))), vint(edges.number + 1)
        store_int(observer.fates, pixel, select(chosen, value, before))
        count = load_int(observer.overdraw, pixel)
        store_int(observer.overdraw, pixel, select(covered, count + 1, count))


@stage
def bits_set(bits):
    """How many of sixteen bits."""
    bits = bits - (bits >> 1 & 0x5555)
    bits = (bits & 0x3333) + (bits >> 2 & 0x3333)
    bits = (bits + (bits >> 4)) & 0x0F0F
    return np.int64((bits + (bits >> 8)) & 0x1F)


@stage
def count_fragments(observer, edges, block, covered, stencil_ok, depth_ok, visible, killed, changed):
    """Adds a block's fragments to the counts of their event; changed: bits of lanes."""
    settings = observer.settings[0]
    if settings.first_seq <= edges.seq <= settings.last_seq:
        counts, at = observer.counts, np.intp(edges.seq - settings.first_seq) * COUNTS
        shown = covered & visible
        passed = shown & stencil_ok
        counts[at + Fate.KILLED] += bits_set(mask_bits(covered & ~visible & killed))
        counts[at + Fate.ALPHA_TEST] += bits_set(mask_bits(covered & ~visible & ~killed))
        counts[at + Fate.STENCIL_TEST] += bits_set(mask_bits(shown & ~stencil_ok))
        counts[at + Fate.DEPTH_TEST] += bits_set(mask_bits(passed & ~depth_ok))
        counts[at + Fate.WRITTEN] += bits_set(mask_bits(passed & depth_ok))
        if changed:
            counts[at + CHANGED] += bits_set(changed)
            place = np.intp(block) * 2
            before = observer.latest[place + 1] if observer.latest[place] == edges.seq else 0
            counts[at + PIXELS] += bits_set(changed & ~before)
            observer.latest[place], observer.latest[place + 1] = edges.seq, changed | before


@stage
def record_fragments(observer, edges, sample, covered, fate, source, depth, old_depth, new_depth, old_color, new_color):
    """One record per covered lane that is watched."""
    settings = observer.settings[0]
    lanes = mask_bits(covered) & settings.probe_lanes
    for k in range(16):
        if lanes >> k & 1:
            number = settings.fragment_count
            settings.fragment_count = number + 1
            if number < settings.fragment_room:
                f = observer.fragments[number]
                f.seq, f.primitive, f.lane, f.sample, f.fate = edges.seq, edges.number, k, sample, lane(fate, k)
                c = f.source
                c[0], c[1], c[2], c[3] = lane(source.r, k), lane(source.g, k), lane(source.b, k), lane(source.a, k)
                f.depth, f.old_depth, f.new_depth = lane(depth, k), lane(old_depth, k), lane(new_depth, k)
                f.old_color, f.new_color = lane(old_color, k), lane(new_color, k)
