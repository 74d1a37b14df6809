"""Frames that are listed without importing: the same as importing lists."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import Cancelled, TraceError
from inspector.cli import main
from inspector.imports import presents, stream
from inspector.imports.presents import frames_of
from tests.conftest import ROOT
from tests.inspector.imports.trace_file import (
    Enum,
    TraceFile,
    device_call,
    present,
    small_program,
    snappy,
    triangle,
    uint,
    zstd,
)

REFUSED = Enum("D3DERR_DEVICELOST", 0x88760868)


def written(folder: Path, trace: TraceFile) -> Path:
    path = folder / "program.trace"
    path.write_bytes(snappy(trace.bytes()))
    return path


def same(path: Path) -> np.ndarray:
    """The listing, which has to be that of the capture."""
    found = frames_of(path)
    assert found is not None
    with inspector.open(path) as capture:
        assert found["draws"].tolist() == [frame.draws for frame in capture.frames]
        for number, frame in enumerate(found):
            last = int(frame["call"] + frame["calls"]) - 1
            assert capture.frame_of(capture.event_of_source_call(last)) == number
    return found


def test_frames_end_with_presentations(tmp_path, monkeypatch):
    monkeypatch.setattr(stream, "BUFFER", 256)  # frames go over chunks
    trace = small_program(5)
    found = same(written(tmp_path, trace))
    assert len(found) == 5 and found["call"][0] == 0
    assert (found["call"][1:] == (found["call"] + found["calls"])[:-1]).all()


def test_what_comes_after_the_last_one_is_a_frame_if_it_draws(tmp_path):
    trace = small_program(2)
    device_call(trace, "BeginScene")
    assert len(same(written(tmp_path, trace))) == 2
    triangle(trace)
    found = same(written(tmp_path, trace))
    assert len(found) == 3 and found["draws"].tolist() == [1, 1, 1]


def test_a_presentation_that_was_refused_ends_no_frame(tmp_path):
    trace = small_program(1)
    triangle(trace)
    arguments = dict.fromkeys(("pSourceRect", "pDestRect", "hDestWindowOverride", "pDirtyRegion"))
    device_call(trace, "Present", result=REFUSED, **arguments)
    triangle(trace)
    present(trace)
    found = same(written(tmp_path, trace))
    assert found["draws"].tolist() == [1, 2]


def test_a_program_without_presentations_is_one_frame(tmp_path):
    trace = small_program(0)
    triangle(trace)
    assert len(same(written(tmp_path, trace))) == 1


def test_listing_can_be_stopped(tmp_path):
    with pytest.raises(Cancelled):
        frames_of(written(tmp_path, small_program(3)), lambda fraction, text: False)


def test_the_command_imports_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    path = written(tmp_path, small_program(4))
    assert main(["frames", str(path), "--quick", "--first", "1", "--last", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [["frame", "1"], ["frame", "2"]]
    assert all(line.endswith(", 1 draws") for line in lines)
    assert not list((tmp_path / "cache").rglob("*.ddicap"))
    assert main(["frames", str(path), "--quick", "-o", str(tmp_path / "sheet.png")]) == 2


def test_rows_are_printed_as_a_list_of_them_would_be(tmp_path, capsys):
    path = written(tmp_path, small_program(4))
    for first, count in (1, 3), (4, 0):
        assert main(["frames", str(path), "--quick", "--json", "--first", str(first)]) == 0
        out = capsys.readouterr().out
        assert len(json.loads(out)) == count and out == json.dumps(json.loads(out), indent=2) + "\n"


def test_a_bomb_of_frames_is_refused_while_it_is_read(tmp_path, monkeypatch):
    """Presentations of three bytes each: a kilobyte unpacks to millions of them."""
    monkeypatch.setattr(presents, "MOST_FRAMES", 1 << 16)
    trace = small_program(1)
    thread, number = b"\0", uint(trace._ids["function", "IDirect3DDevice8::Present"])
    path = tmp_path / "bomb.trace"
    path.write_bytes(zstd(trace.bytes() + (b"\0" + thread + number + b"\0") * 1_000_000))
    with pytest.raises(TraceError, match=r"bomb.trace: more than 65,536 frames, which only importing lists$"):
        frames_of(path)


def test_a_capture_has_no_such_list():
    assert frames_of(ROOT / "resources/room.ddicap") is None
