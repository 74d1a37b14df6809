"""What the window writes to files: the surface it shows, a report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import BadInput
from inspector.exports.formats import Format
from inspector.exports.report import PICTURES
from inspector.files import write_bytes
from ui.ask import Progress
from ui.files import ask_where

if TYPE_CHECKING:
    from ui.window import Window


class Saving:
    """Asks where to, and has it made and written away from the GUI thread."""

    def __init__(self, window: Window) -> None:
        self._window = window

    def picture(self) -> None:
        """The surface that is shown."""
        window, focus = self._window, self._window.desk.focus.focus
        image, capture = window.surface.rgba(), window.desk.capture
        if image is None or capture is None:
            window.say("There is no image to save.", "note")
            return
        if (where := self._ask("Save the surface", f"event-{focus.event}.png", "picture", "surface", "slice")) is None:
            return
        path, form = where
        if form.kind != "picture":
            part = focus.surface if form.kind == "surface" else focus.where
            self._write("save surface", path, lambda _: form.make(capture.moment(focus.event, focus.primitive), part))
        else:
            self._write("save surface", path, lambda _: form.make(image))

    def report(self) -> None:
        """One page about the capture, with everything at the event one looks at."""
        window, capture, event = self._window, self._window.desk.capture, self._window.desk.focus.focus.event
        if capture is None:
            return
        name = f"{Path(capture.title).stem}-event-{event}.html"
        if (where := self._ask("Save a report", name, "report")) is not None:
            path, form = where
            self._write("save report", path, lambda progress: form.make(capture, event, PICTURES, progress))
            window.status.showMessage("Writing the report…", 2000)

    def _ask(self, title: str, name: str, *kinds: str) -> tuple[Path, Format] | None:
        try:
            return ask_where(self._window, title, name, *kinds)
        except BadInput as error:
            self._window.say(str(error))
            return None

    def _write(self, asker: str, path: Path, make: Callable[[Progress], bytes]) -> None:
        window = self._window

        def question(progress: Progress) -> None:
            write_bytes(path, make(progress))

        window.desk.ask(asker, question, lambda _: window.say_saved(path))
