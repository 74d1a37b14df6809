"""Files that the window writes: the surface it shows, reports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import BadInput
from inspector.exports.formats import Format
from inspector.exports.report import PICTURES
from inspector.exports.report_kinds import report_of
from inspector.files import write_bytes, write_file
from inspector.focus import Focus
from ui.ask import Progress
from ui.files import ask_where
from ui.reporting import BUNDLE, ReportDialog, Wanted

if TYPE_CHECKING:
    from inspector.view import CaptureView
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
        name = f"{Path(capture.title).stem}-event-{focus.event}-{window.surface.words}".rstrip("-")
        title = "Save the surface: as shown (PNG, TGA, BMP), or as stored (PNG of 16 bits, DDS, TIFF, NPY, raw)"
        if (where := self._ask(title, f"{name[:100]}.png", "picture", "deep", "surface", "slice")) is None:
            return
        path, form = where
        if form.kind != "picture":
            part = focus.surface if form.kind == "surface" else focus.where
            self._write("save surface", path, lambda _: form.make(capture.moment(focus.event, focus.primitive), part))
        else:
            self._write("save surface", path, lambda _: form.make(image))

    def report(self) -> None:
        """A report of a kind that the dialog asks for."""
        window, capture, focus = self._window, self._window.desk.capture, self._window.desk.focus.focus
        if capture is None:
            return
        dialog = ReportDialog(window, focus, capture.frame_of(focus.event) if len(capture.events) else 0)
        dialog.accepted.connect(lambda: self._save_report(dialog.wanted, focus))
        dialog.open()

    def _save_report(self, wanted: Wanted, focus: Focus) -> None:
        window, capture = self._window, self._window.desk.capture
        if capture is None:
            return
        stem = f"{Path(capture.title).stem}-{wanted.kind}-event-{focus.event}"
        if wanted.kind == BUNDLE:
            if (where := self._ask("Save the bug bundle", f"{stem}.zip", BUNDLE)) is not None:
                path, form = where
                self._write_file("save report", path, lambda part, say: form.make(capture, part, focus, wanted.note, say))
        elif (where := self._ask("Save the report", f"{stem}.html", "report")) is not None:
            path, _ = where
            self._write("save report", path, lambda progress: page_of(capture, wanted, focus, progress))
        if where is not None:
            window.status.showMessage("Writing the report…", 2000)

    def _ask(self, title: str, name: str, *kinds: str) -> tuple[Path, Format] | None:
        settings = self._window.settings
        folder = Path(settings.kept("saving/folder", ""))
        try:
            where = ask_where(self._window, title, str(folder / name) if folder.is_dir() else name, *kinds)
            if where is not None:
                settings.keep("saving/folder", str(where[0].resolve().parent))
            return where
        except BadInput as error:
            self._window.say(str(error))
            return None

    def _write_file(self, asker: str, path: Path, make: Callable[[Path, Progress], object]) -> None:
        window = self._window

        def question(progress: Progress) -> None:
            write_file(path, lambda part: make(part, progress))

        window.desk.ask(asker, question, lambda _: window.say_saved(path))

    def _write(self, asker: str, path: Path, make: Callable[[Progress], bytes]) -> None:
        window = self._window

        def question(progress: Progress) -> None:
            write_bytes(path, make(progress))

        window.desk.ask(asker, question, lambda _: window.say_saved(path))


def page_of(capture: CaptureView, wanted: Wanted, focus: Focus, progress: Progress) -> bytes:
    """The page of a report of one kind."""
    return report_of(wanted.kind, capture, focus, progress, True, PICTURES, None, wanted.sides).encode()
