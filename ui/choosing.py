"""Dialogs of File > Save ...: what of the capture is meant, and in which format."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from ui.widgets.controls import Choice, count_box


class ChoiceDialog(QDialog):
    """One button for each choice, by its key; the formats below, by theirs, if there are any to choose from."""

    def __init__(
        self, parent: QWidget, title: str, choices: Mapping[str, str], formats: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._keys, self._formats = list(choices), list(formats or {})
        self.buttons, self.formats = QButtonGroup(self), Choice("Format")
        layout = QVBoxLayout(self)
        for number, words in enumerate(choices.values()):
            button = QRadioButton(words)
            self.buttons.addButton(button, number)
            layout.addWidget(button)
        self.buttons.button(0).setChecked(True)
        self.formats.addItems(list((formats or {}).values()))
        if self._formats:
            layout.addWidget(self.formats)
        layout.addWidget(_ends(self))

    @property
    def chosen(self) -> str:
        """The key of the choice."""
        return self._keys[self.buttons.checkedId()]

    @property
    def form(self) -> str:
        """The key of the format."""
        return self._formats[self.formats.currentIndex()]


class RangeDialog(QDialog):
    """The first and the last frame, both included, and whether the API calls are kept."""

    def __init__(self, parent: QWidget, title: str, frame: int, last: int) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.first, self.last = count_box("First frame", ""), count_box("Last frame", "")
        self.calls = QCheckBox("Keep the API calls of the whole capture")
        form = QFormLayout(self)
        for words, box in (("&First frame", self.first), ("&Last frame", self.last)):
            box.setRange(0, last)
            box.setValue(frame)
            form.addRow(words, box)
        self.first.valueChanged.connect(lambda value: self.last.setValue(max(value, self.last.value())))
        self.last.valueChanged.connect(lambda value: self.first.setValue(min(value, self.first.value())))
        form.addRow(self.calls)
        form.addRow(_ends(self))

    @property
    def range(self) -> tuple[int, int]:
        return self.first.value(), self.last.value()


def _ends(dialog: QDialog) -> QDialogButtonBox:
    """Save and Cancel."""
    ends = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
    ends.accepted.connect(dialog.accept)
    ends.rejected.connect(dialog.reject)
    return ends
