"""Columns only grow: what was handed out stays, in memory and in a file, and on a disk that is full."""

from __future__ import annotations

import tempfile
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from inspector.tape import columns
from inspector.tape.columns import Column, Long


@pytest.mark.parametrize("in_memory", [1 << 20, 64, 0])
def test_views_stay_as_they_are(in_memory: int) -> None:
    column, views = Column(np.int32, in_memory), []
    for n in range(40):
        column.append(np.arange(n * 100, (n + 1) * 100))
        views.append(column.view())
    for n, view in enumerate(views):
        assert np.array_equal(view, np.arange((n + 1) * 100))
    assert len(column) == 4000


def test_records_and_nothing_at_all() -> None:
    column = Column([("a", "u1"), ("b", "<u4")], 0)
    assert len(column.view()) == 0
    rows = np.array([(1, 2), (3, 4)], column.dtype)
    column.append(rows[:0])
    column.append(rows)
    assert column.view().tolist() == [(1, 2), (3, 4)]


class _Full:
    """A file on a disk with room for so many writes."""

    def __init__(self, file: Any, writes: int) -> None:
        self._file, self._left = file, writes

    def write(self, data: Any) -> int:
        self._left -= 1
        if self._left < 0:
            raise OSError(28, "No space left on device")
        return int(self._file.write(data))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@pytest.mark.parametrize("writes", [0, 1, 5])
def test_a_full_disk_leaves_the_column_in_memory(writes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = SimpleNamespace(TemporaryFile=lambda **where: _Full(tempfile.TemporaryFile(), writes))  # noqa: SIM115
    monkeypatch.setattr(columns, "tempfile", made)
    column = Column(np.int64, 80)
    early = []
    for n in range(20):
        column.append(np.full(7, n))
        early.append(column.view())
    assert np.array_equal(column.view(), np.repeat(np.arange(20), 7))
    assert all(np.array_equal(view, np.repeat(np.arange(n + 1), 7)) for n, view in enumerate(early))


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("in_memory", [1 << 20, 64, 0])
def test_zeros_that_become_more_keep_what_was_written(in_memory: int, full: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if full:
        monkeypatch.setattr(columns, "_lengthen", _no_room_beyond(100))
    long = Long(5, np.uint32, in_memory)
    for count in (10, 20, 5000):
        before = long.rows
        before[:] = np.arange(len(before)) + 1
        long.grow(count)
        assert np.array_equal(long.rows, np.where(np.arange(count) < len(before), np.arange(count) + 1, 0))
        assert np.array_equal(before, np.arange(len(before)) + 1)


def _no_room_beyond(most: int) -> Any:
    real = columns._lengthen

    def lengthen(file: Any, begin: int, end: int) -> None:
        if end > most:
            raise OSError(28, "No space left on device")
        real(file, begin, end)

    return lengthen


def test_zeros_have_their_place_on_the_disk_where_the_system_cannot_keep_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.posix_fallocate", raising=False)
    monkeypatch.setattr(columns, "BLOCK", 7)
    with tempfile.TemporaryFile() as file:
        columns._lengthen(file, 0, 10)
        columns._lengthen(file, 10, 31)
        file.seek(0)
        assert file.read() == bytes(31)
