"""Traces that are cut, damaged, too large or none: BadInput in one sentence, or a tape up to there."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import BadInput, TraceError
from core.runtime.calls.values import MOST_VALUES
from inspector import imports
from inspector.imports import decoder, import_trace, stream
from inspector.imports.containers import PIECE
from inspector.imports.presents import frames_of
from inspector.imports.stream import BUFFER
from inspector.tape import TapeWriter
from tests.inspector.imports import trace_file as t
from tests.inspector.imports.imported import imported

# -- broken traces ---------------------------------------------------------------------------------------------------


def whole_calls(trace: t.TraceFile, size: int) -> int:
    """How many calls lie wholly in the first `size` bytes (every call here is one ENTER and one LEAVE)."""
    return sum(mark <= size for mark in trace.marks) // 2


def every_shape() -> t.TraceFile:
    """A few calls with values of every kind."""
    trace = t.TraceFile(properties={"process.name": "a.exe"})
    trace.call("Direct3DCreate8", {"SDKVersion": 220}, t.Pointer(0x1000), backtrace=True)
    mask, words = t.Mask((("A", 1), ("B", 2)), 3), {"x": 1, "y": [t.Enum("RED", -9), None]}
    trace.call("IDirect3D8::Odd", {"m": mask, "f": t.Float32(0.5), "d": 2.25, "w": t.Wide("wide"), "yes": True}, -3, flags=1)
    trace.call("IDirect3D8::Odder", {"p": [t.Struct("Pair", words)], "b": b"blob" * 40, "r": t.Repr("ps", b"code")}, t.OK)
    trace.call("IDirect3D8::Odd", {"m": mask, "s": "text"}, thread=200)
    return trace


def test_a_trace_cut_at_any_byte_opens_up_to_its_last_whole_call(tmp_path: Path) -> None:
    trace = every_shape()
    data = trace.bytes()
    header = data.index(b"Direct3DCreate8") - 4
    for size in range(len(data)):
        path = tmp_path / "cut.trace"
        path.write_bytes(t.snappy(data[:size]))
        writer = TapeWriter(tmp_path / "cut.ddicap", durable=False)
        try:
            report = import_trace(path, writer)
            writer.close()
        except TraceError as error:
            writer.abandon()
            assert whole_calls(trace, size) == 0, size
            assert str(path) in str(error)
            continue
        assert size > header
        assert report.sources == whole_calls(trace, size), size
        at_a_boundary = size in trace.marks[1::2]
        assert bool(report.notices) != at_a_boundary, size


def test_a_cut_container_is_told(tmp_path: Path) -> None:
    data = t.gzip(t.small_program(3).bytes())
    with imported(data[:-30], tmp_path) as tape:
        assert "cut short after call" in tape.notices[0]
        assert tape.source_count > 3


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "the file is empty"),
        (b"dear reader, this is only a letter" * 100, "not an apitrace trace"),
        (t.snappy(b"\x63" + bytes(50)), "version 99 is not supported"),
        (t.snappy(b"\x03" + bytes(50)), "version 3 is not supported"),
        (t.snappy(b""), "not an apitrace trace"),
        (
            b"at" + (5000).to_bytes(4, "little") + bytes(94),
            r"\(snappy\) .* cut off: it ends at byte 100, .* to byte 5,006",
        ),
        (b"at\x10\x20", r"\(snappy\) that was cut off: it ends at byte 4, within its first block$"),
        (t.gzip(t.small_program().bytes())[:12], r"\(gzip\) that was cut off: it ends at byte 12, within its first block$"),
        (t.snappy(t.TraceFile().bytes()), "without calls of Direct3D 8 or DirectDraw"),
        (t.snappy(t.small_program().bytes()[:40]), "cut short"),
        (t.snappy(t.small_program().bytes() + b"\x07\x07\x07\x07"), "call 9: .*, unpacked"),
    ],
)
def test_what_is_no_trace_is_told_in_one_sentence(content: bytes, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=sentence) as caught:
        imported(content, tmp_path)
    assert str(tmp_path / "a.trace") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_trace_of_another_api_is_told(tmp_path: Path) -> None:
    trace = t.TraceFile()
    for _ in range(3):
        trace.call("glXSwapBuffers", {"dpy": t.Pointer(1), "drawable": 2})
    with pytest.raises(TraceError, match=r"without calls of Direct3D 8 or DirectDraw .*glXSwapBuffers"):
        imported(t.snappy(trace.bytes()), tmp_path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"nothing\.trace: no such file"):
        imports.open_tape(tmp_path / "nothing.trace")


def test_an_event_that_claims_too_much_is_bounded(tmp_path: Path) -> None:
    trace = t.small_program()
    data = bytearray(trace.bytes())
    data += b"\x00" + t.uint(0) + t.uint(99) + t.string("f") + t.uint(1) + t.string("a")  # ENTER of a new function
    data += b"\x01\x00\x08" + t.uint(1 << 40) + b"xyz"  # its first argument: a blob of a terabyte
    with imported(t.snappy(bytes(data)), tmp_path) as tape:
        assert tape.source_count == trace.count
        assert "cut short" in tape.notices[0]


def test_more_than_can_be_unpacked_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "UNPACKED_LIMIT", 1 << 12)
    with pytest.raises(TraceError, match="unpacks to more than"):
        imported(t.brotli_stream(t.small_program(50).bytes()), tmp_path)


def entered(name: str, argument: bytes) -> bytes:
    """A program, and the ENTER of a function that it has not called yet."""
    return t.small_program().bytes() + b"\x00" + t.uint(0) + t.uint(99) + t.string(name) + t.uint(1) + t.string("a") + argument


def test_stop_is_looked_at_within_an_event(tmp_path: Path) -> None:
    """Two kilobytes unpack to one event of 64 MB; of 512 MB, nobody could stop it for two seconds."""
    path = tmp_path / "a.trace"
    path.write_bytes(t.zstd(entered("IDirect3DDevice8::Large", b"\x01\x00\x08" + t.uint(1 << 26) + bytes(1 << 26))))
    looks: list[float] = []
    frames_of(path, lambda fraction, text: looks.append(fraction))
    assert len(looks) > ((1 << 26) - BUFFER) // PIECE


@pytest.mark.parametrize("value", [b"\x0b", b"\x0b\x02\x0b\x01\x00\x0b", b"\x0f"])
def test_an_argument_has_a_largest_number_of_values(value: bytes, tmp_path: Path) -> None:
    """A list, one within others, characters: five kilobytes unpacked to half a gigabyte of them, 11 GB as objects."""
    for count, is_refused in (MOST_VALUES - 4, False), (MOST_VALUES + 1, True):
        data = entered("IDirect3DDevice8::Large", b"\x01\x00" + value + t.uint(count) + bytes(count) + b"\x00")
        with pytest.raises(TraceError, match="no event of an API trace") if is_refused else nullcontext():
            imported(t.zstd(data), tmp_path).close()
        (tmp_path / "a.ddicap").unlink(missing_ok=True)


def test_a_sentence_holds_no_megabytes(tmp_path: Path) -> None:
    """Of names that a file makes up."""
    long = t.TraceFile()
    long.call("f" * 1_000_000, {})
    with pytest.raises(TraceError, match=r"\(it calls f{60}\)") as caught:
        imported(t.snappy(long.bytes()), tmp_path)
    assert len(str(caught.value)) < 1000


def members(kind: bytes, number: int, count: int) -> bytes:
    """An argument whose value defines an enumeration (9) or mask (10) of so many members of five bytes, or a structure (12)."""
    each = {b"\x09": b"\x04\x01", b"\x0a": b"\x01", b"\x0c": b""}[kind]
    name = b"" if kind != b"\x0c" else t.string("S")
    value = {b"\x09": b"\x04\x01", b"\x0a": b"\x01", b"\x0c": b"\x00" * count}[kind]
    text = t.string("ab" if kind == b"\x09" else "abc" if kind == b"\x0a" else "abcd")
    return b"\x01\x00" + kind + t.uint(number) + name + t.uint(count) + (text + each) * count + value


@pytest.mark.parametrize("kind", [b"\x09", b"\x0a", b"\x0c"])
def test_names_that_a_file_makes_up_are_bounded(kind: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words stay in memory: a hundred bytes for three of a stream, of which a kilobyte unpacks to millions."""
    monkeypatch.setattr(decoder, "MOST_WORDS", 100_000)
    for count, is_refused in (9_000, False), (10_000, True):
        data = t.small_program().bytes()
        for number in (100, 101):
            data += b"\x00\x00" + t.uint(number) + t.string("f") + t.uint(1) + t.string("a")
            data += members(kind, number, count) + b"\x00"
        path = tmp_path / "a.trace"
        path.write_bytes(t.zstd(data))
        with pytest.raises(TraceError, match="the names in it have more than") if is_refused else nullcontext():
            frames_of(path)


