"""Direct3D 7, 6 and 5 programs: every picture looks like the one that Wine and llvmpipe drew (shared/captures/d3d7/apps)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import inspector
from tests.conftest import CAPTURES
from tests.inspector.imports.imported import imported
from tests.soak.questions import ask_all

FOLDER = CAPTURES / "d3d7" / "apps"
MEAN, FAR_OFF, FAR = 1.0, 0.01, 16
APPS = [path.stem for path in sorted(FOLDER.glob("*.json"))]
EXPLAINED = {
    # Trilinear filtering of noise with an exact logarithm, and n-bit channels as v / (2**n - 1): test_explained7.py.
    "own_cube_mips": (1.15, 0.0001),
    "own_cube_mips_64": (1.15, 0.0001),
}
"""Mean and share of pixels far off that are allowed where the reference is not the law."""
BY_RULE = {"own_blits"}
"""What differs follows rules, pixel by pixel: test_explained7.py."""


def pictures(app: dict[str, Any]) -> list[tuple[int, str, int]]:
    """(the call it shows the effect of, the file, the surface's address)."""
    shots = [(shot["present_call"] - 1, shot["png"], int(shot["surface"], 16)) for shot in app["screenshots"]]
    images = app.get("mid_frame", {}).get("images", [])
    return shots + [(image["after_call"], image["png"], int(image["surface"], 16)) for image in images]


@pytest.mark.parametrize("name", [name for name in APPS if name not in BY_RULE])
def test_pictures_look_like_the_reference(captures: Path, name: str) -> None:
    app = json.loads((FOLDER / f"{name}.json").read_text())
    capture = inspector.open(FOLDER / f"{name}.trace")
    mean, far_off = EXPLAINED.get(name, (MEAN, FAR_OFF))
    wrong = []
    for call, file, pointer in pictures(app):
        theirs = np.asarray(Image.open(FOLDER / file).convert("RGB")).astype(np.int32)
        event = capture.event_of_source_call(call)
        ours = capture.image(event, capture.surface_of_source(pointer, event))[..., :3].astype(np.int32)
        assert ours.shape == theirs.shape
        apart = np.abs(ours - theirs)
        if apart.mean() > mean or (apart.max(2) > FAR).mean() > far_off:
            wrong.append(f"{file}: mean {apart.mean():.3f}, far off {(apart.max(2) > FAR).mean():.2%}")
    assert not wrong


@pytest.mark.parametrize("name", ["own_d3d6", "own_vertexbuf"])
def test_a_driver_without_vertex_processing_draws_the_same(captures: Path, tmp_path: Path, name: str) -> None:
    app = json.loads((FOLDER / f"{name}.json").read_text())
    imported((FOLDER / f"{name}.trace").read_bytes(), tmp_path, profile="dx7")
    capture = inspector.open(tmp_path / "a.ddicap")
    for call, file, pointer in pictures(app):
        theirs = np.asarray(Image.open(FOLDER / file).convert("RGB")).astype(np.int32)
        event = capture.event_of_source_call(call)
        apart = np.abs(capture.image(event, capture.surface_of_source(pointer, event))[..., :3].astype(np.int32) - theirs)
        assert apart.mean() <= MEAN and (apart.max(2) > FAR).mean() <= FAR_OFF, file


@pytest.mark.parametrize("name", ["ddraw2__test_shademode", "ddraw4__test_lighting"])
def test_older_devices_answer_every_question(captures: Path, name: str) -> None:
    assert ask_all(inspector.open(CHECKS / f"{name}.trace"))


@pytest.mark.parametrize("name", APPS)
def test_frames_end_where_pictures_are_shown(captures: Path, name: str) -> None:
    app = json.loads((FOLDER / f"{name}.json").read_text())
    capture = inspector.open(FOLDER / f"{name}.trace")
    ends = [int(capture.events.rows["source"][frame.last_event]) for frame in capture.frames]
    assert ends == app["present_calls"]
    assert len(capture.draws) == app["draws"]
    assert [frame.draws for frame in capture.frames] == app["draws_per_frame"]


# ---- conformance checks of Wine's ddraw tests ------------------------------------------------------

CHECKS = CAPTURES / "d3d7" / "tests"
OFF = "the recorder leaves out dwFlags of D3DLIGHT2, which turn the light off"
OPEN: dict[str, dict[int, str]] = {
    "ddraw2__test_lighting": {4: OFF},
    "ddraw4__test_lighting": {4: OFF},
}
"""Checks that fail, by number, and why."""
NAMES = [path.stem for path in sorted(CHECKS.glob("*.json"))]


def near(one: int, other: int, tolerance: int) -> bool:
    """Whether red, green and blue of two colours are this near."""
    return all(abs((one >> shift & 255) - (other >> shift & 255)) <= tolerance for shift in (0, 8, 16))


def numbers(check: dict[str, Any]) -> list[int]:
    """The colours that pass: what Windows draws, and what some of its drivers drew instead."""
    return [int(check[name], 16) for name in ("expected", "broken") if isinstance(check.get(name), str)]


def failures(name: str) -> dict[int, str]:
    """A sentence for each check of a capture that fails, by its number."""
    page = json.loads((CHECKS / f"{name}.json").read_text())
    capture, failed = inspector.open(CHECKS / f"{name}.trace"), {}
    for check in page["checks"]:
        readback = page["readbacks"][check["readback"]]
        event = capture.event_of_source_call(readback["after_call"])
        surface = capture.surface_of_source(int(readback["source_surface"], 16), event)
        found = pixel(capture, event, surface, check) if check["kind"] != "value" else stored(capture, event, surface, check)
        exact = check["kind"] == "value"
        met = [
            (found ^ n) & int(check["mask"], 16) == 0 if exact else near(found, n, check["tolerance"]) for n in numbers(check)
        ]
        if not any(met):
            failed[check["i"]] = f"line {check['line']} at {check['x']}, {check['y']}: {found:#010x}, not {check['expected']}"
    return failed


def pixel(capture: inspector.Capture, event: int, surface: int, check: dict[str, Any]) -> int:
    """A pixel as 0x00RRGGBB."""
    red, green, blue, _ = capture.image(event, surface)[check["y"], check["x"]].tolist()
    return int(red << 16 | green << 8 | blue)


def stored(capture: inspector.Capture, event: int, surface: int, check: dict[str, Any]) -> int:
    """The dword that a Lock shows; depths are above stencil here, below it in these programs."""
    rows, format = capture.stored(event, surface)
    at = check["x"] * format.bits // 8
    value = int.from_bytes(rows[check["y"]].tobytes()[at : at + 4], "little")
    return (value >> 8 | value << 24) & 0xFFFFFFFF if format.depth_bits == 24 else value


@pytest.mark.parametrize("name", NAMES)
def test_pixels_are_what_they_must_be(captures: Path, name: str) -> None:
    failed = failures(name)
    assert failed.keys() == OPEN.get(name, {}).keys(), failed


def test_what_the_recorder_leaves_out_is_reported(captures: Path) -> None:
    capture = inspector.open(FOLDER / "own_blits.trace")
    lost = [found.text for found in capture.findings if found.rule == "not-recorded"]
    assert sum("GetDC" in text for text in lost) == 5
    assert sum("SetClipList" in text for text in lost) == 1
    assert any("GetDC" in notice and "5 times" in notice for notice in capture.tape.notices)


def test_all_addresses_of_an_object_are_known(captures: Path) -> None:
    capture = inspector.open(FOLDER / "own_d3d6.trace")
    calls = [capture.tape.source(number) for number in range(capture.tape.source_count)]
    link = next(call for call in calls if call.name == "IDirectDrawSurface4::QueryInterface")
    first, second = int(link["this"]), int(link["ppvObj"][0])
    use = next(call for call in calls[link.number + 1 :] if second in [value for _, value in call.args])
    name = next(name for name, value in use.args if value == second)
    named = capture.ask(inspector.Addresses(use.number))[name]
    assert first != second and first in named.others
    event = capture.event_of_source_call(use.number)
    assert capture.surface_of_source(first, event) == capture.surface_of_source(second, event) == named.handle


def test_numbers_of_state_calls_have_names(captures: Path) -> None:
    capture = inspector.open(FOLDER / "own_cube_mips.trace")
    texts = [capture.source_text(n) for n in (98, 99, 107)]
    assert "dwState = 2 (LINEAR)" in texts[0]  # D3DTFN_LINEAR
    assert "dwState = 3 (LINEAR)" in texts[1]  # D3DTFP_LINEAR, which has another number in Direct3D 8
    assert "d3dvtVertexType = XYZ|DIFFUSE|TEX1" in texts[2]
