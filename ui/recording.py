"""Record a program: a form, and the progress of the recording.  The trace opens when the program ends or is stopped."""

from __future__ import annotations

import os
import shlex
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.errors import BadInput
from inspector.launch.building import Say
from inspector.launch.program import read_program
from inspector.launch.session import Recording, Request, free_name, variables
from inspector.launch.tracer import APITRACE, OURS
from ui.widgets.controls import Choice, spoken
from ui.widgets.plain import PlainLabel
from ui.widgets.step_box import StepBox

if TYPE_CHECKING:
    from ui.window import Window

RECORDERS = (("apitrace if found, else our own", ""), ("our own", OURS), ("apitrace", APITRACE))
MOST_FRAMES = 10_000
WHICH_PROGRAM = "the .exe that draws, not its launcher"
INTERVAL = 0.5
"""Seconds between two looks at the trace."""
SLOWEST = 1.0
"""Seconds that a thread may take from its last signal to its end."""

Make = Callable[[Request, Say], Recording]


class Recorder(QObject):
    """A recording on a thread of its own.  Signals: what it has so far; the trace when it is over, or a sentence."""

    progressed = Signal(str)
    finished = Signal(object)
    failed = Signal(str)

    def __init__(self, request: Request, make: Make = Recording) -> None:
        super().__init__()
        self._request, self._make = request, make
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)

    @property
    def output(self) -> Path:
        """The trace."""
        return self._request.output

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Has the program close its window; `finished` follows."""
        self._stop.set()

    def wait(self, seconds: float) -> None:
        self._thread.join(seconds)

    def _run(self) -> None:
        try:
            recording = self._make(self._request, self._say)
        except BadInput as error:
            self.failed.emit(str(error))
            return
        try:
            size = self._follow(recording)
        finally:
            recording.close()
        if size:
            self.finished.emit(self._request.output)
        else:
            self.failed.emit(f"nothing was recorded: {recording.why_nothing()}")

    def _say(self, sentence: str) -> None:
        self.progressed.emit(sentence[:1].upper() + sentence[1:])

    def _follow(self, recording: Recording) -> int:
        """Until the program has ended; bytes of the trace."""
        while not recording.ended:
            self.progressed.emit(recording.poll().text())
            if self._stop.wait(INTERVAL):
                recording.stop()
                break
        return recording.poll().size


class RecordDialog(QDialog):
    """Program, arguments, folder, environment, recorder, frames and the trace; the programs recorded last fill the form.

    Closed while a program is recorded, it goes on: the trace opens when the program ends; what it has so far, at any time.
    """

    def __init__(self, window: Window, make: Make = Recording) -> None:
        super().__init__(window)
        self.setWindowTitle("Record a program")
        self._window, self._make = window, make
        self.recorder: Recorder | None = None
        self.program = Choice("Program")
        self.program.setEditable(True)
        self.program.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)  # rows are what was recorded before
        self.about = PlainLabel()
        self.about.setObjectName("muted")
        self.arguments = spoken(QLineEdit(), "Arguments")
        self.folder = spoken(QLineEdit(), "Folder")
        self.folder.setPlaceholderText("the program's own")
        self.environment = spoken(QPlainTextEdit(), "Environment variables")
        self.environment.setPlaceholderText("NAME=VALUE, one per line")
        self.environment.setFixedHeight(64)
        self.kind = Choice("Recorder")
        for text, kind in RECORDERS:
            self.kind.addItem(text, kind)
        self.frames = spoken(QLineEdit(), "Frames")
        self.frames.setPlaceholderText("all, or 100-102")
        self.key = spoken(QLineEdit(), "Key that records")
        self.key.setPlaceholderText("F12")
        self.key.setMaximumWidth(72)
        self.count = spoken(StepBox(), "Frames per press")
        self.count.setRange(1, MOST_FRAMES)
        self.count.lineEdit().setTextMargins(6, 0, 2, 0)
        self.tracer = spoken(QLineEdit(), "apitrace")
        self.tracer.setPlaceholderText("the folder of apitrace, or its d3d8.dll")
        self.trace = spoken(QLineEdit(), "Trace")
        self.status = PlainLabel("The trace opens when the program ends.")
        self.status.setObjectName("muted")
        self.status.setWordWrap(True)
        buttons = QDialogButtonBox()
        self.start_button = buttons.addButton("Record", QDialogButtonBox.ButtonRole.ActionRole)
        self.open_button = buttons.addButton("Open so far", QDialogButtonBox.ButtonRole.ActionRole)
        self.open_button.setToolTip("Opens the frames recorded so far, and follows the trace as it grows; recording continues")
        self.stop_button = buttons.addButton("Stop and open", QDialogButtonBox.ButtonRole.ActionRole)
        self.close_button = buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self._lay_out(buttons)
        self._look("")
        self.start_button.setDefault(True)
        self.start_button.clicked.connect(self.start)
        self.open_button.clicked.connect(self.open_so_far)
        self.stop_button.clicked.connect(self.stop)
        self.close_button.clicked.connect(self.reject)
        self._fill_recent()
        self._set_enabled()
        self.resize(640, self.sizeHint().height())

    def _lay_out(self, buttons: QDialogButtonBox) -> None:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow("Program", self._with_browse(self.program, self._browse_program))
        form.addRow("", self.about)
        form.addRow("Arguments", self.arguments)
        form.addRow("Folder", self._with_browse(self.folder, lambda: self._browse_folder(self.folder)))
        form.addRow("Environment", self.environment)
        form.addRow("Recorder", self.kind)
        form.addRow("Frames", self._frames_row())
        form.addRow("apitrace", self._with_browse(self.tracer, lambda: self._browse_folder(self.tracer)))
        form.addRow("Trace", self._with_browse(self.trace, self._browse_trace))
        box = QVBoxLayout(self)
        box.addLayout(form)
        box.addWidget(self.status)
        box.addWidget(buttons)

    def _with_browse(self, edit: QWidget, browse: Callable[[], object]) -> QHBoxLayout:
        row = QHBoxLayout()
        button = spoken(QPushButton("Browse…"), f"Browse for {edit.accessibleName().lower()}")
        button.setAutoDefault(False)  # Enter in a field records
        button.clicked.connect(lambda: browse())
        row.addWidget(edit, 1)
        row.addWidget(button)
        return row

    def _frames_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addWidget(self.frames, 1)
        row.addWidget(PlainLabel("or on a key:"))
        row.addWidget(self.key)
        row.addWidget(PlainLabel("frames per press:"))
        row.addWidget(self.count)
        return row

    # -- the form ---------------------------------------------------------------------------------

    def _fill_recent(self) -> None:
        for row in self._window.settings.recordings:
            self.program.addItem(row["program"], row)
        self.program.setCurrentIndex(-1)
        self.program.activated.connect(lambda index: self._take(self.program.itemData(index)))
        self.program.editTextChanged.connect(self._look)
        if self.program.count():
            self.program.setCurrentIndex(0)
            self._take(self.program.itemData(0))

    def _take(self, row: dict[str, str]) -> None:
        """Fills the form as it was for a program."""
        for name in ("arguments", "folder", "tracer", "frames", "key"):
            getattr(self, name).setText(row.get(name, ""))
        self.kind.setCurrentIndex(max(0, self.kind.findData(row.get("kind", ""))))
        count = row.get("count", "")
        self.count.setValue(int(count) if count.isdecimal() and len(count) < 9 else 1)
        self.environment.setPlainText(row.get("environment", ""))
        self._look(row["program"])

    def _look(self, text: str) -> None:
        """Says what the program is, and proposes a name for the trace."""
        path, about = Path(text), "there is no such file" if text else WHICH_PROGRAM
        if path.is_file():
            try:
                about = read_program(path).text()
            except BadInput as error:
                about = str(error)
            self.trace.setText(str(free_name(path, self._traces())))
        self.about.setText(about)

    def _traces(self) -> Path:
        """Where traces are written unless one says otherwise: where the last one was."""
        before = Path(self.trace.text()).parent if self.trace.text() else None
        return before if before is not None and before.is_dir() else Path.home()

    def _browse_program(self) -> None:
        if path := QFileDialog.getOpenFileName(self, "Program", self.program.currentText(), "Programs (*.exe);;All files (*)")[
            0
        ]:
            self.program.setEditText(path)

    def _browse_folder(self, edit: QLineEdit) -> None:
        if path := QFileDialog.getExistingDirectory(self, edit.accessibleName(), edit.text()):
            edit.setText(path)

    def _browse_trace(self) -> None:
        if path := QFileDialog.getSaveFileName(self, "Trace", self.trace.text(), "Traces (*.trace)")[0]:
            self.trace.setText(path)

    def request(self) -> Request:
        """What the form says.  Raises BadInput."""
        program, folder, tracer = self.program.currentText(), self.folder.text(), self.tracer.text()
        if not program:
            raise BadInput("choose a program first")
        try:
            words = shlex.split(self.arguments.text(), posix=os.name != "nt")
        except ValueError as error:
            raise BadInput(f"arguments: {error}") from error
        key = self.key.text().strip()
        return Request(
            Path(program), words, Path(folder) if folder else None, variables(self.environment.toPlainText().splitlines()),
            Path(self.trace.text() or free_name(Path(program), Path.home())), Path(tracer) if tracer else None,
            self.kind.currentData(), self.frames.text().strip(), key, self.count.value() if key else 1,
        )  # fmt: skip

    # -- recording --------------------------------------------------------------------------------

    def start(self) -> None:
        try:
            request = self.request()
        except BadInput as error:
            self._fail(str(error))
            return
        self._window.settings.add_recording({
            "program": str(request.program), "arguments": self.arguments.text(), "folder": self.folder.text(),
            "environment": self.environment.toPlainText(), "tracer": self.tracer.text(), "kind": request.kind,
            "frames": request.frames, "key": request.key, "count": str(request.count),
        })  # fmt: skip
        self.status.setText("Starting…")
        self.recorder = Recorder(request, self._make)
        self.recorder.progressed.connect(self.status.setText)
        self.recorder.finished.connect(self._finish)
        self.recorder.failed.connect(self._fail)
        self._set_enabled()
        self.recorder.start()

    def stop(self) -> None:
        assert self.recorder is not None
        self.status.setText("Waiting for the program to close its window…")
        self.stop_button.setEnabled(False)
        self.recorder.stop()

    def open_so_far(self) -> None:
        """The trace itself: recorders let others read it, and a file that grows is followed."""
        assert self.recorder is not None
        trace = self.recorder.output
        if not trace.is_file() or not trace.stat().st_size:
            self.status.setText(f"{trace} cannot be opened yet: nothing has been written to it")
            return
        self._window.open(trace)

    def _end(self) -> None:
        """The thread has said its last word: it must not be the last to let go of a QObject, either."""
        if self.recorder is not None:
            self.recorder.wait(SLOWEST)
            self.recorder = None

    def _finish(self, trace: Path) -> None:
        self._end()
        self._set_enabled()
        self.accept()
        desk = self._window.desk
        opened = desk.capture is not None and desk.capture.path == trace  # so far: who looked at a pixel still does
        self._window.open(trace, desk.focus.focus if opened else None)

    def _fail(self, sentence: str) -> None:
        self._end()
        self.status.setText(sentence[:1].upper() + sentence[1:])
        self._set_enabled()
        if self.focusWidget() is self.close_button:  # from "Record", which was disabled meanwhile
            self.start_button.setFocus()

    def _set_enabled(self) -> None:
        running = self.recorder is not None
        self.start_button.setEnabled(not running)
        self.open_button.setEnabled(running)
        self.stop_button.setEnabled(running)


def show_record(window: Window) -> RecordDialog:
    """The dialog, which there is once: it may be recording."""
    dialog = window.findChild(RecordDialog) or RecordDialog(window)
    dialog.show()
    dialog.raise_()
    return dialog
