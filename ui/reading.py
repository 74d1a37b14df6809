"""The manual in the window: Shift+F1 shows the page on the panel that has keyboard focus."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ui.pages import DOCS, MANUAL, OF_PANELS, contents, search
from ui.widgets.reader import Reader

if TYPE_CHECKING:
    from ui.window import Window


def show_manual(window: Window) -> Reader:
    """The page on the panel that has the keyboard."""
    current = window.docks.current()
    page, _, heading = OF_PANELS.get(current or "", "").partition("#")
    return show_page(window, DOCS / page if page else MANUAL, heading)


def show_page(window: Window, path: Path, heading: str = "") -> Reader:
    """A page in the reader, which stays open beside the window."""
    reader = window.findChild(Reader)
    if reader is None:
        reader = Reader(window, contents(), search)
        reader.opened.connect(partial(_open, window))
    reader.show()
    reader.raise_()
    reader.go(path, heading)
    return reader


def _open(window: Window, capture: str) -> None:
    """The window gets the keyboard: the next step of a lesson is a key in it."""
    window.activateWindow()
    window.open(Path(capture))
