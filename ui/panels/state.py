"""The device's state at the event, by pipeline stage: each value, whether it is the default, the event that set it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTreeView

from core.errors import BadInput
from core.spec.stages import STAGES
from inspector.focus import Focus
from inspector.progress import Cancel
from inspector.query.state.flow import Flow, FlowStage, StateFlow
from inspector.query.state.history import Changes, SlotHistory
from inspector.query.state.places import key_text, text_of
from inspector.view import CaptureView
from ui.models.flow import FlowItem, flow_groups, surfaces_of
from ui.models.state import NAME, VALUE, WRITER, Group, StateModel, chosen, group_by_stage, thing_of
from ui.models.thumbnails import Thumbnails
from ui.panels.contents import show_contents, titled
from ui.panels.panel import Panel, Question
from ui.roles import LINK_ROLE
from ui.widgets.cells import ValueCell
from ui.widgets.controls import halves, label, search_box, single_shot, spoken, strip, tool
from ui.widgets.flow_cell import FlowCell
from ui.widgets.pipeline_bar import PipelineBar, StageMark
from ui.widgets.row_menu import give_row_menu
from ui.widgets.story import Story
from ui.widgets.trees import Arrows, SteadyTree

Answer = tuple[list[Group], frozenset[Any], Flow | None, dict[int, QImage], dict[int, str]]
STORY = "state story"
NAMES, LEAST, VALUES, WRITERS = 200, 130, 95, 96
"""Pixels of a name, at least in a narrow panel, of a value there, and of the event that set it."""
ALL = NAMES + VALUES + WRITERS
LOW = 260
"""Pixels of height of the panel below which the rows have the room of the stages."""
NO_STORY = "Select a state to list every write to it."


@cache
def stage_titles() -> dict[str, str]:
    return {stage.name: stage.title for stage in STAGES}


class StatePanel(Panel):
    title, name = "State", "state"

    def build(self) -> None:
        self.edit = search_box("Filter states", "Filter states")
        tip = "Only states that differ from their defaults or are set by this event"
        self.changed_only = tool("Changed only", tip, text="Changed", checkable=True, checked=True)
        self.here_only = tool("Only what this event set", "Only states that this event sets", text="This event", checkable=True)
        self.flow = tool("Flow of the pipeline", "Stages in order, with what matters for this draw; off: a table of all states",
                         text="Flow", checkable=True, checked=bool(self.kept("flow", True)))  # fmt: skip
        self.everything = tool("All states", "Also what does not matter, dimmed", text="All", checkable=True)
        self.pin = tool("Compare with this event", "Pin this event's state, and compare other events with it", "pin",
                        checkable=True)  # fmt: skip
        self.differing = tool("Only differences", "Only what differs from the pinned event", text="Differences", checkable=True)
        self.pinned: int | None = None
        self._names: dict[tuple[int, int], str] = {}
        self._told: Any = None  # the key of the state whose writes are listed
        self._flow: Flow | None = None
        self._pictures: dict[int, QImage] = {}
        self.count = label(kind="faint")
        self.model = StateModel(self)
        self.view = self._make_view()
        self._all: list[Group] = []
        self._set_here: frozenset[Any] = frozenset()
        self.box.addWidget(
            strip(self.edit, self.flow, self.everything, self.changed_only, self.here_only, self.pin, self.differing)
        )
        self.story = Story("Every write to the selected state", ("Value", "Previous", "Use"), (200, 200))
        self.story.went.connect(lambda event: self.go(event=event))
        self.bar = PipelineBar()
        self.bar.wanted.connect(self.show_stage)
        self.box.addWidget(self.bar)
        self.split = halves(self.view, self.story, sizes=(360, 190), beside=(440, 360))
        self.split.keep_still(self.view)
        self._end_story()
        self.box.addWidget(self.split)
        self.box.addWidget(strip(self.count, None, name="foot"))
        self._typing = single_shot(self, 80, self._show)
        self.edit.textChanged.connect(lambda _: self._typing.start())
        self.edit.returnPressed.connect(self.view.setFocus)
        self.changed_only.toggled.connect(lambda _: self._show())
        self.here_only.toggled.connect(lambda _: self._show())
        self.everything.toggled.connect(lambda _: self._show())
        self.differing.toggled.connect(lambda _: self._show())
        self.desk.bookmarks_changed.connect(self._take_names)
        self.flow.toggled.connect(self._set_flow)
        self.pin.toggled.connect(self._set_pin)
        self._show_tools()

    def _make_view(self) -> QTreeView:
        view = spoken(SteadyTree(), "State of the device")
        view.setUniformRowHeights(True)
        view.setModel(self.model)
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setMouseTracking(True)
        view.setIndentation(14)
        view.setExpandsOnDoubleClick(False)
        self._cells = ValueCell(view), FlowCell(view)
        for cell in self._cells:
            cell.followed.connect(self._follow_link)
        view.setColumnWidth(NAME, NAMES)
        view.viewport().installEventFilter(self)
        view.header().sectionResized.connect(lambda *_: view.scheduleDelayedItemsLayout())
        view.setColumnWidth(WRITER, WRITERS)
        view.header().setStretchLastSection(False)
        view.header().setSectionResizeMode(VALUE, QHeaderView.ResizeMode.Stretch)
        view.activated.connect(self._follow)
        view.selectionModel().currentChanged.connect(lambda index, _: self._ask_story(index))
        Arrows(view)
        give_row_menu(view, self.menu_of)
        return view

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In a narrow panel names give way to numbers."""
        if isinstance(event, QResizeEvent) and (event.size().width() < ALL or self.view.columnWidth(NAME) < NAMES):
            self.view.setColumnWidth(NAME, min(max(event.size().width() - ALL + NAMES, LEAST), NAMES))
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low panel the rows have the room of the stages."""
        super().resizeEvent(event)
        self._show_bar()

    def _show_bar(self) -> None:
        self.bar.setVisible(self._flow is not None and self.height() >= LOW)

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        flow, pinned, small = self.flow.isChecked(), self.pinned, self.desk.small
        self._names = dict(self.desk.names)
        return lambda progress: (
            *_state(capture, focus.event, flow, pinned, small, progress.stop.is_set),
            names_at(capture, focus.event, self._names, progress.stop.is_set),
        )

    def display(self, answer: Answer) -> None:
        self._all, self._set_here, self._flow, self._pictures, self.model.names = answer
        self.view.setUniformRowHeights(self._flow is None)
        self.view.setItemDelegate(self._cells[self._flow is not None])
        self._show_bar()
        self._show()

    def clear(self) -> None:
        self._all, self._set_here, self._flow = [], frozenset(), None
        self.model.set_groups([], self._set_here)
        self.bar.hide()
        self.count.setText("")

    def _take_names(self) -> None:
        if self.desk.names != self._names:
            self.refresh()

    def capture_changed(self) -> None:
        self.pin.setChecked(False)
        self._forget_story()

    def _set_flow(self, on: bool) -> None:
        self.keep("flow", on)
        self._show_tools()
        self.refresh()

    def _set_pin(self, on: bool) -> None:
        self.pinned = self.desk.focus.focus.event if on else None
        self.pin.setToolTip(f"Compared with event {self.pinned}; click to stop" if on else self.pin.accessibleName())
        self._show_tools()
        self.refresh()

    def _show_tools(self) -> None:
        """Buttons that mean something in the flow, or in the table."""
        on = self.flow.isChecked()
        self.everything.setVisible(on)
        self.changed_only.setVisible(not on)
        self.pin.setVisible(on)
        self.differing.setVisible(on and self.pinned is not None)

    def _show(self) -> None:
        if self._flow is not None:
            self._show_flow(self._flow)
        else:
            self._show_table()
        self._choose_again()
        self._reveal_change()

    def _show_flow(self, flow: Flow) -> None:
        everything = self.everything.isChecked() or self.here_only.isChecked()
        groups = flow_groups(flow, self._pictures, everything, self.edit.text(), self._keep_in_flow)
        if self.model.set_groups(groups, self._set_here):
            self.view.expandAll()
        shown = sum(isinstance(item, FlowItem) for group in groups for item in group.values)
        compared = "" if flow.against is None else f"; {flow.differences:,} differ from event {flow.against}"
        self.count.setText(f"{shown:,} of {sum(len(stage.rows) for stage in flow.stages):,} states{compared}")
        self.bar.show_stages([self._mark_of(stage) for stage in flow.stages])

    def _mark_of(self, stage: FlowStage) -> StageMark:
        touched = bool(self._set_here) and any(row.value.key in self._set_here for row in stage.rows)
        return StageMark(stage.stage.name, stage.stage.title, stage.summary, stage.runs, touched)

    def show_stage(self, name: str) -> None:
        """Brings a stage to the top of the list, open."""
        row = next((n for n, group in enumerate(self.model.groups) if group.name == name), None)
        if row is not None:
            index = self.model.index(row, NAME)
            self.view.expand(index)
            self.view.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtTop)
            self.view.setCurrentIndex(index)

    def _keep_in_flow(self, item: Any) -> bool:
        """None: whether stages are shown in which nothing is left."""
        narrowed = self.here_only.isChecked() or (self.differing.isChecked() and self.pinned is not None)
        if item is None:
            return not narrowed
        here = not self.here_only.isChecked() or item.key in self._set_here
        return here and (item.differs or not (self.differing.isChecked() and self.pinned is not None))

    def _show_table(self) -> None:
        words = self.edit.text()
        groups, more = chosen(self._all, words, self._keep), ""
        if not groups and words and not self.here_only.isChecked():
            groups, more = chosen(self._all, words, lambda _: True), "; all have their default values"
        if self.model.set_groups(groups, self._set_here):
            self.view.expandAll()
        shown = sum(len(group.values) for group in groups)
        total = sum(len(group.values) for group in self._all)
        self.count.setText(f"{shown:,} of {total:,} states{more if shown else ''}" if total else "")

    def _ask_story(self, index: QModelIndex) -> None:
        """Everything that happened to the value under the cursor."""
        capture, value = self.desk.capture, self.model.value_at(index)
        if capture is None or value is None or value.kind == "sketch":
            self._forget_story()
            self.desk.show_marks("state", np.zeros(0, np.int64))
            return
        if value.key == self._told:
            return
        self._told = value.key
        query = SlotHistory(value.key)
        self.desk.ask(STORY, lambda progress: capture.ask(query, progress.stop.is_set), self._show_story,
                      lambda error: self._end_story(str(error)))  # fmt: skip

    def _choose_again(self) -> None:
        """The state whose writes are listed stays selected where other rows are shown."""
        if self._told is None or self.view.currentIndex().isValid():
            return
        for row, group in enumerate(self.model.groups):
            for place, value in enumerate(group.values):
                if value.key == self._told:
                    self.view.setCurrentIndex(self.model.index(place, NAME, self.model.index(row, 0)))
                    return

    def _forget_story(self) -> None:
        self._told = None
        self.desk.ask.cancel(STORY)
        self._end_story()

    def _end_story(self, why: str = NO_STORY) -> None:
        self.story.hush(why)
        self.split.set_empty(self.story, why == NO_STORY, hint=True)

    def _show_story(self, changes: Changes) -> None:
        kind, unused = changes.place.kind, changes.unused
        self.desk.show_marks("state", changes.event)
        self.split.set_empty(self.story, False, hint=True)
        self.story.show_story(
            self.desk.focus.focus.event, changes.event,
            (changes.text, lambda row: text_of(kind, changes.before[row].tolist()),
             lambda row: use_of(changes, row) + self.desk.so_far * (row == len(changes.event) - 1)),
            lambda row: bool(changes.redundant[row] or unused[row]),
        )  # fmt: skip

    def moved(self, new: Focus, old: Focus) -> None:
        self.story.come_to(new.event)

    def _keep(self, value: Any) -> bool:
        if self.here_only.isChecked():
            return value.key in self._set_here
        return not value.is_default or value.key in self._set_here or not self.changed_only.isChecked()

    def _reveal_change(self) -> None:
        """Scrolls to the first value that this event set."""
        for row, group in enumerate(self.model.groups):
            for place, value in enumerate(group.values):
                if value.key in self._set_here:
                    self.view.scrollTo(self.model.index(place, 0, self.model.index(row, 0)))
                    return

    def _follow_link(self, link: object) -> None:
        """A link leads to an event, or (as a tuple) to a surface or a shader."""
        if isinstance(link, tuple) and len(link) == 2:
            show_contents(self.desk, self, *link)
        elif isinstance(link, tuple):
            self.go(surface=link[0])
        else:
            self.go(event=link)

    def _follow(self, index: QModelIndex) -> None:
        """Enter or a double-click on a value goes to the event that set it."""
        link = index.siblingAtColumn(2).data(LINK_ROLE)
        if link is not None:
            self.go(event=int(link))
        elif self.model.value_at(index) is None:
            self.view.setExpanded(index, not self.view.isExpanded(index))

    def menu_of(self, index: QModelIndex) -> QMenu | None:
        """What can be done with a value; None for a stage's row."""
        value = self.model.value_at(index)
        if value is None or value.kind == "sketch":
            return None
        menu = QMenu(self)
        begin = f"force {key_text(value.key)}="
        menu.addAction("What if it had another value…", lambda: self.desk.wanted.emit("begin", begin))
        if thing := thing_of(value):
            menu.addAction(f"Show {titled(*thing)}…", lambda: show_contents(self.desk, self, *thing))
        if value.writer is not None:
            menu.addAction(f"Go to event {value.writer}, which set it").triggered.connect(lambda _=False: self._follow(index))
        return menu

    def focus_filter(self) -> None:
        self.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.edit.selectAll()


