"""The commands that ask about state, objects, events and rows: as text and as JSON.  docs/*.md has more of them."""

from __future__ import annotations

import json

import pytest

import inspector
from inspector.cli import main
from tests.inspector.conftest import ROOM


def told(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main([str(word) for word in (words[0], ROOM, *words[1:])]) == 0
    return capsys.readouterr().out


def test_find_as_json_lists_the_events_that_search_finds(room: inspector.Capture, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [json.loads(line) for line in told(capsys, "find", "op == CLEAR", "--json").splitlines()]
    assert [row["event"] for row in rows] == room.ask(inspector.Search("op == CLEAR")).tolist()
    assert all(row["name"] == "CLEAR" for row in rows)


def test_find_warns_of_words_that_decide_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["find", str(ROOM), "+draw zfunc", "--count"]) == 0
    assert "words without + are ignored" in capsys.readouterr().err


def test_writes_as_json_are_the_history(room: inspector.Capture, capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(told(capsys, "writes", "fog*", "--json"))
    assert {"FOGENABLE", "FOGCOLOR", "FOGEND"} <= rows.keys()
    changes = room.ask(inspector.SlotHistory("FOGENABLE"))
    assert [row["event"] for row in rows["FOGENABLE"]] == changes.event.tolist()
    assert [row["draws"] for row in rows["FOGENABLE"]] == changes.draws.tolist()


def test_writes_of_what_is_no_state_says_what_may_be_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["writes", str(ROOM), "ALPHAREV"]) == 2
    assert "did you mean ALPHAREF" in capsys.readouterr().err


def test_object_as_json_is_its_history(room: inspector.Capture, capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(told(capsys, "object", "#41", "--json"))
    log = room.ask(inspector.ObjectHistory(41))
    assert [(row["event"], row["version"]) for row in rows] == list(zip(log.event.tolist(), log.version.tolist(), strict=True))
    users = json.loads(told(capsys, "object", 41, "--users", "--json"))
    assert [row["event"] for row in users] == room.ask(inspector.UsersOf(41)).event.tolist()
    assert "from event 416" in told(capsys, "object", 41, "--event", 451)


def test_resources_as_json_are_those_of_the_event(room: inspector.Capture, capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(told(capsys, "resources", "--event", 662, "--json"))["resources"]
    assert [(row["what"], row["handle"]) for row in rows] == [
        (use.text, use.life.handle) for use in room.ask(inspector.ResourcesOf(662))
    ]


def test_query_prints_bytes_as_their_number_and_null_as_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "query", "SELECT x'0102' AS bytes, NULL AS missing", "--csv") == "bytes,missing\n(2 bytes),\n"
    assert json.loads(told(capsys, "query", "SELECT 1 AS one", "--json")) == [{"one": 1}]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["find", "frame =="], "column"),
        (["object", "nonsense"], "not a number"),
        (["object", "lunch:3"], "unknown kind of object"),
        (["resources", "--event", "99999"], "event 99999 is out of range"),
        (["query", "SELECT * FROM lunch"], "no such table"),
        (["statistics", "--by", "lunch"], "invalid choice"),
    ],
)
def test_bad_input_is_one_sentence(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([words[0], str(ROOM), *words[1:]]) == 2
    assert says in capsys.readouterr().err


def test_compare_lists_the_vertices_that_differ(room: inspector.Capture, capsys: pytest.CaptureFixture[str]) -> None:
    sides = ("--a", "frame 2 draw 2", "--b", "frame 3 draw 2")
    found = room.ask(inspector.CompareVertices(sides[1], sides[3], which="transformed"))
    assert main(["compare", str(ROOM), *sides, "--vertices", "transformed", "--json"]) == 1
    told_ = json.loads(capsys.readouterr().out)
    assert told_["events"] == list(found.events) and len(told_["differing"]) == len(found.rows.differing)
    first, row = told_["differing"][0], int(found.rows.differing[0])
    assert (first["a"], first["b"]) == (found.rows.a[row], found.rows.b[row])
    assert first["values"]["screen.x"] == [found.a["screen.x"][first["a"]], found.b["screen.x"][first["b"]]]
    assert main(["compare", str(ROOM), *sides, "--vertices", "transformed", "--most", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("  0 | 0  screen.x ") and lines[-1] == f"  and {len(found.rows.differing) - 1} more"
    assert main(["compare", str(ROOM), *sides, "--vertices", "assembled"]) == 0
