"""Formats: texels of any bytes decoded, encoded and decoded again; the same as surfaces, uploaded, copied and read back."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.pipeline.surface.formats.texels import can_encode, decode, decode_float, encode, to_rgba8, widen
from core.spec.formats import FORMATS
from tests.fuzz.inputs import Harness, main

HEAD = struct.Struct(
    "<IIHHHhI"
)  # format, the format copied to, width, height, depth, pitch beyond the row, seed of the palette
SIZES = (0, 1, 2, 3, 4, 5, 7, 8, 16, 33)
TEXELS = [number for number, row in FORMATS.items() if row.bits]  # the other is that of vertex buffers
SOURCE, TARGET = 10, 11


def make(chooser: random.Random) -> bytes:
    width, height, depth = chooser.choice(SIZES[1:]), chooser.choice(SIZES[1:]), chooser.choice([1, 1, 1, 2, 3])
    data = chooser.randbytes(chooser.choice([width * height * depth * 8 + 64, 16, 0, 4000]))
    if chooser.random() < 0.3:
        data = bytes([chooser.choice([0, 255, 127, 128])]) * len(data)
    first, second = chooser.choice(TEXELS), chooser.choice(TEXELS)
    return HEAD.pack(first, second, width, height, depth, chooser.choice([0, 0, 1, 4, 13, -1]), chooser.getrandbits(32)) + data


def run(data: bytes, folder: Path) -> None:
    if len(data) < HEAD.size:
        return
    first, second, width, height, depth, beyond, seed = HEAD.unpack_from(data)
    if first not in TEXELS or second not in TEXELS or not 0 < width * height * depth < 1 << 16:
        return
    octets = np.frombuffer(data, np.uint8, offset=HEAD.size)
    palette = np.random.default_rng(seed).integers(0, 1 << 32, 256, np.uint32) if seed & 1 else None
    as_surfaces(first, second, width, height, octets.tobytes())
    as_texels(first, octets, (width, height, depth), beyond, palette)


def as_texels(format: int, octets: np.ndarray, size: tuple[int, int, int], beyond: int, palette: np.ndarray | None) -> None:
    """What is decoded has the shape and the range; encoded and decoded again it is the same, if nothing is lost."""
    row, (width, height, depth) = FORMATS[format], size
    across, _, block = row.block
    pitch = -(-width // across) * block + beyond
    texels = decode(row, octets, width, height, depth, pitch, None, palette)
    assert texels.shape[:3] == (depth, height, width)
    shown = to_rgba8(row, octets, width, height, depth, pitch, None, palette)
    assert shown.shape == (depth, height, width, 4) and shown.dtype == np.uint8
    colors = decode_float(row, octets, width, height, depth, pitch, None, palette)
    assert np.isfinite(colors).all() and colors.min(initial=0) >= -1 and colors.max(initial=0) <= 1
    if not can_encode(row):
        return
    packed = encode(row, colors[0], palette)
    again = decode(row, packed, width, height, 1, None, None, palette)
    if row.family not in ("dxt", "yuv", "palette", "luminance"):
        assert np.array_equal(widen(again), widen(decode(row, octets, width, height, 1, pitch, None, palette)))


def as_surfaces(first: int, second: int, width: int, height: int, contents: bytes) -> None:
    """An upload, a copy to another format, and both read."""
    driver = EmulatedDriver()
    box = (0, 0, width, height)
    for handle, format in ((SOURCE, first), (TARGET, second)):
        driver.call(DdiCall("CreateSurface", {"handle": handle, "width": width, "height": height, "format": format}))
    driver.call(DdiCall("Lock", {"handle": SOURCE, "box": None, "flags": 0}))
    driver.call(DdiCall("Unlock", {"handle": SOURCE}, {"contents": contents}))
    args = {"destination": TARGET, "source": SOURCE, "destination_box": box, "source_box": box}
    driver.call(DdiCall("Blt", args))
    for handle in (SOURCE, TARGET):
        if driver.part(handle) is not None:
            assert driver.rgba(handle).dtype == np.uint8


HARNESS = Harness("formats", make, run, 200)

if __name__ == "__main__":
    main(HARNESS)
