"""The listing of a tape, kept in a file: the same as listing again, and never what is damaged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import inspector
from inspector import Capture
from inspector.timeline import kept_listing, timeline
from inspector.timeline.listing import Listing
from tests.inspector.growing import long_trace

FRAMES = 20


@pytest.fixture(autouse=True)
def derived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kept listings; short tapes have them, too."""
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(kept_listing, "LEAST", 1)
    return tmp_path / "cache" / "derived"


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return long_trace(tmp_path, FRAMES)


@pytest.fixture
def no_listing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Decoding calls to list them fails."""

    def fail(*_: object) -> Listing:
        raise AssertionError("listed again")

    monkeypatch.setattr(timeline, "listed", fail)
    yield


def contents(capture: Capture) -> list[object]:
    events = capture.events
    arrays = (events.rows, events.first_of_call, events.commands, events.base)
    return [*(array.tobytes() for array in arrays), events.errors, dict(events.failed), list(capture.frames)]


def kept_file(derived: Path) -> Path:
    (found,) = derived.glob("*.events")
    return found


def test_the_second_opening_lists_nothing(trace: Path, derived: Path, no_listing: None) -> None:
    with inspector.open(trace) as first:
        before = contents(first)
        assert len(first.frames) == FRAMES
    assert kept_file(derived)
    with inspector.open(trace) as second:
        assert contents(second) == before
        assert second.image(second.frames[-1].last_event).any()


def test_a_listing_is_that_of_decoding(trace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inspector.open(trace).close()
    with inspector.open(trace) as mapped:
        found = contents(mapped)
    monkeypatch.setattr(kept_listing, "kept", lambda tape, calls: None)
    with inspector.open(trace) as decoded:
        assert contents(decoded) == found


def test_reading_in_parts_keeps_it_too(trace: Path, derived: Path, no_listing: None) -> None:
    with inspector.open(trace, grown=lambda capture: None) as first:
        before = contents(first)
    with inspector.open(trace) as second:
        assert contents(second) == before


def test_a_capture_keeps_it_by_its_contents(
    tmp_path: Path, trace: Path, derived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with inspector.open(trace) as made:
        path = made.tape.path
        copy = tmp_path / "copy.ddicap"
        copy.write_bytes(path.read_bytes())
    inspector.open(copy).close()
    assert len(list(derived.glob("*.events"))) == 2

    def fail(*_: object) -> Listing:
        raise AssertionError("listed again")

    monkeypatch.setattr(timeline, "listed", fail)
    with inspector.open(copy) as again:
        assert len(again.frames) == FRAMES


@pytest.mark.parametrize("place", [0, 9, 30, -1, -400])
def test_what_is_damaged_is_listed_again(trace: Path, derived: Path, place: int) -> None:
    with inspector.open(trace) as first:
        before = contents(first)
    file = kept_file(derived)
    data = bytearray(file.read_bytes())
    data[place] ^= 0x55
    file.write_bytes(data)
    with inspector.open(trace) as again:
        assert contents(again) == before
    assert file.read_bytes() != data


@pytest.mark.parametrize("size", [0, 7, 24, 100, -1])
def test_what_is_cut_is_listed_again(trace: Path, derived: Path, size: int) -> None:
    with inspector.open(trace) as first:
        before = contents(first)
    file = kept_file(derived)
    file.write_bytes(file.read_bytes()[:size])
    with inspector.open(trace) as again:
        assert contents(again) == before


def test_a_listing_of_another_length_is_none(trace: Path, derived: Path) -> None:
    with inspector.open(trace) as first:
        calls, name = len(first.calls), first.tape.known_as
        assert kept_listing.kept(name, calls) is not None
        assert kept_listing.kept(name, calls + 1) is None
        assert kept_listing.kept("another", calls) is None


def test_errors_and_failures_come_back(derived: Path) -> None:
    from core.ddi.calls import DdiCall

    listing = Listing()
    listing.append(DdiCall("DrawPrimitives2", {"command_length": 8}, {"commands": b"\xff\0\1\0\0\0\0\0"}))
    listing.append(DdiCall("Flip", {}, {}, 0x80004005))
    assert kept_listing.keep("tape", listing)
    back = kept_listing.kept("tape", 2)
    assert back is not None and back.errors == listing.errors and back.errors
    assert back.failed == listing.failed and back.failed
    assert np.array_equal(back.events().rows, listing.events().rows)


def test_a_full_disk_keeps_none(trace: Path, derived: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept_listing.os, "replace", full)
    with inspector.open(trace, grown=lambda capture: None) as capture:
        assert len(capture.frames) == FRAMES
    assert not list(derived.glob("*"))


def test_what_takes_longer_to_name_is_not_kept(tmp_path: Path, trace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with inspector.open(trace) as made:
        copy = tmp_path / "copy.ddicap"
        copy.write_bytes(made.tape.path.read_bytes())
    monkeypatch.setattr(kept_listing, "BYTES_A_CALL", 0)
    with inspector.open(copy) as capture:
        assert kept_listing.name_of(capture.tape) == ""
