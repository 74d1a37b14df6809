"""Block compressed textures, DXT1 to DXT5 (semantics section 10; DX8 SDK "Compressed Texture Formats").

Interpolated colours are rounded to nearest; 5- and 6-bit channels expand to the nearest 8-bit value."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def decode_color_block(octets: np.ndarray, always_four: bool) -> np.ndarray:
    """uint8[n, 8] -> A8R8G8B8 of the 16 texels, uint32[n, 16]"""
    ends = octets[:, :4].copy().view("<u2").astype(np.int64)  # n, 2
    rgb = np.stack([(ends >> 11) * 510 + 31, (ends & 31) * 510 + 31], -1) // 62  # n, 2, (r b)
    green = ((ends >> 5 & 63) * 510 + 63) // 126
    first, second = (np.stack([rgb[:, i, 0], green[:, i], rgb[:, i, 1]], -1) for i in (0, 1))
    four = (ends[:, 0] > ends[:, 1])[:, None] | always_four
    third = np.where(four, (2 * first + second + 1) // 3, (first + second + 1) // 2)
    fourth = np.where(four, (first + 2 * second + 1) // 3, 0)
    palette = np.stack([first, second, third, fourth], 1).astype(np.uint32)  # n, 4, rgb
    opaque = np.full(palette.shape[:2], 255, np.uint32)
    opaque[:, 3] = np.where(four[:, 0], 255, 0)
    words = opaque << 24 | palette[..., 0] << 16 | palette[..., 1] << 8 | palette[..., 2]
    index = octets[:, 4:8].copy().view("<u4") >> np.arange(0, 32, 2, dtype=np.uint32) & np.uint32(3)
    return np.take_along_axis(words, index.astype(np.int64), 1)


def decode_explicit_alpha(octets: np.ndarray) -> np.ndarray:
    """uint8[n, 8] of 4-bit alphas -> uint32[n, 16]"""
    bits = octets.copy().view("<u8") >> np.arange(0, 64, 4, dtype=np.uint64) & np.uint64(15)
    return (bits * np.uint64(17)).astype(np.uint32)


def decode_interpolated_alpha(octets: np.ndarray) -> np.ndarray:
    """uint8[n, 8]: two alphas and 3-bit indices -> uint32[n, 16]"""
    a0, a1 = octets[:, :1].astype(np.int64), octets[:, 1:2].astype(np.int64)
    eight, six = np.arange(1, 7), np.arange(1, 5)
    long = ((7 - eight) * a0 + eight * a1 + 3) // 7
    short = np.concatenate([((5 - six) * a0 + six * a1 + 2) // 5, np.zeros_like(a0), np.full_like(a0, 255)], 1)
    table = np.concatenate([a0, a1, np.where(a0 > a1, long, short)], 1)
    index = octets.copy().view("<u8") >> np.arange(16, 64, 3, dtype=np.uint64) & np.uint64(7)
    return np.take_along_axis(table, index.astype(np.int64), 1).astype(np.uint32)


def decode_blocks(rows: np.ndarray, width: int, height: int, size: int,
                  texels: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:  # fmt: skip
    """uint8[depth, block rows, row bytes] -> A8R8G8B8 uint32[depth, height, width]"""
    depth, block_rows, row_bytes = rows.shape
    across = row_bytes // size
    blocks = np.ascontiguousarray(rows).reshape(-1, size)
    words = texels(blocks).reshape(depth, block_rows, across, 4, 4).transpose(0, 1, 3, 2, 4)
    return np.ascontiguousarray(words.reshape(depth, block_rows * 4, across * 4)[:, :height, :width])


def decode_dxt1(rows: np.ndarray, width: int, height: int) -> np.ndarray:
    return decode_blocks(rows, width, height, 8, lambda blocks: decode_color_block(blocks, False))


def decode_dxt3(rows: np.ndarray, width: int, height: int) -> np.ndarray:
    return decode_blocks(rows, width, height, 16, lambda blocks: decode_color_block(blocks[:, 8:], True) & np.uint32(0xFFFFFF)
                         | decode_explicit_alpha(blocks[:, :8]) << np.uint32(24))  # fmt: skip


def decode_dxt5(rows: np.ndarray, width: int, height: int) -> np.ndarray:
    return decode_blocks(rows, width, height, 16, lambda blocks: decode_color_block(blocks[:, 8:], True) & np.uint32(0xFFFFFF)
                         | decode_interpolated_alpha(blocks[:, :8]) << np.uint32(24))  # fmt: skip


# DXT2 and DXT4 hold premultiplied colours: decoded alike, what to make of them is the application's business.
BLOCK_DECODERS = {"DXT1": decode_dxt1, "DXT2": decode_dxt3, "DXT3": decode_dxt3, "DXT4": decode_dxt5, "DXT5": decode_dxt5}
