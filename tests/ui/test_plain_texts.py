"""A capture whose every text is HTML: no label, tooltip or message takes it for that."""

from __future__ import annotations

import importlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import Qt as Gui
from PySide6.QtWidgets import QAbstractItemView, QLabel, QWidget

import inspector
from core.ddi.calls import DdiCall
from inspector.tape import Tape, TapeWriter
from tests.inspector.conftest import ROOM
from tests.ui.conftest import settle
from ui.window import Window
from ui.words import tip

EVIL = '<img src="file:///etc/evil.png"><b>bold</b>'


def evil_copy(path: Path) -> Path:
    """The built-in capture with a name, a notice, words and labels that are HTML."""
    with Tape(ROOM) as tape, TapeWriter(path, durable=False) as writer:
        writer.take_over(tape)
        for call in tape.calls:
            args = {
                name: EVIL if name in ("label", "memory") and value != "primary" else value for name, value in call.args.items()
            }
            writer.append(DdiCall(call.entry, args, call.data, call.result, call.out, call.source))
        writer.append(DdiCall(EVIL, {EVIL: EVIL}))
        writer.add_finding(3, "bad-argument", EVIL)
        writer.add_annotation("event=5", EVIL, EVIL)
        writer.set_meta(
            trace_properties={"process.name": EVIL}, source_file=EVIL, adapters=[{"description": EVIL, "driver": EVIL}]
        )
        writer.add_notice(f"A notice {EVIL} " + "long " * 200)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(
            "UPDATE signature SET name = name || ?, members = replace(members, 'State', ?)", (EVIL, EVIL.replace('"', "'"))
        )
    return path


@pytest.fixture
def evil(qtbot: Any, make_window: Callable[..., Window], tmp_path: Path) -> Window:
    importlib.import_module("inspector.capture")
    window = make_window(lambda path, progress: inspector.open(path, progress))
    window.open(evil_copy(tmp_path / "evil<b>name.ddicap"))
    qtbot.waitUntil(lambda: window.loading.path is None, timeout=300_000)
    qtbot.waitUntil(lambda: not window.desk.ask.busy, timeout=60_000)
    return window


def cells(model: QAbstractItemModel, parent: QModelIndex, most: int = 400) -> Iterator[QModelIndex]:
    """Of lists, tables and trees; PySide hides what of the first two is always the same."""
    for row in range(min(model.rowCount(parent), most)):
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)):
            index = model.index(row, column, parent)
            yield index
            if column == 0 and not isinstance(model, (QAbstractListModel, QAbstractTableModel)):
                yield from cells(model, index, most)


def rich(text: Any) -> bool:
    return isinstance(text, str) and "<img" in text and Gui.mightBeRichText(text)


def complaints(root: QWidget) -> Iterator[str]:
    """Of it and of all that is in it."""
    for widget in [root, *root.findChildren(QWidget)]:
        name = f"{type(widget).__name__} {widget.objectName()} {widget.accessibleName()}"
        if rich(widget.toolTip()):
            yield f"{name}: tooltip {widget.toolTip()}"
        if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText and rich(widget.text()):
            yield f"{name}: {widget.text()}"
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            for index in cells(widget.model(), widget.rootIndex()):
                if rich(index.data(Qt.ItemDataRole.ToolTipRole)):
                    yield f"{name}: tooltip of a cell {index.data(Qt.ItemDataRole.ToolTipRole)}"


def texts(root: QWidget) -> Iterator[str]:
    for widget in root.findChildren(QWidget):
        if isinstance(widget, QLabel):
            yield widget.text()
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from (str(index.data()) for index in cells(widget.model(), widget.rootIndex()))


def test_texts_of_a_capture_are_text_wherever_they_are_shown(qtbot: Any, evil: Window) -> None:
    capture = evil.desk.capture
    assert evil.banner.isVisible() and EVIL in evil.banner.text
    seen = 0
    last = len(capture.events) - 1
    for event in (last, int(capture.draws[3]), 3, int(capture.draws[40])):
        evil.desk.focus.go(event=event)
        for name in evil.docks.panels:
            evil.docks.bring(name)
            settle(qtbot, evil)
            shown = evil.docks.docks[name]  # those behind it ask nothing
            assert not list(complaints(shown)), (event, name)
            seen += sum("img src" in text for text in texts(shown))
        assert not list(complaints(evil)), event
    assert seen > 20


@pytest.mark.parametrize("text", [EVIL, "a < b", "&lt;img&gt;", "<!-- x", "<qt>", "plain", "", "line\nline"])
def test_a_tooltip_shows_the_text(text: str) -> None:
    from PySide6.QtGui import QTextDocument

    shown = tip(text)
    if not Gui.mightBeRichText(shown):
        assert shown == text
        return
    document = QTextDocument()
    document.setHtml(shown)
    assert document.toPlainText() == text
