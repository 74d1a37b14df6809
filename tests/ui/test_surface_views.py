"""What the surface panel shows besides a surface: sheets, cuts, formulas, ranges, pairs of images, values that are found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt

from inspector.query.looks.custom import Custom
from inspector.query.looks.look import Look
from inspector.query.looks.sheet import Orthoslices, Sheet
from inspector.query.looks.tones import Tones
from inspector.query.looks.wires import WireFrame
from inspector.query.objects.usage import ObjectHistory
from tests.ui.conftest import settle
from tests.ui.fake import DEPTH, TEXTURE, FakeCapture
from tests.ui.test_real_capture import real  # noqa: F401
from tests.ui.window_kit import panel
from ui.models.pixels import argb_of_rgba, rgba_of_argb
from ui.panels.tone_memory import MOST, Memory, read, write
from ui.widgets.view_menu import BEFORE, KEPT
from ui.window import Window

DRAW, VOLUME, LAST = 1340, 39, 3026
"""Room: a draw of a torus; a volume of 32 slices of 32 x 32."""


def at(qtbot: Any, window: Window, **place: Any) -> Any:
    window.docks.bring("surface")
    window.desk.focus.go(**place)
    settle(qtbot, window, 20_000)
    return window.surface


def shown(window: Window) -> np.ndarray:
    """uint8[h, w, 3]: the picture as it is painted, without what lies over it."""
    found: np.ndarray = rgba_of_argb(window.surface.view._argb)[..., :3]  # type: ignore[arg-type]
    return found


def test_overlays_lie_over_sheets_and_cuts(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface = at(qtbot, real, event=LAST, surface=VOLUME)
    surface.set_overlay("last_writer")
    for mode in ("sheet", "image", "cuts"):
        surface.views.choose(mode)
        settle(qtbot, real, 20_000)
        assert (surface.picture.sheet is None) == (mode == "image")
        [(name, layer)] = surface.layering.layers
        assert name == "last_writer" and layer.rgba.shape[:2] == surface.picture.argb.shape
        assert surface.key.isVisible() and surface.key.texts
        assert surface.rgba().shape == layer.rgba.shape


def test_a_tag_over_a_sheet_names_the_writer_and_a_click_goes_there(qtbot: Any, real: Window) -> None:  # noqa: F811
    capture = real.desk.capture
    log = capture.ask(ObjectHistory(VOLUME))
    first = int(log.event[np.argmax(log.version == 2)])  # after its creation: a VOLUMEBLT
    surface = at(qtbot, real, event=first, surface=VOLUME)
    surface.views.choose("sheet")
    surface.set_overlay("last_writer")
    settle(qtbot, real, 20_000)
    tile = surface.picture.sheet.tiles[3]
    surface.view.hovered.emit(tile.left + 2, tile.top + 1)
    assert surface.view._tag.startswith(f"{first} ")
    surface.view.followed.emit(tile.left + 2, tile.top + 1)
    focus = real.desk.focus.focus
    assert (focus.event, focus.slice, focus.pixel) == (first, 3, (2, 1))


def test_a_click_on_the_sheet_chooses_a_slice_and_a_double_click_shows_it(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface = at(qtbot, real, event=LAST, surface=VOLUME)
    surface.views.choose("sheet")
    settle(qtbot, real, 20_000)
    wanted = real.desk.capture.ask(Sheet(LAST, VOLUME, shape=surface.view.shape))
    assert (shown(real)[wanted.covered] == wanted.rgba[..., :3][wanted.covered]).all()
    tile = wanted.tiles[7]
    place = surface.view.place_of(tile.left + 5, tile.top + 9)
    qtbot.mouseClick(surface.view, Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, real, 20_000)
    focus = real.desk.focus.focus
    assert (focus.slice, focus.pixel) == (7, (5, 9)) and surface.bar.parts.slice.words.text() == "8 of 32"
    assert surface.bar.zoom_text.text().startswith("sheet ") and "32 × 32 × 32" in surface.about.said
    facts = [(section.title, {fact.name: fact.value for fact in section.facts}) for section in real.inspector.facts.sections]
    assert [about["Size"] for _, about in facts if "Size" in about] == ["32 × 32 × 32"]
    assert real.desk.focus.focus.pixel and not any(title.startswith("Pixel") for title, _ in facts), "no texel of one part"
    qtbot.mouseDClick(surface.view, Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, real, 20_000)
    assert surface.picture.sheet is None and surface.bar.zoom_text.text() == f"{surface.view.zoom:.0%}"
    assert (shown(real) == real.desk.capture.image(LAST, VOLUME, slice=7)[..., :3]).all()


def test_three_cuts_are_linked_by_one_cross(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface = at(qtbot, real, event=LAST, surface=VOLUME, slice=3, pixel=(10, 20))
    surface.views.choose("cuts")
    settle(qtbot, real, 20_000)
    side, below = surface.picture.sheet.tiles[1:]
    qtbot.mouseClick(surface.view, Qt.MouseButton.LeftButton, pos=surface.view.place_of(side.left + 25, side.top + 6))
    settle(qtbot, real, 20_000)
    focus = real.desk.focus.focus
    assert (focus.pixel, focus.slice) == ((10, 6), 25)
    wanted = real.desk.capture.ask(Orthoslices(LAST, VOLUME, 0, (10, 6, 25)))
    assert (shown(real)[wanted.covered] == wanted.rgba[..., :3][wanted.covered]).all()
    qtbot.mouseClick(surface.view, Qt.MouseButton.LeftButton, pos=surface.view.place_of(below.left + 1, below.top + 2))
    settle(qtbot, real, 20_000)
    assert (real.desk.focus.focus.pixel, real.desk.focus.focus.slice) == ((1, 6), 2)


def test_the_key_goes_through_the_views_that_a_surface_has(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface = at(qtbot, real, event=LAST, surface=VOLUME)
    seen = []
    for _ in range(5):
        surface.view.setFocus()
        qtbot.keyClick(surface.view, Qt.Key.Key_V)
        settle(qtbot, real, 20_000)
        seen.append(surface.views.mode)
    assert seen == ["sheet", "cuts", "bytes", "formula", "image"]
    surface = at(qtbot, real, surface="render_target")
    assert surface.views.there() == ("image", "bytes", "formula")


def test_stored_bytes_of_x8r8g8b8_have_blue_first(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface = at(qtbot, real, event=LAST, surface="render_target")
    image = shown(real)
    surface.views.choose("bytes")
    settle(qtbot, real, 20_000)
    assert (shown(real) == image[..., ::-1]).all() and list(surface.picture.numbers.planes) == [f"byte{n}" for n in range(4)]
    written = "\n".join(f"{byte:02x}" for byte in (*image[7, 5, ::-1], 0))
    assert surface.picture.words(5, 7)[:8] == written[:8], "in hexadecimal, as they lie in memory"


def test_a_formula_is_shown_saved_and_its_mistakes_are_named(qtbot: Any, real: Window, monkeypatch: Any) -> None:  # noqa: F811
    surface = at(qtbot, real, event=DRAW)
    surface.views.choose("formula")
    strip = surface.views.formulas
    assert strip.isVisible()
    qtbot.keyClicks(strip.edit, "abs(this - before) * 8")
    qtbot.keyClick(strip.edit, Qt.Key.Key_Return)
    settle(qtbot, real, 20_000)
    wanted = real.desk.capture.ask(Custom("abs(this - before) * 8", Look(DRAW))).rgba
    assert (shown(real) == np.floor(np.clip(wanted[..., :3], 0, 1) * 255 + 0.5).astype(np.uint8)).all()
    assert surface.low.isVisible() and "formula" in surface.about.said
    y, x = np.argwhere(wanted[..., 0] > 0)[0].tolist()
    surface.view.hovered.emit(x, y)
    assert surface.readout.said.startswith(f"{x}, {y}   R {wanted[y, x, 0]:.4g}  G "), "not as shown, in 8 bits"
    monkeypatch.setattr("ui.widgets.surface_strips.QInputDialog.getText", lambda *a, **k: ("Changes", True))
    strip._save()
    assert strip.formulas["Changes"] == "abs(this - before) * 8"
    strip.edit.setText("this +")
    strip.entered.emit("this +")
    settle(qtbot, real, 20_000)
    assert strip.problem.text().startswith("expression: at the end: invalid syntax") and not real.banner.isVisible()
    assert "expression" not in surface.about.said, "it is said once"
    assert strip.edit.property("wrong") and strip.edit.width() >= 220, "what is wrong takes no room from what is typed"
    strip.edit.clear()  # with the button in the line, without Enter
    settle(qtbot, real, 20_000)
    assert strip.problem.text() == "" and (shown(real) == real.desk.capture.image(DRAW)[..., :3]).all()
    surface.views.menu.formula_chosen.emit("Changes")
    settle(qtbot, real, 20_000)
    assert strip.problem.text() == "" and surface.picture.values is not None
    strip.closed.emit()
    settle(qtbot, real, 20_000)
    assert (shown(real) == real.desk.capture.image(DRAW)[..., :3]).all() and not strip.isVisible()


def test_the_other_image_beside_wiped_and_subtracted(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface, capture = at(qtbot, real, event=DRAW), real.desk.capture
    after, before = capture.image(DRAW)[..., :3].astype(int), capture.image(DRAW - 1)[..., :3].astype(int)
    surface.views.pairs.choose(BEFORE)
    settle(qtbot, real, 20_000)
    assert (shown(real) == np.minimum(np.abs(after - before) * 8, 255)).all()
    assert surface.about.said.startswith("17,")
    surface.views.pairs._choose_how("side")
    settle(qtbot, real, 20_000)
    assert surface.beside.isVisible() and (shown(real) == after).all()
    assert (rgba_of_argb(surface.beside._argb)[..., :3] == before).all()
    surface.view.set_zoom(2.0, surface.view.rect().center().toPointF())
    assert surface.beside.zoom == 2.0 and surface.beside._offset == surface.view._offset
    surface.views.pairs._choose_how("wipe")
    settle(qtbot, real, 20_000)
    assert not surface.beside.isVisible()
    surface.view.set_zoom(1.0)
    height, places = surface.view.height() // 2, (surface.view.place_of(160, 0).x(), surface.view.place_of(320, 0).x())
    qtbot.mousePress(surface.view, Qt.MouseButton.LeftButton, pos=QPoint(places[1], height))
    qtbot.mouseMove(surface.view, QPoint(places[0], height))
    qtbot.mouseRelease(surface.view, Qt.MouseButton.LeftButton, pos=QPoint(places[0], height))
    surface.view.setFocus()
    qtbot.keyClick(surface.view, Qt.Key.Key_Period)
    assert surface.view.split == pytest.approx(0.30, abs=0.01)


def test_another_event_can_be_kept_and_compared_with(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface, capture = at(qtbot, real, event=DRAW), real.desk.capture
    surface.view.setFocus()
    qtbot.keyClick(surface.view, Qt.Key.Key_M)
    at(qtbot, real, event=LAST)
    surface.views.pairs._choose_amount(1)
    settle(qtbot, real, 20_000)
    assert surface.views.pairs.partner == KEPT
    kept = capture.image(DRAW, capture.render_target(DRAW))
    apart = np.abs(capture.image(LAST)[..., :3].astype(int) - kept[..., :3])
    assert (shown(real) == apart).all()
    surface.views.choose("formula")
    surface.views.formulas.entered.emit("other")
    surface.views.pairs.choose("")
    settle(qtbot, real, 20_000)
    assert (shown(real) == kept[..., :3]).all()


def test_another_capture_can_be_compared_with(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface = at(qtbot, real, event=DRAW)
    surface.views.against_file(Path(real.desk.capture.path))
    settle(qtbot, real, 60_000)
    assert surface.views.partner is not None and surface.views.partner.capture is not None
    assert not shown(real).any()
    real.close_capture()
    settle(qtbot, real, 20_000)
    assert surface.views.partner is None


def test_before_is_shown_while_its_key_is_down(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface, capture = at(qtbot, real, event=DRAW), real.desk.capture
    surface.view.setFocus()
    qtbot.keyPress(surface.view, Qt.Key.Key_B)
    settle(qtbot, real, 20_000)
    assert (shown(real) == capture.image(DRAW - 1)[..., :3]).all()
    for _ in range(3):  # as X11 repeats a key: a release, and at once a press
        qtbot.keyRelease(surface.view, Qt.Key.Key_B)
        qtbot.keyPress(surface.view, Qt.Key.Key_B)
        assert (shown(real) == capture.image(DRAW - 1)[..., :3]).all() and surface.view._caption == "before"
    qtbot.keyRelease(surface.view, Qt.Key.Key_B)
    qtbot.waitUntil(lambda: not surface.view.holding)
    assert (shown(real) == capture.image(DRAW)[..., :3]).all() and not surface.view._caption


def test_ranges_are_remembered_for_each_surface(qtbot: Any, window: Window) -> None:
    surface = panel(window, "surface")
    settle(qtbot, window)
    surface.toning.controls.opened.click()
    assert surface.toning.bar.isVisible() and surface.low.isVisible()
    surface.high.setValue(0.5)
    bright = shown(window).copy()
    assert bright.max() == 255 and (bright[..., 0] == np.minimum(_red(window).astype(int) * 2, 255)).mean() > 0.9
    at(qtbot, window, surface=TEXTURE)
    assert surface.high.value() == 1.0
    surface.toning.controls.gamma.setValue(2.0)
    at(qtbot, window, surface="render_target")
    assert (surface.high.value(), surface.toning.controls.gamma.value()) == (0.5, 1.0)
    assert (shown(window) == bright).all()
    surface.toning.controls.reset.click()
    assert surface.high.value() == 1.0 and (shown(window)[..., 0] == _red(window)).all()
    at(qtbot, window, surface=TEXTURE)
    assert surface.toning.controls.gamma.value() == 2.0


def test_ranges_are_as_they_were_in_the_last_session(
    qtbot: Any, make_window: Callable[..., Window], capture: FakeCapture, file: Path
) -> None:
    first = make_window(lambda path, progress: capture)
    first.open(file)
    settle(qtbot, first)
    at(qtbot, first, surface=TEXTURE).toning.controls.gamma.setValue(2.0)
    at(qtbot, first, surface=DEPTH).low.setValue(0.05)
    next_ = make_window(lambda path, progress: capture)
    next_.open(file)
    settle(qtbot, next_)
    surface = at(qtbot, next_, surface=TEXTURE)
    assert surface.toning.controls.gamma.value() == 2.0
    assert at(qtbot, next_, surface=DEPTH).low.value() == pytest.approx(0.05)


def test_ranges_are_kept_of_some_captures_and_nonsense_is_left_out() -> None:
    kept: dict[str, Any] = {}
    store = (lambda name, default: kept.get(name, default)), kept.__setitem__
    memory = {(3, "A8R8G8B8", False): Memory(Tones(0.1, 0.9, 2.0), own=True), (4, "D16", False): Memory(Tones())}
    for number in range(MOST + 5):
        write(*store, f"file {number}", memory)
    assert len(kept["ranges"]) == MOST and "file 4" not in kept["ranges"]
    assert list(read(store[0], f"file {MOST}")) == [(3, "A8R8G8B8", False)], "only what the user changed"
    kept["ranges"] = {"a": [[3, "X", False, float("nan"), 1, 1, False, 0, "RGB"], "x", [1, 2], None], "b": 3, "c": None}
    assert all(read(store[0], name) == {} for name in ("a", "b", "c", "d"))


def _red(window: Window) -> np.ndarray:
    found: np.ndarray = rgba_of_argb(window.surface.picture.argb)[..., 0]  # type: ignore[union-attr]
    return found


def test_the_histogram_shows_channels_and_its_lines_are_the_range(qtbot: Any, window: Window) -> None:
    surface = at(qtbot, window, surface=DEPTH)
    surface.toning.controls.opened.click()
    qtbot.waitUntil(lambda: surface.toning.bar._plot is not None)
    settle(qtbot, window)
    assert surface.toning.bar.words.names[0].startswith("depth 0 to 0.18")
    assert len(surface.toning.bar._plot.listDataItems()) == 1
    surface.toning.bar._region.setRegion((0.05, 0.1))
    assert (surface.low.value(), surface.high.value()) == (pytest.approx(0.05), pytest.approx(0.1))


def test_controls_fold_where_there_is_no_room(qtbot: Any, window: Window) -> None:
    bar = panel(window, "surface").bar
    settle(qtbot, window)
    for width in (1400, 420, 1400):
        bar.setFixedWidth(width)
        qtbot.wait(10)
        assert bar.more.isVisible() == bool(bar.folded) == (width == 420)
        inside = [child for child in (bar.choice, bar.pin, bar.when, bar.fit) if child not in bar.folded]
        assert all(child.geometry().right() <= width for child in inside)
    bar.setFixedWidth(420)
    qtbot.wait(10)
    bar.more.click()
    qtbot.waitUntil(bar.whole.isVisible)
    assert bar.whole in bar.folded
    bar._page.hide()


def test_several_overlays_lie_on_one_another(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface = at(qtbot, real, event=LAST)
    surface.overlays.several.setChecked(True)
    for name in ("last_writer", "tests"):
        surface.overlays.take(name)
        settle(qtbot, real, 20_000)
    assert surface.overlays.stack == ["last_writer", "tests"] and len(surface.view._layers) == 2
    surface.overlays.opacity.setValue(30)
    assert [round(opacity, 2) for _, opacity in surface.view._layers] == [surface.overlays.opacity_of("last_writer"), 0.3]
    assert any("DRAW" in text for text in surface.key.texts) and "passed: 7,075 px" in surface.key.texts
    surface.overlays.take("last_writer")
    settle(qtbot, real, 20_000)
    assert surface.overlays.stack == ["tests"] and len(surface.view._layers) == 1
    assert argb_of_rgba(surface.layering.layers[0][1].rgba).shape == (480, 640)


def test_the_writer_under_the_pointer_lights_up(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface = at(qtbot, real, event=LAST)
    surface.set_overlay("last_writer")
    settle(qtbot, real, 20_000)
    layer = surface.layering.layers[0][1]
    y, x = (int(side[0]) for side in np.nonzero(layer.picks.of("event", -1) == LAST))
    surface.view.hovered.emit(x, y)
    settle(qtbot, real, 20_000)
    (token, _, lines), (event, primitive) = surface.view._glowing[0], layer.writer_at(x, y)
    assert token == "accent" and len(lines) == 3 and event == LAST
    wanted = real.desk.capture.ask(WireFrame(LAST, primitive)).chosen
    assert [[line.x1(), line.y1()] for line in lines] == wanted[:, :2].tolist()
    glow = surface.view._glow_kept
    assert (glow[..., 3] > 0).sum() == 7075 and glow[y, x, 3] > 0
    surface.view.hovered.emit(-1, -1)
    assert surface.view._glow is None and not surface.view._glowing


def test_what_is_saved_is_what_is_shown(qtbot: Any, real: Window, tmp_path: Path, monkeypatch: Any) -> None:  # noqa: F811
    surface, asked = at(qtbot, real, event=LAST), []
    path = tmp_path / "saved.png"
    answer = lambda parent, title, name, kinds: asked.append(name) or (str(path), "")  # noqa: E731
    monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", answer)

    def saved() -> np.ndarray:
        real.actions_by_name["save-picture"].trigger()
        settle(qtbot, real, 20_000)
        return np.asarray(Image.open(path).convert("RGBA"))[..., :3]

    picture = real.desk.capture.image(LAST)
    assert (saved() == picture[..., :3]).all()
    surface.high.setValue(0.5)
    assert (saved() == np.minimum(np.floor(picture[..., :3] / 255 * 2 * 255 + 0.5), 255)).all()
    surface.toning.controls.reset.click()
    surface.channels["R"].click()
    surface.set_overlay("tests")
    settle(qtbot, real, 20_000)
    plain = picture.copy()
    plain[..., 0] = 0
    assert (saved() == surface.layering.layers[0][1].over(plain, surface.overlays.opacity_of("tests"))[..., :3]).all()
    surface.set_overlay("")
    surface.channels["R"].click()
    surface.views.pairs._choose_how("side")
    settle(qtbot, real, 20_000)
    before = real.desk.capture.image(LAST - 1)
    assert (saved()[:, -640:] == before[..., :3]).all()
    assert [Path(name).name for name in asked] == [
        "room-event-3026-render-target.png", "room-event-3026-render-target.png", "room-event-3026-render-target-tests.png",
        "room-event-3026-render-target.png",
    ]  # fmt: skip
    assert [Path(name).parent == tmp_path for name in asked] == [False, True, True, True]


def test_numbers_of_the_range_are_shown_whole(qtbot: Any, window: Window) -> None:
    surface = panel(window, "surface")
    settle(qtbot, window)
    surface.toning.controls.opened.click()
    for value in (255.0, 0.000125, -1234.5, 123456.0, 1.0):
        surface.high.setValue(value)
        edit = surface.high.lineEdit()
        assert float(edit.text()) == pytest.approx(value, rel=1e-5)
        assert edit.fontMetrics().horizontalAdvance(edit.text()) < edit.width()
