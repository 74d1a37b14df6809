"""A desktop of its own (Xvfb with openbox) and the program on it: tests press keys and move the mouse there (xdotool)."""

from __future__ import annotations

import contextlib
import html
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from PIL import Image

from inspector.focus import Focus
from inspector.samples import built_in_capture, sample_captures

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ("Xvfb", "openbox", "xdotool")
MISSING = [program for program in PROGRAMS if shutil.which(program) is None]
needs_desktop = pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)} (Debian packages xvfb, openbox, xdotool)")
PATIENCE = 60.0  # seconds
MOVING = 2.0  # that the keyboard takes at most to go to another widget

ROOM = built_in_capture()
SAMPLES = {path.stem: path for _, path in sample_captures()}
LAST = "#event=781"  # of the room's first frame
HISTORY = "History of the pixel"
SETS_LIGHT_0 = "[e for e in range(781) if capture.text(e).startswith('SETLIGHT index=0 data=DATA light.type=DIRECTIONAL')][-1]"
SETS_DESTBLEND = "[e for e in range(779) if capture.text(e).startswith('RENDERSTATE DESTBLEND=')][-1]"
FACES = "[crc(capture.image(2860, 5, face=face)) for face in range(6)]"
"""Expressions of tests/ui/seen.py, whose answers the tasks look for: by the texts of tokens, by the pictures of surfaces."""


def faces_of(path: Path) -> list[int]:
    """`crc` of tests/ui/seen.py of the faces in a DDS file: a cube map of 128 x 128 texels of 32 bits, blue first."""
    head, pixels = np.fromfile(path, np.uint32, 32), np.fromfile(path, np.uint8, offset=128)
    assert (head[3], head[4], head[22]) == (128, 128, 32)
    assert head[28] & 0xFE00 == 0xFE00, "DDSCAPS2: a cube map with six faces"
    return [crc32(np.ascontiguousarray(face[..., 2::-1])) for face in pixels.reshape(6, 128, 128, 4)]


def is_copied(rows: list[list[str]], shown: list[list[str]]) -> bool:
    """Whether rows on the clipboard are those of a list; colours, which it shows without words, have words there."""
    pairs = [(given, seen) for row, line in zip(rows, shown, strict=True) for given, seen in zip(row, line, strict=True)]
    return all(given == seen or not seen for given, seen in pairs) and any(given and not seen for given, seen in pairs)


