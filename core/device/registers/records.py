"""The records of a command buffer: offsets and fields, from the row of their token (core.spec.tokens)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.device.registers.layout import Layout
from core.spec.tokens import TOKENS, Token

if TYPE_CHECKING:
    from core.device.device import CommandBuffer

RECORD = np.dtype([
    ("op", "u1"),
    ("flags", "u1"),            # core.spec.tokens.FLAG_DRAWS, FLAG_DX9
    ("count", "u2"),            # of the command
    ("token", "u4"),            # offset of its D3DHAL_DP2COMMAND
    ("offset", "u4"),           # of the record's own bytes; everything after the command for "once" tokens
    ("size", "u4"),             # 0 of an empty one (is_empty)
    ("index", "u4"),            # number of the record within its token
])  # fmt: skip
"""What core.ddi.stream.dp2.scan makes of a command buffer: one for each record."""

FIELDS: dict[int, Layout] = {op: Layout(row.fields_dtype) for op, row in TOKENS.items()}
PARTS: dict[tuple[int, str], Layout] = {
    (op, part.name): Layout(part.dtype) for op, row in TOKENS.items() for part in row.parts if not part.unit
}


NOTHING = 0
"""Instead of its opcode, what a device reads of a record that does nothing."""
_ONE_BY_ONE = np.array([op in TOKENS and TOKENS[op].repeat == "count" for op in range(256)])


def is_empty(records: Any) -> Any:
    """Whether records (or one) stand for a command of count 0: it has no fields, and does nothing."""
    return _ONE_BY_ONE[records["op"]] & (records["count"] == 0)


def for_device(records: np.ndarray) -> np.ndarray:
    """The records as a device reads them: of those that do nothing the opcode is NOTHING."""
    empty = is_empty(records)
    if not empty.any():
        return records
    read = records.copy()
    read["op"][empty] = NOTHING
    return read


def token(record: Any) -> Token:
    """The row of a record's token."""
    return TOKENS[int(record["op"])]


def fields(stream: CommandBuffer, record: Any) -> Any:
    """The fixed fields of a record by the names of its row: Python numbers, tuples of them where a field has several."""
    return FIELDS[int(record["op"])].read(stream.buffer, int(record["offset"]))


def part(stream: CommandBuffer, record: Any, name: str, skip: int = 0) -> Any:
    """The fields of a part that there is or is not, `skip` bytes after the fixed fields."""
    layout = PARTS[int(record["op"]), name]
    return layout.read(stream.buffer, int(record["offset"]) + header(record) + skip)


def header(record: Any) -> int:
    """Bytes of the record's fixed fields."""
    return FIELDS[int(record["op"])].size


def payload(stream: CommandBuffer, record: Any, size: int, skip: int = 0) -> np.ndarray:
    """Bytes of the record, from `skip` bytes after the fixed fields on."""
    at = int(record["offset"]) + header(record) + skip
    return stream.commands[at : at + size]
