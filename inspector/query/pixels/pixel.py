"""Pixels in questions and answers: position, stored value, text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.device.memory.surfaces import SurfacePart
from core.device.past.pixel_log import PixelLog, Rect
from core.device.past.reading import rgba
from core.errors import BadInput, Cancelled, out_of_range
from core.pipeline.surface.formats.texels import decode_float, is_signed
from core.spec.formats import Format
from core.spec.subresource import Subresource, Where
from inspector.progress import Cancel
from inspector.timeline.confined import confinement
from inspector.timeline.logged import LoggedFrame

if TYPE_CHECKING:
    from inspector.capture import Capture
    from inspector.view import CaptureView

Rgba = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class PixelValue:
    """What one sample of one pixel holds.  raw: the packed pixel (of a compressed format: its block); `depth` 0..1 and
    `stencil` of depth surfaces, `rgba` of all others (signed channels -1..1, missing alpha 1).  `looks`: red, green and blue
    of a picture of it, 0..1, where that differs: of signed channels and of floats.
    """

    raw: int
    digits: int
    rgba: Rgba | None = None
    depth: float | None = None
    stencil: int | None = None
    looks: tuple[float, float, float] | None = None

    @property
    def color(self) -> Sequence[float]:
        """Red, green and blue, 0..1, as pictures show it; depth as grey."""
        return self.looks or self.rgba or (self.depth or 0.0,) * 3

    @property
    def stored(self) -> str:
        """The words, as in "0xff336699"."""
        return f"0x{self.raw:0{self.digits}x}"

    @property
    def text(self) -> str:
        """What they mean, as in "0.2, 0.4, 0.6, 1" or "depth 0.53125, stencil 1"."""
        if self.rgba is not None:
            return ", ".join(f"{channel:.4g}" for channel in self.rgba)
        stencil = "" if self.stencil is None else f", stencil {self.stencil}"
        return f"depth {self.depth:.7g}{stencil}"


def value_of(format: Format, raw: int, x: int, y: int, palette: np.ndarray | None = None) -> PixelValue:
    """A pixel as stored; x, y choose it in the block of a compressed format."""
    size = format.block[2]
    if format.family == "rgb":
        parts = {letter: (raw >> shift & ((1 << bits) - 1)) / ((1 << bits) - 1) for letter, shift, bits, _ in format.channels}
        return PixelValue(raw, 2 * size, (parts.get("r", 0.0), parts.get("g", 0.0), parts.get("b", 0.0), parts.get("a", 1.0)))
    if format.family == "float":
        red, green, blue, alpha = np.frombuffer(raw.to_bytes(size, "little"), "<f2").tolist()
        return PixelValue(raw, 2 * size, (red, green, blue, alpha), looks=_looks(format, raw))
    if format.family != "depth":
        width, height, _ = format.block
        data = np.frombuffer(raw.to_bytes(size, "little"), np.uint8)
        texel = decode_float(format, data, width, height, palette=palette)[0, y % height, x % width]
        red, green, blue, alpha = texel.tolist()
        looks = _looks(format, raw) if is_signed(format) else None
        return PixelValue(raw, 2 * size, (red, green, blue, alpha), looks=looks)
    codes = {kind: raw >> shift & ((1 << bits) - 1) for _, shift, bits, kind in format.channels}
    full = next((1 << bits) - 1 for _, _, bits, kind in format.channels if kind == "depth")
    return PixelValue(raw, 2 * size, None, codes["depth"] / full, codes.get("stencil"))


def _looks(format: Format, raw: int) -> tuple[float, float, float]:
    """What a picture of one texel of an uncompressed format shows."""
    red, green, blue, _ = rgba(format, np.frombuffer(raw.to_bytes(format.block[2], "little"), np.uint8)[None], 1, 1)[
        0, 0
    ].tolist()
    return red / 255, green / 255, blue / 255


# ---- where -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AtPixel:
    """One pixel of a surface, or one sample of it (None: all), in events first..last (None: from the start, to the end).

    where: the surface or one of its subresources; a role as it is at the last event.
    """

    where: Where = "render_target"
    x: int = 0
    y: int = 0
    first: int | None = None
    last: int | None = None

    @property
    def named(self) -> Subresource:
        return Subresource.of(self.where)


@dataclass(frozen=True, slots=True)
class Piece:
    """A logged stretch of the events asked for, and the subresource as it is there (None: there was none)."""

    frame: LoggedFrame
    log: PixelLog
    first: int
    last: int
    part: SurfacePart | None
    palette: np.ndarray | None


def event_range(capture: Capture, first: int | None, last: int | None) -> tuple[int, int]:
    """A range of events, both included; None: from the beginning, to the end.  BadInput if there are no such events."""
    low, high = 0 if first is None else first, len(capture.events) - 1 if last is None else last
    if not 0 <= low <= high < len(capture.events):
        raise BadInput(f"{capture.title}: events {low} to {high} are out of range (0 to {len(capture.events) - 1})")
    return low, high


def handle_of(capture: CaptureView, where: Where, event: int, cancel: Cancel | None = None) -> int:
    """The subresource's own handle.  BadInput if there is no such surface after the event."""
    found = capture.resolve(event, where, cancel)
    if found is None:
        raise BadInput(f"{capture.title}: no {Subresource.of(where)} after event {event}")
    return found[1]


