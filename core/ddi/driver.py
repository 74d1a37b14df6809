"""The emulated driver: driver entries in, results as the DDK says out.

`EmulatedDriver` counts events as the timeline does: a DrawPrimitives2 call is one event per record (one if it is empty),
any other call is one event.  Every argument is checked here, before the device sees it; a refused call has an error result,
a Finding, and no effect.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING

import numpy as np

from core.ddi import caps, dp2, dxgi, present, resources, shaders
from core.ddi.arguments import Rejected, StillDrawing, blob, number
from core.ddi.calls import DdiCall
from core.ddi.check import Finding, StateCheck, finding
from core.ddi.clock import CALL_COST, CLOCKS
from core.ddi.watch import Watch
from core.device import copies, reading
from core.device.device import Context, Device, Stream
from core.device.surfaces import PADDING, Level, Surface
from core.spec.enums import Dp2Flag, HResult
from core.spec.formats import Format
from core.spec.tokens import FLAG_DRAWS, FLAG_DX9, Op

if TYPE_CHECKING:
    from core.device.drawing import DrawArguments

ParseUnknown = Callable[[np.ndarray, int], int | None]
"""D3dParseUnknownCommand: (command buffer, offset of the unknown command) -> offset to go on at, None if it is not known."""
Entry = Callable[["EmulatedDriver", DdiCall], None]
ROLES = ("render_target", "depth", "back_buffer", "primary")


class Snapshot:
    """The driver at one moment; `size`: bytes that it holds and no earlier snapshot does."""

    __slots__ = ("clock", "dxgi", "locks", "seq", "size", "state")

    def __init__(self, driver: EmulatedDriver) -> None:
        driver.device.flush()
        self.size = driver.device.memory.unshared + 4 * sum(len(c.registers.vector) for c in driver.device.contexts.values())
        self.state, self.seq, self.locks = driver.device.state(), driver.seq, dict(driver.locks)
        self.dxgi, self.clock = deepcopy(driver.dxgi), deepcopy(driver.clock)


class EmulatedDriver:
    """A Driver (core.ddi.calls). `draws` False: follows state only, memory stays as it is; `check`: finds broken rules that
    have no effect on the device too (core.ddi.watch); `clock`: "instant" or "modelled" (core.ddi.clock).

    `seq` is the number of the next event; `findings` what went wrong so far; `parse_unknown_command` the runtime's callback.
    """

    def __init__(
        self, profile: str = "full", threads: int = 1, draws: bool = True, check: bool = False, clock: str = "instant"
    ) -> None:
        self.profile = profile
        self.clock = CLOCKS[clock]()
        self.device = Device(threads, draws)
        self.device.decode_vertex_shader = shaders.vertex_shader
        self.device.decode_pixel_shader = shaders.pixel_shader
        self.check = check
        self.watches: defaultdict[int, Watch] = defaultdict(Watch)  # by context
        self.parse_unknown_command: ParseUnknown | None = None
        self.seq = 0
        self.locks: dict[int, int] = {}
        self.dxgi = dxgi.Dxgi()
        self._check = StateCheck()
        self._stream: tuple[DdiCall, Stream, dp2.ScanError | None] | None = None

    # ---- calls ------------------------------------------------------------------------------------------------
    def call(self, call: DdiCall) -> DdiCall:
        """Carries a call out; fills `result` and `out`."""
        if call.entry == "DrawPrimitives2":
            return self.run(call, self.seq)
        self._answer(call, _as_recorded if "recorded" in call.args else ENTRIES.get(call.entry, _unknown_entry))
        self.seq += 1
        return call

    def run(self, call: DdiCall, first_seq: int, start: int = 0, stop: int | None = None) -> DdiCall:
        """Carries out records start..stop-1 of a DrawPrimitives2 call, whose first record is event `first_seq`."""
        self.seq = first_seq + start
        if call.entry != "DrawPrimitives2":
            return self.call(call)
        self._answer(call, lambda driver, dp2_call: driver._draw_primitives(dp2_call, first_seq, start, stop))
        return call

    def _answer(self, call: DdiCall, entry: Entry) -> None:
        call.result, call.out = int(HResult.DD_OK), {}
        self.clock.advance(CALL_COST)
        try:
            entry(self, call)
        except StillDrawing:
            call.result = int(HResult.DDERR_WASSTILLDRAWING)
        except Rejected as refusal:
            call.result = refusal.result
            self.find(refusal.rule, refusal.text)
        except MemoryError:
            call.result = int(HResult.E_OUTOFMEMORY)
            self.find("bad-size", f"{call.entry}: the computer has no memory left for it")

    def find(self, rule: str, text: str, offset: int = -1) -> None:
        """Notes a broken rule at the current event."""
        self.device.find(rule, self.seq, text, offset)

    @property
    def findings(self) -> list[Finding]:
        """Everything that went wrong so far."""
        return self.device.findings

    def forget(self, handle: int) -> None:
        """Ends whatever a handle names."""
        gone = self.device.forget(handle)
        if gone is not None:
            for named in gone.parts if isinstance(gone, Surface) else (gone,):
                self.locks.pop(named.handle, None)

    # ---- DrawPrimitives2 ----------------------------------------------------------------------------------------
    def _draw_primitives(self, call: DdiCall, first_seq: int, start: int, stop: int | None) -> None:
        try:
            self._select_context(call)
            stream, error = self._scan(call)
        except Rejected:
            call.out["error_offset"] = 0
            self.seq = max(self.seq, first_seq + 1)
            raise
        stream.first_seq = first_seq
        records = stream.records
        end = len(records) if stop is None else min(stop, len(records))
        call.out["error_offset"], target = 0, self.device.registers.render_target
        if self.clock.flipping(target):
            self.seq = first_seq + (max(end, 1) if stop is None else end)
            raise StillDrawing
        known = self._known(records, end)
        if start == 0:
            self.device.findings += self._check.check(stream.commands, records[:known], first_seq)
        if self.check and start == 0:
            watch = self.watches[number(call, "context", 0)]
            self.device.findings += watch.findings(stream.commands, records[:known], first_seq)
        self.device.execute(stream, start, known)
        self.clock.draws(target, int(np.count_nonzero(records["flags"][start:known] & FLAG_DRAWS)))
        self.seq = first_seq + (max(end, 1) if stop is None else end)
        if number(call, "flags", 0) & Dp2Flag.EXECUTEBUFFER:
            self._mirror_states(call, stream, start, known)
        if known < end:
            self._fail(call, HResult.D3DERR_COMMAND_UNPARSED, int(records["token"][known]), first_seq + known, "later-token",
                       f"token {records['op'][known]} is of DirectX 9")  # fmt: skip
        elif error is not None and end == len(records):
            unknown = _unknown(error)
            result = HResult.D3DERR_COMMAND_UNPARSED if unknown else HResult.DDERR_INVALIDPARAMS
            rule = "unknown-token" if unknown else "broken-stream"
            self._fail(call, result, error.offset, max(first_seq + len(records) - 1, first_seq), rule, error.sentence)

    def _mirror_states(self, call: DdiCall, stream: Stream, start: int, stop: int) -> None:
        """Execute buffers: the render states that were set also go into lpdwRStates, `data["states"]`, 256 dwords."""
        given = blob(call, "states")
        mirror = np.zeros(256, "<u4")
        if given is not None:
            kept = given[: len(given) // 4 * 4].view("<u4")[:256]
            mirror[: len(kept)] = kept
        for record in stream.records[start:stop]:
            if record["op"] == Op["RENDERSTATE"]:
                state, value = struct.unpack_from("<2I", stream.buffer, int(record["offset"]))
                mirror[min(state, 255)] = value if state < 256 else mirror[255]
        call.data["states"] = mirror.tobytes()

    def _fail(self, call: DdiCall, result: int, offset: int, seq: int, rule: str, sentence: str) -> None:
        call.result, call.out["error_offset"] = int(result), int(offset)
        self.device.findings.append(finding(rule, seq, sentence, int(offset)))

    def _known(self, records: np.ndarray, end: int) -> int:
        """The first record of a later DirectX version, or `end`."""
        later = np.flatnonzero(records["flags"][:end] & FLAG_DX9)
        return int(later[0]) if len(later) else end

    def _select_context(self, call: DdiCall) -> None:
        handle = number(call, "context", 0)
        context = self.device.contexts.get(handle)
        if context is None:
            raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-context", f"DrawPrimitives2: no context {handle}")
        self.device.select(context)

    def _scan(self, call: DdiCall) -> tuple[Stream, dp2.ScanError | None]:
        """The call's records; kept for the next part of the same call."""
        if self._stream is not None and self._stream[0] is call:
            return self._stream[1], self._stream[2]
        commands = blob(call, "commands")
        commands = np.zeros(0, np.uint8) if commands is None else commands
        commands = commands if commands.flags.writeable else commands.copy()  # kernels are compiled for writable arrays
        offset = number(call, "command_offset", 0)
        length = number(call, "command_length", len(commands) - offset if len(commands) >= offset else 0)
        if offset + length > len(commands):
            raise Rejected(
                HResult.DDERR_INVALIDPARAMS, "broken-stream", f"{length} bytes from {offset} of {len(commands)} command bytes"
            )
        vertices, stride, size = self._vertices(call)
        records, error = self._records(commands, offset, offset + length, stride)
        stream = Stream(commands, records, 0, vertices, size, number(call, "vertex_type", 0), stride)
        self._stream = call, stream, error
        return stream, error

    def _records(self, commands: np.ndarray, start: int, end: int, stride: int) -> tuple[np.ndarray, dp2.ScanError | None]:
        """All records; unknown commands are offered to the runtime's callback, which says where to go on."""
        found = dp2.scan(commands, start, end - start, vertex_stride=stride)
        pieces = [found.records]
        while self.parse_unknown_command is not None and found.error is not None and _unknown(found.error):
            resume = self.parse_unknown_command(commands, found.error.offset)
            if resume is None or not found.error.offset < resume <= end:
                break
            found = dp2.scan(commands, resume, end - resume, vertex_stride=stride)
            pieces.append(found.records)
        return (np.concatenate(pieces) if len(pieces) > 1 else pieces[0]), found.error

    def _vertices(self, call: DdiCall) -> tuple[np.ndarray | None, int, int]:
        """(vertex bytes from the first vertex on, padded; stride; bytes) of a call, from user memory or from a buffer."""
        stride, offset = number(call, "vertex_size", 0, 0, 1 << 16), number(call, "vertex_offset", 0)
        flags = number(call, "flags", 0)
        given: np.ndarray | None = blob(call, "vertices")
        handle = number(call, "vertex_buffer", 0)
        if given is None and handle and not flags & Dp2Flag.USERMEMVERTICES:
            buffer = self.device.memory.buffers.get(handle)
            if buffer is None:
                raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-handle", f"DrawPrimitives2: no vertex buffer {handle}")
            given = buffer.bytes()[: buffer.size]
        if given is None:
            return None, stride, 0
        size = number(call, "vertex_length", 0) * max(stride, 1)
        if offset + size > len(given):
            raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-data", f"{size} vertex bytes from {offset} of {len(given)}")
        padded = np.zeros(size + PADDING, np.uint8)
        padded[:size] = given[offset : offset + size]
        return padded, stride, size

    def describe_draw(self, call: DdiCall, number: int) -> DrawArguments | None:
        """The vertex half of record `number` of a DrawPrimitives2 call, with the present state; None if it draws nothing."""
        try:
            self._select_context(call)
            stream, _ = self._scan(call)
        except Rejected:
            return None
        return self.device.describe_draw(stream, number) if number < len(stream.records) else None

    # ---- reading --------------------------------------------------------------------------------------------------
    def part(self, surface: int | str, level: int = 0, face: int = 0) -> Level | None:
        """The subresource that a handle or a role (ROLES) names, drawn up to date; None if there is none."""
        device = self.device
        device.flush()
        handle = surface
        if isinstance(surface, str):
            registers, chain = device.registers, device.chain
            handle = {
                "render_target": int(registers.view["render_target"]),
                "depth": int(registers.view["depth_stencil"]),
                "back_buffer": chain[1] if len(chain) > 1 else self._labelled("back_buffer"),
                "primary": chain[0] if chain else self._labelled("primary"),
            }.get(surface, 0)
        found = device.memory.owner(int(handle))
        if found is None:
            return None
        owner, first_level, first_face = found
        level, face = level + first_level, face + first_face
        return owner.part(level, face) if 0 <= level < owner.levels and 0 <= face < owner.faces else None

    def _labelled(self, label: str) -> int:
        return next((handle for handle, surface in self.device.memory.surfaces.items() if surface.label == label), 0)

    def read(self, surface: int | str = "render_target", level: int = 0, face: int = 0, slice: int = 0,
             sample: int | None = None) -> tuple[np.ndarray, Format]:  # fmt: skip
        """(uint8[rows of blocks, pitch], Format) of a subresource as stored. Raises LookupError if there is none such."""
        part = self._readable(surface, level, face, slice, sample)
        return reading.packed(part, slice, sample), part.format

    def rgba(self, surface: int | str = "render_target", level: int = 0, face: int = 0, slice: int = 0,
             sample: int | None = None) -> np.ndarray:  # fmt: skip
        """uint8[height, width, 4]; conventions: core.device.reading.rgba. Raises LookupError if there is none such."""
        part = self._readable(surface, level, face, slice, sample)
        palette = self.device.palette_of(part.surface)
        rows = reading.packed(part, slice, sample)
        return reading.rgba(part.format, rows, part.width, part.height, palette.colors if palette else None)

    def _readable(self, surface: int | str, level: int, face: int, slice: int, sample: int | None) -> Level:
        part = self.part(surface, level, face)
        if part is None or not 0 <= slice < part.depth or (sample is not None and not 0 <= sample < part.planes):
            raise LookupError(f"no surface {surface!r} level {level} face {face} slice {slice} sample {sample}")
        return part

    # ---- snapshots ------------------------------------------------------------------------------------------------
    def snapshot(self) -> Snapshot:
        """The driver as it is now; contents are shared until somebody writes."""
        return Snapshot(self)

    def restore(self, snapshot: Snapshot) -> None:
        """Goes back to a snapshot of this driver."""
        self._stream = None
        self.device.set_state(snapshot.state)
        self.seq, self.locks, self.dxgi = snapshot.seq, dict(snapshot.locks), deepcopy(snapshot.dxgi)
        self.clock = deepcopy(snapshot.clock)


