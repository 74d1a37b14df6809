"""What recordings of real drivers say and our runtime never does: listed handles, refused calls."""

from __future__ import annotations

import numpy as np
import pytest

from core.spec.enums import HResult
from core.spec.subresource import Subresource
from tests.core.ddi.machine import TARGET, Machine

LISTED = [20, 31, 22, 43, 24, 55]


def test_listed_handles_name_the_faces() -> None:
    machine = Machine()
    machine.surface(20, "L8", 2, 2, faces=6, handles=LISTED)
    for n, handle in enumerate(LISTED):
        machine.fill(handle, np.full((2, 2), n + 1, np.uint8))
    assert [int(machine.driver.read(Subresource(20, face=n))[0][0, 0]) for n in range(6)] == [1, 2, 3, 4, 5, 6]
    assert int(machine.driver.read(43)[0][0, 0]) == 4
    snapshot = machine.driver.snapshot()
    machine("DestroySurface", handle=20)
    with pytest.raises(LookupError):
        machine.driver.read(55)
    machine.surface(55, "L8", 2, 2)
    machine.driver.restore(snapshot)
    assert int(machine.driver.read(55)[0][0, 0]) == 6


def test_a_listed_handle_that_is_taken_is_a_finding() -> None:
    machine = Machine()
    machine.surface(43, "L8", 2, 2)
    machine.surface(20, "L8", 2, 2, faces=6, handles=LISTED)
    assert [finding.rule for finding in machine.driver.findings] == ["handle-in-use"]


@pytest.mark.parametrize("handles", [[20], [], [21, 20, 22, 23, 24, 25], [20, 20, 22, 23, 24, 25], [20, -1, 2, 3, 4, 5], "x"])
def test_lists_that_cannot_be(handles: object) -> None:
    machine = Machine()
    size = {"width": 2, "height": 2, "format": 50, "faces": 6, "levels": 1}
    machine("CreateSurface", expect=HResult.DDERR_INVALIDPARAMS, handle=20, handles=handles, **size)


def test_a_refused_call_is_not_carried_out() -> None:
    machine = Machine()
    machine("Blt", expect=HResult.DDERR_WASSTILLDRAWING, destination=TARGET, flags=0x400, color=7, recorded=0x8876021C)
    assert not machine.pixels().any()
    assert machine.driver.findings == []
