"""Export formats: one row per kind and suffix, read by the command line, the window and the manual.

kind        `make` takes, and what comes of it
picture     rgba                       bytes
sheet       pictures, titles, widest   bytes
animation   pictures, seconds          bytes
surface     place, surface             bytes; a place is a capture's moment, or a device
slice       place, where               bytes; one level, face and slice as stored
deep        place, where               bytes; the same, scaled to 16 bits
vertices    grid, title[, textures]    bytes; textures: inspector.exports.meshes.Textures
rows        columns, rows              bytes
bytes       data (uint8)               bytes
text        text                       bytes
program     text                       bytes; of inspector.player.standalone
report      capture, event, pictures, progress[, drawn]   bytes
bundle      capture, path, focus, note, progress   writes the file
capture     tape, path, progress       writes the file
edited      view, path, progress       writes the file
frames      capture, path, first, last  writes the file
hashes      hashes (inspector.query.comparison.verify)   bytes
edits       WhatIf (inspector.query.what_if)             bytes
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from core.errors import BadInput
from inspector.exports.animation import animation, contact_sheet
from inspector.exports.bundle import write_bundle
from inspector.exports.dds import dds
from inspector.exports.deep import exr, png16
from inspector.exports.edited import export_edited
from inspector.exports.meshes import glb, gltf, ply
from inspector.exports.png import bmp, png, tga
from inspector.exports.recording import write_recording
from inspector.exports.report import report
from inspector.exports.rows import as_file
from inspector.exports.stored import npy, raw, tiff
from inspector.exports.trimmed import export_trimmed
from inspector.exports.vertices import obj, vertices_csv
from inspector.tape import copy_tape


@dataclass(frozen=True)
class Format:
    """One format of one kind; `holds` finishes the sentence "the file holds ..."."""

    kind: str
    suffix: str
    name: str
    holds: str
    make: Callable[..., Any]


def _json(value: Any) -> bytes:
    return value.json().encode()  # type: ignore[no-any-return]


def _sheet(pictures: Any, titles: Any, widest: int) -> bytes:
    return png(contact_sheet(pictures, titles, widest=widest))


FORMATS = (
    Format("picture", ".png", "PNG", "one image as shown, 8 bits per channel", png),
    Format("picture", ".tga", "Targa", "one image as shown, 8 bits per channel", tga),
    Format("picture", ".bmp", "bitmap", "one image as shown, 8 bits per channel, no alpha", bmp),
    Format("sheet", ".png", "PNG", "all frames, side by side", _sheet),
    Format("animation", ".webp", "WebP", "an animation, lossless", lambda *about: animation(about[0], "WEBP", about[1])),
    Format("animation", ".png", "APNG", "an animation, lossless", lambda *about: animation(about[0], "PNG", about[1])),
    Format("animation", ".gif", "GIF", "an animation of 256 colours", lambda *about: animation(about[0], "GIF", about[1])),
    Format("surface", ".dds", "DDS", "all levels, faces and slices of the surface as stored", dds),
    Format(
        "slice",
        ".tiff",
        "TIFF",
        "one slice as stored, with every bit, halves as 32-bit floats; a page per channel unless it is red, green and blue",
        tiff,
    ),
    Format("slice", ".npy", "NumPy", "one slice as stored, with every bit of its channels, depth and stencil included", npy),
    Format("slice", ".exr", "OpenEXR", "one slice as stored, channels as floats; needs ddi-inspector[exr]", exr),
    Format("slice", ".raw", "raw bytes", "the bytes of one slice as stored, row by row", raw),
    Format("deep", ".png", "PNG", "one slice as stored, 16 bits per channel", png16),
    Format("vertices", ".csv", "CSV", "every column of the vertices, with units", lambda *about: vertices_csv(about[0])),
    Format(
        "vertices",
        ".obj",
        "Wavefront OBJ",
        "the shape: positions, normals, texture coordinates; its material and texture in files next to it",
        lambda *about: obj(*about[:2]),
    ),
    Format(
        "vertices", ".ply", "PLY", "the shape: positions, normals, colours, texture coordinates", lambda *about: ply(*about[:2])
    ),
    Format("vertices", ".glb", "glTF 2.0", "the shape with colours, all texture coordinates, and the draw's textures", glb),
    Format("vertices", ".gltf", "glTF 2.0 as text", "the same; its data (.bin) and textures (PNG) in files next to it", gltf),
    Format("rows", ".csv", "CSV", "the rows of a table", as_file("CSV")),
    Format("rows", ".tsv", "TSV", "the rows of a table", as_file("TSV")),
    Format("rows", ".json", "JSON", "the rows of a table", as_file("JSON")),
    Format("rows", ".md", "Markdown", "the rows of a table", as_file("Markdown")),
    Format("bytes", ".bin", "raw bytes", "the bytes as they are", lambda data: data.tobytes()),
    Format("text", ".txt", "text", "its contents as text", lambda text: f"{text}\n".encode()),
    Format("program", ".py", "Python", "a program that draws a draw or frame again", str.encode),
    Format("report", ".html", "HTML", "one self-contained page", lambda *about: report(*about).encode()),
    Format("bundle", ".zip", "bug bundle", "a frame as a capture, the view and a report", write_bundle),
    Format("capture", ".ddicap", "capture", "everything: calls, data, API calls, annotations", copy_tape),
    Format("capture", ".ddirec", "recording of a driver", "the driver calls and their data", write_recording),
    Format("edited", ".ddicap", "capture", "the capture with its edits applied", export_edited),
    Format("frames", ".ddicap", "capture", "some frames as a capture that draws the same", export_trimmed),
    Format("hashes", ".json", "JSON", "hashes of all surfaces after every step", _json),
    Format("edits", ".json", "JSON", "the edits", _json),
)
"""The first of a kind is the one for standard output, devices and names without a choice."""


def formats(*kinds: str) -> Iterator[Format]:
    """Those of some kinds, in this order."""
    return (row for kind in kinds for row in FORMATS if row.kind == kind)


def format_of(path: Path, *kinds: str) -> Format:
    """The format that a path's suffix names; without a suffix in what is no file (`-`, /dev/null), the first.

    BadInput, with the list, for a suffix that there is no format for.
    """
    for row in formats(*kinds):
        if path.suffix.lower() == row.suffix:
            return row
    if not path.suffix and (path.as_posix() == "-" or (path.exists() and not path.is_file() and not path.is_dir())):
        return next(formats(*kinds))
    wrong = f"there is no format for {path.suffix} here" if path.suffix else "the name has no suffix"
    raise BadInput(f"{path}: {wrong}; choose {endings(*kinds)}")


def endings(*kinds: str) -> str:
    """As in ".png, .tga (one image as shown), .dds (...)": suffixes of the same contents together."""
    alike = groupby(formats(*kinds), lambda row: row.holds)
    return ", ".join(f"{', '.join(row.suffix for row in rows)} ({holds})" for holds, rows in alike)
