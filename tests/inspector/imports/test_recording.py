"""Recordings of drivers are strangers' files: cut anywhere, flipped bits, wild sizes give a prefix and a place."""

from __future__ import annotations

import random
import struct
import zlib
from pathlib import Path

import pytest

import inspector
from core.errors import BadInput, TraceError
from core.spec.enums import HResult
from inspector.imports.recording import Conversion
from inspector.tape.recording import (
    BLOB,
    BYTES,
    DATA,
    FIELD,
    HEAD,
    MAGIC,
    SAME,
    U32S,
    Record,
    RecordingFile,
    pack_header,
    pack_record,
)
from tests.inspector.test_hostile import ask_everything

RENDER_STATE = bytes((8, 0, 1, 0, 7, 0, 0, 0, 1, 0, 0, 0))


def some_records() -> list[Record]:
    size = {"width": 8, "height": 8, "levels": 1, "format": 22}
    return [
        Record("CreateSurface", args={"handle": 1, **size, "caps": 0x200}),
        Record("CreateSurface", args={"handle": 2, **size, "caps": 0x2004, "label": "back_buffer"}),
        Record("ContextCreate", args={"context": 1, "render_target": 2, "depth_stencil": 0}),
        Record("Lock", args={"handle": 2, "flags": 0, "box": (0, 0, 8, 4)}, out={"pitch": 32}, thread=5, time=1 << 33),
        Record("Unlock", args={"handle": 2, "pitch": 32}, data={"contents": bytes(range(128))}),
        Record("DrawPrimitives2", args={"context": 1, "flags": 0, "scale": -1.5}, data={"commands": RENDER_STATE * 3}),
        Record("Flip", args={"surface": (1, 2), "flags": 0}),
        Record("Flip", HResult.DDERR_WASSTILLDRAWING, args={"surface": (1, 2), "flags": 0}),
    ]


def packed(records: list[Record] | None = None) -> list[bytes]:
    """The file in pieces: the header, then the records."""
    return [pack_header(), *(pack_record(n, record) for n, record in enumerate(some_records() if records is None else records))]


def read(path: Path) -> tuple[list[Record], str]:
    """The records that can be read, without their places, and what is said about the rest."""
    with RecordingFile(path) as recording:
        records = list(recording)
    for record in records:
        record.offset = 0
    return records, recording.problem


def test_what_was_packed_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.ddirec"
    path.write_bytes(b"".join(packed()))
    assert read(path) == (some_records(), "")


def test_a_file_cut_anywhere_gives_its_whole_records_and_the_place(tmp_path: Path) -> None:
    path, pieces = tmp_path / "cut.ddirec", packed()
    data, ends = b"".join(pieces), [sum(map(len, pieces[: n + 1])) for n in range(len(pieces))]
    for size in range(len(data)):
        path.write_bytes(data[:size])
        if size < 32:
            with pytest.raises(TraceError):
                read(path)
            continue
        whole = sum(end <= size for end in ends) - 1
        records, problem = read(path)
        assert records == some_records()[:whole]
        assert (f"at byte {ends[whole]:,}" in problem) == (size != ends[whole]) and bool(problem) == (size != ends[whole])


def test_a_flipped_bit_is_never_taken_for_data(tmp_path: Path) -> None:
    path, pieces = tmp_path / "flipped.ddirec", packed()
    data, chooser = b"".join(pieces), random.Random(1)
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1 << chooser.randrange(8)
        path.write_bytes(changed)
        if place < 32:
            with pytest.raises(TraceError):
                read(path)
            continue
        record = next(n for n in range(len(pieces)) if place < sum(map(len, pieces[: n + 1]))) - 1
        assert read(path)[0] == some_records()[:record]


def sealed(number: int, payload: bytes, size: int | None = None) -> bytes:
    """A record whose checksums are right, whatever its payload is."""
    length = len(payload) if size is None else size
    head = HEAD.pack(0x44445231, length, number, 0, 0, 0, 0, 0, zlib.crc32(payload), 0)[:36]
    return head + struct.pack("<I", zlib.crc32(head)) + payload


def name(text: bytes) -> bytes:
    return text + bytes(-len(text) & 3)


