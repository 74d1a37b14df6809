"""State tokens: the writes of a DP2 stream to the register vector.

`walk` is the one implementation, used when the device executes and when the timeline only needs the writers of slots.
Which slots a record writes the rows of core.spec.tokens say (`Token.writes`).  `walk` applies records in order and stops
*before* the first that it does not do: draws, clears, copies, objects, and the few states that need a look at other objects.
Those are done by core.device.lane.draw_loop or in Python (core.device.tokens.operations), which writes through
`Registers.write`.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from core.device.registers.records import RECORD
from core.kernels.jit import array, i8, kernel, outlined, stage
from core.kernels.simd import Pointer, advance, calling, pointer
from core.matrices import as_float, float_bits
from core.matrices import dword_at as _word
from core.spec.effects import Slots
from core.spec.slots import BASE, LIGHT_SLOTS, OLD_TRANSFORM_SLOTS, REGISTERS, RENDER_STATE, SCENE
from core.spec.states import RENDER_STATE_ID, RENDER_STATES, TEXTURE_STAGE_STATES
from core.spec.tokens import TOKEN_BY_NAME, TOKENS, Token

FAST_LIGHTS = 256  # lights with lower numbers are found without Python
MOST_WRITES = 64  # of a record without a constant count

SCENECAPTURE = RENDER_STATE + RENDER_STATE_ID["SCENECAPTURE"]
LEGACY_STATES = tuple(row.id for row in RENDER_STATES.values() if row.also and row.also != ("SCENE",))
"""Render states that set others as well."""
LEGACY_STAGE_STATES = tuple(row.id for row in TEXTURE_STAGE_STATES.values() if row.also)


# ---- what the rows say, as numbers --------------------------------------------------------------------------------------

LEAVE, ONE, COPY, COUNTED, MULTIPLY, LIGHT, MAKE_LIGHT = range(7)
"""What is done with a record: nothing; one dword that has a number, or slots copied; as many elements as it counts; matrices
multiplied; lights."""

(FORM, FIRST, KEY, KEY_BYTES, KEY_MAP, KEY_COUNT, KEY2, KEY2_BYTES, KEY2_MAP, KEY2_COUNT, FROM, WORDS, COUNT, LEAD, TAIL,
 MUST_BE_0, NOT_0) = range(17)  # fmt: skip
"""Columns of a rule, dwords.

FIRST: the field's first slot.  KEY: byte of a number in the record, of KEY_BYTES (0: there is none), which finds what to add
to FIRST from TABLE[KEY_MAP] on; one beyond KEY_COUNT, or where a negative number stands, is Python's.  FROM: byte of the first
of WORDS dwords, each COUNT (a byte of the record) times as many.  LEAD, TAIL: what is written before and after them, -1:
nothing.  A first dword with a bit of MUST_BE_0, or 0 where it is NOT_0, is Python's.
"""
RULE_WORDS = 17
PYTHONS_KEYS = {("RENDERSTATE", "state"): LEGACY_STATES, ("TEXTURESTAGESTATE", "state"): LEGACY_STAGE_STATES}
PYTHONS_VALUES = {"SETVERTEXSHADER": (1, 1), "SETPIXELSHADER": (-1, 0)}  # MUST_BE_0, NOT_0: shaders are looked up
SPECIAL = {"MULTIPLYTRANSFORM": MULTIPLY, "SETLIGHT": LIGHT, "CREATELIGHT": MAKE_LIGHT, "SETRENDERTARGET": LEAVE,
           "UPDATEPALETTE": LEAVE}  # fmt: skip


def _table() -> np.ndarray:
    """int32: RULE_WORDS for each opcode, then the maps of numbers."""
    rules, maps = np.zeros((256, RULE_WORDS), np.int32), [np.zeros(0, np.int32)]
    for row in TOKENS.values():
        if row.writes is not None and row.since < 9:
            _fill_rule(rules[row.op], row, row.writes, maps)
    return np.concatenate([rules.ravel(), *maps])


def _fill_rule(rule: np.ndarray, row: Token, writes: Slots, maps: list[np.ndarray]) -> None:
    rule[FORM] = SPECIAL.get(row.name, COPY)
    rule[[LEAD, TAIL]] = -1
    if rule[FORM] in (LEAVE, LIGHT, MAKE_LIGHT):
        return
    size = 0 if writes.field == "transform" else REGISTERS[writes.field].itemsize // 4
    rule[FIRST] = BASE.get(writes.field, 0)
    for (name, stride), at in zip(writes.keys, (KEY, KEY2), strict=False):
        found = np.array(OLD_TRANSFORM_SLOTS if not size else range(0, size, stride), np.int32)
        size = stride  # of what the next number finds its place in
        found[list(PYTHONS_KEYS.get((row.name, name), ()))] = -1
        rule[at : at + 4] = *row.place(name), 256 * RULE_WORDS + sum(map(len, maps)), len(found)
        maps.append(found)
    rule[[MUST_BE_0, NOT_0]] = PYTHONS_VALUES.get(row.name, (0, 0))
    words = list(writes.words)
    if isinstance(words[0], int):
        rule[LEAD] = words.pop(0)
    if isinstance(words[-1], int):
        rule[TAIL] = words.pop()
    widths = {field.name: field.bytes // 4 for field in row.fields}
    if words[0] in widths:
        rule[FROM] = row.place(str(words[0]))[0]
        rule[WORDS] = sum(widths[str(word)] for word in words)
        if rule[FORM] == COPY and writes.keys and len(writes.words) == rule[WORDS] == 1:
            rule[FORM] = ONE
        return
    (part,) = row.parts
    rule[FORM], rule[FROM], rule[WORDS] = COUNTED, row.fields_dtype.itemsize, part.dtype.itemsize // 4
    rule[COUNT] = row.place(part.field)[0]


TABLE = _table()
"""What `walk` reads of the rows."""
LIGHT_AT = TOKEN_BY_NAME["SETLIGHT"].fields_dtype.itemsize


Writes = namedtuple("Writes", "vector keys values room seq")
"""Where slots are written: the register vector; the log, and how long it can be (0: there is none); the event."""

PYTHON = -1  # instead of the log's length: the record is none of ours


@stage
def _half(commands, at):
    """The little-endian word at a byte offset."""
    return np.uint32(np.uint32(commands[at]) | np.uint32(commands[at + 1]) << np.uint32(8))


@stage
def _put(out, slot, value, count):
    """Writes a slot, and logs it when there is a log; returns the log's new length."""
    out.vector[slot] = value
    if out.room == 0:
        return count
    out.keys[count] = np.uint64(slot) << np.uint64(32) | np.uint64(out.seq)
    out.values[count] = value
    return count + 1


