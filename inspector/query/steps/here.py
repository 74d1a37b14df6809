"""The run of the focused pixel, whatever the event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from inspector.focus import Focus
from inspector.query.events.spans import span
from inspector.query.pixels.history import PixelHistory
from inspector.query.pixels.pixel import pinned
from inspector.query.steps.pixel import StepPixel
from inspector.query.steps.run import Run

if TYPE_CHECKING:
    from inspector.view import CaptureView


def run_here(capture: CaptureView, cancel: Any, focus: Focus, draws: bool) -> Run:
    """The fragment that the event's draw makes of the pixel; where it makes none, the last one of the frame so far.

    Raises BadInput if there is neither, and if the primitive that the focus names makes none.
    """
    assert focus.pixel is not None
    if draws:
        try:
            return capture.ask(StepPixel(focus.event, *focus.pixel, focus.primitive, focus.sample, _target(focus)), cancel)
        except BadInput:
            if focus.primitive is not None or not isinstance(focus.surface, str):
                raise
    return _last(capture, cancel, focus, *focus.pixel)


def _last(capture: CaptureView, cancel: Any, focus: Focus, x: int, y: int) -> Run:
    """What the pixel has its value from."""
    where = pinned(capture, focus.where, focus.event, cancel)
    question = PixelHistory(where, x, y, *span(capture, focus.event, "until"), misses=False)
    history = capture.ask(question, cancel)
    made, writer = history.fragments, history.last_writer
    if not made:
        raise BadInput(f"no draw in this frame covers pixel {x}, {y} before event {focus.event}")
    last = writer if writer in made else ([one for one in made if one.passed] or made)[-1]
    return capture.ask(StepPixel(last.event, x, y, last.primitive, last.sample, where.surface), cancel)


def _target(focus: Focus) -> int | str:
    """The surface whose pixel is meant; of a texture that is looked at: the render target."""
    return focus.surface if focus.surface == "depth" else "render_target"
