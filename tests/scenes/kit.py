"""What scenes are made with: a recorded driver with a small target, tokens by name, and words for what must be seen."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream import dp2
from core.spec.formats import FORMAT_BY_NAME
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID
from inspector.tape.record import Recorder, Writer

SIZE, CONTEXT, TARGET, DEPTH, TEXTURE, BUFFER, INDICES = 64, 1, 1, 2, 10, 40, 41
SCREEN, SCREEN_TEXTURED = 0x44, 0x144  # XYZRHW | DIFFUSE (| TEX1)
BLACK, WHITE = 0xFF000000, 0xFFFFFFFF
RED, GREEN, BLUE, GREY = 0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFF808080
Box = tuple[float, float, float, float]
Picture = np.ndarray  # uint32[height, width], 0xAARRGGBB
Token = tuple[Any, ...]


# ---- pictures --------------------------------------------------------------------------------------------------------


def picture(*parts: tuple[Box, int], ground: int = BLACK, size: tuple[int, int] = (SIZE, SIZE)) -> Picture:
    """Boxes (left, top, right, bottom) of colours on a ground, later ones on top."""
    made = np.full((size[1], size[0]), ground, np.uint32)
    for (left, top, right, bottom), color in parts:
        made[top:bottom, left:right] = color
    return made


def gray(level: int) -> int:
    return BLACK | level * 0x010101


# ---- tokens ----------------------------------------------------------------------------------------------------------


def t(op: str, items: Any = None, **fields: Any) -> Token:
    """A token: fields by keyword for one record, or its records or elements."""
    return op, items, fields


def states(**values: int | float) -> Token:
    """RENDERSTATE, one record a state; floats as their bits."""
    return t("RENDERSTATE", [{"state": RENDER_STATE_ID[name], "value": bits(value)} for name, value in values.items()])


def stage(number: int = 0, **values: int | float) -> Token:
    """TEXTURESTAGESTATE, one record a state."""
    names = TEXTURE_STAGE_STATE_ID
    return t(
        "TEXTURESTAGESTATE",
        [{"stage": number, "state": names[name], "value": bits(value)} for name, value in values.items()],
    )


def bits(value: int | float) -> int:
    """A float as its dword; numbers as they are."""
    return int(np.float32(value).view(np.uint32)) if isinstance(value, float) else int(value)


def vertex(x: float, y: float, color: int = WHITE, z: float = 0.5, uv: tuple[float, float] | None = None) -> bytes:
    """XYZRHW | DIFFUSE (| TEX1); the corner (x, y) of the pixel grid."""
    tail = struct.pack("<2f", *uv) if uv is not None else b""
    return struct.pack("<4fI", x - 0.5, y - 0.5, z, 1.0, color) + tail


def corners(box: Box, color: int = WHITE, z: float = 0.5, textured: bool = False) -> list[bytes]:
    """Upper left, upper right, lower left, lower right of a box: a strip."""
    left, top, right, bottom = box
    return [
        vertex(x, y, color, z, (float(x == right), float(y == bottom)) if textured else None)
        for y in (top, bottom)
        for x in (left, right)
    ]


def as_list(quad: Sequence[bytes]) -> list[bytes]:
    """A strip's four vertices as two triangles."""
    return [quad[i] for i in (0, 1, 2, 1, 3, 2)]


def as_fan(quad: Sequence[bytes]) -> list[bytes]:
    return [quad[i] for i in (0, 1, 3, 2)]


THIRDS = ((0, 0, 16, SIZE), (16, 0, 32, SIZE), (32, 0, 48, SIZE))
Rgba = tuple[float, float, float, float]


def argb(color: Sequence[float]) -> int:
    """A colour of floats, rounded to the nearest eighth bit."""
    red, green, blue, alpha = (math.floor(min(max(c, 0.0), 1.0) * 255 + 0.5) for c in color)
    return alpha << 24 | red << 16 | green << 8 | blue


def spread(value: float) -> Rgba:
    return (value,) * 4


# ---- expectations ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pixels:
    """A surface after an event: `picture` where `mask` (everywhere without), within `tolerance` steps a channel."""

    event: int
    surface: int | str
    where: dict[str, int]
    picture: Picture
    mask: np.ndarray | None
    tolerance: int
    alpha: bool


@dataclass(frozen=True)
class Property:
    """What must hold of the render target's picture (uint32[height, width]) after an event."""

    event: int
    holds: Callable[[Picture], bool]
    text: str


