"""Rows of numbers as the pages of a SQLite database, written by a compiled loop.

SQLite copies a table of such a database into one of its own in a tenth of the time that inserting row by row takes.  Source:
Database File Format (sqlite.org/fileformat2.html), sections 1.3 (header), 1.6 (B-tree pages), 2.1 (records).
"""

from __future__ import annotations

import re
import sqlite3
import struct
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from typing import Any

import numpy as np

from core.kernels.jit import array, i8, kernel

PAGE = 1 << 16
NULL = np.iinfo(np.int64).min
"""Stands for NULL: no table has this number."""
ROWS = 1 << 17  # of a database: all of its leaves have their place in the root
LEAST = 1 << 12  # rows from which on it is worth it
MOST_COLUMNS = 100  # sizes of headers are one byte
LARGEST_KEY = 1 << 56  # the ninth byte of a longer one holds eight bits, not seven
FIRST_LEAF = 3  # pages count from 1; 2 is the root
FIXED = 1 + 9 + 2 + 2  # bytes of a cell but for its values at most, and of its pointer


@kernel(i8(array("i8", 2), array("bool"), array("u1", 2), array("i8"), array("i8")))
def _write(columns, reals, pages, last, sizes):  # type: ignore[no-untyped-def]
    """Fills leaves with the rows of columns[c], the first of which is the row's number; returns how many.

    reals: which columns are bits of float64.  last: the last number on each leaf; sizes: room for the sizes of a row's values.
    """
    count, page, cells, end, rows = len(columns), 0, 0, PAGE, columns.shape[1]
    for row in range(rows):
        length = count + 1
        for c in range(count):
            value = columns[c, row]
            size = 8
            if c == 0 or (value == NULL and not reals[c]):
                size = 0
            elif not reals[c]:
                wide = value if value >= 0 else -1 - value
                size = 0 if 0 <= value <= 1 else 1 if wide < 1 << 7 else 2 if wide < 1 << 15 else 3 if wide < 1 << 23 else (
                    4 if wide < 1 << 31 else 6 if wide < 1 << 47 else 8)  # fmt: skip
            sizes[c] = size
            length += size
        number, named = columns[0, row], 1
        while number >> 7 * named:
            named += 1
        whole = (1 if length < 128 else 2) + named + length
        if 8 + 2 * (cells + 1) > end - whole:  # the next leaf
            pages[page, 3], pages[page, 4], pages[page, 5], pages[page, 6] = cells >> 8, cells & 255, end >> 8 & 255, end & 255
            last[page] = columns[0, row - 1]
            page, cells, end = page + 1, 0, PAGE
        if cells == 0:
            pages[page, :8] = 0
            pages[page, 0] = 13
        end -= whole
        at = end
        pages[page, 8 + 2 * cells], pages[page, 9 + 2 * cells] = at >> 8, at & 255
        cells += 1
        if length >= 128:
            pages[page, at] = 128 | length >> 7
            at += 1
        pages[page, at] = length & 127
        at += 1
        for n in range(named - 1, -1, -1):
            pages[page, at] = number >> 7 * n & 127 | (128 if n else 0)
            at += 1
        pages[page, at] = count + 1
        body = at + count + 1
        for c in range(count):
            value, size = columns[c, row], sizes[c]
            kind = size if size < 5 else 5 if size == 6 else 7 if reals[c] else 6
            if size == 0 and c and value != NULL:
                kind = 8 + value
            pages[page, at + 1 + c] = kind
            for n in range(size - 1, -1, -1):
                pages[page, body] = value >> 8 * n & 255
                body += 1
    pages[page, 3], pages[page, 4], pages[page, 5], pages[page, 6] = cells >> 8, cells & 255, end >> 8 & 255, end & 255
    last[page] = columns[0, rows - 1]
    return page + 1


def can_hold(create: str, columns: Sequence[Any]) -> bool:
    """Whether columns can be written so: all are numbers, the first is the table's key (`ascends` looks at its values)."""
    kinds = [getattr(getattr(column, "dtype", None), "kind", "O") for column in columns]
    fits = len(columns[0]) >= LEAST and len(columns) <= MOST_COLUMNS and kinds[0] in "iu" and set(kinds) <= set("iubf")
    return fits and re.search(r"\(\w+ INTEGER PRIMARY KEY[,)]", create) is not None


def ascends(numbers: np.ndarray) -> bool:
    """Whether the rows of a database may have these numbers."""
    return bool(numbers[0] >= 0 and numbers[-1] < LARGEST_KEY and (numbers[1:] > numbers[:-1]).all())


def database(create: str, columns: Sequence[np.ndarray]) -> bytes:
    """A database with the table that `create` makes, and at most ROWS rows of it; masked numbers are NULL."""
    block = np.stack([_integers(column) for column in columns])
    reals = np.array([column.dtype.kind == "f" for column in columns])
    room = -(-len(columns[0]) * (FIXED + 9 * len(columns)) // (PAGE - 256)) + 1
    pages, last = np.empty((room, PAGE), np.uint8), np.empty(room, np.int64)
    count = _write(block, reals, pages, last, np.empty(len(columns), np.int64))
    start = bytearray(_empty(create))
    if count == 1:  # it is the root itself
        return bytes(start[:PAGE]) + pages[0].tobytes()
    start[28:32] = struct.pack(">I", FIRST_LEAF - 1 + count)
    start[PAGE:] = _root(last[:count].tolist())
    return bytes(start) + pages[:count].tobytes()


def _integers(column: np.ndarray) -> np.ndarray:
    """int64: the numbers, NULL where they are masked, the bits of reals."""
    mask = np.ma.getmaskarray(column) if isinstance(column, np.ma.MaskedArray) else None
    plain = np.asarray(column)
    found = plain.astype(np.float64).view(np.int64) if plain.dtype.kind == "f" else plain.astype(np.int64)
    return found if mask is None else np.where(mask, NULL, found)


def _root(last: list[int]) -> bytes:
    """The interior page above the leaves with these last numbers."""
    page, end = bytearray(PAGE), PAGE
    for n, number in enumerate(last[:-1]):
        cell = struct.pack(">I", FIRST_LEAF + n) + _varint(number)
        end -= len(cell)
        page[end : end + len(cell)] = cell
        struct.pack_into(">H", page, 12 + 2 * n, end)
    struct.pack_into(">BHHHBI", page, 0, 5, 0, len(last) - 1, end & 0xFFFF, 0, FIRST_LEAF + len(last) - 1)
    return bytes(page)


def _varint(number: int) -> bytes:
    """Seven bits a byte, the highest first."""
    found = [number & 127]
    while number := number >> 7:
        found.insert(0, 128 | number & 127)
    return bytes(found)


@cache
def _empty(create: str) -> bytes:
    """A database of two pages: the schema, and the root of the one table."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE}")
        connection.execute(create)
        found: bytes = connection.serialize()  # type: ignore[attr-defined]
    assert len(found) == 2 * PAGE
    return found
