"""docs/architecture.md: its picture is that of the imports, its roads are those that the program takes."""

from __future__ import annotations

from collections.abc import Callable
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import inspector
from inspector import PixelHistory
from inspector.imports import import_trace
from inspector.tape import TapeWriter
from inspector.timeline.budgets import Budgets
from tests.docs.import_picture import PAGE, between, boxes, modules, reduced, with_picture
from tests.docs.roads import Step, entered, out_of_order, roads
from tests.inspector.conftest import ROOM
from tests.inspector.imports import trace_file
from tests.ui.conftest import make_window as make_window
from tests.ui.conftest import settings as settings
from tests.ui.conftest import settle
from ui.window import Window

TO_TAPE = "The road of a draw: from a trace to the tape"
TO_PIXEL = "The road of a draw: from the tape to a pixel"
TO_ANSWER = "The road of a click to an answer"


@pytest.fixture(scope="module")
def road() -> dict[str, list[Step]]:
    return roads(PAGE.read_text(encoding="utf-8"))


# ---- the picture ------------------------------------------------------------------------------------------------------


def test_the_picture_is_that_of_the_imports() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_picture(page), "python -m tests.docs.import_picture"


def test_the_picture_has_no_circles() -> None:
    graph = modules()
    TopologicalSorter(between(graph, boxes(graph))).prepare()


def test_an_arrow_is_left_out_where_a_longer_way_says_the_same() -> None:
    assert reduced({"a": {"b", "c"}, "b": {"c", "d"}, "c": {"d"}}) == {"a": {"b"}, "b": {"c"}, "c": {"d"}}


def test_modules_of_a_tree_lie_above_within_or_below_its_packages() -> None:
    graph: dict[str, set[str]] = {
        "ui.window": {"ui.panels.a"}, "ui.panels.a": {"ui.style", "ui.between"}, "ui.style": set(),
        "ui.between": {"ui.models.b"}, "ui.models.b": set(),
    }  # fmt: skip
    found = boxes(graph)
    assert (found["ui.window"], found["ui.between"], found["ui.style"]) == ("ui.above", "ui.within", "ui.below")
    assert found["ui.panels.a"] == "ui.panels"


# ---- the roads --------------------------------------------------------------------------------------------------------


def import_one(folder: Path) -> None:
    trace = folder / "a.trace"
    trace.write_bytes(trace_file.snappy(trace_file.small_program(2).bytes()))
    with TapeWriter(folder / "a.ddicap", durable=False) as writer:
        import_trace(trace, writer)


def test_from_a_trace_to_the_tape(road: dict[str, list[Step]], tmp_path: Path) -> None:
    import_one(tmp_path)  # loads modules and kernels
    (tmp_path / "a.ddicap").unlink()
    assert len(road[TO_TAPE]) == 10
    assert out_of_order(road[TO_TAPE], entered(lambda: import_one(tmp_path))) == []


def test_from_the_tape_to_a_pixel(road: dict[str, list[Step]]) -> None:
    nothing_kept = Budgets(disk=0)  # keyframes of earlier openings would shorten the road
    with inspector.open(ROOM) as loading, inspector.open(ROOM, budgets=nothing_kept) as capture:
        loading.image(loading.frames[0].last_event)
        assert capture.walked  # which takes the same road without drawing, unless the side cache has it
        steps = entered(lambda: capture.image(capture.frames[2].last_event))
        again = entered(lambda: capture.image(capture.frames[2].first_event))
    assert len(road[TO_PIXEL]) == 19
    assert out_of_order(road[TO_PIXEL], steps) == []
    last = {step for step in again if step[0].startswith("core/device/")} & set(road[TO_PIXEL])
    assert last == set(road[TO_PIXEL][-2:]), "what another image of the frame needs"


def test_from_a_click_to_an_answer(road: dict[str, list[Step]], qtbot: Any, make_window: Callable[..., Window]) -> None:
    window = make_window(lambda path, progress: inspector.open(path, progress))
    window.open(ROOM)
    qtbot.waitUntil(lambda: window.loading.path is None and not window.desk.ask.busy, timeout=300_000)
    for name in ("surface", "history"):
        window.docks.bring(name)
    settle(qtbot, window, 60_000)
    view = window.docks.panels["surface"].view  # type: ignore[attr-defined]
    place = view.rect().center()
    clicked = entered(lambda: QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=place))
    settle(qtbot, window, 60_000)
    focus = window.desk.focus.focus
    assert focus.pixel is not None
    with inspector.open(ROOM) as capture:
        asked = PixelHistory(
            x=focus.pixel[0], y=focus.pixel[1], first=capture.frames[2].first_event, last=capture.frames[2].last_event
        )
        asked_steps = entered(lambda: capture.ask(asked))
    assert len(road[TO_ANSWER]) == 12
    assert out_of_order(road[TO_ANSWER], [*clicked, *(step for step in asked_steps if step not in clicked)]) == []


def test_a_step_out_of_order_is_found() -> None:
    a, b, c = ("a.py", "f"), ("b.py", "f"), ("b.py", "g")
    assert out_of_order([a, c, b], [a, b, c]) == [b]
    assert out_of_order([a, ("a.py", "g")], [a, b]) == [("a.py", "g")]
