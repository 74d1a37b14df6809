"""One value over a whole primitive, as an image: an interpolant, an input or result of a texture stage, a shader's register."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput, Cancelled, unknown
from core.pipeline.draw_state.pixel_slots import TEMPORARY, TEXTURE
from core.pipeline.explain.pixel_trace import Pixel, argument, inputs_of, selecting, texel
from core.pipeline.explain.redraw import DrawnBatch
from core.pipeline.records.layout import TRIANGLE, Plane
from core.spec.enums import TextureArg
from inspector.progress import Cancel
from inspector.query.pixels.shading import Placed
from inspector.query.pixels.writers import drawing_pass
from inspector.query.steps.levers import NUMBERED
from inspector.query.steps.pixel import StepPixel
from inspector.query.steps.run import Run, Step

if TYPE_CHECKING:
    from inspector.capture import Capture

BLOCK = 4
"""Pixels of a block's side: a kernel computes sixteen at a time."""
SHADER_INPUTS = {"v0": "diffuse", "v1": "specular"}
Reader = Callable[[Pixel], np.ndarray]
"""What reads the value of the 16 pixels of the block that a pixel is in: float32[4 components, 16]."""


@dataclass(frozen=True, eq=False)
class Spread:
    """values: float32[h, w, 4], NaN where the primitive covers nothing; left, top: the place of the first pixel.

    step: the title of the step that the value was left by.
    """

    name: str
    step: str
    left: int
    top: int
    values: np.ndarray

    @property
    def covered(self) -> np.ndarray:
        """bool[h, w]"""
        return ~np.isnan(self.values).all(-1)

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and largest component but the fourth; 0, 1 if there is none."""
        finite = self.values[..., :3][np.isfinite(self.values[..., :3])]
        return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)

    def image(self) -> np.ndarray:
        """uint8[h, w, 4]: x y z as red, green, blue; 0..1 as they are, others from the smallest to the largest value."""
        low, high = self.range
        if low >= 0.0 and high <= 1.0:
            low, high = 0.0, 1.0
        picture = np.zeros((*self.values.shape[:2], 4), np.uint8)
        with np.errstate(invalid="ignore", over="ignore"):
            shown = np.clip(np.nan_to_num((self.values[..., :3] - low) / max(high - low, 1e-30)), 0, 1)
        picture[..., :3] = np.round(shown * 255)
        picture[..., 3] = self.covered * 255
        return picture


@dataclass(frozen=True, slots=True)
class SpreadOf:
    """A value of a pixel's run, over all of its primitive.

    step: a place in the run of StepPixel(event, x, y, primitive); name: of a value that was written by then.
    """

    event: int
    x: int
    y: int
    step: int
    name: str
    primitive: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Spread:
        """BadInput if there is no such fragment, or the value is none of those that can be drawn."""
        run = capture.ask(StepPixel(self.event, self.x, self.y, self.primitive), cancel)
        step = _writer(run, min(self.step, len(run.steps) - 1), self.name)
        _, cause = drawing_pass(capture, self.event, cancel)
        surface = cause.parts[0] or cause.parts[1]
        assert surface is not None and run.primitive is not None
        whole = np.full((surface.height + BLOCK, surface.width + BLOCK, 4), np.nan, np.float32)
        for batch in map(DrawnBatch, cause.watch.journals):
            for row in batch.rows_of(self.event, run.primitive).tolist():
                mask = batch.coverage(np.array([row]), surface.width, surface.height) > 0
                _draw(whole, mask, Placed(cause, batch, row), step, self.name, cancel)
        rows, columns = np.nonzero(~np.isnan(whole).all(-1))
        if not len(rows):
            raise BadInput(f"{self.name} is nowhere a number on primitive {run.primitive} of event {self.event}")
        top, left = int(rows.min()), int(columns.min())
        return Spread(self.name, step.title, left, top, whole[top : rows.max() + 1, left : columns.max() + 1])


def _writer(run: Run, at: int, name: str) -> Step:
    """The last step up to `at` that wrote the value, or has it among what it reads.  BadInput: none has."""
    for step in run.steps[at::-1]:
        if any(value.name == name for value in (*step.writes, *step.reads)):
            return step
    names = dict.fromkeys(value.name for step in run.steps[: at + 1] for value in (*step.writes, *step.reads))
    raise BadInput(unknown("value", name, [one for one in names if " x " not in one]))


def _draw(whole: np.ndarray, mask: np.ndarray, placed: Placed, step: Step, name: str, cancel: Cancel | None) -> None:
    """Puts the value of the pixels in the mask into `whole`, float32[h, w, 4]."""
    read = _reader(placed.pixel(0, 0), step, name)
    for x, y in _blocks(mask):
        if x == 0 and cancel and cancel():
            raise Cancelled("question cancelled")
        values = read(placed.pixel(x, y)).T.reshape(BLOCK, BLOCK, 4)
        here = mask[y : y + BLOCK, x : x + BLOCK]
        height, width = here.shape
        whole[y : y + height, x : x + width][here] = values[:height, :width][here]


def _blocks(mask: np.ndarray) -> Iterator[tuple[int, int]]:
    """The corners of the blocks that have a pixel of the mask."""
    rows, columns = np.nonzero(mask)
    for y, x in np.unique(np.stack([rows & -BLOCK, columns & -BLOCK], 1), axis=0).tolist():
        yield x, y


# ---- what a value is read from -----------------------------------------------------------------------------------------


def _reader(pixel: Pixel, step: Step, name: str) -> Reader:
    """BadInput for what is no value of every pixel: texels, tests, terms of blending."""
    numbered = NUMBERED.search(step.title)
    plain = SHADER_INPUTS.get(name, name) if step.stage == "setup" else name.partition(" (")[0]
    if step.stage == "setup" and plain in inputs_of(pixel):
        return _interpolated(pixel, plain)
    if step.line >= 0 and name[0] in "rt" and name[1:].isdigit():
        return _register(pixel, step.line, TEMPORARY if name[0] == "r" else TEXTURE, int(name[1:]))
    if step.stage in ("sample", "combine") and numbered and (states := _states(pixel, int(numbered[1]), plain)) is not None:
        return lambda one: one.compute_block(states)[:64].reshape(4, 16)
    raise BadInput(f"{name} of {step.title!r} cannot be drawn over the primitive: interpolated values, registers, and what "
                   "texture stages read and leave can")  # fmt: skip


def _interpolated(pixel: Pixel, name: str) -> Reader:
    """An interpolant of all 16 pixels at once, as core.pipeline.explain.pixel_trace has one."""
    state, count = pixel.states[0], 4
    if name[0] != "t":
        first = int(state[f"{name}_plane"])
    else:
        firsts = [int(other) for other in state["stage"]["coordinate_plane"]]
        first = firsts[int(name[1:])]
        count = min([other for other in (*firsts, int(state["plane_count"])) if other > first]) - first
    lane = np.arange(16)

    def read(one: Pixel) -> np.ndarray:
        triangle = one.planes.view(TRIANGLE)[0]
        at = np.stack([lane * 0 + 1, one.x + lane % BLOCK - triangle["x"], one.y + lane // BLOCK - triangle["y"]])
        with np.errstate(all="ignore"):  # planes that the draw has not stay as memory was
            values = triangle["plane"].reshape(-1, 3)[: Plane.RHW + 1 + first + 4] @ at.astype(np.float32)
            found = values[first : first + 4] * (1.0 if triangle["affine"] else 1.0 / values[Plane.RHW])
        found[min(count, 4) :] = np.array([0.0, 0.0, 0.0, 1.0])[min(count, 4) :, None]
        return np.clip(found, 0, 1) if name[0] != "t" else found

    return read


def _register(pixel: Pixel, line: int, first: int, number: int) -> Reader:
    """A register after the instruction that is a line of the program's listing."""
    count = int(pixel.states[0]["pixel_shader"])
    numbers = pixel.states[0]["instruction"]["number"][:count]
    shorter = pixel.states.copy()
    shorter["pixel_shader"] = int(np.flatnonzero(numbers == line)[-1]) + 1

    def read(one: Pixel) -> np.ndarray:
        one.compute_block(shorter)
        return one.registers.reshape(-1, 4, 16)[first + number].copy()

    return read


class _Asked(Pixel):
    """A pixel that keeps the states it would be computed with, and computes nothing."""

    def color(self, states: np.ndarray) -> tuple[float, float, float, float]:
        self.asked = states
        return (0.0, 0.0, 0.0, 0.0)


def _states(pixel: Pixel, stage: int, name: str) -> np.ndarray | None:
    """A PIXEL_STATE whose cascade ends with the value: CURRENT or TEMP after a stage, its texture, an argument."""
    asked, row = _Asked(pixel.states, pixel.planes, pixel.memory, pixel.x, pixel.y), pixel.states[0]["stage"][stage]
    if name == "current":
        asked.asked = pixel.states.copy()
        asked.asked["stage_count"] = stage + 1
    elif name == "temp":
        asked.asked = selecting(pixel.states, stage + 1, int(TextureArg.TEMP))
        asked.asked["stage"]["textured"][0][stage + 1] = 0
    elif name == "texture":
        texel(asked, stage)
    elif name in ("color_arg0", "color_arg1", "color_arg2", "alpha_arg0", "alpha_arg1", "alpha_arg2"):
        argument(asked, stage, int(row[name]))
    else:
        return None
    return asked.asked
