"""Definitions shared by the compiled loop and Python: compiled rows, numbers of the command buffer, verdicts.  Data only."""

from __future__ import annotations

import numpy as np

# where the words of a field come from
(ARG, ARG16, CONST, CONST16, HELD, OBJECT, VERTEX_SHADER, PIXEL_SHADER, STRUCT_WORDS, BLOB_WORDS, INDEX_SIZE, ELEMENT_SIZE, NOT,
 VERTEX_START, INDEX_START, INDEX_BUFFER, STAGE_VALUE, CLEAR_FLAGS, NUMBER, FINITE, VISIBLE,
 DEPTH_RANGE) = range(22)  # fmt: skip
THINNEST = 0.001  # what DEPTH_RANGE has at least between its two depths: Windows does so (Wine's ddraw7 test_viewport)

FIELD = np.dtype([("kind", "i4"), ("arg", "i4"), ("a", "i4"), ("b", "i4")])
PLACE = [("base", "i4"), ("size", "i4"), ("key0", "i4"), ("stride0", "i4"), ("key1", "i4"), ("stride1", "i4"), ("map", "i4")]
TOKEN = np.dtype([("op", "i4"), ("keys", "i4"), ("merge", "i4"), ("first", "i4"), ("count", "i4"), *PLACE])
NEED = np.dtype(PLACE)
DRAW = np.dtype([(name, "i4") for name in (
    "kind", "format", "vertices", "buffer", "start", "count", "indices", "index_count", "flags", "typed")])  # fmt: skip
BLIT = np.dtype([(name, "i4") for name in (
    "kind", "target", "box", "origin", "area", "flags", "effects", "x", "y")])  # fmt: skip
ROW = np.dtype(
    [("known", "i4"), ("first", "i4"), ("count", "i4"), ("need", "i4"), ("needs", "i4"), ("vertices", "i4"), ("stride", "i4"),
     ("indices", "i4"), ("zero", "i4"), ("draws", "i4"), ("flushes", "i4"), ("on_device", "i4"), ("counts", "i4"),
     ("verdict", "i4"), ("draw", "i4"), ("blit", "i4"), ("older", "i4")]
)  # fmt: skip

ENTERED, BEHIND = 1, 2  # what `known` says of a row: the loop is entered for it, or takes it behind another call only

# numbers of a command buffer: bytes of commands, the dword of the last command, records; bytes of user memory (vertices) and,
# if they were left in the chunk, where; of indices; the runtime's index buffer; whether managed textures may wait for an
# upload; whether a state block is being recorded; the current device's pointer; why the loop ended; the size of the render
# target, 0 where clearing is left to Python; tokens that are not padded; the call, plus 1, that something was sent for last;
# calls that wait in the queue; the address by which the current viewport of the current device was cleared last; whether what
# the driver gets may wait; bytes of command buffers that wait; whether a Present of the device does nothing but call the
# driver; the vertex or index buffer whose Lock the loop queued, until its Unlock; where the user memory begins
(POSITION, HEADER, RECORDS, USER, USER_AT, INDEX, INDEX_HANDLE, DIRTY, RECORDING, DEVICE, WHY, TARGET_WIDTH,
 TARGET_HEIGHT, OWN, FLUSHED, QUEUED, CLEARED, MAY_WAIT, POSTED, PRESENTS, LOCKED, USER_BASE) = range(22)  # fmt: skip
STATE_SIZE = 22
NO_DEVICE = -1  # the pointer of no device
RECORD_ONLY, RECORD_AND_EMIT = 1, 2
GO_ON = -1  # no reason to end
PYTHON_MUST, IS_FULL, FLUSH_NOW, DONE, FLUSH_FIRST = range(5)

SENT_FORMAT, SENT_STRIDE, SENT_BUFFER = range(3)  # numbers of what a device was last told about vertices (see objects.Sent)
NOTHING_SENT = 0

EMITTED, REDUNDANT, SILENT, PYTHON, RECORDED, FAILED = range(6)  # verdicts (see verdicts.VERDICTS)

