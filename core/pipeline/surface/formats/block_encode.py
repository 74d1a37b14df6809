"""Packing DXT1 to DXT5: integer arithmetic, so that every machine produces the same blocks.

The ends are the corners of the block's colour box on its longer diagonal (the signs of the covariances of red with green and
blue say which), rounded to 5:6:5; each texel takes the nearest colour of the palette that the decoder makes of them.  DXT1
blocks with a texel of alpha below one half have three colours and transparent black; DXT3 alpha is rounded to 4 bits; DXT5
alpha runs from the greatest to the least in eight steps.  DXT2 and DXT4 hold the colours they are given.
"""

from __future__ import annotations

import numpy as np

from core.pipeline.surface.formats.blocks import decode_color_block, decode_interpolated_alpha


def encode_blocks(name: str, rgba: np.ndarray) -> np.ndarray:
    """float rgba[height, width, 4] -> uint8[block rows, row bytes]; partial blocks repeat the last texels."""
    levels = np.floor(np.clip(rgba, 0.0, 1.0) * 255.0 + 0.5).astype(np.int64)
    height, width = levels.shape[:2]
    levels = np.pad(levels, ((0, -height % 4), (0, -width % 4), (0, 0)), mode="edge")
    down, across = levels.shape[0] // 4, levels.shape[1] // 4
    texels = levels.reshape(down, 4, across, 4, 4).transpose(0, 2, 1, 3, 4).reshape(-1, 16, 4)
    rgb, alpha = texels[..., :3], texels[..., 3]
    if name == "DXT1":
        made = color_blocks(rgb, alpha >= 128)
    else:
        made = color_blocks(rgb, np.ones_like(alpha, bool))
        alphas = explicit_alphas(alpha) if name in ("DXT2", "DXT3") else interpolated_alphas(alpha)
        made = np.concatenate([alphas, made], axis=1)
    return made.reshape(down, -1)


def color_blocks(rgb: np.ndarray, opaque: np.ndarray) -> np.ndarray:
    """int[n, 16, 3], bool[n, 16] -> uint8[n, 8]"""
    first, second = (packed(end) for end in box_ends(rgb, opaque))
    three = ~opaque.all(axis=1)
    high, low = np.maximum(first, second), np.minimum(first, second)
    ends = np.stack([np.where(three, low, high), np.where(three, high, low)], axis=1).astype("<u2")
    block = np.concatenate([ends.view(np.uint8), np.tile(np.array([0xE4, 0, 0, 0], np.uint8), (len(ends), 1))], axis=1)
    words = decode_color_block(block, False)[:, :4]  # indices 0 1 2 3: the palette
    palette = np.stack([words >> np.uint32(s) & np.uint32(255) for s in (16, 8, 0)], axis=-1).astype(np.int64)
    away = ((rgb[:, :, None] - palette[:, None]) ** 2).sum(axis=-1)
    usable = 4 - (ends[:, 0] <= ends[:, 1]).astype(np.int64)  # the fourth of three colours is transparent
    away = np.where(np.arange(4) < usable[:, None, None], away, 1 << 30)
    index = np.where(opaque, away.argmin(axis=-1), 3).astype(np.uint32)
    codes = (index << np.arange(0, 32, 2, dtype=np.uint32)).sum(axis=1, dtype=np.uint32)
    return np.concatenate([ends.view(np.uint8), codes.astype("<u4")[:, None].view(np.uint8)], axis=1)


def box_ends(rgb: np.ndarray, counted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two corners of the box around the counted texels, int[n, 3] each; black where none counts."""
    inside = counted[..., None]
    low: np.ndarray = np.where(inside, rgb, 255).min(axis=1)
    high: np.ndarray = np.where(inside, rgb, 0).max(axis=1)
    low = np.minimum(low, high)
    off = np.where(inside, 2 * rgb - (low + high)[:, None], 0)
    for channel in (1, 2):
        falls = np.flatnonzero((off[..., 0] * off[..., channel]).sum(axis=1) < 0)
        low[falls, channel], high[falls, channel] = high[falls, channel], low[falls, channel].copy()
    return low, high


def packed(rgb: np.ndarray) -> np.ndarray:
    """8-bit channels as R5G6B5, rounded to nearest"""
    return (rgb[:, 0] * 62 + 255) // 510 << 11 | (rgb[:, 1] * 126 + 255) // 510 << 5 | (rgb[:, 2] * 62 + 255) // 510


def explicit_alphas(alpha: np.ndarray) -> np.ndarray:
    """int[n, 16] -> uint8[n, 8] of 4-bit alphas"""
    codes = ((alpha * 30 + 255) // 510).astype(np.uint8)
    return codes[:, 0::2] | codes[:, 1::2] << np.uint8(4)


def interpolated_alphas(alpha: np.ndarray) -> np.ndarray:
    """int[n, 16] -> uint8[n, 8]: the greatest, the least, 3-bit indices"""
    ends = np.stack([alpha.max(axis=1), alpha.min(axis=1)], axis=1).astype(np.uint8)
    order = sum(k << 3 * k for k in range(8)).to_bytes(6, "little")
    table = decode_interpolated_alpha(np.concatenate([ends, np.tile(np.frombuffer(order, np.uint8), (len(ends), 1))], axis=1))
    index = np.abs(alpha[:, :, None] - table[:, None, :8].astype(np.int64)).argmin(axis=-1).astype(np.uint64)
    codes = (index << np.arange(0, 48, 3, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
    return np.concatenate([ends, codes.astype("<u8")[:, None].view(np.uint8)[:, :6]], axis=1)
