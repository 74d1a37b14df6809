"""Starting: what the command line says, kernels in the background, a screenshot, an error of ours."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QImage

from core.errors import Cancelled
from inspector.focus import Focus
from tests.ui.fake import FakeCapture
from ui import app
from ui.kernels import Kernels
from ui.settings import Settings
from ui.window import Window

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def start(qapp: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`start(arguments)`: the program, with a made-up capture behind every file and no compiler."""
    monkeypatch.setattr(app, "Settings", lambda: settings)
    monkeypatch.setattr(app, "warm_up", lambda report: report(1.0, "ready"))
    monkeypatch.setattr(app, "built_in_capture", lambda: None)
    monkeypatch.setattr(app.inspector, "open", lambda path, progress: FakeCapture())
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    return lambda *arguments: app.main([str(argument) for argument in arguments])


def test_a_screenshot_of_a_capture_is_taken(start: Any, file: Path, tmp_path: Path) -> None:
    target = tmp_path / "shot.png"
    assert start(file, "--screenshot", target, "--theme", "light", "--panel", "state", "--focus", "#event=7") == 0
    shot = QImage(str(target))
    assert (shot.width(), shot.height()) == (1560, 960)
    assert shot.pixelColor(2, 950).lightness() > 200


def test_without_a_capture_there_is_a_welcome(start: Any, tmp_path: Path) -> None:
    assert start("--screenshot", tmp_path / "shot.png", "--theme", "dark") == 0
    assert QImage(str(tmp_path / "shot.png")).pixelColor(2, 950).lightness() < 60


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
        go.wait(5)

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
    kernels = Kernels(lambda report: (go.wait(5), report(1.0, "ready")))
    kernels.start()
    kernels.close()
    with qtbot.assertNotEmitted(kernels.progressed), qtbot.assertNotEmitted(kernels.ready):
        go.set()
        qtbot.waitUntil(lambda: not kernels.under_way)
        qtbot.wait(5)


def test_a_mistake_of_ours_is_told_and_the_window_stays(qtbot: Any, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: printed.append(kind))
    app.report_bugs_to(window)
    sys.excepthook(ZeroDivisionError, ZeroDivisionError("division by zero"), None)
    assert printed == [ZeroDivisionError]
    assert "ZeroDivisionError" in window.banner.text
    assert window.isVisible()


def test_closing_while_kernels_are_compiled_opens_nothing(
    qtbot: Any, make_window: Any, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()
    kernels = Kernels(lambda report: go.wait(5))
    kernels.start()
    monkeypatch.setattr(app.inspector, "open", lambda path, progress: pytest.fail("opened after closing"))
    window = make_window(lambda path, progress: app.open_capture(path, progress, kernels))
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


def test_the_window_starts_without_what_only_plots_need() -> None:
    code = (
        "import sys; from PySide6.QtCore import QSettings; from PySide6.QtWidgets import QApplication; app = QApplication([]);"
        "from ui.settings import Settings; from ui.window import Window;"
        "window = Window(print, Settings(QSettings('nowhere.ini', QSettings.Format.IniFormat))); window.remember = False;"
        "window.show(); print(sorted({'pyqtgraph', 'jinja2'} & set(sys.modules))); window.close()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
