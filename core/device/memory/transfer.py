"""Transfers: uploads and reads of boxes, copies between surfaces (Blt, TEXBLT, VOLUMEBLT) and between buffers, fills.

A box is (left, top, right, bottom, front, back) in texels.  Everything here expects what `box_within` has passed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from core.device.memory.surfaces import Surface, SurfacePart
from core.pipeline.surface import blit, clear

Box = tuple[int, int, int, int, int, int]


def whole(part: SurfacePart) -> Box:
    """The box of everything."""
    return 0, 0, part.width, part.height, 0, part.depth


def as_box(part: SurfacePart, box: object) -> Box | None:
    """A box as given in a call (None: everything; 4 or 6 numbers) if it lies within the subresource and is not empty."""
    if box is None:
        return whole(part)
    if not isinstance(box, (tuple, list)) or len(box) not in (4, 6):
        return None
    if not all(isinstance(n, (int, np.integer)) for n in box):
        return None
    left, top, right, bottom = (int(n) for n in box[:4])
    front, back = (int(n) for n in box[4:]) if len(box) == 6 else (0, part.depth)
    if 0 <= left < right <= part.width and 0 <= top < bottom <= part.height and 0 <= front < back <= part.depth:
        return left, top, right, bottom, front, back
    return None


def is_whole(part: SurfacePart, box: Box) -> bool:
    """Whether the box is everything."""
    return box == whole(part)


def extent(part: SurfacePart, box: Box) -> tuple[int, int, int, int]:
    """(byte of the box's first block, bytes of a row of blocks, rows of blocks, slices); edges move out to whole blocks."""
    block_width, block_height, block_bytes = part.format.block
    left, top, right, bottom, front, back = box
    column, row = left // block_width, top // block_height
    columns = -(-right // block_width) - column
    rows = -(-bottom // block_height) - row
    return front * part.slice_pitch + row * part.pitch + column * block_bytes, columns * block_bytes, rows, back - front


@contextmanager
def one_sample_at_a_time(part: SurfacePart, box: Box) -> Iterator[None]:
    """What is written into the box as single samples is spread over all samples there; pixels outside keep theirs.

    DX8 DDI, "Handling the Creation of Multi-Sampled Surfaces": locks of and Blts to a multisampled primary.
    """
    if not part.samples or is_whole(part, box):
        yield
        return
    from core.pipeline.records.layout import from_blocks, to_blocks  # not at import: layouts bring the pixel half with them

    before = part.blocks().copy()
    yield
    words = part.write_blocks().reshape(part.planes, -1)
    for plane, old in zip(words, before.reshape(part.planes, -1), strict=True):
        picture, kept = (from_blocks(one, part.width, part.height) for one in (plane, old))
        kept[box[1] : box[3], box[0] : box[2]] = picture[box[1] : box[3], box[0] : box[2]]
        plane[:] = to_blocks(kept)


def upload(part: SurfacePart, box: Box, contents: np.ndarray, pitch: int, slice_pitch: int) -> None:
    """Writes a box; `contents` uint8 has rows at `pitch`, slices at `slice_pitch`, and is long enough (see upload_size)."""
    at, row_bytes, rows, slices = extent(part, box)
    target = part.write_linear(is_whole(part, box) and row_bytes == part.pitch)
    blit.copy_box(contents, pitch, slice_pitch, 0, target, part.pitch, part.slice_pitch, at, row_bytes, rows, slices)


def upload_size(part: SurfacePart, box: Box, pitch: int, slice_pitch: int) -> int:
    """Bytes that `upload` reads; -1 for invalid pitches."""
    _, row_bytes, rows, slices = extent(part, box)
    if pitch < row_bytes or (slices > 1 and slice_pitch < pitch * (rows - 1) + row_bytes):
        return -1
    return (slices - 1) * slice_pitch + (rows - 1) * pitch + row_bytes


def copy(source: SurfacePart, source_box: Box, target: SurfacePart, target_box: Box) -> None:
    """Copies between boxes of equal size in levels of one format."""
    full = is_whole(source, source_box) and is_whole(target, target_box)
    if full and source.size == target.size and source.samples == target.samples:
        if source is not target:
            target.take(source)
        return
    rows_from = source.linear()
    from_at, row_bytes, rows, slices = extent(source, source_box)
    to_at = extent(target, target_box)[0]
    rows_to = target.write_linear()
    rows_from = rows_to if source is target else rows_from
    blit.copy_box(rows_from, source.pitch, source.slice_pitch, from_at, rows_to, target.pitch, target.slice_pitch, to_at,
                  row_bytes, rows, slices)  # fmt: skip


def convert(
    source: SurfacePart, source_box: Box, target: SurfacePart, target_box: Box, palette: np.ndarray | None, linear: bool
) -> bool:
    """Copies between boxes of any size and format; False when the target's format cannot be packed.

    Slices are not blended: each of the target takes the nearest one of the source.
    """
    given, wanted = source_box[5] - source_box[4], target_box[5] - target_box[4]
    if wanted > 1 or given > 1 or source_box[4] or target_box[4]:
        slices = [source_box[4] + (2 * n + 1) * given // (2 * wanted) for n in range(wanted)]
        pairs = [((*source_box[:4], z, z + 1), (*target_box[:4], n, n + 1)) for n, z in enumerate(slices, target_box[4])]
        return all(_convert_slice(source, one, target, other, palette, linear) for one, other in pairs)
    return _convert_slice(source, source_box, target, target_box, palette, linear)


def _convert_slice(source: SurfacePart, source_box: Box, target: SurfacePart, target_box: Box, palette: np.ndarray | None,
                   linear: bool) -> bool:  # fmt: skip
    """One slice of `convert`."""
    block_width, block_height, _ = source.format.block
    left, top = source_box[0] // block_width * block_width, source_box[1] // block_height * block_height
    at, _, rows, _ = extent(source, (left, top, *source_box[2:]))
    size = source_box[2] - left, source_box[3] - top
    result = target_box[2] - target_box[0], target_box[3] - target_box[1]
    span = source.linear()[at : at + rows * source.pitch]
    packed = blit.convert(source.format, target.format, span, source.pitch, size, result, palette, linear)
    if packed is None:
        return False
    upload(target, target_box, np.ascontiguousarray(packed).reshape(-1), packed.shape[1], packed.size)
    return True


def fill(part: SurfacePart, box: Box, value: int, mask: int = 0xFFFFFFFF, within: clear.Rect | None = None) -> bool:
    """Sets the masked bits of all pixels of a box; False for formats whose pixels are not dwords.

    within: the only pixels that matter; others may then hold anything.
    """
    bits = part.format.bits
    if part.format.block[:2] != (1, 1) or bits not in (8, 16, 24, 32):
        return False
    if part.depth == 1 and (bits != 24 or part.drawn or part.samples):
        everything = is_whole(part, box) and mask == 0xFFFFFFFF
        blocks = part.write_blocks(whole=everything)
        rect = box[:4] if within is None else clear.common(box[:4], clear.whole_tiles(within))
        clear.fill(blocks, part.width, part.height, part.planes, rect, value, mask)
        return True
    at, row_bytes, rows, slices = extent(part, box)
    pixel = np.frombuffer((value & 0xFFFFFFFF).to_bytes(4, "little")[: bits // 8], np.uint8)
    row = np.tile(pixel, row_bytes // len(pixel))
    target = part.write_linear()
    blit.copy_box(row, 0, 0, 0, target, part.pitch, part.slice_pitch, at, row_bytes, rows, slices)
    return True


# ---- textures with levels ---------------------------------------------------------------------------


def shrink(box: Box) -> Box:
    """The box one level down: left halves downwards, right upwards, at least one texel (semantics section 17)."""
    low = [box[n] >> 1 for n in (0, 1, 4)]
    high = [max((box[n] + 1) >> 1, low[k] + 1) for k, n in enumerate((2, 3, 5))]
    return low[0], low[1], high[0], high[1], low[2], high[2]


def clip_to(part: SurfacePart, box: Box) -> Box:
    """The box within the level."""
    return (box[0], box[1], min(box[2], part.width), min(box[3], part.height), box[4], min(box[5], part.depth))


def common_levels(source: Surface, source_level: int, source_face: int, target: Surface, target_level: int, target_face: int,
                  box: Box, point: tuple[int, int, int]) -> Iterator[tuple[SurfacePart, Box, SurfacePart, Box]]:  # fmt: skip
    """(from, its box, to, its box): what copying a box to a point, and its halves in the common levels below, means.

    A source with more levels is matched by the size of the target.
    """
    first = source.part(source_level, source_face)
    size = target.part(target_level, target_face)
    while (first.width, first.height, first.depth) != (
        size.width,
        size.height,
        size.depth,
    ) and source_level + 1 < source.levels:
        smaller = source.part(source_level + 1, source_face)
        if (smaller.width, smaller.height, smaller.depth) < (size.width, size.height, size.depth):
            break
        source_level, first, box = source_level + 1, smaller, shrink(box)
    for n in range(min(source.levels - source_level, target.levels - target_level)):
        give, take = source.part(source_level + n, source_face), target.part(target_level + n, target_face)
        taken = clip_to(give, box)
        x, y, z = point
        width = min(taken[2] - taken[0], take.width - x)
        height = min(taken[3] - taken[1], take.height - y)
        depth = min(taken[5] - taken[4], take.depth - z)
        if min(width, height, depth) > 0:
            taken = (taken[0], taken[1], taken[0] + width, taken[1] + height, taken[4], taken[4] + depth)
            yield give, taken, take, (x, y, x + width, y + height, z, z + depth)
        box, point = shrink(box), (x >> 1, y >> 1, z >> 1)
