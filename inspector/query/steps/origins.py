"""Where a value comes from, one step at a time: from a pixel's colour to stages, texels, vertices, lights, materials, matrices,
and for each state to the token that set it.

Asked again about what it names, it leads on: `OriginsOf(run, step, name)`, for runs of pixels and of vertices alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput, unknown
from core.spec.enums import PrimitiveType, ShadeMode
from core.spec.slots import Key
from inspector.progress import Cancel
from inspector.query.objects.usage import ObjectHistory
from inspector.query.pixels.explain import Explain
from inspector.query.pixels.history import PixelHistory
from inspector.query.state.matters import verdict
from inspector.query.state.places import spelled
from inspector.query.state.situation import Situation
from inspector.query.steps.levers import NUMBERED
from inspector.query.steps.run import Numbers, Run, Step
from inspector.timeline.lives import WRITING

if TYPE_CHECKING:
    from inspector.capture import Capture

INPUTS = {"v0": "diffuse", "v1": "specular"}
CONSTANT = re.compile(r"c(\d+)")
MATRIX = re.compile(r"m\dx(\d)")
SELECTED = {"TEXTURE": "texture", "DIFFUSE": "diffuse", "CURRENT": "current", "SPECULAR": "specular", "TEMP": "temp",
            "diffuse": "diffuse", "specular": "specular"}  # fmt: skip
"""What stands in parentheses after an argument: what it selects; of a material's colour, what the vertex has."""
ALSO_STATES = {"AMBIENT", "FOGSTART", "FOGEND", "FOGDENSITY"}
"""What steps read that is listed with the states, which lead to the tokens that set them."""
HANDED_ON = ("passed to the rasteriser", "outputs", "written")
"""Steps that only hand on what others left."""
SETS: dict[str, str] = {
    "eye space": r"WORLD\d+$|VIEW$", "clip space": r"PROJECTION$", "normal in eye space": r"WORLD\d+$|VIEW$|NORMALIZENORMALS",
    "blend world matrices": r"WORLD\d+$|VERTEXBLEND", "tween": "TWEENFACTOR",
    "where it stands": r"LIGHT.*(Type|Position|Direction|Range|Attenuation\d|Falloff|Theta|Phi)$|VIEW$",
    "what it adds": r"LIGHT.*(Diffuse|Specular|Ambient)$", "direction of the viewer": "LOCALVIEWER",
    "diffuse colour": r"MATERIAL\.(Diffuse|Ambient|Emissive)|AMBIENT$",
    "specular colour": r"MATERIAL\.(Specular|Power)|SPECULARENABLE",
    "divide by w": "VIEWPORT", "fog factor of the vertex": "FOG(VERTEXMODE|START|END|DENSITY)|RANGEFOG", "fogged": "FOG",
    "coordinates of stage": r"TEXCOORDINDEX|TEXTURETRANSFORMFLAGS|TEXTURE\d$", "specular added": "SPECULARENABLE",
}  # fmt: skip
"""By a part of a step's title, the states behind what it leaves, by their spellings."""
ADDED = {
    "what it adds": r"light \d+ (direction|strength|spot factor|N\.L|\(N\.H\)\^power)$",
    "diffuse colour": r"light \d+ (ambient|diffuse)$",
    "specular colour": r"light \d+ specular$", "direction of the viewer": "eye position$", "clamped": r"(current|r0)$",
    "fogged": "color$", "specular added": "color$", "colour key": "color$", "blended": "(source|destination) term$",
}  # fmt: skip
"""By a part of a step's title, the values of earlier steps that it works on, beyond those that it says it reads."""
STAGED = ("combine", "sample", "blend", "alpha_test", "stencil_test", "depth_test")
"""Stages all of whose states are behind what their steps leave."""