VERTEX_SHADER_KEY, PIXEL_SHADER_KEY = np.uint64(1 << 63), np.uint64(1 << 62)  # shader handles share the table of pointers
VERTEX_BUFFER_KEY = np.uint64(1 << 61)  # and vertex buffers of Direct3D 7: their infos are format + (vertices << 32)
SURFACE_KEY = np.uint64(1 << 60)  # and surfaces of DirectDraw: their infos are width, height, and IS_ bits
TEXTURE_HANDLE_KEY, MATERIAL_KEY = np.uint64(1 << 59), np.uint64(1 << 58)
"""And what Direct3D 6 and 5 have handles for, which are below 1 << 32: the context's number is above them; of a material the
handle is its place in the registers."""
SIZE_BITS, STATE_BITS = 15, 30  # where height and bits begin
IS_PRIMARY, IS_FLIPPED, IS_KEYED, IS_LOCKED, IS_ODD, IS_CLIPPED = 1, 2, 4, 8, 16, 32
# odd: what is written under a lock is changed or packed; clipped: Blts to it are Python's
DIRTY_BIT = np.uint64(0x100)  # in the info of an object: a managed resource whose video copy is out of date
ALPHA_BIT = np.uint64(0x200)  # a texture of DirectDraw whose format has alpha
SCRATCH = 2048  # words of one token at most
MARGIN = 8192  # bytes that one call may write at most
ALONE = 96 << 10  # user memory of this size goes in a DrawPrimitives2 of its own: equal geometry of other frames is stored once

BLT, BLT_FAST, FLIP, LOCK, MEMCPY, UNLOCK = range(6)  # kinds of OldBlit
PRESENT, LOCK_BUFFER, UNLOCK_BUFFER = 8, 9, 10  # and those of Direct3D 8
OLD_STATE, OLD_TRANSFORM, OLD_MULTIPLY, OLD_LIGHT_STATE, OLD_TEXTURE, OLD_CLEAR, OLD_CLEAR2 = range(7)  # see older_calls
FIRST_ALONE = OLD_MULTIPLY  # those before are asked for what the row refuses
FILL_VALUE, PITCH, ADDRESS, EFFECTS = range(4)  # members of structures that the loop reads: see Dispatch.places
PLACES = {"dwFillColor": FILL_VALUE, "lPitch": PITCH, "lpSurface": ADDRESS, "dwDDFX": EFFECTS}

# a call of the driver that waits: its kind; the API call; handles, or for flips and locks the address; the boxes, of a lock
# without one -1; flags; what a fill writes, or whether a copy ends a frame; of a lock the pitch and address that the program
# was given, where in the chunk is what was copied there, and its size or -1, the API call that ends it; of a
# copy how it mirrors
COPY, FILL = 6, 7  # besides FLIP, LOCK and PRESENT
METHOD, COMMANDS = 11, 12  # an API call whose method reads its arguments later; a DrawPrimitives2
(Q_KIND, Q_CALL, Q_TARGET, Q_ORIGIN, Q_BOX, Q_AREA, Q_FLAGS, Q_VALUE, Q_PITCH, Q_ADDRESS, Q_BLOB, Q_BLOB_SIZE,
 Q_END, Q_MIRROR) = (0, 1, 2, 3, 4, 8, 12, 13, 14, 15, 16, 17, 18, 19)  # fmt: skip
QUEUE_COLUMNS, QUEUE_ROWS = 20, 512
# of calls of Direct3D 8 that wait: what is locked, or the address; of a lock where, how much, its flags and address; of a copy
# where in the chunk its bytes are, and how many
W_THIS, W_OFFSET, W_SIZE, W_FLAGS, W_ADDRESS = range(2, 7)
W_AT, W_BYTES = 3, 4
# of a DrawPrimitives2: where in the posted bytes its commands begin and how many there are; where its sources, how many
# records; bytes of user memory, where in the chunk, else 0, and where it begins; bytes of indices, behind the sources; what the
# device was told about vertices (SENT_...)
P_AT, P_SIZE, P_SOURCES, P_RECORDS, P_USER, P_USER_AT, P_BASE, P_INDEX, P_FORMAT, P_STRIDE, P_BUFFER = range(1, 12)
POSTED_BYTES = 1 << 19
USER_SPARE = 1 << 19  # bytes of user memory besides those that one command buffer may have: of those that wait
