"""The DrawPrimitives2 command buffer under construction, shared by the conversion loop and the Python methods."""

from __future__ import annotations

import struct
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from core.runtime.rows import layout as c
from core.runtime.rows.old_draws import close_up
from core.spec.tokens import TOKENS, Op

CAPACITY = 1 << 16  # bytes of commands in one DrawPrimitives2, unless one token is longer
USER_BYTES = 1 << 18  # user-memory vertices, and indices, gathered in one DrawPrimitives2
NO_HEADER = -1
_EMPTY = np.array([0, NO_HEADER, 0, 0, 0, 0], np.int64).data  # POSITION, HEADER, RECORDS, USER, USER_AT, INDEX


class Packer(NamedTuple):
    """How struct packs the fixed fields of a token: their names in order, whether one has several values."""

    form: struct.Struct
    names: tuple[str, ...]
    known: frozenset[str]
    has_many: bool


@cache
def _packer(op: int) -> Packer:
    codes = {"u1": "B", "u2": "H", "u4": "I", "i4": "i", "f4": "f"}
    token = TOKENS[op]
    form = "<"
    for field in token.fields:
        base = token.fields_dtype[field.name].base
        form += codes[base.kind + str(base.itemsize)] * field.count
    names = tuple(field.name for field in token.fields)
    return Packer(struct.Struct(form), names, frozenset(names), any(field.count > 1 for field in token.fields))


def payload(op: int, **fields: Any) -> bytes:
    """The fixed part of one record by the field names of its row; fields of several values take sequences."""
    packer = _packer(op)
    assert fields.keys() == packer.known, (op, fields)
    if not packer.has_many:
        return packer.form.pack(*map(fields.__getitem__, packer.names))
    values: list[Any] = []
    for name in packer.names:
        value = fields[name]
        if isinstance(value, (list, tuple)):
            values.extend(value)
        else:
            values.append(value)
    return packer.form.pack(*values)


