"""d3d8.dll's role: Direct3D 8 calls in, DDI calls out.

    runtime = Runtime(driver)
    for calls in chunks:            # Calls: of a trace (columns.Decoder) or of a script
        verdicts = runtime.run(calls)
    runtime.finish()

Frequent calls are rows (rows.py) that one compiled loop applies (convert.py); all others are functions (methods.py is their
table).  Tokens gather in one command buffer, which goes to the driver as DrawPrimitives2 when it is full, before any other
call to the driver, and at EndScene, so that the order of DDI calls is the order of API calls.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall, Driver
from core.ddi.check import Finding, finding
from core.ddi.facts import DriverFacts
from core.errors import BadInput
from core.runtime import convert as c
from core.runtime.buffers import create_buffer
from core.runtime.columns import Calls
from core.runtime.commands import Commands, payload
from core.runtime.context import Context
from core.runtime.dispatch import Dispatch
from core.runtime.objects import Lock, Pointers, Resource, View
from core.runtime.sieve import Own, sift
from core.runtime.source import Reader, SourceCall, describe
from core.runtime.swapchain import SwapChain
from core.runtime.verdicts import FAILED, PYTHON, RETRY, SILENT
from core.spec.enums import Dp2Flag, HResult, LockFlag
from core.spec.pixel_formats import PixelFormat
from core.spec.tokens import Op

NONSENSE = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, struct.error)
"""What methods raise when a damaged trace gives them None for a pointer or an array for a number."""

TRACER = frozenset({"malloc", "free", "realloc"})  # calls that the tracer makes up
NO_DEVICE = -1
STILL_DRAWING, MOST_TRIES = int(HResult.DDERR_WASSTILLDRAWING), 256
USER_MEMORY, DISCARD = int(Dp2Flag.USERMEMVERTICES), int(LockFlag.DISCARD)


class _Columns:
    """A chunk's columns as memoryviews: an element costs a tenth of numpy's."""

    def __init__(self, calls: Calls) -> None:
        rows = calls.calls
        self.signatures = np.ascontiguousarray(rows["signature"]).data
        self.begins = np.ascontiguousarray(rows["args"]).data
        self.results = np.ascontiguousarray(rows["result"]).data
        self.tags, self.values = calls.tags.data, calls.values.data


class D3DError(BadInput):
    """A call that the API refuses; `result` is the HRESULT."""

    def __init__(self, result: int, sentence: str) -> None:
        super().__init__(sentence)
        self.result = result


PointerSink = Callable[[int, int, int], Any]


class Runtime:
    """See the module's docstring.

    source_sink(calls) is told every chunk before it is run, verdict_sink(verdicts) what became of its calls.
    pointer_sink(call number, pointer, handle) is told which pointers name which DDI surfaces and buffers from which call on;
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
        self.objects: dict[int, Context | Resource | View | SwapChain] = {}
        self.pointers = Pointers()
        self.commands = Commands()
        self.context: Context | None = None
        self.locks: dict[int, Lock] = {}  # by locked address
        self.facts = DriverFacts()  # what the driver said
        self.hal_info: DdiCall | None = None  # what GetHalInfo answered
        self.formats: dict[int, PixelFormat] | None = None  # its formats, once somebody wants to know
        self.buffers: dict[int, Resource] = {}  # by handle
        self._own: list[Own] = []  # tokens that the runtime makes for a driver without vertex processing
        self.watched: dict[int, Resource] = {}  # managed and paletted textures by handle: draws see to them first
        self.has_alpha_palettes = True  # D3DPTEXTURECAPS_ALPHAPALETTE
        self.source = 0  # number of the API call being done
        self.result = 0  # what it returned when it was recorded
        self.answer: Any = None  # what the last method gave back
        self._source_sink, self._verdict_sink = source_sink, verdict_sink
        self._pointer_sink = pointer_sink
        self._next_handle = 1
        self._next_number = 1
        self._dispatch = Dispatch()
        self._columns: _Columns | None = None
        self._reader: Reader | None = None
        self._scratch = np.zeros(c.SCRATCH, np.uint32)
        self._starts = np.zeros(2, np.int64)
        self._no_registers = np.zeros(1, np.uint32)

    # ---- calls in --------------------------------------------------------------------------------

    def run(self, calls: Calls) -> np.ndarray:
        """Does all calls of a chunk in order; returns a verdict per call (uint8)."""
        if self._source_sink is not None:
            self._source_sink(calls)
        self._dispatch.compile(calls.names.functions)
        self._reader, self._columns = None, _Columns(calls)
        n = len(calls)
        verdicts = np.empty(n, np.uint8)
        state, signatures = self.commands.state, self._columns.signatures
        arguments, in_rows = self._loop_arguments(calls, verdicts), self._dispatch.known[self._in_software]
        i, tried = 0, -1
        while i < n:
            if in_rows[signatures[i]] and self.context is not None:
                i = c.convert(i, *arguments)
                why = int(state[c.WHY])
                if why == c.DONE:
                    break
                if why == c.FLUSH_NOW:
                    self.source = calls.first + i - 1
                    self.flush()
                    continue
                if why == c.IS_FULL:
                    self.source = calls.first + i
                    self._make_room(calls, i)
                    arguments = self._loop_arguments(calls, verdicts)
                    continue
            if self._method(calls, i, verdicts, tried == i):
                tried = i
                arguments, in_rows = self._loop_arguments(calls, verdicts), self._dispatch.known[self._in_software]
                continue
            if self._stale:
                arguments, in_rows = self._loop_arguments(calls, verdicts), self._dispatch.known[self._in_software]
            i += 1
        self._keep_open_locks()
        if self._verdict_sink is not None:
            self._verdict_sink(verdicts)
        return verdicts

    def _keep_open_locks(self) -> None:
        """The chunk's bytes go away: what was written under locks that are still open is copied."""
        for lock in self.locks.values():
            if isinstance(lock.contents, memoryview):
                lock.contents = bytes(lock.contents)

    def finish(self) -> None:
        """Sends what is left in the command buffer."""
        self.flush()

    @property
    def _in_software(self) -> bool:
        """Whether the current device's vertices are processed here."""
        return self.context is not None and self.context.is_software

    def _loop_arguments(self, calls: Calls, verdicts: np.ndarray) -> tuple[Any, ...]:
        """What `convert` takes behind `i`; to be asked for again when arrays were replaced."""
        self._stale = False
        tables, commands, context, pointers = self._dispatch.tables, self.commands, self.context, self.pointers
        assert tables is not None
        rows = self._dispatch.rows[self._in_software]
        registers = context.registers if context else self._no_registers
        recorded = context.recorded if context else self._no_registers
        touched = context.touched if context else verdicts
        return (
            len(calls), calls.first, calls.data, calls.calls, calls.values, calls.tags, calls.known, calls.definitions,
            rows, tables.tokens, tables.fields, tables.needs, tables.maps,
            pointers.keys, pointers.handles, pointers.infos, registers,
            recorded, touched, commands.out, commands.sources, commands.user, commands.indices, commands.state, verdicts,
            self._scratch, self._starts,
        )  # fmt: skip

    def _make_room(self, calls: Calls, i: int) -> None:
        """The call does not fit: send what there is; if that is nothing, memory for this call alone."""
        if not self.commands.empty:
            self.flush()
            return
        for name, value in zip(calls.signature(i).arguments, self._arguments(calls, i), strict=True):
            if isinstance(value, memoryview):
                self.commands.grow_user(len(value), name == "pIndexData")
        self.fit_index_buffer()

    def _method(self, calls: Calls, i: int, verdicts: np.ndarray, second_time: bool) -> bool:
        """Does one call in Python; True if the loop shall have it (again)."""
        columns = self._columns
        assert columns is not None
        method, _, answers_hresult, row = self._dispatch.functions[columns.signatures[i]]
        self.source, self.result = calls.first + i, columns.results[i]
        verdicts[i] = PYTHON
        if answers_hresult and self.result & 0x80000000:
            verdicts[i] = FAILED
            return False
        if method is None:
            name = calls.signature(i).name
            if not row and name not in TRACER:
                self.note("runtime-unimplemented", f"{name} is not known to the runtime")
            verdicts[i] = SILENT
            return False
        try:
            arguments = self._arguments(calls, i)
            if row and self._is_other_device(arguments[0]):
                return True
            drawer = self._dispatch.drawers.get(columns.signatures[i]) if self._in_software else None
            if drawer is not None:
                self.answer = drawer(self, self._in_context(), *arguments[1:])
            else:
                self.answer = method(self, *arguments)
        except NONSENSE as error:
            if self.strict:
                raise
            self.note("runtime-rejected", f"{calls.signature(i).name}: its arguments make no sense ({error})")
            return False
        again = self.answer is RETRY
        if again and second_time:
            self.note("runtime-rejected", f"{calls.signature(i).name} could not be turned into tokens")
            return False
        return again

    def _is_other_device(self, pointer: int) -> bool:
        """Whether a call with a row goes to a device that is not the current one; then it is now."""
        thing = self.objects.get(pointer)
        if not isinstance(thing, Context) or thing is self.context:
            return False
        self.select(thing)
        return True

    def _arguments(self, calls: Calls, i: int) -> list[Any]:
        """The argument values of a call (see source.Reader)."""
        if self._reader is None:
            self._reader = Reader(calls)
        columns, argument = self._columns, self._reader.argument
        assert columns is not None
        begin = columns.begins[i]
        end = begin + self._dispatch.functions[columns.signatures[i]].arguments
        return list(map(argument, columns.tags[begin:end], columns.values[begin:end]))

    # ---- tokens and DDI calls out ----------------------------------------------------------------

    def emit(self, op: int, merge: bool = False, **fields: Any) -> None:
        """Appends one token record by the field names of its row."""
        self.emit_bytes(op, payload(op, **fields), merge)

    def emit_bytes(self, op: int, body: bytes, merge: bool = False) -> None:
        """Appends one token record."""
        if self._room_for(len(body)):
            self.commands.put(op, body, self.source, merge)

    def emit_counted(self, op: int, count: int, body: bytes) -> None:
        """Appends a token of one record with this command count."""
        if self._room_for(len(body)):
            self.commands.put_counted(op, count, body, self.source)

    def _room_for(self, size: int) -> bool:
        """Makes room for a token of so many bytes; False, with a finding, if no device is there to take it."""
        if self.context is None:
            self.reject("there is no device")
            return False
        if not self.commands.has_room(size):
            self.flush()
            if not self.commands.has_room(size):
                self.commands.grow(size)
                self._stale = True
        return True

    def flush(self) -> DdiCall | None:
        """Sends the gathered commands as one DrawPrimitives2, which is returned; None if there was nothing to send."""
        answer = None
        if not self.commands.empty:
            context = self._in_context()
            blobs: dict[str, Any] = self.commands.take()
            if context.is_software and not self._sift(context, blobs):
                return None
            first = int.from_bytes(blobs["sources"][:4], "little")
            if indices := blobs.pop("indices", None):
                self._send_up_indices(indices, first)
            blobs["sources"] = np.frombuffer(blobs["sources"], np.uint32)
            vertices = blobs.get("vertices", b"")
            args = {
                "context": context.number,
                "flags": USER_MEMORY if vertices else 0,
                "command_offset": 0,
                "command_length": len(blobs["commands"]),
                "vertex_type": 0,
                "vertex_offset": 0,
                "vertex_length": len(vertices),
                "vertex_size": 1 if vertices else 0,
            }
            if context.is_legacy and vertices:
                stride = context.sent.stride
                args.update(vertex_type=context.sent.format, vertex_size=stride, vertex_length=len(vertices) // stride)
            answer = self._send(DdiCall("DrawPrimitives2", args, blobs, source=int(blobs["sources"][-1])))
        if self.context is not None and self.context.doomed:
            self._bury(self.context)
        return answer

    def _sift(self, context: Context, blobs: dict[str, Any]) -> bool:
        """Takes out what a driver without vertex processing is not told; False if nothing is left."""
        own, self._own = self._own, []
        blobs["commands"], blobs["sources"] = sift(blobs["commands"], blobs["sources"], own, context.is_legacy)
        return bool(blobs["commands"])

    def emit_own(self, op: int, body: bytes, count: int = 1) -> None:
        """Appends a token of one record that goes to a driver without vertex processing as it is."""
        padded = body + bytes(-len(body) & 3)
        if self._room_for(len(padded)):
            state = self.commands.state
            self._own.append(Own(int(state[c.POSITION]), len(body), int(state[c.RECORDS])))
            self.commands.put_counted(op, count, padded, self.source)

    def _send_up_indices(self, indices: bytes, source: int) -> None:
        """Fills the runtime's index buffer just before the DrawPrimitives2 that reads it."""
        handle = self._in_context().up_indices
        lock = {"handle": handle, "offset": 0, "size": len(indices), "flags": DISCARD}
        self.driver.call(DdiCall("LockD3DBuffer", lock, source=source))
        self.driver.call(DdiCall("UnlockD3DBuffer", {"handle": handle, "offset": 0}, {"contents": indices}, source=source))

    def call(self, entry: str, args: dict[str, Any], data: dict[str, Any] | None = None) -> DdiCall:
        """Sends what was gathered, then this call."""
        self.flush()
        return self._send(DdiCall(entry, args, data or {}, source=self.source))

    def _send(self, call: DdiCall) -> DdiCall:
        """Has the driver carry a call out; one that is still drawing is asked again after the next vertical blank."""
        answer = self.driver.call(call)
        for _ in range(MOST_TRIES):
            if answer.result != STILL_DRAWING:
                break
            self.driver.call(DdiCall("WaitForVerticalBlank", {"flags": 1}, source=call.source))
            answer = self.driver.call(DdiCall(call.entry, call.args, call.data, source=call.source))
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

    def _in_context(self) -> Context:
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

    def name(self, pointer: int, thing: Context | Resource | View | SwapChain, handle: int) -> None:
        """From this call on the pointer names the thing, which the driver knows by the handle."""
        old = self.objects.get(pointer)
        self.objects[pointer] = thing
        if isinstance(old, Resource) and old is not thing and old.is_bound and old.pointer == pointer:
            old.is_bound = False
            self.pointers.bind(pointer, 0)
        if handle and old is not thing and self._pointer_sink is not None:
            self._pointer_sink(self.source, pointer, handle)

    def renamed(self, pointer: int, handle: int) -> None:
        """From this call on the driver knows what the pointer names by another handle."""
        if self._pointer_sink is not None:
            self._pointer_sink(self.source, pointer, handle)

    def forget(self, pointer: int) -> None:
        """The pointer names nothing any more."""
        if self.objects.pop(pointer, None) is not None and self._pointer_sink is not None:
            self._pointer_sink(self.source, pointer, 0)

    def bind(self, resource: Resource, info: int = 0) -> None:
        """Lets the loop find a texture or buffer by its pointer."""
        resource.is_bound = True
        if self.pointers.bind(resource.pointer, resource.handle, info):
            self._stale = True

    def bind_key(self, key: int, handle: int) -> None:
        """Lets the loop find a shader."""
        if self.pointers.bind(key, handle):
            self._stale = True

    def surface_of_pointer(self, pointer: int) -> int:
        """The DDI handle that a pointer names now; 0 if none."""
        thing = self.objects.get(pointer)
        return thing.handle if isinstance(thing, (Resource, View)) else 0

    def select(self, context: Context | None) -> None:
        """Makes a device the one that calls go to."""
        if context is not self.context:
            self.flush()
            self.context, self._stale = context, True
            state = self.commands.state
            state[c.DEVICE] = context.pointer if context else NO_DEVICE
            state[c.RECORDING] = context.mode if context else 0
            state[c.DIRTY] = 1
            self.fit_index_buffer()

    def destroy(self, resource: Resource) -> None:
        """Ends a resource: now, or when nothing is bound to it any more."""
        for pointer in (*resource.views.values(), resource.pointer):
            self.forget(pointer)
        if resource.is_bound:
            self.pointers.bind(resource.pointer, 0)
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
