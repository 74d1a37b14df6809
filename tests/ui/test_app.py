"""Starting: what the command line says, kernels in the background, a screenshot, an error of ours."""

from __future__ import annotations

import logging
import os
import platform
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer, qVersion
from PySide6.QtGui import QGuiApplication, QImage

from core.errors import Cancelled
from inspector import log
from inspector.focus import Focus
from inspector.version import VERSION
from tests.ui.conftest import settle
from tests.ui.fake import FakeCapture
from ui import app
from ui.kernels import Kernels
from ui.mistakes import about
from ui.session import Session
from ui.settings import Settings
from ui.widgets.text_dialog import TextDialog
from ui.window import Window

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def start(qapp: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """`start(arguments)`: the program, with a made-up capture behind every file and no compiler."""
    monkeypatch.setattr(app, "Settings", lambda: settings)
    monkeypatch.setattr(app, "warm_up", lambda report: report(1.0, "ready"))
    monkeypatch.setattr(app, "built_in_capture", lambda: None)
    monkeypatch.setattr(app.inspector, "open", lambda path, **given: FakeCapture())
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    turn, end = sys.getswitchinterval(), QTimer(singleShot=True, interval=60_000)
    end.timeout.connect(partial(qapp.exit, 1))  # rather than never
    end.start()
    yield lambda *arguments: app.main([str(argument) for argument in arguments])
    end.stop()
    sys.setswitchinterval(turn)


def test_a_screenshot_of_a_capture_is_taken(start: Any, file: Path, tmp_path: Path) -> None:
    target = tmp_path / "shot.png"
    assert start(file, "--screenshot", target, "--theme", "light", "--panel", "state", "--focus", "#event=7") == 0
    shot = QImage(str(target))
    assert (shot.width(), shot.height()) == (1560, 960)
    assert shot.pixelColor(2, 950).lightness() > 200


def test_without_a_capture_there_is_a_welcome(start: Any, tmp_path: Path) -> None:
    assert start("--screenshot", tmp_path / "shot.png", "--theme", "dark") == 0
    assert QImage(str(tmp_path / "shot.png")).pixelColor(2, 950).lightness() < 60
    assert sys.getswitchinterval() < 0.002, "the window does not wait long for a thread that reads a file"


@pytest.mark.skipif(not hasattr(signal, "SIGTERM") or sys.platform == "win32", reason="Windows ends processes without a signal")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_closes_the_window_as_its_user_does(number: int, start: Any, file: Path, settings: Settings) -> None:
    """Ctrl+C, kill and logging out: the next start must not take it for a crash, and goes on at the place."""
    before = signal.signal(number, signal.SIG_DFL)  # a shell starts what is in its background with SIGINT ignored
    try:
        QTimer.singleShot(300, partial(os.kill, os.getpid(), number))
        assert start(file, "--focus", "#event=7") == 0
        assert settings.ended
        assert signal.getsignal(number) is signal.SIG_DFL
    finally:
        signal.signal(number, before)


@pytest.mark.skipif(not hasattr(signal, "SIGTERM") or sys.platform == "win32", reason="Windows ends processes without a signal")
def test_a_signal_while_the_window_is_made_is_not_lost(
    start: Any, file: Path, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))  # no other window of the program holds its lock
    begin = Session.start

    def told(session: Session, *given: Any) -> None:
        begin(session, *given)
        assert not settings.ended, "a crash from here on would be noticed"
        assert callable(signal.getsignal(signal.SIGTERM)), "it would end the process"
        os.kill(os.getpid(), signal.SIGTERM)
        app.QApplication.processEvents()  # as what shows the window may do, before there is a loop to leave

    monkeypatch.setattr(Session, "start", told)
    assert start(file) == 0
    assert settings.ended


