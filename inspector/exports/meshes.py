"""A draw's triangles, lines or points: PLY, and glTF 2.0 with the draw's textures, as one file (GLB) or several.

glTF is that of the Khronos Group's "glTF 2.0 Specification": right-handed, y up, fronts counter-clockwise, texture coordinates
from the upper left as Direct3D's.  PLY is that of Greg Turk's "The PLY Polygon File Format"; it has no conventions for axes:
here they are those of our OBJ, with texture coordinates from the lower left.
"""

from __future__ import annotations

import base64
import json
import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from core.device.memory.half_floats import remove_gamma
from core.errors import BadInput
from core.spec.enums import TextureAddress, TextureFilter
from inspector.exports.png import png
from inspector.exports.vertices import COORDINATES, Grid, Shape, shape_of
from inspector.query.objects.usage import ResourcesOf
from inspector.timeline.lives import Role

if TYPE_CHECKING:
    from inspector.view import CaptureView

FLOAT, UINT = 5126, 5125
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963
MODES = {1: 0, 2: 1, 3: 4}
NEAREST, LINEAR = 9728, 9729
MINIFIED = {
    (False, 0): 9728, (True, 0): 9729, (False, 1): 9984, (True, 1): 9985, (False, 2): 9986, (True, 2): 9987,
}  # fmt: skip
"""minFilter by whether texels are mixed, and D3DTEXTUREFILTERTYPE between levels."""
SHARP = ("NONE", "POINT")
WRAPS = {"WRAP": 10497, "MIRROR": 33648, "CLAMP": 33071, "BORDER": 33071, "MIRRORONCE": 33648}
STATES = ("TEXCOORDINDEX", "ADDRESSU", "ADDRESSV", "MAGFILTER", "MINFILTER", "MIPFILTER")
VECTORS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}


@dataclass(frozen=True, slots=True)
class Texture:
    """A texture of a draw: its stage, its surface, its largest level as RGBA.

    `coordinates`: which set of texture coordinates it is sampled with, -1: made ones (reflections, positions).  `wrap`: names
    of TextureAddress for u and v.  `filters`: names of TextureFilter, magnified, minified, between levels.
    """

    stage: int
    handle: int
    rgba: np.ndarray = field(compare=False)
    coordinates: int = 0
    wrap: tuple[str, str] = ("WRAP", "WRAP")
    filters: tuple[str, str, str] = ("LINEAR", "LINEAR", "NONE")


Textures = Callable[[], Sequence[Texture]]
"""Asked only by formats that hold them: pictures take their time."""


def textures_of(capture: CaptureView, event: int) -> list[Texture]:
    """Those that a draw samples, by stage; cube and volume textures are left out."""
    flat = {info.handle for info in capture.surfaces(event) if info.kind == "2d"}
    used = {use.detail: use.life.handle for use in capture.ask(ResourcesOf(event)) if use.role == Role.TEXTURE}
    state: Any = capture.state(event)
    shader = int(state["VERTEXSHADER"].raw[0]) & 1  # of a program, whose outputs are those of the stages
    found = []
    for stage in (stage for stage in sorted(used) if used[stage] in flat):
        raw = {name: int(state["TEXTURESTAGE", stage, name].raw[0]) for name in STATES}
        index = raw["TEXCOORDINDEX"]
        coordinates = stage if shader else index if index < len(COORDINATES) else -1
        wrap = (_named(TextureAddress, raw["ADDRESSU"]), _named(TextureAddress, raw["ADDRESSV"]))
        filters = tuple(_named(TextureFilter, raw[name]) for name in ("MAGFILTER", "MINFILTER", "MIPFILTER"))
        rgba = capture.image(event, used[stage])
        found.append(Texture(stage, used[stage], rgba, coordinates, wrap, filters))  # type: ignore[arg-type]
    return found


def _named(kind: type[IntEnum], raw: int) -> str:
    return kind(raw).name if raw in kind._value2member_map_ else kind(1).name


def base_texture(shape: Shape, textures: Sequence[Texture]) -> Texture | None:
    """The texture of the lowest stage that is sampled with coordinates that the shape has."""
    return next((one for one in textures if one.coordinates in shape.sets), None)


