"""One table of commands: menus, F1, palette, widgets, the manual and the settings follow it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QTreeWidgetItem

from inspector.query.pixels.overlay import KINDS
from tests.ui.conftest import settle
from tests.ui.window_kit import Key, Modifier, press
from ui.keyboard import OWN, Keyboard, show_keys
from ui.keys import manual
from ui.keys.commands import BY_NAME, COMMANDS, GROUPS, PRESETS
from ui.keys.keymap import KEYS
from ui.keys.overlays import TITLES
from ui.palette import Palette, show_palette
from ui.settings import Settings
from ui.window import Window

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def as_at_first() -> Iterator[None]:
    KEYS.load({})
    yield
    KEYS.load({})


# ---- the table


def test_names_are_unique_and_keys_are_keys() -> None:
    assert len(BY_NAME) == len(COMMANDS)
    for command in COMMANDS:
        for key in command.keys:
            assert QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText) == key, command.name


@pytest.mark.parametrize("preset", PRESETS)
def test_no_two_commands_share_a_key_where_both_count(preset: str) -> None:
    KEYS.use(preset)
    assert KEYS.preset == preset
    clashes = [(one.name, key, other.name) for one in COMMANDS if not one.fixed
               for key in KEYS.of(one.name) for other in KEYS.clashes(one.name, key)]  # fmt: skip
    assert clashes == []


def test_every_panel_has_a_command_of_its_title(window: Window) -> None:
    for name, panel in window.docks.panels.items():
        assert BY_NAME[f"panel-{name}"].text == panel.title


def test_menus_show_every_command_of_the_window(window: Window) -> None:
    def actions(menu: QMenu) -> Iterator[str]:
        for action in menu.actions():
            inside = action.menu()
            yield from actions(inside) if isinstance(inside, QMenu) else [action.objectName()]

    there = {name for top in window.menuBar().actions() for name in actions(top.menu())}  # type: ignore[arg-type]
    assert {command.name for command in COMMANDS if not command.where} - there == {"dismiss"}


def test_no_menu_has_one_letter_twice(window: Window) -> None:
    """Alt and the letter would only select, not do it."""
    menus = [window.menuBar(), *window.menuBar().findChildren(QMenu)]
    for menu in menus:
        words = [action.text() for action in menu.actions() if not action.isSeparator()]
        letters = [found[1].lower() for text in words if (found := re.search("&([^&])", text.replace("&&", "")))]
        assert len(letters) == len(set(letters)), words


def test_no_widget_knows_keys_of_its_own() -> None:
    """Keys that are only read to be compared with numbers of keys belong into the table."""
    for path in (ROOT / "ui").rglob("*.py"):
        if path.parent.name != "keys":
            assert not re.search(r"event\.key\(\)|event\.matches\(|Key\.Key_", path.read_text(encoding="utf-8")), path


def test_the_manual_has_the_table() -> None:
    page = (ROOT / "docs" / "manual.md").read_text(encoding="utf-8")
    assert manual.page() in page, "python -m ui.keys.manual prints it"


# ---- what a key means


@pytest.mark.parametrize(
    ("key", "modifiers", "where", "meant"),
    [
        (Key.Key_Plus, Modifier.NoModifier, "surface", "zoom-in"),
        (Key.Key_Plus, Modifier.ShiftModifier, "surface", "zoom-in"),
        (Key.Key_Plus, Modifier.KeypadModifier, "timeline", "zoom-in"),
        (Key.Key_Equal, Modifier.NoModifier, "mesh", "zoom-in"),
        (Key.Key_0, Modifier.NoModifier, "surface", "fit"),
        (Key.Key_0, Modifier.ShiftModifier, "surface", ""),
        (Key.Key_Left, Modifier.ShiftModifier, "surface", "pixel-left"),
        (Key.Key_Left, Modifier.NoModifier, "surface", ""),
        (Key.Key_Left, Modifier.KeypadModifier, "tree", "close"),
        (Key.Key_Enter, Modifier.ControlModifier | Modifier.KeypadModifier, "query", "ask"),
        (Key.Key_Up, Modifier.NoModifier, "query", ""),
        (Key.Key_O, Modifier.NoModifier, "surface", ""),
    ],
)
def test_what_a_key_means(qapp: Any, key: Key, modifiers: Modifier, where: str, meant: str) -> None:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent

    assert KEYS.meant(QKeyEvent(QEvent.Type.KeyPress, key, modifiers), where) == meant


def test_a_widget_follows_changed_keys(qtbot: Any, window: Window) -> None:
    window.docks.bring("surface")
    view = window.surface.view
    before = view._zoom
    KEYS.assign("surface.zoom-in", ("Z",))
    qtbot.keyClick(view, Key.Key_Plus)
    assert view._zoom == before
    qtbot.keyClick(view, Key.Key_Z)
    assert view._zoom > before


# ---- changing keys


def test_a_changed_key_works_is_kept_and_comes_back(qtbot: Any, window: Window, settings: Settings, make_window: Any) -> None:
    KEYS.assign("next-draw", ("N",))
    assert press(qtbot, window, Key.Key_Right, Modifier.ControlModifier) == 9
    assert press(qtbot, window, Key.Key_N) == 18
    assert settings.keys == {"next-draw": ["N"]}
    assert window.actions_by_name["next-draw"].toolTip() == "Next draw (N)"
    KEYS.load({})
    settings.keys = {"next-draw": ["N"], "gone": ["X"], "play": "X", "list.follow": ["X"], "wires": [3], "overlay": ["no key"]}
    other = make_window(lambda path, progress: None)
    assert KEYS.own == {"next-draw": ("N",)}
    assert other.actions_by_name["next-draw"].shortcut().toString() == "N"


@pytest.mark.parametrize("text", ["", "[1]", "{", "null"])
def test_broken_settings_are_the_keys_of_the_table(text: str, settings: Settings) -> None:
    settings._store.setValue("keys", text)
    assert settings.keys == {}


def test_what_had_the_key_loses_it() -> None:
    KEYS.assign("wires", ("Ctrl+G", "W"))
    assert KEYS.of("go-to") == ()
    assert KEYS.of("wires") == ("Ctrl+G", "W")
    KEYS.reset("go-to")
    assert KEYS.of("wires") == ("W",) and not KEYS.own
    KEYS.assign("surface.fit", ("F",))
    KEYS.assign("timeline.fit", ("F",))  # elsewhere the same key means something else
    assert KEYS.of("surface.fit") == ("F",)
    KEYS.assign("play", ("F",))  # but one that counts everywhere is everywhere
    assert KEYS.of("surface.fit") == KEYS.of("timeline.fit") == ()


def choose(keyboard: Keyboard, name: str, key: str = "") -> None:
    keyboard.tree.setCurrentItem(keyboard._items[name])
    keyboard.keys.setKeySequence(QKeySequence(key))


def test_the_dialog_names_the_conflict_and_changes_keys(qtbot: Any, window: Window) -> None:
    keyboard = show_keys(window)
    assert keyboard.preset.currentText() == "DDI Inspector"
    choose(keyboard, "wires", "Ctrl+G")
    assert keyboard.about.text() == "Ctrl+G is assigned to “Go to a place”, which will lose it."
    keyboard.add.click()
    assert KEYS.of("wires") == ("W", "Ctrl+G") and KEYS.of("go-to") == ()
    assert keyboard._items["wires"].text(1) == "W or Ctrl+G" and keyboard._items["go-to"].text(1) == ""
    assert keyboard.preset.currentText() == OWN
    choose(keyboard, "wires", "F6")
    assert keyboard.about.text() == "Draw wireframe: F6 is free."
    keyboard.assign.click()
    assert KEYS.of("wires") == ("F6",)
    keyboard.reset.click()
    assert KEYS.of("wires") == ("W",) and not keyboard.reset.isEnabled()
    choose(keyboard, "wires")
    assert keyboard.assign.text() == "No keys"
    keyboard.assign.click()
    assert KEYS.of("wires") == ()
    choose(keyboard, "list.follow", "F6")
    assert not keyboard.assign.isEnabled() and not keyboard.keys.isEnabled()
    assert "cannot be changed" in keyboard.about.text()
    keyboard.preset.setCurrentText("RenderDoc")
    keyboard.preset.activated.emit(keyboard.preset.currentIndex())
    assert KEYS.of("panel-state") == ("Ctrl+Alt+5",) and KEYS.of("wires") == ("W",)
    assert "RenderDoc's documentation" in keyboard.about.text()
    about = keyboard.about
    qtbot.waitUntil(lambda: 16 < about.heightForWidth(about.width()) <= about.height())  # on several lines, all of it
    assert about._shown() == about.text()
    assert window.actions_by_name["panel-state"].shortcut().toString() == "Ctrl+Alt+5"


def test_changes_in_the_dialog_are_undone_one_by_one(window: Window, settings: Settings) -> None:
    keyboard = show_keys(window)
    assert not keyboard.undo.isEnabled()
    choose(keyboard, "wires", "Ctrl+G")
    keyboard.assign.click()
    keyboard.preset.setCurrentText("PIX")
    keyboard.preset.activated.emit(keyboard.preset.currentIndex())
    assert KEYS.of("timeline.right") == ("D", "Shift+Right") and "no published list" in keyboard.about.text()
    assert KEYS.clashes("wires", "Ctrl+Alt+W") == [] and settings.keys["wires"] == ["Ctrl+Alt+W"]
    keyboard.undo.click()
    assert KEYS.of("wires") == ("Ctrl+G",) and KEYS.of("go-to") == () and keyboard.preset.currentText() == OWN
    keyboard.undo.click()
    assert not KEYS.own and KEYS.of("go-to") == ("Ctrl+G",) and not settings.keys
    assert not keyboard.undo.isEnabled()


def test_the_dialog_lists_and_finds_all_and_fits_a_laptop(qtbot: Any, window: Window) -> None:
    window.resize(1280, 680)
    keyboard = show_keys(window)
    assert keyboard.height() <= 680 and keyboard.width() <= 1280
    for command in COMMANDS:
        item = keyboard._items[command.name]
        assert item.text(0) == command.words and item.text(1) == KEYS.text(command.name)
    shown = lambda: {name for name, item in keyboard._items.items() if not item.isHidden()}  # noqa: E731
    assert shown() == set(BY_NAME)
    keyboard.edit.setText("draw next")
    assert shown() == {"next-draw"}
    heads = [keyboard.tree.topLevelItem(n) for n in range(len(GROUPS))]
    assert [head.text(0) for head in heads if isinstance(head, QTreeWidgetItem) and not head.isHidden()] == ["Navigation"]
    keyboard.edit.setText("ctrl+shift+left")
    assert shown() == {"previous-frame"}
    keyboard.edit.setText("in the query")
    assert shown() == {"query.ask", "query.earlier", "query.later"}


# ---- the palette


def test_the_palette_does_what_a_few_letters_mean(qtbot: Any, window: Window) -> None:
    assert press(qtbot, window, Key.Key_P, Modifier.ControlModifier | Modifier.ShiftModifier) == 9
    palette = window.findChild(Palette)
    assert palette is not None and palette.isVisible()
    qtbot.keyClicks(palette.edit, "xyzzy")
    assert palette.names() == [] and palette.list.topLevelItem(0).text(0).startswith("No command")
    qtbot.keyClick(palette.edit, Key.Key_Return)
    assert palette.isVisible()
    palette.edit.clear()
    qtbot.keyClicks(palette.edit, "nxdr")
    assert palette.names()[0] == "next-draw"
    row = palette.list.topLevelItem(0)
    assert row is not None and (row.text(0), row.text(2)) == ("Next draw", "Ctrl+Right")
    qtbot.keyClick(palette.edit, Key.Key_Return)
    settle(qtbot, window)
    assert window.desk.focus.focus.event == 18
    qtbot.waitUntil(lambda: window.findChild(Palette) is None)


def test_the_palette_has_every_overlay(qtbot: Any, window: Window) -> None:
    taken = {}
    for _, titles in TITLES:
        for name, title in titles.items():
            palette = show_palette(window)
            palette.edit.setText(f"overlay {title}")
            if palette.names()[0] != f"overlay-{name}":
                qtbot.keyClick(palette.edit, Key.Key_Down)
            qtbot.keyClick(palette.edit, Key.Key_Return)
            taken[name] = window.surface.overlays.stack
    assert taken == {name: [name] for name in KINDS}
    window.surface.overlays.several.setChecked(True)
    window.actions_by_name["overlay-tests"].trigger()
    assert window.surface.overlays.stack == ["range", "tests"], "on top, where several are wanted"
    window.actions_by_name["overlay-none"].trigger()
    assert window.surface.overlays.stack == []


def test_the_palette_lists_the_table_with_its_keys(window: Window) -> None:
    KEYS.use("RenderDoc")
    palette = show_palette(window)
    disabled = {name for name, action in window.actions_by_name.items() if not action.isEnabled()}
    left_out = {command.name for command in COMMANDS} - set(palette.names())
    assert left_out - disabled == {"palette", "surface.hold-before", "surface.hold-other"} | {
        command.name
        for command in COMMANDS
        if command.where in ("texels", "console", "items", "bytes", "list", "edits", "tree", "typing")
    }
    rows = [palette.list.topLevelItem(row) for row in range(palette.list.topLevelItemCount())]
    assert [(row.text(0), row.text(1), row.text(2)) for row in rows if row is not None] == [
        (BY_NAME[name].words, BY_NAME[name].group, KEYS.text(name)) for name in palette.names()
    ]


def test_the_palette_has_the_commands_of_widgets(qtbot: Any, window: Window) -> None:
    """Each brings its panel forward and does what its key does there, also when it has no key."""
    KEYS.assign("surface.zoom-in", ())
    window.docks.bring("state")
    vertices: Any = window.docks.panels["vertices"]
    before, camera = window.surface.view.zoom, vertices.mesh.camera
    for words, name in (
        ("surface zoom in", "surface.zoom-in"),
        ("histogr", "surface.histogram"),
        ("3d turn lef", "mesh.turn-left"),
    ):
        palette = show_palette(window)
        palette.edit.setText(words)
        assert palette.names()[0] == name
        qtbot.keyClick(palette.edit, Key.Key_Return)
        settle(qtbot, window)
    assert window.surface.view.zoom > before and window.surface.toning.bar.isVisibleTo(window.surface)
    assert vertices.raised and vertices.mesh.camera != camera
    assert not any(name.startswith("surface.hold") for name in show_palette(window).names())


def test_the_palette_is_walked_by_keys_and_taken_by_mouse(qtbot: Any, window: Window) -> None:
    palette = show_palette(window)
    names = palette.names()
    qtbot.keyClick(palette.edit, Key.Key_Down)
    qtbot.keyClick(palette.edit, Key.Key_Down)
    assert palette.list.currentIndex().row() == 2
    palette.edit.setText("play fr")
    assert palette.names() == ["play"]
    palette.edit.setText("no such thing at all")
    assert palette.names() == []
    qtbot.keyClick(palette.edit, Key.Key_Return)
    assert palette.isVisible()
    palette.edit.setText("  ")
    assert palette.names() == names
    palette.edit.setText("last event")
    place = palette.list.visualItemRect(palette.list.topLevelItem(0)).center()
    qtbot.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, window)
    assert window.desk.focus.focus.event == 32


def test_the_palette_offers_what_can_be_done_now(qtbot: Any, make_window: Any) -> None:
    window = make_window(lambda path, progress: None)
    palette = show_palette(window)
    assert "open" in palette.names() and "next-event" not in palette.names()
    assert not any(BY_NAME[name].needs_capture for name in palette.names())
    assert not any(BY_NAME[name].where for name in palette.names())
