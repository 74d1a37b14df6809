"""The Resources panel on the built-in capture: sorting, names, strips, sums, memory, saving."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit

import inspector
from inspector.focus import Focus
from inspector.query.driver.dxgi import DxgiResources
from inspector.query.held.things import Buffer
from inspector.query.objects.holdings import MemoryOverTime
from inspector.query.objects.usage import ObjectHistory
from inspector.tape.bookmarks import Bookmarks
from inspector.timeline.lives import DXGI
from tests.ui.conftest import settle
from tests.ui.real import SAMPLES
from tests.ui.test_real_capture import real  # noqa: F401
from ui.ask import Progress
from ui.models.state import VALUE
from ui.panels.resource_rows import named, resources, sums, surface_name, thing_of
from ui.panels.resources import NAME, USES
from ui.roles import STRIP_ROLE, VALUE_ROLE
from ui.widgets.strip_cell import runs
from ui.window import Window

DRAW = 2945


@pytest.fixture
def panel(qtbot: Any, real: Window, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: F811
    """Bookmarks are kept in memory, not in the capture."""
    held: list[tuple[Any, str, str]] = []
    monkeypatch.setattr(Bookmarks, "_in_tape", False)
    monkeypatch.setattr(Bookmarks, "_read", lambda self: [(place, text, when) for place, text, when in held])
    monkeypatch.setattr(Bookmarks, "_write", lambda self, rows: held.__setitem__(slice(None), rows))
    real.desk.focus.go(event=DRAW)
    real.docks.bring("resources")
    settle(qtbot, real, 30_000)
    return real.docks.panels["resources"]


def row_of(panel: Any, handle: int) -> int:
    return next(row for row, one in enumerate(panel.model.rows) if one.handle == handle and one.kind != "palette")


def test_a_click_on_a_title_sorts(panel: Any) -> None:
    titles = [panel.model.headerData(column, Qt.Orientation.Horizontal) for column in range(panel.model.columnCount())]
    as_they_come, size = list(panel.model.rows), titles.index("Bytes")
    panel.table.horizontalHeader().sectionClicked.emit(size)
    assert [row.size for row in panel.model.rows] == sorted(row.size for row in as_they_come)
    panel.sort_by(size)
    assert [row.size for row in panel.model.rows] == sorted((row.size for row in as_they_come), reverse=True)
    for column in range(len(titles)):
        panel.sort_by(column)
    panel.sort_by(len(titles) - 1)
    panel.sort_by(len(titles) - 1)
    assert panel.model.rows == as_they_come


def test_a_name_is_a_bookmark_at_the_creation(qtbot: Any, real: Window, panel: Any) -> None:  # noqa: F811
    row = row_of(panel, 42)
    index = panel.model.index(row, NAME)
    assert index.flags() & Qt.ItemFlag.ItemIsEditable and index.data(VALUE_ROLE) == ""
    assert not panel.model.index(row, 0).flags() & Qt.ItemFlag.ItemIsEditable
    panel.table.setCurrentIndex(panel.model.index(row, 0))
    qtbot.keyClick(panel.table, Qt.Key.Key_F2)  # whichever cell is current
    edit = panel.table.findChild(QLineEdit)
    assert panel.table.state() == panel.table.State.EditingState and edit is not None
    qtbot.keyClicks(edit, "the torus")
    panel._set_pictures({})  # thumbnails arrive meanwhile
    assert edit.text() == "the torus"
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    settle(qtbot, real)
    surface = next(one for one in real.desk.capture.surfaces(real.desk.focus.focus.event) if one.handle == 42)
    assert real.desk.titled(surface) == f"the torus ({surface.title})"
    mark = real.desk.bookmarks[0]
    assert (mark.name, mark.focus.surface, mark.focus.event) == ("the torus", 42, panel.model.rows[row].created)
    assert panel.model.index(row_of(panel, 42), NAME).data() == "the torus"
    panel.edit.setText("torus")
    assert [one.handle for one in panel.model.rows] == [42]
    assert panel.model.setData(panel.model.index(0, NAME), "")
    settle(qtbot, real)
    panel.edit.clear()
    assert real.desk.bookmarks == () and panel.model.index(row_of(panel, 42), NAME).data() == ""


def test_a_name_is_seen_wherever_its_surface_is(qtbot: Any, real: Window, panel: Any) -> None:  # noqa: F811
    surface, go = real.surface, real.desk.focus.go
    real.docks.bring("surface")
    go(event=781, surface=37)
    settle(qtbot, real, 30_000)
    go(surface="render_target")
    settle(qtbot, real, 30_000)
    real.desk.named.emit(Focus(event=406, surface=37), "the flames")
    settle(qtbot, real, 30_000)
    assert surface.tabs.tabText(1) == "the flames (Texture 37)", "a tab that is open"
    bound = [surface.bindings.item(row).text() for row in range(surface.bindings.count())]
    assert "Texture 0\nthe flames" in bound and any(text.startswith("Target\n640") for text in bound)
    go(surface=37)
    settle(qtbot, real, 30_000)
    assert surface.about.said.startswith("the flames (Texture 37)")
    facts = [fact for one in real.docks.panels["inspector"].facts.sections for fact in one.facts]
    assert "the flames" in [fact.value for fact in facts if fact.name == "Name"]
    state = real.docks.panels.bring("state")
    real.docks.bring("state")
    settle(qtbot, real, 30_000)
    for flow in (True, False):
        state.flow.setChecked(flow)
        settle(qtbot, real, 30_000)
        texts = [
            str(state.model.index(row, VALUE, state.model.index(group, 0)).data())
            for group, found in enumerate(state.model.groups) for row in range(len(found.values))
        ]  # fmt: skip
        assert [text for text in texts if "the flames" in text] == ["#37   the flames"]


def test_strips_and_sums(panel: Any) -> None:
    strips = [panel.model.index(row, USES).data(STRIP_ROLE) for row in range(panel.model.rowCount())]
    assert sum(strip is not None and bool(strip.any()) for strip in strips) > 15
    panel.table.grab()
    total, kinds = sums(panel.model.rows)
    assert panel.total.text().startswith(total) and "video" in total
    assert kinds.startswith("back buffer ") or "texture " in kinds
    assert kinds in panel.total.toolTip()
    assert runs(strips[0] != strips[0]) == [] and runs(strips[0] == strips[0]) == [(0, len(strips[0]))]


def test_memory_over_time_is_plotted(qtbot: Any, real: Window, panel: Any) -> None:  # noqa: F811
    panel.memory.setChecked(True)
    settle(qtbot, real, 30_000)
    assert panel.plot.isVisible() and len(panel.plot._plot.listDataItems()) == 3
    panel.memory.setChecked(False)
    assert not panel.plot.isVisible()


def test_what_is_chosen_is_saved(
    qtbot: Any,
    real: Window,  # noqa: F811
    panel: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert real.desk.capture is not None
    capture, rows = real.desk.capture, panel.model.rows
    texture = next(one for one in rows if one.kind == "2d" and one.label == "texture")
    shader = next(one for one in rows if one.kind == "vertex_shader")
    wanted = (
        (texture, "texture.png"),
        (texture, "texture.dds"),
        (rows[row_of(panel, 42)], "buffer.bin"),
        (shader, "shader.txt"),
    )
    for chosen, name in wanted:
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, name=name: (str(tmp_path / name), ""))
        panel.save(chosen)
        settle(qtbot, real, 30_000)
    with Image.open(tmp_path / "texture.png") as image:
        assert image.size == (texture.width, texture.height)
    assert (tmp_path / "texture.dds").read_bytes().startswith(b"DDS ")
    assert (tmp_path / "buffer.bin").read_bytes() == capture.ask(Buffer(42, DRAW)).data.tobytes()
    assert shader.thing.lines[0] in (tmp_path / "shader.txt").read_text()
    assert real.banner.text == f"Saved {tmp_path / 'shader.txt'}." and panel.total.text().endswith(f"at event {DRAW}")


def test_all_columns_have_room_at_940_pixels(qtbot: Any, real: Window, panel: Any) -> None:  # noqa: F811
    table = panel.table
    table.setParent(None)
    qtbot.addWidget(table)
    table.resize(940, 400)
    with qtbot.waitExposed(table):
        table.show()
    table.grab()  # numbers get their room when they are painted
    header = table.horizontalHeader()
    assert header.length() <= table.viewport().width()
    assert all(header.sectionSize(column) >= header.sectionSizeHint(column) for column in range(header.count()))


def test_resources_of_dxgi_are_named_and_say_where_they_are() -> None:
    with inspector.open(SAMPLES["dxgi-presentation"]) as capture:
        event = len(capture.events) - 1
        listed = resources(capture, event, Progress("resources", lambda *_: None))
        known = {one.surface: one for one in capture.ask(DxgiResources(event))}
        shown = {one.handle: one for one in listed.rows if one.handle in known}
        assert len({one.residency for one in known.values()}) > 2 and shown.keys() == known.keys()
        assert {handle: listed.places[handle] for handle in shown} == {one.surface: one.residency for one in known.values()}
        assert {surface_name(row) for row in shown.values()} == {f"DXGI {one.handle}" for one in known.values()}
        rows = {surface_name(row): row for row in listed.rows}
        log = capture.ask(ObjectHistory(thing_of(rows["DXGI 10"]), event))
        assert [log.text(row) for row in range(4)] == ["created", "blt source, to DXGI 1", "presented", "flipped"]
        assert {named(rows["DXGI 30"]), named(rows["DXGI 30.1"])} == {(DXGI, 30)} <= listed.strips.keys()
        here = resources(capture, 74, Progress("resources", lambda *_: None)).roles  # DxgiBlt from 2 to 40
        assert here == {(DXGI, 2): "blt source, to DXGI 40", (DXGI, 40): "blt destination, from DXGI 2"}
        sizes = {one.identity: one.size for one in capture.ask(DxgiResources(event))}
        assert capture.ask(MemoryOverTime()).at(event) == {("DXGI resource", "video"): sum(sizes.values())}


def test_the_menu_of_a_resource_lists_the_draws_that_use_it(qtbot: Any, real: Window, panel: Any) -> None:  # noqa: F811
    capture = real.desk.capture
    for row, chosen in enumerate(panel.model.rows):
        action = next((one for one in panel._menu_of(row).actions() if one.text() == "List the draws that use it"), None)
        if action is None:
            assert chosen.kind in ("state_set", "patch")
            continue
        action.trigger()
        real.events.apply_filter()
        settle(qtbot, real, 60_000)
        users = [int(event) for event in capture.ask(inspector.UsersOf(thing_of(chosen))).event.tolist()]
        listed = capture.ask(inspector.Search(real.events.edit.text())).tolist()
        assert sorted(set(users)) == listed, (chosen.kind, chosen.handle)
    assert real.events.isVisibleTo(real)
    real.events.edit.clear()
