"""Tokens that change memory: TEXBLT, VOLUMEBLT, BUFFERBLT, CLEAR."""

from __future__ import annotations

from typing import Any

from core.cancel import look
from core.device.device import CommandBuffer, Device
from core.device.memory import transfer
from core.device.memory.surfaces import Surface, SurfacePart
from core.device.registers.records import fields, payload
from core.pipeline.surface import clear as clearing
from core.spec.enums import ClearFlag
from core.spec.tokens import TOKENS, Op

RECTANGLE = TOKENS[Op["CLEAR"]].item_dtype


def texture_blit(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """TEXBLT {destination, source, point, rectangle, flags}: all common levels. Destination 0: preload, nothing to do."""
    blit = fields(stream, record)
    _copy_texture(device, record, seq, blit.destination, blit.source, (*blit.rect, 0, 1), (*blit.point, 0))


def volume_blit(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """VOLUMEBLT {destination, source, x, y, z, box, flags}."""
    blit = fields(stream, record)
    _copy_texture(device, record, seq, blit.destination, blit.source, blit.box, (blit.x, blit.y, blit.z))


def _copy_texture(device: Device, record: Any, seq: int, destination: int, source: int, box: transfer.Box,
                  point: tuple[int, int, int]) -> None:  # fmt: skip
    if destination == 0 or not device.draws:
        return
    to, given = device.memory.owner(destination), device.memory.owner(source)
    if to is None or given is None:
        device.find("bad-handle", seq, f"no surface {destination if to is None else source}", int(record["offset"]))
        return
    problem = _copy_problem(given, to, box, point)
    if problem:
        device.find("bad-blit", seq, problem, int(record["offset"]))
        return
    if device.checks and (beyond := _beyond(to[0].part(*to[1:]), box, point)):
        device.find("bad-blit", seq, beyond, int(record["offset"]))
    device.flush()
    for give, taken, take, target in transfer.common_levels(*given, *to, box, point):
        device.before_write(take, seq, target)
        transfer.copy(give, taken, take, target)


def _beyond(target: SurfacePart, box: transfer.Box, point: tuple[int, int, int]) -> str:
    """How far a copy reaches beyond its destination, where it is cut off; empty if it does not."""
    left, top, right, bottom, front, back = box
    end = tuple(at + size for at, size in zip(point, (right - left, bottom - top, back - front), strict=True))
    room = (target.width, target.height, max(target.depth, 1))
    if all(one <= most for one, most in zip(end, room, strict=True)):
        return ""
    return f"the copy reaches to {end} in a destination of {room}"


def _copy_problem(
    given: tuple[Surface, int, int], to: tuple[Surface, int, int], box: transfer.Box, point: tuple[int, ...]
) -> str:
    """Why this copy cannot be, or an empty string."""
    source, target = given[0], to[0]
    if source.format.id != target.format.id:
        return f"{source.format.name} into {target.format.name}: formats differ"
    if transfer.as_box(source.part(*given[1:]), box) is None:
        return f"box {box} is not within the source"
    if min(point) < 0:
        return f"destination {point}"
    width, height, _ = source.format.block
    if box[0] % width or box[1] % height or point[0] % width or point[1] % height:
        return f"box {box} to {point} does not start at a block of {source.format.name}"
    return ""


def buffer_blit(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """BUFFERBLT {destination, source, offset, {offset, size}, flags}."""
    blit = fields(stream, record)
    to, (start, size) = blit.offset, blit.range
    if blit.destination == 0 or not device.draws:
        return
    target, given = device.memory.buffers.get(blit.destination), device.memory.buffers.get(blit.source)
    if target is None or given is None:
        handle = blit.destination if target is None else blit.source
        device.find("bad-handle", seq, f"no buffer {handle}", int(record["offset"]))
    elif start + size > given.size or to + size > target.size:
        device.find("bad-blit", seq, f"{size} bytes from {start} to {to}: beyond the end", int(record["offset"]))
    else:
        chunk = given.bytes()[start : start + size].copy()
        target.write()[to : to + size] = chunk


# ---- clear --------------------------------------------------------------------------------------------------


def clear(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """CLEAR {flags, colour, depth, stencil} rectangles (semantics section 5)."""
    if not device.draws:
        return
    given, (flags, rects), offset = fields(stream, record), clear_of(device, stream, record), int(record["offset"])
    flags &= ~ClearFlag.COMPUTERECTS
    clear_rectangles(device, seq, flags, given.color, given.depth, given.stencil, rects, offset)


def clear_of(device: Device, stream: CommandBuffer, record: Any) -> tuple[int, list[list[int]]]:
    """Flags and rectangles (left, top, right, bottom) of a CLEAR, the viewport's part of them if that is what it asks for."""
    flags = fields(stream, record).flags
    rects = payload(stream, record, RECTANGLE.itemsize * int(record["count"])).view(RECTANGLE)["rect"]
    return flags, _in_viewport(device, flags, rects.tolist())


def _in_viewport(device: Device, flags: int, rects: list[list[int]]) -> list[list[int]]:
    if not flags & ClearFlag.COMPUTERECTS:
        return rects
    x, y, width, height = (int(n) for n in device.registers.view["viewport"])
    view = x, y, x + width, y + height
    return [_intersection(view, rect) for rect in rects] if rects else [list(view)]


def clear_rectangles(device: Device, seq: int, flags: int, color: int, depth: float, stencil: int,
                     rects: list[list[int]], offset: int = -1) -> None:  # fmt: skip
    """Clears what the flags name, in each rectangle."""
    registers, rects = device.registers, _in_viewport(device, flags, rects)
    device.flush()
    if flags & ClearFlag.TARGET:
        target = device.memory.part(registers.render_target)
        if target is None:
            device.find("no-target", seq, "CLEAR of a render target, but none is set", offset)
        else:
            _fill_rects(device, seq, target, rects, clearing.color_value(target.format, color), 0xFFFFFFFF, offset)
    if flags & (ClearFlag.ZBUFFER | ClearFlag.STENCIL):
        surface = device.memory.part(registers.depth_stencil)
        if surface is None:
            device.find("bad-clear", seq, "CLEAR of depth or stencil without a depth buffer", offset)
            return
        value, mask = clearing.depth_stencil_value(
            surface.format, depth if flags & ClearFlag.ZBUFFER else None, stencil if flags & ClearFlag.STENCIL else None
        )  # fmt: skip
        full = clearing.depth_stencil_value(surface.format, 0, 0)[1]
        _fill_rects(device, seq, surface, rects, value, 0xFFFFFFFF if mask == full else mask, offset)


def _intersection(first: tuple[int, int, int, int], second: list[int]) -> list[int]:
    return [max(first[0], second[0]), max(first[1], second[1]), min(first[2], second[2]), min(first[3], second[3])]


def _fill_rects(
    device: Device, seq: int, part: SurfacePart, rects: list[list[int]], value: int, mask: int, offset: int
) -> None:
    whole = [0, 0, part.width, part.height]
    cut = [_intersection((left, top, right, bottom), whole) for left, top, right, bottom in rects]
    boxes = [(left, top, right, bottom, 0, 1) for left, top, right, bottom in cut if left < right and top < bottom]
    if not boxes:
        return
    device.before_write(part, seq, *boxes)
    cleared = device.cleared
    within = cleared[1] if cleared is not None and part.handle in cleared[0] else None
    for box in boxes:
        look()
        if not transfer.fill(part, box, value, mask, within):
            device.find("bad-format", seq, f"{part.format.name} cannot be cleared", offset)
