"""A call that failed, in the window: where it stopped, what was not executed, and the call itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor

import inspector
from core.spec.enums import HResult
from tests.driver_calls import call, stream
from tests.inspector.streams import beginning, capture_of
from tests.ui.conftest import settle
from tests.ui.window_kit import Make, panel
from ui import style
from ui.models.event_columns import TEXT
from ui.panels.token import TokenPanel
from ui.roles import HEADING_ROLE, OUTCOME_ROLE, TOKEN_ROLE
from ui.window import Window

COMMANDS = stream(*(("RENDERSTATE", {"items": [{"state": 22, "value": value}]}) for value in (2, 1, 3)))


@pytest.fixture
def failed(tmp_path: Path) -> Iterator[Path]:
    """[CULLMODE CW] [CULLMODE NONE] [CULLMODE CCW], failed at the second."""
    made = call("DrawPrimitives2", {"commands": COMMANDS}, context=1, vertex_size=20)
    made.result, made.out = int(HResult.D3DERR_COMMAND_UNPARSED), {"error_offset": 12}
    with capture_of([*beginning(), made], tmp_path) as capture:
        yield capture.path


def opened(qtbot: Any, make_window: Make, path: Path) -> Window:
    window = make_window(lambda path, progress: inspector.open(path))
    window.open(path)
    qtbot.waitUntil(lambda: window.desk.capture is not None, timeout=20_000)
    settle(qtbot, window)
    return window


def test_the_list_says_where_a_call_stopped(qtbot: Any, make_window: Make, failed: Path) -> None:
    window = opened(qtbot, make_window, failed)
    model = window.events.model
    last = model.rowCount() - 1
    outcomes = [model.index(row, TEXT).data(OUTCOME_ROLE) for row in (0, last - 2, last - 1, last)]
    error = "failed: D3DERR_COMMAND_UNPARSED"
    assert outcomes == [None, None, (error, "error", False), ("not executed", "faint", False)]
    spoken = [str(model.index(row, TEXT).data(Qt.ItemDataRole.AccessibleTextRole)) for row in (last - 2, last - 1)]
    assert [error in text for text in spoken] == [False, True]
    assert error in str(model.index(last - 1, TEXT).data(Qt.ItemDataRole.ToolTipRole))


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_failure_is_painted_in_the_colour_of_errors(
    qtbot: Any, qapp: Any, make_window: Make, failed: Path, theme: str
) -> None:
    window = opened(qtbot, make_window, failed)
    style.apply(qapp, theme)
    table, model = window.events.table, window.events.model
    reds = []
    for row in (model.rowCount() - 2, model.rowCount() - 1):
        table.scrollTo(model.index(row, TEXT))
        rect = table.visualRect(model.index(row, TEXT))
        image = table.viewport().grab(rect).toImage()
        colors = {image.pixelColor(QPoint(x, y)).name() for x in range(image.width()) for y in range(image.height())}
        reds.append(QColor(style.theme().error).name() in colors)
    style.apply(qapp, "dark")
    assert reds == [True, False]


def test_the_call_stands_below_the_token_and_in_the_inspector(qtbot: Any, make_window: Make, failed: Path) -> None:
    window = opened(qtbot, make_window, failed)
    token: TokenPanel = panel(window, "token")
    window.desk.focus.go(event=window.events.model.rowCount() - 1)
    settle(qtbot, window)
    headers = [field.header for field in token.model.rows]
    assert headers[: headers.index("D3DHAL_DRAWPRIMITIVES2DATA")] == ["bCommand", "wStateCount", "RenderState", "dwState"]
    assert {"dwhContext", "lpDDCommands", "dwVertexSize", "ddrval", "dwErrorOffset", "lpdwRStates"} <= set(headers)
    rows = {field.header: number for number, field in enumerate(token.model.rows)}
    assert token.model.index(rows["D3DHAL_DRAWPRIMITIVES2DATA"], 1).data(HEADING_ROLE)
    assert token.model.index(rows["ddrval"], 1).data(TOKEN_ROLE) == "error"
    assert token.menu_of(0) is None and token.menu_of(1) is None and token.menu_of(rows["ddrval"]) is None
    assert token.menu_of(2) is not None
    shown = panel(window, "inspector").facts.sections
    members = next(one for one in shown if one.title == "D3DHAL_DRAWPRIMITIVES2DATA").facts
    assert any(fact.value.split() == ["dwErrorOffset", "12"] for fact in members)
    own = {fact.name: fact.value for fact in shown[0].facts}
    assert own["Result"] == "D3DERR_COMMAND_UNPARSED: not executed"
    vertices: Any = panel(window, "vertices")
    window.docks.bring("vertices")
    settle(qtbot, window)
    assert vertices.table.placeholder.startswith("RENDERSTATE was not executed: its call failed.")
