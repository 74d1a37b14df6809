"""DXGI calls on the same timeline."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import inspector
from core.ddi.driver import EmulatedDriver
from tests.inspector.query.driver.scripted import Script


def test_dxgi_calls_are_events_and_their_resources_surfaces(tmp_path: Path) -> None:
    script = Script(tmp_path / "a.ddicap", EmulatedDriver())
    red = np.full((4, 4), 0xFFFF0000, "<u4").tobytes()
    with script.writer:
        script("DxgiCreateResource", {"contents": red}, handle=1, width=4, height=4, format=87, bind=0xA0)
        script("DxgiCreateResource", handle=2, width=8, height=8, format=28, bind=0xA0, array_size=2)
        script("DxgiBlt", destination=2, destination_subresource=1, source=1, flags=6, rotation=1)
        script("DxgiPresent", surface=2, flags=2, context=5)
    with inspector.open(tmp_path / "a.ddicap") as capture:
        assert [capture.name(event) for event in range(4)] == [
            "DxgiCreateResource", "DxgiCreateResource", "DxgiBlt", "DxgiPresent",
        ]  # fmt: skip
        shown = {one.label: one.handle for one in capture.surfaces(3)}
        assert {"dxgi B8G8R8A8_UNORM", "dxgi R8G8B8A8_UNORM"} == set(shown)
        right = max(one.handle for one in capture.surfaces(3))
        assert capture.image(1, right).max() == 0
        assert (capture.image(2, right) == [255, 0, 0, 255]).all()
        assert "rotation=IDENTITY" in capture.text(2)
        assert capture.findings == []
