"""IDirect3DDevice7 and vertex buffers: every method that does something."""

from __future__ import annotations

import numpy as np

from core.runtime.d3d7 import (
    D3DDP_PTRSTRIDE,
    D3DDRAWPRIMITIVESTRIDEDDATA,
    D3DLIGHT7,
    D3DMATERIAL7,
    D3DVIEWPORT7,
    DDSCAPS2,
    Object7,
)
from core.spec.enums import SurfaceCaps, SurfaceCaps2
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID
from tests.scenes7.kit import (
    ARGB32,
    BLACK,
    BLUE,
    D16,
    GREEN,
    GREY,
    HEIGHT,
    P8,
    PLACED,
    PLACED_NORMAL,
    RED,
    RGB32,
    SCREEN,
    SCREEN_TEXTURED,
    STRIP,
    TEXTURE,
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

LEFT, RIGHT, ALL = (0, 0, 8, 8), (8, 0, 16, 8), (0, 0, WIDTH, HEIGHT)
WORLD, VIEW, PROJECTION = 1, 2, 3
QUAD = np.array([0, 1, 2, 2, 1, 3], np.uint16)
STATE = RENDER_STATE_ID
IDENTITY = np.identity(4)
TO_THE_RIGHT = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1.0]])  # half of the screen


def quad(device: Object7, rect: tuple[int, int, int, int] = ALL, color: int = RED, z: float = 0.5) -> None:
    device.DrawPrimitive(STRIP, SCREEN, corners(rect, color, z), 4, 0)


def picture_of(device: Object7, rect: tuple[int, int, int, int] = ALL) -> None:
    device.DrawPrimitive(STRIP, SCREEN_TEXTURED, textured(rect), 4, 0)


@scene("device7/clear and scene")
def clear(stage: Stage) -> None:
    device, target = stage.device(7, D16)
    device.BeginScene()
    device.Clear(0, None, 1 | 2, GREY, 1.0, 0)
    device.Clear(2, [(0, 0, 4, 4), (8, 4, 12, 8)], 1, BLUE, 1.0, 0)
    device.EndScene()
    stage.shows(target, picture(((0, 0, 4, 4), BLUE), ((8, 4, 12, 8), BLUE), ground=GREY))


@scene("device7/primitives")
def primitives(stage: Stage) -> None:
    """Each type of primitive, in order and by indices; lists and strips that cover the same pixels."""
    device, target = stage.device()
    four = corners(ALL)
    six, fan = four[[0, 1, 2, 2, 1, 3]], four[[0, 1, 3, 2]]
    for kind, vertices, indices in ((4, six, QUAD), (5, four, [0, 1, 2, 3]), (6, fan, [0, 1, 3, 2])):
        for indexed in (False, True):
            device.Clear(0, None, 1, BLACK, 1.0, 0)
            if indexed:
                device.DrawIndexedPrimitive(kind, SCREEN, four, 4, indices, len(indices), 0)
            else:
                device.DrawPrimitive(kind, SCREEN, vertices, len(vertices), 0)
            stage.shows(target, picture(ground=RED))
    row = corners((0, 2, 8, 3))
    row["position"][:, :2] += 0.5
    line = row[[0, 1]]
    for kind in (1, 2, 3):
        device.Clear(0, None, 1, BLACK, 1.0, 0)
        device.DrawPrimitive(kind, SCREEN, line, 2, 0)
        shown = picture(((0, 2, 1, 3), RED), ((8, 2, 9, 3), RED)) if kind == 1 else picture(((0, 2, 8, 3), RED))
        if kind == 3:  # LASTPIXEL ends a strip with its last pixel
            shown[2, 8] = RED
        if kind == 1:
            stage.shows(target, shown)
        else:
            device.DrawIndexedPrimitive(kind, SCREEN, line, 2, [0, 1], 2, 0)


