"""What draws of DirectX 6 and 7 read of the vertex buffer of their call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.device.registers.records import fields, header, payload
from core.pipeline.vertex.assemble import reference_count
from core.spec.enums import Dp2Flag, PrimitiveType
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.ddi.calls import DdiCall
    from core.device.device import CommandBuffer

CONSECUTIVE = {
    Op["LINELIST"]: PrimitiveType.LINELIST,
    Op["LINESTRIP"]: PrimitiveType.LINESTRIP,
    Op["TRIANGLELIST"]: PrimitiveType.TRIANGLELIST,
    Op["TRIANGLESTRIP"]: PrimitiveType.TRIANGLESTRIP,
    Op["TRIANGLEFAN"]: PrimitiveType.TRIANGLEFAN,
}
INDEXED = tuple(
    Op[f"INDEXED{name}"] for name in ("LINELIST", "LINELIST2", "LINESTRIP", "TRIANGLELIST2", "TRIANGLESTRIP", "TRIANGLEFAN")
)
FLAGGED = Op["INDEXEDTRIANGLELIST"]  # three indices and flags
OLD_DRAWS = (Op["POINTS"], *CONSECUTIVE, *INDEXED, FLAGGED)


class Given(NamedTuple):
    """The vertices of a call: their buffer (0: none), where vertex 0 is in it and how far it is to the next."""

    buffer: int
    stride: int
    offset: int


def given(call: DdiCall) -> Given:
    """The vertices of a DrawPrimitives2, whose arguments the driver has accepted."""
    flags, *rest = (call.args.get(name, 0) for name in ("flags", "vertex_buffer", "vertex_size", "vertex_offset"))
    return Given(0, 0, 0) if flags & Dp2Flag.USERMEMVERTICES else Given(*rest)


def numbered(stream: CommandBuffer, record: Any) -> tuple[int, int, np.ndarray | None]:
    """(first, past the last, int64[n] of those in between if not all) of the vertices that one of OLD_DRAWS names."""
    op, token, count = int(record["op"]), fields(stream, record), int(record["count"])
    start = getattr(token, "start", 0)
    if op == Op["POINTS"] or op in CONSECUTIVE:
        return start, start + (token.count if op == Op["POINTS"] else reference_count(CONSECUTIVE[Op(op)], count)), None
    words = payload(stream, record, int(record["size"]) - header(record))
    words = words[: len(words) // 2 * 2].view("<u2")
    names = np.unique(words[: len(words) // 4 * 4].reshape(-1, 4)[:, :3] if op == FLAGGED else words).astype(np.int64) + start
    return (int(names[0]), int(names[-1]) + 1, names) if len(names) else (0, 0, None)
