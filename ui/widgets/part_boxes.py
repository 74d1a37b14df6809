"""Level, face, slice and sample of a surface: one control each, shown where there is a choice."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSlider, QSpinBox, QWidget

from inspector.focus import Focus
from inspector.query.looks.sheet import FACES
from ui.widgets.controls import Choice, count_box, label, spoken

ALL_SAMPLES = -1
"""Of the box of samples, as none of them: the surface is resolved."""


class FaceChoice(Choice):
    """The faces by their axes: +X, -X, ..."""

    changed = Signal(int)

    def __init__(self) -> None:
        super().__init__("Face")
        self.addItems([f"face {name}" for name in FACES])
        self.activated.connect(self.changed.emit)

    def show_number(self, count: int, number: int) -> None:
        self.setCurrentIndex(number)


class SliceSlider(QWidget):
    """`changed(number)`; says "7 of 32": the seventh, whose number is 6."""

    changed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.slider = spoken(QSlider(Qt.Orientation.Horizontal), "Slice")
        self.slider.setMinimumWidth(64)
        self.slider.setMaximumWidth(150)
        self.words = label(kind="muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(4)
        name = label("slice")
        name.setMinimumWidth(name.sizeHint().width())
        row.addWidget(name)
        row.addWidget(self.slider, 1)
        row.addWidget(self.words)
        self.slider.valueChanged.connect(self.changed.emit)
        self.slider.valueChanged.connect(lambda _: self._say())

    def show_number(self, count: int, number: int) -> None:
        self.slider.blockSignals(True)
        self.slider.setRange(0, max(count - 1, 0))
        self.slider.setPageStep(max(count // 8, 1))
        self.slider.setValue(number)
        self.slider.blockSignals(False)
        whole = f"{count} of {count}"
        self.words.setMinimumWidth(self.words.fontMetrics().horizontalAdvance(whole) + 2)
        self._say()

    def _say(self) -> None:
        self.words.setText(f"{self.slider.value() + 1} of {self.slider.maximum() + 1}")
        self.slider.setToolTip(f"Slice {self.slider.value()}, counted from 0")


class PartBoxes(QObject):
    """`chosen(part, number)`: level, face, slice or sample (None: all); `boxes`: the controls by these names."""

    chosen = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self.level, self.sample = self._count_box("level"), self._count_box("sample")
        self.sample.setSpecialValueText("all samples")
        self.face, self.slice = FaceChoice(), SliceSlider()
        self.face.changed.connect(lambda number: self.chosen.emit("face", number))
        self.slice.changed.connect(lambda number: self.chosen.emit("slice", number))
        self.boxes: dict[str, QWidget] = {
            "level": self.level, "face": self.face, "slice": self.slice, "sample": self.sample,
        }  # fmt: skip
        for box in self.boxes.values():
            box.setVisible(False)

    def _count_box(self, part: str) -> QSpinBox:
        box = count_box(part.capitalize(), f"{part} ")
        box.valueChanged.connect(lambda number: self.chosen.emit(part, None if number == ALL_SAMPLES else number))
        return box

    def show_parts(self, info: Any, focus: Focus) -> None:
        """How many there are of each, of a resource (inspector.query.objects.surfaces.SurfaceInfo), and which are shown."""
        counts = {
            "level": getattr(info, "levels", 1), "face": getattr(info, "faces", 1),
            "slice": max((getattr(info, "depth", 0) or 1) >> focus.level, 1), "sample": getattr(info, "samples", 0) or 1,
        }  # fmt: skip
        numbers = {part: getattr(focus, part) or 0 for part in counts}
        numbers["sample"] = ALL_SAMPLES if focus.sample is None else focus.sample
        for part, box in self.boxes.items():
            count, number = counts[part], numbers[part]
            if isinstance(box, QSpinBox):
                box.blockSignals(True)
                box.setRange(ALL_SAMPLES if part == "sample" else 0, max(count - 1, 0))
                box.setValue(number)
                box.setSuffix(f" of {count}" if part == "level" else "")
                whole = f"All {count} samples, resolved; the arrows choose one"
                box.setToolTip(f"{part.capitalize()} {number} of {count}, counted from 0" if number >= 0 else whole)
                box.blockSignals(False)
            elif isinstance(box, FaceChoice | SliceSlider):
                box.show_number(count, number)
            box.setVisible(count > 1)