def _unknown(error: dp2.ScanError) -> bool:
    """Whether a stream stops at a command that nobody knows."""
    return error.op >= 0 and "unknown" in error.sentence


# ---- other entries ------------------------------------------------------------------------------------------------


def _context_create(driver: EmulatedDriver, call: DdiCall) -> None:
    """ContextCreate(context, render_target, depth_stencil, width, height, windowed)."""
    handle = number(call, "context", low=0)
    context = Context(handle)
    target, depth = number(call, "render_target", 0), number(call, "depth_stencil", 0)
    for surface, what in ((target, "render target"), (depth, "depth buffer")):
        if surface and driver.device.memory.part(surface) is None:
            raise Rejected(HResult.DDERR_INVALIDOBJECT, "bad-handle", f"ContextCreate: {what} {surface}")
    driver.device.flush()
    driver.device.contexts[handle] = context
    driver.device.select(context)
    driver.device.start_context(target, depth, driver.seq)


def _context_destroy(driver: EmulatedDriver, call: DdiCall) -> None:
    """ContextDestroy(context)."""
    handle = number(call, "context", 0)
    driver.device.flush()
    driver.watches.pop(handle, None)
    if driver.device.contexts.pop(handle, None) is None:
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-context", f"ContextDestroy: no context {handle}")


