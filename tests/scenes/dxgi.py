"""One scene for each DXGI function, display format and rotation.

Pictures come with CreateResource; samples that differ no entry can write: that scene puts them there itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.driver.dxgi_resources import view_handle
from core.spec.enums import DxgiBltFlag, DxgiFormat, DxgiPresentFlag, DxgiResidency, DxgiRotation, HResult
from tests.scenes.kit import Stage, add, scene

PRESENTABLE, RENDERABLE = 0x80, 0x20  # D3D10_DDI_BIND_PRESENT, D3D10_DDI_BIND_RENDER_TARGET
BGRA = DxgiFormat.B8G8R8A8_UNORM


def resource(stage: Stage, handle: int, values: Any, format: int = BGRA, samples: int = 1, **more: Any) -> DdiCall:
    """A resource that holds `values`: [height, width, 4], floats."""
    pixels = np.asarray(values, float)
    bind = PRESENTABLE | RENDERABLE
    args = {"samples": samples, "array_size": 1, "flags": bind, "bind": bind} | more
    height, width = pixels.shape[-3:-1]
    data = {"contents": contents(pixels, format)} if samples == 1 else {}
    call = stage("DxgiCreateResource", data, handle=handle, width=width, height=height, format=int(format), **args)
    if samples > 1:
        stage.driver.dxgi.resources[handle].subresources[0][...] = pixels
    return call


def contents(pixels: np.ndarray, format: int) -> bytes:
    """Floats as pixels of BGRA8 or of 16-bit floats; zeros in other formats."""
    if format == DxgiFormat.R16G16B16A16_FLOAT:
        return pixels.astype("<f2").tobytes()
    return np.rint(pixels[..., (2, 1, 0, 3)] * 255).astype(np.uint8).tobytes() if format == BGRA else b""


def held(stage: Stage, handle: int, subresource: int = 0) -> np.ndarray:
    """[height, width, 4] of the first sample."""
    return np.asarray(stage.driver.dxgi.resources[handle].subresources[subresource][0])


def numbered(height: int, width: int) -> np.ndarray:
    """Each pixel's red is its number / 255; alpha 1."""
    values = np.ones((height, width, 4))
    values[..., 0] = np.arange(height * width).reshape(height, width) / 255
    return values


def refuse_rotated(stage: Stage) -> None:
    """The driver refuses a rotated primary: from then on the runtime rotates with Blt."""
    stage.driver.dxgi.refuses_rotated = True
    args = {"width": 2, "height": 2, "format": int(BGRA), "samples": 1, "array_size": 1, "bind": PRESENTABLE, "primary": 1}
    stage("DxgiCreateResource", handle=9, rotation=2, expect=HResult.DXGI_DDI_ERR_UNSUPPORTED, **args)


def sees(stage: Stage, handle: int, red: Sequence[Sequence[int]], subresource: int = 0) -> None:
    """The viewers show it: A8R8G8B8, green and blue 255."""
    shown = np.array([[0xFF00FFFF | value << 16 for value in row] for row in red], np.uint32)
    stage.sees(shown, surface=view_handle(handle, subresource))


FLAT = np.full((2, 2, 4), 0.5)


@scene(
    "dxgi/CreateResource",
    "entry:DxgiCreateResource",
    "flag:D3D10_DDI_BIND_PRESENT",
    "flag:D3D10_DDI_BIND_RENDER_TARGET",
    bare=True,
)
def create_resource(stage: Stage) -> None:
    resource(stage, 1, FLAT)
    assert held(stage, 1).shape == (2, 2, 4)
    stage.says("DxgiCreateResource")


@scene("dxgi/CreateResource stereo", "entry:DxgiCreateResource", bare=True)
def create_stereo(stage: Stage) -> None:
    """A stereo back buffer is an array of two; every subresource can be blitted."""
    refuse_rotated(stage)
    resource(stage, 1, numbered(1, 2), array_size=2)
    resource(stage, 2, np.zeros((2, 1, 4)), array_size=2)
    args = {"flags": 0, "rotation": int(DxgiRotation.ROTATE90)}
    stage("DxgiBlt", destination=2, destination_subresource=1, source=1, source_subresource=0, **args)
    sees(stage, 2, [[1], [0]], subresource=1)
    stage.says("destination_subresource=1")


