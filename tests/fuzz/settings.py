"""Settings: a file that a window has written, changed anywhere; read, and a window made of it that shows a capture."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QSettings

from tests.fuzz.inputs import Harness, main
from tests.fuzz.shown import application, shown
from tests.fuzz.words import NUMBERS, TEXTS, decoded, encoded, mutated
from tests.ui.fake import FakeCapture
from ui.settings import Settings
from ui.style import apply

LINES = (
    "theme=dark", "theme=\\x7", "theme=@Invalid()", "theme=@ByteArray(x)", "theme=1, 2", "keys={}",
    'keys="{\\"open\\": [\\"Ctrl+K\\"]}"',
    'keys="{\\"open\\": 5, \\"no\\": [[]]}"', 'keys="[]"', "keys=" + "[" * 900,
    'keys="{\\"back\\": [\\"\\", \\"Nonsense+Q\\", null]}"',
    "recent=@Invalid()", "recent=5", "recent=a, b, c", "recent=@Point(1 2)", "[geometry]", "[layout]", "3=@ByteArray()", "3=5",
    "3=@ByteArray(\\0\\0\\0\\xff\\0\\0\\0\\0\\xfd)", "3=@Rect(0 0 9 9)", "[%General]", "recent=" + "a/" * 2000,
)  # fmt: skip


@cache
def written() -> str:
    """What a window leaves behind."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "settings.ini")
        settings = store(path)
        with shown(settings, lambda path, progress: FakeCapture()) as watched:
            watched.open(path)
        settings.keys = {"open": ["Ctrl+K"]}
        settings.theme = "light"
        settings.add_recent(path)
        settings._store.sync()
        return path.read_text(encoding="utf-8")


def store(path: Path) -> Settings:
    path.touch()
    return Settings(QSettings(str(path), QSettings.Format.IniFormat))


def make(chooser: random.Random) -> bytes:
    application()
    lines = written().splitlines()
    for _ in range(chooser.choice([0, 1, 3])):
        lines.insert(chooser.randrange(len(lines) + 1), chooser.choice(LINES))
    text = "\n".join(lines)
    return encoded(mutated(text, chooser, (*LINES, *TEXTS, *NUMBERS)) if chooser.random() < 0.6 else text)


def run(data: bytes, folder: Path) -> None:
    app = application()
    path = folder / "settings.ini"
    path.write_bytes(encoded(decoded(data)))
    settings = store(path)
    assert isinstance(settings.theme, str) and isinstance(settings.keys, dict)
    assert all(isinstance(name, str) for name in settings.recent)
    apply(app, settings.theme)
    with shown(settings, lambda path, progress: FakeCapture()) as watched:
        watched.open(path)
        watched.act(["panel", "state"])
    apply(app, "dark")


HARNESS = Harness("settings", make, run, 3, seconds=20.0)

if __name__ == "__main__":
    main(HARNESS)
