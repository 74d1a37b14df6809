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
from core.spec.enums import ShadeMode
from core.spec.slots import Key
from inspector.progress import Cancel
from inspector.query.draws.streams import Streams
from inspector.query.driver.patches import Patches
from inspector.query.objects.usage import ObjectHistory
from inspector.query.pixels.explain import Explain
from inspector.query.pixels.history import Entry, PixelHistory, last_that_decided
from inspector.query.state.matters import verdict
from inspector.query.state.places import spelled
from inspector.query.state.situation import Situation
from inspector.query.steps.corners import corners_of, weights_at
from inspector.query.steps.levers import NUMBERED
from inspector.query.steps.run import Numbers, Run, Step
from inspector.timeline.lives import WRITING

if TYPE_CHECKING:
    from inspector.capture import Capture

INPUTS = {"v0": "diffuse", "v1": "specular"}
CONSTANT = re.compile(r"c(\d+)")
MATRIX = re.compile(r"m\dx(\d)")
LIGHT = re.compile(r"light #?\d+ (.*)")
SELECTED = {"TEXTURE": "texture", "DIFFUSE": "diffuse", "CURRENT": "current", "SPECULAR": "specular", "TEMP": "temp",
            "diffuse": "diffuse", "specular": "specular"}  # fmt: skip
