"""Overlays in the window: layers of colours and the wire frame, on the built-in capture."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QSlider, QToolButton

from inspector.query.looks.wires import wires_of
from inspector.query.pixels.fragments import FragmentsOn
from inspector.query.pixels.history import PixelHistory
from inspector.query.pixels.layers import TESTS
from inspector.query.pixels.overlay import KINDS, OF_DRAWS
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.keys.overlays import NAMES, TITLES
from ui.widgets.overlay_legend import ROW, Rows
from ui.window import Window

DRAW = 3026  # 7,075 pixels pass, 595 fail the depth test


def colors(window: Window, *pixels: tuple[int, int]) -> list[tuple[int, ...]]:
    """What the window shows at pixels of the picture, while it is as large as they are."""
    view = window.surface.view
    view.set_zoom(1.0)
    image = view.grab().toImage()
    shown = (image.pixelColor(view.place_of(x, y)) for x, y in pixels)
    return [color.getRgb()[:3] for color in shown]  # type: ignore[index]


def at(window: Window, mask: np.ndarray) -> tuple[int, int]:
    """A pixel of those that is in sight, far from the others."""
    view, (ys, xs) = window.surface.view, np.nonzero(mask)
    view.set_zoom(1.0)
    for y, x in zip(ys.tolist(), xs.tolist(), strict=True):
        around = mask[y - 1 : y + 2, x - 1 : x + 2]
        if around.size == 9 and around.all() and view.rect().contains(view.place_of(x, y)):
            return x, y
    raise AssertionError("none in sight")


def test_o_goes_through_the_overlays_and_colours_tell_the_tests(qtbot: Any, real: Window) -> None:  # noqa: F811
    real.docks.bring("surface")
    real.desk.focus.go(event=DRAW)
    settle(qtbot, real, 20_000)
    found = real.desk.capture.ask(FragmentsOn("back_buffer", first=DRAW, last=DRAW))
    names = {1: "killed", 2: "alpha_test", 3: "stencil_test", 4: "depth_test", 5: "written"}
    places = {names[stage]: at(real, found.furthest == stage) for stage in (4, 5)}
    plain = colors(real, *places.values())
    qtbot.keyClick(real, Qt.Key.Key_O)
    settle(qtbot, real, 20_000)
    assert real.surface.key.texts == ["passed: 7,075 px", "depth test failed: 595 px"] and real.surface.key.isVisible()
    for name, before, now in zip(places, plain, colors(real, *places.values()), strict=True):
        wanted = [(new * 190 + old * 65) / 255 for new, old in zip(TESTS[name][1], before, strict=True)]
        assert np.allclose(now, wanted, atol=3)
    for kind in (*NAMES[2:], ""):
        qtbot.keyClick(real, Qt.Key.Key_O)
        settle(qtbot, real, 20_000)
        assert real.surface.overlay == kind
        assert not kind or real.surface.key.texts
    assert colors(real, *places.values()) == plain and not real.surface.key.isVisible()


def test_an_overlay_says_what_to_do_where_nothing_is_drawn(qtbot: Any, real: Window) -> None:  # noqa: F811
    real.surface.set_overlay("tests")
    real.desk.focus.go(event=DRAW + 1)
    settle(qtbot, real, 20_000)
    assert real.surface.key.texts == ["This event draws nothing. Press Ctrl+Right to go to the next draw."]
    assert not real.banner.isVisible()


def test_wires_are_the_edges_of_the_triangles_that_are_drawn(real: Window) -> None:  # noqa: F811
    capture = real.desk.capture
    grid, primitives = capture.vertices(DRAW, "clipped"), capture.vertices(DRAW, "primitives")
    fates = primitives.rows["fate"]
    number = int(np.flatnonzero((fates == "drawn") & (primitives.rows["parts"] == 1))[0])
    wires = wires_of(grid, number)
    row = primitives.rows[number]
    box = (row["left"], row["top"], row["right"], row["bottom"])
    ends = wires.chosen.reshape(-1, 2) - 0.5  # whole numbers are centres of pixels in Direct3D 8
    assert len(wires.chosen) == 3 and np.allclose([*ends.min(axis=0), *ends.max(axis=0)], box, atol=1e-3)
    assert len(wires.drawn) == 3 * int(primitives.rows["parts"][fates == "drawn"].sum())


def test_the_keys_bring_the_picture_forward(qtbot: Any, real: Window) -> None:  # noqa: F811
    for key, wanted in ((Qt.Key.Key_O, "tests"), (Qt.Key.Key_W, "tests")):
        real.docks.bring("state")
        settle(qtbot, real)
        assert not real.surface.isVisible() or not real.surface._raised
        qtbot.keyClick(real, key)
        settle(qtbot, real)
        assert real.surface._raised and real.surface.overlay == wanted
    assert real.surface.wired.isChecked()


def test_the_menu_has_every_overlay_in_its_section() -> None:
    assert sorted(NAMES) == sorted(["", *KINDS])
    assert set(dict(TITLES)["This draw"]) == OF_DRAWS


def test_the_last_writer_is_named_under_the_pointer_and_a_click_goes_there(qtbot: Any, real: Window) -> None:  # noqa: F811
    real.docks.bring("surface")
    real.desk.focus.go(event=DRAW)
    real.surface.set_overlay("last_writer")
    settle(qtbot, real, 20_000)
    view, focus = real.surface.view, real.desk.focus
    found = real.desk.capture.ask(FragmentsOn("back_buffer", first=DRAW, last=DRAW))
    place = view.place_of(*at(real, found.furthest == 0))
    x, y = view.pixel_at(place.toPointF()) or (-1, -1)
    entry = real.desk.capture.ask(PixelHistory("back_buffer", x, y, last=DRAW, misses=False)).fragments[-1]
    none = Qt.MouseButton.NoButton  # to the view itself: windows of earlier tests may lie where the pointer would be
    at_place = view.mapToGlobal(place).toPointF()
    moved = QMouseEvent(QEvent.Type.MouseMove, place.toPointF(), at_place, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view, moved)
    name = real.desk.capture.name(entry.event)
    tag = f"{entry.event} {name}, primitive {entry.primitive:,}: click to go there"
    qtbot.waitUntil(lambda: view.tag == tag, timeout=20_000)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, place)
    assert (focus.focus.event, focus.focus.primitive, focus.focus.pixel) == (DRAW, None, (x, y)), "with Ctrl it only picks"
    settle(qtbot, real, 20_000)
    QApplication.sendEvent(view, moved)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place)
    assert (focus.focus.event, focus.focus.primitive) == (entry.event, entry.primitive)
    settle(qtbot, real, 20_000)
    real.surface.set_overlay("tests")
    settle(qtbot, real, 20_000)
    view.hovered.emit(x, y)
    assert view.tag == ""


def test_opacity_weakens_the_layer_and_is_kept(qtbot: Any, real: Window) -> None:  # noqa: F811
    real.docks.bring("surface")
    real.desk.focus.go(event=DRAW)
    settle(qtbot, real, 20_000)
    found = real.desk.capture.ask(FragmentsOn("back_buffer", first=DRAW, last=DRAW))
    place = at(real, found.furthest == 5)
    (plain,) = colors(real, place)
    real.surface.set_overlay("tests")
    settle(qtbot, real, 20_000)
    real.surface.overlays.opacity.setValue(50)
    (half,) = colors(real, place)
    wanted = [(new * 95 + old * 160) / 255 for new, old in zip(TESTS["written"][1], plain, strict=True)]
    assert np.allclose(half, wanted, atol=3)
    assert real.surface.kept("opacity", 0) == (50 if real.desk.settings is not None else 0)


def test_the_legend_fades_and_removes_a_layer_and_goes_to_its_events(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface = real.surface
    real.docks.bring("surface")
    real.desk.focus.go(event=DRAW)
    settle(qtbot, real, 20_000)
    surface.overlays.stack = ["last_writer", "tests"]
    surface.refresh()
    settle(qtbot, real, 20_000)
    legend = surface.key
    buttons = lambda begin: [b for b in legend.findChildren(QToolButton) if b.accessibleName().startswith(begin)]  # noqa: E731
    assert not legend.findChildren(Rows) and legend.height() < 100, "folded: open it would cover much of this small image"
    buttons("Show the meanings")[0].setFocus()
    qtbot.keyClick(buttons("Show the meanings")[0], Qt.Key.Key_Space)
    assert buttons("Show only titles")[0].hasFocus()
    assert surface.kept("legend", "") == ("open" if real.desk.settings is not None else "")
    sliders = {slider.accessibleName(): slider for slider in legend.findChildren(QSlider)}
    sliders["Opacity of Last writer"].setValue(40)
    sliders["Opacity of Tests"].setValue(70)
    assert [round(opacity, 2) for _, opacity in surface.view._layers] == [0.4, 0.7]
    assert set(legend.findChildren(QSlider)) == set(sliders.values()), "the slider that is dragged stays"
    writers = legend.findChildren(Rows)[1]
    event = writers.meanings[1].event
    assert event is not None
    row = QPoint(20, ROW + ROW // 2)
    qtbot.mouseMove(writers, row)
    writers.pointed.emit(1)
    assert surface.view._glow_kept is not None
    lit = int((surface.view._glow_kept[..., 3] > 0).sum())
    words = f"{event} {real.desk.capture.name(event)}: {lit:,} px"
    assert words in surface.key.texts, "as many pixels light up as the legend counts"
    writers.pointed.emit(-1)
    assert surface.view._glow is None
    qtbot.mouseClick(writers, Qt.MouseButton.LeftButton, pos=row)
    settle(qtbot, real, 20_000)
    assert real.desk.focus.focus.event == event
    real.desk.focus.go(event=DRAW)
    settle(qtbot, real, 20_000)
    writers = legend.findChildren(Rows)[1]
    writers.setFocus()
    qtbot.keyClick(writers, Qt.Key.Key_Down)  # not the next event
    second = writers.meanings[1].event
    assert second is not None and f"event {second}" in writers.accessibleDescription() and surface.view._glow_kept is not None
    qtbot.keyClick(writers, Qt.Key.Key_Up)
    first = writers.meanings[0].event
    qtbot.keyClick(writers, Qt.Key.Key_Return)
    settle(qtbot, real, 20_000)
    assert real.desk.focus.focus.event == first
    assert legend.findChildren(Rows)[1].hasFocus(), "the rows of the next answer take the keyboard over"
    buttons("Remove the overlay Tests")[0].click()
    settle(qtbot, real, 20_000)
    assert surface.overlays.stack == ["last_writer"]
    buttons("Show only titles")[0].click()
    assert not legend.findChildren(Rows) and legend.isVisible()
    assert surface.kept("legend", "") == ("folded" if real.desk.settings is not None else "")
    legend.set_open(None)
    view = surface.view
    view.resize(2600, 1200)
    qtbot.waitUntil(lambda: bool(legend.findChildren(Rows)))  # a large image has room for it
