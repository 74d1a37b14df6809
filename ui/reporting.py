"""File > Save report: the kind and its subject; the page or the bundle is made away from the GUI thread."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from inspector.exports.report_kinds import KINDS
from inspector.focus import Focus

BUNDLE = "bundle"
TITLES = {
    "capture": "The whole capture",
    "draw": "This event",
    "pixel": "This pixel",
    "comparison": "A comparison",
    "driver": "The driver",
    BUNDLE: "A bug bundle",
}
TEXTS = {**KINDS, BUNDLE: "a zip with the frame as a capture, this place in it, your note, and a report"}


@dataclass(frozen=True)
class Wanted:
    """A kind of TITLES; the sides of a comparison; the note of a bundle."""

    kind: str
    sides: tuple[str, str]
    note: str


class ReportDialog(QDialog):
    """One button for each kind; what a kind needs besides the place, below."""

    def __init__(self, parent: QWidget, focus: Focus, frame: int) -> None:
        super().__init__(parent)
        self.kinds = QButtonGroup(self)
        a = max(frame - 1, 0)
        self.a, self.b = QLineEdit(f"frame {a}"), QLineEdit(f"frame {a + 1}")
        self.note = QPlainTextEdit()
        self.note.setPlaceholderText("What is wrong here")
        self.note.setFixedHeight(64)
        layout = QVBoxLayout(self)
        for number, (kind, title) in enumerate(TITLES.items()):
            button = QRadioButton(f"{title}: {TEXTS[kind]}")
            button.setEnabled(kind != "pixel" or focus.pixel is not None)
            self.kinds.addButton(button, number)
            layout.addWidget(button)
        about = f"event {focus.event}" + (f", pixel {focus.pixel[0]}, {focus.pixel[1]}" if focus.pixel is not None else "")
        self.setWindowTitle(f"Save report: {about}")
        self.needs = QFormLayout()
        for words, field in (("Side A", self.a), ("Side B", self.b), ("Note", self.note)):
            self.needs.addRow(words, field)
        layout.addLayout(self.needs)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self.kinds.idToggled.connect(self._show_needs)
        self.kinds.button(0).setChecked(True)
        self._show_needs()

    def _show_needs(self) -> None:
        for row, kind in enumerate(("comparison", "comparison", BUNDLE)):
            self.needs.setRowVisible(row, self.kind == kind)
        self.adjustSize()

    @property
    def kind(self) -> str:
        return list(TITLES)[max(self.kinds.checkedId(), 0)]

    @property
    def wanted(self) -> Wanted:
        return Wanted(self.kind, (self.a.text().strip(), self.b.text().strip()), self.note.toPlainText().strip())
