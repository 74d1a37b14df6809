"""A driver with a context, a render target and a depth buffer: what tests of its entry points work with."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream import dp2
from core.spec.formats import FORMAT_BY_NAME
from core.spec.subresource import Where

CONTEXT, TARGET, DEPTH = 1, 10, 11
CLEAR_TARGET, CLEAR_DEPTH, CLEAR_STENCIL, COMPUTE = 1, 2, 4, 8


class Machine:
    """A driver with a context, a 100 x 80 render target and a depth buffer."""

    def __init__(self, color: str = "X8R8G8B8", depth: str = "D24S8", size: tuple[int, int] = (100, 80), **more: Any) -> None:
        self.driver = EmulatedDriver()
        self.surface(TARGET, color, *size, label="render_target", **more)
        self.surface(DEPTH, depth, *size, label="depth", **more)
        self(
            "ContextCreate",
            context=CONTEXT,
            render_target=TARGET,
            depth_stencil=DEPTH,
            width=size[0],
            height=size[1],
            windowed=1,
        )

    def __call__(self, entry: str, data: dict[str, Any] | None = None, expect: int = 0, **args: Any) -> DdiCall:
        call = self.driver.call(DdiCall(entry, args, data or {}))
        assert call.result == expect, (hex(call.result), [f.text for f in self.driver.findings])
        return call

    def surface(self, handle: int, format: str, width: int, height: int, **more: Any) -> DdiCall:
        return self("CreateSurface", handle=handle, width=width, height=height, format=FORMAT_BY_NAME[format].id, **more)

    def fill(self, handle: int, contents: np.ndarray, box: Any = None, pitch: int = 0) -> None:
        self("Lock", handle=handle, box=box, flags=0)
        args = {"pitch": pitch} if pitch else {}
        self("Unlock", {"contents": np.ascontiguousarray(contents).tobytes()}, handle=handle, box=box, **args)

    def draw(self, *tokens: tuple, expect: int = 0, **args: Any) -> DdiCall:
        stream = bytearray()
        for op, items, *fields in tokens:
            dp2.emit(stream, op, items, **(fields[0] if fields else {}))
        return self("DrawPrimitives2", {"commands": bytes(stream)}, expect, context=CONTEXT, command_length=len(stream), **args)

    def clear(self, flags: int, rects: list, color: int = 0, depth: float = 1.0, stencil: int = 0) -> DdiCall:
        return self.draw(("CLEAR", rects, {"flags": flags, "color": color, "depth": depth, "stencil": stencil}))

    def pixels(self, where: Where = "render_target") -> np.ndarray:
        rows, format = self.driver.read(where)
        return rows.view(f"<u{format.bits // 8}")


def picture(width: int, height: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 1 << 32, (height, width), dtype=np.uint32)
