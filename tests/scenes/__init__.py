"""The zoo: one small capture for everything the driver interface has, and what must be seen of it.

    for scene in all_scenes():                  # a few hundred, some milliseconds each
        with opened(scene, folder) as capture:  # a .ddicap, opened like any other
            ...

README.md says how scenes are written, and why they stand in tables by subject.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import inspector
from inspector.tape import TapeWriter
from tests.scenes.kit import SCENES, Scene, Seen

SUBJECTS = (
    "tokens", "later_tokens", "entries", "states", "drawing_states", "texture_states", "formats", "patches", "state_uses",
    "samples", "dxgi", "shaders", "interface", "rules",
)  # fmt: skip


def all_scenes(*subjects: str) -> list[Scene]:
    """Every scene, or those of some subjects."""
    for subject in SUBJECTS:
        importlib.import_module(f"tests.scenes.{subject}")
    return [scene for scene in SCENES.values() if not subjects or scene.name.split("/")[0] in subjects]


def record(scene: Scene, path: Path) -> Seen:
    """Writes a scene as a `.ddicap`; what must be seen of it."""
    with TapeWriter(path, {"title": scene.name}, durable=False) as writer:
        played = scene.record(writer)
    return played.seen


@contextmanager
def opened(scene: Scene, folder: Path) -> Iterator[inspector.Capture]:
    """A scene as an open capture."""
    path = folder / (scene.name.replace("/", "-").replace(" ", "_") + ".ddicap")
    record(scene, path)
    with inspector.open(path) as capture:
        yield capture
