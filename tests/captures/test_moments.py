"""Moments of real captures: logged, jumped to and rewound, against executing the tape on one thread without a log."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from inspector.timeline.replay import Replay

APPS = ("ace_d3d5", "attests_tri_pp", "hge_tut04", "hge_tut07", "irr02_quake3map", "irr03_customnode", "irr08_specialfx",
        "irr10_shaders", "irr13_rtt", "nehe08", "nehe16")  # fmt: skip
FRAME = 7


@pytest.mark.parametrize("name", APPS)
def test_moments_of_a_capture(captures: Path, name: str) -> None:
    with inspector.open(captures / "apps" / f"{name}.trace") as capture:
        starts = [frame.first_event for frame in capture.frames]
        plain = Replay(capture.calls, capture.events, starts, driver=EmulatedDriver(follows=True))
        frame = capture.frames[min(FRAME, len(capture.frames) - 1)]
        draws = capture.draws[(capture.draws >= frame.first_event) & (capture.draws <= frame.last_event)].tolist()
        chosen = sorted({*draws[:: max(len(draws) // 2, 1)], frame.last_event})
        for event in reversed(chosen):
            moment = capture.moment(event)
            with plain.at(event) as driver:
                device = driver.device
                device.flush()
                assert set(moment.surfaces) == set(device.surfaces)
                assert (moment.targets, moment.chain) == (device.targets, device.chain)
                drawn = [part for surface in device.surfaces.values() for part in surface.parts if part.drawn]
                for part in [*drawn, *(surface.part() for surface in device.surfaces.values())]:
                    assert np.array_equal(moment.rewind.at(part.handle, event).linear(), part.linear()), (event, part.handle)
        last = capture.primitives(draws[-1]) - 1
        assert np.array_equal(capture.image(draws[-1], primitive=last), capture.image(draws[-1]))
