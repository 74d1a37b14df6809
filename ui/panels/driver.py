"""The driver: its capabilities, whether it is a DirectX 8 driver, and its presentations, stalls and renames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from inspector.focus import Focus
from inspector.query.driver.buffers import Renames, StallRow, Stalls
from inspector.query.driver.caps import FAILED, OK, DriverCaps, DriverReport, FormatRow
from inspector.query.driver.dxgi import DxgiResources, DxgiRow
from inspector.query.driver.patches import Patch, Patches
from inspector.query.driver.presentation import Presentation, Queue
from inspector.query.state.sets import StateSets
from inspector.view import CaptureView
from ui.ask import Progress
from ui.models.table import Column, RowsModel
from ui.panels.panel import Panel, Question
from ui.roles import LINK_ROLE, MARK_ROLE, TOKEN_ROLE
from ui.widgets.controls import Choice, halves, label, strip
from ui.widgets.plot import Plot, Steps
from ui.widgets.tables import Table
from ui.widgets.whole_value import with_whole_value
from ui.widgets.wrapping import Wrapping, WrappingCell

Look = Callable[[Any, int, Callable[[], bool]], tuple[str, Sequence[Any], Any]]
TOKENS = {OK: "good", FAILED: "error"}
MILLISECOND = 1000
LINES = 8
"""Of a cell at most: what needs more has one, and is shown whole below the table when its row is selected."""


@dataclass(frozen=True)
class View:
    """One thing to see: its columns and widths, and how it is asked for: (note, rows, what is plotted).

    stretched: columns that share the room there is, with the pixels that each gets at least; none: the last one takes it.
    wrapped: columns whose words have as many lines as they need.  of_event: whether it is another one at another event.
    """

    title: str
    columns: tuple[Column, ...]
    widths: tuple[int, ...]
    look: Look
    stretched: tuple[tuple[int, int], ...] = ()
    wrapped: tuple[int, ...] = ()
    of_event: bool = False


class DriverPanel(Panel):
    title, name = "Driver", "driver"

    def build(self) -> None:
        self._of: CaptureView | None = None  # the capture that the rows are of
        self.choice = Choice("Aspect of the driver")
        self.choice.addItems([view.title for view in VIEWS])
        self.choice.activated.connect(lambda _: self._choose())
        self.note = label(kind="muted")
        self.model = RowsModel(VIEWS[0].columns, self)
        self.table = self._make_table()
        self.plot = Plot("Frames waiting to be displayed, over time", "ms")
        self.plot.clicked.connect(self._go_to_time)
        self.plot.hide()
        self.box.addWidget(strip(self.choice, None, self.note))
        self.box.addWidget(halves(with_whole_value(self.table, 1, 2, 3), self.plot, sizes=(300, 200), beside=(380, 300)))

    def _make_table(self) -> Table:
        table = Table(self.model, "The driver", VIEWS[0].widths)
        cell = WrappingCell(table)
        cell.followed.connect(lambda event: self.go(event=int(event)))
        table.setItemDelegate(cell)
        self.wrapping = Wrapping(table, LINES)
        self._stretch(table)
        return table

    def _stretch(self, table: Table) -> None:
        table.stretch(*self.view.stretched)
        table.horizontalHeader().setStretchLastSection(not self.view.stretched)
        self.wrapping.wrap(*self.view.wrapped)

    @property
    def view(self) -> View:
        return VIEWS[self.choice.currentIndex()]

    def _choose(self) -> None:
        self.model.set_columns(self.view.columns)
        self._stretch(self.table)
        for column, width in enumerate(self.view.widths):
            self.table.setColumnWidth(column, max(width, self.table.horizontalHeader().sectionSizeHint(column)))
        self.plot.hide()
        self._of = None
        self.refresh()

    def refresh(self) -> None:
        """At another event only what is another one there."""
        if self.view.of_event or self._of is None or self._of is not self.desk.capture:
            super().refresh()

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        view = self.view
        return lambda progress: (view, capture, *_looked(view, capture, focus.event, progress))

    def display(self, answer: tuple[View, CaptureView, str, Sequence[Any], Any]) -> None:
        view, capture, note, rows, plotted = answer
        if view is not self.view:
            return  # its columns are those of another view by now
        self._of = capture
        self.note.setText(note)
        title = view.title if view.title[:2].isupper() else view.title[0].lower() + view.title[1:]
        self.table.placeholder = f"No {title} at this event." if view.of_event else f"This capture has no data on {title}."
        self.model.set_rows(list(rows))
        if plotted is not None:
            self._draw(plotted)

    def clear(self) -> None:
        self._of = None
        self.note.setText("")
        self.model.set_rows([])
        self.plot.hide()

    def _go_to_time(self, x: float) -> None:
        """To the present that was submitted nearest to a time in ms."""
        rows = [row for row in self.model.rows if _timed(row)] if self.view.look is _presented else []
        if rows:
            nearest = min(rows, key=lambda row: abs(row["submitted"] / MILLISECOND - x))
            self.go(event=int(nearest["event"]))

    def _draw(self, queue: Queue) -> None:
        """Frames waiting, one line per source."""
        lines = []
        for source in np.unique(queue.rows["source"]).tolist():
            times, waiting = queue.depth(source)
            if len(times):
                lines.append(Steps(f"#{source}", np.append(times, times[-1]) / MILLISECOND, waiting))
        self.plot.show_steps(lines, "waiting")
        self.plot.setVisible(any(line.edges[-1] > line.edges[0] for line in lines))


def _looked(view: View, capture: CaptureView, event: int, progress: Progress) -> tuple[str, Sequence[Any], Any]:
    return view.look(capture, event, progress.stop.is_set)


# ---- the views ---------------------------------------------------------------------------------------


def _report(rows: Callable[[DriverReport], Sequence[Any]]) -> Look:
    """A part of what the driver answered."""

    def look(capture: CaptureView, event: int, cancel: Callable[[], bool]) -> tuple[str, Sequence[Any], Any]:
        report = capture.ask(DriverCaps(), cancel)
        return f"The driver {report.verdict}", rows(report), None

    return look


def _presented(capture: CaptureView, event: int, cancel: Callable[[], bool]) -> tuple[str, Sequence[Any], Any]:
    queue = capture.ask(Presentation(), cancel)
    refused = int((queue.rows["refused"] > 0).sum())
    clock = "recorded times" if queue.recorded else "modelled times" if any(map(_timed, queue.rows)) else "no times"
    return f"{len(queue.rows):,} presents, {refused:,} refused at first, {clock}", list(queue.rows), queue


def _timed(row: Any) -> bool:
    """Whether it is known when a present was submitted and displayed; nothing answers that for those of DXGI."""
    return bool(row["submitted"] or row["shown"])


def _presented_from(row: Any) -> str:
    """Handles of DXGI are numbers of their own."""
    return f"{'DXGI ' if str(row['by']).startswith('DXGI') else '#'}{row['source']}"


def _stalls(capture: CaptureView, event: int, cancel: Callable[[], bool]) -> tuple[str, Sequence[Any], Any]:
    rows = capture.ask(Stalls(), cancel)
    older, later = (sum(getattr(row.verdict, name).stall for row in rows) for name in ("dx80", "dx81"))
    return f"{older:,} of {len(rows):,} DrawPrimitives2 calls stall with DirectX 8.0, {later:,} with 8.1 and later", rows, None


def _renames(capture: CaptureView, event: int, cancel: Callable[[], bool]) -> tuple[str, Sequence[Any], Any]:
    rows = capture.ask(Renames(), cancel)
    return f"{sum(row.renamed for row in rows):,} of {len(rows):,} locks renamed their buffer", rows, None


def _patches(capture: CaptureView, event: int, cancel: Callable[[], bool]) -> tuple[str, Sequence[Any], Any]:
    rows = capture.ask(Patches(event, gone=True), cancel)
    return f"{sum(row.deleted < 0 for row in rows):,} patches are cached at event {event}", rows, None


def _dxgi(capture: CaptureView, event: int, cancel: Callable[[], bool]) -> tuple[str, Sequence[Any], Any]:
    rows = capture.ask(DxgiResources(event), cancel)
    shown = [f"DXGI {row.handle}" for row in rows if row.scanned_out >= 0]
    return f"{', '.join(shown) or 'nothing'} is scanned out at event {event}", rows, None


def _sets(capture: CaptureView, event: int, cancel: Callable[[], bool]) -> tuple[str, Sequence[Any], Any]:
    sets = capture.ask(StateSets(event), cancel)
    rows = [(held.handle, entry) for held in sets for entry in held.entries]
    return f"{len(sets):,} state sets at event {event}, {len(rows):,} values", rows, None


def _names(row: DxgiRow) -> str:
    return "" if row.identity == row.handle else f"created as DXGI {row.identity}"


def _event_column(event: Callable[[Any], int]) -> Column:
    return Column("Event", lambda row: f"#{event(row)}" if event(row) >= 0 else "", {LINK_ROLE: event})


def _samples(row: FormatRow) -> str:
    parts = [f"{name} {_in_runs(counts)}" for name, counts in (("flip", row.flip_samples), ("blt", row.blt_samples)) if counts]
    return "; ".join(parts)


def _in_runs(counts: Sequence[int]) -> str:
    """Ascending numbers as in "2, 4 to 16"."""
    ends = [n for n, count in enumerate(counts) if n + 1 == len(counts) or counts[n + 1] != count + 1]
    runs = [counts[first : last + 1] for first, last in zip([0, *(end + 1 for end in ends)], ends, strict=False)]
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)


def _verdict(row: StallRow, dx80: bool) -> str:
    verdict = row.verdict.dx80 if dx80 else row.verdict.dx81
    return f"{'stalls' if verdict.stall else 'does not stall'}: {verdict.reason}"


def _info(row: Patch) -> str:
    return ", ".join(f"{name} {value}" for name, value in row.info.items())


def _milliseconds(name: str) -> Callable[[Any], str]:
    return lambda row: f"{row[name] / MILLISECOND:,.3f}" if _timed(row) else ""


FAINT = {TOKEN_ROLE: lambda _: "faint"}
CAPS = (
    Column("D3DCAPS8", lambda row: row.name),
    Column("Value", lambda row: f"{row.raw:#010x}"),
    Column("Meaning", lambda row: row.text),
    Column("Applications see", lambda row: row.seen if row.seen != row.text else ""),
)
CLAUSES = (
    Column("", lambda row: row.verdict, {TOKEN_ROLE: lambda row: TOKENS.get(row.verdict, "muted"),
                                         MARK_ROLE: lambda row: TOKENS.get(row.verdict)}),
    Column("Requirement", lambda row: row.sentence),
    Column("Found", lambda row: row.found),
    Column("Section", lambda row: row.section, FAINT),
)  # fmt: skip
FORMATS = (
    Column("Format", lambda row: row.name),
    Column("Style", lambda row: row.style, FAINT),
    Column("Operations", lambda row: row.operations),
    Column("Samples", _samples),
)
PRESENTED = (
    _event_column(lambda row: int(row["event"])),
    Column("Frame", lambda row: str(row["frame"])),
    Column("Source", _presented_from),
    Column("Method", lambda row: str(row["by"])),
    Column("Queued", lambda row: str(row["waiting"])),
    Column("Refused", lambda row: str(row["refused"]) if row["refused"] else ""),
    Column("Submitted (ms)", _milliseconds("submitted")),
    Column("Displayed (ms)", _milliseconds("shown")),
)
STALLED = (
    _event_column(lambda row: row.event),
    Column("Vertices", lambda row: row.verdict.vertices + (f" #{row.verdict.buffer}" if row.verdict.buffer else "")),
    Column("DirectX 8.0", lambda row: _verdict(row, True)),
    Column("DirectX 8.1 and later", lambda row: _verdict(row, False)),
    Column("The driver", lambda row: {True: "stalled", False: "did not stall", None: ""}[row.stalled]),
)
RENAMED = (
    _event_column(lambda row: row.event),
    Column("Buffer", lambda row: f"#{row.buffer}"),
    Column("Discards", lambda row: "DISCARDCONTENTS" if row.discards else ""),
    Column("Renamed", lambda row: "renamed" if row.renamed else ""),
    Column("fpVidMem", lambda row: f"{row.vid_mem:#010x}"),
    Column("fpHeapOffset", lambda row: f"{row.heap_offset:#010x}"),
)
KEPT = (
    Column("Handle", lambda row: str(row.handle)),
    Column("Kind", lambda row: row.kind),
    Column("Defined", lambda row: ", ".join(f"#{event}" for event in row.defined), {LINK_ROLE: lambda row: row.defined[-1]}),
    Column("Drawn", lambda row: f"{len(row.drawn):,} times"),
    Column("Deleted", lambda row: f"#{row.deleted}" if row.deleted >= 0 else ""),
    Column("Control points", _info),
)
DXGI = (
    Column("Resource", lambda row: f"DXGI {row.handle}"),
    Column("Names now", _names, {TOKEN_ROLE: lambda _: "changed"}),
    Column("Format", lambda row: row.format),
    Column("Size", lambda row: f"{row.width} × {row.height}" + (f"  {row.samples}x" if row.samples > 1 else "")),
    Column("Priority", lambda row: row.priority_text),
    Column("Residency", lambda row: row.residency),
    Column("Scanned out", lambda row: "" if row.scanned_out < 0 else f"picture {row.scanned_out}"),
    Column("Views", lambda row: ", ".join(map(str, row.views))),
)
SETS = (
    Column("Set", lambda row: str(row[0])),
    Column("Stage", lambda row: row[1].stage.replace("_", " "), FAINT),
    Column("State", lambda row: row[1].name),
    Column("Value", lambda row: row[1].text),
    Column("Differs", lambda row: "other than now" if row[1].differs else "", {TOKEN_ROLE: lambda _: "changed"}),
)
SHARED = (1, 200), (2, 100), (3, 170)
"""Of the room for requirements, so that their rows have two or three lines in a narrow panel."""
VIEWS = (
    View("Requirements", CLAUSES, (84, 420, 200), _report(lambda report: report.clauses), SHARED, (1, 2, 3)),
    View("Capabilities", CAPS, (170, 90, 480), _report(lambda report: report.caps), ((2, 170), (3, 120)), (2, 3)),
    View(
        "Formats",
        FORMATS,
        (120, 50, 480),
        _report(lambda report: (*report.formats, *report.legacy)),
        ((2, 200), (3, 110)),
        (2, 3),
    ),
    View("Presentation", PRESENTED, (76, 50, 68, 104, 60, 60, 104), _presented),
    View("Vertex buffer stalls", STALLED, (76, 90, 260, 260, 100), _stalls, ((2, 130), (3, 130)), (2, 3)),
    View("Buffer renaming", RENAMED, (76, 60, 130, 80, 100), _renames),
    View("Patches", KEPT, (60, 80, 90, 80, 80), _patches, of_event=True),
    View("State sets", SETS, (44, 110, 170, 150, 116), _sets, ((3, 90),), of_event=True),
    View("DXGI resources", DXGI, (76, 150, 160, 78, 66, 190, 92), _dxgi, ((1, 104), (5, 112), (7, 60)), (1, 5, 7), True),
)
