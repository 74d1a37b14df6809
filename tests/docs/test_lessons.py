"""The lessons: their captures are what their scripts draw, and what each page calls the bug is the one that was planted.

A scene draws with its bug or without.  So the first token that differs between the two is the bug, and the fix is right when
the capture with the fix draws what the scene draws without it.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import ddi_inspector as ddi
from inspector.samples import SENTENCES, lesson_captures, sample_captures
from resources.lessons.make import FOLDER, LESSONS, make
from tests.conftest import ROOT
from tests.docs.pages import blocks, commands
from tests.drawn import contents, first_difference

PAGES = ROOT / "docs" / "lessons"
PLANTED = {
    "blend-factor": "DESTBLEND=ZERO", "alpha-test": "ALPHAREF=0xf0", "z-fighting": "ZBIAS=8", "unset-stage": "TEXTUREMAP=none",
    "wrong-fvf": "SETVERTEXSHADER shader=XYZ|DIFFUSE|TEX1", "stale-target": "TEXTUREMAP=#37",
    "bad-palette": "SETPALETTE palette=#2", "fog": "FOGENABLE=FALSE",
}  # fmt: skip
"""What the token says that is there and should not be, or the other way round."""


def page(name: str) -> str:
    return (PAGES / f"{name}.md").read_text(encoding="utf-8")


def bug(name: str) -> str:
    """What the page calls the bug."""
    return re.search(r"^## The bug\n(.*?)^## ", page(name), re.M | re.S)[1].replace("\n", " ")


def proof(name: str) -> tuple[int, list[str]]:
    """The frame and the edits of the page's what-if."""
    for block in blocks(page(name)):
        for command, _, _ in commands(block) if block.language == "console" else ():
            words = shlex.split(command)
            if words[1] == "what-if":
                options = dict(zip(words[3::2], words[4::2], strict=True))
                return int(options.pop("--frame")), [f"{option[2:]} {text}" for option, text in options.items()]
    raise AssertionError(f"{name}.md: no what-if")


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all scenes drawn without their bugs."""
    folder = tmp_path_factory.mktemp("right")
    for name in LESSONS:
        make(name, folder, broken=False)
    return folder


@pytest.mark.parametrize("name", LESSONS)
def test_a_capture_is_what_its_script_draws(name: str, tmp_path: Path) -> None:
    made, shipped = contents(make(name, tmp_path)), contents(FOLDER / f"{name}.ddicap")
    assert len(made) == len(shipped) and first_difference(made, shipped) is None, "python -m resources.lessons.make"


@pytest.mark.parametrize("name", PLANTED)
def test_the_page_names_the_planted_bug(name: str, right: Path, tmp_path: Path) -> None:
    with ddi.open(make(name, tmp_path)) as broken, ddi.open(right / f"{name}.ddicap") as fixed:
        first = broken.ask(ddi.Compare("all", "all", fixed)).first
        assert first is not None
        planted = PLANTED[name]
        assert (planted in first.text_a) != (planted in first.text_b)
        wrong = [event for event in range(len(broken.events)) if planted in broken.text(event)]
    assert f"**{planted}" in bug(name)
    if planted in first.text_a:  # else it is what is missing
        assert any(f"vent {event} " in bug(name) for event in wrong)


@pytest.mark.parametrize("name", PLANTED)
def test_the_fix_of_the_page_draws_what_the_scene_draws_without_its_bug(name: str, right: Path) -> None:
    frame, edits = proof(name)
    with ddi.open(FOLDER / f"{name}.ddicap") as broken, ddi.open(right / f"{name}.ddicap") as fixed:
        when = broken.frames[frame].first_event, broken.frames[frame].last_event
        with ddi.WhatIf.of(*edits, when=when).open(broken) as repaired:
            images = [capture.image(capture.frames[frame].last_event, "back_buffer") for capture in (broken, repaired, fixed)]
    assert (images[0] != images[2]).any()
    assert (images[1] == images[2]).all()


def test_the_missing_level_is_the_one_that_the_page_names(right: Path) -> None:
    with ddi.open(FOLDER / "missing-level.ddicap") as broken, ddi.open(right / "missing-level.ddicap") as fixed:
        for level in range(7):
            where = ddi.Subresource(21, level=level)
            images = [capture.image(capture.frames[-1].last_event, where) for capture in (broken, fixed)]
            assert (images[0] == images[1]).all() == (level != 2)
            assert level != 2 or not np.any(images[0])
    assert "**level 2 of surface 21**" in bug("missing-level")


def test_the_driver_breaks_the_rule_that_the_page_names(right: Path) -> None:
    with ddi.open(FOLDER / "driver.ddicap") as broken, ddi.open(right / "driver.ddicap") as fixed:
        found = broken.ask(ddi.Findings())
        assert {one.rule for one in found} == {"presentation-queue"} and fixed.ask(ddi.Findings()) == ()
    assert "**presentation-queue**" in bug("driver") and f"event {found[0].seq}," in bug("driver")


@pytest.mark.parametrize("name", [name for name in LESSONS if name != "driver"])
def test_only_the_driver_breaks_a_rule(name: str) -> None:
    with ddi.open(FOLDER / f"{name}.ddicap") as capture:
        assert capture.ask(ddi.Findings()) == ()


def test_every_lesson_has_its_page_pictures_and_title() -> None:
    index = (PAGES.parent / "lessons.md").read_text(encoding="utf-8")
    assert re.findall(r"lessons/([\w-]+)\.md", index) == list(LESSONS)
    for number, (name, lesson) in enumerate(LESSONS.items(), 1):
        title = page(name).partition("\n")[0]
        assert lesson.title.lower() == title.lower().replace(f"# {number}. ", f"lesson {number}: ")
        assert all((PAGES / f"{name}{suffix}.webp").exists() for suffix in ("", "-window"))
    in_menu = [(f"# {title}", path.stem) for title, path in lesson_captures()]
    assert in_menu == [(page(name).partition("\n")[0], name) for name in LESSONS]


@pytest.mark.parametrize("name", SENTENCES)
def test_the_samples_have_their_row(name: str) -> None:
    page = (ROOT / "docs" / "samples.md").read_text(encoding="utf-8")
    assert f"| `{name}` | {SENTENCES[name]} |" in page
    assert name in {path.stem for _, path in sample_captures()}
