"""The base of scripted objects: the desk that receives their calls, references, memory shown by a lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from core.ddi.calls import Driver
from core.errors import BadInput
from core.runtime.calls.columns import Calls
from core.runtime.methods.driver_info import ask_caps, seen_caps
from core.runtime.runtime import PointerSink, Runtime
from core.runtime.script.script import Pointer, Script

Memory = Callable[[int], np.ndarray]


class Desk:
    """The runtime behind all objects of one Direct3DCreate8, and those objects by pointer."""

    def __init__(
        self, driver: Driver, memory: Memory | None, source_sink: Callable[[Calls], Any] | None,
        pointer_sink: PointerSink | None, verdict_sink: Callable[[np.ndarray], Any] | None = None,
    ) -> None:  # fmt: skip
        self.runtime = Runtime(driver, source_sink, pointer_sink, True, verdict_sink)
        self.script = Script(self.runtime)
        self.objects: dict[int, Interface] = {}
        self._memory = memory

    def memory(self, handle: int) -> np.ndarray | None:
        """The bytes of a level or buffer as the driver has them, rows at its pitch; None if nobody can tell."""
        self.runtime.flush()
        if self._memory is not None:
            return self._memory(handle)
        part = getattr(self.runtime.driver, "part", None)
        if part is None:
            return None
        level = part(handle)
        if level is not None:
            return level.linear()
        buffer = self.runtime.driver.device.memory.buffers.get(handle)  # type: ignore[attr-defined]
        return None if buffer is None else buffer.bytes()

    def caps(self) -> dict[str, Any]:
        """D3DCAPS8 as the driver reports it."""
        runtime = self.runtime
        caps, _ = ask_caps(runtime)
        software = runtime.context is not None and runtime.context.is_software
        return seen_caps(caps, software)

    def at(self, pointer: int) -> Any:
        """The object at an address; None for 0."""
        return self.objects.get(pointer)


class Interface:
    """A COM object: an address and a count of references.  `keeper`: whose references it shares (a level its texture's)."""

    def __init__(
        self, desk: Desk, pointer: Pointer, parent: Interface | None = None, keeper: Interface | None = None
    ) -> None:  # fmt: skip
        self._desk, self.pointer, self._parent = desk, pointer, parent
        self._keeper = keeper or self
        self._references = 0
        self._keeper._references += 1
        desk.objects[pointer] = self

    def _do(self, method: str, *args: Any, result: int = 0) -> Any:
        return self._desk.script.call(f"{type(self).__name__}::{method}", self.pointer, *args, result=result)

    def AddRef(self) -> int:
        """One more reference."""
        self._keeper._references += 1
        self._do("AddRef", result=self._keeper._references)
        return self._keeper._references

    def Release(self) -> int:
        """One reference less; at 0 the object ends."""
        keeper = self._keeper
        if keeper._references == 0:
            raise BadInput(f"{self!r} has already been released")
        keeper._references -= 1
        self._do("Release", result=keeper._references)
        if keeper._references == 0:
            for pointer in [p for p, thing in self._desk.objects.items() if thing._keeper is keeper]:
                del self._desk.objects[pointer]
        return keeper._references

    def QueryInterface(self, riid: Any) -> Interface:
        """Every object has one interface."""
        self._do("QueryInterface", None, None)
        return self

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.pointer:#x}>"


def address(thing: Interface | None) -> Pointer | None:
    """What stands for an object in a call."""
    return None if thing is None else thing.pointer
