"""File > Save ...: what the command line writes, from the window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QFileDialog, QLineEdit, QTreeView

import inspector
from inspector.cli import main
from inspector.exports.formats import FORMATS
from tests.inspector.conftest import ROOM
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.choosing import ChoiceDialog, RangeDialog
from ui.widgets.copying import save_rows
from ui.widgets.file_dialogs import SEEN, widen
from ui.widgets.tables import Table
from ui.window import Window

DRAW = 2945


def asked(window: Window, name: str, choice: int, form: str = "") -> ChoiceDialog:
    """The dialog of a command, with a choice made in it."""
    window.actions_by_name[name].trigger()
    dialog = window.findChildren(ChoiceDialog)[-1]
    dialog.buttons.button(choice).click()
    if form:
        dialog.formats.setCurrentIndex(next(n for n in range(dialog.formats.count()) if form in dialog.formats.itemText(n)))
    return dialog


@pytest.mark.parametrize(("choice", "word", "form"), [(0, "surface", "NumPy"), (1, "event", "PNG"), (2, "frame", "raw bytes")])
def test_the_files_are_those_of_the_command(
    choice: int, word: str, form: str, qtbot: Any, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,  # noqa: F811
) -> None:  # fmt: skip
    window, commanded = tmp_path / "window", tmp_path / "command"
    window.mkdir()
    monkeypatch.setattr("ui.saving.QFileDialog.getExistingDirectory", lambda *a, **k: str(window))
    real.desk.focus.go(event=DRAW, surface="depth" if word == "surface" else "render_target")
    settle(qtbot, real, 60_000)
    asked(real, "save-all", choice, form).accept()
    settle(qtbot, real, 60_000)
    (saved,) = window.iterdir()
    suffix = next(row.suffix for row in FORMATS if row.name == form)
    words = ["image", str(ROOM), "--event", str(DRAW), "--all", word, "--format", suffix, "-o", str(commanded)]
    assert main(words + ["--surface", "depth"] * (word == "surface")) == 0
    files = {file.name: file.read_bytes() for file in commanded.iterdir()}
    assert {file.name: file.read_bytes() for file in saved.iterdir()} == files
    assert f"{len(files)} files in {saved}" in real.banner.text
    asked(real, "save-all", choice, form).accept()  # once more: nothing is replaced
    settle(qtbot, real, 60_000)
    assert sorted(path.name for path in window.iterdir()) == [saved.name, f"{saved.name}-2"]


@pytest.mark.parametrize(("choice", "form", "words"), [(0, "PNG: the", ["--form", "png"]), (1, "and PNG", ["--frame", "7"])])
def test_textures_are_those_of_the_command(
    choice: int, form: str, words: list[str], qtbot: Any, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,  # noqa: F811
) -> None:  # fmt: skip
    window, commanded = tmp_path / "window", tmp_path / "command"
    window.mkdir()
    monkeypatch.setattr("ui.saving.QFileDialog.getExistingDirectory", lambda *a, **k: str(window))
    real.desk.focus.go(event=DRAW)
    asked(real, "save-textures", choice, form).accept()
    settle(qtbot, real, 60_000)
    (saved,) = window.iterdir()
    assert main(["textures", str(ROOM), *words, "-o", str(commanded)]) == 0
    files = {file.name: file.read_bytes() for file in commanded.iterdir()}
    assert {file.name: file.read_bytes() for file in saved.iterdir()} == files
    assert f"{len(files) - 1} files, with index.csv, in {saved}" in real.banner.text


def test_frames_are_a_capture_that_draws_the_same(
    qtbot: Any, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,  # noqa: F811
) -> None:  # fmt: skip
    path = tmp_path / "some.ddicap"
    monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", lambda *a, **k: (str(path), ""))
    real.desk.focus.go(event=DRAW)
    real.actions_by_name["save-frames"].trigger()
    dialog = real.findChildren(RangeDialog)[-1]
    assert dialog.range == (7, 7)
    dialog.first.setValue(6)
    dialog.calls.setChecked(True)
    dialog.accept()
    settle(qtbot, real, 60_000)
    assert real.banner.text == f"Saved {path}."
    capture = real.desk.capture
    with inspector.open(path) as saved:
        assert len(saved.frames) == 2 and saved.event(int(saved.draws[0])).source_text
        for frame, number in zip(saved.frames, (6, 7), strict=True):
            assert (saved.image(frame.last_event) == capture.image(capture.all_frames[number].last_event)).all()


@pytest.mark.parametrize(("choice", "last"), [(0, DRAW), (1, None)])
def test_the_program_draws_what_was_drawn(
    choice: int, last: int | None, qtbot: Any, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,  # noqa: F811
) -> None:  # fmt: skip
    path, picture = tmp_path / "draw.py", tmp_path / "draw.png"
    monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", lambda *a, **k: (str(path), ""))
    real.desk.focus.go(event=DRAW)
    settle(qtbot, real, 60_000)
    asked(real, "save-program", choice).accept()
    settle(qtbot, real, 60_000)
    assert real.banner.text == f"Saved {path}."
    names: dict[str, Any] = {"__name__": "a program"}
    exec(compile(path.read_text("utf-8"), "program", "exec"), names)
    assert names["play"]().finish(names["EXPECTED"], [str(picture)]) == 0
    capture = real.desk.capture
    shown = capture.image(capture.frame_at(DRAW).last_event if last is None else last)
    assert (np.asarray(Image.open(picture))[..., :3] == shown[..., :3]).all()


def test_a_program_that_draws_something_else_is_reported(
    qtbot: Any, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,  # noqa: F811
) -> None:  # fmt: skip
    monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", lambda *a, **k: (str(tmp_path / "draw.py"), ""))
    monkeypatch.setattr("ui.saving.standalone", lambda *_: ("pass", False))
    asked(real, "save-program", 0).accept()
    settle(qtbot, real, 60_000)
    assert "it does not draw the same" in real.banner.text


def test_dialogs_that_are_left_write_nothing(qtbot: Any, real: Window, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr("ui.saving.QFileDialog.getExistingDirectory", lambda *a, **k: "")
    monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", lambda *a, **k: ("", ""))
    asked(real, "save-all", 1).accept()
    asked(real, "save-program", 1).accept()
    settle(qtbot, real, 60_000)
    assert not real.banner.isVisible()


def test_where_and_under_which_name_a_surface_is_saved(
    qtbot: Any, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:  # fmt: skip
    offered: list[Path] = []
    monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", lambda *given, **_: (offered.append(Path(given[2])) or "", ""))
    volume = next(one for one in real.desk.capture.surfaces(DRAW) if one.kind == "volume")
    real.desk.focus.go(event=DRAW, surface=volume.handle, slice=7)
    for mode in ("image", "sheet"):
        real.surface.views.choose(mode)
        settle(qtbot, real, 60_000)
        real.saving.picture()
    monkeypatch.setattr(real.desk, "name_of", lambda info: "Torch, inner smoke")
    real.saving.picture()
    stem = f"room-event-{DRAW}"
    wanted = [
        f"{stem}-volume-{volume.handle}-slice7",
        f"{stem}-volume-{volume.handle}-sheet",
        f"{stem}-torch-inner-smoke-sheet",
    ]
    assert [path.name for path in offered] == [f"{name}.png" for name in wanted]
    assert {path.parent for path in offered} == {Path.home()}, "not in a package, beside a sample"
    monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", lambda *given, **_: (str(tmp_path / "first.csv"), ""))
    real.docks.bring("resources")
    settle(qtbot, real, 60_000)
    table = real.docks.panels["resources"].findChild(Table)
    table.selectAll()
    save_rows(table)
    qtbot.waitUntil(lambda: "first.csv" in real.banner.text)
    monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", lambda *given, **_: (str(tmp_path / "rows.xyz"), ""))
    save_rows(table)
    assert ".xyz" in real.banner.text and real.banner.text.endswith("."), "a refusal is said in the window"
    offered.clear()
    monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", lambda *given, **_: (offered.append(Path(given[2])) or "", ""))
    real.docks.float_panel("resources")
    save_rows(table)
    name = "-".join(table.accessibleName().lower().split())
    assert offered == [tmp_path / f"{name}.csv"], "where something was saved last, from a panel that floats, too"
    monkeypatch.setattr(real.desk.capture, "path", tmp_path / "mine.ddicap")
    assert real.saving.folder() == tmp_path
    real.settings.keep("saving/folder", str(tmp_path.parent))
    assert real.saving.folder() == tmp_path.parent


def test_a_file_dialog_of_qt_shows_its_columns_whole(qtbot: Any) -> None:
    dialog = QFileDialog(None, "Save", "/")
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    dialog.show()
    widen(dialog.findChild(QLineEdit, "fileNameEdit"))
    header = dialog.findChild(QTreeView, "treeView").header()
    assert dialog.width() >= min(860, int(dialog.screen().availableGeometry().width() * 0.9))
    assert header.sectionSize(header.count() - 1) >= header.sectionSizeHint(header.count() - 1)
    assert header.length() <= dialog.findChild(QTreeView, "treeView").viewport().width()
    dialog.resize(500, 400)
    widen(dialog.findChild(QLineEdit, "fileNameEdit"))
    assert dialog.width() == 500, "once: then it is as large as the user wants it"
    widen(None)
    dialog.setProperty(SEEN, False)
    dialog.move(40, -60)
    widen(dialog.findChild(QLineEdit, "fileNameEdit"))
    assert dialog.geometry().top() >= dialog.screen().availableGeometry().top() + 20, "there is room for the bar that moves it"
