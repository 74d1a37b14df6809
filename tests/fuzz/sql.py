"""SQL: selects of the tables there are, and changed anywhere; what they answer are plain values."""

from __future__ import annotations

import random
from pathlib import Path

import inspector
from inspector.query.tables.derived import TABLES, VIEWS
from inspector.tape.limits import COLUMNS
from tests.fuzz.inputs import Harness, main
from tests.fuzz.opened import capture, within
from tests.fuzz.words import NUMBERS, decoded, encoded, mutated

TABLES_THERE = (
    *TABLES,
    *VIEWS,
    *COLUMNS,
    "sqlite_schema",
    "tape.batch",
    "made",
    "pragma_table_info('events')",
    "json_each('[1]')",
)
EXPRESSIONS = (
    "*", "count(*)", "event", "name", "state(event, 'ALPHAREF')", "state_text(event, 'LIGHT.0.Diffuse')",
    "writer(event, 'FOG*')",
    "text(event)", "source_text(3)", "printf('%.*c', 900000000, 'a')", "randomblob(99999999)",
    "replace(hex(zeroblob(9999)), '0', 'xx')",
    "max(event)", "group_concat(name)", "CAST(x'ff' AS TEXT)", "abs(-9223372036854775808)", "1/0", "load_extension('x')",
    "state(1e99, NULL)", "state(x'00', x'ff')", "text('x')", "source_text(9223372036854775807)", "writer(-1, '')", "x'ff'",
    "substr(name, -9223372036854775808)", "fts3_tokenizer('x')", "json('[')", "char(1114112)", "quote(name)", "NULL",
)  # fmt: skip
WORDS = (*EXPRESSIONS, *TABLES_THERE, *NUMBERS, " UNION ALL SELECT ", " WHERE ", " LIMIT 3", " ORDER BY 1",
         "; DROP TABLE batch",
         "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n", "PRAGMA ", "ATTACH 'x' AS y",
         "EXPLAIN ",
         "--", "/*", "\0", "SELECT ", " JOIN ", "?", ":a", "VACUUM INTO 'x'", "BEGIN", " GROUP BY ")  # fmt: skip


def make(chooser: random.Random) -> bytes:
    text = f"SELECT {', '.join(chooser.sample(EXPRESSIONS, chooser.randrange(1, 4)))}"
    text += f" FROM {', '.join(chooser.sample(TABLES_THERE, chooser.randrange(1, 3)))}" if chooser.random() < 0.9 else ""
    text += chooser.choice(["", " LIMIT 3", f" WHERE event > {chooser.choice(NUMBERS)}", " GROUP BY 1", " ORDER BY 1 DESC"])
    return encoded(mutated(text, chooser, WORDS) if chooser.random() < 0.7 else text)


def run(data: bytes, folder: Path) -> None:
    found = capture("tokens").ask(inspector.Sql(decoded(data), seconds=2.0, most=50), within(1.0))
    assert all(isinstance(value, str | int | float | bytes | None) for row in found.rows for value in row)
    assert all(len(row) == len(found.columns) for row in found.rows)


HARNESS = Harness("sql", make, run, 30)

if __name__ == "__main__":
    main(HARNESS)
