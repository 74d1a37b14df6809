"""Captures that were changed, as recipes: a capture of the resources, and what is done to it.  JSON; short enough to keep.

["file", [[offset, byte], ...], length or null]          bytes of the finished file; how long it is
["sql", statement, [value, ...]]                         anything; a value {"hex": ...} is bytes
["column", table, rowid, column, [[offset, byte], ...]]  bytes of a column as they are unpacked; packed, with right digests
["body", rowid, [[path, value], ...]]                    a place in the calls of a batch, with right digests
"""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import xxhash

from core.errors import BadInput
from inspector.tape import limits, packing
from tests.fuzz.opened import CAPTURES, NAMES
from tests.fuzz.words import NUMBERS, TEXTS, VALUES

PACKED = {"batch": ("head", "body"), "source": ("data",), "blob": ("data",)}
STATEMENTS = (
    *(f"DROP TABLE {table}" for table in limits.COLUMNS), *(f"DELETE FROM {table}" for table in limits.COLUMNS),
    *(f"ALTER TABLE {table} RENAME TO old_{table}" for table in limits.COLUMNS),
    "PRAGMA user_version = 7", "PRAGMA user_version = 0", "PRAGMA user_version = -1", "PRAGMA application_id = 5",
    "CREATE VIEW v AS SELECT 1", "CREATE TABLE mine(x)", "CREATE INDEX i ON entry(abs(id))", "CREATE INDEX j ON entry(name)",
    "CREATE TRIGGER g AFTER INSERT ON annotation BEGIN DELETE FROM batch; END", "CREATE VIRTUAL TABLE f USING fts5(x)",
    "ALTER TABLE meta ADD COLUMN more", "ALTER TABLE entry RENAME COLUMN name TO nam", "PRAGMA encoding = 'UTF-16'",
    "UPDATE entry SET name = 'Blt'", "UPDATE entry SET name = 'DrawPrimitives2'", "UPDATE batch SET first = first + 1",
    "UPDATE batch SET calls = calls + 1", "UPDATE blob SET size = size + 1", "UPDATE meta SET value = '[' || value",
    "INSERT INTO finding VALUES(-1, 'no-rule', x'ff')", "INSERT INTO pointer VALUES(1 << 40, -1, -5)",
    "INSERT INTO annotation VALUES(1, '#event=99999999', 'what-if {', 'x')",
    "INSERT INTO signature VALUES(0, 1, 'x', '[1, [2]]')",
    "INSERT INTO thumbnail VALUES(1, x'89504e470d0a1a0a')", "UPDATE source SET first = first - 5", "REINDEX", "VACUUM",
)  # fmt: skip


def some_recipe(chooser: random.Random) -> dict[str, Any]:
    base = chooser.choice(NAMES)
    kinds = chooser.choice(
        [("file",), ("sql",), ("cell",), ("meta",), ("column",), ("body",), ("body", "sql", "cell", "column")]
    )
    steps = [STEPS[chooser.choice(kinds)](base, chooser) for _ in range(chooser.choice([1, 1, 2, 4]))]
    return {"base": base, "steps": steps}


def _octets(size: int, chooser: random.Random) -> list[list[int]]:
    return [[chooser.randrange(size), chooser.randrange(256)] for _ in range(chooser.choice([1, 3, 12]))] if size else []


def _file(base: str, chooser: random.Random) -> list[Any]:
    size = CAPTURES[base].stat().st_size
    return ["file", _octets(size, chooser), chooser.randrange(size) if chooser.random() < 0.2 else None]


def _sql(base: str, chooser: random.Random) -> list[Any]:
    return ["sql", chooser.choice(STATEMENTS), []]


def _cell(base: str, chooser: random.Random) -> list[Any]:
    table = chooser.choice(list(limits.COLUMNS))
    value = chooser.choice([None, 0, -1, 1 << 40, 1.5, float("inf"), *TEXTS[:-1], {"hex": "ff00"}, {"hex": ""}])
    name = chooser.choice(limits.COLUMNS[table])
    return ["sql", f"UPDATE OR IGNORE {table} SET {name} = ? WHERE {name} = (SELECT {name} FROM {table} "
                   f"LIMIT 1 OFFSET {chooser.randrange(4)})", [value]]  # fmt: skip


def _meta(base: str, chooser: random.Random) -> list[Any]:
    value = json.dumps(chooser.choice(VALUES)) if chooser.random() < 0.8 else chooser.choice([*NUMBERS, *TEXTS])
    return ["sql", "INSERT OR REPLACE INTO meta VALUES(?, ?)", [chooser.choice([*limits.META, "more"]), value]]


@cache
def _rows(base: str, table: str) -> tuple[int, ...]:
    with closing(sqlite3.connect(f"file:{CAPTURES[base]}?mode=ro", uri=True)) as db:
        return tuple(number for (number,) in db.execute(f"SELECT rowid FROM {table}"))


