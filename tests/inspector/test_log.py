"""What is logged, and where it goes."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import inspector
from core.errors import BadInput
from inspector import log, mistakes
from inspector.cli import main

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """Nothing is set up, whatever ran in this process before."""
    nothing_set_up()
    yield
    nothing_set_up()


def nothing_set_up() -> None:
    log.LAST_LINES.lines.clear()
    for name in log.OURS:
        logging.getLogger(name).handlers = []
        logging.getLogger(name).setLevel(logging.NOTSET)


def test_a_library_sets_nothing_up(capsys: pytest.CaptureFixture[str]) -> None:
    with inspector.open(ROOT / "resources" / "room.ddicap") as capture:
        capture.ask(inspector.Search("draw 1"))
    assert capsys.readouterr().err == ""
    assert not any(logging.getLogger(name).handlers for name in log.OURS)


def test_files_questions_and_seeks_have_times(capsys: pytest.CaptureFixture[str]) -> None:
    log.begin("debug")
    with inspector.open(ROOT / "resources" / "room.ddicap") as capture:
        capture.ask(inspector.Search("DRAWPRIMITIVE"))
        capture.image(200)
    told = capsys.readouterr().err
    for line in (
        r"INFO    inspector\.capture: opened \S*room\.ddicap: \d+\.\d ms",
        r"DEBUG   inspector\.capture: Search\(.*DRAWPRIMITIVE.*: \d+\.\d ms",
        r"DEBUG   inspector\.timeline\.replay: seek from \d+ to \d+: \d+\.\d ms",
    ):
        assert re.search(rf"^\d\d:\d\d:\d\d\.\d\d\d {line}$", told, re.M), line


def test_a_level_leaves_out_what_is_below(capsys: pytest.CaptureFixture[str]) -> None:
    log.begin("info", remember=True)
    ours = logging.getLogger("ui.somewhere")
    ours.debug("a")
    ours.info("b")
    ours.warning("c")
    told = capsys.readouterr().err
    assert [line.split()[-1] for line in told.splitlines()] == ["b", "c"]
    assert [line[-1] for line in log.LAST_LINES.lines] == ["a", "b", "c"]


def test_warnings_are_plain_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    log.begin()
    logging.getLogger("core.folders").warning("%s is full", "it")
    assert capsys.readouterr().err == "ddi-inspector: it is full\n"


def test_what_failed_says_so_with_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    log.begin("debug")
    with pytest.raises(KeyError), log.timed(logging.getLogger("ui.x"), "look at %d", 5):
        raise KeyError
    assert "look at 5: failed after 0.0" in capsys.readouterr().err


def test_the_last_lines_are_kept_short() -> None:
    log.begin("error", remember=True)
    for number in range(log.LAST + 5):
        logging.getLogger("ui").debug("%d %s", number, "x" * 1000)
    assert len(log.LAST_LINES.lines) == log.LAST
    assert " 5 xx" in log.LAST_LINES.lines[0]
    assert max(map(len, log.LAST_LINES.lines)) == log.LONGEST


def test_without_a_console_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    log.begin("debug")
    monkeypatch.setattr(sys, "stderr", None)
    logging.getLogger("ui").error("nobody hears it")


def test_the_environment_and_the_option_choose_the_level(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = str(ROOT / "resources" / "room.ddicap")
    assert main(["info", room, "--log", "info"]) == 0
    assert "opened" in capsys.readouterr().err
    monkeypatch.setenv("DDI_INSPECTOR_LOG", "INFO")
    assert main(["info", room]) == 0
    assert "opened" in capsys.readouterr().err
    assert main(["info", room, "--log", "error"]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("DDI_INSPECTOR_LOG", "loud")
    assert main(["info", room]) == 2
    with pytest.raises(BadInput, match="unknown log level 'loud'"):
        log.begin()


def test_only_the_newest_reports_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(time, "strftime", lambda form: "mistake-20260101-000000")
    kept = [mistakes.keep(f"report {n}") for n in range(3)]
    assert [path.name for path in kept] == [f"mistake-20260101-000000{end}.txt" for end in ("", "-1", "-2")]
    for day in range(mistakes.MOST):
        monkeypatch.setattr(time, "strftime", lambda form, day=day: f"mistake-20260201-0000{day:02}")
        mistakes.keep("later")
    assert len(list(kept[0].parent.iterdir())) == mistakes.MOST
    assert not any(path.exists() for path in kept)


def test_a_crash_is_reported_by_the_next_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With versions, the place, what the process was executing, and the end of the log."""
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    code = (
        "import faulthandler, logging; from inspector import log, mistakes; log.begin(remember=True)\n"
        "logging.getLogger('ui').warning('it gets warm')\ndef burn(): faulthandler._sigabrt()\n"
        "mistakes.watch_for_crashes(); burn()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ, capture_output=True, check=False)
    assert done.returncode not in (0, 1), done.stderr
    text = mistakes.crash_report({"Capture": "a.trace", "Place": "#event=7"})
    assert re.search(r"^Place: +#event=7$", text, re.M) and re.search(r"^Python: +3\.", text, re.M)
    assert "Aborted" in text and "in burn" in text and "it gets warm" in text
    (tmp_path / "cache" / "reports" / mistakes.CRASH).unlink()
    assert mistakes.ENDED in mistakes.crash_report({})


def test_the_log_of_a_command_needs_no_compiler() -> None:
    code = "import inspector.cli.main, sys; print('numba' in sys.modules or 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_window_logs_to_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path))
    log.begin("error", remember=True)
    logging.getLogger("inspector").info("opened")
    logging.getLogger("ui").debug("a detail")
    text = log.log_file().read_text()
    assert "INFO    inspector: opened" in text and "detail" not in text


def test_a_long_log_file_moves_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path))
    log.log_file().write_text("x" * (log.LOG_BYTES + 1))
    log.begin(remember=True)
    assert log.log_file().read_text() == ""
    assert len(log.log_file().with_name("window.old.log").read_text()) == log.LOG_BYTES + 1


def test_without_a_console_everything_goes_to_the_file(tmp_path: Path) -> None:
    program = """
import sys
sys.stdout = sys.stderr = None
from inspector import log
log.replace_missing_streams()
log.begin(remember=True)
print("said")
import ui.app
ui.app.os._exit = sys.exit
try:
    ui.app._leave_at_once(3)
except SystemExit as stop:
    print("left with", stop.code)
1 / 0
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DDI_INSPECTOR_CACHE": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    text = (tmp_path / "logs" / "window.log").read_text()
    assert (done.stdout, done.stderr) == ("", "")
    assert "said\nleft with 3\nTraceback" in text and text.endswith("ZeroDivisionError: division by zero\n")


def test_leaving_without_streams_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from ui import app

    left = []
    monkeypatch.setattr(app.os, "_exit", left.append)
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    app._leave_at_once(3)
    monkeypatch.undo()
    assert left == [3]
