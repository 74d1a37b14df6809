"""What a driver answered to DXGI calls, as a tape has it (DXGI, Members)."""

from __future__ import annotations

from collections.abc import Iterator

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
        status = out.get("status")
        if call.entry == "DxgiQueryResourceResidency" and isinstance(status, (list, tuple)):
            right = residency_result([one for one in status if isinstance(one, int)])
            if call.result != right:
                yield "dxgi-residency", f"{HResult(right).name} is the result for {list(status)}, not {call.result:#010x}"
