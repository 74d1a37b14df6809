"""Direct3D 6 and 5 by scripted calls on the emulated driver: every expected picture is worked out by hand."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from core.runtime.calls.naming7 import meanings
from core.runtime.calls.source import Word
from core.runtime.calls.structs import RECT
from core.runtime.calls.structs7 import DDPIXELFORMAT
from core.runtime.script.script import Array, Pointer
from core.spec.states import RENDER_STATE_ID
from tests.core.runtime.directdraw.desk import OFFSCREEN, RGB32, Desk

DEVICE, TEXTURE = 0x2000, 0x1000
TRIANGLES, STRIP = 4, 5
XYZ_DIFFUSE, XYZ_NORMAL = 0x42, 0x12
RED, GREEN, BLACK, WHITE = 0xFF0000, 0x00FF00, 0, 0xFFFFFF
HAL_DEVICE = (0x84E63DE0, 0x46AA, 0x11CF, (0x81, 0x6F, 0, 0, 0xC0, 0x20, 0x15, 0x6E))
ALPHA32 = DDPIXELFORMAT(32, 0x41, 0, 32, 0xFF0000, 0, 0xFF00, 0, 0xFF, 0xFF000000)


def numbers(*given: Any) -> Array:
    """A pointer to a structure of these members."""
    return Array([Array(given)])


class Scene(Desk):
    """A device of a version with a target of 4 x 4 pixels and a viewport over it."""

    def __init__(self, version: int, kind: Any = None) -> None:
        super().__init__()
        self.version = version
        self.target = self.surface(OFFSCREEN | DEVICE, 4, 4)
        self.d3d = self.made("IDirectDraw7::QueryInterface", self.draw, None, ...)
        self.device = self.made(f"IDirect3D{version}::CreateDevice", self.d3d, kind, self.target, ..., *[None] * (version - 2))
        self.viewport = self.made(f"IDirect3D{version}::CreateViewport", self.d3d, ..., None)
        self.do("AddViewport", self.viewport)
        self.view(-1, 1, 2, 2, 0, 1)
        self.do("SetCurrentViewport", self.viewport)
        self.do("SetRenderState", RENDER_STATE_ID["CULLMODE"], 1)

    def do(self, name: str, *args: Any) -> None:
        self.script.call(f"IDirect3DDevice{self.version}::{name}", self.device, *args)

    def view(self, *clip: float) -> None:
        self.script.call("IDirect3DViewport3::SetViewport2", self.viewport, numbers(44, 0, 0, 4, 4, *map(float, clip)))

    def quad(self, left: float, top: float, right: float, bottom: float, z: float = 0.5) -> bytes:
        """A strip of red vertices."""
        corners = ((left, top), (right, top), (left, bottom), (right, bottom))
        return b"".join(struct.pack("<3fI", x, y, z, RED) for x, y in corners)

    def draw_quad(self, vertices: bytes) -> None:
        self.do("DrawPrimitive", STRIP, XYZ_DIFFUSE, vertices, 4, 0)

    def material(self, *diffuse: float) -> int:
        """A material's handle."""
        material = self.made(f"IDirect3D{self.version}::CreateMaterial", self.d3d, ..., None)
        words = (80, *diffuse, *[0.0] * 4, *[0.0] * 4, *[0.0] * 4, 0.0, 0, 0)
        self.script.call(f"IDirect3DMaterial{self.version}::SetMaterial", material, numbers(*words))
        self.script.call(f"IDirect3DMaterial{self.version}::GetHandle", material, self.device, Array([7]))
        return 7

    def light(self, kind: int, position: tuple[float, ...], direction: tuple[float, ...]) -> Pointer:
        light = self.made(f"IDirect3D{self.version}::CreateLight", self.d3d, ..., None)
        words = (76, kind, 1.0, 1.0, 1.0, 1.0, *position, *direction, 100.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0)
        self.script.call("IDirect3DLight::SetLight", light, numbers(*words))
        return light

    def lit_quad(self, flags: int = 0) -> None:
        """The whole target, normals towards the viewer."""
        corners = ((-1, 1), (1, 1), (-1, -1), (1, -1))
        vertices = b"".join(struct.pack("<6f", x, y, 0.5, 0, 0, -1) for x, y in corners)
        self.do("DrawPrimitive", STRIP, XYZ_NORMAL, vertices, 4, flags)

    @property
    def picture(self) -> list[list[int]]:
        self.runtime.finish()
        return [[word & 0xFFFFFF for word in row] for row in self.words(self.target)]


