"""A trace is imported once: the cache of imported traces."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import xxhash

from core import folders
from core.errors import BadInput, Cancelled
from inspector import imports
from inspector.imports import cache, hashed, presents, recording, report
from inspector.tape import Tape, TapeWriter
from inspector.tape.side import SideCache
from tests.inspector.imports import trace_file as t
from tests.inspector.imports.test_recording import packed
from tests.inspector.tape.calls import plain


@pytest.fixture
def cache_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "captures"


def test_a_trace_is_imported_once(tmp_path: Path, cache_root: Path) -> None:
    path = tmp_path / "a.trace"
    path.write_bytes(t.snappy(t.small_program().bytes()))
    told: list[float] = []
    with imports.open_tape(path, lambda fraction, text: told.append(fraction)) as tape:
        first = [plain(call) for call in tape.calls]
        assert tape.meta["source_file"] == "a.trace"
    assert told
    told.clear()
    with imports.open_tape(path, lambda fraction, text: told.append(fraction)) as tape:
        assert [plain(call) for call in tape.calls] == first
    assert set(told) == {0.0}  # it is looked at, and not read
    assert len(list(cache_root.iterdir())) == 1


def test_a_file_is_hashed_once(tmp_path: Path, cache_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.trace"
    path.write_bytes(t.snappy(t.small_program().bytes()))
    hashed: list[Path] = []

    def digest(path: Path, *_: object) -> str:
        hashed.append(path)
        return report.file_digest(path)

    for module in (cache, recording):
        monkeypatch.setattr(module, "file_digest", digest)
    with imports.open_tape(path) as tape:
        assert tape.meta["source_digest"] == report.file_digest(path)
    assert hashed == [path]


def test_a_file_that_grows_while_it_is_imported_is_not_kept(
    tmp_path: Path, cache_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its tape has more calls than the file had that was hashed."""
    path, short, long = tmp_path / "a.trace", t.snappy(t.small_program(1).bytes()), t.snappy(t.small_program(3).bytes())

    def grow(trace: Path, *rest: Any, **more: Any) -> Any:
        trace.write_bytes(long)
        return imports.import_file(trace, *rest, **more)

    path.write_bytes(short)
    with monkeypatch.context() as patch:
        patch.setattr(cache, "import_file", grow)
        patch.setattr(folders, "ABANDONED", -1.0)
        with imports.open_tape(path) as tape:
            calls = len(tape.calls)
            folders.remove_abandoned(cache_root, "*.part*")
            assert tape.path.exists()
    assert not list(cache_root.iterdir())
    path.write_bytes(short)
    with imports.open_tape(path) as tape:
        assert len(tape.calls) < calls


def test_hashing_can_be_stopped(tmp_path: Path, cache_root: Path) -> None:
    path = tmp_path / "a.trace"
    path.write_bytes(bytes(3 * report.BLOCK))
    asked: list[int] = []

    def cancel() -> bool:
        asked.append(1)
        return len(asked) == 2

    with pytest.raises(Cancelled):
        imports.open_tape(path, None, cancel)
    assert len(asked) == 2 and not cache_root.exists()


