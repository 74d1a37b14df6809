"""What queues, is refused and is shown, recorded or modelled."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from core.errors import BadInput, Cancelled
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS
from core.spec.enums import CreateFlag, DdBlt, HResult
from inspector.imports.scripts import record
from tests.conftest import ROOT
from tests.inspector.query.driver.scripted import Script

SHOW, LAST = int(DdBlt.PRESENTATION), int(DdBlt.PRESENTATION | DdBlt.LAST_PRESENTATION)


def presenting(path: Path, clock: str, presents: int = 6, sources: tuple[int, ...] = (3,), size: int = 2048) -> None:
    """Windows that present as fast as they can, and try again when they are refused."""
    script = Script(path, EmulatedDriver(clock=clock))
    with script.writer:
        script.surfaces(2, *sources, size=size)
        for _ in range(presents):
            for source in sources:
                half = (0, 0, size, size // 2)
                while script("Blt", destination=2, source=source, source_box=half, destination_box=half, flags=SHOW).result:
                    script("WaitForVerticalBlank")
                rest = (0, size // 2, size, size)
                while script("Blt", destination=2, source=source, source_box=rest, destination_box=rest, flags=LAST).result:
                    script("WaitForVerticalBlank")


def test_a_recorded_queue_fills_refuses_and_drains(tmp_path: Path) -> None:
    presenting(tmp_path / "a.ddicap", "modelled")
    with inspector.open(tmp_path / "a.ddicap") as capture:
        queue = capture.ask(inspector.Presentation())
        assert queue.recorded and len(queue.rows) == 6
        assert queue.rows["waiting"].tolist()[:4] == [0, 1, 2, 0]  # the fourth waited for a blank, when all were shown
        assert queue.rows["refused"].tolist()[:4] == [0, 0, 0, 1]
        assert (queue.rows["shown"] > queue.rows["submitted"]).all() and (np.diff(queue.rows["shown"]) > 0).all()
        times, depth = queue.depth(3)
        assert depth.max() == 3 and depth.min() >= 0 and depth[-1] == 0 and (np.diff(times) >= 0).all()
        assert not [one for one in capture.findings if one.rule.startswith("presentation")]
        # what was refused had no effect when it is carried out again
        assert capture.image(len(capture.events) - 1, 2).shape == (2048, 2048, 4)


def test_each_window_has_its_queue(tmp_path: Path) -> None:
    presenting(tmp_path / "a.ddicap", "modelled", 3, (3, 4), 512)
    with inspector.open(tmp_path / "a.ddicap") as capture:
        queue = capture.ask(inspector.Presentation())
        assert queue.rows["source"].tolist() == [3, 4] * 3
        assert queue.rows["refused"].sum() == 0  # three for each
        assert queue.of(4)["waiting"].tolist() == [0, 1, 2]


def test_the_model_is_asked_for_captures_without_times(tmp_path: Path) -> None:
    presenting(tmp_path / "a.ddicap", "instant", 5)
    with inspector.open(tmp_path / "a.ddicap") as capture:
        queue = capture.ask(inspector.Presentation())
        assert not queue.recorded and queue.clock == "modelled"
        assert queue.rows["refused"].tolist()[:3] == [0, 0, 0] and queue.rows["refused"][3] > 0
        careful = capture.ask(inspector.Presentation("modelled", "minimum"))
        assert careful.rows["waiting"].tolist() == [0] * 5  # a conservative driver queues nothing
        assert careful.rows["refused"][1:].min() > 0
        with pytest.raises(BadInput):
            capture.ask(inspector.Presentation("lunch"))
        with pytest.raises(Cancelled):
            capture.ask(inspector.Presentation("modelled"), lambda: True)


def test_flips_of_a_full_screen_program_are_rows_too(tmp_path: Path) -> None:
    with record(tmp_path / "a.ddicap", EmulatedDriver(clock="modelled")) as d3d:
        parameters = D3DPRESENT_PARAMETERS(32, 32, 22, Windowed=0, SwapEffect=2)
        device = d3d.CreateDevice(0, 1, 0, CreateFlag.HARDWARE_VERTEXPROCESSING, parameters)
        for _ in range(3):
            device.Present(None, None, None, None)
    with inspector.open(tmp_path / "a.ddicap") as capture:
        rows = capture.ask(inspector.Presentation()).rows
        assert rows["flip"].all() and len(rows) == 3 and (rows["shown"] % 16667 == 0).all()
        assert rows["refused"].tolist() == [0, 1, 1]  # the runtime tried again after a vertical blank
        assert capture.findings == []


def test_what_was_refused_when_it_was_recorded_has_no_effect_again(tmp_path: Path) -> None:
    script = Script(tmp_path / "a.ddicap", EmulatedDriver(clock="modelled"))
    with script.writer:
        script.surfaces(2, 3, size=1024)
        script("Blt", destination=3, flags=int(DdBlt.COLORFILL), color=0xFF0000)
        while script("GetBltStatus", handle=3).result:
            pass
        for _ in range(3):
            script("Blt", destination=2, source=3, flags=LAST)
        script("Blt", destination=2, flags=int(DdBlt.COLORFILL), color=0x00FF00)
        assert script("Blt", destination=2, source=3, flags=LAST).result == HResult.DDERR_WASSTILLDRAWING
    with inspector.open(tmp_path / "a.ddicap") as capture:
        assert capture.image(len(capture.events) - 1, 2)[0, 0].tolist()[:3] == [0, 255, 0]


def test_a_directx_7_driver_is_shown_plain_blts(tmp_path: Path) -> None:
    with record(tmp_path / "a.ddicap", EmulatedDriver("dx7")) as d3d:
        parameters = D3DPRESENT_PARAMETERS(32, 32, 22)
        device = d3d.CreateDevice(0, 1, 0, CreateFlag.SOFTWARE_VERTEXPROCESSING, parameters)
        for _ in range(2):
            device.Present(None, None, None, None)
    with inspector.open(tmp_path / "a.ddicap") as capture:
        rows = capture.ask(inspector.Presentation()).rows
        assert rows["by"].tolist() == ["plain Blt"] * 2 and not rows["refused"].any()


def test_a_presentation_that_was_refused_ends_no_frame() -> None:
    with inspector.open(ROOT / "resources" / "samples" / "presentation-queue.ddicap") as capture:
        rows = capture.ask(inspector.Presentation()).rows
        assert (rows["refused"] > 0).any()
        assert len(capture.frames) == len(rows) and rows["frame"].tolist() == list(range(len(rows)))
