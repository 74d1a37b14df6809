"""Makes the animations of README.md from the program itself: `python -m tests.docs.animations`.

drawn.webp   a frame being drawn, primitive by primitive
click.webp   a click on a pixel, and what it explains, in the window
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

import ddi_inspector as ddi
from tests.conftest import ROOT

DOCS, ROOM = ROOT / "docs", ROOT / "resources" / "room.ddicap"
FRAME, PICTURES, WIDTH = 7, 72, 480
PIXEL = (318, 250)
SIZE, SHOWN = (1560, 960), 1040  # pixels of the window, and of its picture's width
POINTER = np.array([(0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12)])
Still = tuple[Image.Image, int]
"""A picture, and for how many milliseconds it is shown."""


def drawn() -> Iterator[Still]:
    """The built-in capture's last frame."""
    with ddi.open(ROOM) as capture:
        images = capture.ask(ddi.Drawn(FRAME, "primitive", PICTURES))
    for number, image in enumerate(images):
        small = Image.fromarray(image[..., :3]).resize((WIDTH, WIDTH * 3 // 4), Image.Resampling.LANCZOS)
        yield small, 1800 if number == len(images) - 1 else 70


def clicked() -> Iterator[Still]:
    """The window: the pointer comes, picks a pixel, and selects rows of its history."""
    from PySide6.QtWidgets import QApplication

    from inspector.focus import Focus
    from ui import style
    from ui.settings import Settings
    from ui.window import Window

    app = QApplication.instance() or QApplication(sys.argv[:1])
    settings = Settings()
    style.put_on(app, settings, "dark")
    window = Window(lambda path, progress: ddi.open(path, progress=progress), settings)
    window.remember = False
    window.resize(*SIZE)
    window.show()
    window.open(ROOM)
    _wait(app, lambda: window.loading.path is None and window.desk.capture is not None and not window.desk.ask.busy)
    capture: Any = window.desk.capture
    event = capture.frames[FRAME].last_event
    history: Any = window.docks.panels["history"]
    window.docks.bring("history")

    def look(focus: Focus) -> None:
        window.desk.focus.go_to(focus)
        _wait(app, lambda: not window.desk.ask.busy)

    look(Focus(event=event, surface=2))
    target = window.surface.view.mapTo(window, window.surface.view.place_of(*PIXEL))
    begin = np.array([window.width() - 260, window.height() - 90])
    for step in range(9):
        share = 1 - (1 - step / 8) ** 2
        at = begin + (np.array([target.x(), target.y()]) - begin) * share
        yield _grab(window, at), 900 if step == 0 else 60
    look(Focus(event=event, surface=2, pixel=PIXEL))
    at = np.array([target.x(), target.y()])
    yield _grab(window, at, pressed=True), 200
    yield _grab(window, at), 1800
    for row in range(history.table.model().rowCount()):
        history.table.selectRow(row)
        _wait(app, lambda: not window.desk.ask.busy)
        corner = history.table.viewport().mapTo(window, history.table.visualRect(history.table.model().index(row, 2)).center())
        yield _grab(window, np.array([corner.x(), corner.y()])), 1500
    window.close()


def _wait(app: Any, done: Callable[[], bool]) -> None:
    """Until that holds for a while; RuntimeError after two minutes."""
    calm, end = 0, time.monotonic() + 120
    while calm < 25:
        app.processEvents()
        time.sleep(0.02)
        calm = calm + 1 if done() else 0
        if time.monotonic() > end:
            raise RuntimeError("the window does not come to rest")


def _grab(window: Any, at: np.ndarray, pressed: bool = False) -> Image.Image:
    """The window with a pointer on it."""
    from PySide6.QtGui import QImage

    picture = window.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    pixels = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), picture.bytesPerLine())
    image = Image.fromarray(pixels[:, : picture.width() * 3].reshape(picture.height(), picture.width(), 3).copy())
    pen = ImageDraw.Draw(image)
    if pressed:
        pen.ellipse([*(at - 14), *(at + 14)], outline=(255, 160, 80), width=3)
    pen.polygon([tuple(point) for point in (POINTER + at).tolist()], fill=(255, 255, 255), outline=(0, 0, 0))
    return image.resize((SHOWN, round(image.height * SHOWN / image.width)), Image.Resampling.LANCZOS)


def save(path: Path, stills: list[Still], quality: int) -> None:
    """As WebP, over and over."""
    images, times = [still[0] for still in stills], [still[1] for still in stills]
    images[0].save(
        path,
        "WEBP",
        save_all=True,
        append_images=images[1:],
        duration=times,
        loop=0,
        quality=quality,
        method=5,
        allow_mixed=True,
    )
    print(f"{path}: {len(images)} images, {path.stat().st_size:,} bytes")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": folder}  # nobody's settings
        save(DOCS / "drawn.webp", list(drawn()), 72)
        save(DOCS / "click.webp", list(clicked()), 70)
    return 0


if __name__ == "__main__":
    sys.exit(main())
