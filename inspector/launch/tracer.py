"""Where apitrace is.  Of its two Windows downloads, 32-bit and 64-bit, each has bin/apitrace.exe and lib/wrappers/d3d8.dll."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from core.errors import BadInput
from inspector.launch.program import bits_of

VARIABLE = "DDI_INSPECTOR_APITRACE"
PLACES = ("d3d8.dll", "lib/wrappers/d3d8.dll", "*/lib/wrappers/d3d8.dll")
"""Where the DLL is in a folder that somebody unpacked apitrace into."""
OLDEST = 13
"""The first release with the fix of apitrace issue 953: 32-bit programs crashed."""
DOWNLOAD = "https://apitrace.github.io"
NUMBERED = re.compile(r"apitrace-(\d+)\.")


def find_dll(bits: int, chosen: Path | None = None) -> Path:
    """apitrace's d3d8.dll for programs of 32 or 64 bits: `chosen` (the DLL or a folder), the variable, or with PATH's apitrace.

    Raises BadInput that says what is missing and where it can be had.
    """
    wrong = []
    for folder in _folders(chosen):
        for path in _candidates(folder):
            if bits_of(path) == bits:
                return path
            wrong.append(path)
    if wrong:
        raise BadInput(
            f"{wrong[0]} is {bits_of(wrong[0])}-bit and the program {bits}-bit; apitrace's win{bits} download has the other"
        )
    where = f"{chosen}: no d3d8.dll of apitrace there" if chosen else "apitrace's d3d8.dll was not found"
    raise BadInput(
        f"{where}; unpack the win{bits} download of {DOWNLOAD}, {OLDEST}.0 or newer, "
        f"and name its folder with --dll or {VARIABLE}"
    )


def find_command(dll: Path) -> Path | None:
    """apitrace.exe of the same download, on Windows."""
    command = dll.parent.parent.parent / "bin" / "apitrace.exe"
    return command if sys.platform == "win32" and command.exists() else None


def warning(dll: Path) -> str:
    """A sentence if the folder's name says that this apitrace is too old; "" otherwise."""
    found = NUMBERED.search(dll.as_posix())
    if found and int(found[1]) < OLDEST:
        return f"apitrace {found[1]} is older than {OLDEST}.0: some 32-bit programs crash while it records them"
    return ""


def _folders(chosen: Path | None) -> Iterator[Path]:
    if chosen is not None:
        yield chosen
        return
    if named := os.environ.get(VARIABLE):
        yield Path(named)
    if command := shutil.which("apitrace"):
        yield Path(command).resolve().parent.parent


def _candidates(place: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
    elif place.is_dir():
        for pattern in PLACES:
            yield from sorted(place.glob(pattern))
