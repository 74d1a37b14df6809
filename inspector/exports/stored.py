"""One slice of a surface as stored, for other programs: numbers as NPY or TIFF, and raw bytes.

Numbers are what the bits of the channels hold, nothing scaled: 0..31 for five bits, signed ones for bump maps, depth with all
its bits, stencil beside it, indices of palettes, halves as floats.  Blocks (DXT, YUV) are decoded to red, green, blue, alpha.
TIFF is that of "TIFF Revision 6.0" (Adobe, 1992): baseline, one strip per page.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable

import numpy as np

from core.device.memory import half_floats
from core.device.past.reading import DeviceView, find, picture, read
from core.errors import BadInput
from core.spec.formats import Format
from core.spec.subresource import Subresource, Where

ORDER = "rgbuvwqlpazs"
"""Of channels in the last axis."""
NAMES = {
    "r": "red",
    "g": "green",
    "b": "blue",
    "a": "alpha",
    "l": "luminance",
    "p": "palette index",
    "z": "depth",
    "s": "stencil",
}
SHORT, LONG, TEXT = 3, 4, 2  # types of a TIFF's fields
GREY, RGB = 1, 2  # PhotometricInterpretation
SAMPLE_FORMATS = {"u": 1, "i": 2, "f": 3}


def numbers(place: DeviceView, where: Where) -> tuple[np.ndarray, tuple[str, ...]]:
    """([height, width], or [height, width, channels] of several, the channels' names): numbers of the smallest type for all.

    Buffers: [bytes or indices].  BadInput if there is no such slice.
    """
    rows, format, width = _read(place, where)
    if format.family == "buffer":
        return rows.reshape(-1).view(f"<u{format.bytes}"), ("value",)
    if format.family == "float":
        return half_floats.values_of(rows, width), tuple(NAMES[name] for name in "rgba")
    if format.family in ("dxt", "yuv"):
        return picture(place, where), tuple(NAMES[name] for name in "rgba")
    channels = sorted(format.channels, key=lambda channel: ORDER.index(channel[0]))
    words = _words(rows, width, format.bytes)
    planes = [_plane(words, shift, bits, kind == "snorm") for _, shift, bits, kind in channels]
    return (planes[0] if len(planes) == 1 else np.stack(planes, axis=-1)), tuple(NAMES.get(name, name) for name, *_ in channels)


def npy(place: DeviceView, where: Where) -> bytes:
    """The numbers as numpy.save writes them."""
    file = io.BytesIO()
    np.save(file, numbers(place, where)[0], allow_pickle=False)
    return file.getvalue()


def raw(place: DeviceView, where: Where) -> bytes:
    """The bytes, rows of blocks without anything between them."""
    return _read(place, where)[0].tobytes()


def tiff(place: DeviceView, where: Where) -> bytes:
    """The numbers: one page of colours where there are red, green and blue, else a grey page per channel, named after it."""
    found, names = numbers(place, where)
    if found.ndim == 1:
        raise BadInput("a buffer is no image; save it as .npy or .raw")
    if found.dtype == np.float16:
        found = found.astype(np.float32)
    if names[:3] == ("red", "green", "blue"):
        return _tiff([(found, ", ".join(names))])
    planes = found[..., None] if found.ndim == 2 else found
    return _tiff([(planes[..., number], name) for number, name in enumerate(names)])


def _read(place: DeviceView, where: Where) -> tuple[np.ndarray, Format, int]:
    """(uint8[rows of blocks, pitch], format, width in pixels) of a slice."""
    part = find(place, where)
    if part is None:
        raise BadInput(f"no {Subresource.of(where)}")
    try:
        return *read(place, where), part.width
    except LookupError as missing:
        raise BadInput(str(missing.args[0])) from None


def _words(rows: np.ndarray, width: int, size: int) -> np.ndarray:
    """uint64[height, width]: pixels of `size` bytes, little-endian."""
    pixels = np.zeros((len(rows), width, 8), np.uint8)
    pixels[..., :size] = rows[:, : width * size].reshape(len(rows), width, size)
    return pixels.view("<u8")[..., 0]


def _plane(words: np.ndarray, shift: int, bits: int, signed: bool) -> np.ndarray:
    """A channel, of the smallest type that has all its bits; `signed`: two's complement."""
    values = (words >> np.uint64(shift)) & np.uint64((1 << bits) - 1)
    size = next(size for size in (1, 2, 4) if bits <= 8 * size)
    if not signed:
        return values.astype(f"<u{size}")
    whole = values.astype(np.int64)
    return (whole - ((whole >> (bits - 1)) << bits)).astype(f"<i{size}")


def _tiff(pages: list[tuple[np.ndarray, str]]) -> bytes:
    """A file of pages, [height, width] or [height, width, samples] each, with their names."""
    file = bytearray(b"II*\0" + bytes(4))
    link = 4  # where the number of the next page's directory belongs
    for pixels, name in pages:
        strip = len(file)
        file += np.ascontiguousarray(pixels).astype(pixels.dtype.newbyteorder("<"), copy=False).tobytes()
        fields = _fields(pixels, name, strip)
        file += bytes(-len(file) % 4)
        struct.pack_into("<I", file, link, len(file))
        directory, link = _directory(fields, len(file))
        file += directory
    return bytes(file)


def _fields(pixels: np.ndarray, name: str, strip: int) -> list[tuple[int, int, list[int] | bytes]]:
    """(tag, type, values) in ascending order of tags, as the specification demands."""
    height, width = pixels.shape[:2]
    samples = pixels.shape[2] if pixels.ndim == 3 else 1
    fields: list[tuple[int, int, list[int] | bytes]] = [
        (256, LONG, [width]),
        (257, LONG, [height]),
        (258, SHORT, [8 * pixels.itemsize] * samples),
        (259, SHORT, [1]),  # not compressed
        (262, SHORT, [RGB if samples > 1 else GREY]),
        (273, LONG, [strip]),
        (277, SHORT, [samples]),
        (278, LONG, [height]),
        (279, LONG, [pixels.nbytes]),
        (285, TEXT, name.encode("ascii") + b"\0"),
    ]
    if samples == 4:
        fields.append((338, SHORT, [2]))  # alpha that is not multiplied in
    return [*fields, (339, SHORT, [SAMPLE_FORMATS[pixels.dtype.kind]] * samples)]


def _directory(fields: list[tuple[int, int, list[int] | bytes]], start: int) -> tuple[bytes, int]:
    """(an image file directory at this offset with the values that it points to, the offset of its link)."""
    link = start + 2 + 12 * len(fields)
    entries, values = struct.pack("<H", len(fields)), b""
    pack: dict[int, Callable[[list[int]], bytes]] = {
        SHORT: lambda numbers: struct.pack(f"<{len(numbers)}H", *numbers),
        LONG: lambda numbers: struct.pack(f"<{len(numbers)}I", *numbers),
    }
    for tag, kind, value in fields:
        data = value if isinstance(value, bytes) else pack[kind](value)
        held = data.ljust(4, b"\0") if len(data) <= 4 else struct.pack("<I", link + 4 + len(values))
        entries += struct.pack("<HHI", tag, kind, len(value)) + held
        if len(data) > 4:
            values += data + bytes(-len(data) % 4)
    return entries + bytes(4) + values, link
