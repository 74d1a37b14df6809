"""mingw-w64's Direct3D headers as an independent source: facts are compiled, not read by eye."""

from __future__ import annotations

import shutil
import subprocess
import zlib
from pathlib import Path

from tests.conftest import unavailable

COMPILER = "i686-w64-mingw32-gcc"
API = "#define WIN32_LEAN_AND_MEAN\n#include <windows.h>\n#include <d3d8.h>\n#include <stddef.h>\n"
DDK = """#define WIN32_LEAN_AND_MEAN
#define DIRECT3D_VERSION 0x0900
#include <windows.h>
#include <stddef.h>
#include <ddraw.h>
#include <d3d.h>
#include <ddrawi.h>
#include <ddk/d3dhal.h>
"""


def require_compiler() -> str:
    """The compiler's path; skips without one, fails in continuous integration."""
    path = shutil.which(COMPILER)
    if path is None:
        unavailable(f"{COMPILER} (Debian: gcc-mingw-w64-i686)")
    return path


def precompiled(folder: Path, includes: str) -> Path:
    """A header of these includes, read once for all tests; of the DDK, which mingw-w64 declares twice, each time."""
    header = folder / f"{zlib.crc32(includes.encode()):08x}.h"
    if not header.exists():
        header.write_text(includes)
        command = [require_compiler(), "-w", "-x", "c-header", str(header), "-o", f"{header}.gch"]
        subprocess.run(command, capture_output=True, check=False)
    return header


def wrong_facts(folder: Path, includes: str, facts: dict[str, int]) -> list[str]:
    """C expressions that do not have the value we say, as the compiler sees it; an unknown name counts as wrong."""
    lines = [
        f"_Static_assert((unsigned long long)({c}) == {value & 0xFFFFFFFF}ULL"
        f' || (unsigned int)({c}) == {value & 0xFFFFFFFF}u, "WRONG {c}");'
        for c, value in facts.items()
    ]
    source = folder / "facts.c"
    header = precompiled(folder.parent, includes)
    source.write_text(f'#include "{header}"\n' + "\n".join(lines) + "\n")
    done = subprocess.run(
        [require_compiler(), "-fsyntax-only", "-w", "-fmax-errors=0", str(source)], capture_output=True, text=True
    )
    text = source.read_text().splitlines()
    return sorted(
        {
            text[int(line.split(":")[1]) - 1].split('"WRONG ')[1].split('"')[0]
            for line in done.stderr.splitlines()
            if "error:" in line and line.startswith(str(source))
        }
    )
