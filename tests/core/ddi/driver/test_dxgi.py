"""The DXGI base functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.ddi.driver.dxgi_resources import view_handle
from core.ddi.driver.emulated import EmulatedDriver
from core.spec.enums import DxgiFormat, HResult

BGRA, FLOAT, SRGB, RGBA, R5 = (
    DxgiFormat.B8G8R8A8_UNORM,
    DxgiFormat.R16G16B16A16_FLOAT,
    DxgiFormat.R8G8B8A8_UNORM_SRGB,
    DxgiFormat.R8G8B8A8_UNORM,
    DxgiFormat.B5G6R5_UNORM,
)
RESOLVE, CONVERT, STRETCH, PRESENT = 1, 2, 4, 8


class Machine:
    def __init__(self) -> None:
        self.driver = EmulatedDriver()

    def __call__(self, entry: str, expect: int = 0, **args: Any) -> DdiCall:
        call = self.driver.call(DdiCall("Dxgi" + entry, args))
        assert call.result == expect, hex(call.result)
        return call

    def resource(self, handle: int, values: np.ndarray, form: int = BGRA, samples: int = 1) -> None:
        """values: [height, width, 4], or one more dimension in front, for the samples."""
        height, width = values.shape[-3:-1]
        self(
            "CreateResource",
            handle=handle,
            width=width,
            height=height,
            format=int(form),
            samples=samples,
            array_size=1,
            flags=0x80,
        )
        self.driver.dxgi.resources[handle].subresources[0][...] = values

    def values(self, handle: int) -> np.ndarray:
        return self.driver.dxgi.resources[handle].subresources[0][0]


def numbered(height: int, width: int) -> np.ndarray:
    """Each pixel's red is its number / 255, alpha 1."""
    values = np.ones((height, width, 4))
    values[..., 0] = np.arange(height * width).reshape(height, width) / 255
    return values


def blt(machine: Machine, flags: int, rotation: int = 1, expect: int = 0, **more: Any) -> None:
    machine("Blt", expect, destination=2, source=1, flags=flags, rotation=rotation, **more)


def test_rotation_is_counter_clockwise() -> None:
    machine = Machine()
    machine.resource(1, numbered(2, 3))  # 0 1 2 / 3 4 5
    machine.resource(2, np.zeros((3, 2, 4)))
    blt(machine, 0, rotation=2)
    assert np.rint(machine.values(2)[..., 0] * 255).tolist() == [[2, 5], [1, 4], [0, 3]]
    blt(machine, 0, rotation=4)
    assert np.rint(machine.values(2)[..., 0] * 255).tolist() == [[3, 0], [4, 1], [5, 2]]


def test_samples_are_averaged_before_everything_else() -> None:
    machine = Machine()
    machine.resource(1, np.stack([np.full((2, 2, 4), n) for n in (0.0, 1.0, 1.0, 0.0)]), samples=4)
    machine.resource(2, np.zeros((2, 2, 4)))
    blt(machine, RESOLVE)
    assert np.allclose(machine.values(2), 128 / 255)
    blt(machine, CONVERT, expect=HResult.E_INVALIDARG)


def test_stretching_blends() -> None:
    machine = Machine()
    machine.resource(1, np.array([[[0.0] * 4, [1.0] * 4]]))
    machine.resource(2, np.zeros((1, 4, 4)))
    blt(machine, 0, expect=HResult.E_INVALIDARG)
    blt(machine, STRETCH)
    assert np.rint(machine.values(2)[0, :, 0] * 255).tolist() == [0, 64, 191, 255]


def test_gamma_is_encoded_into_integers_and_removed_from_them() -> None:
    machine = Machine()
    machine.resource(1, np.full((1, 1, 4), 0.5), FLOAT)
    machine.resource(2, np.zeros((1, 1, 4)))
    blt(machine, CONVERT)
    assert np.rint(machine.values(2)[0, 0] * 255).tolist() == [188, 188, 188, 128]  # sRGB of 0.5 is 0.7354
    machine.resource(1, np.full((1, 1, 4), 188 / 255))
    machine.resource(2, np.zeros((1, 1, 4)), FLOAT)
    blt(machine, CONVERT)
    assert np.allclose(machine.values(2)[0, 0], [0.5029, 0.5029, 0.5029, 188 / 255], atol=1e-3)


