"""Removes files when the process that placed them ends and thereby closes its input: `guardian.py PATH DIGEST ...`.

A process of its own, and of nobody's session: it works after a crash, too.  A file that has changed since is not removed.  On
Windows a DLL cannot be removed as long as a program has it loaded; then it is tried again.  Standard library only: it is
started as a script, in isolation.
"""

from __future__ import annotations

import hashlib
import sys
import time
from pathlib import Path

PATIENCE = 24 * 3600
"""Seconds that a program may go on after whoever started it."""


def remove(path: Path, digest: str) -> bool:
    """Removes the file if it is still what it was; False if it is in use."""
    try:
        if hashlib.sha256(path.read_bytes()).hexdigest() == digest:
            path.unlink()
    except FileNotFoundError:
        pass
    except OSError:
        return False
    return True


def main(words: list[str]) -> None:
    sys.stdin.buffer.read()
    waiting, pause = list(zip(words[::2], words[1::2], strict=True)), 0.1
    until = time.monotonic() + PATIENCE
    while waiting and time.monotonic() < until:
        waiting = [pair for pair in waiting if not remove(Path(pair[0]), pair[1])]
        if waiting:
            time.sleep(pause)
            pause = min(2 * pause, 10.0)


if __name__ == "__main__":
    main(sys.argv[1:])
