"""Builds the recording d3d8.dll, 32-bit and 64-bit, with mingw-w64: `python -m resources.tracer.build [FOLDER]`.

FOLDER gets win32/d3d8.dll and win64/d3d8.dll; without it, the folder of this package, where `ddi-inspector record` looks.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from resources.tracer import generate

HERE = Path(__file__).resolve().parent
PATIENCE = 300.0  # seconds; it takes three
COMPILERS = {32: "i686-w64-mingw32-gcc", 64: "x86_64-w64-mingw32-gcc"}
OPTIONS = (
    "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-cast-function-type", "-Wno-missing-field-initializers",
    "-fno-ident", "-fno-strict-aliasing", "-ffunction-sections", "-shared", "-s", "-static-libgcc",
    "-Wl,--kill-at", "-Wl,--gc-sections", "-Wl,--no-insert-timestamp", "-Wl,--disable-auto-image-base",
)  # fmt: skip
FLOATS = {32: ("-msoft-float",), 64: ()}
"""Floats are only copied.  The x87 would quiet signalling NaNs, raise exceptions that a program has unmasked, and give NaN to
a program in the middle of MMX."""


def build(folder: Path, bits: int) -> Path:
    """folder/winBITS/d3d8.dll.  Raises FileNotFoundError without a compiler, CalledProcessError if it refuses,
    TimeoutExpired."""
    compiler = shutil.which(COMPILERS[bits])
    if compiler is None:
        raise FileNotFoundError(f"{COMPILERS[bits]} was not found (Debian: gcc-mingw-w64)")
    target = folder / f"win{bits}" / "d3d8.dll"
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        Path(made, "calls.h").write_text(generate.header(), encoding="ascii")
        Path(made, "calls.c").write_text(generate.source(), encoding="ascii")
        sources = [*sorted(HERE.glob("*.c")), Path(made, "calls.c")]
        command = [compiler, *OPTIONS, *FLOATS[bits], "-I", str(HERE), "-I", made, *map(str, sources), "-o", str(target)]
        subprocess.run(command, check=True, timeout=PATIENCE)
    return target


def main(words: list[str]) -> int:
    """Exit code 1 if one could not be built."""
    failed = 0
    for bits in COMPILERS:
        try:
            path = build(Path(words[0]) if words else HERE, bits)
            print(f"{path}: {path.stat().st_size:,} bytes")
        except (FileNotFoundError, subprocess.SubprocessError) as error:
            print(f"no {bits}-bit d3d8.dll: {error}", file=sys.stderr)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
