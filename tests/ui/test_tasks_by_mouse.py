"""The twenty tasks that a window like this is for, in a real window, with the mouse.

The suite runs four of them, and all of test_tasks_by_keyboard.py; `-m slow` runs the others.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.ui.real import (
    FACES,
    HISTORY,
    LAST,
    ROOM,
    SAMPLES,
    SETS_DESTBLEND,
    SETS_LIGHT_0,
    Stage,
    assert_report,
    faces_of,
    is_copied,
    needs_desktop,
)

pytestmark = needs_desktop
WHY = 9
"""The column of the history's sentences."""
NEAR = 30
"""Twice the area, in pixels, by which a point may be outside a triangle: places on the screen are whole numbers."""


def test_which_draw_drew_this(stage: Stage) -> None:
    p = stage.on(ROOM, LAST)
    p.click("pixel(250, 245)")
    p.until(f"len(rows({HISTORY!r})) > 1")
    x, y = p.focus.pixel or (0, 0)
    drew = p.look(
        f"next(e for e in range(781, 0, -1) if (capture.image(e, 'back_buffer')[{y}, {x}] !="
        f" capture.image(e - 1, 'back_buffer')[{y}, {x}]).any())"
    )
    p.click(f"cell({HISTORY!r}, current({HISTORY!r}), 0)", times=2)
    p.until(f"focus().startswith('#event={drew}&')")
    assert p.look(f"bool(capture.events.draw[{drew}])")


def test_why_a_pixel_is_dark_down_to_the_light(stage: Stage) -> None:
    p = stage.on(ROOM, LAST)
    p.click("pixel(250, 245)")
    p.until(f"len(rows({HISTORY!r})) > 1")
    p.click("link('diffuse')")
    p.click("row_of('Origins', 'diffuse of vertex', 1)")
    p.click("row_of('Origins', 'light 0 diffuse', 1)")
    p.click("row_of('Origins', 'LIGHT[0].Diffuse', 3)")
    assert p.focus.event == p.look(SETS_LIGHT_0)


@pytest.mark.slow
def test_who_set_this_blend_state(stage: Stage) -> None:
    p = stage.on(ROOM, "#event=779")
    p.click("tab('State')")
    p.click("control('Filter states')")
    p.type("DESTBLEND")
    p.click("row_of('State of the device', 'DESTBLEND', 2)")
    p.until("not focus().startswith('#event=779')")
    assert p.focus.event == p.look(SETS_DESTBLEND)
    p.click("control('Filter states')", times=2)
    p.key("BackSpace")


@pytest.mark.slow
def test_slices_of_a_volume(stage: Stage) -> None:
    p = stage.on(SAMPLES["smoke"], "#event=1416&surface=6")
    x, y = p.look("place(named('Slice'))")[:2]
    width, height = p.look("place(named('Slice'))")[2:]
    p.click(f"[{x + width - 3}, {y + height // 2}]")
    p.until("window.desk.focus.focus.slice == named('Slice').pageStep()")
    assert p.look("named('Slice').value()") == p.focus.slice
    assert p.look("[*window.surface.rgba().shape]") == [32, 32, 4]
    assert p.look("bool((window.surface.rgba() == capture.image(1416, window.desk.focus.focus.where))[..., :3].all())")


@pytest.mark.slow
def test_all_faces_at_once(stage: Stage) -> None:
    p = stage.on(SAMPLES["reflections"], "#event=2860&surface=5")
    p.click("control('View')")
    p.menu("All levels, faces and slices")
    p.until("window.surface.picture is not None and window.surface.picture.sheet is not None")
    assert p.look("tiles()") == p.look(FACES)


@pytest.mark.slow
def test_saving_all_faces(stage: Stage, tmp_path: Path) -> None:
    p = stage.on(SAMPLES["reflections"], "#event=2860&surface=5")
    p.menu("File", "Save surface…")
    p.until("title().startswith('Save the surface')", ready=False)
    p.type(f"{tmp_path}/cube.dds")
    p.click("control('Save')")
    p.until("said().startswith('Saved')")
    assert faces_of(tmp_path / "cube.dds") == p.look(FACES)


@pytest.mark.slow
def test_comparing_two_frames(stage: Stage) -> None:
    p = stage.on(ROOM, "#event=1102", "compare")
    p.click("control('Side A: current event')")
    p.click("control('Next frame')")
    p.click("control('Side B: current event')")
    p.until("panels['comparison'].found is not None")
    p.click("beginning_of('Surfaces')")
    differ = int(p.look("rows('Surfaces that differ')")[0][1].split()[0].replace(",", ""))
    assert differ == p.look(
        "int((capture.image(1102, 'back_buffer')[..., :3] != capture.image(1423, 'back_buffer')[..., :3]).any(-1).sum())"
    )


