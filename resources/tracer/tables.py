"""The tables and structures of calls.c: names of enumerations and masks, layouts of formats, functions that put structures."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum, IntFlag

from core.spec import enums
from core.spec.caps import CAPS8
from core.spec.formats import FORMATS
from core.spec.kinds import BOOL, F32, I32, U8, Kind
from core.spec.stateblocks import PIXEL_RENDER_STATES, PIXEL_STAGE_STATES, VERTEX_RENDER_STATES, VERTEX_STAGE_STATES
from core.spec.states import RENDER_STATE_ID, RENDER_STATES, TEXTURE_STAGE_STATE_ID, TEXTURE_STAGE_STATES
from core.spec.structs import FORMAT, POINTER, STRUCTS, M

PREFIXES = {
    "DeviceType": "D3DDEVTYPE_", "MultisampleType": "D3DMULTISAMPLE_", "ResourceType": "D3DRTYPE_", "Pool": "D3DPOOL_",
    "CubeFace": "D3DCUBEMAP_FACE_", "PrimitiveType": "D3DPT_", "BackBufferType": "D3DBACKBUFFER_TYPE_",
    "StateBlockType": "D3DSBT_", "TransformState": "D3DTS_", "SwapEffect": "D3DSWAPEFFECT_", "LightType": "D3DLIGHT_",
    "BasisType": "D3DBASIS_", "OrderType": "D3DORDER_", "Usage": "D3DUSAGE_", "Fvf": "D3DFVF_", "CreateFlag": "D3DCREATE_",
    "ClearFlag": "D3DCLEAR_", "LockFlag": "D3DLOCK_",
}  # fmt: skip
"""Of the header's names, which the rule book leaves out."""
ENUM_TYPES = {
    "FORMAT": "D3DFORMAT", "DeviceType": "D3DDEVTYPE", "MultisampleType": "D3DMULTISAMPLE_TYPE", "CubeFace": "D3DCUBEMAP_FACES",
    "ResourceType": "D3DRESOURCETYPE", "Pool": "D3DPOOL", "PrimitiveType": "D3DPRIMITIVETYPE",
    "BackBufferType": "D3DBACKBUFFER_TYPE", "StateBlockType": "D3DSTATEBLOCKTYPE", "TransformState": "D3DTRANSFORMSTATETYPE",
    "RENDER_STATE": "D3DRENDERSTATETYPE", "STAGE_STATE": "D3DTEXTURESTAGESTATETYPE", "SwapEffect": "D3DSWAPEFFECT",
    "LightType": "D3DLIGHTTYPE", "BasisType": "D3DBASISTYPE", "OrderType": "D3DORDERTYPE",
}  # fmt: skip
STRUCTURES = (
    "D3DCOLORVALUE", "D3DVECTOR", "D3DPRESENT_PARAMETERS", "D3DADAPTER_IDENTIFIER8", "D3DDISPLAYMODE",
    "D3DDEVICE_CREATION_PARAMETERS", "D3DRASTER_STATUS", "D3DLOCKED_RECT", "D3DLOCKED_BOX", "D3DGAMMARAMP", "RECT", "POINT",
    "D3DBOX", "D3DRECT", "D3DVIEWPORT8", "D3DMATERIAL8", "D3DLIGHT8", "D3DCLIPSTATUS8", "PALETTEENTRY", "D3DRECTPATCH_INFO",
    "D3DTRIPATCH_INFO", "D3DSURFACE_DESC", "D3DVOLUME_DESC", "D3DVERTEXBUFFER_DESC", "D3DINDEXBUFFER_DESC",
)  # fmt: skip

# ---- words --------------------------------------------------------------------------------------------------------


def _spelled(prefix: str, member: IntEnum | IntFlag) -> str:
    """The header's name of a member: it puts digits first."""
    name = member.name or ""
    head, _, digits = name.rpartition("_")
    return f"{prefix}{digits}_SAMPLES" if head == "SAMPLES" else prefix + name


def _words_of(name: str) -> dict[str, int]:
    if name == "FORMAT":
        return {"D3DFMT_UNKNOWN": 0} | {f"D3DFMT_{row.name}": row.id for row in FORMATS.values()}
    if name == "RENDER_STATE":
        return {f"D3DRS_{row.name}": number for number, row in RENDER_STATES.items()}
    if name == "STAGE_STATE":
        return {f"D3DTSS_{row.name}": number for number, row in TEXTURE_STAGE_STATES.items()}
    if name == "BOOL":
        return {"FALSE": 0, "TRUE": 1}
    if name == "HRESULT":
        left_out = ("DD_OK", "S_OK", "D3DHAL")
        kept = {n: int(m) for n, m in enums.HResult.__members__.items() if not n.startswith(left_out)}
        return {n: value - (value >> 31 << 32) for n, value in kept.items()}
    members: type[IntEnum | IntFlag] = getattr(enums, name)
    rows = {_spelled(PREFIXES[name], m): int(m) for m in members.__members__.values()}
    return {n: value for n, value in rows.items() if value or issubclass(members, IntEnum)}


ENUMS = ("HRESULT", "BOOL", *ENUM_TYPES)
MASKS = ("Usage", "Fvf", "CreateFlag", "ClearFlag", "LockFlag")


