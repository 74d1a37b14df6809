"""The start page: recent captures with their last places, samples with a sentence each, pages of the manual."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from core.errors import DdiInspectorError
from inspector.samples import sample_captures, sentence_about
from inspector.tape.reader import Tape
from ui.file_manager import show_in_folder
from ui.files import in_short
from ui.pages import LESSONS, MANUAL, NEWS
from ui.reading import show_page
from ui.session import Left
from ui.widgets.welcome import Card

if TYPE_CHECKING:
    from ui.window import Window

FILES = {"manual": MANUAL, "lessons": LESSONS, "new": NEWS}


def wire(window: Window) -> None:
    """What the buttons and cards of the start page do."""
    page = window.welcome
    page.opened.connect(lambda path: _open(window, Path(path)))
    page.forgotten.connect(lambda path: _forget(window, Path(path)))
    page.sought.connect(lambda path: show_in_folder(Path(path)))
    page.browsed.connect(window.browse)
    page.wanted.connect(lambda name: window.actions_by_name[name].trigger())
    page.asked.connect(lambda name: read(window, name))


def fill(window: Window) -> None:
    """Fills the start page."""
    page = window.welcome
    page.set_recent([recent(window, path) for path in map(Path, window.settings.recent)])
    if not page.samples.count():
        page.set_samples(list(samples()))
    page.set_pages(name for name, path in FILES.items() if path.exists())
    page.record_button.setVisible("record" in window.actions_by_name)


def _open(window: Window, path: Path) -> None:
    """Goes on with a capture; one that is no longer there leaves the list."""
    window.go_on(path)
    if not path.exists():
        fill(window)


def _forget(window: Window, path: Path) -> None:
    window.settings.forget_recent(path)
    fill(window)


def recent(window: Window, path: Path) -> Card:
    """A capture as it was left; without a picture of that, with the one that it brings along."""
    left = Left.read(window.settings.left(path))
    about = f"{left.about}\n" if left.about else ""
    picture = QImage(left.picture) if left.picture else None
    if (picture is None or picture.isNull()) and path.suffix == ".ddicap":
        picture = _picture(path)
    return Card(str(path), path.name, f"{about}{in_short(path.parent)}", picture)


def samples() -> Iterator[Card]:
    for title, path in sample_captures():
        yield Card(str(path), title, sentence_about(path), _picture(path))


def _picture(path: Path) -> QImage | None:
    """The picture that a capture brings along."""
    try:
        with Tape(path) as tape:
            png = tape.thumbnail
    except (DdiInspectorError, OSError):
        return None
    return QImage.fromData(png) if png else None


def read(window: Window, name: str) -> None:
    """Shows a page."""
    show_page(window, FILES[name])