@outlined
def _copy(out, slot, commands, at, words, count):
    """Writes consecutive slots from consecutive dwords of the stream."""
    for n in range(words):
        count = _put(out, slot + n, _word(commands, at + 4 * n), count)
    return count


@stage
def _place(table, key, commands, at):
    """What a number of the record at `at` adds to the slot; negative: Python looks after it.  key: its columns in a rule."""
    number = np.int64(_word(commands, at + table[key])) if table[key + 1] == 4 else np.int64(_half(commands, at + table[key]))
    if number >= table[key + 3]:
        return np.int64(-1)
    return np.int64(table[table[key + 2] + number])


@stage
def _slot(table, rule, commands, at):
    """The first slot that the record writes, or -1."""
    slot = np.int64(table[rule + FIRST])
    if table[rule + KEY_BYTES] != 0:
        more = _place(table, rule + KEY, commands, at)
        if more < 0:
            return np.int64(-1)
        slot += more
        if table[rule + KEY2_BYTES] != 0:
            more = _place(table, rule + KEY2, commands, at)
            if more < 0:
                return np.int64(-1)
            slot += more
    return slot


@stage
def _one(out, table, rule, commands, at, count):
    """ONE: most of what is sent."""
    slot = _slot(table, rule, commands, at)
    if slot < 0:
        return PYTHON
    value = _word(commands, at + table[rule + FROM])
    count = _put(out, slot, value, count)
    return _put(out, SCENE, value, count) if slot == SCENECAPTURE else count


@stage
def _slots(out, table, rule, commands, at, count):
    """COPY: some dwords of the record into slots."""
    slot = _slot(table, rule, commands, at)
    if slot < 0:
        return PYTHON
    begin, words = at + table[rule + FROM], np.int64(table[rule + WORDS])
    value = _word(commands, begin)
    if value & np.uint32(table[rule + MUST_BE_0] & 0xFFFFFFFF) != 0 or (table[rule + NOT_0] != 0 and value == 0):
        return PYTHON
    if table[rule + LEAD] >= 0:
        count = _put(out, slot, np.uint32(table[rule + LEAD]), count)
        slot += 1
    count = _copy(out, slot, commands, begin, words, count)
    if table[rule + TAIL] >= 0:
        count = _put(out, slot + words, np.uint32(table[rule + TAIL]), count)
    return count


