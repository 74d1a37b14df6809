"""The docks: the panels, their initial places, and their slim titles."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial
from types import NoneType

from PySide6.QtCore import QObject, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QMenu, QSizePolicy, QTabBar, QTabWidget, QWidget

from ui.floating import Floating
from ui.layouts import LAYOUTS, USUAL, Stack, heights, joined, standing
from ui.making import Panels
from ui.panels.bookmarks import BookmarksPanel
from ui.panels.buffers import BuffersPanel
from ui.panels.calls import CallsPanel
from ui.panels.comparison import ComparisonPanel
from ui.panels.console import ConsolePanel
from ui.panels.driver import DriverPanel
from ui.panels.events import EventsPanel
from ui.panels.findings import FindingsPanel, titled
from ui.panels.history import HistoryPanel
from ui.panels.inspector import InspectorPanel
from ui.panels.notes import NotesPanel
from ui.panels.panel import Desk, Panel
from ui.panels.query import QueryPanel
from ui.panels.resources import ResourcesPanel
from ui.panels.state import StatePanel
from ui.panels.statistics import StatisticsPanel
from ui.panels.stepping import SteppingPanel
from ui.panels.surface import SurfacePanel
from ui.panels.timeline import TimelinePanel
from ui.panels.token import TokenPanel
from ui.panels.verify import VerifyPanel
from ui.panels.vertices import VerticesPanel
from ui.panels.what_if import WhatIfPanel
from ui.pointing import Pointed
from ui.tearing import Tearing
from ui.widgets.controls import single_shot, tool
from ui.widgets.panel_title import PanelTitle
from ui.widgets.reading_order import first_list, in_reading_order, is_bare
from ui.widgets.shelf import Shelf
from ui.widgets.tab_list import TabList

PANELS: tuple[type[Panel], ...] = (
    TimelinePanel,
    EventsPanel,
    TokenPanel,
    SurfacePanel,
    StatePanel,
    VerticesPanel,
    ResourcesPanel,
    BuffersPanel,
    InspectorPanel,
    CallsPanel,
    FindingsPanel,
    SteppingPanel,
    HistoryPanel,
    StatisticsPanel,
    BookmarksPanel,
    NotesPanel,
    DriverPanel,
    QueryPanel,
    ConsolePanel,
    VerifyPanel,
    ComparisonPanel,
    WhatIfPanel,
)
SHELF, LOWEST, HIGHEST = 72, 64, 240
"""Pixels of height of the timeline: at first, and how far it can be dragged."""
BARS = 136
"""Pixels of height of the menus, the toolbar, the timeline's title and the status bar, about."""
TABS = Qt.FocusPolicy.TabFocus.value  # as a number: a thousand widgets are asked for it, and flags of enums cost more
LAYINGS = 24
"""How often the window is laid out at most until the timeline has its height."""


