"""A capture made up in memory, with the interface of `inspector.Capture`: what the window's tests look at."""

from __future__ import annotations

import struct
import threading
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from core.device.findings import Finding
from core.errors import BadInput
from core.spec.formats import FORMATS, Format
from core.spec.subresource import Subresource, Where
from inspector.capture import Capture
from inspector.query.draws.vertices import Grid
from inspector.query.events.addresses import Addresses
from inspector.query.events.detail import EventDetail, FieldText
from inspector.query.held.kept import Kept
from inspector.query.looks.look import Look
from inspector.query.looks.thumbnails import Thumbnail
from inspector.query.looks.wires import WireFrame
from inspector.query.objects.surfaces import SurfaceInfo
from inspector.query.objects.usage import ResourcesOf
from inspector.query.shapes.mesh import Mesh, Shape
from inspector.tape import CallIndex
from inspector.timeline.budgets import Budgets
from inspector.timeline.events import EVENT, Events
from inspector.timeline.frames import Frame
from inspector.view import CaptureView

WIDTH, HEIGHT = 64, 48
SIZE = WIDTH * HEIGHT * 4  # bytes
BACK_BUFFER, DEPTH, TEXTURE = 3, 4, 10

# One frame, as (DP2 op or 0, name of a call, arguments as text)
FRAME = [
    (42, "", "CLEAR2"),
    (8, "", "RENDERSTATE"),
    (8, "", "RENDERSTATE"),
    (25, "", "TEXTURESTAGESTATE"),
    (0, "Lock", "Lock"),
    (0, "Unlock", "Unlock"),
    (36, "", "SETTRANSFORM"),
    (52, "", "DRAWPRIMITIVE"),
    (8, "", "RENDERSTATE"),
    (53, "", "DRAWINDEXEDPRIMITIVE"),
    (0, "Flip", "Flip"),
]
DRAWS = {52, 53}


@dataclass(frozen=True)
class Value:
    key: Any
    name: str
    value: Any
    text: str
    writer: int | None
    is_default: bool
    stage: str
    kind: str = "int"


def made_up_events(frames: int) -> Events:
    """The frame so many times, each event a driver call of its own."""
    count = frames * len(FRAME)
    rows = np.zeros(count, EVENT)
    rows["op"] = np.tile(np.array([op for op, _, _ in FRAME], np.uint8), frames)
    rows["call"], rows["source"] = np.arange(count), np.arange(count) * 2
    rows["offset"], rows["size"], rows["count"] = np.arange(count) * 4, 4, 1
    rows["draw"] = np.isin(rows["op"], list(DRAWS))
    commands = np.arange(count, dtype=np.uint32).view(np.uint8)
    return Events(rows, np.arange(count + 1), commands, np.zeros(count, np.int64), ())


class MadeUpTape:
    """API calls that set one render state after the other."""

    def __init__(self, frames: int) -> None:
        self.source_count, self._frames = 2 * frames * len(FRAME), frames
        self.notices: list[str] = []

    def source(self, number: int) -> SimpleNamespace:
        args = [("State", "D3DRS_ALPHAREF"), ("Value", str(number))]
        return SimpleNamespace(name="IDirect3DDevice8::SetRenderState", result=0, written=lambda: args)

    def call_index(self) -> CallIndex:
        names = {0: "DrawPrimitives2", 1: "Lock", 2: "Unlock", 3: "Flip"}
        codes = {name: code for code, name in names.items()}
        entry = np.tile(np.array([codes.get(name, 0) for _, name, _ in FRAME], np.uint8), self._frames)
        return CallIndex(names, entry, np.ones(len(entry), np.int64), np.arange(len(entry)) * 2)


