"""MaxPointSize of the driver limits points: as its profile says, and on a tape as the driver answered."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, D3DRS
from core.spec.enums import ClearFlag, CreateFlag, Fvf, PrimitiveType
from core.spec.kinds import float_bits
from inspector.imports.scripts import record


def point(path: Path, profile: str) -> tuple[int, int]:
    """(pixels across, down) of a point of 8, drawn by a driver of this profile and looked at in the capture."""
    with record(path, profile=profile) as d3d:
        device = d3d.CreateDevice(0, 1, 0, CreateFlag.SOFTWARE_VERTEXPROCESSING, D3DPRESENT_PARAMETERS(32, 32, 22))
        device.Clear(0, None, ClearFlag.TARGET, 0, 1.0, 0)
        device.SetRenderState(D3DRS.POINTSIZE, float_bits(8.0))
        device.SetVertexShader(Fvf.XYZRHW)
        device.DrawPrimitiveUP(PrimitiveType.POINTLIST, 1, np.array([16, 16, 0.5, 1], np.float32).tobytes(), 16)
        device.Present(None, None, None, None)
    with inspector.open(path) as capture:
        lit = capture.image(int(capture.draws[-1]))[..., :3].any(-1)
    return int(lit.any(0).sum()), int(lit.any(1).sum())


@pytest.mark.parametrize(("profile", "size"), [("full", 8), ("minimum", 1)])
def test_points_are_no_larger_than_the_driver_allows(tmp_path: Path, profile: str, size: int) -> None:
    assert point(tmp_path / "a.ddicap", profile) == (size, size)
