"""A real window under Xvfb with a window manager: real keys and clicks, by mouse and by keyboard."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from inspector.focus import Focus
from inspector.samples import built_in_capture

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ("Xvfb", "openbox", "xdotool")
MISSING = [program for program in PROGRAMS if shutil.which(program) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)} (Debian packages xvfb, openbox, xdotool)")
PATIENCE = 60.0  # seconds


def near_the_pixel(seen: dict[str, Any]) -> bool:
    """Whether pixel 200, 300 was picked, or one beside it: a picture that is made smaller has several under the pointer."""
    pixel = Focus.parse(seen["focus"]).pixel
    return pixel is not None and abs(pixel[0] - 200) <= 2 and abs(pixel[1] - 300) <= 2


class Desktop:
    """An X server with a window manager."""

    def __init__(self, width: int, height: int, folder: Path) -> None:
        reading, writing = os.pipe()
        self._server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"],
            pass_fds=[writing], stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(writing)
        with os.fdopen(reading) as pipe:
            display = f":{pipe.readline().strip()}"
        self.environment = {
            **os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "XDG_CONFIG_HOME": str(folder / "config"),
            "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        self.environment.pop("WAYLAND_DISPLAY", None)
        self._manager = subprocess.Popen(["openbox"], env=self.environment, stderr=subprocess.DEVNULL)

    def do(self, *words: object) -> str:
        """One command of xdotool."""
        done = subprocess.run(
            ["xdotool", *map(str, words)], env=self.environment, check=True, timeout=30, capture_output=True, text=True
        )
        return done.stdout

    def close(self) -> None:
        for process in (self._manager, self._server):
            process.terminate()
            process.wait(10)


class Program:
    """The program on a desktop; `seen` is what it shows."""

    def __init__(self, desktop: Desktop, folder: Path, *arguments: object) -> None:
        self.desktop, self._state = desktop, folder / "state.json"
        self._state.unlink(missing_ok=True)
        words = [sys.executable, "-m", "tests.ui.seen", str(self._state), *map(str, arguments)]
        self._process = subprocess.Popen(words, cwd=ROOT, env=desktop.environment)
        self.until(lambda seen: seen["ready"])
        window = desktop.do("search", "--sync", "--onlyvisible", "--name", "DDI Inspector").split()[0]
        desktop.do("windowactivate", "--sync", window)
        self.calm()

    def calm(self) -> None:
        """Waits until nothing moves."""
        before = None
        while (now := (self.seen.get("view"), self.seen.get("size"))) != before:
            before = now
            time.sleep(1.0)

    @property
    def seen(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = json.loads(self._state.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {"ready": False}
        return found

    @property
    def focus(self) -> Focus:
        return Focus.parse(self.seen["focus"])

    def until(self, fits: Callable[[dict[str, Any]], object]) -> None:
        """Waits until what is shown fits and nothing is asked any more."""
        end = time.monotonic() + PATIENCE
        while not ((seen := self.seen)["ready"] and fits(seen)):
            assert self._process.poll() is None, "the program has ended"
            assert time.monotonic() < end, seen
            time.sleep(0.1)

    def key(self, *keys: str) -> None:
        self.desktop.do("key", *keys)

    def type(self, text: str) -> None:
        self.desktop.do("type", "--delay", 15, text)

    def click(self, x: float, y: float, *, times: int = 1) -> None:
        self.desktop.do("mousemove", "--sync", round(x), round(y))
        self.desktop.do("click", "--repeat", times, "--delay", 60, 1)

    def close(self) -> None:
        if self._process.poll() is None:
            self.key("ctrl+q")
        try:
            assert self._process.wait(60) == 0
        finally:
            self._process.kill()


@pytest.fixture
def desktop(tmp_path: Path) -> Iterator[Desktop]:
    made = Desktop(1600, 1000, tmp_path)
    yield made
    made.close()


@pytest.fixture
def program(desktop: Desktop, tmp_path: Path) -> Iterator[Program]:
    started = Program(desktop, tmp_path, built_in_capture())
    yield started
    started.close()


def test_a_pixel_s_history_by_mouse_and_the_event_behind_it_by_keyboard(program: Program) -> None:
    program.click(*program.seen["pixel"])
    program.until(lambda seen: near_the_pixel(seen) and seen["rows"] > 1)
    before = program.focus
    program.key("alt+2")
    program.until(lambda seen: seen["keyboard"] == "History of the pixel")
    program.key("Home")
    time.sleep(0.3)
    assert program.focus == before, "Home belongs to the table"
    program.key("Return")
    program.until(lambda seen: Focus.parse(seen["focus"]).event != before.event)
    program.key("alt+Left")
    program.until(lambda seen: Focus.parse(seen["focus"]) == before)


def test_going_by_keyboard_to_a_frame_a_draw_and_a_pixel(program: Program) -> None:
    places = {"": program.seen["focus"]}
    for words in ("frame 3", "draw 12", "40,52"):
        program.key("ctrl+g")
        program.type(words)
        program.key("Return")
        program.until(lambda seen: seen["focus"] not in places.values())
        places[words] = program.seen["focus"]
    assert Focus.parse(places["40,52"]) == Focus.parse(places["draw 12"]).replace(pixel=(40, 52))


def test_the_palette_changes_the_theme(program: Program) -> None:
    program.key("ctrl+shift+p")
    time.sleep(0.5)
    program.type("light theme")
    program.key("Return")
    program.until(lambda seen: seen["theme"] == "light")


def test_a_title_that_is_double_clicked_floats_in_a_frame(program: Program) -> None:
    _, _, x, y, _, _ = program.seen["docks"]["inspector"]
    program.click(x + 60, y + 12, times=2)
    program.until(lambda seen: seen["docks"]["inspector"][1])
    time.sleep(1.0)
    names = program.desktop.do("search", "--onlyvisible", "--name", "^Inspector$").split()
    assert len(names) == 1, "the window manager knows it by its name"
    program.desktop.do("windowactivate", "--sync", names[0])


def test_the_place_comes_back_after_a_restart(desktop: Desktop, tmp_path: Path) -> None:
    first = Program(desktop, tmp_path, built_in_capture())
    first.key("ctrl+Right", "ctrl+Right")
    first.calm()
    first.click(*first.seen["pixel"])
    first.until(lambda seen: near_the_pixel(seen))
    left = first.focus
    first.key("ctrl+6")
    first.close()
    again = Program(desktop, tmp_path)
    try:
        again.until(lambda seen: Focus.parse(seen["focus"]) == left)
        assert again.seen["view"][2] > 300, "there is a picture, though the vertices were in front"
    finally:
        again.close()
