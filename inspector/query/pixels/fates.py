"""The fate of a fragment, or of a primitive that left none: the sentence, and the event that set the deciding state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.pipeline.records.layout import Fate
from core.pipeline.records.primitives import PrimitiveFate
from core.spec.enums import Blend, BlendOp, CmpFunc, Cull
from core.spec.slots import Key
from inspector.query.state.places import FIXED_BY_KEY, text_of

if TYPE_CHECKING:
    from inspector.capture import Capture

FATES = (
    "written", "texkill", "color_key", "alpha_test", "stencil_test", "depth_test", "sample_mask", "color_write", "depth_write",
)  # fmt: skip
"""What may become of a fragment; `color_write` and `depth_write`: it passed, and the state leaves the surface alone."""
NAMES = {Fate.KILLED: "texkill"}

FATE_TITLES = {
    "written": "written", "texkill": "killed by texkill", "color_key": "killed by the colour key",
    "alpha_test": "killed by the alpha test", "stencil_test": "killed by the stencil test",
    "depth_test": "killed by the depth test", "sample_mask": "masked by the sample mask",
    "color_write": "masked by the colour write mask", "depth_write": "no depth is written",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Why:
    """A sentence, and the event that set what decided; None: nothing did, it is the default."""

    text: str
    writer: int | None = None


def enum_name(kind: Any, value: int) -> str:
    """The header's spelling, or the number."""
    return str(kind(value).name) if value in kind._value2member_map_ else str(value)


def alpha_of(fragment: np.void) -> int:
    """The alpha of a FRAGMENT as the alpha test sees it, 0..255."""
    return int(np.float32(fragment["source"][3]) * np.float32(255.0) + np.float32(0.5))


def spares_channels(state: np.void) -> bool:
    """Whether the colour write mask of a PIXEL_STATE lets some channels through and others not."""
    places = zip(state["color_shift"].tolist(), state["color_bits"].tolist(), strict=True)
    whole, mask = sum(((1 << bits) - 1) << shift for shift, bits in places), int(state["color_write"]) & 0xFFFFFFFF
    return mask not in (0, whole)


class Held(NamedTuple):
    """A state in force at an event; writer None: it is the default."""

    name: str
    raw: int
    text: str
    writer: int | None