@scene("dxgi/DestroyResource", "entry:DxgiDestroyResource", bare=True)
def destroy_resource(stage: Stage) -> None:
    resource(stage, 1, FLAT)
    stage("DxgiDestroyResource", handle=1)
    stage("DxgiDestroyResource", handle=1, expect=HResult.E_INVALIDARG)
    stage.finds("bad-handle")


@scene("dxgi/Present", "entry:DxgiPresent", "struct:DXGI_DDI_ARG_PRESENT", "struct:DXGI_DDI_BASE_FUNCTIONS", bare=True)
def present(stage: Stage) -> None:
    """A copy with its bits unchanged; pending work first, then the present; the context comes back."""
    resource(stage, 1, numbered(2, 2))
    resource(stage, 2, np.zeros((2, 2, 4)))
    call = stage("DxgiPresent", surface=1, destination=2, flags=int(DxgiPresentFlag.BLT), interval=1, context=77)
    assert (call.out["callbacks"], call.out["context"]) == (["pfnRenderCb", "pfnPresentCbDXGI"], 77)
    sees(stage, 2, [[0, 1], [2, 3]])
    stage.says("flags=BLT")


@scene("dxgi/Present flip", "entry:DxgiPresent", bare=True)
def present_flip(stage: Stage) -> None:
    resource(stage, 1, FLAT)
    stage("DxgiPresent", surface=1, subresource=0, flags=int(DxgiPresentFlag.FLIP), interval=1)
    assert stage.driver.dxgi.primary == (1, 0)
    stage.says("flags=FLIP")


@scene("dxgi/GetGammaCaps", "entry:DxgiGetGammaCaps", "struct:DXGI_DDI_ARG_GET_GAMMA_CONTROL_CAPS", bare=True)
def get_gamma_caps(stage: Stage) -> None:
    points = stage("DxgiGetGammaCaps").out["points"]
    assert points[0] == 0 and points[-1] == 1 and list(points) == sorted(points)
    stage.says("DxgiGetGammaCaps")


@scene("dxgi/SetDisplayMode", "entry:DxgiSetDisplayMode", "struct:DXGI_DDI_ARG_SETDISPLAYMODE", bare=True)
def set_display_mode(stage: Stage) -> None:
    resource(stage, 1, FLAT)
    stage("DxgiSetDisplayMode", resource=1, subresource=0)
    assert stage.driver.dxgi.primary == (1, 0)
    stage.says("DxgiSetDisplayMode")


@scene(
    "dxgi/SetResourcePriority",
    "entry:DxgiSetResourcePriority",
    "struct:DXGI_DDI_ARG_SETRESOURCEPRIORITY",
    "flag:pfnSetPriorityCb",
    bare=True,
)
def set_resource_priority(stage: Stage) -> None:
    """The one of higher priority stays in video memory, whoever was used last."""
    for handle in (1, 2):
        resource(stage, handle, np.zeros((16, 16, 4)))
    stage.driver.dxgi.video_budget = 16 * 16 * 4
    stage("DxgiSetResourcePriority", resource=1, priority=0xA0000000)
    call = stage("DxgiQueryResourceResidency", expect=HResult.S_RESIDENT_IN_SHARED_MEMORY, resources=[1, 2])
    assert call.out["status"] == [DxgiResidency.FULLY_RESIDENT, DxgiResidency.RESIDENT_IN_SHARED_MEMORY]
    stage.says("resources")


