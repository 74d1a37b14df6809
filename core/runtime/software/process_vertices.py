"""ProcessVertices: the runtime's own vertex half, from vertex buffers into a vertex buffer.

Devices with software vertex processing keep a copy of their vertex buffers for this (`Resource.contents`); the result goes to
the driver like anything else that is written into a buffer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from core.runtime.context import Context
from core.runtime.objects import Resource, resource_of
from core.runtime.rows.table import LIGHT, LIGHT_MADE, LIGHT_OFF, LIGHT_WORDS, LIGHTS
from core.spec.enums import CreateFlag, FillMode, FogMode, Fvf, Pool, PrimitiveType, TextureOp, Usage
from core.spec.slots import BASE, LIGHT_SLOTS, SLOTS, STAGE_STATES, STREAMS, TEXTURE_STAGES
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID

if TYPE_CHECKING:
    from core.pipeline.geometry import Geometry
    from core.runtime.runtime import Runtime

SOFTWARE = int(CreateFlag.SOFTWARE_VERTEXPROCESSING | CreateFlag.MIXED_VERTEXPROCESSING)
COLOROP, COORDINDEX, COORDINATE_TRANSFORM = (
    TEXTURE_STAGE_STATE_ID[name] for name in ("COLOROP", "TEXCOORDINDEX", "TEXTURETRANSFORMFLAGS")
)
LIGHTING, POINT_SCALE, FILL_MODE, FOG_ENABLE, TABLE_FOG, VERTEX_FOG = (
    RENDER_STATE_ID[name] for name in ("LIGHTING", "POINTSCALEENABLE", "FILLMODE", "FOGENABLE", "FOGTABLEMODE", "FOGVERTEXMODE")
)
DO_NOT_COPY = 1  # D3DPV_DONOTCOPYDATA
FOG = 12  # the fog factor in the pipeline's vertices
KEPT_BYTES = 64 << 20  # buffers beyond this size are not kept
FIELDS = {"diffuse": 4, "specular": 8, "psize": 13} | {f"t{i}": 16 + 4 * i for i in range(8)}
"""Where a field of the destination comes from, in floats of the pipeline's vertices
(core.pipeline.records.primitives.VertexField)."""
FLOATS = (2, 3, 4, 1)  # of a texture coordinate set, by its two bits in the format
NOT_A_NUMBER = np.uint32(0xFFC00000).view(np.float32)  # as x86 makes it; others have another sign


def keep_contents(context: Context, buffer: Resource) -> None:
    """Starts the copy of a vertex buffer, if the device may process vertices.

    Not of write-only buffers in video memory: nobody processes vertices from there, and every lock would be slower.
    """
    hidden = buffer.pool == Pool.DEFAULT and buffer.usage & Usage.WRITEONLY and not context.is_software
    if (context.behavior & SOFTWARE or context.is_software) and not hidden and buffer.width <= KEPT_BYTES:
        buffer.contents = np.zeros(buffer.width, np.uint8)


@lru_cache(256)
def output_format(fvf: int) -> np.dtype:
    """Vertices of a transformed format: position (x y z rhw), diffuse, specular, t0...; raises ValueError for other formats."""
    if fvf & Fvf.POSITION_MASK != Fvf.XYZRHW:
        raise ValueError("the destination's vertex format is not XYZRHW")
    fields: list[tuple[Any, ...]] = [("position", "<f4", 4)]
    members = (("psize", "<f4", Fvf.PSIZE), ("diffuse", "<u4", Fvf.DIFFUSE), ("specular", "<u4", Fvf.SPECULAR))
    fields += [(name, form) for name, form, bit in members if fvf & bit]
    count = min((fvf & Fvf.TEXCOUNT_MASK) >> 8, 8)
    fields += [(f"t{i}", "<f4", FLOATS[fvf >> (16 + 2 * i) & 3]) for i in range(count)]
    return np.dtype(fields)


def process_vertices(
    rt: Runtime, this: int, start: int, destination: int, count: int, buffer: int, flags: int,
    given: list[np.ndarray | None] | None = None, stride: int = 0,
) -> None:  # fmt: skip
    """ProcessVertices(SrcStartIndex, DestIndex, VertexCount, pDestBuffer, Flags); `given`, at `stride`: not from streams."""
    context, target = rt.device(this), resource_of(rt, buffer)
    if context is None or target is None or count <= 0:
        return
    streams = _streams(rt, context) if given is None else given
    if given is not None:
        context.registers[BASE["stream"] : BASE["stream"] + 2] = (0, stride)
    if not any(stream is not None for stream in streams):
        sentence = "ProcessVertices needs a device with software vertex processing, and vertex buffers that can be read"
        rt.note("runtime-unimplemented", sentence)
        return
    try:
        kind = output_format(target.fvf)
    except ValueError as error:
        rt.reject(str(error))
        return
    if (destination + count) * kind.itemsize > target.width or destination < 0 or start < 0:
        rt.reject(f"{count} vertices at {destination} do not fit into the destination")
        return
    half = vertex_half(context)
    if half is None:
        rt.reject("the vertex shader or format is unusable")
        return
    made = _transform(half, geometry_of(context), streams, start, count)
    if has_vertex_fog(half.vector):
        made[:, FIELDS["specular"] + 3] = made[:, FOG]
    packed, offset = _pack(made, kind), destination * kind.itemsize
    fields = computed(half)
    for name in fields.intersection(kind.names or ()):
        packed[name] = one_nan(packed[name])
    if flags & DO_NOT_COPY:
        _leave_others(rt, packed, fields, target, offset)
    elif half.program is None and target.contents is not None:
        _keep(packed, missing_sets(int(half.vector[BASE["vertex_shader"]])) - fields, target.contents, offset)
    vertices = packed.view(np.uint8)
    where = {"handle": target.handle, "offset": offset}
    rt.call("LockD3DBuffer", where | {"size": vertices.size, "flags": 0})
    rt.call("UnlockD3DBuffer", where, {"contents": vertices.tobytes()})
    if target.contents is not None:
        target.contents[where["offset"] : where["offset"] + vertices.size] = vertices


def _streams(rt: Runtime, context: Context) -> list[np.ndarray | None]:
    """The kept contents of the buffers that are bound."""
    handles = context.registers[BASE["stream"] :][: 3 * STREAMS : 3].tolist()
    kept = {thing.handle: thing.contents for thing in rt.objects.values() if isinstance(thing, Resource) and thing.is_buffer}
    return [kept.get(handle) for handle in handles]


def _vector(context: Context) -> tuple[np.ndarray, np.ndarray]:
    """Registers as the pipeline takes them, lights at their end; and the slots of the lights."""
    registers = context.registers
    made = np.flatnonzero(registers[LIGHT_MADE : LIGHT_MADE + LIGHTS])
    lights = np.zeros((len(made), LIGHT_SLOTS), np.uint32)
    lights[:, :LIGHT_WORDS] = registers[LIGHT:LIGHT_OFF].reshape(LIGHTS, LIGHT_WORDS)[made]
    lights[:, LIGHT_WORDS] = registers[LIGHT_OFF + made] == 0
    vector = np.concatenate((registers[:SLOTS], lights.reshape(-1)))
    return vector, SLOTS + LIGHT_SLOTS * np.arange(len(made), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class VertexHalf:
    """What the vertex half of the pipeline works with: registers, lights' slots, layout and program of the vertex shader."""

    vector: np.ndarray
    lights: np.ndarray
    layout: Any
    program: Any


