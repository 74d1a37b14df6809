"""Markdown that may come from an untrusted file: no HTML, no images, no address is opened; places are links."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QTextBrowser

from ui.widgets.controls import spoken
from ui.widgets.plain import MOST, wrap

MARKS, MOST_MARKS = "\n#*+-_`[|&<~.)", 6_000
"""What may begin a piece of a page; with more of these, notes are shown as written: Qt needs the square of their number."""
FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_WHOLE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]*`|!?\[[^\[\]\n]*\]\([^()\n]*\))", re.S)
"""Code, and links: nothing in them becomes another link.  None begins within another, which would be looked at for each."""
_PLACE = re.compile(r"(?<![\w(\[#&=/])#(?:(\d+)\b|(event=\d+(?:&\w+=\w+(?:,\w+)*)*))")


class NotesView(QTextBrowser):
    """`followed(place)`: a link was chosen: `#event=812`, or an address, which nothing opens."""

    followed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        spoken(self, "Notes as a page")
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.document().setDocumentMargin(12)
        self.anchorClicked.connect(lambda url: self.followed.emit(url.toString()))

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Nothing, whatever it is: without an answer Qt would read the file itself."""
        nothing = QImage(1, 1, QImage.Format.Format_ARGB32)
        nothing.fill(0)
        return nothing

    def show_notes(self, text: str) -> None:
        """Shows other notes at the place where one reads."""
        bar = self.verticalScrollBar()
        at = bar.value()
        text = text[:MOST]
        wrap(self, text)
        if is_a_page(text):
            self.document().setMarkdown(linked(text), FEATURES)
        else:
            self.document().setPlainText(text)
        bar.setValue(min(at, bar.maximum()))


def is_a_page(text: str) -> bool:
    """Whether a page can be made of notes at once."""
    return sum(map(text.count, MARKS)) <= MOST_MARKS


def linked(text: str) -> str:
    """`#812` and `#event=812&pixel=4,5` become links outside code; pictures become links, too."""
    parts = _WHOLE.split(text)
    return "".join(_without_picture(part) if number % 2 else _with_links(part) for number, part in enumerate(parts))


def _without_picture(text: str) -> str:
    return f"\\{text}" if text.startswith("!") else text


def _with_links(text: str) -> str:
    return _PLACE.sub(lambda found: f"[{found[0]}](#{found[2] or f'event={found[1]}'})", text.replace("![", "\\!["))
