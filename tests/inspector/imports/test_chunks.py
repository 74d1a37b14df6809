"""Where a chunk ends changes nothing, and no number goes on for ever."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import TraceError
from core.runtime.calls.columns import uint_at
from core.runtime.calls.source import describe
from core.runtime.calls.values import PADDING
from inspector.imports import stream
from inspector.imports.decoder import Decoder, header
from tests.inspector.imports import trace_file as t
from tests.inspector.imports.imported import imported

ENDLESS = b"\xff" * 11
SENTENCE = "a number of more than 10 bytes"


def program() -> t.TraceFile:
    """Calls with call stacks and values that define words, on three threads, some open while others begin."""
    trace = t.TraceFile()
    words = {"x": 1, "y": [t.Enum("RED", -9), None]}
    mask = t.Mask((("A", 1), ("B", 2)), 3)
    trace.call("Direct3DCreate8", {"SDKVersion": 220}, t.Pointer(0x1000), backtrace=True)
    trace.enter("IDirect3D8::Waits", ("a",), {"a": mask}, thread=2, backtrace=True)
    trace.call("IDirect3D8::Odd", {"m": mask, "p": [t.Struct("Pair", words)]}, -3, backtrace=True)
    trace.enter("IDirect3D8::Waits", ("a",), {"a": "text"}, thread=1, backtrace=True)
    trace.leave(1, ("a",), {"a": t.Enum("BLUE", 4)}, t.OK)
    trace.call("IDirect3D8::Odder", {"b": b"blob" * 9, "e": t.Enum("BLUE", 4)}, t.OK, backtrace=True)
    trace.leave(3, ("a",), {}, t.OK)
    for _ in range(4):
        trace.call("IDirect3D8::Odd", {"m": mask, "w": t.Wide("wide")}, thread=1, backtrace=True)
    return trace


PROGRAM = program().bytes()


def decoded(data: bytes, cuts: list[int], room: int = 1 << 16) -> list[str]:
    """The calls of a trace whose bytes arrive up to each of `cuts`, then all; `room` for calls that wait for others to end."""
    decoder, found = Decoder(room), []
    at = header(data)[2]
    for cut in (*(cut for cut in sorted(cuts) if cut > at), len(data)):
        while True:
            columns = np.frombuffer(data[:cut] + bytes(PADDING), np.uint8).copy()
            calls, after = decoder.decode(columns, at, cut, last=False)
            found += [_line(calls, i) for i in range(len(calls))]
            if after == at:
                break
            at = after
    return found


def _line(calls: Any, i: int) -> str:
    call = describe(calls, i)
    return f"{call.number} {call.thread} {call} = {call.result}"


WHOLE = decoded(PROGRAM, [])


def test_the_program_is_read() -> None:
    assert len(WHOLE) == program().count
    assert WHOLE[2] == "2 0 IDirect3D8::Odd(m = A | B, p = &{x = 1, y = {RED, NULL}}) = -3"


def test_a_chunk_may_end_at_any_byte() -> None:
    for cut in range(header(PROGRAM)[2], len(PROGRAM)):
        assert decoded(PROGRAM, [cut]) == WHOLE, cut


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, len(PROGRAM)), max_size=12), st.sampled_from([6, 7, 1 << 16]))
def test_chunks_may_end_anywhere(cuts: list[int], room: int) -> None:
    assert decoded(PROGRAM, cuts, room) == WHOLE


def test_a_file_may_be_read_in_small_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = t.small_program(3)
    for frame in range(9):
        trace.call("IDirect3DDevice8::BeginScene", {"this": t.DEVICE}, t.OK, backtrace=True, thread=frame % 2)
    for size in range(40, 99):  # from where the header fits into the first
        monkeypatch.setattr(stream, "BUFFER", size)
        monkeypatch.setattr(stream, "PIECE", size)
        with imported(t.snappy(trace.bytes(), block=size), tmp_path) as tape:
            assert tape.source_count == trace.count, size
            assert not tape.notices


# -- numbers without end ------------------------------------------------------------------------------------------------------


@given(st.binary(min_size=1, max_size=14))
def test_both_decoders_read_the_same_numbers(data: bytes) -> None:
    """An argument of a call; bytes behind it are zero."""
    trace = t.TraceFile()
    trace.enter("f", ("a",), {})
    start = bytes(trace.out[:-1]) + b"\x01\x00\x04"
    stream_bytes = start + data + bytes(PADDING)
    columns = np.frombuffer(stream_bytes, np.uint8).copy()
    try:
        expected, after = uint_at(memoryview(stream_bytes), len(start))
    except ValueError as error:
        assert SENTENCE in str(error)
        with pytest.raises(TraceError, match=SENTENCE):
            Decoder().decode(columns, header(stream_bytes)[2], len(start) + len(data), last=True)
        return
    end = np.frombuffer(stream_bytes[:after] + b"\x00" + bytes(PADDING), np.uint8).copy()
    calls, _ = Decoder().decode(end, header(stream_bytes)[2], after + 1, last=True)
    assert calls.values[0] == expected


def _entered(*details: bytes) -> bytes:
    trace = t.TraceFile()
    trace.enter("f", ("a",), {})
    return bytes(trace.out[:-1]) + b"".join(details)


PLACES = {
    "version": b"",
    "semantic version": b"\x06",
    "property": b"\x06\x01",
    "property value": b"\x06\x01\x01a",
    "thread": t.TraceFile().bytes() + b"\x00",
    "function": t.TraceFile().bytes() + b"\x00\x00",
    "function name": t.TraceFile().bytes() + b"\x00\x00\x00",
    "arguments": t.TraceFile().bytes() + b"\x00\x00\x00\x01f",
    "argument name": t.TraceFile().bytes() + b"\x00\x00\x00\x01f\x01",
    "left call": t.TraceFile().bytes() + b"\x01",
    "argument": _entered(b"\x01"),
    "number": _entered(b"\x01\x00\x04"),
    "negative": _entered(b"\x01\x00\x03"),
    "string": _entered(b"\x01\x00\x07"),
    "blob": _entered(b"\x01\x00\x08"),
    "enumeration": _entered(b"\x01\x00\x09"),
    "enumeration's words": _entered(b"\x01\x00\x09\x00"),
    "enumeration's word": _entered(b"\x01\x00\x09\x00\x01"),
    "enumeration's value": _entered(b"\x01\x00\x09\x00\x01\x01a\x04"),
    "value of an enumeration": _entered(b"\x01\x00\x09\x00\x00\x04"),
    "mask": _entered(b"\x01\x00\x0a"),
    "mask's value": _entered(b"\x01\x00\x0a\x00\x01\x01a"),
    "value of a mask": _entered(b"\x01\x00\x0a\x00\x00"),
    "array": _entered(b"\x01\x00\x0b"),
    "in an array": _entered(b"\x01\x00\x0b\x02\x04"),
    "structure": _entered(b"\x01\x00\x0c"),
    "structure's name": _entered(b"\x01\x00\x0c\x00"),
    "enumeration in an array": _entered(b"\x01\x00\x0b\x02\x09"),
    "its value": _entered(b"\x01\x00\x0b\x02\x09\x00\x00\x04"),
    "pointer": _entered(b"\x01\x00\x0d"),
    "wide string": _entered(b"\x01\x00\x0f"),
    "wide letter": _entered(b"\x01\x00\x0f\x02"),
    "result": _entered(b"\x02\x04"),
    "own thread": _entered(b"\x03"),
    "call stack": _entered(b"\x04"),
    "frame": _entered(b"\x04\x01"),
    "frame's module": _entered(b"\x04\x01\x00\x01"),
    "frame's line": _entered(b"\x04\x01\x00\x04"),
    "flags": _entered(b"\x05"),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_number_without_end_is_told_wherever_it_stands(place: str, tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=SENTENCE):
        imported(t.snappy(PLACES[place] + ENDLESS * 20), tmp_path)


def test_megabytes_of_a_number_are_not_read(tmp_path: Path) -> None:
    """14 bytes as brotli; the number would have 35 million bits."""
    with pytest.raises(TraceError, match=SENTENCE):
        imported(t.brotli_stream(b"\xff" * 5_000_000), tmp_path)
