"""Makes the pictures of the pages from the program itself: `python -m tests.docs.pictures [NAME...]`.

Of each lesson: the frame with and without its bug, side by side, and the window where the page leaves it.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

import ddi_inspector as ddi
from resources.lessons.make import FOLDER, LESSONS, make
from tests.conftest import ROOT

DOCS = ROOT / "docs"
VIEWS = {
    "blend-factor": ("#event=582&surface=2&pixel=185,110", "history"),
    "alpha-test": ("#event=568&surface=2&pixel=160,150", "history"),
    "z-fighting": ("#event=615&surface=2&pixel=120,110", "history"),
    "unset-stage": ("#event=547&surface=2&pixel=240,110", "resources"),
    "wrong-fvf": ("#event=532&surface=2&pixel=160,120", "vertices"),
    "stale-target": ("#event=743&surface=2&pixel=230,100", "resources"),
    "bad-palette": ("#event=572&surface=2&pixel=190,190", "resources"),
    "fog": ("#event=591&surface=2&pixel=160,210", "history"),
    "missing-level": ("#event=514&surface=2&pixel=160,154", "history"),
    "driver": ("#event=447&surface=2", "findings"),
}
"""Where the steps of a lesson end, and the panel to look at."""
QUALITY = {"pair": 88, "window": 75}


def frame(path: Path) -> np.ndarray:
    """The last frame, uint8[h, w, 3]."""
    with ddi.open(path) as capture:
        return capture.image(capture.frames[-1].last_event, "back_buffer")[..., :3]


def pair(name: str) -> bytes:
    """With the bug, and without."""
    with tempfile.TemporaryDirectory() as folder:
        sides = [frame(FOLDER / f"{name}.ddicap"), frame(make(name, Path(folder), broken=False))]
    gap = np.full((sides[0].shape[0], 8, 3), 255, np.uint8)
    file = io.BytesIO()
    Image.fromarray(np.concatenate([sides[0], gap, sides[1]], 1)).save(file, "WEBP", quality=QUALITY["pair"])
    return file.getvalue()


def window(name: str) -> bytes:
    """The window at the place of VIEWS."""
    focus, panel = VIEWS[name]
    with tempfile.TemporaryDirectory() as folder:
        shot = Path(folder) / "window.png"
        words = ["open", str(FOLDER / f"{name}.ddicap"), "--focus", focus, "--panel", panel, "--theme", "dark"]
        command = [sys.executable, "-m", "inspector.cli", *words, "--screenshot", str(shot)]
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": folder}  # nobody's settings
        subprocess.run(command, cwd=ROOT, env=environment, check=True, stderr=subprocess.DEVNULL)
        file = io.BytesIO()
        with Image.open(shot) as image:
            image.convert("RGB").save(file, "WEBP", quality=QUALITY["window"], method=6)
    return file.getvalue()


def main(names: list[str]) -> int:
    for name in names or LESSONS:
        for suffix, picture in (("", pair(name)), ("-window", window(name))):
            path = DOCS / "lessons" / f"{name}{suffix}.webp"
            path.write_bytes(picture)
            print(f"{path}: {len(picture):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
