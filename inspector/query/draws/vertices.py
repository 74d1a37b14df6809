"""The vertices of a draw as grids: in the streams, in drawing order, on the screen; and its primitives.

A curved draw is shown before the tessellator ("streams", "assembled": flat triangles, or control points) and after it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from core.ddi.driver.emulated import EmulatedDriver
from core.device.lane.drawing import DrawArguments
from core.errors import BadInput, unknown
from core.pipeline.draw_state.vertex_state import VertexKind
from core.pipeline.explain.vertex_grid import VertexGrid, inspect_vertices, named_inputs
from core.pipeline.records.primitives import PrimitiveFate
from core.pipeline.vertex.input_registers import input_registers
from core.spec.enums import PrimitiveType
from core.spec.slots import slot
from inspector.query.draws.primitives import clipped_columns, primitive_columns

if TYPE_CHECKING:
    from inspector.capture import Capture

STREAM_ROWS = 1 << 16  # vertices of a stream that a grid lists
COMPONENT_NAMES = {"position": "xyzw", "position 2": "xyzw", "normal": "xyz", "normal 2": "xyz", "diffuse": "rgba",
                   "specular": "rgba", "screen": "xyz", "clip": "xyzw"}  # fmt: skip
TEXTURE = "uvwq"
SPATIAL = ("position", "normal", "position 2", "normal 2")
"""What a tessellator leaves as four parts."""
WHICH = ("streams", "assembled", "tessellated", "transformed", "clipped", "primitives")


@dataclass(frozen=True, slots=True)
class Grid:
    """Named columns over vertices: `rows` is a structured array with one field per column.

    primitive: the name of the PrimitiveType that the rows make in their order; "" where they make none.
    noun: what a row is: "vertex", "control point" (of a patch) or "primitive".
    """

    columns: list[str]
    rows: np.ndarray
    notes: list[str] = field(default_factory=list)
    primitive: str = ""
    noun: str = "vertex"


def described(capture: Capture, driver: EmulatedDriver, event: int) -> DrawArguments | None:
    """What the draw at `event` asks for; the driver stands just before it.  None: the event draws nothing."""
    if not (0 <= event < len(capture.events) and capture.events.rows["draw"][event]):
        return None
    call = int(capture.events.rows["call"][event])
    return driver.describe_draw(capture.calls[call], event - capture.events.of_call(call).start)


def grid(capture: Capture, driver: EmulatedDriver, event: int, which: str) -> Grid:
    """The vertices of the draw at `event`; the driver stands just before it.  BadInput if `which` is none of WHICH."""
    if which not in WHICH:
        raise BadInput(unknown("kind of vertices", which, WHICH))
    draw = described(capture, driver, event)
    return _table({}, ["this event draws no primitives"]) if draw is None else grid_of(draw, which)


def grid_of(draw: DrawArguments, which: str) -> Grid:
    """The vertices of a described draw."""
    if which == "streams":
        return _streams(draw)
    if which == "tessellated" and draw.curved is None:
        return _table({}, ["this draw has neither patches nor N-patches"])
    if which == "clipped":
        return _table(*clipped_columns(draw.drawn))
    if which == "primitives":
        return replace(_table(*primitive_columns(draw.drawn)), noun="primitive")
    shown = draw if which == "assembled" else draw.drawn
    found = inspect_vertices(shown.vector, shown.layout, **shown.arguments)
    flat = shown.layout.kind == VertexKind.FIXED
    made = _drawn(found, which, PrimitiveType(shown.arguments["kind"]).name, flat)
    return replace(made, noun="control point") if which == "assembled" and draw.patch is not None else made


def _streams(draw: DrawArguments) -> Grid:
    """Every vertex that the bound streams hold, up to STREAM_ROWS."""
    layout, streams = draw.source
    offset = draw.arguments.get("stream_offset", 0)
    if not streams:
        return _table({}, ["the control points of this patch were kept: no stream has them"])
    counts = [
        (bound.size - (offset if i == 0 else 0)) // stride
        for i in layout.streams
        if i < len(streams) and (bound := streams[i]) is not None and (stride := int(_stride(draw, i)))
    ]
    held = max(min(counts, default=1), 0)
    numbers = np.arange(min(held, STREAM_ROWS))
    values, _ = input_registers(draw.vector, layout, streams, numbers, offset)
    notes = [f"the first {STREAM_ROWS:,} of {held:,} vertices"] if held > STREAM_ROWS else []
    return _table(_columns(named_inputs(layout, values)), notes)


def _stride(draw: DrawArguments, stream: int) -> int:
    return int(draw.vector[slot(("STREAM", stream, "stride"))])


def _drawn(found: VertexGrid, which: str, primitive: str, flat: bool) -> Grid:
    """One row for each vertex the draw names, in drawing order; `flat`: places and directions have three parts, no w."""
    order = found.references
    columns: dict[str, np.ndarray] = {"vertex": found.numbers[order]}
    if which != "transformed":
        columns |= _columns(
            {name: values[order, : 3 if flat and name in SPATIAL else None] for name, values in found.inputs.items()}
        )
    else:
        columns |= _columns({name: found.outputs[name][order] for name in ("screen", "rhw", "clip")})
        rest = {name: values[order] for name, values in found.outputs.items() if name not in ("screen", "rhw", "clip")}
        columns |= _columns(rest)
        codes, place = np.unique(found.codes[order], return_inverse=True)
        columns["outside"] = np.array([_outside(int(code)) for code in codes.tolist()] or [""])[place.reshape(-1)]
    notes = [f"{found.elements_outside} elements are outside their stream"] if found.elements_outside else []
    lost = int((found.fates != PrimitiveFate.DRAWN).sum())
    if lost and which == "transformed":
        notes.append(f"{lost} of {len(found.fates)} primitives are clipped away or culled")
    return _table(columns, notes, primitive)


def _outside(code: int) -> str:
    return " ".join(fate.name.lower() for fate in PrimitiveFate if fate and code >> (fate - 1) & 1)


def _columns(values: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """One column per component: "position.x", "texture 0.u", "v3.y"."""
    return {name: column for usage, array in values.items() for name, column in _components(usage, array)}


def _components(usage: str, array: np.ndarray) -> Iterable[tuple[str, np.ndarray]]:
    if array.shape[1] == 1:
        return [(usage, array[:, 0])]
    names = COMPONENT_NAMES.get(usage, TEXTURE if usage.startswith("texture") else "xyzw")
    return [(f"{usage}.{names[i]}", array[:, i]) for i in range(min(array.shape[1], len(names)))]


def _table(columns: dict[str, np.ndarray], notes: list[str], primitive: str = "") -> Grid:
    rows = np.zeros(len(next(iter(columns.values()), ())), [(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        rows[name] = column
    return Grid(list(columns), rows, notes, primitive)