def vertex_half(context: Context) -> VertexHalf | None:
    """The present state of a device for the vertex half; None without a usable vertex format or shader."""
    from core.ddi.driver.shaders import vertex_shader  # not at import: the pipeline's kernels take a while to load
    from core.pipeline.vertex.fetch import compile_fvf

    vector, lights = _vector(context)
    current, program = int(vector[BASE["vertex_shader"]]), None
    if current & 1:
        shader = next((shader for shader in context.vertex_shaders.values() if shader.handle == current), None)
        if shader is None:
            return None
        code = np.frombuffer(shader.code, np.uint8)
        compiled = vertex_shader(np.array(shader.declaration, np.uint32).view(np.uint8), code)
        layout, program = compiled.declaration, compiled.program
        for register, words in compiled.constants:
            vector[BASE["vs_const"] + 4 * register :][: len(words)] = words
    else:
        layout = compile_fvf(current) if current else None
    return None if layout is None else VertexHalf(vector, lights, layout, program)


def has_vertex_fog(vector: np.ndarray) -> bool:
    """Whether the fog factor travels in specular alpha, where it is looked for when the vertices are drawn (DX8 SDK, Vertex
    Fog); table fog needs none."""
    render = vector[BASE["render_state"] :]
    return bool(render[FOG_ENABLE] != 0 and render[TABLE_FOG] == FogMode.NONE)


def computed(half: VertexHalf) -> set[str]:
    """The fields of the destination that the vertex operation computes; others would be copies of the source's, or defaults.

    D3D8 SDK, ProcessVertices: with D3DPV_DONOTCOPYDATA "vertex data not affected by the vertex operation" is not copied.
    """
    from core.pipeline.draw_state.vertex_state import VertexKind
    from core.pipeline.records.rows import BATCH, OUTPUT

    if half.program is not None:
        written = half.program["destination"] // BATCH - OUTPUT
        fog = {"specular"} if has_vertex_fog(half.vector) and (written == FOG).any() else set()
        return {"position"} | fog | {name for name, field in FIELDS.items() if (written == field).any()}
    found, render, first = {"position"}, half.vector[BASE["render_state"] :], BASE["texture_stage"]
    if half.layout.kind != VertexKind.TRANSFORMED:
        found |= {"diffuse", "specular"} if render[LIGHTING] else set()
        found |= {"specular"} if has_vertex_fog(half.vector) and render[VERTEX_FOG] != FogMode.NONE else set()
        found |= {"psize"} if render[POINT_SCALE] else set()
    for i in range(TEXTURE_STAGES):
        stage = half.vector[first + i * STAGE_STATES :]
        if stage[COORDINDEX] != i or stage[COORDINATE_TRANSFORM] & 0xFF:
            found.add(f"t{i}")
    return found


