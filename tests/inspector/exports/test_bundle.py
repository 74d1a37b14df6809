"""Bug bundles: what is in them, and that they open at their place, by commands and in the window's way."""

from __future__ import annotations

import json
import re
import struct
import zipfile
from pathlib import Path

import pytest

import inspector
from core import folders
from core.errors import BadInput, TraceError
from inspector.cli import main
from inspector.exports.bundle import write_bundle
from inspector.focus import Focus
from inspector.imports import bundles
from inspector.tape.bookmarks import Bookmarks, kept_place
from tests.inspector.conftest import ROOM
from tests.inspector.exports.test_exports import Page

DRAW = 2945
NOTE = "the torus <is> too bright"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundle") / "bug.zip"
    words = [
        "report",
        str(ROOM),
        "--kind",
        "bundle",
        "--event",
        str(DRAW),
        "--pixel",
        "320,240",
        "--note",
        NOTE,
        "-o",
        str(path),
    ]
    assert main(words) == 0
    return path


def test_a_bundle_holds_the_frame_its_place_and_a_report(bundle: Path, room: inspector.Capture, tmp_path: Path) -> None:
    with zipfile.ZipFile(bundle) as file:
        assert file.testzip() is None
        assert set(file.namelist()) == {"README.txt", "place.json", "report.html", "capture.ddicap"}
        about = json.loads(file.read("place.json"))
        page = Page(file.read("report.html").decode())
        file.extract("capture.ddicap", tmp_path)
    place = Focus.parse(about["place"])
    assert Focus.parse(about["original"]) == Focus(DRAW, pixel=(320, 240)) and about["note"] == NOTE
    assert f"Event {place.event}: {room.name(DRAW)}" in page.text and "Pixel 320, 240" in page.text
    assert 0 < page.text.index(NOTE) < page.text.index("No rule is broken"), "what is wrong comes first"
    assert all(address.startswith(("data:image/png;base64,", "#")) for address in page.addresses)
    with inspector.open(tmp_path / "capture.ddicap") as trimmed:
        assert len(trimmed.frames) == 1 and len(trimmed.events) < len(room.events)
        assert trimmed.text(place.event) == room.text(DRAW)
        assert (trimmed.image(place.event) == room.image(DRAW)).all()
        assert kept_place(trimmed) == place
        assert [note.text for note in trimmed.tape.annotations][-1] == NOTE


