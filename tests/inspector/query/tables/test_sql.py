"""SQL against the same questions asked in Python; and that it only reads."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

import inspector
from core.errors import BadInput, Cancelled
from inspector.query.tables.derived import TABLES, schema
from inspector.query.tables.sql import prepare
from inspector.tape import side
from tests.inspector.conftest import ROOM
from tests.inspector.programs import PROGRAM, Step, capture_of

FEW = settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def own_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("derived")
    monkeypatch.setattr(side, "user_folder", lambda name: folder)
    return folder


@pytest.fixture
def capture(tmp_path: Path) -> Iterator[inspector.Capture]:
    shutil.copy(ROOM, tmp_path / "room.ddicap")
    with inspector.open(tmp_path / "room.ddicap") as opened:
        yield opened


def one(capture: inspector.Capture, text: str):
    """The only value of a query."""
    rows = capture.ask(inspector.Sql(text)).rows
    assert len(rows) == len(rows[0]) == 1
    return rows[0][0]


@FEW
@given(PROGRAM)
def test_counts_are_those_of_python(program: list[Step]) -> None:
    with capture_of(program) as capture:
        ask = lambda text: capture.ask(inspector.Sql(text)).rows  # noqa: E731
        events = range(len(capture.events))
        assert dict(ask("SELECT name, count(*) FROM events GROUP BY name")) == Counter(map(capture.name, events))
        assert one(capture, "SELECT count(*) FROM tokens") == sum(map(bool, capture.events.op.tolist()))
        assert [event for (event,) in ask("SELECT event FROM draws ORDER BY event")] == capture.draws.tolist()
        frames = [(frame.first_event, frame.last_event, frame.draws) for frame in capture.frames]
        assert ask("SELECT first_event, last_event, draws FROM frames ORDER BY frame") == frames
        assert one(capture, "SELECT count(*) FROM calls") == len(capture.calls)
        assert one(capture, "SELECT count(*) FROM findings") == len(capture.findings)
        sources = Counter(capture.tape.source(n).name for n in range(capture.tape.source_count))
        assert dict(ask("SELECT name, count(*) FROM sources GROUP BY name")) == sources
        redundant = one(capture, "SELECT count(*) FROM events WHERE event IN (SELECT event FROM states WHERE NOT by_runtime) "
                                 "AND event NOT IN (SELECT event FROM states WHERE changed)")  # fmt: skip
        assert redundant == len(capture.ask(inspector.Search("redundant()")))


@FEW
@given(PROGRAM)
def test_state_in_force_is_that_of_the_state_question(program: list[Step]) -> None:
    with capture_of(program) as capture:
        last = len(capture.events) - 1
        for event in (last, last // 2, int(capture.draws[0]) if len(capture.draws) else 0):
            state = capture.state(event)
            rows = capture.ask(inspector.Sql(
                "SELECT slots.key, component, coalesce(value, \"default\"), writes.event FROM slots LEFT JOIN writes "
                f"ON slots.slot = writes.slot AND event <= {event} AND (until IS NULL OR until > {event})"
            )).rows  # fmt: skip
            by_key = {(key, component): (value, writer) for key, component, value, writer in rows}
            for key, name in (("ALPHAREF", "ALPHAREF"), ("FOGSTART", "FOGSTART"), (("TRANSFORM", "VIEW"), "VIEW")):
                value = state[key]
                numbers = value.value.reshape(-1).tolist() if name == "VIEW" else [value.value]
                assert [by_key[name, n][0] for n in range(len(numbers))] == numbers
            answer = f"state({event}, 'alpharef'), state_text({event}, 'SRCBLEND'), writer({event}, 'ALPHAREF')"
            found = capture.ask(inspector.Sql(f"SELECT {answer}")).rows[0]
            assert found == (state["ALPHAREF"].value, state["SRCBLEND"].text, state["ALPHAREF"].writer)


@FEW
@given(PROGRAM)
def test_uses_are_those_of_the_object_histories(program: list[Step]) -> None:
    with capture_of(program) as capture:
        counted = dict(capture.ask(inspector.Sql("SELECT object, count(*) FROM uses GROUP BY object")).rows)
        objects = capture.ask(inspector.Sql("SELECT object, kind, handle, first_event FROM objects")).rows
        assert counted.keys() <= {row[0] for row in objects}
        for number, kind, handle, first in objects:
            thing = handle if kind in ("surface", "buffer") else (kind, handle)
            assert counted[number] == len(capture.ask(inspector.ObjectHistory(thing, first)))


def test_draw_counts_are_those_of_the_statistics(capture: inspector.Capture) -> None:
    figures = capture.ask(inspector.Statistics("frame", pixels=True))
    rows = capture.ask(
        inspector.Sql("SELECT sum(fragments), sum(pixels) FROM draws JOIN draw_counts USING(event) GROUP BY frame")
    )
    assert [list(row) for row in zip(*rows.rows, strict=True)] == [figures.columns[n].tolist() for n in ("fragments", "pixels")]


def test_the_tape_s_own_tables_are_there_too(capture: inspector.Capture) -> None:
    assert one(capture, "SELECT sum(calls) FROM batch") == len(capture.calls)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("DELETE FROM draws", "only SELECT"),
        ("INSERT INTO draws SELECT * FROM draws", "only SELECT"),
        ("UPDATE meta SET value = 1", "only SELECT"),
        ("DROP TABLE events", "only SELECT"),
        ("ATTACH 'x' AS y", "only SELECT"),
        ("PRAGMA writable_schema = 1", "only SELECT"),
        ("SELECT load_extension('x')", "only SELECT"),
        ("SELECT zeroblob(900000000)", "more than 64 MiB"),
        ("SELECT " + "1 + " * 50_000 + "1", "at most 128 KiB"),
        ("SELECT " + "(" * 9000 + "1" + ")" * 9000, "parser stack overflow"),
        ("DELETE FROM events", "only SELECT"),
        ("SELECT lunch FROM draws", "no such column: lunch$"),
        ("SELECT d.primitive FROM draws d", r"no such column: d\.primitive; did you mean primitives\?"),
        ("SELECT lunch FROM frames", "no such column: lunch; frames has frame, first_event, last_event, draws$"),
        ("SELECT * FROM lunch", "no such table: lunch$"),
        ("SELECT * FROM Frame", r"no such table: Frame; did you mean frames\?"),
        ("SELECT 1; SELECT 2", "one statement"),
        ("", ""),
    ],
)
def test_anything_but_reading_is_refused(capture: inspector.Capture, text: str, says: str) -> None:
    if not text:
        assert capture.ask(inspector.Sql(text)).rows == []
        return
    with pytest.raises(BadInput, match=says):
        capture.ask(inspector.Sql(text))


ENDLESS = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t"


def test_no_step_makes_hundreds_of_megabytes(capture: inspector.Capture) -> None:
    """SQLite looks at nothing while it makes one value, and appends what printf asks for though it is too long."""
    for name in ("printf", "format"):
        for text in ("'%.*c', 900000000, 'a'", "'%900000000d', 1", "'%%%s%*d', 'x', '900000000', 5", "'%0-70000lld', 1"):
            with pytest.raises(BadInput, match="SQL: printf: a field has at most 65,536 characters"):
                capture.ask(inspector.Sql(f"SELECT {name}({text})"))
    assert capture.ask(inspector.Sql("SELECT length(printf('%.*c', 9000, 'a'))")).rows == [(9000,)]


@pytest.mark.parametrize("call", [
    "printf('%d %s|%5.2f|%%|%-5d|%x|%q', 1, 'b', 2.5, 4, 255, 'it''s')", "printf('%*d|%.*f', 7, 3, 2, 1.0)", "printf(NULL)",
    "printf()", "format('%s', 900000000)", "printf('%d', 900000000)", "printf('%')", "instr('abcab', 'ca')",
    "instr(x'0102', x'02')", "instr(1234, 3)", "instr(NULL, 'a')", "replace('abcab', 'ab', 'é')", "replace(1.5, '.', ',')",
    "trim('  a ')", "ltrim('xxa', 'x')", "rtrim('axx', 'x')", "trim(NULL)",
])  # fmt: skip
def test_functions_within_limits_answer_as_sqlite_does(capture: inspector.Capture, call: str) -> None:
    with closing(sqlite3.connect(":memory:")) as plain:
        expected = plain.execute("SELECT " + call).fetchall()
    assert capture.ask(inspector.Sql("SELECT " + call)).rows == expected


@pytest.mark.parametrize(("call", "says"), [
    ("instr(hex(zeroblob(500000)), hex(zeroblob(250000)) || '1')", "instr: 1,000,000 and 500,001 characters take too long"),
    ("replace(hex(zeroblob(500000)), hex(zeroblob(250000)) || '1', '')", "replace: 1,000,000 and 500,001 characters"),
    ("rtrim(hex(zeroblob(500000)), hex(zeroblob(250000)))", "rtrim: 1,000,000 and 500,000 characters"),
    ("instr('a')", "wrong number of arguments to function instr"),
    ("'a' LIKE hex(zeroblob(501))", "LIKE or GLOB pattern too complex"),
    ("replace(hex(zeroblob(30000)), '0', hex(zeroblob(1000)))", "more than 64 MiB"),
])  # fmt: skip
def test_functions_that_would_take_minutes_are_refused(capture: inspector.Capture, call: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        capture.ask(inspector.Sql("SELECT " + call))


def test_there_is_a_look_at_the_clock_every_few_values(capture: inspector.Capture) -> None:
    """A value of 64 MiB is a moment's work, a thousand of them are not."""
    looks: list[int] = []
    query = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT hex(zeroblob(n)) FROM t LIMIT 3000"
    assert len(capture.ask(inspector.Sql(query), lambda: bool(looks.append(1)))) == 3000
    assert len(looks) > 200


