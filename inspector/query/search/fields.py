"""Fields of events that a filter can compare: numbers in columns, names, flags."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from core.cancel import stoppable
from core.spec.effects import ACTIONS, EventKind
from core.spec.enums import ClearFlag, PrimitiveType
from core.spec.tokens import TOKEN_BY_NAME, TOKENS
from inspector.progress import spans
from inspector.timeline.kinds import kinds_of
from inspector.timeline.primitives import primitive_counts
from inspector.timeline.records import events_of, fields_of
from inspector.timeline.resources import INDEXED

FLAGS = {"drawcall": 1, "clear": 2, "copy": 4, "present": 8, "indexed": 16, "clearcolor": 32, "cleardepthstencil": 64}
"""Action flags as RenderDoc spells them, as far as Direct3D 8 has them."""
NEVER_SET = (
    "dispatch", "instanced", "indirect", "resolve", "genmips", "setmarker", "pushmarker", "popmarker", "cmdlist", "auto",
    "multiaction", "passboundary", "beginpass", "endpass",
)  # fmt: skip
VERTICES = {  # vertices or indices of n primitives: factor, addend
    PrimitiveType.POINTLIST: (1, 0), PrimitiveType.LINELIST: (2, 0), PrimitiveType.LINESTRIP: (1, 1),
    PrimitiveType.TRIANGLELIST: (3, 0), PrimitiveType.TRIANGLESTRIP: (1, 2), PrimitiveType.TRIANGLEFAN: (1, 2),
}  # fmt: skip


class Column(NamedTuple):
    """A number for each event: `values`, and where there is one (`known`, None: everywhere)."""

    values: np.ndarray
    known: np.ndarray | None = None


class Fields:
    """The columns of a capture, made when they are asked for."""

    def __init__(self, capture: Any) -> None:
        self.capture, self.events = capture, capture.events
        self._made: dict[str, Column] = {}

    def column(self, name: str) -> Column | None:
        """The column of a name, whatever its case; None if there is none."""
        found = self._made.get(name)
        if found is None and (make := MAKERS.get(ALIASES.get(name.casefold(), name.casefold()))) is not None:
            found = self._made[name] = make(self)
        return found

    @cached_property
    def kind(self) -> np.ndarray:
        """EventKind, uint8."""
        return kinds_of(self.capture)

    @property
    def action(self) -> np.ndarray:
        """bool: draws, clears, copies, presentations."""
        return np.isin(self.kind, ACTIONS)

    @cached_property
    def draw(self) -> np.ndarray:
        return np.asarray(self.events.draw, bool)

    @cached_property
    def vertices(self) -> np.ndarray:
        """Vertices, or indices, that each draw names; 0 for others."""
        found = np.zeros(len(self.events), np.int64)
        draws = np.flatnonzero(self.draw)
        primitives = primitive_counts(self.events, draws)
        ops, kinds = self.events.rows["op"][draws], np.zeros(len(draws), np.int64)
        for row in stoppable(TOKENS.values(), 1):
            if row.draws:
                mine = np.flatnonzero(ops == row.op)
                own = [member for member in VERTICES if row.name.replace("INDEXED", "").startswith(member.name)]
                typed = any(field.name == "type" for field in row.fields)
                kinds[mine] = fields_of(self.events, draws[mine], row.name)["type"] if typed else own[0] if own else 0
        for member, (factor, addend) in VERTICES.items():
            mine = kinds == member
            found[draws[mine]] = primitives[mine] * factor + addend
        return found

    @cached_property
    def flags(self) -> np.ndarray:
        """FLAGS of each event."""
        kind = self.kind
        bits = np.zeros(len(kind), np.int64)
        for number, flag in zip(ACTIONS, ("drawcall", "clear", "copy", "present"), strict=True):
            bits |= np.where(kind == number, FLAGS[flag], 0)
        bits |= np.where(self.draw & np.isin(self.events.op, INDEXED), FLAGS["indexed"], 0)
        clears = events_of(self.events, "CLEAR")
        asked = fields_of(self.events, clears, "CLEAR")["flags"]
        bits[clears] |= np.where(asked & ClearFlag.TARGET, FLAGS["clearcolor"], 0)
        bits[clears] |= np.where(asked & (ClearFlag.ZBUFFER | ClearFlag.STENCIL), FLAGS["cleardepthstencil"], 0)
        return bits

    def of_field(self, *names: str, indexed: bool) -> Column:
        """A fixed field, by any of these names, of draw tokens with or without indices."""
        values, known = np.zeros(len(self.events), np.int64), np.zeros(len(self.events), bool)
        for row in TOKENS.values():
            for field in row.fields:
                if row.draws and field.name in names and (row.op in INDEXED) == indexed:
                    mine = events_of(self.events, row.name)
                    values[mine], known[mine] = fields_of(self.events, mine, row.name)[field.name], True
        return Column(values, known)

    def running(self, mask: np.ndarray) -> Column:
        """0, 1, 2 ... for the events of a mask."""
        return Column(np.cumsum(mask) - 1, mask)

    def frames(self) -> Column:
        return Column(frame_numbers(self.capture))

    def nothing(self) -> Column:
        """What Direct3D 8 has not: no event has a value."""
        return Column(np.zeros(len(self.events), np.int64), np.zeros(len(self.events), bool))


def _row(name: str) -> Callable[[Fields], Column]:
    return lambda fields: Column(getattr(fields.events, name).astype(np.int64))


def _in_streams(name: str) -> Callable[[Fields], Column]:
    return lambda fields: Column(getattr(fields.events, name).astype(np.int64), fields.events.op != 0)


def _primitives(fields: Fields) -> Column:
    draws = np.flatnonzero(fields.draw)
    found = np.zeros(len(fields.events), np.int64)
    found[draws] = primitive_counts(fields.events, draws)
    return Column(found, fields.draw)


MAKERS: dict[str, Callable[[Fields], Column]] = {
    "event": lambda fields: Column(np.arange(len(fields.events))),
    "call": _row("call"),
    "op": _row("op"),
    "kind": lambda fields: Column(fields.kind.astype(np.int64)),
    "source": lambda fields: Column(fields.events.source, fields.events.source >= 0),
    **{name: _in_streams(name) for name in ("token", "offset", "size", "count", "index")},
    "done": lambda fields: Column((~fields.events.undone()).astype(np.int64)),
    "frame": Fields.frames,
    "draw": lambda fields: fields.running(fields.draw),
    "action": lambda fields: fields.running(fields.action),
    "primitives": _primitives,
    "numindices": lambda fields: Column(fields.vertices, fields.draw),
    "numinstances": lambda fields: Column(np.ones(len(fields.events), np.int64), fields.draw),
    "instanceoffset": lambda fields: Column(np.zeros(len(fields.events), np.int64), fields.draw),
    "basevertex": lambda fields: fields.of_field("base", "base_offset", indexed=True),
    "vertexoffset": lambda fields: fields.of_field("start", "first_offset", indexed=False),
    "indexoffset": lambda fields: fields.of_field("start", "start_offset", indexed=True),
    **dict.fromkeys(("dispatchx", "dispatchy", "dispatchz", "dispatchsize", "duration"), Fields.nothing),
    "flags": lambda fields: Column(fields.flags),
}
ALIASES = {
    "eid": "event",
    "eventid": "event",
    "actionid": "action",
    "drawid": "draw",
    "api_call": "source",
    "vertices": "numindices",
}


COMPARISON_FLAGS = ("Drawcall", "Clear", "Copy", "Present", "Indexed", "ClearColor", "ClearDepthStencil")


def frame_numbers(capture: Any) -> np.ndarray:
    """The frame of each event; what lies before the first listed frame counts as the one before it."""
    starts = np.array([frame.first_event for frame in capture.frames])
    first = capture.frames[0].index if capture.frames else 0
    found = np.empty(len(capture.events), np.int64)
    for span in spans(len(found)):
        found[span] = np.searchsorted(starts, np.arange(span.start, span.stop), side="right") - 1 + first
    return found


def op_number(text: str) -> int | None:
    """The opcode of a token's name; None if there is none."""
    row = TOKEN_BY_NAME.get(text.upper())
    return row.op if row else None


def kind_number(text: str) -> int | None:
    """The EventKind of a word; None if there is none."""
    return int(EventKind[text.upper()]) if text.upper() in EventKind.__members__ else None


def flag_bits(text: str) -> int | str:
    """The bits of `Clear|Indexed`; the first unknown name of it."""
    bits = 0
    for name in text.split("|"):
        folded = name.strip().casefold()
        if folded not in FLAGS and folded not in NEVER_SET:
            return name
        bits |= FLAGS.get(folded, 0)
    return bits
