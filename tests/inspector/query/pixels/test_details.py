"""What fragments interpolate, against the kernels' own answer pixel by pixel, and overlays of scenes counted by hand."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import inspector
from core.pipeline.records.texture import TextureKind
from inspector.query.pixels.explain import Explain
from inspector.query.pixels.history import PixelHistory
from inspector.query.pixels.layers import Layer
from inspector.query.pixels.overlay import FIGHTING, Overlay
from inspector.query.pixels.picks import Picks
from inspector.tape import TapeWriter
from tests.inspector.conftest import ROOM
from tests.scenes.kit import BLUE, GREEN, RED, SIZE, TEXTURE, Stage, stage, states, t

LEVELS = 7  # of 64 x 64
QUARTER, HALF, LEFT = (0, 0, 16, 16), (0, 0, 32, 32), (0, 0, 32, 64)


def legend(capture: inspector.Capture, kind: str, event: int) -> list[str]:
    layer: Layer = capture.ask(Overlay(kind, event))
    return [text for _, text in layer.legend]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[dict[str, int], inspector.Capture]]:
    """A texture of 64 x 64 with its levels over 64, 32 and 16 pixels; without them; fog; two boxes at nearly one depth."""
    path, events = tmp_path_factory.mktemp("details") / "details.ddicap", {}
    with TapeWriter(path, {"title": "details"}, durable=False) as writer:
        scene = Stage(writer, depth="D24S8")
        scene.surface(TEXTURE, "A8R8G8B8", SIZE, SIZE, levels=LEVELS)
        for level in range(LEVELS):
            side = max(SIZE >> level, 1)
            scene.fill(TEXTURE + level, struct.pack("<I", RED) * side * side)
        scene.tokens(stage(0, TEXTUREMAP=TEXTURE, COLOROP=2, COLORARG1=2, ALPHAOP=2, ALPHAARG1=2, MINFILTER=1, MAGFILTER=1,
                           MIPFILTER=1))  # fmt: skip
        for box in ((0, 0, 64, 64), HALF, QUARTER):
            scene.quad(box, textured=True)
        events["mips"] = scene.event
        scene.tokens(stage(0, MIPFILTER=0))
        scene.quad((0, 0, 64, 64), textured=True)
        scene.quad(HALF, textured=True)
        scene.quad((-64, -64, 192, 192), textured=True)
        events["no mips"] = scene.event
        scene.tokens(stage(0, TEXTUREMAP=0), states(FOGENABLE=1, FOGCOLOR=BLUE, FOGTABLEMODE=3, FOGSTART=0.0, FOGEND=1.0))
        scene.quad(LEFT, GREEN, 0.25)
        events["fog"] = scene.event
        scene.tokens(states(FOGENABLE=0, ZENABLE=1, ZWRITEENABLE=1, ZFUNC=4))
        scene.tokens(t("CLEAR", [(0, 0, SIZE, SIZE)], flags=2, depth=1.0))
        scene.quad(LEFT, GREEN, 0.5)
        scene.quad(HALF, RED, 0.5 + 3 / 0xFFFFFF)  # behind it by three steps
        scene.quad(QUARTER, BLUE, 0.25)
        events["fight"] = scene.event
    with inspector.open(path) as capture:
        yield events, capture


def last_draw(capture: inspector.Capture, event: int) -> int:
    return int(capture.draws[capture.draws <= event][-1])


def test_levels_halve_with_the_size(drawn: tuple[dict[str, int], inspector.Capture]) -> None:
    events, capture = drawn
    event = last_draw(capture, events["mips"])
    assert legend(capture, "mip", event) == ["level 0: 3,072 px", "level 1: 768 px", "level 2: 256 px"]
    assert legend(capture, "density", event) == ["1 to 2 texels: 3,072 px", "2 to 4 texels: 768 px", "4 to 8 texels: 256 px"]
    assert legend(capture, "magnification", event) == ["as it is, or reduced with mip levels: 4,096 px"]


def test_what_is_enlarged_or_reduced_without_levels(drawn: tuple[dict[str, int], inspector.Capture]) -> None:
    events, capture = drawn
    large = last_draw(capture, events["no mips"])
    assert legend(capture, "magnification", large) == ["enlarged 4 times or more: 4,096 px"]
    assert legend(capture, "mip", large) == ["level 0: 4,096 px"]
    half = last_draw(capture, large - 1)
    assert legend(capture, "magnification", half) == ["reduced without mip levels: 1,024 px",
                                                      "as it is, or reduced with mip levels: 3,072 px"]  # fmt: skip


def test_fog_of_a_quarter_of_the_way(drawn: tuple[dict[str, int], inspector.Capture]) -> None:
    events, capture = drawn
    event = last_draw(capture, events["fog"])
    assert legend(capture, "fog_amount", event) == ["25 to 49% fog: 2,048 px"]
    drawn_there, there = capture.ask(Picks("render_target", event, event, detailed=True)).interpolated()
    assert drawn_there.sum() == 2048 and np.allclose(there.fog_factor, 0.75, atol=1e-6)
    assert legend(capture, "mip", event) == ["level 0: 2,048 px", "no texture: 2,048 px"]


def test_fog_of_vertices_on_the_screen_is_their_own(tmp_path: Path) -> None:
    """XYZRHW | DIFFUSE | SPECULAR with 1/w = 0.5 at all vertices; the alpha of specular is the fog factor."""
    with TapeWriter(tmp_path / "fog.ddicap", {"title": "fog"}, durable=False) as writer:
        scene = Stage(writer)
        vertices = [struct.pack("<4fII", x - 0.5, y - 0.5, 0.5, 0.5, GREEN, 0x40000000) for y in (0, SIZE) for x in (0, SIZE)]
        scene.tokens(
            states(FOGENABLE=1, FOGCOLOR=BLUE), t("SETVERTEXSHADER", shader=0xC4), t("SETSTREAMSOURCEUM", stride=24),
            t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2), vertices=vertices, stride=24,
        )  # fmt: skip
    with inspector.open(tmp_path / "fog.ddicap") as capture:
        assert legend(capture, "fog_amount", int(capture.draws[-1])) == ["75 to 99% fog: 4,096 px"]


def test_what_is_nearly_at_one_depth_fights(drawn: tuple[dict[str, int], inspector.Capture]) -> None:
    events, capture = drawn
    event = last_draw(capture, events["fight"])
    assert FIGHTING >= 3
    found = legend(capture, "z_fighting", last_draw(capture, event - 1))
    assert found[0] == f"1 to {FIGHTING} steps of depth apart: 1,024 px"
    assert legend(capture, "z_fighting", event)[0] == f"1 to {FIGHTING} steps of depth apart: 768 px"


@pytest.mark.parametrize(("name", "kind"), [
    ("room", TextureKind.PLANE), ("samples/smoke", TextureKind.PLANE), ("samples/patches", TextureKind.PLANE),
    ("samples/stencil-shadows", TextureKind.PLANE),
])  # fmt: skip
def test_the_kernels_say_the_same_of_single_pixels(name: str, kind: TextureKind) -> None:
    """Levels of detail and fog factors of pixels all over the picture, in perspective."""
    with inspector.open(ROOM.parent / f"{name}.ddicap") as capture:
        event = int(capture.draws[len(capture.draws) * 2 // 3])
        first = capture.frame_at(event).first_event
        found = capture.ask(Picks("render_target", first, event, detailed=True))
        drawn, there = found.interpolated()
        rows, level, fog_factor = there.rows, there.level, there.fog_factor  # of all pixels, each time that they are asked for
        wanted = np.flatnonzero((rows["kind"] == kind) & (rows["mip_filter"] != 0) & (rows["last_level"] > rows["first_level"]))
        y, x = np.nonzero(drawn)
        fogged = there.rows["fog_source"] != 0
        for n in wanted[np.linspace(0, len(wanted) - 1, 25).astype(int)].tolist():
            fragments = capture.ask(PixelHistory("render_target", int(x[n]), int(y[n]), first, event, misses=False)).fragments
            shading = capture.ask(Explain([one for one in fragments if one.fate == "written"][-1])).shading
            lookup = next(step.lookup for step in shading.steps if step.lookup is not None)
            assert max(level[n], 0) == pytest.approx(max(lookup.lod, 0), abs=5e-3), (x[n], y[n], there.rows[n])
            if fogged[n]:
                assert fog_factor[n] == pytest.approx(shading.late.fog_factor, abs=1e-4)
        assert (level[wanted] > 0.01).any()


def test_depth_is_what_is_stored(room: inspector.Capture) -> None:
    """Of the depth surface's last writers, in steps."""
    event = 3026
    found = room.ask(Picks("depth", room.frame_at(event).first_event, event, detailed=True))
    drawn, there = found.interpolated()
    rows, form = room.stored(event, "depth")
    shift, bits = next((shift, bits) for _, shift, bits, kind in form.channels if kind == "depth")
    codes = (rows.view("<u4") >> shift & ((1 << bits) - 1))[drawn]
    assert len(codes) > 10_000 and np.abs(there.depth - codes).max() <= 4
