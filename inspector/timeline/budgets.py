"""Limits on the memory and disk space for looking back (settings, by argument or by the environment), and on threads."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import BadInput

MEGABYTE = 1 << 20
MOST_THREADS = 4  # of the pixel half; the picture does not depend on it
RESERVE = 128 * MEGABYTE
MEMORY, DISK = "DDI_INSPECTOR_MEMORY_MB", "DDI_INSPECTOR_SIDE_MB"
GONE = dict.fromkeys(("DDI_INSPECTOR_KEYFRAMES_MB", "DDI_INSPECTOR_LOG_MB"), MEMORY)
"""Variables of earlier versions, and what has taken their place."""


@dataclass(frozen=True, slots=True)
class Budgets:
    """Bytes.  memory: of keyframes, logs of frames and the textures that these read, together.  disk: of the keyframes kept in
    a capture's side cache; 0: none."""

    memory: int = 256 * MEGABYTE
    disk: int = 256 * MEGABYTE

    @property
    def log(self) -> int:
        """Of the log of one frame: one that would be longer is made in pieces, and moving between these makes them again."""
        return self.memory * 3 // 4

    @property
    def kept(self) -> int:
        """Of what is kept for later: keyframes and logs that were made.  The rest of the memory is for the log that is being
        looked at, where that is larger than usual."""
        return max(min(self.memory, RESERVE), self.memory - RESERVE)

    @property
    def keyframes(self) -> int:
        """Of the keyframes."""
        return self.kept // 2

    @classmethod
    def of_environment(cls, variables: Mapping[str, str] = os.environ) -> Budgets:
        """The usual ones, but for what the environment says, in megabytes.  Raises BadInput for what is not a number."""
        usual = cls()
        return cls(_megabytes(variables, MEMORY, usual.memory), _megabytes(variables, DISK, usual.disk))


def _megabytes(variables: Mapping[str, str], name: str, usual: int) -> int:
    text = variables.get(name, "")
    if not text:
        return usual
    if not text.isdecimal():
        raise BadInput(f"{name} is {text!r}: not a number of megabytes")
    return int(text) * MEGABYTE


USUAL = Budgets()


def usual_threads() -> int:
    """The default number of drawing threads."""
    return min(os.cpu_count() or 1, MOST_THREADS)


def gone(variables: Mapping[str, str] = os.environ) -> list[str]:
    """A sentence for each variable that is set and no longer means anything."""
    return [
        f"{name} is no longer used; {now} limits the memory for looking back" for name, now in GONE.items() if name in variables
    ]
