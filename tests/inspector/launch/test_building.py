"""Our DLL where an installation has none: built once for one text of its sources, by a compiler that is there."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import BadInput
from inspector.launch import building, tracer
from resources.tracer import build


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The builds, by bits: a compiler is there, and what it makes is small."""
    done: list[int] = []

    def make(folder: Path, bits: int) -> Path:
        done.append(bits)
        path = folder / f"win{bits}" / "d3d8.dll"
        path.parent.mkdir(parents=True)
        path.write_bytes(b"%d" % bits)
        return path

    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(build, "build", make)
    monkeypatch.setattr("inspector.launch.building.shutil.which", lambda name: name)
    return done


def test_it_is_built_once(made: list[int]) -> None:
    paths = [building.built(bits) for bits in (32, 64, 32, 64)]
    assert [path.read_bytes() for path in paths if path] == [b"32", b"64", b"32", b"64"] and made == [32, 64]
    assert paths[:2] == paths[2:]
    assert {path.name for path in paths[0].parents[1].parent.iterdir()} == {paths[0].parents[1].name}  # type: ignore[union-attr]


def test_another_text_is_built_again(made: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(build.HERE, tmp_path / "sources", ignore=shutil.ignore_patterns("win*", "__pycache__"))
    monkeypatch.setattr(build, "HERE", tmp_path / "sources")
    building.built(32)
    with (tmp_path / "sources" / "trace.c").open("a") as file:
        file.write("/* more */")
    building.built(32)
    assert made == [32, 32]


def test_a_compiler_that_fails_is_named_and_leaves_nothing(made: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(folder: Path, bits: int) -> Path:
        raise subprocess.CalledProcessError(1, "gcc")

    monkeypatch.setattr(build, "build", fail)
    with pytest.raises(BadInput, match=r"i686-w64-mingw32-gcc did not build our d3d8\.dll"):
        building.built(32)
    monkeypatch.undo()
    assert building.user_folder(building.KIND).exists()


def test_a_compiler_that_does_not_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build.shutil, "which", lambda name: sys.executable)
    monkeypatch.setattr(build, "OPTIONS", ("-c", "import time; time.sleep(600)"))
    monkeypatch.setattr(build, "PATIENCE", 0.5)
    with pytest.raises(BadInput, match=r"i686-w64-mingw32-gcc did not end within 0\.5 s"):
        building.built(32)


def test_an_installation_without_it_has_it_built(made: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(tracer.VARIABLE, raising=False)
    monkeypatch.setattr(tracer, "our_place", lambda bits, name: tmp_path / name)
    monkeypatch.setattr("inspector.launch.tracer.shutil.which", lambda name: None if name == "apitrace" else name)
    told: list[str] = []
    first = tracer.find_dll(32, say=lambda sentence: told.append(f"{sentence}; {len(made)} made"))
    assert told == ["building the 32-bit recording DLL; this happens once and takes some seconds; 0 made"]
    assert first == tracer.find_dll(32, kind=tracer.OURS, say=told.append) == building.built(32, told.append)
    assert made == [32] and len(told) == 1


def test_without_a_compiler_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert building.built(32) is None
    assert build.main([str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 2 and "no 32-bit d3d8.dll: i686-w64-mingw32-gcc was not found (Debian: gcc-mingw-w64)" in told
