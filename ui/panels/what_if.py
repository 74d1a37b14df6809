"""What if: edits to the capture, the image with and without them, and the origin of a pixel's colour."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QLineEdit, QListWidget, QListWidgetItem, QWidget

from core.errors import BadInput
from inspector.exports.formats import Format
from inspector.files import write_bytes
from inspector.focus import RENDER_TARGET, Focus
from inspector.query.comparison.bisect import Bisect, Verdict
from inspector.query.comparison.difference import bounding_box, difference_image, distance
from inspector.query.comparison.right import COLOR_FORMS, Color, typed_color
from inspector.query.what_if.edits import PRESETS, Disable, Edit, preset, subject
from inspector.query.what_if.parsing import EXAMPLES, parse
from inspector.query.what_if.what_if import ENDING, WhatIf
from inspector.view import CaptureView
from ui.ask import Progress
from ui.files import ask_where, near
from ui.keys.keymap import KEYS
from ui.models.pixels import argb_of_rgba
from ui.panels.panel import Panel, Question, as_sentence
from ui.panels.variants import Refused, Shown, Variants
from ui.widgets.controls import Choice, halves, label, spoken, strip, titled, tool
from ui.widgets.folding import FoldingStrip
from ui.widgets.picture_rows import PictureRows
from ui.widgets.picture_view import PictureView
from ui.widgets.row_menu import give_row_menu
from ui.words import counting

HINT = "disable 1834, force ALPHAREF=0x40, texture 12=brick.png, shader 5=ps.txt"
SHOWN = ("With the edits", "Difference")
NO_EDITS = "Add an edit to see the image with and without it, side by side."


class WhatIfPanel(Panel):
    title, name = "What if", "what-if"
    depends: ClassVar[tuple[str, ...]] = ("event", "surface", "level", "face", "slice", "sample")
    compared = Signal(object, str)

    def build(self) -> None:
        self.shown: Shown | None = None
        self._view: tuple[tuple[Edit, ...], Any] | None = None
        self._undone, self._written, self._complaint, self._told = list[tuple[Edit, ...]](), "", "", ""
        self.edit = spoken(QLineEdit(), "Edit to add")
        self.edit.setPlaceholderText(HINT)
        self.edit.setToolTip("An edit, then Enter:\n" + "\n".join(EXAMPLES.values()))
        self.edit.returnPressed.connect(self.add_text)
        self.edit.textEdited.connect(lambda _: self._complain(""))
        self.presets = Choice("Presets")
        self.presets.addItems(["Preset", *PRESETS])
        self.presets.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.presets.setMinimumContentsLength(5)
        self.presets.activated.connect(self._add_preset)
        disable = tool("Disable this event", "Omit this event and its effects", text="Disable")
        disable.clicked.connect(self.disable_here)
        undo = tool("Undo", "Undo the last change to the list", sign="back")
        undo.clicked.connect(self.undo)
        compare = tool("Compare", "Compare the frame with and without the edits", text="Compare")
        compare.clicked.connect(self.compare)
        save, load = tool("Save edits", "Save the edits", sign="save"), tool("Load edits", "Load edits", sign="open")
        save.clicked.connect(self._save)
        load.clicked.connect(self._load)
        self.list = spoken(QListWidget(), "Edits")
        self.list.setObjectName("edits")
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        give_row_menu(self.list)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemChanged.connect(lambda _: self._edited())
        remove = tool("Remove", "Remove the selected edits (Delete)", sign="close")
        remove.clicked.connect(self.remove)
        self._delete = QShortcut(self.list)
        self._delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        self._delete.activated.connect(self.remove)
        KEYS.changed.connect(self._give_keys)
        self._give_keys()
        self.note = label(kind="faint")
        row = self.presets, disable, remove, undo, compare, save, load
        self.box.addWidget(FoldingStrip((self.edit,), row, grows=self.edit))
        self.box.addWidget(halves(self.list, self._make_pictures(), sizes=(110, 420), beside=(230, 560)), 1)
        self.box.addWidget(self._make_foot())
        self.box.addWidget(strip(self.note, None, name="foot"))

    def _make_pictures(self) -> QWidget:
        self.before, self.after = (spoken(PictureView(), f"Image {which} the edits") for which in ("without", "with"))
        for view in (self.before, self.after):
            view.picked.connect(self._pick)
        self.what = Choice("Image shown on the right")
        self.what.addItems(SHOWN)
        self.what.activated.connect(lambda _: self._show())
        self.after_title = label(SHOWN[0])
        self.rows = PictureRows(titled(label("Without the edits"), self.before), titled(self.after_title, self.after))
        self.variants = Variants(self.rows)
        self.variants.chosen.connect(self._set)
        self.variants.changed.connect(self.refresh)
        self.variants.picked.connect(self._pick)
        return self.rows

    def _pick(self, x: int, y: int) -> None:
        self.go("pixel", surface=surface_of(self.desk.focus.focus), pixel=(x, y))

    def _make_foot(self) -> QWidget:
        """A pixel that is wrong, and what it should be."""
        self.pixel = label("Pick a pixel", "muted")
        self.right = spoken(QLineEdit(), "Expected colour of the pixel")
        self.right.setPlaceholderText("R G B")
        self.right.setToolTip(f"Expected colour: {COLOR_FORMS}; press Enter")
        self.right.setMaximumWidth(120)
        self.right.returnPressed.connect(self.bisect)
        ask = tool("Find culprit", "Find the token and primitive that gave the pixel the wrong colour", text="Bisect")
        ask.clicked.connect(self.bisect)
        self.verdict = tool("Go to the culprit", "Go to the token that gave the wrong colour", text="")
        self.verdict.setVisible(False)
        self.verdict.clicked.connect(self._go_to_culprit)
        self._found: Verdict | None = None
        keep = tool("Keep as variant", "Keep these edits as a variant, with its image next to the others", text="Keep")
        keep.clicked.connect(lambda: self.variants.keep(self.edits))
        bisecting = self.pixel, label("expected"), self.right, ask, self.verdict
        return FoldingStrip(bisecting, (keep, self.what), leaving=(keep, self.what))

    def first_for_keys(self) -> QWidget | None:
        return self.edit if self.edit.text() or not self.list.count() else None

    # Edits

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Those that are switched on."""
        items = [self.list.item(row) for row in range(self.list.count())]
        return tuple(item.data(Qt.ItemDataRole.UserRole) for item in items if item.checkState() == Qt.CheckState.Checked)

    @property
    def all_edits(self) -> tuple[Edit, ...]:
        return tuple(self.list.item(row).data(Qt.ItemDataRole.UserRole) for row in range(self.list.count()))

    def add_text(self) -> None:
        """Adds what is written."""
        text = self.edit.text().strip()
        if text and self.add(text):
            self._written = text
            self.edit.clear()

    def begin(self, text: str) -> None:
        """Writes the beginning of an edit, for the user to go on."""
        self.edit.setText(text)
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def add(self, text: str) -> bool:
        """Adds the edits of a text; forces and presets are for the frame that is looked at.  Says what is wrong with it."""
        try:
            self.add_edits(parse(text, self._frame()))
        except BadInput as error:
            self._complain(as_sentence(str(error)))
            return False
        return True

    def _complain(self, sentence: str) -> None:
        """What is wrong with the edit that is written; empty: nothing, and by how much the images differ is said again."""
        self._complaint = sentence
        self.note.setText(sentence or self._told)
        self.edit.setProperty("wrong", bool(sentence))
        self.edit.style().polish(self.edit)

    def _refuse(self, sentence: str) -> None:
        """An edit that was just written goes back to where it can be corrected; others stay, and the pictures say why not."""
        if not self._written:
            self.fail(sentence)
            return
        text, self._written = self._written, ""
        self.undo()
        self.edit.setText(text)
        self._complain(as_sentence(sentence))

    def add_edits(self, edits: tuple[Edit, ...]) -> None:
        """Adds edits, switched on; those that are there already once."""
        self._set((*(edit for edit in self.all_edits if edit not in edits), *dict.fromkeys(edits)), on=edits)

    def put_back(self, edits: tuple[Edit, ...], off: tuple[Edit, ...], variants: Sequence[tuple[Edit, ...]]) -> None:
        """Adds edits as they were left, `off` switched off, and the variants that were kept."""
        for kept in variants:
            self.variants.keep(kept)
        self._set((*self.all_edits, *edits), off=off)

    def replace_edits(self, edits: tuple[Edit, ...]) -> None:
        """Adds edits, switched on, in place of those that force the same state then, or replace the same shader."""
        about = {subject(edit) for edit in edits}
        self._set((*(edit for edit in self.all_edits if subject(edit) not in about), *edits))

    def disable_here(self) -> None:
        """The event that is looked at does not happen."""
        event = self.desk.focus.focus.event
        self.add_edits((Disable(event, event),))

    def remove(self) -> None:
        """Removes the selected edits."""
        rows = {index.row() for index in self.list.selectedIndexes()}
        if rows:
            self._set(tuple(edit for row, edit in enumerate(self.all_edits) if row not in rows))

    def undo(self) -> None:
        """Takes back the last change of the list."""
        if self._undone:
            edits = self._undone.pop()
            self._set(edits, remember=False)

    def _add_preset(self, row: int) -> None:
        if row > 0:
            self.add_edits(preset(self.presets.itemText(row), *self._frame()))
        self.presets.setCurrentIndex(0)

    def _frame(self) -> tuple[int, int | None]:
        """The events of the frame that is looked at."""
        index = self.desk.index
        if not index:
            return 0, None
        first, stop = index.frame_range(index.frame(self.desk.focus.focus.event))
        return first, stop - 1

    def _set(
        self, edits: tuple[Edit, ...], remember: bool = True, on: tuple[Edit, ...] = (), off: tuple[Edit, ...] = ()
    ) -> None:  # fmt: skip
        if remember:
            self._undone.append(self.all_edits)
        now_off = {*off, *(edit for edit in self.all_edits if edit not in self.edits and edit not in on)}
        self.list.blockSignals(True)
        self.list.clear()
        for edit in edits:
            item = QListWidgetItem(str(edit))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Unchecked if edit in now_off else Qt.CheckState.Checked)
            item.setData(Qt.ItemDataRole.UserRole, edit)
            self.list.addItem(item)
        self.list.blockSignals(False)
        self.list.setCurrentRow(len(edits) - 1)
        self._edited()

    def _edited(self) -> None:
        self._complain("")
        self.desk.edit(self.edits)
        self.refresh()

    # Asking

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        edits = self.edits
        if not edits and not self.variants.kept:
            return None
        return lambda progress: self._look(capture, focus, edits, progress)

    def _look(self, capture: CaptureView, focus: Focus, edits: tuple[Edit, ...], progress: Progress) -> Shown | Refused:
        """Both pictures.  Runs on the asking thread, one question at a time."""
        try:
            known = self._view is not None and self._view[0] == edits
            view = self._view[1] if known and self._view else capture.ask(WhatIf(edits)) if edits else capture
        except BadInput as error:
            return Refused(str(error))
        self._view = edits, view
        before, after = (side.image(focus.event, surface_of(focus), cancel=progress.stop.is_set) for side in (capture, view))
        return Shown(before, after, self.variants.images(capture, focus, surface_of(focus), progress.stop.is_set))

    def display(self, answer: Shown | Refused) -> None:
        if isinstance(answer, Refused):
            self._refuse(answer.sentence)
            return
        self.shown, self._written = answer, ""
        self._show()

    def fail(self, sentence: str) -> None:
        self._empty(as_sentence(sentence))

    def clear(self) -> None:
        self._empty(NO_EDITS)

    def _empty(self, message: str) -> None:
        self.shown, self._told = None, ""
        self.note.setText(self._complaint)
        for view, words in ((self.before, message), (self.after, "")):  # once is enough
            view.message = words
            view.set_picture(None)

    def capture_changed(self) -> None:
        self._view, self._undone, self._found = None, [], None
        self.variants.clear()
        self.list.clear()
        self.verdict.setVisible(False)

    def moved(self, new: Focus, old: Focus) -> None:
        for view in (self.before, self.after, *self.variants.pictures):
            view.set_pixel(new.pixel)
        self.pixel.setText(f"Pixel {new.pixel[0]}, {new.pixel[1]}" if new.pixel else "Pick a pixel")

    # Showing

    def _show(self) -> None:
        if self.shown is None:
            return
        before, after = self.shown.before, self.shown.after
        alike = before.shape == after.shape
        difference = alike and self.what.currentText() == SHOWN[1]
        self.after_title.setText(SHOWN[1] if difference else SHOWN[0])
        self.rows.show_size(before.shape[1], before.shape[0])
        self.variants.show_images(self.shown.others, self.desk.focus.focus.pixel)
        self.before.set_picture(argb_of_rgba(before))
        self.after.set_picture(argb_of_rgba(difference_image(before, after) if difference else after))
        self._told = difference_text(before, after)
        self.note.setText(self._complaint or self._told)

    def compare(self) -> None:
        """Shows all that differs in this frame, in the comparison panel."""
        index, view = self.desk.index, self._view
        if index and view:
            self.compared.emit(view[1], f"frame {index.frame(self.desk.focus.focus.event)}")

    # Bisecting

    def bisect(self) -> None:
        """Asks what gave the picked pixel the wrong colour."""
        capture, focus = self.desk.capture, self.desk.focus.focus
        if capture is None:
            return
        if focus.pixel is None:
            self.note.setText("Pick the pixel that is wrong: click in either image.")
            return
        try:
            color = typed_color(self.right.text())
        except BadInput as error:
            self.note.setText(as_sentence(str(error)))
            return
        x, y = focus.pixel
        asked = Bisect(Color(color), surface_of(focus), (x, y, x + 1, y + 1), last=focus.event)
        self.desk.ask(
            "bisect", lambda progress: capture.ask(asked, progress.stop.is_set), self._show_verdict,
            lambda error: self.note.setText(str(error)),
        )  # fmt: skip

    def _show_verdict(self, found: Verdict) -> None:
        self._found = found
        self.note.setText(as_sentence(found.sentence))
        self.verdict.setVisible(found.first_wrong is not None)
        self.verdict.setText(f"Event {found.first_wrong}" if found.first_wrong is not None else "")

    def _go_to_culprit(self) -> None:
        if self._found is not None and self._found.first_wrong is not None:
            self.go(event=self._found.first_wrong, primitive=self._found.primitive)

    # Keeping

    def _give_keys(self) -> None:
        self._delete.setKeys([QKeySequence(key) for key in KEYS.of("edits.remove")])

    def _save(self) -> None:
        capture = self.desk.capture
        if capture is None or not self.all_edits:
            return
        name = Path(capture.title).stem + ENDING
        self._try(lambda: self._write(ask_where(self, "Save the edits", name, "edits")))

    def _write(self, where: tuple[Path, Format] | None) -> None:
        if where:
            write_bytes(where[0], where[1].make(WhatIf(self.all_edits)))
            self.desk.saved.emit(where[0], "")

    def _load(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Load edits", near(self), f"Edits (*{ENDING} *.json)")
        if path:
            self._try(lambda: self.add_edits(WhatIf.load(path).edits))

    def _try(self, does: Any) -> None:
        try:
            does()
        except BadInput as error:
            self.note.setText(str(error))


def surface_of(focus: Focus) -> str:
    """The surface whose images are compared: the render target where a texture is looked at."""
    return focus.surface if isinstance(focus.surface, str) else RENDER_TARGET


def difference_text(before: np.ndarray, after: np.ndarray) -> str:
    """How many pixels differ, and where."""
    if before.shape != after.shape:
        return "The sizes differ"
    mask = distance(before, after).max(-1) > 0
    box, many = bounding_box(mask), int(mask.sum())
    if box is None:
        return "No pixel differs"
    return f"{counting(many, 'pixel')} differ{'s' if many == 1 else ''}, within {box[0]}, {box[1]} to {box[2]}, {box[3]}"