def _leave_others(rt: Runtime, packed: np.ndarray, computed: set[str], target: Resource, offset: int) -> None:
    """Gives the fields that were not computed what the destination has there."""
    if target.contents is None:
        rt.note("runtime-unimplemented", "D3DPV_DONOTCOPYDATA needs a readable destination; all data was written")
        return
    _keep(packed, set(packed.dtype.names or ()) - computed, target.contents, offset)


def missing_sets(fvf: int) -> set[str]:
    """The coordinate sets that vertices of a format lack: those of the destination stay as they were (as Wine 8.0)."""
    return {f"t{i}" for i in range((fvf & Fvf.TEXCOUNT_MASK) >> 8, TEXTURE_STAGES)}


def _keep(packed: np.ndarray, names: set[str], contents: np.ndarray, offset: int) -> None:
    """Gives fields of new vertices what the destination has there."""
    held = contents[offset : offset + packed.nbytes].view(packed.dtype)
    for name in names.intersection(packed.dtype.names or ()):
        packed[name] = held[name]


def geometry_of(context: Context) -> Geometry:
    """The arenas of a device whose vertices the runtime processes."""
    if context.sent.geometry is None:
        from core.pipeline.geometry import Geometry  # not at import: its kernels take a while to load

        context.sent.geometry = Geometry()
    return context.sent.geometry


def _transform(
    half: VertexHalf, geometry: Geometry, streams: list[np.ndarray | None], start: int, count: int
) -> np.ndarray:  # fmt: skip
    """float32[count, 48]: the vertices as the pipeline's vertex half leaves them (see core.pipeline.records.primitives)."""
    first = BASE["texture_stage"] + COLOROP
    operations = half.vector[first : first + TEXTURE_STAGES * STAGE_STATES : STAGE_STATES]
    operations[operations == TextureOp.DISABLE] = TextureOp.SELECTARG1  # coordinates go along whether a stage uses them or not
    half.vector[BASE["render_state"] + FILL_MODE] = FillMode.POINT  # then the strip has sizes of points, too
    geometry.process(
        half.vector, half.layout, streams=streams, kind=PrimitiveType.LINESTRIP, count=max(count - 1, 1),
        program=half.program, light_slots=half.lights, start=start,
    )  # fmt: skip
    numbers = geometry.numbers - start
    vertices, clip = geometry.vertices[: len(numbers)], geometry.first_positions(len(numbers))
    if np.array_equal(numbers, np.arange(count)):
        found = vertices.copy()
        found[:, :4] = _on_screen(half.vector, clip.astype(np.float64))
        return found
    found = np.zeros((count, vertices.shape[1]), np.float32)
    inside = (numbers >= 0) & (numbers < count)
    found[numbers[inside]] = vertices[inside]
    found[numbers[inside], :4] = _on_screen(half.vector, clip[inside].astype(np.float64))
    return found


def _on_screen(vector: np.ndarray, clip: np.ndarray) -> np.ndarray:
    """x y z rhw of clip space positions, float64[n, 4]; nothing is clipped, behind the eye neither."""
    x, y, width, height = vector[BASE["viewport"] : BASE["viewport"] + 4].astype(np.float64)
    near, far = vector[BASE["zrange"] : BASE["zrange"] + 2].view(np.float32).astype(np.float64)
    rhw = 1 / np.where(clip[:, 3] == 0, 1.0, clip[:, 3])
    scale = np.array([width / 2, -height / 2, far - near])
    return np.column_stack([clip[:, :3] * rhw[:, None] * scale + [x + width / 2, y + height / 2, near], rhw])


def one_nan(values: np.ndarray) -> np.ndarray:
    """The same values, with one bit pattern for what is not a number: which one arithmetic gives depends on the processor."""
    return np.where(np.isnan(values), NOT_A_NUMBER, values) if values.dtype.kind == "f" else values


def packed_color(color: np.ndarray) -> np.ndarray:
    """float[n, 4] r g b a as A8R8G8B8, uint32[n]; what is not a number counts as 0."""
    channels = np.floor(np.fmin(np.fmax(color, 0), 1) * 255 + 0.5).astype(np.uint32)
    return channels[:, 3] << 24 | channels[:, 0] << 16 | channels[:, 1] << 8 | channels[:, 2]


def _pack(vertices: np.ndarray, kind: np.dtype) -> np.ndarray:
    """Vertices in the destination's format."""
    out = np.zeros(len(vertices), kind)
    names = kind.names or ()
    out["position"] = vertices[:, 0:4]
    for name in ("diffuse", "specular"):
        if name in names:
            out[name] = packed_color(vertices[:, FIELDS[name] : FIELDS[name] + 4])
    if "psize" in names:
        out["psize"] = vertices[:, FIELDS["psize"]]
    for i in range(8):
        if f"t{i}" in names:
            width, first = kind[f"t{i}"].shape[0] if kind[f"t{i}"].shape else 1, FIELDS[f"t{i}"]
            out[f"t{i}"] = vertices[:, first : first + width].reshape(out[f"t{i}"].shape)
    return out
