"""Copies between surfaces: the block form of render targets, rectangles, stretching, format conversion.

A target in block form is tiles of 64x64 pixels, row after row; a tile is 256 blocks of 4x4, row after row; a block is 16
pixels, row after row; one uint32 a pixel, holding the packed pixel in the surface's own format.  Samples are planes, one
after another.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.cancel import look
from core.kernels.jit import array, i8, kernel, void
from core.kernels.simd import advance, load_int, pointer, store_int
from core.pipeline.records.layout import TILE, TILE_PIXELS, plane_words, tiles
from core.pipeline.surface.formats.texels import can_encode, decode_float, encode
from core.spec.formats import Format

PIECE = 1 << 17  # texels that are stretched or converted between two looks at whether to stop


def pieces(height: int, width: int) -> Iterator[slice]:
    """Rows 0..height of a picture of this width in parts, with a look before each whether to stop."""
    step = max(PIECE // max(width, 1), 1)
    for top in range(0, height, step):
        look()
        yield slice(top, min(top + step, height))


def tiles_of(width: int, height: int) -> tuple[int, int]:
    """Tiles across and down."""
    return tiles(width), tiles(height)


def by_rows(plane: np.ndarray, width: int, height: int) -> np.ndarray:
    """A plane's words as uint32[tiles down, 16, 4, tiles across, 16, 4]: rows of pixels (a view)."""
    across, down = tiles_of(width, height)
    return plane.reshape(down, across, 16, 16, 4, 4).transpose(0, 2, 4, 1, 3, 5)


def pixels_of(linear: np.ndarray, pitch: int, pixel_bytes: int, width: int, height: int) -> np.ndarray:
    """Rows of packed pixels as integers [height, width], to be read (a view, but for pixels of three bytes)."""
    rows = linear[: pitch * height].reshape(height, pitch)[:, : width * pixel_bytes]
    if pixel_bytes == 3:
        octets = rows.reshape(height, width, 3).astype(np.uint32)
        return octets[..., 0] | octets[..., 1] << 8 | octets[..., 2] << 16
    return rows.view(f"<u{pixel_bytes}")


def put_pixels(pixels: np.ndarray, linear: np.ndarray, pitch: int, pixel_bytes: int) -> None:
    """uint32[height, width] as rows of packed pixels."""
    height, width = pixels.shape
    rows = linear[: pitch * height].reshape(height, pitch)[:, : width * pixel_bytes]
    if pixel_bytes == 3:
        rows.reshape(height, width, 3)[...] = np.ascontiguousarray(pixels).view(np.uint8).reshape(height, width, 4)[..., :3]
    else:
        rows.view(f"<u{pixel_bytes}")[...] = pixels


def enter_blocks(
    linear: np.ndarray, pitch: int, pixel_bytes: int, width: int, height: int, samples: int, blocks: np.ndarray
) -> None:
    """Rows of packed pixels (1 to 4 bytes) into block form; every sample gets the pixel's value."""
    words = plane_words(width, height)
    across, down = tiles_of(width, height)
    pixels = pixels_of(linear, pitch, pixel_bytes, width, height)
    if (width | height) % TILE:
        padded = np.zeros((down * TILE, across * TILE), np.uint32)
        padded[:height, :width] = pixels
        pixels = padded
    by_rows(blocks[:words], width, height)[...] = pixels.reshape(down, 16, 4, across, 16, 4)
    for sample in range(1, samples):
        blocks[sample * words : (sample + 1) * words] = blocks[:words]