"""What stands in parentheses after an argument: what it selects; of a material's colour, what the vertex has."""
SAME = {"source": "color", "alpha": "color", "d": "eye position"}
"""What steps read under a name of its own, of an earlier step."""
READ_STATES: dict[str, Key] = {
    "AMBIENT": "AMBIENT", "FOGSTART": "FOGSTART", "FOGEND": "FOGEND", "FOGDENSITY": "FOGDENSITY", "fog colour": "FOGCOLOR",
    "ALPHAREF": "ALPHAREF",
    **{f"{name.lower()} from MATERIAL": ("MATERIAL", name) for name in ("Diffuse", "Ambient", "Specular", "Emissive")},
}  # fmt: skip
"""What steps read that is a state, which is listed with the states and leads to the token that set it."""
FACTORS = {"source factor": "SRCBLEND", "destination factor": "DESTBLEND"}
PROGRAM_OUTPUTS = {
    "clip": "oPos", "diffuse": "oD0", "specular": "oD1", "fog": "oFog", "point size": "oPts",
    **{f"{what} {n}": f"oT{n}" for what in ("texture", "coordinates") for n in range(8)},
}  # fmt: skip
"""What a vertex shader's outputs are called once they are handed on."""
HANDED_ON = ("passed to the rasteriser", "outputs", "written")
"""Steps that only hand on what others left."""
SETS: dict[str, str] = {
    "eye space": r"WORLD\d+$|VIEW$", "clip space": r"PROJECTION$", "normal in eye space": r"WORLD\d+$|VIEW$|NORMALIZENORMALS",
    "blend world matrices": r"WORLD\d+$|VERTEXBLEND", "tween": "TWEENFACTOR",
    "direction of the viewer": "LOCALVIEWER",
    "diffuse colour": r"MATERIAL\.(Diffuse|Ambient|Emissive)|AMBIENT$",
    "specular colour": r"MATERIAL\.(Specular|Power)|SPECULARENABLE",
    "divide by w": "VIEWPORT", "fog factor of the vertex": "FOG(ENABLE|TABLEMODE|VERTEXMODE|START|END|DENSITY)|RANGEFOG",
    "fogged": "FOG", "already transformed": "VERTEXSHADER$", "colours of the vertex": "LIGHTING|VERTEXSHADER$",
    "coordinates of stage": r"TEXCOORDINDEX|TEXTURETRANSFORMFLAGS|TEXTURE\d$", "specular added": "SPECULARENABLE",
}  # fmt: skip
"""By a part of a step's title, the states behind what it leaves, by their spellings."""
LIT = {
    "direction": ("eye position$", r"LIGHT.*(Type|Position|Direction)$|VIEW$"),
    "strength": (r"eye position$|light \d+ spot factor$", r"LIGHT.*(Type|Position|Range|Attenuation\d)$"),
    "spot factor": (r"light \d+ direction$", r"LIGHT.*(Type|Direction|Falloff|Theta|Phi)$"),
    "N.L": (r"eye normal$|light \d+ direction$", "$^"),
    "(N.H)^power": (r"eye normal$|viewer$|light \d+ direction$", r"MATERIAL\.Power"),
    "ambient": (r"light \d+ strength$", r"LIGHT.*Ambient$"),
    "diffuse": (r"light \d+ (strength|N\.L)$", r"LIGHT.*Diffuse$"),
    "specular": (r"light \d+ (strength|\(N\.H\)\^power)$", r"LIGHT.*Specular$"),
}  # fmt: skip
"""By the name of a light's value, the earlier values and the states behind it."""
ADDED = {
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

    kind: "step" of the same run, "vertex", "texel", "state", "buffer", "fragment" (what the pixel held before), "constant"
    (with the reason).  name, value: what, and how much; leads_to: the name to ask about at `step`, at `vertex` (its place in
    drawing order) or at the fragment of `primitive` once it is stepped.  event: the draw, or the token that set a state, wrote
    a buffer, a texture or the pixel; None: nothing did.
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
    primitive: int | None = None


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
        if self.asked.name in READ_STATES:
            yield self._state(READ_STATES[self.asked.name])
            return
        number, name = self._writer(self.asked.name)
        found = tuple(self._behind_step(number, name))
        yield from found or (Origin("constant", name, self._why_constant(number, name), None),)

    def _behind_step(self, number: int, name: str) -> Iterator[Origin]:
        """What a value comes from that a step left, or has among what it reads."""
        step, constant = self.run.steps[number], CONSTANT.fullmatch(name)
        if constant:
            yield from self._constant(int(constant[1]))
        elif name in FACTORS:
            yield from self._factor(number, name)
        elif name in ("destination", "stored depth"):
            yield from self._before(next(value.value for value in step.reads if value.name == name), name)
        elif name == "fog factor" and "from VERTEX" in step.note:
            yield from self._vertices("fog")
        elif name == "depth":
            yield from self._vertices("depth")
        elif step.stage == "setup" and self.asked.pixel is not None:
            yield from self._vertices(INPUTS.get(name, name))
        elif step.stage == "fetch":
            yield from self._fetched(name)
        else:
            yield from self._reads(number, step, name)
            if self.asked.pixel is not None and any(" x " in value.name for value in step.reads):
                yield from self._texels(step)
            yield from self._states(step, name)

    def _why_constant(self, number: int, name: str) -> str:
        """Of a value behind which there is nothing."""
        step = self.run.steps[number]
        value = next((one.value for one in (*step.writes, *step.reads) if one.name == name), ())
        if step.title == "outputs":
            why = "the shader does not write it"
        elif name in ("diffuse", "specular", "normal"):
            why = "the vertices have none"
        elif name.startswith(("texture ", "coordinates ")):
            why = "no texture stage reads it" if step.title in HANDED_ON else "the vertices have none"
        else:
            why = "points only" if name == "point size" else "nothing sets it"
        return f"{_text(value)}   {why}" if value else why

    def _writer(self, name: str) -> tuple[int, str]:
        """The step that wrote a value last, or that has it among what it reads; not one that only hands it on."""
        steps, last = self.run.steps, min(self.asked.step, len(self.run.steps) - 1)
        name = self._of_program(name)
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

    def _of_program(self, name: str) -> str:
        """The register of a vertex shader that is handed on under a name."""
        shaded = bool(self.run.listing) and self.asked.pixel is None
        return PROGRAM_OUTPUTS.get(name, name) if shaded else name

    def _made(self, name: str, last: int) -> int | None:
        """The last step up to one that wrote a value."""
        for number in range(last, -1, -1):
            if any(value.name == name for value in self.run.steps[number].writes):
                return number
        return None

    def _behind(self, number: int, name: str) -> tuple[int, str]:
        """A value that a step reads: where it was written, under the name that it had there; or else the step itself."""
        word = name[name.find("(") + 1 : -1].split("|")[0] if name.endswith(")") else ""
        wanted = SELECTED.get(word) or SAME.get(name) or self._of_program(name.lstrip("-").partition(".")[0])
        if self.asked.pixel is not None and name.startswith("coordinates "):
            wanted = f"t{name[12:]}"
        before = self._made(wanted, number - 1)
        if before is None and word == "CURRENT":  # of stage 0
            wanted, before = "diffuse", self._made("diffuse", number - 1)
        return (number, name) if before is None else (before, wanted)

    def _reads(self, number: int, step: Step, asked: str) -> Iterator[Origin]:
        """The values that a step works on, and where these were written."""
        for value in () if LIGHT.fullmatch(asked) else step.reads:
            constant = CONSTANT.fullmatch(value.name.lstrip("-").partition(".")[0])
            if " x " in value.name:
                continue
            if constant:
                rows = int(found[1]) if (found := MATRIX.match(step.title)) else 1
                for row in range(rows):
                    yield from self._constant(int(constant[1]) + row)
            elif value.name in ("destination", "stored depth") and self.asked.pixel is not None:
                yield from self._before(value.value, value.name)
            elif value.name not in READ_STATES and "(TFACTOR" not in value.name:  # which are listed with the states
                before, name = self._behind(number, value.name)
                own = value.name in FACTORS or value.name == "depth" or "from VERTEX" in step.note
                if before < number or own:
                    yield Origin("step", value.name, _text(value.value), self.event, before, leads_to=name)
                else:
                    yield Origin("constant", value.name, self._why_constant(number, value.name), None)
        yield from self._added(number, step, asked)

    def _added(self, number: int, step: Step, asked: str) -> Iterator[Origin]:
        """Values of earlier steps that a step works on without saying that it reads them."""
        pattern = next((words for part, words in ADDED.items() if part in step.title), "")
        pattern = LIT[light[1]][0] if (light := LIGHT.fullmatch(asked)) else pattern
        seen = set() if light else {value.name for value in step.reads}
        for before in range(number - (light is None), -1, -1) if pattern else ():
            for value in self.run.steps[before].writes:
                mine = number_of(value.name) in (number_of(asked), None) if light else True
                other = before < number or value.name != asked
                if value.name not in seen and other and mine and re.match(pattern, value.name):
                    seen.add(value.name)
                    yield Origin("step", value.name, _text(value.value), self.event, before, leads_to=value.name)

    # ---- out of the run

    def _vertices(self, name: str) -> Iterator[Origin]:
        """The corners of the primitive, with how much each counts at the pixel."""
        grid = self.capture.vertices(self.event, "transformed", self.cancel)
        assert self.asked.pixel is not None and self.run.primitive is not None
        corners = corners_of(grid.primitive, self.run.primitive)
        rows = grid.rows
        column = {"depth": "screen.z"}.get(name, f"texture {name[1:]}" if name[0] == "t" else name)
        parts = [one for one in grid.columns if column in (one, one.partition(".")[0])]
        flat = self.situation.raw("SHADEMODE") == ShadeMode.FLAT and name in ("diffuse", "specular")
        weights = weights_at(rows, corners, *self.asked.pixel, linear=name == "depth")
        leads = {"depth": "screen"}.get(name, f"coordinates {name[1:]}" if name[0] == "t" else name)
        if self.situation.vertex_program is not None:
            leads = {"depth": "screen", **PROGRAM_OUTPUTS}.get(leads, leads)
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
            writer = self._last_write(handle)
            for texel in lookup.texels:
                if not texel.border:
                    where = (handle, texel.level, texel.face, texel.slice, texel.x, texel.y)
                    name = f"texel {texel.x}, {texel.y} of #{handle}, level {texel.level}"
                    yield Origin("texel", name, f"{_text(texel.value)}   weight {texel.weight:.4g}", writer, texel=where)

    def _factor(self, number: int, name: str) -> Iterator[Origin]:
        """What a factor of blending is made of."""
        state = self._state(FACTORS[name])
        if "SRC" in state.value and (before := self._made("color", number - 1)) is not None:
            held = next(value.value for value in self.run.steps[before].writes if value.name == "color")
            yield Origin("step", "source", _text(held), self.event, before, leads_to="color")
        if "DEST" in state.value or "SAT" in state.value:  # the smaller of source alpha and 1 - destination alpha
            held = next(value.value for step in self.run.steps for value in step.reads if value.name == "destination")
            yield from self._before(held, "destination")
        yield state

    def _before(self, value: Numbers, name: str) -> Iterator[Origin]:
        """What wrote the colour, or the depth, that the pixel had."""
        depth = name == "stored depth"
        frame = self.capture.frame_at(self.event)
        decided = self._decided("depth" if depth else "render_target", frame.first_event)
        if decided is None and frame.first_event:
            decided = self._decided("depth" if depth else "render_target", 0)
        if decided is None:
            yield Origin("fragment", f"{name}: nothing has written it", _text(value), None)
            return
        leads = "" if decided.kind != "fragment" else "depth" if depth else "result"
        yield Origin("fragment", f"{name}: {self.capture.name(decided.event)} #{decided.event}", _text(value), decided.event,
                     leads_to=leads, primitive=decided.primitive)  # fmt: skip

    def _decided(self, surface: str, first: int) -> Entry | None:
        """What the pixel of a surface had its value from before this fragment; of the depth surface, its depth."""
        assert self.asked.pixel is not None
        where = PixelHistory(surface, *self.asked.pixel, first, self.event, misses=False)
        entries = self.capture.ask(where, self.cancel).entries
        mine = next((n for n, one in enumerate(entries) if (one.event, one.primitive) == (self.event, self.run.primitive)), 0)
        moved = [one for one in entries[:mine] if surface == "depth" and one.before.depth != one.after.depth]
        return moved[-1] if moved else last_that_decided(entries[:mine])

    def _fetched(self, name: str) -> Iterator[Origin]:
        """The memory that an element of the vertices comes from, and what wrote it last."""
        try:
            streams = self.capture.ask(Streams(self.event), self.cancel).streams
        except BadInput:
            return
        if not streams and "PATCH" in self.situation.name:
            handle = int(self.capture.event(self.event).fields[2].value)
            defined = [one.defined[-1] for one in self.capture.ask(Patches(self.event), self.cancel) if one.handle == handle]
            yield from (Origin("buffer", f"patch #{handle}", "its control points, kept since", one) for one in defined)
        holding = [one for one in streams if any(element.name == name for element in one.elements)]
        for stream in holding or streams:
            if stream.buffer:
                writer = self._last_write(stream.buffer)
                text = "never written" if writer is None else self.capture.text(writer)
                yield Origin("buffer", f"stream {stream.number}, buffer #{stream.buffer}", text, writer)
            else:
                key: Key = ("STREAM", stream.number, "user_memory")
                writer = self.situation.state[key].writer if self.situation.raw(*key) else self.event
                yield Origin("buffer", f"stream {stream.number}", "in the memory of the call", writer)

    def _last_write(self, handle: int) -> int | None:
        """The last event before the draw that wrote an object."""
        log = self.capture.ask(ObjectHistory(handle, self.event), self.cancel)
        written = log.event[np.isin(log.role, list(WRITING)) & (log.event < self.event)]
        return int(written[-1]) if len(written) else None

    # ---- states

    def _constant(self, number: int) -> Iterator[Origin]:
        """A constant register."""
        kind = "PSCONST" if self.asked.pixel is not None else "VSCONST"
        if (kind, number) in self.situation:
            yield self._state((kind, number))

    def _states(self, step: Step, name: str) -> Iterator[Origin]:
        """The states behind what a step leaves, those that matter."""
        pattern = next((words for part, words in SETS.items() if part in step.title), "")
        pattern = r"POINT(SIZE|SCALE)" if name == "point size" else pattern
        pattern = LIT[light[1]][1] if (light := LIGHT.fullmatch(name)) else pattern
        number = number_of(step.title)
        for value in self.situation.values:
            mine = re.match(pattern, spelled(value.key)) if pattern else value.stage == step.stage and step.stage in STAGED
            if mine and _of_number(value.key, number) and verdict(self.situation, value.key, value.is_default)[0]:
                yield self._state(value.key)

    def _state(self, key: Key) -> Origin:
        value = self.situation.state[key]
        if value.writer is not None:
            return Origin("state", spelled(key), value.text, value.writer)
        why = "the default" if value.created is None else "set when the device was created"
        return Origin("state", spelled(key), f"{value.text}   {why}", value.created)


def number_of(title: str) -> int | None:
    """The number of the stage or light that a title, or a value's name, is about."""
    found = NUMBERED.search(title)
    return int(found[1]) if found else None


def _of_number(key: Key, number: int | None) -> bool:
    return number is None or not (isinstance(key, tuple) and isinstance(key[1], int)) or key[1] == number


def _text(values: Numbers) -> str:
    return ", ".join(f"{value:.6g}" for value in values)