def _clear(driver: EmulatedDriver, call: DdiCall) -> None:
    """Clear2(context, flags, color, fill_depth, stencil, rects): the DirectX 6 and 7 form of the token CLEAR."""
    driver._select_context(call)
    rects = call.args.get("rects", [])
    if not isinstance(rects, (list, tuple)) or not all(isinstance(r, (list, tuple)) and len(r) == 4 for r in rects):
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-argument", f"{call.entry}: rects")
    depth = call.args.get("fill_depth", 1.0)
    depth = float(depth) if isinstance(depth, (int, float)) else 1.0
    if driver.device.draws:
        copies.clear_rectangles(
            driver.device, driver.seq, number(call, "flags"), number(call, "color", 0), depth, number(call, "stencil", 0),
            [[int(n) for n in rect] for rect in rects],
        )  # fmt: skip


def _validate_stages(driver: EmulatedDriver, call: DdiCall) -> None:
    """ValidateTextureStageState: everything is done in one pass."""
    call.out["passes"] = 1


def _nothing(driver: EmulatedDriver, call: DdiCall) -> None:
    """Entries that concern a real screen or real memory only."""


def _as_recorded(driver: EmulatedDriver, call: DdiCall) -> None:
    """A call that had no effect where it was recorded: its result is `recorded`, and it has none here."""
    call.result = number(call, "recorded")


