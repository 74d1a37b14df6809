"""Hashes that check whether drawing is reproducible: of this run, with one thread, of another file, or saved before."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog

import inspector
from core.errors import BadInput
from inspector import DriverPictures, Verify
from inspector.files import write_bytes
from inspector.focus import Focus
from inspector.query.comparison.difference import SurfaceDifference
from inspector.query.comparison.driver_pictures import DriverPicture, sentence
from inspector.query.comparison.verify import PER, Hashes, Parting, Step, SurfacesApart, load_hashes, parting
from inspector.view import CaptureView
from ui.files import SUFFIXES, ask_where, near
from ui.models.table import Column, RowsModel
from ui.panels.driver_pictures import NO_PICTURES, Pictures
from ui.panels.panel import Panel
from ui.roles import LINK_ROLE, MARK_ROLE, TOKEN_ROLE
from ui.widgets.cells import ValueCell
from ui.widgets.controls import Choice, count_box, halves, label, strip, tool
from ui.widgets.facts import Fact, Facts, Section
from ui.widgets.folding import FoldingStrip
from ui.widgets.tables import Table
from ui.widgets.working import Working
from ui.words import counting

ALONE, THREADS, FILE = "Hashes of this run", "Compare one thread with all", "Compare with hashes or a capture…"
PICTURES = "Compare with the driver's pictures"
ASIDE = "verify"
AGAINST = f"Hashes and captures (*.json {' '.join(f'*{suffix}' for suffix in SUFFIXES)});;All files (*)"
NOTHING = """Hashes of all surfaces after every draw or frame: identical on every machine and with any number of threads.
Run checks this and finds the first event at which two runs differ."""
MOST_NAMED = 6
MOST_STEPS = 65535  # of a channel

T = TypeVar("T")


@dataclass(frozen=True)
class Verified:
    """Hashes of a run, those they were compared with, and the first difference."""

    hashes: Hashes
    theirs: Hashes | None = None
    against: str = ""
    where: Parting | None = None
    differences: tuple[SurfaceDifference, ...] = ()
    capture: bool = False
    """Whether it was another capture."""


class VerifyPanel(Panel):
    title, name = "Verify", "verify"
    depends = ()
    parted = Signal(str, str, str)
    """(another capture's path, event of this one, event of that one) to compare."""

    def build(self) -> None:
        self.found: Verified | None = None
        self.pictures: Pictures | None = None
        self._path = ""
        self.what = Choice("What to verify")
        self.what.addItems([ALONE, THREADS, FILE, PICTURES])
        self.what.setToolTip("What to compare the hashes of this run with")
        self.per = Choice("Hashes per")
        self.per.addItems([f"per {unit}" for unit in PER])
        self.per.setCurrentIndex(PER.index("draw"))
        self.per.setToolTip("When surfaces are hashed")
        self.tolerance = count_box("Steps that a channel may differ from the driver's pictures", "tolerance ")
        self.tolerance.setRange(0, MOST_STEPS)
        self.tolerance.hide()
        self.what.currentTextChanged.connect(self._choices)
        self.running = Working("Run", "Redraw the whole capture, in the background")
        self.running.asked.connect(self.run)
        self.running.stopped.connect(lambda: self.desk.ask.cancel(ASIDE))
        self.save = tool("Save the hashes", "Save the hashes as JSON, to compare other runs with", "save", text="Save…")
        self.save.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.save.clicked.connect(self.save_hashes)
        self.verdict = label(kind="muted")
        self.table = self._make_table()
        self.about = Facts("First difference")
        self.about.followed.connect(lambda event: self.go(event=event))
        self.compare = tool("Compare there", "Compare both captures at the first difference", text="Compare there")
        self.compare.clicked.connect(self._compare)
        self.pixel = tool(
            "Go to the pixel", "Go to the pixel that differs and the primitive that wrote it", text="Go to the pixel"
        )
        self.pixel.clicked.connect(self._go_to_pixel)
        controls = self.what, self.per, self.tolerance, self.running
        self.box.addWidget(FoldingStrip(controls, (self.save,), leaving=(self.save, self.tolerance, self.per)))
        self.split = halves(self.table, self.about, sizes=(240, 120), beside=(430, 230))
        self.box.addWidget(self.split)
        self.box.addWidget(strip(self.verdict, None, self.pixel, self.compare, name="foot"))
        self.desk.ask.aside_progressed.connect(self._progressed)
        self.clear()

    def _make_table(self) -> Table:
        roles = {LINK_ROLE: lambda step: step.event, MARK_ROLE: lambda step: "error" if self._parts(step) else None}
        faint, hashes = {TOKEN_ROLE: lambda _: "muted"}, {TOKEN_ROLE: lambda step: "error" if self._parts(step) else "text"}
        self.model = RowsModel(
            (
                Column("Event", lambda step: f"#{step.event}", roles),
                Column("Token", lambda step: self._name(step.event), faint),
                Column("Hash", hash_text, hashes),
                Column("Changed", changed_text, faint),
            ),
            self,
        )
        table = Table(self.model, "Hashes", (72, 170, 136, 150))
        cell = ValueCell(table)
        cell.followed.connect(lambda event: self.go(event=event))
        table.setItemDelegate(cell)
        table.activated_row.connect(lambda row: self.go(event=self.model.rows[row].event))
        return table

    def _progressed(self, asker: str, fraction: float) -> None:
        if asker == ASIDE:
            self.running.show_progress(fraction)
            if fraction == 1.0 and self.found is None:
                self.verdict.setText("")

    # Asking

    def run(self) -> None:
        """Verifies what is chosen; asks for the file first, if it takes one."""
        capture, what = self.desk.capture, self.what.currentText()
        path = self._choose() if what == FILE else ""
        if capture is None or (what == FILE and not path):
            return
        self._path, per, tolerance = path, PER[self.per.currentIndex()], self.tolerance.value()
        self.verdict.setText("Redrawing the capture…")

        def work() -> Generator[float, None, Verified | Pictures]:
            if what == PICTURES:
                return (yield from with_pictures(capture, tolerance))
            if what == THREADS:
                return (yield from with_threads(capture, per))
            return (yield from against_file(capture, per, Path(path)) if path else alone(capture, per))

        self.desk.ask.aside(ASIDE, work, self.display, lambda error: self.fail(str(error)))

    def _choices(self, what: str) -> None:
        """Hashes have a unit, pictures a tolerance."""
        self.per.setVisible(what != PICTURES)
        self.tolerance.setVisible(what == PICTURES)

    def _choose(self) -> str:
        return QFileDialog.getOpenFileName(self, "Compare with", near(self), AGAINST)[0]

    def display(self, answer: Verified | Pictures) -> None:
        self.pixel.hide()
        if isinstance(answer, Pictures):
            self._display_pictures(answer)
            return
        self.found, self.pictures = answer, None
        self.model.set_titles("Hash", "Changed")
        self.per.setCurrentIndex(PER.index(answer.hashes.per))
        self.model.set_rows(answer.hashes.steps)
        self.table.placeholder = "This capture draws nothing."
        self.save.setEnabled(True)
        where = answer.where
        self.compare.setVisible(answer.capture and where is not None and None not in (where.a, where.b))
        self.verdict.setText(verdict(answer))
        self._show_about(sections(answer, self._text))
        here = self.desk.focus.focus.event
        self.table.show_row(self._row_of(where.a if where and where.a is not None else here))

    def _display_pictures(self, answer: Pictures) -> None:
        self.clear()
        self.pictures = answer
        self.model.set_titles("Surface", "Difference")
        self.model.set_rows(answer.found)
        self.table.placeholder = NO_PICTURES
        self.verdict.setText(answer.verdict)
        self._show_about(answer.sections(self._text))
        self.pixel.setVisible(answer.first is not None)
        if answer.first is not None:
            self.table.show_row(answer.found.index(answer.first))

    def _show_about(self, sections: Sequence[Section]) -> None:
        self.about.show_sections(sections)
        self.split.set_empty(self.about, not sections)

    def _go_to_pixel(self) -> None:
        if self.pictures is not None and self.pictures.first is not None:
            self.go(**self.pictures.place())

    def fail(self, sentence: str) -> None:
        self.clear()
        self.table.placeholder = f"{sentence[:1].upper()}{sentence[1:]}"

    def clear(self) -> None:
        self.found = self.pictures = None
        self.model.set_titles("Hash", "Changed")
        self.model.set_rows([])
        self.pixel.hide()
        self._show_about(())
        self.table.placeholder = NOTHING
        self.verdict.setText("")
        self.save.setEnabled(False)
        self.compare.setVisible(False)

    def moved(self, new: Focus, old: Focus) -> None:
        self.table.show_row(self._row_of(new.event))

    def save_hashes(self) -> None:
        """Writes the hashes as `ddi-inspector verify -o` does."""
        try:
            where = ask_where(self, "Save the hashes", "hashes.json", "hashes")
        except BadInput as error:
            self.verdict.setText(str(error))
            return
        if where and self.found is not None:
            (path, form), hashes = where, self.found.hashes
            write = lambda _: write_bytes(path, form.make(hashes))  # noqa: E731
            self.desk.ask("verify.save", write, lambda _: self.desk.saved.emit(path, ""))

    # Showing

    def _row_of(self, event: int) -> int:
        """The last step at or before an event."""
        return bisect_right(self.model.rows, event, key=lambda step: step.event) - 1

    def _name(self, event: int) -> str:
        return self.desk.index.name(event) if self.desk.index else ""

    def _text(self, event: int) -> str:
        return str(self.desk.capture.text(event)) if self.desk.capture is not None else ""

    def _parts(self, step: Step | DriverPicture) -> bool:
        if isinstance(step, DriverPicture):
            return step.difference is not None
        return bool(self.found and self.found.where and self.found.where.a is not None and step.event >= self.found.where.a)

    def _compare(self) -> None:
        where = self.found.where if self.found else None
        if where is not None:
            self.parted.emit(self._path, f"event {where.a}", f"event {where.b}")


# What is done, piece by piece on the asking thread


def with_pictures(capture: CaptureView, tolerance: int = 0) -> Generator[float, None, Pictures]:
    """What is drawn here, against what the recorded driver had drawn; a channel may differ by `tolerance` steps."""
    return Pictures((yield from capture.in_pieces(DriverPictures(tolerance))), tolerance)


def _between(pieces: Generator[float, None, T], begin: float, end: float) -> Generator[float, None, T]:
    """The same work as a part of a longer one."""
    while True:
        try:
            fraction = next(pieces)
        except StopIteration as done:
            answer: T = done.value
            return answer
        yield begin + fraction * (end - begin)


def alone(capture: CaptureView, per: str) -> Generator[float, None, Verified]:
    """Hashes, compared with nothing."""
    return Verified((yield from capture.in_pieces(Verify(per))))


def with_threads(capture: CaptureView, per: str) -> Generator[float, None, Verified]:
    """One run with all threads and one with a single one."""
    many = yield from _between(capture.in_pieces(Verify(per)), 0.0, 0.5)
    one = yield from _between(capture.in_pieces(Verify(per, threads=1)), 0.5, 1.0)
    return Verified(many, one, "one thread", parting(many, one))


def against_file(capture: CaptureView, per: str, path: Path) -> Generator[float, None, Verified]:
    """This run against hashes that were saved, or against another capture."""
    if path.suffix == ".json":
        known = load_hashes(path)
        found = yield from capture.in_pieces(Verify(known.per))
        return Verified(found, known, path.name, parting(found, known))
    found = yield from _between(capture.in_pieces(Verify(per)), 0.0, 0.5)
    with inspector.open(path, budgets=capture.budgets) as other:
        theirs = yield from _between(other.in_pieces(Verify(per)), 0.5, 1.0)
        where = parting(found, theirs)
        return Verified(found, theirs, path.name, where, tuple(capture.ask(SurfacesApart(other, where))) if where else (), True)


# How it reads


def verdict(found: Verified) -> str:
    """In one sentence: how many hashes, and whether the runs are the same."""
    steps = found.hashes.steps
    counted = f"{len(steps):,} hashes per {found.hashes.per}" + (f", the last {steps[-1].total:016x}" if steps else "")
    if found.theirs is None:
        return counted
    if found.where is None:
        return f"{counted}. No difference from {found.against}."
    there = "" if found.where.a == found.where.b else f" | {_end(found.where.b)}"
    return f"First difference: {_end(found.where.a)}{there}."


def sections(found: Verified, text: Any) -> list[Section]:
    """Where two runs first differ, and the surfaces that differ there."""
    where = found.where
    if where is None:
        return [Section("No difference" if found.theirs else "Hashes", (Fact("", verdict(found)),))]
    place = [Fact("Here", _end(where.a), where.a), *([Fact("", text(where.a))] if where.a is not None else [])]
    place.append(Fact(found.against, _end(where.b)))
    boxes = {one.place: one for one in found.differences}
    facts = []
    for part in where.places:
        one = boxes.get(part)
        words = f"{counting(one.count, 'pixel')} in {' '.join(map(str, one.box))}, by up to {one.largest}" if one else "differs"
        facts.append(Fact(one.name if one else f"surface {part.handle}", words))
    return [Section("First difference", tuple(place)), Section("Surfaces that differ", tuple(facts))]


def _end(event: int | None) -> str:
    return "the end" if event is None else f"event {event}"


def hash_text(step: Step | DriverPicture) -> str:
    return str(step.where) if isinstance(step, DriverPicture) else f"{step.total:016x}"


def changed_text(step: Step | DriverPicture) -> str:
    """The surfaces that the step changed, by handle; how a driver's picture differs."""
    if isinstance(step, DriverPicture):
        return sentence(step)
    handles = list(dict.fromkeys(place.handle for place in sorted(step.changed)))
    more = f" and {len(handles) - MOST_NAMED} more" if len(handles) > MOST_NAMED else ""
    return " ".join(f"#{handle}" for handle in handles[:MOST_NAMED]) + more
