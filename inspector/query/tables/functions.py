"""Limits on SQLite functions whose time is out of proportion to their arguments.

SQLite cannot be stopped within one call of a function.  printf appends a field's characters one at a time, also those beyond
the longest value; instr, replace and trim compare at every place.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from core.errors import BadInput

LONGEST_FIELD = 1 << 16  # characters
MOST_COMPARED = 1 << 31  # bytes of one text times those of the other
_FIELD = re.compile(r"%[-+ 0#,!]*(\*|\d+)?(?:\.(\*|\d+))?l{0,2}(.)?", re.S)


def limited(plain: sqlite3.Connection) -> Iterator[tuple[str, int, Callable[..., Any]]]:
    """Name, arguments, function: for a connection that is asked by a user.  `plain`: one that has SQLite's own.

    The functions raise BadInput for what would take too long.
    """
    for name in ("printf", "format"):
        yield name, -1, partial(_printf, plain)
    for name in ("instr", "replace", "trim", "ltrim", "rtrim"):
        yield name, -1, partial(_compared, plain, name)


def _printf(plain: sqlite3.Connection, *values: Any) -> Any:
    given = iter(values[1:])
    for width, precision, kind in _FIELD.findall(str(values[0]) if values else ""):
        for size in (width, precision):
            if size and _whole(next(given, 0) if size == "*" else size) > LONGEST_FIELD:
                raise BadInput(f"printf: a field has at most {LONGEST_FIELD:,} characters")
        if kind not in ("%", ""):
            next(given, None)
    return _asked(plain, "printf", values)


def _whole(value: Any) -> int:
    """What SQLite takes for a number's size."""
    found = re.match(r"\s*[-+]?(\d{1,20})", str(value))
    return int(found[1]) if found else 0


def _compared(plain: sqlite3.Connection, name: str, *values: Any) -> Any:
    sizes = [len(value) if isinstance(value, str | bytes) else 20 for value in values[:2]]
    if len(sizes) == 2 and sizes[0] * sizes[1] > MOST_COMPARED:
        raise BadInput(f"{name}: {sizes[0]:,} and {sizes[1]:,} characters take too long to compare")
    return _asked(plain, name, values)


def _asked(plain: sqlite3.Connection, name: str, values: tuple[Any, ...]) -> Any:
    try:
        (answer,) = plain.execute(f"SELECT {name}({', '.join('?' * len(values))})", values).fetchone()
    except sqlite3.Error as error:
        raise BadInput(str(error)) from None
    return answer
