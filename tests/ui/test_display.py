"""Without a display, or without what Qt needs: one sentence and exit code 2, before Qt is loaded."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from core.errors import BadInput
from tests.conftest import ROOT
from ui import display

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 and Wayland")
NAMES = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def start(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The window's program in a process of its own."""
    settings = {name: value for name, value in os.environ.items() if name not in NAMES} | {
        "PYTHONPATH": str(ROOT),
        **environment,
    }
    command = [sys.executable, "-c", "import sys, ddi_inspector; sys.exit(ddi_inspector.window())", *words]
    return subprocess.run(command, env=settings, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({}, "there is no display (DISPLAY and WAYLAND_DISPLAY are not set)"),
        ({"DISPLAY": ":987"}, "the display :987 does not answer"),
        ({"QT_QPA_PLATFORM": "xcb"}, "there is no display"),
        ({"WAYLAND_DISPLAY": "nobody"}, "there is no display"),
    ],
)
def test_without_a_display_one_sentence_and_code_2(environment: dict[str, str], says: str) -> None:
    done = start(**environment)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"ddi-inspector: cannot open the window: {says}") and done.stderr.count("\n") == 1


def test_the_command_says_the_same(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from inspector.cli import main

    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    assert main([str(ROOT / "resources" / "room.ddicap")]) == 2
    assert "there is no display" in capsys.readouterr().err


def test_a_missing_library_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(display, "loads", lambda name: name != "libxcb-cursor.so.0")
    monkeypatch.setattr(display.shutil, "which", lambda tool: f"/usr/bin/{tool}")
    with pytest.raises(BadInput, match=r"Qt needs libxcb-cursor\.so\.0; as root: apt-get install libxcb-cursor0$"):
        display.require_display()


def test_what_only_x11_needs_may_be_missing_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr(display, "loads", lambda name: not name.startswith("libxcb"))
    display.require_display()


def test_a_display_that_answers_will_do(tool, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    server = subprocess.Popen([tool("Xvfb"), "-displayfd", str(writing)], pass_fds=[writing], stderr=subprocess.DEVNULL)
    try:
        monkeypatch.setenv("DISPLAY", f":{os.read(reading, 9).decode().strip()}")
        monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
        display.require_display()
    finally:
        server.terminate()
        server.wait()
        os.close(reading)
        os.close(writing)
