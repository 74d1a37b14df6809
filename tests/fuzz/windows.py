"""The window itself: clicks, keys, drags, wheels, panels, commands, sizes, files, in any order, on captures of the resources.

By hand, `--blocks` prints what kept the GUI thread from everything else for more than 100 ms: `--seconds N --seed S --blocks`.
With DDI_FUZZ_CAPTURES=FOLDER in the environment the captures and traces of a folder are opened instead.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PySide6.QtCore import QSettings, Qt

import inspector
from tests.fuzz import filters, opened, sql, what_ifs
from tests.fuzz.inputs import Harness, main
from tests.fuzz.shown import BLOCK, application, shown
from tests.fuzz.words import TEXTS
from ui.docks import PANELS
from ui.settings import Settings

FOLDER = os.environ.get("DDI_FUZZ_CAPTURES")
CAPTURES = opened.CAPTURES if not FOLDER else {
    path.stem: path for path in sorted(Path(FOLDER).rglob("*")) if path.suffix in (".trace", ".ddicap")
}  # fmt: skip
NAMES = tuple(CAPTURES)
KEYS = [int(getattr(Qt.Key, f"Key_{name}")) for name in (
    "Left", "Right", "Up", "Down", "Home", "End", "PageUp", "PageDown", "Return", "Escape", "Tab", "Backtab", "Delete",
    "Backspace",
    "Space", "F1", "F2", "F3", "F5", "A", "B", "C", "D", "E", "F", "G", "H", "L", "N", "P", "R", "S", "V", "W", "Plus",
    "Minus", "0", "1",
    "Slash", "Question", "Comma", "Period",
)]  # fmt: skip
MODIFIERS = [0, 0, 0, *(int(getattr(Qt.KeyboardModifier, f"{name}Modifier").value) for name in ("Shift", "Control", "Alt"))]
LINKS = ("#event=812", "#event=-5&pixel=9,9", "#event=99999999999999", "#event=20&surface=depth",
         "#event=90&surface=9999999999999",
         "nonsense", "", "#event=40&vertex=3&step=2&primitive=1")  # fmt: skip
LONGEST_BLOCK = 0.25
"""Seconds of CPU of the GUI thread, twice in two runs of an input.  Those over shown.BLOCK: `--blocks`."""
LONGEST_BLOCK_IN_SUITE = 1.0
"""The same where a busy or slow machine runs the suite, which must not fail for that."""
SIZES = (200, 320, 600, 900, 1560, 2400)


def some_text(chooser: random.Random) -> str:
    found = chooser.choice([
        lambda: chooser.choice(filters.WORDS), lambda: "SELECT " + chooser.choice(sql.EXPRESSIONS) + " FROM events LIMIT 9",
        lambda: what_ifs.some_edit(chooser), lambda: str(chooser.randrange(3000)), lambda: chooser.choice(TEXTS[:-2]),
    ])()  # fmt: skip
    return "".join(letter for letter in found if 32 <= ord(letter) < 127)[:80]


def some_action(chooser: random.Random) -> list[Any]:
    top, x, y = chooser.randrange(6), round(chooser.random(), 3), round(chooser.random(), 3)
    button = chooser.choice(["left", "left", "left", "right", "middle"])
    return chooser.choice([
        lambda: ["click", top, x, y, button, chooser.choice(MODIFIERS)], lambda: ["click", top, x, y],
        lambda: ["click", top, x, y], lambda: ["double", top, x, y],
        lambda: ["drag", top, x, y, chooser.randrange(-400, 400), chooser.randrange(-400, 400), button],
        lambda: ["wheel", top, x, y, chooser.choice([-1200, -120, 120, 1200]), chooser.choice(MODIFIERS)],
        lambda: ["key", chooser.choice(KEYS), chooser.choice(MODIFIERS)], lambda: ["key", chooser.choice(KEYS), 0],
        lambda: ["type", some_text(chooser)], lambda: ["panel", chooser.choice(PANELS).name],
        lambda: ["panel", chooser.choice(PANELS).name], lambda: ["action", chooser.randrange(1000)],
        lambda: ["resize", chooser.choice(SIZES), chooser.choice(SIZES)] if chooser.random() < 0.3 else ["wait", 20],
        lambda: ["wait", chooser.choice([1, 20, 100])], lambda: ["settle"], lambda: ["clipboard", chooser.choice(LINKS)],
        lambda: ["open", chooser.choice(NAMES)] if chooser.random() < 0.2 else ["settle"],
    ])()  # fmt: skip


def make(chooser: random.Random) -> bytes:
    actions = [some_action(chooser) for _ in range(chooser.choice([10, 40, 80]))]
    return json.dumps([["open", chooser.choice(NAMES)], ["settle"], *actions]).encode()


def run(data: bytes, folder: Path) -> None:
    application()
    BLOCKS[:] = _blocks(data, folder)
    if _longest(BLOCKS) >= LONGEST_BLOCK:  # the first time modules are loaded, and a busy machine takes its share
        BLOCKS[:] = min(BLOCKS, _blocks(data, folder), key=_longest)
    assert _longest(BLOCKS) < LONGEST_BLOCK, f"the window stood still: {max(BLOCKS)}"


def _longest(blocks: list[tuple[float, str]]) -> float:
    return max((seconds for seconds, _ in blocks), default=0.0)


def _blocks(data: bytes, folder: Path) -> list[tuple[float, str]]:
    """Does in a window what the input says; the blocks of that."""
    with TemporaryDirectory(dir=folder) as own:
        here = Path(own)
        for name in {str(action[1]) for action in json.loads(data) if action[0] == "open"} & CAPTURES.keys():
            shutil.copyfile(CAPTURES[name], here / f"{name}{CAPTURES[name].suffix}")
        settings = Settings(QSettings(str(here / "settings.ini"), QSettings.Format.IniFormat))
        with shown(settings, lambda path, progress: inspector.open(path, progress=progress), here) as watched:
            for action in json.loads(data):
                watched.act(action)
        return list(watched.blocks)


BLOCKS: list[tuple[float, str]] = []
"""Of the input that was run last: seconds of CPU of the GUI thread, and what was done."""
HARNESS = Harness("windows", make, run, 2, seconds=120.0)


def print_blocks() -> None:
    """The blocks of some inputs, longest first."""
    first, count = (int(sys.argv[sys.argv.index(word) + 1]) for word in ("--seed", "--count"))
    found = []
    with TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            HARNESS.case(random.Random(seed), Path(folder))
            found += [(*block, seed) for block in BLOCKS]
    print(f"{count} inputs, {len(found)} blocks over {BLOCK:g} s")
    for seconds, doing, seed in sorted(found, reverse=True)[:20]:
        print(f"{seconds:6.2f} s  seed {seed}: {doing}")


if __name__ == "__main__":
    if "--blocks" in sys.argv:
        print_blocks()
    else:
        main(HARNESS)
