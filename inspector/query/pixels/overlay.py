"""Overlays: the effects of a draw or a frame on a surface, as a layer of colours over its image, with their meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.device.past.reading import find
from core.errors import BadInput, unknown
from core.pipeline.records.layout import Fate
from core.pipeline.surface.formats.texels import decode_float
from core.spec.subresource import Where
from inspector.progress import Cancel
from inspector.query.events.spans import span
from inspector.query.pixels import layers, missed
from inspector.query.pixels.fragments import FragmentsOn
from inspector.query.pixels.layers import (
    AREAS,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PINK,
    YELLOW,
    Layer,
    Meaning,
    by_writer,
    counted,
    sorted_out,
)
from inspector.query.pixels.missed import missed_on
from inspector.query.pixels.picks import PickMap, Picks
from inspector.query.pixels.pixel import pinned

if TYPE_CHECKING:
    from inspector.capture import Capture

OF_SAMPLES = ("draw", "frame", "written", "rejected")
EACH_SAMPLE = "each covered sample of a pixel's {} counts as a fragment"
ANY_SAMPLE = "a pixel counts once, whichever of its {} samples is covered; the pixel history lists each sample"
"""What counts of a multisampled surface say."""
FRAMES_BACK = 16
"""How far `age` looks."""
UNTOUCHED = "nothing was written to this surface in this frame"
AGES: layers.Bands = tuple(zip((0, 1, 2, 4, 8), (GREEN, BLUE, YELLOW, ORANGE, PINK), strict=True))

LEVELS = (GREEN, BLUE, YELLOW, ORANGE, PINK, *layers.HEAT[:3])
"""By mip level; the last for all beyond."""
DENSITIES: layers.Bands = tuple(zip((0, 0.25, 0.5, 1, 2, 4, 8), layers.HEAT, strict=True))
FOGGED: layers.Bands = tuple(zip((0, 1, 10, 25, 50, 75, 100), layers.HEAT, strict=True))
"""Lower limits in per cent."""
FIGHTING = 8
"""Steps of the depth buffer."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """What an event did to a surface, in colours.  kind: one of KINDS; where: the surface or a subresource, after the event."""

    kind: str
    event: int
    where: Where = "render_target"

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Layer:
        """BadInput if there is no such kind, surface or event, or if the event draws nothing and its draw is asked for."""
        if self.kind not in KINDS:
            raise BadInput(unknown("overlay", self.kind, KINDS))
        made = MAKERS[self.kind]
        if made.span == "event" and not capture.events.draw[capture.check_event(self.event)]:
            raise BadInput(f"event {self.event} draws nothing")
        first, last = span(capture, self.event, made.span)
        return self._with_samples(capture, made.make(_Asked(capture, cancel, self.where, first, last)), last, cancel)

    def _with_samples(self, capture: Capture, layer: Layer, event: int, cancel: Cancel | None) -> Layer:
        """Of a multisampled surface: what is counted."""
        part = find(capture.moment(event, None, cancel), self.where)
        if part is None or part.samples < 2 or self.kind == "range":  # which is about the resolved image
            return layer
        counts = EACH_SAMPLE if self.kind in OF_SAMPLES else ANY_SAMPLE
        return replace(layer, note="; ".join(words for words in (layer.note, counts.format(part.samples)) if words))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What an overlay is made from: questions about a surface and events first..last."""

    capture: Capture
    cancel: Cancel | None
    where: Where
    first: int
    last: int

    def fragments(self) -> layers.FragmentMap:
        found: layers.FragmentMap = self.capture.ask(FragmentsOn(self.where, self.first, self.last), self.cancel)
        return found

    def picks(self, fate: str = "written", earliest: bool = False, detailed: bool = False) -> PickMap:
        found: PickMap = self.capture.ask(Picks(self.where, self.first, self.last, fate, earliest, detailed), self.cancel)
        return found

    def missed(self) -> np.ndarray:
        return missed_on(self.capture, self.where, self.first, self.last, self.cancel)


# ---- tests of the draw ----------------------------------------------------------------------------------------------


def _one_test(asked: _Asked, failing: Fate) -> Layer:
    """Pixels with fragments that passed a test, that failed it, and with both."""
    passed = asked.fragments().furthest > failing + 1  # FURTHEST is 1 + Fate
    failed = asked.picks(failing.name.lower()).counts > 0
    return sorted_out((
        ("some passed, some failed", YELLOW, passed & failed), ("passed", GREEN, passed), ("failed", ORANGE, failed),
    ), nothing="no fragment came to this test")  # fmt: skip


