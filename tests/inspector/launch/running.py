"""Programs run under Wine, with a recording d3d8.dll beside them or without."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from typing import Any

from inspector.launch import session

EXACT = {"GALLIVM_PERF": "no_filter_hacks,no_quad_lod,no_aos_sampling"}  # see tests.wine.run
PRINTED = "wine.txt"
"""In the folder of a run."""


def launch(program: Path, dll: Path | None, wine: dict[str, str], folder: Path, *words: str, **settings: str) -> Any:
    """A program with the DLL beside it, as `record` places it; without, if it is None."""
    beside = program.parent / "d3d8.dll"
    beside.unlink(missing_ok=True)
    if dll:
        beside.write_bytes(dll.read_bytes())
    override = f"{wine['WINEDLLOVERRIDES']};d3d8={'n,b' if dll else 'b'}"
    trace = session.windows_path(folder / "out.trace")
    environment = {**wine, **EXACT, **settings, "WINEDEBUG": "fixme-all", "WINEDLLOVERRIDES": override, "TRACE_FILE": trace}
    with (folder / PRINTED).open("w") as printed:
        return subprocess.Popen(["wine", str(program), *words], env=environment, cwd=folder, stdout=printed, stderr=printed)


def assert_ends(process: Any, dll: Path | None, folder: Path) -> None:
    """The program ends with 0; otherwise the failure names its DLL and repeats what Wine printed."""
    code = process.wait(timeout=120)
    assert code == 0, f"with {dll or 'the d3d8.dll of Wine'} the program ended with {code}; Wine printed:\n{printed_in(folder)}"


def printed_in(folder: Path) -> str:
    """The end of what Wine printed."""
    return (folder / PRINTED).read_text(errors="replace")[-4000:]


def run_threads(program: Path, dll: Path | None, wine: dict[str, str], folder: Path, *words: str) -> None:
    """The program; without the DLL a second time if the first one ended with signal 11, which is Wine's own fault then.

    It did so once in a run of all tests, and in none of 300 runs of its own, half of them with the DLL; which of the two it was
    is not known.  With the DLL it fails at once.
    """
    process = launch(program, dll, wine, folder, *words)
    if dll is None and process.wait(timeout=120) == -signal.SIGSEGV:
        print(f"Wine ended with signal 11, with its own d3d8.dll; it printed:\n{printed_in(folder)}")
        process = launch(program, dll, wine, folder, *words)
    assert_ends(process, dll, folder)
