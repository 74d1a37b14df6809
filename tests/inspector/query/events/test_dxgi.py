"""DXGI calls on the same timeline."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import inspector
from core.ddi.driver.dxgi_resources import view_handle
from core.ddi.driver.emulated import EmulatedDriver
from inspector import PixelHistory, Verify
from tests.driver_calls import call
from tests.inspector.query.driver.scripted import Script
from tests.inspector.streams import TARGET, TEXTURE, beginning, capture_of, draws, tokens


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
        seen = [capture.resolve(event, "render_target") for event in range(4)]  # without a render target
        views = [view_handle(1), view_handle(2), view_handle(2, 1), view_handle(2)]
        assert [found and found[0] for found in seen] == views, "what is created, copied to, presented"
        assert "rotation=IDENTITY" in capture.text(2) and "format=B8G8R8A8_UNORM" in capture.text(0)
        assert capture.findings == []


def test_a_surface_of_floats_is_no_surface_of_direct3d_8(tmp_path: Path) -> None:
    """Its handle in other calls and tokens: refused or harmless, and pictures and stored values stay what they were."""
    view, pixels = view_handle(3), np.arange(256, dtype="<f2") / 16
    box = [0, 0, 8, 8]
    states = [{"stage": 0, "state": 0, "value": view}]
    hostile = [
        call("Lock", handle=view, box=None, flags=0),
        call("Unlock", {"contents": bytes(64)}, handle=view, box=None, pitch=64, slice_pitch=0),
        call("Blt", destination=view, source=TEXTURE, destination_box=box, source_box=box, flags=0),
        call("Blt", destination=TARGET, source=view, destination_box=[0, 0, 9, 9], source_box=box, flags=0),
        call("Blt", destination=view, destination_box=box, flags=0x400, color=0xFFFFFFFF),
        tokens(("TEXTURESTAGESTATE", states)),
        draws(1),
        tokens(("SETRENDERTARGET", [{"render_target": view, "depth_stencil": view}])),
        draws(2),
        tokens(("CLEAR", [(0, 0, 8, 8)], {"flags": 3, "color": 1, "depth": 0.5})),
        tokens(("TEXBLT", [{"destination": view, "source": TEXTURE, "rect": [0, 0, 8, 8]}])),
        tokens(("TEXBLT", [{"destination": TEXTURE, "source": view, "rect": [0, 0, 8, 8]}])),
        call("Flip", current=view, target=TARGET),
        call("DestroySurface", handle=view),
    ]
    create = call("DxgiCreateResource", {"contents": pixels.tobytes()}, handle=3, width=8, height=8, format=10, bind=0xA0)
    for number, calls in enumerate([*([one] for one in hostile), hostile]):
        (tmp_path / str(number)).mkdir()
        with capture_of([*beginning(), create, *calls], tmp_path / str(number)) as capture:
            last = len(capture.events) - 1
            for event in (last - 1, last):
                for info in capture.surfaces(event):
                    capture.image(event, info.handle)
                    capture.stored(event, info.handle)
            for info in capture.surfaces(last):
                capture.ask(PixelHistory(info.handle, 3, 3))
            capture.ask(inspector.Findings())
            capture.ask(Verify("token"))


def test_its_handles_are_not_those_of_direct3d(tmp_path: Path) -> None:
    shape = {"width": 4, "height": 4, "format": 87, "bind": 0xA0}
    calls = [
        call("DxgiCreateResource", handle=TEXTURE, **shape),
        call("DxgiCreateResource", handle=2000, **shape),
        call("DxgiBlt", destination=TEXTURE, source=2000, flags=0, rotation=3),
        call("DestroySurface", handle=TEXTURE),
    ]
    with capture_of([*beginning(), *calls], tmp_path) as capture:
        copied, last = len(capture.events) - 2, len(capture.events) - 1
        surface = capture.ask(inspector.ObjectHistory(TEXTURE))
        assert [life.title for life in surface.lives] == [f"surface {TEXTURE} texture"]
        assert (surface.event[-1], surface.text(len(surface) - 1)) == (last, "destroyed")
        resource = capture.ask(inspector.ObjectHistory(("dxgi", TEXTURE), last))
        assert [resource.text(row) for row in range(len(resource))] == ["created", "blt destination, from DXGI 2000"]
        assert resource.lives[0].title == f"DXGI resource {TEXTURE}"
        assert capture.ask(inspector.ObjectHistory(2000)).text(1) == f"blt source, to DXGI {TEXTURE}", (
            "there is no surface 2000"
        )
        used = {use.text for use in capture.ask(inspector.ResourcesOf(copied))}
        assert used == {"blt destination, from DXGI 2000", f"blt source, to DXGI {TEXTURE}"}
        rows = capture.ask(inspector.Sql(f"SELECT label, format FROM surfaces WHERE handle = {TEXTURE} ORDER BY object")).rows
        assert len(rows) == 2 and rows[1] == ("image", "B8G8R8A8_UNORM")


def test_floats_have_their_values_in_histories(tmp_path: Path) -> None:
    pixel = np.array([3.5, -0.25, 0.125, 1.0], "<f2")
    shape = {"width": 2, "height": 2, "format": 10, "bind": 0xA0}
    calls = [
        call("DxgiCreateResource", {"contents": np.tile(pixel, 4).tobytes()}, handle=1, **shape),
        call("DxgiCreateResource", handle=2, **shape),
        call("DxgiBlt", destination=2, source=1, flags=0, rotation=3),
    ]
    with capture_of([*beginning(), *calls], tmp_path) as capture:
        history = capture.ask(PixelHistory(view_handle(2), 1, 1))
        assert history.format == "R16G16B16A16_FLOAT"
        assert history.end[0].rgba == (3.5, -0.25, 0.125, 1.0)
        created = {info.handle: info.created for info in capture.surfaces(len(capture.events) - 1)}
        assert [capture.name(created[view_handle(handle)]) for handle in (1, 2)] == ["DxgiCreateResource"] * 2