def assert_report(page: Path, shown: list[list[str]]) -> None:
    """The report on a pixel has what the list of its history shows, row by row."""
    text = html.unescape(re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", page.read_text(encoding="utf-8"))))
    assert "250, 246" in text
    assert [row for row in shown if not (f" {row[0].removeprefix('#')} " in text and row[-1] in text)] == []


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

    def __enter__(self) -> Desktop:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class Program:
    """The program on a desktop.  `look` and `until` take expressions of tests/ui/seen.py."""

    def __init__(self, desktop: Desktop, *arguments: object) -> None:
        self.desktop = desktop
        words = [sys.executable, "-m", "tests.ui.seen", *map(str, arguments)]
        self._process = subprocess.Popen(
            words, cwd=ROOT, env=desktop.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        try:
            self.until("ready()")
            window = desktop.do("search", "--sync", "--onlyvisible", "--name", "DDI Inspector").split()[0]
            desktop.do("windowactivate", "--sync", window)
            self.calm()
        except BaseException:
            self.kill()
            raise

    # Looking

    def look(self, words: str) -> Any:
        """The value of an expression; AssertionError with what is wrong with it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{words}\n")
            answer = json.loads(self._process.stdout.readline())
        except (OSError, ValueError):
            raise AssertionError(f"the program has ended: {self._process.poll()}") from None
        assert "error" not in answer, f"{words}: {answer['error']}"
        return answer["is"]

    @property
    def focus(self) -> Focus:
        return Focus.parse(self.look("focus()"))

    def until(self, words: str, ready: bool = True) -> Any:
        """Waits until an expression holds and (ready) nothing is asked any more; its value."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if (not ready or self.look("ready()")) and (found := self.look(words)):
                    return found
                wrong = f"{words} does not come"
            except AssertionError as error:
                if self.has_ended:
                    raise
                wrong = str(error)
            if time.monotonic() > end:
                raise AssertionError(f"{wrong}; at {self.look('focus()')} {self.look('said()')}; {self.shot()}")
            time.sleep(0.05)

    def shot(self) -> Path:
        """A picture of the screen, for whoever asks why a test failed."""
        path = Path(self.desktop.environment["XDG_CONFIG_HOME"]).parent / f"screen-{time.monotonic_ns()}.png"
        self.look(f"window.screen().grabWindow(0).save({str(path)!r})")
        return path

    def brightness(self) -> float:
        """Of the screen, 0 to 255."""
        return float(np.asarray(Image.open(self.shot()).convert("L")).mean())

    def until_brightness(self, expected: Callable[[float], bool]) -> None:
        """A window takes up another theme part by part."""
        end = time.monotonic() + PATIENCE
        while not expected(self.brightness()):
            assert time.monotonic() < end, f"the screen has a brightness of {self.brightness()}"
            time.sleep(0.1)

    def calm(self) -> None:
        """Waits until nothing is asked and nothing moves."""
        before = None
        while (now := (self.until("ready()"), self.look("[place(window), place(window.surface.view)]"))) != before:
            before = now
            time.sleep(0.4)

    def settled(self) -> None:
        """Waits until what was done has been answered."""
        time.sleep(0.1)
        self.until("ready()")

    # Acting

    def key(self, *keys: str) -> None:
        self.desktop.do("key", *keys)
        self.settled()

    def type(self, text: str) -> None:
        self.desktop.do("type", "--delay", 15, text)
        time.sleep(0.2)  # lists are filtered when one stops typing
        self.settled()

    def click(self, where: str, *, times: int = 1, button: int = 1, hold: str = "") -> None:
        """Clicks at the place that an expression names, as soon as it is there; hold: a key that is down meanwhile."""
        x, y = self.until(where, ready=False)
        self.desktop.do("mousemove", "--sync", x, y)
        if hold:
            self.desktop.do("keydown", hold)
        self.desktop.do("click", "--repeat", times, "--delay", 60, button)
        if hold:
            self.desktop.do("keyup", hold)
        self.settled()

    def menu(self, *words: str) -> None:
        """Clicks through menus: the menu bar's, or those of the menu that is open."""
        for word in words:
            self.click(f"menu({word!r})")

    def choose(self, text: str) -> None:
        """Goes down the menu that is open to an entry, and takes it."""
        self.until("bool(marked() or menu_is_open())", ready=False)
        for _ in range(20):
            self.desktop.do("key", "Down")
            if self.look("marked()").replace("&", "") == text:
                self.key("Return")
                return
        raise AssertionError(f"Down does not come to {text}")

    def to_row(self, name: str, words: str) -> None:
        """Goes from the first row of the list that has the keyboard to the one with these words."""
        assert self.until(f"keyboard() == {name!r}")
        number = self.until(f"[number_of({name!r}, {words!r})]")[0]
        self.key("Home", *["Down"] * number)

    def tab_to(self, name: str, key: str = "Tab") -> None:
        """Goes with Tab to what has this name."""
        for _ in range(30):
            if (here := self.look("keyboard()")) == name:
                return
            self.desktop.do("key", key)
            end = time.monotonic() + MOVING
            while self.look("keyboard()") == here and time.monotonic() < end:
                time.sleep(0.01)  # a second key before the first one is answered would pass over a stop
        raise AssertionError(f"Tab does not come to {name}; {self.shot()}")

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # what could not be written any more
                pipe.close()

    def close(self) -> None:
        """As a user does: the exit code has to be 0."""
        if not self.has_ended:
            self.desktop.do("key", "ctrl+q")
        try:
            assert self._process.wait(60) == 0
        finally:
            self.kill()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self.close()
        else:
            self.kill()


class Stage:
    """One desktop, and a program on it for test after test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.desktop = Desktop(1600, 1000, folder)
        self._program: Program | None = None

    def on(self, capture: Path, focus: str, layout: str = "inspect") -> Program:
        """The program at a place of a capture, its panels as they are at first."""
        if self._program is None or self._program.has_ended:
            self._program = Program(self.desktop, capture)
        program = self._program
        self.desktop.do("key", "Escape", "Escape")  # what an earlier test has left open
        program.look(f"begin({str(capture)!r}, {focus!r}, {layout!r})")
        program.until(f"capture.path.name == {capture.name!r} and focus() == {Focus.parse(focus).text()!r}")
        program.calm()
        program.look("been.clear()")
        return program

    def restart(self, capture: Path) -> None:
        """Quits the program as a user does, and starts it again."""
        if self._program is not None:
            self._program.close()
        self._program = Program(self.desktop, capture)

    def close(self) -> None:
        if self._program is not None:
            self._program.kill()
        self.desktop.close()
