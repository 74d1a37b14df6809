"""Vertex and index buffers in the driver interface: stalls, renames, addresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.ddi.rules.stalls import StallRules, StallVerdict
from core.errors import Cancelled
from core.spec.enums import DdLock
from inspector.progress import Cancel

if TYPE_CHECKING:
    from inspector.capture import Capture


@dataclass(frozen=True, slots=True)
class StallRow:
    """One DrawPrimitives2: what a DirectX 8.0 runtime and later ones ask for; `stalled`: what the driver did, if recorded."""

    call: int
    event: int
    verdict: StallVerdict
    stalled: bool | None


@dataclass(frozen=True, slots=True)
class RenameRow:
    """One lock of a buffer: whether it got other memory, and where that is."""

    call: int
    event: int
    buffer: int
    discards: bool
    renamed: bool
    vid_mem: int
    heap_offset: int


@dataclass(frozen=True)
class Stalls:
    """The stall verdict of every DrawPrimitives2 (DP2, Remarks); `current` True: only those with a current vertex buffer."""

    current: bool = False

    def run(self, capture: Capture, cancel: Cancel | None = None) -> tuple[StallRow, ...]:
        """In tape order. Raises Cancelled."""
        rules, rows = StallRules(), []
        for number, call in enumerate(capture.calls):
            if cancel and number % 256 == 0 and cancel():
                raise Cancelled("question cancelled")
            verdict = rules.see(call)
            if verdict is not None and (verdict.buffer or not self.current):
                stalled = call.out.get("stalled")
                event = capture.events.of_call(number).start
                rows.append(StallRow(number, event, verdict, None if stalled is None else bool(stalled)))
        return tuple(rows)


@dataclass(frozen=True)
class Renames:
    """Every lock of a D3D buffer, and what became of its memory; `buffer` 0: of all buffers."""

    buffer: int = 0

    def run(self, capture: Capture, cancel: Cancel | None = None) -> tuple[RenameRow, ...]:
        """In tape order. Raises Cancelled."""
        rows = []
        for number, call in enumerate(capture.calls):
            if cancel and number % 256 == 0 and cancel():
                raise Cancelled("question cancelled")
            if call.entry != "LockD3DBuffer" or self.buffer not in (0, call.args.get("handle")):
                continue
            out, flags = call.out, call.args.get("flags", 0)
            rows.append(RenameRow(
                number, capture.events.of_call(number).start, int(call.args.get("handle") or 0),
                bool(isinstance(flags, int) and flags & DdLock.DISCARDCONTENTS), bool(out.get("renamed")),
                int(out.get("fp_vid_mem") or 0), int(out.get("fp_heap_offset") or 0),
            ))  # fmt: skip
        return tuple(rows)