def pinned(capture: CaptureView, where: Where, event: int, cancel: Cancel | None = None) -> Subresource:
    """What is meant after an event, by its own handle: the same at other events, whatever has a role there."""
    named = Subresource.of(where)
    return Subresource(handle_of(capture, where, event, cancel), slice=named.slice, sample=named.sample)


def pieces(capture: Capture, handle: int, first: int, last: int, cancel: Cancel | None = None) -> Iterator[Piece]:
    """The logs of a range of events, one after the other; only that of the last frame is kept."""
    event, final = first, capture.frame_of(last)
    while event <= last:
        if cancel and cancel():
            raise Cancelled("question cancelled")
        frame = capture.replay.logged(event, cancel, keep=capture.frame_of(event) == final)
        yield piece_of(frame, handle, first, last)
        event = frame.last + 1


def pieces_within(
    capture: Capture, handle: int, rect: Rect, first: int, last: int, cancel: Cancel | None = None, turn: int = 0
) -> Iterator[Piece] | None:  # fmt: skip
    """As `pieces`, of use within a rectangle only, as only it is drawn; None where that would not come out right.

    turn: frames in one log at most; 0: as many as usual."""
    to = confinement(capture.walked.liveness, handle, rect, first, last + 1)
    if to is None:
        return None
    return (piece_of(frame, handle, first, last) for frame in capture.replay.confined(to, first, last, cancel, turn))


def piece_of(frame: LoggedFrame, handle: int, first: int, last: int) -> Piece:
    """What a log has of a range of events."""
    low, high = max(first, frame.first), min(last, frame.last)
    moment = frame.moment(high)
    owner = moment.owner(handle)
    palette = moment.palette_of(owner[0]) if owner else None
    part = owner[0].part(*owner[1:]) if owner else None
    return Piece(frame, PixelLog(frame.rewind), low, high, part, palette.colors if palette else None)


def check_inside(capture: Capture, part: SurfacePart, x: int, y: int, slice: int = 0, sample: int | None = None) -> None:
    """BadInput for what is not on the subresource."""
    if not (0 <= x < part.width and 0 <= y < part.height and 0 <= slice < part.depth):
        raise BadInput(f"{capture.title}: pixel {x}, {y} is outside surface {part.handle} ({part.width} x {part.height})")
    if sample is not None and not 0 <= sample < part.planes:
        raise BadInput(f"{capture.title}: surface {part.handle}: {out_of_range('sample', sample, part.planes)}")