def test_srgb_codes_are_copied() -> None:
    machine = Machine()
    machine.resource(1, numbered(4, 4), SRGB)
    machine.resource(2, np.zeros((4, 4, 4)), RGBA)
    blt(machine, PRESENT)
    assert np.array_equal(machine.values(2), machine.values(1))


def test_narrow_formats_round_to_nearest() -> None:
    machine = Machine()
    machine.resource(1, np.full((1, 1, 4), 100 / 255))
    machine.resource(2, np.zeros((1, 1, 4)), R5)
    blt(machine, CONVERT)
    assert np.allclose(
        machine.values(2)[0, 0, :3], [round(100 / 255 * 31) / 31, round(100 / 255 * 63) / 63, round(100 / 255 * 31) / 31]
    )


@pytest.mark.parametrize("more", [{"box": [0, 0, 5, 4]}, {"box": [1, 1, 1, 2]}, {"source_subresource": 1}, {"rotation": 0}])
def test_blts_that_cannot_be(more: dict) -> None:
    machine = Machine()
    machine.resource(1, np.zeros((4, 4, 4)))
    machine.resource(2, np.zeros((4, 4, 4)))
    args = {"destination": 2, "source": 1, "flags": STRETCH, "rotation": 1} | more
    result = machine.driver.call(DdiCall("DxgiBlt", args)).result
    assert result in (HResult.E_INVALIDARG, HResult.DDERR_INVALIDPARAMS)
    assert machine.driver.findings


def test_rotating_identities() -> None:
    machine = Machine()
    for handle in (1, 2, 3):
        machine.resource(handle, np.full((1, 1, 4), handle / 8))
    machine("RotateResourceIdentities", resources=[1, 2, 3])
    assert [float(machine.values(handle)[0, 0, 0]) * 8 for handle in (1, 2, 3)] == [2, 3, 1]
    machine("RotateResourceIdentities", HResult.E_INVALIDARG, resources=[1, 1])


def test_residency_follows_priority_then_use() -> None:
    machine = Machine()
    for handle in (1, 2, 3):
        machine.resource(handle, np.zeros((16, 16, 4)))
    machine.driver.dxgi.video_budget = machine.driver.dxgi.shared_budget = 16 * 16 * 4
    assert machine("QueryResourceResidency", HResult.S_NOT_RESIDENT, resources=[1, 2, 3]).out["status"] == [3, 2, 1]
    assert machine("QueryResourceResidency", HResult.S_RESIDENT_IN_SHARED_MEMORY, resources=[3, 2]).out["status"] == [1, 2]
    machine("SetResourcePriority", resource=1, priority=0xFFFFFFFF)
    assert machine("QueryResourceResidency", resources=[1]).out["status"] == [1]


def test_system_memory_takes_nothing_of_the_video_budget() -> None:
    """DXGI DDI, pfnQueryResourceResidency: residency is of video memory."""
    machine = Machine()
    create(machine, 1, memory="system")
    create(machine, 2)
    machine.driver.dxgi.video_budget = 4 * 2 * 4
    assert machine("QueryResourceResidency", resources=[2]).out["status"] == [1]


def test_of_several_allocations_those_that_are_drawn_with_are_asked_about() -> None:
    """DXGI DDI, pfnQueryResourceResidency: not the scratch allocation that handles a lock."""
    machine = Machine()
    create(machine, 1, allocations=3, drawn_with=2)
    create(machine, 2)
    assert machine("QueryResourceResidency", resources=[1, 2]).out["asked"] == [1, 0, 1, 1, 2, 0]


