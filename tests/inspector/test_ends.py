"""The ends of frames: what is shown of them a second time is what executing the frame shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest

import inspector
from inspector import shelf
from inspector.ends import ROLES
from inspector.shelf import Shelf
from inspector.timeline.budgets import Budgets
from tests.inspector.conftest import ROOM


@pytest.fixture
def fresh() -> Iterator[inspector.Capture]:
    """The room, of which nothing was seen yet."""
    with inspector.open(ROOM) as capture:
        yield capture


def prepared(capture: inspector.Capture) -> inspector.Capture:
    while capture.prepare() < 1:
        pass
    return capture


def test_a_picture_that_is_kept_is_the_one_that_is_drawn(
    room: inspector.Capture, fresh: inspector.Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared(fresh)
    monkeypatch.setattr(fresh.replay, "moment", None)  # nothing is executed from here on
    for frame in room.frames:
        event = room.picture_event(frame)
        moment = room.moment(event)
        rgba, stored, form = moment.both("render_target")
        seen = fresh.look(event)
        assert np.array_equal(seen[0], rgba) and np.array_equal(seen[1], stored) and seen[2] == form
        assert fresh.surfaces(event) == room.surfaces(event)
        assert [fresh.resolve(event, role) for role in ROLES] == [room.resolve(event, role) for role in ROLES]


def test_what_was_seen_once_is_not_drawn_again(fresh: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    event = fresh.picture_event(fresh.frames[3])
    first, depth = fresh.look(event), fresh.look(event, "depth")
    monkeypatch.setattr(fresh.replay, "moment", None)
    for again, before in ((fresh.look(event), first), (fresh.look(event, "depth"), depth)):
        assert again[0].tobytes() == before[0].tobytes() and again[1].tobytes() == before[1].tobytes()
    with pytest.raises(TypeError):
        fresh.look(event, "back_buffer")


def test_within_frames_nothing_is_kept(fresh: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = int(fresh.draws[len(fresh.draws) // 2])
    fresh.look(draw)
    fresh.look(fresh.frames[2].last_event, primitive=0)
    monkeypatch.setattr(fresh.replay, "moment", None)
    for event in (draw, fresh.frames[2].last_event):
        with pytest.raises(TypeError):
            fresh.look(event)


def test_what_was_kept_may_be_changed_by_who_has_it(fresh: inspector.Capture) -> None:
    event = fresh.picture_event(fresh.frames[1])
    before = fresh.look(event)[1].copy()
    fresh.look(event)[1][:] = 7
    assert np.array_equal(fresh.look(event)[1], before)


def test_without_room_on_disk_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    with inspector.open(ROOM, budgets=Budgets(disk=0)) as capture:
        prepared(capture)
        event = capture.frames[1].last_event
        capture.look(event)
        monkeypatch.setattr(capture.replay, "moment", None)
        with pytest.raises(TypeError):
            capture.look(event)


def test_an_edited_capture_has_pictures_of_its_own(fresh: inspector.Capture) -> None:
    from inspector.query.what_if.edits import Disable

    event = fresh.picture_event(fresh.frames[3])
    whole = fresh.look(event)[0]
    edited = fresh.edited([Disable(int(draw), int(draw)) for draw in fresh.draws])
    assert not np.array_equal(edited.look(event)[0], whole)
    assert np.array_equal(fresh.look(event)[0], whole)


# ---- the shelf


def some(number: int, size: int = 1000) -> np.ndarray:
    return np.random.default_rng(number).integers(0, 256, size, np.uint8)


def test_a_shelf_gives_back_what_was_put_on_it(tmp_path: Path) -> None:
    kept = Shelf(lambda: tmp_path, 100_000)
    arrays = [some(n, 1000 + n) for n in range(20)] + [some(1, 4000).view(np.float32).reshape(10, 100)]
    names = [kept.put(array) for array in arrays]
    for name, array in zip(names, arrays, strict=True):
        found = kept.get(name)
        assert found is not None and found.tobytes() == array.tobytes()
    assert list(tmp_path.iterdir()) == []  # the file has no name


def test_equal_contents_are_stored_once(tmp_path: Path) -> None:
    kept = Shelf(lambda: tmp_path, 100_000)
    assert kept.put(some(1)) == kept.put(some(1)) != kept.put(some(2))
    assert kept.size == 2000


def test_a_full_shelf_forgets_what_was_not_read_for_longest(tmp_path: Path) -> None:
    kept = Shelf(lambda: tmp_path, 10_000)
    names = [kept.put(some(n)) for n in range(10)]
    assert kept.get(names[0]) is not None
    names += [kept.put(some(n)) for n in range(10, 15)]
    assert kept.size <= 10_000
    there = [n for n, name in enumerate(names) if kept.get(name) is not None]
    assert there == [0, 6, 7, 8, 9, 10, 11, 12, 13, 14]
    assert all((found := kept.get(names[n])) is not None and np.array_equal(found, some(n)) for n in there)


def test_the_room_holds_for_things_of_any_size(tmp_path: Path) -> None:
    kept, sizes = Shelf(lambda: tmp_path, 10_000), np.random.default_rng(5).integers(1, 2000, 300)
    names: dict[bytes, np.ndarray] = {}
    for number, size in enumerate(sizes.tolist()):
        array = some(number, size)
        name = kept.put(array)
        assert (name != b"") == (size <= 1250) and kept.size <= 10_000
        names[name] = array
        for other, there in names.items():
            found = kept.get(other)
            assert found is None or np.array_equal(found, there)


def test_contents_with_the_same_digest_are_not_mixed_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf.xxhash, "xxh3_128_digest", lambda data: bytes(16))
    kept = Shelf(lambda: tmp_path, 100_000)
    name = kept.put(some(1))
    assert kept.put(some(2)) == b""
    found = kept.get(name)
    assert found is not None and np.array_equal(found, some(1))


def test_a_full_disk_only_ends_the_keeping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Shelf(lambda: tmp_path, 100_000)
    name = kept.put(some(1))

    class Full:
        def __init__(self, file: IO[bytes]) -> None:
            self._file = file

        def __getattr__(self, name: str) -> Any:
            return getattr(self._file, name)

        def write(self, data: Any) -> int:
            raise OSError(28, "No space left on device")

    assert kept._file is not None
    kept._file = Full(kept._file)  # type: ignore[assignment]
    assert kept.put(some(2)) == b"" and kept.put(some(3)) == b""
    found = kept.get(name)
    assert found is not None and np.array_equal(found, some(1))
    assert Shelf(lambda: tmp_path / "there is none", 100_000).put(some(1)) == b""
