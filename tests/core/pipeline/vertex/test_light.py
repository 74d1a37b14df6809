"""Light: a double precision reference of the lighting formulas, analytic cases, material sources, vertex fog."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from core.spec.enums import FogMode, LightType
from core.spec.slots import BASE
from tests.core.pipeline.vertex_kit import Scene, random_affine, vertices_of


@pytest.fixture
def rng():
    return np.random.default_rng(8)


def unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def reference(eye, normal, lights, material, ambient, view, local_viewer, specular_enable):
    """Semantics section 8, vertex by vertex; colours rgb, unclamped."""
    results = []
    for p, n in zip(eye, normal, strict=True):
        total_ambient, total_diffuse, total_specular = np.array(ambient), np.zeros(3), np.zeros(3)
        for light in lights:
            attenuation, spot = 1.0, 1.0
            direction = unit(np.array(light["Direction"]) @ view[:3, :3])
            if light["Type"] == LightType.DIRECTIONAL:
                to_light = -direction
            else:
                offset = np.array([*light["Position"], 1]) @ view[:, :3] - p
                d = np.linalg.norm(offset)
                if d > light["Range"]:
                    continue
                to_light = offset / d
                attenuation = 1 / (light["Attenuation0"] + light["Attenuation1"] * d + light["Attenuation2"] * d * d)
            if light["Type"] == LightType.SPOT:
                rho, inner, outer = -to_light @ direction, np.cos(light["Theta"] / 2), np.cos(light["Phi"] / 2)
                spot = 1.0 if rho > inner else 0.0 if rho <= outer else ((rho - outer) / (inner - outer)) ** light["Falloff"]
            total_ambient = total_ambient + attenuation * spot * np.array(light["Ambient"][:3])
            cosine = max(n @ to_light, 0.0)
            total_diffuse += cosine * attenuation * spot * np.array(light["Diffuse"][:3])
            viewer = unit(-p) if local_viewer else np.array([0, 0, -1.0])
            shine = n @ unit(viewer + to_light)
            if specular_enable and cosine > 0 and shine > 0:
                total_specular += shine ** material["Power"] * attenuation * spot * np.array(light["Specular"][:3])
        diffuse = material["Ambient"][:3] * total_ambient + material["Diffuse"][:3] * total_diffuse + material["Emissive"][:3]
        results.append((diffuse, material["Specular"][:3] * total_specular))
    return np.array(results)


def random_light(rng, kind):
    return {
        "Type": int(kind), "Diffuse": rng.uniform(0, 0.6, 4), "Specular": rng.uniform(0, 0.6, 4),
        "Ambient": rng.uniform(0, 0.1, 4),
        "Position": rng.uniform(-4, 4, 3), "Direction": rng.normal(size=3), "Range": 6.0, "Falloff": float(rng.uniform(0.5, 3)),
        "Attenuation0": 0.7, "Attenuation1": 0.1, "Attenuation2": 0.05, "Theta": 0.6, "Phi": 2.2,
    }  # fmt: skip


@pytest.mark.parametrize("kinds", [*[(kind,) for kind in LightType], tuple(LightType) * 2])
@pytest.mark.parametrize("local_viewer", [0, 1])
def test_lights_against_the_formulas(rng, kinds, local_viewer):
    view = random_affine(rng)
    view[:3, :3] = np.linalg.qr(view[:3, :3])[0]
    points, normals = rng.uniform(-3, 3, (60, 3)), unit(rng.normal(size=(60, 3)))
    lights = [random_light(rng, kind) for kind in kinds]
    material = {name: rng.uniform(0.2, 0.9, 4) for name in ("Diffuse", "Ambient", "Specular", "Emissive")}
    material["Emissive"] *= 0.1
    material["Power"] = 7.5
    scene = Scene(lighting=True).transform("VIEW", view).set("AMBIENT", 0xFF204060).set("SPECULARENABLE", 1)
    scene.set("LOCALVIEWER", local_viewer).set("COLORVERTEX", 0)
    for name in ("Diffuse", "Ambient", "Specular", "Emissive", "Power"):
        scene.set(("MATERIAL", name), *np.ravel(material[name]).astype(float))
    for light in lights:
        scene.light(**light)
    out = scene.draw(vertices_of(60, position=points, normal=normals), kind=1)
    eye, normal = points @ view[:3, :3] + view[3, :3], normals @ view[:3, :3]
    ambient = np.array([0x20, 0x40, 0x60]) / 255
    expected = reference(eye, normal, lights, material, ambient, view, local_viewer, True)
    np.testing.assert_allclose(out.vertices[:60, 4:7], np.clip(expected[:, 0], 0, 1), atol=3e-5)
    np.testing.assert_allclose(out.vertices[:60, 8:11], np.clip(expected[:, 1], 0, 1), atol=3e-5)
    np.testing.assert_allclose(out.vertices[:60, 7], material["Diffuse"][3], rtol=1e-6)


def lit(scene: Scene, position=(0.0, 0.0, 0.5), normal=(0.0, 0.0, -1.0), **fields) -> np.ndarray:
    """One vertex lit by white material."""
    scene.set(("MATERIAL", "Diffuse"), 1.0, 1.0, 1.0, 1.0)
    vertices = vertices_of(1, position=[position], normal=[normal], **fields)
    return scene.draw(vertices, kind=1).vertices[0]


@pytest.mark.parametrize(("degrees", "expected"), [(0, 1.0), (60, 0.5), (90, 0.0), (120, 0.0)])
def test_lamberts_law(degrees, expected):
    angle = np.radians(degrees)
    scene = Scene(lighting=True).light(Type=int(LightType.DIRECTIONAL), Direction=(np.sin(angle), 0.0, np.cos(angle)))
    np.testing.assert_allclose(lit(scene)[4:7], expected, atol=1e-6)


@pytest.mark.parametrize(("range_", "expected"), [(2.0, 0.25), (1.9999, 0.0)])
def test_a_light_reaches_to_its_range_inclusive(range_, expected):
    scene = Scene(lighting=True).light(Type=int(LightType.POINT), Position=(0.0, 0.0, -1.5), Range=range_, Attenuation2=1.0)
    np.testing.assert_allclose(lit(scene)[4:7], expected, atol=1e-6)


@pytest.mark.parametrize(("away", "expected"), [(0.0, 0.875), (1.0, 0.5625), (3.0, 0.1875), (4.0, 0.125), (4.001, 0.0)])
def test_before_direct3d_7_a_light_fades_over_its_range(away, expected):
    """D3DLIGHT2: the factors multiply 1, what is left of the range (1 at the light), and its square."""
    factors = {"Attenuation0": 0.125, "Attenuation1": 0.0, "Attenuation2": 0.75}
    if away == 1.0:
        factors = {"Attenuation0": 0.0, "Attenuation1": 0.75, "Attenuation2": 0.0}
    if away == 3.0:
        factors = {"Attenuation0": 0.125, "Attenuation1": 0.25, "Attenuation2": 0.0}
    scene = Scene(lighting=True).light(Type=int(LightType.POINT), Position=(0.0, 0.0, -away), Range=4.0, **factors)
    scene.vector[BASE["before_7"]] = 1
    shown = lit(scene, position=(0.0, 0.0, 1e-6)) if not away else lit(scene, position=(0.0, 0.0, 0.0))
    np.testing.assert_allclose(shown[4:7], expected, atol=1e-5)


@pytest.mark.parametrize(("degrees", "expected"), [(0, 1.0), (14, 1.0), (30, None), (46, 0.0), (80, 0.0)])
def test_the_cones_of_a_spot_light_are_half_angles(degrees, expected):
    angle, theta, phi = np.radians(degrees), np.radians(30), np.radians(90)
    light = {"Type": int(LightType.SPOT), "Position": (0.0, 0.0, -1.5), "Direction": (np.sin(angle), 0.0, np.cos(angle)),
             "Range": 10.0, "Attenuation0": 1.0, "Theta": theta, "Phi": phi, "Falloff": 2.0}  # fmt: skip
    if expected is None:
        expected = ((np.cos(angle) - np.cos(phi / 2)) / (np.cos(theta / 2) - np.cos(phi / 2))) ** 2
    np.testing.assert_allclose(lit(Scene(lighting=True).light(**light))[4:7], expected, atol=1e-5)


def test_without_a_normal_only_ambient_and_emissive_remain():
    scene = Scene(lighting=True).set("AMBIENT", 0xFFFFFFFF).light()
    scene.set(("MATERIAL", "Ambient"), 0.25, 0.5, 0.125, 1.0).set(("MATERIAL", "Emissive"), 0.125, 0.0, 0.0, 1.0)
    scene.set(("MATERIAL", "Diffuse"), 1.0, 1.0, 1.0, 0.5)
    out = scene.draw(vertices_of(1, position=[[0, 0, 0.5]]), kind=1).vertices[0]
    np.testing.assert_allclose(out[4:8], [0.375, 0.5, 0.125, 0.5])


def test_a_disabled_light_is_dark():
    assert (lit(Scene(lighting=True).light(Enabled=0))[4:7] == 0).all()
    assert (lit(Scene(lighting=True).light())[4:7] == 1).all()


def test_a_power_of_0_is_a_constant_highlight():
    scene = Scene(lighting=True).light(Specular=(0.5, 0.5, 0.5, 1.0)).set("SPECULARENABLE", 1)
    scene.set(("MATERIAL", "Specular"), 1.0, 1.0, 1.0, 1.0)
    np.testing.assert_allclose(lit(scene, normal=(0.6, 0.0, -0.8))[8:11], 0.5)
    np.testing.assert_allclose(lit(scene.set("SPECULARENABLE", 0), normal=(0.6, 0.0, -0.8))[8:11], 0.0)


# ---- where colours come from -------------------------------------------------------------------


@pytest.mark.parametrize(("source", "color_vertex", "has"), [*itertools.product((0, 1, 2), (0, 1), (0, 1, 2, 3))])
def test_material_sources(source, color_vertex, has):
    """COLOR1 and COLOR2 stand in only with COLORVERTEX and if the vertex has them (Wine test_color_vertex)."""
    scene = Scene(lighting=True).set("COLORVERTEX", color_vertex).set("EMISSIVEMATERIALSOURCE", source)
    scene.set("DIFFUSEMATERIALSOURCE", source).set(("MATERIAL", "Emissive"), 0.25, 0.5, 0.75, 1.0)
    scene.set(("MATERIAL", "Diffuse"), 0.0, 0.0, 0.0, 0.125)
    colors = {"diffuse": 0x40FF0000} if has & 1 else {}
    colors |= {"specular": 0x8000FF00} if has & 2 else {}
    out = scene.draw(vertices_of(1, position=[[0, 0, 0.5]], **colors), kind=1).vertices[0]
    expected = [0.25, 0.5, 0.75, 0.125]
    if color_vertex and source and has & source:
        expected = [1, 0, 0, 0x40 / 255] if source == 1 else [0, 1, 0, 0x80 / 255]
    np.testing.assert_allclose(out[4:8], expected, rtol=1e-6)


def test_unlit_colours_pass_and_have_defaults():
    out = Scene().draw(vertices_of(1, position=[[0, 0, 0.5]], diffuse=0x11223344, specular=0x55667788), kind=1).vertices[0]
    np.testing.assert_allclose(out[4:12] * 255, [0x22, 0x33, 0x44, 0x11, 0x66, 0x77, 0x88, 0x55], rtol=1e-6)
    out = Scene().draw(vertices_of(1, position=[[0, 0, 0.5]]), kind=1).vertices[0]
    np.testing.assert_array_equal(out[4:12], [1, 1, 1, 1, 0, 0, 0, 0])


def test_results_are_clamped():
    scene = Scene(lighting=True).light(Diffuse=(3.0, -1.0, 0.5, 1.0))
    np.testing.assert_allclose(lit(scene)[4:7], [1, 0, 0.5])


# ---- fog ---------------------------------------------------------------------------------------


def fog(scene: Scene, position, **fields) -> float:
    return float(scene.draw(vertices_of(1, position=[position], **fields), kind=1).vertices[0, 12])


@pytest.mark.parametrize(
    ("mode", "equation"),
    [
        (FogMode.LINEAR, lambda d: np.clip((9 - d) / 7, 0, 1)),
        (FogMode.EXP, lambda d: np.exp(-0.3 * d)),
        (FogMode.EXP2, lambda d: np.exp(-((0.3 * d) ** 2))),
    ],
)
@pytest.mark.parametrize("ranged", [0, 1])
@pytest.mark.parametrize("z", [-5.0, 0.0, 1.0, 3.0, 5.0, 20.0])
def test_vertex_fog(mode, equation, ranged, z):
    """The distance is |z| of eye space, or the length of the eye position."""
    scene = Scene().set("FOGENABLE", 1).set("FOGVERTEXMODE", mode).set("RANGEFOGENABLE", ranged)
    scene.set("FOGSTART", 2.0).set("FOGEND", 9.0).set("FOGDENSITY", 0.3)
    d = np.sqrt(9 + 4 + z * z) if ranged else abs(z)
    assert fog(scene, (3.0, -2.0, z)) == pytest.approx(equation(d), abs=2e-6)


def test_linear_fog_of_no_length_covers_everything():
    scene = Scene().set("FOGENABLE", 1).set("FOGVERTEXMODE", FogMode.LINEAR).set("FOGSTART", 0.5).set("FOGEND", 0.5)
    assert fog(scene, (0.0, 0.0, 0.25)) == 0 == fog(scene, (0.0, 0.0, 0.75))


@pytest.mark.parametrize(
    ("states", "rhw", "expected"),
    [
        ({"FOGENABLE": 0}, False, 1.0),
        ({"FOGENABLE": 0, "FOGVERTEXMODE": 3}, True, 1.0),
        ({"FOGENABLE": 1}, False, 0x33 / 255),  # no mode: the alpha of the vertex' specular colour
        ({"FOGENABLE": 1}, True, 0x33 / 255),
        ({"FOGENABLE": 1, "FOGVERTEXMODE": 3}, True, 0x33 / 255),
        ({"FOGENABLE": 1, "FOGTABLEMODE": 3, "FOGVERTEXMODE": 3}, False, 1.0),  # the pixel's fog wins
    ],
)
def test_where_the_fog_factor_comes_from(states, rhw, expected):
    scene = Scene()
    for name, value in states.items():
        scene.set(name, value)
    place = {"rhw": [[5, 5, 0.5, 1]]} if rhw else {"position": [[0, 0, 0.5]]}
    out = scene.draw(vertices_of(1, specular=0x33000000, **place), kind=1)
    assert out.vertices[0, 12] == pytest.approx(expected)


def test_without_specular_colour_everything_is_fogged():
    assert fog(Scene().set("FOGENABLE", 1), (0.0, 0.0, 0.5)) == 0
