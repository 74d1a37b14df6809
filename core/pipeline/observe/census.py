"""A census of draws: fates of each draw's primitives and fragments, counted by the kernels that draw them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

from core.kernels.jit import array, i8, kernel, void
from core.kernels.simd import pointer
from core.pipeline.pixel.observer import CHANGED, COUNTS, PIXELS
from core.pipeline.pixel.setup import NO_CULL, culled, reachable, snap, vertex_at
from core.pipeline.records.layout import PIXEL_STATE, Fate
from core.pipeline.records.primitives import PRIMITIVE, PrimitiveFate, PrimitiveKind

if TYPE_CHECKING:
    from core.pipeline.geometry import Geometry

# One draw.  primitives = clipped + culled + degenerate + empty + rasterised; fragments = texkill + ... + written, one a
# covered sample.
DRAW_COUNTS = np.dtype([
    ("event", "i8"),
    ("primitives", "i8"),       # as the application counts
    ("clipped", "i8"),          # outside the viewport, of near, far or user planes, or not finite
    ("culled", "i8"),
    ("degenerate", "i8"),       # without area, length or size
    ("empty", "i8"),            # no pixel centre of the viewport is near, or the draw could not be executed
    ("rasterised", "i8"),
    ("fragments", "i8"),
    ("texkill", "i8"), ("color_key", "i8"), ("alpha_test", "i8"), ("stencil_test", "i8"), ("depth_test", "i8"),
    ("masked", "i8"),           # passed all tests, but neither colour nor depth nor stencil may be written
    ("written", "i8"),
    ("changed", "i8"),          # fragments that made a stored word another one
    ("pixels", "i8"),           # pixels that changed
])  # fmt: skip
PRIMITIVE_FATES = "clipped", "culled", "degenerate", "empty", "rasterised"
FRAGMENT_FATES = "texkill", "color_key", "alpha_test", "stencil_test", "depth_test", "masked", "written"

DRAWN, EMPTY, DEGENERATE, CULLED, CLIPPED = range(5)  # of a primitive: the smallest of its pieces
LATER = {PrimitiveFate.CULLED: CULLED, PrimitiveFate.NO_SIZE: DEGENERATE, PrimitiveFate.DEGENERATE: DEGENERATE}
REASONS = np.array([DRAWN] + [LATER.get(fate, CLIPPED) for fate in PrimitiveFate if fate], np.uint8)
"""By primitives.PrimitiveFate."""


@kernel(void(array("f4", 2), array(PRIMITIVE), i8, array(PIXEL_STATE), i8, array("u1")))
def why_not(vertices, primitives, count, states, state_number, reasons):
    """Why setup leaves assembled primitives out: reasons[number] is lowered to that of each of its pieces."""
    state, items, vertex = pointer(states, state_number)[0], pointer(primitives, 0), pointer(vertices, 0)
    for i in range(count):
        item = items[i]
        line = item.kind == PrimitiveKind.LINE
        v0, v1 = vertex_at(vertex, item.vertex[0]), vertex_at(vertex, item.vertex[1])
        v2 = vertex_at(vertex, item.vertex[1 if line else 2])
        reason = EMPTY
        if not (reachable(v0[0], v0[1]) and reachable(v1[0], v1[1]) and reachable(v2[0], v2[1])):
            reason = CLIPPED
        else:
            x1, y1 = snap(v1[0]) - snap(v0[0]), snap(v1[1]) - snap(v0[1])
            area = x1 * (snap(v2[1]) - snap(v0[1])) - (snap(v2[0]) - snap(v0[0])) * y1
            if (x1 == 0 and y1 == 0) if line else area == 0:
                reason = DEGENERATE
            elif not line and not item.flags & NO_CULL and culled(state.cull, area):
                reason = CULLED
        if reason < reasons[item.number]:
            reasons[item.number] = reason


class Census:
    """Counts of the draws among events first..last; `rows` when they are drawn."""

    def __init__(self, first: int, last: int) -> None:
        self.events = first, last
        self._fragments = np.zeros((last - first + 1) * COUNTS, np.int64)
        self._primitives: dict[int, np.ndarray] = {}  # event -> primitives by reason
        self._least: tuple[int, np.ndarray] | None = None  # event and reasons, as far as its pieces are set up
        self._splits: dict[int, tuple[bool, bool]] = {}  # event -> killed by the colour key, nothing may be written
        self._lock = threading.Lock()

    def room(self) -> np.ndarray:
        """Counts of one thread."""
        return np.zeros_like(self._fragments)

    def add(self, counts: np.ndarray) -> None:
        """What one thread has counted."""
        with self._lock:
            self._fragments += counts

    def assembled(self, seq: int, geometry: Geometry) -> None:
        """The vertex half of a draw is done, and all pieces that it made are set up."""
        reasons = _reasons(geometry)
        if self._least is not None and self._least[0] == seq:
            reasons[reasons == EMPTY] = CLIPPED  # until a piece of it says better
            np.minimum(reasons, self._least[1][: len(reasons)], out=reasons)
        self._primitives[seq], self._least = np.bincount(reasons, minlength=CLIPPED + 1), None

    def set_up(self, seq: int, geometry: Geometry, primitives: np.ndarray, states: np.ndarray, number: int,
               drawn: np.ndarray) -> None:  # fmt: skip
        """Primitives of a draw have gone to the pixel half with state `number` of `states`; drawn: numbers of those set up.

        `assembled` follows.
        """
        state, (_, count, per_primitive) = states[number], geometry.drawn
        if self._least is None or self._least[0] != seq:
            self._least = seq, np.full(count // per_primitive, CLIPPED, np.uint8)
        reasons = self._least[1]
        why_not(geometry.vertices, primitives, len(primitives), states, number, reasons)
        reasons[drawn] = DRAWN
        writes = state["color_write"] or state["z_write"] or state["stencil_enable"]
        self._splits[seq] = bool(state["color_key"]) and not state["pixel_shader"], not writes

    @property
    def rows(self) -> np.ndarray:
        """DRAW_COUNTS, one a draw, in order."""
        rows = np.zeros(len(self._primitives), DRAW_COUNTS)
        events = rows["event"] = np.array(sorted(self._primitives), np.int64)
        made = np.array([self._primitives[event] for event in events.tolist()], np.int64).reshape(-1, CLIPPED + 1)
        for name, reason in zip(PRIMITIVE_FATES, (CLIPPED, CULLED, DEGENERATE, EMPTY, DRAWN), strict=True):
            rows[name] = made[:, reason]
        rows["primitives"] = made.sum(axis=1)
        counts = self._fragments.reshape(-1, COUNTS)[events - self.events[0]]
        keyed, masked = np.array([self._splits.get(event, (False, False)) for event in events.tolist()], bool).reshape(-1, 2).T
        killed, passed = counts[:, Fate.KILLED], counts[:, Fate.WRITTEN]
        rows["color_key"], rows["texkill"] = np.where(keyed, killed, 0), np.where(keyed, 0, killed)
        rows["masked"], rows["written"] = np.where(masked, passed, 0), np.where(masked, 0, passed)
        for fate in (Fate.ALPHA_TEST, Fate.STENCIL_TEST, Fate.DEPTH_TEST):
            rows[fate.name.lower()] = counts[:, fate]
        rows["fragments"] = sum(rows[name] for name in FRAGMENT_FATES)
        rows["changed"], rows["pixels"] = counts[:, CHANGED], counts[:, PIXELS]
        return rows


def _reasons(geometry: Geometry) -> np.ndarray:
    """Reason of each of the application's primitives in the draw that was assembled last, before setup: uint8[n]."""
    _, count, per_primitive = geometry.drawn
    reasons = REASONS[geometry.fates[:count]]
    reasons[reasons == DRAWN] = EMPTY
    return reasons.reshape(-1, per_primitive).min(axis=1) if per_primitive > 1 else reasons
