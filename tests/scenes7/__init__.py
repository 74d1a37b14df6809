"""The zoo of ddraw.dll: small programs that make every call of DirectDraw and Direct3D 7, 6 and 5, and what must be seen.

    for scene in all_scenes():
        stage = record(scene, path)  # a .ddicap; the surfaces and pictures that must be in it: stage.seen

kit        a scene, the stage it plays on, pictures
surfaces   surfaces of every kind, by every version of their interface
blits      Blt, BltFast and Flip: every flag
device7    IDirect3DDevice7
older      IDirect3DDevice3 and 2
silent     calls that change nothing, in every version

A scene is a function of a `Stage`: `@scene("blits/mirror")`.  What it calls is noted, and test_scenes7.py fails for a method,
flag, kind of surface or token without a scene.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from inspector.imports.scripts import record_directdraw
from tests.scenes7.kit import SCENES, Scene, Stage

SUBJECTS = ("surfaces", "blits", "device7", "older", "silent")


def all_scenes() -> list[Scene]:
    """Every scene."""
    for subject in SUBJECTS:
        importlib.import_module(f"tests.scenes7.{subject}")
    return list(SCENES.values())


def record(scene: Scene, path: Path) -> Stage:
    """Plays a scene into a `.ddicap`."""
    path.unlink(missing_ok=True)
    with record_directdraw(path, title=scene.name) as draw:
        stage = Stage(draw)
        scene.play(stage)
    return stage
