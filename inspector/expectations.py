"""Expectations of a capture: each is met or not, and reports the values found.

    Pixel(40, 52, (255, 0, 0)).check(capture, event)
    Image(Picture.of("reference.png", tolerance=2)).check(capture, event)

The command `assert` and the pytest plugin read them from words and from files.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from core.errors import BadInput
from core.spec.kinds import BOOL, F32, HANDLE, I32, U32
from core.spec.subresource import Where
from inspector.query.comparison.difference import difference_image
from inspector.query.comparison.right import Picture
from inspector.query.events.findings import Findings
from inspector.query.search.search import Search
from inspector.query.search.state import number_of
from inspector.query.state.places import StatePlace, meant, places_like, spelled

if TYPE_CHECKING:
    from inspector.capture import Capture

UNUSUAL = re.compile(r"\d+\?|(TRUE |nan)\(0x[0-9a-f]+\)", re.IGNORECASE)
"""How values are printed that have no name, or more bits than they need."""
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
FEW = 3  # findings that are quoted


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """Whether an expectation is met; `expected` and `found` finish the sentence.  `picture`: uint8[h, w, 4] of what differs."""

    met: bool
    expected: str
    found: str
    picture: np.ndarray | None = None

    def __str__(self) -> str:
        return f"{'ok' if self.met else 'FAILED'}: {self.expected}" + ("" if self.met else f": {self.found}")


class Expectation(Protocol):
    """Something that holds after an event, or does not."""

    def check(self, capture: Capture, event: int) -> Outcome:
        """Raises BadInput for what the capture does not have."""
        ...


@dataclass(frozen=True)
class Pixel:
    """A pixel has this colour, 0..255 per channel, to within `tolerance`; three channels: alpha does not matter."""

    x: int
    y: int
    rgba: tuple[int, ...]
    tolerance: int = 0
    where: Where = "render_target"

    def check(self, capture: Capture, event: int) -> Outcome:
        image = capture.image(event, self.where)
        if not (0 <= self.x < image.shape[1] and 0 <= self.y < image.shape[0]):
            raise BadInput(f"pixel {self.x},{self.y} is outside the surface ({image.shape[1]} x {image.shape[0]})")
        found = image[self.y, self.x].tolist()
        met = all(abs(a - b) <= self.tolerance for a, b in zip(found, self.rgba, strict=False))
        return Outcome(met, f"pixel {self.x},{self.y} is {_list(self.rgba)}", f"it is {_list(found[: len(self.rgba)])}")


def _list(values: Collection[int]) -> str:
    return ",".join(map(str, values))


@dataclass(frozen=True)
class State:
    """A value of device state reads like this, or is this number."""

    name: str
    text: str

    def check(self, capture: Capture, event: int) -> Outcome:
        lights = capture.walked.lights_at(event)
        places = places_like(self.name, lights)
        if len(places) != 1:
            what = "unknown state" if not places else "more than one state is named"
            raise BadInput(f"{what} {self.name!r}{meant(self.name, lights) if not places else ''}")
        place, value = places[0], capture.state(event)[places[0].key]
        met = _reads_like(value, self.text)
        if not met:
            _check_value(place, self.text)
        return Outcome(met, f"{spelled(place.key)} is {self.text}", f"it is {value.text}")


def _reads_like(value: Any, text: str) -> bool:
    if value.text.casefold() == text.strip().casefold():
        return True
    try:
        number = int(text, 0)
    except ValueError:
        try:
            return bool(value.value == float(text))
        except (ValueError, TypeError):
            return False
    return len(value.raw) == 1 and (value.raw[0] == number & 0xFFFFFFFF or value.value == number)


def _check_value(place: StatePlace, text: str) -> None:
    """BadInput for a text that no value of a state reads like: a misspelled name would look like a check that failed."""
    kind = place.kind
    if kind.members is None and kind not in (BOOL, F32, I32, U32, HANDLE):
        return  # of those, texts have forms of their own
    parts = re.split(r"[\s,|]+", text.strip()) if place.count > 1 else [part.strip() for part in text.split("|")]
    if place.count > 1 and len(parts) != place.count:
        raise BadInput(f"{spelled(place.key)}: expected {place.count} numbers, not {len(parts)}: {text!r}")
    for part in parts:
        if not UNUSUAL.fullmatch(part):
            try:
                number_of(kind, part)
            except ValueError as error:
                raise BadInput(f"{spelled(place.key)}: {error}") from error


@dataclass(frozen=True, eq=False)
class Image:
    """A surface looks like a reference image, as far as that demands it."""

    reference: Picture
    where: Where = "render_target"

    def check(self, capture: Capture, event: int) -> Outcome:
        image = capture.image(event, self.where)
        pixels = self.reference.pixels
        if pixels.shape[:2] != image.shape[:2]:
            sizes = [f"{shape[1]} x {shape[0]}" for shape in (pixels.shape, image.shape)]
            return Outcome(False, "the image is the reference image", f"the reference is {sizes[0]}, the image {sizes[1]}")
        wrong = self.reference.differing(image, (0, 0, image.shape[1], image.shape[0]))
        count, allowed = int(wrong.sum()), int(self.reference.share * wrong.size)
        opaque = np.full((*image.shape[:2], 1), 255, np.uint8)
        right = pixels if pixels.shape[-1] == 4 else np.concatenate([pixels, opaque], -1)
        seen = image if pixels.shape[-1] == 4 else np.concatenate([image[..., :3], opaque], -1)
        found = f"{count:,} of {wrong.size:,} pixels differ ({100 * count / wrong.size:.3g}%)" + _first(wrong)
        picture = difference_image(seen, right) if count else None
        return Outcome(count <= allowed, "the image is the reference image", found, picture)


def _first(wrong: np.ndarray) -> str:
    places = np.argwhere(wrong)
    return f", first {places[0][1]},{places[0][0]}" if len(places) else ""


@dataclass(frozen=True)
class Count:
    """So many events of the capture, up to the event that is asked for, match a filter."""

    filter: str
    comparison: str
    number: int

    @classmethod
    def of(cls, text: str) -> Count:
        """Of "$draw() == 12"; BadInput for anything else."""
        found = re.fullmatch(r"(?P<filter>.+?)\s*(?P<comparison>==|!=|<=|>=|<|>)\s*(?P<number>\d+)\s*", text)
        if not found:
            raise BadInput(f"{text!r}: expected a filter, a comparison and a number, such as '$draw() == 12'")
        return cls(found["filter"], found["comparison"], int(found["number"]))

    def check(self, capture: Capture, event: int) -> Outcome:
        found = capture.ask(Search(self.filter))
        count = int((found <= event).sum())
        met = COMPARISONS[self.comparison](count, self.number)
        return Outcome(met, f"{self.filter}: {self.comparison} {self.number} events", f"{count} match")


@dataclass(frozen=True)
class Clean:
    """No rule is broken but those that are allowed, and no part of the file is missing."""

    allowed: frozenset[str] = frozenset()
    drawn: bool = True

    def check(self, capture: Capture, event: int) -> Outcome:
        found = [one for one in capture.ask(Findings(self.drawn)) if one.rule not in self.allowed]
        told = [*capture.tape.notices, *(f"event {one.seq}: {one.text} [{one.rule}]" for one in found)]
        more = f"; and {len(told) - FEW} more" if len(told) > FEW else ""
        expected = "no findings" + (f" but {', '.join(sorted(self.allowed))}" if self.allowed else "")
        return Outcome(not told, expected, "; ".join(told[:FEW]) + more)
