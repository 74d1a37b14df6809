"""Notes of captures: Markdown of strangers, and texts of values, as long and as odd as they may be; shown, edited, kept."""

from __future__ import annotations

import json
import random
from pathlib import Path

from PySide6.QtWidgets import QPlainTextEdit

from tests.fuzz.inputs import Harness, main
from tests.fuzz.shown import application
from tests.fuzz.words import TEXTS
from ui.widgets.notes_view import NotesView, linked
from ui.widgets.plain import put_text

PIECES = (
    "[", "![", "](", "[]", "[](", "[a](#event=1) ", "[a](file:///etc/passwd) ", "![a](http://a.b/c.png)", "#event=1&a=b,c",
    "#12", "&a=b", "`", "```", "``` ", ">", "> ", "\n> ", "*", "**", "_", "_a", "- ", "\n- a", "\n  - a", "1. ", "\n1. a",
    "\n# a", "\n\n", "\n", "~~", "<", "<img src='file:///a.png'>", "<a ", "&#1;", "&amp;", "|a|b|\n|-|-|\n|1|2|\n", "\n|a",
    "- [ ] a\n", "http://a.b/", "a", "word ", "\t", "\u200b", "\u0301", "\u202e", "[a]: b\n", "[a]", "\\", *TEXTS[:-2],
)  # fmt: skip
COUNTS = (1, 1, 2, 5, 40, 1000, 30_000, 200_000, 1_000_000)
LARGEST = 3_000_000


def make(chooser: random.Random) -> bytes:
    """[[piece, how often], ...]"""
    return json.dumps([[chooser.choice(PIECES), chooser.choice(COUNTS)] for _ in range(chooser.choice([1, 1, 2, 6]))]).encode()


def run(data: bytes, folder: Path) -> None:
    app = application()
    text = "".join(piece * min(count, LARGEST // max(len(piece), 1)) for piece, count in json.loads(data))
    linked(text)
    view, edit = NotesView(), QPlainTextEdit()
    for one in (view, edit):
        one.resize(500, 300)
        one.show()
    view.show_notes(text)
    put_text(edit, text)
    app.processEvents()
    for one in (view, edit):
        one.close()
        one.deleteLater()
    app.processEvents()


HARNESS = Harness("notes", make, run, 10, seconds=6.0)

if __name__ == "__main__":
    main(HARNESS)