@dataclass(frozen=True, slots=True)
class Origin:
    """One thing that a value comes from.

    kind: "step" of the same run, "vertex", "texel", "state", "buffer", "fragment" (what the pixel held before).  name, value:
    what, and how much; leads_to: the name to ask about at `step`, or at `vertex` (its place in drawing order) once it is
    stepped.  event: the draw, or the token that set a state, wrote a buffer or the pixel; None: nothing did.
    """

    kind: str
    name: str
    value: str
    event: int | None
    step: int | None = None
    vertex: int | None = None
    leads_to: str = ""
    texel: tuple[int, int, int, int, int, int] | None = None
    """surface, level, face, slice, x, y"""


@dataclass(frozen=True, slots=True)
class OriginsOf:
    """What a value of a run comes from.  step: a place in the run; name: of a value that is written or read by then.

    pixel: of a pixel's run, (x, y); vertex: of a vertex's run, its place in drawing order.
    """

    found: Run
    step: int
    name: str
    pixel: tuple[int, int] | None = None
    vertex: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> tuple[Origin, ...]:
        """In the order of the pipeline, nearest first.  BadInput for a name that the run has not."""
        return tuple(_Seeker(capture, self, cancel).origins())


class _Seeker:
    def __init__(self, capture: Capture, asked: OriginsOf, cancel: Cancel | None) -> None:
        self.capture, self.asked, self.cancel, self.run = capture, asked, cancel, asked.found
        self.event = capture.check_event(self.run.event)
        self.situation = Situation(capture, self.event)

    def origins(self) -> Iterator[Origin]:
        number, name = self._writer(self.asked.name)
        step = self.run.steps[number]
        constant = CONSTANT.fullmatch(name)
        if constant:
            yield from self._constant(int(constant[1]))
        elif name == "fog factor" and "from VERTEX" in step.note:
            yield from self._vertices("fog")
        elif step.stage == "setup" and self.asked.pixel is not None:
            yield from self._vertices(INPUTS.get(name, name))
        elif step.stage == "fetch":
            yield from self._fetched()
        else:
            yield from self._reads(number, step)
            if self.asked.pixel is not None and any(" x " in value.name for value in step.reads):
                yield from self._texels(step)
            yield from self._states(step)

    def _writer(self, name: str) -> tuple[int, str]:
        """The step that wrote a value last, or that has it among what it reads; not one that only hands it on."""
        steps, last = self.run.steps, min(self.asked.step, len(self.run.steps) - 1)
        writers = [n for n in range(last, -1, -1) if any(value.name == name for value in steps[n].writes)]
        makers = [n for n in writers if steps[n].title not in HANDED_ON]
        if makers:
            return makers[0], name
        if name.startswith("texture ") and (found := self._made(f"coordinates {name[8:]}", last)) is not None:
            return found, f"coordinates {name[8:]}"
        if writers:
            return writers[0], name
        for number in range(last, -1, -1):
            if any(value.name == name for value in steps[number].reads):
                return self._behind(number, name)
        names = dict.fromkeys(value.name for step in steps[: last + 1] for value in (*step.writes, *step.reads))
        raise BadInput(unknown("value", name, [one for one in names if " x " not in one]))

    def _made(self, name: str, last: int) -> int | None:
        """The last step up to one that wrote a value."""
        for number in range(last, -1, -1):
            if any(value.name == name for value in self.run.steps[number].writes):
                return number
        return None

    def _behind(self, number: int, name: str) -> tuple[int, str]:
        """A value that a step reads: where it was written, under the name that it had there; or else the step itself."""
        word = name[name.find("(") + 1 : -1].split("|")[0] if name.endswith(")") else ""
        wanted = SELECTED.get(word) or {"source": "color"}.get(name, name.lstrip("-").partition(".")[0])
        if self.asked.pixel is not None and name.startswith("coordinates "):
            wanted = f"t{name[12:]}"
        before = self._made(wanted, number - 1)
        return (number, name) if before is None else (before, wanted)

    def _reads(self, number: int, step: Step) -> Iterator[Origin]:
        """The values that a step works on, and where these were written."""
        for value in step.reads:
            constant = CONSTANT.fullmatch(value.name.lstrip("-").partition(".")[0])
            if " x " in value.name:
                continue
            if constant:
                rows = int(found[1]) if (found := MATRIX.match(step.title)) else 1
                for row in range(rows):
                    yield from self._constant(int(constant[1]) + row)
            elif value.name == "destination" and self.asked.pixel is not None:
                yield from self._before(value.value)
            else:
                before, name = self._behind(number, value.name)
                known = before < number or (value.name == "fog factor" and "from VERTEX" in step.note)
                if not known and (value.name.endswith(" from MATERIAL") or value.name in ALSO_STATES):
                    continue
                yield Origin("step", value.name, _text(value.value), self.event, before if known else None,
                             leads_to=name if known else "")  # fmt: skip
        pattern = next((words for part, words in ADDED.items() if part in step.title), "")
        seen = {value.name for value in step.reads}
        for before in range(number - 1, -1, -1) if pattern else ():
            for value in self.run.steps[before].writes:
                mine = number_of(value.name) == number_of(step.title) if "what it adds" in step.title else True
                if value.name not in seen and mine and re.match(pattern, value.name):
                    seen.add(value.name)
                    yield Origin("step", value.name, _text(value.value), self.event, before, leads_to=value.name)

    # ---- out of the run

    def _vertices(self, name: str) -> Iterator[Origin]:
        """The corners of the primitive, with how much each counts at the pixel."""
        grid = self.capture.vertices(self.event, "transformed", self.cancel)
        assert self.asked.pixel is not None and self.run.primitive is not None
        corners = corners_of(grid.primitive, self.run.primitive)
        rows = grid.rows
        column = f"texture {name[1:]}" if name[0] == "t" else name
        parts = [one for one in grid.columns if one.partition(".")[0] == column]
        flat = self.situation.raw("SHADEMODE") == ShadeMode.FLAT and name in ("diffuse", "specular")
        weights = weights_at(rows, corners, *self.asked.pixel)
        leads = f"coordinates {name[1:]}" if name[0] == "t" else name
        if self.situation.vertex_program is not None:
            leads = {"diffuse": "oD0", "specular": "oD1", "fog": "oFog"}.get(name, f"oT{name[1:]}")
        for place, (corner, weight) in enumerate(zip(corners, weights, strict=True)):
            value = tuple(float(rows[one][corner]) for one in parts)
            share = ("all of it: flat shading" if not place else "not used: flat shading") if flat else f"weight {weight:.4g}"
            yield Origin("vertex", f"{name} of vertex {corner}", f"{_text(value)}   {share}", self.event, vertex=corner,
                         leads_to=leads)  # fmt: skip

    def _texels(self, step: Step) -> Iterator[Origin]:
        """The texels that were read, on their surface."""
        assert self.asked.pixel is not None
        x, y = self.asked.pixel
        history = self.capture.ask(PixelHistory("render_target", x, y, self.event, self.event, misses=False), self.cancel)
        mine = [one for one in history.fragments if one.piece == self.run.piece or one.primitive == self.run.primitive]
        if not mine:
            return
        shading = self.capture.ask(Explain(mine[-1]), self.cancel).shading
        number = number_of(step.title)
        for one in shading.steps:
            lookup = one.lookup
            if lookup is None or (lookup.stage != number if number is not None else one.title != step.title):
                continue
            handle = self.situation.stage(lookup.stage, "TEXTUREMAP")
            for texel in lookup.texels:
                if not texel.border:
                    where = (handle, texel.level, texel.face, texel.slice, texel.x, texel.y)
                    name = f"texel {texel.x}, {texel.y} of #{handle}, level {texel.level}"
                    yield Origin("texel", name, f"{_text(texel.value)}   weight {texel.weight:.4g}", self.event, texel=where)

    def _before(self, value: Numbers) -> Iterator[Origin]:
        """What wrote the colour that was blended with."""
        assert self.asked.pixel is not None
        frame = self.capture.frame_at(self.event)
        where = PixelHistory("render_target", *self.asked.pixel, frame.first_event, self.event, misses=False)
        entries = self.capture.ask(where, self.cancel).entries
        mine = next((n for n, one in enumerate(entries) if (one.event, one.primitive) == (self.event, self.run.primitive)), 0)
        decided = next((one for one in reversed(entries[:mine]) if one.decided), None)
        text = "what the pixel held before" if decided is None else f"{self.capture.name(decided.event)} #{decided.event}"
        yield Origin("fragment", f"destination: {text}", _text(value), None if decided is None else decided.event)

    def _fetched(self) -> Iterator[Origin]:
        """The buffers that vertices come from, and what wrote them last."""
        for number in range(16):
            handle = self.situation.raw("STREAM", number, "handle")
            if handle:
                log = self.capture.ask(ObjectHistory(handle, self.event), self.cancel)
                written = log.event[np.isin(log.role, list(WRITING)) & (log.event < self.event)]
                writer = int(written[-1]) if len(written) else None
                text = "never written" if writer is None else self.capture.text(writer)
                yield Origin("buffer", f"stream {number}, buffer #{handle}", text, writer)
            elif self.situation.raw("STREAM", number, "user_memory"):
                yield Origin("buffer", f"stream {number}", "in the draw's own data", self.event)

    # ---- states

    def _constant(self, number: int) -> Iterator[Origin]:
        """A constant register."""
        kind = "PSCONST" if self.asked.pixel is not None else "VSCONST"
        if (kind, number) in self.situation:
            yield self._state((kind, number))

    def _states(self, step: Step) -> Iterator[Origin]:
        """The states behind what a step leaves, those that matter."""
        pattern = next((words for part, words in SETS.items() if part in step.title), "")
        number = number_of(step.title)
        for value in self.situation.values:
            mine = re.match(pattern, spelled(value.key)) if pattern else value.stage == step.stage and step.stage in STAGED
            if mine and _of_number(value.key, number) and verdict(self.situation, value.key, value.is_default)[0]:
                yield self._state(value.key)

    def _state(self, key: Key) -> Origin:
        value = self.situation.state[key]
        return Origin("state", spelled(key), value.text, value.writer)


