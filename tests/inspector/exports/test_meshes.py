"""PLY and glTF, read by the letter of their specifications and held against the vertices that went in."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import inspector
from core.errors import BadInput
from inspector.cli import main
from inspector.exports.meshes import Texture, glb, ply, textures_of
from inspector.query.draws.vertices import Grid
from tests.inspector.conftest import ROOM

TORUS = 2945
COLUMNS = (
    *(f"position.{axis}" for axis in "xyz"), *(f"normal.{axis}" for axis in "xyz"), *(f"diffuse.{name}" for name in "rgba"),
    "texture 0.u", "texture 0.v", "texture 1.u", "texture 1.v", "texture 2.u", "texture 2.v",
)  # fmt: skip
TYPES = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
COUNTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


def grid_of(primitive: str = "TRIANGLELIST", count: int = 6) -> Grid:
    """Random vertices with normals of length 2 and colours; the third texture coordinates are all zero."""
    rng = np.random.default_rng(5)
    rows = np.zeros(count, [("vertex", "<i8"), *((name, "<f4") for name in COLUMNS)])
    rows["vertex"] = np.arange(count)
    for name in COLUMNS[:-2]:
        rows[name] = rng.random(count)
    normals = np.stack([rows[f"normal.{axis}"] for axis in "xyz"], axis=1)
    normals *= 2 / np.linalg.norm(normals, axis=1, keepdims=True)
    for number, axis in enumerate("xyz"):
        rows[f"normal.{axis}"] = normals[:, number]
    return Grid(["vertex", *COLUMNS], rows, primitive=primitive)


def columns(grid: Grid, *names: str) -> np.ndarray:
    return np.stack([grid.rows[name] for name in names], axis=1)


def gltf(data: bytes) -> tuple[dict[str, Any], bytes]:
    """(JSON, binary chunk) of a GLB, its lengths and padding checked (section 4.4)."""
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON" and size % 4 == 0
    document = json.loads(data[20 : 20 + size])
    held, kind = struct.unpack_from("<I4s", data, 20 + size)
    assert kind == b"BIN\0" and held % 4 == 0 and 28 + size + held == len(data)
    assert document["asset"]["version"] == "2.0" and [one["byteLength"] for one in document["buffers"]] == [held]
    for view in document["bufferViews"]:
        assert view["buffer"] == 0 and view["byteOffset"] % 4 == 0 and 0 < view["byteLength"] <= held - view["byteOffset"]
    return document, data[28 + size :]


def values(document: dict[str, Any], data: bytes, number: int) -> np.ndarray:
    """An accessor's, which must fit its view exactly."""
    row = document["accessors"][number]
    view, kind, parts = document["bufferViews"][row["bufferView"]], np.dtype(TYPES[row["componentType"]]), COUNTS[row["type"]]
    assert row["count"] > 0 and row["count"] * parts * kind.itemsize == view["byteLength"]
    found = np.frombuffer(data, kind, row["count"] * parts, view["byteOffset"])
    return found.reshape(-1, parts) if parts > 1 else found


def only_mesh(data: bytes) -> tuple[dict[str, Any], dict[str, Any], dict[str, np.ndarray], np.ndarray]:
    """(document, primitive, attributes, indices) of the one mesh in the scene."""
    document, binary = gltf(data)
    assert document["scenes"][document["scene"]]["nodes"] == [0] and document["nodes"][0]["mesh"] == 0
    (primitive,) = document["meshes"][0]["primitives"]
    attributes = {name: values(document, binary, number) for name, number in primitive["attributes"].items()}
    indices = values(document, binary, primitive["indices"])
    assert len({len(one) for one in attributes.values()}) == 1 and indices.max() < len(attributes["POSITION"])
    bounds = document["accessors"][primitive["attributes"]["POSITION"]]
    assert np.array_equal(np.float32(bounds["min"]), attributes["POSITION"].min(axis=0))
    assert np.array_equal(np.float32(bounds["max"]), attributes["POSITION"].max(axis=0))
    return document, primitive, attributes, indices


def test_gltf_holds_all_attributes() -> None:
    grid = grid_of()
    document, primitive, attributes, indices = only_mesh(glb(grid, "a name"))
    turned = np.array([1, 1, -1], np.float32)
    assert document["nodes"][0]["name"] == "a name" and primitive["mode"] == 4 and "images" not in document
    assert set(attributes) == {"POSITION", "NORMAL", "COLOR_0", "TEXCOORD_0", "TEXCOORD_1"}
    assert np.array_equal(attributes["POSITION"], columns(grid, *COLUMNS[:3]) * turned)
    assert np.allclose(attributes["NORMAL"], columns(grid, *COLUMNS[3:6]) * turned / 2, atol=1e-6)
    for number in range(2):
        uv = columns(grid, f"texture {number}.u", f"texture {number}.v")
        assert np.array_equal(attributes[f"TEXCOORD_{number}"], uv)
    shown = columns(grid, *COLUMNS[6:10]).astype(np.float64)
    linear = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)  # IEC 61966-2-1
    assert np.allclose(attributes["COLOR_0"], np.concatenate([linear[:, :3], shown[:, 3:]], axis=1), atol=1e-6)
    assert [set(row) for row in indices.reshape(-1, 3).tolist()] == [{0, 1, 2}, {3, 4, 5}]


@pytest.mark.parametrize(("primitive", "mode", "corners"), [("POINTLIST", 0, 1), ("LINESTRIP", 1, 2), ("TRIANGLEFAN", 4, 3)])
def test_gltf_knows_points_lines_and_triangles(primitive: str, mode: int, corners: int) -> None:
    _, mesh, _, indices = only_mesh(glb(grid_of(primitive)))
    assert mesh["mode"] == mode and len(indices) == corners * (7 - corners)