LOCK = struct.pack("<I", 4) + b"Lock"
WILD = {
    "a payload larger than the file": sealed(0, LOCK, 1 << 20),
    "a payload beyond all limits": sealed(0, LOCK, 0xFFFFFFFC),
    "a length that is not a multiple of four": sealed(0, LOCK + b"abc"),
    "no payload": sealed(0, b""),
    "a name longer than the payload": sealed(0, struct.pack("<I", 60) + b"Lock"),
    "a name of four billion letters": sealed(0, struct.pack("<I", 0xFFFFFFFF) + b"Lock"),
    "a name that is none": sealed(0, struct.pack("<I", 4) + b"\0;()"),
    "a field larger than the payload": sealed(0, LOCK + FIELD.pack(0, 1, 4, 0xFFFFFFF0) + b"box\0"),
    "a field without its name": sealed(0, LOCK + FIELD.pack(0, 1, 40, 4)),
    "half a field": sealed(0, LOCK + b"\0\1\3\0"),
    "a number of three bytes": sealed(0, LOCK + FIELD.pack(0, 1, 3, 3) + b"box\0\1\2\3\0"),
    "an unknown type": sealed(0, LOCK + FIELD.pack(0, 77, 3, 4) + b"box\0\1\2\3\0"),
    "data of a type that data cannot have": sealed(0, LOCK + FIELD.pack(DATA, U32S, 3, 4) + b"box\0\1\2\3\0"),
    "a blob that was never written": sealed(0, LOCK + FIELD.pack(DATA, SAME, 3, 4) + b"box\0\1\2\3\0"),
    "a record number out of order": sealed(3, LOCK),
    "no mark": bytes(40) + LOCK,
}


@pytest.mark.parametrize("what", WILD)
def test_wild_records_end_the_recording(tmp_path: Path, what: str) -> None:
    path = tmp_path / "wild.ddirec"
    path.write_bytes(pack_header() + WILD[what])
    assert read(path)[0] == []
    assert "breaks off at byte 32" in read(path)[1]


@pytest.mark.parametrize("name", ["<b>", "", "ä", "a b", "x" * 65])
def test_a_name_that_would_be_read_as_damaged_is_not_written(name: str) -> None:
    for record in (Record(name), Record("Blt", args={name: 1}), Record("Blt", out={name: 1}), Record("Blt", data={name: b""})):
        with pytest.raises(BadInput, match="does not fit into a recording"):
            pack_record(0, record)


def test_blobs_are_repeated(tmp_path: Path) -> None:
    path = tmp_path / "blobs.ddirec"
    unlock = struct.pack("<I", 6) + name(b"Unlock")

    def field(kind: int, value: bytes) -> bytes:
        return FIELD.pack(DATA, kind, 8, len(value)) + b"contents" + name(value)

    values = [field(BLOB, b"first"), field(BYTES, b"small"), field(BLOB, b"second!"), field(SAME, bytes(4)),
              field(SAME, b"\1\0\0\0")]  # fmt: skip
    path.write_bytes(pack_header() + b"".join(sealed(n, unlock + value) for n, value in enumerate(values)))
    assert [record.data["contents"] for record in read(path)[0]] == [b"first", b"small", b"second!", b"first", b"second!"]


@pytest.mark.parametrize("head", [b"", b"DDIREC", MAGIC + b"\2\0" + bytes(22), MAGIC + b"\1\0" + bytes(22)])
def test_what_is_no_recording_is_told_so(tmp_path: Path, head: bytes) -> None:
    path = tmp_path / "no.ddirec"
    path.write_bytes(head)
    with pytest.raises(BadInput, match=r"no\.ddirec"):
        inspector.open(path)


@pytest.mark.parametrize("seed", range(12))
def test_spoilt_arguments_answer(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checksums are right, everything else may be wrong: what is asked of the capture answers or says why not."""
    from inspector.imports import cache

    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    chooser, path = random.Random(seed), tmp_path / "spoilt.ddirec"
    pieces = [pack_header()]
    for number, record in enumerate(some_records() * 3):
        payload = bytearray(pack_record(number, record)[HEAD.size :])
        for _ in range(chooser.randrange(3) if number else 0):
            payload[chooser.randrange(4, len(payload))] = chooser.choice((0, 1, 255, chooser.randrange(256)))
        pieces.append(sealed(number, bytes(payload)))
    path.write_bytes(b"".join(pieces))
    with inspector.open(path) as capture:
        ask_everything(capture, chooser)


def test_a_draw_that_never_returned_is_kept_and_told() -> None:
    conversion = Conversion()
    record = Record("DrawPrimitives2", 0, 1, offset=123, args={"context": 1}, data={"commands": RENDER_STATE})
    assert list(conversion.convert(record)) == []
    (call,) = conversion.finish()
    assert call.data["commands"] == RENDER_STATE
    assert conversion.notices == ["The DrawPrimitives2 recorded at byte 123 never returned."]