class Commands:
    """Bytes, records and user memory that the next DrawPrimitives2 will carry; `state` is the loop's (see layout.py).

    `chunk`: the bytes of the calls being done, where many vertices of user memory are left until they are sent.
    `queue`: calls of the driver that wait, older than the tokens here; `posted`: the bytes of those that carry commands.
    """

    def __init__(self) -> None:
        self._make(CAPACITY)
        self.sources = np.zeros(CAPACITY >> 2, np.uint32)
        self._sources = self.sources.data
        self.own = np.zeros((len(self.sources), 3), np.int32)
        """By token of whole bytes (see old_draws.close_up): where it begins, bytes of its body, its record."""
        self.arena = np.empty(USER_BYTES + c.USER_SPARE, np.uint8)
        """User memory of the commands here, and before them of those that wait."""
        self.indices = np.empty(USER_BYTES, np.uint8)
        self.state = np.zeros(c.STATE_SIZE, np.int64)
        self.state[c.HEADER], self.state[c.DEVICE] = NO_HEADER, c.NO_DEVICE
        self.numbers = self.state.data  # the same: an element costs a tenth of numpy's
        self.chunk = memoryview(b"")
        self.queue = np.empty((c.QUEUE_ROWS, c.QUEUE_COLUMNS), np.int64)
        self.posted = np.empty(c.POSTED_BYTES, np.uint8)
        self._queue, self._posted = self.queue.reshape(-1).data, self.posted.data

    def _make(self, size: int) -> None:
        self.out = np.zeros(size >> 2, np.uint32)
        self._dwords, self._bytes = self.out.data, self.out.data.cast("B")

    @property
    def user(self) -> np.ndarray:
        """User memory for vertices (uint8), from where that of what waits ends."""
        begin = self.numbers[c.USER_BASE]
        return self.arena[begin : begin + len(self.arena) - c.USER_SPARE]

    def forget_user(self) -> None:
        """Nothing waits any more: user memory begins at the front again."""
        if not self.numbers[c.USER]:
            self.numbers[c.USER_BASE] = 0

    @property
    def empty(self) -> bool:
        return self.numbers[c.POSITION] == 0

    def has_room(self, size: int) -> bool:
        """Whether a token of this many bytes fits behind what is there."""
        numbers = self.numbers
        return numbers[c.POSITION] + size + 8 <= len(self._bytes) and numbers[c.RECORDS] < len(self.sources)

    def grow(self, size: int) -> None:
        """Makes room for a token of this many bytes in the empty buffer."""
        assert self.empty
        self._make((size & ~3) + CAPACITY)

    def grow_user(self, size: int, is_index: bool) -> None:
        """Makes room for this many bytes of user-memory vertices or indices in the empty buffer."""
        assert self.empty
        if is_index and size > len(self.indices):
            self.indices = np.zeros(size + (size >> 1), np.uint8)
        elif not is_index and size > len(self.user):
            self.arena = np.empty(size + (size >> 1) + c.USER_SPARE, np.uint8)
            self.numbers[c.USER_BASE] = 0

    def put(self, op: int, body: bytes, source: int, merge: bool = False, count: int = 1) -> None:
        """Appends one record, or `count` of the same size; `merge`: to the token before, if that has the same opcode.

        The room was asked for.
        """
        numbers, dwords = self.numbers, self._dwords
        position, header, records = numbers[c.POSITION], numbers[c.HEADER], numbers[c.RECORDS]
        if merge and header >= 0 and (token := dwords[header]) & 0xFF == op and token + (count << 16) <= 0xFFFFFFFF:
            dwords[header] = token + (count << 16)
        else:
            header = position >> 2
            dwords[header] = int(op) | count << 16
            position += 4
        end = position + len(body)
        self._bytes[position:end] = body
        self.sources[records : records + count] = source
        numbers[c.POSITION], numbers[c.HEADER], numbers[c.RECORDS] = end, header, records + count

    def put_counted(self, op: int, count: int, body: bytes, source: int) -> None:
        """Appends a token of one record whose command count is not 1 (CLEAR with its rectangles)."""
        self.put(op, body, source)
        self._dwords[self.numbers[c.HEADER]] = op | count << 16
        self.numbers[c.HEADER] = NO_HEADER

    def put_own(self, op: int, count: int, body: bytes, source: int) -> None:
        """The same of a token that stays as it is, as long as its bytes are."""
        numbers = self.numbers
        self.own[numbers[c.OWN]] = numbers[c.POSITION], len(body), numbers[c.RECORDS]
        numbers[c.OWN] += 1
        self.put_counted(op, count, body + bytes(-len(body) & 3), source)

    def take_own(self) -> list[tuple[int, int, int]]:
        """The rows of `own`, which are none from now on: its tokens stay padded."""
        count, self.numbers[c.OWN] = self.numbers[c.OWN], 0
        return [tuple(row) for row in self.own[:count].tolist()]

    def take(self) -> dict[str, Any]:
        """The blobs of a DrawPrimitives2; empties the buffer.  sources: uint32 by record.  indices: what the runtime's index
        buffer must hold before.

        Vertices and indices are views, valid until the next call.
        """
        numbers = self.numbers
        size = numbers[c.POSITION]
        if numbers[c.OWN]:
            size = close_up(self.out.view(np.uint8), size, self.own, numbers[c.OWN])
            numbers[c.OWN] = 0
        blobs: dict[str, Any] = {
            "commands": self._bytes[:size].tobytes(),
            "sources": self._sources[: numbers[c.RECORDS]].tobytes(),
        }
        if user := numbers[c.USER]:
            at = numbers[c.USER_AT]
            blobs["vertices"] = self.chunk[at : at + user] if at else self.user.data[:user]
        numbers[c.USER_BASE] = 0
        if index := numbers[c.INDEX]:
            blobs["indices"] = self.indices.data[:index]
        numbers[: len(_EMPTY)] = _EMPTY
        return blobs

    def take_queue(self) -> tuple[memoryview, int]:
        """The rows of the queue, one behind the other, and how many: valid until the loop goes on, as what they point to."""
        numbers = self.numbers
        count = numbers[c.QUEUED]
        numbers[c.QUEUED] = numbers[c.POSTED] = 0
        return self._queue, count

    def take_posted(self, row: list[int]) -> dict[str, Any]:
        """The blobs of a DrawPrimitives2 in the queue, as `take` gives them."""
        posted, (begin, size, at, records, user, chunk, base, index) = self._posted, row[: c.P_INDEX]
        behind = at + 4 * records
        blobs: dict[str, Any] = {"commands": posted[begin : begin + size].tobytes(), "sources": posted[at:behind].tobytes()}
        if user:
            blobs["vertices"] = self.chunk[chunk : chunk + user] if chunk else self.arena.data[base : base + user]
        if index:
            blobs["indices"] = posted[behind : behind + index]
        return blobs


__all__ = ["CAPACITY", "Commands", "Op", "payload"]