@scene("device7/strided")
def strided(stage: Stage) -> None:
    device, target = stage.device()
    four = corners(LEFT)
    data = D3DDRAWPRIMITIVESTRIDEDDATA(
        D3DDP_PTRSTRIDE(four["position"].tobytes(), 16), diffuse=D3DDP_PTRSTRIDE(four["diffuse"].tobytes(), 4)
    )
    device.DrawPrimitiveStrided(STRIP, SCREEN, data, 4, 0)
    stage.shows(target, picture((LEFT, RED)))
    other = data._replace(diffuse=D3DDP_PTRSTRIDE(corners(LEFT, BLUE)["diffuse"].tobytes(), 4))
    device.DrawIndexedPrimitiveStrided(4, SCREEN, other, 4, QUAD, 6, 0)
    stage.shows(target, picture((LEFT, BLUE)))


def buffer_of(stage: Stage, vertices: np.ndarray, format: int, caps: int = 0) -> Object7:
    """A vertex buffer of these vertices."""
    made: Object7 = stage.d3d.CreateVertexBuffer((16, caps, format, len(vertices)), 0)
    made.Lock()[:] = vertices.view(np.uint8).reshape(-1)
    made.Unlock()
    return made


@scene("device7/vertex buffers")
def buffers(stage: Stage) -> None:
    device, target = stage.device()
    both = np.concatenate([corners(LEFT), corners(RIGHT, BLUE)])
    buffer = buffer_of(stage, both, SCREEN)
    buffer.Optimize(device, 0)
    device.DrawPrimitiveVB(STRIP, buffer, 4, 4, 0)
    stage.shows(target, picture((RIGHT, BLUE)))
    device.DrawIndexedPrimitiveVB(4, buffer, 0, 4, QUAD, 6, 0)
    stage.shows(target, picture((LEFT, RED), (RIGHT, BLUE)))
    buffer.Release()


@scene("device7/processed vertices")
def processed(stage: Stage) -> None:
    device, target = stage.device()
    device.SetTransform(WORLD, TO_THE_RIGHT)
    source, made = buffer_of(stage, placed(LEFT), PLACED, 0x800), buffer_of(stage, corners(ALL, BLACK), SCREEN, 0x800)
    made.ProcessVertices(1, 0, 4, source, 0, device, 0)
    device.DrawPrimitiveVB(STRIP, made, 0, 4, 0)
    stage.shows(target, picture((RIGHT, RED)))
    four = placed(LEFT, BLUE)
    data = D3DDRAWPRIMITIVESTRIDEDDATA(
        D3DDP_PTRSTRIDE(four["position"].tobytes(), 12), diffuse=D3DDP_PTRSTRIDE(four["diffuse"].tobytes(), 4)
    )
    device.SetTransform(WORLD, IDENTITY)
    made.ProcessVerticesStrided(1, 0, 4, data, PLACED, device, 0)
    device.DrawPrimitiveVB(STRIP, made, 0, 4, 0)
    stage.shows(target, picture((LEFT, BLUE), (RIGHT, RED)))


@scene("device7/transforms and viewport")
def transforms(stage: Stage) -> None:
    device, target = stage.device()
    device.SetTransform(VIEW, IDENTITY)
    device.SetTransform(PROJECTION, TO_THE_RIGHT)
    device.DrawPrimitive(STRIP, PLACED, placed(LEFT), 4, 0)
    stage.shows(target, picture((RIGHT, RED)))
    device.MultiplyTransform(PROJECTION, np.linalg.inv(TO_THE_RIGHT))
    device.DrawPrimitive(STRIP, PLACED, placed(LEFT, BLUE), 4, 0)
    stage.shows(target, picture((LEFT, BLUE), (RIGHT, RED)))
    device.BeginStateBlock()
    device.SetTransform(PROJECTION, np.diag((0.0, 0.0, 0.0, 1.0)))
    device.MultiplyTransform(PROJECTION, TO_THE_RIGHT)  # of the device, in no block
    device.EndStateBlock()
    device.DrawPrimitive(STRIP, PLACED, placed(LEFT, GREY), 4, 0)
    stage.shows(target, picture((LEFT, BLUE), (RIGHT, GREY)))
    device.SetTransform(PROJECTION, IDENTITY)
    device.DrawPrimitive(STRIP, PLACED, placed(RIGHT, RED), 4, 0)
    device.SetViewport(D3DVIEWPORT7(4, 2, 8, 4, 0.0, 1.0))
    device.DrawPrimitive(STRIP, PLACED, placed(ALL, GREEN), 4, 0)
    stage.shows(target, picture((LEFT, BLUE), (RIGHT, RED), ((4, 2, 12, 6), GREEN)))


