"""The lane of draws: one entry point for both ways to draw.

The first draw of its kind goes through Python (core.device.tokens.draw_tokens, core.device.lane.drawing); what it has used is
then known,
and its like are drawn by the compiled loop over states and draws (core.device.lane.known, core.device.lane.draw_loop).  Who
executes anything else says what it was: only the lane knows what that means for what is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from core.device.device import CommandBuffer, Device, Within
from core.device.lane.drawing import DrawArguments, Drawing
from core.device.lane.known import Known
from core.device.tokens.draw_tokens import DRAW_OPERATIONS
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
    """Draws tokens, or collects them."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._confined: tuple[Any, Any] = (None, None)
        self._within: Within | None = None
        self._made: tuple[Drawing, Known] | None = None

    @property
    def drawing(self) -> Drawing:
        """The way through Python, and all that it has built."""
        return self._parts[0]

    @property
    def _known(self) -> Known:
        return self._parts[1]

    @property
    def _parts(self) -> tuple[Drawing, Known]:
        """Made when there is none, or none any more."""
        if self._made is None:
            drawing = Drawing(self._device)
            drawing.only, drawing.stop_after = self._confined
            drawing.within = self._within
            self._made = drawing, Known(drawing)
        return self._made

    # ---- drawing
    def carry(self, stream: CommandBuffer, start: int, stop: int, before: int | None) -> int:
        """Carries states and draws out that need no Python; returns the first record that does, or `stop`.

        before: the token that was executed since the last `carry`; None when anything may have happened.
        """
        known = self._known
        if before not in QUIET:
            known.check()
        if known.ready and not self._is_watched():
            return known.walk(stream, start, stop)
        return self._device.registers.walk(stream.commands, stream.records, start, stop, stream.first_seq)

    def draw(self, stream: CommandBuffer, record: Any, seq: int) -> None:
        """Carries a draw token out in Python; the loop draws the next of its kind, unless a Finding came of it."""
        op, findings = int(record["op"]), len(self._device.findings)
        DRAW_OPERATIONS[op](self.drawing, stream, record, seq)
        if op in LEARNED and len(self._device.findings) == findings and (used := self.drawing.vertices_of(seq)) is not None:
            self._known.learn(*used, self.drawing.drawn == seq)

    def describe(self, stream: CommandBuffer, record: Any, seq: int) -> DrawArguments | None:
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
        self._confine(only, stop_after)
        try:
            yield
        finally:
            self._confine(None, None)

    def _confine(self, *confined: tuple[int, int] | None) -> None:
        self._confined = confined[0], confined[1]
        if self._made is not None:
            self.drawing.only, self.drawing.stop_after = self._confined

    @contextmanager
    def within(self, within: Within) -> Iterator[None]:
        """Draws meanwhile: to some render targets, only pixels of a rectangle.  What waits must be drawn before and after."""
        self._set_within(within)
        try:
            yield
        finally:
            self._set_within(None)

    def _set_within(self, within: Within | None) -> None:
        self._within = within
        if self._made is not None:
            self.drawing.within = within
            self.drop()

    # ---- what waits (core.device.device.Waiting)
    def flush(self) -> None:
        """Draws what waits."""
        if self._made is not None:
            self.drawing.flush()

    def drop(self) -> None:
        """Forgets what waits, and all that is bound: surfaces are about to be replaced."""
        if self._made is not None:
            self.drawing.drop()
            self._known.forget()

    def rebind(self) -> None:
        """Nothing that was bound is valid any more, and nothing waits."""
        if self._made is not None:
            self.drawing.rebind()
            self._known.forget()

    def abandon(self) -> None:
        """Forgets what waits, and all that was built for drawing; the next draw rebuilds it."""
        made, self._made = self._made, None
        if made is not None:
            made[0].abandon()
