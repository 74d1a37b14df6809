"""Limits on the memory and disk space for looking back (settings, by argument or by the environment), and on threads."""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.errors import BadInput
from inspector.timeline.sharing import Sharer, Sharers

MEGABYTE = 1 << 20
MOST_THREADS = 4  # of the pixel half; the picture does not depend on it
RESERVE = 128 * MEGABYTE
MEMORY, DISK = "DDI_INSPECTOR_MEMORY_MB", "DDI_INSPECTOR_SIDE_MB"
GONE = dict.fromkeys(("DDI_INSPECTOR_KEYFRAMES_MB", "DDI_INSPECTOR_LOG_MB"), MEMORY)
"""Variables of earlier versions, and what has taken their place."""


@dataclass(frozen=True, slots=True)
class Budgets:
    """Bytes.  memory: of keyframes, logs of frames and the textures that these read, together.  disk: of the keyframes kept in
    a capture's side cache; 0: none.  Whatever is opened with the same object shares the memory (inspector.timeline.sharing)."""

    memory: int = 256 * MEGABYTE
    disk: int = 256 * MEGABYTE
    sharers: Sharers = field(default_factory=Sharers, compare=False, repr=False)

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


class Room:
    """What one replay may hold of budgets that it shares.  Bytes."""

    def __init__(self, budgets: Budgets, owner: Sharer) -> None:
        self._budgets, self._owner = budgets, weakref.ref(owner)

    @property
    def _others(self) -> list[Sharer]:
        owner = self._owner()
        return self._budgets.sharers.others(owner) if owner is not None else []

    @property
    def _sharers(self) -> int:
        return len(self._others) + 1

    @property
    def memory(self) -> int:
        """Of everything: what the others leave, and at least its part of what is kept."""
        return max(self._budgets.memory - sum(sum(one.held) for one in self._others), self.kept)

    @property
    def kept(self) -> int:
        """Of what is kept for later: an equal part."""
        return self._budgets.kept // self._sharers

    @property
    def keyframes(self) -> int:
        """Of the keyframes."""
        return self._budgets.keyframes // self._sharers

    @property
    def log(self) -> int:
        """Of the log of one frame."""
        return self._budgets.log

    def make(self, size: int) -> None:
        """Others let go of their logs until this many bytes fit."""
        for other in self._others:
            if size <= self.memory:
                return
            other.let_go()


def _megabytes(variables: Mapping[str, str], name: str, usual: int) -> int:
    text = variables.get(name, "")
    if not text:
        return usual
    if not text.isdecimal():
        raise BadInput(f"{name} is {text!r}: not a number of megabytes")
    return int(text) * MEGABYTE


USUAL = Budgets()
"""As settings begin; to be compared with, not to be shared."""


def usual_threads() -> int:
    """The default number of drawing threads."""
    return min(os.cpu_count() or 1, MOST_THREADS)


def gone(variables: Mapping[str, str] = os.environ) -> list[str]:
    """A sentence for each variable that is set and no longer means anything."""
    return [
        f"{name} is no longer used; {now} limits the memory for looking back" for name, now in GONE.items() if name in variables
    ]
