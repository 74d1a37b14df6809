"""Verifying in the window: the same with any number of threads, against saved hashes, against another capture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from inspector import Verify
from inspector.exports.edited import export_edited
from inspector.query.what_if.what_if import WhatIf
from tests.inspector.query.comparison.test_driver_pictures import recorded, spoiled
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.panels.verify import ALONE, ASIDE, FILE, NOTHING, PICTURES, THREADS, VerifyPanel
from ui.window import Window

TORUS = 1340


def verify(qtbot: Any, window: Window, what: str, per: str = "frame") -> VerifyPanel:
    window.docks.bring("verify")
    panel = window.docks.panels["verify"]
    assert isinstance(panel, VerifyPanel)
    panel.what.setCurrentText(what)
    panel.per.setCurrentText(f"per {per}")
    panel.running.begin.click()
    qtbot.waitUntil(lambda: not window.desk.ask.is_aside(ASIDE), timeout=60_000)
    qtbot.waitUntil(lambda: panel.verdict.text() != "Redrawing the capture…")
    return panel


def choose(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_, **__: (str(path), ""))


def test_hashes_are_listed_and_lead_to_their_events(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = verify(qtbot, real, ALONE)
    known = real.desk.capture.ask(Verify("frame"))
    assert tuple(panel.model.rows) == known.steps
    assert f"{known.steps[-1].total:016x}" in panel.verdict.text()
    panel.table.setCurrentIndex(panel.model.index(2, 0))
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert real.desk.focus.focus.event == known.steps[2].event
    panel = verify(qtbot, real, THREADS)
    assert panel.verdict.text().endswith("No difference from one thread.")


def test_saved_hashes_hold_and_changed_ones_part(
    qtbot: Any, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:  # fmt: skip
    path = tmp_path / "good.json"
    choose(monkeypatch, path)
    panel = verify(qtbot, real, ALONE, "draw")
    panel.save.click()
    settle(qtbot, real)
    assert real.banner.text == f"Saved {path}." and panel.verdict.text(), "the verdict stays"
    panel = verify(qtbot, real, FILE, "frame")
    assert panel.found is not None
    assert panel.found.hashes.per == "draw", "as the saved ones are"
    assert panel.verdict.text().endswith("No difference from good.json.")
    saved = json.loads(path.read_text(encoding="utf-8"))
    saved["steps"][24]["hash"] = "0" * 16
    path.write_text(json.dumps(saved), encoding="utf-8")
    panel = verify(qtbot, real, FILE)
    event = saved["steps"][24]["event"]
    assert panel.verdict.text() == f"First difference: event {event}."
    assert panel.table.currentIndex().row() == 24
    assert not panel.compare.isVisible()


def test_another_capture_parts_and_is_compared_there(
    qtbot: Any, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:  # fmt: skip
    other = tmp_path / "other.ddicap"
    export_edited(WhatIf.of(f"disable {TORUS}").open(real.desk.capture), other)
    choose(monkeypatch, other)
    panel = verify(qtbot, real, FILE, "draw")
    assert panel.verdict.text().startswith(f"First difference: event {TORUS}")
    told = {fact.name: fact.value for section in panel.about.sections for fact in section.facts}
    assert "pixels in 115 152" in told["back_buffer 2"]
    panel.compare.click()
    qtbot.waitUntil(lambda: real.comparison.found is not None, timeout=30_000)
    assert real.comparison.a.text() == f"event {TORUS}"


def test_pictures_of_a_driver_lead_to_the_pixel(qtbot: Any, real: Window, tmp_path: Path) -> None:  # noqa: F811
    """The second of two draws, of which the driver got a pixel wrong; a capture without pictures says so."""
    assert "no pictures" in verify(qtbot, real, PICTURES).verdict.text()
    real.open(recorded(tmp_path / "driver.ddicap", spoiled(1, (15, 9, 0x80))))
    qtbot.waitUntil(lambda: real.loading.path is None, timeout=60_000)
    settle(qtbot, real)
    panel = verify(qtbot, real, PICTURES)
    assert [row.difference is None for row in panel.model.rows] == [True, False]
    assert panel.verdict.text() == f"2 pictures of the driver, 1 differ. First difference: event {panel.model.rows[1].event}."
    panel.pixel.click()
    focus = real.desk.focus.focus
    assert (focus.event, focus.surface, focus.pixel, focus.primitive) == (real.desk.capture.draws[1], 3, (15, 9), 1)
    assert not panel.tolerance.isHidden() and panel.per.isHidden()
    panel.tolerance.setValue(0x80)  # the driver's pixel is off by less than this, or by that much
    panel = verify(qtbot, real, PICTURES)
    assert panel.verdict.text() == "2 pictures of the driver, tolerance 128. No difference."
    titles = [panel.model.headerData(n, Qt.Orientation.Horizontal) for n in range(4)]
    assert titles == ["Event", "Token", "Surface", "Difference"]
    panel.tolerance.setValue(1)
    panel = verify(qtbot, real, PICTURES)
    assert ", tolerance 1, 1 differ." in panel.verdict.text()
    panel = verify(qtbot, real, ALONE)
    assert panel.tolerance.isHidden() and not panel.per.isHidden()
    assert panel.pixel.isHidden() and len(panel.model.rows) == len(panel.found.hashes.steps)  # type: ignore[union-attr]


def test_what_is_no_hashes_is_said(
    qtbot: Any, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:  # fmt: skip
    path = tmp_path / "bad.json"
    path.write_text("[]", encoding="utf-8")
    choose(monkeypatch, path)
    panel = verify(qtbot, real, FILE)
    assert "hashes" in panel.table.placeholder
    choose(monkeypatch, tmp_path / "gone.json")
    panel = verify(qtbot, real, FILE)
    assert "gone.json" in panel.table.placeholder


def test_verifying_can_be_stopped(qtbot: Any, real: Window) -> None:  # noqa: F811
    real.docks.bring("verify")
    panel = real.docks.panels["verify"]
    assert isinstance(panel, VerifyPanel)
    panel.running.begin.click()
    assert panel.running.stop.isVisible()
    panel.running.stop.click()
    settle(qtbot, real)
    assert panel.table.placeholder == NOTHING
    assert panel.verdict.text() == ""
    assert panel.running.begin.isVisible()


def test_tools_lead_to_checking_verifying_and_asking(qtbot: Any, real: Window) -> None:  # noqa: F811
    (tools,) = (action.menu() for action in real.menuBar().actions() if action.text() == "&Tools")
    actions = {action.text(): action for action in tools.actions()}
    for words, name in (("Verify", "verify"), ("Query", "query"), ("Check all rules", "findings")):
        actions[words].trigger()
        qtbot.wait(1)
        assert not real.docks.panels[name].visibleRegion().isEmpty()
    qtbot.waitUntil(lambda: not real.docks.panels["findings"].everything.isVisible(), timeout=60_000)  # type: ignore[attr-defined]
