"""The picture in the window: while scrubbing, its pixels, depth, channels, and saving it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication

from core.errors import BadInput
from inspector.exports.dds import dds
from inspector.exports.formats import formats
from tests.ui.conftest import settle
from tests.ui.fake import DEPTH, HEIGHT, TEXTURE, WIDTH, FakeCapture
from tests.ui.test_real_capture import real  # noqa: F401
from tests.ui.window_kit import Make, gated, panel
from ui.panels.inspector import InspectorPanel
from ui.panels.panel import Desk
from ui.panels.surface_menu import menu_of
from ui.reporting import ReportDialog
from ui.window import Window


def test_scrubbing_drops_what_is_late_and_ends_on_the_last_event(qtbot: Any, make_window: Make, file: Path) -> None:
    capture = FakeCapture(100)
    gate = gated(capture)
    window = make_window(lambda path, progress: capture)
    window.open(file)
    settle(qtbot, window)
    panel(window, "surface")
    settle(qtbot, window)
    capture.images_asked.clear()
    gate.clear()
    scrubbed = window.docks.panels["timeline"].strip.scrubbed  # type: ignore[attr-defined]
    for event in range(100, 1000, 20):
        scrubbed.emit(event)
        QApplication.processEvents()
    gate.set()
    settle(qtbot, window)
    assert window.surface.picture is not None
    assert window.surface.picture.event == window.desk.focus.focus.event == 980
    assert set(capture.images_asked) <= {capture.images_asked[0], 980}, "the one that was begun, and the last"
    assert threading.main_thread() not in capture.image_threads
    window.desk.focus.back()
    assert window.desk.focus.focus.event == 9


def test_the_last_picture_stays_while_the_next_is_made(qtbot: Any, make_window: Make, file: Path) -> None:
    capture = FakeCapture()
    gate = gated(capture)
    window = make_window(lambda path, progress: capture)
    window.open(file)
    settle(qtbot, window)
    gate.clear()
    window.desk.focus.go(event=20)
    qtbot.wait(30)
    assert window.surface.view.picture_size == (WIDTH, HEIGHT)
    assert window.surface.picture is not None
    assert window.surface.picture.event == 9
    qtbot.waitUntil(window.status.bar.isVisible)
    gate.set()
    settle(qtbot, window)
    assert window.surface.picture.event == 20
    assert not window.status.bar.isVisible()


def test_picking_a_pixel_reads_it_out(qtbot: Any, window: Window) -> None:
    surface, inspector = panel(window, "surface"), window.inspector
    settle(qtbot, window)
    qtbot.mouseClick(surface.view, Qt.MouseButton.LeftButton, pos=surface.view.place_of(WIDTH - 1, 0))
    assert window.desk.focus.focus.pixel == (WIDTH - 1, 0)
    assert surface.readout.said.startswith(f"{WIDTH - 1}, 0   ffff0009")
    sections = {section.title: section for section in inspector.facts.sections}
    facts = {fact.name: fact.value for fact in sections[f"Pixel {WIDTH - 1}, 0"].facts}
    assert facts["Stored"] == "ffff0009"
    assert facts["Bytes"] == "09 00 ff ff"
    assert facts["R"].startswith("1.0")
    assert inspector.loupe.isVisible()
    window.docks.docks["inspector"].hide()
    window.desk.focus.go(pixel=(0, 0))
    assert f"Pixel {WIDTH - 1}, 0" in [section.title for section in inspector.facts.sections], "nobody sees it"
    window.docks.docks["inspector"].show()
    assert "Pixel 0, 0" in [section.title for section in inspector.facts.sections]


def test_the_loupe_leaves_the_details_their_room(qtbot: Any) -> None:
    inspector = InspectorPanel(Desk())
    qtbot.addWidget(inspector)
    inspector.show()
    inspector.loupe.show()
    for height in (330, 900, 250):
        inspector.resize(300, height)
        qtbot.waitUntil(lambda height=height: inspector.loupe.height() == min(height * 2 // 5, 164))


def test_any_surface_can_be_chosen_with_its_levels(qtbot: Any, window: Window) -> None:
    surface = panel(window, "surface")
    settle(qtbot, window)
    row = surface.choice.findData(TEXTURE)
    surface.choice.setCurrentIndex(row)
    surface.choice.activated.emit(row)
    settle(qtbot, window)
    assert surface.view.picture_size == (32, 32)
    assert surface.parts["level"].isVisible()
    assert not surface.parts["face"].isVisible()
    surface.parts["level"].setValue(2)
    settle(qtbot, window)
    assert surface.view.picture_size == (8, 8)


def test_depth_is_shown_as_a_range(qtbot: Any, window: Window) -> None:
    surface = panel(window, "surface")
    window.desk.focus.go(surface=DEPTH)
    settle(qtbot, window)
    assert surface.low.isVisible()
    assert not surface.channels["R"].isVisible()
    surface.auto_range.click()
    assert surface.high.value() == pytest.approx(3071 * 1000 / 0xFFFFFF, abs=1e-6)
    shown = surface.view._argb & 0xFF
    assert shown.min() == 0
    assert shown.max() >= 254


def test_controls_that_come_and_go_do_not_move_the_docks(qtbot: Any, window: Window) -> None:
    qtbot.wait(20)
    widths = [dock.width() for dock in window.docks.docks.values()]
    window.desk.focus.go(surface=DEPTH)
    settle(qtbot, window)
    window.desk.focus.go(surface=TEXTURE)
    settle(qtbot, window)
    qtbot.wait(20)
    assert [dock.width() for dock in window.docks.docks.values()] == widths


def test_the_stencil_of_a_depth_surface_can_be_looked_at(qtbot: Any, window: Window) -> None:
    surface = panel(window, "surface")
    window.desk.focus.go(surface=DEPTH)
    settle(qtbot, window)
    assert surface.plane.isVisible()
    surface.plane.setCurrentIndex(1)
    surface.plane.activated.emit(1)
    assert not (surface.view._argb & 0xFF).any()


def test_the_surface_before_the_event_and_what_it_changed(qtbot: Any, window: Window) -> None:
    surface = panel(window, "surface")
    window.desk.focus.go(event=10)
    settle(qtbot, window)

    def blue(when: int) -> set[int]:
        surface.when.setCurrentIndex(when)
        surface.when.activated.emit(when)
        settle(qtbot, window)
        return set((surface.picture.argb & 0xFF).flat)

    assert [blue(0), blue(1)] == [{10}, {9}]
    assert blue(2) == {10}
    assert surface.picture.changed_only
    window.desk.focus.go(event=0)
    settle(qtbot, window)
    assert blue(1) == {0}


def test_channels_can_be_turned_off(qtbot: Any, window: Window) -> None:
    surface = panel(window, "surface")
    settle(qtbot, window)
    surface.channels["R"].click()
    assert not (surface.view._argb & 0xFF0000).any()
    surface.channels["B"].click()
    grey = surface.view._argb
    assert np.array_equal((grey >> 8) & 0xFF, grey & 0xFF)


def test_the_picture_is_saved_as_png(qtbot: Any, window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "saved.png"
    monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", lambda *a, **k: (str(target), ""))
    panel(window, "surface")
    settle(qtbot, window)
    window.actions_by_name["save-picture"].trigger()
    settle(qtbot, window)
    saved = QImage(str(target))
    assert (saved.width(), saved.height()) == (WIDTH, HEIGHT)
    assert saved.pixelColor(WIDTH - 1, HEIGHT - 1).getRgb() == (255, 255, 9, 255)


def test_a_surface_that_is_not_there_is_told_where_it_would_be(qtbot: Any, window: Window) -> None:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise BadInput("there is no surface 77 at event 20")

    window.desk.capture.image = refuse
    window.desk.focus.go(event=20, surface=77)
    settle(qtbot, window)
    assert window.surface.view.message == "There is no surface 77 at event 20."
    assert window.surface.picture is None
    assert not window.banner.isVisible()
    window.grab()


def test_a_surface_is_saved_as_dds_and_a_report_as_html(
    qtbot: Any,
    real: Window,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texture, page = tmp_path / "texture.dds", tmp_path / "page.html"
    monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", lambda *a, **k: (str(texture), ""))
    capture, event = real.desk.capture, real.desk.focus.focus.event
    handle = next(surface.handle for surface in capture.surfaces(event) if surface.kind == "2d" and surface.levels > 1)
    real.desk.focus.go(surface=handle)
    settle(qtbot, real, 20_000)
    real.actions_by_name["save-picture"].trigger()
    settle(qtbot, real, 20_000)
    assert texture.read_bytes() == dds(capture.moment(event), handle)
    assert "Saved " in real.banner.text
    form = next(formats("deep"))
    both = tmp_path / "both.png"
    for chosen, bits in ((f"{form.name}: {form.holds} (*.png)", 16), ("", 8)):  # the type of file decides between the two
        monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", lambda *a, chosen=chosen, **k: (str(both), chosen))
        real.actions_by_name["save-picture"].trigger()
        settle(qtbot, real, 20_000)
        assert both.read_bytes()[24] == bits  # of the chunk IHDR
    monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", lambda *a, **k: (str(page), ""))
    real.actions_by_name["save-report"].trigger()
    (dialog,) = real.findChildren(ReportDialog)
    dialog.accept()
    settle(qtbot, real, 60_000)
    assert f"event {event}" in page.read_text("utf-8").casefold()
    monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", lambda *a, **k: (str(tmp_path / "no" / "x.dds"), ""))
    real.actions_by_name["save-picture"].trigger()
    settle(qtbot, real, 20_000)
    assert real.banner.text.startswith("Cannot write")


def test_the_menu_of_a_pixel_finds_copies_and_asks(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface, clipboard = real.surface, QGuiApplication.clipboard()
    real.desk.focus.go(event=real.desk.capture.frames[0].last_event, pixel=(40, 30))
    settle(qtbot, real)
    menu = menu_of(surface)
    does = {action.text(): action for action in menu.actions()}
    red, green, blue = surface.rgba()[30, 40, :3].tolist()
    does["Copy the pixel"].trigger()
    assert clipboard.text().startswith(f"40, 30: #{red:02x}{green:02x}{blue:02x}, stored ")
    does["Copy the image as it is shown"].trigger()
    image = clipboard.image()
    assert (image.width(), image.height()) == (surface.picture.width, surface.picture.height)
    assert image.pixelColor(40, 30).getRgb()[:3] == (red, green, blue)
    does["Find this value in the image"].trigger()
    qtbot.waitUntil(lambda: " of " in surface.views.finder.words.text(), timeout=60_000)
    x, y = real.desk.focus.focus.pixel
    assert surface.rgba()[y, x, :3].tolist() == [red, green, blue]
    for words, name in (("Show the pixel history", "history"), ("Step through the pixel", "stepping")):
        does[words].trigger()
        assert real.docks.panels.is_raised(name) and real.docks.docks[name].isVisible()


def test_a_right_click_has_a_menu_and_a_right_drag_picks(qtbot: Any, real: Window) -> None:  # noqa: F811
    view, places = real.surface.view, []
    view.menu_wanted.disconnect()
    view.menu_wanted.connect(places.append)
    right, start, end = Qt.MouseButton.RightButton, view.place_of(40, 30), view.place_of(90, 60)
    qtbot.mouseClick(view, right, pos=start)
    assert len(places) == 1 and real.desk.focus.focus.pixel == view.pixel_at(QPointF(start))
    qtbot.mousePress(view, right, pos=start)
    qtbot.mouseMove(view, end)
    QApplication.sendEvent(view, moved_with(right, view, end))
    qtbot.mouseRelease(view, right, pos=end)
    assert len(places) == 1 and real.desk.focus.focus.pixel == view.pixel_at(QPointF(end))


def moved_with(button: Qt.MouseButton, view: Any, place: Any) -> QMouseEvent:
    """What Qt sends while a button is held."""
    at, none = QPointF(place), Qt.KeyboardModifier.NoModifier
    return QMouseEvent(QEvent.Type.MouseMove, at, QPointF(view.mapToGlobal(place)), Qt.MouseButton.NoButton, button, none)


def test_copy_is_in_the_menu_and_says_so(qtbot: Any, real: Window) -> None:  # noqa: F811
    settle(qtbot, real)
    real.actions_by_name["copy-picture"].trigger()
    assert QGuiApplication.clipboard().image().width() == real.surface.picture.width
    assert real.banner.text.startswith("Copied the image")