def number_of(title: str) -> int | None:
    """The number of the stage or light that a title, or a value's name, is about."""
    found = NUMBERED.search(title)
    return int(found[1]) if found else None


def _of_number(key: Key, number: int | None) -> bool:
    return number is None or not (isinstance(key, tuple) and isinstance(key[1], int)) or key[1] == number


def _text(values: Numbers) -> str:
    return ", ".join(f"{value:.6g}" for value in values)


def corners_of(kind: str, primitive: int) -> tuple[int, ...]:
    """The places in drawing order of a primitive's vertices."""
    p = primitive
    return {
        PrimitiveType.POINTLIST.name: (p,), PrimitiveType.LINELIST.name: (2 * p, 2 * p + 1),
        PrimitiveType.LINESTRIP.name: (p, p + 1),
        PrimitiveType.TRIANGLESTRIP.name: (p, p + 1, p + 2), PrimitiveType.TRIANGLEFAN.name: (p + 1, p + 2, 0),
    }.get(kind, (3 * p, 3 * p + 1, 3 * p + 2))  # fmt: skip


def weights_at(rows: np.ndarray, corners: tuple[int, ...], x: int, y: int) -> tuple[float, ...]:
    """How much each corner's attributes count at a pixel, with perspective: they add up to 1."""
    place = np.array([[rows["screen.x"][one], rows["screen.y"][one]] for one in corners], np.float64)
    rhw = np.array([float(rows["rhw"][one]) for one in corners])
    point = np.array([x, y], np.float64)
    with np.errstate(all="ignore"):
        if len(corners) == 3:
            (ax, ay), (bx, by) = place[1] - place[0], place[2] - place[0]
            px, py = point - place[0]
            area = ax * by - ay * bx
            b, c = (px * by - py * bx) / area, (ax * py - ay * px) / area
            screen = np.array([1 - b - c, b, c])
        elif len(corners) == 2:
            along = place[1] - place[0]
            t = float((point - place[0]) @ along / (along @ along))
            screen = np.array([1 - t, t])
        else:
            screen = np.ones(1)
        weights = screen * rhw / (screen * rhw).sum()
    return tuple(weights.tolist())
