"""Frames of columns: stored ones hold what was put in at any size; damage is found out, by the frame or by the row's digest."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import numpy as np
import pytest
import zstandard

from core.ddi.calls import DdiCall
from core.errors import TapeError
from inspector.tape import Tape, TapeWriter
from inspector.tape.packing import (
    LARGEST_BLOCK,
    UNPACKED_LIMIT,
    compress_quickly,
    decompress,
    decompress_in_pieces,
    shrunk,
    store,
    uncompressed,
)
from inspector.tape.sources import Room, SourceColumns

SIZES = (0, 1, 2, 511, 512, 513, *(LARGEST_BLOCK * n + more for n in (1, 2) for more in (-1, 0, 1)))


@pytest.mark.parametrize("size", SIZES)
def test_any_decoder_reads_what_is_stored(size: int) -> None:
    for data in (bytes(size), random.Random(size).randbytes(size)):
        for frame in (store(data), uncompressed(memoryview(data)), compress_quickly(data)):
            assert zstandard.ZstdDecompressor().decompress(frame) == data == decompress(frame) == decompress(shrunk(frame))
            assert zstandard.get_frame_parameters(frame).content_size == size
            assert not size or decompress_in_pieces(frame, np.dtype("u1")).tobytes() == data


def test_damage_of_a_stored_frame_is_found_out_or_in_what_it_holds() -> None:
    """What it holds has a digest in its row; the frame around it has none."""
    data = random.Random(1).randbytes(2 * LARGEST_BLOCK + 100)
    frame = uncompressed(memoryview(data))
    heads = [*range(12), *(12 + LARGEST_BLOCK + n for n in range(3)), *(15 + 2 * LARGEST_BLOCK + n for n in range(3))]
    for place, bit in ((place, bit) for place in heads for bit in range(8)):
        damaged = frame[:place] + bytes((frame[place] ^ 1 << bit,)) + frame[place + 1 :]
        try:
            assert len(decompress(damaged)) == len(data), (place, bit)  # one byte repeated, for one: another digest
        except TapeError:
            assert shrunk(damaged) is damaged
    for cut in (*range(16), LARGEST_BLOCK, len(frame) - 1):
        with pytest.raises(TapeError):
            decompress(frame[:cut])
    for claimed in (UNPACKED_LIMIT + 1, 0xFFFFFFFF):
        with pytest.raises(TapeError, match=f"claims {claimed} bytes"):
            decompress(frame[:5] + claimed.to_bytes(4, "little") + frame[9:])


def test_columns_are_packed_over_longer_and_shorter_ones() -> None:
    """As the writer packs them; what was packed before shows nowhere."""
    random_numbers, room = np.random.default_rng(3), Room()
    for calls, values, heap in ((3, 7, 5), (50, 200, 1001), (1, 0, 0), (0, 0, 0), (50, 201, 999)):
        sizes = (calls,) * 5 + (values,) * 3 + (heap,)
        kinds = ("<u2", "u1", "u1", "u1", "<i8", "u1", "<u2", "<u8", "u1")
        given = SourceColumns(
            *(random_numbers.integers(0, 100, size).astype(kind) for size, kind in zip(sizes, kinds, strict=True))
        )
        packed = room.packed(given)
        assert packed.tobytes() == given.pack()
        for column, found in zip(given, SourceColumns.unpack(packed.tobytes()), strict=True):
            assert np.array_equal(column, found)


@pytest.mark.parametrize(
    ("quick", "table", "column"),
    [(q, *of) for q in (False, True) for of in (("source", "data"), ("batch", "head"), ("batch", "body"))],
)
def test_no_flipped_bit_of_columns_is_believed(tmp_path: Path, quick: bool, table: str, column: str) -> None:
    path = tmp_path / "a.ddicap"
    with TapeWriter(path, durable=False, quick=quick) as writer:
        for i in range(40):
            writer.append_source("IDirect3DDevice8::SetRenderState", {"State": i, "Value": 1000 - 7 * i})
            writer.append(DdiCall("Lock", {"handle": i}, source=i))
    with sqlite3.connect(path) as file:
        whole = file.execute(f"SELECT {column} FROM {table}").fetchone()[0]
    for place in random.Random(4).sample(range(len(whole)), 12):
        spoilt = bytearray(whole)
        spoilt[place] ^= 1 << place % 8
        with sqlite3.connect(path) as file:
            file.execute(f"UPDATE {table} SET {column} = ?", (bytes(spoilt),))
        file.close()
        try:
            with Tape(path) as tape:
                assert tape.damaged or tape.source(0).name == "(damaged)", place
        except TapeError:
            pass


@pytest.mark.parametrize(("place", "bits"), [(9, 1), (12, 1), (12 + LARGEST_BLOCK, 1), (12 + LARGEST_BLOCK, 2), (-1, 255)])
def test_a_flipped_byte_of_stored_data_is_found_out_by_its_digest(tmp_path: Path, place: int, bits: int) -> None:
    path, data = tmp_path / "a.ddicap", random.Random(2).randbytes(LARGEST_BLOCK + 5000)
    with TapeWriter(path, durable=False) as writer:
        writer.append(DdiCall("Unlock", {"handle": 1}, {"contents": data}))
    with sqlite3.connect(path) as file:
        frame = bytearray(uncompressed(memoryview(data)))
        frame[place] ^= bits
        file.execute("UPDATE blob SET data = ?", (bytes(frame),))
    file.close()
    with Tape(path) as tape:
        assert bytes(tape.calls[0].data["contents"]) == bytes(len(data))
        assert tape.damaged and any(f"{len(data)} bytes of data" in notice for notice in tape.notices)
