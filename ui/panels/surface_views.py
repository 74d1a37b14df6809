"""The surface panel's other views: all parts, cuts, palettes, formulas, and a second surface."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtWidgets import QFileDialog

import inspector
from core.spec.formats import FORMAT_BY_NAME
from core.spec.subresource import Subresource
from inspector.focus import Focus
from inspector.pictures import read
from inspector.query.looks.custom import FindTexel, Found
from inspector.query.looks.look import Look
from inspector.query.looks.sheet import SheetOf
from inspector.view import CaptureView
from ui.ask import Progress
from ui.files import CAPTURES, IMAGES
from ui.models.pixels import Picture
from ui.models.surfaces import HOW, MODES, ImageFile, Partner
from ui.widgets.picture_paint import Titled
from ui.widgets.surface_strips import FindStrip, FormulaStrip
from ui.widgets.view_menu import BEFORE, KEPT, PairMenu, ViewMenu

if TYPE_CHECKING:
    from ui.panels.panel import Desk


class Views(QObject):
    """`changed()`: something else is wanted; `found(x, y)`: a texel with the value that was looked for."""

    changed = Signal()
    found = Signal(int, int)

    def __init__(self, desk: Desk, kept: Callable[[str, Any], Any], keep: Callable[[str, Any], None], parent: QObject) -> None:
        super().__init__(parent)
        self._desk, self._keep = desk, keep
        self.mode, self.formula = "image", ""
        self.other: Look | None = None
        self._other_title, self._other_capture, self._other_file = "", None, None
        files = {"Same event of another capture…": self._browse, "Image file…": self._browse_image}
        self.menu, self.pairs = ViewMenu(MODES, self), PairMenu(HOW, self.keep_other, files, self)
        self.formulas, self.finder = FormulaStrip(kept("formulas", {})), FindStrip()
        self.menu.show_saved(self.formulas.formulas)
        self.menu.chosen.connect(self.choose)
        self.menu.formula_chosen.connect(self._use_saved)
        self.pairs.changed.connect(self.changed.emit)
        self.formulas.entered.connect(self._enter)
        self.formulas.closed.connect(lambda: self.choose("image"))
        self.formulas.saved.connect(self._save)
        self.finder.sought.connect(self._seek)
        self.finder.closed.connect(self.finder.hide)

    _other_capture: CaptureView | None
    _other_file: ImageFile | None
    picture: Picture | None = None

    # What is shown

    def choose(self, mode: str) -> None:
        """One of ui.models.surfaces.MODES."""
        self.mode = mode
        self.formulas.setVisible(mode == "formula")
        if mode == "formula":
            self.formulas.edit.setFocus()
            if not self.formula:
                self.menu.show_mode(mode, MODES)
                return
        self.changed.emit()

    def next(self) -> None:
        """The next view that this surface has."""
        there = [mode for mode in MODES if mode in self.there()]
        self.choose(there[(there.index(self.mode) + 1) % len(there)] if self.mode in there else "image")

    def there(self) -> tuple[str, ...]:
        """What the surface has of MODES."""
        info = self.picture.info if self.picture is not None else None
        if info is None:
            return ("image",)
        indexed = ("index", "palette") if info.format in ("P8", "A8P8") else ()
        form = FORMAT_BY_NAME.get(info.format)
        stored = ("bytes",) if form is not None and form.block[:2] == (1, 1) else ()
        parts = info.levels * info.faces * max(info.depth, 1) > 1
        return ("image", *("sheet",) * parts, *("cuts",) * (info.kind == "volume"), *indexed, *stored, "formula")

    @property
    def wanted_mode(self) -> str:
        """What to ask for: a formula only when there is one."""
        return "image" if self.mode == "formula" and not self.formula else self.mode

    def _enter(self, text: str) -> None:
        self.formula = text.strip()
        self.changed.emit()

    def _use_saved(self, name: str) -> None:
        self.mode = "formula"
        self.formulas.show()
        self.formulas.use(name)

    def _save(self, formulas: dict[str, str]) -> None:
        self._keep("formulas", formulas)
        self.menu.show_saved(formulas)

    def show_answer(self, picture: Picture | None, note: str) -> None:
        self.picture = picture
        self.menu.show_mode(self.mode, self.there())
        self.formulas.show_problem(note if self.mode == "formula" else "")

    # What it is compared with

    @property
    def partner(self) -> Partner | None:
        if self.pairs.partner == BEFORE:
            return Partner(self.pairs.how, self.pairs.amount)
        return self._kept(self.pairs.how, self.pairs.amount) if self.pairs.partner == KEPT else None

    def _kept(self, how: str, amount: float) -> Partner | None:
        if self.other is None and self._other_file is None:
            return None
        return Partner(how, amount, self.other, self._other_title, self._other_capture, self._other_file)

    def held(self, name: str) -> Partner | None:
        """What is shown while a key is down."""
        if name == "hold-before":
            return Partner("wipe")
        return self._kept("wipe", 1)

    def keep_other(self) -> None:
        """The picture that is shown is what others are compared with from now on."""
        picture, focus = self.picture, self._desk.focus.focus
        if picture is None or picture.info is None:
            return
        where = Subresource(picture.info.handle, focus.level, focus.face, focus.slice, focus.sample)
        title = f"{picture.info.title} at event {picture.event}"
        self._remember(Look(picture.event, where, picture.primitive), title, None)
        self._desk.done.emit(f"Kept to compare with: {title}.")

    def _remember(self, look: Look | None, title: str, capture: CaptureView | None, file: ImageFile | None = None) -> None:
        self.other, self._other_title, self._other_capture, self._other_file = look, title, capture, file
        self.pairs.show_kept(title)

    def forget(self) -> None:
        """The capture is another one."""
        old, self.other, self._other_capture, self.picture = self._other_capture, None, None, None
        self._other_file = None
        if old is not None:
            self._desk.ask("close other", lambda _: old.close(), lambda _: None)
        self.pairs.show_kept("")
        if self.pairs.partner:
            self.pairs.choose("")

    def _browse(self) -> None:
        """The same event of another capture."""
        path, _ = QFileDialog.getOpenFileName(None, "Compare with a capture", "", CAPTURES)
        if path:
            self.against_file(Path(path))

    def against_file(self, path: Path) -> None:
        if self._desk.capture is None:
            return
        focus, budgets = self._desk.focus.focus, self._desk.capture.budgets

        def opened(capture: Any) -> None:
            event = min(focus.event, len(capture.events) - 1)
            self._remember(Look(event, focus.where), f"{path.name} at event {event}", capture)
            self.pairs.choose(KEPT)

        self._desk.ask("other capture", lambda progress: inspector.open(path, progress, budgets=budgets), opened)

    def _browse_image(self) -> None:
        """A screenshot, for example of the same program on another implementation."""
        path, _ = QFileDialog.getOpenFileName(None, "Compare with an image", "", IMAGES)
        if path:
            self.against_image(Path(path))

    def against_image(self, path: Path) -> None:
        """An image file as what this and all later pictures are compared with."""

        def question(progress: Progress) -> ImageFile:
            image = read(path)
            return ImageFile(np.asarray(image.convert("RGBA" if image.has_transparency_data else "RGB")))

        def opened(file: ImageFile) -> None:
            self._remember(None, path.name, None, file)
            self.pairs.choose(KEPT)

        self._desk.ask("other image", question, opened, lambda error: self._desk.noted.emit(str(error)))

    # Finding

    def show_finder(self) -> None:
        self.finder.show()
        self.finder.edit.setFocus()
        self.finder.edit.selectAll()

    def find(self, value: str) -> None:
        """The next texel with a value, as if it had been typed."""
        self.show_finder()
        self.finder.edit.setText(value)
        self._seek(value, False)

    def _seek(self, value: str, backwards: bool) -> None:
        capture, picture, focus = self._desk.capture, self.picture, self._desk.focus.focus
        if capture is None or picture is None:
            return
        look = Look(picture.event, focus.where, picture.primitive)
        asked = FindTexel(value, look, focus.pixel, backwards, self.other if self._other_capture is None else None)
        self._desk.ask("find texel", lambda progress: capture.ask(asked, progress.stop.is_set), self._found, self._not_found)

    def _found(self, found: Found) -> None:
        none = f"none: {found.searched}" if found.searched else "none"
        self.finder.words.setText(f"{found.number + 1:,} of {found.count:,}" if found.place else none)
        if found.place is not None:
            self.found.emit(*found.place)

    def _not_found(self, error: Exception) -> None:
        self.finder.words.setText(str(error))


def titles_of(sheet: SheetOf, focus: Focus) -> list[Titled]:
    """The tiles with their titles; chosen: the part that the focus is at."""
    part = (focus.level, focus.face, focus.slice)
    chosen = [
        (tile.where.level, tile.where.face, tile.where.slice) == part and tile.across + tile.down == "xy"
        for tile in sheet.tiles
    ]
    return [
        (QRect(tile.left, tile.top, tile.width, tile.height), (tile.title, tile.short), here)
        for tile, here in zip(sheet.tiles, chosen, strict=True)
    ]


def place_at(picture: Picture | None, x: int, y: int) -> dict[str, Any]:
    """What of the focus a click chooses: a pixel, on a sheet with its part; nothing between the tiles, or on a palette."""
    if picture is None or picture.has_texels:
        return {"pixel": (x, y)}
    hit = picture.sheet.at(x, y) if picture.sheet is not None else None
    if hit is None:
        return {}
    tile, (column, row, slice) = hit
    return {"level": tile.where.level, "face": tile.where.face, "slice": slice, "pixel": (column, row)}


def cross_on(sheet: SheetOf, pixel: tuple[int, int] | None, slice: int) -> list[tuple[float, float, float, float]]:
    """The lines through the chosen texel on cuts of a volume, x y x y in pixels of the sheet."""
    if pixel is None or not any(tile.cut for tile in sheet.tiles):
        return []
    texel = dict(zip("xyz", (*pixel, slice), strict=True))
    lines = []
    for tile in sheet.tiles:
        x, y = tile.left + texel[tile.across] + 0.5, tile.top + texel[tile.down] + 0.5
        lines += [(x, tile.top, x, tile.top + tile.height), (tile.left, y, tile.left + tile.width, y)]
    return lines
