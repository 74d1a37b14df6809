"""Rows of values as comma separated values."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, TextIO


def write_csv(stream: TextIO, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A line of titles, then a line per row; None is empty, bytes say how many they are."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([["" if value is None else plain(value) for value in row] for row in rows])


def rows_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """The same as a file."""
    stream = io.StringIO()
    write_csv(stream, columns, rows)
    return stream.getvalue().encode()


def plain(value: Any) -> Any:
    """A value as text can hold it."""
    return f"({len(value)} bytes)" if isinstance(value, bytes) else value
