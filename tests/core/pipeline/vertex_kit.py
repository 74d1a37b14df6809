"""A register vector, vertex bytes and a Geometry for the tests of the vertex half."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.pipeline.geometry import Geometry
from core.pipeline.vertex.assemble import IndexForm, primitive_count
from core.pipeline.vertex.fetch import VertexLayout, compile_fvf
from core.spec.enums import Fvf, PrimitiveType
from core.spec.slots import DEFAULTS, LIGHT_DEFAULTS, LIGHT_FIELDS, LIGHT_SLOTS, SLOTS, key_slots

GEOMETRY = Geometry()


def dword(value: Any) -> int:
    """The dword of a float or an integer."""
    if isinstance(value, (float, np.floating)):
        return int(np.float32(value).view(np.uint32))
    return int(value) & 0xFFFFFFFF


class Scene:
    """A fresh context with a viewport; lighting off unless asked for."""

    def __init__(self, width: int = 640, height: int = 480, lighting: bool = False) -> None:
        self.vector = np.zeros(SLOTS + 16 * LIGHT_SLOTS, np.uint32)
        self.vector[:SLOTS] = DEFAULTS
        self.light_slots = np.zeros(0, np.int64)
        self.set(("VIEWPORT", "Width"), width)
        self.set(("VIEWPORT", "Height"), height)
        self.set("LIGHTING", lighting)

    def set(self, key: Any, *values: Any) -> Scene:
        """Sets the slots of a key; floats as floats."""
        first, count, _ = key_slots(key)
        values = tuple(np.ravel(values[0])) if len(values) == 1 and np.ndim(values[0]) else values
        assert len(values) == count, f"{key} has {count} slots"
        self.vector[first : first + count] = [dword(value) for value in values]
        return self

    def transform(self, name: str, matrix: Any) -> Scene:
        return self.set(("TRANSFORM", name), np.asarray(matrix, np.float32))

    def light(self, **fields: Any) -> Scene:
        """Adds an enabled light; fields as in D3DLIGHT8."""
        slot = SLOTS + len(self.light_slots) * LIGHT_SLOTS
        self.vector[slot : slot + LIGHT_SLOTS] = LIGHT_DEFAULTS
        for name, value in {"Enabled": 1, **fields}.items():
            field = LIGHT_FIELDS[name]
            self.vector[slot + field.offset : slot + field.offset + field.count] = [dword(v) for v in np.ravel(value)]
        self.light_slots = np.append(self.light_slots, slot)
        return self

    def process(self, layout: VertexLayout, streams: list[np.ndarray | None], strides: list[int], **draw: Any) -> Geometry:
        """Runs the vertex half; results in the shared GEOMETRY, `vertices` and `primitives` trimmed copies."""
        for i, stride in enumerate(strides):
            self.set(("STREAM", i, "stride"), stride)
        bytes_ = [None if s is None else np.ascontiguousarray(s).view(np.uint8).reshape(-1) for s in streams]
        counts = GEOMETRY.process(self.vector, layout, streams=bytes_, light_slots=self.light_slots, **draw)
        return Result(GEOMETRY, counts, draw["count"])

    def draw(self, vertices: np.ndarray, kind: int = PrimitiveType.TRIANGLELIST, indices: Any = None, fvf: int | None = None,
             **draw: Any) -> Result:  # fmt: skip
        """Draws a structured array whose field names are those of `vertex_type`."""
        layout = compile_fvf(fvf_of(vertices.dtype) if fvf is None else fvf)
        if indices is not None:
            memory = np.asarray(indices)
            memory = memory.astype(np.uint16) if memory.dtype == np.int64 else memory
            form = IndexForm.WORD if memory.itemsize == 2 else IndexForm.DWORD
            draw = {"index_memory": memory.view(np.uint8), "index_form": form, **draw}
        references = len(vertices) if indices is None else len(indices)
        draw.setdefault("count", primitive_count(kind, references))
        return self.process(layout, [vertices], [vertices.itemsize], kind=kind, **draw)


class Result:
    """Copies of what a draw made."""

    def __init__(self, geometry: Geometry, counts: tuple[int, int], primitives: int) -> None:
        self.vertices = geometry.vertices[: counts[0]].copy()
        self.positions = geometry.positions[: counts[0]].copy()
        self.primitives = geometry.primitives[: counts[1]].copy()
        self.fates = geometry.fates[:primitives].copy()
        self.elements_outside, self.indices_outside = geometry.elements_outside, geometry.indices_outside

    def corners(self) -> np.ndarray:
        """float32[primitives, 3, 48]."""
        return self.vertices[self.primitives["vertex"]]


PARTS = {
    "position": ("f4", 3), "rhw": ("f4", 4), "betas": ("f4", 1), "normal": ("f4", 3), "psize": ("f4",), "diffuse": ("u4",),
    "specular": ("u4",),
}  # fmt: skip


def vertices_of(count: int, **fields: Any) -> np.ndarray:
    """A structured array of vertices: position, rhw (4), betas, normal, psize, diffuse, specular, tex0 .. tex7 (1-4)."""
    types = []
    for name, value in fields.items():
        value = np.asarray(value)
        kind = "u4" if name in ("diffuse", "specular") else "f4"
        width = 1 if name in ("diffuse", "specular", "psize") else value.shape[-1]
        types.append((name, kind, width) if width > 1 or name.startswith(("tex", "betas")) else (name, kind))
    order = ["position", "rhw", "betas", "normal", "psize", "diffuse", "specular", *(f"tex{i}" for i in range(8))]
    types.sort(key=lambda part: order.index(part[0]))
    result = np.zeros(count, types)
    for name, value in fields.items():
        result[name] = value
    return result


def fvf_of(dtype: np.dtype) -> int:
    """The vertex format of such an array."""
    names = dtype.names or ()
    fvf = int(Fvf.XYZRHW if "rhw" in names else Fvf.XYZ)
    if "betas" in names:
        fvf = int(Fvf.XYZB1) + 2 * (dtype["betas"].shape[0] - 1)
    for name, bit in (("normal", Fvf.NORMAL), ("psize", Fvf.PSIZE), ("diffuse", Fvf.DIFFUSE), ("specular", Fvf.SPECULAR)):
        fvf |= bit if name in names else 0
    sets = [name for name in names if name.startswith("tex")]
    fvf |= len(sets) << 8
    for i, name in enumerate(sets):
        fvf |= {2: 0, 3: 1, 4: 2, 1: 3}[dtype[name].shape[0]] << 16 + 2 * i
    return fvf


def perspective(fov: float = 1.2, aspect: float = 4 / 3, near: float = 1.0, far: float = 100.0) -> np.ndarray:
    """D3DXMatrixPerspectiveFovLH."""
    h = 1 / np.tan(fov / 2)
    q = far / (far - near)
    return np.array([[h / aspect, 0, 0, 0], [0, h, 0, 0], [0, 0, q, 1], [0, 0, -near * q, 0]])


def random_affine(rng: np.random.Generator, spread: float = 1.0) -> np.ndarray:
    """A well conditioned matrix with a translation."""
    m = np.eye(4)
    m[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0] * rng.uniform(0.5, 2.0, 3)
    m[3, :3] = rng.uniform(-spread, spread, 3)
    return m
