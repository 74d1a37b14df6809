"""The primitives of a draw: the remains of each after clipping, and why some left nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.device.lane.drawing import DrawArguments
from core.pipeline.geometry import Geometry
from core.pipeline.records.primitives import PrimitiveFate, PrimitiveFlag, PrimitiveKind, VertexField
from core.spec.enums import Cull, PrimitiveType
from core.spec.slots import slot

Columns = tuple[dict[str, np.ndarray], list[str]]

PARTS = (
    ("screen.x", VertexField.X), ("screen.y", VertexField.Y), ("screen.z", VertexField.Z), ("rhw", VertexField.RHW),
    *((f"diffuse.{part}", VertexField.DIFFUSE + n) for n, part in enumerate("rgba")),
    *((f"specular.{part}", VertexField.SPECULAR + n) for n, part in enumerate("rgba")), ("fog", VertexField.FOG),
    *((f"texture 0.{part}", VertexField.TEXCOORD + n) for n, part in enumerate("uvwq")),
)  # fmt: skip


class Made:
    """What the vertex half makes of a draw."""

    def __init__(self, draw: DrawArguments) -> None:
        geometry = Geometry()
        vertices, primitives = geometry.process(draw.vector, draw.layout, **draw.arguments)
        self.fetched = len(geometry.numbers)
        self.vertices = geometry.vertices[:vertices]
        self.primitives = geometry.primitives[:primitives]
        self.fates = geometry.fates[: draw.arguments["count"]]
        mode = int(draw.vector[slot("CULLMODE")])
        self.turned_away = _turned_away(self.vertices, self.primitives, mode)


def _areas(vertices: np.ndarray, primitives: np.ndarray) -> np.ndarray:
    """Signed pixels of triangles, clockwise on the screen positive; 0 of lines."""
    corners = vertices[primitives["vertex"], :2].astype(np.float64)
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = (first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2
    return np.where(primitives["kind"] == PrimitiveKind.LINE, 0.0, area)


def _turned_away(vertices: np.ndarray, primitives: np.ndarray, mode: int) -> np.ndarray:
    """Triangles that CULLMODE leaves out."""
    area, culled = _areas(vertices, primitives), primitives["flags"] & PrimitiveFlag.NO_CULL == 0
    facing = {Cull.CW: area > 0, Cull.CCW: area < 0}.get(Cull(mode) if mode in (Cull.CW, Cull.CCW) else Cull.NONE)
    return np.zeros(len(primitives), bool) if facing is None else facing & culled


def clipped_columns(draw: DrawArguments) -> tuple[dict[str, np.ndarray], list[str], str]:
    """One row per corner of each triangle or line that goes to the rasteriser, three (two) in succession; what they make."""
    made = Made(draw)
    rows = np.repeat(np.arange(len(made.primitives)), 3)
    corner = np.tile(np.arange(3), len(made.primitives))
    keep = (corner < 2) | (made.primitives["kind"][rows] != PrimitiveKind.LINE)
    rows, corner = rows[keep], corner[keep]
    vertex = made.primitives["vertex"][rows, corner]
    columns: dict[str, np.ndarray] = {
        "primitive": made.primitives["number"][rows], "triangle": rows, "vertex": vertex,
        "made by": np.where(vertex >= made.fetched, "clipping", "the draw").astype("U10"),
    }  # fmt: skip
    columns |= {name: made.vertices[vertex, int(at)] for name, at in PARTS}
    columns["culled"] = np.where(made.turned_away[rows], "culled", "").astype("U8")
    kinds = made.primitives["kind"] == PrimitiveKind.LINE
    primitive = PrimitiveType.LINELIST if len(kinds) and kinds.all() else PrimitiveType.TRIANGLELIST
    return columns, [NOTE] if (vertex >= made.fetched).any() else [], "" if kinds.any() and not kinds.all() else primitive.name


NOTE = "vertices made by clipping, or as corners of points, follow those that were fetched"


def primitive_columns(draw: DrawArguments) -> Columns:
    """One row per primitive: its fate, how many triangles or lines are left of it, its pixels and its bounds."""
    made = Made(draw)
    count = len(made.fates)
    number = made.primitives["number"]
    left = np.bincount(number, minlength=count)[:count]
    culled = np.bincount(number, made.turned_away, count)[:count]
    area = np.bincount(number, np.abs(_areas(made.vertices, made.primitives)), count)[:count]
    flat = (area == 0) & (np.bincount(number, made.primitives["kind"] != PrimitiveKind.LINE, count)[:count] > 0)
    columns: dict[str, Any] = {
        "primitive": np.arange(count), "fate": _fates(made.fates, left, culled, flat, draw), "parts": left, "area": area,
    }  # fmt: skip
    columns |= _bounds(made, count)
    drawn = int((columns["fate"] == "drawn").sum())
    return columns, [f"{drawn:,} of {count:,} primitives are drawn"]


def _fates(fates: np.ndarray, left: np.ndarray, culled: np.ndarray, flat: np.ndarray, draw: DrawArguments) -> np.ndarray:
    """In words: drawn, culled, degenerate, or the plane that left nothing."""
    words = np.array([fate.name.lower().replace("_", " ") for fate in PrimitiveFate], "U24")[fates]
    mode = int(draw.vector[slot("CULLMODE")])
    name = f"culled ({Cull(mode).name})" if mode in (Cull.CW, Cull.CCW) else "culled"
    words = np.where((fates == PrimitiveFate.DRAWN) & (left > 0) & (culled == left), name, words)
    words = np.where((fates == PrimitiveFate.DRAWN) & flat, "degenerate", words)
    outside = (fates != PrimitiveFate.DRAWN) & (fates < PrimitiveFate.NOT_FINITE)
    return np.where(outside, np.char.add("clipped: ", words), words).astype("U32")


def _bounds(made: Made, count: int) -> dict[str, np.ndarray]:
    """The box on the screen of what is left of each primitive; NaN where nothing is."""
    corners = made.vertices[made.primitives["vertex"], :2]
    lines = made.primitives["kind"] == PrimitiveKind.LINE
    corners[lines, 2] = corners[lines, 0]
    number, found = made.primitives["number"], {}
    for name, axis, reduce, start in (
        ("left", 0, np.minimum, np.inf), ("top", 1, np.minimum, np.inf),
        ("right", 0, np.maximum, -np.inf), ("bottom", 1, np.maximum, -np.inf),
    ):  # fmt: skip
        values = np.full(count, start, np.float32)
        reduce.at(values, number, reduce.reduce(corners[:, :, axis], axis=1))
        found[name] = np.where(np.isfinite(values), values, np.nan).astype(np.float32)
    return found
