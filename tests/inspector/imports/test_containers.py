"""The four containers, whole and broken, in bounded memory."""

from __future__ import annotations

import zlib
from pathlib import Path

import brotli
import cramjam
import numpy as np
import pytest

from core.errors import BadInput, TraceError
from inspector.imports import containers, unbrotli
from inspector.imports.containers import PIECE, Container
from tests.inspector.imports.trace_file import CONTAINERS, brotli_stream, gzip, small_program, snappy, zstd

DATA = bytes(range(256)) * 5000 + b"the end"
KIND = {"snappy": "snappy", "gzip": "gzip", "zstd": "zstd", "zstd_seekable": "zstd", "brotli": "brotli"}


def unpack(path: Path) -> tuple[bytes, Container]:
    with Container(path) as container:
        return b"".join(container), container


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_whole_container_gives_its_bytes(name: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(CONTAINERS[name](DATA))
    data, container = unpack(path)
    assert (data, container.kind, container.cut) == (DATA, KIND[name], False)
    assert container.position == container.size


@pytest.mark.parametrize("name", CONTAINERS)
@pytest.mark.parametrize("share", [0.2, 0.6, 0.98])
def test_a_cut_container_gives_a_prefix_and_says_so(name: str, share: float, tmp_path: Path) -> None:
    packed = CONTAINERS[name](bytes(i * i % 251 for i in range(300_000)))
    path = tmp_path / "file"
    path.write_bytes(packed[: int(len(packed) * share)])
    data, container = unpack(path)
    assert container.cut
    assert bytes(i * i % 251 for i in range(len(data))) == data


def test_snappy_takes_no_memory_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """cramjam (Rust) ends the process where memory is refused; numpy raises.  In place where there is room for a block."""
    for name in "decompress_raw", "decompress":
        monkeypatch.delattr(cramjam.snappy, name)
    data, path = bytes(i * i % 251 for i in range(300_000)), tmp_path / "a.trace"
    path.write_bytes(snappy(data, 1 << 17))
    with Container(path) as container:
        assert b"".join(bytes(piece) for piece in container) == data
    with Container(path) as container:
        found, pieces = [], iter(container)
        for room in (np.zeros(1 << 18, np.uint8), np.zeros(1 << 10, np.uint8), np.zeros(1 << 18, np.uint8)):
            container.room = room
            found.append(next(pieces))
            assert isinstance(found[-1], np.ndarray) == (len(room) > 1 << 17) == np.shares_memory(np.asarray(found[-1]), room)
        assert b"".join(map(bytes, found)) == data


@pytest.mark.parametrize("name", ["snappy", "gzip", "zstd", "brotli"])
def test_no_piece_is_large(name: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(CONTAINERS[name](bytes(40 << 20)))
    with Container(path) as container:
        sizes = [len(piece) for piece in container]
    assert sum(sizes) == 40 << 20
    assert max(sizes) <= (1 << 20 if name == "snappy" else 2 * PIECE)


def test_two_gzip_members_are_one_stream(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(gzip(b"first ") + gzip(b"second"))
    assert unpack(path)[0] == b"first second"


def test_a_gzip_bomb_behind_its_input_is_read_to_the_end(tmp_path: Path) -> None:
    packer = zlib.compressobj(9, wbits=31)
    path = tmp_path / "file"
    path.write_bytes(packer.compress(bytes(3 << 20)) + packer.flush())
    assert len(unpack(path)[0]) == 3 << 20


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "the file is empty"),
        (b"hello, this is a letter and no trace at all", "not an apitrace trace"),
        (b"at\xff\xff\xff\x7fxx", "not an apitrace trace"),
        (b"at" + (5).to_bytes(4, "little") + b"\xff\xff\xff\xff\x0f", "not an apitrace trace"),
        (gzip(DATA)[:40] + b"\xff" * 60 + gzip(DATA)[100:], "gzip stream is damaged near byte"),
        (zstd(DATA)[:-100] + b"\xff" * 200, "zstd stream is damaged near byte"),
    ],
)
def test_wrong_bytes_are_told_in_one_sentence(content: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "file.trace"
    path.write_bytes(content)
    with pytest.raises(TraceError, match=sentence) as caught:
        unpack(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot open"):
        Container(tmp_path / "nothing.trace")


def test_a_damaged_block_in_the_middle_names_its_place(tmp_path: Path) -> None:
    packed = bytearray(snappy(bytes(i * i % 251 for i in range(600_000)), 1 << 18))
    packed[len(packed) // 2 : len(packed) // 2 + 200] = b"\xff" * 200
    path = tmp_path / "file.trace"
    path.write_bytes(packed)
    with pytest.raises(TraceError, match="snappy stream is damaged near byte"):
        unpack(path)


@pytest.fixture(params=["in place", "by the package"])
def _brotli_decoder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the two ways in which brotli is unpacked; the first is not there on every system."""
    if request.param == "by the package":
        monkeypatch.setattr(unbrotli, "_library", lambda: None)
    elif not unbrotli.Decoder.is_available():
        pytest.skip("the installed brotli exports no C decoder")


@pytest.mark.usefixtures("_brotli_decoder")
def test_brotli_in_either_way_is_read_whole_or_cut(tmp_path: Path) -> None:
    data = np.random.default_rng(2).bytes(700_000) + bytes(2_000_000)
    packed = brotli.compress(data, quality=1)
    path = tmp_path / "file"
    for size in (len(packed), 600_000, 1):
        path.write_bytes(packed[:size])
        found, container = unpack(path)
        assert container.cut is (size < len(packed)) and container.position == size
        assert data.startswith(found)
        assert len(found) == len(data) if size == len(packed) else size - PIECE < len(found) < len(data)


def test_brotli_is_unpacked_to_where_there_is_room(tmp_path: Path) -> None:
    if not unbrotli.Decoder.is_available():
        pytest.skip("the installed brotli exports no C decoder")
    path, room, found = tmp_path / "file", np.empty(1000, np.uint8), b""
    path.write_bytes(brotli_stream(DATA))
    with Container(path) as container:
        container.room = room
        for piece in container:
            assert np.shares_memory(piece, room) and len(piece) <= len(room)
            found += bytes(piece)
    assert found == DATA


@pytest.mark.usefixtures("_brotli_decoder")
@pytest.mark.parametrize("after", [b"\0", b"x", bytes(9), bytes(2_500_000)])
def test_bytes_after_a_brotli_stream_do_not_matter(tmp_path: Path, after: bytes) -> None:
    """Nor after streams of several chunks that decode to several pieces."""
    path = tmp_path / "file"
    noise = np.random.default_rng(1).bytes(1_500_000) + bytes(3_000_000)
    for data, stream in ((DATA, brotli_stream(DATA)), (noise, brotli.compress(noise, quality=1))):
        path.write_bytes(stream + after)
        found, container = unpack(path)
        assert found == data and not container.cut


@pytest.mark.usefixtures("_brotli_decoder")
def test_a_damaged_brotli_stream_is_still_refused(tmp_path: Path) -> None:
    data = b"".join(b"%d words " % (number * number % 9973) for number in range(40_000))
    stream = bytearray(brotli.compress(data, quality=5))
    stream[20_000:20_100] = b"\xff" * 100
    path = tmp_path / "file"
    path.write_bytes(stream)
    with pytest.raises(TraceError, match=r"damaged|not an apitrace trace"):
        unpack(path)


class Stopped(Exception):
    """What a look at Stop raises."""


NOTHING = 1 << 18
"""Frames, members and blocks without contents, after those of a trace."""
EMPTY = {
    "skippable zstd frames": (zstd, b"\x50\x2a\x4d\x18\0\0\0\0"),
    "empty zstd frames": (zstd, b"\x28\xb5\x2f\xfd\x20\0\x01\0\0"),
    "empty gzip members": (gzip, gzip(b"")),
    "bytes after the end of snappy blocks": (lambda data: snappy(data) + bytes(4), bytes(16)),
}


@pytest.mark.parametrize("what", EMPTY)
def test_stop_works_where_much_is_read_and_nothing_comes(what: str, tmp_path: Path) -> None:
    pack, nothing = EMPTY[what]
    path = tmp_path / "nothing.trace"
    path.write_bytes(pack(small_program().bytes()) + nothing * NOTHING)

    def look() -> None:
        raise Stopped

    with Container(path, look=look) as container, pytest.raises(Stopped):
        for _ in container:
            pass
        container.digest()
        pytest.fail("nobody looked")


def test_the_end_of_millions_of_empty_frames_is_not_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cut.trace"
    path.write_bytes(zstd(b"contents") + b"\x28\xb5\x2f\xfd\x20\0\x01\0\0" * 100 + b"\x28\xb5\x2f\xfd")
    for most, cut in ((1 << 22, True), (50, False)):
        monkeypatch.setattr(containers._Window, "MOST", most)
        with Container(path) as container:
            assert b"".join(container) == b"contents"
            assert container.cut is cut
