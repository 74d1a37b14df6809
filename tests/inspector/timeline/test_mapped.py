"""Arrays in a mapped file: the same values, one of equal ones, and no more room than they may have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from inspector.timeline import mapped
from inspector.timeline.held import Held
from inspector.timeline.mapped import CHUNK, LEAST, Mapped, forget_pages, is_mapped


def numbers(seed: int, size: int = 4 * LEAST) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 1 << 32, size // 4, np.uint32)


@pytest.fixture
def file(tmp_path: Path) -> Mapped:
    return Mapped(lambda: tmp_path, 2 * CHUNK)


def test_values_stay_and_take_no_memory_that_is_counted(file: Mapped) -> None:
    kept = [numbers(seed, (seed + 1) * LEAST).reshape(2, -1) for seed in range(4)]
    held = Held()
    found = [file.put(array) for array in kept]
    held.hold("mapped", found)
    assert held.size == 0
    held.drop("mapped")
    forget_pages()
    for array, copy in zip(kept, found, strict=True):
        assert is_mapped(copy) and not is_mapped(array)
        assert copy.flags.writeable, "kernels take no others"
        assert copy.dtype == array.dtype and np.array_equal(copy, array)


def test_equal_arrays_are_one(file: Mapped) -> None:
    one, other, less = file.put(numbers(1)), file.put(numbers(1)), file.put(numbers(2))
    assert np.shares_memory(one, other) and not np.shares_memory(one, less)
    assert file.put(one) is one
    assert file.put(small := np.zeros(LEAST - 1, np.uint8)) is small


def test_two_arrays_of_one_digest_stay_two(file: Mapped, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped.xxhash, "xxh3_128_digest", lambda data: b"the same")
    one, other = file.put(numbers(1)), file.put(numbers(2))
    assert np.array_equal(one, numbers(1)) and np.array_equal(other, numbers(2))


def test_the_place_of_what_is_gone_is_used_again(file: Mapped) -> None:
    stays = file.put(numbers(0))
    for seed in range(1, 3 * CHUNK // (4 * LEAST)):
        assert is_mapped(file.put(numbers(seed)))
    assert file.size == CHUNK
    assert np.array_equal(stays, numbers(0))


@pytest.mark.parametrize("room", [0, CHUNK])
def test_without_room_arrays_stay_what_they_are(tmp_path: Path, room: int) -> None:
    file, array = Mapped(lambda: tmp_path, room), np.zeros(CHUNK + 1, np.uint8)
    assert file.put(array) is array
    assert is_mapped(file.put(array[: CHUNK // 2])) is bool(room)


def test_without_a_disk_arrays_stay_what_they_are(tmp_path: Path) -> None:
    file, array = Mapped(lambda: tmp_path / "missing", CHUNK), numbers(1)
    assert file.put(array) is array


def test_a_closed_file_stays_for_the_arrays_in_it(file: Mapped) -> None:
    kept = file.put(numbers(1))
    file.close()
    assert is_mapped(kept) and np.array_equal(kept, numbers(1))
    later = numbers(2)
    assert file.put(later) is later
