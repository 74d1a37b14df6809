"""File > Save report: the kinds, what each needs, and that a bundle opens at its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QDialogButtonBox

from inspector.exports.report_kinds import KINDS
from inspector.focus import Focus
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.reporting import BUNDLE, TITLES, ReportDialog
from ui.window import Window

DRAW = 2945


def dialog_of(window: Window) -> ReportDialog:
    window.actions_by_name["save-report"].trigger()
    return window.findChildren(ReportDialog)[-1]


def choose(dialog: ReportDialog, kind: str) -> None:
    dialog.kinds.button(list(TITLES).index(kind)).click()


def test_the_dialog_has_every_kind_and_shows_what_it_needs(qtbot: Any) -> None:
    assert set(TITLES) == {*KINDS, BUNDLE}
    dialog = ReportDialog(None, Focus(7), 3)  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    assert dialog.kind == "capture" and dialog.a.isHidden() and dialog.note.isHidden()
    assert not dialog.kinds.button(list(TITLES).index("pixel")).isEnabled()
    choose(dialog, "comparison")
    assert dialog.wanted.sides == ("frame 2", "frame 3") and not dialog.b.isHidden() and dialog.wanted.kind == "comparison"
    choose(dialog, BUNDLE)
    assert not dialog.note.isHidden() and dialog.a.isHidden()
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None and buttons.button(QDialogButtonBox.StandardButton.Save)


def test_the_kind_that_is_chosen_is_written_and_a_bundle_opens_at_its_place(
    qtbot: Any,
    real: Window,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pixel, bundle = tmp_path / "pixel.html", tmp_path / "bug.zip"
    real.desk.focus.go(event=DRAW, pixel=(320, 240))
    settle(qtbot, real, 60_000)
    for kind, path in (("pixel", pixel), (BUNDLE, bundle)):
        monkeypatch.setattr("ui.files.QFileDialog.getSaveFileName", lambda *a, path=path, **k: (str(path), ""))
        dialog = dialog_of(real)
        choose(dialog, kind)
        dialog.note.setPlainText("too bright")
        dialog.accept()
        settle(qtbot, real, 60_000)
    assert f"Pixel 320, 240 of Back buffer 2 after event {DRAW}" in pixel.read_text("utf-8")
    text = real.desk.capture.text(DRAW)
    real.open(bundle)
    qtbot.waitUntil(lambda: real.loading.path is None, timeout=60_000)
    settle(qtbot, real, 60_000)
    focus = real.desk.focus.focus
    assert focus.event != DRAW and real.desk.capture.text(focus.event) == text and focus.pixel == (320, 240)
