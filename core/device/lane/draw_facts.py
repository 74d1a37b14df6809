"""Assumptions of the compiled loop over states and draws: one record that core.device.lane.known keeps valid."""

from __future__ import annotations

import numpy as np

from core.pipeline.records.layout import TRIANGLE
from core.spec.enums import PrimitiveType

VERTEX_PLACES, BUFFER_PLACES, SHADER_PLACES, TEXTURE_PLACES = 61, 256, 61, 1024
"""Places of tables by handle, modulo: handles of shaders are odd, and formats have few bits, so those are primes."""

MOST_TEXTURES, MOST_STATES = 2048, 512
STATE_PLACES = 4 * MOST_STATES
MOST_FLOATS = TRIANGLE.itemsize // 4

VERTEX_SOURCE = np.dtype([
    ("handle", "u4"),                           # of the vertex shader, or the format; 0: none
    ("streams", "u4"),                          # that the layout reads, one bit each
    ("layout", "i8"), ("program", "i8"),        # addresses
    ("instructions", "i8"),
    ("constants", "i8"),                        # not 0: setting it loads some
])  # fmt: skip
BUFFER = np.dtype([("handle", "u4"), ("unused", "u4"), ("address", "i8"), ("size", "i8")])
TEXTURE_SOURCE = np.dtype([
    ("handle", "u4"),
    ("number", "i4"),                           # of its record among `texture_records`; BLANK
    ("used", "u4"),                             # out: a draw may have read it
])  # fmt: skip
PIXEL_SHADER = np.dtype([
    ("handle", "u4"), ("number", "i4"),         # number: no other program has or had it
    ("textures", "u4"), ("needs", "u4"),        # bits of the stages that it samples; PixelProgram.needs
    ("program", "i8"), ("instructions", "i8"),
    ("constants", "i8"),                        # as VERTEX_SOURCE
])  # fmt: skip
BLANK = -1
"""In place of a texture's number: nothing is known of it but that the draws which named it left no primitives."""

CALL = np.dtype([
    ("target", "u4"), ("depth", "u4"),                          # handles that the batch draws to
    ("kind", "i4"),                                             # of the target: what states of its like have in common
    ("state", "i4"),                                            # in and out: the last draw's, -1: none
    ("status", "i8"),                                           # out: why the loop stopped
    ("skipped", "i8"),                                          # address of a byte per event: not 0: it is left out; 0: none
    ("user_address", "i8"), ("user_size", "i8"),                # vertices in user memory; 0: none
    ("references", "i8"), ("count", "i8"),                      # of a draw: what the vertex half has room for
    ("edges", "i8"), ("floats", "i8"),                          # in and out: primitives of the batch, floats of their planes
    ("edge_room", "i8"), ("float_room", "i8"),
    ("wanted", "i8"),                                           # out, with ROOM: primitives of the draw; with SHAPES: words
    ("full", "i8"),                                             # primitives after which the batch is to be drawn
    ("columns", "i8"),                                          # tiles in a row of the target
    ("first_seq", "i8"), ("last_seq", "i8"),                    # in and out: events of the batch
    ("states", "i8"),                                           # in and out: how many there are
    ("target_record", "i8"),                                    # address of its TARGET
    ("reported_w", "i8"),                                       # that a w-buffer is not possible
    ("surfaces", "i8"),                                         # by which shapes know what is drawn to; -1: none are kept
    ("shapes_at", "i8"),                                        # in and out: where the next one goes
    ("left", "i8"),                                             # in and out: vertices to process before a pause
])  # fmt: skip
"""What Python passes again at every call of the loop, and what the loop says when it returns."""

KNOWN = np.dtype([
    ("walk", "i8"), ("vertex_half", "i8"), ("set_up", "i8"), ("bind", "i8"),        # addresses of kernels
    ("texture_records", "i8"),                                  # address of TEXTURE[MOST_TEXTURES], the first one is no texture
    *CALL.descr,
    ("each", "i8", len(PrimitiveType) + 1), ("more", "i8", len(PrimitiveType) + 1),  # assemble.SHAPES by primitive type
    ("vertices", VERTEX_SOURCE, VERTEX_PLACES), ("buffers", BUFFER, BUFFER_PLACES),
    ("textures", TEXTURE_SOURCE, TEXTURE_PLACES), ("pixel_shaders", PIXEL_SHADER, SHADER_PLACES),
    ("named", "i4", 16),                                        # of a draw: numbers of its textures, of its shader, the kind
    ("state_at", "i2", STATE_PLACES),                           # hash table of states: 1 + number, 0: free
])  # fmt: skip
PYTHON, FULL, ROOM, STATES, SHAPES, PAUSE = range(6)
"""`status`: the record is Python's; the batch is full; the batch's arenas want more room for the primitives of one draw; there
are as many states as there may be; shapes want more room; it is time to look whether to go on."""
