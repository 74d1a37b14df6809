"""A tour of the window, panel by panel: `python -m tests.ui.tour FOLDER [LOOK...]` writes a picture of each for each look.

The same font (tests/ui/goldens), the offscreen platform and nobody's settings: the pictures differ only when the window does.
tests/ui/test_goldens.py compares them with those that were accepted: `python -m tests.ui.tour tests/ui/goldens` accepts anew,
after one has looked at all of them, and puts those of PAGES into the manual.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
GOLDENS = Path(__file__).parent / "goldens"
MOST = 60_000
"""Bytes of a picture without loss."""
PATIENCE, CALM = 120.0, 8
"""Seconds; looks at a window that is calm, one after another, until it is believed."""


@dataclass(frozen=True)
class Look:
    """A size of the window in pixels of the screen, a scale in per cent, a theme."""

    width: int
    height: int
    scale: int
    theme: str


LOOKS = {
    "small-dark": Look(1280, 720, 100, "dark"),
    "small-light": Look(1280, 720, 100, "light"),
    "large-dark": Look(1920, 1080, 100, "dark"),
    "large-light": Look(1920, 1080, 100, "light"),
    "scaled-dark": Look(1920, 1080, 150, "dark"),
    "scaled-light": Look(1920, 1080, 150, "light"),
    "scaled-contrast": Look(1920, 1080, 150, "contrast"),
}


@dataclass(frozen=True)
class Stop:
    """A panel, or the whole window (""), on a sample at a place; does: what one does there first."""

    panel: str
    sample: str
    focus: str
    does: Callable[[Any], object] = lambda window: None


def _origins(window: Any) -> None:
    window.docks.panels["stepping"].choose(True)
    window.docks.panels["stepping"].show_origins("diffuse")


def _overlays(window: Any) -> None:
    window.surface.key.set_open(True)  # in a small image it is folded at first
    window.surface.set_overlay("last_writer")


def _compare(window: Any) -> None:
    panel = window.docks.panels["comparison"]
    panel.a.setText("frame 2")
    panel.b.setText("frame 3")
    panel.compare()
    wait(lambda: panel.found is not None)


def _query(window: Any) -> None:
    panel = window.docks.panels["query"]
    panel.edit.setPlainText("SELECT frame, count(*) AS draws FROM draws GROUP BY frame")
    panel.run()


def _without_draw(window: Any) -> None:
    window.docks.panels["what-if"].add("disable 697")


def _still(window: Any) -> None:
    for changing in (window.status.memory, window.status.ahead):  # with the machine and the hour
        changing.setMaximumWidth(0)


def _sheet(window: Any) -> None:
    window.surface.views.choose("sheet")


PAGES = {
    "history": "pixel-history.md", "steps": "stepping.md", "state": "state.md", "vertices": "vertices.md",
    "buffers": "buffers.md", "surface": "surfaces.md", "comparison": "comparison.md", "what-if": "what-if.md",
    "statistics": "statistics.md",
}  # fmt: skip
"""Stop -> the page of the manual that shows it, as it was accepted in PUBLISHED."""
PUBLISHED, PICTURES = "small-dark", ROOT / "docs" / "panels"
BLT = "#event=425&pixel=120,175"
ROOM = "#event=697&pixel=250,246"
STOPS = {
    "window": Stop("", "room", "#event=781&pixel=250,246", _still),
    "timeline": Stop("timeline", "room", ROOM),
    "events": Stop("events", "room", ROOM),
    "token": Stop("token", "room", ROOM),
    "surface": Stop("surface", "room", "#event=781&pixel=250,246"),
    "overlay": Stop("surface", "room", "#event=781", _overlays),
    "blt": Stop("surface", "direct3d-7", BLT),
    "blt-calls": Stop("calls", "direct3d-7", BLT),
    "sheet": Stop("surface", "reflections", "#event=2860&surface=5", _sheet),
    "state": Stop("state", "room", ROOM),
    "vertices": Stop("vertices", "room", ROOM),
    "resources": Stop("resources", "room", ROOM),
    "buffers": Stop("buffers", "room", ROOM),
    "inspector": Stop("inspector", "room", ROOM),
    "calls": Stop("calls", "room", ROOM),
    "findings": Stop("findings", "broken-rules", "#event=400"),
    "steps": Stop("stepping", "room", ROOM),
    "origins": Stop("stepping", "room", ROOM, _origins),
    "history": Stop("history", "room", ROOM),
    "statistics": Stop("statistics", "room", ROOM),
    "bookmarks": Stop("bookmarks", "tests-and-blending", "#event=400"),
    "notes": Stop("notes", "room", ROOM),
    "driver": Stop("driver", "dxgi-presentation", "#event=40"),
    "query": Stop("query", "room", ROOM, _query),
    "console": Stop("console", "room", ROOM),
    "verify": Stop("verify", "room", ROOM),
    "comparison": Stop("comparison", "room", ROOM, _compare),
    "what-if": Stop("what-if", "room", ROOM, _without_draw),
}


def draw(folder: Path, name: str) -> None:
    """Writes FOLDER/NAME/STOP.webp for every stop, in a process of its own: Qt reads scales when it starts."""
    look = LOOKS[name]
    run("tests.ui.tour", look.scale, str(folder), name)
    for stop in STOPS if name != PUBLISHED else STOPS.keys() - PAGES:
        make_small(folder / name / f"{stop}.webp")


def run(module: str, scale: int, *words: str) -> None:
    """A tour's module with "--here" and these words, in a process of its own with nobody's settings."""
    with tempfile.TemporaryDirectory() as config:
        environment = {
            **os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": config, "QT_SCALE_FACTOR": str(scale / 100),
            "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        subprocess.run([sys.executable, "-m", module, "--here", *words], cwd=ROOT, env=environment, check=True)


def publish() -> None:
    """Puts what was accepted into the manual: its pictures are never of an older window."""
    for stop in PAGES:
        shutil.copyfile(GOLDENS / PUBLISHED / f"{stop}.webp", PICTURES / f"{stop}.webp")


def take(folder: Path, look: Look, stops: Mapping[str, Stop], paths: Mapping[str, Path] = {}) -> None:
    """Writes FOLDER/STOP.webp for every stop; paths: more captures by name than the samples."""
    from PySide6.QtCore import QSettings
    from PySide6.QtGui import QFontDatabase
    from PySide6.QtWidgets import QApplication

    import inspector
    from ui import style
    from ui.settings import Settings
    from ui.window import Window

    app = QApplication(sys.argv[:1])
    for font in sorted(GOLDENS.glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(font))
    style.UI_FONTS, style.MONO_FONTS = ("Tour Sans",), ("Tour Mono",)
    with tempfile.TemporaryDirectory() as kept:
        settings = Settings(QSettings(f"{kept}/tour.ini", QSettings.Format.IniFormat))
        style.put_on(app, settings, look.theme)
        window = Window(lambda path, progress: inspector.open(path, progress=progress), settings)
        window.remember = False
        window.resize(look.width * 100 // look.scale, look.height * 100 // look.scale)
        window.show()
        folder.mkdir(parents=True, exist_ok=True)
        for name, stop in stops.items():
            _come_to(window, stop, paths)
            (folder / f"{name}.webp").write_bytes(_webp((window.docks.panels[stop.panel] if stop.panel else window).grab()))
        window.close()


def _webp(grabbed: Any) -> bytes:
    """Lossless."""
    from PIL import Image
    from PySide6.QtGui import QImage

    made = grabbed.toImage().convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(made.constBits(), np.uint8).reshape(made.height(), made.bytesPerLine())
    file = io.BytesIO()
    pixels = rows[:, : made.width() * 3].reshape(made.height(), made.width(), 3)
    Image.fromarray(np.ascontiguousarray(pixels)).save(file, "WEBP", lossless=True, method=6)
    return file.getvalue()


def make_small(path: Path) -> None:
    """Pictures of what programs draw take ten times the bytes of words."""
    from PIL import Image

    if path.stat().st_size > MOST:
        Image.open(path).convert("RGB").save(path, "WEBP", quality=85, method=6)


def _come_to(window: Any, stop: Stop, more: Mapping[str, Path]) -> None:
    from inspector.focus import Focus
    from inspector.samples import built_in_capture, sample_captures

    paths = {path.stem: path for _, path in sample_captures()} | {"room": built_in_capture(), **more}
    path, focus = paths[stop.sample], Focus.parse(stop.focus)
    capture = window.desk.capture
    if capture is None or capture.path != path:
        window.open(path, focus)
        _calm(window)
    window.arranging.use("inspect")
    window.surface.set_overlay("")
    window.surface.views.choose("image")
    window.desk.focus.go_to(focus)
    if stop.panel:
        window.docks.bring(stop.panel)
    _calm(window)
    stop.does(window)
    _calm(window)


def _calm(window: Any) -> None:
    """Until nothing has been asked for a while."""
    calm = 0

    def is_calm() -> bool:
        nonlocal calm
        busy = window.desk.ask.busy or window.loading.path is not None or window.desk.capture is None
        busy = busy or window.docks.panels.under_way
        calm = 0 if busy else calm + 1
        return calm >= CALM

    wait(is_calm)


def wait(done: Callable[[], bool]) -> None:
    """RuntimeError after a while."""
    from PySide6.QtWidgets import QApplication

    end = time.monotonic() + PATIENCE
    while not done():
        QApplication.processEvents()
        time.sleep(0.03)
        if time.monotonic() > end:
            raise RuntimeError("the window does not come to rest")


def main(words: list[str]) -> int:
    if words[0] == "--here":
        take(Path(words[1]) / words[2], LOOKS[words[2]], STOPS)
        return 0
    for name in words[1:] or LOOKS:
        draw(Path(words[0]), name)
        if name == PUBLISHED and Path(words[0]).resolve() == GOLDENS.resolve():
            publish()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
