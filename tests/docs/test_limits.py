"""The page of limits and that of promises: values are the program's, tests are there, and what is larger is refused."""

from __future__ import annotations

import ast
import importlib
import re
import shutil
import sqlite3
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.device.memory import handles
from core.device.memory.handles import Memory, Refused
from inspector.tape import recording
from inspector.tape.database import open_to_read
from inspector.tape.limits import LARGEST_VALUE
from inspector.timeline.events import LARGEST_VERTEX, stream_events
from tests.conftest import ROOT

ROW = re.compile(r"^\| (.+?) \| ([\d,]+) \| `([\w.]+)\.(\w+)` \| `(.+?)::(\w+)` \|$", re.M)
LIMITS = ROW.findall((ROOT / "docs" / "limits.md").read_text(encoding="utf-8"))
A8R8G8B8 = 21


@pytest.mark.parametrize(("what", "value", "module", "name", "file", "test"), LIMITS, ids=[row[0] for row in LIMITS])
def test_a_row_is_true(what: str, value: str, module: str, name: str, file: str, test: str) -> None:
    assert getattr(importlib.import_module(module), name) == int(value.replace(",", ""))
    assert test in {
        node.name for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))) if hasattr(node, "name")
    }


def test_the_page_has_its_rows() -> None:
    table = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8").split("\n\n")[2]
    assert len(LIMITS) == len(table.splitlines()) - 2 >= 10


def test_the_tests_behind_promises_are_there() -> None:
    named = re.findall(r"`(tests/[\w/.]+)`", (ROOT / "SECURITY.md").read_text(encoding="utf-8"))
    assert len(named) > 15
    assert [path for path in named if not (ROOT / path).exists()] == []


# ---- what is larger is refused


def surface(memory: Memory, handle: int, width: int, height: int = 1, depth: int = 0, format: int = A8R8G8B8) -> None:
    memory.create_surface(handle, width, height, depth, 1, 1, format, 0)


def test_the_largest_surface() -> None:
    memory = Memory()
    surface(memory, 1, 8192, 8192)
    for width, height in ((8193, 1), (1, 8193)):
        with pytest.raises(Refused, match="exceeds what the device can hold"):
            surface(memory, 2, width, height)


def test_the_deepest_volume() -> None:
    memory = Memory()
    surface(memory, 1, 1, 1, 2048)
    with pytest.raises(Refused, match="exceeds what the device can hold"):
        surface(memory, 2, 1, 1, 2049)


def test_the_largest_buffer() -> None:
    memory = Memory()
    with pytest.raises(Refused, match="does not fit into memory"):
        memory.create_buffer(1, (1 << 30) + 1)
    with pytest.raises(Refused, match="does not fit into memory"):
        surface(memory, 2, 8192, 8192, 3)
    assert memory.total == 0


def test_all_objects_together() -> None:
    memory = Memory()
    memory.total = (1 << 32) - 1000
    memory.create_buffer(1, 1000)
    with pytest.raises(Refused, match="does not fit into memory"):
        memory.create_buffer(2, 1)


def test_the_number_of_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handles, "MOST_HANDLES", 3)
    memory = Memory()
    for handle in (1, 2, 3):
        surface(memory, handle, 1)
        memory.create_buffer(10 + handle, 1)
    with pytest.raises(Refused):
        surface(memory, 4, 1)
    with pytest.raises(Refused):
        memory.create_buffer(14, 1)


def test_the_largest_vertex() -> None:
    """Immediate vertices lie in the stream: larger ones are taken for the largest."""
    stream = struct.pack("<BBHI", 24, 0, 1, 0) + bytes(3 * LARGEST_VERTEX)  # TRIANGLEFAN_IMM, one primitive

    def records(size: int) -> list[int]:
        call = DdiCall("DrawPrimitives2", {"vertex_size": size}, {})
        found: list[int] = stream_events(np.frombuffer(stream, np.uint8), call, 0)[0]["size"].tolist()
        return found

    assert records(LARGEST_VERTEX) == records(LARGEST_VERTEX + 1) == records(1 << 31)
    assert records(LARGEST_VERTEX - 1) != records(LARGEST_VERTEX)


def test_the_largest_value(tmp_path: Path) -> None:
    path = Path(shutil.copy(ROOT / "resources" / "room.ddicap", tmp_path))
    connection = open_to_read(path)
    assert connection.getlimit(sqlite3.SQLITE_LIMIT_LENGTH) == LARGEST_VALUE
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1000)  # as the others would take half a gigabyte
    with pytest.raises(sqlite3.DataError, match="too big"):
        connection.execute("SELECT zeroblob(1001)").fetchone()
    connection.close()


def test_the_largest_record(tmp_path: Path) -> None:
    start = bytes.fromhex("4444495245431A0A") + struct.pack("<HHII8x", 1, 0, 32, 0)
    start += struct.pack("<I", zlib.crc32(start))
    for size, sentence in (
        (recording.LARGEST, "has 268,435,456 bytes, 0 are left"),
        (recording.LARGEST + 4, "claims 268,435,460"),
    ):
        head = b"1RDD" + struct.pack("<IIIIIIII", size, 0, 0, 0, 0, 0, 0, 0)
        path = tmp_path / f"{size}.ddirec"
        path.write_bytes(start + head + struct.pack("<I", zlib.crc32(head)))
        with recording.RecordingFile(path) as file:
            assert list(file) == []
            assert any(sentence in str(value) for value in vars(file).values()), vars(file)
