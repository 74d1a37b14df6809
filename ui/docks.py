"""The docks: which panels there are, where they are at first, and the slim titles above them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QMainWindow, QSizePolicy, QTabBar, QTabWidget, QWidget

from ui.panels.bookmarks import BookmarksPanel
from ui.panels.calls import CallsPanel
from ui.panels.comparison import ComparisonPanel
from ui.panels.driver import DriverPanel
from ui.panels.events import EventsPanel
from ui.panels.findings import FindingsPanel
from ui.panels.history import HistoryPanel
from ui.panels.inspector import InspectorPanel
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
from ui.widgets.controls import single_shot
from ui.widgets.plain import PlainLabel

PANELS: tuple[type[Panel], ...] = (
    TimelinePanel,
    EventsPanel,
    TokenPanel,
    SurfacePanel,
    StatePanel,
    VerticesPanel,
    ResourcesPanel,
    InspectorPanel,
    CallsPanel,
    FindingsPanel,
    SteppingPanel,
    HistoryPanel,
    StatisticsPanel,
    BookmarksPanel,
    DriverPanel,
    QueryPanel,
    VerifyPanel,
    ComparisonPanel,
    WhatIfPanel,
)
LOW = 900  # pixels of the window's height: below, the picture needs what others can do without
CENTRE = ("surface", "state", "vertices", "resources", "comparison", "what-if", "query")
COLUMNS = (("events", "token"), ("inspector", "calls"))
BELOW = ("history", "stepping", "findings", "bookmarks", "statistics", "driver", "verify")


class _Title(QWidget):
    """A dock's name above it; drag it to move the dock, double click to let it float."""

    def __init__(self, text: str, beside: QWidget | None) -> None:
        super().__init__()
        self.setObjectName("panelTitle")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        words = PlainLabel(text)
        words.setObjectName("panelTitleText")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 4)
        row.addWidget(words)
        row.addStretch(1)
        if beside:
            row.addWidget(beside)


