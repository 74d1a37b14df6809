"""The captures that come with the program: what their scripts draw, and something of every subject to look at."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import inspector
from core.spec.tokens import Op
from inspector.samples import built_in_capture, sample_captures
from inspector.tape import Tape
from resources.make_sample import FOLDER as SHOWN
from resources.make_sample import SHOWS, make
from tests.conftest import ROOT
from tests.drawn import contents, first_difference
from tests.scenes import make_samples
from tests.scenes.make_samples import FOLDER, SAMPLES, chosen

OLD_LISTS = ("samples/direct3d-7",)  # their runtime reads D3DHAL_GLOBALDRIVERDATA; GetDriverInfo2 came with Direct3D 8
CAPTURES = sorted([*SHOWS, *(f"samples/{name}" for name in SAMPLES)])


@pytest.mark.parametrize("name", SHOWS)
def test_a_capture_is_what_its_script_draws(name: str, tmp_path: Path) -> None:
    made, shipped = contents(make(name, tmp_path)), contents(SHOWN / f"{name}.ddicap")
    assert len(made) == len(shipped), "python -m resources.make_sample draws it again"
    assert first_difference(made, shipped) is None, f"python -m resources.make_sample {name} draws it again"


@pytest.mark.slow  # at night: scenes may be added before the samples are drawn again
@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_what_its_scenes_draw(name: str, tmp_path: Path) -> None:
    make_samples.make(name, tmp_path)
    made, shipped = contents(tmp_path / f"{name}.ddicap"), contents(FOLDER / f"{name}.ddicap")
    assert len(made) == len(shipped) and first_difference(made, shipped) is None, "python -m tests.scenes.make_samples"


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_has_a_frame_for_each_scene(name: str) -> None:
    scenes = {scene.name for scene in chosen(SAMPLES[name][1])}
    with inspector.open(FOLDER / f"{name}.ddicap") as capture:
        notes = [note.text for note in capture.tape.annotations]
        assert len(notes) > 40 and set(notes) <= scenes
        assert len(capture.frames) == len(notes)
        assert capture.image(capture.frames[-1].last_event, 5000).any()
        assert capture.tape.meta["title"] == SAMPLES[name][0]


def test_the_window_lists_them() -> None:
    listed = dict(sample_captures())
    wanted = {"Room", "Tokens", "Broken rules", "Textures", "Reflections", "Stencil shadows", "DXGI presentation", "Direct3D 7"}
    assert wanted <= set(listed)
    assert all(path.is_file() for path in listed.values())
    assert built_in_capture() == ROOT / "resources" / "room.ddicap"


@pytest.mark.parametrize("name", CAPTURES)
def test_every_capture_has_a_picture_for_the_start_page(name: str) -> None:
    with Tape(SHOWN / f"{name}.ddicap") as tape:
        assert tape.thumbnail is not None
        picture = np.asarray(Image.open(io.BytesIO(tape.thumbnail)).convert("RGB"))
    assert min(picture.shape[:2]) >= 64 and (picture != picture[0, 0]).any()


@pytest.mark.parametrize("name", CAPTURES)
def test_every_capture_shows_its_driver(name: str) -> None:
    with inspector.open(SHOWN / f"{name}.ddicap") as capture:
        told = capture.ask(inspector.DriverCaps())
        assert told.caps and told.qualifies is not False
        assert {"R5G6B5", "A8R8G8B8"} <= set(told.dx7 if name in OLD_LISTS else told.dx8)
        assert told.legacy if name in OLD_LISTS else told.formats


@pytest.mark.parametrize("name", sorted(SHOWS))
def test_a_drawn_capture_breaks_no_rule(name: str) -> None:
    with inspector.open(SHOWN / f"{name}.ddicap") as capture:
        assert capture.ask(inspector.Findings()) == ()


def last(capture: inspector.Capture) -> int:
    return len(capture.events) - 1


SUBJECTS: dict[str, tuple[str, Callable[[inspector.Capture], object]]] = {
    "renames": ("presentation-queue", lambda c: any(row.renamed for row in c.ask(inspector.Renames()))),
    "stalls": ("vertex-buffer-stalls", lambda c: any(row.verdict.dx81.stall for row in c.ask(inspector.Stalls(True)))),
    "a full queue": ("presentation-queue", lambda c: (c.ask(inspector.Presentation()).rows["refused"] > 0).any()),
    "flips": ("vertex-buffer-stalls", lambda c: c.ask(inspector.Presentation()).rows["flip"].all()),
    "rotated identities": ("dxgi-presentation", lambda c: any(
        row.identity != row.handle for row in c.ask(inspector.DxgiResources(last(c))))),
    "a copy in a pixel's history": ("direct3d-7", lambda c: "blt" in {
        entry.kind for entry in c.ask(inspector.PixelHistory("back_buffer", 21, 17, last=c.frames[0].last_event - 1)).entries}),
    "residency": ("dxgi-presentation", lambda c: len({row.residency for row in c.ask(inspector.DxgiResources(last(c)))}) == 3),
    "what is scanned out": ("dxgi-presentation", lambda c: any(
        row.scanned_out >= 0 for row in c.ask(inspector.DxgiResources(last(c))))),
    "volumes": ("smoke", lambda c: any(one.depth > 1 for one in c.surfaces(last(c)))),
    "cubes": ("reflections", lambda c: any(one.faces == 6 for one in c.surfaces(last(c)))),
    "palettes": ("palettes-and-state-sets", lambda c: c.ask(inspector.Palettes(last(c)))),
    "state sets": ("palettes-and-state-sets", lambda c: c.ask(inspector.StateSets(last(c)))),
    "multisampling": ("patches", lambda c: any(one.samples > 1 for one in c.surfaces(last(c)))),
    "kept patches": ("patches", lambda c: c.ask(inspector.Patches(last(c)))),
}  # fmt: skip


@pytest.mark.parametrize("subject", SUBJECTS)
def test_there_is_a_capture_for(subject: str) -> None:
    name, there = SUBJECTS[subject]
    with inspector.open(SHOWN / "samples" / f"{name}.ddicap") as capture:
        assert there(capture)


def test_a_capture_has_every_kind_of_patch() -> None:
    """Both tokens; each basis of rectangles and each degree (SDK, D3DBASISTYPE, D3DORDERTYPE)."""
    seen: set[tuple] = set()
    with inspector.open(SHOWN / "samples" / "shaders-patches-samples.ddicap") as capture:
        for event in np.flatnonzero(np.isin(capture.events.op, (Op.DRAWRECTPATCH, Op.DRAWTRIPATCH))).tolist():
            fields = {field.name: field.text for field in capture.event(event).fields}
            seen.add((capture.name(event), fields.get("info.basis"), fields.get("info.order")))
    wanted = {("DRAWRECTPATCH", basis, order) for basis in ("BEZIER", "BSPLINE") for order in ("LINEAR", "CUBIC", "QUINTIC")}
    wanted |= {("DRAWTRIPATCH", "BEZIER", order) for order in ("LINEAR", "CUBIC", "QUINTIC")}
    assert seen >= wanted | {("DRAWRECTPATCH", "INTERPOLATE", "CUBIC")}
