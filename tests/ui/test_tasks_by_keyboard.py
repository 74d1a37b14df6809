"""The twenty tasks of test_tasks_by_mouse.py with the keyboard alone."""

from __future__ import annotations

import csv
from pathlib import Path

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
STATE = "State of the device"


def test_which_draw_drew_this(stage: Stage) -> None:
    p = stage.on(ROOM, LAST)
    p.key("ctrl+4", "ctrl+g")
    p.type("250,246")
    p.key("Return")
    p.until(f"len(rows({HISTORY!r})) > 1")
    drew = p.look(
        "next(e for e in range(781, 0, -1) if (capture.image(e, 'back_buffer')[246, 250] !="
        " capture.image(e - 1, 'back_buffer')[246, 250]).any())"
    )
    p.key("alt+2")
    p.until(f"keyboard() == {HISTORY!r}")
    p.key("Return")
    p.until(f"focus().startswith('#event={drew}&')")


def test_why_a_pixel_is_dark_down_to_the_light(stage: Stage) -> None:
    p = stage.on(ROOM, f"{LAST}&pixel=250,246")
    p.until(f"len(rows({HISTORY!r})) > 1")
    p.key("alt+2", "shift+F10")
    p.choose("Where does its colour come from?")
    p.tab_to("Origins")
    for words in ("color", "current", "color_arg2 (DIFFUSE)", "diffuse of vertex", "light 0 diffuse"):
        p.to_row("Origins", words)
        p.key("Return")
    p.to_row("Origins", "LIGHT[0].Diffuse")
    p.key("Return")
    assert p.focus.event == p.look(SETS_LIGHT_0)


def test_who_set_this_blend_state(stage: Stage) -> None:
    p = stage.on(ROOM, "#event=779")
    p.key("ctrl+5", "ctrl+f")
    p.type("DESTBLEND")
    p.key("Return")
    p.to_row(STATE, "DESTBLEND")
    p.key("Return")
    p.until("not focus().startswith('#event=779')")
    assert p.focus.event == p.look(SETS_DESTBLEND)
    p.key("ctrl+f", "BackSpace")


def test_slices_of_a_volume(stage: Stage) -> None:
    p = stage.on(SAMPLES["smoke"], "#event=1416&surface=6")
    p.key("ctrl+4")
    p.tab_to("Slice", "shift+Tab")
    p.key("Right", "Right", "Right")
    p.until("window.desk.focus.focus.slice == 3")
    assert p.look("bool((window.surface.rgba() == capture.image(1416, window.desk.focus.focus.where))[..., :3].all())")


def test_all_faces_at_once(stage: Stage) -> None:
    p = stage.on(SAMPLES["reflections"], "#event=2860&surface=5")
    p.key("ctrl+4", "v")
    p.until("window.surface.picture is not None and window.surface.picture.sheet is not None")
    assert p.look("tiles()") == p.look(FACES)


def test_saving_all_faces(stage: Stage, tmp_path: Path) -> None:
    p = stage.on(SAMPLES["reflections"], "#event=2860&surface=5")
    p.key("ctrl+s")
    p.until("title().startswith('Save the surface')", ready=False)
    p.type(f"{tmp_path}/cube.dds")
    p.key("Return")
    p.until("said().startswith('Saved')")
    assert faces_of(tmp_path / "cube.dds") == p.look(FACES)


def test_comparing_two_frames(stage: Stage) -> None:
    p = stage.on(ROOM, "#event=1102", "compare")
    p.key("ctrl+shift+a")
    p.key("ctrl+shift+Right")
    p.key("ctrl+shift+b")
    p.until("panels['comparison'].found is not None")
    p.tab_to("State", "shift+Tab")
    p.key("Right", "Right", "space")
    differ = int(p.until("rows('Surfaces that differ')")[0][1].split()[0].replace(",", ""))
    assert differ == p.look(
        "int((capture.image(1102, 'back_buffer')[..., :3] != capture.image(1423, 'back_buffer')[..., :3]).any(-1).sum())"
    )


def test_from_a_vertex_to_the_mesh_and_back(stage: Stage) -> None:
    p = stage.on(ROOM, "#event=697", "geometry")
    p.key("ctrl+6")
    p.to_row("Vertices", "30")
    p.until("window.desk.focus.focus.vertex == 30")
    assert p.until("spot_of_vertex(30)")
    p.key("bracketright", "bracketright", "bracketright")
    p.until("window.desk.focus.focus.primitive == 2")
    assert p.look("current('Vertices')") in (6, 7, 8)


def test_stepping_a_pixel_shader_to_a_breakpoint(stage: Stage) -> None:
    p = stage.on(ROOM, f"{LAST}&pixel=447,250")
    p.key("alt+1")
    p.until("bool(panels['stepping'].run and panels['stepping'].run.listing)")
    p.key("Home", "F11", "F11", "F11", "F9")
    p.until("rows('Steps')[3][0].startswith('●')")
    p.key("Home")
    p.until("window.desk.focus.focus.step == 0")
    p.key("F5")
    p.until("window.desk.focus.focus.step == 3")
    p.key("F9")
    p.until("not rows('Steps')[3][0].startswith('●')")


