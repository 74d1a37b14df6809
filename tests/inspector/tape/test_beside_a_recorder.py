"""A capture that somebody is still recording opens as it was at one moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.ddi.calls import DdiCall
from core.errors import TapeError
from inspector.progress import Cancel
from inspector.tape import Tape, TapeWriter
from inspector.tape.reader import CallIndex


def test_what_is_committed_while_it_opens_is_not_half_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new call is one of an entry point that was not there when the entry points were read."""
    path = tmp_path / "a.ddicap"
    with TapeWriter(path) as writer:

        def record(entry: str) -> None:
            writer.append_source(f"IDirect3D8::{entry}", {"this": 4096}, 0)
            writer.append(DdiCall(entry, {"handle": 1}, {}))
            writer.commit()

        read_index = Tape._read_index

        def interrupted(tape: Tape, cancel: Cancel) -> CallIndex:
            record("Unlock")
            return read_index(tape, cancel)

        record("Lock")
        monkeypatch.setattr(Tape, "_read_index", interrupted)
        with Tape(path) as tape:
            assert [call.entry for call in tape.calls] == ["Lock"] and tape.source_count == 1
            assert not tape.damaged and len(tape.notices) == 1
            record("Flip")  # nobody is kept waiting
            assert tape.calls[0].entry == "Lock"
        monkeypatch.undo()
        with Tape(path) as tape:
            assert [call.entry for call in tape.calls] == ["Lock", "Unlock", "Flip"] and tape.source_count == 3


def test_a_file_that_cannot_be_read_keeps_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.ddicap"
    with TapeWriter(path) as writer:
        writer.append(DdiCall("Lock", {"handle": 1}, {}))

    def broken(tape: Tape, cancel: Cancel) -> CallIndex:
        raise TapeError("broken")

    monkeypatch.setattr(Tape, "_read_index", broken)
    with pytest.raises(TapeError, match="broken"):
        Tape(path)
    monkeypatch.undo()
    with Tape(path) as tape:
        tape.annotate("event 0", "written at once")