class Docks:
    """Makes one dock per panel in `window` and keeps their titles: none where a tab says it already."""

    def __init__(self, window: QMainWindow, desk: Desk) -> None:
        self._window, self._desk = window, desk
        self.panels = {panel.name: panel(desk) for panel in PANELS}
        self.docks = {name: self._make_dock(panel) for name, panel in self.panels.items()}
        self._titles = {name: _Title(panel.title, panel.beside_title()) for name, panel in self.panels.items()}
        self._blanks = {name: QWidget() for name in self.panels}
        window.setDockOptions(
            QMainWindow.DockOption.AllowNestedDocks
            | QMainWindow.DockOption.AllowTabbedDocks
            | QMainWindow.DockOption.GroupedDragging
        )
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        window.setCorner(Qt.Corner.TopLeftCorner, Qt.DockWidgetArea.TopDockWidgetArea)
        window.setCorner(Qt.Corner.TopRightCorner, Qt.DockWidgetArea.TopDockWidgetArea)
        self._later = single_shot(window, 0, self._set_titles)
        self.arrange()

    def _make_dock(self, panel: Panel) -> QDockWidget:
        dock = QDockWidget(panel.title, self._window)
        dock.setObjectName(f"dock-{panel.name}")
        dock.setWidget(panel)
        panel.retitled.connect(dock.setWindowTitle)
        dock.visibilityChanged.connect(panel.set_raised)
        for signal in (dock.topLevelChanged, dock.dockLocationChanged, dock.visibilityChanged):
            signal.connect(lambda *_: self._later.start())
        return dock

    def arrange(self) -> None:
        """The layout one starts with."""
        window, docks = self._window, self.docks
        for dock in docks.values():
            dock.setFloating(False)
            window.removeDockWidget(dock)
        window.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, docks["timeline"])
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks["events"])
        window.splitDockWidget(docks["events"], docks["surface"], Qt.Orientation.Horizontal)
        window.splitDockWidget(docks["surface"], docks["inspector"], Qt.Orientation.Horizontal)
        window.splitDockWidget(docks["events"], docks["token"], Qt.Orientation.Vertical)
        window.splitDockWidget(docks["surface"], docks["history"], Qt.Orientation.Vertical)
        window.splitDockWidget(docks["inspector"], docks["calls"], Qt.Orientation.Vertical)
        for first, *others in (CENTRE, BELOW):
            for name in others:
                window.tabifyDockWidget(docks[first], docks[name])
        for dock in docks.values():
            dock.show()
        self.bring_first()
        self.resize()

    def bring_first(self) -> None:
        """The panels that one begins with come to the front of those that stand together."""
        for names in (CENTRE, BELOW):
            self.docks[names[0]].raise_()

    def resize(self) -> None:
        """The first proportions; needs the window's size."""
        window, width, height = self._window, self._window.width(), self._window.height()
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        low = height < LOW
        for names, shares, way in (
            (("timeline",), ((100 if low else 124) / height,), down),
            (("events", "surface", "inspector"), (0.31, 0.49, 0.2), across),
            (("events", "token"), (0.48, 0.32), down),
            (("surface", "history"), (0.53, 0.25) if low else (0.52, 0.28), down),
            (("inspector", "calls"), (0.52, 0.28), down),
        ):
            whole = width if way == across else height
            window.resizeDocks([self.docks[name] for name in names], [int(whole * share) for share in shares], way)

    def keep_timeline(self, change: Callable[[], object]) -> None:
        """Changes what is above the timeline, which stays as high as it is: Qt would give it the room of a bar that goes."""
        timeline, height, layout = self.docks["timeline"], self.docks["timeline"].height(), self._window.layout()
        change()
        if layout is None or not timeline.isVisible():
            return
        layout.activate()
        gained = timeline.height() - height
        columns = ([self.docks[name] for name in names if self.docks[name].isVisible()] for names in COLUMNS)
        if gained and (below := next(filter(None, columns), None)):
            heights = [dock.height() for dock in below]
            shares = [now + gained * now // sum(heights) for now in heights]
            shares[0] += sum(heights) + gained - sum(shares)
            self._window.resizeDocks([timeline, *below], [height, *shares], Qt.Orientation.Vertical)

    def show(self, visible: bool) -> None:
        for dock in self.docks.values():
            dock.setVisible(visible)

    def bring(self, name: str) -> None:
        """Shows a panel and gives it the keyboard."""
        dock, panel = self.docks[name], self.panels[name]
        dock.show()
        dock.raise_()
        lists = [child for child in panel.findChildren(QWidget) if _takes_keys(child)]
        target = panel.first_for_keys() or min(lists, key=lambda child: _reading_order(child, panel), default=panel)
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def next_stop(self, widget: QWidget | None, forward: bool) -> QWidget | None:
        """The next widget of the window that takes the keyboard with Tab and can be seen; None: there is no other.

        Qt keeps panels behind other tabs visible, outside the window.
        """
        start = stop = widget or self._window
        behind = [panel for panel in self.panels.values() if not panel.raised]
        while True:
            following = stop.nextInFocusChain() if forward else stop.previousInFocusChain()
            if following is None or following is start:
                return None
            stop = following
            takes = stop.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus and stop.focusProxy() is None
            if not (takes and stop.isEnabled() and stop.isVisibleTo(self._window) and stop.window() is self._window):
                continue
            if not any(panel.isAncestorOf(stop) for panel in behind):
                return stop

    def _set_titles(self) -> None:
        for name, dock in self.docks.items():
            tabbed = bool(self._window.tabifiedDockWidgets(dock)) and not dock.isFloating()
            wanted: QWidget = self._blanks[name] if tabbed else self._titles[name]
            if dock.titleBarWidget() is not wanted:
                dock.setTitleBarWidget(wanted)
                wanted.show()
        for bar in self._window.findChildren(QTabBar):
            bar.setExpanding(False)
            bar.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)


def _reading_order(widget: QWidget, panel: QWidget) -> tuple[int, int]:
    """Line by line; Qt keeps children in the order in which they cover each other."""
    corner = widget.mapTo(panel, widget.rect().topLeft())
    return corner.y(), corner.x()


def _takes_keys(widget: QWidget) -> bool:
    wants = widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
    return (wants and widget.isVisible() and not isinstance(widget, QTabBar) and widget.inherits("QAbstractScrollArea")) or (
        wants and widget.isVisible() and widget.metaObject().className() in ("PictureView", "TimelineStrip")
    )
