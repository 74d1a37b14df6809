"""One slice as stored: NPY read by numpy, TIFF by Pillow, both against values that the test itself packed into the bits."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, TiffImagePlugin

import inspector
from core.device.memory.half_floats import HALF
from core.device.memory.surfaces import Surface
from core.device.past.reading import picture
from core.errors import BadInput
from core.spec.subresource import Subresource
from inspector.cli import main
from inspector.exports.png import bmp, tga
from inspector.exports.stored import npy, numbers, raw, tiff
from tests.inspector.conftest import ROOM
from tests.inspector.exports.test_dds import HANDLE, OneSurface

LAYOUTS = {
    "D24S8": "z24 s8", "D32": "z32", "D16": "z16", "D15S1": "z15 s1", "D24X4S4": "z24 x4 s4", "R5G6B5": "r5 g6 b5",
    "A1R5G5B5": "a1 r5 g5 b5", "A2B10G10R10": "a2 b10 g10 r10", "G16R16": "g16 r16", "A8R8G8B8": "a8 r8 g8 b8",
    "R8G8B8": "r8 g8 b8", "L6V5U5": "l6 V5 U5", "V16U16": "V16 U16", "A8L8": "a8 l8", "P8": "p8",
    "A8P8": "a8 p8", "Q8W8V8U8": "Q8 W8 V8 U8",
}  # fmt: skip
"""From d3d8types.h: most significant first; capitals are signed."""


def packed(name: str, width: int, height: int) -> tuple[Any, dict[str, np.ndarray]]:
    """A place with a surface whose channels hold random values of their whole range, and these values by letter."""
    place: Any = OneSurface(name, width, height)
    rng = np.random.default_rng(len(name))
    words, shift, values = np.zeros((height, width), np.uint64), 0, {}
    for word in reversed(LAYOUTS[name].split()):
        letter, bits = word[0], int(word[1:])
        drawn = rng.integers(0, 1 << bits, (height, width), dtype=np.uint64)
        drawn[0, 0], drawn[0, 1] = (1 << bits) - 1, 0
        words |= drawn << np.uint64(shift)
        signed = drawn.astype(np.int64) - (drawn.astype(np.int64) >> (bits - 1) << bits)
        values[letter] = signed if letter.isupper() else drawn.astype(np.int64)
        shift += bits
    values.pop("x", None)
    stored = words.astype("<u8").reshape(height, width, 1).view(np.uint8)[..., : shift // 8]
    next(iter(place.surface.parts)).write_linear(whole=True)[:] = stored.reshape(-1)
    return place, values


@pytest.mark.parametrize("name", LAYOUTS)
def test_numpy_and_pillow_read_every_bit(name: str) -> None:
    place, values = packed(name, 7, 5)
    order = sorted(values, key=lambda letter: "rgbuvwqlpazs".index(letter.lower()))
    read = np.load(io.BytesIO(npy(place, HANDLE)), allow_pickle=False)
    assert read.shape == ((5, 7) if len(order) == 1 else (5, 7, len(order)))
    planes = read.reshape(5, 7, -1)
    for number, letter in enumerate(order):
        assert np.array_equal(planes[..., number].astype(np.int64), values[letter]), letter
    if order[:3] == ["r", "g", "b"]:
        if read.dtype == np.uint8:  # Pillow has no modes for colours of 16 bits
            assert np.array_equal(np.asarray(Image.open(io.BytesIO(tiff(place, HANDLE)))), read)
        return
    with Image.open(io.BytesIO(tiff(place, HANDLE))) as file:
        assert getattr(file, "n_frames", 1) == len(order)
        for number, letter in enumerate(order):
            file.seek(number)
            page = np.asarray(file)
            if file.mode == "I" and letter in "zs":  # Pillow keeps 32 bits in a signed type
                page = page.view(np.uint32)
            if file.mode == "L" and letter.isupper():
                page = page.view(np.int8)
            assert np.array_equal(page.astype(np.int64), values[letter]), letter


def test_pages_are_named_after_their_channels() -> None:
    place, _ = packed("D24S8", 4, 4)
    with Image.open(io.BytesIO(tiff(place, HANDLE))) as file:
        names = []
        for number in range(2):
            file.seek(number)
            names.append(file.tag_v2[285])
    assert names == ["depth", "stencil"]


def test_floats_keep_their_values() -> None:
    place: Any = OneSurface("A8R8G8B8", 4, 4)
    place.surface = Surface(HANDLE, HALF, 3, 2)
    values = np.array([0, 1, -2.5, 65504, 2**-24, np.inf] * 4, "<f2").reshape(2, 3, 4)
    next(iter(place.surface.parts)).write_linear(whole=True)[:] = values.view(np.uint8).reshape(-1)
    assert np.array_equal(np.load(io.BytesIO(npy(place, HANDLE))), values)
    written = tiff(place, HANDLE)
    assert written.find(values.astype("<f4").tobytes()) == 8
    tags = TiffImagePlugin.ImageFileDirectory_v2(written[:8])
    file = io.BytesIO(written)
    file.seek(tags.next)
    tags.load(file)
    bits, kinds, alpha = (tags[tag] for tag in (258, 339, 338))
    assert (bits, kinds, alpha) == ((32,) * 4, (3,) * 4, (2,)), "floats of 32 bits, the last one alpha (TIFF 6.0, SampleFormat)"


@pytest.mark.parametrize("name", ["DXT1", "DXT5", "YUY2"])
def test_blocks_are_decoded_and_raw_bytes_are_theirs(name: str) -> None:
    place: Any = OneSurface(name, 8, 8)
    shown = picture(place, HANDLE)
    assert np.array_equal(np.load(io.BytesIO(npy(place, HANDLE))), shown)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(tiff(place, HANDLE)))), shown)
    assert raw(place, HANDLE) == next(iter(place.surface.parts)).linear().tobytes()


def test_slices_levels_and_faces_are_chosen() -> None:
    place: Any = OneSurface("L8", 8, 4, 4, volume=True, levels=2)
    part = place.surface.part(1, 0)
    assert raw(place, Subresource(HANDLE, level=1, slice=1)) == part.linear()[8:].tobytes()
    for where in (Subresource(HANDLE, level=2), Subresource(HANDLE, slice=4), Subresource(HANDLE, sample=1), 99):
        with pytest.raises(BadInput, match=r"^no "):
            npy(place, where)


def test_buffers_are_numbers_but_no_image() -> None:
    place: Any = OneSurface("INDEX16", 6, 1)
    stored = next(iter(place.surface.parts)).linear()
    assert np.array_equal(numbers(place, HANDLE)[0], np.frombuffer(stored.tobytes(), "<u2"))
    with pytest.raises(BadInput, match="a buffer is no image"):
        tiff(place, HANDLE)


def test_pillow_reads_targa_and_bitmap() -> None:
    rgba = np.random.default_rng(3).integers(0, 256, (5, 7, 4), np.uint8)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(tga(rgba)))), rgba)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(bmp(rgba)))), rgba[..., :3])


def test_the_command_writes_them(room: inspector.Capture, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    event = int(room.draws[-1])
    rows, format = room.stored(event, "depth")
    for suffix in ("npy", "tiff", "raw", "tga"):
        assert main(["image", str(ROOM), "--event", str(event), "--surface", "depth", "-o", str(tmp_path / f"d.{suffix}")]) == 0
    assert (tmp_path / "d.raw").read_bytes() == rows.tobytes() and format.family == "depth"
    words = np.ascontiguousarray(rows).view(f"<u{format.bytes}")
    read = np.load(tmp_path / "d.npy").reshape(*words.shape, -1)
    assert read.dtype.kind == "u" and np.ptp(read[..., 0]) > 0
    with Image.open(tmp_path / "d.tiff") as page:
        assert np.array_equal(np.asarray(page), read[..., 0])
    assert np.array_equal(np.asarray(Image.open(tmp_path / "d.tga")), room.image(event, "depth"))