# ---- triangles that are not drawn --------------------------------------------------------------------------------------


def _culled(asked: _Asked) -> Layer:
    """Pixels of triangles that are drawn, that turn away, and of both."""
    drawn, away = asked.fragments().furthest > 0, asked.missed() & missed.CULLED != 0
    return sorted_out((
        ("some culled, some not", YELLOW, drawn & away), ("not culled", GREEN, drawn), ("culled", ORANGE, away),
    ), nothing="no triangle is culled or drawn here")  # fmt: skip


def _clipped(asked: _Asked) -> Layer:
    """By what cut primitives off a pixel; else whether any is drawn there."""
    drawn, bits = asked.fragments().furthest > 0, asked.missed()
    return sorted_out((
        ("cut off by the near plane", ORANGE, bits & missed.NEAR != 0),
        ("cut off by the far plane", PINK, bits & missed.FAR != 0),
        ("cut off by a clip plane", YELLOW, bits & missed.PLANES != 0),
        ("outside the viewport", BLUE, bits & missed.OUTSIDE != 0), ("not clipped", GREEN, drawn),
    ), nothing="no primitive is clipped or drawn here")  # fmt: skip


# ---- who wrote ------------------------------------------------------------------------------------------------------


def _writer(asked: _Asked, earliest: bool) -> Layer:
    return by_writer(asked.picks(earliest=earliest), asked.capture.name, asked.capture.draws)


def _rejected(asked: _Asked) -> Layer:
    counts = [asked.picks(fate.name.lower()).counts for fate in Fate if fate != Fate.WRITTEN]
    return counted(np.add.reduce(counts), "rejected fragments")


def _cleared(asked: _Asked) -> Layer:
    """Whether what is drawn has a ground of this frame."""
    first, last = asked.picks(earliest=True), asked.picks()
    return sorted_out((
        ("drawn without a clear before", ORANGE, first.drawn), ("drawn after a clear or copy", GREEN, last.drawn),
        ("cleared or copied, nothing drawn after", BLUE, last.there), ("not written in this frame", GREY, ~last.there),
    ), last)  # fmt: skip


def _age(asked: _Asked) -> Layer:
    """Frames since the last write; the surface is the same one in all of them."""
    capture = asked.capture
    same = pinned(capture, asked.where, asked.last, asked.cancel)
    newest = asked.picks()
    age, first = np.where(newest.there, 0, -1), asked.first
    for back in range(1, FRAMES_BACK):
        if first <= 0 or (age >= 0).all():
            break
        frame = capture.frame_at(first - 1)
        try:
            older: PickMap = capture.ask(Picks(same, frame.first_event, first - 1), asked.cancel)
        except BadInput:  # there was no such surface yet
            break
        if older.index.shape != age.shape:
            break
        age[(age < 0) & older.there] = back
        first = frame.first_event
    layer = layers.banded(age, AGES, "age {}")
    older_pixels = int(np.count_nonzero(age < 0))
    note = f"not written for {FRAMES_BACK} frames, or never: {older_pixels:,} px" if older_pixels else ""
    return Layer(layer.rgba, layer.meanings, note)


# ---- how the pixel's last fragment was drawn ------------------------------------------------------------------------


def _by_state(asked: _Asked, column: str, on: str, off: str) -> Layer:
    found = asked.picks()
    drawn, enabled = found.drawn, found.of(column) != 0
    return sorted_out(
        ((on, BLUE, drawn & enabled), (off, GREEN, drawn), ("cleared or copied", GREY, found.there)), found, UNTOUCHED
    )


def _shading(asked: _Asked) -> Layer:
    found = asked.picks()
    drawn, shader, stages = found.drawn, found.of("shader") != 0, found.of("stages")
    return sorted_out((
        ("pixel shader", PINK, drawn & shader), ("no texture stage", GREEN, drawn & (stages == 0)),
        ("1 texture stage", BLUE, drawn & (stages == 1)), ("2 texture stages", YELLOW, drawn & (stages == 2)),
        ("3 or more texture stages", ORANGE, drawn), ("cleared or copied", GREY, found.there),
    ), found, UNTOUCHED)  # fmt: skip


def _area(asked: _Asked) -> Layer:
    found = asked.picks()
    area = found.of("area", -1.0)
    layer, lines = layers.banded(area, AREAS, "area {} px²"), found.drawn & (area < 0)
    meanings = layer.meanings
    if count := int(np.count_nonzero(lines)):
        layer.rgba[lines] = (*GREEN, layers.COVERED)
        meanings += (Meaning(GREEN, "lines, which have no area", count),)
    return Layer(layer.rgba, meanings, "" if meanings else "no primitive on this surface", found)


