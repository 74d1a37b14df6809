"""Validation of untrusted `.ddicap` files: plain tables with the known columns, values of known types, sizes in proportion.

A few kilobytes of zstd unpack to gigabytes.  What a file may unpack to grows with its size, beyond a floor that every file has:
our writer puts thousands of calls into a row, and none of them is smaller than some bits.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.errors import TapeError

COLUMNS: dict[str, tuple[str, ...]] = {
    "meta": ("key", "value"),
    "entry": ("id", "name"),
    "batch": ("first", "calls", "head", "body", "digest"),
    "blob": ("id", "digest", "size", "data"),
    "signature": ("kind", "id", "name", "members"),
    "source": ("first", "calls", "data", "digest"),
    "finding": ("source", "rule", "text"),
    "pointer": ("source", "pointer", "handle"),
    "annotation": ("id", "focus", "text", "created"),
    "thumbnail": ("id", "png"),
}
META: dict[str, type] = {
    "producer": str, "created": str, "source_file": str, "source_digest": str, "code_digest": str, "adapters": list,
    "notices": list, "closed": bool, "calls": int, "sources": int, "profile": str, "trace_version": int,
    "trace_properties": dict,
}  # fmt: skip
LARGEST_VALUE = 1 << 29  # bytes of a column
CALLS, CALLS_A_BYTE = 1 << 20, 64
SOURCES, SOURCES_A_BYTE = 1 << 21, 1024
UNPACKED, UNPACKED_A_BYTE = 1 << 28, 2000
CALLS_IN_A_ROW = 1 << 18


class Allowance:
    """How much a file of `size` bytes may still unpack to."""

    def __init__(self, size: int) -> None:
        self.calls = CALLS + CALLS_A_BYTE * size
        self.sources = SOURCES + SOURCES_A_BYTE * size
        self.unpacked = UNPACKED + UNPACKED_A_BYTE * size

    def take(self, calls: int = 0, sources: int = 0, unpacked: int = 0) -> None:
        """Raises TapeError when it is used up."""
        self.calls -= calls
        self.sources -= sources
        self.unpacked -= unpacked
        if min(self.calls, self.sources, self.unpacked) < 0 or max(calls, sources) > CALLS_IN_A_ROW:
            raise TapeError("it would unpack to far more than a capture of its size holds")


def check_tables(path: Path, connection: sqlite3.Connection) -> None:
    """Raises TapeError for a database with views, triggers, virtual tables or columns that are computed.  sqlite3.Error."""
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_schema"):
        is_table = kind == "table" and str(sql).lstrip().upper().startswith("CREATE TABLE")
        if not is_table and not (kind == "index" and sql is None):
            raise TapeError(f"{path}: not a capture that this program reads: it holds the {_kind(kind)} {str(name)[:40]!r}")
    for table, columns in COLUMNS.items():
        found = list(connection.execute(f"PRAGMA table_xinfo({table})"))
        if found and (tuple(row[1] for row in found) != columns or any(row[6] for row in found)):
            raise TapeError(f"{path}: not a capture that this program reads: its table {table} has other columns")


def _kind(kind: Any) -> str:
    return "virtual table" if kind == "table" else str(kind)


def meta_of(rows: Iterable[tuple[Any, Any]]) -> dict[str, Any]:
    """The meta table; what is damaged or of another type is left out."""
    meta: dict[str, Any] = {}
    for key, text in rows:
        with suppress(ValueError, TypeError, RecursionError):
            value = json.loads(text)
            if isinstance(key, str) and type(value) is META.get(key, type(value)):
                meta[key] = value
    if "notices" in meta:
        meta["notices"] = [notice for notice in meta["notices"] if isinstance(notice, str)]
    if "trace_properties" in meta:
        meta["trace_properties"] = {str(name): str(value) for name, value in meta["trace_properties"].items()}
    return meta
