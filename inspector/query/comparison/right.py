"""The right result for bisecting: a colour, an image, a test, or another capture's pixels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from core.errors import BadInput
from inspector import pictures
from inspector.query.comparison.compare import at_once, token_rows
from inspector.query.comparison.difference import distance
from inspector.query.pixels.writers import BOX, Touched

if TYPE_CHECKING:
    from inspector.capture import Capture
    from inspector.progress import Cancel

Moment = tuple[int, int | None]
Rgba = tuple[int, ...]


class Right(Protocol):
    """Says which pixels of a rectangle are wrong at a moment."""

    def wrong(self, picture: np.ndarray, rect: BOX, surface: int, moment: Moment, cancel: Cancel | None) -> np.ndarray:
        """bool[h, w] for uint8[h, w, 4]."""
        ...

    def at(self, x: int, y: int, rect: BOX, surface: int, moment: Moment, cancel: Cancel | None) -> Rgba | None:
        """What the pixel (within the rectangle) should be, if that is known."""
        ...

    def changes(self, surface: int, rect: BOX, first: int, last: int) -> Sequence[tuple[int, int]]:
        """(event, primitive or -1) after which what is right may be something else."""
        ...

    def beside(self, capture: Capture) -> Right:
        """The same, for questions about this capture."""
        ...


COLOR_FORMS = "three numbers from 0 to 255, or from 0.0 to 1.0, or #rrggbb"


def typed_color(text: str) -> Rgba:
    """0..255 for each channel of "77 67 43", "0.302, 0.263, 0.169" (with a point: 0 to 1) or "#4d432b"; with a fourth, alpha
    matters.  BadInput for anything else."""
    words = text.replace(",", " ").split()
    digits = words[0][1:] if len(words) == 1 and words[0].startswith("#") else ""
    try:
        if len(digits) in (6, 8):
            return tuple(bytes.fromhex(digits))
        shares = any("." in word for word in words)
        found = tuple(round(float(word) * 255) if shares else int(word) for word in words)
    except (ValueError, OverflowError):
        found = ()
    if len(found) not in (3, 4) or not all(0 <= part <= 255 for part in found):
        raise BadInput(f"{text!r} is no colour: {COLOR_FORMS}")
    return found


class _Still:
    """What is right does not change with time."""

    def changes(self, surface: int, rect: BOX, first: int, last: int) -> Sequence[tuple[int, int]]:
        return ()

    def beside(self, capture: Capture) -> Any:
        return self


@dataclass(frozen=True)
class Color(_Still):
    """Every pixel has this colour, 0..255 per channel (three: alpha does not matter), to within `tolerance`."""

    rgba: Rgba
    tolerance: int = 0

    def wrong(self, picture: np.ndarray, rect: BOX, surface: int, moment: Moment, cancel: Cancel | None) -> np.ndarray:
        return _beyond(picture, np.array(self.rgba, np.uint8), self.tolerance)

    def at(self, x: int, y: int, rect: BOX, surface: int, moment: Moment, cancel: Cancel | None) -> Rgba | None:
        return self.rgba


@dataclass(frozen=True, eq=False)
class Picture(_Still):
    """The surface looks like this picture, uint8[h, w, 3 or 4], which has its size or that of the rectangle.

    Channels may be off by `tolerance`; `share` of the pixels, 0..1, may be off by more.  `ignore_edges`: a pixel is also right
    between the darkest and the lightest of the 3 x 3 pixels around it in the picture, channel by channel, so that an edge may
    lie one pixel aside.
    """

    pixels: np.ndarray
    tolerance: int = 0
    share: float = 0.0
    ignore_edges: bool = False

    @classmethod
    def of(cls, path: Path | str | bytes, tolerance: int = 0, share: float = 0.0, ignore_edges: bool = False) -> Picture:
        """From a picture file, PNG, BMP or JPEG, or its bytes; alpha counts if it has any."""
        picture = pictures.read(path, "the reference image" if isinstance(path, bytes) else "")
        pixels = np.asarray(picture.convert("RGBA" if "A" in picture.getbands() else "RGB"))
        return cls(pixels, tolerance, share, ignore_edges)

    def wrong(self, picture: np.ndarray, rect: BOX, surface: int, moment: Moment, cancel: Cancel | None) -> np.ndarray:
        """No pixel, if no more than the share is wrong."""
        found = self.differing(picture, rect)
        return found if found.sum() > self.share * found.size else np.zeros_like(found)

    def differing(self, picture: np.ndarray, rect: BOX) -> np.ndarray:
        """bool[h, w]: the pixels that are off by more, however few they are."""
        right = self._part(rect, picture.shape)
        found = _beyond(picture, right, self.tolerance)
        if self.ignore_edges and found.any():
            found &= _outside(picture, right, self.tolerance)
        return found

    def at(self, x: int, y: int, rect: BOX, surface: int, moment: Moment, cancel: Cancel | None) -> Rgba | None:
        shape = rect[3] - rect[1], rect[2] - rect[0]
        return tuple(self._part(rect, shape)[y, x].tolist())

    def _part(self, rect: BOX, shape: tuple[int, ...]) -> np.ndarray:
        if self.pixels.shape[:2] == shape[:2]:
            return self.pixels
        part = self.pixels[rect[1] : rect[3], rect[0] : rect[2]]
        if part.shape[:2] != shape[:2]:
            raise BadInput(
                f"the reference image ({self.pixels.shape[1]} x {self.pixels.shape[0]}) does not have the surface's size"
            )
        return part


@dataclass(frozen=True, eq=False)
class Test(_Still):
    """A test of yours: `holds(uint8[h, w, 4], event) -> bool`."""

    __test__ = False  # for pytest
    holds: Callable[[np.ndarray, int], bool]

    def wrong(self, picture: np.ndarray, rect: BOX, surface: int, moment: Moment, cancel: Cancel | None) -> np.ndarray:
        return np.full(picture.shape[:2], not self.holds(picture, moment[0]))

    def at(self, x: int, y: int, rect: BOX, surface: int, moment: Moment, cancel: Cancel | None) -> Rgba | None:
        return None


@dataclass(frozen=True, eq=False)
class Against:
    """What another capture, or a what-if, shows at the same moment.

    Events are those of the same number if both have equally many, else those beside each other when tokens are aligned.
    """

    other: Capture
    tolerance: int = 0
    capture: Capture | None = None

    def beside(self, capture: Capture) -> Against:
        return replace(self, capture=capture)

    @cached_property
    def _beside(self) -> np.ndarray | None:
        """Event of the other by event; None: the same number."""
        if self.capture is None or len(self.capture.events) == len(self.other.events):
            return None
        events = range(len(self.capture.events)), range(len(self.other.events))
        rows = at_once(token_rows(self.capture, events[0], self.other, events[1]))
        until = np.maximum.accumulate(rows.b)
        here = rows.a >= 0
        found = np.zeros(len(self.capture.events), np.int64)
        found[rows.a[here]] = until[here]
        return found

    def picture(self, rect: BOX, surface: int, moment: Moment, cancel: Cancel | None) -> np.ndarray | None:
        """The rectangle there; None if there is no such surface."""
        event = moment[0] if self._beside is None else int(self._beside[moment[0]])
        primitive = moment[1]
        if primitive is not None and primitive >= self.other.primitives(event):
            primitive = None
        left, top, right, bottom = rect
        try:
            return self.other.image(event, surface, primitive=primitive, cancel=cancel)[top:bottom, left:right]
        except BadInput:
            return None

    def wrong(self, picture: np.ndarray, rect: BOX, surface: int, moment: Moment, cancel: Cancel | None) -> np.ndarray:
        there = self.picture(rect, surface, moment, cancel)
        if there is None or there.shape != picture.shape:
            return np.ones(picture.shape[:2], bool)
        return _beyond(picture, there, self.tolerance)

    def at(self, x: int, y: int, rect: BOX, surface: int, moment: Moment, cancel: Cancel | None) -> Rgba | None:
        there = self.picture(rect, surface, moment, cancel)
        return None if there is None else tuple(there[y, x].tolist())

    def changes(self, surface: int, rect: BOX, first: int, last: int) -> Sequence[tuple[int, int]]:
        """Where the other one's rectangle changes: what is missing here changes nothing here."""
        if self._beside is not None:
            steps = self._beside[first : last + 1]
            return [(int(event), -1) for event in np.flatnonzero(np.diff(steps, prepend=steps[:1])) + first]
        try:
            rows = self.other.ask(Touched(surface, rect, first=first, last=last)).primitives
        except BadInput:
            return ()
        return [*zip(rows["event"].tolist(), rows["primitive"].tolist(), strict=True)]


def _beyond(picture: np.ndarray, right: np.ndarray, tolerance: int) -> np.ndarray:
    """Pixels with a channel that is off by more; alpha counts where `right` has it."""
    channels = right.shape[-1]
    if channels not in (3, 4):
        raise BadInput(f"a colour has 3 or 4 channels, not {channels}")
    apart = distance(picture[..., :channels], np.broadcast_to(right, (*picture.shape[:2], channels)))
    return np.asarray(apart.max(-1) > tolerance)


def _outside(picture: np.ndarray, right: np.ndarray, tolerance: int) -> np.ndarray:
    """bool[h, w]: pixels with a channel beyond those of the 3 x 3 pixels around it in `right`."""
    channels, (height, width) = right.shape[-1], right.shape[:2]
    padded = np.pad(right.astype(np.int16), ((1, 1), (1, 1), (0, 0)), mode="edge")
    around = [padded[y : y + height, x : x + width] for y in range(3) for x in range(3)]
    low, high = np.minimum.reduce(around) - tolerance, np.maximum.reduce(around) + tolerance
    seen = picture[..., :channels].astype(np.int16)
    return np.asarray(((seen < low) | (seen > high)).any(-1))
