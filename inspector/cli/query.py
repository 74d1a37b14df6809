"""ddi-inspector query: the rows of a SELECT."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from inspector.cli.arguments import json_option
from inspector.cli.opening import Progress, opened, print_json
from inspector.cli.tables import save_table, table_option
from inspector.exports.rows import plain, write_csv
from inspector.query.tables.derived import schema
from inspector.query.tables.sql import Rows, Sql, prepare

WIDEST = 60  # characters of a cell in a table
EXAMPLES = (
    "query game.trace 'SELECT name, count(*) FROM events GROUP BY name'",
    "query game.trace 'SELECT * FROM draws' -o draws.csv",
)


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("sql", metavar="SQL", help="one SELECT statement (--tables lists the tables)")
    command.add_argument("--tables", action=_Tables, nargs=0, help="list the tables and their columns")
    command.add_argument("--csv", action="store_true", help="write comma-separated values to standard output")
    command.add_argument("--seconds", type=float, help="stop after this many seconds")
    table_option(command)
    json_option(command)


class _Tables(argparse.Action):
    """Lists the tables, as --help does the arguments."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        for name, columns in schema().items():
            print(f"{name}({', '.join(columns)})")
        parser.exit()


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        progress = Progress()
        prepare(capture, chosen.sql, lambda fraction: progress(fraction, "building tables"))
        progress.done()
        rows = capture.ask(Sql(chosen.sql, chosen.seconds))
    if chosen.output is not None:
        save_table(chosen.output, rows.columns, rows.rows)
    if chosen.json or chosen.csv or chosen.output is None:
        show(rows, chosen)
    return 0


def show(found: Rows, chosen: argparse.Namespace) -> None:
    if chosen.json:
        print_json([dict(zip(found.columns, map(plain, row), strict=True)) for row in found.rows])
    elif chosen.csv:
        write_csv(sys.stdout, found.columns, found.rows)
    else:
        print(*table(found), sep="\n")


def table(found: Rows) -> list[str]:
    """Lines of aligned columns; numbers to the right."""
    cells = [["" if value is None else str(plain(value))[:WIDEST] for value in row] for row in found.rows]
    widths = [max(map(len, column)) for column in zip(found.columns, *cells, strict=True)]
    numeric = [all(isinstance(row[n], (int, float, type(None))) for row in found.rows) for n in range(len(widths))]
    pads = [str.rjust if right else str.ljust for right in numeric]
    return [
        "  ".join(pad(text, width) for text, width, pad in zip(row, widths, pads, strict=True)).rstrip()
        for row in [list(found.columns), *cells]
    ]