def ply(grid: Grid, title: str = "") -> bytes:
    """Positions, normals, colours and the first texture coordinates; faces, or edges of lines; points are vertices alone."""
    shape = shape_of(grid)
    columns: list[tuple[str, np.ndarray]] = [(name, shape.places[:, n]) for n, name in enumerate("xyz")]
    if shape.normals is not None:
        columns += [(f"n{name}", shape.normals[:, n]) for n, name in enumerate("xyz")]
    if shape.coordinates:
        columns += [("s", shape.coordinates[0][:, 0]), ("t", 1 - shape.coordinates[0][:, 1])]
    if shape.colors is not None:
        bytes_ = np.floor(shape.colors * 255 + 0.5).astype(np.uint8)
        columns += [(name, bytes_[:, n]) for n, name in enumerate(("red", "green", "blue", "alpha"))]
    vertices = np.zeros(len(shape.places), [(name, "u1" if values.dtype == np.uint8 else "<f4") for name, values in columns])
    for name, values in columns:
        vertices[name] = values
    lines = ["ply", "format binary_little_endian 1.0", *([f"comment {' '.join(title.split())}"] if title else [])]
    lines.append(f"element vertex {len(vertices)}")
    lines += [f"property {'uchar' if values.dtype == np.uint8 else 'float'} {name}" for name, values in columns]
    head, elements = _ply_elements(shape.shapes)
    return ("\n".join([*lines, *head, "end_header"]) + "\n").encode("ascii", "replace") + vertices.tobytes() + elements


def _ply_elements(shapes: np.ndarray) -> tuple[list[str], bytes]:
    """(lines of the header, data)."""
    count = shapes.shape[1]
    if count == 1:
        return [], b""
    if count == 2:
        head = [f"element edge {len(shapes)}", "property int vertex1", "property int vertex2"]
        return head, shapes.astype("<i4").tobytes()
    faces = np.zeros(len(shapes), [("count", "u1"), ("corners", "<i4", (3,))])
    faces["count"], faces["corners"] = 3, shapes
    return [f"element face {len(shapes)}", "property list uchar int vertex_indices"], faces.tobytes()


