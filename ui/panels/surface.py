"""The picture in the middle: the surface being drawn at the event, or any other, down to the bits of a pixel."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QSpinBox, QToolButton, QWidget

from inspector.focus import RENDER_TARGET, Focus
from inspector.query.looks.look import MOMENTS
from inspector.query.looks.stored import channels, numbers
from inspector.query.pixels.layers import Layer
from inspector.view import CaptureView
from ui.models.pixels import Picture, exposed, only, pixel_value, ranged, spread
from ui.models.surfaces import ROLE_TITLES, ROLES, View, about, bound, view, writer_words
from ui.panels.panel import Panel, Question
from ui.widgets.bindings import Binding, Bindings
from ui.widgets.color_key import ColorKey
from ui.widgets.controls import Choice, count_box, label, number_box, strip, tool
from ui.widgets.key_tips import name_keys
from ui.widgets.overlay_menu import OverlayMenu
from ui.widgets.picture_view import PictureView
from ui.widgets.readout import Readout
from ui.widgets.scrubber import Scrubber
from ui.widgets.surface_tabs import SurfaceTabs

FOLLOWED = {"Target": RENDER_TARGET, "Depth": "depth"}
PIN = "{}: follows the events. Pin the surface to see it at every event"
UNPIN = "Pinned: this surface at every event. Unpin to follow the render target"
RAIL = 34
"""Pixels of height."""


class SurfacePanel(Panel):
    title, name = "Surface", "surface"
    depends = ("event", "primitive", "surface", "level", "face", "slice", "sample")
    shown = Signal(object)

    def build(self) -> None:
        self.picture: Picture | None = None
        self._ranged, self._range_kind = False, ""
        self._bound: dict[int, str] = {}
        self._layer: Layer | None = None
        self.view = PictureView()
        self.tabs = SurfaceTabs()
        self.box.addWidget(self.tabs)
        self.box.addWidget(self._make_top())
        self.box.addWidget(self._make_rail())
        self.box.addWidget(self.view, 1)
        self.bindings = Bindings()
        self.box.addWidget(self.bindings)
        self.readout = Readout()
        self.box.addWidget(self.readout)
        self.tabs.chosen.connect(lambda place: self.go(**place))
        self.bindings.chosen.connect(self._choose_bound)
        self.scrubber.scrubbed.connect(lambda number: self.go("primitive", primitive=number if number >= 0 else None))
        self.view.picked.connect(lambda x, y: self.go("pixel", pixel=(x, y)))
        self.view.hovered.connect(self._show_hover)
        self.view.followed.connect(self._follow_writer)
        self.view.zoomed.connect(lambda zoom: self.zoom_text.setText(f"{zoom * 100:.0f}%"))

    def _make_top(self) -> QWidget:
        self.choice = Choice("Surface")
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.setMinimumContentsLength(18)
        self.choice.activated.connect(lambda row: self.go(surface=self.choice.itemData(row)))
        self.pin = tool("Pin the surface", "", "pin", checkable=True)
        self.pin.clicked.connect(self._pin)
        self.when = Choice("When")
        for name, tip in MOMENTS.items():
            self.when.addItem(name.capitalize(), name)
            self.when.setItemData(self.when.count() - 1, tip[0].upper() + tip[1:], Qt.ItemDataRole.ToolTipRole)
        self.when.setToolTip("After the event, before it, or only what it changed")
        self.when.activated.connect(lambda _: self.refresh())
        self.parts = {part: self._make_part(part) for part in ("level", "face", "slice", "sample")}
        self.channels = {name: self._make_channel(name) for name in "RGBA"}
        self.checker = tool("Checkerboard", "Show transparency over a checkerboard", "checker", checkable=True)
        self.checker.toggled.connect(lambda _: self._show())
        self.grid = tool("Pixel grid", "Grid between pixels, at 8x and above", "grid", checkable=True, checked=True)
        self.grid.toggled.connect(self._set_grid)
        self.layers = self._make_overlays()
        fit = name_keys(tool("Fit", "", "fit"), "Fit to the window", "surface.fit")
        fit.clicked.connect(self.view.fit)
        whole = tool("One to one", "One to one", text="1:1")
        whole.clicked.connect(lambda: self.view.set_zoom(1.0))
        self.zoom_text = label("100%", "faint")
        self.zoom_text.setMinimumWidth(44)
        left = (self.choice, self.pin, self.when, *self.parts.values(), None)
        return strip(*left, *self.channels.values(), self.checker, self.grid, self.layers, fit, whole, self.zoom_text)

    def _make_overlays(self) -> QToolButton:
        self.overlays = menu = OverlayMenu()
        self.wired = menu.wired
        menu.opacity.setValue(self.kept("opacity", 100))
        menu.on_choice(self.set_overlay)
        menu.opacity.valueChanged.connect(self._set_opacity)
        menu.wired.toggled.connect(lambda _: self.refresh())
        self.view.set_opacity(menu.opacity.value() / 100)
        return menu.button

    @property
    def overlay(self) -> str:
        """One of overlay_menu.NAMES."""
        return self.overlays.chosen

    def set_overlay(self, name: str) -> None:
        """One of overlay_menu.NAMES."""
        self.overlays.choose(name)
        self.refresh()

    def next_overlay(self) -> None:
        self.set_overlay(self.overlays.next)

    def _set_opacity(self, percent: int) -> None:
        self.view.set_opacity(percent / 100)
        self.keep("opacity", percent)

    def _make_part(self, part: str) -> QSpinBox:
        box = count_box(part.capitalize(), f"{part} ")
        box.setVisible(False)
        box.valueChanged.connect(lambda number: self.go(**{part: number}))
        return box

    def _make_channel(self, name: str) -> QToolButton:
        button = tool(
            f"Channel {name}", f"Channel {name}; with Ctrl, {name} alone", text=name, checkable=True, checked=name != "A"
        )
        button.setObjectName("channel")
        button.clicked.connect(lambda _: self._toggle_channel(name))
        return button

    def _make_rail(self) -> QWidget:
        """A row that is always there, so that the picture stays where it is: about the surface, or what an overlay's colours
        mean; its range; its primitives."""
        self.about, self.key, self.scrubber = label(kind="muted"), ColorKey(), Scrubber()
        self.key.hide()
        rail = strip(self.about, self.key, self._make_range(), self.scrubber)
        layout = rail.layout()
        assert isinstance(layout, QHBoxLayout)
        for place, share in enumerate((3, 3, 0, 2)):
            layout.setStretch(place, share)
        rail.setFixedHeight(RAIL)
        return rail

    def _make_range(self) -> QWidget:
        """What is shown as black and as white, for depth and floats."""
        self.low, self.high = number_box("Black point", 0.0), number_box("White point", 1.0)
        self.auto_range = tool("Fit range", "Fit the range to the values present", "range")
        self.plane = Choice("Depth or stencil")
        self.plane.addItems(["Depth", "Stencil"])
        self.plane.activated.connect(lambda _: self._fit_range())
        self.low.valueChanged.connect(lambda _: self._show())
        self.high.valueChanged.connect(lambda _: self._show())
        self.auto_range.clicked.connect(self._fit_range)
        self.range = strip(self.plane, label("Black"), self.low, label("white"), self.high, self.auto_range, name="bare")
        self.range.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.range.layout().setContentsMargins(0, 0, 0, 0)  # type: ignore[union-attr]
        self.range.hide()
        return self.range

    # Asking

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        when, overlay, wired = self.when.currentData(), self.overlay, self.wired.isChecked()
        draw = self.desk.index.draw_for(focus.event) if self.desk.index else None
        return lambda progress: view(capture, focus, when, overlay, wired, progress, draw)

    def display(self, answer: View) -> None:
        self.picture = answer.picture
        self.shown.emit(self.picture)
        self.desk.focus.sizes = answer.sizes
        self._set_surfaces(answer.surfaces)
        self._show_overlay(answer)
        if self.picture is None:
            self._show_nothing("This event has no render target.")
            return
        self._ask_bindings(self.picture, answer.surfaces)
        self._show_parts(self.picture.info)
        self._show_controls(self.picture)
        self._take_range(self.picture)
        self.about.setText(about(self.picture))
        self._show()

    def _take_range(self, picture: Picture) -> None:
        """Depth begins with the range of its values, floats with what a screen shows."""
        kind = "float" if picture.is_float else "depth" if picture.is_depth else self._range_kind
        if kind != self._range_kind:
            self._range_kind, self._ranged = kind, False
            self.low.setValue(0.0)
            self.high.setValue(1.0)
        if not self._ranged and picture.is_depth:
            self._fit_range()

    def _ask_bindings(self, picture: Picture, surfaces: list[Any]) -> None:
        """What is bound, with cached thumbnails; then, when nothing else is asked, with new ones."""
        capture, small, ask, event = self.desk.capture, self.desk.small, self.desk.ask, picture.event
        if capture is None or small is None:
            return

        def look() -> tuple[list[tuple[str, int, Any]], list[tuple[int, str]]]:
            small.take(picture)
            rows = bound(capture, event, surfaces)
            return rows, [(handle, info.format) for _, handle, info in rows if small.find(event, handle) is None]

        def show(answer: tuple[list[tuple[str, int, Any]], list[tuple[int, str]]]) -> None:
            rows, missing = answer
            self._bound = {handle: FOLLOWED[role] for role, handle, _ in rows if role in FOLLOWED}
            bindings = [Binding(role, handle, f"{info.width}×{info.height}") for role, handle, info in rows]
            self.bindings.show_bindings(bindings, small.latest, picture.part)
            if missing:
                made = lambda pictures: self.bindings.show_bindings(bindings, pictures, picture.part)  # noqa: E731
                ask.aside("bound thumbnails", lambda: small.make(event, missing), made)

        ask.cancel("bound thumbnails")
        ask("bindings", lambda _: look(), show)

    def fail(self, sentence: str) -> None:
        """A surface missing at the event concerns only this panel."""
        self.picture = None
        self.shown.emit(None)
        self._show_nothing(sentence)

    def capture_changed(self) -> None:
        self._ranged = False
        self.tabs.close_all()

    def clear(self) -> None:
        self.picture = None
        self.shown.emit(None)
        self.desk.ask.cancel("bound thumbnails")
        self.bindings.show_bindings((), {}, None)
        self._show_nothing("")

    def moved(self, new: Focus, old: Focus) -> None:
        capture = self.desk.capture
        there = capture is not None and bool(len(capture.events))
        self.scrubber.show_place(capture.primitives(new.event) if capture is not None and there else 0, new.primitive)
        self.view.set_pixel(new.pixel)
        self.tabs.show_place(new, "")
        self._show_pin(isinstance(new.surface, int))
        self._choose_current()
        self._show_hover(-1, -1)

    # Following and pinning

    def _choose_bound(self, handle: int) -> None:
        """The target and the depth buffer are followed from event to event, a texture is pinned."""
        self.go(surface=self._bound.get(handle, handle))

    def _pin(self, pinned: bool) -> None:
        if not pinned:
            self.tabs.close_tab(self.tabs.currentIndex())
        elif self.picture is not None and (info := self.picture.info) is not None:
            focus = self.desk.focus.focus
            self.go(surface=info.handle, level=focus.level, face=focus.face, slice=focus.slice, pixel=focus.pixel)
        self._show_pin(isinstance(self.desk.focus.focus.surface, int))

    def _show_pin(self, pinned: bool) -> None:
        self.pin.setChecked(pinned)
        self.pin.setToolTip(UNPIN if pinned else PIN.format(ROLE_TITLES.get(self.tabs.followed, "")))

    # Showing

    def _show_overlay(self, answer: View) -> None:
        """The layer and the wire frame, and above them what the colours mean."""
        layer, wires = answer.layer, answer.wires
        self._layer = layer
        self.view.set_overlay(None if layer is None else layer.rgba)
        if wires is not None:
            self.view.set_wires(("faint", 1.0, wires.culled), ("link", 1.0, wires.drawn), ("accent", 2.5, wires.chosen))
        else:
            self.view.set_wires()
        rows = [(None, layer.note), *layer.legend] if layer is not None else [(None, answer.note)]
        self.key.show_key([row for row in rows if row[1]])
        self.key.setVisible(bool(self.overlay))
        self.about.setVisible(not self.overlay)

    def _show_nothing(self, message: str) -> None:
        self._layer = None
        self.view.message = message
        self.view.set_picture(None)
        self.view.set_overlay(None)
        self.view.set_wires()
        self.about.setText("")
        self.readout.show_pixel(None, None)

    def _show(self) -> None:
        picture = self.picture
        if picture is None:
            return
        depth = self._range_channel()
        low, high = self.low.value(), self.high.value()
        if depth is not None and picture.raw is not None and not picture.changed_only:
            self.view.set_picture(ranged(numbers(picture.raw, depth), low, high), words=picture.words)
        else:
            exact = picture.is_float and not picture.changed_only and (low, high) != (0.0, 1.0)
            argb = exposed(picture, low, high) if exact else picture.argb
            checker = self.checker.isChecked()
            self.view.set_picture(only(argb, self.visible_channels, checker), checker, picture.words)
        self.view.set_pixel(self.desk.focus.focus.pixel)
        self._show_hover(-1, -1)

    @property
    def visible_channels(self) -> str:
        chosen = "".join(name for name, button in self.channels.items() if button.isChecked())
        return chosen + "A" if self.checker.isChecked() and "A" not in chosen and len(chosen) > 1 else chosen

    def _show_controls(self, picture: Picture) -> None:
        depth = picture.is_depth
        self.plane.setVisible(depth and any(row[3] == "stencil" for row in channels(picture.format)))
        self.range.setVisible(depth or picture.is_float)
        for control in (*self.channels.values(), self.checker):
            control.setVisible(not depth)

    def _set_surfaces(self, surfaces: list[Any]) -> None:
        rows = [*ROLES, *((s.handle, f"{s.title}   {s.width}×{s.height}") for s in surfaces)]
        if rows != [(self.choice.itemData(i), self.choice.itemText(i)) for i in range(self.choice.count())]:
            self.choice.clear()
            for data, text in rows:
                self.choice.addItem(text, data)
        self._choose_current()
        if self.picture is not None and self.picture.info is not None:
            self.tabs.show_place(self.desk.focus.focus, self.picture.info.title)

    def _choose_current(self) -> None:
        self.choice.setCurrentIndex(self.choice.findData(self.desk.focus.focus.surface))

    def _show_parts(self, info: Any) -> None:
        """Only the subresource boxes that have something to choose."""
        focus = self.desk.focus.focus
        level = focus.level
        counts = {
            "level": getattr(info, "levels", 1),
            "face": getattr(info, "faces", 1),
            "slice": max((getattr(info, "depth", 0) or 1) >> level, 1),
            "sample": getattr(info, "samples", 0) or 1,
        }
        for part, box in self.parts.items():
            box.blockSignals(True)
            box.setRange(0, max(counts[part] - 1, 0))
            box.setValue(getattr(focus, part) or 0)
            box.blockSignals(False)
            box.setVisible(counts[part] > 1)

    def _range_channel(self) -> tuple[str, int, int, str] | None:
        """The channel that is shown as a range of grey: depth, or stencil if that was chosen."""
        rows = [row for row in channels(self.picture.format) if row[3] in ("depth", "stencil")] if self.picture else []
        wanted = self.plane.currentText().lower()
        return next((row for row in rows if row[3] == wanted), rows[0] if rows else None)

    def _toggle_channel(self, name: str) -> None:
        if QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier:
            for other, button in self.channels.items():
                button.setChecked(other == name)
        self._show()

    def _set_grid(self, on: bool) -> None:
        self.view.grid = on
        self.view.update()

    def _fit_range(self) -> None:
        picture, channel = self.picture, self._range_channel()
        if picture is None or picture.raw is None:
            return
        if not picture.is_float and channel is None:
            return
        low, high, varied = spread(picture, channel)
        self._ranged = self._ranged if picture.is_float else varied
        self.low.setValue(low)
        self.high.setValue(high)
        self._show()

    def _follow_writer(self, x: int, y: int) -> None:
        """Goes to the event, and primitive, that the overlay has for a pixel."""
        if self._layer is not None and (writer := self._layer.writer_at(x, y)) is not None:
            event, primitive = writer
            self.go(event=event, primitive=None if primitive < 0 else primitive, pixel=(x, y))

    def _show_hover(self, x: int, y: int) -> None:
        """The pixel under the pointer; without a pointer, the picked one."""
        self.view.set_tag(writer_words(self.desk.capture, self._layer, x, y))
        place = (x, y) if x >= 0 else self.desk.focus.focus.pixel
        self.readout.show_pixel(place, pixel_value(self.picture, *place) if self.picture and place else None)

    # For the window

    def rgba(self) -> np.ndarray | None:
        """uint8[h, w, 4]: the surface as stored (all four channels), for saving."""
        if self.picture is None:
            return None
        picture, argb = self.picture, np.ascontiguousarray(self.picture.argb)
        return argb.view(np.uint8).reshape(picture.height, picture.width, 4)[..., [2, 1, 0, 3]]
