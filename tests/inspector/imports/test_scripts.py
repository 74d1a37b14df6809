"""Recording a script in one breath."""

from __future__ import annotations

from pathlib import Path

import inspector
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, D3DRS
from inspector.imports.scripts import record


def test_a_recorded_script_opens_as_a_capture(tmp_path: Path) -> None:
    with record(tmp_path / "a.ddicap", title="mine") as d3d:
        device = d3d.CreateDevice(0, 1, 0, 0x40, D3DPRESENT_PARAMETERS(32, 16))
        device.SetRenderState(D3DRS.ALPHAREF, 8)
        device.Clear(0, None, 1, 0xFF102030, 1.0, 0)
        device.Present(None, None, None, None)
    with inspector.open(tmp_path / "a.ddicap") as capture:
        assert len(capture.frames) == 1
        assert capture.tape.meta["title"] == "mine"
        last = capture.frames[0].last_event
        value = capture.state(last)["ALPHAREF"]
        assert value.value == 8
        assert "SetRenderState" in capture.source_text(int(capture.events.source[value.writer]))
        assert capture.image(last - 1, "back_buffer")[0, 0].tolist()[:3] == [0x10, 0x20, 0x30]