def test_present_flips_or_copies_and_returns_the_context() -> None:
    machine = Machine()
    machine.resource(1, numbered(2, 2), SRGB)
    machine.resource(2, np.zeros((2, 2, 4)), RGBA)
    call = machine("Present", surface=1, destination=2, flags=1, interval=1, context=77)
    assert call.out == {"callbacks": ["pfnRenderCb", "pfnPresentCbDXGI"], "context": 77}
    assert np.array_equal(machine.values(2), machine.values(1))
    machine("Present", surface=2, flags=2)
    assert machine.driver.dxgi.primary == (2, 0)
    machine("SetDisplayMode", resource=1, subresource=0)
    assert machine.driver.dxgi.primary == (1, 0)


def test_gamma_caps() -> None:
    out = Machine()("GetGammaCaps").out
    assert (out["points"][0], out["points"][-1], len(out["points"])) == (0.0, 1.0, 256)


# ---- resources, views, stereo ------------------------------------------------------------------------------------------


def create(machine: Machine, handle: int, expect: int = 0, data: dict | None = None, **more: Any) -> DdiCall:
    args = {"handle": handle, "width": 4, "height": 2, "format": int(BGRA), "bind": 0xA0} | more
    call = machine.driver.call(DdiCall("DxgiCreateResource", args, data or {}))
    assert call.result == expect, hex(call.result)
    return call


@pytest.mark.parametrize(
    ("form", "pixel", "rgba"),
    [  # dxgiformat.h: the channel named first has the least significant bits, but for the B5G6R5 and B5G5R5A1 layouts
        (BGRA, np.array([0x80FF4020], "<u4"), (255, 64, 32, 128)),
        (RGBA, np.array([0x80FF4020], "<u4"), (32, 64, 255, 128)),
        (DxgiFormat.B8G8R8X8_UNORM, np.array([0x00FF4020], "<u4"), (255, 64, 32, 255)),
        (R5, np.array([0xF81F], "<u2"), (255, 0, 255, 255)),
        (DxgiFormat.B5G5R5A1_UNORM, np.array([0xFC00], "<u2"), (255, 0, 0, 255)),
        (DxgiFormat.R10G10B10A2_UNORM, np.array([0x000003FF], "<u4"), (255, 0, 0, 0)),
        (FLOAT, np.array([1, 0, 0.21404, 1], "<f2"), (255, 0, 127, 255)),
    ],
)
def test_contents_are_read_and_shown(form: int, pixel: np.ndarray, rgba: tuple[int, ...]) -> None:
    machine = Machine()
    create(machine, 1, data={"contents": np.tile(pixel, 8).tobytes()}, format=int(form))
    shown = machine.driver.rgba(view_handle(1))
    assert shown.shape == (2, 4, 4) and np.abs(shown.astype(int) - rgba).max() <= 1


@pytest.mark.parametrize(
    ("form", "pixel", "format"),
    [
        (FLOAT, np.array([3.5, -0.25, 0.1, np.inf], "<f2"), "R16G16B16A16_FLOAT"),
        (DxgiFormat.R10G10B10A2_UNORM, np.array([0x9ABCDEF1], "<u4"), "A2B10G10R10"),
        (R5, np.array([0xB3A5], "<u2"), "R5G6B5"),
        (DxgiFormat.B5G5R5A1_UNORM, np.array([0xB3A5], "<u2"), "A1R5G5B5"),
        (BGRA, np.array([0x81828384], "<u4"), "A8R8G8B8"),
    ],
)
def test_what_shows_a_resource_holds_every_bit_of_it(form: int, pixel: np.ndarray, format: str) -> None:
    machine = Machine()
    create(machine, 1, data={"contents": np.tile(pixel, 8).tobytes()}, format=int(form))
    rows, row = machine.driver.read(view_handle(1))
    assert row.name == format
    assert rows.tobytes() == np.tile(pixel, 8).tobytes()


def test_floats_that_no_screen_shows_are_shown_as_their_nearest() -> None:
    machine = Machine()
    pixel = np.array([np.inf, -np.inf, np.nan, 7], "<f2")
    create(machine, 1, data={"contents": np.tile(pixel, 8).tobytes()}, format=int(FLOAT))
    assert (machine.driver.rgba(view_handle(1)) == [255, 0, 0, 255]).all()


