"""What Windows does where the documents are silent, as Wine's ddraw tests record it; pictures worked out by hand."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from core.runtime.calls.structs import RECT
from core.runtime.calls.structs7 import DDBLTFX, DDCOLORKEY, DDPIXELFORMAT
from core.runtime.script.script import Array, Pointer
from core.spec.enums import DdBlt, TextureOp
from core.spec.slots import BASE, STAGE_STATES
from core.spec.states import TEXTURE_STAGE_STATE_ID
from tests.core.runtime.directdraw.desk import OFFSCREEN, P8, Desk, S
from tests.core.runtime.directdraw.test_older import (
    ALPHA32,
    BLACK,
    GREEN,
    RED,
    STRIP,
    TEXTURE,
    WHITE,
    Scene,
    filled,
    numbers,
)

OURS, THEIRS, KEY_OF_TARGET = 0xAA, 0xBB, 2
ALPHA_OPERATION = TEXTURE_STAGE_STATE_ID["ALPHAOP"]
XYZ_TEX1 = 0x102


def keyed(desk: Desk) -> tuple[Pointer, Pointer]:
    """A target of two values and a source of zeros, whose destination keys name one of these values each."""
    target, source = desk.surface(OFFSCREEN), desk.surface(OFFSCREEN)
    desk.write(target, [[OURS, OURS, THEIRS, THEIRS]] * 2)
    desk.write(source, [[0] * 4] * 2)
    for surface, key in ((target, OURS), (source, THEIRS)):
        desk.script.call(S + "SetColorKey", surface, KEY_OF_TARGET, Array([DDCOLORKEY(key, key)]))
    return target, source


@pytest.mark.parametrize("is_removed", [False, True], ids=["has", "had"])
@pytest.mark.parametrize(
    ("version", "expected"),
    [(7, [0, 0, THEIRS, THEIRS]), (4, [0, 0, THEIRS, THEIRS]), (3, [OURS, OURS, 0, 0]), ("", [OURS, OURS, 0, 0])],
)
def test_older_interfaces_take_the_destination_key_of_the_source(
    desk: Desk, version: int | str, expected: list[int], is_removed: bool
) -> None:
    """test_ck_operation: IDirectDrawSurface to 3, a key that was taken away, too."""
    target, source = keyed(desk)
    if is_removed:
        desk.script.call(S + "SetColorKey", source, KEY_OF_TARGET, None)
    desk.script.call(f"IDirectDrawSurface{version}::Blt", target, None, source, None, int(DdBlt.KEYDEST), None)
    assert desk.words(target) == [expected] * 2


def clipped(desk: Desk, count: int) -> tuple[Pointer, Pointer]:
    """A surface of black pixels with a clip list: the box around `count` rectangles is 1, 0, 3, 1; a white one."""
    target, source = desk.surface(OFFSCREEN), desk.surface(OFFSCREEN)
    desk.write(target, [[BLACK] * 4] * 2)
    desk.write(source, [[WHITE] * 4] * 2)
    clipper = desk.made("IDirectDraw7::CreateClipper", desk.draw, 0, ..., None)
    desk.script.call(S + "SetClipper", target, clipper)
    region = Array([32, 1, count, 16 * count, RECT(1, 0, 3, 1)])
    desk.script.call("IDirectDrawClipper::SetClipList", clipper, Array([Array([region])]), 0)
    return target, source


@pytest.mark.parametrize("fills", [True, False])
@pytest.mark.parametrize("count", [1, 2])
def test_blts_end_at_the_box_of_a_clip_list(desk: Desk, count: int, fills: bool) -> None:
    target, source = clipped(desk, count)
    if fills:
        desk.blt(target, None, None, None, DdBlt.COLORFILL, DDBLTFX(dwFillColor=WHITE))
    else:
        desk.blt(target, None, source, None, 0)
    assert desk.words(target) == [[BLACK, WHITE, WHITE, BLACK], [BLACK] * 4]
    assert any("SetClipList" in text for text in desk.said) == (count > 1)


def test_blts_go_anywhere_without_a_clip_list(desk: Desk) -> None:
    target, source = clipped(desk, 1)
    clipper = desk.runtime.objects[target].clipper.addresses[0]  # type: ignore[union-attr]
    desk.script.call("IDirectDrawClipper::SetClipList", Pointer(clipper), None, 0)
    desk.blt(target, None, source, None, 0)
    assert desk.words(target) == [[WHITE] * 4] * 2


@pytest.mark.parametrize("fills", [True, False])
def test_a_clip_list_that_comes_later_counts_for_blts_that_the_loop_knows(desk: Desk, fills: bool) -> None:
    target, source = desk.surface(OFFSCREEN), desk.surface(OFFSCREEN)
    desk.blt(target, None, source, None, 0)
    clipper = desk.made("IDirectDraw7::CreateClipper", desk.draw, 0, ..., None)
    desk.script.call(S + "SetClipper", target, clipper)
    desk.blt(target, None, None, None, DdBlt.COLORFILL, DDBLTFX(dwFillColor=GREEN))
    desk.script.call("IDirectDrawClipper::SetClipList", clipper, Array([Array([Array([32, 1, 1, 16, RECT(0, 0, 1, 2)])])]), 0)
    if fills:
        desk.blt(target, None, None, None, DdBlt.COLORFILL, DDBLTFX(dwFillColor=WHITE))
    else:
        desk.write(source, [[WHITE] * 4] * 2)
        desk.blt(target, None, source, None, 0)
    assert desk.words(target) == [[WHITE, GREEN, GREEN, GREEN]] * 2


@pytest.mark.parametrize(("given", "expected"), [((0, 0), (0, 0.001)), ((0.5, 0), (0.5, 0.501)), ((0.25, 0.75), (0.25, 0.75))])
def test_a_depth_range_has_a_thousandth_at_least(desk: Desk, given: tuple[float, float], expected: tuple[float, float]) -> None:
    """test_viewport, test_process_vertices of Direct3D 7."""
    target = desk.surface(OFFSCREEN | 0x2000, 4, 4)
    device = desk.made("IDirect3D7::CreateDevice", desk.made(Q7, desk.draw, None, ...), None, target, ...)
    desk.script.call("IDirect3DDevice7::SetViewport", device, numbers(0, 0, 4, 4, *map(float, given)))
    context = desk.runtime.context
    assert context is not None
    held = context.registers[BASE["zrange"] : BASE["zrange"] + 2].view(np.float32)
    np.testing.assert_allclose(held, expected, rtol=1e-6)


Q7 = "IDirectDraw7::QueryInterface"


def black_light(scene: Scene) -> Pointer:
    light = scene.made("IDirect3D3::CreateLight", scene.d3d, ..., None)
    scene.script.call("IDirect3DLight::SetLight", light, numbers(76, 3, *[0.0] * 4, *[0.0] * 3, 0.0, 0.0, 1.0, *[0.0] * 7))
    return light


def test_of_too_many_lights_the_latest_shine() -> None:
    """test_specular_lighting: 64 lights, then the one that counts; 32 shine."""
    scene = Scene(3)
    scene.do("SetLightState", 1, scene.material(0.0, 1.0, 0.0, 1.0))
    first = scene.light(3, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    scene.script.call("IDirect3DViewport3::AddLight", scene.viewport, first)
    for _ in range(32):
        scene.script.call("IDirect3DViewport3::AddLight", scene.viewport, black_light(scene))
    scene.lit_quad()
    assert scene.picture == filled(BLACK)
    last = scene.light(3, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    scene.script.call("IDirect3DViewport3::AddLight", scene.viewport, last)
    scene.lit_quad()
    assert scene.picture == filled(GREEN)
    scene.script.call("IDirect3DViewport3::DeleteLight", scene.viewport, last)
    scene.lit_quad()
    assert scene.picture == filled(BLACK)


def stage_state(scene: Scene, state: int) -> int:
    context = scene.runtime.context
    assert context is not None
    return int(context.registers[BASE["texture_stage"] : BASE["texture_stage"] + STAGE_STATES][state])


@pytest.mark.parametrize(
    ("set_to", "expected"),
    [(TextureOp.SELECTARG2, TextureOp.SELECTARG2), (TextureOp.SELECTARG1, TextureOp.SELECTARG1)],
    ids=["changed", "same"],
)
def test_a_stage_that_a_program_changes_no_longer_follows_the_textures_alpha(set_to: TextureOp, expected: TextureOp) -> None:
    """test_texturemapblend of Direct3D 6; TEXTUREMAPBLEND of another value lets it follow again."""
    scene = Scene(3)
    texture = scene.made(S + "QueryInterface", scene.surface(TEXTURE, 4, 2, ALPHA32), None, ...)
    scene.do("SetTexture", 0, texture)
    assert stage_state(scene, ALPHA_OPERATION) == TextureOp.SELECTARG1
    scene.do("SetTextureStageState", 0, ALPHA_OPERATION, int(set_to))
    scene.do("SetTexture", 0, texture)
    assert stage_state(scene, ALPHA_OPERATION) == expected
    scene.do("SetRenderState", 21, 8)
    scene.do("SetRenderState", 21, 2)
    scene.do("SetTexture", 0, texture)
    assert stage_state(scene, ALPHA_OPERATION) == TextureOp.SELECTARG1


@pytest.mark.parametrize(
    ("kind", "expected"), [(0x84E63DE0, WHITE), (0xA4665C60, RED)], ids=["IID_IDirect3DHALDevice", "IID_IDirect3DRGBDevice"]
)
def test_a_surface_that_is_no_texture_counts_as_none_but_for_software_devices(kind: int, expected: int) -> None:
    """test_texture_wrong_caps."""
    scene = Scene(3, Array([kind, 0, 0]))
    surface = scene.surface(OFFSCREEN, 4, 2)
    scene.write(surface, [[RED] * 4] * 2)
    scene.do("SetTexture", 0, scene.made(S + "QueryInterface", surface, None, ...))
    corners = ((-1, 1), (1, 1), (-1, -1), (1, -1))
    vertices = b"".join(struct.pack("<5f", x, y, 0.5, 0.5, 0.5) for x, y in corners)
    scene.do("DrawPrimitive", STRIP, XYZ_TEX1, vertices, 4, 0)
    assert scene.picture == filled(expected)


def test_a_format_that_is_not_known_is_one_sentence(desk: Desk) -> None:
    """YV12 has 12 bits a pixel: what is written under a lock is smaller than any picture of ours."""
    video = desk.surface(OFFSCREEN, 16, 16, DDPIXELFORMAT(32, 4, int.from_bytes(b"YV12", "little")))
    desk.write(video, np.full((24, 16), 7), "u1")
    desk.surface(OFFSCREEN, form=DDPIXELFORMAT(32, 0x40, 0, 12))
    assert desk.said == [
        f"pixel format {name} is unknown: what the program writes there is not shown"
        for name in ("YV12", "of flags 0x40, 12 bits, masks 0x0, 0x0")
    ]


def test_a_surface_with_a_palette_may_ask_for_a_device(desk: Desk) -> None:
    """test_rt_caps: CreateSurface takes DDSCAPS_3DDEVICE, CreateDevice refuses."""
    surface = desk.surface(OFFSCREEN | 0x2000, form=P8)
    desk.write(surface, [[1, 2, 3, 4]] * 2, "u1")
    assert desk.words(surface, "u1") == [[1, 2, 3, 4]] * 2
