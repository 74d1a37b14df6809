"""A DLL next to a program while it is recorded: never overwrites another, and is removed in all cases."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from core.errors import BadInput, cannot
from core.folders import in_turn, user_folder
from inspector.launch import guardian

JOURNAL = "placed.json"
BOOT = Path("/proc/sys/kernel/random/boot_id")


class Placed:
    """Copies `source` into a folder; `close` removes it, and so does the end of this process.

    Raises BadInput if the folder has a file of that name, or cannot be written to.
    """

    def __init__(self, source: Path, folder: Path) -> None:
        remove_left_over()
        self.path = folder / source.name
        data = source.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        if self.path.exists():
            raise BadInput(
                f"{self.path} is there already and is not replaced: a wrapper or a mod? docs/recording-a-game.md#wrappers "
                "has what to do"
            )
        note(self.path, digest)  # first: what was noted and never placed does no harm
        try:
            with self.path.open("xb") as file:
                file.write(data)
        except OSError as error:
            raise BadInput(cannot("write", self.path, error)) from error
        self._guardian = _start_guardian(self.path, digest)

    def close(self) -> None:
        """Removes the file; returns at once where Windows still has it loaded, and it is removed later."""
        assert self._guardian.stdin is not None
        with suppress(OSError):
            self._guardian.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._guardian.wait(3)
        if not self.path.exists():
            forget(self.path)


def _start_guardian(path: Path, digest: str) -> subprocess.Popen[bytes]:
    """A process that outlives this one; the end of its input is its sign."""
    command = [sys.executable, "-I", guardian.__file__, str(path), digest]
    flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=os.name != "nt",
        creationflags=flags,
    )  # fmt: skip


# ---- what a power failure leaves ------------------------------------------------------------------------------------


def remove_left_over() -> list[Path]:
    """Removes what was placed before the computer started and still is as it was; returns what it removed."""
    removed = []
    for name, (digest, when, boot) in _noted().items():
        path = Path(name)
        there = path.exists()
        if _is_older(when, boot) and guardian.remove(path, digest):
            removed += [path] if there and not path.exists() else []
            forget(path)
    return removed


def _is_older(when: float, boot: str) -> bool:
    """Whether a note is from before the computer started: later ones have guardians that are alive.

    By the system's name for this start where there is one: a clock may have been set since.
    """
    return boot != boot_name() if boot and boot_name() else when < boot_time()


def boot_name() -> str:
    """Linux: what the system calls this start; "" elsewhere."""
    try:
        return BOOT.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def boot_time() -> float:
    """When the computer started by its clock, a little early."""
    running = time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()
    return time.time() - running - 5


def note(path: Path, digest: str) -> None:
    with in_turn(JOURNAL):
        _write(_noted() | {str(path.resolve()): (digest, time.time(), boot_name())})


def forget(path: Path) -> None:
    with in_turn(JOURNAL):
        _write({name: row for name, row in _noted().items() if name != str(path.resolve())})


def _noted() -> dict[str, tuple[str, float, str]]:
    """By path: digest, when, in which start of the computer."""
    try:
        kept = json.loads((user_folder("recordings") / JOURNAL).read_text(encoding="utf-8"))
        rows = {name: (*row, "")[:3] for name, row in kept.items()}  # older notes have no start
        return {name: (str(digest), float(when), str(boot)) for name, (digest, when, boot) in rows.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _write(noted: dict[str, tuple[str, float, str]]) -> None:
    with suppress(OSError):
        folder = user_folder("recordings")
        part = folder / f"{JOURNAL}.{os.getpid()}.part"
        part.write_text(json.dumps(noted), encoding="utf-8")
        part.replace(folder / JOURNAL)
