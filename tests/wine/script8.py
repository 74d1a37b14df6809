"""Programs of core.runtime.d3d8 as scripts for player8.c."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.ddi.driver.emulated import EmulatedDriver
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, Direct3DCreate8
from core.runtime.objects import View
from core.runtime.script.resources8 import Locked, ResourceInterface
from core.spec.formats import FORMATS
from tests.wine.script7 import Command, Kind, Recorder, data, words

HANDLES = {("CreateVertexShader", 2), ("CreatePixelShader", 1), ("CreateStateBlock", 1), ("EndStateBlock", 0)}
"""Arguments that bring a number by which later calls name what was made."""
KEEPERS = {"SetVertexShader", "SetPixelShader", "DeleteVertexShader", "DeletePixelShader", "ApplyStateBlock",
           "CaptureStateBlock", "DeleteStateBlock"}  # fmt: skip
KINDS = {"cube": 1, "volume": 2, "surface": 3, "vertex": 4, "index": 5}  # else 0: a texture


class Recorder8(Recorder):
    """A program of Direct3D 8 on ours, and the same as a script."""

    player, libraries = "player8.c", ()

    def _begin(self) -> None:
        """A device on a window of 64 x 48; software: the runtime processes vertices."""
        self.handles: dict[int, int] = {}
        self.is_software = False
        self.d3d = Direct3DCreate8(EmulatedDriver())
        self.desk: Any = self.d3d._desk

    def device(self, software: bool = False) -> Any:
        """The device of the program."""
        self.is_software = software
        made = self.d3d.CreateDevice(0, 1, 0, 0x20 if software else 0x40, D3DPRESENT_PARAMETERS(64, 48))
        self.first = self._slot(made.pointer)
        self._call, self.desk.script.call = self.desk.script.call, self._note
        return made

    # ---- what is recorded ------------------------------------------------------------------------

    def _note(self, name: str, *args: Any, result: int = 0) -> Any:
        return super()._note(name, *(one() if callable(one) else one for one in args), result=result)

    def _locked(self, interface: str, args: tuple[Any, ...]) -> None:
        self.locked[int(args[0])] = (self._slot(args[0]), args[1:-3], args[-1])

    def _argument(self, interface: str, method: str, n: int, value: Any, args: tuple[Any, ...]) -> bytes:
        if (method, n) in HANDLES:
            return words(Kind.NUMBER_MADE, self.handles.setdefault(value[0], len(self.handles) + 1))
        if method in KEEPERS and n == 0 and value in self.handles:
            return words(Kind.KEPT_NUMBER, self.handles[value])
        return super()._argument(interface, method, n, value, args)

    def _written(self, interface: str, pointer: int) -> int:
        slot, place, flags = self.locked.pop(int(pointer))
        resource = self._resource(pointer)
        kind, whole = KINDS.get(resource.kind, 0), np.frombuffer(self.written, np.uint8)
        if kind > 3:
            return self._add("write buffer", words(Command.WRITE_BUFFER, slot, flags) + data(whole.tobytes()))
        face, level = place if kind == 1 else (0, place[0] if place else 0)
        width, height, depth = resource.size(level)
        format = FORMATS[resource.format]
        pitch, rows, size = format.pitch(width), format.row_count(height), -(-width // format.block[0]) * format.block[2]
        lines = np.zeros((depth * rows, pitch), np.uint8)
        lines.reshape(-1)[: len(whole)] = whole
        given = lines[:, :size].tobytes()
        asked = words(Command.WRITE, slot, kind, face, level, rows, size, depth)
        return self._add("write", asked + given + bytes(-len(given) % 4))

    def _resource(self, pointer: int) -> Any:
        thing = self.desk.runtime.objects[int(pointer)]
        return thing.resource if isinstance(thing, View) else thing

    # ---- what programs use -------------------------------------------------------------------------

    def read(self, thing: ResourceInterface) -> None:
        """What a target or a level holds: copied to an image."""
        resource, (face, level) = thing.resource, thing._key()  # type: ignore[attr-defined]
        (width, height, _), format = resource.size(level), FORMATS[resource.format]
        self.desk.runtime.flush()
        part = self.desk.runtime.driver.part(resource.handle + resource.subresource(face, level))
        size = -(-width // format.block[0]) * format.block[2]
        held = part.linear().reshape(part.rows, part.pitch)[:, :size].copy()
        asked = words(Command.READ, self.slots[int(thing.pointer)], width, height, format.id, *held.shape)
        self._add("read", asked, held.size)
        self.reads[len(self.commands) - 1] = held
        self.formats[len(self.commands) - 1] = format.id

    def read_buffer(self, thing: Any, size: int) -> np.ndarray:
        """What a vertex buffer holds: uint8[size]."""
        held = np.array(thing.Lock(0, size, 0), copy=True)
        self.locked.pop(int(thing.pointer))
        locked: Locked = thing._locks.pop((0, 0))
        self._call("IDirect3DVertexBuffer8::Unlock", thing.pointer)
        assert len(locked.whole) == size
        self._add("read buffer", words(Command.READ_BUFFER, self.slots[int(thing.pointer)], 0, size), size)
        self.reads[len(self.commands) - 1] = held
        return held

    def script(self) -> bytes:
        return words(self.first, self.is_software) + b"".join(self.parts) + words(0)
