"""The command buffer of DrawPrimitives2 in the making, shared by the conversion loop and the Python methods."""

from __future__ import annotations

import struct
from functools import cache
from typing import Any

import numpy as np

from core.runtime import convert as c
from core.spec.tokens import TOKENS, Op

CAPACITY = 1 << 16  # bytes of commands in one DrawPrimitives2, unless one token is longer
USER_BYTES = 1 << 18  # user-memory vertices, and indices, gathered in one DrawPrimitives2
NO_HEADER = -1


@cache
def _packer(op: int) -> tuple[struct.Struct, tuple[str, ...]]:
    """The fixed fields of a token as struct packs them, and their names."""
    codes = {"u1": "B", "u2": "H", "u4": "I", "i4": "i", "f4": "f"}
    token = TOKENS[op]
    form = "<"
    for field in token.fields:
        base = token.fields_dtype[field.name].base
        form += codes[base.kind + str(base.itemsize)] * field.count
    return struct.Struct(form), tuple(field.name for field in token.fields)


def payload(op: int, **fields: Any) -> bytes:
    """The fixed part of one record by the field names of its row; fields of several values take sequences."""
    packer, names = _packer(op)
    assert fields.keys() == set(names), (op, fields)
    values: list[Any] = []
    for name in names:
        value = fields[name]
        if isinstance(value, (list, tuple)):
            values.extend(value)
        else:
            values.append(value)
    return packer.pack(*values)


class Commands:
    """Bytes, records and user memory that the next DrawPrimitives2 will carry; `state` is the loop's (see convert.py)."""

    def __init__(self) -> None:
        self.out = np.zeros(CAPACITY >> 2, np.uint32)
        self.sources = np.zeros(CAPACITY >> 2, np.uint32)
        self.user = np.zeros(USER_BYTES, np.uint8)
        self.indices = np.zeros(USER_BYTES, np.uint8)
        self.state = np.zeros(c.STATE_SIZE, np.int64)
        self.state[c.HEADER] = NO_HEADER

    @property
    def empty(self) -> bool:
        return self.state[c.POSITION] == 0

    def has_room(self, size: int) -> bool:
        """Whether a token of so many bytes fits behind what is there."""
        return int(self.state[c.POSITION]) + size + 8 <= 4 * len(self.out)

    def grow(self, size: int) -> None:
        """Makes room for a token of so many bytes in the empty buffer."""
        assert self.empty
        self.out = np.zeros((size >> 2) + (CAPACITY >> 2), np.uint32)

    def grow_user(self, size: int, is_index: bool) -> None:
        """Makes room for so many bytes of user-memory vertices or indices in the empty buffer."""
        assert self.empty
        name = "indices" if is_index else "user"
        if size > len(getattr(self, name)):
            setattr(self, name, np.zeros(size + (size >> 1), np.uint8))

    def put(self, op: int, body: bytes, source: int, merge: bool = False) -> None:
        """Appends one record; `merge`: to the token before, if that has the same opcode.  The room was asked for."""
        # plain numbers: numpy scalars and enumeration members cost microseconds each
        state, out = self.state.data, self.out
        position, header, records = state[c.POSITION] >> 2, state[c.HEADER], state[c.RECORDS]
        if merge and header >= 0 and (token := int(out[header])) & 0xFF == op and token < 0xFFFF0000:
            out[header] = token + 0x10000
        else:
            header = position
            out[position] = int(op) | 0x10000
            position += 1
        count = len(body) >> 2
        out[position : position + count] = np.frombuffer(body, np.uint32)
        self.sources[records] = source
        state[c.POSITION], state[c.HEADER], state[c.RECORDS] = (position + count) << 2, header, records + 1

    def put_counted(self, op: int, count: int, body: bytes, source: int) -> None:
        """Appends a token of one record whose command count is not 1 (CLEAR with its rectangles)."""
        self.put(op, body, source)
        header = int(self.state[c.HEADER])
        self.out[header] = op | count << 16
        self.state[c.HEADER] = NO_HEADER

    def take(self) -> dict[str, bytes]:
        """The blobs of a DrawPrimitives2; empties the buffer.  indices: what the runtime's index buffer must hold before."""
        state = self.state
        blobs = {
            "commands": self.out.view(np.uint8)[: int(state[c.POSITION])].tobytes(),
            "sources": self.sources[: int(state[c.RECORDS])].tobytes(),
        }
        if state[c.USER]:
            blobs["vertices"] = self.user[: int(state[c.USER])].tobytes()
        if state[c.INDEX]:
            blobs["indices"] = self.indices[: int(state[c.INDEX])].tobytes()
        for number in (c.POSITION, c.RECORDS, c.USER, c.INDEX):
            state[number] = 0
        state[c.HEADER] = NO_HEADER
        return blobs


__all__ = ["CAPACITY", "Commands", "Op", "payload"]
