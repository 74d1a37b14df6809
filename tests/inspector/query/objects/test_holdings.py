"""Memory over time against what exists at events; strips of uses against the histories of objects."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS
from core.spec.enums import CreateFlag, DeviceType, Fvf, Pool, Usage
from core.spec.formats import FORMAT_BY_NAME
from inspector.imports.scripts import record
from inspector.query.objects.holdings import USED, WRITTEN, MemoryOverTime, UseStrips
from inspector.query.objects.usage import ObjectHistory
from inspector.timeline.lives import WRITING


def test_memory_is_that_of_what_exists(room: inspector.Capture) -> None:
    log = room.ask(MemoryOverTime())
    assert log.events[0] == 0 and log.events[-1] == len(room.events)
    for event in [*log.events[:-1].tolist(), len(room.events) - 1]:
        held: dict[tuple[str, str], int] = {}
        for info in room.surfaces(event):
            name = info.label.replace("_", " "), info.memory
            held[name] = held.get(name, 0) + info.size
        assert log.at(event) == held, event
    assert log.total[-1] == sum(info.size for info in room.surfaces(len(room.events) - 1))


def test_what_is_released_takes_no_memory(tmp_path: Path) -> None:
    with record(tmp_path / "released.ddicap") as d3d:
        parameters = D3DPRESENT_PARAMETERS(8, 8, FORMAT_BY_NAME["X8R8G8B8"].id)
        device = d3d.CreateDevice(0, DeviceType.HAL, 0, CreateFlag.HARDWARE_VERTEXPROCESSING, parameters)
        buffer = device.CreateVertexBuffer(4800, Usage.WRITEONLY, Fvf.XYZ, Pool.DEFAULT)
        device.Clear(0, None, 1, 0, 1, 0)
        buffer.Release()
        device.Clear(0, None, 1, 0, 1, 0)
        device.Present()
    with inspector.open(tmp_path / "released.ddicap") as capture:
        lines = capture.ask(MemoryOverTime()).bytes
    held = next(line for (kind, _), line in lines.items() if kind == "vertex buffer")
    assert 4800 in held and held[0] == held[-1] == 0


def test_strips_say_when_a_thing_is_used(room: inspector.Capture) -> None:
    last = len(room.events) - 1
    handles = [info.handle for info in room.surfaces(last)]
    strips = room.ask(UseStrips((*handles, ("vertex_shader", 5), 9999), last, 50))
    assert set(strips) == {*handles, ("vertex_shader", 5)}, "what there is not is left out"
    for thing, strip in strips.items():
        log = room.ask(ObjectHistory(thing, last))
        writes = np.isin(log.role, list(WRITING))
        for bit, events in ((WRITTEN, log.event[writes]), (USED, log.event[~writes])):
            bins = set((events * 50 // len(room.events)).tolist())
            assert set(np.flatnonzero(strip & bit).tolist()) == bins, thing


def test_a_strip_has_bins(room: inspector.Capture) -> None:
    for bins in (0, -1, 1 << 20):
        with pytest.raises(BadInput):
            room.ask(UseStrips((1,), 0, bins))
