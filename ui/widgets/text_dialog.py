"""A text to read and to copy."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QFontMetrics, QGuiApplication, QImage, QPixmap
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from ui import style
from ui.widgets.controls import spoken
from ui.widgets.plain import PlainLabel


class TextDialog(QDialog):
    """images: shown above the text."""

    def __init__(
        self, parent: QWidget, title: str, text: str, editable: bool = False, images: Sequence[QImage] = ()
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setWindowTitle(title)
        self.edit = spoken(QPlainTextEdit(text), title)
        self.edit.setReadOnly(not editable)
        self.edit.setFont(style.mono_font())
        self.edit.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = buttons.addButton("Copy", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.edit.toPlainText()))
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        for image in images:
            picture = PlainLabel()
            picture.setPixmap(QPixmap.fromImage(image))
            box.addWidget(picture)
        box.addWidget(self.edit)
        box.addWidget(buttons)
        room, wanted = parent.size(), self.edit.document().size()
        letters = QFontMetrics(style.mono_font())
        width = letters.horizontalAdvance("m") * min(max(map(len, text.splitlines()), default=0) + 2, 110) + 60
        height = int(wanted.height() + 1) * letters.lineSpacing() + 90 + sum(image.height() + 10 for image in images)
        self.resize(min(max(width, 420), room.width() - 40), min(max(height, 200), room.height() - 60))
