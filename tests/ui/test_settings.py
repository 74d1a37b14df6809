"""Settings: one table, one dialog; what is kept, what is refused, and what can be seen of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDragLeaveEvent, QFontDatabase
from PySide6.QtWidgets import QApplication, QComboBox, QSpinBox
from shiboken6 import isValid

from core.folders import user_folder
from inspector.timeline.budgets import MEGABYTE, Budgets
from tests.ui.conftest import settle
from ui import preferences, style
from ui.keys.keymap import KEYS
from ui.options import OPTIONS, Option
from ui.preferences import Preferences, show_settings
from ui.settings import Settings
from ui.style import DARK, LIGHT, PALETTES, with_palette
from ui.widgets.controls import tool
from ui.widgets.key_tips import name_keys
from ui.window import Window
from ui.words import figure, integer, show_integers

# Machado, Oliveira, Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.0,
# on linear RGB
BLINDNESS = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
}
APART = 12.0
"""CIE 1976: a difference of 2.3 is just noticeable."""


@pytest.fixture
def dialog(qtbot: Any, window: Window) -> Iterator[Preferences]:
    shown = show_settings(window)
    yield shown
    shown.reject()
    KEYS.use("DDI Inspector")
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    style.use_fonts("", "")
    style.apply(app, "dark", "usual", 100)
    show_integers("decimal")


def choose(dialog: Preferences, name: str, value: Any) -> None:
    field = dialog.fields[name]
    if isinstance(field, QSpinBox):
        field.setValue(value)
    else:
        assert isinstance(field, QComboBox)
        row = field.findData(value)
        field.setCurrentIndex(row)
        field.activated.emit(row)


def test_the_dialog_has_every_option_and_shows_what_is_kept(dialog: Preferences, settings: Settings) -> None:
    assert list(dialog.fields) == [option.name for option in OPTIONS]
    for option in OPTIONS:
        fonts = style.font_choices(option.fonts, "") if option.fonts else []
        other = [*option.choices, *fonts][-1][0] if option.choices or fonts else option.least
        choose(dialog, option.name, other)
        assert settings.value(option.name) == other
    dialog.restore()
    assert {option.name: settings.value(option.name) for option in OPTIONS} == {o.name: o.usual for o in OPTIONS}


@pytest.mark.parametrize("option", [option for option in OPTIONS if not option.fonts], ids=lambda option: option.name)
def test_what_makes_no_sense_is_the_usual_value_or_within_bounds(option: Option, settings: Settings, tmp_path: Path) -> None:
    store = QSettings(str(tmp_path / "broken.ini"), QSettings.Format.IniFormat)
    for broken, expected in (("nonsense", option.usual), (-5, option.usual if option.choices else option.least)):
        store.setValue(option.name, broken)
        assert Settings(store).value(option.name) == expected


def test_what_cannot_be_kept_is_said_once_and_kept_later(tmp_path: Path) -> None:
    folder, said = tmp_path / "folder", list[str]()
    folder.touch()  # where a folder cannot be made
    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    settings = Settings(store)
    settings.not_kept = said.append  # type: ignore[method-assign]
    settings.leave(tmp_path / "a.trace", {"place": "#event=7"})
    settings.ended = False
    [sentence] = said
    assert sentence.startswith(f"Settings and places are not kept at the moment: cannot write {store.fileName()}: ")
    folder.unlink()
    settings.ended = True
    assert len(said) == 1
    again = Settings(QSettings(store.fileName(), QSettings.Format.IniFormat))
    assert again.left(tmp_path / "a.trace") == {"place": "#event=7"}
    folder.rename(tmp_path / "elsewhere")
    folder.touch()
    settings.ended = False
    assert len(said) == 2, "another time"


def test_theme_palette_and_font_are_seen_at_once(dialog: Preferences, window: Window) -> None:
    choose(dialog, "theme", "contrast")
    assert style.theme().color("panel").name() == "#000000" and window.actions_by_name["theme-contrast"].isChecked()
    before = style.theme().color("kind:draw").name()
    choose(dialog, "palette", "blue-orange")
    assert style.theme().color("kind:draw").name() != before
    size = QApplication.font().pointSizeF()
    choose(dialog, "font", 130)
    assert QApplication.font().pointSizeF() == pytest.approx(size * 1.3, abs=0.3)
    window.grab()


def test_digits_and_the_timeline_are_seen_at_once(dialog: Preferences, window: Window) -> None:
    choose(dialog, "digits", 9)
    assert figure(np.float32(0.1).item()) == "0.100000001"
    choose(dialog, "digits", 3)
    assert figure(6.12323e-17) == "6.12e-17"
    choose(dialog, "timeline", 120)
    assert window.docks.panels["timeline"].height() == 120
    dialog.restore()
    assert figure(1 / 3) == "0.333333"


def test_fonts_are_chosen_by_name_and_come_back(dialog: Preferences, window: Window) -> None:
    usual = style.ui_font().family(), style.mono_font().family()
    names = [dialog.fields["family"].itemData(n) for n in range(dialog.fields["family"].count())]  # type: ignore[attr-defined]
    fixed = [dialog.fields["mono"].itemData(n) for n in range(dialog.fields["mono"].count())]  # type: ignore[attr-defined]
    assert names[0] == fixed[0] == "" and set(fixed) <= set(names)
    assert all(QFontDatabase.isFixedPitch(name) for name in fixed[1:])
    other = next(name for name in names[1:] if name not in usual)
    choose(dialog, "family", other)
    choose(dialog, "mono", fixed[-1])
    assert QApplication.font().family() == style.ui_font().family() == other
    assert not fixed[-1] or style.mono_font().family() == fixed[-1]
    window.settings.put("family", "A font that was removed")
    assert style.ui_font().family() == usual[0]
    assert ("A font that was removed", "A font that was removed") in style.font_choices("all", "A font that was removed")
    dialog.restore()
    assert (style.ui_font().family(), style.mono_font().family()) == usual


def test_whole_numbers_are_decimal_or_hexadecimal(qtbot: Any, dialog: Preferences, window: Window) -> None:
    window.docks.bring("token")
    settle(qtbot, window)
    panel: Any = window.docks.panels["token"]
    panel.model.set_rows([replace(panel._fields[0], text="255")])
    for how, text in (("hex", "0xff"), ("both", "255  0xff"), ("decimal", "255")):
        choose(dialog, "integers", how)
        assert panel.model.index(0, 1).data() == text
    choose(dialog, "integers", "hex")
    assert [integer(text) for text in ("-16", "1.5", "TRUE", "0x10", "")] == ["-0x10", "1.5", "TRUE", "0x10", ""]
    dialog.restore()
    assert integer("255") == "255"


def test_budgets_come_from_the_settings_and_the_environment_goes_first(
    dialog: Preferences, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(dialog, "memory", 200)
    assert settings.budgets == Budgets(memory=200 * MEGABYTE)
    monkeypatch.setenv("DDI_INSPECTOR_MEMORY_MB", "99")
    assert settings.budgets.memory == 99 * MEGABYTE


def test_what_is_used_now_is_said(qtbot: Any, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, usage = threading.Event(), preferences.cache_usage
    monkeypatch.setattr("ui.preferences.cache_usage", lambda: (gate.wait(60), usage())[1])
    dialog = show_settings(window)
    assert dialog.memory.text().startswith("keyframes 3 MB\nlogs 5 MB\nevents and state 7 MB")
    assert dialog.cache.text() == "…"
    gate.set()
    qtbot.waitUntil(lambda: " MB  " in dialog.cache.text())
    dialog.reject()


def test_the_cache_is_emptied_but_for_what_is_not_made_again(
    qtbot: Any, dialog: Preferences, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:  # fmt: skip
    qtbot.waitUntil(dialog.empties.isEnabled)
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    kept = {kind: user_folder(kind) / "a.ddicap" for kind in ("captures", "derived", "bookmarks", "kernels")}
    for path in kept.values():
        path.write_bytes(bytes(3 << 20))
    dialog.empties.click()
    assert not dialog.empties.isEnabled()
    qtbot.waitUntil(dialog.empties.isEnabled)
    assert "0.0 MB  imported traces and recordings\n0.0 MB  what was computed" in dialog.cache.text()
    assert [kind for kind, path in kept.items() if path.exists()] == ["bookmarks", "kernels"]


def test_a_dialog_closed_before_the_cache_is_counted_is_no_mistake(
    qtbot: Any, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, gate = list[int](), threading.Event()
    monkeypatch.setattr("ui.preferences.cache_usage", lambda: (gate.wait(60), counted.append(1), (Path("/"), {}))[2])
    dialog = show_settings(window)
    qtbot.waitUntil(lambda: window.desk.ask.busy)
    dialog.reject()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not isValid(dialog)
    gate.set()
    qtbot.waitUntil(lambda: bool(counted) and not window.desk.ask.busy)


def lab(color: QColor, seen: tuple[tuple[float, ...], ...]) -> np.ndarray:
    rgb = np.array(color.getRgbF()[:3])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.array(seen) @ linear, 0, 1)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ linear
    f = np.cbrt(np.maximum(xyz / (0.9505, 1.0, 1.089), 0.008856))
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("blindness", BLINDNESS)
@pytest.mark.parametrize("base", [DARK, LIGHT], ids=lambda theme: theme.name)
@pytest.mark.parametrize("palette", [name for name in PALETTES if name != "usual"])
def test_palettes_stay_apart_for_those_who_see_fewer_colours(palette: str, base: style.Theme, blindness: str) -> None:
    theme = with_palette(base, palette)
    for pair in (*combinations(("kind:draw", "kind:clear", "kind:copy", "kind:resource"), 2), ("error", "good")):
        a, b = (lab(theme.color(token), BLINDNESS[blindness]) for token in pair)
        assert np.linalg.norm(a - b) > APART, pair


def test_the_usual_hues_of_good_and_bad_would_fail_that(qapp: Any) -> None:
    """What the palettes are for: red and green of equal lightness."""
    a, b = (lab(QColor(hue), BLINDNESS["deuteranopia"]) for hue in ("#c05000", "#7a7a00"))
    assert np.linalg.norm(a - b) < APART


def test_tooltips_follow_changed_keys(qtbot: Any, qapp: Any) -> None:
    button = name_keys(tool("Fit", ""), "Fit to the window", "surface.fit")
    qtbot.addWidget(button)
    try:
        assert button.toolTip() == "Fit to the window (0)"
        KEYS.assign("surface.fit", ("F",))
        assert button.toolTip() == "Fit to the window (F)"
        KEYS.assign("surface.fit", ())
        assert button.toolTip() == "Fit to the window"
    finally:
        KEYS.use("DDI Inspector")


def test_the_window_lights_up_while_a_capture_is_dragged_over_it(qtbot: Any, window: Window, file: Path) -> None:
    data, wrong, folder, other = (
        QMimeData(),
        file.with_suffix(".txt"),
        file.with_name("folder.trace"),
        file.with_suffix(".trace"),
    )
    folder.mkdir()
    words = {(file,): "Drop to open made-up.ddicap", (wrong,): "", (folder,): "", (file.parent,): "",
             (wrong, other, file): "Drop to open made-up.trace (the first of 2)"}  # fmt: skip
    for paths, said in words.items():
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(window, QDragEnterEvent(QPoint(50, 50), copy, data, left, none))
        assert window.drop_light.isVisible() is bool(said) and window.drop_light.words == said
        QApplication.sendEvent(window, QDragLeaveEvent())
        assert not window.drop_light.isVisible()
    assert window.childAt(QPointF(60, 60).toPoint()) is not window.drop_light