def filled(color: int) -> list[list[int]]:
    return [[color] * 4] * 4


CORNER = [[BLACK, BLACK, RED, RED]] * 2 + [[BLACK] * 4] * 2


@pytest.fixture
def scene() -> Scene:
    return Scene(3)


def test_a_viewport_shows_its_clip_volume(scene: Scene) -> None:
    scene.draw_quad(scene.quad(0, 1, 1, 0))
    assert scene.picture == CORNER
    scene.view(0, 1, 1, 1, 0, 1)
    scene.draw_quad(scene.quad(0, 1, 1, 0))
    assert scene.picture == filled(RED)


def test_a_viewport_of_version_1_has_pixels_for_a_unit(scene: Scene) -> None:
    scene.script.call("IDirect3DViewport3::SetViewport", scene.viewport, numbers(44, 0, 0, 4, 4, 4.0, 4.0, 1.0, 1.0, 0.0, 1.0))
    scene.draw_quad(scene.quad(-0.5, 0.5, 0.5, -0.5))
    assert scene.picture == filled(RED)


def test_a_clip_volume_has_depth(scene: Scene) -> None:
    scene.draw_quad(scene.quad(-1, 1, 1, -1, 2.5))
    assert scene.picture == filled(BLACK)
    scene.view(-1, 1, 2, 2, 2, 3)
    scene.draw_quad(scene.quad(-1, 1, 1, -1, 2.5))
    assert scene.picture == filled(RED)


