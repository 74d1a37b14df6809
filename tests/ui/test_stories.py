"""What happened to a state value and to a resource, told under the tables, on the built-in capture."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from core.device.findings import finding
from core.spec.tokens import Op
from tests.ui.conftest import settle
from tests.ui.fake import FakeCapture
from tests.ui.test_real_capture import real  # noqa: F401
from ui.panels.contents import things_in
from ui.panels.findings import sections
from ui.panels.resources import KeptRow
from ui.roles import LINK_ROLE
from ui.widgets.story import Story
from ui.widgets.text_dialog import TextDialog
from ui.window import Window


def test_a_story_knows_its_place_and_leads_on(qtbot: Any, qtmodeltester: Any) -> None:
    story = Story("Story", ("What",), (100,))
    qtbot.addWidget(story)
    words = ["created", "written", "drawn"]
    story.show_story(6, np.array([2, 5, 9]), (words.__getitem__,), lambda row: row == 1)
    qtmodeltester.check(story.story)
    assert story.currentIndex().row() == 1
    story.come_to(1)
    assert story.currentIndex().row() == -1
    story.come_to(9)
    assert story.currentIndex().row() == 2
    assert story.story.index(1, 0).data(LINK_ROLE) == 5 and story.story.index(1, 1).data() == "written"
    with qtbot.waitSignal(story.went) as went:
        story.activated_row.emit(0)
    assert went.args == [2]
    story.hush("nothing")
    assert story.story.rowCount() == 0


def test_all_writes_of_a_state(qtbot: Any, real: Window) -> None:  # noqa: F811
    capture, panel = real.desk.capture, real.docks.panels["state"]
    shown: Any = panel
    real.desk.focus.go(event=int(capture.draws[5]))
    real.docks.bring("state")
    settle(qtbot, real, 20_000)
    group, place = next((g, v) for g, one in enumerate(shown.model.groups) for v, value in enumerate(one.values)
                        if value.key == "INDICES")  # fmt: skip
    shown.view.setCurrentIndex(shown.model.index(place, 0, shown.model.index(group, 0)))
    settle(qtbot, real, 20_000)
    written = np.flatnonzero(capture.events.op == Op["SETINDICES"])
    assert set(shown.story.story.events.tolist()) >= set(written.tolist())
    assert shown.story.story.events[shown.story.story.here] == capture.state(int(capture.draws[5]))["INDICES"].writer


def test_what_a_draw_uses_and_what_happened_to_it(qtbot: Any, real: Window) -> None:  # noqa: F811
    capture, panel = real.desk.capture, real.docks.panels["resources"]
    shown: Any = panel
    draw = int(capture.draws[5])
    real.desk.focus.go(event=draw)
    real.docks.bring("resources")
    settle(qtbot, real, 20_000)
    shown.used_only.setChecked(True)
    state = capture.state(draw)
    handles = [surface.handle for surface in shown.model.rows if not isinstance(surface, KeptRow)]
    used = {state["RENDERTARGET"], state["DEPTHSTENCIL"], state["INDICES"], state["STREAM", 0, "handle"],
            state["TEXTURESTAGE", 0, "TEXTUREMAP"], state["TEXTURESTAGE", 1, "TEXTUREMAP"]}  # fmt: skip
    assert set(handles) == {value.raw[0] for value in used}
    shown.table.selectRow(handles.index(state["TEXTURESTAGE", 0, "TEXTUREMAP"].raw[0]))
    settle(qtbot, real, 20_000)
    assert shown.story.story.events[0] == shown.model.rows[shown.table.currentIndex().row()].created
    assert draw in shown.story.story.events.tolist()


def test_shaders_and_lights_are_resources_and_show_what_they_hold(qtbot: Any, real: Window) -> None:  # noqa: F811
    capture, shown = real.desk.capture, cast(Any, real.docks.panels["resources"])
    draw = next(int(event) for event in capture.draws if capture.state(int(event))["VERTEXSHADER"].raw[0] & 1)
    shown.used_only.setChecked(True)
    real.desk.focus.go(event=draw)
    real.docks.bring("resources")
    settle(qtbot, real, 20_000)
    kept = {row.kind: n for n, row in enumerate(shown.model.rows) if isinstance(row, KeptRow)}
    assert {"vertex_shader", "pixel_shader"} <= set(kept)
    shown.table.selectRow(kept["vertex_shader"])
    settle(qtbot, real, 20_000)
    assert draw in shown.story.story.events.tolist()
    shown.table.activated_row.emit(kept["vertex_shader"])
    settle(qtbot, real, 20_000)
    dialog = next(one for one in real.findChildren(TextDialog) if one.isVisible())
    assert "load v3, FLOAT3" in dialog.edit.toPlainText() and "m4x4 oPos, v0, c0" in dialog.edit.toPlainText()
    dialog.close()
    shown.used_only.setChecked(False)
    assert sum(row.kind == "light" for row in shown.model.rows) == 2


def test_every_name_of_a_shader_leads_to_its_code(qtbot: Any, real: Window) -> None:  # noqa: F811
    capture, panels = real.desk.capture, cast(Any, real.docks.panels)
    sets = np.flatnonzero(capture.events.op == Op["SETVERTEXSHADER"]).tolist()
    event = next(one for one in sets if capture.state(one)["VERTEXSHADER"].raw[0] & 1)
    real.desk.focus.go(event=event)
    for name in ("state", "token"):
        real.docks.bring(name)
    settle(qtbot, real, 20_000)
    token = panels["token"]
    field = next(n for n, one in enumerate(token._fields) if one.name == "shader")
    (show,) = [action for action in token.menu_of(field).actions() if action.text().startswith("Show vertex shader")]
    show.trigger()
    settle(qtbot, real, 20_000)
    (dialog,) = [one for one in real.findChildren(TextDialog) if one.isVisible()]
    assert "vs_1_1" in dialog.edit.toPlainText()
    dialog.close()
    state = panels["state"]
    real.docks.bring("state")
    settle(qtbot, real, 20_000)
    group, place = next((g, v) for g, one in enumerate(state.model.groups) for v, value in enumerate(one.values)
                        if value.key == "VERTEXSHADER")  # fmt: skip
    menu = state.menu_of(state.model.index(place, 0, state.model.index(group, 0)))
    assert any(action.text().startswith("Show vertex shader") for action in menu.actions())
    real.docks.bring("events")
    settle(qtbot, real, 20_000)
    handle = capture.state(event)["VERTEXSHADER"].raw[0]
    row = panels["events"].table.currentIndex().row()
    shown = [action.text() for action in panels["events"].menu_of(row).actions()]
    assert f"Show vertex shader {handle}…" in shown
    facts = panels["inspector"].facts
    assert [one.thing for section in facts.sections for one in section.facts if one.thing] == [("vertex_shader", handle)]
    facts._follow(f"vertex_shader:{handle}")  # the link's address
    settle(qtbot, real, 20_000)
    assert any("vs_1_1" in one.edit.toPlainText() for one in real.findChildren(TextDialog) if one.isVisible())


def test_what_findings_name_are_links() -> None:
    assert things_in("vertex shader 0x5 is unusable") == [("vertex_shader", 5)]
    assert things_in("pixel shader 0x11: dword 3; pixel shader 0x11") == [("pixel_shader", 17)]
    assert things_in("no set 4; patch 7 and palette 0, buffer 12") == [("state_set", 4), ("patch", 7), ("buffer", 12)]
    assert things_in("offset 4, 3 sets, vertex 7") == []
    found = finding("bad-shader", 3, "vertex shader 0x5 is unusable")
    (position,) = [one for one in sections(cast(Any, FakeCapture()), found) if one.title == "Position"]
    assert [fact.thing for fact in position.facts if fact.thing] == [("vertex_shader", 5)]
