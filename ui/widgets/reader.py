"""A window with the manual: contents and search on the left, the page on the right."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import (
    QDesktopServices,
    QFont,
    QImage,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextTable,
    QTextTableCell,
)
from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidget, QListWidgetItem, QSplitter, QTextBrowser, QVBoxLayout, QWidget

from ui import style
from ui.pages import Found, Page, anchor, text_of
from ui.widgets.controls import Words, search_box, single_shot, spoken, tool

MARGIN = 28
HEADINGS = {1: 22, 2: 20, 3: 14}
"""Pixels above a heading, by its level."""
WIDEST = 980
"""Pixels of a picture; wider ones are made smaller."""
SHARE, LIST, FRAME, TITLE = 0.4, 150, 12, 36
"""Of a window that stands beside a capture: its share of the screen's width, pixels of its list, of its frame, of its title."""
REFIT = 120
"""Milliseconds after which pictures follow another width."""
LINK = Qt.ItemDataRole.UserRole
TURN = 0.03
"""Seconds of CPU for which a long page is laid out down to a heading without a look at what else there is to do."""


class PageView(QTextBrowser):
    """Shows one page of Markdown; pictures are fitted to its width."""

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self._above: Iterator[QTextBlock] = iter(())
        self._wanted: Sequence[QTextBlock] = ()
        """What is to be laid out until the heading that is wanted has its place; that heading, if any."""
        self._later = single_shot(self, 0, self._go_down)
        self._page: Path | None = None
        self._fitted = 0  # width for which the pictures were made
        self._refit = single_shot(self, REFIT, self._fit_pictures)

    def fit_pictures(self) -> None:
        """Makes pictures that fit another width, once it is known."""
        self._refit.start()

    def _fit_pictures(self) -> None:
        """Shows the page again; the same part of it stays in sight."""
        bar = self.verticalScrollBar()
        if self._page is None or self._fitted == self.viewport().width():
            return
        part = bar.value() / max(bar.maximum(), 1)
        self.show_page(self._page)
        bar.setValue(round(part * bar.maximum()))

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return None
        file = self.document().baseUrl().resolved(QUrl(name)).toLocalFile()
        image = QImage(file)
        room = min(max(self.viewport().width() - 2 * MARGIN - 10, 200), WIDEST)
        if image.width() > room:
            image = image.scaledToWidth(room, Qt.TransformationMode.SmoothTransformation)
        return image

    def show_page(self, path: Path, heading: str = "") -> None:
        """Shows a page from its start, or from a heading, given as links name it."""
        self._page, self._fitted = path, self.viewport().width()
        before, page = self.document(), QTextDocument(self)
        page.setUndoRedoEnabled(False)
        page.setDefaultFont(before.defaultFont())
        page.setDocumentMargin(MARGIN)
        page.setBaseUrl(QUrl.fromLocalFile(f"{path.parent}/"))
        page.setMarkdown(text_of(path))
        _dress_code(page)
        _dress_headings(page)
        _dress_tables(page)
        ours = before.parent() is self  # the empty one of the beginning ends by itself
        self.setDocument(page)  # whole: what is shown is laid out anew after every change
        if ours:
            before.deleteLater()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(0)
        found = _down_to(page, heading) if heading else ()
        self._above, self._wanted = iter(found), found[-1:]
        self._go_down()

    def _go_down(self) -> None:
        """Lays out the page down to the heading and shows that; the longest page takes a quarter of a second for it."""
        began, layout = time.thread_time(), self.document().documentLayout()
        for block in self._above:
            layout.blockBoundingRect(block)
            if time.thread_time() - began > TURN:
                self._later.start()
                return
        for heading in self._wanted:
            self.verticalScrollBar().setValue(int(layout.blockBoundingRect(heading).top()))


def _blocks(page: QTextDocument) -> Sequence[QTextBlock]:
    found, block = [], page.begin()
    while block.isValid():
        found.append(block)
        block = block.next()
    return found


def _down_to(page: QTextDocument, heading: str) -> Sequence[QTextBlock]:
    """The blocks of a page from the first one to a heading; none if it has no such heading."""
    found = _blocks(page)
    for place, block in enumerate(found):
        if block.blockFormat().headingLevel() and anchor(block.text()) == heading:
            return found[: place + 1]
    return ()


def _dress_code(page: QTextDocument) -> None:
    """Examples stand on another ground; their lines do not break."""
    for block in _blocks(page):
        form = block.blockFormat()
        if form.hasProperty(QTextFormat.Property.BlockCodeFence):
            form.setBackground(style.theme().color("sunken"))
            form.setLeftMargin(8)
            QTextCursor(block).setBlockFormat(form)


def _dress_headings(page: QTextDocument) -> None:
    """A heading is nearer to what it is of than to what was before."""
    for block in _blocks(page):
        form = block.blockFormat()
        if form.headingLevel():
            form.setTopMargin(0 if not block.previous().isValid() else HEADINGS.get(form.headingLevel(), 12))
            form.setBottomMargin(6)
            QTextCursor(block).setBlockFormat(form)


def _dress_tables(page: QTextDocument) -> None:
    """Thin lines, room around words."""
    for table in (frame for frame in page.rootFrame().childFrames() if isinstance(frame, QTextTable)):
        form = table.format().toTableFormat()
        form.setBorderCollapse(True)
        form.setBorder(1)
        form.setBorderBrush(style.theme().color("border"))
        form.setCellPadding(5)
        form.setTopMargin(8)
        form.setBottomMargin(10)
        table.setFormat(form)
        for column in range(table.columns()):
            cell = table.cellAt(0, column)
            look = cell.format()
            look.setBackground(style.theme().color("sunken"))
            cell.setFormat(look)
            _make_title(cell)