def test_the_projection_is_the_programs_own_when_the_viewport_changes(scene: Scene) -> None:
    half = [0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    scene.view(0, 1, 1, 1, 0, 1)
    scene.do("SetTransform", 3, numbers(*half))
    scene.do("MultiplyTransform", 3, numbers(*half))
    scene.view(-1, 1, 2, 2, 0, 1)
    scene.draw_quad(scene.quad(0, 2, 2, 0))
    assert scene.picture == [[BLACK] * 4, [BLACK, BLACK, RED, BLACK], [BLACK] * 4, [BLACK] * 4]


def test_an_empty_viewport_is_rejected(scene: Scene) -> None:
    scene.view(-1, 1, 0, 2, 0, 1)
    assert scene.said[-1] == "a clip volume of 0 x 2, depth 0 to 1"
    scene.draw_quad(scene.quad(-1, 1, 1, -1))
    assert scene.picture == filled(RED)


def test_the_next_viewport_of_the_last_or_of_none_is_rejected(scene: Scene) -> None:
    scene.do("NextViewport", scene.viewport, Array([scene.script.new_pointer()]), 1)
    scene.do("NextViewport", scene.target, Array([scene.script.new_pointer()]), 1)
    assert scene.said[-2:] == ["no viewport of the device follows"] * 2


@pytest.mark.parametrize("area", [(-1, 0, 4, 4), (0, 0, 0, 4), (0, 0, 4, 1 << 31), (1 << 31, 0, 4, 4)])
def test_viewports_that_no_surface_holds_are_rejected(scene: Scene, area: tuple[int, ...]) -> None:
    scene.script.call("IDirect3DViewport3::SetViewport2", scene.viewport, numbers(44, *area, -1.0, 1.0, 2.0, 2.0, 0.0, 1.0))
    assert scene.said[-1].startswith("a viewport of")
    scene.draw_quad(scene.quad(-1, 1, 1, -1))
    assert scene.picture == filled(RED)


def test_clear_takes_the_background_within_the_viewport(scene: Scene) -> None:
    scene.script.call("IDirect3DViewport3::SetBackground", scene.viewport, scene.material(0.0, 1.0, 0.0, 1.0))
    clip = (-1.0, 1.0, 2.0, 2.0, 0.0, 1.0)
    scene.script.call("IDirect3DViewport3::SetViewport2", scene.viewport, numbers(44, 0, 0, 4, 2, *clip))
    scene.script.call("IDirect3DViewport3::Clear", scene.viewport, 1, Array([RECT(2, 0, 99, 3)]), 1)
    assert scene.picture == [[BLACK, BLACK, GREEN, GREEN]] * 2 + [[BLACK] * 4] * 2
    scene.script.call("IDirect3DViewport3::Clear2", scene.viewport, 0, None, 1, WHITE, 1.0, 0)
    assert WHITE not in scene.picture[0]


def test_lights_shine_while_their_viewport_is_current(scene: Scene) -> None:
    light = scene.light(3, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    scene.do("SetLightState", 1, scene.material(0.0, 1.0, 0.0, 1.0))
    scene.lit_quad()
    assert scene.picture == filled(BLACK)
    scene.script.call("IDirect3DViewport3::AddLight", scene.viewport, light)
    scene.lit_quad()
    assert scene.picture == filled(GREEN)
    scene.script.call("IDirect3DViewport3::DeleteLight", scene.viewport, light)
    scene.lit_quad()
    assert scene.picture == filled(BLACK)


@pytest.mark.parametrize(
    "size, flags, expected",
    [(80, (1,), GREEN), (80, (0,), BLACK), (80, (2,), BLACK), (80, (), GREEN), (76, (0,), GREEN)],
    ids=["active", "off", "off without highlights", "not recorded", "D3DLIGHT has no flags"],
)
def test_a_light_is_on_if_it_is_active(scene: Scene, size: int, flags: tuple[int, ...], expected: int) -> None:
    scene.do("SetLightState", 1, scene.material(0.0, 1.0, 0.0, 1.0))
    light = scene.light(3, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    scene.script.call("IDirect3DViewport3::AddLight", scene.viewport, light)
    words = (size, 3, *[1.0] * 4, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, *[0.0] * 7, *flags)
    scene.script.call("IDirect3DLight::SetLight", light, numbers(*words))
    scene.lit_quad()
    assert scene.picture == filled(expected)
    scene.script.call("IDirect3DLight::SetLight", light, numbers(*words))  # that the same was set again is seen
    told = [text for text in scene.said if "dwFlags of D3DLIGHT2" in text]
    assert ["may have switched it" in text for text in told] == ([] if flags else [False, True])


@pytest.mark.parametrize(("power", "expected"), [(0.0, BLACK), (1.0, 0xD0D0D0)])
def test_a_material_without_power_has_no_highlights(scene: Scene, power: float, expected: int) -> None:
    """At the corners, 1, 1, 1/2, N.H is the root of 2/3: LOCALVIEWER is no state of Direct3D 6 (test_specular_lighting)."""
    light = scene.light(3, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    scene.script.call("IDirect3DViewport3::AddLight", scene.viewport, light)
    material = scene.made("IDirect3D3::CreateMaterial", scene.d3d, ..., None)
    words = (80, *[0.0] * 8, *[1.0] * 4, *[0.0] * 4, power, 0, 0)
    scene.script.call("IDirect3DMaterial3::SetMaterial", material, numbers(*words))
    scene.script.call("IDirect3DMaterial3::GetHandle", material, scene.device, Array([7]))
    scene.do("SetLightState", 1, 7)
    scene.do("SetRenderState", RENDER_STATE_ID["SPECULARENABLE"], 1)
    scene.do("SetRenderState", RENDER_STATE_ID["LOCALVIEWER"], 0)
    scene.lit_quad()
    assert scene.picture == filled(expected)


def test_nothing_is_lit_without_a_material_or_against_the_draws_will(scene: Scene) -> None:
    scene.lit_quad()
    assert scene.picture == filled(WHITE)
    scene.do("SetLightState", 1, scene.material(0.0, 1.0, 0.0, 1.0))
    scene.lit_quad()
    assert scene.picture == filled(BLACK)
    scene.lit_quad(0x10)
    assert scene.picture == filled(WHITE)


def test_a_parallel_point_light_shines_on_the_origin_of_the_world(scene: Scene) -> None:
    scene.do("SetLightState", 1, scene.material(0.0, 1.0, 0.0, 1.0))
    light = scene.light(4, (0.0, 0.0, -5.0), (0.0, 0.0, 0.0))
    scene.script.call("IDirect3DViewport3::AddLight", scene.viewport, light)
    scene.lit_quad()
    assert scene.picture == filled(GREEN)
    behind = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -9.0, 1.0]
    scene.do("SetTransform", 1, numbers(*behind))
    scene.view(-1, 1, 2, 2, -9, 0)
    scene.lit_quad()
    assert scene.picture == filled(BLACK)


def test_light_states_are_render_states(scene: Scene) -> None:
    given = {2: 0x123456, 4: 3, 5: 11, 6: 12, 7: 13, 8: 0}
    for state, value in given.items():
        scene.do("SetLightState", state, value)
    scene.runtime.finish()
    held = scene.driver.device.context.registers.vector
    assert [int(held[state]) for state in (139, 140, 36, 37, 38, 141)] == list(given.values())


# ---- Direct3D 5 --------------------------------------------------------------------------------


def typed(color: int) -> bytes:
    """A strip of D3DTLVERTEX over the target."""
    corners = ((0, 0), (4, 0), (0, 4), (4, 4))
    return b"".join(struct.pack("<4f2I2f", x, y, 0.5, 1, color, 0, 0, 0) for x, y in corners)


@pytest.fixture
def five() -> Scene:
    return Scene(2)


def textured(five: Scene, texel: int, form: DDPIXELFORMAT = RGB32) -> None:
    """A texture of one texel, bound by its handle."""
    surface = five.surface(TEXTURE, 1, 1, form)
    five.write(surface, [[texel]])
    texture = five.made("IDirectDrawSurface7::QueryInterface", surface, None, ...)
    five.script.call("IDirect3DTexture2::GetHandle", texture, five.device, Array([3]))
    five.do("SetRenderState", RENDER_STATE_ID["TEXTUREHANDLE"], 3)


@pytest.mark.parametrize(("blend", "expected"), [(1, 0xFF8000), (2, 0x804000), (8, 0xFFFF80)])
def test_map_blends_say_what_a_texture_does(five: Scene, blend: int, expected: int) -> None:
    textured(five, 0xFF8000)
    five.do("SetRenderState", RENDER_STATE_ID["TEXTUREMAPBLEND"], blend)
    five.do("DrawPrimitive", STRIP, 3, typed(0xFF808080), 4, 0)
    for row in five.picture:
        for found in row:
            assert all(abs((found >> shift & 255) - (expected >> shift & 255)) <= 1 for shift in (0, 8, 16))


@pytest.mark.parametrize(("form", "expected"), [(RGB32, BLACK), (ALPHA32, RED)])
def test_modulate_takes_alpha_of_the_texture_if_it_has_any(five: Scene, form: DDPIXELFORMAT, expected: int) -> None:
    for state, value in (("TEXTUREMAPBLEND", 2), ("ALPHATESTENABLE", 1), ("ALPHAFUNC", 5), ("ALPHAREF", 0x80)):
        five.do("SetRenderState", RENDER_STATE_ID[state], value)
    textured(five, 0xFFFFFFFF, form)
    five.do("DrawPrimitive", STRIP, 3, typed(0x40FF0000), 4, 0)
    assert five.picture == filled(expected)


def test_vertices_that_the_recorder_cut_short_are_reported(five: Scene) -> None:
    five.do("DrawPrimitive", STRIP, 3, typed(RED)[:48], 4, 0)
    assert five.picture == filled(BLACK)
    assert five.said == ["vertices of IDirect3DDevice2: the recorder cuts them short; the draw is left out"]


def test_batches_are_drawn_and_a_batch_of_addresses_is_reported(five: Scene) -> None:
    five.do("BeginIndexed", TRIANGLES, 3, typed(RED), 4, 0)
    for number in (0, 1, 2, 2, 1, 3):
        five.do("Index", number)
    five.do("End", 0)
    assert five.picture == filled(RED)
    five.do("Begin", STRIP, 3, 0)
    for place in range(4):
        five.do("Vertex", typed(GREEN)[32 * place : 32 * place + 32])
    five.do("End", 0)
    assert five.picture == filled(GREEN)
    assert five.said == []
    five.do("Begin", TRIANGLES, 3, 0)
    five.do("Vertex", None)
    five.do("End", 0)
    assert five.said == ["vertices between Begin and End: recorders keep their addresses only"]


@pytest.mark.parametrize("interface", ["IUnknown", "IDirect3DDevice"])
def test_a_device_ends_with_its_last_release_by_any_name(interface: str) -> None:
    """Wine's test_device_qi of ddraw4: a device answers QueryInterface for both."""
    scene = Scene(3)
    other = scene.made("IDirect3DDevice3::QueryInterface", scene.device, None, ...)
    same = scene.made(f"{interface}::QueryInterface", other, None, ...)
    assert len(scene.driver.device.contexts) == 1
    scene.script.call("IDirect3DDevice3::SetRenderState", same, RENDER_STATE_ID["ZFUNC"], 3)
    scene.script.call(f"{interface}::Release", other)
    assert not scene.driver.device.contexts
    assert scene.said == []


def test_execute_buffers_are_named_in_a_sentence() -> None:
    desk = Desk()
    surface = desk.surface(OFFSCREEN | DEVICE)
    desk.made("IDirectDrawSurface7::QueryInterface", surface, Array(HAL_DEVICE), ...)
    assert [found.rule for _, found in desk.runtime.findings] == ["not-recorded"]
    assert "execute buffers" in desk.said[0]


@pytest.mark.parametrize(
    ("call", "argument", "value", "text"),  # values of ddraw.h and d3dtypes.h
    [
        ("IDirectDrawSurface7::Blt", "dwFlags", 0x1000400, "DDBLT_COLORFILL | DDBLT_WAIT"),
        ("IDirectDrawSurface::Blt", "dwFlags", 0x1008000, "DDBLT_KEYSRC | DDBLT_WAIT"),
        ("IDirectDrawSurface4::BltFast", "dwTrans", 0x11, "DDBLTFAST_SRCCOLORKEY | DDBLTFAST_WAIT"),
        ("IDirectDrawSurface7::Flip", "dwFlags", 0x80000001, "DDFLIP_WAIT | 0x80000000"),
        ("IDirectDrawSurface7::Flip", "dwFlags", 0x3000000, "DDFLIP_INTERVAL3"),
        ("IDirectDrawSurface7::SetColorKey", "dwFlags", 8, "DDCKEY_SRCBLT"),
        ("IDirect3DDevice7::Clear", "dwFlags", 3, "D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER"),
    ],
)
def test_masks_are_named(call: str, argument: str, value: int, text: str) -> None:
    assert meanings(call, [("this", 1), (argument, value)]) == {argument: text}
    assert meanings(call, [(argument, 0)]) == {}, "no bit, no name"
    assert meanings(call, [(argument, Word(value, "named"))]) == {}, "what the recorder named keeps its name"


def test_light_states_are_named() -> None:
    call = "IDirect3DDevice3::SetLightState"
    assert meanings(call, [("dwLightStateType", 4), ("dwLightState", 3)]) == {"dwLightState": "3 (LINEAR)"}
    assert meanings(call, [("dwLightStateType", 1), ("dwLightState", 7)]) == {}