@scene("device7/clip planes")
def clip_planes(stage: Stage) -> None:
    device, target = stage.device()
    device.SetClipPlane(0, (1.0, 0.0, 0.0, 0.0))
    device.SetRenderState(STATE["CLIPPLANEENABLE"], 1)
    device.DrawPrimitive(STRIP, PLACED, placed(ALL), 4, 0)
    shown = picture((RIGHT, RED))
    stage.shows(target, shown)


@scene("device7/lights")
def lights(stage: Stage) -> None:
    """White light from the viewer on red; then none."""
    device, target = stage.device()
    device.SetRenderState(STATE["LIGHTING"], 1)
    device.SetMaterial(D3DMATERIAL7((1.0, 0.0, 0.0, 1.0)))
    light = D3DLIGHT7(3, (1.0, 1.0, 1.0, 1.0), Direction=(0.0, 0.0, 1.0))
    device.SetLight(0, light)
    device.LightEnable(0, 1)
    device.DrawPrimitive(STRIP, PLACED_NORMAL, facing(LEFT), 4, 0)
    device.LightEnable(0, 0)
    device.LightEnable(5, 1)  # never set: white, along +z
    device.DrawPrimitive(STRIP, PLACED_NORMAL, facing((8, 0, 12, 8)), 4, 0)
    device.LightEnable(5, 0)
    device.DrawPrimitive(STRIP, PLACED_NORMAL, facing((12, 0, 16, 8)), 4, 0)
    stage.shows(target, picture(((0, 0, 12, 8), RED)))


@scene("device7/textures")
def textures(stage: Stage) -> None:
    device, target = stage.device()
    texture = stage.texture([[RED, GREEN], [BLUE, WHITE]])
    device.SetTexture(0, texture)
    picture_of(device)
    wanted = picture(((0, 0, 8, 4), RED), (((8, 0, 16, 4)), GREEN), ((0, 4, 8, 8), BLUE), ((8, 4, 16, 8), WHITE))
    stage.shows(target, wanted)
    device.SetTextureStageState(0, TEXTURE_STAGE_STATE_ID["ADDRESS"], 3)
    device.SetTextureStageState(0, TEXTURE_STAGE_STATE_ID["COLOROP"], 3)  # SELECTARG2: diffuse
    picture_of(device)
    stage.shows(target, picture(ground=WHITE))
    same = device.GetTexture(0)
    device.SetTextureStageState(0, TEXTURE_STAGE_STATE_ID["COLOROP"], 2)
    stage.write(same, [[GREY, GREY], [GREY, GREY]])
    picture_of(device)
    stage.shows(target, picture(ground=GREY))
    device.SetTexture(0, None)
    stage.refuses("no texture stage", device.SetTexture, 9, texture)
    stage.refuses("no state", device.SetTextureStageState, 0, 99, 1)


@scene("device7/colour keys of textures")
def keys(stage: Stage) -> None:
    device, target = stage.device()
    texture = stage.texture([[RED, GREEN], [BLUE, WHITE]])
    texture.SetColorKey(8, (GREEN, GREEN))
    device.SetRenderState(STATE["COLORKEYENABLE"], 1)
    device.SetTexture(0, texture)
    picture_of(device)
    stage.shows(target, picture(((0, 0, 8, 4), RED), ((0, 4, 8, 8), BLUE), ((8, 4, 16, 8), WHITE)))