@stage
def _counted(out, table, rule, commands, at, size, count):
    """COUNTED: as many elements as the record says."""
    first, many = np.int64(_word(commands, at + table[rule + KEY])), np.int64(_word(commands, at + table[rule + COUNT]))
    words, begin = np.int64(table[rule + WORDS]), np.int64(table[rule + FROM])
    if first + many > table[rule + KEY_COUNT] or size < begin + 4 * words * many:
        return PYTHON
    return _copy(out, table[rule + FIRST] + words * first, commands, at + begin, words * many, count)


@outlined
def _multiply(out, slot, commands, at, product, count):
    """new = given * current, in float32, sums from left to right; product: room for 16 words."""
    for row in range(4):
        for column in range(4):
            total = np.float32(0.0)
            for k in range(4):
                left, right = _word(commands, at + 16 * row + 4 * k), out.vector[slot + 4 * k + column]
                total += as_float(left) * as_float(right)
            product[4 * row + column] = np.int64(float_bits(total))
    for n in range(16):
        count = _put(out, slot + n, np.uint32(product[n]), count)
    return count


@stage
def _light(out, lights, commands, at, count):
    """SETLIGHT."""
    light, what = _word(commands, at), _word(commands, at + 4)
    if light >= FAST_LIGHTS or lights[light] < 0 or what > 2:
        return PYTHON
    if what == 2:
        return _copy(out, lights[light], commands, at + LIGHT_AT, LIGHT_SLOTS - 1, count)
    return _put(out, lights[light] + LIGHT_SLOTS - 1, 1 - what, count)


@stage
def _apply(out, lights, table, commands, op, at, size, log, count):
    """Executes a record; returns the log's new length, or PYTHON."""
    rule = np.int64(op) * RULE_WORDS
    form = table[rule + FORM]
    if form == ONE:
        return _one(out, table, rule, commands, at, count)
    if form == COPY:
        return _slots(out, table, rule, commands, at, count)
    if form == COUNTED:
        return _counted(out, table, rule, commands, at, size, count)
    if form == LIGHT:
        return _light(out, lights, commands, at, count)
    if form == MAKE_LIGHT:
        light = _word(commands, at)
        return PYTHON if light >= FAST_LIGHTS or lights[light] < 0 else count
    if form == MULTIPLY:
        slot = _slot(table, rule, commands, at)
        return PYTHON if slot < 0 else _multiply(out, slot, commands, at + table[rule + FROM], log, count)
    return PYTHON


WALK = i8(Pointer("u4"), Pointer("i4"), Pointer("u1"), Pointer(RECORD), i8, i8, i8, Pointer("u8"), Pointer("u4"), i8,
          Pointer("i8"), Pointer("i4"))  # fmt: skip
call_walk = calling(WALK)
LOG_WORDS = 18
"""int64 words of `log`: the log's length, in and out; 1 if it had too little room; room for a matrix."""


@kernel(WALK)
def walk(vector, lights, commands, records, start, stop, first_seq, keys, values, room, log, table):
    """Applies records[start:stop] to `vector` until one needs Python; returns its index, or `stop`.

    vector: uint32[>= SLOTS]; lights: int32[FAST_LIGHTS], a light's first slot or -1; record n is event first_seq + n.
    keys (slot << 32 | seq) and values are the log of writes, room their length, 0 without one.  log: LOG_WORDS; a log with too
    little room also stops the walk.  table: TABLE.
    """
    count = log[0]
    log[1] = 0
    n = start
    while n < stop:
        record = records[n]
        size = np.int64(record.size)
        if room != 0 and count + (size >> 2) + MOST_WRITES > room:
            log[1] = 1
            break
        out = Writes(vector, keys, values, room, first_seq + n)
        after = _apply(out, lights, table, commands, record.op, np.int64(record.offset), size, advance(log, 2), count)
        if after == PYTHON:
            break
        count = after
        n += 1
    log[0] = count
    return n


@kernel(i8(i8, array("u4"), array("i4"), array("u1"), array(RECORD), i8, i8, i8, array("u8"), array("u4"), array("i8"),
           array("i4")))  # fmt: skip
def walk_states(entry, vector, lights, commands, records, start, stop, first_seq, keys, values, log, table):
    """`walk` (which stands at the address `entry`) over arrays."""
    return call_walk(entry, (
        pointer(vector, 0), pointer(lights, 0), pointer(commands, 0), pointer(records, 0), start, stop, first_seq,
        pointer(keys, 0), pointer(values, 0), keys.size, pointer(log, 0), pointer(table, 0),
    ))  # fmt: skip
