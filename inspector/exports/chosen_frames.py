"""The frames that represent a capture: those with a title or a finding, then those with most draws; none of one colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from core.errors import BadInput
from inspector.focus import Focus
from inspector.progress import Progress
from inspector.timeline.frames import Frame

TRIES = 3
"""Frames that are drawn for each that is shown, at most."""


def titles_of(capture: Any) -> dict[int, str]:
    """What annotations call frames."""
    found: dict[int, str] = {}
    for note in capture.tape.annotations:
        try:
            event = Focus.parse(note.focus).event
        except BadInput:
            continue
        if 0 <= event < len(capture.events):
            found.setdefault(capture.frame_of(event), note.text.partition("\n")[0])
    return found


def candidates(capture: Any, wanted: int, first: Iterable[int], findings: Sequence[Any]) -> list[int]:
    """Places in `capture.frames`, the most telling first: `first`, some where a rule is broken, those with titles, then of
    as many stretches as are wanted the frames that draw most, and all others."""
    places = {frame.index: place for place, frame in enumerate(capture.frames)}
    broken: dict[str, int] = {}
    for one in findings:
        if 0 <= one.seq < len(capture.events):
            broken.setdefault(one.rule, capture.frame_of(one.seq))
    titled = sorted(titles_of(capture))
    if len(titled) > wanted:
        titled = [titled[n] for n in np.linspace(0, len(titled) - 1, wanted).round().astype(int).tolist()]
    chosen = [places[frame] for frame in (*first, *list(broken.values())[: (wanted + 1) // 2], *titled) if frame in places]
    draws = np.array([frame.draws for frame in capture.frames], np.int64)
    stretches = np.array_split(np.arange(len(draws)), max(min(wanted, len(draws)), 1))
    chosen += [int(stretch[draws[stretch].argmax()]) for stretch in stretches if len(stretch)]
    chosen += np.argsort(-draws, kind="stable").tolist()
    return list(dict.fromkeys(chosen))


def chosen_pictures(
    capture: Any, wanted: int, first: Iterable[int], findings: Sequence[Any], say: Progress
) -> dict[int, np.ndarray]:
    """Place in `capture.frames` -> its picture: at most `wanted`.  One of a single colour only where there are no others."""
    shown: dict[int, np.ndarray] = {}
    plain: dict[int, np.ndarray] = {}
    for tried, place in enumerate(candidates(capture, wanted, first, findings)[: TRIES * wanted]):
        if len(shown) == wanted:
            break
        say(tried / (TRIES * wanted), f"frame {capture.frames[place].index}")
        picture = picture_of(capture, capture.frames[place])
        if picture is not None:
            (plain if (picture[..., :3] == picture[:1, :1, :3]).all() else shown)[place] = picture
    spare = list(plain)[: max(wanted - len(shown), 0)]
    return shown | {place: plain[place] for place in spare}


def picture_of(capture: Any, frame: Frame) -> np.ndarray | None:
    """uint8[h, w, 4]: what a frame shows, in its back buffer before that is flipped; of a program without one, its render
    target, or the screen; None if there is nothing to see.
    """
    for surface in ("back_buffer", "render_target", "primary"):
        try:
            found: np.ndarray = capture.image(
                frame.last_event if surface == "primary" else capture.picture_event(frame), surface
            )
        except BadInput:
            continue
        return found
    return None