def leave_blocks(blocks: np.ndarray, pixel_bytes: int, width: int, height: int, linear: np.ndarray, pitch: int) -> None:
    """The first plane of blocks into rows of packed pixels."""
    if pixel_bytes == 4 and pitch % 4 == 0:
        blocks_to_rows(blocks, width, height, pitch // 4, linear[: pitch * height].view(np.uint32))
    else:
        put_pixels(plane_pixels(blocks, width, height), linear, pitch, pixel_bytes)


def plane_pixels(blocks: np.ndarray, width: int, height: int) -> np.ndarray:
    """The first plane of blocks as packed pixels, uint32[height, width]."""
    pixels = np.empty(height * width, np.uint32)
    blocks_to_rows(blocks, width, height, width, pixels)
    return pixels.reshape(height, width)


@kernel(void(array("u4", readonly=True), i8, i8, i8, array("u4")))
def blocks_to_rows(blocks, width, height, pitch, rows):
    """Pixels of the first plane into rows that begin `pitch` words apart."""
    across, source, target = (width + 63) >> 6, pointer(blocks, 0), pointer(rows, 0)
    for y in range(height):
        line = advance(source, ((y >> 6) * across * 16 + ((y >> 2) & 15)) * 256 + (y & 3) * 4)
        out = advance(target, y * pitch)
        for x in range(width):
            out[x] = line[(x >> 6) * TILE_PIXELS + ((x >> 2) & 15) * 16 + (x & 3)]


@kernel(void(array("u4"), array("i8"), array("i8"), array("u4")))
def copy_tiles(source, numbers, places, target):
    """Tile numbers[n] of source becomes tile places[n] of target."""
    given, out = pointer(source, 0), pointer(target, 0)
    for n in range(len(numbers)):
        tile, place = advance(given, numbers[n] * TILE_PIXELS), advance(out, places[n] * TILE_PIXELS)
        for k in range(0, TILE_PIXELS, 16):
            store_int(place, k, load_int(tile, k))


# ---- rectangles of linear rows --------------------------------------------------------------------


def copy_box(source: np.ndarray, source_pitch: int, source_slice: int, source_at: int, target: np.ndarray, target_pitch: int,
             target_slice: int, target_at: int, row_bytes: int, rows: int, slices: int) -> None:  # fmt: skip
    """Copies rows of bytes; the caller has checked that both boxes lie within their arrays. Overlaps copy as if by a buffer."""
    if not (row_bytes and rows and slices):
        return
    shape = slices, rows, row_bytes
    take = np.lib.stride_tricks.as_strided(source[source_at:], shape, (source_slice, source_pitch, 1), writeable=False)
    give = np.lib.stride_tricks.as_strided(target[target_at:], shape, (target_slice, target_pitch, 1))
    give[...] = take.copy() if np.may_share_memory(source, target) else take


def convert(source: Format, target: Format, data: np.ndarray, pitch: int, size: tuple[int, int], result_size: tuple[int, int],
            palette: np.ndarray | None = None, linear: bool = False) -> np.ndarray | None:  # fmt: skip
    """Rows of one format, stretched to another size and packed in another format: uint8[rows, bytes], or None.

    Stretching takes the texel at (i + 0.5) * source / result, or blends four when `linear`.  Raises Cancelled.
    """
    if not can_encode(target):
        return None
    tall, wide, shrunk = target.block[1], max(size[0], result_size[0]), max(size[1] // result_size[1], 1)
    step = tall * max(PIECE // (wide * shrunk * tall), 1)
    run = step if wide * shrunk * tall <= PIECE else 1  # one row of blocks may be made of very many texels
    packed = []
    for top in range(0, result_size[1], step):
        end = min(top + step, result_size[1])
        parts = [range(y, min(y + run, end)) for y in range(top, end, run)]
        texels = [_stretched_texels(source, data, pitch, size, result_size, part, palette, linear) for part in parts]
        packed.append(encode(target, np.concatenate(texels), palette))
    return np.concatenate(packed)


def _stretched_texels(source: Format, data: np.ndarray, pitch: int, size: tuple[int, int], result_size: tuple[int, int],
                      rows: range, palette: np.ndarray | None, linear: bool) -> np.ndarray:  # fmt: skip
    """float[len(rows), width, 4]: these rows of the stretched picture; only the source rows behind them are decoded."""
    look()
    same, tall = size == result_size, source.block[1]
    needed = _source_rows(size[1], result_size[1], rows, linear and not same)[0]
    first = int(needed.min()) // tall * tall
    last = min(-(-(int(needed.max()) + 1) // tall) * tall, size[1])
    texels = decode_float(source, data[first // tall * pitch :], size[0], last - first, 1, pitch, None, palette)[0]
    if same:
        return texels[rows.start - first : rows.stop - first]
    return _stretch_rows(texels, first, size[1], result_size, rows, linear)


def stretch(texels: np.ndarray, size: tuple[int, int], linear: bool = False) -> np.ndarray:
    """[height, width, ...] to another (width, height).  Raises Cancelled."""
    height, width = texels.shape[:2]
    if size == (width, height):
        return texels
    parts = (range(rows.start, rows.stop) for rows in pieces(size[1], size[0]))
    return np.concatenate([_stretch_rows(texels, 0, height, size, rows, linear) for rows in parts])


def _source_rows(height: int, result: int, rows: range, linear: bool) -> tuple[np.ndarray, np.ndarray]:
    """(int[1 or 2, rows], float[rows]): the source rows behind rows of the result, and how far each is towards the second."""
    y = (np.arange(rows.start, rows.stop) + 0.5) * height / result
    if not linear:
        return np.floor(y).astype(int)[None], y
    y = y - 0.5
    y0 = np.floor(y).astype(int)
    return np.stack([np.clip(y0 + n, 0, height - 1) for n in (0, 1)]), y - y0


def _stretch_rows(texels: np.ndarray, first: int, height: int, size: tuple[int, int], rows: range, linear: bool) -> np.ndarray:
    """Rows of `stretch`; texels hold the rows from `first` of a picture of this height, as many as these rows need."""
    width = texels.shape[1]
    ys, fy = _source_rows(height, size[1], rows, linear)
    ys = ys - first
    x = (np.arange(size[0]) + 0.5) * width / size[0]
    if not linear:
        return texels[ys[0][:, None], np.floor(x).astype(int)]
    x = x - 0.5
    x0 = np.floor(x).astype(int)
    fx, fy = (x - x0)[None, :, None], fy[:, None, None]
    xs = [np.clip(x0 + n, 0, width - 1) for n in (0, 1)]
    above = texels[ys[0][:, None], xs[0]] * (1 - fx) + texels[ys[0][:, None], xs[1]] * fx
    below = texels[ys[1][:, None], xs[0]] * (1 - fx) + texels[ys[1][:, None], xs[1]] * fx
    return above * (1 - fy) + below * fy
