"""The properties of an .exe, read from its headers without starting it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pefile

from core.errors import BadInput, cannot

BITS = {0x14C: 32, 0x8664: 64}
"""Machine of the file header: i386, AMD64 (PE format, "Machine Types")."""
INTERFACES = {
    "d3d8.dll": "Direct3D 8",
    "d3d9.dll": "Direct3D 9",
    "d3d10.dll": "Direct3D 10",
    "d3d11.dll": "Direct3D 11",
    "ddraw.dll": "DirectDraw",
    "opengl32.dll": "OpenGL",
    "glide2x.dll": "Glide",
    "glide3x.dll": "Glide",
}
LATER = {"Direct3D 9", "Direct3D 10", "Direct3D 11"}
LARGEST = 1 << 29
"""Bytes of a program that are looked through for names of DLLs."""


@dataclass(frozen=True)
class Program:
    """`imports`: the graphics interfaces in its import tables; `mentions`: those whose DLL it only names, to load it later."""

    path: Path
    bits: int
    imports: tuple[str, ...]
    mentions: tuple[str, ...]

    @property
    def uses_direct3d8(self) -> bool:
        """Whether it may call Direct3D 8: a program whose engine is a DLL of its own names no interface at all."""
        known = {*self.imports, *self.mentions}
        return "Direct3D 8" in known or not known

    @property
    def library(self) -> str:
        """The DLL that is recorded: d3d8.dll, or ddraw.dll for DirectDraw and Direct3D 7; empty if neither can be.

        Later Direct3D mentions ddraw.dll, too, to ask how much video memory there is.
        """
        if self.uses_direct3d8:
            return "d3d8.dll"
        return "ddraw.dll" if "DirectDraw" in {*self.imports, *self.mentions} and not LATER & {*self.imports} else ""

    def text(self) -> str:
        """One line: bits, and which interfaces."""
        parts = [f"loads {_listed(self.imports)}"] if self.imports else []
        parts += [f"mentions {_listed(self.mentions)}"] if self.mentions else []
        return f"{self.path.name}: {self.bits}-bit, {', '.join(parts) or 'names no graphics interface (a DLL of its own may)'}"


def read_program(path: Path) -> Program:
    """The program in a file.  Raises BadInput for a file that Windows would not start."""
    bits, loaded = _headers(path)
    if bits not in BITS:
        raise BadInput(f"{path}: a program for another processor ({bits:#x}); 32-bit and 64-bit x86 programs can be recorded")
    imports = _interfaces(loaded)
    mentions = tuple(name for name in _interfaces(_named(path)) if name not in imports)
    return Program(path, BITS[bits], imports, mentions)


def bits_of(path: Path) -> int:
    """32 or 64, of an .exe or .dll; 0 for another processor.  Raises BadInput."""
    return BITS.get(_headers(path, imports=False)[0], 0)


def _headers(path: Path, imports: bool = True) -> tuple[int, list[str]]:
    """Machine, and the names of the DLLs in the import tables."""
    try:
        with pefile.PE(str(path), fast_load=True) as image:
            if imports:
                tables = ("IMAGE_DIRECTORY_ENTRY_IMPORT", "IMAGE_DIRECTORY_ENTRY_DELAY_IMPORT")
                image.parse_data_directories([pefile.DIRECTORY_ENTRY[name] for name in tables])
            rows = [*getattr(image, "DIRECTORY_ENTRY_IMPORT", []), *getattr(image, "DIRECTORY_ENTRY_DELAY_IMPORT", [])]
            return image.FILE_HEADER.Machine, [row.dll.decode("ascii", "replace").lower() for row in rows if row.dll]
    except OSError as error:
        raise BadInput(cannot("read", path, error)) from error
    except (pefile.PEFormatError, ValueError) as error:  # ValueError: an empty file, which cannot be mapped
        raise BadInput(f"{path}: not a Windows program") from error


def _named(path: Path) -> list[str]:
    """Names of interface DLLs anywhere in the file, as ASCII or UTF-16."""
    with path.open("rb") as file:
        data = file.read(LARGEST).lower()
    return [name for name in INTERFACES if name.encode() in data or name.encode("utf-16-le") in data]


def _interfaces(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(INTERFACES[name] for name in names if name in INTERFACES))


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join([*filter(None, [", ".join(names[:-1])]), names[-1]])
