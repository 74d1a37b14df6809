"""Driver calls as tests write them: any entry point, and DrawPrimitives2 made of tokens."""

from __future__ import annotations

from typing import Any

from core.ddi.calls import DdiCall
from core.ddi.stream import dp2

CONTEXT = 1


def call(entry: str, data: dict[str, Any] | None = None, **args: Any) -> DdiCall:
    """A call of a driver's entry point."""
    return DdiCall(entry, args, data or {})


def stream(*tokens: tuple) -> bytes:
    """A command buffer: (token, fields) each; fields "items" for several records."""
    out = bytearray()
    for op, fields in tokens:
        dp2.emit(out, op, **fields)
    return bytes(out)


def tokens(*items: tuple, vertices: bytes = b"", vertex_size: int = 20, context: int = CONTEXT) -> DdiCall:
    """A DrawPrimitives2 call: each item is (token, records[, fields]); `vertices` are in user memory."""
    stream = bytearray()
    for op, records, *fields in items:
        dp2.emit(stream, op, records, **(fields[0] if fields else {}))
    args = {"context": context, "command_length": len(stream), "vertex_size": vertex_size}
    data = {"commands": bytes(stream), "vertices": vertices}
    return call("DrawPrimitives2", data, vertex_length=len(vertices) // vertex_size, **args)