@cache
def _unpacked(base: str, table: str, row: int, column: str) -> bytes:
    with closing(sqlite3.connect(f"file:{CAPTURES[base]}?mode=ro", uri=True)) as db:
        return packing.decompress(db.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", (row,)).fetchone()[0])


def _column(base: str, chooser: random.Random) -> list[Any]:
    table = chooser.choice([table for table in PACKED if _rows(base, table)])
    row, column = chooser.choice(_rows(base, table)), chooser.choice(PACKED[table])
    return ["column", table, row, column, _octets(len(_unpacked(base, table, row, column)), chooser)]


def _body(base: str, chooser: random.Random) -> list[Any]:
    """Wild values in places of calls; most of these are arguments and command buffers."""
    row = chooser.choice(_rows(base, "batch"))
    calls = msgspec.msgpack.decode(_unpacked(base, "batch", row, "body"))
    changes = []
    for _ in range(chooser.choice([1, 1, 3, 10])):
        path: list[Any] = [chooser.randrange(len(calls)), chooser.choice([0, 0, 0, 1, 1, 2, 3])]
        value = calls[path[0]][path[1]]
        while isinstance(value, list | dict) and len(value) and (len(path) == 2 or chooser.random() < 0.5):
            path.append(chooser.choice(sorted(value) if isinstance(value, dict) else range(len(value))))
            value = value[path[-1]]
        changes.append([path, _wild(value, chooser)])
    return ["body", row, changes]


def _wild(value: Any, chooser: random.Random) -> Any:
    if isinstance(value, bytes) and value:
        octets = bytearray(value)
        for _ in range(chooser.choice([1, 2, 8])):
            octets[chooser.randrange(len(octets))] = chooser.randrange(256)
        return {"hex": bytes(octets[: chooser.choice([len(octets), len(octets), chooser.randrange(len(octets))])]).hex()}
    return chooser.choice([one for one in VALUES if one not in ({}, {"a": 1})] + [{"hex": "ff00"}])


STEPS = {"file": _file, "sql": _sql, "cell": _cell, "meta": _meta, "column": _column, "body": _body}

# ---- what is done


def cooked(recipe: dict[str, Any], folder: Path) -> Path:
    """The file that a recipe describes; a step that cannot be done is left out."""
    path = Path(shutil.copyfile(CAPTURES[recipe["base"]], folder / "changed.ddicap"))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for kind, *what in recipe["steps"]:
            with suppress(sqlite3.Error, UnicodeError, OverflowError, BadInput, msgspec.MsgspecError):
                if kind == "sql":
                    db.execute(what[0], [_bytes(value) for value in what[1]])
                elif kind == "column":
                    _change_column(db, *what)
                elif kind == "body":
                    _change_body(db, *what)
    for kind, *what in recipe["steps"]:
        if kind == "file":
            octets = bytearray(path.read_bytes())
            for offset, byte in what[0]:
                octets[offset % len(octets)] = byte
            path.write_bytes(octets[: what[1]])
    return path


def _bytes(value: Any) -> Any:
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) and "hex" in value else value


def _change_column(db: sqlite3.Connection, table: str, row: int, column: str, octets: list[list[int]]) -> None:
    found = db.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", (row,)).fetchone()
    if found and isinstance(found[0], bytes):
        data = bytearray(packing.decompress(found[0]))
        for offset, byte in octets:
            data[offset % len(data)] = byte
        _put(db, table, row, column, bytes(data))


def _change_body(db: sqlite3.Connection, row: int, changes: list[Any]) -> None:
    found = db.execute("SELECT body FROM batch WHERE rowid = ?", (row,)).fetchone()
    if not found:
        return
    calls = msgspec.msgpack.decode(packing.decompress(found[0]))
    for path, value in changes:
        place = calls
        with suppress(KeyError, IndexError, TypeError):  # an earlier change has taken the place away
            for part in path[:-1]:
                place = place[part]
            place[path[-1]] = _bytes(value)
    _put(db, "batch", row, "body", msgspec.msgpack.encode(calls))


def _put(db: sqlite3.Connection, table: str, row: int, column: str, data: bytes) -> None:
    packed = packing.compress(data)
    db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (packed, row))
    if table == "blob":
        db.execute("UPDATE blob SET digest = ?, size = ? WHERE rowid = ?", (xxhash.xxh3_128_digest(data), len(data), row))
    else:
        parts = db.execute(f"SELECT {', '.join(PACKED[table])} FROM {table} WHERE rowid = ?", (row,)).fetchone()
        parts = [part for part in parts if isinstance(part, bytes)]  # an earlier step has put something else there
        db.execute(f"UPDATE {table} SET digest = ? WHERE rowid = ?", (packing.row_digest(*parts), row))
