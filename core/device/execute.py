"""The executor: executes the records of a command buffer on a device.

State records go through one compiled loop (core.device.registers.states), which also draws once there is something to draw with
(core.device.lane.lane); every other record is an operation (core.device.tokens.operations).  What the program does wrong
becomes a Finding and has no effect.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from core.cancel import look
from core.device.device import CommandBuffer, Device
from core.device.registers.records import NOTHING
from core.device.tokens.operations import OPERATIONS
from core.spec.tokens import TOKENS

if TYPE_CHECKING:
    from core.device.lane.drawing import DrawArguments
    from core.device.lane.lane import DrawLane

DRAWS = frozenset(op for op, row in TOKENS.items() if row.draws and row.since < 9)


class Executor:
    """Executes tokens on one device; `follower` sees every record that is not a state before it is executed."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.follower: Callable[[Device, CommandBuffer, Any, int], None] | None = None
        self._lane: DrawLane | None = None

    @property
    def lane(self) -> DrawLane:
        """What draws; made when first asked for, because its kernels take long to load."""
        if self._lane is None:
            from core.device.lane.lane import DrawLane

            self._lane = self.device.waiting = DrawLane(self.device)
        return self._lane

    def execute(self, stream: CommandBuffer, start: int, stop: int) -> None:
        """Carries records[start:stop] out in the current context, but for those of opcode NOTHING.  Raises as Device.flush."""
        try:
            self._execute(stream, start, stop)
        except MemoryError:
            self.device.recover()
            raise

    def _execute(self, stream: CommandBuffer, start: int, stop: int) -> None:
        device, records, first = self.device, stream.records, stream.first_seq
        n, op = start, None
        look()  # an edited capture has its calls executed in very many parts
        while (n := self._walk(stream, n, stop, op)) < stop:
            record, seq = records[n], first + n
            op, n = int(record["op"]), n + 1
            if op == NOTHING:
                continue
            if self.follower is not None:
                self.follower(device, stream, record, seq)
            if device.skipped is None or not device.skipped[seq]:
                self._carry_out(op, stream, record, seq)
            look()

    def _walk(self, stream: CommandBuffer, start: int, stop: int, before: int | None) -> int:
        """Carries out what needs no Python; the first record that does, or `stop`. before: as DrawLane.carry."""
        if self._lane is not None and self.follower is None:
            return self._lane.carry(stream, start, stop, before)
        return self.device.registers.walk(stream.commands, stream.records, start, stop, stream.first_seq)

    def _carry_out(self, op: int, stream: CommandBuffer, record: Any, seq: int) -> None:
        if op not in DRAWS:
            OPERATIONS[op](self.device, stream, record, seq)
        elif self.device.draws:
            self.lane.draw(stream, record, seq)

    def describe_draw(self, stream: CommandBuffer, number: int) -> DrawArguments | None:
        """What record `number` would ask the vertex half for, with the present state; None for what draws no primitives."""
        record = stream.records[number]
        if int(record["op"]) not in DRAWS or not self.device.draws:
            return None
        try:
            return self.lane.describe(stream, record, stream.first_seq + number)
        except MemoryError:
            self.device.renew()
            raise