def test_a_damaged_cache_entry_is_made_again(tmp_path: Path, cache_root: Path) -> None:
    path = tmp_path / "a.trace"
    path.write_bytes(t.snappy(t.small_program().bytes()))
    imports.open_tape(path).close()
    (kept,) = cache_root.iterdir()
    kept.write_bytes(kept.read_bytes()[: kept.stat().st_size // 2])
    with imports.open_tape(path) as tape:
        assert len(tape.calls) > 3


def test_lost_data_of_a_cached_import_are_made_again(tmp_path: Path, cache_root: Path) -> None:
    """A flipped byte within a blob is not seen before the blob is read."""
    path, program, payload = tmp_path / "a.trace", t.small_program(), bytes(i * 7 & 255 for i in range(7000))
    number = program.call("memcpy", {"dest": t.Pointer(0x9000), "src": payload, "n": len(payload)}, flags=1)
    path.write_bytes(t.snappy(program.bytes()))

    def read(tape: Tape) -> bytes:
        return tape.source_blob(tape.source(number)["src"])

    with imports.open_tape(path) as tape:
        assert read(tape) == payload
        derived = SideCache(tape.known_as)
        derived.write(lambda connection: None)
    (kept,) = cache_root.iterdir()
    with closing(sqlite3.connect(kept)) as connection, connection:
        ((data,),) = connection.execute("SELECT data FROM blob")
        connection.execute("UPDATE blob SET data = ?", (data[:-1] + bytes([data[-1] ^ 1]),))
    with imports.open_tape(path) as tape:
        assert not any(read(tape))
        assert "Open the file again" in tape.notices[-1]
    assert not kept.exists()
    assert derived.path is not None and not derived.path.exists()  # it may hold what was drawn without the data
    with imports.open_tape(path) as tape:
        assert read(tape) == payload and "Open the file again" not in "".join(tape.notices)


def test_a_cancelled_import_leaves_nothing(tmp_path: Path, cache_root: Path) -> None:
    path = tmp_path / "a.trace"
    path.write_bytes(t.snappy(t.small_program().bytes()))
    with pytest.raises(Cancelled):
        answers = iter([True])  # while it is hashed; then it is imported
        imports.open_tape(path, lambda fraction, text: next(answers, False))
    assert list(cache_root.iterdir()) == []


def test_a_file_that_another_window_holds_open_serves(
    tmp_path: Path, cache_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.trace"
    path.write_bytes(t.snappy(t.small_program().bytes()))
    imports.open_tape(path).close()
    place = cache.look_up(path)
    assert place.tape is not None
    place.tape.close()

    def held(*_: object) -> None:
        raise PermissionError(13, "in use")

    monkeypatch.setattr(cache.os, "replace", held)
    cache._import(path, place, None, None).close()
    cache.kept_as(cache_root, place.digest).unlink()
    with pytest.raises(BadInput, match="in use"):
        imports.open_tape(path)
    assert list(cache_root.iterdir()) == []


def test_the_cache_is_bounded(tmp_path: Path, cache_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "limit", {"captures": 1}.get)
    for frames in (1, 2):
        path = tmp_path / f"{frames}.trace"
        path.write_bytes(t.snappy(t.small_program(frames).bytes()))
        imports.open_tape(path).close()
    assert len(list(cache_root.iterdir())) == 1


@pytest.mark.parametrize("pack", [t.snappy, t.gzip, t.zstd, t.zstd_seekable, t.brotli_stream])
def test_a_large_file_is_hashed_in_passing(
    pack: Any, tmp_path: Path, cache_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.trace"
    path.write_bytes(pack(t.small_program().bytes()) + b"what follows the stream" * (pack is t.gzip))
    digest = report.file_digest(path)
    monkeypatch.setattr(cache, "LARGE", 0)
    monkeypatch.setattr(cache, "file_digest", lambda *_: pytest.fail("hashed before it was read"))
    assert cache.look_up(path)[:3] == ("", cache_root, None)
    with imports.open_tape(path) as tape:
        assert tape.meta["source_digest"] == digest
    found = cache.look_up(path)
    assert found.digest == digest and found.tape is not None
    found.tape.close()


class Unused:
    """Hashes nothing."""

    def update(self, data: bytes) -> None:
        pytest.fail("hashed")


def test_what_is_known_or_not_asked_for_is_not_hashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.trace"
    path.write_bytes(t.snappy(t.small_program().bytes()))
    monkeypatch.setattr(hashed, "FileHash", Unused)
    with TapeWriter(tmp_path / "a.ddicap", durable=False) as writer:
        assert imports.import_file(path, writer, digest="known").digest == "known"
    frames = presents.frames_of(path)
    assert frames is not None and len(frames)


@pytest.mark.parametrize("spoilt", ["whole", "cut", "with more behind it"])
def test_a_large_recording_is_read_once(spoilt: str, tmp_path: Path, cache_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its digest is made in passing, of all of it, also where it breaks off."""
    path = tmp_path / "a.ddirec"
    data = b"".join(packed())
    path.write_bytes({"whole": data, "cut": data[:-3], "with more behind it": data + bytes(3_000_000)}[spoilt])
    monkeypatch.setattr(cache, "LARGE", 1)
    monkeypatch.setattr(recording, "file_digest", None)
    with imports.open_tape(path) as tape:
        assert tape.meta["source_digest"] == report.file_digest(path)
    monkeypatch.setattr(cache, "import_file", None)
    imports.open_tape(path).close()


def test_nobody_can_make_a_second_file_with_the_same_digest(tmp_path: Path) -> None:
    """As is done to xxh3 by hand: half of a lane equals half of its secret, so that the other half is only summed."""

    def made(first: int, second: int) -> bytes:
        data = bytearray(1 << 12)
        data[0:8] = bytes.fromhex("b8fe6c39") + first.to_bytes(4, "little")
        data[64:72] = bytes.fromhex("7c01812c") + second.to_bytes(4, "little")
        return bytes(data)

    genuine, forged = made(5, 9), made(6, 8)
    assert genuine != forged and xxhash.xxh3_128_digest(genuine) == xxhash.xxh3_128_digest(forged)
    digests = set()
    for data in (genuine, forged):
        path = tmp_path / "a.trace"
        path.write_bytes(data)
        digests.add(report.file_digest(path))
        with path.open("rb") as file:
            assert hashed.HashedFile(file).digest() in digests
    assert len(digests) == 2


def test_a_large_file_that_changed_is_read_again(tmp_path: Path, cache_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LARGE", 0)
    path = tmp_path / "a.trace"
    path.write_bytes(t.snappy(t.small_program(1).bytes()))
    imports.open_tape(path).close()
    path.write_bytes(t.snappy(t.small_program(2).bytes()))
    with imports.open_tape(path) as tape:
        assert sum(call.entry in ("Blt", "Flip") for call in tape.calls) == 2
    (cache_root / cache.DIGESTS).write_text("[1, 2", encoding="utf-8")  # damaged: read again, and told nobody
    with imports.open_tape(path) as tape:
        assert tape.meta["closed"]
