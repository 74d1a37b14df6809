"""What a program is, read from files that mingw built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import BadInput
from inspector.cli import main
from inspector.launch import tracer
from inspector.launch.program import bits_of, read_program
from tests.inspector.launch.built import COMPILERS, build


@pytest.fixture(scope="module")
def built(tool: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """32-bit."""
    return build(tmp_path_factory.mktemp("built"), tool(COMPILERS[32]))


def test_bits_and_interfaces_are_read(built: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    found = read_program(built[0])
    assert (found.bits, found.imports, found.uses_direct3d8) == (32, ("Direct3D 8",), True)
    assert bits_of(built[1]) == 32
    assert main(["record", "--inspect", str(built[0])]) == 0
    assert capsys.readouterr().out == "program.exe: 32-bit, loads Direct3D 8\n"


def test_what_is_loaded_later_is_mentioned(built: tuple[Path, Path], tmp_path: Path) -> None:
    data = built[0].read_bytes()
    other = tmp_path / "other.exe"
    other.write_bytes(data.replace(b"d3d8.dll", b"D3D9.DLL") + "ddraw.dll".encode("utf-16-le"))
    found = read_program(other)
    assert (found.imports, found.mentions, found.uses_direct3d8) == (("Direct3D 9",), ("DirectDraw",), False)
    assert found.library == ""  # it only asks for the video memory
    older = data.replace(b"d3d8.dll\0", b"ddraw.dll")
    other.write_bytes(older)
    assert (read_program(other).imports, read_program(other).library) == (("DirectDraw",), "ddraw.dll")
    other.write_bytes(data.replace(b"d3d8.dll", b"mine.dll"))
    assert read_program(other).text().endswith("names no graphics interface (a DLL of its own may)")
    assert read_program(other).uses_direct3d8


@pytest.mark.parametrize("data", [b"", b"MZ", b"\x7fELF" + bytes(200), b"MZ" + bytes(58) + b"\x40\0\0\0PE\0\0" + bytes(20)])
def test_what_is_no_program_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.exe"
    path.write_bytes(data)
    with pytest.raises(BadInput, match=r"game\.exe: "):
        read_program(path)


def test_another_interface_is_not_recorded(
    built: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.exe"
    other.write_bytes(built[0].read_bytes().replace(b"d3d8.dll", b"d3d9.dll"))
    assert main(["record", str(other)]) == 2
    assert "loads Direct3D 9; only Direct3D 8, DirectDraw and Direct3D 7 are recorded" in capsys.readouterr().err


def test_apitrace_is_found_by_its_folder(built: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unpacked = tmp_path / "apitrace-12.0-win32"
    dll = unpacked / "lib" / "wrappers" / "d3d8.dll"
    dll.parent.mkdir(parents=True)
    dll.write_bytes(built[1].read_bytes())
    for place in (tmp_path, unpacked, dll):
        assert tracer.find_dll(32, place) == dll
    monkeypatch.setenv(tracer.VARIABLE, str(unpacked))
    monkeypatch.setattr(tracer, "built", lambda bits, say: None)
    monkeypatch.setattr(tracer, "our_place", lambda bits, name: tmp_path / f"win{bits}" / name)
    assert tracer.find_dll(32) == dll
    assert "older than 13.0" in tracer.warning(dll) and not tracer.warning(built[1])
    with pytest.raises(
        BadInput, match=r"is 32-bit and the program 64-bit; .*win64 download has the other, or install mingw-w64 "
    ):
        tracer.find_dll(64)
    ours = tmp_path / "win64" / "d3d8.dll"
    ours.parent.mkdir()
    ours.touch()
    assert tracer.find_dll(64) == ours
    with pytest.raises(BadInput, match=r"is 32-bit and the program 64-bit; apitrace's win64 download has the other$"):
        tracer.find_dll(64, kind=tracer.APITRACE)


def test_a_dll_that_is_named_is_of_the_kind_that_is_asked_for(built: tuple[Path, Path], tmp_path: Path) -> None:
    theirs, ours = built[1], tmp_path / "d3d8.dll"
    ours.write_bytes(theirs.read_bytes() + tracer.MARK)
    for kind, right, wrong, says in (
        (tracer.OURS, ours, theirs, "is apitrace's, but ours was asked for"),
        (tracer.APITRACE, theirs, ours, "is ours, but apitrace's was asked for"),
    ):
        assert tracer.find_dll(32, right, kind=kind) == tracer.find_dll(32, right) == right
        with pytest.raises(BadInput, match=says):
            tracer.find_dll(32, wrong, kind=kind)


def test_without_apitrace_the_download_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(tracer.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(tracer, "our_place", lambda bits, name: tmp_path / f"win{bits}" / name)
    with pytest.raises(
        BadInput,
        match=r"win32 download of https://apitrace\.github\.io, 13\.0 or newer.*, or install mingw-w64 .* for ours to be built",
    ):
        tracer.find_dll(32)
    (tmp_path / "win32").mkdir()
    (tmp_path / "win32" / "d3d8.dll").touch()
    assert tracer.find_dll(32) == tracer.find_dll(32, kind=tracer.OURS) == tmp_path / "win32" / "d3d8.dll"
    for kind, name in ((tracer.APITRACE, "d3d8.dll"), ("", "ddraw.dll")):
        with pytest.raises(BadInput, match=f"apitrace's {name} was not found; unpack"):
            tracer.find_dll(32, name=name, kind=kind)
    with pytest.raises(BadInput, match=r"no 64-bit d3d8\.dll of its own"):
        tracer.find_dll(64, kind=tracer.OURS)
    with pytest.raises(BadInput, match=r"only apitrace records programs that load ddraw\.dll"):
        tracer.find_dll(32, name="ddraw.dll", kind=tracer.OURS)
