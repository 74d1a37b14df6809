"""A buffer as a table: its bytes after an event in any format, with changes since another event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import BadInput
from inspector.progress import Cancel
from inspector.query.held.buffer_read import BufferRead, DeclaredBuffer
from inspector.query.held.layouts import DECLARED, Element, Layout, meant
from inspector.query.held.things import Buffer

if TYPE_CHECKING:
    from inspector.capture import Capture

PLAIN = "xint; xint; xint; xint"
"""Of a buffer whose types nothing declares."""


@dataclass(frozen=True, eq=False)
class TableOfBytes:
    """`layout`, `offset`, `stride`: how `data` (uint8, the whole buffer) is read; `changed` bool for each byte, or None.

    `usage` "vertex", "index" ...; `draw`: the one that declares the types, None: nothing does.
    """

    handle: int
    usage: str
    layout: Layout
    offset: int
    stride: int
    data: np.ndarray
    changed: np.ndarray | None
    draw: int | None

    @cached_property
    def rows(self) -> np.ndarray:
        """Structured, a field for each element."""
        return self.layout.rows(self.data, self.offset, self.stride)

    def values(self, row: int, element: Element) -> list:
        """What the numbers of an element mean."""
        return meant(self.rows[element.name][row], element.type)

    def place(self, row: int, element: Element | None = None) -> tuple[int, int]:
        """The bytes first..last-1 of the buffer that a row is read from, or an element of it."""
        first = self.offset + row * (self.stride or self.layout.size)
        if element is None:
            return first, min(first + self.layout.size, len(self.data))
        return first + element.offset, first + element.offset + element.size

    def is_changed(self, row: int, element: Element) -> bool:
        """Whether any byte of it did."""
        first, last = self.place(row, element)
        return self.changed is not None and bool(self.changed[first:last].any())

    @property
    def columns(self) -> list[str]:
        """Of `table`: "row", "offset", then the numbers of each element: "position.x"."""
        return ["row", "offset", *(name for one in self.layout.elements for name in component_names(one))]

    def table(self, first: int = 0, last: int | None = None) -> Iterator[list[Any]]:
        """Rows first..last-1 as plain values."""
        for row in range(first, min(len(self.rows), len(self.rows) if last is None else last)):
            yield [row, self.place(row)[0], *(value for one in self.layout.elements for value in self.values(row, one))]


def component_names(element: Element) -> list[str]:
    """ "position.x" and so on; of one number "color"; of more than four "bones.0"."""
    if element.count == 1:
        return [element.name]
    return [f"{element.name}.{'xyzw'[n] if element.count <= 4 else n}" for n in range(element.count)]


@dataclass(frozen=True)
class BufferTable:
    """A buffer after an event, read as `layout` (inspector.query.held.layouts; "": as the nearest draw declares it) from byte
    `offset` on (None: where that draw begins, or 0), `stride` bytes apart (0: the size of the layout).

    `since`: another event, for what changed between the two.
    """

    handle: int
    event: int
    layout: str = ""
    offset: int | None = None
    stride: int = 0
    since: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> TableOfBytes:
        """Raises Cancelled, and BadInput where there is no such buffer, or for a layout that is none."""
        found = capture.ask(BufferRead(self.handle, self.event), cancel)
        layout, offset, stride = declared(found)
        if self.layout.strip():
            layout, offset, stride = Layout.of(self.layout), 0, 0
        offset = offset if self.offset is None else self.offset
        data = found.buffer.data
        if not (0 <= offset <= len(data) and self.stride >= 0):
            raise BadInput(f"buffer {self.handle} has {len(data):,} bytes: none begins at byte {offset}")
        return TableOfBytes(
            self.handle, found.buffer.usage, layout, offset, self.stride or stride, data, self._changed(capture, data, cancel),
            found.draw,
        )  # fmt: skip

    def _changed(self, capture: Capture, data: np.ndarray, cancel: Cancel | None) -> np.ndarray | None:
        if self.since is None:
            return None
        before = capture.ask(Buffer(self.handle, self.since), cancel).data
        if len(before) != len(data):
            return np.ones(len(data), bool)
        return before != data


def declared(found: DeclaredBuffer) -> tuple[Layout, int, int]:
    """(layout, offset, stride) that a draw declares for a buffer; without one, four dwords a row."""
    if found.indices is not None:
        index = Layout.of("ushort index" if found.indices.width == 2 else "uint index")
        return index, 0, 0
    if not found.streams:
        return Layout.of(PLAIN), 0, 0
    stream = found.streams[0]
    parts, at = [], 0
    for one in sorted(stream.elements, key=lambda one: one.offset):
        if one.offset < at:  # elements that overlap: only the first can be shown so
            continue
        parts += [f"skip {one.offset - at}"] if one.offset > at else []
        parts.append(f"{DECLARED[one.type]} {one.name.replace(' ', '_')}")
        at = one.offset + one.size
    parts += [f"skip {stream.stride - at}"] if stream.stride > at else []
    return Layout.of("; ".join(parts) or PLAIN), stream.offset, stream.stride
