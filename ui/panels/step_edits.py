"""Edits of a step in place: another state value or shader text, as edits of a What if."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtGui import QFontMetrics, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QInputDialog, QMenu, QPlainTextEdit, QVBoxLayout, QWidget

from core.errors import DdiInspectorError
from inspector.query.steps.levers import Lever, edit_of, shader_edit
from inspector.query.what_if.edits import Edit
from ui import style
from ui.panels.panel import as_sentence
from ui.widgets.controls import label, spoken

Wanted = Callable[[tuple[Edit, ...]], object]


def lever_menus(menu: QMenu, levers: Sequence[Lever], event: int, wanted: Wanted) -> None:
    """A submenu for each state that decides what the step does; choosing a value is an edit for this draw."""
    if not levers:
        return
    change = menu.addMenu("Change for this draw")
    for lever in levers:
        one = change.addMenu(f"{lever.name}  {lever.value}")
        for choice in lever.choices:
            action = one.addAction(choice, partial(_choose, lever, choice, event, wanted))
            action.setCheckable(True)
            action.setChecked(choice == lever.value)
        if not lever.choices:
            one.addAction("Other value…", partial(_type, menu.parentWidget(), lever, event, wanted))


def _choose(lever: Lever, value: str, event: int, wanted: Wanted) -> None:
    wanted((edit_of(lever, value, event),))


def _type(parent: QWidget | None, lever: Lever, event: int, wanted: Wanted) -> None:
    assert parent is not None
    text, given = QInputDialog.getText(parent, lever.name, f"{lever.name} for this draw:", text=lever.value)
    if given and text.strip():
        wanted((edit_of(lever, text.strip(), event),))


class ShaderDialog(QDialog):
    """A shader's text to change.  `wanted` gets the edit; an error, or a broken rule of the version, is shown with its line."""

    def __init__(self, parent: QWidget, handle: int, text: str, wanted: Wanted) -> None:
        super().__init__(parent)
        self._handle, self._before, self._wanted = handle, text, wanted
        self.setWindowTitle(f"Edit shader {handle}")
        self.edit = spoken(QPlainTextEdit(text), f"Text of shader {handle}")
        self.edit.setFont(style.mono_font())
        self.edit.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.complaint = label("Draws with this text in What if; the capture stays as it is.")
        self.complaint.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Apply | QDialogButtonBox.StandardButton.Close)
        self.apply = buttons.button(QDialogButtonBox.StandardButton.Apply)
        self.apply.clicked.connect(self.use)
        buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        self.apply.setDefault(True)
        self.apply.setToolTip("Draw with this text (Ctrl+Enter)")
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self, self.use)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        for widget in (self.edit, self.complaint, buttons):
            box.addWidget(widget)
        letters = QFontMetrics(style.mono_font())
        height = letters.lineSpacing() * (len(text.splitlines()) + 4) + 140
        self.resize(max(460, letters.horizontalAdvance("m") * 64), min(560, height))

    def open_over(self, panel: QWidget) -> None:
        """Opens over a panel, so that the image which the text changes is seen beside it."""
        corner, room = panel.mapToGlobal(QPoint(0, 0)), panel.screen().availableGeometry()
        self.open()
        frame = self.frameGeometry()
        left = min(corner.x(), room.right() - frame.width())
        self.move(max(left, room.left()), max(min(corner.y(), room.bottom() - frame.height()), room.top()))
        self.edit.setFocus()

    def use(self) -> None:
        """Hands the text on if a device of its version could run it."""
        text = self.edit.toPlainText()
        try:
            edit = shader_edit(self._handle, text, self._before)
        except DdiInspectorError as error:
            self.complaint.setText(as_sentence(str(error)))
            return
        self.complaint.setText("In What if, which lists the edit and shows the image with it.")
        self._wanted((edit,))
        self.edit.setFocus()
