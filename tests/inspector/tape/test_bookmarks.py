"""Bookmarks are kept in the capture, beside it, or in the user's folder: wherever something can be written."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from core.errors import BadInput, TapeError
from inspector.focus import Focus
from inspector.tape import Tape
from inspector.tape import bookmarks as module
from inspector.tape.bookmarks import SUFFIX, Bookmarks

ROOM = Path(__file__).resolve().parents[3] / "resources" / "room.ddicap"
PLACE = Focus(event=812, surface=3, pixel=(40, 52))


@pytest.fixture
def room(tmp_path: Path) -> Path:
    return Path(shutil.copy(ROOM, tmp_path / "room.ddicap"))


@pytest.fixture(params=["in the capture", "beside a trace", "in the user's folder"])
def kept(request: Any, room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of a capture for each of the places."""
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    if request.param == "in the capture":
        return room
    path = room.with_name("program.trace")
    path.touch()
    if request.param != "beside a trace":
        path.with_name(path.name + SUFFIX).mkdir()  # nothing can be written there
    return path


def test_they_come_back_changed_and_in_the_order_of_events(room: Path, kept: Path) -> None:
    with Tape(room) as tape:
        marks = Bookmarks(tape, kept)
        marks.add(PLACE, "the roof\nIt *flickers*.")
        marks.add(Focus(event=5))
        marks.add(Focus(event=99), "third")
        first, third, second = Bookmarks(tape, kept).all()
        assert (second.focus, second.name, second.text) == (PLACE, "the roof", "the roof\nIt *flickers*.")
        assert first.name == "" and first.created.startswith("20") and first.created.endswith("+00:00")
        marks.change(first.number, "new name")
        marks.remove(third.number)
    with Tape(room) as tape:
        assert [one.text for one in Bookmarks(tape, kept).all()] == ["new name", "the roof\nIt *flickers*."]
        assert bool(tape.annotations) == (kept == room)


def test_a_capture_that_cannot_be_written_to_has_them_beside(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = room.read_bytes()
    monkeypatch.setattr(module.os, "access", lambda path, how: path != room)
    with Tape(room) as tape:
        Bookmarks(tape, room).add(PLACE, "x")
        assert [one.focus for one in Bookmarks(tape, room).all()] == [PLACE]
    assert room.read_bytes() == before
    assert json.loads(room.with_name("room.ddicap" + SUFFIX).read_bytes())["bookmarks"][0]["text"] == "x"


@pytest.mark.skipif(sys.platform == "win32", reason="files that are open stay")
def test_a_capture_that_has_gone_is_not_made_again(room: Path) -> None:
    with Tape(room) as tape:
        number = tape.annotate(PLACE.text(), "x").id
        room.unlink()
        store = Bookmarks(tape, room)
        for change in (lambda: store.remove(number), lambda: store.change(number, "y"), lambda: tape.keep_thumbnail(b"")):
            with pytest.raises(TapeError, match=r"room\.ddicap: cannot write to it: the file no longer exists"):
                change()
        store.write_page("beside it")
        assert not room.exists() and room.with_name("room.ddicap" + SUFFIX).exists()


def test_annotations_of_others_are_bookmarks_if_they_have_a_place(room: Path) -> None:
    with Tape(room) as tape:
        tape.annotate("#event=7", "seven")
        tape.annotate("event 3", "no place")
        assert [one.name for one in Bookmarks(tape, room).all()] == ["seven"]


@pytest.mark.parametrize(
    "held", ["", "[]", "{", '{"bookmarks": 3}', '{"bookmarks": [1, {"focus": "#x=1"}, {"text": 3}]}', "[" * 100_000]
)
def test_a_file_that_makes_no_sense_has_none(tmp_path: Path, held: str) -> None:
    path = tmp_path / "a.trace"
    path.with_name("a.trace" + SUFFIX).write_text(held)
    assert [one for one in Bookmarks(object(), path).all() if one.focus.event] == []


def test_where_nothing_can_be_written_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, data: bytes) -> None:
        raise BadInput(f"{path}: no room")

    monkeypatch.setattr(module, "write_bytes", refuse)
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    with pytest.raises(BadInput, match=r"a\.trace: bookmarks can be kept nowhere: .*no room"):
        Bookmarks(object(), tmp_path / "a.trace").add(PLACE)


