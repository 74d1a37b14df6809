"""A surface as numbers: the colours that a sampler reads, and the format's stored values, channel by channel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.device.memory import half_floats
from core.device.past.reading import find, read
from core.errors import BadInput
from core.pipeline.surface.formats.texels import decode_float
from core.spec.formats import Format
from core.spec.subresource import Subresource, Where
from inspector.progress import Cancel
from inspector.query.looks.stored import channels, numbers, packed

if TYPE_CHECKING:
    from inspector.capture import Capture

NAMES = {"z": "depth", "s": "stencil", "p": "index"}
ORDER = ("r", "g", "b", "u", "v", "w", "q", "l", "index", "a", "depth", "stencil")
COLORS = ("r", "g", "b", "a")


@dataclass(frozen=True)
class Numbers:
    """rgba: float32[height, width, 4], as a sampler reads it (depth: red, green and blue alike, missing alpha 1).

    planes: float32[height, width] by the name of the channel, of those that are stored: r g b a, l, u v w q, index (of a
    palette), depth, stencil; of compressed formats the decoded r g b a.  Unsigned channels 0..1, signed -1..1, indices and
    stencil as counted.  format: None if the numbers were computed.
    """

    rgba: np.ndarray
    planes: dict[str, np.ndarray]
    format: Format | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """(height, width)."""
        return self.rgba.shape[0], self.rgba.shape[1]

    @property
    def default_range(self) -> tuple[float, float]:
        """What is black and what is white unless said otherwise: -1 and 1 of signed formats, else 0 and 1."""
        return (-1.0, 1.0) if any(name in self.planes for name in "uv") else (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Values:
    """The numbers of a surface or subresource after an event, or after that primitive of it.

    raw: the bytes of each texel instead, in the order of memory: planes byte0, byte1 ... of 0..255, the first three as colours.
    """

    event: int
    where: Where = "render_target"
    primitive: int | None = None
    raw: bool = False

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Numbers:
        """BadInput if there is no such surface, event or primitive; of raw ones, if texels have no bytes of their own."""
        moment = capture.moment(self.event, self.primitive, cancel)
        part = find(moment, self.where)
        if part is None:
            raise BadInput(f"{capture.title}: no {Subresource.of(self.where)} after event {self.event}")
        try:
            rows, form = read(moment, self.where)
        except LookupError as missing:
            raise BadInput(f"{capture.title}: {missing.args[0]} after event {self.event}") from None
        if self.raw:
            return bytes_of(rows, form, part.width, part.height)
        palette = moment.palette_of(part.surface)
        return numbers_of(rows, form, part.width, part.height, palette.colors if palette else None)


def numbers_of(rows: np.ndarray, form: Format, width: int, height: int, palette: np.ndarray | None = None) -> Numbers:
    """Of stored bytes, uint8[rows of blocks, pitch]."""
    if form.family == "float":
        rgba = half_floats.values_of(rows, width).astype(np.float32)
        return Numbers(rgba, {name: rgba[..., n] for n, name in enumerate(COLORS)}, form)
    words = packed(rows, form, width, height) if form.family != "yuv" else None
    planes = {} if words is None else {_name(one[0]): numbers(words, one) for one in channels(form)}
    if form.family == "depth":
        rgba = np.ones((height, width, 4), np.float32)
        rgba[..., :3] = planes["depth"][..., None]
    else:
        rgba = decode_float(form, rows.ravel(), width, height, pitch=rows.shape[1], palette=palette)[0]
    if not planes:
        planes = {name: rgba[..., n] for n, name in enumerate(COLORS)}
    return Numbers(rgba, {name: planes[name] for name in ORDER if name in planes}, form)


def bytes_of(rows: np.ndarray, form: Format, width: int, height: int) -> Numbers:
    """Of stored bytes, each byte of a texel a channel; missing colours are 0.  BadInput for formats of blocks."""
    wide, high, size = form.block
    if (wide, high) != (1, 1):
        raise BadInput(f"texels of {form.name} have no bytes of their own: it stores blocks of {wide} x {high}")
    texels = np.ascontiguousarray(rows[:height, : width * size]).reshape(height, width, size).astype(np.float32)
    rgba = np.zeros((height, width, 4), np.float32)
    rgba[..., : min(size, 3)] = texels[..., :3]
    rgba[..., 3] = 1
    if size == 1:
        rgba[..., :3] = texels
    return Numbers(rgba, {f"byte{n}": texels[..., n] for n in range(size)})


def of_rgba8(rgba: np.ndarray) -> Numbers:
    """Of uint8[height, width, 4]."""
    values = rgba.astype(np.float32) / np.float32(255)
    return Numbers(values, {name: values[..., n] for n, name in enumerate(COLORS)})


def of_computed(rgba: np.ndarray) -> Numbers:
    """Of float32[height, width, 4] that somebody computed."""
    return Numbers(rgba, {name: rgba[..., n] for n, name in enumerate(COLORS)})


def _name(letter: str) -> str:
    return NAMES.get(letter, letter)
