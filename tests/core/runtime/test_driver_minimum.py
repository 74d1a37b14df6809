"""What a driver reports decides what the runtime exposes: formats in both styles, minimum capabilities, presentation flags."""

from __future__ import annotations

import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.rules.facts import CAP_NAMES
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, Direct3DCreate8
from core.spec.enums import CreateFlag, DdBlt
from core.spec.formats import FORMATS
from core.spec.pixel_formats import PixelFormat, new_style, old_style
from core.spec.profiles import PROFILES
from tests.core.runtime.test_profiles import DXT1, TEXTURE, X8R8G8B8, refused, start


class Listing(EmulatedDriver):
    """A driver with these formats, and changed capabilities."""

    def __init__(self, *listed: PixelFormat, **caps: int) -> None:
        super().__init__("full")
        self.listed, self.changed = listed, caps

    def call(self, call: DdiCall) -> DdiCall:
        kind, done = call.args.get("type"), super().call(call)
        reply = done.data.get("reply")
        if kind == "D3DCAPS8":
            words = np.frombuffer(reply, np.uint32).copy()
            for name, value in self.changed.items():
                words[CAP_NAMES.index(name)] = value
                done.out[name] = value
            done.data["reply"] = words.tobytes()
        elif kind == "FORMATCOUNT":
            done.data["reply"] = bytes(reply[:16]) + len(self.listed).to_bytes(4, "little")
        elif kind == "FORMAT":
            done.data["reply"] = bytes(reply[:20]) + self.listed[call.args["index"]].packed()
        return done


NEW = [new_style(FORMATS[number], int(PROFILES["full"].operations(FORMATS[number]))) for number in (X8R8G8B8, DXT1)]
OLD = old_style(FORMATS[DXT1])


def test_of_a_list_in_both_styles_the_new_one_counts() -> None:
    """DX8 DDI, "Texture Format List": the runtime filters what is not flagged DDPF_D3DFORMAT."""
    assert OLD is not None
    d3d = Direct3DCreate8(Listing(*NEW, OLD))
    assert d3d.CheckDeviceFormat(0, 1, X8R8G8B8, 0, TEXTURE, DXT1)
    d3d = Direct3DCreate8(Listing(NEW[0], OLD))
    assert d3d.CheckDeviceFormat(0, 1, X8R8G8B8, 0, TEXTURE, X8R8G8B8)
    assert not d3d.CheckDeviceFormat(0, 1, X8R8G8B8, 0, TEXTURE, DXT1)


@pytest.mark.parametrize(
    ("listed", "caps", "exposed"),
    [
        (NEW, {}, True), ([], {}, False), ([OLD], {}, False), (NEW, {"MaxStreams": 0}, False), (NEW, {"MaxStreams": 1}, True),
        (NEW, {"MaxPointSize": 0}, False), (NEW, {"MaxPointSize": 0x3F7FFFFF}, False),
        (NEW, {"MaxPointSize": 0x3F800000}, True),
    ],
)  # fmt: skip
def test_a_driver_below_the_minimum_has_no_hardware_device(
    listed: list[PixelFormat], caps: dict[str, int], exposed: bool
) -> None:
    """DX8 DDI, "Minimum Capability Requirements for DirectX 8.0 Drivers"."""
    d3d = Direct3DCreate8(Listing(*listed, **caps))
    behavior = CreateFlag.HARDWARE_VERTEXPROCESSING
    assert refused(lambda: d3d.CreateDevice(0, 1, 0, behavior, D3DPRESENT_PARAMETERS(32, 32))) != exposed


@pytest.mark.parametrize(("profile", "flagged"), [("full", True), ("dx7", False)])
def test_presentation_flags_are_for_directx_8_drivers(profile: str, flagged: bool) -> None:
    """DX8 DDI, "Presentation": the flags are only passed to drivers that support the DirectX 8.0 DDI."""
    driver = EmulatedDriver(profile, check=True)
    seen: list[int] = []
    call = driver.call
    driver.call = lambda one: (seen.append(one.args["flags"]) if one.entry == "Blt" else None, call(one))[1]  # type: ignore
    _, device = start(driver)
    device.Present()
    assert seen and all(bool(flags & DdBlt.PRESENTATION) == flagged for flags in seen)
    assert [one for one in driver.findings if one.rule.startswith("presentation")] == []
