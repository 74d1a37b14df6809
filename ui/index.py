"""What a capture's events look like from afar: a name, a kind and a frame for each, as flat arrays the GUI thread may read."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

KINDS = ("draw", "clear", "state", "transform", "shader", "resource", "copy", "present", "other")
KIND_TITLES = ("Draw", "Clear", "State", "Transform, light", "Shader", "Resource", "Copy", "Present", "Other")
DRAW, CLEAR, STATE, TRANSFORM, SHADER, RESOURCE, COPY, PRESENT, OTHER = range(len(KINDS))

# The first word found in an event's name decides; the order matters (SETVERTEXSHADERCONST before SETVERTEX...).
_WORDS = (
    ("CLEAR", CLEAR),
    ("COLORFILL", CLEAR),
    ("FLIP", PRESENT),
    ("PRESENT", PRESENT),
    ("VERTICALBLANK", PRESENT),
    ("SHADER", SHADER),
    ("BLT", COPY),
    ("UPDATE", COPY),
    ("TRANSFORM", TRANSFORM),
    ("LIGHT", TRANSFORM),
    ("MATERIAL", TRANSFORM),
    ("CLIPPLANE", TRANSFORM),
    ("VIEWPORT", TRANSFORM),
    ("ZRANGE", TRANSFORM),
    ("WINFO", TRANSFORM),
    ("MULTIPLYT", TRANSFORM),
    ("STATE", STATE),
    ("STREAM", STATE),
    ("INDICES", STATE),
    ("RENDERTARGET", STATE),
    ("LOCK", RESOURCE),
    ("CREATE", RESOURCE),
    ("DESTROY", RESOURCE),
    ("SURFACE", RESOURCE),
    ("BUFFER", RESOURCE),
    ("PALETTE", RESOURCE),
    ("TEXTURE", RESOURCE),
    ("PRIORITY", RESOURCE),
)


def kind_of(name: str) -> int:
    """The kind of an event that is known not to draw, by its name."""
    upper = name.upper()
    return next((kind for word, kind in _WORDS if word in upper), OTHER)


@dataclass(frozen=True)
class EventIndex:
    """names[name_of[e]] is the name of event e; kind[e] its kind; frame_first the first event of each frame."""

    names: list[str]
    name_of: np.ndarray
    kind: np.ndarray
    frame_first: np.ndarray
    draws: np.ndarray

    def __len__(self) -> int:
        return len(self.kind)

    def name(self, event: int) -> str:
        return self.names[self.name_of[event]]

    def frame(self, event: int) -> int:
        return max(bisect_right(self._firsts, event) - 1, 0)

    @cached_property
    def _firsts(self) -> list[int]:
        """`frame_first` for looking one event up, which is quicker in a list."""
        found: list[int] = self.frame_first.tolist()
        return found

    def frame_range(self, frame: int) -> tuple[int, int]:
        """First event of the frame and first event after it."""
        after = self.frame_first[frame + 1] if frame + 1 < len(self.frame_first) else len(self)
        return int(self.frame_first[frame]), int(after)

    def next_draw(self, event: int) -> int | None:
        place = int(np.searchsorted(self.draws, event, "right"))
        return int(self.draws[place]) if place < len(self.draws) else None

    def previous_draw(self, event: int) -> int | None:
        place = int(np.searchsorted(self.draws, event, "left")) - 1
        return int(self.draws[place]) if place >= 0 else None

    @cached_property
    def sums(self) -> np.ndarray:
        """int32 (kinds, events + 1): how many events of each kind come before event e.  Differences are densities."""
        sums = np.zeros((len(KINDS), len(self) + 1), np.int32)
        for kind in range(len(KINDS)):
            np.cumsum(self.kind == kind, out=sums[kind, 1:])
        return sums


def build_index(capture: Any) -> EventIndex:
    """Reads every event's name once; not for the GUI thread."""
    events = capture.events
    name_of, names = _names(capture)
    kind_of_name = np.array([kind_of(name) for name in names] or [OTHER], np.uint8)
    kind = np.where(np.asarray(events.draw), DRAW, kind_of_name[name_of]).astype(np.uint8)
    kind[_presentations(capture, names, name_of)] = PRESENT
    first = np.array([frame.first_event for frame in capture.frames] or [0], np.int64)
    index = EventIndex(names, name_of, kind, first, np.asarray(capture.draws, np.int64))
    index.sums  # noqa: B018 - computed here, where nobody waits
    return index


def _presentations(capture: Any, names: list[str], name_of: np.ndarray) -> np.ndarray:
    """The events that end a frame with a Blt: it presents what was drawn."""
    last = np.array([frame.last_event for frame in capture.frames], np.int64)
    blts = [number for number, name in enumerate(names) if name == "Blt"]
    return last[np.isin(name_of[last], blts)]


def _names(capture: Any) -> tuple[np.ndarray, list[str]]:
    """(number of each event's name, names): a token's name hangs on its op, a call's on its entry point."""
    ops, calls = np.asarray(capture.events.op), capture.tape.call_index()
    entries = np.asarray(calls.entry)[np.asarray(capture.events.call)] if len(ops) else np.zeros(0, np.int64)
    codes = np.where(ops > 0, ops.astype(np.int64), 256 + entries.astype(np.int64))
    kinds, first, name_of = np.unique(codes, return_index=True, return_inverse=True)
    names = [
        calls.names[code - 256] if code >= 256 else capture.name(event)
        for code, event in zip(kinds.tolist(), first.tolist(), strict=True)
    ]
    return name_of.astype(np.uint16), names
