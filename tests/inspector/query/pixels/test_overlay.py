"""Overlays of a scene of a few boxes, whose pixels are counted by hand."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from inspector.query.pixels.layers import DIMMED, GREEN, GREY, ORANGE, TINTED, color_of
from inspector.query.pixels.overlay import KINDS, Layer, Overlay
from inspector.tape import TapeWriter
from tests.scenes import all_scenes, opened
from tests.scenes.kit import BLACK, BLUE, RED, SCREEN, SIZE, TARGET, Stage, states, t

LEFT, RIGHT, TOP, MIDDLE = (0, 0, 32, 64), (16, 0, 48, 64), (0, 0, 64, 8), (24, 16, 32, 24)


class Boxes:
    """What is drawn, of 4,096 pixels, and after which events."""

    def __init__(self, path: Path) -> None:
        with TapeWriter(path, {"title": "boxes"}, durable=False) as writer:
            played = Stage(writer, depth="D24S8")
            self.handle = TARGET
            played.tokens(states(ZENABLE=1, ZWRITEENABLE=1, ZFUNC=4))
            played.quad(LEFT, RED, 0.5)  # all of its 2,048 pixels
            self.left = played.event
            played.quad(RIGHT, BLUE, 0.75)  # 1,024 of its 2,048: the others are behind the left box
            self.right = played.event
            played.tokens(states(ALPHABLENDENABLE=1, SRCBLEND=5, DESTBLEND=6, ALPHATESTENABLE=1, ALPHAREF=128, ALPHAFUNC=5))
            played.quad(TOP, 0x80FFFFFF, 0.25)  # 512 pixels, none with more alpha than 128
            self.top = played.event
            played.tokens(states(ALPHAREF=127))
            played.quad(MIDDLE, 0x80FFFFFF, 0.25)  # 64 pixels over both
            self.middle = played.event
            played.tokens(t("CLEAR", [(0, 56, SIZE, SIZE)], flags=1, color=BLACK))  # 512 pixels
            self.clear = played.event


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Boxes, inspector.Capture]]:
    path = tmp_path_factory.mktemp("boxes") / "boxes.ddicap"
    made = Boxes(path)
    with inspector.open(path) as capture:
        yield made, capture


def draw_before(capture: inspector.Capture, event: int) -> int:
    """The draw of the driver call that an event is in."""
    return int(capture.draws[capture.draws <= event][-1])


EXPECTED = [
    ("tests", "right", ["passed: 1,024 px", "depth test failed: 1,024 px"]),
    ("depth", "right", ["passed: 1,024 px", "failed: 1,024 px"]),
    ("depth", "left", ["passed: 2,048 px"]),
    ("alpha", "top", ["failed: 512 px"]),
    ("alpha", "middle", ["passed: 64 px"]),
    ("stencil", "right", ["passed: 2,048 px"]),
    ("culled", "right", ["not culled: 2,048 px"]),
    ("clipped", "right", ["not clipped: 2,048 px"]),
    ("draw", "middle", ["1: 64 px"]),
    ("frame", "middle", ["1: 1,920 px", "2: 1,088 px", "3: 192 px"]),
    ("written", "middle", ["1: 3,008 px", "2: 64 px"]),
    ("rejected", "middle", ["1: 1,280 px", "2: 128 px"]),
    ("clear", "middle", ["drawn after a clear or copy: 3,072 px", "cleared or copied, nothing drawn after: 1,024 px"]),
    ("clear", "clear", ["drawn after a clear or copy: 2,688 px", "cleared or copied, nothing drawn after: 1,408 px"]),
    ("blended", "middle", ["blended: 64 px", "not blended: 3,008 px", "cleared or copied: 1,024 px"]),
    ("alpha_tested", "middle", ["alpha tested: 64 px", "without alpha test: 3,008 px", "cleared or copied: 1,024 px"]),
    ("fog", "middle", ["without fog: 3,072 px", "cleared or copied: 1,024 px"]),
    ("shading", "middle", ["no texture stage: 3,072 px", "cleared or copied: 1,024 px"]),
    ("triangle_size", "middle", ["area 16 to 64 px²: 64 px", "area 256 to 4096 px²: 3,008 px"]),
    ("age", "clear", ["age 0: 4,096 px"]),
    ("mip", "middle", ["no texture: 4,096 px"]),
    ("density", "middle", []),
    ("magnification", "middle", ["no texture: 4,096 px"]),
    ("fog_amount", "middle", []),
    ("z_fighting", "right", ["further apart: 1,024 px"]),
    ("range", "right", ["a channel is 1: 3,072 px", "black: 1,024 px"]),
]


@pytest.mark.parametrize(("kind", "moment", "expected"), EXPECTED)
def test_the_legend_counts_what_was_drawn(boxes: tuple[Boxes, inspector.Capture], kind: str, moment: str,
                                          expected: list[str]) -> None:  # fmt: skip
    made, capture = boxes
    event = getattr(made, moment)
    layer: Layer = capture.ask(Overlay(kind, event if moment == "clear" else draw_before(capture, event)))
    assert [text for _, text in layer.legend] == expected


def test_every_kind_has_a_case_or_a_test_of_its_own() -> None:
    assert {kind for kind, _, _ in EXPECTED} | {"last_writer", "first_writer"} == set(KINDS)


def test_draws_of_a_frame_have_colours_that_can_be_told_apart() -> None:
    """Any two of sixty that follow each other, by the distance in a space in which equal steps look equal (CIE 1976)."""
    colors = np.array([color_of(draw) for draw in range(60)], np.float64) / 255
    linear = np.where(colors > 0.04045, ((colors + 0.055) / 1.055) ** 2.4, colors / 12.92)
    xyz = linear @ np.array([[0.4124, 0.2126, 0.0193], [0.3576, 0.7152, 0.1192], [0.1805, 0.0722, 0.9505]]) / (0.9505, 1, 1.089)
    bent = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz * (29 / 6) ** 2 / 3 + 4 / 29)
    lab = np.stack([116 * bent[:, 1] - 16, 500 * (bent[:, 0] - bent[:, 1]), 200 * (bent[:, 1] - bent[:, 2])], 1)
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=-1)
    near = [(apart[one, other], one, other) for one in range(60) for other in range(one)]
    assert min(near)[0] > 5, f"draws {min(near)[1:]}"
    assert min(apart[one, one + 1] for one in range(59)) > 30


def test_writers_are_named_and_coloured_by_event(boxes: tuple[Boxes, inspector.Capture]) -> None:
    made, capture = boxes
    left, right, middle = (draw_before(capture, event) for event in (made.left, made.right, made.middle))
    layer: Layer = capture.ask(Overlay("last_writer", middle))
    assert sorted(text.split(":")[1] for _, text in layer.legend) == [" 1,024 px", " 1,024 px", " 1,984 px", " 64 px"]
    assert {text.split()[0]: color for color, text in layer.legend}[str(left)] == color_of(capture.draws.tolist().index(left))
    assert layer.writer_at(40, 40) in ((right, 0), (right, 1))
    assert layer.writer_at(17, 40) in ((left, 0), (left, 1))
    assert (layer.writer_at(24, 16), layer.writer_at(31, 23)) == ((middle, 0), (middle, 1))
    cleared = layer.writer_at(63, 63)
    assert cleared is not None and cleared[1] == -1 and tuple(layer.rgba[63, 63, :3]) == GREY
    first: Layer = capture.ask(Overlay("first_writer", middle))
    assert {first.writer_at(x, y) for x, y in ((0, 0), (40, 40), (63, 63))} == {cleared}
    after: Layer = capture.ask(Overlay("last_writer", made.clear))
    assert after.writer_at(40, 40) == layer.writer_at(40, 40)
    assert after.writer_at(0, 60) == (made.clear, -1)


def test_opacity_mixes_a_layer_with_its_picture(boxes: tuple[Boxes, inspector.Capture]) -> None:
    made, capture = boxes
    layer: Layer = capture.ask(Overlay("depth", draw_before(capture, made.right)))
    picture = np.full((SIZE, SIZE, 4), 255, np.uint8)
    assert tuple(layer.rgba[0, 40]) == (*GREEN, TINTED) and tuple(layer.rgba[0, 20]) == (*ORANGE, TINTED)
    assert tuple(layer.rgba[0, 0]) == DIMMED
    assert (layer.over(picture, 0.0) == picture).all()
    half = layer.over(picture, 0.5)[0, 40, :3].astype(int)
    wanted = [(color * TINTED / 2 + 255 * (255 - TINTED / 2)) / 255 for color in GREEN]
    assert np.allclose(half, wanted, atol=1)


def test_unknown_overlays_and_events_without_a_draw_are_refused(boxes: tuple[Boxes, inspector.Capture]) -> None:
    made, capture = boxes
    for query in (Overlay("heat", made.left), Overlay("depth", made.clear), Overlay("age", 10**6)):
        with pytest.raises(BadInput):
            capture.ask(query)


def test_the_ends_of_depth_are_counted_as_stored(boxes: tuple[Boxes, inspector.Capture]) -> None:
    made, capture = boxes
    layer: Layer = capture.ask(Overlay("range", draw_before(capture, made.right), "depth"))
    assert [text for _, text in layer.legend] == ["depth 1: 1,024 px"]


def test_points_have_their_square_as_size_and_lines_none(tmp_path: Path) -> None:
    corners = [(10.0, 10.0), (30.0, 10.0), (30.0, 40.0)]
    places = [struct.pack("<4fI", x, y, 0.5, 1.0, 0xFFFFFFFF) for x, y in corners]
    with TapeWriter(path := tmp_path / "sizes.ddicap", {"title": "sizes"}, durable=False) as writer:
        played = Stage(writer)
        played.tokens(
            states(POINTSIZE=int.from_bytes(struct.pack("<f", 5.0), "little"), ZENABLE=0, LASTPIXEL=1),
            t("SETVERTEXSHADER", shader=SCREEN), t("SETSTREAMSOURCEUM", stride=20),
            t("DRAWPRIMITIVE", type="LINELIST", start=0, count=1), t("DRAWPRIMITIVE", type="POINTLIST", start=2, count=1),
            vertices=places, stride=20,
        )  # fmt: skip
    with inspector.open(path) as capture:
        layer = capture.ask(Overlay("triangle_size", len(capture.events) - 1))
        found = {row.title: row.pixels for row in layer.meanings}
    assert found == {"area 16 to 64 px²": 25, "lines, which have no area": 21}  # both ends


def test_the_legend_says_how_samples_are_counted(tmp_path: Path) -> None:
    scene = next(one for one in all_scenes() if one.name == "samples/4")
    with opened(scene, tmp_path) as capture:
        draw = int(capture.draws[-1])
        notes = {kind: capture.ask(Overlay(kind, draw, TARGET)).note for kind in ("tests", "draw", "range")}
    assert "counts once, whichever of its 4 samples" in notes["tests"] and "sample of a pixel's 4 counts" in notes["draw"]
    assert "sample" not in notes["range"]
