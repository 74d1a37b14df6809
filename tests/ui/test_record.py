"""Record a program: the form, what it starts, and the trace that opens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from core.errors import BadInput
from inspector.launch.follow import Progress
from inspector.launch.session import Request
from tests.ui.conftest import settle
from ui import recording, style
from ui.recording import RecordDialog, show_record


class Made:
    """Stands in for a recording: three looks, then it ends; or it goes on until it is stopped."""

    def __init__(self, request: Request, forever: bool, size: int) -> None:
        self.request, self.forever, self.size = request, forever, size
        self.looks = 0
        self.did: list[str] = []

    @property
    def ended(self) -> bool:
        return "stop" in self.did or (not self.forever and self.looks > 2)

    def poll(self) -> Progress:
        self.looks += 1
        return Progress(10 * self.looks, self.looks, self.size)

    def stop(self) -> None:
        self.did.append("stop")

    def close(self) -> None:
        self.did.append("close")

    def why_nothing(self) -> str:
        return "exit code 0"


@pytest.fixture
def made(window: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """`made(forever, size)`: a dialog over a made-up recording; the recordings that it made; the files that opened."""
    monkeypatch.setattr(recording, "INTERVAL", 0.01)
    opened: list[Path] = []
    monkeypatch.setattr(window, "open", lambda path, focus=None: opened.append(path))

    def make(forever: bool = False, size: int = 5000) -> tuple[RecordDialog, list[Made], list[Path]]:
        recordings: list[Made] = []

        def start(request: Request, say: Callable[[str], object]) -> Made:
            say("building the 64-bit recording DLL")
            recordings.append(Made(request, forever, size))
            return recordings[-1]

        return RecordDialog(window, start), recordings, opened  # type: ignore[arg-type]

    yield make


def program(folder: Path) -> Path:
    path = folder / "game.exe"
    path.write_bytes(b"no program")
    return path


def fill(dialog: RecordDialog, tmp_path: Path) -> Path:
    path = program(tmp_path)
    dialog.program.setEditText(str(path))
    dialog.arguments.setText("-level 3 'two words'")
    dialog.environment.setPlainText("A=1\nB=x=y")
    dialog.trace.setText(str(tmp_path / "out.trace"))
    dialog.kind.setCurrentText("our own")
    dialog.key.setText("F12")
    dialog.count.setValue(3)
    return path


def test_the_form_is_what_is_started_and_the_trace_opens(
    made: Any, tmp_path: Path, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog, recordings, opened = made()
    path = fill(dialog, tmp_path)
    told: list[str] = []
    monkeypatch.setattr(dialog.status, "setText", told.append)
    dialog.start_button.click()
    qtbot.waitUntil(lambda: bool(opened))
    assert told[:2] == ["Starting…", "Building the 64-bit recording DLL"]
    assert opened == [tmp_path / "out.trace"] and recordings[0].did == ["close"]
    request = recordings[0].request
    assert (request.program, list(request.arguments), request.folder) == (path, ["-level", "3", "two words"], None)
    assert (dict(request.environment), request.tracer) == ({"A": "1", "B": "x=y"}, None)
    assert (request.kind, request.frames, request.key, request.count) == ("ours", "", "F12", 3)
    assert dialog.start_button.isEnabled() and not dialog.stop_button.isEnabled() and not dialog.open_button.isEnabled()


def test_what_there_is_opens_while_it_goes_on(made: Any, tmp_path: Path, qtbot: Any) -> None:
    dialog, recordings, opened = made(forever=True)
    fill(dialog, tmp_path)
    dialog.start_button.click()
    qtbot.waitUntil(lambda: "calls, " in dialog.status.text())
    dialog.open_so_far()
    assert "cannot be opened yet" in dialog.status.text() and opened == []
    trace, other = tmp_path / "out.trace", tmp_path / "out-so-far.trace"
    trace.touch()
    dialog.open_so_far()
    assert "nothing has been written" in dialog.status.text() and opened == []
    trace.write_bytes(b"so far")
    other.write_bytes(b"mine")
    before = sorted(tmp_path.iterdir())
    for presses in (1, 2):
        dialog.open_button.click()
        assert opened == [trace] * presses
    assert sorted(tmp_path.iterdir()) == before and (trace.read_bytes(), other.read_bytes()) == (b"so far", b"mine")
    assert recordings[0].did == [] and dialog.stop_button.isEnabled()
    dialog.stop_button.click()
    qtbot.waitUntil(lambda: len(opened) == 3)
    assert opened[2] == trace


def test_a_count_without_a_key_is_not_asked_for(made: Any, tmp_path: Path) -> None:
    dialog, _, _ = made()
    fill(dialog, tmp_path)
    assert dialog.request().count == 3
    dialog.key.clear()
    assert dialog.request().count == 1


def test_enter_in_a_field_records(made: Any, tmp_path: Path, qtbot: Any) -> None:
    dialog, recordings, opened = made()
    fill(dialog, tmp_path)
    dialog.show()
    qtbot.keyClick(dialog.arguments, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(opened))
    assert len(recordings) == 1


def test_stop_finishes_and_opens(made: Any, tmp_path: Path, qtbot: Any) -> None:
    dialog, recordings, opened = made(forever=True)
    fill(dialog, tmp_path)
    dialog.start_button.click()
    qtbot.waitUntil(lambda: "calls, " in dialog.status.text())
    assert dialog.stop_button.isEnabled() and not dialog.start_button.isEnabled()
    dialog.stop_button.click()
    qtbot.waitUntil(lambda: bool(opened))
    assert recordings[0].did == ["stop", "close"]


def test_nothing_recorded_is_said(made: Any, tmp_path: Path, qtbot: Any) -> None:
    dialog, recordings, opened = made(size=0)
    fill(dialog, tmp_path)
    dialog.start_button.click()
    qtbot.waitUntil(lambda: dialog.status.text() == "Nothing was recorded: exit code 0")
    assert opened == [] and recordings[0].did == ["close"] and dialog.start_button.isEnabled()


@pytest.mark.parametrize(
    ("field", "text", "says"),
    [
        ("environment", "A", "expected NAME=VALUE"),
        ("arguments", "'open", "Arguments: "),
        ("program", "", "Choose a program first"),
    ],
)
def test_what_the_form_cannot_mean_is_said(field: str, text: str, says: str, made: Any, tmp_path: Path) -> None:
    dialog, recordings, _ = made()
    fill(dialog, tmp_path)
    widget = getattr(dialog, field)
    getattr(widget, {"environment": "setPlainText", "arguments": "setText", "program": "setEditText"}[field])(text)
    dialog.start_button.click()
    assert says in dialog.status.text() and recordings == []


def test_what_cannot_be_started_is_said(window: Any, tmp_path: Path, qtbot: Any) -> None:
    def refuse(request: Request, say: Any) -> Any:
        raise BadInput("Wine was not found")

    dialog = RecordDialog(window, refuse)
    fill(dialog, tmp_path)
    dialog.start_button.click()
    qtbot.waitUntil(lambda: dialog.status.text() == "Wine was not found")


def test_the_last_programs_fill_the_form(made: Any, tmp_path: Path, qtbot: Any, window: Any) -> None:
    dialog, _, opened = made()
    path = fill(dialog, tmp_path)
    dialog.start_button.click()
    qtbot.waitUntil(lambda: bool(opened))
    again, _, _ = made()
    assert (again.program.currentText(), again.arguments.text()) == (str(path), "-level 3 'two words'")
    assert again.environment.toPlainText() == "A=1\nB=x=y"
    assert (again.kind.currentData(), again.key.text(), again.count.value()) == ("ours", "F12", 3)
    assert [row["program"] for row in window.settings.recordings] == [str(path)]


def test_the_program_is_described(made: Any, tmp_path: Path) -> None:
    dialog, _, _ = made()
    dialog.program.setEditText(str(program(tmp_path)))
    assert dialog.about.text().endswith("not a Windows program")
    assert dialog.trace.text().endswith("game.trace")


def test_the_menu_shows_one_dialog(window: Any, qtbot: Any) -> None:
    first = show_record(window)
    assert first.isVisible() and show_record(window) is first
    settle(qtbot, window)
    first.close()


def test_a_button_that_is_disabled_looks_it_and_none_is_cut(made: Any) -> None:
    dialog, _, _ = made()
    dialog.show()
    dialog.start_button.setEnabled(False)
    button = dialog.start_button.grab().toImage()
    place = button.width() // 2, 3
    assert button.pixelColor(*place) == style.theme().color("raised"), "the accent says: press me"
    rules = resources.files("ui").joinpath("style.qss").read_text(encoding="utf-8")
    states = [
        rule for rule in re.findall(r"([^{}]+)\{([^}]*)\}", rules) if re.search(r"\w:(?!:)", rule[0]) and "font" in rule[1]
    ]
    assert not states, "Qt does not make room for the font of a state"


def test_fields_stay_where_they_are_while_a_program_is_named(made: Any, tmp_path: Path) -> None:
    """A click on the next field must not miss it because a line appeared above."""
    dialog, _, _ = made()
    dialog.show()
    place, words = dialog.arguments.y(), dialog.about.text()
    for text in (str(tmp_path / "none.exe"), str(program(tmp_path))):
        dialog.program.setEditText(text)
        dialog.layout().activate()
        assert dialog.arguments.y() == place
        assert dialog.about.text() not in ("", words)
    dialog.program.setEditText("")
    assert dialog.about.text() == words


def test_enter_does_not_close_after_a_refusal(window: Any, tmp_path: Path, qtbot: Any) -> None:
    """A disabled button hands its focus to the next one that takes it: "Close", which Enter then pressed."""

    def refuse(request: Request, say: Any) -> Any:
        raise BadInput("Wine was not found")

    dialog = RecordDialog(window, refuse)
    with qtbot.waitActive(dialog):
        dialog.show()
    fill(dialog, tmp_path)
    dialog.start_button.setFocus()
    dialog.start_button.click()
    qtbot.waitUntil(lambda: dialog.status.text() == "Wine was not found")
    assert dialog.focusWidget() is dialog.start_button


def test_the_whole_trace_opens_where_one_looked_at_its_beginning(made: Any, window: Any, tmp_path: Path, qtbot: Any) -> None:
    """A pixel that was picked while the program ran stays."""
    dialog, _, _ = made(forever=True)
    places: list[tuple[Path, Any]] = []
    window.open = lambda path, focus=None: places.append((path, focus))
    for beginning in (False, True):
        fill(dialog, tmp_path)
        dialog.start_button.click()
        qtbot.waitUntil(lambda: "calls, " in dialog.status.text())
        if beginning:
            window.desk.capture.path = tmp_path / "out.trace"
            window.desk.focus.go(pixel=(3, 4))
        dialog.stop_button.click()
        qtbot.waitUntil(lambda count=1 + beginning: len(places) == count)
    (_, elsewhere), (path, focus) = places
    assert elsewhere is None and path == tmp_path / "out.trace" and focus.pixel == (3, 4)
