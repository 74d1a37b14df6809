"""The timeline beyond events: marks, bookmarks, a pixel's life, pictures, costs, and dragging from frame end to frame end."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage

import inspector
from inspector.focus import Focus
from inspector.tape.bookmarks import Bookmark
from tests.ui.conftest import settle
from tests.ui.fake import FRAME, FakeCapture
from tests.ui.test_failed_calls import opened
from tests.ui.window_kit import Make, panel
from ui import style
from ui.index import build_index
from ui.panels.panel import Desk
from ui.panels.timeline import TimelinePanel
from ui.settings import Settings
from ui.widgets.timeline_marks import MARKS, ROW, places, rows_of
from ui.widgets.timeline_room import FLAGS, LIFE, ROOMY, Room, share_out
from ui.widgets.timeline_strip import TimelineStrip

ROOM = Path(__file__).resolve().parents[2] / "resources" / "room.ddicap"
NONE = np.zeros(0, np.int64)
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def strip(qtbot: Any) -> Iterator[TimelineStrip]:
    strip = TimelineStrip()
    qtbot.addWidget(strip)
    strip.resize(820, 140)
    with qtbot.waitExposed(strip):
        strip.show()
    strip.set_index(build_index(FakeCapture(100)))
    qtbot.waitUntil(lambda: not strip._new)  # painted
    yield strip


def dragged(qtbot: Any, strip: TimelineStrip, *xs: int) -> list[int]:
    scrubbed: list[int] = []
    strip.scrubbed.connect(scrubbed.append)
    qtbot.mousePress(strip, LEFT, pos=QPoint(400, 60))
    for x in xs:
        qtbot.mouseMove(strip, QPoint(x, 60))
    qtbot.mouseRelease(strip, LEFT, pos=QPoint(xs[-1], 60))
    return scrubbed


def test_zoomed_out_dragging_goes_to_complete_frames(qtbot: Any, strip: TimelineStrip) -> None:
    found = dragged(qtbot, strip, 410, 433, 612)
    assert len(found) == 3 and all(event % len(FRAME) == len(FRAME) - 2 for event in found), "before the Flip"
    assert [event // len(FRAME) for event in found] == [strip.event_at(x) // len(FRAME) for x in (410, 433, 612)]


def test_zoomed_in_dragging_goes_to_every_event(qtbot: Any, strip: TimelineStrip) -> None:
    strip.show_range(0, 110)
    assert dragged(qtbot, strip, 410, 425, 440) == [strip.event_at(x) for x in (410, 425, 440)]


def test_numbers_of_frames_do_not_lie_over_each_other(strip: TimelineStrip) -> None:
    for begin in range(100, 122):  # a frame has 11 events: of the first one less and less is in sight
        strip.show_range(begin, begin + 110)
        strip.grab()
        numbers = strip._labels
        assert len(numbers) >= 9 and all(left.right() < right.left() for left, right in itertools.pairwise(numbers)), begin


def test_marks_fall_where_their_events_are_each_pixel_once(strip: TimelineStrip) -> None:
    events = np.array([0, 1, 2, 550, 1099])
    assert places(events, 0, 1100, strip.x_of) == sorted({int(strip.x_of(event + 0.5)) for event in events.tolist()})
    assert places(np.arange(1_000_000), 0, 1100, strip.x_of)[-1] < 820
    assert places(events, 3, 500, strip.x_of) == []


def colors_at(strip: TimelineStrip, x: float, top: float, bottom: float) -> set[str]:
    image = strip.grab().toImage()
    return {image.pixelColor(int(x) + dx, y).name() for y in range(int(top), int(bottom)) for dx in (-1, 0, 1)}


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_each_kind_of_mark_has_its_row_and_colour(qapp: Any, strip: TimelineStrip, theme: str) -> None:
    style.apply(qapp, theme)
    free = strip._lane().height()
    for number, kind in enumerate(MARKS):
        strip.set_marks(kind.name, np.array([300 + 100 * number]))
    assert len(rows_of(strip._marks)) == 3 and strip._lane().height() == free - 3 * ROW
    bottom = strip._lane().bottom() + FLAGS
    for number, kind in enumerate(MARKS):
        top = bottom + ROW * kind.row
        there = colors_at(strip, strip.x_of(300.5 + 100 * number), top, top + ROW)
        assert style.theme().color(kind.color).name() in there or kind.shape == "ring", kind
        assert style.theme().color(kind.color).name() not in colors_at(strip, strip.x_of(200), top, top + ROW)
    for kind in MARKS:
        strip.set_marks(kind.name, np.zeros(0, np.int64))
    assert strip._lane().height() == free
    style.apply(qapp, "dark")


def test_where_rows_have_no_room_those_marked_last_are_seen(strip: TimelineStrip) -> None:
    strip.resize(820, 82)
    for kind in MARKS:
        strip.set_marks(kind.name, np.array([300]))
    assert len(strip._shown_rows()) == 3
    strip.resize(820, 64)
    assert [one.name for one in strip._shown_rows()[0]] == ["uses", "writes"] and len(strip._shown_rows()) == 1
    strip.set_marks("history", np.array([301]))
    assert [[one.name for one in row] for row in strip._shown_rows()] == [["history"]]
    strip.set_marks("history", np.zeros(0, np.int64))
    assert [one.name for one in strip._shown_rows()[0]] == ["uses", "writes"]


@pytest.mark.parametrize("height", [64, 80, 92, 116, 240])
def test_the_events_keep_their_room(strip: TimelineStrip, height: int) -> None:
    for kind in MARKS:
        strip.set_marks(kind.name, np.array([300]))
    strip.set_life((np.zeros((100, 4), np.float32), np.zeros(0, np.int64)))
    strip.set_pictures({})
    strip.resize(820, height)
    assert strip._lane().height() >= 18
    strip.grab()


def test_new_events_are_painted_in_a_turn_of_their_own_and_counted_once(qtbot: Any, strip: TimelineStrip) -> None:
    painted: list[str] = []
    for name in ("_paint_frames", "_draw_density"):
        does = getattr(strip, name)
        setattr(strip, name, lambda *given, name=name, does=does: [painted.append(name), does(*given)][1])
    strip.set_index(strip._index)
    strip.repaint()
    assert not painted
    qtbot.waitUntil(lambda: painted == ["_paint_frames", "_draw_density"])
    for events in ([9], [3, 700]):  # a row of marks takes room, others in it do not
        painted.clear()
        strip.set_marks("state", np.array(events))
        strip.repaint()
    assert not painted
    strip.show_range(0, 700)
    strip.repaint()
    assert painted == ["_paint_frames", "_draw_density"]


def test_at_another_size_the_ground_is_painted_in_a_turn_of_its_own(qtbot: Any, strip: TimelineStrip) -> None:
    """All of the window is painted at once then: that alone may take 40 ms."""
    painted: list[tuple[int, bool]] = []
    paint, ground = strip.paintEvent, strip._paint_frames
    strip._paint_frames = lambda *parts: (painted.append((strip.width(), inside[0])), ground(*parts))  # type: ignore
    inside = [False]

    def paint_event(event: Any) -> None:
        inside[0] = True
        paint(event)
        inside[0] = False

    strip.paintEvent = paint_event  # type: ignore[method-assign]
    strip.resize(610, 140)
    qtbot.waitUntil(lambda: bool(painted))
    assert painted == [(610, False)]
    fresh = TimelineStrip()
    qtbot.addWidget(fresh)
    fresh.resize(610, 140)
    fresh.set_index(build_index(FakeCapture(100)))
    assert strip._ground(strip._lane()).toImage() == fresh._ground(fresh._lane()).toImage() and len(painted) == 1


def test_the_tip_names_what_is_marked_and_bookmarked(strip: TimelineStrip) -> None:
    strip.set_marks("state", np.array([550, 551]))
    strip.set_bookmarks([(551, "the roof")])
    assert strip._tip(550, strip.x_of(550.5)).split("\n")[1:] == ["Writes of the state: #550 and 1 more", "Bookmark: the roof"]
    assert len(strip._tip(100, strip.x_of(100.5)).split("\n")) == 1


def test_a_pixels_life_is_its_colour_over_each_frame(strip: TimelineStrip) -> None:
    colors = np.full((100, 4), np.nan, np.float32)
    colors[40:] = (1, 0, 0, 1)
    colors[80:] = (0, 0.5, 1, 1)
    strip.set_life((colors, np.array([700])))
    image, y = strip.grab().toImage(), int(strip._lane().bottom() + FLAGS + 2)
    at = lambda frame: image.pixelColor(int(strip.x_of((frame + 0.5) * len(FRAME))), y).name()  # noqa: E731
    assert [at(20), at(41), at(79), at(81), at(99)] == [
        style.theme().color("sunken").name(),
        "#ff0000",
        "#ff0000",
        "#0080ff",
        "#0080ff",
    ]
    tip = lambda event: strip._tip(event, strip.x_of(event + 0.5)).split("\n")[1:]  # noqa: E731
    assert tip(20 * len(FRAME)) == ["Pixel after the frame: unknown"]
    assert tip(700) == ["Pixel after the frame: 255 0 0 255", "Pixel written: #700"]
    assert tip(85 * len(FRAME)) == ["Pixel after the frame: 0 128 255 255"]
    tick = {image.pixelColor(int(strip.x_of(700.5)), y + n).name() for n in range(LIFE)}
    assert QColor(style.theme().text).name() in tick
    strip.set_life(None)
    assert strip._lane().bottom() == strip.height() - FLAGS


def test_pictures_have_a_row_where_the_strip_is_high_enough(qtbot: Any, strip: TimelineStrip) -> None:
    assert not strip.picture_places()
    red = QImage(40, 30, QImage.Format.Format_RGB32)
    red.fill(QColor("red"))
    strip.set_pictures({})
    there = strip.picture_places()
    assert len(there) > 8 and len({frame for frame, _ in there}) == len(there)
    frame, x = there[3]
    strip.set_pictures({frame: red})
    room = strip._room()
    middle = strip.grab().toImage().pixelColor(int(x + room.width / 2), int(strip._lane().top()) - 3 - room.picture // 2)
    assert middle.name() == "#ff0000"
    strip.resize(820, 64)
    assert not strip.picture_places()
    with qtbot.waitSignal(strip.moved):
        strip.resize(820, ROOMY)
    with qtbot.waitSignal(strip.moved):  # smaller pictures are of more frames
        strip.set_life((np.zeros((100, 4), np.float32), np.zeros(0, np.int64)))
    assert len(strip.picture_places()) > len(there)


@pytest.mark.parametrize(
    ("height", "rows", "life", "found"),
    [
        (64, 2, False, Room(1, 0)),
        (84, 0, False, Room(0, 33)),
        (96, 0, False, Room(0, 40)),
        (96, 1, True, Room(1, 26)),
        (96, 3, True, Room(1, 26)),
        (240, 3, True, Room(3, 94)),
        (400, 0, False, Room(0, 96)),
    ],
)
def test_how_the_height_is_shared_out(height: int, rows: int, life: bool, found: Room) -> None:
    """Ruler 20, flags 10, events 18, life 10, each row of marks 9; pictures 24 at least with 3 below them, half of what is
    beyond 36, and no more than 96."""
    assert share_out(height, rows, life, pictures=True) == found
    assert share_out(height, rows, life, pictures=False).picture == 0


def test_cost_is_the_height_when_it_is_asked_for(strip: TimelineStrip) -> None:
    each = np.zeros(1101)
    each[550 + 1] = 9.0
    strip.set_costs(np.cumsum(each))
    color, lane = style.theme().color("kind:draw").name(), strip._lane()
    tall = lambda event: color in colors_at(strip, strip.x_of(event + 0.5), lane.top() + 6, lane.bottom())  # noqa: E731
    assert tall(550) and not tall(300) and not tall(800)
    strip.show_range(540, 560)
    assert tall(550) and not tall(545)


def test_what_panels_find_is_marked(qtbot: Any, make_window: Make) -> None:
    window = opened(qtbot, make_window, ROOM)
    marks, capture = window.desk.marks, window.desk.capture
    assert capture is not None
    panel(window, "history")
    window.desk.focus.go(event=800, surface="back_buffer", pixel=(320, 240))
    settle(qtbot, window)
    assert len(marks["history"]) and set(marks["history"]) <= set(range(*window.desk.index.frame_range(1)))  # type: ignore[union-attr]
    state = panel(window, "state")
    settle(qtbot, window)
    group = state.model.index(0, 0)
    state.view.setCurrentIndex(state.model.index(0, 0, group))
    settle(qtbot, window)
    value = state.model.value_at(state.view.currentIndex())
    assert marks["state"].tolist() == capture.ask(inspector.SlotHistory(value.key)).event.tolist()
    resources = panel(window, "resources")
    settle(qtbot, window)
    row = next(row for row, one in enumerate(resources.model.rows) if one.handle == 23 and hasattr(one, "format"))
    resources.table.setCurrentIndex(resources.model.index(row, 0))
    settle(qtbot, window)
    log = capture.ask(inspector.ObjectHistory(resources.model.rows[row].handle, 800))
    assert sorted({*marks["uses"].tolist(), *marks["writes"].tolist()}) == sorted(set(log.event.tolist()))
    assert len(marks["writes"])
    timeline: Any = window.docks.panels["timeline"]
    assert set(timeline.strip._marks) == {"history", "state", "uses", "writes"}
    window.desk.mark([Bookmark(1, Focus(event=9), "nine")])
    assert timeline.strip._bookmarks == ((9, "nine"),)
    window.close_capture()
    left = [*window.desk.marks.values(), *timeline.strip._marks.values()]
    assert not any(map(len, left)) and not timeline.strip._bookmarks


def test_hits_of_a_pixel_are_marked_while_its_history_is_out_of_sight(qtbot: Any, make_window: Make) -> None:
    window = opened(qtbot, make_window, ROOM)
    window.docks.bring("stepping")
    capture, desk, history = window.desk.capture, window.desk, window.docks.docks["history"]
    assert capture is not None
    assert window.docks.docks["stepping"].isVisible() and not window.docks.panels.is_raised("history") and history.isVisible()
    for frame, pixel in ((0, (320, 240)), (1, (320, 240)), (1, (20, 460))):
        desk.focus.go(event=capture.frames[frame].last_event, surface="back_buffer", pixel=pixel)
        first, last = capture.frames[frame].first_event, capture.frames[frame].last_event
        found = capture.ask(inspector.PixelHistory("back_buffer", *pixel, first, last))
        expected = sorted({entry.event for entry in found.entries})
        qtbot.waitUntil(lambda expected=expected: desk.marks.get("history", NONE).tolist() == expected, timeout=60_000)
    desk.focus.go(pixel=None)
    assert not len(desk.marks["history"])


def test_one_dear_draw_does_not_hide_what_the_others_cost(strip: TimelineStrip) -> None:
    assert strip._index is not None
    each = np.ones(len(strip._index) + 1)
    each[5] = 1e6
    strip.set_costs(np.cumsum(each))
    lane, color = strip._lane(), style.theme().color("kind:draw").name()
    image = strip.grab().toImage()
    column = [image.pixelColor(int(strip.x_of(700)), y).name() for y in range(int(lane.top()), int(lane.bottom()))]
    assert column.count(color) > lane.height() / 3


def test_a_timeline_that_was_kept_high_for_pictures_becomes_low_without_them(qtbot: Any) -> None:
    timeline = TimelinePanel(Desk())
    qtbot.addWidget(timeline)
    timeline.resize(900, ROOMY)
    with qtbot.waitSignal(timeline.height_wanted) as asked:
        timeline._make_room(False)
    assert asked.args == [timeline.strip.sizeHint().height()]


def test_life_pictures_and_costs_come_when_they_are_switched_on(qtbot: Any, make_window: Make, settings: Settings) -> None:
    window = opened(qtbot, make_window, ROOM)
    timeline: Any = window.docks.panels["timeline"]
    strip = timeline.strip
    assert strip._life is None and strip._costs is None and strip._pictures is None
    window.desk.focus.go(event=800, surface="back_buffer", pixel=(320, 240))
    timeline.life.click()
    qtbot.waitUntil(lambda: strip._life is not None, timeout=60_000)
    assert len(strip._life[0]) == 8 and np.isfinite(strip._life[0][1:]).all() and len(strip._life[1])
    window.desk.focus.go(pixel=(5, 5))
    assert (
        strip._life is None
        and strip._awaits_life
        and strip._lane().bottom() == strip.height() - FLAGS - LIFE - ROW * len(strip._shown_rows())
    ), "its place is there"
    qtbot.waitUntil(lambda: strip._life is not None, timeout=60_000)
    timeline.costs.click()
    qtbot.waitUntil(lambda: strip._costs is not None, timeout=60_000)
    figures = window.desk.capture.ask(inspector.Statistics("draw"))  # type: ignore[union-attr]
    assert strip._costs[-1] == pytest.approx(figures.total("cost_us"))
    low = strip.height()
    assert low < ROOMY
    timeline.pictures.click()
    qtbot.waitUntil(lambda: timeline.height() == ROOMY)  # no more than a strip may take away from the surface
    qtbot.waitUntil(lambda: bool(strip.picture_places()), timeout=10_000)
    qtbot.waitUntil(lambda: {frame for frame, _ in strip.picture_places()} <= set(strip._pictures), timeout=60_000)
    assert not any(image.isNull() for image in strip._pictures.values())
    assert settings.kept("timeline/life", False) and settings.kept("timeline/costs", False)
    for button in (timeline.life, timeline.costs, timeline.pictures):
        button.click()
    assert strip._life is None and strip._costs is None and strip._pictures is None and not strip._awaits_life
    qtbot.waitUntil(lambda: strip.height() == low)
