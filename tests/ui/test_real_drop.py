"""Files dragged with the mouse from another program onto the window, as X11 has it (XDND)."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.ui.drag_source import PLACE
from tests.ui.real import LAST, ROOM, ROOT, SAMPLES, Program, Stage, needs_desktop

pytestmark = [needs_desktop, pytest.mark.slow]
MIDDLE = "at(window.surface.view)"
FIELD = "control('Filter events')"


def dragged(program: Program, where: str, kind: str, *what: object, then: str = "True") -> tuple[str, str]:
    """(what the window says while it is held there, what was done with it); then: comes true before the other program ends,
    which is asked for what it holds only after it has been dropped."""
    words = [sys.executable, "-m", "tests.ui.drag_source", kind, *map(str, what)]
    desktop = program.desktop
    with subprocess.Popen(words, cwd=ROOT, env=desktop.environment, stdout=subprocess.PIPE, text=True) as source:
        try:
            assert source.stdout is not None
            assert source.stdout.readline() == "ready\n"
            x, y, width, height = PLACE
            desktop.do("mousemove", "--sync", x + width // 2, y + height // 2)
            time.sleep(0.5)  # until the window is shown
            desktop.do("mousedown", 1)
            x, y = program.look(where)
            for step in range(8, -1, -1):  # one jump is no drag
                desktop.do("mousemove", "--sync", x + 40 * step, y + step)
                time.sleep(0.1)
            said = program.look("window.drop_light.words if window.drop_light.isVisible() else ''")
            desktop.do("mouseup", 1)
            done = source.stdout.readline().strip()
            program.until(then)
            return said, done
        finally:
            source.kill()


@pytest.mark.parametrize("where", [MIDDLE, FIELD])
def test_a_capture_is_opened_and_never_moved_wherever_it_is_dropped(stage: Stage, tmp_path: Path, where: str) -> None:
    program = stage.on(ROOM, LAST)
    wrong, first, second = tmp_path / "read me.txt", tmp_path / "a smoke.ddicap", tmp_path / "other.ddicap"
    wrong.write_text("no capture")
    for path in (first, second):
        shutil.copy(SAMPLES["smoke"], path)
    there = f"capture.path.name == {first.name!r}"
    said, done = dragged(program, where, "files", wrong, first, second, then=there)
    assert said == "Drop to open a smoke.ddicap (the first of 2)"
    assert done == "CopyAction", "a file manager removes what was moved"
    assert not program.look("window.drop_light.isVisible()")
    assert program.look("named('Filter events').text()") == ""


def test_what_is_no_capture_is_refused(stage: Stage, tmp_path: Path) -> None:
    program = stage.on(ROOM, LAST)
    wrong, folder = tmp_path / "notes.txt", tmp_path / "folder.trace"
    wrong.write_text("no capture")
    folder.mkdir()
    for kind, what in (("files", wrong), ("files", folder), ("text", "#event=12"), ("link", "https://example.org/x.trace")):
        assert dragged(program, MIDDLE, kind, what) == ("", "IgnoreAction")
    assert program.look("capture.path.name") == ROOM.name
