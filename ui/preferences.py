"""The settings dialog: a row for each option of ui.options, with the memory and disk space in use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from inspector.usage import cache_usage, empty_cache, process_memory
from ui import style
from ui.file_manager import show_in_folder
from ui.options import GROUPS, MEMORY, OPTIONS, Option
from ui.status import held_text
from ui.widgets.controls import Choice, label, spoken
from ui.widgets.plain import PlainLabel
from ui.widgets.step_box import StepBox

if TYPE_CHECKING:
    from ui.window import Window

WIDTH, HEIGHT = 640, 860
ABOUT_EMPTYING = "Deletes imported traces and what was computed from captures, which are made again when needed; bookmarks stay"
BEAT = 1000
"""Milliseconds from one look at what is used to the next."""


def show_settings(window: Window) -> Preferences:
    preferences = Preferences(window)
    preferences.open()
    return preferences


class Preferences(QDialog):
    """What is chosen counts at once, or when the row says."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self.setWindowTitle("Settings")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._window, self._settings = window, window.settings
        self.fields: dict[str, QWidget] = {}
        self._show: dict[str, Callable[[], None]] = {}
        page = QWidget()
        page.setObjectName("panel")
        self._form = QFormLayout(page)
        self._form.setHorizontalSpacing(18)
        self._form.setVerticalSpacing(7)
        self._form.setContentsMargins(18, 12, 18, 14)
        for group in GROUPS:
            self._add_group(group)
        scroll = QScrollArea()
        scroll.setWidget(page)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        box = QVBoxLayout(self)
        box.addWidget(scroll)
        box.addLayout(self._make_buttons())
        self.resize(min(WIDTH, window.width() - 40), min(HEIGHT, window.height() - 40))
        beat = QTimer(self)
        beat.timeout.connect(self._tell_use)
        beat.start(BEAT)
        self._tell_use()

    def _add_group(self, group: str) -> None:
        heading = PlainLabel(group)
        heading.setObjectName("heading")
        self._form.addRow(heading)
        for option in OPTIONS:
            if option.group == group:
                self._add(option)
        if group == MEMORY:
            self._add_use()

    def _add(self, option: Option) -> None:
        makes = self._make_number if not (option.choices or option.fonts) else self._make_choice
        field = makes(option)
        field.setToolTip(option.about or option.text)
        self.fields[option.name] = field
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(field)
        row.addWidget(label(option.when, "faint"))
        row.addStretch(1)
        self._form.addRow(PlainLabel(option.text), row)

    def _make_choice(self, option: Option) -> Choice:
        field = Choice(option.text)
        for value, text in option.choices or style.font_choices(option.fonts, self._settings.value(option.name)):
            field.addItem(text, value)
        self._show[option.name] = lambda: field.setCurrentIndex(field.findData(self._settings.value(option.name)))
        self._show[option.name]()
        field.activated.connect(lambda row: self._settings.put(option.name, field.itemData(row)))
        return field

    def _make_number(self, option: Option) -> StepBox:
        field = spoken(StepBox(), option.text)
        field.setRange(option.least, option.most)
        field.setSuffix(f" {option.unit}" if option.unit else "")
        field.setGroupSeparatorShown(True)
        field.setKeyboardTracking(False)
        field.setMinimumWidth(110)
        field.lineEdit().setTextMargins(6, 0, 2, 0)
        self._show[option.name] = lambda: field.setValue(self._settings.value(option.name))
        self._show[option.name]()
        field.valueChanged.connect(lambda value: self._settings.put(option.name, value))
        return field

    # What is used

    def _add_use(self) -> None:
        self.memory = PlainLabel()
        self.memory.setWordWrap(True)
        self._form.addRow(PlainLabel("Memory used now"), self.memory)
        self.cache = PlainLabel("…")
        self._form.addRow(PlainLabel("Cache on disk"), self.cache)
        self.opens, self.empties = QPushButton("Show the cache folder"), QPushButton("Empty the cache")
        self.opens.clicked.connect(lambda: show_in_folder(self._folder / "all"))
        self.empties.clicked.connect(lambda: self._ask_cache(empty_cache))
        self.empties.setToolTip(ABOUT_EMPTYING)
        row = QHBoxLayout()
        for button in (self.opens, self.empties):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch(1)
        self._form.addRow(PlainLabel(""), row)
        self._ask_cache(cache_usage)

    def _ask_cache(self, question: Callable[[], tuple[Path, dict[str, int]]]) -> None:
        """Away from the GUI thread: there are thousands of files."""
        for button in (self.opens, self.empties):
            button.setEnabled(False)
        self._window.desk.ask("settings", lambda _: question(), self._show_cache)

    def _show_cache(self, answer: tuple[Path, dict[str, int]]) -> None:
        if not isValid(self):
            return
        self._folder, sizes = answer
        self.cache.setText("\n".join(f"{size / 2**20:,.1f} MB  {what}" for what, size in sizes.items()))
        self.opens.setToolTip(str(self._folder))
        for button in (self.opens, self.empties):
            button.setEnabled(True)

    def _tell_use(self) -> None:
        capture = self._window.desk.capture
        parts = [held_text(capture)] if capture is not None else []
        whole = process_memory()
        parts += [f"whole program {whole / 2**20:,.0f} MB"] if whole else []
        self.memory.setText("\n".join(parts).replace("  ", "\n"))

    def _make_buttons(self) -> QHBoxLayout:
        keys = QPushButton("Keyboard shortcuts…")
        keys.clicked.connect(self._window.actions_by_name["keys"].trigger)
        usual = QPushButton("Restore defaults")
        usual.clicked.connect(self.restore)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        row = QHBoxLayout()
        for button in (keys, usual):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(close)
        return row

    def restore(self) -> None:
        """All options as they are at first."""
        for option in OPTIONS:
            self._settings.put(option.name, option.usual)
            self._show[option.name]()