def test_half_a_character_is_no_sql(capture: inspector.Capture) -> None:
    with pytest.raises(BadInput, match="half of a character"):
        capture.ask(inspector.Sql("SELECT '\ud800'"))


def test_waiting_for_another_process_can_be_cancelled(capture: inspector.Capture, tmp_path: Path) -> None:
    """It writes into the same cache, and does not come to an end."""
    capture.ask(inspector.Sql("SELECT count(*) FROM frames"))
    assert capture.side_cache.path is not None
    with closing(sqlite3.connect(capture.side_cache.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        asked = iter([False] * 4)
        with pytest.raises(Cancelled):
            capture.ask(inspector.Sql("SELECT count(*) FROM slots"), lambda: next(asked, True))
    assert one(capture, "SELECT count(*) FROM slots") > 100


def test_a_long_query_ends_when_told(capture: inspector.Capture) -> None:
    with pytest.raises(BadInput, match=r"longer than 0\.05 s"):
        capture.ask(inspector.Sql(ENDLESS, seconds=0.05))
    asked = iter([False] * 20)
    with pytest.raises(Cancelled):
        capture.ask(inspector.Sql(ENDLESS), lambda: next(asked, True))


def test_deleting_the_cache_is_harmless(capture: inspector.Capture, own_folder: Path) -> None:
    before = one(capture, "SELECT count(*) FROM events")
    made = list(own_folder.iterdir())
    assert len(made) == 1
    made[0].unlink()
    assert one(capture, "SELECT count(*) FROM events") == before
    made[0].write_bytes(b"this is not a database" * 100)
    assert one(capture, "SELECT count(*) FROM events") == before


def test_making_tables_can_be_cancelled_and_leaves_nothing_half_done(capture: inspector.Capture) -> None:
    with pytest.raises(Cancelled):
        prepare(capture, "SELECT * FROM events", lambda fraction: fraction == 0)
    assert capture.side_cache.made() <= {"event_texts"}
    assert one(capture, "SELECT count(*) FROM events") == len(capture.events)


def test_another_recording_has_another_cache(capture: inspector.Capture, tmp_path: Path) -> None:
    from tests.inspector.programs import played

    assert one(capture, "SELECT count(*) FROM draws") == 80
    with played(tmp_path / "other.ddicap", [("draw", ())]) as other:
        assert other.tape.digest != capture.tape.digest
        assert one(other, "SELECT count(*) FROM draws") == 1


def test_every_table_is_made_and_named_in_the_schema(capture: inspector.Capture) -> None:
    for name, columns in schema().items():
        found = capture.ask(inspector.Sql(f"SELECT * FROM {name} LIMIT 1"))
        assert list(found.columns) == columns
    assert capture.side_cache.made() == set(TABLES)