class Docks(QObject):
    """Makes one dock per panel in `window` and keeps their titles: none where a tab says it already."""

    shelved = Signal(int)
    """The timeline was dragged to this height."""

    def __init__(self, window: QMainWindow, desk: Desk) -> None:
        super().__init__(window)
        self._window, self._desk = window, desk
        self.panels = Panels(PANELS, desk, lambda name: self.docks[name].isVisible())
        self.docks = {name: self._make_dock(name) for name in self.panels}
        self._titles: dict[str, PanelTitle] = {}
        self._blanks: dict[str, QWidget] = {}
        self.layout, self.own, self._columns = USUAL, False, joined(LAYOUTS[USUAL], 0)
        self._arranging, self._pointed = False, Pointed(self, self._called)
        self._pointed.clicked.connect(self._follow_keys, Qt.ConnectionType.QueuedConnection)
        window.setDockOptions(QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        window.setCorner(Qt.Corner.TopLeftCorner, Qt.DockWidgetArea.TopDockWidgetArea)
        window.setCorner(Qt.Corner.TopRightCorner, Qt.DockWidgetArea.TopDockWidgetArea)
        desk.found_changed.connect(lambda: self.docks["findings"].setWindowTitle(titled(desk.found)))
        self._later = single_shot(window, 0, self._set_titles)
        self._floating, self._tearing = Floating(window, self.docks), Tearing(window, self.docks.values())
        self.arrange()

    def _make_dock(self, name: str) -> QDockWidget:
        dock, place = QDockWidget(self.panels.title(name), self._window), self.panels.places[name]
        dock.setObjectName(f"dock-{name}")
        if name == "timeline":
            self.shelf = Shelf(place, LOWEST, HIGHEST)
            self.shelf.set_height(SHELF)
            self.shelf.resized.connect(self.shelved)
            self.panels.when_made(name, lambda panel: panel.height_wanted.connect(self.shelf.drag_to))
        dock.setWidget(self.shelf if name == "timeline" else place)
        self.panels.when_made(name, lambda panel: panel.retitled.connect(dock.setWindowTitle))
        dock.visibilityChanged.connect(partial(self.panels.set_raised, name))
        dock.dockLocationChanged.connect(self._moved)
        for signal in (dock.topLevelChanged, dock.dockLocationChanged, dock.visibilityChanged):
            signal.connect(lambda *_: self._later.start())
        return dock

    def _title(self, name: str) -> PanelTitle:
        """Of a dock that is not one of several tabs; made when there is one."""
        if name not in self._titles:
            self._titles[name] = self._make_title(name)
        return self._titles[name]

    def _make_title(self, name: str) -> PanelTitle:
        title = self.panels.title(name)
        float_ = tool(f"Float {title}", "Float, or dock again", "float")
        hide = tool(f"Hide {title}", "Hide; the View menu shows it again", "close")
        float_.clicked.connect(lambda: self.float_panel(name))
        hide.clicked.connect(lambda: self.docks[name].hide())
        for button in (float_, hide):
            button.setObjectName("slim")
            button.setIconSize(QSize(12, 12))
            button.setFixedSize(18, 18)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        made = PanelTitle(title, (float_, hide))
        self.panels.when_made(name, lambda panel: made.put_beside(panel.beside_title()))
        return made

    def _blank(self, name: str) -> QWidget:
        """The title of a dock that is one of several tabs: the tab says it."""
        if name not in self._blanks:
            self._blanks[name] = QWidget()
        return self._blanks[name]

    # Layouts

    def arrange(self, name: str = "", hidden: Sequence[QDockWidget] = ()) -> None:
        """Puts the panels where one of LAYOUTS has them; without a name, the one at hand.  Shows all but these."""
        self.layout, self.own, self._arranging = name or self.layout, False, True
        with self.panels.held(hidden=True):
            self._arrange(hidden)
        self._arranging = False

    def _arrange(self, hidden: Sequence[QDockWidget]) -> None:
        self._columns = joined(LAYOUTS[self.layout], self._room, self._window.width())
        window, docks = self._window, self.docks
        for dock in docks.values():
            if dock.isFloating():  # Qt would make a window of those that are not, too, and take it back
                dock.setFloating(False)
            window.removeDockWidget(dock)
        window.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, docks["timeline"])
        firsts = [stacks[0].panels[0] for _, stacks in self._columns]
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks[firsts[0]])
        for left, right in itertools.pairwise(firsts):
            window.splitDockWidget(docks[left], docks[right], Qt.Orientation.Horizontal)
        for _, stacks in self._columns:
            for above, below in itertools.pairwise(stacks):
                window.splitDockWidget(docks[above.panels[0]], docks[below.panels[0]], Qt.Orientation.Vertical)
        self._fill_stacks()
        for dock in docks.values():
            dock.setVisible(dock not in hidden)
        self._set_titles()
        self.bring_first()
        self.resize()

    def _fill_stacks(self) -> None:
        """Behind the first panel of each stack the others; those that the layout does not name, in the last."""
        stacks = [stack.panels for _, stacks in self._columns for stack in stacks]
        named = {"timeline", *itertools.chain(*stacks)}
        stacks[-1] += tuple(name for name in self.docks if name not in named)
        for first, *others in stacks:
            for name in others:
                self._window.tabifyDockWidget(self.docks[first], self.docks[name])

    def bring_first(self) -> None:
        """The panels that one begins with come to the front of those that stand together."""
        for _, stacks in self._columns:
            for stack in stacks:
                self.docks[stack.panels[0]].raise_()

    @property
    def first(self) -> str:
        """The panel that one begins with: the events, or in a narrow window what they are behind."""
        return self._columns[0][1][0].panels[0]

    def resize(self) -> None:
        """The layout's proportions; needs the window's size."""
        firsts = [self._seen_of(stacks[0]) for _, stacks in self._columns]
        widths = [int(self._window.width() * share) for share, _ in self._columns]
        self._window.resizeDocks(firsts, widths, Qt.Orientation.Horizontal)
        for _, stacks in self._columns:
            docks = [self._seen_of(stack) for stack in stacks]
            self._window.resizeDocks(docks, heights(stacks, self._room), Qt.Orientation.Vertical)
        self.settle()

    def settle(self) -> None:
        """The timeline has its height at once: left to itself, Qt takes away a few pixels each time that it lays out."""
        if not self._window.isVisible():
            return  # it would grow for panels that are not seen
        with self.panels.held():
            layout, place = self._window.layout(), -1
            assert layout is not None
            for _ in range(LAYINGS):
                first = self._seen_of(self._columns[0][1][0])
                if first.y() == place:
                    return
                place = first.y()
                layout.invalidate()
                layout.activate()

    def _seen_of(self, stack: Stack) -> QDockWidget:
        """A panel of a stack that is in its place."""
        docks = [self.docks[name] for name in stack.panels]
        return next((dock for dock in docks if not dock.isHidden() and not dock.isFloating()), docks[0])

    @property
    def _room(self) -> int:
        """Pixels of height below the timeline."""
        return self._window.height() - self.shelf.height() - BARS

    @property
    def fits(self) -> bool:
        """Whether the stacks are those that there is room for; true of what the user has moved."""
        there = not self.own and not self._floating.is_grouped and self.docks["timeline"].isVisible()
        return not there or joined(LAYOUTS[self.layout], self._room, self._window.width()) == self._columns

    def fit(self) -> bool:
        """After the window was resized: stacks join or part as there is room, unless the user has moved panels.

        Whether they have.  Of two that join, the upper one is in front, unless the lower one has the keyboard."""
        if changes := not self.fits:
            usual = {stack.panels[0] for _, stacks in self._columns for stack in stacks}
            raised = [name for name in self.panels if self.panels.is_raised(name) and self.docks[name].isVisible()]
            front = [name for name in raised if name not in usual or self.panels.has_keys(name)]
            hidden = [dock for dock in self.docks.values() if dock.isHidden()]
            with self._floating.kept():
                self.arrange(hidden=hidden)
            for name in sorted(front, key=self.panels.has_keys):
                if self._tabbed(name):
                    self.docks[name].raise_()
        self.settle()
        return changes

    def _moved(self, area: Qt.DockWidgetArea) -> None:
        """The user has put a panel elsewhere in the window; one that only floats has its place still."""
        self.own = self.own or (not self._arranging and area != Qt.DockWidgetArea.NoDockWidgetArea)

    def restored(self, layout: str, own: bool) -> None:
        """The window has put the docks back as they were."""
        self.layout, self.own = layout if layout in LAYOUTS else USUAL, own
        self._columns = standing(LAYOUTS[self.layout], self._room, self._window.width(), self._are_tabs)
        self._floating.come_back()

    def _are_tabs(self, one: str, other: str) -> bool | None:
        """None: one of them is hidden, or floats."""
        first, second = self.docks[one], self.docks[other]
        away = any(dock.isHidden() or dock.isFloating() for dock in (first, second))
        return None if away else first in self._window.tabifiedDockWidgets(second)

    # Single panels

    def float_panel(self, name: str) -> None:
        """Takes a panel out of the window, in a frame of its own, or puts it back."""
        self._arranging = True
        self._floating.turn(self.docks[name])
        self._arranging = False
        self._give_keys(name)

    def hide_current(self) -> None:
        """Hides the panel that has the keyboard."""
        if name := self.current():
            self.docks[name].hide()

    def float_current(self) -> None:
        if name := self.current():
            self.float_panel(name)

    def copy_current(self) -> None:
        if name := self.current():
            self.copy_panel(name)

    def copy_panel(self, name: str) -> None:
        """A picture of the panel, as it is seen, goes to the clipboard."""
        QApplication.clipboard().setPixmap(self.docks[name].widget().grab())
        self._desk.done.emit(f"A picture of {self.docks[name].windowTitle()} is in the clipboard.")

    def current(self) -> str:
        """The panel whose tab was just clicked, or that has the keyboard; "" for none."""
        return self._pointed.name or self.panels.holding(QApplication.focusWidget())

    def _menu(self, bar: QTabBar, place: QPoint) -> None:
        """What can be done with the panel of a tab."""
        if name := self._called(bar.tabText(bar.tabAt(place)) if bar.tabAt(place) >= 0 else ""):
            menu = QMenu(self._window)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction("Copy picture", lambda: self.copy_panel(name))
            menu.addAction("Float", lambda: self.float_panel(name))
            menu.addAction("Hide", self.docks[name].hide)
            menu.popup(bar.mapToGlobal(place))

    def _called(self, title: str) -> str:
        return next((name for name, dock in self.docks.items() if title and dock.windowTitle() == title), "")

    def _tabbed(self, name: str) -> bool:
        return bool(self._window.tabifiedDockWidgets(self.docks[name])) and not self.docks[name].isFloating()

    def show(self, visible: bool) -> None:
        for dock in self.docks.values():
            dock.setVisible(visible)

    def show_buffer(self, handle: str) -> None:
        """Brings the buffer with this handle forward."""
        buffers: BuffersPanel = self.panels["buffers"]  # type: ignore[assignment]
        buffers.open(int(handle))
        self.bring("buffers")

    def bring(self, name: str) -> None:
        """Shows a panel and gives it the keyboard."""
        self._raise(name)
        self._give_keys(name)

    def bring_soon(self, name: str) -> None:
        """The same, a little in each turn of the event loop, unless something else has the keyboard then."""
        self._raise(name)
        self.panels.bring_soon(name, lambda: self._give_keys(name) if self._keys_are_free() else None)

    def _follow_keys(self, name: str) -> None:
        """A tab was clicked: the keyboard does not stay in what the panel covers."""
        had = self.panels.holding(QApplication.focusWidget())
        if name and had and not self.panels.is_raised(had):
            self.panels.bring_soon(name, partial(self._give_keys, name))

    def _keys_are_free(self) -> bool:
        """Nothing in the window has the keyboard, or a tab that got it because something else has gone."""
        return isinstance(self._window.focusWidget(), (NoneType, QTabBar))

    def _raise(self, name: str) -> None:
        self.docks[name].show()
        self.docks[name].raise_()

    def _give_keys(self, name: str) -> None:
        panel = self.panels.bring(name)
        (panel.first_for_keys() or first_list(panel)).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def next_stop(self, widget: QWidget | None, forward: bool) -> QWidget | None:
        """The next widget of the window that takes the keyboard with Tab and can be seen; None: there is no other.

        Qt keeps panels behind other tabs visible, outside the window.  It has a chain of widgets, but one that is asked for the
        next makes that its child for PySide: when it ends, the other is taken for deleted, and so on along the chain.
        """
        if widget is not None and widget.window() is not self._window:
            return None
        parts: list[QWidget] = [self.docks[name] for name in self.docks if self.panels.is_raised(name)]
        parts += [one for one in self._window.children() if isinstance(one, QWidget) and not isinstance(one, QDockWidget)]
        chain = [one for part in parts for one in in_reading_order(part)]
        chain = chain if forward else chain[::-1]
        here = next((place for place, one in enumerate(chain) if one is widget), -1)
        return next((one for one in (*chain[here + 1 :], *chain[: max(here, 0)]) if self._is_stop(one)), None)

    def _is_stop(self, widget: QWidget) -> bool:
        takes = widget.focusPolicy().value & TABS and not widget.focusProxy() and not is_bare(widget)
        return bool(takes) and widget.isEnabled() and widget.isVisibleTo(self._window) and widget.window() is self._window

    def _set_titles(self) -> None:
        for name, dock in self.docks.items():
            bare = self._tabbed(name) or dock.isHidden()
            wanted: QWidget = self._blank(name) if bare else self._title(name)
            if dock.titleBarWidget() is not wanted:
                dock.setTitleBarWidget(wanted)
                wanted.show()
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):  # not a panel's own
            bar.setExpanding(False)
            bar.setElideMode(Qt.TextElideMode.ElideNone)
            bar.setUsesScrollButtons(True)
            if bar.contextMenuPolicy() != Qt.ContextMenuPolicy.CustomContextMenu:
                bar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
                bar.customContextMenuRequested.connect(partial(self._menu, bar))
                self._pointed.follow(bar)
                self._tearing.follow(bar)
                TabList(bar)
            bar.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
