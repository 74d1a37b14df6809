"""File > Save all surfaces, Save as Python: what of the capture is meant, and in which format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QComboBox, QDialog, QDialogButtonBox, QRadioButton, QVBoxLayout, QWidget

from inspector.exports.formats import Format


class ChoiceDialog(QDialog):
    """One button for each choice, by its key; the formats below, if there are any to choose from."""

    def __init__(self, parent: QWidget, title: str, choices: Mapping[str, str], formats: Iterable[Format] = ()) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._keys, self._formats = list(choices), list(formats)
        self.buttons, self.formats = QButtonGroup(self), QComboBox()
        layout = QVBoxLayout(self)
        for number, words in enumerate(choices.values()):
            button = QRadioButton(words)
            self.buttons.addButton(button, number)
            layout.addWidget(button)
        self.buttons.button(0).setChecked(True)
        self.formats.addItems([f"{row.name} (*{row.suffix}): {row.holds}" for row in self._formats])
        self.formats.setAccessibleName("Format")
        if self._formats:
            layout.addWidget(self.formats)
        ends = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        ends.accepted.connect(self.accept)
        ends.rejected.connect(self.reject)
        layout.addWidget(ends)

    @property
    def chosen(self) -> str:
        """The key of the choice."""
        return self._keys[self.buttons.checkedId()]

    @property
    def form(self) -> Format:
        return self._formats[self.formats.currentIndex()]
