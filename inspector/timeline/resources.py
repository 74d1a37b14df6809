"""Uses of resources: every draw's bindings as columns, and all other actions on objects.

Built without drawing, from the state index and the calls and tokens that name objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from core.cancel import look, stoppable
from core.ddi.calls import DdiCall
from core.spec.enums import Fvf
from core.spec.slots import BASE, LIGHT_FIELDS, STREAMS, TEXTURE_STAGES
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID
from core.spec.tokens import TOKENS, Op
from inspector.timeline.events import Events
from inspector.timeline.lives import LIGHT, MEMORY, PALETTE, PIXEL_SHADER, VERTEX_SHADER, Life, Lives, Role, read
from inspector.timeline.states import StateTimeline
from inspector.timeline.walk import Walk

TOUCH = np.dtype([("event", "i8"), ("life", "i4"), ("role", "u1"), ("detail", "i4")])
COLOROP_DISABLE = 1
INDEXED = [Op["DRAWINDEXEDPRIMITIVE"], Op["DRAWINDEXEDPRIMITIVE2"]]
LEGACY = [op for op, row in TOKENS.items() if row.draws and row.since < 8]  # vertices of the call, not of streams
_RENDER, _STAGE, _STREAM = BASE["render_state"], BASE["texture_stage"], BASE["stream"]
_COLOROP = TEXTURE_STAGE_STATE_ID["COLOROP"]
BINDINGS = (
    *((_STAGE + 32 * i, MEMORY, Role.BOUND_TEXTURE, i) for i in range(TEXTURE_STAGES)),
    *((_STREAM + 3 * i, MEMORY, Role.BOUND_STREAM, i) for i in range(STREAMS)),
    (BASE["indices"], MEMORY, Role.BOUND_INDICES, 0),
    (BASE["render_target"], MEMORY, Role.BOUND_TARGET, 0),
    (BASE["depth_stencil"], MEMORY, Role.BOUND_DEPTH, 0),
    (BASE["vertex_shader"], VERTEX_SHADER, Role.BOUND_SHADER, 0),
    (BASE["pixel_shader"], PIXEL_SHADER, Role.BOUND_SHADER, 0),
)
"""Slots that name an object: slot, where its handle is a name, role, detail."""


class DrawTable:
    """What each draw works with: columns over the draws of a tape, filled from the state index when asked for.

    Columns of handles are uint32, 0 for nothing.
    """

    def __init__(self, states: StateTimeline, events: Events) -> None:
        self.states = states
        self.event: np.ndarray = np.flatnonzero(events.rows["draw"])
        self.op = events.rows["op"][self.event]
        self._columns: dict[int, np.ndarray] = {}

    def __len__(self) -> int:
        return len(self.event)

    def column(self, slot: int) -> np.ndarray:
        """The value of a slot at each draw, uint32."""
        found = self._columns.get(slot)
        if found is None:
            seqs, values = self.states.history(slot)
            found = self._columns[slot] = np.append(values, np.uint32(self.states.start(slot)))[
                np.searchsorted(seqs, self.event, side="right") - 1
            ].astype(np.uint32)
        return found

    def render_state(self, name: str) -> np.ndarray:
        """The value of a render state at each draw."""
        return self.column(_RENDER + RENDER_STATE_ID[name])

    def texture(self, stage: int) -> np.ndarray:
        return self.column(_STAGE + 32 * stage)

    def stream(self, number: int) -> np.ndarray:
        """The buffer of a stream; 0 where it is user memory."""
        return np.where(self.column(_STREAM + 3 * number + 2) == 0, self.column(_STREAM + 3 * number), 0)

    @property
    def indexed(self) -> np.ndarray:
        """bool: takes indices from the bound buffer."""
        return np.isin(self.op, INDEXED)

    @property
    def legacy(self) -> np.ndarray:
        """bool: a token of DirectX 6 or 7, whose vertices come with the call."""
        return np.isin(self.op, LEGACY)

    def active_stages(self) -> np.ndarray:
        """uint8 bits: fixed function stages before the first disabled one."""
        active, bits = np.ones(len(self), bool), np.zeros(len(self), np.uint8)
        for stage in range(TEXTURE_STAGES):
            active = active & (self.column(_STAGE + 32 * stage + _COLOROP) != COLOROP_DISABLE)
            bits |= np.where(active, np.uint8(1 << stage), np.uint8(0))
        return bits

    def writes_depth(self) -> np.ndarray:
        """bool: may change the depth surface."""
        depth = (self.render_state("ZENABLE") != 0) & (self.render_state("ZWRITEENABLE") != 0)
        return depth | (self.render_state("STENCILENABLE") != 0)


@dataclass(frozen=True, slots=True)
class Resources:
    """All objects of a tape; TOUCH rows in order of events: `uses` those of draws, `touches` all others."""

    lives: Lives
    touches: np.ndarray
    uses: np.ndarray
    draws: DrawTable

    def life(self, number: int) -> Life:
        return self.lives.all[number]

    def happened(self, numbers: Sequence[int]) -> np.ndarray:
        """TOUCH rows of these lives in order of events, draws among them."""
        rows = np.concatenate([rows[np.isin(rows["life"], numbers)] for rows in (self.touches, self.uses)])
        return rows[np.argsort(rows["event"], kind="stable")]

    def during(self, first: int, last: int, which: str) -> np.ndarray:
        """TOUCH rows of events first..last: "touches" or "uses"."""
        rows: np.ndarray = getattr(self, which)
        low, high = np.searchsorted(rows["event"], [first, last + 1])
        return rows[low:high]

    def at(self, event: int) -> np.ndarray:
        """TOUCH rows of one event."""
        return np.concatenate([self.during(event, event, which) for which in ("touches", "uses")])


def build(calls: Sequence[DdiCall], streamless: np.ndarray, events: Events, walked: Walk) -> Resources:
    """The resources of a tape; `streamless`: numbers of the calls that are not DrawPrimitives2.  Raises Cancelled."""
    reader = read(calls, streamless, events, walked)
    lives, draws = reader.lives, DrawTable(walked.states, events)
    listed = np.array(reader.touches, np.int64).reshape(-1, 4)
    parts = [_rows(*listed.T), *stoppable(_bindings(walked.states, lives), 1)]
    touches = np.concatenate(parts)
    touches = touches[np.argsort(touches["event"], kind="stable")]
    parts = [*stoppable(chain(_shaders(draws, lives), _vertices(draws, lives), _targets(draws, lives)), 1)]
    parts += _palettes(parts, touches, lives)
    parts += stoppable(_lights(draws, lives, walked), 1)
    return Resources(lives, touches, _in_order(parts), draws)


def _in_order(parts: list[np.ndarray]) -> np.ndarray:
    """TOUCH rows by event, role, detail."""
    uses = np.concatenate(parts) if parts else np.zeros(0, TOUCH)
    look()
    detail = uses["detail"]
    if not len(uses) or (int(detail.min()) >= 0 and int(detail.max()) < 1 << 20):  # as one number: parts are runs in order
        key = uses["event"] << 28 | uses["role"].astype(np.int64) << 20 | detail
        order = np.argsort(key, kind="stable")
    else:
        order = np.lexsort((detail, uses["role"], uses["event"]))
    look()
    return uses[order]


def _rows(event: np.ndarray, life: np.ndarray, role: np.ndarray | int, detail: np.ndarray | int) -> np.ndarray:
    """TOUCH rows of those that have a life."""
    rows = np.zeros(len(event), TOUCH)
    rows["event"], rows["life"], rows["role"], rows["detail"] = event, life, role, detail
    return rows[rows["life"] >= 0]


def _bindings(states: StateTimeline, lives: Lives) -> Iterator[np.ndarray]:
    """Every write of a handle into a slot that binds it."""
    for slot, space, role, detail in BINDINGS:
        seqs, values = states.history(slot)
        if len(seqs):
            yield _rows(seqs, np.where(values != 0, lives.find_all(space, values, seqs), -1), role, detail)


def _uses(
    draws: DrawTable, lives: Lives, space: str, handles: np.ndarray, role: np.ndarray | int, detail: int = 0
) -> np.ndarray:
    """Rows of the draws whose handle is not 0."""
    chosen = np.flatnonzero(handles)
    roles = role[chosen] if isinstance(role, np.ndarray) else role
    return _rows(draws.event[chosen], lives.find_all(space, handles[chosen], draws.event[chosen]), roles, detail)


def _facts(lives: Lives, facts: list[int], space: str, handles: np.ndarray, events: np.ndarray) -> np.ndarray:
    """Of `facts`, one per life, that of the object that has the name; 0 if none."""
    return np.array([*facts, 0], np.int64)[lives.find_all(space, handles, events)]


def _shaders(draws: DrawTable, lives: Lives) -> Iterator[np.ndarray]:
    """Shaders, and the textures that the pixel shader or the stages sample."""
    pixel, vertex = draws.column(BASE["pixel_shader"]), draws.column(BASE["vertex_shader"])
    yield _uses(draws, lives, PIXEL_SHADER, pixel, Role.SHADER)
    yield _uses(draws, lives, VERTEX_SHADER, np.where(vertex & 1, vertex, 0), Role.SHADER)
    reads = [life.reads for life in lives.all]
    sampled = np.where(pixel != 0, _facts(lives, reads, PIXEL_SHADER, pixel, draws.event), draws.active_stages())
    roots = np.array([*(life.handle for life in lives.all), 0], np.int64)
    for stage in range(TEXTURE_STAGES):
        handles = draws.texture(stage)
        rows = _uses(draws, lives, MEMORY, handles, np.where(sampled >> stage & 1, Role.TEXTURE, Role.UNREAD_TEXTURE), stage)
        bound = handles[np.searchsorted(draws.event, rows["event"])]
        yield rows[roots[rows["life"]] == bound]  # a texture is bound by the handle of its first part


def _vertices(draws: DrawTable, lives: Lives) -> Iterator[np.ndarray]:
    """Streams that the declaration or the vertex format reads, and indices."""
    vertex = draws.column(BASE["vertex_shader"])
    named = _facts(lives, [life.reads for life in lives.all], VERTEX_SHADER, vertex, draws.event)
    read = np.where(draws.legacy, 0, np.where(vertex & 1, named, vertex != 0))
    for number in range(STREAMS):
        yield _uses(draws, lives, MEMORY, np.where(read >> number & 1, draws.stream(number), 0), Role.STREAM, number)
    yield _uses(draws, lives, MEMORY, np.where(draws.indexed, draws.column(BASE["indices"]), 0), Role.INDICES)


def _targets(draws: DrawTable, lives: Lives) -> Iterator[np.ndarray]:
    yield _uses(draws, lives, MEMORY, draws.column(BASE["render_target"]), Role.TARGET)
    role = np.where(draws.writes_depth(), Role.DEPTH, Role.DEPTH_TEST)
    yield _uses(draws, lives, MEMORY, draws.column(BASE["depth_stencil"]), role)


def _palettes(uses: list[np.ndarray], touches: np.ndarray, lives: Lives) -> list[np.ndarray]:
    """Palettes of the textures that draws sample: those bound last."""
    found = []
    bound = touches[touches["role"] == Role.PALETTE_BOUND]
    for number in np.unique(bound["life"]).tolist():
        if lives.all[number].space != MEMORY:
            continue
        mine = bound[bound["life"] == number]
        for rows in uses:
            read = rows[(rows["life"] == number) & (rows["role"] == Role.TEXTURE)]
            if not len(read):
                continue
            last = np.searchsorted(mine["event"], read["event"]) - 1
            palettes = np.where(last >= 0, mine["detail"][last], 0)
            found.append(_rows(read["event"], lives.find_all(PALETTE, palettes, read["event"]), Role.PALETTE, read["detail"]))
    return found


def _lights(draws: DrawTable, lives: Lives, walked: Walk) -> Iterator[np.ndarray]:
    """Lights that are on where the fixed function lights vertices."""
    vertex = draws.column(BASE["vertex_shader"])
    transformed = (vertex & 1 == 0) & (vertex & Fvf.POSITION_MASK == Fvf.XYZRHW)
    programs = _facts(lives, [life.label == "program" for life in lives.all], VERTEX_SHADER, vertex, draws.event)
    lit = (draws.render_state("LIGHTING") != 0) & ~transformed & (programs == 0)
    for light, (slot, born) in walked.lights.items():
        on = lit & (draws.column(slot + LIGHT_FIELDS["Enabled"].offset) != 0) & (draws.event >= born)
        chosen = draws.event[on]
        yield _rows(chosen, lives.find_all(LIGHT, np.full(len(chosen), light), chosen), Role.LIGHT, 0)