ANYBODY = -1


@dataclass(frozen=True)
class Value:
    """A value of state after an event, and which event set it (ANYBODY: that does not matter)."""

    event: int
    key: Any
    value: Any
    writer: int | None


@dataclass
class Seen:
    """What must be seen of a scene."""

    pixels: list[Pixels] = field(default_factory=list)
    properties: list[Property] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)  # rule ids, in any order; others must not be there
    texts: list[tuple[int, str]] = field(default_factory=list)  # event, what its line must hold
    recorded: list[str] = field(default_factory=list)  # rules that recorded answers break
    off_tape: bool = False  # what must be seen was seen while it was recorded
    answers: bool = False  # some calls were only said to have been answered: the driver did not count them


class Stage:
    """A driver that is recorded, and what must be seen.

    The target is 64 x 64 A8R8G8B8, cleared to opaque black; transformed, coloured vertices, no culling, no depth buffer.
    `calls` are the driver's answers; `bare` True: nothing is created.
    """

    def __init__(self, writer: Writer, bare: bool = False, profile: str = "full", clock: str = "instant",
                 format: str = "A8R8G8B8", depth: str = "", samples: int = 0) -> None:  # fmt: skip
        self.writer, self.seen = writer, Seen()
        self.use(EmulatedDriver(profile, check=True, clock=clock))
        if not bare:
            self._open(format, depth, samples)

    def use(self, driver: EmulatedDriver) -> None:
        """Has another driver answer, and be recorded, from now on."""
        self.driver = driver
        self.recorder = Recorder(driver, self.writer)

    def _open(self, format: str, depth: str, samples: int) -> None:
        more = {"samples": samples} if samples else {}
        self.surface(TARGET, format, label="render_target", **more)
        if depth:
            self.surface(DEPTH, depth, label="depth", **more)
        ends = {"render_target": TARGET, "depth_stencil": DEPTH if depth else 0}
        self("ContextCreate", context=CONTEXT, width=SIZE, height=SIZE, windowed=1, **ends)
        self.tokens(
            t("VIEWPORTINFO", x=0, y=0, width=SIZE, height=SIZE), t("ZRANGE", min=0.0, max=1.0),
            t("SETVERTEXSHADER", shader=SCREEN), states(CULLMODE=1, LIGHTING=0),
            t("CLEAR", [(0, 0, SIZE, SIZE)], flags=1 | (2 if depth else 0), color=BLACK, depth=1.0),
        )  # fmt: skip

    # ---- calls ------------------------------------------------------------------------------------------------

    def __call__(self, entry: str, data: dict[str, Any] | None = None, expect: int = 0, **args: Any) -> DdiCall:
        """One call of the driver, which must answer `expect`."""
        call = self.recorder.call(DdiCall(entry, args, data or {}))
        assert call.result == expect & 0xFFFFFFFF, (entry, hex(call.result), [found.text for found in self.driver.findings])
        return call

    @property
    def event(self) -> int:
        """The last event."""
        return self.driver.seq - 1

    def tokens(self, *tokens: Token, vertices: Iterable[bytes] = (), stride: int = 20, kind: int = 0, expect: int = 0,
               **args: Any) -> DdiCall:  # fmt: skip
        """One DrawPrimitives2; `vertices` go in user memory."""
        stream = bytearray()
        for op, items, fields in tokens:
            dp2.emit(stream, op, items, **fields)
        return self.stream(bytes(stream), b"".join(vertices), stride, kind, expect, **args)

    def stream(self, commands: bytes, vertices: bytes = b"", stride: int = 20, kind: int = 0, expect: int = 0,
               **args: Any) -> DdiCall:  # fmt: skip
        """One DrawPrimitives2 of these bytes."""
        data = {"commands": commands}
        given = {"context": CONTEXT, "flags": 0, "command_offset": 0, "command_length": len(commands)}
        if vertices:
            data["vertices"] = vertices
            given |= {"flags": 1, "vertex_length": len(vertices) // stride, "vertex_size": stride, "vertex_type": kind}
        return self("DrawPrimitives2", data, expect, **{**given, **args})

    def surface(self, handle: int, format: str, width: int = SIZE, height: int = SIZE, **more: Any) -> DdiCall:
        """A surface; one level unless said otherwise."""
        args = {"levels": 1, "label": "texture"} | more
        return self("CreateSurface", handle=handle, width=width, height=height, format=FORMAT_BY_NAME[format].id, **args)

    def fill(self, handle: int, contents: np.ndarray | bytes, **more: Any) -> None:
        """Writes contents through a lock."""
        self("Lock", handle=handle, flags=0, **more)
        self("Unlock", {"contents": bytes(contents)}, handle=handle, **more)

    def buffer(self, handle: int, contents: bytes, kind: str = "vertex") -> None:
        """A D3D buffer with contents."""
        self("CreateD3DBuffer", handle=handle, size=len(contents), kind=kind)
        self("LockD3DBuffer", handle=handle, offset=0, size=0, flags=0)
        self("UnlockD3DBuffer", {"contents": contents}, handle=handle, offset=0)

    def quad(self, box: Box = (0, 0, SIZE, SIZE), color: int = WHITE, z: float = 0.5, *before: Token,
             textured: bool = False) -> DdiCall:  # fmt: skip
        """Draws a box of one colour, `before` it some tokens; textured: the whole texture of stage 0 over the box."""
        stride, shader = (28, SCREEN_TEXTURED) if textured else (20, SCREEN)
        return self.tokens(
            *before, t("SETVERTEXSHADER", shader=shader), t("SETSTREAMSOURCEUM", stride=stride),
            t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2),
            vertices=corners(box, color, z, textured), stride=stride,
        )  # fmt: skip

    # ---- what must be seen ----------------------------------------------------------------------------------------

    def sees(self, expected: Picture, surface: int | str = TARGET, mask: np.ndarray | None = None, tolerance: int = 0,
             alpha: bool = True, event: int | None = None, **where: int) -> None:  # fmt: skip
        """The surface after the last event (or `event`)."""
        at = self.event if event is None else event
        self.seen.pixels.append(Pixels(at, surface, where, expected, mask, tolerance, alpha))

    def satisfies(self, holds: Callable[[Picture], bool], text: str) -> None:
        """What must be so of the render target after the last event, where the pixels themselves are the driver's choice."""
        self.seen.properties.append(Property(self.event, holds, text))

    def holds(self, key: Any, value: Any, back: int | None = 0) -> None:
        """A state's value after the last event, set by the event `back` before it (None: by nobody)."""
        self.seen.values.append(Value(self.event, key, value, None if back is None else self.event - back))

    def equals(self, key: Any, value: Any, event: int) -> None:
        """A state's value after an event, whoever set it."""
        self.seen.values.append(Value(event, key, value, ANYBODY))

    def says(self, text: str, back: int = 0) -> None:
        """The line of the last event (or of one before)."""
        self.seen.texts.append((self.event - back, text))

    def finds(self, *rules: str) -> None:
        """Rules that are broken; none but these may be."""
        self.seen.findings += rules


