"""Calls of ddraw.dll: any method with any arguments, and recorded traces whose bytes were changed, imported and asked.

A case is JSON.  {"calls": [[name, arguments, result], ...]}: arguments are numbers, null, {"p": address}, {"b": bytes in hex},
{"a": values pointed to}, {"s": [structure, members ...]}.  {"trace": file, "version": n, "edits": [[place, byte], ...],
"length": n}: a trace of the captures folder; without the folder such a case does nothing.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from core.errors import BadInput
from core.runtime.calls.interfaces6 import INTERFACES6
from core.runtime.calls.interfaces7 import FUNCTIONS7, INTERFACES7
from core.runtime.calls.structs import RECT, STRUCTS
from core.runtime.calls.structs7 import STRUCTS7
from core.runtime.d3d7 import MADE, STRUCT_OF
from core.runtime.runtime import Runtime
from core.runtime.script.script import Array, Pointer, Script, members_of
from inspector.imports import import_trace
from inspector.imports.containers import Container
from inspector.tape import TapeWriter
from tests.conftest import CAPTURES
from tests.fuzz.inputs import Harness, main
from tests.inspector.imports import trace_file

KINDS = {cls.__name__: cls for cls in (*STRUCTS, *STRUCTS7)}
FUNCTIONS = FUNCTIONS7 | {"memcpy": ("dest", "src", "n")}
NAMES = sorted(FUNCTIONS)
SMALL = (0, 1, 2, 3, 4, 5, 7, 8, 16, 23, 31, 32, 64, 137, 255)
FLAGS = (
    0x12,
    0x40,
    0x42,
    0x112,
    0x142,
    0x144,
    0x1C4,
    0x1E2,
    0x400,
    0x800,
    0x1000,
    0x2218,
    0x8000,
    0x10000,
    0x421008,
    0x1000000,
    0x2000000,
)
WILD = (65535, 65536, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 40, -1, -5, 1 << 63)
FLOATS = (0.0, 1.0, -1.0, 0.5, 640.0, 1e-30, 3e38, float("inf"), float("nan"), 1e9)
RESULTS = (0, 0, 0, 0, 0, 0, 0, 1, 0x88760245, 0x887601C2, -2005532098)
RGB32 = ["DDPIXELFORMAT", 32, 0x40, 0, 32, 0xFF0000, 0, 0xFF00, 0, 0xFF, 0]
D16 = ["DDPIXELFORMAT", 32, 0x400, 0, 16, 0, 0, 0, 0xFFFF]
FIRST = 0x1000
BROUGHT = {
    **MADE, "ppvObj": "", "lplpDirect3DLight": "IDirect3DLight",
    **{f"lplpD3DDevice{version}": f"IDirect3DDevice{version}" for version in (2, 3)},
    **{f"lplpDirect3DMaterial{version}": f"IDirect3DMaterial{version}" for version in ("", 2, 3)},
    **{f"lplpD3DViewport{version}": f"IDirect3DViewport{version}" for version in ("", 2, 3)},
}  # fmt: skip
"""The interface of what an argument brings; "": any."""
INTERFACES = sorted(INTERFACES6 | INTERFACES7)


def surface(caps: int, width: int, height: int, form: list[Any], buffers: int = 0, levels: int = 0) -> dict[str, Any]:
    """A DDSURFACEDESC2 pointer."""
    flags = 1 | (6 if width else 0) | 0x1000 | (0x20 if buffers else 0) | (0x20000 if levels else 0)
    desc = ["DDSURFACEDESC2", 124, flags, height, width, 0, buffers, levels, 0, {"s": ["DDCOLORKEY"]}, {"s": form}]
    return {"a": [{"s": [*desc, {"s": ["DDSCAPS2", caps]}]}]}


class Program:
    """Calls made at random, and the addresses that they may have brought."""

    def __init__(self, chooser: random.Random) -> None:
        self.chooser, self.calls = chooser, []  # type: tuple[random.Random, list[Any]]
        self.held: dict[str, list[int]] = {}
        self.next = FIRST

    def new(self, interface: str) -> dict[str, Any]:
        """A pointer to an address that nothing had so far."""
        self.next += 0x100
        self.held.setdefault(interface, []).append(self.next)
        return {"a": [{"p": self.next}]}

    def one(self, interface: str, last: bool = False) -> dict[str, Any]:
        """An address of an interface; without one, and sometimes otherwise, any."""
        known = self.held.get(interface, []) if last or self.chooser.random() < 0.9 else []
        known = known or [place for places in self.held.values() for place in places] or [FIRST]
        return {"p": known[-1] if last else self.chooser.choice(known)}

    def do(self, name: str, *args: Any, result: int = 0) -> None:
        self.calls.append([name, list(args), result])

    def begin(self) -> None:
        """What most calls need: a screen, a device of some version, a texture, a buffer, a viewport, a light, a material."""
        version = self.chooser.choice((7, 7, 3, 2))
        self.do("DirectDrawCreateEx", None, self.new("IDirectDraw7"), None, None)
        draw = self.one("IDirectDraw7", True)
        for caps, width, form, buffers, levels in (
            (0x2218, 0, RGB32, 1, 0), (0x2040, 64, RGB32, 0, 0), (0x20000, 64, D16, 0, 0), (0x401008, 32, RGB32, 0, 0),
            (0x40, 32, RGB32, 0, 0),
        ):  # fmt: skip
            made = surface(caps, width, width, form, buffers, levels)
            self.do("IDirectDraw7::CreateSurface", draw, made, self.new("IDirectDrawSurface7"), None)
        target, depth = ({"p": place} for place in self.held["IDirectDrawSurface7"][1:3])
        self.do("IDirectDrawSurface7::AddAttachedSurface", target, depth)
        self.do("IDirectDraw7::QueryInterface", draw, None, self.new("IDirect3D7"))
        for number in ("", *map(str, (2, 3))):
            self.held[f"IDirect3D{number}"] = self.held["IDirect3D7"]
        d3d, device = self.one("IDirect3D7", True), self.new(f"IDirect3DDevice{version}")
        self.do(f"IDirect3D{version}::CreateDevice", d3d, None, target, device, *[None] * (version == 3))
        if version < 7:
            self.do("IDirect3D3::CreateViewport", d3d, self.new("IDirect3DViewport3"), None)
            viewport = self.one("IDirect3DViewport3", True)
            self.do(f"IDirect3DDevice{version}::AddViewport", device["a"][0], viewport)
            area = {"a": [{"a": [44, 0, 0, 64, 64, -1.0, 1.0, 2.0, 2.0, 0.0, 1.0]}]}
            self.do("IDirect3DViewport3::SetViewport2", viewport, area)
            self.do(f"IDirect3DDevice{version}::SetCurrentViewport", device["a"][0], viewport)

    def number(self) -> int | float:
        pool = self.chooser.random()
        if pool < 0.05:
            return self.chooser.choice(FLOATS)
        return self.chooser.choice(SMALL if pool < 0.6 else FLAGS if pool < 0.93 else WILD)

    def structure(self, cls: type) -> dict[str, Any]:
        """A structure of numbers that may do."""
        members: list[Any] = []
        for _, kind in members_of(cls):
            if kind is float:
                members.append(self.chooser.choice(FLOATS))
            else:
                members.append(self.number() if kind is int else self.structure(kind))
        if cls is RECT and self.chooser.random() < 0.8:
            left, top = self.chooser.randrange(40), self.chooser.randrange(40)
            members = [left, top, left + self.chooser.randrange(30), top + self.chooser.randrange(30)]
        return {"s": [cls.__name__, *members]}

    def pointed(self) -> dict[str, Any]:
        """A pointer to a few numbers, or to a structure of them."""
        count = self.chooser.choice((1, 1, 2, 4, 6, 11, 16, 17, 20))
        values = [self.chooser.choice((self.number(), self.chooser.choice(FLOATS))) for _ in range(count)]
        return {"a": [{"a": values}] if self.chooser.random() < 0.7 else values}

    def argument(self, name: str) -> Any:
        """A value that an argument of this name may have."""
        chooser = self.chooser
        if chooser.random() < 0.04:
            return chooser.choice((None, self.number(), self.pointed(), {"b": "00ff"}, {"p": 0x77}))
        if name in BROUGHT:
            return self.new(BROUGHT[name] or chooser.choice(INTERFACES))
        if name in STRUCT_OF:
            return {"a": [self.structure(STRUCT_OF[name])]} if chooser.random() < 0.8 else None
        if name == "lpD3DVertBufDesc":
            return {
                "a": [
                    {"a": [16, chooser.choice((0, 0x800, 0x10000)), chooser.choice(FLAGS), chooser.choice((3, 4, 64, *WILD))]}
                ]
            }
        if name in ("lpvVertices", "lpVertices"):
            return {"b": chooser.randbytes(chooser.choice((0, 32, 96, 128, 320))).hex()}
        if name in ("lpwIndices", "lpIndex", "lpIndices"):
            return {"b": bytes(chooser.choice((0, 1, 2, 3, 200)) for _ in range(chooser.choice((0, 12, 24)))).hex()}
        if any(word in name for word in ("Surface", "DDS", "Texture", "Tex", "Target")) and not name.startswith(("lplp", "dw")):
            return self.one("IDirectDrawSurface7") if chooser.random() < 0.9 else None
        for word in ("Palette", "Clipper", "Viewport", "Light", "Material", "Device", "VertexBuffer", "Buffer", "Buf"):
            if word in name and not name.startswith(("lplp", "dw")):
                return self.one(next((one for one in self.held if word[:6] in one), "IDirectDrawSurface7"))
        if name.startswith(("lp", "p", "rect")):
            return self.pointed() if chooser.random() < 0.8 else None
        return self.number()

    def go_on(self) -> None:
        """One more call, of an object that may have the method."""
        made = [f"{interface}::" for interface, places in self.held.items() if places]
        prefix = self.chooser.choice(made)
        name = self.chooser.choice(
            [name for name in NAMES if name.startswith(prefix)] if self.chooser.random() < 0.95 else NAMES
        )
        interface = name.partition("::")[0]
        args = [self.one(interface) if word == "this" else self.argument(word) for word in FUNCTIONS[name]]
        self.do(name, *args, result=self.chooser.choice(RESULTS))


def some_calls(chooser: random.Random) -> dict[str, Any]:
    program = Program(chooser)
    program.begin()
    for _ in range(chooser.choice((10, 40))):
        program.go_on()
    if chooser.random() < 0.1:
        chooser.shuffle(program.calls)
    return {"calls": program.calls}


def some_trace(chooser: random.Random) -> dict[str, Any]:
    """Places as parts of the whole, so that a case means the same whatever the size."""
    edits = [[chooser.random(), chooser.randrange(256)] for _ in range(chooser.choice((0, 1, 1, 3, 12)))]
    length = chooser.random() if chooser.random() < 0.15 else 1.0
    version = chooser.choice((None, None, None, None, 4, 5, 7, 0))
    return {"trace": chooser.random(), "version": version, "edits": edits, "length": length}


def make(chooser: random.Random) -> bytes:
    return json.dumps(some_calls(chooser) if chooser.random() < 0.75 else some_trace(chooser)).encode()


def value_of(encoded: Any) -> Any:
    """An argument as a script takes it."""
    if not isinstance(encoded, dict):
        return encoded
    ((kind, held),) = encoded.items()
    if kind == "p":
        return Pointer(held)
    if kind == "b":
        return bytes.fromhex(held)
    if kind == "a":
        return Array(value_of(one) for one in held)
    return KINDS[held[0]](*(value_of(one) for one in held[1:]))


def run_calls(calls: list[Any]) -> None:
    """As a recorded program: what cannot be is a finding."""
    runtime = Runtime(EmulatedDriver())
    script = Script(runtime, FUNCTIONS, (*STRUCTS, *STRUCTS7))
    for name, args, result in calls:
        try:
            values = [value_of(one) for one in args]
            script.call(name, *values, result=result)
        except BadInput:  # what no trace can hold
            continue
    runtime.finish()
    assert all(found.text for _, found in runtime.findings)


def run_trace(case: dict[str, Any], folder: Path) -> None:
    files = sorted((CAPTURES / "d3d7" / "tests").glob("*.trace"))
    if not files:
        return
    data = bytearray(whole(files[int(case["trace"] * len(files))]))
    for place, byte in case["edits"]:
        data[int(place * len(data))] = byte
    if case["version"] is not None:
        data[0] = case["version"]
    trace, kept = folder / "a.trace", folder / "a.ddicap"
    trace.write_bytes(trace_file.snappy(bytes(data[: int(case["length"] * len(data))])))
    kept.unlink(missing_ok=True)
    with TapeWriter(kept, durable=False) as writer:
        import_trace(trace, writer)
    with inspector.open(kept) as capture:
        last = len(capture.events) - 1
        for event in (last, last // 2) if last >= 0 else ():
            capture.image(event)
            capture.state(event)
        assert all(finding.text for finding in capture.findings)


def whole(path: Path) -> bytes:
    """What a trace's container holds."""
    with Container(path) as container:
        return b"".join(container)


def run(data: bytes, folder: Path) -> None:
    case = json.loads(data)
    if "calls" in case:
        run_calls(case["calls"])
    else:
        run_trace(case, folder)


HARNESS = Harness("ddraw", make, run, 24, 10.0)

if __name__ == "__main__":
    main(HARNESS)