# ---- what it interpolates -------------------------------------------------------------------------------------------


def _on_map(drawn: np.ndarray, values: np.ndarray, elsewhere: float) -> np.ndarray:
    """[height, width] of what is known of the drawn pixels, row by row."""
    found = np.full(drawn.shape, elsewhere, values.dtype)
    found[drawn] = values
    return found


def _mip(asked: _Asked) -> Layer:
    found = asked.picks(detailed=True)
    drawn, there = found.interpolated()
    level = _on_map(drawn, there.sampled_level, -1)
    parts = [(f"level {n}", color, level == n) for n, color in enumerate(LEVELS[:-1])]
    parts.append((f"level {len(LEVELS) - 1} and smaller", LEVELS[-1], level >= len(LEVELS) - 1))
    return sorted_out((*parts, ("no texture", GREY, found.there)), found, UNTOUCHED)


def _density(asked: _Asked) -> Layer:
    found = asked.picks(detailed=True)
    drawn, there = found.interpolated()
    layer = layers.banded(np.nan_to_num(_on_map(drawn, there.texels, np.nan), nan=-1.0), DENSITIES, "{} texels")
    return Layer(layer.rgba, layer.meanings, "texels of the first level along a pixel's longer side", found)


def _magnification(asked: _Asked) -> Layer:
    found = asked.picks(detailed=True)
    drawn, there = found.interpolated()
    texels = _on_map(drawn, there.texels, np.nan)
    mipped = _on_map(drawn, there.rows["last_level"] > there.rows["first_level"], False)
    return sorted_out((
        ("enlarged 4 times or more", ORANGE, texels <= 0.25), ("enlarged 2 to 4 times", YELLOW, texels <= 0.5),
        ("enlarged less than 2 times", GREEN, texels < 0.9999),
        ("reduced without mip levels", PINK, (texels > 1.0001) & ~mipped),
        ("as it is, or reduced with mip levels", BLUE, texels > 0), ("no texture", GREY, found.there),
    ), found, UNTOUCHED)  # fmt: skip


def _fog_amount(asked: _Asked) -> Layer:
    found = asked.picks(detailed=True)
    drawn, there = found.interpolated()
    amount = np.rint((1 - there.fog_factor) * 100)
    fogged = np.where(there.rows["fog_source"] != 0, amount, -1)
    layer = layers.banded(_on_map(drawn, fogged, -1.0).astype(np.int64), FOGGED, "{}% fog")
    return Layer(layer.rgba, layer.meanings, "" if layer.meanings else "no fragment is fogged", found)


def _fighting(asked: _Asked) -> Layer:
    """Whether two fragments of a pixel are so near in depth that rounding decides: of the first and the last that was written,
    and of those that failed the depth test."""
    last = asked.picks(detailed=True)
    others = [asked.picks(earliest=True, detailed=True)]
    others += [asked.picks("depth_test", early, True) for early in (False, True)]
    near, same, apart = (np.zeros(last.index.shape, bool) for _ in range(3))
    mine, own = last.of("primitive", -1), last.of("event", -1)
    depth = _depths(last)
    for other in others:
        another = (other.of("primitive", -1) != mine) | (other.of("event", -1) != own)
        steps = np.where(another, np.abs(depth - _depths(other)), np.nan)
        near |= (steps > 0.5) & (steps <= FIGHTING)
        same |= steps <= 0.5
        apart |= steps > FIGHTING
    return sorted_out((
        (f"1 to {FIGHTING} steps of depth apart", ORANGE, near), ("at the same depth", YELLOW, same),
        ("further apart", GREEN, apart),
    ), last, "no two fragments with a depth test at a pixel")  # fmt: skip


def _depths(found: PickMap) -> np.ndarray:
    """float64[height, width] in steps; nan where no fragment is, or none that is tested."""
    drawn, there = found.interpolated()
    return _on_map(drawn, np.where(there.rows["z_enable"], there.depth, np.nan), np.nan)


# ---- values ---------------------------------------------------------------------------------------------------------


