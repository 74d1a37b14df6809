"""The Buffers panel on the built-in capture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QFileDialog

from inspector.query.held.things import Buffer
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.models.state import thing_of
from ui.panels.contents import show_contents
from ui.roles import TOKEN_ROLE
from ui.window import Window

TORUS, BUFFER, WRITTEN = 595, 42, 421


def opened(qtbot: Any, window: Window, event: int = TORUS) -> Any:
    window.desk.focus.go(event=event)
    show_contents(window.desk, window, "buffer", BUFFER)
    settle(qtbot, window, 30_000)
    return window.docks.panels["buffers"]


def test_a_buffer_opens_with_the_types_that_are_declared(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = opened(qtbot, real)
    assert panel.isVisible() and panel.buffer.currentData() == BUFFER
    assert "float3 position; float3 normal; float2 texture_0" in panel.format.placeholderText()
    assert panel.model.rowCount() == 779
    assert real.desk.capture is not None
    held = real.desk.capture.ask(Buffer(BUFFER, TORUS)).data.tobytes()
    assert bytes.fromhex(panel.model.index(5, 3).data().replace(" ", "")) == held[160:172]


def test_the_buffer_follows_the_event_until_one_is_chosen(qtbot: Any, real: Window) -> None:  # noqa: F811
    real.docks.bring("buffers")
    panel: Any = real.docks.panels["buffers"]
    panel.open(0)
    capture = real.desk.capture
    assert capture is not None
    seen = []
    for event in (TORUS, 421, 662, 779):  # a draw, the unlock of its buffer, another draw, one from the memory of the call
        real.desk.focus.go(event=event)
        settle(qtbot, real, 30_000)
        seen.append(panel._shown.table.handle)
        assert panel.buffer.currentText().startswith("This event:  ") and panel.buffer.currentText().endswith(f" {seen[-1]}")
    streams = [capture.state(draw)["STREAM", 0, "handle"].raw[0] for draw in (TORUS, 662)]
    assert seen[:3] == [streams[0], BUFFER, streams[1]] and seen[3]
    panel.buffer.activated.emit(panel.buffer.findData(BUFFER))
    panel.open(BUFFER)
    settle(qtbot, real, 30_000)
    real.desk.focus.go(event=662)
    settle(qtbot, real, 30_000)
    assert panel._shown.table.handle == BUFFER and panel.buffer.currentData() == BUFFER


def test_another_format_and_one_that_is_none(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = opened(qtbot, real)
    panel.format.setText("xint a; skip 28")
    panel.format.returnPressed.emit()
    settle(qtbot, real)
    assert panel.model.rowCount() == 779 and panel.model.columnCount() == 4
    panel.offset.setValue(32)
    settle(qtbot, real)
    assert panel.model.rowCount() == 778 and panel.model.index(0, 1).data() == "0x20"
    panel.format.setText("floot a")
    panel.format.returnPressed.emit()
    settle(qtbot, real)
    assert panel.model.rowCount() == 0 and "floot" in panel.table.placeholder and panel.format.property("wrong")


def test_changes_since_the_last_version_and_who_wrote(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = opened(qtbot, real, WRITTEN)
    panel.since.setCurrentIndex(panel.since.findData("previous"))
    panel.refresh()
    settle(qtbot, real)
    tokens = {panel.model.index(row, 2).data(TOKEN_ROLE) for row in range(1, 50)}
    assert "changed" in tokens
    assert [row.version.event for row in panel.rows.rows] == [418, WRITTEN]
    panel.table.setCurrentIndex(panel.model.index(3, 0))
    assert panel.writer.text().startswith("Bytes 0x60 to 0x7f:") and f"#{WRITTEN}" in panel.writer.text()
    panel.versions.activated_row.emit(0)
    settle(qtbot, real)
    assert real.desk.focus.focus.event == 418 and [row.present for row in panel.rows.rows] == [True, False]
    panel._mark(WRITTEN)
    settle(qtbot, real)
    assert panel.note.text().endswith("23,520 bytes changed")


def test_where_the_buffer_does_not_exist(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = opened(qtbot, real, 100)
    assert panel.model.rowCount() == 0 and "no buffer 42" in panel.table.placeholder


def test_rows_and_bytes_are_exported(
    qtbot: Any,
    real: Window,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    panel = opened(qtbot, real)
    for name in ("rows.csv", "bytes.bin"):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, name=name: (str(tmp_path / name), ""))
        panel.export.click()
        settle(qtbot, real)
    assert (tmp_path / "rows.csv").read_text().splitlines()[0].startswith("row,offset,position.x")
    assert real.desk.capture is not None
    assert (tmp_path / "bytes.bin").read_bytes() == real.desk.capture.ask(Buffer(BUFFER, TORUS)).data.tobytes()


def test_a_stream_in_state_leads_to_its_buffer(qtbot: Any, real: Window) -> None:  # noqa: F811
    assert real.desk.capture is not None
    state = real.desk.capture.state(TORUS)
    assert thing_of(state["STREAM", 0, "handle"]) == ("buffer", BUFFER)
    assert thing_of(state["INDICES"]) == ("buffer", 43)
    assert thing_of(state["STREAM", 0, "stride"]) is None
    real.desk.focus.go(event=TORUS)
    panel: Any = real.docks.panels["state"]
    panel._follow_link(("buffer", 43))
    settle(qtbot, real, 30_000)
    buffers: Any = real.docks.panels["buffers"]
    assert buffers.isVisible() and buffers.handle == 43


def test_without_a_buffer_there_is_nothing_to_choose(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = opened(qtbot, real)
    assert all(strip.isVisible() for strip in panel.controls) and panel.versions.isVisible()
    real.desk.focus.go(event=0)
    settle(qtbot, real, 30_000)
    assert panel.table.placeholder == "There is no vertex or index buffer at this event."
    assert not any(strip.isVisible() for strip in panel.controls) and not panel.versions.isVisible()
    panel = opened(qtbot, real)
    assert all(strip.isVisible() for strip in panel.controls) and panel.versions.isVisible()
