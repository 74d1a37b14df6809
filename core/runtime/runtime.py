"""The role of d3d8.dll: Direct3D 8 calls in, DDI calls out.

    runtime = Runtime(driver)
    for calls in chunks:            # Calls: of a trace (inspector.imports.decoder) or of a script
        verdicts = runtime.run(calls)
    runtime.finish()

Frequent calls are rows (rows.py) that one compiled loop applies (convert.py), all others functions (methods.py is their table);
loop.py hands calls to the one or the other.  Functions work with the Runtime: its objects, tokens and DDI calls.  Tokens gather
in one command buffer, which goes to the driver as DrawPrimitives2 when it is full, before any other call to the driver, and at
EndScene, so that the order of DDI calls is the order of API calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall, Driver
from core.ddi.rules.check import Finding, finding
from core.ddi.rules.facts import DriverFacts
from core.errors import BadInput
from core.runtime.calls.columns import Calls
from core.runtime.calls.source import SourceCall, describe
from core.runtime.context import Context
from core.runtime.directdraw.objects import Body, Thing
from core.runtime.loop import Loop
from core.runtime.methods.buffers import create_buffer
from core.runtime.methods.swapchain import SwapChain, tell_chain
from core.runtime.objects import Lock, Pointers, Resource, View
from core.runtime.rows import layout as c
from core.runtime.rows.commands import Commands, payload
from core.runtime.software.sieve import Own, sift
from core.spec.enums import Dp2Flag, HResult, LockFlag
from core.spec.pixel_formats import PixelFormat
from core.spec.tokens import Op

STILL_DRAWING, MOST_TRIES = int(HResult.DDERR_WASSTILLDRAWING), 256
USER_MEMORY, DISCARD = int(Dp2Flag.USERMEMVERTICES), int(LockFlag.DISCARD)


class D3DError(BadInput):
    """A call that the API refuses; `result` is the HRESULT."""

    def __init__(self, result: int, sentence: str) -> None:
        super().__init__(sentence)
        self.result = result


Named = Context | Resource | View | SwapChain | Thing
"""What the address of an interface names."""
PointerSink = Callable[[int, int, int], Any]


class Runtime:
    """See the module's docstring.

    source_sink(calls) receives each chunk before it runs, verdict_sink(verdicts) the outcome of its calls.
    pointer_sink(call number, pointer, handle) receives which pointers name which DDI surfaces and buffers, from which call on;
    handle 0: the pointer names nothing any more.  With `strict`, calls that the API would refuse raise D3DError (scripts);
    otherwise they are done as far as possible and leave a finding (traces: the program saw them succeed).
    """

    def __init__(
        self,
        driver: Driver,
        source_sink: Callable[[Calls], Any] | None = None,
        pointer_sink: PointerSink | None = None,
        strict: bool = False,
        verdict_sink: Callable[[np.ndarray], Any] | None = None,
    ) -> None:
        self.driver = driver
        self.strict = strict
        self.findings: list[tuple[int, Finding]] = []  # with the number of the API call
        self.objects: dict[int, Named] = {}
        self.pointers = Pointers()
        self.commands = Commands()
        self.context: Context | None = None
        self.locks: dict[int, Lock] = {}  # by locked address
        self.facts = DriverFacts()  # what the driver said
        self.hal_info: DdiCall | None = None  # what GetHalInfo answered
        self.formats: dict[int, PixelFormat] | None = None  # its formats, once somebody wants to know
        self.buffers: dict[int, Resource] = {}  # by handle
        self.bodies: dict[int, Body] = {}  # of DirectDraw, by the handle of their first subresource
        self.watched: dict[int, Resource] = {}  # managed and paletted textures by handle: draws see to them first
        self.has_alpha_palettes = True  # D3DPTEXTURECAPS_ALPHAPALETTE
        self.unknown: Counter[str] = Counter()  # calls that nothing here does, by interface or function
        self.source = 0  # number of the API call being done
        self.result = 0  # what it returned when it was recorded
        self.answer: Any = None  # what the last method gave back
        self.stale = False  # arrays that the loop holds were replaced
        self.is_late = False  # what waited in the queue is being done, which is older than the tokens
        self._source_sink, self._verdict_sink = source_sink, verdict_sink
        self._pointer_sink = pointer_sink
        self._next_handle = 1
        self._next_number = 1
        self._loop = Loop(self)

    # ---- calls in --------------------------------------------------------------------------------

    def run(self, calls: Calls) -> np.ndarray:
        """Does all calls of a chunk in order; returns a verdict per call (uint8)."""
        if self._source_sink is not None:
            self._source_sink(calls)
        verdicts = self._loop.run(calls)
        if self._verdict_sink is not None:
            self._verdict_sink(verdicts)
        return verdicts

    def finish(self) -> None:
        """Sends what is left in the command buffer."""
        self.flush()

    # ---- tokens and DDI calls out ----------------------------------------------------------------

    def emit(self, op: int, merge: bool = False, **fields: Any) -> None:
        """Appends one token record by the field names of its row."""
        self.emit_bytes(op, payload(op, **fields), merge)

    def emit_bytes(self, op: int, body: bytes, merge: bool = False) -> None:
        """Appends one token record."""
        if self.room_for(len(body)):
            self.commands.put(op, body, self.source, merge)

    def emit_several(self, op: int, bodies: list[bytes]) -> None:
        """Appends records of one size and opcode, which become one token, with the one before if that has the same opcode."""
        body = b"".join(bodies)
        if self.context is not None and self.commands.has_room(len(body)):
            self.commands.put(op, body, self.source, True, len(bodies))
        else:
            for one in bodies:
                self.emit_bytes(op, one, True)

    def emit_counted(self, op: int, count: int, body: bytes) -> None:
        """Appends a token of one record with this command count."""
        if self.room_for(len(body)):
            self.commands.put_counted(op, count, body, self.source)

    def room_for(self, size: int) -> bool:
        """Makes room for a token of this many bytes; False, with a finding, if no device is there to take it."""
        if self.context is None:
            self.reject("no device has been created")
            return False
        if not self.commands.has_room(size):
            self.flush()
            if not self.commands.has_room(size):
                self.commands.grow(size)
                self.stale = True
        return True

    def flush(self) -> DdiCall | None:
        """Sends the gathered commands as one DrawPrimitives2, which is returned; None if there was nothing to send."""
        answer = None
        if self.commands.numbers[c.POSITION]:
            context = self.in_context()
            own = [Own(*row) for row in self.commands.take_own()] if context.is_software else []
            blobs = self.commands.take()
            if context.is_software and not self._sift(context, blobs, own):
                return None
            answer = self.draw(blobs, context.sent.numbers.tolist())
            context.sent.numbers[c.SENT_BUFFER] = c.NOTHING_SENT
        if self.context is not None and self.context.doomed:
            self._bury(self.context)
        return answer

    def draw(self, blobs: dict[str, Any], told: list[int]) -> DdiCall:
        """DrawPrimitives2; `told`: format, size and buffer of vertices (layout.SENT_FORMAT ...)."""
        sources: bytes = blobs["sources"]
        if "indices" in blobs:
            self._send_up_indices(blobs.pop("indices"), int.from_bytes(sources[:4], "little"))
        args = self._arguments(self.in_context(), len(blobs["commands"]), blobs.get("vertices"), told)
        return self.send(DdiCall("DrawPrimitives2", args, blobs, 0, {}, int.from_bytes(sources[-4:], "little")))

    def _arguments(self, context: Context, length: int, vertices: Any, told: list[int]) -> dict[str, int]:
        """Of a DrawPrimitives2 with this many bytes of commands."""
        size = 0 if vertices is None else len(vertices)
        format, stride, number = told
        is_typed = size > 0 and context.is_legacy
        buffer = None if is_typed else self.buffers.get(number)
        if is_typed or buffer is not None:
            count = (size if buffer is None else buffer.width) // stride
        else:
            format, stride, count = 0, int(size > 0), size
        args = {
            "context": context.number,
            "flags": USER_MEMORY if size else 0,
            "command_offset": 0,
            "command_length": length,
            "vertex_type": format,
            "vertex_offset": 0,
            "vertex_length": count,
            "vertex_size": stride,
        }
        if buffer is not None:
            args["vertex_buffer"] = buffer.handle
        return args

    def _sift(self, context: Context, blobs: dict[str, Any], own: list[Own]) -> bool:
        """Removes what a driver without vertex processing is not sent; False if nothing is left."""
        commands, sources = sift(blobs["commands"], np.frombuffer(blobs["sources"], np.uint32), own, context.is_legacy)
        blobs["commands"], blobs["sources"] = commands, sources.tobytes()
        return bool(commands)

    def emit_own(self, op: int, body: bytes, count: int = 1) -> None:
        """Appends a token of one record that goes to the driver as it is: not sifted, its record of any length not padded."""
        if self.room_for(len(body) + 3 & ~3):
            self.commands.put_own(op, count, body, self.source)

    def _send_up_indices(self, indices: memoryview, source: int) -> None:
        """Fills the runtime's index buffer just before the DrawPrimitives2 that reads it."""
        handle, call = self.in_context().up_indices, self.driver.call
        lock = {"handle": handle, "offset": 0, "size": len(indices), "flags": DISCARD}
        call(DdiCall("LockD3DBuffer", lock, {}, 0, {}, source))
        call(DdiCall("UnlockD3DBuffer", {"handle": handle, "offset": 0}, {"contents": indices}, 0, {}, source))

    def call(self, entry: str, args: dict[str, Any], data: dict[str, Any] | None = None) -> DdiCall:
        """Sends what was gathered, then this call; of a call that waited only this."""
        if (self.commands.numbers[c.POSITION] or (self.context is not None and self.context.doomed)) and not self.is_late:
            self.flush()
        return self.send(DdiCall(entry, args, data or {}, 0, {}, self.source))

    def send(self, call: DdiCall) -> DdiCall:
        """Has the driver execute a call; one that is still drawing is asked again after the next vertical blank."""
        answer, tries = self.driver.call(call), 0
        while answer.result == STILL_DRAWING and tries < MOST_TRIES:
            self.driver.call(DdiCall("WaitForVerticalBlank", {"flags": 1}, source=call.source))
            answer, tries = self.driver.call(DdiCall(call.entry, call.args, call.data, source=call.source)), tries + 1
        return answer

    def fit_index_buffer(self) -> None:
        """The device's index buffer for DrawIndexedPrimitiveUP has room for all that is gathered."""
        context, size = self.context, len(self.commands.indices)
        if context is None or not context.chain:
            return
        if context.up_size < size:
            old, context.up_indices, context.up_size = context.up_indices, self.new_handle(), size
            create_buffer(self, context.up_indices, size, "index")
            if old:
                self.call("DestroyD3DBuffer", {"handle": old})
        self.commands.state[c.INDEX_HANDLE] = context.up_indices

    def device(self, pointer: int) -> Context | None:
        """The device that a call goes to, which is the current one from now on; None with a finding if it is none."""
        thing = self.objects.get(pointer)
        if not isinstance(thing, Context):
            self.reject(f"{pointer:#x} names no device")
            return None
        self.select(thing)
        return thing

    @property
    def is_recording(self) -> bool:
        """Whether a state block is being recorded."""
        return bool(self.commands.state[c.RECORDING])

    def in_context(self) -> Context:
        """The current device; there is one."""
        assert self.context is not None, "tokens need a device"
        return self.context

    # ---- objects ---------------------------------------------------------------------------------

    def new_handle(self, count: int = 1) -> int:
        """The first of `count` DDI handles that were never used."""
        handle = self._next_handle
        self._next_handle += count
        return handle

    def new_number(self) -> int:
        """A number for contexts, shaders, palettes, state sets."""
        number = self._next_number
        self._next_number += 1
        return number

    def name(self, pointer: int, thing: Named, handle: int) -> None:
        """From this call on the pointer names the thing, which the driver knows by the handle."""
        old = self.objects.get(pointer)
        self.objects[pointer] = thing
        if old is not thing:
            self._unbind(old, pointer)
        if handle and old is not thing and self._pointer_sink is not None:
            self._pointer_sink(self.source, pointer, handle)

    def renamed(self, pointer: int, handle: int) -> None:
        """From this call on the driver knows what the pointer names by another handle."""
        if self._pointer_sink is not None:
            self._pointer_sink(self.source, pointer, handle)

    def forget(self, pointer: int) -> None:
        """The pointer names nothing any more."""
        old = self.objects.pop(pointer, None)
        self._unbind(old, pointer)
        if old is not None and self._pointer_sink is not None:
            self._pointer_sink(self.source, pointer, 0)

    def bind(self, resource: Resource, info: int = 0, space: int = 0) -> None:
        """Lets the loop find a texture or buffer by its pointer, or by its pointer in a `space` of keys."""
        resource.key = resource.pointer | space
        if self.pointers.bind(resource.key, resource.handle, info):
            self.stale = True

    def _unbind(self, old: Named | None, pointer: int) -> None:
        """The loop does not find a resource, surface or viewport any more whose pointer names something else, or nothing."""
        for number in (c.CLEARED, c.LOCKED):
            if pointer == self.commands.numbers[number]:
                self.commands.numbers[number] = 0
        if self.pointers.get(pointer | int(c.SURFACE_KEY)):
            self.pointers.bind(pointer | int(c.SURFACE_KEY), 0)
        if isinstance(old, Resource) and old.key and old.pointer == pointer:
            self.pointers.bind(old.key, 0)
            old.key = 0

    def bind_key(self, key: int, handle: int) -> None:
        """Lets the loop find a shader."""
        if self.pointers.bind(key, handle):
            self.stale = True

    def surface_of_pointer(self, pointer: int) -> int:
        """The DDI handle that a pointer names now; 0 if none."""
        thing = self.objects.get(pointer)
        return thing.handle if isinstance(thing, (Resource, View)) else 0

    def select(self, context: Context | None) -> None:
        """Makes a device the one that calls go to."""
        if context is not self.context:
            self.flush()
            self.context, self.stale = context, True
            state = self.commands.state
            state[c.DEVICE] = context.pointer if context else c.NO_DEVICE
            state[c.RECORDING] = context.mode if context else 0
            state[c.DIRTY] = 1
            self.fit_index_buffer()
            self.tell_target()
            tell_chain(self)

    def tell_target(self) -> None:
        """Tells the loop how large the render target is that clears are cut to; of Direct3D 6 and 5 once Python did one."""
        context, size = self.context, (0, 0)
        if context is not None and context.target is not None and not context.is_pure:
            size = context.target.size[:2]
        self.commands.numbers[c.CLEARED] = 0
        self.commands.numbers[c.TARGET_WIDTH], self.commands.numbers[c.TARGET_HEIGHT] = size

    def destroy(self, resource: Resource) -> None:
        """Ends a resource: now, or when nothing is bound to it any more."""
        for pointer in (*resource.views.values(), resource.pointer):
            self.forget(pointer)
        context = self.context
        if context is not None and self._handles(resource) & context.bound_handles():
            context.doomed.append(resource)
        else:
            self._send_destroy(resource)

    def _handles(self, resource: Resource) -> set[int]:
        return set(range(resource.handle, resource.handle + resource.faces * resource.levels))

    def _bury(self, context: Context) -> None:
        """Ends released resources that are not bound any more."""
        doomed, context.doomed = context.doomed, []
        held = context.bound_handles()
        for resource in doomed:
            if self._handles(resource) & held:
                context.doomed.append(resource)
            else:
                self._send_destroy(resource)

    def _send_destroy(self, resource: Resource) -> None:
        entry = "DestroyD3DBuffer" if resource.is_buffer else "DestroySurface"
        self.buffers.pop(resource.handle, None)
        self.bodies.pop(resource.handle, None)
        self.watched.pop(resource.handle, None)
        for handle in (resource.handle, resource.system):
            if handle:
                self.call(entry, {"handle": handle})

    # ---- what is wrong ---------------------------------------------------------------------------

    def note(self, rule: str, sentence: str) -> None:
        """Records a finding at the current call."""
        self.findings.append((self.source, finding(rule, -1, sentence)))

    def reject(self, sentence: str, result: int = HResult.D3DERR_INVALIDCALL) -> None:
        """The API refuses the call: an error to a script, a finding in a trace (whose program saw it succeed)."""
        if self.strict:
            raise D3DError(int(result), sentence)
        self.note("runtime-rejected", sentence)

    def describe(self, calls: Calls, i: int) -> SourceCall:
        """A call of a chunk in words and values."""
        return describe(calls, i)


__all__ = ["D3DError", "Op", "Runtime"]
