"""Direct3D 7, 6 and 5 programs: every picture looks like the one that Wine and llvmpipe drew (shared/captures/d3d7/apps)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import inspector
from tests.captures.comparison import compare
from tests.captures.oracle import pictures
from tests.conftest import CAPTURES
from tests.inspector.imports.imported import imported
from tests.soak.questions import ask_all

FOLDER = CAPTURES / "d3d7" / "apps"
MEAN, FAR_OFF = 1.0, 0.01
APPS = [path.stem for path in sorted(FOLDER.glob("*.json"))]
EXPLAINED = {
    # Trilinear filtering of noise with an exact logarithm, and n-bit channels as v / (2**n - 1): test_explained7.py.
    "own_cube_mips": (1.15, 0.0001),
    "own_cube_mips_64": (1.15, 0.0001),
}
"""Mean and share of pixels far off that are allowed where the reference is not the law."""
BY_RULE = {"own_blits"}
"""What differs follows rules, pixel by pixel: test_explained7.py."""


def too_far(capture: inspector.Capture, name: str) -> list[str]:
    """Which pictures differ from the reference by more than is allowed."""
    mean, far_off = EXPLAINED.get(name, (MEAN, FAR_OFF))
    rows = [compare(capture, picture) for picture in pictures(FOLDER / f"{name}.json")]
    return [f"{row.picture.title}: mean {row.mean:.3f}, far off {row.far_off:.2%}" for row in rows
            if row.mean > mean or row.far_off > far_off]  # fmt: skip


@pytest.mark.parametrize("name", [name for name in APPS if name not in BY_RULE])
def test_pictures_look_like_the_reference(captures: Path, name: str) -> None:
    assert not too_far(inspector.open(FOLDER / f"{name}.trace"), name)


@pytest.mark.parametrize("name", ["own_d3d6", "own_vertexbuf"])
def test_a_driver_without_vertex_processing_draws_the_same(captures: Path, tmp_path: Path, name: str) -> None:
    imported((FOLDER / f"{name}.trace").read_bytes(), tmp_path, profile="dx7")
    assert not too_far(inspector.open(tmp_path / "a.ddicap"), name)


@pytest.mark.parametrize("name", ["ddraw2__test_shademode", "ddraw4__test_lighting"])
def test_older_devices_answer_every_question(captures: Path, name: str) -> None:
    assert ask_all(inspector.open(FOLDER.parent / "tests" / f"{name}.trace"))


@pytest.mark.parametrize("name", APPS)
def test_frames_end_where_pictures_are_shown(captures: Path, name: str) -> None:
    app = json.loads((FOLDER / f"{name}.json").read_text())
    capture = inspector.open(FOLDER / f"{name}.trace")
    ends = [int(capture.events.rows["source"][frame.last_event]) for frame in capture.frames]
    assert ends == app["present_calls"]
    assert len(capture.draws) == app["draws"]
    assert [frame.draws for frame in capture.frames] == app["draws_per_frame"]


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