def test_a_folder_that_goes_with_the_program_keeps_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    for name in ("DDI_INSPECTOR_CACHE", "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(file / "no folder"))
    marks = Bookmarks(object(), tmp_path / "gone" / "a.trace")
    with pytest.raises(BadInput, match=r"a\.trace: bookmarks can be kept nowhere: no folder of the user's can be written to"):
        marks.add(PLACE)
    assert marks.all() == []


def test_numbers_mean_what_was_listed_whatever_another_window_does(tmp_path: Path) -> None:
    path = tmp_path / "program.trace"
    one, other = Bookmarks(None, path), Bookmarks(None, path)
    for event in range(4):
        one.add(Focus(event=event), f"number {event}")
    listed = {mark.text: mark.number for mark in one.all()}
    other.remove(next(mark.number for mark in other.all() if mark.text == "number 1"))
    one.change(listed["number 2"], "changed")
    one.change(listed["number 2"], "changed again")
    one.remove(listed["number 3"])
    one.change(listed["number 1"], "gone already")
    assert [mark.text for mark in other.all()] == ["number 0", "changed again"]


def test_the_notes_of_a_capture_are_a_page_and_no_bookmark(room: Path, kept: Path) -> None:
    with Tape(room) as tape:
        marks = Bookmarks(tape, kept)
        assert marks.page() == ""
        marks.add(PLACE, "the roof")
        marks.write_page("# Roof\nIt flickers.")
        marks.write_page("# Roof\nIt flickers no more.")
        again = Bookmarks(tape, kept)
        assert again.page() == "# Roof\nIt flickers no more."
        (one,) = again.all()
        assert one.text == "the roof"
        again.change(one.number, "the other roof")
        marks.write_page("")
        assert again.page() == "" and [one.text for one in again.all()] == ["the other roof"]
        in_tape = {note.focus for note in tape.annotations}
        assert in_tape == ({PLACE.text()} if kept == room else set())


def test_those_of_a_shipped_capture_leave_it_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    sample = ROOM.parent / "samples" / "tokens.ddicap"
    shipped, files = sample.read_bytes(), sorted(sample.parent.iterdir())
    with Tape(sample) as tape:
        marks = Bookmarks(tape, sample)
        there = {one.number for one in marks.all()}
        marks.add(PLACE, "the first")
        marks.write_page("# Mine")
        again = Bookmarks(tape, sample)
        (own,) = (one for one in again.all() if one.number not in there)
        again.change(own.number, "mine")
        assert [one.text for one in again.all() if one.number not in there] == ["mine"] and again.page() == "# Mine"
        with pytest.raises(BadInput, match=r"tokens\.ddicap has this note, and stays as it is"):
            again.remove(min(there))
        again.remove(own.number), again.write_page("")
        assert {one.number for one in again.all()} == there and again.page() == ""
    assert sample.read_bytes() == shipped and sorted(sample.parent.iterdir()) == files


def test_notes_beside_a_capture_hide_those_in_it(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Tape(room) as tape:
        Bookmarks(tape, room).write_page("in it")
        monkeypatch.setattr(Bookmarks, "_in_tape", False)
        marks = Bookmarks(tape, room)
        assert marks.page() == "in it"
        marks.write_page("beside it")
        assert marks.page() == "beside it"
        marks.write_page("")
        assert marks.page() == ""
        monkeypatch.undo()
        Bookmarks(tape, room).write_page("in it again")
        assert Bookmarks(tape, room).page() == "in it again" and not Bookmarks(tape, room)._read()


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A trace with "first" and "second" beside it, and a function that says whether files there can be written to."""
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    path, write, closed = tmp_path / "a.trace", module.write_bytes, set()

    def refuse(file: Path, data: bytes) -> None:
        if file in closed:
            raise BadInput(f"{file}: read-only")
        write(file, data)

    monkeypatch.setattr(module, "write_bytes", refuse)
    for event in (1, 2):
        Bookmarks(None, path).add(Focus(event=event), f"number {event}")
    beside = path.with_name(path.name + SUFFIX)
    return path, beside, lambda shut: closed.add(beside) if shut else closed.clear()


def listed(path: Path) -> list[str]:
    return [one.text for one in Bookmarks(None, path).all()]


def test_what_is_changed_while_the_file_beside_is_read_only_is_what_one_sees(locked: Any) -> None:
    path, beside, shut = locked
    before = beside.read_bytes()
    shut(True)
    marks = Bookmarks(None, path)
    marks.add(Focus(event=3), "number 3")
    marks.remove(marks.all()[0].number)
    marks.write_page("while shut")
    assert listed(path) == ["number 2", "number 3"] and Bookmarks(None, path).page() == "while shut"
    assert beside.read_bytes() == before
    shut(False)
    Bookmarks(None, path).add(Focus(event=4), "number 4")
    assert listed(path) == ["number 2", "number 3", "number 4"] and Bookmarks(None, path).page() == "while shut"
    assert len(json.loads(beside.read_bytes())["bookmarks"]) == 4
    assert not Bookmarks(None, path)._files()[1].exists()


def test_what_another_adds_beside_is_seen_with_ones_own(locked: Any) -> None:
    path, beside, shut = locked
    shut(True)
    Bookmarks(None, path).add(Focus(event=3), "mine")
    Bookmarks(None, path).remove(Bookmarks(None, path).all()[0].number)
    held = json.loads(beside.read_bytes())
    held["bookmarks"].append({"focus": "#event=4", "text": "another's"})
    beside.write_text(json.dumps(held))
    assert listed(path) == ["number 2", "mine", "another's"]
    Bookmarks(None, path).add(Focus(event=5), "mine, too")
    assert listed(path) == ["number 2", "mine", "another's", "mine, too"]
    beside.write_text("{")
    assert listed(path) == ["number 2", "mine", "another's", "mine, too"]
    beside.unlink()
    assert listed(path) == ["number 2", "mine", "another's", "mine, too"]