@pytest.mark.slow
def test_from_a_vertex_to_the_mesh_and_back(stage: Stage) -> None:
    p = stage.on(ROOM, "#event=697", "geometry")
    p.click("tab('Vertices')")
    p.click("cell('Vertices', 30, 1)")
    p.until("window.desk.focus.focus.vertex == 30")
    spot = p.until("spot_of_vertex(30)")
    p.click("cell('Vertices', 3, 1)")
    p.until("window.desk.focus.focus.vertex == 3")
    p.click(f"{spot}")
    p.until("window.desk.focus.focus.primitive is not None")
    chosen = p.focus.primitive or 0
    (x, y), *corners = spot, *(p.look(f"spot_of_vertex({3 * chosen + corner})") for corner in range(3))
    sides = zip(corners, (*corners[1:], corners[0]), strict=True)
    turns = [(right - left) * (y - top) - (bottom - top) * (x - left) for (left, top), (right, bottom) in sides]
    assert min(turns) >= -NEAR or max(turns) <= NEAR, "the triangle is not where the click was"
    assert p.look("current('Vertices')") // 3 == chosen


def test_stepping_a_pixel_shader_to_a_breakpoint(stage: Stage) -> None:
    p = stage.on(ROOM, LAST)
    p.click("pixel(447, 250)")
    p.until(f"len(rows({HISTORY!r})) > 1")
    p.click("tab('Steps')")
    p.until("bool(panels['stepping'].run and panels['stepping'].run.listing)")
    p.click("cell('Steps', 3, 0)")
    p.until("rows('Steps')[3][0].startswith('●')")
    p.click("cell('Steps', 0, 1)")
    p.until("not window.desk.focus.focus.step")
    p.click("control('Run to the next breakpoint')")
    p.until("window.desk.focus.focus.step == 3")
    p.click("cell('Steps', 3, 0)")
    p.until("not rows('Steps')[3][0].startswith('●')")
    last = p.look("len(rows('Steps'))") - 1
    for row in (last, last - 4, 2):  # at the edges of the list, which shows what comes next
        p.click(f"cell('Steps', {row}, 1)")
        assert p.look("[index.row() for index in table('Steps').selectionModel().selectedRows()]") == [row]
        assert p.focus.step == row


@pytest.mark.slow
def test_a_bookmark_with_a_name_and_a_note_is_there_after_a_restart(stage: Stage, tmp_path: Path) -> None:
    capture = tmp_path / "room.ddicap"
    capture.write_bytes(ROOM.read_bytes())
    p = stage.on(capture, "#event=697&pixel=250,246")
    p.click("tab('Bookmarks')")
    p.click("control('Bookmark this event')")
    p.click("cell('Bookmarks', 0, 2)", button=3)
    p.menu("Rename…")
    p.until("title() == 'Rename the bookmark'", ready=False)
    p.key("ctrl+a")
    p.type("the torus")
    p.click("control('OK')")
    p.until("rows('Bookmarks')[0][2] == 'the torus'")
    p.click("control('Name and notes of the bookmark')")
    p.key("ctrl+End", "Return")
    p.type("too bright")
    p.click("tab('Pixel history')")
    p.until("window.desk.bookmarks[0].text == 'the torus\\ntoo bright'")
    stage.restart(capture)
    p = stage.on(capture, LAST)
    p.click("tab('Bookmarks')")
    assert p.look("rows('Bookmarks')[0][2]") == "the torus"
    p.click("cell('Bookmarks', 0, 2)")
    assert "too bright" in p.look("named('Name and notes of the bookmark').toPlainText()")
    p.click("cell('Bookmarks', 0, 2)", times=2)
    p.until("focus() == '#event=697&pixel=250,246'")


@pytest.mark.slow
def test_the_next_change_of_a_state(stage: Stage) -> None:
    p = stage.on(ROOM, "#event=600")
    p.click("tab('State')")
    p.click("control('Filter states')")
    p.type("ZWRITEENABLE")
    p.click("row_of('State of the device', 'ZWRITEENABLE', 0)")
    writes = "Every write to the selected state"
    p.until(f"len(rows({writes!r})) > 1")
    following = p.look(
        "next(e for e in range(601, len(capture.events)) if capture.text(e).startswith('RENDERSTATE ZWRITEENABLE'))"
    )
    p.click(f"row_of({writes!r}, '#{following}', 0)")
    p.until(f"focus().startswith('#event={following}')")
    p.click("control('Filter states')", times=2)
    p.key("BackSpace")


@pytest.mark.slow
def test_back_and_forward(stage: Stage) -> None:
    p = stage.on(ROOM, LAST)
    p.click("control('Next frame')")
    p.until("focus() == '#event=1102'")
    p.click("control('Next draw')")
    there = p.look("focus()")
    p.click("control('Back to the previous view')")
    p.until(f"focus() == {LAST!r}")  # steps in a row are one
    p.click("control('Forward again')")
    p.until(f"focus() == {there!r}")


