"""One slice of a surface with more than 8 bits per channel: as 16-bit PNG, and as OpenEXR.

Channels are scaled linearly: unsigned ones and depth 0..1, signed ones -1..1, floats as they are; stencil and indices of
palettes are counted.  PNG (W3C, "Portable Network Graphics (PNG) Specification", third edition) holds 0..1 in 0..65535, signed
ones with -1 at 0; depth of at most 16 bits is exact.
"""

from __future__ import annotations

import struct
import tempfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from core.device.past.reading import DeviceView, find
from core.errors import BadInput
from core.spec.subresource import Subresource, Where
from inspector.exports.stored import numbers

FULL = 65535
SIGNATURE = b"\x89PNG\r\n\x1a\n"
GREY, RGB, GREY_ALPHA, RGBA = 0, 2, 4, 6
COLOR_TYPES = {1: GREY, 2: GREY_ALPHA, 3: RGB, 4: RGBA}
COUNTED = ("stencil", "palette index", "value")
EXR_NAMES = {"red": "R", "green": "G", "blue": "B", "alpha": "A", "luminance": "Y", "depth": "Z", "stencil": "stencil"}
PACKAGE = "OpenEXR"


def channels_of(place: DeviceView, where: Where) -> dict[str, np.ndarray]:
    """Name -> [height, width], in order: float64 where it is scaled, else what is counted.  BadInput for a buffer."""
    found, names = numbers(place, where)
    part = find(place, where)
    if part is None:
        raise BadInput(f"no {Subresource.of(where)}")
    if found.ndim == 1:
        raise BadInput("a buffer is no image; save it as .npy or .raw")
    planes = found[..., None] if found.ndim == 2 else found
    bits = {name: (count, kind) for name, _, count, kind in part.format.channels}
    short = {"red": "r", "green": "g", "blue": "b", "alpha": "a", "luminance": "l", "depth": "z", "stencil": "s"}
    out: dict[str, np.ndarray] = {}
    for number, name in enumerate(names):
        count, kind = bits.get(short.get(name, name), (8, "unorm"))
        out[name] = _scaled(planes[..., number], name, int(count), str(kind))
    return out


def _scaled(plane: np.ndarray, name: str, bits: int, kind: str) -> np.ndarray:
    if plane.dtype.kind == "f":
        return plane.astype(np.float64)
    if name in COUNTED:
        return plane
    if plane.dtype.kind == "i":
        return np.maximum(plane / ((1 << (bits - 1)) - 1), -1.0)
    return plane / ((1 << bits) - 1)


def png16(place: DeviceView, where: Where) -> bytes:
    """A PNG of 16 bits a channel: grey or colours, with alpha if there is one.  Stencil is left out; .tiff and .npy hold it."""
    held = {name: plane for name, plane in channels_of(place, where).items() if name != "stencil"}
    alpha = held.pop("alpha", None)
    planes = list(held.values())[:3] or [alpha] if alpha is not None else list(held.values())[:3]
    if len(planes) == 2:  # u and v of bump maps
        planes.append(np.zeros_like(planes[0]))
    if alpha is not None and planes[0] is not alpha:
        planes.append(alpha)
    signed = any(plane is not None and plane.dtype.kind == "f" and plane.size and plane.min() < 0 for plane in planes)
    words = np.stack([_words(plane, signed) for plane in planes if plane is not None], axis=-1)
    return _png(words)


def _words(plane: np.ndarray, signed: bool) -> np.ndarray:
    """uint16 of a channel; counted ones as they are."""
    if plane.dtype.kind != "f":
        return np.minimum(plane.astype(np.uint32), FULL).astype(np.uint16)
    shown = np.nan_to_num(plane) / 2 + 0.5 if signed else np.nan_to_num(plane)
    return np.floor(np.clip(shown, 0, 1) * FULL + 0.5).astype(np.uint16)


def _png(words: np.ndarray) -> bytes:
    """A PNG of uint16[height, width, channels]."""
    height, width, count = words.shape
    rows = np.zeros((height, 1 + 2 * width * count), np.uint8)  # a filter type of 0 before each
    rows[:, 1:] = words.astype(">u2").reshape(height, -1).view(np.uint8)
    head = struct.pack(">IIBBBBB", width, height, 16, COLOR_TYPES[count], 0, 0, 0)
    return SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)) + _chunk(b"IEND", b"")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def exr(place: DeviceView, where: Where) -> bytes:
    """An OpenEXR of 32-bit floats, R, G, B, A, Y or Z; stencil as 32-bit integers.  BadInput without the package OpenEXR."""
    try:
        import OpenEXR
    except ImportError as error:
        raise BadInput(f".exr needs the package {PACKAGE}: pip install ddi-inspector[exr]") from error
    held: dict[str, Any] = {
        EXR_NAMES.get(name, name.replace(" ", "_")): np.ascontiguousarray(
            plane, np.float32 if name not in COUNTED else np.uint32
        )
        for name, plane in channels_of(place, where).items()
    }
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    with tempfile.TemporaryDirectory(prefix="ddi-inspector-") as folder:
        path = Path(folder) / "picture.exr"
        OpenEXR.File(header, held).write(str(path))
        return path.read_bytes()