@scene(
    "dxgi/QueryResourceResidency",
    "entry:DxgiQueryResourceResidency",
    "struct:DXGI_DDI_ARG_QUERYRESOURCERESIDENCY",
    "flag:pfnQueryResidencyCb",
    "flag:D3DDDI_RESIDENCYSTATUS_NOTRESIDENT",
    "flag:D3DDDI_RESIDENCYSTATUS_RESIDENTINGPUMEMORY",
    "flag:D3DDDI_RESIDENCYSTATUS_RESIDENTINSHAREDMEMORY",
    bare=True,
)
def query_residency(stage: Stage) -> None:
    """The result is that of the worst place."""
    for handle in (1, 2, 3):
        resource(stage, handle, np.zeros((16, 16, 4)))
    stage.driver.dxgi.video_budget = stage.driver.dxgi.shared_budget = 16 * 16 * 4
    stage("DxgiQueryResourceResidency", resources=[3])
    stage("DxgiQueryResourceResidency", expect=HResult.S_RESIDENT_IN_SHARED_MEMORY, resources=[3, 2])
    call = stage("DxgiQueryResourceResidency", expect=HResult.S_NOT_RESIDENT, resources=[1, 2, 3])
    assert call.out["status"] == [3, 2, 1]
    stage.says("resources")


@scene(
    "dxgi/RotateResourceIdentities",
    "entry:DxgiRotateResourceIdentities",
    "struct:DXGI_DDI_ARG_ROTATE_RESOURCE_IDENTITIES",
    bare=True,
)
def rotate_identities(stage: Stage) -> None:
    """X, Y, Z then name Y, Z, X."""
    for handle in (1, 2, 3):
        resource(stage, handle, [[[handle / 255, 1, 1, 1]]])
    stage("DxgiRotateResourceIdentities", resources=[1, 2, 3])
    for handle, red in ((1, 2), (2, 3), (3, 1)):
        sees(stage, handle, [[red]])
    stage.says("resources")


TURNED = {
    DxgiRotation.ROTATE90: [[2, 5], [1, 4], [0, 3]], DxgiRotation.ROTATE180: [[5, 4, 3], [2, 1, 0]],
    DxgiRotation.ROTATE270: [[3, 0], [4, 1], [5, 2]],
}  # fmt: skip


def _rotation(rotation: DxgiRotation) -> None:
    """0 1 2 / 3 4 5, turned counterclockwise."""

    def make(stage: Stage) -> None:
        refuse_rotated(stage)
        resource(stage, 1, numbered(2, 3))
        resource(stage, 2, np.zeros((len(TURNED[rotation]), len(TURNED[rotation][0]), 4)))
        stage("DxgiBlt", destination=2, source=1, flags=0, rotation=int(rotation))
        sees(stage, 2, TURNED[rotation])
        stage.says(rotation.name)

    add(f"dxgi/Blt {rotation.name}", make, "entry:DxgiBlt", f"value:DxgiRotation.{rotation.name}", bare=True)


for _turn in TURNED:
    _rotation(_turn)

GAMMA = 0.7354  # what the sRGB curve makes of 0.5
FORMATS: dict[DxgiFormat, Sequence[float]] = {
    # what 0.5 of an 8-bit BGRA source becomes: the nearest code; no alpha reads 1; floats are linear
    DxgiFormat.R8G8B8A8_UNORM: (128 / 255,) * 4, DxgiFormat.R8G8B8A8_UNORM_SRGB: (128 / 255,) * 4,
    DxgiFormat.B8G8R8X8_UNORM: (128 / 255,) * 3, DxgiFormat.B5G6R5_UNORM: (16 / 31, 32 / 63, 16 / 31),
    DxgiFormat.B5G5R5A1_UNORM: (16 / 31, 16 / 31, 16 / 31, 1.0), DxgiFormat.R10G10B10A2_UNORM: (514 / 1023,) * 3,
    DxgiFormat.R16G16B16A16_FLOAT: (0.2159,) * 3,
}  # fmt: skip


def _format(form: DxgiFormat) -> None:
    def make(stage: Stage) -> None:
        resource(stage, 1, np.full((2, 2, 4), 128 / 255))
        resource(stage, 2, np.zeros((2, 2, 4)), form)
        stage("DxgiBlt", destination=2, source=1, flags=int(DxgiBltFlag.CONVERT), rotation=1)
        expected = FORMATS[form]
        assert np.allclose(held(stage, 2)[0, 0, : len(expected)], expected, atol=1e-3), held(stage, 2)[0, 0]
        stage.says("flags=CONVERT")

    add(f"dxgi/format {form.name}", make, "entry:DxgiBlt", f"value:DxgiFormat.{form.name}", bare=True)


