"""Rules for a driver's recorded results of DXGI calls (DXGI, Members)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.ddi.calls import DdiCall
from core.spec.enums import DxgiResidency, HResult

CALLBACKS = {
    "DxgiPresent": ["pfnRenderCb", "pfnPresentCbDXGI"], "DxgiSetResourcePriority": ["pfnSetPriorityCb"],
    "DxgiQueryResourceResidency": ["pfnQueryResidencyCb"],
}  # fmt: skip
FAILURE = 0x80000000


def residency_result(status: list[int]) -> HResult:
    """What pfnQueryResourceResidency returns for these places."""
    if DxgiResidency.EVICTED_TO_DISK in status:
        return HResult.S_NOT_RESIDENT
    return HResult.S_RESIDENT_IN_SHARED_MEMORY if DxgiResidency.RESIDENT_IN_SHARED_MEMORY in status else HResult.S_OK


class DxgiAnswers:
    """Looks at one DXGI call after the other."""

    def __init__(self) -> None:
        self._drawn_with: dict[int, int] = {}  # of each resource that owns allocations of other kinds, too

    def look(self, call: DdiCall) -> Iterator[tuple[str, str]]:
        """(rule, sentence) of what is broken."""
        if call.result & FAILURE:
            return
        out = call.out
        wanted = CALLBACKS.get(call.entry)
        called = out.get("callbacks")
        if wanted is not None and isinstance(called, (list, tuple)) and [name for name in called if name in wanted] != wanted:
            yield "dxgi-callbacks", f"{call.entry} called {' '.join(map(str, called)) or 'nothing'}, not {' '.join(wanted)}"
        if call.entry == "DxgiPresent" and "context" in out and out["context"] != call.args.get("context", 0):
            yield "dxgi-context", f"pDXGIContext {call.args.get('context', 0)} became {out['context']}"
        if call.entry == "DxgiCreateResource":
            self._create(call.args)
        yield from self._scratch(out.get("asked"))
        status = out.get("status")
        if call.entry == "DxgiQueryResourceResidency" and isinstance(status, (list, tuple)):
            right = residency_result([one for one in status if isinstance(one, int)])
            if call.result != right:
                yield "dxgi-residency", f"{HResult(right).name} is the result for {list(status)}, not {call.result:#010x}"

    def _create(self, args: dict[str, Any]) -> None:
        handle, count, drawn_with = args.get("handle"), args.get("allocations", 1), args.get("drawn_with", 1)
        if not (isinstance(handle, int) and isinstance(count, int) and isinstance(drawn_with, int)):
            return
        self._drawn_with.pop(handle, None)
        if drawn_with < count:
            self._drawn_with[handle] = drawn_with

    def _scratch(self, asked: Any) -> Iterator[tuple[str, str]]:
        """Allocations that were asked about though nothing is drawn with them."""
        places = [n for n in asked if isinstance(n, int)] if isinstance(asked, (list, tuple)) else []
        for handle, allocation in zip(places[::2], places[1::2], strict=False):
            if allocation >= self._drawn_with.get(handle, allocation + 1):
                yield "dxgi-allocation", f"resource {handle}: allocation {allocation} is not drawn with, and was asked about"
