"""calls.h and calls.c: one C function per method of Direct3D 8, which writes the call down and passes it on.

Made of the rows of `arguments`, core.runtime.calls.interfaces and the rule book, when the DLL is built: nothing is kept that
could be out of date.  mingw-w64's d3d8.h declares the tables of methods, so the compiler refuses a wrong type or a missing one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.runtime.calls.interfaces import INTERFACES
from resources.tracer.arguments import AFTER, ARGUMENTS, BEFORE, EXCEPTIONS, NOTED, RESULTS, STATE
from resources.tracer.tables import (
    ENUM_TYPES,
    ENUMS,
    MASKS,
    STRUCTURES,
    layouts,
    signatures,
    structure_names,
    structures,
    words,
)

PLAIN = {"u": "DWORD", "n": "UINT", "f": "float", "bool": "BOOL", "mask": "DWORD", "handle": "DWORD"}
"""Types of numbers, by the kind of a row."""
SHARED = {"Release": "self, result, newest", "Present": "self", "SetLOD": "self, &call"}
"""Hooks that are one function for all interfaces, and what they are given."""
OWN_KIND = "*"


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
        kind = self._type()
        return f"{kind}{self.name}" if kind.endswith("*") else f"{kind} {self.name}"

    def _type(self) -> str:
        if self.kind in PLAIN:
            return PLAIN[self.kind]
        if self.kind == "blob":
            return "const DWORD *" if self.name == "pFunction" else "const void *"
        if self.kind == "enum":
            return ENUM_TYPES[self.what]
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


# ---- methods -------------------------------------------------------------------------------------------------------


def _put_structures(argument: Argument) -> str:
    """C that puts a structure or an array of them."""
    name, count = argument.name, argument.count or "1"
    return (
        f"if ({name}) {{\n        size_t n = {count};\n        put_array(&call, n);\n"
        f"        for (size_t i = 0; i < n; i++)\n            put_{argument.structure}(&call, &{name}[i]);\n    }} else\n"
        "        put_null(&call);"
    )


def _put_bytes(argument: Argument) -> str:
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
        text = _put_structures(argument)
    elif kind == "blob":
        text = _put_bytes(argument)
    else:
        return ""
    return f"put_argument(&call, {argument.index});\n    {text}"


PUT_OUT = {"u": "put_DWORD", "n": "put_UINT", "pointer": "put_pointer_at", "bool": "put_bool_at"}


def _got(argument: Argument) -> str:
    """C that puts what the call has written."""
    name = argument.name
    if argument.kind == "made":
        put = f"put_pointer(&call, *{name});"
    elif argument.kind in ("out", "inout"):
        put = f"{PUT_OUT.get(argument.what, f'put_{argument.what}')}(&call, {name});"
    else:
        return ""
    begin = f"put_argument(&call, {argument.index});"
    return f"if ({name}) {{\n            {begin}\n            put_array(&call, 1);\n            {put}\n        }}"


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
    if method.name == "Release":
        first = "DWORD newest = newest_serial();"
    if method.name not in AFTER:
        return first, ""
    if method.name in SHARED:
        return first, f"after_{method.name}({SHARED[method.name].replace('self', '(Object *)self')});"
    call = ["&call"] if method.interface in ("IDirect3DDevice8", "IDirect3D8") else []
    return first, f"after_{method.interface}_{method.name}({', '.join(['(Object *)self', *names, 'result', *call])});"


def prototypes(method: Method) -> Iterator[str]:
    parameters = [a.declared() for a in method.arguments]
    after = hooks(method)[1]
    if method.name in BEFORE:
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


def noted_prototype(method: Method) -> str:
    parameters = ", ".join(["Object *self", *(a.declared() for a in method.arguments)])
    return f"void note_{method.interface}_{method.name}({parameters})"


def noted(method: Method) -> str:
    """What keeps a call that nobody made."""
    keys = [*STATE[method.name], "0", "0"][:2]
    lines = [
        f"{noted_prototype(method)}\n{{\n    Call call;",
        f"enter(&call, {method.id}, self->real);",
        "call.on = 1;",
        *(_given(a) for a in method.arguments),
        "end_arguments(&call);",
        "HRESULT result = D3D_OK;",
        _put_result(method),
        "put_byte(&call, END);",
        f"note(&call, self, {keys[0]}, {keys[1]});",
        "done(&call);",
    ]
    return "\n    ".join(lines) + "\n}\n"


def noted_methods() -> list[Method]:
    return [method for method in methods() if method.interface == "IDirect3DDevice8" and method.name in NOTED]


# ---- files ----------------------------------------------------------------------------------------------------------


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
        "void after_Release(Object *self, ULONG result, DWORD newest);",
        "void after_Present(Object *self);",
        "void after_SetLOD(Object *self, const Call *call);",
        *(line for method in every for line in prototypes(method)),
        *(f"{noted_prototype(method)};" for method in noted_methods()),
        "",
    ])  # fmt: skip


def source() -> str:
    """calls.c."""
    every = methods()
    rows = [("memcpy", ["dest", "src", "n"], 0), ("Direct3DCreate8", ["SDKVersion"], 1)]
    rows += [(f"{m.interface}::{m.name}", ["this", *(a.name for a in m.arguments)], int(m.is_kept)) for m in every]
    parts = ['#include "calls.h"\n', *structures(), *map(function, every), *map(noted, noted_methods())]
    parts += [*signatures("functions", rows), *structure_names()]
    parts += [*words("enums", ENUMS), *words("masks", MASKS), *layouts()]
    for interface in INTERFACES:
        entries = ", ".join(f"{m.interface}_{m.name}_" for m in every if m.interface == interface)
        parts.append(f"static const {interface}Vtbl table_{interface} = {{{entries}}};")
    kinds = ", ".join(f"[K_{name.removeprefix('IDirect3D')}] = &table_{name}" for name in INTERFACES)
    parts.append(f"const void *const tables[K_unknown] = {{{kinds}}};")
    return "\n".join(parts) + "\n"
