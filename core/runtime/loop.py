"""From calls to their effects: each goes to the compiled rows (convert.py), to a method, or, in software, to a drawer.

The compiled loop does calls until one is not its own, the command buffer is full or has to be sent; then Python does its part
and the loop goes on behind it.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from core.runtime import convert as c
from core.runtime.columns import Calls
from core.runtime.context import Context
from core.runtime.dispatch import Dispatch
from core.runtime.source import Reader
from core.runtime.verdicts import FAILED, PYTHON, RETRY, SILENT

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

NONSENSE = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, struct.error)
"""What methods raise when a damaged trace gives them None for a pointer or an array for a number."""

TRACER = frozenset({"malloc", "free", "realloc"})  # calls that the tracer makes up


class _Columns:
    """A chunk's columns as memoryviews: an element costs a tenth of numpy's."""

    def __init__(self, calls: Calls) -> None:
        rows = calls.calls
        self.signatures = np.ascontiguousarray(rows["signature"]).data
        self.begins = np.ascontiguousarray(rows["args"]).data
        self.results = np.ascontiguousarray(rows["result"]).data
        self.tags, self.values = calls.tags.data, calls.values.data


class Loop:
    """Runs chunks of calls on a runtime."""

    def __init__(self, rt: Runtime) -> None:
        self.rt = rt
        self._dispatch = Dispatch()
        self._columns: _Columns | None = None
        self._reader: Reader | None = None
        self._scratch = np.zeros(c.SCRATCH, np.uint32)
        self._starts = np.zeros(2, np.int64)
        self._no_registers = np.zeros(1, np.uint32)

    def run(self, calls: Calls) -> np.ndarray:
        """Does all calls of a chunk in order; returns a verdict per call (uint8)."""
        rt = self.rt
        self._dispatch.compile(calls.names.functions)
        self._reader, self._columns = None, _Columns(calls)
        n = len(calls)
        verdicts = np.empty(n, np.uint8)
        state, signatures = rt.commands.state, self._columns.signatures
        arguments, in_rows = self._loop_arguments(calls, verdicts), self._dispatch.known[self._in_software]
        i, tried = 0, -1
        while i < n:
            if in_rows[signatures[i]] and rt.context is not None:
                i = c.convert(i, *arguments)
                why = int(state[c.WHY])
                if why == c.DONE:
                    break
                if why == c.FLUSH_NOW:
                    rt.source = calls.first + i - 1
                    rt.flush()
                    continue
                if why == c.IS_FULL:
                    rt.source = calls.first + i
                    self._make_room(calls, i)
                    arguments = self._loop_arguments(calls, verdicts)
                    continue
            if self._method(calls, i, verdicts, tried == i):
                tried = i
                arguments, in_rows = self._loop_arguments(calls, verdicts), self._dispatch.known[self._in_software]
                continue
            if rt.stale:
                arguments, in_rows = self._loop_arguments(calls, verdicts), self._dispatch.known[self._in_software]
            i += 1
        self._keep_open_locks()
        return verdicts

    def _keep_open_locks(self) -> None:
        """The chunk's bytes go away: what was written under locks that are still open is copied."""
        for lock in self.rt.locks.values():
            if isinstance(lock.contents, memoryview):
                lock.contents = bytes(lock.contents)

    @property
    def _in_software(self) -> bool:
        """Whether the current device's vertices are processed here."""
        return self.rt.context is not None and self.rt.context.is_software

    def _loop_arguments(self, calls: Calls, verdicts: np.ndarray) -> tuple[Any, ...]:
        """What `convert` takes behind `i`; to be asked for again when arrays were replaced."""
        rt = self.rt
        rt.stale = False
        tables, commands, context, pointers = self._dispatch.tables, rt.commands, rt.context, rt.pointers
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
        rt = self.rt
        if not rt.commands.empty:
            rt.flush()
            return
        for name, value in zip(calls.signature(i).arguments, self._arguments(calls, i), strict=True):
            if isinstance(value, memoryview):
                rt.commands.grow_user(len(value), name == "pIndexData")
        rt.fit_index_buffer()

    def _method(self, calls: Calls, i: int, verdicts: np.ndarray, second_time: bool) -> bool:
        """Does one call in Python; True if the loop shall have it (again)."""
        rt = self.rt
        columns = self._columns
        assert columns is not None
        method, _, answers_hresult, row = self._dispatch.functions[columns.signatures[i]]
        rt.source, rt.result = calls.first + i, columns.results[i]
        verdicts[i] = PYTHON
        if answers_hresult and rt.result & 0x80000000:
            verdicts[i] = FAILED
            return False
        if method is None:
            name = calls.signature(i).name
            if not row and name not in TRACER:
                rt.note("runtime-unimplemented", f"{name} is not known to the runtime")
            verdicts[i] = SILENT
            return False
        try:
            arguments = self._arguments(calls, i)
            if row and self._is_other_device(arguments[0]):
                return True
            drawer = self._dispatch.drawers.get(columns.signatures[i]) if self._in_software else None
            if drawer is not None:
                rt.answer = drawer(rt, rt.in_context(), *arguments[1:])
            else:
                rt.answer = method(rt, *arguments)
        except NONSENSE as error:
            if rt.strict:
                raise
            rt.note("runtime-rejected", f"{calls.signature(i).name}: its arguments make no sense ({error})")
            return False
        again = rt.answer is RETRY
        if again and second_time:
            rt.note("runtime-rejected", f"{calls.signature(i).name} could not be turned into tokens")
            return False
        return again

    def _is_other_device(self, pointer: int) -> bool:
        """Whether a call with a row goes to a device that is not the current one; then it is now."""
        thing = self.rt.objects.get(pointer)
        if not isinstance(thing, Context) or thing is self.rt.context:
            return False
        self.rt.select(thing)
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