def checkered(scene: Stage, format: str = "A8R8G8B8") -> None:
    """Red, green / blue, white in stage 0, unfiltered, alone."""
    scene.surface(TEXTURE, format, 2, 2)
    scene.fill(TEXTURE, struct.pack("<4I", RED, GREEN, BLUE, WHITE))
    scene.tokens(stage(0, TEXTUREMAP=TEXTURE, COLOROP=2, COLORARG1=2, ALPHAOP=2, ALPHAARG1=2, MAGFILTER=1, MINFILTER=1))


# ---- scenes ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scene:
    """A small capture: `name` is subject/what, `make` draws it and says what must be seen; `covers`: what of the
    specifications it is about ("token:CLEAR", "entry:Flip", "rule:scene" ...)."""

    name: str
    make: Callable[[Stage], None]
    covers: tuple[str, ...]
    options: dict[str, Any]

    def record(self, writer: Writer) -> Stage:
        """Plays the scene into a tape."""
        played = Stage(writer, **self.options)
        self.make(played)
        return played


SCENES: dict[str, Scene] = {}


def add(name: str, make: Callable[[Stage], None], *covers: str, **options: Any) -> None:
    """Enters a scene."""
    assert name not in SCENES, f"two scenes are called {name}"
    SCENES[name] = Scene(name, make, covers, options)


def scene(name: str, *covers: str, **options: Any) -> Callable[[Callable[[Stage], None]], Callable[[Stage], None]]:
    """The decorator that enters a function as a scene; options are those of Stage."""

    def enter(make: Callable[[Stage], None]) -> Callable[[Stage], None]:
        add(name, make, *covers, **options)
        return make

    return enter