def _make_title(cell: QTextTableCell) -> None:
    cursor = cell.firstCursorPosition()
    while not cursor.block().text() and cursor.block() != cell.lastCursorPosition().block():
        cursor.deleteChar()  # Qt begins a table below an example with an empty line
    cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
    bold = QTextCharFormat()
    bold.setFontWeight(QFont.Weight.DemiBold)
    cursor.mergeCharFormat(bold)


class Reader(QDialog):
    """`opened(path)`: a link to a capture was followed."""

    opened = Signal(str)

    def __init__(self, parent: QWidget, contents: Sequence[Page], search: Callable[[str], list[Found]]) -> None:
        super().__init__(parent)
        self.setWindowTitle("Manual")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._contents, self._find = contents, search
        self._past: list[tuple[Path, str]] = []
        self._ahead: list[tuple[Path, str]] = []
        self.here: tuple[Path, str] | None = None
        self.view = spoken(PageView(), "Page")
        self.view.anchorClicked.connect(self.follow)
        self.words = search_box("Search the manual", "Search the manual", "Find lines that contain all of these words")
        self.words.textChanged.connect(self._fill)
        self.list = spoken(QListWidget(), "Pages")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemActivated.connect(self._choose)
        self.list.itemClicked.connect(self._choose)
        self.said = Words("")
        self.said.setObjectName("muted")
        self.back = tool("Back", "Back to the previous page (Alt+Left)", "back")
        self.forward = tool("Forward", "Forward again (Alt+Right)", "forward")
        self.back.setShortcut("Alt+Left")
        self.forward.setShortcut("Alt+Right")
        self.back.clicked.connect(lambda: self._step(self._past, self._ahead))
        self.forward.clicked.connect(lambda: self._step(self._ahead, self._past))
        self._lay_out()
        self._fill("")
        room = parent.size()
        self.resize(min(1180, room.width() - 40), min(860, room.height() - 40))

    def _lay_out(self) -> None:
        side, right = QWidget(), QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(8, 8, 0, 8)
        row = QHBoxLayout()
        row.addWidget(self.back)
        row.addWidget(self.forward)
        row.addWidget(self.words, 1)
        column.addLayout(row)
        column.addWidget(self.list, 1)
        page = QVBoxLayout(right)
        page.setContentsMargins(0, 8, 8, 8)
        page.addWidget(self.view, 1)
        page.addWidget(self.said)
        self.halves = QSplitter()
        self.halves.addWidget(side)
        self.halves.addWidget(right)
        self.halves.setStretchFactor(1, 1)
        self.halves.setSizes([270, 900])
        QHBoxLayout(self).addWidget(self.halves)

    def _fill(self, words: str) -> None:
        """The contents; with words to search for, the places that have them."""
        self.list.clear()
        if not words.strip():
            for page in self._contents:
                self._add(page.title, str(page.path))
            return
        found = self._find(words)
        for one in found:
            self._add(f"{one.line}\n{one.page.title}", one.link)
        self.said.setText(f"{len(found)} places" if len(found) != 1 else "1 place")

    def _add(self, text: str, link: str) -> None:
        item = QListWidgetItem(text)
        item.setData(LINK, link)
        item.setToolTip(text)
        self.list.addItem(item)

    def _choose(self, item: QListWidgetItem) -> None:
        path, _, heading = item.data(LINK).partition("#")
        self.go(Path(path), heading)

    def go(self, path: Path, heading: str = "") -> None:
        """Shows a page; what was shown before is one step back."""
        if self.here is not None and self.here != (path, heading):
            self._past.append(self.here)
            self._ahead.clear()
        self._show(path, heading)

    def _show(self, path: Path, heading: str) -> None:
        self.here = path, heading
        self.view.show_page(path, heading)
        if not self.words.text().strip():
            self.list.setCurrentRow(next((n for n, page in enumerate(self._contents) if page.path == path), -1))
        self.said.setText("" if text_of(path) else f"{path.name} is not part of this installation.")
        self.back.setEnabled(bool(self._past))
        self.forward.setEnabled(bool(self._ahead))

    def _step(self, come_from: list[tuple[Path, str]], leave_at: list[tuple[Path, str]]) -> None:
        if come_from and self.here is not None:
            leave_at.append(self.here)
            self._show(*come_from.pop())

    def step_aside(self) -> None:
        """Goes to the right end of the screen, and is narrow: what the page is about is to be seen beside it."""
        room = self.screen().availableGeometry()
        width, height = int(room.width() * SHARE), min(self.height(), room.height() - TITLE - FRAME)
        self.setGeometry(room.right() - width - FRAME, room.top() + TITLE, width, height)
        self.halves.setSizes([LIST, width - LIST])
        self.view.fit_pictures()

    def follow(self, url: QUrl) -> None:
        """A link on the page: another page, a capture, or an address for the browser."""
        if url.scheme() in ("http", "https", "mailto"):
            QDesktopServices.openUrl(url)
            return
        assert self.here is not None
        path = (self.here[0].parent / url.path()).resolve() if url.path() else self.here[0]
        if path.suffix == ".ddicap" and path.exists():
            self.step_aside()
            self.opened.emit(str(path))
        elif path.suffix == ".md" and path.exists():
            self.go(path, url.fragment())
        else:
            self.said.setText(f"{path.name} is in the source code only.")
