"""Objects under handles that are not surfaces: palettes, shaders, lights, buffers; the contents of each at an event.

Each row has `kind` and `handle` (as inspector.query.objects.usage names them), `created` (an event, -1 if unknown), a
`summary` in a few words, and `lines`: all of it, to be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.ddi.stream.shader_text import disassemble
from core.ddi.stream.vertex_declaration import declaration_text
from core.errors import BadInput
from core.spec.slots import LIGHT_FIELDS, LIGHT_SLOTS
from inspector.progress import Cancel
from inspector.query.objects.usage import UsersOf
from inspector.query.state.places import text_of
from inspector.timeline.lives import LIGHT, MEMORY, PALETTE, PIXEL_SHADER, VERTEX_SHADER

if TYPE_CHECKING:
    from core.device.memory.surfaces import Surface
    from inspector.capture import Capture

COLORS_A_LINE, BYTES_A_LINE = 8, 16


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
    """256 entries. `colors` uint32[256]: A8R8G8B8, alpha 255 unless the palette has `alpha`; `surfaces`: bound to it."""

    handle: int
    created: int
    colors: np.ndarray
    alpha: bool
    surfaces: tuple[int, ...]
    kind: str = "palette"

    @property
    def summary(self) -> str:
        used = ", ".join(f"#{handle}" for handle in self.surfaces) or "no surface"
        return f"{len(np.unique(self.colors))} colours{' with alpha' if self.alpha else ''}, {used}"

    @property
    def lines(self) -> list[str]:
        """Eight colours a line, as aarrggbb."""
        rows = self.colors.reshape(-1, COLORS_A_LINE).tolist()
        return [f"{n * COLORS_A_LINE:3}  " + " ".join(f"{color:08x}" for color in row) for n, row in enumerate(rows)]


@dataclass(frozen=True)
class Palettes:
    """The palettes that have entries after an event, in order of their handles: those of tokens, and those of DirectDraw that
    a surface has."""

    event: int

    def run(self, capture: Capture, cancel: Cancel | None = None) -> tuple[Palette, ...]:
        """Raises Cancelled."""
        event = capture.check_event(self.event)
        with capture.replay.at(event, cancel) as driver:
            device, found = driver.device, []
            users: dict[int, list[Surface]] = {}
            for surface in device.memory.surfaces.values():
                handle = surface.palette[0] if isinstance(surface.palette, tuple) else surface.palette
                users.setdefault(handle, []).append(surface)
            attached = {handle for handle, those in users.items() if isinstance(those[0].palette, tuple)}
            for handle in sorted(attached.union(device.registers.palette_slot)):
                held = device.palette(device.context, handle) or device.palette_of(users[handle][0])
                surfaces = tuple(sorted(surface.handle for surface in users.get(handle, ())))
                assert held is not None
                created = _born(capture, PALETTE, handle, event)
                found.append(Palette(handle, created, held.colors, bool(held.alpha), surfaces))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class ShaderCode:
    """One shader: `kind` "vertex_shader" or "pixel_shader"; `declaration` and `code` are its text, `errors` what is wrong
    with them; `current`: it is the one set; `users`: the draws that run it."""

    kind: str
    handle: int
    created: int
    declaration: str
    code: str
    errors: tuple[str, ...]
    current: bool
    users: tuple[int, ...]

    @property
    def summary(self) -> str:
        version = self.code.partition("\n")[0] or "declaration only"
        return f"{version}{', set' if self.current else ''}, {len(self.users):,} draws"

    @property
    def lines(self) -> list[str]:
        """Declaration, code, errors, users."""
        users = " ".join(f"#{event}" for event in self.users[:16]) + (" ..." if len(self.users) > 16 else "")
        parts = (self.declaration, self.code, *(f"error: {text}" for text in self.errors), f"; draws: {users or 'none'}")
        return [line for part in parts if part for line in part.rstrip("\n").split("\n")]


@dataclass(frozen=True)
class Shaders:
    """The shaders that exist after an event, vertex shaders first, each kind in order of handles.

    `handle`: only those with this handle; `kind`: only "vertex_shader" or "pixel_shader".
    """

    event: int
    handle: int | None = None
    kind: str = ""

    def run(self, capture: Capture, cancel: Cancel | None = None) -> tuple[ShaderCode, ...]:
        """Raises Cancelled, and BadInput for a kind that is none."""
        if self.kind not in ("", VERTEX_SHADER, PIXEL_SHADER):
            raise BadInput(f"{self.kind}: shaders are {VERTEX_SHADER} or {PIXEL_SHADER}")
        event, held = capture.check_event(self.event), []
        with capture.replay.at(event, cancel) as driver:
            context = driver.device.context
            for kind, shaders in ((VERTEX_SHADER, context.vertex_shaders), (PIXEL_SHADER, context.pixel_shaders)):
                wanted = sorted(shaders) if self.handle is None else [h for h in (self.handle,) if h in shaders]
                if self.kind in ("", kind):
                    held += [(kind, handle, dict(shaders[handle].facts)) for handle in wanted]
        state = capture.state(event)
        current = {(VERTEX_SHADER, state["VERTEXSHADER"].raw[0]), (PIXEL_SHADER, state["PIXELSHADER"].raw[0])}
        return tuple(_shader(capture, event, kind, handle, facts, current) for kind, handle, facts in held)


def _shader(capture: Capture, event: int, kind: str, handle: int, facts: dict[str, Any], current: set) -> ShaderCode:
    log = capture.ask(UsersOf((kind, handle), event))
    declaration, code = facts.get("declaration", b""), facts.get("code", b"")
    return ShaderCode(
        kind, handle, log.lives[0].first, _text(declaration, lambda dwords: declaration_text(dwords, bool(code))),
        _text(code, disassemble), tuple(facts.get("errors", ())), (kind, handle) in current, tuple(log.draws.tolist()),
    )  # fmt: skip


def _text(octets: bytes, read: Any) -> str:
    """Code as text; what cannot be read, as dwords."""
    dwords = np.frombuffer(octets[: len(octets) & ~3], "<u4")
    if not len(dwords):
        return ""
    try:
        return str(read(dwords))
    except BadInput:
        return "dwords " + " ".join(f"{int(dword):08x}" for dword in dwords) + "\n"


@dataclass(frozen=True, slots=True)
class Light:
    """One light: `fields` by name (D3DLIGHT8's, Enabled), as text."""

    handle: int
    created: int
    enabled: bool
    fields: dict[str, str]
    kind: str = "light"

    @property
    def summary(self) -> str:
        return f"{self.fields.get('Type', '').lower()}, {'on' if self.enabled else 'off'}"

    @property
    def lines(self) -> list[str]:
        """A line a field."""
        return [f"{name:14} {text}" for name, text in self.fields.items()]


@dataclass(frozen=True)
class Lights:
    """The lights that exist after an event, in order of their numbers."""

    event: int

    def run(self, capture: Capture, cancel: Cancel | None = None) -> tuple[Light, ...]:
        """Raises Cancelled."""
        event = capture.check_event(self.event)
        with capture.replay.at(event, cancel) as driver:
            registers = driver.device.registers
            held = {n: registers.vector[at : at + LIGHT_SLOTS].tolist() for n, at in sorted(registers.light_slot.items())}
        return tuple(_light(number, _born(capture, LIGHT, number, event), words) for number, words in held.items())


def _light(number: int, created: int, words: list[int]) -> Light:
    raw = {name: words[field.offset : field.offset + field.count] for name, field in LIGHT_FIELDS.items()}
    texts = {name: text_of(LIGHT_FIELDS[name].kind, value) for name, value in raw.items()}
    return Light(number, created, bool(raw["Enabled"][0]), texts)


def _born(capture: Capture, space: str, handle: int, event: int) -> int:
    """The event that created what has a handle; -1 if unknown."""
    number = capture.resources.lives.find(space, handle, event)
    return capture.resources.life(number).first if number >= 0 else -1


@dataclass(frozen=True, slots=True, eq=False)
class BufferBytes:
    """A vertex, index or command buffer's bytes, uint8; `usage` "vertex", "index" ...; `memory` where it lies."""

    handle: int
    created: int
    usage: str
    memory: str
    data: np.ndarray
    kind: str = "buffer"

    @property
    def summary(self) -> str:
        return f"{self.usage} buffer, {len(self.data):,} bytes"

    @property
    def lines(self) -> list[str]:
        """Sixteen bytes a line, as dwords and as floats."""
        return list(dump(self.data))


def dump(data: np.ndarray, first: int = 0) -> Iterator[str]:
    """Lines of sixteen bytes: offset, dwords, the same as floats; odd bytes at the end one by one."""
    for at in range(0, len(data), BYTES_A_LINE):
        part = data[at : at + BYTES_A_LINE].tobytes()
        whole = len(part) & ~3
        words, floats = np.frombuffer(part[:whole], "<u4").tolist(), np.frombuffer(part[:whole], "<f4").tolist()
        shown = " ".join([*(f"{word:08x}" for word in words), *(f"{byte:02x}" for byte in part[whole:])])
        yield f"{first + at:6x}  {shown:<35}  {' '.join(f'{value:.6g}' for value in floats)}".rstrip()


@dataclass(frozen=True)
class Buffer:
    """The bytes of a buffer after an event: `size` of them (None: all) from `offset` on."""

    handle: int
    event: int
    offset: int = 0
    size: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> BufferBytes:
        """Raises Cancelled, and BadInput where there is no such buffer or no such range."""
        event = capture.check_event(self.event)
        with capture.replay.at(event, cancel) as driver:
            held = driver.device.memory.buffers.get(self.handle)
            if held is None:
                raise BadInput(f"there is no buffer {self.handle} at event {event}")
            last = held.size if self.size is None else self.offset + self.size
            if not 0 <= self.offset <= last <= held.size:
                raise BadInput(f"buffer {self.handle} has bytes 0 to {held.size}, not {self.offset} to {last}")
            data, memory = held.contents[self.offset : last].copy(), str(held.facts.get("memory", ""))
            usage = str(held.kind)
        return BufferBytes(self.handle, _born(capture, MEMORY, self.handle, event), usage, memory, data)