def use_of(changes: Changes, row: int) -> str:
    """What came of a write."""
    parts = ["redundant"] if changes.redundant[row] else []
    draws = int(changes.draws[row])
    if changes.by_runtime[row]:
        parts.append("set when the device was created or reset")
    if draws or not changes.unused[row]:
        parts.append(f"used by {draws:,} {'draw' if draws == 1 else 'draws'}")
    else:
        parts.append("overwritten before any draw used it")
    return ", ".join(parts)


def names_at(capture: CaptureView, event: int, names: Mapping[tuple[int, int], str], cancel: Cancel) -> dict[int, str]:
    """The names of the surfaces and buffers that exist at an event, by handle; names: by creation and handle."""
    there = capture.surfaces(event, cancel) if names else ()
    return {one.handle: name for one in there if (name := names.get((max(one.created, 0), one.handle)))}


def _state(
    capture: CaptureView, event: int, flow: bool, pinned: int | None, small: Thumbnails | None, cancel: Cancel
) -> tuple[list[Group], frozenset[Any], Flow | None, dict[int, QImage]]:
    """The answer, off the GUI thread; where no flow is known, the table."""
    state = capture.state(event)
    changed = frozenset(getattr(change, "key", change) for change in state.changed)
    try:
        found = capture.ask(StateFlow(event, pinned), cancel) if flow else None
    except BadInput:
        found = None
    if found is None:
        return group_by_stage(state.rows(), stage_titles()), changed, None, {}
    pictures = {handle: image for handle in surfaces_of(found) if (image := _small(small, event, handle)) is not None}
    return [], changed, found, pictures


def _small(small: Thumbnails | None, event: int, handle: int) -> QImage | None:
    """A thumbnail, if the surface can be looked at."""
    try:
        made = small.make(event, [(handle, "")]) if small is not None else None
        while made is not None:
            next(made)
    except StopIteration as end:
        return end.value.get(handle)
    except BadInput:
        pass
    return None
