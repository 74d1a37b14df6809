"""Timeline, picture, bytes and mesh: what the pointer and the keys do, and what is drawn where."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt, qInstallMessageHandler
from PySide6.QtGui import QColor, QIcon, QWheelEvent
from PySide6.QtWidgets import QStyleOptionComboBox, QWidget

from inspector.focus import Focus
from tests.ui.fake import FakeCapture
from ui import style
from ui.index import KINDS, build_index
from ui.widgets.controls import Choice
from ui.widgets.hex_view import HexView
from ui.widgets.icons import PATHS, _Engine
from ui.widgets.part_boxes import PartBoxes
from ui.widgets.picture_paint import ink_on
from ui.widgets.picture_rows import rows_for
from ui.widgets.picture_view import PictureView
from ui.widgets.surface_bar import SurfaceChoice
from ui.widgets.timeline_ground import column_counts
from ui.widgets.timeline_strip import TimelineStrip

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


def show(qtbot: Any, widget: QWidget, width: int, height: int) -> None:
    qtbot.addWidget(widget)
    widget.resize(width, height)
    with qtbot.waitExposed(widget):
        widget.show()


def wheel(widget: QWidget, place: QPoint, notches: int) -> None:
    event = QWheelEvent(
        QPointF(place),
        QPointF(widget.mapToGlobal(place)),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    widget.wheelEvent(event)


@pytest.fixture
def strip(qtbot: Any) -> Iterator[TimelineStrip]:
    strip = TimelineStrip()
    show(qtbot, strip, 820, 90)
    strip.set_index(build_index(FakeCapture(100)))
    strip.set_flags([(4, "warning")])
    yield strip


def test_a_click_places_the_playhead_and_a_drag_scrubs(qtbot: Any, strip: TimelineStrip) -> None:
    placed, scrubbed = [], []
    strip.placed.connect(placed.append)
    strip.scrubbed.connect(scrubbed.append)
    qtbot.mousePress(strip, LEFT, pos=QPoint(410, 50))
    for x in (420, 500, 5000):
        qtbot.mouseMove(strip, QPoint(x, 50))
    qtbot.mouseRelease(strip, LEFT, pos=QPoint(500, 50))
    assert placed == [strip.event_at(410)] == [550]
    assert scrubbed == sorted(scrubbed)
    assert scrubbed[-1] == 1098  # whole: the Flip at 1099 shows the next buffer


def test_places_and_events_match(strip: TimelineStrip) -> None:
    for event in (0, 1, 549, 1099):
        assert strip.event_at(strip.x_of(event + 0.5)) == event


def test_the_wheel_zooms_about_the_pointer_and_stays_inside(strip: TimelineStrip) -> None:
    under = strip.event_at(300)
    wheel(strip, QPoint(300, 50), 5)
    assert abs(strip.event_at(300) - under) <= 1
    begin, end = strip.shown
    assert end - begin < 400
    wheel(strip, QPoint(300, 50), -50)
    assert strip.shown == (0.0, 1100.0)
    wheel(strip, QPoint(300, 50), 100)
    assert strip.shown[1] - strip.shown[0] >= 12


def test_a_double_click_shows_the_frame_and_then_all_again(qtbot: Any, strip: TimelineStrip) -> None:
    place = QPoint(int(strip.x_of(555)), 50)
    qtbot.mouseDClick(strip, LEFT, pos=place)
    assert strip.shown == (550.0, 562.0)
    strip.show_range(550, 561)
    strip.fit()
    assert strip.shown == (0.0, 1100.0)


def test_the_view_follows_an_event_that_is_out_of_sight(strip: TimelineStrip) -> None:
    strip.show_range(0, 100)
    strip.set_event(900)
    begin, end = strip.shown
    assert begin <= 900 < end
    assert end - begin == 100


def test_density_counts_each_event_once() -> None:
    index = build_index(FakeCapture(100))
    for width in (7, 800, 3000):
        counts = column_counts(index, 0, len(index), width)
        assert counts.shape == (len(KINDS), width)
        assert counts.sum() == len(index)


def test_the_playhead_is_drawn_at_its_event_in_both_themes(qtbot: Any, qapp: Any, strip: TimelineStrip) -> None:
    strip.set_event(550)

    def off() -> int:
        pixel, accent = strip.grab().toImage().pixelColor(int(strip.x_of(550.5)), 50), style.theme().color("accent")
        return abs(pixel.red() - accent.red()) + abs(pixel.green() - accent.green())

    for name in ("light", "dark"):
        style.apply(qapp, name)
        qtbot.waitUntil(lambda: off() < 120)  # new events are painted in a turn of their own


@pytest.fixture
def view(qtbot: Any) -> Iterator[PictureView]:
    view = PictureView()
    show(qtbot, view, 400, 300)
    argb = np.full((48, 64), 0xFF000000, np.uint32)
    argb[10, 20] = 0xFFFF0000
    view.set_picture(argb)
    yield view


def test_a_picture_fits_whole_with_square_pixels(view: PictureView) -> None:
    assert view.zoom == 5.0
    assert view.pixel_at(QPointF(view.place_of(0, 0))) == (0, 0)
    assert view.pixel_at(QPointF(view.place_of(63, 47))) == (63, 47)
    assert view.pixel_at(QPointF(1, 1)) is None


def test_a_click_picks_the_pixel_under_it(qtbot: Any, view: PictureView) -> None:
    picked: list[tuple[int, int]] = []
    view.picked.connect(lambda x, y: picked.append((x, y)))
    qtbot.mouseClick(view, LEFT, pos=view.place_of(20, 10))
    qtbot.mouseClick(view, RIGHT, pos=view.place_of(63, 0))
    qtbot.mouseClick(view, LEFT, pos=QPoint(1, 1))
    assert picked == [(20, 10), (63, 0)]


def test_dragging_pans_and_picks_nothing(qtbot: Any, view: PictureView) -> None:
    picked: list[tuple[int, int]] = []
    view.picked.connect(lambda x, y: picked.append((x, y)))
    view.set_zoom(20)
    before = view.place_of(0, 0)
    qtbot.mousePress(view, LEFT, pos=QPoint(200, 150))
    qtbot.mouseMove(view, QPoint(230, 140))
    qtbot.mouseRelease(view, LEFT, pos=QPoint(230, 140))
    assert view.place_of(0, 0) - before == QPoint(30, -10)
    assert not picked


def test_the_wheel_zooms_at_the_pointer(view: PictureView) -> None:
    place = view.place_of(20, 10)
    for _ in range(4):
        wheel(view, place, 1)
    assert view.zoom > 10
    assert view.pixel_at(QPointF(place)) == (20, 10)
    assert not view.fitting


def test_shift_and_arrows_move_the_chosen_pixel_and_stop_at_the_edge(qtbot: Any, view: PictureView) -> None:
    picked: list[tuple[int, int]] = []
    view.picked.connect(lambda x, y: (picked.append((x, y)), view.set_pixel((x, y))))
    view.set_pixel((62, 5))
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up):
        qtbot.keyClick(view, key, Qt.KeyboardModifier.ShiftModifier)
    assert picked == [(63, 5), (63, 5), (63, 4)]


def test_all_samples_are_a_choice_of_their_own(qapp: object) -> None:
    """A focus without a sample shows the resolved surface, not the first sample."""
    boxes, chosen = PartBoxes(), []
    boxes.chosen.connect(lambda part, number: chosen.append((part, number)))
    boxes.show_parts(SimpleNamespace(samples=4), Focus())
    assert boxes.sample.text() == "all samples"
    for _ in range(2):
        boxes.sample.stepUp()
    boxes.show_parts(SimpleNamespace(samples=4), Focus(sample=1))
    assert boxes.sample.text() == "sample 1"
    for _ in range(3):
        boxes.sample.stepDown()
    assert chosen == [("sample", 0), ("sample", 1), ("sample", 0), ("sample", None)]
    boxes.show_parts(SimpleNamespace(levels=3), Focus())
    assert (boxes.level.minimum(), boxes.level.text()) == (0, "level 0 of 3")


def test_a_pixel_outside_the_picture_has_no_mark(view: PictureView) -> None:
    width, height = view.picture_size
    bare = view.grab().toImage()
    for outside in ((width, 0), (0, height)):
        view.set_pixel(outside)
        assert view.grab().toImage() == bare
    view.set_pixel((width - 1, height - 1))
    assert view.grab().toImage() != bare


def test_pixels_are_drawn_where_they_are_said_to_be(view: PictureView) -> None:
    shot = view.grab().toImage()
    assert shot.pixelColor(view.place_of(20, 10)).red() == 255
    assert shot.pixelColor(view.place_of(22, 10)).red() == 0


def test_a_new_picture_of_the_same_size_keeps_the_place(view: PictureView) -> None:
    view.set_zoom(17)
    place = view.place_of(3, 3)
    view.set_picture(np.zeros((48, 64), np.uint32))
    assert (view.zoom, view.place_of(3, 3)) == (17, place)
    view.set_picture(None)
    assert view.picture_size == (0, 0)
    view.grab()


def test_alpha_lets_the_checkerboard_through(view: PictureView) -> None:
    view.set_picture(np.zeros((48, 64), np.uint32), alpha=True)
    shot = view.grab().toImage()
    seen = {shot.pixelColor(view.place_of(x, 20)).name() for x in range(64)}
    assert {style.theme().checker_a, style.theme().checker_b} <= seen


def test_deep_zoom_writes_numbers_into_the_pixels(view: PictureView) -> None:
    view.set_zoom(64)
    shot = view.grab().toImage()
    center = view.place_of(*view.pixel_at(QPointF(200, 150)))
    around = [shot.pixelColor(center + QPoint(dx, dy)).lightness() for dx in range(-20, 21) for dy in range(-20, 21)]
    assert max(around) > 200


def test_bytes_light_up_and_say_where_they_were_hit(qtbot: Any) -> None:
    view = HexView()
    show(qtbot, view, 600, 120)
    view.set_data(bytes(range(40)), base=0x100)
    assert view.per_row == 16
    hits: list[int] = []
    view.picked.connect(hits.append)
    for y in range(0, 60, 4):
        for x in range(0, 600, 6):
            if view.byte_at(QPoint(x, y)) == 21:
                qtbot.mouseClick(view.viewport(), LEFT, pos=QPoint(x, y))
    assert set(hits) == {21}
    view.light(16, 20)
    accent = style.theme().color("accent", 70)
    shot = view.viewport().grab().toImage()
    assert any(shot.pixelColor(x, 30).red() > style.theme().color("panel").red() + accent.alpha() // 4 for x in range(80, 200))


def test_the_arrow_keys_walk_through_the_bytes(qtbot: Any) -> None:
    view = HexView()
    show(qtbot, view, 600, 120)
    view.set_data(bytes(40))
    hits: list[int] = []
    view.picked.connect(hits.append)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(view, key)
    assert hits == [16, 32, 39, 23]


def test_an_icon_squeezed_to_nothing_is_painted_in_silence(qapp: object) -> None:
    said: list[str] = []
    before = qInstallMessageHandler(lambda kind, context, text: said.append(text))
    try:
        found = [_Engine(next(iter(PATHS)), "text").pixmap(QSize(width, 16), QIcon.Mode.Normal, QIcon.State.Off)
                 for width in (16, 0, -1)]  # fmt: skip
    finally:
        qInstallMessageHandler(before)
    assert [one.isNull() for one in found] == [False, True, True]
    assert said == []


@pytest.mark.parametrize("count, room, rows", [
    (2, (810, 400), 1), (2, (400, 810), 2), (4, (810, 400), 2), (4, (1600, 300), 1), (3, (400, 1200), 3), (6, (1000, 700), 2),
    (5, (0, 0), 1), (0, (100, 100), 1),
])  # fmt: skip
def test_pictures_stand_in_the_rows_that_make_them_largest(count: int, room: tuple[int, int], rows: int) -> None:
    assert rows_for(count, (640, 480), room) == rows


def test_a_closed_list_ends_in_dots_and_leaves_no_part_of_a_number(qtbot: Any) -> None:
    shown: dict[str, str] = {}
    for choice in (Choice("one"), SurfaceChoice("two")):
        qtbot.addWidget(choice)
        choice.addItem("Render target 3   1272×773")
        choice.resize(choice.fontMetrics().horizontalAdvance("Render target 3   127") + 30, 28)
        choice.show()
        option = QStyleOptionComboBox()
        choice.initStyleOption(option)
        shown[choice.accessibleName()] = option.currentText
        choice.resize(choice.sizeHint())
        whole = QStyleOptionComboBox()
        choice.initStyleOption(whole)
        assert whole.currentText == choice.in_short(choice.currentText()), "it has the room that it asks for"
    assert shown["one"].endswith("…") and "773" not in shown["one"]
    assert shown["two"] == "Render target 3", "the line below says the size"


def test_numbers_on_a_colour_are_read_as_well_as_they_can_be() -> None:
    """Contrast is by luminance (WCAG 2.1), of which green makes most, and blue least."""
    colors = {"#ffff00": "#000000", "#e1d500": "#000000", "#00ff00": "#000000", "#0000ff": "#ffffff", "#8000ff": "#ffffff",
              "#000000": "#ffffff", "#ffffff": "#000000", "#757575": "#ffffff", "#777777": "#000000"}  # fmt: skip
    assert {color: ink_on(QColor(color)).name() for color in colors} == colors
