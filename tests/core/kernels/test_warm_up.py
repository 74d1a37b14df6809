"""What is kept of compiled kernels: `core.kernels.warm_up.remove_old`."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.kernels import warm_up

WINDOWS = 4


def test_windows_that_begin_at_once_remove_what_is_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "KEPT_FOLDERS", 3)
    for age in range(60):
        folder = tmp_path / f"{age:02}"
        (folder / "draw" / "more").mkdir(parents=True)
        for place in ("draw", "draw/more"):
            (folder / place / "kernel.nbc").touch()
        os.utime(folder, (1e9 - age, 1e9 - age))
    (tmp_path / "removed-60" / "draw").mkdir(parents=True)  # by a window that was killed
    with ThreadPoolExecutor(WINDOWS) as windows:
        assert list(windows.map(warm_up.remove_old, [tmp_path] * WINDOWS)) == [None] * WINDOWS
    assert sorted(path.name for path in tmp_path.iterdir()) == ["00", "01", "02"]
    assert len(list(tmp_path.rglob("*.nbc"))) == 6, "what is used stays whole"
    warm_up.remove_old(tmp_path / "cleared")
