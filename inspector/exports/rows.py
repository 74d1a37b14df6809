"""Rows of values as text: comma-separated, tab-separated, JSON, and a Markdown table."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TextIO

Rows = Iterable[Sequence[Any]]

_MARKS = re.compile(r"[\\`*\[\]<>|~]|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown would take for formatting; an underscore within a word it does not."""


_COMPUTED = re.compile(r"\s*[=@+\-\uff1d\uff20\uff0b\uff0d]\s*\S")
"""How texts begin that spreadsheets compute: with a sign, or its wide form."""


def write_csv(stream: TextIO, columns: Sequence[str], rows: Rows) -> None:
    """A line of titles, then a line per row; None is empty, bytes say how many they are."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(map(_for_sheets, columns))
    writer.writerows([["" if value is None else _for_sheets(value) for value in row] for row in rows])


def csv_text(columns: Sequence[str], rows: Rows) -> str:
    """The same as a text."""
    stream = io.StringIO()
    write_csv(stream, columns, rows)
    return stream.getvalue()


def tsv_text(columns: Sequence[str], rows: Rows) -> str:
    """As spreadsheets take it from the clipboard: a tab or a line end within a value becomes a blank."""
    return "".join(
        "\t".join(_in_one_line(_for_sheets(value)) for value in row) + "\n"
        for row in ([columns] if columns else []) + list(rows)
    )


def json_text(columns: Sequence[str], rows: Rows) -> str:
    """An array with an object per row; a title that comes again gets a number."""
    keys = _different(columns)
    lines = (json.dumps(dict(zip(keys, map(_for_json, row), strict=True)), ensure_ascii=False) for row in rows)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def markdown_text(columns: Sequence[str], rows: Rows) -> str:
    """A table as GitHub and others show it (GitHub Flavored Markdown, section 4.10)."""
    lines = [list(map(_for_markdown, columns)), ["---"] * len(columns)]
    lines += [list(map(_for_markdown, row)) for row in rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


TEXTS: dict[str, Callable[[Sequence[str], Rows], str]] = {
    "TSV": tsv_text,
    "CSV": csv_text,
    "JSON": json_text,
    "Markdown": markdown_text,
}
"""By name, what writes columns and rows as a text."""


def as_file(name: str) -> Callable[[Sequence[str], Rows], bytes]:
    """One of TEXTS as the bytes of a file."""
    return lambda columns, rows: TEXTS[name](columns, rows).encode()


def plain(value: Any) -> Any:
    """A value as text can hold it."""
    return f"({len(value)} bytes)" if isinstance(value, bytes) else value


def _for_sheets(value: Any) -> Any:
    """A value of which a spreadsheet computes nothing: names in a capture are strangers' texts, and formulas start programs."""
    value = plain(value)
    return f"'{value}" if isinstance(value, str) and _COMPUTED.match(value) and not _are_numbers(value) else value


def _are_numbers(text: str) -> bool:
    """Whether it is a number, or several as in a vector."""
    try:
        [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        return False
    return True


def _in_one_line(value: Any) -> str:
    return "" if value is None else re.sub(r"[\t\r\n]+", " ", str(plain(value)))


def _for_json(value: Any) -> Any:
    """JSON has no infinities and no NaN."""
    value = plain(value)
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _for_markdown(value: Any) -> str:
    return _MARKS.sub(r"\\\g<0>", _in_one_line(value))


def _different(names: Sequence[str]) -> list[str]:
    """Every name once, as in "event", "event 2"."""
    keys: list[str] = []
    for name in names:
        key, number = name, 1
        while key in keys:
            number += 1
            key = f"{name} {number}"
        keys.append(key)
    return keys
