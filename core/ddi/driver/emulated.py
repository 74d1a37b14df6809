"""The emulated driver: driver entries in, results as the DDK specifies.

`EmulatedDriver` counts events as the timeline does: a DrawPrimitives2 call is one event per record (one if it is empty),
any other call is one event.  Every argument is checked here, before the device sees it; a refused call has an error result,
a Finding, and no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import TYPE_CHECKING

import numpy as np

from core.ddi.calls import DdiCall, Outcome
from core.ddi.driver import buffers, caps, draw_primitives, dxgi, palettes, present, resources, shaders
from core.ddi.driver.arguments import Rejected, StillDrawing, number
from core.ddi.driver.clock import CALL_COST, CLOCKS
from core.ddi.driver.dxgi_resources import Dxgi
from core.ddi.driver.heap import Heaps
from core.ddi.rules.check import Finding, StateCheck, finding
from core.ddi.rules.facts import DriverFacts
from core.ddi.rules.lock_promises import LockPromises
from core.ddi.rules.stalls import DX81, StallRules
from core.ddi.rules.watch import TokenRules
from core.ddi.stream import dp2
from core.device.adopt import copied
from core.device.device import CommandBuffer, Context, Device
from core.device.execute import Executor
from core.device.memory.handles import Memory
from core.device.memory.surfaces import Surface, SurfacePart
from core.device.past import reading
from core.device.tokens import copies
from core.spec.enums import DriverReturn, HResult
from core.spec.formats import Format
from core.spec.kinds import float_of
from core.spec.profiles import PROFILES, Profile
from core.spec.slots import BASE
from core.spec.subresource import Where

if TYPE_CHECKING:
    from core.device.lane.drawing import DrawArguments

ParseUnknown = Callable[[np.ndarray, int], int | None]
"""D3dParseUnknownCommand: (command buffer, offset of the unknown command) -> offset to go on at, None if it is not known."""
Entry = Callable[["EmulatedDriver", DdiCall], None]
DIRECT3D7 = 4  # `interface` of a context: what its runtime calls itself in dwhContext; 0: it does not say
_POINT_LIMIT, _BEFORE_7 = BASE["point_limit"], BASE["before_7"]


class Snapshot:
    """The driver at one moment."""

    __slots__ = ("clock", "dxgi", "heap", "locks", "point_limit", "seq", "stalls", "state")

    def __init__(self, driver: EmulatedDriver) -> None:
        driver.device.flush()
        self.state, self.seq, self.locks = driver.device.snapshot(), driver.seq, dict(driver.locks)
        self.dxgi, self.clock = deepcopy(driver.dxgi), deepcopy(driver.clock)
        self.heap, self.stalls = driver.heap.copy(), driver.stalls.copy()
        self.point_limit = driver.point_limit

    def arrays(self) -> Iterator[np.ndarray]:
        """Everything large that it holds; snapshots share what did not change between them."""
        (surfaces, buffers), contexts, _, current, _ = self.state
        for _, (*_, parts) in surfaces:
            for linear, blocks, _ in parts:
                yield from (words for words in (linear, blocks) if words is not None)
        yield from (contents for _, (contents, _) in buffers)
        for state in (*(state for _, state in contexts), current):
            yield state[0][0]
        for resource in self.dxgi.resources.values():
            yield from resource.subresources


class EmulatedDriver:
    """A Driver (core.ddi.calls). `draws` False: follows state only, memory stays as it is; `check`: finds broken rules
    that have no effect on the device too (core.ddi.rules.watch); `clock`: "instant" or "modelled" (core.ddi.driver.clock);
    `follows`: executes a tape, so calls that were answered DDERR_WASSTILLDRAWING have no effect, what was not created is not,
    and shaders that were accepted are.

    `seq` is the number of the next event; `findings` what went wrong so far; `shortages` those of them that are for want of
    memory, by event: contents after them may not be what they should; `parse_unknown_command` the runtime's callback.
    """

    def __init__(
        self, profile: str | Profile = "full", threads: int = 1, draws: bool = True, check: bool = False,
        clock: str = "instant", follows: bool = False,
    ) -> None:  # fmt: skip
        self.profile = PROFILES[profile] if isinstance(profile, str) else profile
        self.clock = CLOCKS[clock]()
        self.follows, self.waits, self.accepted = follows, False, False
        self.recorded = Outcome()  # of the call of a tape that is being executed
        self.device = Device(threads, draws)
        self.executor = Executor(self.device)
        self.device.decode_vertex_shader = shaders.vertex_shader
        self.device.decode_pixel_shader = shaders.pixel_shader
        self.check = self.device.checks = check
        self.facts = DriverFacts.of_profile(self.profile)  # what streams are checked against
        self.watches: dict[int, TokenRules] = {}  # by context
        self.parse_unknown_command: ParseUnknown | None = None
        self.seq = 0
        self.locks: dict[int, int] = {}
        self.dxgi = Dxgi()
        self.heap = Heaps()
        self.shortages: dict[int, Finding] = {}
        self.lock_reply = DriverReturn.HANDLED  # to a lock that renames
        self.point_limit = float(self.facts.number("MaxPointSize", 0.0))  # of contexts that are created from now on
        self.runtime_version = DX81
        self.stalls = StallRules()
        self.state_check = StateCheck()
        self.promises = LockPromises(self.device)
        self.stream: tuple[DdiCall, CommandBuffer, dp2.ScanError | None] | None = None

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
        self._answer(call, lambda driver, dp2_call: draw_primitives.run(driver, dp2_call, first_seq, start, stop))
        return call

    def _answer(self, call: DdiCall, entry: Entry) -> None:
        waits = self.follows and call.result == HResult.DDERR_WASSTILLDRAWING
        if waits and call.entry != "DrawPrimitives2":
            return
        self.waits = waits
        if self.stream is None or self.stream[0] is not call:  # not another part of the call before
            self.accepted = self.follows and call.result == HResult.DD_OK
            self.recorded = Outcome.of(call) if self.follows else Outcome()
            if self.follows and isinstance(limit := call.out.get("MaxPointSize"), int):
                self.point_limit = max(float_of(limit), 0.0)
        call.result, call.out = int(HResult.DD_OK), {}
        self.clock.advance(CALL_COST)
        shortages = self.device.shortages
        try:
            if self.check and self.device.draws and call.entry != "DrawPrimitives2":
                for rule, text in self.promises.look(call, self.seq):
                    self.find(rule, text)
            entry(self, call)
            if call.entry != "DrawPrimitives2":
                self.stalls.see(call)
        except StillDrawing:
            call.result = int(HResult.DDERR_WASSTILLDRAWING)
        except Rejected as refusal:
            call.result = refusal.result
            self.find(refusal.rule, refusal.text)
        except MemoryError:
            call.result = int(HResult.E_OUTOFMEMORY)
            self.device.renew()
            lost = "; queued draws are lost" if self.device.shortages > shortages else ""
            found = finding("out-of-memory", self.seq, f"{call.entry}: out of memory{lost}")
            self.device.findings.append(found)
            self.shortages[self.seq] = found

    @property
    def has_failed(self) -> bool:
        """Whether the call failed where it was recorded."""
        return bool(self.recorded.result >> 31 & 1)

    def memory_for(self, call: DdiCall) -> Memory:
        """Where a call creates: a memory of its own, which nobody reads, for one that failed where it was recorded."""
        if self.has_failed:
            call.result = self.recorded.result
            return Memory()
        return self.device.memory

    def find(self, rule: str, text: str, offset: int = -1) -> None:
        """Notes a broken rule at the current event."""
        self.device.find(rule, self.seq, text, offset)

    @property
    def findings(self) -> list[Finding]:
        """Everything that went wrong so far."""
        return self.device.findings

    def watch(self, context: int) -> TokenRules:
        """The stream watcher of a context."""
        if context not in self.watches:
            self.watches[context] = TokenRules(self.facts, self._format_of_buffer, self._kind_of, self._is_old(context))
        return self.watches[context]

    def _is_old(self, context: int) -> bool:
        """Whether a runtime of DirectX 7 or before made the context."""
        made = self.device.contexts.get(context)
        return made is not None and 0 < made.interface <= DIRECT3D7

    def _format_of_buffer(self, handle: int) -> int:
        """The vertex format a buffer was created with; 0 if none."""
        buffer = self.device.memory.buffers.get(handle)
        return int(buffer.facts.get("fvf") or 0) if buffer is not None else 0

    def _kind_of(self, handle: int) -> str:
        """What a handle names, as `TokenRules` wants to know it."""
        memory = self.device.memory
        buffer = memory.buffers.get(handle)
        return "surface" if buffer is None and memory.part(handle) is not None else buffer.kind if buffer else ""

    def forget(self, handle: int) -> None:
        """Ends whatever a handle names."""
        gone = self.device.forget(handle)
        if gone is not None:
            self.device.note(self.seq, "surfaces" if isinstance(gone, Surface) else "buffers", gone.handle, gone)
            self.heap.release(gone.handle)
            for named in gone.parts if isinstance(gone, Surface) else (gone,):
                self.locks.pop(named.handle, None)

    def describe_draw(self, call: DdiCall, number: int) -> DrawArguments | None:
        """The vertex half of record `number` of a DrawPrimitives2 call, with the present state; None if it draws nothing."""
        try:
            draw_primitives.select_context(self, call)
            stream, _ = draw_primitives.scan(self, call)
        except Rejected:
            return None
        return self.executor.describe_draw(stream, number) if number < len(stream.records) else None

    def select(self, context: Context) -> None:
        """Makes a context the current one."""
        if context is not self.device.context:
            self.device.note(self.seq, "current", None, self.device.context)
            self.device.select(context)

    # ---- reading --------------------------------------------------------------------------------------------------
    def part(self, where: Where) -> SurfacePart | None:
        """The subresource that is meant, drawn up to date; None if there is none."""
        self.device.flush()
        return reading.find(self.device, where)

    def read(self, where: Where = "render_target") -> tuple[np.ndarray, Format]:
        """core.device.past.reading.read of the device as it is."""
        return reading.read(self.device, where)

    def rgba(self, where: Where = "render_target") -> np.ndarray:
        """core.device.past.reading.picture of the device as it is."""
        return reading.picture(self.device, where)

    # ---- snapshots ------------------------------------------------------------------------------------------------
    def snapshot(self) -> Snapshot:
        """The driver as it is now; contents are shared until somebody writes."""
        return Snapshot(self)

    def restore(self, snapshot: Snapshot) -> None:
        """Goes back to a snapshot of this driver."""
        self._restore(snapshot, snapshot.state)

    def adopt(self, snapshot: Snapshot) -> None:
        """Goes to where another driver was: with surfaces of its own, whose contents are shared until somebody writes."""
        self._restore(snapshot, copied(snapshot.state))

    def _restore(self, snapshot: Snapshot, state: tuple) -> None:
        self.stream = None
        self.device.restore(state)
        self.seq, self.locks, self.dxgi = snapshot.seq, dict(snapshot.locks), deepcopy(snapshot.dxgi)
        self.clock, self.heap, self.stalls = deepcopy(snapshot.clock), snapshot.heap.copy(), snapshot.stalls.copy()
        self.point_limit = snapshot.point_limit


# ---- other entries ------------------------------------------------------------------------------------------------


def _context_create(driver: EmulatedDriver, call: DdiCall) -> None:
    """ContextCreate(context, render_target, depth_stencil, width, height, windowed, interface).

    Samples must agree: "any restriction which would affect the ability to perform multi-sample rendering should be enforced at
    context create time" (DX8 DDI, Handling the Creation of Multi-Sampled Surfaces).
    """
    handle = number(call, "context", low=0)
    context = Context(handle, number(call, "interface", 0))
    context.registers.vector[_POINT_LIMIT : _POINT_LIMIT + 1].view(np.float32)[:] = driver.point_limit
    context.registers.vector[_BEFORE_7] = 0 < context.interface < DIRECT3D7
    target, depth = number(call, "render_target", 0), number(call, "depth_stencil", 0)
    parts = [driver.device.memory.part(surface) for surface in (target, depth)]
    for surface, part, what in zip((target, depth), parts, ("render target", "depth buffer"), strict=True):
        if surface and part is None:
            raise Rejected(HResult.DDERR_INVALIDOBJECT, "bad-handle", f"ContextCreate: {what} {surface}")
    counts = [part.samples for part in parts if part is not None]
    if len(set(counts)) > 1 and not driver.accepted:
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "target-mismatch", f"ContextCreate: {counts[0]} and {counts[1]} samples")
    driver.device.flush()
    driver.device.contexts[handle] = context
    driver.select(context)
    driver.device.start_context(target, depth, driver.seq)


def _context_destroy(driver: EmulatedDriver, call: DdiCall) -> None:
    """ContextDestroy(context)."""
    handle = number(call, "context", 0)
    driver.device.flush()
    driver.watches.pop(handle, None)
    if driver.device.contexts.pop(handle, None) is None:
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-context", f"ContextDestroy: no context {handle}")


def _context_destroy_all(driver: EmulatedDriver, call: DdiCall) -> None:
    """ContextDestroyAll(process): every context ends."""
    for handle in list(driver.device.contexts):
        _context_destroy(driver, DdiCall("ContextDestroy", {"context": handle}))


def _clear(driver: EmulatedDriver, call: DdiCall) -> None:
    """Clear2(context, flags, color, fill_depth, stencil, rects): the DirectX 6 and 7 form of the token CLEAR."""
    draw_primitives.select_context(driver, call)
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
    if call.entry == "DxgiCreateResource":
        dxgi.remember_refusal(driver, call)


def _unknown_entry(driver: EmulatedDriver, call: DdiCall) -> None:
    raise Rejected(HResult.DDERR_UNSUPPORTED, "unimplemented-entry", f"{call.entry} is not implemented")


ENTRIES: dict[str, Entry] = {
    "GetHalInfo": caps.get_hal_info,
    "GetDriverInfo": caps.get_driver_info,
    "GetDriverInfo2": caps.get_driver_info,
    "CanCreateSurface": resources.can_create_surface,
    "CreateSurface": resources.create_surface,
    "CreateSurfaceEx": resources.create_surface_ex,
    "DestroySurface": resources.destroy_surface,
    "Lock": resources.lock,
    "Unlock": resources.unlock,
    "CreateD3DBuffer": buffers.create_buffer,
    "DestroyD3DBuffer": buffers.destroy_buffer,
    "LockD3DBuffer": buffers.lock_buffer,
    "UnlockD3DBuffer": buffers.unlock_buffer,
    "ContextCreate": _context_create,
    "ContextDestroy": _context_destroy,
    "ContextDestroyAll": _context_destroy_all,
    "Clear": _clear,
    "Clear2": _clear,
    "ValidateTextureStageState": _validate_stages,
    "Blt": present.blt,
    "Flip": present.flip,
    "SetPalette": palettes.set_palette,
    "SetEntries": palettes.set_entries,
    "SetColorKey": present.set_color_key,
    "GetBltStatus": present.status,
    "GetFlipStatus": present.status,
    "WaitForVerticalBlank": present.wait_for_vertical_blank,
    **dxgi.ENTRIES,
    **dict.fromkeys(
        ("Picture", "AddAttachedSurface", "CreatePalette", "SetGammaRamp",
         "SetCursorProperties", "SetCursorPosition", "ShowCursor"),
        _nothing,
    ),
}  # fmt: skip