@scene("device7/palettes of textures")
def palettes(stage: Stage) -> None:
    device, target = stage.device()
    texture = stage.texture([[0, 1], [2, 3]], P8, "u1")
    colors = [(255, 0, 0, 0), (0, 255, 0, 0), (0, 0, 255, 0), (255, 255, 255, 0)] + [(0, 0, 0, 0)] * 252
    palette = stage.draw.CreatePalette(0x44, colors)
    texture.SetPalette(palette)
    device.SetTexture(0, texture)
    picture_of(device)
    shown = picture(((0, 0, 8, 4), RED), ((8, 0, 16, 4), GREEN), ((0, 4, 8, 8), BLUE), ((8, 4, 16, 8), WHITE))
    stage.shows(target, shown)
    palette.SetEntries(0, 0, 1, [(128, 128, 128, 0)])
    picture_of(device)
    stage.shows(target, np.where(shown == RED, GREY, shown))
    texture.SetPalette(None)


@scene("device7/colour keys of indexed textures")
def indexed_keys(stage: Stage) -> None:
    """The key is an index, whatever its colour: two indices may be of one colour."""
    device, target = stage.device()
    texture = stage.texture([[0, 1], [2, 3]], P8, "u1")
    same = [(255, 0, 0, 0), (255, 0, 0, 0), (0, 0, 255, 0), (255, 255, 255, 0)] + [(0, 0, 0, 0)] * 252
    texture.SetPalette(stage.draw.CreatePalette(0x44, same))
    texture.SetColorKey(8, (1, 1))
    device.SetRenderState(STATE["COLORKEYENABLE"], 1)
    device.SetTexture(0, texture)
    picture_of(device)
    stage.shows(target, picture(((0, 0, 8, 4), RED), ((0, 4, 8, 8), BLUE), ((8, 4, 16, 8), WHITE)))
    texture.SetPalette(None)


@scene("device7/loading textures")
def loading(stage: Stage) -> None:
    """Load copies levels; PreLoad, SetPriority and SetLOD are hints of management."""
    device, target = stage.device()
    source, texture = stage.texture([[RED, GREEN], [BLUE, WHITE]]), stage.texture([[GREY, GREY], [GREY, GREY]])
    device.Load(texture, (1, 0), source, (0, 1, 1, 2), 0)
    device.SetTexture(0, texture)
    device.PreLoad(texture)
    stage.d3d.EvictManagedTextures()
    texture.SetPriority(2)
    texture.SetLOD(0)
    picture_of(device)
    stage.shows(target, picture(((8, 0, 16, 4), BLUE), ground=GREY))
    device.Load(texture, None, source, None, 0)
    picture_of(device)
    stage.shows(target, picture(((0, 0, 8, 4), RED), ((8, 0, 16, 4), GREEN), ((0, 4, 8, 8), BLUE), ((8, 4, 16, 8), WHITE)))
    stage.refuses("one format", device.Load, texture, None, stage.texture([[0, 0], [0, 0]], ARGB32), None, 0)


@scene("device7/loading parts")
def loading_parts(stage: Stage) -> None:
    """Point and rectangle are those of the source's first level, also where the target begins below it; flags name faces."""
    device, _ = stage.device()
    complex_caps = TEXTURE | int(SurfaceCaps.MIPMAP | SurfaceCaps.COMPLEX)
    source, small = stage.surface(complex_caps, 4, 4, RGB32, levels=2), stage.texture([[GREY, GREY], [GREY, GREY]])
    stage.write(source.GetAttachedSurface(DDSCAPS2(TEXTURE)), [[RED, GREEN], [BLUE, WHITE]])
    device.Load(small, (2, 2), source, (2, 0, 4, 2), 0)
    stage.shows(small, picture(((1, 1, 2, 2), GREEN), ground=GREY, size=(2, 2)))
    cubes = stage.cube(), stage.cube()
    stage.fill(cubes[0], RED)
    negative = [cube.GetAttachedSurface(DDSCAPS2(TEXTURE, SurfaceCaps2.CUBEMAP_NEGATIVEZ)) for cube in cubes]
    stage.fill(negative[0], BLUE)
    device.Load(cubes[1], None, cubes[0], None, int(SurfaceCaps2.CUBEMAP_NEGATIVEZ))
    stage.shows(negative[1], picture(ground=BLUE, size=(4, 4)))
    stage.shows(cubes[1], picture(size=(4, 4)))


