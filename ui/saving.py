"""Files that the window writes: surfaces, textures, captures of some frames, programs, reports."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QFileDialog

from core.errors import BadInput
from inspector.exports.formats import Format, formats
from inspector.exports.parts import WHOLE, handles_of, save_parts
from inspector.exports.report import PICTURES
from inspector.exports.report_kinds import report_of
from inspector.exports.textures import FORMS, save_textures
from inspector.files import unused_name, write_bytes, write_file
from inspector.focus import Focus
from inspector.player import standalone
from inspector.query.objects.textures import UsedTextures
from inspector.samples import is_shipped
from inspector.trimming import trim
from ui.ask import Progress
from ui.choosing import ChoiceDialog, RangeDialog
from ui.files import ask_where
from ui.reporting import BUNDLE, ReportDialog, Wanted
from ui.words import counting

if TYPE_CHECKING:
    from inspector.capture import Capture
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
        title = "Save the surface as shown or as stored"
        if (where := self._ask(title, f"{name[:100]}.png", "picture", "deep", "surface", "slice")) is None:
            return
        path, form = where
        if form.kind != "picture":
            part = focus.surface if form.kind == "surface" else focus.where
            self._write("save surface", path, lambda _: form.make(capture.moment(focus.event, focus.primitive), part))
        else:
            self._write("save surface", path, lambda _: form.make(image))

    def surfaces(self) -> None:
        """Every part of this surface, or of all that the event or its frame uses, into a new folder."""
        window, capture, focus = self._window, self._window.desk.capture, self._window.desk.focus.focus
        if capture is None or not len(capture.events):
            window.say("There is no image to save.", "note")
            return
        title = f"Save all surfaces, after event {focus.event}"
        forms = list(formats("picture", "slice", "deep"))
        words = {str(n): f"{row.name} (*{row.suffix}): {row.holds}" for n, row in enumerate(forms)}
        dialog = ChoiceDialog(window, title, WHOLE, words)
        dialog.accepted.connect(lambda: self._save_surfaces(dialog.chosen, forms[int(dialog.form)], focus))
        dialog.open()

    def _save_surfaces(self, which: str, form: Format, focus: Focus) -> None:
        window, capture = self._window, cast("Capture | None", self._window.desk.capture)
        if capture is None or (folder := self._new_folder("surfaces", f"event-{focus.event}-surfaces")) is None:
            return

        def question(progress: Progress) -> int:
            handles = handles_of(capture, which, focus.event, focus.surface)
            return len(save_parts(capture, focus.event, handles, form, folder, progress))

        window.desk.ask("save surfaces", question, lambda count: window.say_saved(folder, f"{count} files in {folder}"))

    def textures(self) -> None:
        """Every texture that the capture or the frame samples, once, with an index of its uses."""
        window, capture, focus = self._window, self._window.desk.capture, self._window.desk.focus.focus
        if capture is None or not len(capture.events):
            window.say("There is no texture to save.", "note")
            return
        frame, number = capture.frame_at(focus.event), capture.frame_of(focus.event)
        choices = {"capture": "All textures that the capture uses", "frame": f"All textures that frame {number} uses"}
        spans = {"capture": (0, None), "frame": (frame.first_event, frame.last_event)}
        dialog = ChoiceDialog(window, "Save all textures", choices, FORMS)
        dialog.accepted.connect(lambda: self._save_textures(UsedTextures(*spans[dialog.chosen]), dialog.form))
        dialog.open()

    def _save_textures(self, wanted: UsedTextures, form: str) -> None:
        window, capture = self._window, cast("Capture | None", self._window.desk.capture)
        if capture is None or (folder := self._new_folder("textures", "textures")) is None:
            return

        def question(progress: Progress) -> tuple[int, int]:
            found = capture.ask(wanted)
            return len(found), save_textures(capture, found, folder, form, progress)

        def saved(counts: tuple[int, int]) -> None:
            textures, files = counting(counts[0], "texture"), counting(counts[1], "file")
            window.say_saved(folder, f"{textures} in {files}, with index.csv, in {folder}")

        window.desk.ask("save textures", question, saved)

    def frames(self) -> None:
        """Some frames as a capture of their own, which draws the same."""
        window, capture = self._window, self._window.desk.capture
        if capture is None or not len(capture.events):
            window.say("There is no frame to save.", "note")
            return
        frame, last = capture.frame_of(window.desk.focus.focus.event), len(capture.all_frames) - 1
        dialog = RangeDialog(window, f"Save frames (0 to {last}) as a capture", frame, last)
        dialog.accepted.connect(lambda: self._save_frames(*dialog.range, dialog.calls.isChecked()))
        dialog.open()

    def _save_frames(self, first: int, last: int, api_calls: bool) -> None:
        window, capture = self._window, cast("Capture | None", self._window.desk.capture)
        if capture is None:
            return
        which = f"frame-{first}" if first == last else f"frames-{first}-{last}"
        where = self._ask("Save the frames", f"{Path(capture.title).stem}-{which}.ddicap", "frames")
        if where is None:
            return
        path, _ = where

        def question(progress: Progress) -> list[int]:
            return trim(capture, path, first, last, api_calls, progress=progress)[1]

        def saved(wrong: list[int]) -> None:
            window.say_saved(path, f"{path}; it does not draw the same" if wrong else "")

        window.desk.ask("save frames", question, saved)

    def program(self) -> None:
        """The event or its frame as a Python program that draws it again."""
        window, capture, focus = self._window, self._window.desk.capture, self._window.desk.focus.focus
        if capture is None or not len(capture.events):
            window.say("There is no event to save.", "note")
            return
        frame = capture.frame_at(focus.event)
        number = capture.frame_of(focus.event)
        words = {
            "event": f"Event {focus.event}: {capture.name(focus.event)}",
            "frame": f"Frame {number}: events {frame.first_event} to {frame.last_event}",
        }
        spans = {"event": (focus.event, focus.event), "frame": (frame.first_event, frame.last_event)}
        dialog = ChoiceDialog(window, "Save as a Python program that draws it again", words)
        dialog.accepted.connect(lambda: self._save_program(capture, dialog.chosen, *spans[dialog.chosen]))
        dialog.open()

    def _save_program(self, capture: CaptureView, which: str, first: int, last: int) -> None:
        number = first if which == "event" else capture.frame_of(last)
        where = self._ask("Save the program", f"{Path(capture.title).stem}-{which}-{number}.py", "program")
        if where is None:
            return
        path, form = where

        def question(progress: Progress) -> bool:
            text, same = standalone(cast("Capture", capture), first, last, progress)
            write_bytes(path, form.make(text))
            return same

        def saved(same: bool) -> None:
            self._window.say_saved(path, f"{path}" if same else f"{path}; it does not draw the same")

        self._window.desk.ask("save program", question, saved)

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

    def _new_folder(self, what: str, name: str) -> Path | None:
        """A folder that does not exist yet, in one that is chosen; None if none was."""
        window, capture = self._window, self._window.desk.capture
        place = QFileDialog.getExistingDirectory(window, f"Save the {what} in a new folder in", str(self.folder()))
        if not place or capture is None:
            return None
        self.keep_folder(Path(place))
        return unused_name(Path(place, f"{Path(capture.title).stem}-{name}"))

    def folder(self) -> Path:
        """Where something was saved last; the first time beside the capture, or at home if that is a sample."""
        kept = self._window.settings.kept("saving/folder", "")
        return Path(kept) if kept and Path(kept).is_dir() else self.beside()

    def has_saved(self, path: Path) -> None:
        """A list of the window has written a file."""
        self._window.say_saved(path)

    def refused(self, sentence: str) -> None:
        """A list of the window could not write a file."""
        self._window.desk.ask.failed.emit("save rows", sentence)

    def keep_folder(self, folder: Path) -> None:
        """Something is saved there."""
        self._window.settings.keep("saving/folder", str(folder))

    def beside(self) -> Path:
        """The folder of the capture, or home if that is a sample or cannot be written to."""
        capture = self._window.desk.capture
        beside = Path(capture.path).resolve().parent if capture is not None and not is_shipped(capture.path) else Path.home()
        return beside if os.access(beside, os.W_OK) else Path.home()

    def _ask(self, title: str, name: str, *kinds: str) -> tuple[Path, Format] | None:
        try:
            return ask_where(self._window, title, name, *kinds)
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
