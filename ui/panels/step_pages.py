"""The pages next to the steps: registers, the quad, a value over the primitive, origins of values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget

from inspector.focus import Focus
from inspector.query.steps.origins import Origin, OriginsOf
from inspector.query.steps.quad import Quad, QuadAt
from inspector.query.steps.run import Run
from inspector.query.steps.spread import SpreadOf
from inspector.view import CaptureView
from ui.panels.panel import as_sentence
from ui.panels.step_views import OriginTable, QuadTable, SpreadView, quad_text
from ui.widgets.controls import one_of, tool
from ui.widgets.tables import Table

if TYPE_CHECKING:
    from ui.panels.stepping import SteppingPanel

PAGES = {
    "Registers": "What the step reads and writes",
    "Quad": "The 2 × 2 pixels around it, with differences and levels of detail",
    "Primitive": "One value over the whole primitive, as an image",
    "Origins": "Where a value comes from, step by step",
}
REGISTERS, QUAD, PRIMITIVE, ORIGINS = range(4)
READ_AS = {"diffuse": "v0", "specular": "v1"}
"""The registers that pixel shaders have interpolants in."""
ONLY_PIXELS = "This page is about a pixel: pick one in the Surface panel."


class StepPages(QStackedWidget):
    """`tabs`: buttons that choose among the pages; where there is no room for steps and pages, `list` chooses the steps."""

    wanted = Signal(bool)
    """A page was chosen, not the steps, which are in its place where there is no room for both."""

    def __init__(self, panel: SteppingPanel, registers: Table) -> None:
        super().__init__()
        self._panel = panel
        self.origin_name = ""
        """The value whose origins are listed."""
        self._asked_at: dict[Focus, str] = {}  # for the way back
        self.quad, self.spread, self.origins = QuadTable(panel), SpreadView(), OriginTable(panel)
        self.spread.wanted.connect(lambda _: self._ask())
        self.spread.picked.connect(lambda x, y: panel.go("pixel", pixel=(x, y)))
        self.origins.followed.connect(self.follow)
        self.tabs = [
            tool(f"{text} beside the steps", about, text=text, checkable=True, checked=not n)
            for n, (text, about) in enumerate(PAGES.items())
        ]
        self.list = tool("Steps instead of their values", "The steps and what each leaves", text="List", checkable=True)
        one_of(self, *self.tabs, self.list).idClicked.connect(self._chosen)
        for button in (*self.tabs, self.list):
            button.setObjectName("dense")
        self.list.hide()
        for page in (registers, self.quad, self.spread, self.origins):
            self.addWidget(page)

    def crowd(self, crowded: bool) -> None:
        """There is no room for steps and pages, or there is again; of registers, the steps say enough."""
        self.list.setVisible(crowded)
        as_list = crowded and self.currentIndex() == REGISTERS
        (self.list if as_list else self.tabs[self.currentIndex()]).setChecked(True)
        self.wanted.emit(not as_list)

    def _chosen(self, number: int) -> None:
        if number < len(PAGES):
            self.show_page(number)
        else:
            self.wanted.emit(False)

    def show_page(self, number: int, name: str = "") -> None:
        """One of PAGES; of the primitive and the origins, this value."""
        self.tabs[number].setChecked(True)
        self.wanted.emit(True)
        self.setCurrentIndex(number)
        run = self._panel.run
        if number == ORIGINS:
            self.origin_name = self._asked_at[self._panel.desk.focus.focus] = name or self.origin_name
        elif run is not None and run.steps:
            self.spread.offer(run.steps[self._panel.at], name)
        self._ask()

    def set_of_pixel(self, pixel: bool) -> None:
        """Vertices have neither a quad nor a primitive."""
        if not pixel and self.currentIndex() in (QUAD, PRIMITIVE):
            self.show_page(REGISTERS)

    def come_to(self, run: Run, at: int) -> None:
        """Another step, or another run."""
        self.spread.offer(run.steps[at])
        self._ask()

    def follow(self, origin: Origin) -> None:
        """Goes to what a value comes from, and asks on from there if it leads on."""
        panel = self._panel
        if origin.kind == "step" and origin.step is not None:
            self.origin_name = origin.leads_to
            panel.go(step=origin.step)
        elif origin.kind == "vertex" or (origin.kind == "fragment" and origin.primitive is not None):
            corner = origin.kind == "vertex"
            self.origin_name, panel.to_end = origin.leads_to, True
            place: dict[str, Any] = {"vertex": origin.vertex} if corner else {"primitive": origin.primitive}
            panel.go(event=origin.event, **place, step=None)
            panel.choose(not corner)
            self.show_page(ORIGINS, origin.leads_to)
        elif origin.texel is not None:
            surface, level, face, slice, x, y = origin.texel
            panel.go(surface=surface, level=level, face=face, slice=slice, sample=None, pixel=(x, y))
        elif origin.event == panel.desk.focus.focus.event:  # the call's own memory
            panel.desk.wanted.emit("panel", "token")
        elif origin.event is not None:
            panel.go(event=origin.event)

    def forget(self) -> None:
        """Of another capture, nothing has been asked."""
        self.origin_name = ""
        self._asked_at.clear()

    def clear(self) -> None:
        self.quad.show_quad(None)
        self.spread.say("")
        self.origins.show_origins("", ())

    def _ask(self) -> None:
        """Asks what the page that is shown needs."""
        panel, page = self._panel, self.currentIndex()
        run, view, pixel = panel.run, panel.asked_of, panel.desk.focus.focus.pixel
        panel.formula.setText(run.steps[panel.at].note if run is not None and run.steps else "")
        if run is None or view is None or page == REGISTERS:
            return
        if page == ORIGINS:
            self._ask_origins(run, view, pixel)
        elif not panel.of_pixel or pixel is None:
            self.quad.placeholder = ONLY_PIXELS
            self.spread.say(ONLY_PIXELS)
        elif page == QUAD:
            quad = QuadAt(run.event, pixel[0], pixel[1], run.primitive)
            panel.desk.ask("quad", lambda progress: view.ask(quad, progress.stop.is_set), self._show_quad, self._no_quad)
        elif not self.spread.name:
            self.spread.say("This step has no value that an image can show; earlier ones have.")
        else:
            self._ask_spread(SpreadOf(run.event, pixel[0], pixel[1], panel.at, self.spread.name, run.primitive), view, pixel)

    def _ask_spread(self, asked: SpreadOf, view: CaptureView, pixel: tuple[int, int]) -> None:
        self._panel.desk.ask(
            "spread", lambda progress: view.ask(asked, progress.stop.is_set),
            lambda found: self.spread.show_spread(found, pixel), lambda error: self.spread.say(as_sentence(str(error))),
        )  # fmt: skip

    def _ask_origins(self, run: Run, view: CaptureView, pixel: tuple[int, int] | None) -> None:
        panel, step = self._panel, run.steps[self._panel.at]
        model = panel.desk.focus
        if model.travelled:
            self.origin_name = self._asked_at.get(model.focus, self.origin_name)
        self._asked_at[model.focus] = self.origin_name
        known = {value.name for one in run.steps[: panel.at + 1] for value in (*one.writes, *one.reads)}
        name, vertex = self.origin_name, panel.desk.focus.focus.vertex
        name = READ_AS.get(name, name) if run.listing and panel.of_pixel else name
        if name not in known:  # of another run, or of a later step
            name = next((value.name for value in (*step.writes, *step.reads)), "")
        if not name:
            self.origins.show_origins("", ())
            self.origins.placeholder = "This step has no values. Select another one, or a register."
            return
        asked = OriginsOf(run, panel.at, name, pixel if panel.of_pixel else None, None if panel.of_pixel else vertex)

        def fail(error: Any) -> None:
            self.origins.show_origins("", ())
            self.origins.placeholder = as_sentence(str(error))

        def show(found: Any) -> None:
            self.origins.show_origins(name, found)
            panel.formula.setText(f"Where {name} comes from:")

        panel.desk.ask("origins", lambda progress: view.ask(asked, progress.stop.is_set), show, fail)

    def _show_quad(self, quad: Quad) -> None:
        self.quad.show_quad(quad)
        self._panel.formula.setText(quad_text(quad))

    def _no_quad(self, error: Exception) -> None:
        self.quad.show_quad(None)
        self.quad.placeholder = as_sentence(str(error))
