"""Captures as recordings of a driver: opened again they have the same events, answers and surfaces."""

from __future__ import annotations

from pathlib import Path

import pytest

import inspector
from core.ddi.calls import DdiCall
from core.errors import BadInput
from core.spec.enums import HResult
from inspector.exports.recording import write_recording
from inspector.query.comparison.verify import Verify, parting
from tests.conftest import ROOT
from tests.inspector.streams import TARGET, beginning, capture_of

SHIPPED = sorted((ROOT / "resources").glob("**/*.ddicap"))


def answers(capture: inspector.Capture) -> list[tuple]:
    """What its driver was asked and what it answered, call by call; the commands and vertices too."""
    return [(call.entry, call.result, call.out, {name: bytes(data) for name, data in call.data.items() if name != "sources"})
            for call in capture.calls]  # fmt: skip


def events(capture: inspector.Capture) -> list[tuple]:
    return [(capture.name(event), capture.events.is_done(event)) for event in range(len(capture.events))]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_capture_survives_as_a_recording(path: Path, tmp_path: Path) -> None:
    with inspector.open(path) as capture:
        write_recording(capture.tape, tmp_path / "a.ddirec")
        with inspector.open(tmp_path / "a.ddirec") as again:
            assert events(again) == events(capture)
            assert answers(again) == answers(capture)
            assert parting(capture.ask(Verify("frame")), again.ask(Verify("frame"))) is None


CREATED = {
    "CreateSurface": {"handle": 20, "width": 16, "height": 16, "format": 21},
    "CreateD3DBuffer": {"handle": 20, "size": 64, "kind": "vertex"},
    "DxgiCreateResource": {"handle": 20, "width": 16, "height": 16, "format": 28, "bind": 0xA0},
}


@pytest.mark.parametrize("entry", CREATED)
def test_what_was_refused_where_it_was_recorded_is_not_created(entry: str, tmp_path: Path) -> None:
    """Nothing is wrong with the arguments: that driver had no memory."""
    refused = DdiCall(entry, CREATED[entry], {}, int(HResult.E_OUTOFMEMORY))
    made = DdiCall(entry, CREATED[entry] | {"handle": 21})
    with capture_of([*beginning(), refused, made], tmp_path) as capture:
        driver = capture.driver()
        for call in capture.calls:
            driver.call(call)
        assert (capture.calls[-2].result, capture.calls[-1].result) == (HResult.E_OUTOFMEMORY, HResult.DD_OK)
        resources = (driver.device.memory.surfaces, driver.device.memory.buffers, driver.dxgi.resources)
        named = {handle for part in resources for handle in part}
        assert 21 in named and 20 not in named


UNFIT = {
    "mixed words": {"surface": (1, "a")},
    "signs": {"box": (-1, 0xFFFFFFFF)},
    "a large float": {"depth": 1e300},
    "half a character": {"label": "\ud800"},
    "a large number": {"handle": 1 << 40},
    "a result of 40 bits": {"recorded": 1 << 40},
}


@pytest.mark.parametrize("what", UNFIT)
def test_what_no_recording_can_hold_is_an_error_with_the_call(what: str, tmp_path: Path) -> None:
    class Tape:
        calls = (DdiCall("Blt", {"destination": TARGET, **UNFIT[what]}),)

    with pytest.raises(BadInput, match=r"Blt.* does not fit into a recording"):
        write_recording(Tape(), tmp_path / "a.ddirec")  # type: ignore[arg-type]
