"""Findings: violations of the interface's rules by a program or a driver.

The value and the rule rows live with the device, which emits most of them; this module has those that only watch a stream
go by: states that have no meaning, values that are none of a state's values, states that this emulator stores without
acting upon them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntFlag
from functools import cached_property

import numpy as np

from core.device.findings import RULES, Finding, Rule, finding
from core.spec.enums import TextureFilter
from core.spec.kinds import Kind
from core.spec.states import RENDER_STATES, TEXTURE_STAGE_STATES, State
from core.spec.tokens import Op

__all__ = ["RULES", "Finding", "Rule", "StateCheck", "finding"]

SMALL = 512  # members of enumerations are smaller
# States without effect here, and the values that ask for none.
WITHOUT_EFFECT = {
    "ANTIALIAS": 0, "MONOENABLE": 0, "ROP2": 13, "PLANEMASK": 0xFFFFFFFF, "ZVISIBLE": 0, "STIPPLEDALPHA": 0, "STIPPLEENABLE": 0,
    "TEXTUREPERSPECTIVE": 1, "TRANSLUCENTSORTINDEPENDENT": 0, "SCISSORTESTENABLE": 0,
}  # fmt: skip
# Values that are taken for another one.
CUBIC = {int(TextureFilter.FLATCUBIC): "LINEAR", int(TextureFilter.GAUSSIANCUBIC): "LINEAR"}
TAKEN_FOR = {"MAGFILTER": CUBIC, "MINFILTER": CUBIC, "MIPFILTER": CUBIC}


class StateTable:
    """Which (state, value) pairs make sense, as arrays: by state number."""

    def __init__(self, rows: Mapping[int, State], size: int, without_effect: Mapping[str, int]) -> None:
        self.rows = rows
        self.known = np.zeros(size, bool)
        self.enumerated = np.zeros(size, bool)
        self.member = np.zeros((size, SMALL), bool)
        self.bits = np.full(size, 0xFFFFFFFF, np.uint32)
        self.idle = np.zeros(size, bool)
        self.neutral = np.zeros(size, np.uint32)
        for number, row in rows.items():
            self.known[number] = True
            self._enter(number, row.kind)
            if row.name in without_effect:
                self.idle[number], self.neutral[number] = True, without_effect[row.name]
            self.member[number, list(TAKEN_FOR.get(row.name, ()))] = False

    def _enter(self, number: int, kind: Kind) -> None:
        if kind.members is None:
            return
        values = [int(member) for member in kind.members]
        if issubclass(kind.members, IntFlag):
            self.bits[number] = np.bitwise_or.reduce(np.array(values, np.uint32))
        else:
            self.enumerated[number] = True
            self.member[number, values] = True

    @cached_property
    def _suspects(self) -> np.ndarray:
        """By state (the last: beyond the table) and value (the last: large ones): whether a pair needs a closer look."""
        states, values = np.indices((len(self.known) + 1, SMALL + 1)).astype(np.uint32)
        found = self._wrong(states, values)
        found[:-1, SMALL] = self.enumerated | (self.bits != 0xFFFFFFFF) | self.idle | ~self.known
        return found.ravel()

    def doubtful(self, states: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Indices of the pairs that have something wrong with them."""
        place = np.minimum(states, len(self.known)) * np.uint32(SMALL + 1) + np.minimum(values, SMALL)
        near = np.flatnonzero(self._suspects[place])
        return near[self._wrong(states[near], values[near])] if len(near) else near

    def _wrong(self, states: np.ndarray, values: np.ndarray) -> np.ndarray:
        within = states < len(self.known)
        number, small = np.where(within, states, 0), np.minimum(values, SMALL - 1)
        wrong = self.enumerated[number] & (~self.member[number, small] | (values >= SMALL))
        wrong |= (values & ~self.bits[number]) != 0
        wrong |= ~self.known[number] | (self.idle[number] & (values != self.neutral[number]))
        return wrong & within

    def verdict(self, state: int, value: int) -> tuple[str, str]:
        """(rule, sentence) of a doubtful pair."""
        row = self.rows.get(state)
        if row is None:
            return "unknown-state", f"state {state} = {value:#x}"
        if self.idle[state]:
            return "unimplemented-state", f"{row.name} = {row.kind.text(value)} has no effect here"
        if (like := TAKEN_FOR.get(row.name, {}).get(value)) is not None:
            return "unimplemented-state", f"{row.name} = {row.kind.text(value)} has the effect of {like} here"
        return "bad-state-value", f"{row.name} = {value:#x}"


RENDER = StateTable(RENDER_STATES, 256, WITHOUT_EFFECT)
STAGE = StateTable(TEXTURE_STAGE_STATES, 32, {})


def _words(data: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """The little-endian words at these offsets of uint8[n]."""
    if not np.bitwise_or.reduce(offsets) & 3 and data.flags.c_contiguous:  # as in most streams; eight times as fast
        return data[: len(data) & ~3].view("<u4")[offsets >> 2]
    return data[offsets[:, None] + np.arange(4)].view("<u4")[:, 0]


class StateCheck:
    """Watches the state tokens of streams; reports each finding once."""

    def __init__(self) -> None:
        self._reported: set[tuple[str, str]] = set()

    def copy(self) -> StateCheck:
        """Another one that goes on by itself."""
        twin = StateCheck()
        twin._reported = set(self._reported)
        return twin

    def check(self, commands: np.ndarray, records: np.ndarray, first_seq: int) -> list[Finding]:
        """Findings about these records, of which the first is event `first_seq`."""
        return [
            *self._about(commands, records, first_seq, Op["RENDERSTATE"], RENDER, 0, 0xFFFFFFFF),
            *self._about(commands, records, first_seq, Op["TEXTURESTAGESTATE"], STAGE, 16, 0xFFFF),
        ]

    def _about(
        self, commands: np.ndarray, records: np.ndarray, first_seq: int, op: int, table: StateTable, shift: int, mask: int
    ) -> list[Finding]:
        places = np.flatnonzero(records["op"] == op)
        if not len(places):
            return []
        offsets = records["offset"][places].astype(np.int64)
        states, values = _words(commands, offsets), _words(commands, offsets + 4)
        states = states >> np.uint32(shift) & np.uint32(mask)
        found = []
        for n in table.doubtful(states, values).tolist():
            verdict = table.verdict(int(states[n]), int(values[n]))
            if verdict not in self._reported:
                self._reported.add(verdict)
                found.append(finding(verdict[0], first_seq + int(places[n]), verdict[1], int(offsets[n])))
        return found
