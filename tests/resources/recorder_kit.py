"""Compiling programs that record with resources/ddi_record.h."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from tests.conftest import ROOT, unavailable

RESOURCES = ROOT / "resources"
PAGE = ROOT / "docs" / "recording-a-driver.md"
STRICT = ("-std=c89", "-pedantic", "-Wall", "-Wextra", "-Werror")
START = '#include <string.h>\n#define DDI_RECORD_IMPLEMENTATION\n#include "ddi_record.h"\n'


def example() -> str:
    """The complete program of the manual's page."""
    found = re.search(r"^```c\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def compiled(folder: Path, source: str, compiler: str = "gcc", flags: tuple[str, ...] = STRICT, link: bool = True) -> Path:
    """The program made of a C source; fails on any warning."""
    path = shutil.which(compiler)
    if path is None:
        unavailable(compiler)
    code, program = folder / "program.c", folder / f"program-{compiler}.exe"
    code.write_text(source)
    more = [] if link else ["-c"]
    done = subprocess.run(
        [path, *flags, *more, f"-I{RESOURCES}", str(code), "-o", str(program)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return program


def run(program: Path, *words: object) -> str:
    """What the program prints."""
    done = subprocess.run([str(program), *map(str, words)], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout
