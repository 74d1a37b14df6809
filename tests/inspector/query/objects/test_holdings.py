"""Memory over time against what exists at events; strips of uses against the histories of objects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
from inspector.tape import TapeWriter
from inspector.timeline.lives import WRITING
from tests.driver_calls import call

DXT1 = FORMAT_BY_NAME["DXT1"].id


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


@pytest.mark.parametrize(("made", "size"), [
    ({"width": 8, "height": 4}, 8 * 4 * 4),
    ({"width": 8, "height": 4, "levels": 2}, (8 * 4 + 4 * 2) * 4),
    ({"width": 8, "height": 4, "levels": 0}, (8 * 4 + 4 * 2 + 2 + 1) * 4),
    ({"width": 8, "height": 8, "levels": 2, "faces": 6}, 6 * (64 + 16) * 4),
    ({"width": 8, "height": 4, "samples": 4}, 4 * 8 * 4 * 4),
    ({"width": 4, "height": 4, "depth": 4, "levels": 3, "kind": "volume"}, (64 + 8 + 1) * 4),
    ({"width": 8, "height": 8, "format": DXT1}, 4 * 8),
])  # fmt: skip
def test_the_size_is_that_of_all_parts(made: dict[str, Any], size: int, tmp_path: Path) -> None:
    """Levels down to what is asked for, or to one texel; faces, slices, samples, blocks."""
    with TapeWriter(tmp_path / "a.ddicap", durable=False) as writer:
        writer.append(call("CreateSurface", handle=1, label="texture", **{"format": 21, **made}))
        writer.append(call("Flip", surface=[1]))
    with inspector.open(tmp_path / "a.ddicap") as capture:
        assert capture.ask(MemoryOverTime()).total.tolist() == [size]


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
    handle = room.surfaces(last := len(room.events) - 1)[0].handle
    (strip,) = room.ask(UseStrips((handle,), last, 1)).values()
    assert strip.tolist() == [int(np.bitwise_or.reduce(room.ask(UseStrips((handle,), last))[handle]))]
