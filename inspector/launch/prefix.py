"""What a Wine prefix can run: without its 32-bit half, Wine starts no 32-bit program and may end without a word."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from inspector.launch.program import Program


def why_not(program: Program, environment: Mapping[str, str]) -> str:
    """A sentence if the prefix has nothing of the program's bits; "" otherwise, also if there is no prefix."""
    prefix = Path(environment.get("WINEPREFIX") or Path.home() / ".wine")
    windows = prefix / "drive_c" / "windows"
    if not (windows / "system32").is_dir():
        return ""
    if program.bits == 64 and _is_32_bit(prefix):
        return f"{program.path.name} is 64-bit, and the Wine prefix {prefix} is 32-bit; name another one with WINEPREFIX"
    if program.bits == 32 and not _is_32_bit(prefix) and not (windows / "syswow64" / "ntdll.dll").exists():
        return (
            f"{program.path.name} is 32-bit, and this Wine runs 64-bit programs only; install its 32-bit half "
            "(Debian: dpkg --add-architecture i386, then apt-get install wine32:i386), then run wineboot -u"
        )
    return ""


def _is_32_bit(prefix: Path) -> bool:
    """Whether Wine's registry says that the prefix has no 64-bit programs."""
    try:
        with (prefix / "system.reg").open(encoding="utf-8", errors="replace") as file:
            return any(line.strip() == "#arch=win32" for line, _ in zip(file, range(10), strict=False))
    except OSError:
        return False
