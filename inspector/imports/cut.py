"""Detects truncated beginnings: calls on a device, or on objects, whose creation is missing from the trace."""

from __future__ import annotations

import re

import numpy as np

from core.runtime.calls.columns import Calls
from core.runtime.calls.values import IDS
from core.runtime.runtime import Runtime

DEVICE, CREATION = "IDirect3DDevice8::", "IDirect3D8::CreateDevice"
NO_OBJECT = re.compile(r"names no (resource|surface)$|texture 0x[1-9a-f][0-9a-f]* is not known$")
"""What the runtime says of a call about an object that was never created."""


class Cut:
    """Counts the calls on a device before the first one is created."""

    def __init__(self) -> None:
        self.early = 0
        self._created = False

    def look(self, calls: Calls) -> None:
        """A chunk of the trace, in order."""
        if self._created:
            return
        creates, on_device = np.zeros(IDS, np.bool_), np.zeros(IDS, np.bool_)
        for number, signature in calls.names.functions.items():
            creates[number], on_device[number] = signature.name == CREATION, signature.name.startswith(DEVICE)
        signatures = calls.calls["signature"][: len(calls)]
        creations = np.flatnonzero(creates[signatures])
        self._created = len(creations) > 0
        before = signatures[: creations[0]] if self._created else signatures
        self.early += int(np.count_nonzero(on_device[before]))

    def notices(self, runtime: Runtime) -> list[str]:
        """Sentences for who opens it."""
        found = []
        if self.early:
            what = "no device is created" if not self._created else "the first device is created"
            when = "in a trace where" if not self._created else "before"
            found.append(
                f"{self.early:,} calls on a device come {when} {what}: the beginning is missing, and they draw nothing. "
                "Open the whole trace; ddi-inspector trim saves frames of it as a capture that draws the same."
            )
        lost = sum(what.rule == "runtime-rejected" and NO_OBJECT.search(what.text) is not None for _, what in runtime.findings)
        if lost:
            found.append(f"{lost:,} calls name objects whose creation is not in the trace: part of it may have been cut out.")
        return found
