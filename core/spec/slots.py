"""The register vector: a numbered slot for every dword of a context's fixed state.

`REGISTERS` lays out uint32[SLOTS] as a record of 4-byte fields; `ROWS` says what each slot (or group of slots) means, holds
and starts as; `slot(key)` and `key_slots(key)` translate the names people use.  Kernels, the state timeline, the state
table, diffs and exports share this one layout.  What has no bound (lights, palettes, state sets) gets slots beyond SLOTS,
handed out per object by the device.

Keys:
    "ALPHAREF"                          a render state
    ("TEXTURESTAGE", i, "COLOROP")      a texture stage state; "TEXTUREMAP" is the bound texture
    ("TRANSFORM", "WORLD0")             VIEW, PROJECTION, WORLD0..WORLD255, TEXTURE0..TEXTURE7: 16 slots
    ("MATERIAL", "Diffuse")             Diffuse, Ambient, Specular, Emissive: 4 slots; Power
    ("VIEWPORT", "X")                   X, Y, Width, Height, MinZ, MaxZ
    ("WINFO", "Near")                   Near, Far
    ("CLIPPLANE", i)                    4 slots
    ("STREAM", i, "handle")             handle, stride, user_memory
    ("VSCONST", i), ("PSCONST", i)      4 slots
    "INDICES", ("INDICES", "stride"), "VERTEXSHADER", "PIXELSHADER", "RENDERTARGET", "DEPTHSTENCIL", "SCENE"
    ("LIGHT", i, "Diffuse")             numbered slots: `LIGHT_FIELDS` gives the place within the light's LIGHT_SLOTS
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.spec.enums import LightType
from core.spec.kinds import BOOL, F32, HANDLE, SHADER, U32, Kind, enum
from core.spec.states import ONE, RENDER_STATES, TEXTURE_STAGE_STATES

TEXTURE_STAGES = 8
STAGE_STATES = 32
WORLD_MATRICES = 256
CLIP_PLANES = 32
STREAMS = 16
VERTEX_CONSTANTS = 256
PIXEL_CONSTANTS = 32

REGISTERS = np.dtype([
    ("render_state", "<u4", 256),                               # by render state number
    ("texture_stage", "<u4", (TEXTURE_STAGES, STAGE_STATES)),   # by stage and texture stage state number; 0: the bound texture
    ("view", "<f4", 16),                                        # matrices row by row: _11 _12 ... _44
    ("projection", "<f4", 16),
    ("texture_transform", "<f4", (TEXTURE_STAGES, 16)),
    ("world", "<f4", (WORLD_MATRICES, 16)),
    ("material", "<f4", 17),                                    # diffuse, ambient, specular, emissive (r g b a each), power
    ("viewport", "<u4", 4),                                     # x y width height
    ("zrange", "<f4", 2),                                       # min max
    ("winfo", "<f4", 2),                                        # near far
    ("clip_plane", "<f4", (CLIP_PLANES, 4)),
    ("stream", "<u4", (STREAMS, 3)),                            # handle, stride, 1 if from user memory
    ("indices", "<u4", 2),                                      # handle, stride
    ("vertex_shader", "<u4"),                                   # odd: handle; even: vertex format; 0: none
    ("pixel_shader", "<u4"),
    ("render_target", "<u4"),
    ("depth_stencil", "<u4"),
    ("scene", "<u4"),                                           # 1 between BeginScene and EndScene
    ("vs_const", "<f4", (VERTEX_CONSTANTS, 4)),
    ("ps_const", "<f4", (PIXEL_CONSTANTS, 4)),
    ("point_limit", "<f4"),                                     # MaxPointSize of the driver; 0: that of this device
    ("before_7", "<u4"),                                        # 1: a context of Direct3D 5 or 6, which light differently
    ("reserved", "<u4", 14),
])  # fmt: skip

SLOTS = REGISTERS.itemsize // 4
BASE: dict[str, int] = {name: place[1] // 4 for name, place in (REGISTERS.fields or {}).items()}
"""First slot of each field of REGISTERS."""

# the same for code that names a field
RENDER_STATE, TEXTURE_STAGE = BASE["render_state"], BASE["texture_stage"]
VIEW, PROJECTION = BASE["view"], BASE["projection"]
TEXTURE_TRANSFORM, WORLD = BASE["texture_transform"], BASE["world"]
MATERIAL, VIEWPORT, ZRANGE, WINFO = BASE["material"], BASE["viewport"], BASE["zrange"], BASE["winfo"]
CLIP_PLANE, STREAM, INDICES = BASE["clip_plane"], BASE["stream"], BASE["indices"]
VERTEX_SHADER, PIXEL_SHADER = BASE["vertex_shader"], BASE["pixel_shader"]
RENDER_TARGET, DEPTH_STENCIL, SCENE = BASE["render_target"], BASE["depth_stencil"], BASE["scene"]
VS_CONST, PS_CONST = BASE["vs_const"], BASE["ps_const"]


def _transform_slots(*old: tuple[int, int]) -> tuple[int, ...]:
    """D3DTRANSFORMSTATETYPE -> first slot, -1: no matrix; `old`: DirectX 7's numbers of the first world matrices."""
    slots = [-1] * 512
    slots[2], slots[3] = BASE["view"], BASE["projection"]
    slots[16:24] = [BASE["texture_transform"] + 16 * i for i in range(TEXTURE_STAGES)]
    slots[256:512] = [BASE["world"] + 16 * i for i in range(WORLD_MATRICES)]
    for number, world in old:
        slots[number] = BASE["world"] + 16 * world
    return tuple(slots)