class State(dict):
    """A state vector: every value's writer is the last event of its kind."""

    def __init__(self, event: int) -> None:
        super().__init__()
        self.event = event
        base = event - event % len(FRAME)
        rows = [
            ("ALPHAREF", "alpha_test", 7 if event % len(FRAME) >= 1 else 0, base + 1),
            ("ALPHAFUNC", "alpha_test", "ALWAYS", None),
            ("ALPHATESTENABLE", "alpha_test", True, base + 2),
            ("ZFUNC", "depth_test", "LESSEQUAL", None),
            ("COLOR", "blend", 0xFF8040C0, base + 3),
        ]
        for name, stage, value, writer in rows:
            writer = writer if writer is not None and writer <= event else None
            self[name] = Value(
                name, name, value, str(value), writer, writer is None, stage, "color" if name == "COLOR" else "int"
            )
        self.changed = [value for value in self.values() if value.writer == event]

    def rows(self, stage: str | None = None) -> list[Value]:
        return [value for value in self.values() if stage in (None, value.stage)]


class FakeCapture:
    """Held to inspector.view.CaptureView by mypy (`held`)."""

    def __init__(self, frames: int = 3, path: str = "no-folder/made-up.ddicap") -> None:
        """path: nothing can be kept beside a capture in a folder that is not there."""
        self.path, self.title = Path(path), Path(path).stem
        self.events = made_up_events(frames)
        per_frame = len(FRAME)
        self.frames = [Frame(i, i * per_frame, (i + 1) * per_frame - 1, len(DRAWS)) for i in range(frames)]
        self.all_frames = self.frames
        self.draws = np.flatnonzero(self.events.draw).astype(np.int64)
        self.findings = [Finding("lock-of-target", 4, "The surface is locked while it is the render target.", "DX8 SDK")]
        self.shortages: tuple[Finding, ...] = ()
        self.images_asked: list[int] = []
        self.image_threads: set[threading.Thread] = set()
        self.tape = MadeUpTape(frames)
        self.closed = False
        self.complete = True
        self.walked = SimpleNamespace(lights_at=lambda event: ())

    def ask(self, query: Any, cancel: Any = None) -> Any:
        """A made-up capture knows how surfaces look, and that no event uses anything; no other answers."""
        if isinstance(query, Look | Thumbnail | WireFrame):
            return query.run(self, cancel)  # type: ignore[arg-type]
        if isinstance(query, Shape) and self.events.draw[query.event]:
            rows = self.vertices(query.event).rows
            return Mesh("assembled", "object", rows[:, :3].astype(float), np.arange(3)[None], np.zeros(1, np.int64))
        if isinstance(query, Addresses):
            return {}
        if isinstance(query, ResourcesOf | Kept):
            return []
        raise BadInput("nothing is known about a made-up capture")

    def moment(self, *_: Any) -> Any:
        """Nor has it a device."""
        raise BadInput("nothing is known about a made-up capture")

    def in_pieces(self, query: Any) -> Any:
        """Nor is any known bit by bit."""
        raise BadInput("nothing is known about a made-up capture")

    held = (3 << 20, 5 << 20, 7 << 20, 9 << 20)
    budgets = Budgets()

    def close(self) -> None:
        self.closed = True

    def name(self, event: int) -> str:
        return FRAME[event % len(FRAME)][2]

    def text(self, event: int) -> str:
        return f"{self.name(event)} value={event}"

    def event_of_source_call(self, number: int) -> int:
        return number // 2

    def event(self, event: int) -> EventDetail:
        data = struct.pack("<BBHII", int(self.events.op[event]), 0, 1, 24, event)
        fields = FieldText("state", "ALPHAREF", 24, 4, 8, "U32"), FieldText("value", hex(event), event, 8, 12, "HEX32")
        name = self.name(event)
        source = int(self.events.source[event])
        return EventDetail(event, event // len(FRAME), name, self.text(event), event, source, f"{name}()", fields, data, 0)

    def call_fields(self, event: int) -> tuple[FieldText, ...]:
        return self.event(event).call_fields

    def state(self, event: int) -> State:
        return State(event)

    def prepare(self, cancel: Any = None) -> float:
        return 1.0

    def surfaces(self, event: int, cancel: Any = None) -> list[SurfaceInfo]:
        return [
            SurfaceInfo(BACK_BUFFER, "back buffer", "2d", WIDTH, HEIGHT, 0, 1, 1, 0, "X8R8G8B8", "video", 0, SIZE),
            SurfaceInfo(DEPTH, "depth", "2d", WIDTH, HEIGHT, 0, 1, 1, 0, "D24S8", "video", 0, SIZE),
            SurfaceInfo(TEXTURE, "texture", "2d", 32, 32, 0, 6, 1, 0, "A8R8G8B8", "video", 4, 5460),
        ]

    def render_target(self, event: int) -> int:
        return BACK_BUFFER

    def frame_of(self, event: int) -> int:
        return event // len(FRAME)

    def frame_at(self, event: int) -> Frame:
        return self.frames[self.frame_of(event)]

    def check_event(self, event: int) -> int:
        return event

    def resolve(self, event: int, where: Where, cancel: Any = None) -> tuple[int, int]:
        surface = Subresource.of(where).surface
        handle = {"render_target": BACK_BUFFER, "back_buffer": BACK_BUFFER, "depth": DEPTH}.get(str(surface), surface)
        return int(handle), int(handle)

    def stamp(self, event: int, surface: int, cancel: Any = None) -> int:
        return event

    def image(
        self, event: int, surface: Where = "render_target", level: int = 0, face: int = 0, slice: int = 0,
        sample: int | None = None, *, primitive: int | None = None, cancel: Any = None,
    ) -> np.ndarray:  # fmt: skip
        self.images_asked.append(event)
        self.image_threads.add(threading.current_thread())
        return _rgba(event, surface if isinstance(surface, Subresource) else Subresource(surface, level, face, slice, sample))

    def stored(
        self, event: int, where: Where = "render_target", primitive: int | None = None, cancel: Any = None
    ) -> tuple[np.ndarray, Format]:
        rgba = _rgba(event, Subresource.of(where))
        height, width = rgba.shape[:2]
        if Subresource.of(where).surface == DEPTH:
            depth = np.arange(height * width, dtype=np.uint32).reshape(height, width) * 1000 << 8
            return depth.view(np.uint8), by_name("D24S8")
        return np.ascontiguousarray(rgba[..., [2, 1, 0, 3]]).reshape(height, -1), by_name("A8R8G8B8")

    def look(
        self, event: int, where: Where = "render_target", primitive: int | None = None, cancel: Any = None
    ) -> tuple[np.ndarray, np.ndarray, Format]:
        return self.image(event, where), *self.stored(event, where)

    def primitives(self, event: int) -> int:
        return 4 if self.events.draw[event] else 0

    def vertices(self, event: int, which: str = "streams", cancel: Any = None) -> Grid:
        if not self.events.draw[event]:
            return Grid([], np.zeros((0, 0), np.float32), ["This event draws nothing."])
        rows = np.array([[0, 0, 0.5, 1], [10, 0, 0.5, 1], [0, 10, 0.5, 1]], np.float32)
        return Grid(["x", "y", "z", "w"], rows, primitive="TRIANGLELIST")


def _rgba(event: int, where: Subresource) -> np.ndarray:
    width, height = (32 >> where.level, 32 >> where.level) if where.surface == TEXTURE else (WIDTH, HEIGHT)
    rgba = np.zeros((height, width, 4), np.uint8)
    rgba[..., 0] = np.arange(width) * 255 // max(width - 1, 1)
    rgba[..., 1] = (np.arange(height) * 255 // max(height - 1, 1))[:, None]
    rgba[..., 2] = event % 256
    rgba[..., 3] = 255
    return rgba


def by_name(name: str) -> Any:
    return next(row for row in FORMATS.values() if row.name == name)


def held(fake: FakeCapture, capture: Capture) -> tuple[CaptureView, ...]:
    """For mypy: what stands in for a capture, and captures, are what the window looks at."""
    one: CaptureView = fake
    other: CaptureView = capture
    return one, other