class Reasons:
    """Tells why, with the state in force at an event."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture
        self._histories: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._places: dict[int, str] = {}

    def value(self, event: int, key: Key) -> Held:
        """A state in force at an event: its first dword, and the last event that wrote any of them."""
        walked, place = self._capture.walked, FIXED_BY_KEY[key]
        raw, writer = [], -1
        for slot in range(place.slot, place.slot + place.count):
            if (found := self._histories.get(slot)) is None:
                found = self._histories[slot] = walked.states.history(slot)
            written = int(np.searchsorted(found[0], event, side="right")) - 1
            raw.append(int(found[1][written]) if written >= 0 else walked.states.start(slot))
            writer = max(writer, int(found[0][written])) if written >= 0 else writer
        by_program = writer >= 0 and not walked.initial[writer]
        return Held(place.name, raw[0], text_of(place.kind, tuple(raw)), writer if by_program else None)

    def place(self, event: int) -> str:
        """As in "event 1201 by API call 988, frame 2"."""
        if (text := self._places.get(event)) is None:
            source = int(self._capture.events.rows["source"][event])
            cause = f" by API call {source}" if source >= 0 else ""
            text = self._places[event] = f"event {event}{cause}, frame {self._capture.frame_of(event)}"
        return text

    def setter(self, event: int, *keys: Key) -> tuple[str, int | None]:
        """What set the first of these states that was set, as in "; ALPHAREF set at event 1201 by API call 988, frame 2"."""
        for key in keys:
            value = self.value(event, key)
            if value.writer is not None:
                return f"; {value.name} set at {self.place(value.writer)}", value.writer
        return f"; {self.value(event, keys[0]).name} is at its default", None

    # ---- fragments
    def fragment(self, fate: str, event: int, state: np.void, fragment: np.void, stored_by: str) -> Why:
        """state: PIXEL_STATE of the draw; fragment: FRAGMENT; stored_by: what wrote the depth and stencil it met."""
        tell: Callable[[int, np.void, np.void, str], Why] = getattr(self, f"_{fate}")
        return tell(event, state, fragment, stored_by)

    def _written(self, event: int, state: np.void, fragment: np.void, stored_by: str) -> Why:
        part = self._spared(event, state)
        if not state["blend_enable"]:
            return Why(f"written{part}")
        op, source, dest = (
            enum_name(kind, int(state[name]))
            for kind, name in ((BlendOp, "blend_op"), (Blend, "blend_source"), (Blend, "blend_dest"))
        )
        return Why(f"written, blended: {op} of source * {source} and destination * {dest}{part}")

    def _spared(self, event: int, state: np.void) -> str:
        """As in ", as far as COLORWRITEENABLE 0x7 lets it", where the colour write mask lets some channels through."""
        held = self.value(event, "COLORWRITEENABLE")
        return f", limited by COLORWRITEENABLE 0x{held.raw:x}" if spares_channels(state) else ""

    def _texkill(self, event: int, state: np.void, fragment: np.void, stored_by: str) -> Why:
        text, writer = self.setter(event, "PIXELSHADER")
        return Why(f"texkill in the pixel shader discarded it{text}", writer)

    def _color_key(self, event: int, state: np.void, fragment: np.void, stored_by: str) -> Why:
        text, writer = self.setter(event, "COLORKEYENABLE")
        return Why(f"its texel is within the colour key of the texture{text}", writer)

    def _alpha_test(self, event: int, state: np.void, fragment: np.void, stored_by: str) -> Why:
        alpha = alpha_of(fragment)
        func = int(state["alpha_func"])
        keys = ("ALPHAFUNC", "ALPHAREF") if func == CmpFunc.NEVER else ("ALPHAREF", "ALPHAFUNC")
        text, writer = self.setter(event, *keys)
        return Why(f"alpha test failed: 0x{alpha:02x} {enum_name(CmpFunc, func)} 0x{int(state['alpha_ref']):02x}{text}", writer)

    def _stencil_test(self, event: int, state: np.void, fragment: np.void, stored_by: str) -> Why:
        largest, mask = int(state["stencil_max"]), int(state["stencil_mask"])
        stored = int(fragment["old_depth"]) >> int(state["stencil_shift"]) & largest & mask
        reference = int(state["stencil_ref"]) & largest & mask
        masked = f" (under mask 0x{mask & largest:x})" if mask & largest != largest else ""
        text, writer = self.setter(event, "STENCILREF", "STENCILFUNC")
        func = enum_name(CmpFunc, int(state["stencil_func"]))
        return Why(f"stencil test failed: {reference} {func} {stored}{masked}{stored_by}{text}", writer)

    def _depth_test(self, event: int, state: np.void, fragment: np.void, stored_by: str) -> Why:
        mask = int(state["depth_mask"]) & 0xFFFFFFFF
        stored = int(fragment["old_depth"]) >> int(state["depth_shift"]) & mask
        func = enum_name(CmpFunc, int(state["z_func"]))
        text, writer = self.setter(event, "ZFUNC", "ZENABLE")
        depth = f"{int(fragment['depth']) / mask:.7g} {func} {stored / mask:.7g}"
        return Why(f"depth test failed: {depth}{stored_by}{text}", writer)

    def _sample_mask(self, event: int, state: np.void, fragment: np.void, stored_by: str) -> Why:
        value, (text, writer) = self.value(event, "MULTISAMPLEMASK"), self.setter(event, "MULTISAMPLEMASK")
        return Why(f"MULTISAMPLEMASK 0x{value.raw:x} leaves out sample {int(fragment['sample'])}{text}", writer)

    def _color_write(self, event: int, state: np.void, fragment: np.void, stored_by: str) -> Why:
        value, (text, writer) = self.value(event, "COLORWRITEENABLE"), self.setter(event, "COLORWRITEENABLE")
        return Why(f"passed, but COLORWRITEENABLE 0x{value.raw:x} writes no colour here{text}", writer)

    def _depth_write(self, event: int, state: np.void, fragment: np.void, stored_by: str) -> Why:
        key = "ZWRITEENABLE" if state["z_enable"] else "ZENABLE"
        text, writer = self.setter(event, key)
        return Why(f"passed, but {key} {self.value(event, key).text} leaves depth alone{text}", writer)

    # ---- primitives that left nothing
    def miss(self, event: int, cut: PrimitiveFate) -> Why:
        """Why a primitive that would cover a pixel left no fragment there."""
        if cut == PrimitiveFate.CULLED:
            mode = int(self.value(event, "CULLMODE").raw)
            turn = {int(Cull.CW): "clockwise winding", int(Cull.CCW): "counter-clockwise winding"}.get(mode, "it faces away")
            text, writer = self.setter(event, "CULLMODE")
            return Why(f"culled: {turn}, CULLMODE {enum_name(Cull, mode)}{text}", writer)
        if PrimitiveFate.USER_0 <= cut <= PrimitiveFate.USER_5:
            number = cut - PrimitiveFate.USER_0
            text, writer = self.setter(event, ("CLIPPLANE", number), "CLIPPLANEENABLE")
            return Why(f"clipped by user plane {number}{text}", writer)
        if cut in SIDES:
            text, writer = self.setter(event, ("VIEWPORT", "X"), ("VIEWPORT", "Width"))
            return Why(f"{SIDES[cut]} the viewport{text}", writer)
        return Why(OTHER_CUTS.get(cut, cut.name.lower()))


SIDES = {
    PrimitiveFate.LEFT: "left of",
    PrimitiveFate.RIGHT: "right of",
    PrimitiveFate.TOP: "above",
    PrimitiveFate.BOTTOM: "below",
}
OTHER_CUTS = {
    PrimitiveFate.NEAR: "clipped by the near plane", PrimitiveFate.FAR: "clipped by the far plane",
    PrimitiveFate.EYE: "behind the eye",
    PrimitiveFate.NOT_FINITE: "a position is infinite or NaN", PrimitiveFate.NO_SIZE: "a point of size 0",
    PrimitiveFate.DEGENERATE: "degenerate: it has no area",
    PrimitiveFate.GUARD_LEFT: "beyond the guard band", PrimitiveFate.GUARD_RIGHT: "beyond the guard band",
    PrimitiveFate.GUARD_TOP: "beyond the guard band", PrimitiveFate.GUARD_BOTTOM: "beyond the guard band",
}  # fmt: skip
