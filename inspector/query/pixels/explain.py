"""One fragment in full: interpolated inputs, texels, stages or instructions, fog, the tests it met, and its blending."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.device.past.pixel_log import redrawn
from core.device.past.tap import Pass
from core.errors import BadInput
from core.pipeline.explain.output_trace import Blended, blended
from core.spec.enums import CmpFunc
from inspector.progress import Cancel
from inspector.query.pixels.explain_text import lines
from inspector.query.pixels.fates import alpha_of, enum_name
from inspector.query.pixels.history import Entry
from inspector.query.pixels.pixel import handle_of, pieces
from inspector.query.pixels.shading import Placed, Shading, shaded

if TYPE_CHECKING:
    from inspector.capture import Capture


@dataclass(frozen=True, slots=True)
class Test:
    """A test that a fragment met: its name (alpha_test, stencil_test, depth_test), the comparison, and how it ended.

    passed None: it was off, or the fragment did not live to see it.  compared: the names and values of both sides.
    """

    name: str
    text: str
    passed: bool | None
    compared: tuple[tuple[str, tuple[float]], ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """blend: None if no colour is written."""

    entry: Entry
    shading: Shading
    tests: tuple[Test, ...]
    blend: Blended | None

    @property
    def lines(self) -> list[str]:
        """All of it as text, one line per fact."""
        return list(lines(self))


@dataclass(frozen=True, slots=True)
class Explain:
    """Everything about one fragment of a pixel's history."""

    entry: Entry

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Explanation:
        """BadInput if the entry is not a fragment, or not one of this capture."""
        last: Explanation | None = capture.explained
        if last is None or last.entry != self.entry:
            last = capture.explained = self._run(capture, cancel)
        return last

    def _run(self, capture: Capture, cancel: Cancel | None) -> Explanation:
        entry = self.entry
        placed, fragment = self._find(capture, cancel)
        state = placed.states[0]
        shading = shaded(capture, entry.event, placed, entry.x, entry.y)
        blend = None
        if state["color_write"] and entry.fate in ("written", "depth_write") and entry.shaded is not None:
            lane = (entry.y & 3) * 4 + (entry.x & 3)
            blend = blended(placed.states, entry.shaded, int(fragment["old_color"]), lane)
        return Explanation(entry, shading, tuple(_tests(entry, state, fragment)), blend)

    def _find(self, capture: Capture, cancel: Cancel | None) -> tuple[Placed, np.void]:
        entry = self.entry
        if entry.kind == "fragment" and 0 <= entry.event < len(capture.events):
            handle = handle_of(capture, entry.surface, entry.event, cancel)
            piece = next(pieces(capture, handle, entry.event, entry.event, cancel))
            assert piece.part is not None
            for touch in piece.log.touches(piece.part, entry.x, entry.y, entry.slice):
                cause, batch = touch.cause, touch.batch
                if not isinstance(cause, Pass) or batch is None or not cause.first_seq <= entry.event <= cause.last_seq:
                    continue
                for fragment in redrawn(touch, piece.part, entry.x, entry.y).fragments:
                    if (fragment["primitive"], fragment["sample"]) == (entry.piece, entry.sample or 0):
                        return Placed(cause, batch, entry.piece), fragment
        raise BadInput(f"{capture.title}: event {entry.event} has no such fragment at pixel {entry.x}, {entry.y}")


def _tests(entry: Entry, state: np.void, fragment: np.void) -> list[Test]:
    """The alpha, stencil and depth test, in order; where one fails, the later ones do not count."""
    order = {"texkill": 0, "color_key": 0, "alpha_test": 1, "stencil_test": 2, "depth_test": 3, "sample_mask": 0}
    died = order.get(entry.fate, 4)
    found = []
    for place, (name, (text, compared)) in enumerate(_comparisons(state, fragment).items(), 1):
        found.append(Test(name, text or "off", None if not text or died < place else died > place, compared))
    return found


Compared = tuple[str, tuple[tuple[str, tuple[float]], ...]]
"""A comparison in words, empty where the test is off, and its sides."""


def _comparisons(state: np.void, fragment: np.void) -> dict[str, Compared]:
    """What each test compares."""
    stored, largest = int(fragment["old_depth"]), int(state["depth_mask"]) & 0xFFFFFFFF
    alpha: Compared = "", ()
    stencil, depth = alpha, alpha
    if state["alpha_test_enable"]:
        text = f"0x{alpha_of(fragment):02x} {_func(state, 'alpha_func')} ALPHAREF 0x{int(state['alpha_ref']):02x}"
        alpha = text, (("alpha", (alpha_of(fragment) / 255,)), ("ALPHAREF", (int(state["alpha_ref"]) / 255,)))
    if state["stencil_enable"]:
        mask = int(state["stencil_mask"]) & int(state["stencil_max"])
        held = stored >> int(state["stencil_shift"]) & mask
        stencil = f"{int(state['stencil_ref']) & mask} {_func(state, 'stencil_func')} {held} (mask 0x{mask:x})", ()
    if state["z_enable"]:
        held = stored >> int(state["depth_shift"]) & largest
        mine, there = int(fragment["depth"]) / largest, held / largest
        depth = f"{mine:.7g} {_func(state, 'z_func')} {there:.7g}", (("depth", (mine,)), ("stored depth", (there,)))
    return {"alpha_test": alpha, "stencil_test": stencil, "depth_test": depth}


def _func(state: np.void, name: str) -> str:
    return enum_name(CmpFunc, int(state[name]))
