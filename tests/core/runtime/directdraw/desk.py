"""A DirectDraw object on the emulated driver, and scripted calls on it."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.ddi.driver.emulated import EmulatedDriver
from core.runtime.calls.interfaces7 import FUNCTIONS7
from core.runtime.calls.structs import RECT, STRUCTS
from core.runtime.calls.structs7 import DDBLTFX, DDCOLORKEY, DDPIXELFORMAT, DDSCAPS2, DDSURFACEDESC2, STRUCTS7
from core.runtime.runtime import Runtime
from core.runtime.script.script import Array, Pointer, Script

OFFSCREEN, PRIMARY, COMPLEX, FLIP, BACK = 0x40, 0x200, 8, 0x10, 4
CAPS, SIZE, BUFFERS, FORMAT = 1, 6, 0x20, 0x1000
RGB32 = DDPIXELFORMAT(32, 0x40, 0, 32, 0xFF0000, 0, 0xFF00, 0, 0xFF, 0)
P8 = DDPIXELFORMAT(32, 0x60, 0, 8)
S = "IDirectDrawSurface7::"


class Desk:
    """A DirectDraw object and calls on it."""

    def __init__(self) -> None:
        self.driver = EmulatedDriver()
        self.named: list[tuple[int, int]] = []
        self.runtime = Runtime(self.driver, pointer_sink=lambda _, pointer, handle: self.named.append((pointer, handle)))
        self.script = Script(self.runtime, FUNCTIONS7 | {"memcpy": ("dest", "src", "n")}, (*STRUCTS, *STRUCTS7))
        self.draw = self.made("DirectDrawCreateEx", None, ..., None, None)

    def made(self, name: str, *args: Any) -> Pointer:
        """Calls what makes an object: its address goes where ... stands."""
        pointer = self.script.new_pointer()
        self.script.call(name, *(Array([pointer]) if arg is ... else arg for arg in args))
        return pointer

    def surface(
        self, caps: int, width: int = 4, height: int = 2, form: DDPIXELFORMAT | None = RGB32, buffers: int = 0
    ) -> Pointer:
        flags = CAPS | (FORMAT if form else 0) | (SIZE if width else 0) | (BUFFERS if buffers else 0)
        desc = DDSURFACEDESC2(124, flags, height, width, 0, buffers, 0, 0, DDCOLORKEY(), form or RGB32, DDSCAPS2(caps))
        return self.made("IDirectDraw7::CreateSurface", self.draw, Array([desc]), ..., None)

    def write(self, surface: Pointer, rows: Any, kind: str = "<u4") -> None:
        """Lock, the tracer's memcpy, Unlock."""
        data = np.array(rows, kind)
        memory = self.script.new_memory(data.nbytes)
        desc = DDSURFACEDESC2(lPitch=data.strides[0], lpSurface=memory)
        self.script.call(S + "Lock", surface, None, Array([desc]), 1, None)
        self.script.call("memcpy", memory, data.tobytes(), data.nbytes)
        self.script.call(S + "Unlock", surface, None)

    def blt(self, to: Pointer, box: Any, source: Pointer | None, area: Any, flags: int, fx: DDBLTFX | None = None) -> None:
        rects = [Array([RECT(*rect)]) if rect else None for rect in (box, area)]
        self.script.call(S + "Blt", to, rects[0], source, rects[1], int(flags), Array([fx]) if fx else None)

    def words(self, surface: Pointer, kind: str = "<u4") -> list[list[int]]:
        """The stored pixels."""
        handle = [handle for pointer, handle in self.named if pointer == surface][-1]
        rows, form = self.driver.read(handle)
        part = self.driver.device.memory.part(handle)
        assert part is not None
        return np.ascontiguousarray(rows[:, : part.width * form.bits // 8]).view(kind).tolist()

    @property
    def said(self) -> list[str]:
        return [found.text for _, found in self.runtime.findings]
