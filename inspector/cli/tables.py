"""The option -o OUT of commands that print lists: saves the same rows as a table."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from inspector.cli.arguments import output

KIND = "rows"


def table_option(command: argparse.ArgumentParser) -> None:
    """-o OUT"""
    output(command, KIND, text="save the rows")
    command.set_defaults(output_kinds=(KIND,))


def save_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Rows by the names of their columns, in the order in which these come first; what a row lacks is empty."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    save_table(path, columns, ([row.get(name) for name in columns] for row in rows))


def save_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Writes the table in the format of the suffix; BadInput for a suffix that is none."""
    from inspector.exports.formats import format_of  # with much behind it, which only -o needs
    from inspector.files import write_bytes

    form = format_of(path, KIND)
    nested = form.suffix == ".json"
    found = [[_cell(value, nested) for value in row] for row in rows]
    write_bytes(path, form.make(columns, found))
    print(f"{path}: {len(found):,} row{'' if len(found) == 1 else 's'}")


def _cell(value: Any, nested: bool) -> Any:
    """A value that a table holds: numpy's as Python's; lists and objects as such only where `nested`, else as JSON."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple, Mapping)) and not nested:
        return json.dumps(value, ensure_ascii=False, default=str)
    return value
