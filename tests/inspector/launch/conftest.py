"""A Wine for programs of the tests, of 64 and of 32 bits."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

IN_CHROOT = """#!/bin/sh
exec chroot '{root}' /bin/sh -c 'cd "$1" || exit; shift; exec "$@"' sh "$PWD" /usr/bin/{name} "$@"
"""
PROGRAMS = ("wine", "wineboot", "wineserver")


@pytest.fixture(scope="module", params=[64, 32], ids=["64-bit", "32-bit"])
def bits(request: pytest.FixtureRequest) -> int:
    """Of the program, the recording DLL and the Wine."""
    return int(request.param)


@pytest.fixture(scope="module")
def wine(bits: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a Wine with a prefix and a display of its own."""
    path = os.get_exec_path()
    if not shutil.which("Xvfb") or not shutil.which("wine"):
        pytest.skip("needs Wine and Xvfb (Debian: apt-get install wine xvfb)")
    if bits == 32 and not runs_32_bit_programs(Path(shutil.which("wine") or "")):
        path = [str(wine_of_another_root(tmp_path_factory.mktemp("bin"))), *path]
    reading, writing = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writing)], pass_fds=[writing], stderr=subprocess.DEVNULL)
    display = os.read(reading, 9).decode().strip()
    own = {
        "PATH": os.pathsep.join(path),
        "DISPLAY": f":{display}",
        "WINEPREFIX": str(tmp_path_factory.mktemp("prefix") / "wine"),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree,mshtml=",
        "PYTHONPATH": str(ROOT),
    }
    environment = {**os.environ, **own}
    try:
        subprocess.run(["wineboot", "--init"], env=environment, capture_output=True, check=False, timeout=300)
        yield environment
    finally:
        subprocess.run(["wineserver", "--kill"], env=environment, capture_output=True, check=False)
        server.terminate()
        server.wait()
        os.close(reading)
        os.close(writing)


def runs_32_bit_programs(wine: Path) -> bool:
    """Whether an installed Wine has its 32-bit half, under the library folders next to it."""
    return any((wine.resolve().parents[1] / "lib").glob("**/wine/i386-windows/ntdll.dll"))


def wine_of_another_root(folder: Path) -> Path:
    """Programs in a folder that start those of the 32-bit Debian that DDI_WINE32 names (CONTRIBUTING.md)."""
    root = os.environ.get("DDI_WINE32", "")
    if not (Path(root) / "usr/bin/wine").exists() or not root:
        pytest.skip("needs a Wine for 32-bit programs (Debian: wine32:i386), or DDI_WINE32, the root of a Debian that has it")
    for name in PROGRAMS:
        (folder / name).write_text(IN_CHROOT.format(root=root, name=name))
        (folder / name).chmod(0o755)
    return folder
