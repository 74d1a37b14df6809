"""What may become of a pixel, one scene of the zoo for each: fates, kinds of entries, causes of misses."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from inspector import PixelHistory
from inspector.query.pixels.history import History
from tests.scenes import all_scenes, opened
from tests.scenes.kit import Scene, Stage, t

SCENES = {scene.name: scene for scene in all_scenes()}


def history(name: str, folder: Path, surface: int, x: int, y: int) -> History:
    with opened(SCENES[name], folder) as capture:
        return capture.ask(PixelHistory(surface, x, y))


@pytest.mark.parametrize(
    ("name", "surface", "x", "y", "fate", "sentence"),
    [
        ("states/ALPHAFUNC NEVER", 1, 32, 32, "alpha_test", "alpha test failed: 0x"),
        ("states/ZFUNC NEVER", 1, 32, 32, "depth_test", "depth test failed: 0."),
        ("states/STENCILFUNC NEVER", 1, 32, 32, "stencil_test", "stencil test failed: "),
        ("states/COLORWRITEENABLE 0x0", 1, 32, 32, "color_write", "passed, but COLORWRITEENABLE 0x0"),
        ("shaders/texkill", 1, 20, 20, "texkill", "texkill in the pixel shader"),
        ("samples/2", 1, 32, 32, "sample_mask", "MULTISAMPLEMASK 0x"),
    ],
)
def test_fates(name: str, surface: int, x: int, y: int, fate: str, sentence: str, tmp_path: Path) -> None:
    found = [entry for entry in history(name, tmp_path, surface, x, y).fragments if entry.fate == fate]
    assert found and all(entry.reason.startswith(sentence) and not entry.changed for entry in found)
    assert all(f"event {entry.writer}" in entry.reason or entry.writer is None for entry in found)


@pytest.mark.parametrize(
    ("name", "surface", "kind", "fate", "sentence"),
    [
        ("tokens/CLEAR", 1, "clear", "written", "cleared"),
        ("entries/Blt fill", 1, "fill", "written", "filled"),
        ("entries/Blt stretch and convert", 1, "blt", "written", "copied from surface 10, pixel "),
        ("entries/Flip", 20, "lock", "written", "written by the application, through a lock"),
        ("tokens/TEXBLT", 11, "copy", "written", "copied from surface 10"),
        ("entries/Flip", 20, "flip", "written", "flipped: what surface 21 held came here"),
        ("dxgi/Blt stretch", 0, "blt", "written", "copied by DxgiBlt"),
        ("entries/SetColorKey", 0, "blt", "color_key", "pixel 0, 0 of surface 10 is within its colour key: left alone"),
    ],
)
def test_kinds(name: str, surface: int, kind: str, fate: str, sentence: str, tmp_path: Path) -> None:
    """surface 0: any of them."""
    with opened(SCENES[name], tmp_path) as capture:
        infos = [info for info in capture.surfaces(capture.frames[-1].last_event) if info.kind != "buffer"]
        wanted = [
            entry
            for info in infos if surface in (0, info.handle)
            for x in range(0, info.width, 3) for y in range(0, info.height, 3)
            for entry in capture.ask(PixelHistory(info.handle, x, y)).entries if entry.kind == kind
        ]  # fmt: skip
    assert any(entry.fate == fate and entry.reason.startswith(sentence) for entry in wanted)


@pytest.mark.parametrize(
    ("name", "cause", "sentence"),
    [
        ("states/CULLMODE CW", "culled", "culled: clockwise winding, CULLMODE CW"),
        ("tokens/SETCLIPPLANE", "user_0", "clipped by user plane 0"),
    ],
)
def test_misses(name: str, cause: str, sentence: str, tmp_path: Path) -> None:
    with opened(SCENES[name], tmp_path) as capture:
        seen = [capture.ask(PixelHistory(1, x, y)) for x in range(0, 64, 3) for y in range(0, 64, 3)]
    assert any(miss.cause == cause and miss.reason.startswith(sentence) for found in seen for miss in found.misses)
    for found in seen:
        drawn = {(entry.event, entry.primitive) for entry in found.fragments}
        assert not drawn & {(miss.event, miss.primitive) for miss in found.misses}


def _beyond(stage: Stage) -> None:
    """A square of clip space that is twice as large as the viewport."""
    stage.tokens(t("VIEWPORTINFO", x=16, y=8, width=32, height=16))
    square = [struct.pack("<3fI", x, y, 0.5, 0xFFFFFFFF) for y in (2, -2) for x in (-2, 2)]
    stage.tokens(
        t("SETVERTEXSHADER", shader=0x42), t("SETSTREAMSOURCEUM", stride=16),
        t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2), vertices=square, stride=16,
    )  # fmt: skip


def test_the_viewport_leaves_out_what_is_beyond_it_and_nothing_at_an_edge_of_a_primitive(tmp_path: Path) -> None:
    with opened(Scene("misses/viewport", _beyond, (), {}), tmp_path) as capture:
        found = {
            place: capture.ask(PixelHistory(1, *place)).misses for place in ((20, 26), (20, 5), (12, 12), (50, 12), (20, 12))
        }
        reasons = [[miss.reason for miss in misses] for misses in found.values()]
    assert [len(misses) for misses in reasons] == [1, 1, 1, 1, 0]
    sides = ("below", "above", "left of", "right of")
    assert all(reason.startswith(f"{side} the viewport") for [reason], side in zip(reasons, sides, strict=False))
    with opened(SCENES["tokens/VIEWPORTINFO"], tmp_path) as capture:  # the square ends where the viewport does
        assert not any(capture.ask(PixelHistory(1, x, y)).misses for x, y in ((20, 24), (48, 12), (48, 24)))