# ---- structures ----------------------------------------------------------------------------------------------------


def _scalar(kind: Kind, value: str) -> str:
    """C that puts one member."""
    if kind is BOOL:
        return f"put_enum(call, E_BOOL, {value});"
    if kind is F32:
        return f"put_f(call, {value});"
    if kind is I32:
        return f"put_i(call, {value});"
    if kind is POINTER:
        return f"put_pointer(call, (const void *)(ULONG_PTR){value});"
    if kind is FORMAT:
        return f"put_enum(call, E_FORMAT, {value});"
    if kind.members is not None and kind.members.__name__ in ENUM_TYPES:
        return f"put_enum(call, E_{kind.members.__name__}, {value});"
    return f"put_u(call, {value});"


def _member(member: M) -> str:
    place = f"value->{member.name}"
    if isinstance(member.type, str):
        return f"put_{member.type}(call, &{place});"
    if member.name in ("Driver", "Description"):
        return f"put_text(call, {place});"
    if (member.count > 1 and member.type is U8) or member.name == "DriverVersion":
        return f"put_blob(call, &{place}, sizeof {place});"
    if member.count > 1:
        inner = _scalar(member.type, f"{place}[i]")
        return f"put_array(call, {member.count});\n    for (int i = 0; i < {member.count}; i++)\n        {inner}"
    return _scalar(member.type, place)


def _members(name: str) -> tuple[M, ...]:
    if name == "D3DCAPS8":
        return tuple(M(cap.name, cap.kind) for cap in CAPS8)
    return STRUCTS[name].members


def structures() -> Iterator[str]:
    """A function that puts each structure."""
    for name in (*STRUCTURES, "D3DCAPS8"):
        body = "\n    ".join(_member(member) for member in _members(name))
        yield f"static void put_{name}(Call *call, const {name} *value)\n{{\n    put_struct(call, S_{name});\n    {body}\n}}\n"
    yield """static void put_D3DMATRIX(Call *call, const D3DMATRIX *value)
{
    put_struct(call, S_D3DMATRIX);
    put_array(call, 4);
    for (int row = 0; row < 4; row++) {
        put_array(call, 4);
        for (int column = 0; column < 4; column++)
            put_f(call, value->m[row][column]);
    }
}
static void put_float(Call *call, const float *value) { put_f(call, *value); }
static void put_DWORD(Call *call, const DWORD *value) { put_u(call, *value); }
static void put_UINT(Call *call, const UINT *value) { put_u(call, *value); }
static void put_pointer_at(Call *call, BYTE *const *value) { put_pointer(call, *value); }
static void put_bool_at(Call *call, const BOOL *value) { put_enum(call, E_BOOL, *value); }
"""


# ---- tables --------------------------------------------------------------------------------------------------------


def _names(label: str, members: list[str]) -> str:
    listed = ", ".join(f'"{m}"' for m in members) or "NULL"
    return f"static const char *const {label}[] = {{{listed}}};"


def signatures(label: str, rows: list[tuple[str, list[str], int]]) -> Iterator[str]:
    """A table of functions or structures: names, the names of their members, and a flag."""
    for i, (_name, members, _) in enumerate(rows):
        yield _names(f"{label}_{i}", members)
    yield f"const Signature {label}[] = {{"
    yield from (f'    {{"{name}", {len(members)}, {label}_{i}, {flag}}},' for i, (name, members, flag) in enumerate(rows))
    yield "};"


def structure_names() -> Iterator[str]:
    """The table of structures."""
    rows = [(name, [m.name for m in _members(name)], 0) for name in (*STRUCTURES, "D3DCAPS8")]
    return signatures("structs", [*rows, ("D3DMATRIX", ["m"], 0)])


def words(label: str, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        rows = ", ".join(f'{{"{n}", {value}}}' for n, value in _words_of(name).items())
        yield f"static const Member w_{label}_{name}[] = {{{rows}}};"
    yield f"const Words {label}[] = {{"
    yield from (f"    {{{len(_words_of(name))}, w_{label}_{name}}}," for name in names)
    yield "};"


def _classes(label: str, size: int, ids: dict[str, int], pixel: tuple[str, ...], vertex: tuple[str, ...]) -> str:
    """Which states D3DSBT_PIXELSTATE (1) and D3DSBT_VERTEXSTATE (2) hold."""
    values = {ids[name]: (name in pixel) + 2 * (name in vertex) for name in dict.fromkeys((*pixel, *vertex))}
    return f"const unsigned char {label}[{size}] = {{{', '.join(f'[{i}] = {v}' for i, v in sorted(values.items()))}}};"


def layouts() -> Iterator[str]:
    """The blocks of formats, and which states a state block holds."""
    rows = ", ".join(f"{{{f.id}u, {f.block[0]}, {f.block[1]}, {f.block[2]}}}" for f in FORMATS.values())
    yield f"const Layout layouts[] = {{{rows}}};\nconst int layout_count = {len(FORMATS)};"
    yield _classes("render_classes", 256, RENDER_STATE_ID, PIXEL_RENDER_STATES, VERTEX_RENDER_STATES)
    yield _classes("stage_classes", 64, TEXTURE_STAGE_STATE_ID, PIXEL_STAGE_STATES, VERTEX_STAGE_STATES)
