"""The adapter of the traced program, as far as the program queried it."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.runtime.calls.columns import Calls
from core.runtime.calls.source import describe

ASKING = "IDirect3D8::GetAdapterIdentifier"
KEPT = 16


class Adapters:
    """Gathers the answers of GetAdapterIdentifier: `found` holds dicts of driver, description, vendor and device."""

    def __init__(self) -> None:
        self.found: list[dict[str, Any]] = []
        self._asking: list[int] = []
        self._seen = 0  # functions

    def look(self, calls: Calls) -> None:
        functions = calls.names.functions
        if len(functions) != self._seen:
            self._asking = [number for number, signature in functions.items() if signature.name == ASKING]
            self._seen = len(functions)
        for number in self._asking if len(self.found) < KEPT else ():
            for i in np.flatnonzero(calls.calls["signature"] == number)[:KEPT].tolist():
                self._keep(dict(describe(calls, i).args).get("pIdentifier"))

    def _keep(self, answer: Any) -> None:
        if isinstance(answer, list) and len(answer) == 1 and isinstance(answer[0], dict):
            words = {"driver": "Driver", "description": "Description", "vendor": "VendorId", "device": "DeviceId"}
            adapter = {name: answer[0].get(member) for name, member in words.items()}
            plain = {name: value if isinstance(value, (str, int)) else None for name, value in adapter.items()}
            if plain not in self.found:
                self.found.append(plain)