TRANSFORM_SLOTS = _transform_slots()
"""D3DTRANSFORMSTATETYPE -> the first slot of the matrix, -1: there is none."""
OLD_TRANSFORM_SLOTS = _transform_slots((1, 0), (4, 1), (5, 2), (6, 3))
"""The same for drivers, which contexts of DirectX 7 call with 1, 4, 5 and 6 for WORLD0 to WORLD3."""

Key = str | tuple
IDENTITY = tuple(ONE if i % 5 == 0 else 0 for i in range(16))


@dataclass(frozen=True)
class SlotRow:
    """One fixed slot, or `count` slots that form one value (a matrix, a colour).  `default` has one dword per slot."""

    slot: int
    count: int
    key: Key
    name: str
    kind: Kind
    default: tuple[int, ...]
    stage: str


def _render_states() -> Iterator[SlotRow]:
    for state in RENDER_STATES.values():
        yield SlotRow(
            BASE["render_state"] + state.id, 1, state.name, state.name, state.kind, (state.default_at(0),), state.stage
        )


def _texture_stages() -> Iterator[SlotRow]:
    for i in range(TEXTURE_STAGES):
        for state in TEXTURE_STAGE_STATES.values():
            slot = BASE["texture_stage"] + i * STAGE_STATES + state.id
            key = ("TEXTURESTAGE", i, state.name)
            yield SlotRow(slot, 1, key, f"{state.name}[{i}]", state.kind, (state.default_at(i),), state.stage)


def _matrix(slot: int, name: str, stage: str) -> SlotRow:
    return SlotRow(slot, 16, ("TRANSFORM", name), name, F32, IDENTITY, stage)


def _matrices() -> Iterator[SlotRow]:
    yield _matrix(BASE["view"], "VIEW", "transform")
    yield _matrix(BASE["projection"], "PROJECTION", "transform")
    yield from (_matrix(BASE["texture_transform"] + 16 * i, f"TEXTURE{i}", "texgen") for i in range(TEXTURE_STAGES))
    yield from (_matrix(BASE["world"] + 16 * i, f"WORLD{i}", "transform") for i in range(WORLD_MATRICES))


def _material() -> Iterator[SlotRow]:
    for i, name in enumerate(("Diffuse", "Ambient", "Specular", "Emissive")):
        yield SlotRow(BASE["material"] + 4 * i, 4, ("MATERIAL", name), f"Material {name}", F32, (0,) * 4, "light")
    yield SlotRow(BASE["material"] + 16, 1, ("MATERIAL", "Power"), "Material Power", F32, (0,), "light")


def _viewport() -> Iterator[SlotRow]:
    for i, name in enumerate(("X", "Y", "Width", "Height")):
        yield SlotRow(BASE["viewport"] + i, 1, ("VIEWPORT", name), f"Viewport {name}", U32, (0,), "clip")
    yield SlotRow(BASE["zrange"], 1, ("VIEWPORT", "MinZ"), "Viewport MinZ", F32, (0,), "clip")
    yield SlotRow(BASE["zrange"] + 1, 1, ("VIEWPORT", "MaxZ"), "Viewport MaxZ", F32, (ONE,), "clip")
    yield SlotRow(BASE["winfo"], 1, ("WINFO", "Near"), "W range near", F32, (0,), "depth_test")
    yield SlotRow(BASE["winfo"] + 1, 1, ("WINFO", "Far"), "W range far", F32, (ONE,), "depth_test")


def _clip_planes() -> Iterator[SlotRow]:
    for i in range(CLIP_PLANES):
        yield SlotRow(BASE["clip_plane"] + 4 * i, 4, ("CLIPPLANE", i), f"Clip plane {i}", F32, (0,) * 4, "clip")


def _streams() -> Iterator[SlotRow]:
    for i in range(STREAMS):
        for j, (field, kind) in enumerate((("handle", HANDLE), ("stride", U32), ("user_memory", BOOL))):
            name = f"Stream {i} {field.replace('_', ' ')}"
            yield SlotRow(BASE["stream"] + 3 * i + j, 1, ("STREAM", i, field), name, kind, (0,), "fetch")
    yield SlotRow(BASE["indices"], 1, "INDICES", "Indices", HANDLE, (0,), "fetch")
    yield SlotRow(BASE["indices"] + 1, 1, ("INDICES", "stride"), "Indices stride", U32, (0,), "fetch")


