"""What a Wine prefix can run: prefixes as Wine 8 makes them, with and without its 32-bit half."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.launch.prefix import why_not
from inspector.launch.program import Program

NO_HALF = "a.exe is 32-bit, and this Wine runs 64-bit programs only; install its 32-bit half"
OTHER = "a.exe is 64-bit, and the Wine prefix {} is 32-bit"


def make(prefix: Path, arch: str, *files: str) -> None:
    for name in ("system32/ntdll.dll", *files):
        (prefix / "drive_c/windows" / name).parent.mkdir(parents=True, exist_ok=True)
        (prefix / "drive_c/windows" / name).touch()
    (prefix / "system.reg").write_text(f"WINE REGISTRY Version 2\n;; All keys relative to \\\\Machine\n\n#arch={arch}\n\n[S]\n")


@pytest.mark.parametrize(
    ("arch", "files", "bits", "says"),
    [
        ("win64", ["syswow64/ntdll.dll"], 32, ""),
        ("win64", ["syswow64/ntdll.dll"], 64, ""),
        ("win64", ["syswow64/readme.txt"], 32, NO_HALF),
        ("win64", [], 64, ""),
        ("win32", [], 32, ""),
        ("win32", [], 64, OTHER),
    ],
)
def test_the_half_that_is_missing_is_named(arch: str, files: list[str], bits: int, says: str, tmp_path: Path) -> None:
    program = Program(Path("a.exe"), bits, (), ())
    make(tmp_path, arch, *files)
    told = why_not(program, {"WINEPREFIX": str(tmp_path)})
    assert told.startswith(says.format(tmp_path)) and bool(told) == bool(says)


def test_before_there_is_a_prefix_nothing_is_said(tmp_path: Path) -> None:
    assert why_not(Program(Path("a.exe"), 32, (), ()), {"WINEPREFIX": str(tmp_path / "none")}) == ""
