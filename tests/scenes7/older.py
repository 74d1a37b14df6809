"""IDirect3DDevice3 and 2, Direct3D 6 and 5: viewports, lights, materials, textures as objects; what only they draw."""

from __future__ import annotations

import numpy as np

from core.runtime.d3d7 import D3DDP_PTRSTRIDE, D3DDRAWPRIMITIVESTRIDEDDATA, Object7
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID
from tests.scenes7.device7 import ALL, IDENTITY, LEFT, PROJECTION, QUAD, RIGHT, TO_THE_RIGHT, WORLD, buffer_of
from tests.scenes7.kit import (
    BLUE,
    D16,
    DEVICE,
    GREEN,
    GREY,
    HEIGHT,
    OFFSCREEN,
    PLACED,
    PLACED_NORMAL,
    RED,
    SCREEN,
    SCREEN_TEXTURED,
    STRIP,
    WHITE,
    WIDTH,
    Stage,
    corners,
    facing,
    picture,
    placed,
    scene,
    textured,
)

FULL = (44, 0, 0, WIDTH, HEIGHT, -1.0, 1.0, 2.0, 2.0, 0.0, 1.0)
QUARTERS = picture(((0, 0, 8, 4), RED), ((8, 0, 16, 4), GREEN), ((0, 4, 8, 8), BLUE), ((8, 4, 16, 8), WHITE))
MATERIAL_STATE, AMBIENT_STATE = 1, 2  # D3DLIGHTSTATE_*
ZERO = (0.0,) * 4


def material(stage: Stage, device: Object7, *diffuse: float) -> tuple[Object7, int]:
    """A material of the device's version, and its handle."""
    made = stage.d3d.CreateMaterial()
    made.SetMaterial((80, *diffuse, *ZERO, *ZERO, *ZERO, 0.0, 0, 0))
    return made, made.GetHandle(device)


