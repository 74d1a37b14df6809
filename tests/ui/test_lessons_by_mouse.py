"""The steps "By mouse" of four of the lessons, in a real window: what each page says is there, is there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from inspector.samples import lesson_captures
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
def test_missing_level(stage: Stage) -> None:
    pupil = Pupil(stage, "missing-level")
    pupil.last_frame()
    pupil.pick(160, 154)
    pupil.p.click(f"row_of({HISTORY!r}, 'written')")
    assert "level 2" in pupil.explained()