@pytest.mark.parametrize("form", [glb, ply])
def test_fronts_turn_counter_clockwise(form: Any, room: inspector.Capture) -> None:
    data = form(room.vertices(TORUS, "assembled"), "torus")
    if form is glb:
        _, _, attributes, indices = only_mesh(data)
        places, normals = attributes["POSITION"], attributes["NORMAL"]
        corners = indices.reshape(-1, 3)
    else:
        vertices, corners = parsed(data)
        places, normals = (np.stack([vertices[f"{start}{axis}"] for axis in "xyz"], axis=1) for start in ("", "n"))
    a, b, c = (places[corners[:, number]] for number in range(3))
    assert len(corners) == 1440 and ((np.cross(b - a, c - a) * normals[corners].sum(axis=1)).sum(axis=1) > 0).all()


def test_gltf_embeds_the_textures_of_the_draw(room: inspector.Capture, tmp_path: Path) -> None:
    path = tmp_path / "torus.glb"
    assert main(["vertices", str(ROOM), "--event", str(TORUS), "-o", str(path)]) == 0
    document, primitive, attributes, _ = only_mesh(path.read_bytes())
    _, binary = gltf(path.read_bytes())
    (used,) = [use for use in room.ask(inspector.ResourcesOf(TORUS)) if use.role.name == "TEXTURE"]
    base = document["materials"][primitive["material"]]["pbrMetallicRoughness"]["baseColorTexture"]
    assert f"TEXCOORD_{base['texCoord']}" in attributes
    image = document["images"][document["textures"][base["index"]]["source"]]
    view = document["bufferViews"][image["bufferView"]]
    assert image["mimeType"] == "image/png" and image["name"] == f"stage {used.detail}, surface {used.life.handle}"
    read = Image.open(io.BytesIO(binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]))
    assert np.array_equal(np.asarray(read), room.image(TORUS, used.life.handle))
    assert [one.stage for one in textures_of(room, TORUS)] == [used.detail]


def test_without_coordinates_no_texture_is_applied() -> None:
    rows = np.zeros(3, [(name, "<f4") for name in COLUMNS[:3]])
    rows["position.x"] = 0, 1, 2
    picture = Texture(1, 5, np.zeros((2, 2, 4), np.uint8))
    document, primitive, attributes, _ = only_mesh(
        glb(Grid(list(COLUMNS[:3]), rows, primitive="TRIANGLELIST"), "", lambda: [picture])
    )
    assert set(attributes) == {"POSITION"} and "material" not in primitive and len(document["images"]) == 1


def test_what_cannot_be_a_shape_is_refused(room: inspector.Capture) -> None:
    rows = np.full(3, np.nan, [(name, "<f4") for name in COLUMNS[:3]])
    with pytest.raises(BadInput, match="no triangle, line or point"):
        glb(Grid(list(COLUMNS[:3]), rows, primitive="TRIANGLELIST"))
    for form in (glb, ply):
        with pytest.raises(BadInput, match="needs the vertices of a draw"):
            form(room.vertices(TORUS, "streams"))


def parsed(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """(vertices with their properties, corners of faces or edges) of a binary PLY, all bytes used."""
    head, _, body = data.partition(b"end_header\n")
    lines = [line.split() for line in head.decode("ascii").splitlines()]
    assert lines[:2] == [["ply"], ["format", "binary_little_endian", "1.0"]]
    elements: list[tuple[str, int, list[Any]]] = []
    kinds = {"float": "<f4", "uchar": "u1", "int": "<i4"}
    for word, *rest in lines[2:]:
        if word == "element":
            elements.append((rest[0], int(rest[1]), []))
        elif word == "property" and rest[0] == "list":
            assert rest == ["list", "uchar", "int", "vertex_indices"]
            elements[-1][2].extend([("count", "u1"), ("corners", "<i4", (3,))])
        elif word == "property":
            elements[-1][2].append((rest[1], kinds[rest[0]]))
    found, start = {}, 0
    for name, count, fields in elements:
        found[name] = np.frombuffer(body, np.dtype(fields), count, start)
        start += found[name].nbytes
    assert start == len(body)
    if "face" in found:
        assert (found["face"]["count"] == 3).all()
        return found["vertex"], found["face"]["corners"]
    edges = found.get("edge")
    return found["vertex"], np.zeros((0, 1)) if edges is None else np.stack([edges["vertex1"], edges["vertex2"]], axis=1)


@pytest.mark.parametrize(("primitive", "count"), [("POINTLIST", 0), ("LINELIST", 3), ("TRIANGLELIST", 2), ("TRIANGLESTRIP", 4)])
def test_ply_holds_the_vertices_and_what_joins_them(primitive: str, count: int) -> None:
    grid = grid_of(primitive)
    vertices, corners = parsed(ply(grid, "two\nlines é"))
    assert len(corners) == count
    assert np.array_equal(vertices["z"], -grid.rows["position.z"]) and np.array_equal(vertices["x"], grid.rows["position.x"])
    assert np.array_equal(vertices["nz"], -grid.rows["normal.z"]) and np.array_equal(vertices["s"], grid.rows["texture 0.u"])
    assert np.allclose(vertices["t"], 1 - grid.rows["texture 0.v"])
    assert np.abs(vertices["red"] / 255 - grid.rows["diffuse.r"]).max() <= 0.5 / 255 + 1e-6
    assert np.abs(vertices["alpha"] / 255 - grid.rows["diffuse.a"]).max() <= 0.5 / 255 + 1e-6