for _form in FORMATS:
    _format(_form)


@scene("dxgi/Blt gamma", "value:DxgiFormat.R16G16B16A16_FLOAT", "value:DxgiFormat.B8G8R8A8_UNORM", bare=True)
def blt_gamma(stage: Stage) -> None:
    """From floats to integers gamma is encoded; alpha is not."""
    resource(stage, 1, FLAT, DxgiFormat.R16G16B16A16_FLOAT)
    resource(stage, 2, np.zeros((2, 2, 4)))
    stage("DxgiBlt", destination=2, source=1, flags=int(DxgiBltFlag.CONVERT), rotation=1)
    assert np.allclose(held(stage, 2)[0, 0], (GAMMA, GAMMA, GAMMA, 0.5), atol=1 / 255)
    stage.says("flags=CONVERT")


@scene(
    "dxgi/Blt resolve",
    "entry:DxgiBlt",
    "struct:DXGI_DDI_ARG_BLT",
    "flag:DXGI_DDI_MODE_ROTATION_IDENTITY",
    "flag:DXGI_DDI_ARG_BLT.Resolve",
    bare=True,
)
def blt_resolve(stage: Stage) -> None:
    resource(stage, 1, np.stack([np.full((2, 2, 4), n) for n in (0.0, 1.0, 1.0, 0.0)]), samples=4)
    resource(stage, 2, np.zeros((2, 2, 4)))
    stage("DxgiBlt", destination=2, source=1, flags=int(DxgiBltFlag.RESOLVE), rotation=1)
    assert np.allclose(held(stage, 2), 0.5, atol=1 / 255)
    stage.says("flags=RESOLVE")


@scene("dxgi/Blt stretch", "entry:DxgiBlt", "flag:DXGI_DDI_ARG_BLT.Stretch", bare=True)
def blt_stretch(stage: Stage) -> None:
    """At least as good as a bilinear filter."""
    resource(stage, 1, np.array([[[0.0] * 4, [1.0] * 4]]))
    resource(stage, 2, np.zeros((1, 4, 4)))
    stage("DxgiBlt", destination=2, source=1, flags=int(DxgiBltFlag.STRETCH), rotation=1)
    assert np.allclose(held(stage, 2)[0, :, 0], (0, 0.25, 0.75, 1), atol=1 / 255)
    stage.says("flags=STRETCH")


@scene("dxgi/RotateResourceIdentities stereo", "entry:DxgiRotateResourceIdentities", bare=True)
def rotate_stereo(stage: Stage) -> None:
    """Both pictures of a stereo back buffer go with it."""
    for handle in (1, 2):
        pixels = np.concatenate([np.array([[[n / 255, 1, 1, 1]]]) for n in (10 * handle, 10 * handle + 1)])
        args = {"width": 1, "height": 1, "format": int(BGRA), "samples": 1, "array_size": 2, "stereo": 1}
        stage("DxgiCreateResource", {"contents": contents(pixels, BGRA)}, handle=handle, bind=PRESENTABLE | RENDERABLE, **args)
    stage("DxgiRotateResourceIdentities", resources=[1, 2])
    sees(stage, 1, [[20]])
    sees(stage, 1, [[21]], subresource=1)
    sees(stage, 2, [[11]], subresource=1)


@scene("dxgi/CreateView", "entry:DxgiCreateView", bare=True)
def create_view(stage: Stage) -> None:
    """A view keeps its storage until it is made again: rotating identities makes the views of what was rotated again."""
    for handle in (1, 2):
        resource(stage, handle, [[[handle / 255, 1, 1, 1]]])
    stage("DxgiCreateView", handle=20, resource=1, subresource=0)
    stage("DxgiRotateResourceIdentities", resources=[1, 2])
    view = stage.driver.dxgi.views[20]
    assert np.rint(view.storage.subresources[0][0, 0, 0, 0] * 255) == 2
    stage.says("DxgiRotateResourceIdentities")
