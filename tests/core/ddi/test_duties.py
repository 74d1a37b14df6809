"""Sentences of the DX8 DDI specification that no rule and no picture is about; docs/coverage.md names these tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, Direct3DCreate8
from core.spec.profiles import PROFILES
from core.spec.slots import slot
from core.spec.structs import STRUCTS
from tests.core.ddi.rule_bench import BUFFER, DECLARATION, PIXEL_CODE, VERTEX_CODE, Bench

CREATE = {"declaration": DECLARATION, "code": VERTEX_CODE}


@pytest.mark.parametrize(
    ("op", "fields", "rule"),
    [
        ("CREATEVERTEXSHADER", CREATE, "shader-handle"),
        ("CREATEPIXELSHADER", {"code": PIXEL_CODE}, "shader-handle"),
        ("DELETEVERTEXSHADER", {}, "bad-handle"),
        ("DELETEPIXELSHADER", {}, "bad-handle"),
    ],
)
def test_shaders_that_are_created_or_deleted_have_handles_other_than_zero(op: str, fields: dict[str, Any], rule: str) -> None:
    """ "This value is guaranteed to be non zero": what breaks the guarantee is reported."""
    bench = Bench()
    bench.draw((op, {"shader": 0, **fields}))
    assert bench.rules == {rule}


@pytest.mark.parametrize("kind", ["VERTEX", "PIXEL"])
def test_a_shader_with_a_handle_is_created_and_deleted_in_silence(kind: str) -> None:
    bench = Bench()
    fields = CREATE if kind == "VERTEX" else {"code": PIXEL_CODE}
    bench.draw((f"CREATE{kind}SHADER", {"shader": 5, **fields}), (f"DELETE{kind}SHADER", {"shader": 5}))
    assert bench.rules == set()


@pytest.mark.parametrize(("profile", "broken"), [("fixed", True), ("full", False)])
def test_constants_are_for_drivers_with_programmable_vertex_processing(profile: str, broken: bool) -> None:
    bench = Bench(profile)
    bench.draw(("SETVERTEXSHADERCONST", {"register": 0, "values": [(0.0, 0.0, 0.0, 0.0)]}))
    assert ("shader-support" in bench.rules) == broken


def test_creating_a_pixel_shader_does_not_set_it() -> None:
    bench = Bench()
    bench.draw(("CREATEPIXELSHADER", {"shader": 5, "code": PIXEL_CODE}))
    assert bench.driver.device.registers.vector[slot("PIXELSHADER")] == 0
    bench.draw(("SETPIXELSHADER", {"shader": 5}))
    assert bench.driver.device.registers.vector[slot("PIXELSHADER")] == 5


def test_a_stream_is_unbound_by_the_handle_zero() -> None:
    bench = Bench()
    bench.buffer(BUFFER, bytes(48))
    bench.draw(("SETSTREAMSOURCE", {"stream": 0, "buffer": BUFFER, "stride": 16}))
    assert bench.driver.device.registers.vector[slot(("STREAM", 0, "handle"))] == BUFFER
    bench.draw(("SETSTREAMSOURCE", {"stream": 0, "buffer": 0, "stride": 0}))
    assert bench.driver.device.registers.vector[slot(("STREAM", 0, "handle"))] == 0
    assert bench.rules == set()


# ---- capabilities ----------------------------------------------------------------------------------------------------


def test_the_structures_of_directx_7_are_still_reported() -> None:
    """Beside D3DCAPS8, and with the same numbers."""
    driver = EmulatedDriver("full")
    caps = PROFILES["full"].dwords
    told = driver.call(DdiCall("GetHalInfo")).data["global_driver_data"]
    first = np.frombuffer(told, STRUCTS["D3DHAL_GLOBALDRIVERDATA"].dtype, 1)[0]
    assert first["dwSize"] == len(told)
    assert first["hwCaps"]["dpcTriCaps"]["dwRasterCaps"] == caps["RasterCaps"]
    assert first["hwCaps"]["dpcTriCaps"]["dwZCmpCaps"] == caps["ZCmpCaps"]
    extended = driver.call(DdiCall("GetDriverInfo", {"guid": "D3DExtendedCaps"}))
    second = np.frombuffer(extended.data["reply"], STRUCTS["D3DHAL_D3DEXTENDEDCAPS"].dtype, 1)[0]
    assert extended.out["handled"] == 1 and second["dwSize"] == second.nbytes
    assert second["dwMaxTextureWidth"] == caps["MaxTextureWidth"] and second["dwStencilCaps"] == caps["StencilCaps"]


class Asked(EmulatedDriver):
    """A driver that remembers what it was asked."""

    def __init__(self, profile: str) -> None:
        super().__init__(profile)
        self.guids: list[str] = []

    def call(self, call: DdiCall) -> DdiCall:
        if call.entry == "GetDriverInfo":
            self.guids.append(str(call.args.get("guid", "GetDriverInfo2")))
        return super().call(call)


@pytest.mark.parametrize(("profile", "extended"), [("full", False), ("dx7", True)])
def test_extended_capabilities_are_asked_of_directx_7_drivers_only(profile: str, extended: bool) -> None:
    driver = Asked(profile)
    Direct3DCreate8(driver).CreateDevice(0, 1, 0, 0x20, D3DPRESENT_PARAMETERS(32, 32))
    assert ("D3DExtendedCaps" in driver.guids) == extended
    assert driver.guids
