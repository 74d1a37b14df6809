"""Rows written as pages are the rows that SQLite reads, and its check of the file finds nothing wrong."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tape import pages, side

CREATE = "CREATE TABLE some(id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, c REAL)"
BITS = (0, 7, 8, 15, 16, 23, 24, 31, 32, 47, 48, 62)
EDGES = [sign * (1 << bits) + more for bits in BITS for sign in (1, -1) for more in (-1, 0, 1)]
number = st.one_of(st.none(), st.sampled_from(EDGES), st.integers(-(1 << 63) + 1, (1 << 63) - 1))
row = st.tuples(st.integers(1, 1 << 20), number, number, st.floats(allow_nan=False, width=64))


def columns(rows: list[tuple]) -> list[np.ndarray]:
    def masked(values: list) -> np.ndarray:
        return np.ma.MaskedArray([value or 0 for value in values], [value is None for value in values], np.int64)

    steps, a, b, c = zip(*rows, strict=True)
    return [np.cumsum(steps), masked(a), masked(b), np.array(c)]


def filled(made: list[np.ndarray], quick: bool, monkeypatch: pytest.MonkeyPatch) -> tuple[list[tuple], str]:
    """The table's rows, and what SQLite says of the database."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection, monkeypatch.context() as patch:
        patch.setattr(pages, "LEAST", 1 if quick else 1 << 40)
        connection.execute(f"ATTACH ':memory:' AS {side.PAGES}")
        connection.execute(CREATE)
        assert side.fill(connection, CREATE, made, lambda fraction: True)
        said = connection.execute(f"PRAGMA {side.PAGES if quick else 'main'}.integrity_check").fetchall()
        return connection.execute("SELECT * FROM some ORDER BY id").fetchall(), said[0][0]


@settings(deadline=None, max_examples=30)
@given(rows=st.lists(row, min_size=1, max_size=12), times=st.sampled_from([400, 3000]))
def test_rows_are_those_of_inserting_them(rows: list[tuple], times: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        made = columns(rows * times)
        quick, slow = (filled(made, way, patch) for way in (True, False))
        assert quick == slow
        assert quick[1] == "ok"


@pytest.mark.parametrize(
    ("create", "numbers"),
    [
        (CREATE.replace(" PRIMARY KEY", ""), [1, 2, 3, 4]),
        (CREATE.replace(" PRIMARY KEY", ""), [7, 7, 7, 7]),
        (CREATE, [1, 2, 4, 3]),
        (CREATE, [-2, -1, 0, 1]),
        (CREATE, [1, 2, (1 << 56) - 1, 1 << 56]),
        (CREATE, [1, 2, 3, (1 << 62) + 1]),
    ],
)
def test_rows_that_pages_do_not_hold_are_inserted(create: str, numbers: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "LEAST", 1)
    ids = np.array(numbers)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(f"ATTACH ':memory:' AS {side.PAGES}")
        connection.execute(create)
        assert side.fill(connection, create, [ids, ids, ids, ids / 2], lambda fraction: True)
        assert sorted(connection.execute("SELECT id, b FROM some").fetchall()) == sorted(zip(numbers, numbers, strict=True))


STAGED = side.Staged(
    ("n", "kind", "whole", "real"), "CASE kind WHEN 0 THEN 'none' ELSE 'some' END, CASE kind WHEN 0 THEN whole ELSE real END"
)  # fmt: skip
TARGET = "CREATE TABLE target(name TEXT, value NUMERIC, PRIMARY KEY(name, value)) WITHOUT ROWID"


@pytest.mark.parametrize("least", [1, 1 << 40])
def test_rows_that_are_no_numbers_are_made_of_some(least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In pages, and row by row: floats that are whole become integers, as in any NUMERIC column."""
    monkeypatch.setattr(pages, "LEAST", least)
    monkeypatch.setattr(side, "STAGED", 3)
    kinds, whole = np.array([0, 1, 1, 0, 1], bool), np.arange(10, 15, dtype=np.uint32)
    made = [np.arange(5), kinds, whole, np.array([0.5, 1.5, 2, 3.5, -0.25])]
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(f"ATTACH ':memory:' AS {side.PAGES}")
        connection.execute(TARGET)
        assert side.fill(connection, TARGET, made, lambda fraction: True, STAGED)
        found = connection.execute("SELECT name, value, typeof(value) FROM target").fetchall()
    assert found == [
        ("none", 10, "integer"), ("none", 13, "integer"),
        ("some", -0.25, "real"), ("some", 1.5, "real"), ("some", 2, "integer"),
    ]  # fmt: skip


def test_several_databases_make_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "ROWS", 5000)
    made = columns([(1, n, None if n % 3 else -n, n / 7) for n in range(23_000)])
    assert filled(made, True, monkeypatch) == filled(made, False, monkeypatch)


def test_no_more_than_so_many_rows_between_two_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    made = columns([(1, n, n, 0.5) for n in range(3 * pages.ROWS)])
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(f"ATTACH ':memory:' AS {side.PAGES}")
        connection.execute(CREATE)
        asked = []
        assert not side.fill(connection, CREATE, made, lambda fraction: asked.append(fraction) or len(asked) < 3)  # type: ignore[func-returns-value]
        assert asked == [0.0, 1 / 3, 2 / 3]
        assert connection.execute("SELECT count(*) FROM some").fetchone() == (2 * pages.ROWS,)