def _unknown_entry(driver: EmulatedDriver, call: DdiCall) -> None:
    raise Rejected(HResult.DDERR_UNSUPPORTED, "unimplemented-entry", f"{call.entry} is not answered")


ENTRIES: dict[str, Entry] = {
    "GetDriverInfo": caps.get_driver_info,
    "GetDriverInfo2": caps.get_driver_info,
    "CanCreateSurface": resources.can_create_surface,
    "CreateSurface": resources.create_surface,
    "CreateSurfaceEx": resources.create_surface_ex,
    "DestroySurface": resources.destroy_surface,
    "Lock": resources.lock,
    "Unlock": resources.unlock,
    "CreateD3DBuffer": resources.create_buffer,
    "DestroyD3DBuffer": resources.destroy_buffer,
    "LockD3DBuffer": resources.lock_buffer,
    "UnlockD3DBuffer": resources.unlock_buffer,
    "ContextCreate": _context_create,
    "ContextDestroy": _context_destroy,
    "Clear": _clear,
    "Clear2": _clear,
    "ValidateTextureStageState": _validate_stages,
    "Blt": present.blt,
    "Flip": present.flip,
    "SetColorKey": present.set_color_key,
    "GetBltStatus": present.status,
    "GetFlipStatus": present.status,
    "WaitForVerticalBlank": present.wait_for_vertical_blank,
    **dxgi.ENTRIES,
    **dict.fromkeys(
        ("AddAttachedSurface", "ContextDestroyAll", "SetGammaRamp", "SetCursorProperties", "SetCursorPosition", "ShowCursor"),
        _nothing,
    ),
}
