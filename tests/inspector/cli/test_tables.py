"""-o of commands that list, --json of those that write, several files, standard input, and notes."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

import inspector
from inspector.cli import main
from inspector.tape.bookmarks import Bookmarks
from tests.inspector.conftest import ROOM

SAMPLES = ROOM.parent / "samples"
BROKEN = SAMPLES / "broken-rules.ddicap"


def told(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> str:
    assert main([str(word) for word in words]) == code, capsys.readouterr()
    return capsys.readouterr().out


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        (["state"], lambda answer: answer["state"]),
        (["writes", "FOG*"], lambda answer: [row for rows in answer.values() for row in rows]),
        (["statistics", "--by", "frame"], lambda answer: answer["rows"]),
        (["leaks"], lambda answer: answer),
        (["object", "41"], lambda answer: answer),
        (["resources"], lambda answer: answer["resources"]),
        (["touched", "--frame", "2"], lambda answer: answer["events"]),
        (["query", "SELECT event, name FROM events WHERE event < 9"], lambda answer: answer),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_table_holds_what_json_says(words: list[str], rows: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code = 1 if words[0] == "leaks" else 0
    expected = rows(json.loads(told(capsys, words[0], ROOM, *words[1:], "--json", code=code)))
    assert expected
    said = told(capsys, words[0], ROOM, *words[1:], "-o", tmp_path / "t.json", code=code)
    assert said == f"{tmp_path / 't.json'}: {len(expected):,} row{'' if len(expected) == 1 else 's'}\n"
    held = json.loads((tmp_path / "t.json").read_text("utf-8"))
    assert [{name: row[name] for name in one} for one, row in zip(expected, held, strict=True)] == expected
    told(capsys, words[0], ROOM, *words[1:], "-o", tmp_path / "t.csv", code=code)
    for name in expected[0]:
        found = [row[name] for row in table(tmp_path / "t.csv")]
        values = [one.get(name) for one in expected]
        plain = [json.dumps(one, ensure_ascii=False) if isinstance(one, (list, dict)) else one for one in values]
        assert found == ["" if one is None else str(one) for one in plain]


def test_the_table_of_events_is_that_of_dump_and_find(
    room: inspector.Capture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    told(capsys, "find", ROOM, "op == CLEAR", "-o", tmp_path / "clears.csv")
    clears = table(tmp_path / "clears.csv")
    assert [int(row["event"]) for row in clears] == room.ask(inspector.Search("op == CLEAR")).tolist()
    assert {row["name"] for row in clears} == {"CLEAR"}
    assert [int(row["frame"]) for row in clears] == [room.frame_of(int(row["event"])) for row in clears]
    frame = room.frames[2]
    told(capsys, "dump", ROOM, "--frame", 2, "-o", tmp_path / "frame.csv")
    rows = table(tmp_path / "frame.csv")
    assert [int(row["event"]) for row in rows] == list(range(frame.first_event, frame.last_event + 1))
    assert [row["text"] for row in rows[:40]] == [room.text(int(row["event"])) for row in rows[:40]]


def test_the_table_of_a_history_has_its_entries_and_misses(
    room: inspector.Capture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["history", ROOM, "--frame", 3, "--pixel", "320,240"]
    answer = json.loads(told(capsys, *words, "--json"))
    told(capsys, *words, "-o", tmp_path / "pixel.csv")
    rows = table(tmp_path / "pixel.csv")
    both = [*answer["entries"], *answer["misses"]]
    assert answer["misses"] and [int(row["event"]) for row in rows] == [one["event"] for one in both]
    assert [row["reason"] for row in rows] == [one["reason"] for one in both]
    assert [row["kind"] == "miss" for row in rows] == [False] * len(answer["entries"]) + [True] * len(answer["misses"])


def test_a_table_of_findings_keeps_the_exit_code(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    answer = json.loads(told(capsys, "check", BROKEN, "--json", code=1))
    told(capsys, "check", BROKEN, "-o", tmp_path / "found.csv", code=1)
    assert [row["text"] for row in table(tmp_path / "found.csv")] == [one["text"] for one in answer["findings"]]


def test_a_suffix_that_no_table_has_is_refused_before_the_file_is_opened(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["state", "there-is-no-such-file", "-o", "x.png"]) == 2
    assert "there is no format for .png here" in capsys.readouterr().err


# ---- JSON of what is written -------------------------------------------------------------------------------------------


def test_commands_that_write_say_what_as_json(
    room: inspector.Capture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    draw = int(room.draws[-1])
    image = json.loads(told(capsys, "image", ROOM, "-o", tmp_path / "a.png", "--overlay", "tests", "--json"))
    height, width = room.image(draw).shape[:2]
    assert (image["event"], image["width"], image["height"], image["overlay"]) == (draw, width, height, "tests")
    stored = json.loads(told(capsys, "image", ROOM, "-o", tmp_path / "a.npy", "--json"))
    assert stored["bytes"] == (tmp_path / "a.npy").stat().st_size
    vertices = json.loads(told(capsys, "vertices", ROOM, "--json"))
    grid = room.vertices(draw, "assembled")
    assert len(vertices["rows"]) == len(grid.rows) and list(vertices["rows"][0]) == grid.columns
    trimmed = json.loads(told(capsys, "trim", ROOM, tmp_path / "t.ddicap", "--frame", 2, "--json"))
    assert trimmed["different"] == [] and trimmed["bytes"] == (tmp_path / "t.ddicap").stat().st_size
    converted = json.loads(told(capsys, "convert", tmp_path / "t.ddicap", tmp_path / "u.ddicap", "--json"))
    assert converted["bytes"] == (tmp_path / "u.ddicap").stat().st_size


def test_verify_and_what_if_answer_as_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    told(capsys, "trim", ROOM, tmp_path / "t.ddicap", "--frame", 2)
    first = json.loads(told(capsys, "verify", ROOM, "--per", "frame", "--json"))
    text = told(capsys, "verify", ROOM, "--per", "frame")
    assert f"{first['hashes']} hashes per frame, the last one {first['last']}" in text
    apart = json.loads(told(capsys, "verify", ROOM, "--per", "frame", "--against", tmp_path / "t.ddicap", "--json", code=1))
    assert not apart["equal"] and apart["first"]["places"]
    words = ["what-if", ROOM, "--force", "ZENABLE=FALSE"]
    changed, said = json.loads(told(capsys, *words, "--json")), told(capsys, *words)
    assert changed["pixels"] > 0 and f"{changed['pixels']} pixels differ in" in said


# ---- files -------------------------------------------------------------------------------------------------------------


def test_several_files_are_answered_in_their_order(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    missing = tmp_path / "none.ddicap"
    rows = json.loads(told(capsys, "info", ROOM, missing, BROKEN, "--json", code=2))
    assert [(row["file"], row["exit_code"]) for row in rows] == [(str(ROOM), 0), (str(missing), 2), (str(BROKEN), 0)]
    for row in (rows[0], rows[2]):
        assert row["answer"] == json.loads(told(capsys, "info", row["file"], "--json"))
    assert rows[1]["answer"] is None
    text = told(capsys, "leaks", ROOM, BROKEN, code=1)
    assert text.startswith(f"== {ROOM}\n") and f"\n== {BROKEN}\n" in text
    assert main(["check", str(ROOM), str(BROKEN), "-o", str(tmp_path / "x.csv")]) == 2
    assert "takes one file" in capsys.readouterr().err


class Stdin(io.TextIOWrapper):
    def isatty(self) -> bool:
        return False


def test_a_capture_may_come_on_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(io.BytesIO(ROOM.read_bytes())))
    piped = json.loads(told(capsys, "info", "-", "--json"))
    direct = json.loads(told(capsys, "info", ROOM, "--json"))
    assert Path(piped.pop("file")).name == "standard-input" and direct.pop("file") and piped == direct
    monkeypatch.setattr(sys, "stdin", Stdin(io.BytesIO(b"")))
    assert main(["info", "-"]) == 2
    assert main(["open", "-"]) == 2
    assert "save it as a file" in capsys.readouterr().err


# ---- notes -------------------------------------------------------------------------------------------------------------


def test_the_page_of_notes_is_printed_below_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "room.ddicap"
    shutil.copy(ROOM, path)
    before = told(capsys, "notes", path)
    with inspector.open(path) as capture:
        Bookmarks(capture.tape, capture.path).write_page("# Roof\nIt flickers.\n")
    assert told(capsys, "notes", path) == f"{before}\n# Roof\nIt flickers.\n"


def test_notes_are_the_bookmarks_of_the_window(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game.ddicap"
    shutil.copyfile(SAMPLES / "tests-and-blending.ddicap", path)
    before = json.loads(told(capsys, "notes", path, "--json"))
    told(capsys, "notes", path, "--add", "the roof\nis black", "--event", 5, "--pixel", "40,52", "--surface", "depth")
    with inspector.open(path) as capture:
        held = Bookmarks(capture.tape, path).all()
    mine = next(one for one in held if one.text == "the roof\nis black")
    assert (mine.focus.event, mine.focus.pixel, mine.focus.surface) == (5, (40, 52), "depth")
    rows = json.loads(told(capsys, "notes", path, "--json"))
    assert len(rows) == len(before) + 1
    number = next(row["note"] for row in rows if row["text"] == mine.text)
    told(capsys, "notes", path, "--change", number, "the wall")
    told(capsys, "notes", path, "-o", tmp_path / "notes.json")
    changed = json.loads(told(capsys, "notes", path, "--json"))
    assert [row["text"] for row in changed if row["note"] == number] == ["the wall"]
    told(capsys, "notes", path, "--remove", number)
    assert [row["text"] for row in json.loads(told(capsys, "notes", path, "--json"))] == [row["text"] for row in before]
    other = tmp_path / "other.ddicap"
    shutil.copyfile(ROOM, other)
    told(capsys, "notes", other, "--load", tmp_path / "notes.json")
    moved = json.loads(told(capsys, "notes", other, "--json"))
    assert "the wall" in {row["text"] for row in moved}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--remove", "999"], "note 999 is out of range"),
        (["--change", "x", "text"], "is not the number of a note"),
        (["--load", "wrong.json"], "not the .json of notes"),
        (["--load", "none.json"], "none.json"),
        (["--add", "text", "--event", "99999999"], "out of range"),
    ],
)
def test_notes_that_are_none_are_refused(
    words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copyfile(SAMPLES / "tests-and-blending.ddicap", "game.ddicap")
    Path("wrong.json").write_text('[{"place": "#event=1"}]', "utf-8")
    assert main(["notes", "game.ddicap", *words]) == 2
    assert says in capsys.readouterr().err