class _Binary:
    """The one buffer of a file, with its views and accessors."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def view(self, data: bytes, target: int | None = None) -> int:
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)})
        if target is not None:
            self.views[-1]["target"] = target
        self.data += data + bytes(-len(data) % 4)
        return len(self.views) - 1

    def accessor(self, values: np.ndarray, bounds: bool = False) -> int:
        """float32[n, components] of vertices, or uint32[n] of indices."""
        indices = values.dtype.kind != "f"
        found = np.ascontiguousarray(values, "<u4" if indices else "<f4")
        view = self.view(found.tobytes(), ELEMENT_ARRAY_BUFFER if indices else ARRAY_BUFFER)
        row: dict[str, Any] = {"bufferView": view, "componentType": UINT if indices else FLOAT, "count": len(found)}
        row["type"] = VECTORS[1 if found.ndim == 1 else found.shape[1]]
        if bounds:
            row |= {"min": found.min(axis=0).tolist(), "max": found.max(axis=0).tolist()}
        self.accessors.append(row)
        return len(self.accessors) - 1


def glb(grid: Grid, title: str = "", textures: Textures | None = None) -> bytes:
    """Positions, normals, colours, every set of texture coordinates, and the draw's textures as PNG.

    The texture of the lowest stage whose coordinates are there colours the shape; further ones are in the file, named after
    their stages, all with the addresses and filters of their stage.  BadInput if no triangle, line or point is left.
    """
    return _container(*_document(grid, title, textures))


def gltf(grid: Grid, title: str = "", textures: Textures | None = None) -> bytes:
    """The same as text, with its data inside, in base64: where there is no place for files beside it."""
    document, data = _document(grid, title, textures)
    document["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return _text(document)


def gltf_files(grid: Grid, title: str, textures: Sequence[Texture], name: str) -> dict[str, bytes]:
    """File name -> contents: NAME.gltf, and beside it its data, NAME.bin, and the textures as PNG.

    `name`: of the files, without suffix; where one file names another, what means something in an address is an underscore.
    """
    plain = re.sub(r"[\s#%?:\\]+", "_", name)
    pictures = [f"{plain}-stage{one.stage}.png" for one in textures]
    document, data = _document(grid, title, lambda: textures, pictures)
    document["buffers"][0]["uri"] = f"{plain}.bin"
    files = {f"{name}.gltf": _text(document), f"{plain}.bin": data}
    return files | {picture: png(one.rgba) for picture, one in zip(pictures, textures, strict=True)}


def _document(grid: Grid, title: str, textures: Textures | None, pictures: Sequence[str] = ()) -> tuple[dict[str, Any], bytes]:
    """(the JSON, its data); `pictures`: file names of the textures, which are in the data otherwise."""
    shape, binary = shape_of(grid), _Binary()
    if not len(shape.shapes):
        raise BadInput("these vertices form no triangle, line or point with an area or length; glTF needs one")
    mesh = {"attributes": _attributes(shape, binary), "mode": MODES[shape.shapes.shape[1]]}
    mesh["indices"] = binary.accessor(shape.shapes.reshape(-1))
    held = list(textures()) if textures is not None else []
    document: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "DDI Inspector"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": title or "draw"}], "meshes": [{"primitives": [mesh]}],
    }  # fmt: skip
    if held:
        document |= _pictures(held, binary, pictures)
    if (one := base_texture(shape, held)) is not None:
        texture = {"index": held.index(one), "texCoord": shape.sets.index(one.coordinates)}
        base = {"baseColorTexture": texture, "metallicFactor": 0.0, "roughnessFactor": 1.0}
        document["materials"] = [{"name": "draw", "doubleSided": True, "pbrMetallicRoughness": base}]
        mesh["material"] = 0
    document |= {"accessors": binary.accessors, "bufferViews": binary.views, "buffers": [{"byteLength": len(binary.data)}]}
    return document, bytes(binary.data)


def _attributes(shape: Shape, binary: _Binary) -> dict[str, int]:
    found = {"POSITION": binary.accessor(shape.places, bounds=True)}
    if shape.normals is not None:  # glTF wants them of length 1
        lengths = np.linalg.norm(shape.normals.astype(np.float64), axis=1, keepdims=True)
        usable = np.isfinite(lengths) & (lengths > 0)
        unit = np.where(usable, shape.normals / np.where(usable, lengths, 1), [0.0, 0.0, 1.0])
        found["NORMAL"] = binary.accessor(unit)
    if shape.colors is not None:  # glTF multiplies linear colours, Direct3D 8 those of the screen
        linear = np.concatenate([remove_gamma(shape.colors[:, :3].astype(np.float64)), shape.colors[:, 3:]], axis=1)
        found["COLOR_0"] = binary.accessor(linear)
    for number, coordinates in enumerate(shape.coordinates):
        found[f"TEXCOORD_{number}"] = binary.accessor(coordinates)
    return found


def _pictures(held: Sequence[Texture], binary: _Binary, files: Sequence[str]) -> dict[str, Any]:
    names = [f"stage {one.stage}, surface {one.handle}" for one in held]
    if files:
        images: list[dict[str, Any]] = [{"uri": file, "name": name} for file, name in zip(files, names, strict=True)]
    else:
        images = [
            {"bufferView": binary.view(png(one.rgba)), "mimeType": "image/png", "name": name}
            for one, name in zip(held, names, strict=True)
        ]
    textures = [{"source": number, "sampler": number, "name": name} for number, name in enumerate(names)]
    return {"images": images, "samplers": [_sampler(one) for one in held], "textures": textures}


def _sampler(one: Texture) -> dict[str, int]:
    """glTF knows no border and no mirroring once: both are as near as it can say."""
    magnified, minified, levels = one.filters
    smooth = {"magFilter": LINEAR if magnified not in SHARP else NEAREST}
    smooth["minFilter"] = MINIFIED[minified not in SHARP, min(TextureFilter[levels], TextureFilter.LINEAR)]
    return smooth | {"wrapS": WRAPS[one.wrap[0]], "wrapT": WRAPS[one.wrap[1]]}


def _text(document: dict[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


def _container(document: dict[str, Any], data: bytes) -> bytes:
    """GLB: a header, a chunk of JSON padded with spaces, a chunk of data."""
    text = _text(document)
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks
