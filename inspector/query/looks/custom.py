"""Custom views: a formula over a surface, and the next texel that satisfies one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput
from core.spec.subresource import Subresource
from inspector.progress import Cancel
from inspector.query.looks.expression import Expression, parse
from inspector.query.looks.look import Look
from inspector.query.looks.stored import channels
from inspector.query.looks.values import COLORS, Numbers, Values, of_computed
from inspector.query.looks.values import NAMES as PLANES

if TYPE_CHECKING:
    from inspector.capture import Capture

BYTES = tuple(f"byte{n}" for n in range(8))
NAMES = {
    "this": "the surface: red, green, blue, alpha",
    "rgb": "its red, green and blue",
    **{name: f"its {text}" for name, text in zip(COLORS, ("red", "green", "blue", "alpha"), strict=True)},
    "depth": "depth, 0..1", "stencil": "stencil, 0..255", "index": "index of the palette, 0..255", "l": "luminance",
    **dict.fromkeys("uvwq", "a component of a bump map, -1..1"),
    **dict.fromkeys(BYTES, "a byte of the texel as it is stored, 0..255"),
    "before": "the surface before the event", "other": "the other surface",
    "x": "column of the pixel", "y": "row of the pixel", "width": "of the surface", "height": "of the surface",
}  # fmt: skip
EXAMPLES = (
    "rgb * a", "abs(this - before) * 8", "abs(this - other) * 8", "depth ** 50", "a < 0.5", "fract(index / 16)", "stencil / 8",
    "(u, v, w) * 0.5 + 0.5", "length(rgb * 2 - 1)", "floor(byte1 / 4) % 2",
)  # fmt: skip
RANGE = re.compile(r"\s*(-?[\d.]+(?:e-?\d+)?)\s*\.\.\s*(-?[\d.]+(?:e-?\d+)?)\s*")
HEX_COLOR = re.compile(r"\s*#([0-9a-fA-F]{6}|[0-9a-fA-F]{8})\s*")
HALF_STEP, BYTE = 0.5 / 255, 255


@dataclass(frozen=True, slots=True)
class Custom:
    """A formula (inspector.query.looks.expression) over a surface as `look` names it; NAMES are what it may be about.

    other: what `other` means, at its own event.  Both have the same size.
    """

    text: str
    look: Look
    other: Look | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Numbers:
        """BadInput for a formula that makes no sense, or no such surface."""
        return of_computed(self._computed(capture, parse(self.text, set(NAMES)), cancel))

    def _computed(self, capture: Capture, formula: Expression, cancel: Cancel | None) -> np.ndarray:
        names, shape = operands(capture, formula, self.look, self.other, cancel)
        return formula.picture(names, shape, cancel)


def values_at(capture: Capture, look: Look, cancel: Cancel | None = None) -> Numbers:
    """The numbers of what a Look shows; of "changed" those after the event."""
    event, primitive = look.moment
    return capture.ask(Values(event, look.where, primitive), cancel)


def operands(
    capture: Capture, formula: Expression, look: Look, other: Look | None, cancel: Cancel | None = None
) -> tuple[dict[str, np.ndarray], tuple[int, int]]:
    """What the names of a formula stand for, and (height, width).  BadInput for a name that this surface has not."""
    found = values_at(capture, look, cancel)
    height, width = found.shape
    names: dict[str, np.ndarray] = {
        "this": found.rgba, "rgb": found.rgba[..., :3], **{name: found.rgba[..., n] for n, name in enumerate(COLORS)},
        **found.planes, "width": np.array(width, np.float32), "height": np.array(height, np.float32),
        "x": np.broadcast_to(np.arange(width, dtype=np.float32), (height, width)),
        "y": np.broadcast_to(np.arange(height, dtype=np.float32)[:, None], (height, width)),
    }  # fmt: skip
    if formula.names & set(BYTES):
        event, primitive = look.moment
        names |= capture.ask(Values(event, look.where, primitive, raw=True), cancel).planes
    if "before" in formula.names:
        names["before"] = _other(values_at(capture, _before(capture, look, cancel), cancel), found, "the surface before")
    if "other" in formula.names:
        if other is None:
            raise BadInput("expression: there is no other surface; choose one first")
        names["other"] = _other(values_at(capture, other, cancel), found, "the other surface")
    for name in sorted(formula.names):
        if name not in names:
            form = found.format.name if found.format is not None else "this format"
            raise BadInput(f"expression: {form} has no {name}; it has {', '.join(found.planes)}")
    return names, found.shape


def _before(capture: Capture, look: Look, cancel: Cancel | None) -> Look:
    """The same subresource one moment earlier; before the first event there is nothing but that."""
    event, primitive = look.moment
    named = Subresource.of(look.where)
    same = capture.resolve(event, named, cancel)
    where = named if same is None else Subresource(same[1], slice=named.slice, sample=named.sample)
    return Look(event, where, primitive, "before" if event or primitive else "after")


def _other(found: Numbers, this: Numbers, words: str) -> np.ndarray:
    if found.shape != this.shape:
        sizes = [f"{width} x {height}" for height, width in (found.shape, this.shape)]
        raise BadInput(f"expression: {words} is {sizes[0]}, this one {sizes[1]}")
    return found.rgba


# ---- finding -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FindTexel:
    """The next texel, row by row after `start` (None: from the first), that has a value; backwards: the one before.

    value: a number or a range `0.2..0.4` that any stored channel has, `nan`, a colour `#rrggbb` or `#rrggbbaa`, or a formula
    as `r > 0.5 and a == 0`.  Whole numbers beyond 1 are as stored (`200..255` of eight bits).  It goes round at the end.
    """

    value: str
    look: Look
    start: tuple[int, int] | None = None
    backwards: bool = False
    other: Look | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Found:
        """BadInput for a value that makes no sense."""
        mask = self._mask(capture, cancel)
        places = np.flatnonzero(mask)
        if not len(places):
            return Found(None, 0, 0, self._searched(capture, cancel))
        width = mask.shape[1]
        if self.start is None:
            number = len(places) - 1 if self.backwards else 0
        else:
            here = self.start[1] * width + self.start[0]
            after = np.searchsorted(places, here, side="left" if self.backwards else "right")
            number = int(after - 1 if self.backwards else after) % len(places)
        y, x = divmod(int(places[number]), width)
        return Found((x, y), number, len(places))

    def _mask(self, capture: Capture, cancel: Cancel | None) -> np.ndarray:
        """bool[height, width]: the texels that have the value."""
        if (color := _color(self.value)) is not None:
            rgba = values_at(capture, self.look, cancel).rgba[..., : len(color)]
            same: np.ndarray = (np.abs(rgba - color) <= HALF_STEP).all(axis=-1)
            return same
        if (ends := _range(self.value)) is not None:
            found = values_at(capture, self.look, cancel)
            return np.logical_or.reduce([_has(found, name, *ends) for name in found.planes])
        formula = parse(self.value, set(NAMES))
        names, shape = operands(capture, formula, self.look, self.other, cancel)
        mask = np.zeros(shape, bool)
        for first, value in formula.bands(names, shape, cancel):
            mask[first : first + len(value)] = (value != 0).any(axis=-1)
        return mask

    def _searched(self, capture: Capture, cancel: Cancel | None) -> str:
        """Of a number, what there is: "r 5 to 255, a 0 to 255 as stored", "depth 0.25 to 1"."""
        if (ends := _range(self.value)) is None or np.isnan(ends[0]):
            return ""
        found = values_at(capture, self.look, cancel)
        said, stored = [], False
        for name, plane in found.planes.items():
            most = _largest(found, name)
            scale = most if most <= BYTE else 1
            stored |= scale > 1
            said.append(f"{name} {float(np.nanmin(plane)) * scale:.4g} to {float(np.nanmax(plane)) * scale:.4g}")
        return ", ".join(said) + (" as stored" if stored else "")


@dataclass(frozen=True, slots=True)
class Found:
    """place: (x, y), None if no texel has the value; number: which of `count` it is, from 0; searched: if none has it, what
    there is instead."""

    place: tuple[int, int] | None
    number: int
    count: int
    searched: str = ""


def _color(text: str) -> np.ndarray | None:
    """Of "#rrggbb" or "#rrggbbaa" its three or four numbers, 0..1; None if it is no colour."""
    match = HEX_COLOR.fullmatch(text)
    return np.frombuffer(bytes.fromhex(match[1]), np.uint8).astype(np.float32) / np.float32(255) if match else None


def _range(text: str) -> tuple[float, float] | None:
    """(low, high) of a number, a range or nan."""
    match = RANGE.fullmatch(text)
    try:
        return (float(match[1]), float(match[2])) if match else (float(text), float(text))
    except ValueError:
        return None


def _kept(found: Numbers, name: str) -> tuple[int, str]:
    """(bits, kind) of a channel as it is stored."""
    rows = channels(found.format)
    default = (0, "half") if found.format is not None and found.format.family == "float" else (8, "unorm")
    return next(((bits, kind) for letter, _, bits, kind in rows if PLANES.get(letter, letter) == name), default)


def _largest(found: Numbers, name: str) -> int:
    """What is stored for 1; 1 of a channel whose numbers are those that are stored."""
    bits, kind = _kept(found, name)
    return 1 if kind in ("palette", "stencil", "half") else (1 << (bits - (kind == "snorm"))) - 1 or 1


def _has(found: Numbers, name: str, low: float, high: float) -> np.ndarray:
    """Which texels have a value of a range in a channel."""
    most, stored = _largest(found, name), max(abs(low), abs(high)) > 1 and low.is_integer() and high.is_integer()
    scale = most if stored else 1
    return _within(found.planes[name], low / scale, high / scale, 1.0 / most if most > 1 else 0.0)


def _within(plane: np.ndarray, low: float, high: float, step: float) -> np.ndarray:
    """Whether it is within a range; of a single number, whether it is the nearest that the channel can hold."""
    if np.isnan(low):
        return np.isnan(plane)
    slack = max(step / 2, abs(low) * 5e-7) if low == high and np.isfinite(low) else 0.0
    return (plane >= low - slack) & (plane <= high + slack)
