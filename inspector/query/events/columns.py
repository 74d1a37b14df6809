"""Columns of the event list, one word per draw: target, textures, tests and blending, pixels, cost of replaying."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from core.errors import BadInput, unknown
from core.spec.enums import TextureOp
from inspector.progress import Cancel
from inspector.timeline.counters import counters

if TYPE_CHECKING:
    from inspector.capture import Capture
    from inspector.query.state.at_event import DeviceState

STAGES = 8
Answers = dict[int, Any]


@dataclass(frozen=True)
class EventColumn:
    """One of `COLUMNS` for some events: by event, its value; events that have none are left out.

    "pixels" and "cost" execute the frames of the events, and answer for all draws in these.
    """

    name: str
    events: tuple[int, ...]

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Answers:
        """BadInput for an unknown column or event."""
        if self.name not in COLUMNS:
            raise BadInput(unknown("column", self.name, COLUMNS))
        for event in self.events:
            capture.check_event(event)
        return COLUMNS[self.name](capture, self.events, cancel)


def targets(capture: Capture, events: Sequence[int], _: Cancel | None) -> Answers:
    """The handle of the surface that is drawn to; of draws and clears."""
    found = {event: int(capture.state(event)["RENDERTARGET"].raw[0]) for event in events}
    return {event: handle for event, handle in found.items() if handle}


def textures(capture: Capture, events: Sequence[int], _: Cancel | None) -> Answers:
    """The handles of the textures that a draw's stages may read, in order of the stages; each once."""
    return {event: _textures(capture.state(event)) for event in events if capture.events.draw[event]}


def _textures(state: DeviceState) -> tuple[int, ...]:
    shaded = bool(state["PIXELSHADER"].raw[0])
    handles: dict[int, None] = {}
    for stage in range(STAGES):
        if not shaded and state["TEXTURESTAGE", stage, "COLOROP"].raw[0] == TextureOp.DISABLE:
            break
        if handle := int(state["TEXTURESTAGE", stage, "TEXTUREMAP"].raw[0]):
            handles[handle] = None
    return tuple(handles)


def tests(capture: Capture, events: Sequence[int], _: Cancel | None) -> Answers:
    """Depth, stencil, alpha test and blending of a draw, as `z LESSEQUAL, blend SRCALPHA INVSRCALPHA`."""
    return {event: summary(capture.state(event)) for event in events if capture.events.draw[event]}


def summary(state: DeviceState) -> str:
    """What is on, with what it compares or mixes; `plain` if nothing is."""

    def on(name: str) -> bool:
        return bool(state[name].raw[0])

    def text(name: str) -> str:
        return str(state[name].text)

    parts = []
    if on("ZENABLE"):
        parts.append(f"z {text('ZFUNC')}{'' if on('ZWRITEENABLE') else ' no write'}")
    if on("STENCILENABLE"):
        parts.append(f"stencil {text('STENCILFUNC')} {text('STENCILREF')}")
    if on("ALPHATESTENABLE"):
        parts.append(f"alpha {text('ALPHAFUNC')} {int(state['ALPHAREF'].raw[0])}")
    if on("ALPHABLENDENABLE"):
        operation = "" if text("BLENDOP") == "ADD" else f"{text('BLENDOP')} "
        parts.append(f"blend {operation}{text('SRCBLEND')} {text('DESTBLEND')}")
    return ", ".join(parts) or "plain"


def pixels(capture: Capture, events: Sequence[int], cancel: Cancel | None) -> Answers:
    """How many pixels are another after a draw (inspector.timeline.counters)."""
    frames = {capture.frame_of(event) for event in events}
    rows = [counters(capture, frame, cancel) for frame in sorted(frames)]
    return {int(event): int(count) for row in rows for event, count in zip(row["event"], row["pixels"], strict=True)}


def costs(capture: Capture, events: Sequence[int], cancel: Cancel | None) -> Answers:
    """Milliseconds that this device takes for a draw, drawn by itself; another time they are others."""
    frames = {capture.frame_of(event) for event in events}
    found: Answers = {}
    for draw in capture.draws.tolist():
        if capture.frame_of(draw) in frames:
            with capture.replay.before(draw, cancel) as driver:
                driver.device.flush()
                began = perf_counter()
                with capture.replay.at(draw, cancel):
                    driver.device.flush()
                found[draw] = (perf_counter() - began) * 1e3
    return found


COLUMNS: dict[str, Callable[[Capture, Sequence[int], Cancel | None], Answers]] = {
    "target": targets,
    "textures": textures,
    "tests": tests,
    "pixels": pixels,
    "cost": costs,
}
