"""What the window writes to files: the picture as PNG, a surface as DDS, a report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from core.errors import BadInput
from inspector.exports.dds import dds
from inspector.exports.report import report
from ui.ask import Progress

if TYPE_CHECKING:
    from ui.window import Window

PICTURES = "PNG, as it is shown (*.png);;DDS, all levels and faces as stored (*.dds)"


class Saving:
    """Asks where to, and has it made and written away from the GUI thread."""

    def __init__(self, window: Window) -> None:
        self._window = window

    def picture(self) -> None:
        """The surface that is shown."""
        window, focus = self._window, self._window.desk.focus.focus
        image, capture = window.surface.image(), window.desk.capture
        if image is None:
            window.say("There is no picture to save.", "note")
            return
        path = self._path("Save the surface", f"event-{focus.event}.png", PICTURES)
        if path is None:
            return
        if path.suffix.lower() == ".dds":
            self._write("save surface", path, lambda _: dds(capture.moment(focus.event, focus.primitive), focus.surface))
        elif not image.save(str(path)):
            window.say(f"{path} could not be written.")

    def report(self) -> None:
        """One page about the capture, with everything at the event one looks at."""
        window, capture, event = self._window, self._window.desk.capture, self._window.desk.focus.focus.event
        name = f"{Path(capture.title).stem}-event-{event}.html"
        if (path := self._path("Save a report", name, "HTML (*.html)")) is not None:
            self._write("save report", path, lambda progress: report(capture, event, progress=progress).encode())
            window.status.showMessage("Writing the report…", 2000)

    def _path(self, title: str, name: str, kinds: str) -> Path | None:
        path, _ = QFileDialog.getSaveFileName(self._window, title, name, kinds)
        return Path(path) if path else None

    def _write(self, asker: str, path: Path, make: Callable[[Progress], bytes]) -> None:
        window = self._window

        def question(progress: Progress) -> None:
            made = make(progress)
            try:
                path.write_bytes(made)
            except OSError as error:
                raise BadInput(f"{path}: cannot be written: {error.strerror or error}") from error

        window.desk.ask(asker, question, lambda _: window.say(f"{path} is written.", "note"))
