"""A driver that writes down what it is asked, and a scripted device on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.ddi.stream import dp2
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, Direct3DCreate8, IDirect3DDevice8


class Notebook:
    """Keeps all calls; `said()` tells the entries since the last time, `tokens()` what the streams among them hold."""

    def __init__(self) -> None:
        self.calls: list[DdiCall] = []
        self._read = 0

    def call(self, call: DdiCall) -> DdiCall:
        data = {name: blob.copy() if isinstance(blob, np.ndarray) else bytes(blob) for name, blob in call.data.items()}
        self.calls.append(replace(call, data=data))
        return call

    def new(self) -> list[DdiCall]:
        fresh, self._read = self.calls[self._read :], len(self.calls)
        return fresh


def hex_of(call: DdiCall) -> str:
    """The command buffer of a call in dwords."""
    return " ".join(f"{dword:08x}" for dword in np.frombuffer(call.data["commands"], "<u4"))


class Bench:
    """A device, its driver's notebook, and both views of what was said."""

    def __init__(self, behavior: int = 0x40, **parameters: int) -> None:
        self.driver = Notebook()
        self.pointers: list[tuple[int, int, int]] = []
        self.direct3d = Direct3DCreate8(self.driver, pointer_sink=lambda *row: self.pointers.append(row))
        size = D3DPRESENT_PARAMETERS(64, 48, **parameters)
        self.device: IDirect3DDevice8 = self.direct3d.CreateDevice(0, 1, 0, behavior, size)
        self.runtime = self.direct3d._desk.runtime
        self.start = self.said()

    def said(self) -> list[DdiCall]:
        """DDI calls since the last time, what was gathered included."""
        self.runtime.flush()
        return self.driver.new()

    def entries(self) -> list[str]:
        return [call.entry for call in self.said()]

    def hex(self) -> str:
        """The command dwords since the last time."""
        return " ".join(hex_of(call) for call in self.said() if call.entry == "DrawPrimitives2")

    def tokens(self, calls: list[DdiCall] | None = None) -> list[tuple[str, dict]]:
        """(token name, fields) of all records since the last time."""
        found = []
        for call in self.said() if calls is None else calls:
            if call.entry == "DrawPrimitives2":
                for view in dp2.walk(call.data["commands"]):
                    dtype = view.row.fields_dtype
                    for at in view.records["offset"].tolist():
                        item = view.data[at : at + dtype.itemsize].view(dtype)[0]
                        found.append((view.row.name, {name: item[name].tolist() for name in dtype.names or ()}))
        return found


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def make_bench() -> type[Bench]:
    return Bench