def test_a_table_for_a_spreadsheet(stage: Stage) -> None:
    p = stage.on(ROOM, f"{LAST}&pixel=250,246")
    p.until(f"len(rows({HISTORY!r})) > 1")
    p.click(f"cell({HISTORY!r}, 0, {WHY})")
    p.click(f"cell({HISTORY!r}, len(rows({HISTORY!r})) - 1, {WHY})", hold="shift")
    p.click(f"cell({HISTORY!r}, 0, {WHY})", button=3)
    p.menu("Copy as", "TSV")
    text = p.until("clipboard()")
    titles, *rows = csv.reader(text.splitlines(), delimiter="\t")
    assert titles == ["Event", "Primitive", "Before", "Fragment", "After", "Why"]
    assert is_copied(rows, p.look(f"rows({HISTORY!r})"))


@pytest.mark.slow
def test_the_theme(stage: Stage) -> None:
    p = stage.on(ROOM, LAST)
    dark = p.brightness()
    p.menu("View", "Theme", "Light theme")
    p.until_brightness(lambda light: light > dark + 80)
    p.menu("View", "Theme", "Dark theme")
    p.until_brightness(lambda again: abs(again - dark) < 5)


@pytest.mark.slow
def test_another_key_for_a_command(stage: Stage) -> None:
    p = stage.on(ROOM, LAST)
    p.menu("Help", "Keyboard shortcuts…")
    p.click("control('Find a command or a key')")
    p.type("next frame")
    p.click("row_of('Commands and their keys', 'Next frame')")
    p.click("control('New keys')")
    p.key("ctrl+alt+n")
    p.click("control('Assign')")
    p.click("control('Close')")
    p.key("ctrl+alt+n")
    p.until("focus() == '#event=1102'")
    p.menu("Help", "Keyboard shortcuts…")
    p.click("row_of('Commands and their keys', 'Next frame')")
    p.click("control('Restore default')")
    p.click("control('Close')")
    p.key("ctrl+alt+n")
    assert p.focus.event == 1102


@pytest.mark.slow
def test_the_palette(stage: Stage) -> None:
    p = stage.on(ROOM, LAST)
    p.menu("Help", "Find a command…")
    p.click("row_of('Commands', 'Next frame')")
    p.until("focus() == '#event=1102'")


@pytest.mark.slow
def test_play(stage: Stage) -> None:
    p = stage.on(ROOM, LAST)
    p.click("control('Play frames')")
    p.until("focus() == '#event=3028'", ready=False)
    p.until("not window.steps.playing", ready=False)
    assert p.look("[capture.frame_of(event) for event in been]") == [*range(1, 8)]


@pytest.mark.slow
def test_a_pixel_over_the_whole_capture(stage: Stage) -> None:
    p = stage.on(ROOM, f"{LAST}&pixel=250,246")
    p.until(f"len(rows({HISTORY!r})) > 1")
    p.click("control('Range of events')")
    p.click("entry('Whole capture')")
    p.until(f"len(rows({HISTORY!r})) > 20")
    frames = {row[1] for row in p.look(f"rows({HISTORY!r})")}
    assert frames == set("01234567")
    p.click("control('Range of events')")
    p.click("entry('Frame')")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("section", "overlay", "name"),
    [
        ("This draw", "Depth test", "depth"), ("This draw", "Fragments", "draw"),
        ("This frame so far", "Last writer", "last_writer"), ("This frame so far", "Overdraw", "frame"),
        ("Each pixel's last fragment", "Mip level", "mip"), ("Each pixel's last fragment", "Blended", "blended"),
    ],
)  # fmt: skip
def test_six_overlays(stage: Stage, section: str, overlay: str, name: str) -> None:
    p = stage.on(ROOM, "#event=662")
    p.click("control('Overlay')")
    p.menu(section, overlay)
    p.until(f"[name for name, _ in window.surface.layering.layers] == [{name!r}]")
    assert p.look("is_told_apart(662)")
    assert p.until("window.surface.key.isVisible()")


@pytest.mark.slow
def test_a_report(stage: Stage, tmp_path: Path) -> None:
    p = stage.on(ROOM, f"{LAST}&pixel=250,246")
    p.menu("File", "Save report…")
    p.click("beginning_of('This pixel:')")
    p.click("control('Save')")
    p.until("title() == 'Save the report'", ready=False)
    p.type(f"{tmp_path}/pixel.html")
    p.click("control('Save')")
    p.until("said().startswith('Saved')")
    assert_report(tmp_path / "pixel.html", p.look(f"rows({HISTORY!r})"))
