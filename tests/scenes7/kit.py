"""What scenes are made with: a screen of 16 x 8 pixels, surfaces, a device, and words for what must be seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.runtime.d3d7 import DDBLTFX, DDPIXELFORMAT, DDSCAPS2, DDSURFACEDESC2, D3DError, Object7
from core.spec.enums import DdBlt, PixelFormatFlag, SurfaceCaps, SurfaceCaps2
from core.spec.states import RENDER_STATE_ID

WIDTH, HEIGHT = 16, 8
BLACK, WHITE, RED, GREEN, BLUE, GREY = 0, 0xFFFFFF, 0xFF0000, 0x00FF00, 0x0000FF, 0x808080
CAPS, SIZE, BUFFERS, LEVELS, KEY, FORMAT = 0x1, 0x6, 0x20, 0x20000, 0x10000, 0x1000  # DDSD_*
RGB32 = DDPIXELFORMAT(32, PixelFormatFlag.RGB, 0, 32, 0xFF0000, 0, 0xFF00, 0, 0xFF, 0)
ARGB32 = DDPIXELFORMAT(32, PixelFormatFlag.RGB | PixelFormatFlag.ALPHAPIXELS, 0, 32, 0xFF0000, 0, 0xFF00, 0, 0xFF, 0xFF000000)
RGB16 = DDPIXELFORMAT(32, PixelFormatFlag.RGB, 0, 16, 0xF800, 0, 0x7E0, 0, 0x1F, 0)
P8 = DDPIXELFORMAT(32, PixelFormatFlag.RGB | PixelFormatFlag.PALETTEINDEXED8, 0, 8)
D16 = DDPIXELFORMAT(32, PixelFormatFlag.ZBUFFER, 0, 16, 0, 0, 0, 0xFFFF)
D24S8 = DDPIXELFORMAT(32, PixelFormatFlag.ZBUFFER | PixelFormatFlag.STENCILBUFFER, 0, 32, 0, 8, 0, 0xFFFFFF, 0xFF000000)
SCREEN, SCREEN_TEXTURED, PLACED, PLACED_NORMAL = (
    0x44,
    0x144,
    0x42,
    0x12,
)  # XYZRHW | DIFFUSE (| TEX1), XYZ | DIFFUSE, XYZ | NORMAL
STRIP = 5
OFFSCREEN, TEXTURE, DEVICE = int(SurfaceCaps.OFFSCREENPLAIN), int(SurfaceCaps.TEXTURE), int(SurfaceCaps.DEVICE_3D)
DEPTH, SYSTEM = int(SurfaceCaps.ZBUFFER), int(SurfaceCaps.SYSTEMMEMORY)
Rect = tuple[int, int, int, int]


@dataclass(frozen=True)
class Scene:
    """A program, and its name: subject/what."""

    name: str
    play: Callable[[Stage], None]


SCENES: dict[str, Scene] = {}


def scene(name: str) -> Callable[[Callable[[Stage], None]], Callable[[Stage], None]]:
    """Registers a program."""

    def registered(play: Callable[[Stage], None]) -> Callable[[Stage], None]:
        assert name not in SCENES, name
        SCENES[name] = Scene(name, play)
        return play

    return registered


def picture(*parts: tuple[Rect, int], ground: int = BLACK, size: tuple[int, int] = (WIDTH, HEIGHT)) -> np.ndarray:
    """uint32[height, width]: boxes of colours on a ground, later ones on top."""
    made = np.full((size[1], size[0]), ground, np.uint32)
    for (left, top, right, bottom), color in parts:
        made[top:bottom, left:right] = color
    return made


@dataclass
class Used:
    """What scenes made use of."""

    calls: set[str] = field(default_factory=set)
    flags: int = 0  # DDBLT
    effects: int = 0  # DDBLTFX.dwDDFX
    fast: int = 0  # DDBLTFAST
    flips: int = 0  # DDFLIP
    caps: int = 0
    caps2: int = 0


class Stage:
    """A program that has begun: its DirectDraw object; what it called; what must be seen, as (call, surface, picture)."""

    def __init__(self, draw: Object7) -> None:
        self.draw, self.used = draw, Used()
        self.used.calls.add("DirectDrawCreateEx")
        self.seen: list[tuple[int, int, np.ndarray]] = []
        self.refusals: list[str] = []
        self.script = draw._desk.script
        self._call, self.script.call = self.script.call, self._note  # type: ignore[method-assign]
        self.draw.SetDisplayMode(WIDTH, HEIGHT, 32, 0, 0)

    def _note(self, name: str, *args: Any, result: int = 0) -> Any:
        used, method = self.used, name.rpartition("::")[2]
        used.calls.add(name)
        if method == "Blt":
            used.flags |= args[4]
            used.effects |= args[5][0].dwDDFX if args[5] else 0
        elif method == "BltFast":
            used.fast |= args[5] or 1 << 31
        elif method == "Flip":
            used.flips |= args[2]
        elif method == "CreateSurface":
            caps = args[1][0].ddsCaps
            used.caps, used.caps2 = used.caps | caps.dwCaps, used.caps2 | caps.dwCaps2
        return self._call(name, *args, result=result)

    # ---- surfaces --------------------------------------------------------------------------------

    def surface(self, caps: int = OFFSCREEN, width: int = WIDTH, height: int = HEIGHT, form: DDPIXELFORMAT = RGB32,
                caps2: int = 0, levels: int = 0) -> Object7:  # fmt: skip
        flags = CAPS | SIZE | FORMAT | (LEVELS if levels else 0)
        desc = DDSURFACEDESC2(124, flags, height, width, 0, 0, levels, 0, ddpfPixelFormat=form, ddsCaps=DDSCAPS2(caps, caps2))
        made: Object7 = self.draw.CreateSurface(desc)
        return made

    def screen(self, buffers: int = 1) -> tuple[Object7, Object7]:
        """A primary that flips, and its back buffer."""
        caps = DDSCAPS2(SurfaceCaps.PRIMARYSURFACE | SurfaceCaps.FLIP | SurfaceCaps.COMPLEX | DEVICE)
        front = self.draw.CreateSurface(DDSURFACEDESC2(dwFlags=CAPS | BUFFERS, dwBackBufferCount=buffers, ddsCaps=caps))
        return front, front.GetAttachedSurface(DDSCAPS2(SurfaceCaps.BACKBUFFER))

    def fill(self, surface: Object7, color: int, rect: Rect | None = None) -> None:
        surface.Blt(rect, None, None, DdBlt.COLORFILL | DdBlt.WAIT, DDBLTFX(dwFillColor=color))

    def write(self, surface: Object7, rows: Any, kind: str = "<u4") -> None:
        """Lock, write, Unlock."""
        memory = surface.Lock().view(kind)
        memory[:, :] = np.broadcast_to(np.asarray(rows, kind), memory.shape)
        surface.Unlock()

    def cube(self, levels: int = 0) -> Object7:
        caps = TEXTURE | int(SurfaceCaps.COMPLEX) | (int(SurfaceCaps.MIPMAP) if levels else 0)
        return self.surface(caps, 4, 4, RGB32, int(SurfaceCaps2.CUBEMAP | SurfaceCaps2.CUBEMAP_ALLFACES), levels)

    # ---- devices ---------------------------------------------------------------------------------

    def device(self, version: int = 7, depth: DDPIXELFORMAT | None = None) -> tuple[Object7, Object7]:
        """A device of a version without lights and culling, and its target of the screen's size."""
        target = self.surface(OFFSCREEN | DEVICE)
        if depth is not None:
            target.AddAttachedSurface(self.surface(DEPTH, form=depth))
        self.d3d = self.draw.QueryInterface(f"IDirect3D{version}")
        device = self.d3d.CreateDevice(None, target)
        device.SetRenderState(RENDER_STATE_ID["CULLMODE"], 1)
        if version == 7:
            device.SetRenderState(RENDER_STATE_ID["LIGHTING"], 0)
        else:
            self.viewport = self.d3d.CreateViewport()
            device.AddViewport(self.viewport)
            self.viewport.SetViewport2((44, 0, 0, WIDTH, HEIGHT, -1.0, 1.0, 2.0, 2.0, 0.0, 1.0))
            device.SetCurrentViewport(self.viewport)
        return device, target

    def texture(self, rows: Any, form: DDPIXELFORMAT = RGB32, kind: str = "<u4") -> Object7:
        """A texture of these rows."""
        height, width = np.shape(rows)
        made = self.surface(TEXTURE, width, height, form)
        self.write(made, rows, kind)
        return made

    # ---- what must be seen -------------------------------------------------------------------------

    def shows(self, surface: Object7, wanted: np.ndarray) -> None:
        """From here on, until something is drawn, the surface looks like this."""
        self.draw._desk.runtime.flush()
        self.seen.append((self.script._calls.first - 1, int(surface.pointer), wanted))

    def refuses(self, sentence: str, call: Callable[..., Any], *args: Any) -> None:
        """The call is refused with words like these."""
        try:
            call(*args)
        except D3DError as error:
            assert sentence in str(error), str(error)
            self.refusals.append(str(error))
            return
        raise AssertionError(f"nothing refused: {sentence}")


