"""cache: shows, clears and limits what is kept."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from core import folders
from inspector.cli import main


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder with three captures of 1000 bytes, oldest first, and a kernel."""
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    for n in range(3):
        path = folders.user_folder("captures") / f"{n}.ddicap"
        path.write_bytes(bytes(1000))
        os.utime(path, (1000 + n, 1000 + n))
    inner = folders.user_folder("kernels") / "digest"
    inner.mkdir()
    (inner / "code").write_bytes(bytes(5))
    return tmp_path / "cache"


def kinds(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, dict]:
    assert main(["cache", *words, "--json"]) == 0
    return {row["kind"]: row for row in json.loads(capsys.readouterr().out)["kinds"]}


def test_it_counts_files_and_bytes(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = kinds(capsys)
    assert (found["captures"]["files"], found["captures"]["bytes"], found["captures"]["limit"]) == (3, 3000, 8 << 30)
    assert (found["kernels"]["files"], found["kernels"]["bytes"], found["kernels"]["limit"]) == (1, 5, None)
    assert main(["cache"]) == 0
    assert capsys.readouterr().out.startswith(f"{root}\n")


def test_a_limit_is_kept_and_removes_the_oldest(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kinds(capsys, "--limit", "captures=2KB", "derived=0")["captures"]["bytes"] == 2000
    assert sorted(path.name for path in (root / "captures").iterdir()) == ["1.ddicap", "2.ddicap"]
    assert (folders.limit("captures"), folders.limit("derived")) == (2048, 0)
    assert kinds(capsys)["captures"]["limit"] == 2048


def test_one_kind_or_all_are_cleared(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = kinds(capsys, "--clear", "captures")
    assert (found["captures"]["files"], found["kernels"]["files"]) == (0, 1)
    assert kinds(capsys, "--clear")["kernels"]["files"] == 0


@pytest.mark.parametrize(
    "text", ["captures=", "captures=x", "captures=-1GB", "captures=1XB", "captures=nanMB", "logs=1GB", "captures"]
)
def test_what_is_no_limit_is_refused(text: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "--limit", text]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (root / folders.LIMITS).exists()


@pytest.mark.parametrize("text", ["", "[]", '{"captures": "many"}', '{"captures": true, "other": 3}'])
def test_limits_that_cannot_be_read_are_the_defaults(text: str, root: Path) -> None:
    (root / folders.LIMITS).write_text(text)
    assert folders.limit("captures") == folders.DEFAULT_LIMITS["captures"]
