"""Every item model keeps Qt's rules, filled, emptied and refilled; and says what it should."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtTest import QAbstractItemModelTester

from inspector.query.search.syntax import FilterError
from tests.ui.fake import FakeCapture, State
from ui.index import BLOCK, CLEAR, DRAW, KINDS, PRESENT, EventIndex, build_index
from ui.models.event_columns import NUMBER, SOURCE, TEXT
from ui.models.events import EventsModel
from ui.models.filter import Filter, select
from ui.models.grid import GridModel
from ui.models.state import StateModel, chosen, group_by_stage
from ui.models.table import Column, RowsModel
from ui.roles import KIND_ROLE, LINK_ROLE, MARK_ROLE, SWATCH_ROLE, TOKEN_ROLE

TITLES = {"alpha_test": "Alpha test", "depth_test": "Depth test", "blend": "Blending"}


def events_model() -> tuple[QAbstractItemModel, list[Callable[[], object]]]:
    model, capture = EventsModel(), FakeCapture(5)
    index = build_index(capture)
    return model, [
        lambda: model.set_capture(capture, index),
        lambda: model.set_rows(index.draws),
        lambda: model.set_values(SOURCE, {7: "DrawPrimitive"}),
        lambda: model.set_capture(None, None),
    ]


def state_model() -> tuple[QAbstractItemModel, list[Callable[[], object]]]:
    model = StateModel()
    groups = lambda event: group_by_stage(State(event).rows(), TITLES)  # noqa: E731
    return model, [
        lambda: model.set_groups(groups(1), frozenset({"ALPHAREF"})),
        lambda: model.set_groups(groups(2), frozenset()),
        lambda: model.set_groups(groups(2)[1:], frozenset()),
        lambda: model.set_groups([], frozenset()),
    ]


def rows_model() -> tuple[QAbstractItemModel, list[Callable[[], object]]]:
    model = RowsModel((Column("a", str, {int(LINK_ROLE): lambda row: row}), Column("b", repr)))
    return model, [lambda rows=rows: model.set_rows(rows) for rows in ([1, 2, 3], [4, 5, 6], [7], [])]


def grid_model() -> tuple[QAbstractItemModel, list[Callable[[], object]]]:
    model = GridModel()
    structured = np.zeros(3, [("x", "f4"), ("color", "u1", 4)])
    return model, [
        lambda: model.set_grid(["x", "y"], np.eye(2, dtype=np.float32)),
        lambda: model.set_grid(["x", "color"], structured),
        lambda: model.set_grid([], np.zeros((0, 0))),
    ]


@pytest.mark.parametrize("make", [events_model, state_model, rows_model, grid_model])
def test_models_keep_qts_rules(qtbot: Any, make: Callable[[], tuple[QAbstractItemModel, list[Callable[[], object]]]]) -> None:
    model, changes = make()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    for change in changes:
        change()
        for row in range(min(model.rowCount(), 3)):
            for column in range(model.columnCount()):
                model.index(row, column).data()
    tester.deleteLater()


def test_the_index_knows_kinds_frames_and_neighbouring_draws() -> None:
    index = build_index(FakeCapture(3))
    assert [index.name(e) for e in (0, 4, 7, 10)] == ["CLEAR2", "Lock", "DRAWPRIMITIVE", "Flip"]
    assert [int(index.kind[e]) for e in (0, 7, 10)] == [CLEAR, DRAW, PRESENT]
    assert [index.frame(e) for e in (0, 10, 11, 32)] == [0, 0, 1, 2]
    assert index.frame_range(2) == (22, 33)
    assert (index.next_draw(0), index.next_draw(7), index.next_draw(31)) == (7, 9, None)
    assert (index.previous_draw(9), index.previous_draw(7)) == (7, None)


@pytest.mark.parametrize("count", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 10 * BLOCK + 7])
def test_events_of_each_kind_are_counted_up_to_any_event(count: int) -> None:
    kinds = np.random.default_rng(count).integers(0, len(KINDS), count).astype(np.uint8)
    index = EventIndex([], kinds, kinds, np.zeros(1, np.int64), kinds)
    expected = [[int((kinds[:end] == kind).sum()) for end in range(count + 1)] for kind in range(len(KINDS))]
    assert index.before(np.arange(count + 1)).tolist() == expected


def test_events_say_number_text_and_kind(qtbot: Any) -> None:
    model, capture = EventsModel(), FakeCapture()
    model.set_capture(capture, build_index(capture))
    model.set_rows(np.array([7, 9]))
    assert model.index(1, NUMBER).data() == "9"
    assert model.index(1, TEXT).data() == f"DRAWINDEXEDPRIMITIVE primitives={capture.primitives(9)} value=9"
    assert model.index(0, TEXT).data(KIND_ROLE) == DRAW
    assert "frame 0" in model.index(0, TEXT).data(Qt.ItemDataRole.ToolTipRole)


def test_unknown_sources_are_wanted_once_seen(qtbot: Any) -> None:
    model, capture = EventsModel(), FakeCapture()
    model.set_capture(capture, build_index(capture))
    with qtbot.waitSignal(model.values_wanted):
        assert model.index(7, SOURCE).data() == ""
    assert model.late.wanted == {SOURCE: {7}}
    model.set_values(SOURCE, {7: "DrawPrimitive"})
    assert model.index(7, SOURCE).data() == "DrawPrimitive"
    assert not model.late.wanted


@pytest.mark.parametrize(("event", "row"), [(6, -1), (7, 0), (8, 0), (9, 1), (500, 1)])
def test_an_event_that_is_filtered_away_stands_at_the_one_before(qtbot: Any, event: int, row: int) -> None:
    model = EventsModel()
    model.set_rows(np.array([7, 9]))
    assert model.row_of(event) == row


@pytest.mark.parametrize(
    ("words", "text", "fits"),
    [
        ("", "anything", True),
        ("blend", "RENDERSTATE(state=ALPHABLENDENABLE)", True),
        ("blend zfunc", "RENDERSTATE(state=ZFUNC)", True),
        ("+state +zfunc", "RENDERSTATE(state=ZFUNC)", True),
        ("+state +zfunc", "RENDERSTATE(state=ALPHAREF)", False),
        ("-clear", "CLEAR2(flags=TARGET)", False),
        ("state -zfunc", "RENDERSTATE(state=ZFUNC)", False),
        ('"state=Z"', "RENDERSTATE(state=ZFUNC)", True),
        ('"state Z"', "RENDERSTATE(state=ZFUNC)", False),
        ("+zfunc clear", "RENDERSTATE(state=ZFUNC)", True),
        ("zfunc or clear", "RENDERSTATE(state=ZFUNC)", True),
        ("zfunc and clear", "RENDERSTATE(state=ZFUNC)", False),
    ],
)
def test_filter_words(words: str, text: str, fits: bool) -> None:
    capture = FakeCapture(1)
    capture.text = capture.name = lambda event: text  # type: ignore[method-assign]
    capture.events.op[:] = 8  # neither draw nor clear
    found = select(capture, np.arange(1), Filter.parse(words), lambda fraction, text: True)
    assert isinstance(found, np.ndarray)
    assert (len(found) == 1) is fits


@pytest.mark.parametrize(("words", "column"), [('a "unfinished', 3), ("a and", 3), ("frame == x", 10), ("lunch(1)", 1)])
def test_a_wrong_filter_says_where(words: str, column: int) -> None:
    found = select(FakeCapture(1), np.arange(1), Filter.parse(words), lambda fraction, text: True)
    assert isinstance(found, FilterError)
    assert found.column == column


def test_selecting_gives_up_when_nobody_wants_it() -> None:
    capture = FakeCapture(100)
    assert select(capture, np.arange(1100), Filter.parse("7"), lambda fraction, text: False) is None


def test_selecting_finds_every_event_and_reads_equal_records_once() -> None:
    capture, read = FakeCapture(100), []
    text = capture.text
    capture.events = replace(capture.events, commands=np.tile(np.arange(11, dtype=np.uint32), 100).view(np.uint8))
    capture.text = lambda event: (read.append(event), text(event % 11))[1]  # type: ignore[method-assign]
    rows = np.arange(500)
    found = select(capture, rows, Filter.parse("state -texture"), lambda fraction, text: True)
    assert found is not None
    assert found.tolist() == [e for e in range(500) if e % 11 in (1, 2, 8)]
    assert len(read) == 8 + 3 * 100  # of each different record one, and every driver call


def test_state_rows_say_value_writer_and_what_this_event_set(qtbot: Any) -> None:
    model = StateModel()
    model.set_groups(group_by_stage(State(1).rows(), TITLES), frozenset({"ALPHAREF"}))
    stage = model.index(0, 0)
    assert stage.data() == "Alpha test"
    name, value, writer = (model.index(0, column, stage) for column in range(3))
    assert (name.data(), value.data(), writer.data()) == ("ALPHAREF", "7", "#1")
    assert writer.data(LINK_ROLE) == 1
    assert name.data(MARK_ROLE) == "changed"
    untouched = model.index(1, 2, stage)
    assert untouched.data() == ""
    assert untouched.data(LINK_ROLE) is None
    assert untouched.data(TOKEN_ROLE) == "faint"


def test_new_values_in_the_same_rows_keep_the_views_place(qtbot: Any) -> None:
    model = StateModel()
    assert model.set_groups(group_by_stage(State(1).rows(), TITLES), frozenset())
    with qtbot.assertNotEmitted(model.modelReset):
        assert not model.set_groups(group_by_stage(State(12).rows(), TITLES), frozenset())
    assert model.index(0, 2, model.index(0, 0)).data() == "#12"


def test_states_are_chosen_by_stage_name_and_value() -> None:
    groups = group_by_stage(State(5).rows(), TITLES)
    every = lambda value: True  # noqa: E731
    assert [g.name for g in chosen(groups, "alpha", every)] == ["alpha_test"]
    assert [v.name for g in chosen(groups, "test func", every) for v in g.values] == ["ALPHAFUNC", "ZFUNC"]
    assert [v.name for g in chosen(groups, "always", every) for v in g.values] == ["ALPHAFUNC"]
    assert [v.name for g in chosen(groups, "", lambda v: v.writer == 1) for v in g.values] == ["ALPHAREF"]


def test_stages_keep_the_pipelines_order_and_strangers_come_last() -> None:
    rows = State(5).rows()
    order = [group.name for group in group_by_stage(rows, {"blend": "Blending", "alpha_test": "Alpha test"})]
    assert order == ["blend", "alpha_test", "depth_test"]


def test_vertices_are_shown(qtbot: Any) -> None:
    model = GridModel()
    rows = np.array([[1, 2, 3, 0.5], [4, 5, 6, 0.25]], np.float32)
    model.set_grid(["u", "position.x", "position.y", "position.z"], rows)
    assert [model.headerData(i, Qt.Orientation.Horizontal) for i in (0, 2)] == ["#", "position.x"]
    assert model.index(1, 4).data() == "0.25"
    model.set_grid(["diffuse.r", "diffuse.g", "diffuse.b", "normal.x"], np.array([[1, 0.5, np.nan, 1]], np.float32))
    assert [model.index(0, n).data(SWATCH_ROLE) for n in range(5)] == [None, 0xFFFF8000, None, None, None]
