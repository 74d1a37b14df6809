"""DDS files of surfaces with random contents, read back by Pillow, and by their headers."""

from __future__ import annotations

import io
import struct
from typing import Any

import numpy as np
import pytest
from PIL import Image

import inspector
from core.device.memory.half_floats import HALF
from core.device.memory.surfaces import Surface, SurfacePart
from core.device.past.reading import picture
from core.errors import BadInput
from core.spec.formats import FORMAT_BY_NAME
from inspector.exports.dds import dds

HANDLE = 7


class OneSurface:
    """A place with one surface."""

    chain: tuple[int, ...] = ()
    targets = (0, 0)

    def __init__(self, name: str, *size: int, palette: Any = None, **facts: Any) -> None:
        self.surface = Surface(HANDLE, FORMAT_BY_NAME[name], *size, **facts)
        self.surfaces, self._palette = {HANDLE: self.surface}, palette
        rng = np.random.default_rng(len(name))
        for part in self.surface.parts:
            rows = part.write_linear(whole=True)
            rows[:] = rng.integers(0, 256, rows.size)

    def owner(self, handle: int) -> tuple[Surface, int, int] | None:
        return (self.surface, 0, 0) if handle == HANDLE else None

    def level(self, part: SurfacePart) -> SurfacePart:
        return part

    def palette_of(self, surface: Surface) -> Any:
        return self._palette


@pytest.mark.parametrize("name", ["A8R8G8B8", "X8R8G8B8", "R8G8B8", "R5G6B5", "A1R5G5B5", "A4R4G4B4", "L8", "A8L8"])
def test_pillow_reads_the_colours_we_show(name: str) -> None:
    place: Any = OneSurface(name, 13, 6, levels=3)
    read = np.asarray(Image.open(io.BytesIO(dds(place, HANDLE))).convert("RGBA"))
    assert read.shape == (6, 13, 4)
    assert np.abs(read.astype(int) - picture(place, HANDLE)).max() <= 1  # Pillow rounds five bits in another way


@pytest.mark.parametrize("name", ["DXT1", "DXT3", "DXT5"])
def test_pillow_reads_compressed_blocks(name: str) -> None:
    place: Any = OneSurface(name, 16, 8)
    read = np.asarray(Image.open(io.BytesIO(dds(place, HANDLE))).convert("RGBA")).astype(int)
    shown = picture(place, HANDLE).astype(int)
    assert np.array_equal(read[..., 3] > 0, shown[..., 3] > 0)
    assert np.abs(read - shown)[shown[..., 3] > 0].max() <= 8  # two ways of rounding what lies between two colours


@pytest.mark.parametrize(
    ("name", "size", "facts", "masks", "bytes_"),
    [
        ("A8R8G8B8", (8, 4), {"levels": 4}, (0x41, 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000), 4 * (32 + 8 + 2 + 1)),
        ("R5G6B5", (8, 8), {"faces": 6, "levels": 2}, (0x40, 16, 0xF800, 0x7E0, 0x1F, 0), 6 * 2 * (64 + 16)),
        ("A8", (4, 4), {}, (0x2, 8, 0, 0, 0, 0xFF), 16),
        ("L6V5U5", (4, 4), {}, (0x40000, 16, 0x1F, 0x3E0, 0xFC00, 0), 32),
        ("Q8W8V8U8", (2, 2), {}, (0x80000, 32, 0xFF, 0xFF00, 0xFF0000, 0xFF000000), 16),
        ("L8", (4, 4, 4), {"volume": True, "levels": 3}, (0x20000, 8, 0xFF, 0, 0, 0), 64 + 8 + 1),
    ],
)
def test_headers_and_sizes_are_those_of_the_sdk(
    name: str, size: tuple[int, ...], facts: dict[str, Any], masks: tuple[int, ...], bytes_: int
) -> None:
    place: Any = OneSurface(name, *size, **facts)
    data = dds(place, HANDLE)
    magic, length, flags, height, width, _, depth, levels = struct.unpack("<4s7I", data[:32])
    form, kind, _, *rest = struct.unpack("<8I", data[76:108])
    caps, caps2 = struct.unpack("<2I", data[108:116])
    assert (magic, length, form, width, height) == (b"DDS ", 124, 32, *size[:2])
    assert (kind, *rest) == masks and len(data) == 128 + bytes_
    assert levels == facts.get("levels", 1) and depth == (size[2] if len(size) == 3 else 0)
    assert bool(flags & 0x20000) == bool(caps & 0x400000) == (levels > 1)
    assert caps2 == {1: 0x200000 if len(size) == 3 else 0, 6: 0xFE00}[facts.get("faces", 1)]


def test_floats_have_the_number_of_their_format() -> None:
    """D3DFMT_A16B16G16R16F of d3d9types.h, in dwFourCC as D3DX writes it."""
    place: Any = OneSurface("A8R8G8B8", 3, 2)
    place.surface = Surface(HANDLE, HALF, 3, 2)
    [part] = place.surface.parts
    stored = np.linspace(-1, 70, 24).astype("<f2")
    part.write_linear(whole=True).reshape(2, -1)[:, :24] = stored.view(np.uint8).reshape(2, 24)
    data = dds(place, HANDLE)
    assert struct.unpack("<8I", data[76:108]) == (32, 0x4, 113, 0, 0, 0, 0, 0)
    assert np.array_equal(np.frombuffer(data, "<f2", offset=128), stored)


def test_palettes_go_with_their_indices() -> None:
    class Palette:
        colors = np.arange(256, dtype=np.uint32) * 0x00020103 & 0xFFFFFF | 0xFF000000

    place: Any = OneSurface("P8", 8, 4, palette=Palette())
    data = dds(place, HANDLE)
    read = np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))
    assert np.array_equal(read, picture(place, HANDLE)) and len(data) == 128 + 1024 + 32


def test_what_has_no_place_in_a_dds_file_is_refused(room: inspector.Capture) -> None:
    moment = room.moment(room.frames[-1].last_event)
    with pytest.raises(BadInput, match="D24S8; save it as NumPy or TIFF"):
        dds(moment, "depth")
    with pytest.raises(BadInput, match="unknown surface 12345"):
        dds(moment, 12345)