def corners(rect: Rect, color: int = RED, z: float = 0.5) -> np.ndarray:
    """XYZRHW | DIFFUSE: a strip over these pixels."""
    left, top, right, bottom = rect
    made = np.zeros(4, [("position", "<f4", 4), ("diffuse", "<u4")])
    made["position"] = [(x - 0.5, y - 0.5, z, 1) for x, y in ((left, top), (right, top), (left, bottom), (right, bottom))]
    made["diffuse"] = color | 0xFF000000
    return made


def textured(rect: Rect) -> np.ndarray:
    """XYZRHW | DIFFUSE | TEX1, white: a strip that shows all of a texture on these pixels."""
    made = np.zeros(4, [("position", "<f4", 4), ("diffuse", "<u4"), ("t0", "<f4", 2)])
    made["position"], made["diffuse"] = corners(rect)["position"], 0xFFFFFFFF
    made["t0"] = [(0, 0), (1, 0), (0, 1), (1, 1)]
    return made


def placed(rect: Rect, color: int = RED, z: float = 0.5) -> np.ndarray:
    """XYZ | DIFFUSE: the same pixels through identity matrices."""
    given = corners(rect, color, z)
    made = np.zeros(4, [("position", "<f4", 3), ("diffuse", "<u4")])
    made["position"] = given["position"][:, :3]
    made["position"][:, 0] = (given["position"][:, 0] + 0.5) / WIDTH * 2 - 1
    made["position"][:, 1] = 1 - (given["position"][:, 1] + 0.5) / HEIGHT * 2
    made["diffuse"] = given["diffuse"]
    return made


def facing(rect: Rect) -> np.ndarray:
    """XYZ | NORMAL: the same pixels, normals towards the viewer."""
    made = np.zeros(4, [("position", "<f4", 3), ("normal", "<f4", 3)])
    made["position"], made["normal"] = placed(rect)["position"], (0, 0, -1)
    return made
