"""The order in which files of tests begin."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.conftest import LONG, ROOT, long_files, longest_first


def test_the_longest_begin_first_and_the_tests_of_a_file_stay_together() -> None:
    first, second, *_ = long_files()
    given = ["tests/a.py::one", f"{second}::one", "tests/a.py::two", f"{first}::one", f"{second}::two", "tests/b.py::one"]
    items: list[Any] = [SimpleNamespace(nodeid=nodeid) for nodeid in given]
    longest_first(items)
    assert [item.nodeid for item in items] == [given[place] for place in (3, 1, 4, 0, 2, 5)]


def test_long_files_are_there() -> None:
    """If one has gone: `pytest -n 2 --dist loadfile --no-loadscope-reorder --long-files`, when nothing else runs."""
    seconds = long_files()
    assert [file for file in seconds if not (ROOT / file).is_file()] == []
    assert min(seconds.values()) >= LONG
