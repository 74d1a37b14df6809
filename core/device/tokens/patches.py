"""DRAWRECTPATCH and DRAWTRIPATCH: patches sent with the token or kept under a handle (DX8 DDI, "Drawing patches").

Handle 0: drawn once.  Another handle with information: read from the current streams and kept, whatever it named before.
A handle without information: what is kept under it, whatever the streams are now; nothing when there is no such patch of the
token's kind ("specified by an earlier D3DDP2OP_DRAWRECTPATCH", or DRAWTRIPATCH).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.device.registers.records import fields, part
from core.errors import BadInput
from core.pipeline.vertex.patch import RectPatch, TriPatch, read_rect_patch, read_tri_patch
from core.spec.enums import PatchFlag
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.device.device import CommandBuffer, Device
    from core.device.lane.drawing import Drawing


def draw_patch(drawing: Drawing, stream: CommandBuffer, record: Any, seq: int) -> None:
    """DRAWRECTPATCH, DRAWTRIPATCH {handle, flags} segment counts, information."""
    device, offset = drawing.device, int(record["offset"])
    handle, flags = fields(stream, record)
    edges = 4 if record["op"] == Op["DRAWRECTPATCH"] else 3
    segments = list(part(stream, record, "segments").segments) if flags & PatchFlag.HASSEGS else None
    read = None
    try:
        if flags & PatchFlag.HASINFO:
            info = part(stream, record, "info", 4 * edges if flags & PatchFlag.HASSEGS else 0)
            patch, read = _read(drawing, stream, seq, offset, info, edges)
        else:
            patch = _kept(device, handle, edges)
        if flags & PatchFlag.HASINFO and handle and patch is not None:
            device.context.patches[handle] = patch
        if flags & PatchFlag.HASINFO and patch is not None and patch.outside:
            device.find("vertex-range", seq, f"{patch.outside} vertex elements are outside their stream", offset)
        if patch is not None:
            drawing.draw_patch(stream, seq, offset, patch, segments, edges, read)
        elif not flags & PatchFlag.HASINFO:
            device.find("bad-patch", seq, f"patch {handle} is undefined and no information is given", offset)
    except BadInput as error:
        device.find("bad-patch", seq, str(error), offset)


def _kept(device: Device, handle: int, edges: int) -> Any:
    """The patch with this many edges that is kept under a handle; None if there is none."""
    patch = device.context.patches.get(handle)
    return patch if patch is not None and patch.edges == edges else None


def _read(drawing: Drawing, stream: CommandBuffer, seq: int, offset: int, info: tuple, edges: int) -> tuple[Any, Any]:
    """The patch that the information describes, and the current streams that it is from; None without a vertex format."""
    layout, vector = drawing.layout(seq, offset), drawing.device.registers.vector
    if layout is None:
        return None, None
    streams = drawing.streams(stream, layout)
    if edges == 4:
        return read_rect_patch(vector, layout, streams, RectPatch(*info)), streams
    return read_tri_patch(vector, layout, streams, TriPatch(*info)), streams