@scene("device7/targets")
def targets(stage: Stage) -> None:
    """A texture is drawn to, then drawn with."""
    device, target = stage.device()
    texture = stage.surface(TEXTURE | int(SurfaceCaps.DEVICE_3D), 4, 4, RGB32)
    device.SetRenderTarget(texture, 0)
    device.SetViewport(D3DVIEWPORT7(0, 0, 4, 4, 0.0, 1.0))
    device.Clear(0, None, 1, GREEN, 1.0, 0)
    same = device.GetRenderTarget()
    stage.shows(same, picture(ground=GREEN, size=(4, 4)))
    device.SetRenderTarget(target, 0)
    device.SetViewport(D3DVIEWPORT7(0, 0, WIDTH, HEIGHT, 0.0, 1.0))
    device.SetTexture(0, texture)
    picture_of(device, LEFT)
    stage.shows(target, picture((LEFT, GREEN)))
    device.GetDirect3D()


@scene("device7/state blocks")
def state_blocks(stage: Stage) -> None:
    """Blocks give back the culling that they hold: a triangle is seen, or not."""
    device, target = stage.device()
    seen = device.CreateStateBlock(1)
    device.BeginStateBlock()
    device.SetRenderState(STATE["CULLMODE"], 2)
    hidden = device.EndStateBlock()
    device.ApplyStateBlock(hidden)
    quad(device, LEFT)
    stage.shows(target, picture())
    device.ApplyStateBlock(seen)
    quad(device, LEFT)
    stage.shows(target, picture((LEFT, RED)))
    device.CaptureStateBlock(hidden)
    device.ApplyStateBlock(hidden)
    quad(device, RIGHT)
    stage.shows(target, picture(ground=RED))
    for block in (seen, hidden):
        device.DeleteStateBlock(block)
    for kind in (2, 3):
        device.CreateStateBlock(kind)
    stage.refuses("not a type", device.CreateStateBlock, 9)


@scene("device7/passes and the end")
def passes(stage: Stage) -> None:
    device, target = stage.device()
    device.ValidateDevice()
    quad(device, LEFT)
    stage.shows(target, picture((LEFT, RED)))
    stage.d3d.QueryInterface("IDirectDraw7").GetDisplayMode()
    device.QueryInterface("IDirect3DDevice7")
    device.Release()
    stage.d3d.Release()


@scene("device7/states of before")
def old_states(stage: Stage) -> None:
    """States that only Direct3D 7 and older have reach the driver; what no driver has since changes nothing."""
    device, target = stage.device()
    old = [
        id
        for name, id in STATE.items()
        if id in (2, 3, 4, 5, 6, 11, 12, 13, 17, 18, 31, 32, 33, 39, 43, 44, 45, 46, 49, 51, 138, 144)
    ]
    for state in old:
        device.SetRenderState(state, 0)
    quad(device, LEFT)
    stage.shows(target, picture((LEFT, RED)))


@scene("device7/flip chain")
def chain(stage: Stage) -> None:
    """A device draws on the back buffer, whatever memory that has after a flip."""
    front, back = stage.screen()
    device = stage.draw.QueryInterface("IDirect3D7").CreateDevice(None, back)
    device.SetRenderState(STATE["LIGHTING"], 0)
    for color in (RED, GREEN, BLUE):
        device.Clear(0, None, 1, color, 1.0, 0)
        front.Flip(None, 1)
        stage.shows(front, picture(ground=color))
    assert front.GetAttachedSurface(DDSCAPS2(SurfaceCaps.BACKBUFFER)).interface == "IDirectDrawSurface7"
