"""The image in the middle: the surface being drawn at the event, or any other, down to the bits of a pixel."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inspector.focus import Focus
from inspector.query.looks.wires import Wires
from inspector.view import CaptureView
from ui.models.pixels import Picture, only, rgba_of_argb
from ui.models.surface_words import about, completed_at, sized, writer_at
from ui.models.surfaces import ROLE_TITLES, ROLES, View, Wanted, partner_picture, view
from ui.panels.panel import Panel, Question
from ui.panels.surface_bound import BoundSurfaces
from ui.panels.surface_menu import show_menu
from ui.panels.surface_overlays import Overlays
from ui.panels.surface_shown import Glow, composed, copied, show_hover, words_of
from ui.panels.surface_tones import Toning
from ui.panels.surface_views import Views, cross_on, place_at, titles_of
from ui.widgets.picture_view import PictureView
from ui.widgets.readout import Readout
from ui.widgets.scrubber import Scrubber
from ui.widgets.surface_about import SurfaceAbout
from ui.widgets.surface_bar import GAP, SurfaceBar
from ui.widgets.surface_frame import SurfaceFrame
from ui.widgets.surface_tabs import SurfaceTabs


class SurfacePanel(Panel):
    title, name = "Surface", "surface"
    depends = ("event", "primitive", "surface", "level", "face", "slice", "sample")
    urgent = True
    shown = Signal(object)
    toned = Signal(object)
    """The picture with its range and channels, uint32[h, w] 0xAARRGGBB."""

    def build(self) -> None:
        self.picture: Picture | None = None
        self._second: np.ndarray | None = None
        self._names = ("", "")
        self.view, self.beside = PictureView(), PictureView()
        self.tabs, self.bound, self.readout = SurfaceTabs(), BoundSurfaces(self.desk, self), Readout()
        self.bindings = self.bound.row
        self.toning = Toning(self.desk.ask, self.kept, self.keep, self)
        self.views = Views(self.desk, self.kept, self.keep, self)
        self.glow = Glow(self.desk, self.view)
        self.layering = Overlays(
            self.view, self.glow, self.kept, self.keep, self.refresh, lambda event: self.go(event=event), self
        )
        self.overlays, self.key = self.layering.menu, self.layering.legend
        self.bar = SurfaceBar(
            self.views.menu.button, self.views.pairs.button, self.overlays.button, self.toning.controls.opened
        )
        self._name_controls()
        pictures = QWidget()
        row = QHBoxLayout(pictures)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.view, 1)
        row.addWidget(self.beside, 1)
        self.beside.hide()
        self.about, self.scrubber = SurfaceAbout(), Scrubber()
        self.frame = SurfaceFrame(pictures, self.toning.bar, self.about, self.toning.controls.range, self.bindings,
                                  self.scrubber, self.readout)  # fmt: skip
        for widget in (self.tabs, self.bar, self.views.formulas, self.views.finder):
            self.box.addWidget(widget)
        self.box.addWidget(self.frame, 1)
        self._wire()

    def _name_controls(self) -> None:
        """What the panel is made of, by name."""
        bar, tone = self.bar, self.toning.controls
        self.choice, self.pin, self.when, self.channels, self.checker = bar.choice, bar.pin, bar.when, bar.channels, bar.checker
        self.parts, self.low, self.high, self.plane, self.range = bar.parts.boxes, tone.low, tone.high, tone.plane, tone.range
        self.auto_range, self.wired = tone.auto_range, self.overlays.wired

    def _wire(self) -> None:
        self.tabs.chosen.connect(lambda place: self.go(**place))
        self.bound.chosen.connect(self._look_at)
        self.about.asked.connect(lambda event: self.go(event=event))
        self.scrubber.scrubbed.connect(lambda number: self.go("primitive", primitive=number if number >= 0 else None))
        self.bar.choice.activated.connect(lambda row: self.go(surface=self.choice.itemData(row)))
        self.bar.pin.clicked.connect(self._pin)
        self.bar.when.activated.connect(lambda _: self.refresh())
        self.bar.parts.chosen.connect(lambda part, number: self.go(**{part: number}))
        self.bar.channels_changed.connect(self._show_channels)
        self.bar.grid.toggled.connect(self._set_grid)
        self.bar.fit.clicked.connect(self._fit)
        self.bar.whole.clicked.connect(lambda: self.view.set_zoom(1.0))
        self.bar.search.clicked.connect(self.views.show_finder)
        self.views.changed.connect(self.refresh)
        self.views.found.connect(lambda x, y: self.go("pixel", pixel=(x, y)))
        self.toning.changed.connect(self._toned)
        self.toning.controls.auto.toggled.connect(self.toning.set_auto)
        for one, other in ((self.view, self.beside), (self.beside, self.view)):
            one.picked.connect(self._pick)
            one.hovered.connect(self._show_hover)
            one.followed.connect(self._follow_writer)
            one.moved.connect(other.place)
        self.view.opened.connect(self._open_part)
        self.view.zoomed.connect(self.bar.show_zoom)
        self.view.held.connect(self._hold)
        self.view.menu_wanted.connect(partial(show_menu, self))
        self.view.commanded.connect(self._command)
        self.desk.bookmarks_changed.connect(self._take_names)

    @property
    def overlay(self) -> str:
        """The topmost, one of ui.keys.overlays.NAMES."""
        return self.overlays.chosen

    def set_overlay(self, name: str) -> None:
        """One of ui.keys.overlays.NAMES, alone."""
        self.overlays.choose(name)
        self.refresh()

    def next_overlay(self) -> None:
        self.set_overlay(self.overlays.next)

    # Asking

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        views = self.views
        wanted = Wanted(
            self.when.currentData(), tuple(self.overlays.stack), self.wired.isChecked(),
            self.desk.index.draw_for(focus.event) if self.desk.index else None, views.wanted_mode, views.formula,
            self.toning.of_parts(self.picture), views.partner, views.other if views.partner is None or not
            views.partner.capture else None, self.view.shape,
        )  # fmt: skip
        return partial(view, capture, focus, wanted)

    def display(self, answer: View) -> None:
        self.picture = answer.picture
        self.desk.focus.sizes = answer.sizes
        self._second, self._names = answer.second, answer.names
        self._set_surfaces(answer.surfaces, answer.followed)
        self.views.show_answer(self.picture, answer.note)
        self.shown.emit(self.picture)
        self._show_overlay(answer)
        if self.picture is None:
            self.bound.clear()
            self._show_nothing("There is no surface to draw to yet.")
            return
        self.bound.ask(self.picture, answer.surfaces)
        self.bar.parts.show_parts(self.picture.info, self.desk.focus.focus)
        self.bar.show_kind(not self.picture.is_depth, self.picture.sheet is not None)
        self.bar.set_channels(self.toning.take(self.picture))
        said = self.overlays.stack or self.views.mode == "formula"  # by their legend, or the line of the formula
        self._say_about("" if said else answer.note)
        self._show()

    def fail(self, sentence: str) -> None:
        """A surface missing at the event concerns only this panel."""
        self.picture = None
        self.shown.emit(None)
        self.bound.clear()
        self._show_nothing(sentence)

    def capture_changed(self) -> None:
        capture = self.desk.capture
        self.toning.forget(str(capture.path) if capture is not None else "")
        self.views.forget()
        self.tabs.close_all()

    def clear(self) -> None:
        self.picture = None
        self.shown.emit(None)
        self.bound.clear()
        self._show_nothing("")

    def moved(self, new: Focus, old: Focus) -> None:
        capture = self.desk.capture
        there = capture is not None and bool(len(capture.events))
        self.scrubber.show_place(capture.primitives(new.event) if capture is not None and there else 0, new.primitive)
        self._show_marks()
        self.tabs.show_place(new, "")
        self._show_pin(isinstance(new.surface, int))
        self._choose_current()
        self._show_hover(-1, -1)
        if new.pixel != old.pixel and self.views.mode == "cuts":
            self.refresh()

    # Following, pinning, choosing

    def _pin(self, pinned: bool) -> None:
        if not pinned:
            self.tabs.close_tab(self.tabs.currentIndex())
        elif self.picture is not None and (info := self.picture.info) is not None:
            focus = self.desk.focus.focus
            self.go(surface=info.handle, level=focus.level, face=focus.face, slice=focus.slice, pixel=focus.pixel)
        self._show_pin(isinstance(self.desk.focus.focus.surface, int))

    def _show_pin(self, pinned: bool) -> None:
        self.bar.show_pin(pinned, ROLE_TITLES.get(self.tabs.followed, ""))

    def _follow_writer(self, x: int, y: int) -> None:
        """Goes to the event, and primitive, that the overlay has for a pixel."""
        if (writer := writer_at(self.layering.layers, x, y)) is not None:
            event, primitive = writer
            self.go(event=event, primitive=None if primitive < 0 else primitive, **place_at(self.picture, x, y))

    def _look_at(self, surface: int | str) -> None:
        """Its thumbnail is chosen: the pixel is the one that was picked there, unless the present one exists there, too."""
        focus = self.desk.focus
        pixel = focus.after(surface=surface).pixel or self.tabs.pixel_of(surface)
        self.go(surface=surface, pixel=pixel)

    def _pick(self, x: int, y: int) -> None:
        """A pixel; on a sheet the part, too.  The same again: from a vertex that was looked at since, back to the pixel."""
        if place := place_at(self.picture, x, y):
            again = {"vertex": None} if place["pixel"] == self.desk.focus.focus.pixel else {}
            self.go("pixel", **place, **again)

    def _open_part(self, x: int, y: int) -> None:
        """A double click on a sheet shows that part alone."""
        if self.picture is not None and self.picture.sheet is not None:
            self._pick(x, y)
            self.views.choose("image")

    def focus_filter(self) -> None:
        self.views.show_finder()

    def first_for_keys(self) -> QWidget | None:
        return self.view

    def _command(self, name: str) -> None:
        """A key in the picture (ui.keys.commands)."""
        does: dict[str, Callable[[], object]] = {
            "next-view": self.views.next, "histogram": self.toning.controls.opened.toggle, "keep-other": self.views.keep_other,
            "fit-range": self.auto_range.click, "copy-image": self.copy_image,
        }  # fmt: skip
        does[name]()

    def _hold(self, name: str) -> None:
        """Another picture instead, while a key is down."""
        capture, focus = self.desk.capture, self.desk.focus.focus
        partner = self.views.held(name) if name else None
        if partner is None or capture is None or self.picture is None:
            self._show()
            return
        asked = partial(partner_picture, capture, focus, partner, self.picture)
        self.desk.ask("held picture", asked, lambda shown: self._show_held(shown) if self.view.holding == name else None)

    def _show_held(self, shown: Picture) -> None:
        self._show(shown)
        self.view.set_caption(shown.title)

    # Showing

    def _show_overlay(self, answer: View) -> None:
        """The layers with their legend, and the wire frame."""
        self.layering.show(answer.layers, answer.note)
        wires = self._edges = answer.wires
        self.glow.forget()
        rows = [("faint", 1.0, wires.culled), ("link", 1.0, wires.drawn), ("accent", 2.5, wires.chosen)] if wires else []
        self._wires = tuple(rows)

    def _show_marks(self) -> None:
        """The chosen pixel, or part; wires."""
        focus, sheet = self.desk.focus.focus, self.picture.sheet if self.picture is not None else None
        self.view.set_titles(titles_of(sheet, focus) if sheet is not None else ())
        cross = cross_on(sheet, focus.pixel, focus.slice) if sheet is not None else []
        self.view.set_wires(*self._wires, ("accent", 1.0, np.array(cross, np.float32).reshape(-1, 4)))
        pixel = focus.pixel if self.picture is None or self.picture.has_texels else None
        for image in (self.view, self.beside):
            image.set_pixel(pixel)

    _surfaces: list[Any] = []  # noqa: RUF012 - replaced, never changed
    _followed = ""
    _wires: tuple[tuple[str, float, np.ndarray], ...] = ()
    _edges: Wires | None = None

    def _show_nothing(self, message: str) -> None:
        self._wires, self._edges = (), None
        self.layering.clear()
        self.glow.forget()
        self.toning.take(None)
        self.view.message = message
        self.view.set_picture(None)
        self.view.set_second(None)
        self.view.set_wires()
        self.view.set_titles(())
        self.beside.hide()
        self.about.show_words("")
        self.readout.show_pixel(None, None)

    def argb(self, picture: Picture) -> np.ndarray:
        """A picture by the range and the channels that are chosen, uint32 0xAARRGGBB."""
        if self.toning.plane(picture):
            return self.toning.argb(picture)
        shown = only(self.toning.argb(picture), self.bar.visible_channels, self.checker.isChecked())
        return shown if picture.sheet is None else np.where(picture.sheet.covered, shown, np.uint32(0))

    def _show(self, instead: Picture | None = None) -> None:
        picture = instead or self.picture
        if picture is None:
            return
        checker, sheet = self.checker.isChecked() and not self.toning.plane(picture), picture.sheet is not None
        argb = self.argb(picture)
        if instead is None:
            self.toned.emit(argb)
        self.view.set_picture(argb, checker or sheet, picture.words, checker and not sheet)
        self._show_second(instead is None)
        self._show_marks()
        self._show_hover(-1, -1)

    def _show_second(self, there: bool) -> None:
        """What it is compared with: behind a wipe, or beside it."""
        partner = self.views.partner
        second = only(self._second, self.bar.visible_channels) if there and self._second is not None else None
        side = second is not None and partner is not None and partner.how == "side"
        self.view.set_second(None if side else second, self._names)
        if side:
            self.beside.set_picture(second)
            self.beside.set_caption(self._names[1])
        self.view.set_caption(self._names[0] if side else "")
        self.beside.setVisible(side)

    def _toned(self) -> None:
        """The range is another: sheets are asked for again."""
        if self.picture is not None and self.picture.sheet is not None:
            self.refresh()
        else:
            self._show()

    def _show_channels(self) -> None:
        self.toning.keep_channels("".join(name for name, button in self.channels.items() if button.isChecked()))
        self._show()

    def _say_about(self, note: str = "") -> None:
        """What the picture is of; note: instead of that."""
        if (picture := self.picture) is not None:
            name = self.desk.name_of(picture.info) if picture.info is not None else ""
            self.about.show_words(note or about(picture, name), completed_at(picture, self.desk.index))

    def _take_names(self) -> None:
        """Surfaces may have got other names."""
        if self.picture is not None:
            self._set_surfaces(self._surfaces, self._followed)
            self.bound.ask(self.picture, self._surfaces)
            self._say_about()

    def _set_surfaces(self, surfaces: list[Any], followed: str) -> None:
        self._surfaces, self._followed = surfaces, followed
        rows = [(ROLES[0][0], followed), *ROLES[1:], *((s.handle, f"{self.desk.titled(s)}{GAP}{sized(s)}") for s in surfaces)]
        self.bar.show_surfaces(rows)
        self._choose_current()
        if self.picture is not None and self.picture.info is not None:
            self.tabs.show_place(self.desk.focus.focus, self.desk.titled(self.picture.info))
        self.tabs.retitle({one.handle: self.desk.titled(one) for one in surfaces})

    def _choose_current(self) -> None:
        self.choice.setCurrentIndex(self.choice.findData(self.desk.focus.focus.surface))

    def _set_grid(self, on: bool) -> None:
        self.view.grid = on
        self.view.update()

    def _fit(self) -> None:
        self.view.fit()
        self.beside.fit()

    def _show_hover(self, x: int, y: int) -> None:
        """The pixel under the pointer; without a pointer, the picked one."""
        show_hover(self, x, y)

    # For the window

    def rgba(self) -> np.ndarray | None:
        """uint8[h, w, 4]: the picture as it is shown, with what lies over it."""
        if self.picture is None:
            return None
        picture, partner, second = rgba_of_argb(self.argb(self.picture)), self.views.partner, self._second
        other = None if second is None else rgba_of_argb(only(second, self.bar.visible_channels))
        how = partner.how if partner else ""
        return composed(picture, other, how, self.view.split, self.layering.faded(), self._edges)

    def copy_image(self) -> None:
        rgba = self.rgba()
        (self.desk.done if rgba is not None else self.desk.noted).emit(copied(rgba))

    @property
    def words(self) -> str:
        """What is shown, as part of a file's name."""
        name = self.desk.name_of(self.picture.info) if self.picture is not None and self.picture.info is not None else ""
        return words_of(self.picture, self.desk.focus.focus, self.views.mode, self.overlays.stack, name)
