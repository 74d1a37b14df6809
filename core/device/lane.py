"""The lane of draws: one way in for both ways to draw.

The first draw of its kind goes through Python (core.device.draw_tokens, core.device.drawing); what it has used is then known,
and its like are drawn by the compiled loop over states and draws (core.device.known, core.device.draw_loop).  Who carries out
anything else says what it was: only the lane knows what that means for what is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from core.device.device import Device, Stream
from core.device.draw_tokens import DRAW_OPERATIONS
from core.device.drawing import DrawArguments, Drawing
from core.device.known import Known
from core.spec.tokens import Op

LEARNED = frozenset(int(Op[name]) for name in ("DRAWPRIMITIVE", "DRAWINDEXEDPRIMITIVE"))
"""Draws that the loop can do."""

QUIET = frozenset(int(Op[name]) for name in (
    "RENDERSTATE", "TEXTURESTAGESTATE", "CREATELIGHT", "SETLIGHT", "SETTRANSFORM", "MULTIPLYTRANSFORM", "SETSTREAMSOURCE",
    "SETSTREAMSOURCEUM", "SETCLIPPLANE", "SETVERTEXSHADERCONST", "SETPIXELSHADERCONST", "SETVERTEXSHADER", "SETPIXELSHADER",
    "SETRENDERTARGET",
)) | DRAW_OPERATIONS.keys()  # fmt: skip
"""Tokens that change registers, and the surfaces that are drawn to, and nothing else: what is known stays known."""


class DrawLane:
    """Draws tokens, or collects them; `drawing` is the way through Python."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self.drawing = Drawing(device)
        self._known = Known(self.drawing)

    # ---- drawing
    def carry(self, stream: Stream, start: int, stop: int, before: int | None) -> int:
        """Carries states and draws out that need no Python; returns the first record that does, or `stop`.

        before: the token that was carried out since the last `carry`; None when anything may have happened.
        """
        if before not in QUIET:
            self._known.check()
        if self._known.ready and not self._is_watched():
            return self._known.walk(stream, start, stop)
        return self._device.registers.walk(stream.commands, stream.records, start, stop, stream.first_seq)

    def draw(self, stream: Stream, record: Any, seq: int) -> None:
        """Carries a draw token out in Python; the loop draws the next of its kind, unless a Finding came of it."""
        op, findings = int(record["op"]), len(self._device.findings)
        DRAW_OPERATIONS[op](self.drawing, stream, record, seq)
        if op in LEARNED and len(self._device.findings) == findings and (used := self.drawing.vertices_of(seq)) is not None:
            self._known.learn(*used)

    def describe(self, stream: Stream, record: Any, seq: int) -> DrawArguments | None:
        """What a draw token would ask the vertex half for, with the present state; None if it draws nothing."""
        drawing, findings = self.drawing, len(self._device.findings)
        found: list[DrawArguments] = []
        drawing.described = found
        try:
            DRAW_OPERATIONS[int(record["op"])](drawing, stream, record, seq)
        finally:
            drawing.described = None
            del self._device.findings[findings:]
        return found[0] if found else None

    def _is_watched(self) -> bool:
        """Whether somebody wants to see each draw or each write, or only some primitives."""
        device, drawing, tap = self._device, self.drawing, self._device.tap
        return bool(device.checks or device.registers.log is not None or drawing.only or drawing.stop_after) or (
            tap is not None and not tap.logs_only
        )

    @contextmanager
    def confined(self, only: tuple[int, int] | None = None, stop_after: tuple[int, int] | None = None) -> Iterator[None]:
        """Draws meanwhile: `only` the first to the last of these primitives of each; nothing of an event after a primitive."""
        drawing = self.drawing
        drawing.only, drawing.stop_after = only, stop_after
        try:
            yield
        finally:
            drawing.only = drawing.stop_after = None

    # ---- what waits (core.device.device.Waiting)
    def flush(self) -> None:
        """Draws what waits."""
        self.drawing.flush()

    def drop(self) -> None:
        """Forgets what waits, and all that is bound: surfaces are about to be replaced."""
        self.drawing.drop()
        self._known.forget()

    def rebind(self) -> None:
        """Nothing that was bound is valid any more, and nothing waits."""
        self.drawing.rebind()
        self._known.forget()