def white_light(stage: Stage) -> Object7:
    made = stage.d3d.CreateLight()
    made.SetLight((76, 3, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    return made  # type: ignore[no-any-return]


def typed(rect: tuple[int, int, int, int], color: int = RED) -> np.ndarray:
    """D3DTLVERTEX: a strip that shows all of a texture."""
    made = np.zeros(4, [("position", "<f4", 4), ("diffuse", "<u4"), ("specular", "<u4"), ("t0", "<f4", 2)])
    given = textured(rect)
    made["position"], made["diffuse"], made["t0"] = given["position"], color | 0xFF000000, given["t0"]
    return made


@scene("older/viewports")
def viewports(stage: Stage) -> None:
    for version in (2, 3):
        device, target = stage.device(version)
        first, other = stage.viewport, stage.d3d.CreateViewport()
        device.AddViewport(other)
        other.SetViewport2((44, 8, 0, 8, 8, -1.0, 1.0, 2.0, 2.0, 0.0, 1.0))
        device.NextViewport(first, 1)
        device.SetCurrentViewport(other)
        device.GetCurrentViewport()
        handle = material(stage, device, 0.0, 1.0, 0.0, 1.0)[1]
        other.SetBackground(handle)
        other.Clear(1, [(0, 0, WIDTH, HEIGHT)], 1)
        stage.shows(target, picture((RIGHT, GREEN)))
        other.SetViewport((44, 0, 0, 8, 8, 4.0, 4.0, 1.0, 1.0, 0.0, 1.0))
        other.Clear(1, [(0, 0, WIDTH, HEIGHT)], 1)
        stage.shows(target, picture(ground=GREEN))
        other.SetBackgroundDepth(None)
        if version == 3:
            other.SetBackgroundDepth2(None)
            other.Clear2(1, [(0, 0, 4, 8)], 1, BLUE, 1.0, 0)
            stage.shows(target, picture(((0, 0, 4, 8), BLUE), ground=GREEN))
        device.DeleteViewport(other)


@scene("older/lights and materials")
def lights(stage: Stage) -> None:
    """Lit where a material is chosen and the viewport has a light; not against the draw's will."""
    for version in (2, 3):
        device, target = stage.device(version)
        made, handle = material(stage, device, 1.0, 0.0, 0.0, 1.0)
        light = white_light(stage)
        if version == 3:
            stage.d3d.EvictManagedTextures()
        stage.viewport.AddLight(light)
        device.SetLightState(MATERIAL_STATE, handle)
        device.SetLightState(AMBIENT_STATE, 0)
        if version == 3:
            device.DrawPrimitive(STRIP, PLACED_NORMAL, facing(LEFT), 4, 0)
        else:
            four = np.zeros(4, [("position", "<f4", 3), ("normal", "<f4", 3), ("t0", "<f4", 2)])
            four["position"], four["normal"] = facing(LEFT)["position"], (0, 0, -1)
            device.DrawPrimitive(STRIP, 1, four, 4, 0)
        stage.shows(target, picture((LEFT, RED)))
        stage.viewport.DeleteLight(light)
        for thing in (light, made):
            thing.Release()


@scene("older/textures by handle")
def handles(stage: Stage) -> None:
    device, target = stage.device(2)
    texture, other = (stage.texture(rows) for rows in ([[RED, GREEN], [BLUE, WHITE]], [[GREY, GREY], [GREY, GREY]]))
    first, second = (one.QueryInterface("IDirect3DTexture2") for one in (texture, other))
    one, two = first.GetHandle(device), second.GetHandle(device)
    device.SetRenderState(RENDER_STATE_ID["TEXTUREHANDLE"], one)
    device.SetRenderState(RENDER_STATE_ID["TEXTUREMAPBLEND"], 1)  # DECAL
    device.DrawPrimitive(STRIP, 3, typed(ALL), 4, 0)
    stage.shows(target, QUARTERS)
    device.SwapTextureHandles(first, second)
    device.SetRenderState(RENDER_STATE_ID["TEXTUREHANDLE"], one)
    device.DrawIndexedPrimitive(4, 3, typed(ALL), 4, QUAD, 6, 0)
    stage.shows(target, picture(ground=GREY))
    second.Load(first)
    device.SetRenderState(RENDER_STATE_ID["TEXTUREHANDLE"], one)
    device.DrawPrimitive(STRIP, 3, typed(ALL), 4, 0)
    stage.shows(target, QUARTERS)
    old = texture.QueryInterface("IDirect3DTexture")
    assert old.GetHandle(device) != two
    old.Load(first)
    first.QueryInterface("IDirect3DTexture2")
    old.QueryInterface("IDirectDrawSurface7")
    for thing in (old, first, second):
        thing.Release()


@scene("older/blending of textures")
def texture_map_blend(stage: Stage) -> None:
    """TEXTUREMAPBLEND: a value that it has already leaves the stage alone; at first MODULATE, with alpha of the vertices where
    the texture has none."""
    device, target = stage.device(3)
    device.SetTexture(0, stage.texture([[GREEN, GREEN], [GREEN, GREEN]]).QueryInterface("IDirect3DTexture2"))
    stage.fill(target, GREY)
    device.SetRenderState(RENDER_STATE_ID["ALPHATESTENABLE"], 1)
    device.SetRenderState(RENDER_STATE_ID["ALPHAFUNC"], 5)  # GREATER
    vertices = typed(ALL, WHITE)
    vertices["diffuse"] &= 0xFFFFFF
    device.DrawPrimitive(STRIP, 0x1C4, vertices, 4, 0)
    stage.shows(target, picture(ground=GREY))
    device.SetRenderState(RENDER_STATE_ID["ALPHATESTENABLE"], 0)
    device.SetRenderState(RENDER_STATE_ID["TEXTUREMAPBLEND"], 1)  # DECAL
    device.SetTextureStageState(0, TEXTURE_STAGE_STATE_ID["COLOROP"], 3)  # SELECTARG2
    device.SetRenderState(RENDER_STATE_ID["TEXTUREMAPBLEND"], 1)
    device.DrawPrimitive(STRIP, 0x1C4, typed(ALL, BLUE), 4, 0)
    stage.shows(target, picture(ground=BLUE))
    device.SetRenderState(RENDER_STATE_ID["TEXTUREMAPBLEND"], 7)  # COPY
    device.DrawPrimitive(STRIP, 0x1C4, typed(ALL, BLUE), 4, 0)
    stage.shows(target, picture(ground=GREEN))


@scene("older/batches")
def batches(stage: Stage) -> None:
    """BeginIndexed, Index, End are a draw; vertices of Begin and Vertex are not recorded."""
    for version, kind in ((2, 3), (3, 0x1C4)):
        device, target = stage.device(version)
        device.BeginIndexed(4, kind, typed(LEFT), 4, 0)
        for index in QUAD.tolist():
            device.Index(index)
        device.End(0)
        stage.shows(target, picture((LEFT, RED)))
        device.Begin(4, kind, 0)
        device.Vertex(None)
        device.End(0)


@scene("older/transforms")
def transforms(stage: Stage) -> None:
    for version in (2, 3):
        device, target = stage.device(version)
        device.BeginScene()
        device.SetTransform(WORLD, TO_THE_RIGHT)
        device.SetTransform(PROJECTION, IDENTITY)
        lit = np.zeros(
            4, [("position", "<f4", 3), ("reserved", "<u4"), ("diffuse", "<u4"), ("specular", "<u4"), ("t0", "<f4", 2)]
        )
        lit["position"], lit["diffuse"] = placed(LEFT)["position"], 0xFF000000 | RED
        if version == 2:
            device.DrawPrimitive(STRIP, 2, lit, 4, 0)  # D3DVT_LVERTEX
        else:
            device.DrawPrimitive(STRIP, PLACED, placed(LEFT), 4, 0)
        stage.shows(target, picture((RIGHT, RED)))
        device.MultiplyTransform(WORLD, np.linalg.inv(TO_THE_RIGHT))
        device.MultiplyTransform(PROJECTION, IDENTITY)
        lit["diffuse"] = 0xFF000000 | BLUE
        if version == 2:
            device.DrawPrimitive(STRIP, 2, lit, 4, 0)
        else:
            device.DrawPrimitive(STRIP, PLACED, placed(LEFT, BLUE), 4, 0)
        stage.shows(target, picture((LEFT, BLUE), (RIGHT, RED)))
        device.EndScene()


@scene("older/targets")
def targets(stage: Stage) -> None:
    for version in (2, 3):
        device, target = stage.device(version, D16)
        other = stage.surface(OFFSCREEN | DEVICE)
        device.SetRenderTarget(other, 0)
        stage.viewport.Clear(1, [(0, 0, 4, 4)], 1)
        same = device.GetRenderTarget()
        device.SetRenderState(RENDER_STATE_ID["ZENABLE"], 0)
        if version == 3:
            device.DrawPrimitive(STRIP, SCREEN, corners(LEFT), 4, 0)
        else:
            device.DrawPrimitive(STRIP, 3, typed(LEFT), 4, 0)
        stage.shows(same, picture((LEFT, RED)))
        stage.shows(target, picture())
        device.GetDirect3D()
        oldest = device.QueryInterface("IDirect3DDevice")
        oldest.QueryInterface(f"IDirect3DDevice{version}")
        oldest.Release()
        device.Release()


@scene("older/what Direct3D 6 draws")
def draws6(stage: Stage) -> None:
    device, target = stage.device(3)
    device.DrawIndexedPrimitive(4, SCREEN, corners(LEFT), 4, QUAD, 6, 0)
    four = corners(RIGHT, BLUE)
    data = D3DDRAWPRIMITIVESTRIDEDDATA(
        D3DDP_PTRSTRIDE(four["position"].tobytes(), 16), diffuse=D3DDP_PTRSTRIDE(four["diffuse"].tobytes(), 4)
    )
    device.DrawPrimitiveStrided(STRIP, SCREEN, data, 4, 0)
    stage.shows(target, picture((LEFT, RED), (RIGHT, BLUE)))
    again = data._replace(diffuse=D3DDP_PTRSTRIDE(corners(RIGHT, GREEN)["diffuse"].tobytes(), 4))
    device.DrawIndexedPrimitiveStrided(4, SCREEN, again, 4, QUAD, 6, 0)
    stage.shows(target, picture((LEFT, RED), (RIGHT, GREEN)))
    texture = stage.texture([[RED, GREEN], [BLUE, WHITE]]).QueryInterface("IDirect3DTexture2")
    device.SetTexture(0, texture)
    device.SetTextureStageState(0, TEXTURE_STAGE_STATE_ID["COLOROP"], 2)
    device.SetTextureStageState(0, TEXTURE_STAGE_STATE_ID["ADDRESS"], 3)
    device.GetTexture(0)
    device.ValidateDevice()
    device.DrawPrimitive(STRIP, SCREEN_TEXTURED, textured(ALL), 4, 0)
    stage.shows(target, QUARTERS)


@scene("older/vertex buffers of Direct3D 6")
def buffers6(stage: Stage) -> None:
    device, target = stage.device(3)

    screen, source = buffer_of(stage, corners(LEFT), SCREEN, 0x800), buffer_of(stage, placed(RIGHT, BLUE), PLACED, 0x800)
    screen.Optimize(device, 0)
    device.DrawPrimitiveVB(STRIP, screen, 0, 4, 0)
    stage.shows(target, picture((LEFT, RED)))
    screen.Lock()
    screen.Unlock()
    screen.ProcessVertices(1, 0, 4, source, 0, device, 0)
    device.DrawIndexedPrimitiveVB(4, screen, QUAD, 6, 0)
    stage.shows(target, picture((LEFT, RED), (RIGHT, BLUE)))
    screen.Release()


@scene("older/first interfaces")
def first_interfaces(stage: Stage) -> None:
    """IDirect3D, IDirect3DViewport, IDirect3DMaterial, those of version 2: what they share with the later ones."""
    device, target = stage.device(2)
    for version in ("", "2", "3"):
        d3d = stage.draw.QueryInterface(f"IDirect3D{version}")
        made, light = d3d.CreateMaterial(), d3d.CreateLight()
        made.SetMaterial((80, 1.0, 0.0, 0.0, 1.0, *ZERO, *ZERO, *ZERO, 0.0, 0, 0))
        viewport = d3d.CreateViewport()
        device.AddViewport(viewport)
        viewport.SetViewport((44, 0, 0, 8, 8, 4.0, 4.0, 1.0, 1.0, 0.0, 1.0))
        viewport.SetBackground(made.GetHandle(device))
        viewport.SetBackgroundDepth(None)
        viewport.Clear(1, [(0, 0, WIDTH, HEIGHT)], 1)
        stage.shows(target, picture((LEFT, RED)))
        viewport.AddLight(light)
        viewport.DeleteLight(light)
        for thing in (viewport, made, light, d3d):
            thing.QueryInterface(thing.interface)
            thing.Release()
