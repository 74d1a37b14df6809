"""From calls to their effects: each goes to the compiled rows (convert.py), to a method, or, in software, to a drawer.

The compiled loop does calls until one is not its own, the command buffer is full or has to be sent; then Python does its part
and the loop goes on behind it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import TraceError
from core.kernels.entry import entry_of
from core.runtime.calls.columns import Calls
from core.runtime.calls.source import NOTHING, SCALARS, Reader
from core.runtime.calls.values import BLOB
from core.runtime.context import Context
from core.runtime.dispatch import Dispatch
from core.runtime.late import send_queue
from core.runtime.rows import layout as c
from core.runtime.rows.convert import convert
from core.runtime.rows.table7 import SHAPES
from core.runtime.rows.verdicts import FAILED, PYTHON, RETRY, SILENT

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

NONSENSE = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, struct.error)
"""What methods raise when a damaged trace gives them None for a pointer or an array for a number."""

LONGEST = 200  # characters of arguments in a finding

TRACER = frozenset({"malloc", "free", "realloc"})  # calls that the tracer makes up


class _Columns:
    """A chunk's columns as memoryviews: an element costs a tenth of numpy's."""

    def __init__(self, calls: Calls, verdicts: np.ndarray, functions: int) -> None:
        rows = calls.calls
        signatures = np.ascontiguousarray(rows["signature"])
        if len(rows) and signatures.max() >= functions:  # the compiled loop does not look
            k = int(np.argmax(signatures >= functions))
            raise TraceError(f"call {calls.first + k}: function {int(signatures[k])} was not declared")
        self.signatures = signatures.data
        self.begins = np.ascontiguousarray(rows["args"]).data
        self.results = np.ascontiguousarray(rows["result"]).data
        self.tags, self.values, self.verdicts = calls.tags.tobytes(), calls.values.data, verdicts.data


class Loop:
    """Runs chunks of calls on a runtime."""

    def __init__(self, rt: Runtime) -> None:
        self.rt = rt
        self._dispatch = Dispatch()
        self._apply: Callable[..., int] | None = None  # the entry of `convert`: looking for it hashes the types of 35 arrays
        self._columns: _Columns | None = None
        self._reader: Reader | None = None
        self._drawers: dict[int, Callable[..., None]] = {}
        self._scratch = np.zeros(c.SCRATCH, np.uint32)
        self._starts = np.zeros(2, np.int64)
        self._no_registers = np.zeros(1, np.uint32)

    def run(self, calls: Calls) -> np.ndarray:
        """Does all calls of a chunk in order; returns a verdict per call (uint8)."""
        rt, n = self.rt, len(calls)
        verdicts = np.empty(n, np.uint8)
        self._dispatch.compile(calls.names.functions)
        self._dispatch.place(calls.names.structs)
        self._reader, self._columns = None, _Columns(calls, verdicts, len(self._dispatch.without_device))
        rt.commands.chunk = calls.data.data
        apply = self._apply = self._apply or entry_of(convert)
        signatures, numbers = self._columns.signatures, rt.commands.numbers
        i, tried, rt.stale = 0, -1, True
        while i < n:
            if rt.stale:
                arguments, in_rows = self._loop_arguments(calls, verdicts)
                can_wait = not (rt.strict or rt.context is None or rt.context.is_software)
            if in_rows[signatures[i]]:
                numbers[c.MAY_WAIT] = can_wait and not rt.in_context().doomed
                i = apply(i, *arguments)
                if numbers[c.QUEUED]:
                    send_queue(rt, lambda number: self._method(calls, number - calls.first, False))
                why = numbers[c.WHY]
                if why == c.DONE:
                    break
                if why != c.PYTHON_MUST:
                    self._send(calls, i, why)
                    continue
            if self._method(calls, i, tried == i):
                tried, rt.stale = i, True
            else:
                i += 1
        self._keep_open_locks()
        return verdicts

    def _send(self, calls: Calls, i: int, why: int) -> None:
        """The loop ended before call i to have its commands sent."""
        rt = self.rt
        if why == c.FLUSH_NOW:
            rt.source = calls.first + i - 1
            rt.flush()
        elif why == c.FLUSH_FIRST:
            rt.source = calls.first + i
            rt.flush()
            rt.commands.numbers[c.FLUSHED] = rt.source + 1
        else:
            rt.source = calls.first + i
            self._make_room(calls, i)
            rt.stale = True

    def _keep_open_locks(self) -> None:
        """The chunk's bytes go away: what was written under locks that are still open is copied."""
        for lock in self.rt.locks.values():
            if isinstance(lock.contents, memoryview):
                lock.contents = bytes(lock.contents)

    def _loop_arguments(self, calls: Calls, verdicts: np.ndarray) -> tuple[tuple[Any, ...], bytes]:
        """What `convert` takes behind `i`, and which functions it is entered for; again when arrays were replaced."""
        rt, dispatch = self.rt, self._dispatch
        rt.stale = False
        tables, commands, context, pointers = dispatch.tables, rt.commands, rt.context, rt.pointers
        assert tables is not None
        in_software = context is not None and context.is_software
        self._drawers = dispatch.drawers if in_software else {}
        registers = context.registers if context else self._no_registers
        recorded = context.recorded if context else self._no_registers
        touched = context.touched if context else verdicts
        sent = context.sent.numbers if context else self._starts
        return (
            len(calls), calls.first, calls.data, calls.calls, calls.values, calls.tags, calls.known, calls.definitions,
            dispatch.rows[in_software], tables.tokens, tables.fields, tables.needs, tables.maps, tables.draws, SHAPES,
            pointers.keys, pointers.handles, pointers.infos, registers,
            recorded, touched, commands.out, commands.sources, commands.own, commands.arena, commands.indices, commands.state,
            sent, verdicts, self._scratch, self._starts, tables.blits, dispatch.places, commands.queue, commands.posted,
        ), dispatch.known[in_software] if context else dispatch.without_device  # fmt: skip

    def _make_room(self, calls: Calls, i: int) -> None:
        """The call does not fit: send what there is; if that is nothing, room for its indices."""
        rt = self.rt
        if not rt.commands.empty:
            rt.flush()
            return
        assert self._columns is not None
        names = calls.signature(i).arguments
        for name, value in zip(names, self._arguments(calls, self._columns.begins[i], len(names)), strict=True):
            if name == "pIndexData" and isinstance(value, memoryview):
                rt.commands.grow_user(len(value), True)
        rt.fit_index_buffer()

    def _method(self, calls: Calls, i: int, second_time: bool) -> bool:
        """Does one call in Python; True if the loop shall have it (again)."""
        rt, columns = self.rt, self._columns
        assert columns is not None
        number = columns.signatures[i]
        method, count, answers_hresult, row, failed = self._dispatch.functions[number]
        rt.source, rt.result = calls.first + i, columns.results[i]
        columns.verdicts[i] = PYTHON
        if answers_hresult and rt.result & 0x80000000:
            columns.verdicts[i] = FAILED
            if failed is None:
                return False
            method, row = failed, False
        if method is None:
            self._do_nothing(calls, i, row)
            return False
        try:
            arguments = self._arguments(calls, columns.begins[i], count)
            if row and self._is_other_device(arguments[0]):
                return True
            drawer = self._drawers.get(number) if self._drawers else None
            if drawer is not None:
                rt.answer = drawer(rt, rt.in_context(), *arguments[1:])
            else:
                rt.answer = method(rt, *arguments)
        except NONSENSE:
            if rt.strict:
                raise
            rt.note("runtime-rejected", self._nonsense(calls, i))
            return False
        again = rt.answer is RETRY
        if again and second_time:
            rt.note("runtime-rejected", f"{calls.signature(i).name} could not be converted to tokens")
            return False
        return again

    def _nonsense(self, calls: Calls, i: int) -> str:
        """Says that a method could not use its arguments, and what they are."""
        name = calls.signature(i).name
        try:
            arguments = str(self.rt.describe(calls, i)).removeprefix(name)
        except NONSENSE:
            arguments = "that cannot be read"
        return f"{name}: invalid arguments {arguments if len(arguments) <= LONGEST else arguments[:LONGEST] + ' ...'}"

    def _do_nothing(self, calls: Calls, i: int, is_known: bool) -> None:
        """A call without a method."""
        name = calls.signature(i).name
        if not is_known and name not in TRACER:
            self.rt.note("runtime-unimplemented", f"{name} is unknown to the runtime")
            self.rt.unknown[name.partition("::")[0]] += 1
        assert self._columns is not None
        self._columns.verdicts[i] = SILENT

    def _is_other_device(self, pointer: int) -> bool:
        """Whether a call with a row goes to a device, or an address of it, that is not the current one; then it is now."""
        rt = self.rt
        thing = rt.objects.get(pointer)
        if not isinstance(thing, Context) or (thing is rt.context and pointer == thing.pointer):
            return False
        if thing is rt.context:
            thing.pointer, rt.commands.state[c.DEVICE] = pointer, pointer
        rt.select(thing)
        return True

    def _arguments(self, calls: Calls, begin: int, count: int) -> list[Any]:
        """The values of this many argument slots (see source.Reader)."""
        reader, columns = self._reader, self._columns
        if reader is None:
            reader = self._reader = Reader(calls)
        assert columns is not None
        values: list[Any] = columns.values[begin : begin + count].tolist()
        for k, tag in enumerate(columns.tags[begin : begin + count]):
            if tag in SCALARS:
                continue
            if tag in NOTHING:
                values[k] = None
            elif tag == BLOB:
                values[k] = reader.blob(values[k])
            else:
                values[k] = reader.late_argument(tag, values[k])
        return values
