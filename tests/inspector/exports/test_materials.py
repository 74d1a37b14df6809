"""OBJ with its material and glTF with samplers, read by trimesh; the texture is where the draw samples it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import inspector
from inspector.cli import main
from inspector.exports.materials import obj_files
from inspector.exports.meshes import Texture, glb, textures_of
from tests.inspector.conftest import ROOM
from tests.inspector.exports.test_meshes import TORUS, grid_of, only_mesh

trimesh = pytest.importorskip("trimesh")


def texture(stage: int = 0, **about: object) -> Texture:
    return Texture(stage, 5 + stage, np.full((2, 2, 4), 40 * stage, np.uint8), **about)  # type: ignore[arg-type]


def test_an_obj_comes_with_its_material_and_texture(room: inspector.Capture, tmp_path: Path) -> None:
    path = tmp_path / "the torus.obj"
    assert main(["vertices", str(ROOM), "--event", str(TORUS), "-o", str(path)]) == 0
    names = {file.name for file in tmp_path.iterdir()}
    assert names == {"the torus.obj", "the_torus.mtl", "the_torus-stage0.png"}
    mesh = trimesh.load(path, process=False)
    (one,) = textures_of(room, TORUS)
    assert np.array_equal(np.asarray(mesh.visual.material.image.convert("RGBA")), one.rgba)
    assert len(mesh.faces) == 1440 and mesh.visual.uv.shape == (len(mesh.vertices), 2)
    grid = room.vertices(TORUS, "assembled")
    pairs = {(round(u, 5), round(1 - v, 5)) for u, v in grid.rows[["texture 0.u", "texture 0.v"]].tolist()}
    assert {(round(float(u), 5), round(float(v), 5)) for u, v in mesh.visual.uv} == pairs


def test_the_glb_is_read_with_its_texture_and_all_faces(room: inspector.Capture, tmp_path: Path) -> None:
    path = tmp_path / "torus.glb"
    assert main(["vertices", str(ROOM), "--event", str(TORUS), "-o", str(path)]) == 0
    (mesh,) = trimesh.load(path, process=False).geometry.values()
    (one,) = textures_of(room, TORUS)
    assert len(mesh.faces) == 1440
    assert np.array_equal(np.asarray(mesh.visual.material.baseColorTexture.convert("RGBA")), one.rgba)


def test_the_gltf_is_read_with_the_files_beside_it(room: inspector.Capture, tmp_path: Path) -> None:
    """A blank in the name is none in what one file calls another."""
    path = tmp_path / "the torus.gltf"
    assert main(["vertices", str(ROOM), "--event", str(TORUS), "-o", str(path)]) == 0
    assert {file.name for file in tmp_path.iterdir()} == {"the torus.gltf", "the_torus.bin", "the_torus-stage0.png"}
    (mesh,) = trimesh.load(path, process=False).geometry.values()
    (one,) = textures_of(room, TORUS)
    assert len(mesh.faces) == 1440
    assert np.array_equal(np.asarray(mesh.visual.material.baseColorTexture.convert("RGBA")), one.rgba)
    document = json.loads(path.read_text())
    assert [buffer["uri"] for buffer in document["buffers"]] == ["the_torus.bin"]
    assert [image["uri"] for image in document["images"]] == ["the_torus-stage0.png"]


def test_a_gltf_alone_holds_its_data(room: inspector.Capture, tmp_path: Path) -> None:
    path = tmp_path / "x.gltf"
    path.write_bytes(inspector.exports.meshes.gltf(room.vertices(TORUS, "assembled"), "", lambda: textures_of(room, TORUS)))
    (mesh,) = trimesh.load(path, process=False).geometry.values()
    assert len(mesh.faces) == 1440 and mesh.visual.material.baseColorTexture is not None


def test_the_ply_is_read_with_its_colours(room: inspector.Capture, tmp_path: Path) -> None:
    (tmp_path / "x.ply").write_bytes(inspector.exports.meshes.ply(room.vertices(TORUS, "assembled")))
    assert len(trimesh.load(tmp_path / "x.ply", process=False).faces) == 1440


@pytest.mark.parametrize("coordinates", [0, 1])
def test_the_coordinates_are_those_that_the_stage_samples_with(coordinates: int) -> None:
    grid, one = grid_of(), texture(coordinates=coordinates)
    document, primitive, _, _ = only_mesh(glb(grid, "", lambda: [one]))
    base = document["materials"][primitive["material"]]["pbrMetallicRoughness"]["baseColorTexture"]
    assert base == {"index": 0, "texCoord": coordinates}
    lines = obj_files(grid, "", [one], "x")["x.obj"].decode().splitlines()
    first = [float(word) for word in next(line for line in lines if line.startswith("vt ")).split()[1:]]
    row = grid.rows[0]
    assert first == pytest.approx([row[f"texture {coordinates}.u"], 1 - row[f"texture {coordinates}.v"]], abs=1e-6)


def test_made_coordinates_and_absent_ones_apply_no_texture() -> None:
    for missing in (-1, 2, 7):
        document, primitive, _, _ = only_mesh(glb(grid_of(), "", lambda missing=missing: [texture(coordinates=missing)]))
        assert "material" not in primitive and len(document["images"]) == 1
        assert set(obj_files(grid_of(), "", [texture(coordinates=missing)], "x")) == {"x.obj"}
    document, primitive, _, _ = only_mesh(glb(grid_of(), "", lambda: [texture(0, coordinates=-1), texture(1, coordinates=1)]))
    base = document["materials"][primitive["material"]]["pbrMetallicRoughness"]["baseColorTexture"]
    assert base == {"index": 1, "texCoord": 1}


@pytest.mark.parametrize(
    ("filters", "wrap", "sampler"),
    [  # glTF 2.0, section 5.26: the numbers of OpenGL
        (("POINT", "POINT", "NONE"), ("WRAP", "CLAMP"), (9728, 9728, 10497, 33071)),
        (("LINEAR", "POINT", "POINT"), ("MIRROR", "WRAP"), (9729, 9984, 33648, 10497)),
        (("ANISOTROPIC", "LINEAR", "LINEAR"), ("BORDER", "MIRRORONCE"), (9729, 9987, 33071, 33648)),
        (("POINT", "LINEAR", "POINT"), ("WRAP", "WRAP"), (9728, 9985, 10497, 10497)),
        (("POINT", "POINT", "LINEAR"), ("WRAP", "WRAP"), (9728, 9986, 10497, 10497)),
        (("POINT", "ANISOTROPIC", "NONE"), ("WRAP", "WRAP"), (9728, 9729, 10497, 10497)),
    ],
)
def test_samplers_say_how_the_stage_filters_and_addresses(
    filters: tuple[str, str, str], wrap: tuple[str, str], sampler: tuple[int, ...]
) -> None:
    document, _, _, _ = only_mesh(glb(grid_of(), "", lambda: [texture(filters=filters, wrap=wrap)]))
    (held,) = document["samplers"]
    assert (held["magFilter"], held["minFilter"], held["wrapS"], held["wrapT"]) == sampler
    assert [one["sampler"] for one in document["textures"]] == [0]


def test_a_texture_knows_its_stage(room: inspector.Capture) -> None:
    state = room.state(TORUS)
    (one,) = textures_of(room, TORUS)
    texts = {name: state["TEXTURESTAGE", one.stage, name].text for name in ("ADDRESSU", "ADDRESSV", "MAGFILTER", "MIPFILTER")}
    assert (*one.wrap, one.filters[0], one.filters[2]) == tuple(texts.values())
    assert one.coordinates == int(state["TEXTURESTAGE", one.stage, "TEXCOORDINDEX"].raw[0])


def test_names_that_would_end_a_line_do_not(tmp_path: Path) -> None:
    files = obj_files(grid_of(), "two\nlines", [texture()], "a b\n#c")
    lines = files["a b\n#c.obj"].decode().splitlines()
    assert lines[:3] == ["# two lines", "mtllib a_b_c.mtl", "usemtl draw"]
    assert files["a_b_c.mtl"].decode().splitlines()[-1] == "map_Kd a_b_c-stage0.png"
    assert Image.open(io.BytesIO(files["a_b_c-stage0.png"])).size == (2, 2)