def test_a_stereo_back_buffer_has_two_pictures() -> None:
    machine = Machine()
    create(machine, 1, HResult.E_INVALIDARG, stereo=1, array_size=1)
    create(machine, 1, stereo=1, array_size=2)
    create(machine, 2)
    machine.driver.dxgi.resources[1].subresources[1][...] = 1.0
    machine("Blt", destination=2, source=1, source_subresource=1, flags=PRESENT, rotation=1)
    assert machine.driver.rgba(view_handle(2)).min() == 255
    machine("Blt", destination=1, destination_subresource=0, source=2, flags=PRESENT, rotation=1)
    assert machine.driver.rgba(view_handle(1, 0)).min() == 255
    machine("Blt", HResult.DDERR_INVALIDPARAMS, destination=1, destination_subresource=2, source=2, flags=PRESENT, rotation=1)


def test_rotated_primaries_are_refused_by_drivers_that_do_so() -> None:
    machine = Machine()
    create(machine, 1, primary=1, rotation=2)
    machine.driver.dxgi.refuses_rotated = True
    create(machine, 2, HResult.DXGI_DDI_ERR_UNSUPPORTED, primary=1, rotation=2)
    create(machine, 2, primary=1, rotation=1)
    assert machine.driver.findings == []  # to refuse is no fault


def test_views_follow_the_identities() -> None:
    machine = Machine()
    for handle in (1, 2, 3):
        machine.resource(handle, np.full((1, 1, 4), handle / 8))
    machine("CreateView", handle=7, resource=1, subresource=0)
    machine("CreateView", handle=8, resource=9, subresource=0, expect=HResult.E_INVALIDARG)
    call = machine("RotateResourceIdentities", resources=[1, 2, 3])
    assert call.out["views"] == [7]
    view = machine.driver.dxgi.views[7]
    assert float(view.storage.subresources[view.subresource][0, 0, 0, 0]) * 8 == 2
    assert [machine.driver.rgba(view_handle(handle))[0, 0, 0] for handle in (1, 2, 3)] == [64, 96, 32]


def test_what_the_runtime_is_called_for() -> None:
    machine = Machine()
    create(machine, 1)
    calls = [
        machine("SetResourcePriority", resource=1, priority=5), machine("QueryResourceResidency", resources=[1]),
        machine("Present", surface=1, flags=2, context=9),
    ]  # fmt: skip
    assert [call.out["callbacks"] for call in calls] == [
        ["pfnSetPriorityCb"], ["pfnQueryResidencyCb"], ["pfnRenderCb", "pfnPresentCbDXGI"],
    ]  # fmt: skip


def test_system_memory_is_not_asked_about() -> None:
    machine = Machine()
    create(machine, 1, memory="system")
    machine("QueryResourceResidency", HResult.E_INVALIDARG, resources=[1])
    assert [one.rule for one in machine.driver.findings] == ["dxgi-system"]


def test_resolve_convert_stretch_and_rotate_in_one_call() -> None:
    machine = Machine()
    machine.driver.dxgi.refused = True
    planes = np.zeros((2, 1, 2, 4))
    planes[0, 0, 0] = planes[1, 0, 0] = 1.0  # left white, right black; both samples alike
    machine.resource(1, planes, FLOAT, samples=2)
    machine.resource(2, np.zeros((4, 2, 4)), BGRA)
    blt(machine, RESOLVE | CONVERT | STRETCH, rotation=2)
    rows = np.rint(machine.values(2)[:, 0, 0] * 255)
    assert rows[0] == 0 and rows[3] == 255 and (np.diff(rows) >= 0).all()  # counter-clockwise: left is at the bottom
    quarter = 0.25  # linear light between the two, encoded
    assert rows[1] == round(255 * (1.055 * quarter ** (1 / 2.4) - 0.055))


def test_snapshots_hold_resources() -> None:
    machine = Machine()
    create(machine, 1)
    snapshot = machine.driver.snapshot()
    machine("DestroyResource", handle=1)
    machine.driver.restore(snapshot)
    assert 1 in machine.driver.dxgi.resources and machine.driver.rgba(view_handle(1)).shape == (2, 4, 4)
