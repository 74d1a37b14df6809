"""What a driver answered to DXGI calls, as a tape has it (DXGI, Members)."""

from __future__ import annotations

from collections.abc import Iterator

from core.ddi.driver.calls import DdiCall
from core.ddi.driver.dxgi import residency_result
from core.spec.enums import HResult

CALLBACKS = {
    "DxgiPresent": ["pfnRenderCb", "pfnPresentCbDXGI"], "DxgiSetResourcePriority": ["pfnSetPriorityCb"],
    "DxgiQueryResourceResidency": ["pfnQueryResidencyCb"],
}  # fmt: skip
FAILURE = 0x80000000


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