def test_a_bookmark_with_a_name_and_a_note_is_there_after_a_restart(stage: Stage, tmp_path: Path) -> None:
    capture = tmp_path / "room.ddicap"
    capture.write_bytes(ROOM.read_bytes())
    p = stage.on(capture, "#event=697&pixel=250,246")
    p.key("ctrl+b", "alt+7")
    p.until("rows('Bookmarks')")
    p.key("Home", "Menu")
    p.choose("Rename…")
    p.until("title() == 'Rename the bookmark'", ready=False)
    p.type("the torus")
    p.key("Return")
    p.until("rows('Bookmarks')[0][2] == 'the torus'")
    p.tab_to("Name and notes of the bookmark")
    p.key("ctrl+End", "Return")
    p.type("too bright")
    p.key("alt+2")
    p.until("window.desk.bookmarks[0].text == 'the torus\\ntoo bright'")
    stage.restart(capture)
    p = stage.on(capture, LAST)
    p.key("alt+2", "1")
    p.until("focus() == '#event=697&pixel=250,246'")
    p.key("alt+7")
    assert p.look("rows('Bookmarks')[0][2]") == "the torus"
    assert "too bright" in p.look("named('Name and notes of the bookmark').toPlainText()")


def test_the_next_change_of_a_state(stage: Stage) -> None:
    p = stage.on(ROOM, "#event=600")
    p.key("ctrl+2", "ctrl+f")
    p.type("changed(ZWRITEENABLE)")
    p.key("Return")
    p.key("F3")
    values = "[capture.state(e)['ZWRITEENABLE'].text for e in ({0} - 1, {0})]"
    following = p.look(
        "next(e for e in range(601, len(capture.events)) if capture.text(e).startswith('RENDERSTATE ZWRITEENABLE')"
        " and capture.state(e)['ZWRITEENABLE'].text != capture.state(e - 1)['ZWRITEENABLE'].text)"
    )
    p.until(f"focus() == '#event={following}'")
    assert len(set(p.look(values.format(following)))) == 2
    p.key("ctrl+f", "BackSpace", "Return")


def test_back_and_forward(stage: Stage) -> None:
    p = stage.on(ROOM, LAST)
    p.key("ctrl+g")
    p.type("frame 3")
    p.key("Return")
    p.until(f"focus() != {LAST!r}")
    there = p.look("focus()")
    p.key("alt+Left")
    p.until(f"focus() == {LAST!r}")
    p.key("alt+Right")
    p.until(f"focus() == {there!r}")


def test_a_table_for_a_spreadsheet(stage: Stage) -> None:
    p = stage.on(ROOM, f"{LAST}&pixel=250,246")
    p.until(f"len(rows({HISTORY!r})) > 1")
    p.key("alt+2", "ctrl+a", "ctrl+c")
    rows = list(csv.reader(p.until("clipboard()").splitlines(), delimiter="\t"))
    assert is_copied(rows, p.look(f"rows({HISTORY!r})"))


def test_the_theme(stage: Stage) -> None:
    p = stage.on(ROOM, LAST)
    dark = p.brightness()
    for name, arrived in (("light", lambda now: now > dark + 80), ("dark", lambda now: abs(now - dark) < 5)):
        p.key("ctrl+shift+p")
        p.until("title() == 'Find a command'", ready=False)
        p.type(f"{name} theme")
        p.key("Return")
        p.until_brightness(arrived)


def test_another_key_for_a_command(stage: Stage) -> None:
    p = stage.on(ROOM, LAST)
    p.key("F1")
    p.until("title() == 'Keyboard shortcuts'", ready=False)
    p.type("next frame")
    p.tab_to("Commands and their keys")
    p.key("Down")
    p.tab_to("New keys")
    p.key("ctrl+alt+n")
    p.tab_to("Assign")
    p.key("space", "Escape")
    p.key("ctrl+alt+n")
    p.until("focus() == '#event=1102'")
    p.key("F1")
    p.until("title() == 'Keyboard shortcuts'", ready=False)
    p.type("next frame")
    p.tab_to("Commands and their keys")
    p.key("Down")
    p.tab_to("Restore default", "shift+Tab")
    p.key("space", "Escape")
    p.key("ctrl+alt+n")
    assert p.focus.event == 1102


def test_the_palette(stage: Stage) -> None:
    p = stage.on(ROOM, LAST)
    p.key("ctrl+shift+p")
    p.until("title() == 'Find a command'", ready=False)
    p.type("nextfra")
    p.key("Return")
    p.until("focus() == '#event=1102'")


def test_play(stage: Stage) -> None:
    p = stage.on(ROOM, LAST)
    p.key("p")
    p.until("focus() == '#event=3028'", ready=False)
    p.until("not window.steps.playing", ready=False)
    assert p.look("[capture.frame_of(event) for event in been]") == [*range(1, 8)]


def test_a_pixel_over_the_whole_capture(stage: Stage) -> None:
    p = stage.on(ROOM, f"{LAST}&pixel=250,246")
    p.until(f"len(rows({HISTORY!r})) > 1")
    p.key("alt+2")
    p.tab_to("Range of events", "shift+Tab")
    p.key("End")
    p.until(f"len(rows({HISTORY!r})) > 20")
    assert {row[1] for row in p.look(f"rows({HISTORY!r})")} == set("01234567")
    p.key("Home")


def test_six_overlays(stage: Stage) -> None:
    p = stage.on(ROOM, "#event=662")
    p.key("ctrl+4")
    shown = []
    for _ in range(6):
        p.key("o")
        shown.append(p.until("[name for name, _ in window.surface.layering.layers]")[0])
        assert p.look("is_told_apart(662)")
        assert p.look("window.surface.key.isVisible()")
    assert len(set(shown)) == 6


def test_a_report(stage: Stage, tmp_path: Path) -> None:
    p = stage.on(ROOM, f"{LAST}&pixel=250,246")
    p.key("ctrl+shift+s")
    p.until("title().startswith('Save report: event 781')", ready=False)
    p.key("Down", "Down", "Return")
    p.until("title() == 'Save the report'", ready=False)
    p.type(f"{tmp_path}/pixel.html")
    p.key("Return")
    p.until("said().startswith('Saved')")
    assert_report(tmp_path / "pixel.html", p.look(f"rows({HISTORY!r})"))
