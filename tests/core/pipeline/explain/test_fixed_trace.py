"""The fixed function taken apart: each step from the formulas, the last one as in the draw itself."""

from __future__ import annotations

import numpy as np
import pytest

from core.pipeline.explain.fixed_trace import trace_fixed_vertex
from core.pipeline.records.primitives import VertexField
from core.pipeline.vertex.fetch import compile_fvf
from core.spec.enums import FogMode, LightType, TextureCoordinateSource, VertexBlend
from tests.core.pipeline.vertex_kit import Scene, fvf_of, perspective, random_affine, vertices_of


def traced(scene: Scene, vertices: np.ndarray, number: int, points: bool = False):
    scene.set(("STREAM", 0, "stride"), vertices.itemsize)
    stream = vertices.view(np.uint8).reshape(-1)
    return trace_fixed_vertex(scene.vector, compile_fvf(fvf_of(vertices.dtype)), [stream], number, scene.light_slots, points)


@pytest.fixture
def lit():
    """Vertices of a scene with every kind of light, fog, a reflection map and a second stage; and the scene."""
    rng = np.random.default_rng(21)
    scene = Scene(lighting=True).transform("WORLD0", random_affine(rng)).transform("VIEW", random_affine(rng))
    scene.transform("PROJECTION", perspective()).set("SPECULARENABLE", 1).set("AMBIENT", 0xFF102030)
    scene.set("FOGENABLE", 1).set("FOGVERTEXMODE", int(FogMode.LINEAR)).set("FOGSTART", 0.5).set("FOGEND", 9.0)
    scene.set(("TEXTURESTAGE", 0, "TEXCOORDINDEX"), int(TextureCoordinateSource.CAMERASPACEREFLECTIONVECTOR))
    for name in ("Diffuse", "Ambient", "Specular", "Emissive"):
        scene.set(("MATERIAL", name), *map(float, rng.uniform(0.1, 0.4, 4)))
    scene.set(("MATERIAL", "Power"), 5.0)
    for kind in LightType:
        scene.light(Type=int(kind), Diffuse=rng.uniform(0, 0.5, 4), Specular=rng.uniform(0, 0.5, 4), Range=20.0, Falloff=1.5,
                    Ambient=rng.uniform(0, 0.1, 4), Position=rng.uniform(-3, 3, 3), Direction=rng.normal(size=3),
                    Attenuation0=0.5, Attenuation1=0.2, Theta=0.8, Phi=2.5)  # fmt: skip
    normals = rng.normal(size=(12, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return scene, vertices_of(12, position=rng.uniform(-2, 2, (12, 3)), normal=normals, tex0=rng.normal(size=(12, 2)))


def test_every_vertex_ends_as_in_the_draw(lit):
    scene, vertices = lit
    out = scene.draw(vertices, kind=1)
    for number in range(len(vertices)):
        _, steps, _ = traced(scene, vertices, number)
        np.testing.assert_array_equal(steps["output"][:4], out.positions[number])
        colors = np.clip(steps["output"][VertexField.DIFFUSE : VertexField.FOG + 1], 0, 1)
        np.testing.assert_array_equal(colors, out.vertices[number, VertexField.DIFFUSE : VertexField.FOG + 1])
        np.testing.assert_array_equal(steps["output"][VertexField.TEXCOORD :], out.vertices[number, VertexField.TEXCOORD :])


def test_lights_and_material_add_up_to_the_colours(lit):
    scene, vertices = lit
    ambient = np.array([0x10, 0x20, 0x30, 0]) / 255
    for number in range(len(vertices)):
        _, steps, state = traced(scene, vertices, number)
        lights = steps["light"][: state["light_count"]]
        assert len(lights) == 3
        diffuse = steps["diffuse_material"] * lights["diffuse"].sum(0)
        diffuse = diffuse + steps["ambient_material"] * (ambient + lights["ambient"].sum(0)) + steps["emissive_material"]
        np.testing.assert_allclose(steps["output"][4:7], diffuse[:3], rtol=1e-5)
        specular = steps["specular_material"] * lights["specular"].sum(0)
        np.testing.assert_allclose(steps["output"][8:11], specular[:3], rtol=1e-5, atol=1e-7)


def test_each_step_follows_from_the_one_before(lit):
    scene, vertices = lit
    registers = {name: scene.vector[first : first + 16].view(np.float32).reshape(4, 4) for name, first in matrices().items()}
    for number in (0, 7):
        inputs, steps, _ = traced(scene, vertices, number)
        np.testing.assert_array_equal(steps["position"], inputs[0])
        np.testing.assert_allclose(steps["eye"], steps["position"] @ registers["WORLD0"] @ registers["VIEW"], rtol=1e-4)
        np.testing.assert_allclose(steps["output"][:4], steps["eye"] @ registers["PROJECTION"], rtol=1e-4, atol=1e-5)
        eye, normal = steps["eye"][:3], steps["eye_normal"][:3]
        incoming = eye / np.linalg.norm(eye)
        np.testing.assert_allclose(steps["generated"][0, :3], incoming - 2 * (normal @ incoming) * normal, atol=1e-5)
        assert steps["output"][VertexField.FOG] == pytest.approx(np.clip((9.0 - abs(eye[2])) / 8.5, 0, 1), abs=1e-5)


def matrices() -> dict[str, int]:
    from core.spec.slots import key_slots

    return {name: key_slots(("TRANSFORM", name))[0] for name in ("WORLD0", "VIEW", "PROJECTION")}


def test_blended_vertices_show_their_place_in_the_world():
    scene = Scene().set("VERTEXBLEND", int(VertexBlend.WEIGHTS_1)).transform("PROJECTION", np.eye(4))
    moved = np.eye(4)
    moved[3, 0] = 4.0
    scene.transform("WORLD0", np.eye(4)).transform("WORLD1", moved)
    vertices = vertices_of(1, position=[[1.0, 2.0, 3.0]], betas=[[0.25]])
    _, steps, state = traced(scene, vertices, 0)
    assert state["blend"] and steps["world"].tolist() == [4.0, 2.0, 3.0, 1.0]


def test_transformed_vertices_pass_through():
    vertices = vertices_of(1, rhw=[[10.0, 20.0, 0.5, 0.25]], diffuse=[0x80FF0000])
    _, steps, _ = traced(Scene(), vertices, 0)
    np.testing.assert_allclose(steps["output"][4:8], [1, 0, 0, 128 / 255])