def test_a_bundle_opens_like_a_capture_and_commands_begin_at_its_place(
    bundle: Path, room: inspector.Capture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with inspector.open(bundle) as capture:
        place = kept_place(capture)
        assert place is not None and (capture.image(place.event) == room.image(DRAW)).all() and capture.title == "bug.zip"
    capsys.readouterr()
    assert main(["state", str(bundle), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["event"] == place.event
    assert main(["convert", str(bundle), str(tmp_path / "out.ddicap")]) == 0
    with inspector.open(tmp_path / "out.ddicap") as again:
        assert kept_place(again) == place


def test_every_event_of_a_frame_can_be_the_place(room: inspector.Capture, tmp_path: Path) -> None:
    frame = room.frames[2]
    for event in (frame.first_event, int(room.draws[0]), frame.last_event, len(room.events) - 1):
        write_bundle(room, tmp_path / f"{event}.zip", Focus(event))
        with inspector.open(tmp_path / f"{event}.zip") as capture:
            place = kept_place(capture)
            assert place is not None and capture.text(place.event) == room.text(event)


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ({"other.ddicap": b"x"}, "a zip without capture.ddicap"),
        ({"../capture.ddicap": b"x", "a/capture.ddicap": b"x"}, "a zip without capture.ddicap"),
        ({"capture.ddicap": b"no database"}, "capture"),
    ],
)
def test_other_zips_are_refused_in_a_sentence(names: dict[str, bytes], says: str, tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as file:
        for name, data in names.items():
            file.writestr(name, data)
    with pytest.raises(BadInput, match=says):
        inspector.open(path)
    assert not (tmp_path.parent / "capture.ddicap").exists()


def test_damaged_and_very_large_zips_are_refused(bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torn = tmp_path / "torn.zip"
    torn.write_bytes(bundle.read_bytes()[:5000])
    with pytest.raises(BadInput, match=r"torn\.zip"):
        inspector.open(torn)
    wrong = tmp_path / "wrong.zip"
    data = bytearray(bundle.read_bytes())
    with zipfile.ZipFile(bundle) as file:
        info = file.getinfo("capture.ddicap")
    data[info.header_offset + info.compress_size // 2] ^= 0xFF
    wrong.write_bytes(data)
    with pytest.raises(BadInput, match=r"wrong\.zip"):
        inspector.open(wrong)
    monkeypatch.setattr(bundles, "LARGEST", 10)
    large = tmp_path / "large.zip"
    with zipfile.ZipFile(large, "w") as file:
        file.writestr("capture.ddicap", b"12345678901")
    with pytest.raises(TraceError, match="claims 11 bytes"):
        inspector.open(large)


def zipped(path: Path, data: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("capture.ddicap", data)
    return path


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundles, "LARGEST_SMALL", 1 << 16)
    with pytest.raises(TraceError, match="claims 1,000,000 bytes"):
        inspector.open(zipped(tmp_path / "bomb.zip", bytes(1_000_000)))
    with pytest.raises(BadInput, match=r"small\.zip: .*not an SQLite"):
        inspector.open(zipped(tmp_path / "small.zip", bytes(1 << 16)))


def test_a_list_of_very_many_members_is_not_read(tmp_path: Path) -> None:
    """A hundred thousand, as zip64 (APPNOTE 6.3, 4.3.12 to 4.3.16); millions took 9 s that nobody could stop."""
    path, count = tmp_path / "many.zip", 100_000
    begin = b"PK\x03\x04" + bytes(40)
    listed = (struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"x") * count
    end = struct.pack("<4sQ2H2I4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, len(listed), len(begin))
    end += struct.pack("<4sIQI", b"PK\x06\x07", 0, len(begin) + len(listed), 1)
    end += struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    path.write_bytes(begin + listed + end)
    with zipfile.ZipFile(path) as file:
        assert len(file.infolist()) == count
    with pytest.raises(TraceError, match=r"many\.zip: a zip with far more files"):
        inspector.open(path)


def test_what_a_reader_says_is_kept_short(tmp_path: Path) -> None:
    path = zipped(tmp_path / "long.zip", b"x")
    data = bytearray(path.read_bytes() + bytes(1 << 16))
    data[26:28] = b"\xff\xff"  # the name in front of the data
    path.write_bytes(data)
    with pytest.raises(BadInput, match=r"long\.zip") as caught:
        inspector.open(path)
    assert len(str(caught.value)) < 600


def test_a_damaged_capture_in_the_cache_is_unpacked_again(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a power failure may leave it; the sentence names the bundle."""
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    inspector.open(bundle).close()
    (kept,) = (tmp_path / "cache" / "captures").glob("*.ddicap")
    kept.write_bytes(bytes(kept.stat().st_size))
    with pytest.raises(BadInput, match=f"^{re.escape(str(bundle))}: "):
        inspector.open(bundle)
    with inspector.open(bundle) as capture:
        assert len(capture.events)


def test_a_place_that_is_none_is_no_place(room: inspector.Capture, tmp_path: Path) -> None:
    class Other:
        def __init__(self, place: object) -> None:
            self.events, self.tape = room.events, type("Tape", (), {"meta": {"place": place}})()

    assert kept_place(Other("#event=5")) == Focus(5)
    for place in (None, 5, "", "nonsense", "#event=99999999", "#event=-1", ["x"]):
        assert kept_place(Other(place)) is None


def test_an_edited_capture_is_refused(room: inspector.Capture, tmp_path: Path) -> None:
    edited = inspector.WhatIf.of(f"disable {DRAW}").open(room)
    with pytest.raises(BadInput, match="is edited"):
        write_bundle(edited, tmp_path / "x.zip", Focus(DRAW))


def test_notes_on_a_bundle_outlive_the_cache_and_its_own_note_stays(bundle: Path) -> None:
    """Changed in the unpacked capture, it would be as before once the cache has forgotten that."""
    with inspector.open(bundle) as capture:
        store = Bookmarks(capture.tape, capture.path)
        (there,) = store.all()
        for change in (lambda: store.change(there.number, "mine"), lambda: store.remove(there.number)):
            with pytest.raises(BadInput, match="stays as it is"):
                change()
        store.add(Focus(event=3), "mine")
        store.write_page("a page")
    folders.clear("captures")
    with inspector.open(bundle) as capture:
        store = Bookmarks(capture.tape, capture.path)
        assert {one.text for one in store.all()} == {there.text, "mine"} and store.page() == "a page"