def _objects() -> Iterator[SlotRow]:
    yield SlotRow(BASE["vertex_shader"], 1, "VERTEXSHADER", "Vertex shader", SHADER, (0,), "vshader")
    yield SlotRow(BASE["pixel_shader"], 1, "PIXELSHADER", "Pixel shader", HANDLE, (0,), "pshader")
    yield SlotRow(BASE["render_target"], 1, "RENDERTARGET", "Render target", HANDLE, (0,), "output")
    yield SlotRow(BASE["depth_stencil"], 1, "DEPTHSTENCIL", "Depth-stencil surface", HANDLE, (0,), "depth_test")
    yield SlotRow(BASE["scene"], 1, "SCENE", "In scene", BOOL, (0,), "scene")


def _constants() -> Iterator[SlotRow]:
    for i in range(VERTEX_CONSTANTS):
        yield SlotRow(BASE["vs_const"] + 4 * i, 4, ("VSCONST", i), f"Vertex constant c{i}", F32, (0,) * 4, "vshader")
    for i in range(PIXEL_CONSTANTS):
        yield SlotRow(BASE["ps_const"] + 4 * i, 4, ("PSCONST", i), f"Pixel constant c{i}", F32, (0,) * 4, "pshader")


ROWS: tuple[SlotRow, ...] = tuple(
    sorted(
        (
            *_render_states(),
            *_texture_stages(),
            *_matrices(),
            *_material(),
            *_viewport(),
            *_clip_planes(),
            *_streams(),
            *_objects(),
            *_constants(),
        ),
        key=lambda row: row.slot,
    )
)
ROW_BY_KEY: dict[Key, SlotRow] = {row.key: row for row in ROWS}


def _row_at() -> np.ndarray:
    at = np.full(SLOTS, -1, np.int16)
    for i, row in enumerate(ROWS):
        at[row.slot : row.slot + row.count] = i
    return at


def _defaults() -> np.ndarray:
    values = np.zeros(SLOTS, np.uint32)
    for row in ROWS:
        values[row.slot : row.slot + row.count] = row.default
    values.flags.writeable = False
    return values


ROW_AT: np.ndarray = _row_at()
"""Slot -> index into ROWS, -1 where nothing is defined."""

DEFAULTS: np.ndarray = _defaults()
"""The vector of a fresh context, read-only: copy it."""


@dataclass(frozen=True)
class NumberedField:
    """A field of an object whose slots are handed out at run time: `offset` and `count` dwords within the object."""

    name: str
    offset: int
    count: int
    kind: Kind
    default: tuple[int, ...] = (0,)


LIGHT_FIELDS: dict[str, NumberedField] = {
    field.name: field
    for field in (
        NumberedField("Type", 0, 1, enum(LightType), (3,)),
        NumberedField("Diffuse", 1, 4, F32, (ONE, ONE, ONE, 0)),
        NumberedField("Specular", 5, 4, F32, (0,) * 4),
        NumberedField("Ambient", 9, 4, F32, (0,) * 4),
        NumberedField("Position", 13, 3, F32, (0,) * 3),
        NumberedField("Direction", 16, 3, F32, (0, 0, ONE)),
        NumberedField("Range", 19, 1, F32),
        NumberedField("Falloff", 20, 1, F32),
        NumberedField("Attenuation0", 21, 1, F32),
        NumberedField("Attenuation1", 22, 1, F32),
        NumberedField("Attenuation2", 23, 1, F32),
        NumberedField("Theta", 24, 1, F32),
        NumberedField("Phi", 25, 1, F32),
        NumberedField("Enabled", 26, 1, BOOL),
    )
}
"""D3DLIGHT8 as dwords, and whether the light is enabled.  A light that was only created is a white directional one (DX8
SDK: LightEnable)."""

LIGHT_SLOTS = 27
LIGHT_DEFAULTS: tuple[int, ...] = tuple(dword for field in LIGHT_FIELDS.values() for dword in field.default)
PALETTE_SLOTS = 256
"""A palette entry as sent: PALETTEENTRY bytes red, green, blue, flags (alpha)."""


def slot(key: Key) -> int:
    """The first slot of a key; KeyError for keys that have no fixed slot."""
    return ROW_BY_KEY[key].slot


def key_slots(key: Key) -> tuple[int, int, Kind]:
    """(first slot, how many, kind of each) of a key; KeyError for keys that have no fixed slot."""
    row = ROW_BY_KEY[key]
    return row.slot, row.count, row.kind


def row_at(number: int) -> SlotRow | None:
    """The row a slot belongs to; None for undefined slots and for numbered ones."""
    index = ROW_AT[number] if 0 <= number < SLOTS else -1
    return ROWS[index] if index >= 0 else None


def view(vector: np.ndarray) -> np.void:
    """The first SLOTS words of a contiguous uint32 vector as a record that shares its memory."""
    return view_array(vector)[0]


def view_array(vector: np.ndarray) -> np.ndarray:
    """The same as an array of one record, the form kernels take."""
    return vector[:SLOTS].view(REGISTERS)