def test_a_bad_focus_is_refused_in_words(start: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        start("--focus", "#nonsense=3")
    assert ended.value.code == 2
    assert "nonsense" in capsys.readouterr().err
    assert app._parse(["--focus", "#event=3&pixel=1,2"]).focus == Focus(event=3, pixel=(1, 2))


def test_the_built_in_capture_is_a_file_or_nothing() -> None:
    path = app.built_in_capture()
    assert path is None or (path.suffix == ".ddicap" and path.is_file())


def test_kernels_are_awaited_with_progress_and_can_be_given_up(qtbot: Any) -> None:
    go = threading.Event()

    def warm_up(report: Any) -> None:
        report(0.5, "compiled core.pipeline.draw")
        go.wait(60)

    kernels = Kernels(warm_up)
    told: list[float] = []
    kernels.progressed.connect(lambda fraction, text: told.append(fraction))
    kernels.start()
    qtbot.waitUntil(lambda: told == [0.5])
    heard: list[str] = []
    with pytest.raises(Cancelled):
        kernels.wait(lambda fraction, text: heard.append(text) or False)
    assert kernels.under_way, "it did not wait for the end"
    assert "50%" in heard[0]
    with qtbot.waitSignal(kernels.ready):
        go.set()
    kernels.wait(lambda fraction, text: pytest.fail("they are ready"))


def test_a_closed_window_hears_no_more_of_kernels(qtbot: Any) -> None:
    go = threading.Event()
    kernels = Kernels(lambda report: (go.wait(60), report(1.0, "ready")))
    kernels.start()
    kernels.close()
    with qtbot.assertNotEmitted(kernels.progressed), qtbot.assertNotEmitted(kernels.ready):
        go.set()
        qtbot.waitUntil(lambda: not kernels.under_way)
        qtbot.wait(5)


@pytest.fixture
def log_lines() -> Iterator[None]:
    """Lines are remembered, as in a window that was started as a program."""
    log.begin("error", remember=True)
    yield
    log.LAST_LINES.lines.clear()
    for name in log.OURS:
        logging.getLogger(name).handlers = []
        logging.getLogger(name).setLevel(logging.NOTSET)


def test_a_mistake_of_ours_is_told_and_the_window_stays(
    qtbot: Any, window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_lines: None
) -> None:
    printed: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: printed.append(kind))
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    window.desk.focus.go(event=12, pixel=(3, 4))
    settle(qtbot, window)
    app.report_bugs_to(window)
    try:
        1 / 0  # noqa: B018
    except ZeroDivisionError as error:
        for _ in range(2):  # a picture that cannot be painted is tried again and again
            sys.excepthook(ZeroDivisionError, error, error.__traceback__)
    assert printed == [ZeroDivisionError] * 2
    (report,) = (tmp_path / "cache" / "reports").iterdir()
    assert "ZeroDivisionError" in window.banner.text and str(report) in window.banner.text
    assert window.isVisible()
    text = report.read_text("utf-8")
    assert "#event=12&pixel=3,4" in text
    assert "1 / 0  # noqa" in text and "ZeroDivisionError: division by zero" in text
    assert re.search(rf"^numba: +{version('numba')}$", text, re.M) and f"{qVersion()} on offscreen" in text
    assert "focus #event=12&pixel=3,4" in text.partition("\nLog\n")[2]
    assert "asked: surface" in text.partition("\nLog\n")[2]
    window.banner._offer.click()
    dialog = window.findChild(TextDialog)
    assert dialog is not None and dialog.isVisible()
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == text
    window.say("Something else.")
    assert not window.banner._offer.isVisible()


def test_a_report_that_cannot_be_kept_is_offered_all_the_same(
    qtbot: Any, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(text: str) -> Path:
        raise OSError("full")

    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    monkeypatch.setattr("inspector.mistakes.keep", refuse)
    app.report_bugs_to(window)
    sys.excepthook(KeyError, KeyError("a"), None)
    window.banner._offer.click()
    dialog = window.findChild(TextDialog)
    assert dialog is not None and "KeyError: 'a'" in dialog.edit.toPlainText()


def test_about_has_the_versions_to_copy(qtbot: Any, window: Window) -> None:
    dialog = about(window)
    dialog.copy.click()
    told = dict(line.split(maxsplit=1) for line in QGuiApplication.clipboard().text().splitlines())
    assert told["numpy"] == version("numpy") and told["PySide6"] == version("PySide6-Essentials")
    assert told["Python"].startswith(platform.python_version())
    assert f"DDI Inspector  {VERSION}" in dialog.edit.toPlainText()


def test_a_level_that_the_log_has_not_is_refused(
    start: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DDI_INSPECTOR_LOG", "loud")
    assert start() == 2
    assert "unknown log level 'loud'; expected one of debug, info, warning, error" in capsys.readouterr().err


def test_closing_while_kernels_are_compiled_opens_nothing(
    qtbot: Any, make_window: Any, file: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()
    kernels = Kernels(lambda report: go.wait(60))
    kernels.start()
    monkeypatch.setattr(app.inspector, "open", lambda *_, **given: pytest.fail("opened after closing"))
    window = make_window(lambda path, progress: app.open_capture(path, progress, lambda part: None, kernels, settings))
    window.open(file)
    qtbot.waitUntil(lambda: "Compiling" in window.welcome.work.text())
    window.close()
    kernels.close()
    assert kernels.under_way, "closing did not wait for the end"
    go.set()
    qtbot.waitUntil(lambda: not kernels.under_way)


def test_a_panel_that_does_not_exist_is_refused_with_those_that_do(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        app._parse(["--panel", "textures"])
    assert "'textures'" in (said := capsys.readouterr().err) and "'state'" in said


def test_the_window_starts_without_what_only_plots_need(tmp_path: Path) -> None:
    code = (
        "import sys; from PySide6.QtCore import QSettings; from PySide6.QtWidgets import QApplication; app = QApplication([]);"
        "from ui.settings import Settings; from ui.window import Window;"
        "window = Window(print, Settings(QSettings(sys.argv[1], QSettings.Format.IniFormat))); window.remember = False;"
        "window.show(); print(sorted({'pyqtgraph', 'jinja2'} & set(sys.modules))); window.close()"
    )
    own = str(tmp_path / "settings.ini")
    done = subprocess.run([sys.executable, "-c", code, own], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
