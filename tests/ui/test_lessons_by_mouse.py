"""The steps "By mouse" of the ten lessons, in a real window: what each page says is there, is there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from inspector.samples import lesson_captures
from resources.lessons.make import LESSONS
from tests.ui.real import Program, Stage, needs_desktop

pytestmark = needs_desktop
TITLES = {path.stem: (title, path) for title, path in lesson_captures()}
HISTORY, STATE, WRITES = "History of the pixel", "State of the device", "Every write to the selected state"


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    made = Stage(tmp_path_factory.mktemp("lessons"))
    yield made
    made.close()


class Pupil:
    """Does what a page says."""

    def __init__(self, stage: Stage, name: str) -> None:
        other = TITLES["driver" if name != "driver" else "fog"][1]
        self.p: Program = stage.on(other, "#event=0")
        title, path = TITLES[name]
        self.p.menu("File", "Open lesson", title)
        self.p.until(f"capture.path.name == {path.name!r}")
        self.p.calm()

    def last_frame(self) -> None:
        for _ in range(self.p.look("len(capture.frames)") - 1 - self.p.look(f"capture.frame_of({self.p.focus.event})")):
            self.p.click("control('Next frame')")

    def pick(self, x: int, y: int) -> list[list[str]]:
        """Clicks a pixel; its history."""
        self.p.click(f"pixel({x}, {y})")
        return self.p.until(f"rows({HISTORY!r})")  # type: ignore[no-any-return]

    def go(self, words: str) -> None:
        """To the draw of the row that says so."""
        self.p.click(f"row_of({HISTORY!r}, {words!r})", times=2)
        self.p.until("bool(capture.events.draw[window.desk.focus.focus.event])")

    def writes(self, state: str) -> list[list[str]]:
        """Selects a state; what wrote it."""
        self.p.click("tab('State')")
        self.p.click("control('Filter states')")
        self.p.type(state)
        self.p.click(f"row_of({STATE!r}, {state!r})")
        return self.p.until(f"rows({WRITES!r})")  # type: ignore[no-any-return]

    def every_state(self) -> None:
        """Not only what matters for the draw."""
        self.p.click("tab('State')")
        if self.p.look("named('Flow').isChecked()"):
            self.p.click("control('Flow')")

    def clear_filter(self) -> None:
        self.p.click("control('Filter states')", times=2)
        self.p.key("BackSpace")

    def used(self) -> list[list[str]]:
        """What the event uses, by Resources."""
        self.p.click("tab('Resources')")
        if not self.p.look("named('This event').isChecked()"):
            self.p.click("control('This event')")
        return self.p.until("rows('Resources')")  # type: ignore[no-any-return]

    def explained(self) -> str:
        """The fragment in full, beside the history."""
        return str(self.p.until("repr(panels['history'].facts.sections)"))

    @property
    def event(self) -> int:
        return self.p.focus.event


def texts(rows: list[list[str]]) -> str:
    return "\n".join("  ".join(row) for row in rows)


def test_every_lesson_is_here() -> None:
    here = {name.removeprefix("test_").replace("_", "-") for name in globals() if name.startswith("test_")}
    assert {*LESSONS} <= here


@pytest.mark.slow
def test_blend_factor(stage: Stage) -> None:
    pupil = Pupil(stage, "blend-factor")
    pupil.last_frame()
    rows = pupil.pick(185, 110)
    assert "ADD of source * SRCALPHA and destination * ZERO" in rows[-1][-1]
    pupil.go("destination * ZERO")
    assert [row[1] for row in pupil.writes("DESTBLEND")[-3:]] == ["INVSRCALPHA", "ZERO", "INVSRCALPHA"]
    pupil.p.click(f"row_of({STATE!r}, 'DESTBLEND')", button=3)
    pupil.p.menu("What if it had another value…")
    pupil.p.until("keyboard() == 'Edit to add'")
    pupil.p.click("tab('State')")
    pupil.clear_filter()


@pytest.mark.slow
def test_alpha_test(stage: Stage) -> None:
    pupil = Pupil(stage, "alpha-test")
    pupil.last_frame()
    assert "alpha test failed: 0xe6 GREATEREQUAL 0xf0; ALPHAREF set at event 556" in pupil.pick(160, 150)[-1][-1]
    pupil.go("alpha test failed")
    draw = pupil.event
    assert pupil.writes("ALPHAREF")[-1][0] in ("#556", "#565")
    pupil.p.click(f"row_of({STATE!r}, 'ALPHAREF', 2)")
    assert pupil.p.until("capture.text(window.desk.focus.focus.event)") == "RENDERSTATE ALPHAREF=0xf0"
    pupil.clear_filter()
    pupil.p.click("control('Back to the previous view')")
    assert pupil.event == draw
    pupil.p.click(f"row_of({HISTORY!r}, 'alpha test failed')")
    pupil.p.key("o", "o", "o", "o")
    assert pupil.p.until("window.surface.overlay") == "alpha"


@pytest.mark.slow
def test_z_fighting(stage: Stage) -> None:
    pupil = Pupil(stage, "z-fighting")
    for key in ("ctrl+shift+Right", "ctrl+shift+Right", "ctrl+shift+Left", "ctrl+shift+Right"):
        pupil.p.key(key)
    rows = pupil.pick(120, 110)
    assert "depth test failed: 0.9118231 LESSEQUAL 0.911823 (stored by event 606" in rows[-1][-1]
    x, y = pupil.p.look("next([x, y] for y in range(70, 150) for x in range(105, 195) if tuple(window.surface.rgba()[y, x][:3])"
                        " == (217, 64, 38))")  # fmt: skip
    assert pupil.pick(x, y)[-1][0] == "#615" and "written" in pupil.pick(x, y)[-1][-1]


@pytest.mark.slow
def test_unset_stage(stage: Stage) -> None:
    pupil = Pupil(stage, "unset-stage")
    pupil.last_frame()
    assert "written" in pupil.pick(240, 110)[-1][-1]
    pupil.p.click(f"row_of({HISTORY!r}, '#547')")
    assert "sampled" not in pupil.explained()
    pupil.go("#547")
    used = texts(pupil.used())
    assert "vertex buffer" in used and "light" in used and "texture" not in used
    pupil.every_state()
    assert pupil.writes("TEXTUREMAP")[-1][:2] == ["#543", "none"]
    pupil.clear_filter()


@pytest.mark.slow
def test_wrong_fvf(stage: Stage) -> None:
    pupil = Pupil(stage, "wrong-fvf")
    pupil.last_frame()
    assert "#532" in texts(pupil.pick(160, 120))
    pupil.go("#532")
    pupil.p.click("tab('Vertices')")
    assert pupil.p.until("rows('Vertices')")
    pupil.p.click("tab('State')")
    pupil.p.click(f"row_of({STATE!r}, 'XYZ|DIFFUSE|TEX1')")
    pupil.used()
    pupil.p.click("row_of('Resources', 'vertex buffer')", times=2)
    pupil.p.settled()


@pytest.mark.slow
def test_stale_target(stage: Stage) -> None:
    pupil = Pupil(stage, "stale-target")
    for _ in range(3):
        pupil.p.key("ctrl+shift+Right")
    pupil.pick(230, 100)
    pupil.go("#743")
    assert "texture  37" in texts(pupil.used())
    pupil.p.click("row_of('Resources', 'texture  37')")
    story = pupil.p.until("rows('History of the selected resource')")
    drawn = [int(row[0].removeprefix("#")) for row in story if row[1] == "target"]
    assert {pupil.p.look(f"capture.frame_of({event})") for event in drawn} == {0, 2}


@pytest.mark.slow
def test_bad_palette(stage: Stage) -> None:
    pupil = Pupil(stage, "bad-palette")
    pupil.last_frame()
    pupil.pick(190, 190)
    pupil.go("#572")
    used = texts(pupil.used())
    assert "texture  25" in used and "palette  2" in used
    pupil.p.click("control('Filter events')")
    pupil.p.type("SETPALETTE")
    pupil.p.key("Return")
    assert "SETPALETTE" in texts(pupil.p.until("rows('Events')"))
    pupil.p.click("control('Filter events')", times=3)
    pupil.p.key("BackSpace", "Return")


@pytest.mark.slow
def test_fog(stage: Stage) -> None:
    pupil = Pupil(stage, "fog")
    pupil.last_frame()
    assert "written" in pupil.pick(160, 210)[-1][-1]
    pupil.p.click(f"row_of({HISTORY!r}, '#591')")
    assert "value='0 (vertex)'" in pupil.explained()
    pupil.go("#591")
    assert "#591" not in texts(pupil.writes("FOGENABLE"))
    pupil.clear_filter()


@pytest.mark.slow
def test_missing_level(stage: Stage) -> None:
    pupil = Pupil(stage, "missing-level")
    pupil.last_frame()
    pupil.pick(160, 154)
    pupil.p.click(f"row_of({HISTORY!r}, 'written')")
    assert "level 2" in pupil.explained()


@pytest.mark.slow
def test_driver(stage: Stage) -> None:
    pupil = Pupil(stage, "driver")
    pupil.p.click("tab('Findings')")
    pupil.p.until("row_of('Findings by rule', 'accepted with 3 frames of surface 2 queued')")
    pupil.p.click("row_of('Findings by rule', 'accepted with 3 frames')")
    pupil.p.key("Return")
    assert pupil.p.until("window.desk.focus.focus.event") == 447 and pupil.p.look("capture.name(447)") == "Blt"
    pupil.p.click("tab('Driver')")
    pupil.p.click("control('Aspect of the driver')")
    pupil.p.type("Pres")
    pupil.p.key("Return")
    accepted = pupil.p.until("rows('The driver')")
    assert len(accepted) == pupil.p.look("len(capture.frames)")