def test_no_name_is_longer_than_all_of_them_may_be(tmp_path: Path) -> None:
    long = t.TraceFile()
    long.call("f" * (decoder.MOST_WORDS + 1), {})
    with pytest.raises(TraceError, match="the names in it have more than 4,194,304 bytes"):
        imported(t.zstd(long.bytes()), tmp_path)


def test_properties_are_counted(tmp_path: Path) -> None:
    properties = {f"name {number}": "x" for number in range(5000)}
    with pytest.raises(TraceError, match="4,096 properties or more"):
        imported(t.snappy(t.TraceFile(properties=properties).bytes()), tmp_path)


SMALL = t.small_program(1).bytes()


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(flips=st.lists(st.tuples(st.integers(0, len(SMALL) - 1), st.integers(0, 7)), min_size=1, max_size=6))
def test_flipped_bits_are_bad_input_or_a_tape(flips: list[tuple[int, int]], tmp_path: Path) -> None:
    damaged = bytearray(SMALL)
    for at, bit in flips:
        damaged[at] ^= 1 << bit
    try:
        with imported(t.snappy(bytes(damaged)), tmp_path) as tape:
            for number in range(tape.source_count):
                str(tape.source(number))
            for _ in tape.calls:
                pass
    except BadInput as error:
        assert str(error).startswith(str(tmp_path))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=400), container=st.sampled_from(sorted(t.CONTAINERS)), raw=st.booleans())
def test_any_bytes_are_bad_input(data: bytes, container: str, raw: bool, tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        imported(data if raw else t.CONTAINERS[container](data), tmp_path)
