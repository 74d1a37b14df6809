"""calls.h and calls.c: one C function per method of Direct3D 8, which writes the call down and passes it on.

Made of the rows of `arguments`, core.runtime.calls.interfaces and the rule book, when the DLL is built: nothing is kept that
could be out of date.  mingw-w64's d3d8.h declares the tables of methods, so the compiler refuses a wrong type or a missing method.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, IntFlag

from core.runtime.calls.interfaces import INTERFACES
from core.spec import enums
from core.spec.caps import CAPS8
from core.spec.formats import FORMATS
from core.spec.kinds import BOOL, F32, I32, U8, Kind
from core.spec.stateblocks import PIXEL_RENDER_STATES, PIXEL_STAGE_STATES, VERTEX_RENDER_STATES, VERTEX_STAGE_STATES
from core.spec.states import RENDER_STATE_ID, RENDER_STATES, TEXTURE_STAGE_STATE_ID, TEXTURE_STAGE_STATES
from core.spec.structs import FORMAT, POINTER, STRUCTS, M
from resources.tracer.arguments import AFTER, ARGUMENTS, BEFORE, EXCEPTIONS, RESULTS, STATE

PREFIXES = {
    "DeviceType": "D3DDEVTYPE_", "MultisampleType": "D3DMULTISAMPLE_", "ResourceType": "D3DRTYPE_", "Pool": "D3DPOOL_",
    "CubeFace": "D3DCUBEMAP_FACE_", "PrimitiveType": "D3DPT_", "BackBufferType": "D3DBACKBUFFER_TYPE_",
    "StateBlockType": "D3DSBT_", "TransformState": "D3DTS_", "SwapEffect": "D3DSWAPEFFECT_", "LightType": "D3DLIGHT_",
    "BasisType": "D3DBASIS_", "OrderType": "D3DORDER_", "Usage": "D3DUSAGE_", "Fvf": "D3DFVF_", "CreateFlag": "D3DCREATE_",
    "ClearFlag": "D3DCLEAR_", "LockFlag": "D3DLOCK_",
}  # fmt: skip
"""Of the header's names, which the rule book leaves out."""
C_TYPES = {
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
RESULT = "E_HRESULT"
SHARED = {"Release": "self, result", "Present": "self", "SetLOD": "self, &call"}
"""Hooks that are one function for all interfaces, and what they are given."""
OWN_KIND = "*"


# ---- words --------------------------------------------------------------------------------------------------------


def _spelled(prefix: str, member: IntEnum | IntFlag) -> str:
    """The header's name of a member: it puts digits first."""
    head, _, digits = member.name.rpartition("_")
    return f"{prefix}{digits}_SAMPLES" if head == "SAMPLES" else prefix + member.name


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


ENUMS = ("HRESULT", "BOOL", *C_TYPES)
MASKS = ("Usage", "Fvf", "CreateFlag", "ClearFlag", "LockFlag")


# ---- arguments -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Argument:
    """One argument of a method; `row` as in `arguments`."""

    name: str
    row: str
    index: int

    @property
    def kind(self) -> str:
        return self.row.partition(" ")[0]

    @property
    def what(self) -> str:
        return self.row.partition(" ")[2]

    @property
    def structure(self) -> str:
        return self.what.partition("[")[0]

    @property
    def count(self) -> str:
        """Elements of an array, in C; empty for one structure."""
        return self.what.partition("[")[2][:-1] if "[" in self.what else ""

    def declared(self) -> str:
        """As a parameter."""
        star = f"{self._type()}{self.name}"
        return star if "*" in self._type()[-2:] else f"{self._type()} {self.name}"

    def _type(self) -> str:
        plain = {"u": "DWORD", "n": "UINT", "f": "float", "bool": "BOOL", "mask": "DWORD", "handle": "DWORD", "blob": "const void *"}
        if self.kind in plain:
            return "const DWORD *" if self.name == "pFunction" else plain[self.kind]
        if self.kind == "enum":
            return C_TYPES[self.what]
        if self.kind == "object":
            return f"IDirect3D{self.what} *"
        if self.kind == "in":
            return f"const {self.structure} *"
        if self.kind == "out":
            return {"u": "DWORD *", "n": "UINT *", "bool": "BOOL *", "pointer": "BYTE **"}.get(self.what, f"{self.what} *")
        if self.kind == "inout":
            return f"{self.what} *"
        if self.kind == "made":
            return "void **" if self.what == OWN_KIND else f"IDirect3D{self.what} **"
        return self.what  # opaque, skip


@dataclass(frozen=True)
class Method:
    """One method of an interface."""

    interface: str
    name: str
    arguments: tuple[Argument, ...]

    @property
    def result(self) -> str:
        return RESULTS.get(self.name, "HRESULT")

    @property
    def id(self) -> str:
        return f"F_{self.interface}_{self.name}"

    @property
    def made(self) -> Argument | None:
        return next((a for a in self.arguments if a.kind == "made"), None)

    @property
    def is_creation(self) -> bool:
        return self.name.startswith("Create") and self.made is not None

    @property
    def is_state(self) -> bool:
        return self.interface == "IDirect3DDevice8" and self.name in STATE

    @property
    def is_kept(self) -> bool:
        """Whether it is written down while nothing is recorded yet."""
        blocks = self.name.endswith("StateBlock") and self.interface == "IDirect3DDevice8"
        return self.is_state or self.made is not None or blocks or self.name in ("Reset", "SetLOD")


def row_of(interface: str, method: str, argument: str) -> str:
    """The most special row of an argument."""
    for key in (f"{interface}::{method}.{argument}", f"{method}.{argument}"):
        if key in EXCEPTIONS:
            return EXCEPTIONS[key]
    return ARGUMENTS[argument]


def methods() -> list[Method]:
    """Those of all interfaces, in the order of the tables."""
    return [
        Method(interface, name, tuple(Argument(a, row_of(interface, name, a), i) for i, a in enumerate(words.split(), 1)))
        for interface, rows in INTERFACES.items()
        for name, words in rows.items()
    ]


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
    if kind.members is not None and kind.members.__name__ in C_TYPES:
        return f"put_enum(call, E_{kind.members.__name__}, {value});"
    return f"put_u(call, {value});"


def _member(member: M) -> str:
    place = f"value->{member.name}"
    if isinstance(member.type, str):
        return f"put_{member.type}(call, &{place});"
    if member.name in ("Driver", "Description"):
        return f"put_text(call, {place});"
    if member.count > 1 and member.type is U8 or member.name == "DriverVersion":
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


# ---- methods -------------------------------------------------------------------------------------------------------


def _array(argument: Argument) -> str:
    """C that puts a structure or an array of them."""
    name, count = argument.name, argument.count or "1"
    return (
        f"if ({name}) {{\n        size_t n = {count};\n        put_array(&call, n);\n"
        f"        for (size_t i = 0; i < n; i++)\n            put_{argument.structure}(&call, &{name}[i]);\n    }} else\n"
        "        put_null(&call);"
    )


def _blob(argument: Argument) -> str:
    size = argument.what.replace("VERTICES", "vertices_of(PrimitiveType, PrimitiveCount)").replace(
        "INDICES", "vertices_of(PrimitiveType, PrimitiveCount)"
    )
    return f"put_blob(&call, {argument.name}, (size_t)({size}));"


def _given(argument: Argument) -> str:
    """C that puts what the program passes; empty if it is not written down, or only afterwards."""
    name, kind = argument.name, argument.kind
    puts = {
        "u": f"put_u(&call, {name});",
        "n": f"put_u(&call, {name});",
        "f": f"put_f(&call, {name});",
        "bool": f"put_enum(&call, E_BOOL, {name});",
        "enum": f"put_enum(&call, E_{argument.what}, (LONG){name});",
        "mask": f"put_mask(&call, M_{argument.what}, {name});",
        "opaque": f"put_pointer(&call, {name});",
        "object": f"put_pointer(&call, real_of({name}));",
        "handle": f"if ({name} & 1)\n        put_u(&call, {name});\n    else\n        put_mask(&call, M_Fvf, {name});",
    }
    if kind in puts:
        text = puts[kind]
    elif kind in ("in", "inout"):
        text = _array(argument)
    elif kind == "blob":
        text = _blob(argument)
    else:
        return ""
    return f"put_argument(&call, {argument.index});\n    {text}"


def _got(argument: Argument) -> str:
    """C that puts what the call has written."""
    name = argument.name
    if argument.kind == "made":
        put = f"put_pointer(&call, *{name});"
    elif argument.kind in ("out", "inout"):
        put = {"u": "put_DWORD", "n": "put_UINT", "pointer": "put_pointer_at", "bool": "put_bool_at"}.get(argument.what, f"put_{argument.what}")
        put = f"{put}(&call, {name});"
    else:
        return ""
    return f"if ({name}) {{\n            put_argument(&call, {argument.index});\n            put_array(&call, 1);\n            {put}\n        }}"


def _put_result(method: Method) -> str:
    put = {
        "HRESULT": "put_enum(&call, E_HRESULT, result);",
        "BOOL": "put_enum(&call, E_BOOL, result);",
        "D3DRESOURCETYPE": "put_enum(&call, E_ResourceType, result);",
        "HMONITOR": "put_pointer(&call, result);",
    }.get(method.result, "put_u(&call, result);")
    return f"put_result(&call);\n    {put}"


def _wrapped(method: Method) -> str:
    """C that hands out our object for what the call gave."""
    made = method.made
    if made is None:
        return ""
    kind = f"K_{made.what}" if made.what != OWN_KIND else "kind_of_iid(riid)"
    return (
        f"if (SUCCEEDED(result) && {made.name} && *{made.name})\n"
        f"        *{made.name} = wrap(&call, (Object *)self, {kind}, *{made.name}, {int(method.is_creation)});"
    )


def _kept(method: Method) -> str:
    if not method.is_state:
        return ""
    keys = [*STATE[method.name], "0", "0"][:2]
    objects = [a.name for a in method.arguments if a.kind == "object"] + ["NULL", "NULL"]
    return f"if (SUCCEEDED(result))\n        keep(&call, (Object *)self, {keys[0]}, {keys[1]}, {objects[0]}, {objects[1]});"


def hooks(method: Method) -> tuple[str, str]:
    """What is called before and after: C, or empty."""
    names = [a.name for a in method.arguments]
    before = ", ".join(["(Object *)self", *names])
    first = f"before_{method.interface}_{method.name}({before});" if method.name in BEFORE else ""
    if method.name not in AFTER:
        return first, ""
    if method.name in SHARED:
        return first, f"after_{method.name}({SHARED[method.name].replace('self', '(Object *)self')});"
    call = ["&call"] if method.interface in ("IDirect3DDevice8", "IDirect3D8") else []
    return first, f"after_{method.interface}_{method.name}({', '.join(['(Object *)self', *names, 'result', *call])});"


def prototypes(method: Method) -> Iterator[str]:
    parameters = [a.declared() for a in method.arguments]
    before, after = hooks(method)
    if before:
        yield f"void before_{method.interface}_{method.name}({', '.join(['Object *self', *parameters])});"
    if after and method.name not in SHARED:
        call = ["const Call *call"] if "&call" in after else []
        parameters += [f"{method.result} result", *call]
        yield f"void after_{method.interface}_{method.name}({', '.join(['Object *self', *parameters])});"


def function(method: Method) -> str:
    """One method: written down, passed on, written down."""
    parameters = ", ".join([f"{method.interface} *self", *(a.declared() for a in method.arguments)])
    passed = [f"real_of({a.name})" if a.kind == "object" else a.name for a in method.arguments]
    is_void = method.result == "void"
    before, after = hooks(method)
    got = [text for a in method.arguments if (text := _got(a))]
    told = "\n        ".join(got)
    if got:
        told = f"if ({'SUCCEEDED(result)' if method.result == 'HRESULT' else '1'}) {{\n        {told}\n    }}"
    lines = [
        f"static {method.result} WINAPI {method.interface}_{method.name}_({parameters})\n{{\n    Call call;",
        f"{method.interface} *real = ((Object *)self)->real;",
        before,
        f"enter(&call, {method.id}, real);",
        *(_given(a) for a in method.arguments),
        "entered(&call);",
        f"{'' if is_void else f'{method.result} result = '}real->lpVtbl->{method.name}({', '.join(['real', *passed])});",
        told,
        "" if is_void else _put_result(method),
        "left(&call);",
        _wrapped(method),
        _kept(method),
        after,
        "done(&call);",
        "" if is_void else "return result;",
    ]
    return "\n    ".join(line for line in lines if line) + "\n}\n"


# ---- tables --------------------------------------------------------------------------------------------------------


def _names(label: str, name: str, members: list[str]) -> str:
    listed = ", ".join(f'"{m}"' for m in members) or "NULL"
    return f"static const char *const {label}[] = {{{listed}}};"


def _signatures(every: list[Method]) -> Iterator[str]:
    rows = [("memcpy", ["dest", "src", "n"], 0), ("Direct3DCreate8", ["SDKVersion"], 1)]
    rows += [(f"{m.interface}::{m.name}", ["this", *(a.name for a in m.arguments)], int(m.is_kept)) for m in every]
    for i, (name, arguments, _) in enumerate(rows):
        yield _names(f"f{i}", name, arguments)
    yield "const Signature functions[] = {"
    yield from (f'    {{"{name}", {len(words)}, f{i}, {kept}}},' for i, (name, words, kept) in enumerate(rows))
    yield "};"
    structs = [*STRUCTURES, "D3DCAPS8"]
    for name in structs:
        yield _names(f"s_{name}", name, [m.name for m in _members(name)])
    yield _names("s_D3DMATRIX", "D3DMATRIX", ["m"])
    yield "const Signature structs[] = {"
    yield from (f'    {{"{n}", sizeof s_{n} / sizeof *s_{n}, s_{n}, 0}},' for n in [*structs, "D3DMATRIX"])
    yield "};"


def _words(label: str, names: tuple[str, ...]) -> Iterator[str]:
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


def header() -> str:
    """calls.h."""
    every = methods()
    functions = ["F_memcpy", "F_Direct3DCreate8", *(m.id for m in every)]
    return "\n".join([
        '#include "trace.h"',
        f"enum {{ {', '.join(functions)} }};",
        f"enum {{ {', '.join(f'S_{n}' for n in (*STRUCTURES, 'D3DCAPS8', 'D3DMATRIX'))} }};",
        f"enum {{ {', '.join(f'E_{n}' for n in ENUMS)} }};",
        f"enum {{ {', '.join(f'M_{n}' for n in MASKS)} }};",
        "extern const unsigned char render_classes[256], stage_classes[64];",
        "void after_Release(Object *self, ULONG result);",
        "void after_Present(Object *self);",
        "void after_SetLOD(Object *self, const Call *call);",
        *(line for method in every for line in prototypes(method)),
        "",
    ])  # fmt: skip


def source() -> str:
    """calls.c."""
    every = methods()
    parts = ['#include "calls.h"\n', *structures(), *map(function, every), *_signatures(every), *_words("enums", ENUMS)]
    parts += _words("masks", MASKS)
    for interface in INTERFACES:
        entries = ", ".join(f"{m.interface}_{m.name}_" for m in every if m.interface == interface)
        parts.append(f"static const {interface}Vtbl table_{interface} = {{{entries}}};")
    kinds = ", ".join(f"[K_{name.removeprefix('IDirect3D')}] = &table_{name}" for name in INTERFACES)
    parts.append(f"const void *const tables[K_unknown] = {{{kinds}}};")
    rows = ", ".join(f"{{{f.id}u, {f.block[0]}, {f.block[1]}, {f.block[2]}}}" for f in FORMATS.values())
    parts.append(f"const Layout layouts[] = {{{rows}}};\nconst int layout_count = {len(FORMATS)};")
    parts.append(_classes("render_classes", 256, RENDER_STATE_ID, PIXEL_RENDER_STATES, VERTEX_RENDER_STATES))
    parts.append(_classes("stage_classes", 64, TEXTURE_STAGE_STATE_ID, PIXEL_STAGE_STATES, VERTEX_STAGE_STATES))
    return "\n".join(parts) + "\n"
