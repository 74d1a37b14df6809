"""The recording DLL: ours (resources/tracer), or apitrace's.

Of apitrace's two Windows downloads, 32-bit and 64-bit, each has bin/apitrace.exe and lib/wrappers/d3d8.dll, ddraw.dll.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from core.errors import BadInput, cannot
from inspector.launch.building import Say, built, silent
from inspector.launch.program import bits_of

VARIABLE = "DDI_INSPECTOR_APITRACE"
OURS, APITRACE = "ours", "apitrace"
PLACES = ("{0}", "lib/wrappers/{0}", "*/lib/wrappers/{0}")
"""Where the DLL is in a folder that somebody unpacked apitrace into."""
APIS = {"d3d8.dll": "d3d8", "ddraw.dll": "d3d7"}
"""What `apitrace trace --api` calls them."""
OLDEST = 13
"""The first release with the fix of apitrace issue 953: 32-bit programs crashed."""
DOWNLOAD = "https://apitrace.github.io"
NUMBERED = re.compile(r"apitrace-(\d+)\.")
OUR_NAME = "d3d8.dll"
COMPILER = "mingw-w64 (Debian: apt-get install gcc-mingw-w64)"
"""What builds our DLL where an installation has none."""
MARK = b"DDI_RECORD_FRAMES"
"""A setting that only our DLL knows."""


def find_dll(bits: int, chosen: Path | None = None, name: str = "d3d8.dll", kind: str = "", say: Say = silent) -> Path:
    """The DLL that records a program of 32 or 64 bits.

    `chosen`: the DLL or a folder; `kind`: OURS, APITRACE, or, if empty, apitrace where the variable or PATH has it for as many
    bits, else ours.  `say` is told before ours is built.
    Raises BadInput that says what is missing and where it can be had.
    """
    if kind == OURS and chosen is None:
        return our_dll(bits, name, say)
    wrong = []
    for folder in _folders(chosen):
        for path in _candidates(folder, name):
            if bits_of(path) == bits:
                return _of_kind(path, kind)
            wrong.append(path)
    either = not kind and chosen is None and name == OUR_NAME
    if either and (ours := _ours(bits, name, say)):
        return ours
    or_ours = f", or install {COMPILER} for ours to be built" if either else ""
    if wrong:
        raise BadInput(
            f"{wrong[0]} is {bits_of(wrong[0])}-bit and the program {bits}-bit; "
            f"apitrace's win{bits} download has the other{or_ours}"
        )
    where = f"{chosen}: no {name} of apitrace there" if chosen else f"apitrace's {name} was not found"
    raise BadInput(
        f"{where}; unpack the win{bits} download of {DOWNLOAD}, {OLDEST}.0 or newer, "
        f"and name its folder with --dll or {VARIABLE}{or_ours}"
    )


def our_place(bits: int, name: str) -> Path:
    """Where ours is in an installation that has it: wheels; there is none for ddraw.dll."""
    return Path(str(resources.files("resources") / "tracer" / f"win{bits}" / name))


def our_dll(bits: int, name: str = "d3d8.dll", say: Say = silent) -> Path:
    """The one that comes with this installation, or is built when it is first needed.  Raises BadInput."""
    if name != OUR_NAME:
        raise BadInput(f"only apitrace records programs that load {name}: --with apitrace")
    if path := _ours(bits, name, say):
        return path
    raise BadInput(
        f"this installation has no {bits}-bit {name} of its own; install {COMPILER} for it to be built, "
        "or use apitrace's: --with apitrace"
    )


def _ours(bits: int, name: str, say: Say) -> Path | None:
    place = our_place(bits, name)
    return place if place.is_file() else built(bits, say)


def is_ours(dll: Path) -> bool:
    """Whether a DLL is ours, wherever it lies.  Raises BadInput if it cannot be read."""
    try:
        return MARK in dll.read_bytes()
    except OSError as error:
        raise BadInput(cannot("read", dll, error)) from error


def _of_kind(dll: Path, kind: str) -> Path:
    if kind and is_ours(dll) != (kind == OURS):
        found, asked = ("apitrace's", "ours") if kind == OURS else ("ours", "apitrace's")
        raise BadInput(f"{dll} is {found}, but {asked} was asked for")
    return dll


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


def _candidates(place: Path, name: str) -> Iterator[Path]:
    if place.is_file():
        yield place
    elif place.is_dir():
        for pattern in PLACES:
            yield from sorted(place.glob(pattern.format(name)))