def _range(asked: _Asked) -> Layer:
    """Values at and beyond the ends of what a screen or a depth buffer holds."""
    rgba, stored, format = asked.capture.look(asked.last, asked.where, cancel=asked.cancel)
    height, width = rgba.shape[:2]
    if format.family == "depth":
        shift, bits = next((shift, bits) for _, shift, bits, kind in format.channels if kind == "depth")
        size, most = format.bits // 8, (1 << bits) - 1
        codes = np.ascontiguousarray(stored[:height, : width * size]).view(f"<u{size}") >> shift & most
        return sorted_out((("depth 0", ORANGE, codes == 0), ("depth 1", BLUE, codes == most)), nothing="all between 0 and 1")
    values = decode_float(format, stored.ravel(), width, height, pitch=stored.shape[1])[0, ..., :3]
    below, above = np.any(values < 0, axis=-1), np.any(values > 1, axis=-1)
    return sorted_out((
        ("NaN", PINK, np.isnan(values).any(axis=-1)), ("infinite", YELLOW, np.isinf(values).any(axis=-1)),
        ("below 0", BLUE, below), ("above 1", ORANGE, above),
        ("a channel is 1", GREEN, (values == 1).any(axis=-1)), ("black", GREY, (values == 0).all(axis=-1)),
    ), nothing="all between 0 and 1")  # fmt: skip


class Maker(NamedTuple):
    """span: the events, of spans.SPANS; text: what the overlay shows."""

    span: str
    text: str
    make: Callable[[_Asked], Layer]


MAKERS = {
    "tests": Maker("event", "the fates of the draw's fragments: written, or the test that failed",
                   lambda asked: layers.tested(asked.fragments())),
    "draw": Maker("event", "fragments of the draw, per pixel", lambda asked: counted(asked.fragments().counts)),
    "frame": Maker("until", "overdraw: fragments of the frame so far, per pixel",
                   lambda asked: counted(asked.fragments().counts)),
    "last_writer": Maker("until", "the event that wrote each pixel last in this frame", lambda asked: _writer(asked, False)),
    "first_writer": Maker("until", "the event that wrote each pixel first in this frame", lambda asked: _writer(asked, True)),
    "depth": Maker("event", "the draw's depth test: passed, failed, both", lambda asked: _one_test(asked, Fate.DEPTH_TEST)),
    "stencil": Maker("event", "the draw's stencil test: passed, failed, both",
                     lambda asked: _one_test(asked, Fate.STENCIL_TEST)),
    "alpha": Maker("event", "the draw's alpha test: passed, failed, both", lambda asked: _one_test(asked, Fate.ALPHA_TEST)),
    "culled": Maker("event", "triangles of the draw that CULLMODE leaves out, where they would be", _culled),
    "clipped": Maker("event", "primitives of the draw that planes or the viewport cut off, where they would be", _clipped),
    "written": Maker("until", "overdraw: fragments of the frame so far that were written, per pixel",
                     lambda asked: counted(asked.picks().counts, "written fragments")),
    "rejected": Maker("until", "fragments of the frame so far that failed a test, per pixel", _rejected),
    "clear": Maker("until", "drawn with or without a clear before it in this frame, cleared only, untouched", _cleared),
    "age": Maker("until", "frames since each pixel was written", _age),
    "blended": Maker("until", "whether each pixel's last fragment was blended",
                     lambda asked: _by_state(asked, "blended", "blended", "not blended")),
    "fog": Maker("until", "whether each pixel's last fragment was fogged",
                 lambda asked: _by_state(asked, "fogged", "fogged", "without fog")),
    "alpha_tested": Maker("until", "whether each pixel's last fragment had an alpha test to pass",
                          lambda asked: _by_state(asked, "alpha_tested", "alpha tested", "without alpha test")),
    "shading": Maker("until", "what shaded each pixel last: a pixel shader, or how many texture stages", _shading),
    "triangle_size": Maker("until", "area of the triangle or point that wrote each pixel last, after clipping; lines", _area),
    "mip": Maker("until", "the mip level of its first texture that each pixel's last fragment read", _mip),
    "density": Maker("until", "texels of the first texture's first level along a pixel", _density),
    "magnification": Maker("until", "whether each pixel's first texture was enlarged or reduced, with mip levels or without",
                           _magnification),
    "fog_amount": Maker("until", "how much fog each pixel's last fragment has", _fog_amount),
    "z_fighting": Maker("until", "pixels where two fragments are nearly at the same depth", _fighting),
    "range": Maker("until", "NaN, infinite, below 0, above 1, saturated, black; depth 0 and 1", _range),
}  # fmt: skip
KINDS = {name: maker.text for name, maker in MAKERS.items()}
OF_DRAWS = frozenset(name for name, maker in MAKERS.items() if maker.span == "event")
"""Those about one draw; the others are about the frame so far."""
