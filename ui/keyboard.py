"""The dialog of all keys, by group: to look up, and to change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

from ui import style
from ui.keys.commands import ABOUT_PRESETS, BY_NAME, COMMANDS, GROUPS, PRESETS
from ui.keys.keymap import KEYS
from ui.widgets.controls import Choice, label, search_box, spoken

if TYPE_CHECKING:
    from ui.window import Window

WIDTH, HEIGHT = 620, 640
OWN = "Custom"
SELECT = "Select a command to change its keys."


def show_keys(window: Window) -> Keyboard:
    keyboard = Keyboard(window)
    keyboard.open()
    return keyboard


class Keyboard(QDialog):
    """Choose a command, press its new keys, Assign: what had them before loses them, and is named first."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self.setWindowTitle("Keyboard shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.edit = search_box("Find a command or a key", "Find: next draw, Ctrl+G, …")
        self.preset = Choice("Keys as in another debugger")
        self.tree = self._make_tree()
        self.about = label(SELECT)
        self.about.setWordWrap(True)
        self.keys = spoken(QKeySequenceEdit(), "New keys")
        self.keys.setMaximumSequenceLength(1)
        self.keys.setClearButtonEnabled(True)
        self.assign, self.add, self.reset, self.undo = map(QPushButton, ("Assign", "Add", "Restore default", "Undo"))
        self._past: list[dict[str, tuple[str, ...]]] = []
        self._own = dict(KEYS.own)
        self._lay_out()
        self.edit.textChanged.connect(lambda _: self._filter())
        self.tree.currentItemChanged.connect(lambda *_: self._chosen())
        self.keys.keySequenceChanged.connect(lambda _: self._show_choice())
        self.assign.clicked.connect(lambda: self._change(()))
        self.add.clicked.connect(lambda: self._change(KEYS.of(self.name)))
        self.reset.clicked.connect(lambda: KEYS.reset(self.name))
        self.undo.clicked.connect(self._go_back)
        self.preset.activated.connect(self._use_preset)
        KEYS.changed.connect(self._note)
        KEYS.changed.connect(self._show_keys)
        self.resize(min(WIDTH, window.width() - 40), min(HEIGHT, window.height() - 40))
        self._show_keys()
        self._chosen()

    def _make_tree(self) -> QTreeWidget:
        tree = spoken(QTreeWidget(), "Commands and their keys")
        tree.setHeaderLabels(["Command", "Keys"])
        tree.setUniformRowHeights(True)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        tree.header().setStretchLastSection(False)
        self._items: dict[str, QTreeWidgetItem] = {}
        for group in GROUPS:
            head = QTreeWidgetItem(tree, [group])
            head.setFirstColumnSpanned(True)
            head.setFlags(Qt.ItemFlag.ItemIsEnabled)
            font = head.font(0)
            font.setBold(True)
            head.setFont(0, font)
            for command in COMMANDS:
                if command.group == group:
                    self._items[command.name] = item = QTreeWidgetItem(head, [command.words])
                    item.setData(0, Qt.ItemDataRole.UserRole, command.name)
        tree.expandAll()
        return tree

    def _lay_out(self) -> None:
        top, bottom, box = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        top.addWidget(self.edit, 1)
        top.addWidget(label("Keys as in"))
        top.addWidget(self.preset)
        bottom.addWidget(self.keys, 1)
        for button in (self.assign, self.add, self.reset, self.undo):
            button.setAutoDefault(False)
            bottom.addWidget(button)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        box.addLayout(top)
        box.addWidget(self.tree, 1)
        box.addWidget(self.about)
        box.addLayout(bottom)
        box.addWidget(close)
        self.edit.setFocus()

    @property
    def name(self) -> str:
        """The chosen command; "" for none."""
        item = self.tree.currentItem()
        return (item.data(0, Qt.ItemDataRole.UserRole) or "") if item else ""

    @property
    def pressed(self) -> str:
        """The new keys, as tables write them."""
        return self.keys.keySequence().toString(QKeySequence.SequenceFormat.PortableText)

    def _show_keys(self) -> None:
        """The keys of all commands as they are now; those of the user's own stand out."""
        theme = style.theme()
        for name, item in self._items.items():
            item.setText(1, KEYS.text(name))
            item.setForeground(1, theme.color("muted" if BY_NAME[name].fixed else "link" if name in KEYS.own else "text"))
        self.preset.clear()
        self.preset.addItems([*PRESETS, *([] if KEYS.preset else [OWN])])
        self.preset.setCurrentText(KEYS.preset or OWN)
        self.preset.setToolTip(_about_preset(self.preset.currentText()))
        self._show_choice()

    def _note(self) -> None:
        """Keeps the keys of before a change, for Undo."""
        if KEYS.own != self._own:
            self._past.append(self._own)
            self._own = dict(KEYS.own)

    def _go_back(self) -> None:
        """Undoes the last change of this dialog: what another command had lost is its own again."""
        self._own = self._past.pop()
        KEYS.load(self._own)

    def _use_preset(self, _: int) -> None:
        if self.preset.currentText() in PRESETS:
            KEYS.use(self.preset.currentText())
            self.about.setText(_about_preset(self.preset.currentText()))

    def _filter(self) -> None:
        words = self.edit.text().casefold().split()
        for name, item in self._items.items():
            text = f"{BY_NAME[name].group} {BY_NAME[name].words} {item.text(1)}".casefold()
            item.setHidden(not all(word in text for word in words))
        for row in range(self.tree.topLevelItemCount()):
            head = self.tree.topLevelItem(row)
            assert head is not None
            head.setHidden(all(item.isHidden() for item in self._items.values() if item.parent() is head))

    def _chosen(self) -> None:
        self.keys.clear()
        self._show_choice()

    def _show_choice(self) -> None:
        """What the buttons would do."""
        name, pressed = self.name, self.pressed
        changeable = bool(name) and not BY_NAME[name].fixed
        self.keys.setEnabled(changeable)
        self.reset.setEnabled(changeable and name in KEYS.own)
        self.assign.setEnabled(changeable)
        self.assign.setText("Assign" if pressed or not changeable else "No keys")
        self.add.setEnabled(changeable and bool(pressed) and pressed not in KEYS.of(name))
        self.undo.setEnabled(bool(self._past))
        self.about.setText(_about(name, pressed))

    def _change(self, kept: tuple[str, ...]) -> None:
        name, pressed = self.name, self.pressed
        if name and not BY_NAME[name].fixed:
            KEYS.assign(name, (*kept, pressed) if pressed else kept)
            self.keys.clear()


def _about(name: str, pressed: str) -> str:
    if not name:
        return SELECT
    words = BY_NAME[name].words
    if BY_NAME[name].fixed:
        return f"{words}: these keys belong to the system and cannot be changed."
    if not pressed:
        return f"{words}: press the new keys below."
    others = ", ".join(f"“{command.words}”" for command in KEYS.clashes(name, pressed))
    return f"{pressed} is assigned to {others}, which will lose it." if others else f"{words}: {pressed} is free."


def _about_preset(preset: str) -> str:
    """What its keys follow."""
    return ABOUT_PRESETS.get(preset, "These keys are your own.")
