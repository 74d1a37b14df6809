"""Whatever is asked of whatever capture: an exit code, no traceback, and nothing on the terminal but text."""

from __future__ import annotations

import io
import sqlite3
from contextlib import closing, redirect_stderr, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.ddi.calls import DdiCall
from inspector.cli import main
from inspector.cli.arguments import COMMANDS, module, parser
from inspector.cli.main import MISTAKE, TRACEBACK
from inspector.cli.terminal import CONTROLS
from inspector.tape import Tape, TapeWriter
from tests.inspector.conftest import ROOM

NASTY = "\x1b]0;title\x07\x1b[2J\r\x9b31m\u202egnp.exe\x00\x7f\u2028"
ASKING = [name for name in COMMANDS if name != "open" and not getattr(module(name), "OWN_FILE", False)]
"""Commands that ask a capture; the others would change the user's own folders."""


@pytest.fixture(scope="module")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short capture whose texts are full of control characters."""
    path = tmp_path_factory.mktemp("nasty") / "nasty.ddicap"
    with Tape(ROOM) as tape, TapeWriter(path, durable=False) as writer:
        writer.take_over(tape)
        for call in tape.calls[:220]:
            label = {"label": NASTY} if call.args.get("label", "primary") != "primary" else {}
            writer.append(DdiCall(call.entry, {**call.args, **label}, call.data, call.result, call.out, call.source))
        writer.append(DdiCall(NASTY, {NASTY: NASTY}))
        writer.add_finding(3, "bad-argument", NASTY)
        writer.set_meta(trace_properties={"process.name": NASTY}, source_file=NASTY, adapters=[{"description": NASTY}])
        writer.add_notice(NASTY)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE signature SET name = name || ?, members = replace(members, 'State', 'S\\u001b[1m')", (NASTY,))
        db.execute("UPDATE meta SET value = replace(value, 'DDI', ?) WHERE key = 'producer'", ("\\u001b[31m",))
    return path


QUESTIONS = {
    "info": [[], ["--json"]], "dump": [[], ["--json"]], "find": [["nasty or $draw() or label"], ["$api(e)"]],
    "query": [["SELECT * FROM calls"], ["SELECT source_text(source) FROM events", "--csv"], ["SELECT char(27, 7, 155)"]],
    "check": [[]], "resources": [["--event", "200"]], "state": [["--event", "200"]], "writes": [["ALPHAREF"]],
    "caps": [[]], "statistics": [[]], "report": [["-o", "report.html"]],
}  # fmt: skip


def shown(capsys: pytest.CaptureFixture[str]) -> str:
    captured = capsys.readouterr()
    return captured.out + captured.err


@pytest.mark.parametrize("command", QUESTIONS)
def test_texts_of_a_capture_move_no_cursor(
    command: str, nasty: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in QUESTIONS[command]:
        assert main([command, str(nasty), *words]) in (0, 1)
        printed = shown(capsys)
        assert not {ord(letter) for letter in printed} & CONTROLS.keys(), printed


def test_what_is_bad_in_a_file_or_word_moves_no_cursor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["info", f"/nowhere/{NASTY[:-6]}"], ["find", str(ROOM), NASTY], [NASTY], ["query", str(ROOM), NASTY]):
        assert main([word.replace("\x00", "") for word in words]) in (0, 2)
        assert not {ord(letter) for letter in shown(capsys)} & CONTROLS.keys()


def test_a_mistake_of_ours_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> int:
        raise ZeroDivisionError("of two\nlines")

    monkeypatch.setattr("inspector.cli.info.run", fails)
    assert main(["info", str(ROOM)]) == MISTAKE
    line = capsys.readouterr().err
    assert line.count("\n") == 1 and "ZeroDivisionError: of two lines; test_any_words.py, line" in line
    monkeypatch.setenv(TRACEBACK, "1")
    assert main(["info", str(ROOM)]) == MISTAKE
    assert "Traceback" in capsys.readouterr().err


@cache
def options(command: str) -> list[Any]:
    """The options of a command that ask for a value, and those that do not."""
    top = parser()
    of = next(action for action in top._actions if action.dest == "command").choices[command]  # type: ignore[index]
    with suppress(SystemExit), redirect_stderr(io.StringIO()):
        of.parse_known_args([])  # a command declares its words when they are wanted
    return [action for action in of._actions if action.option_strings and action.dest not in ("help", "output")]


NUMBERS = ["0", "1", "7", "100", "219", "2978", "99999999999", "0x10", "-1", "1.5"]
WORDS = [
    *NUMBERS, "render_target", "back_buffer", "depth", "40,52", "0,0,64,48", "9999,9999", "1,2,3", "ALPHAREF", "TEXTURE[0]",
    "LIGHT.0.Diffuse", "VIEWPORT.X", "frame", "draw", "event", "overdraw", "disable 5", "force ALPHAREF=3", "preset no-fog",
    "light:0", "texture:1", "12", "transformed", "csv", "", "x" * 300, NASTY.replace("\x00", ""), "$draw()", "SELECT 1",
    "SELECT * FROM draws", str(ROOM),
]  # fmt: skip


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_words_of_any_command_end_in_an_exit_code(
    data: st.DataObject, nasty: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = data.draw(st.sampled_from(ASKING))
    words = [command, str(data.draw(st.sampled_from([nasty, nasty, nasty, tmp_path, tmp_path / "none"])))]
    words += data.draw(st.lists(st.sampled_from(WORDS), max_size=2))
    for option in data.draw(st.lists(st.sampled_from(options(command)), max_size=3)) if options(command) else []:
        words.append(option.option_strings[-1])
        if option.nargs != 0:
            words.append(str(data.draw(st.sampled_from(list(option.choices or WORDS)))))
    words += data.draw(st.sampled_from([[], ["-o", "out.png"], ["-o", "out.dds"], ["-o", "/nowhere/out"], ["-o", ""]]))
    code = main(words)
    printed = shown(capsys)
    assert code in (0, 1, 2), (words, printed)
    assert "Traceback" not in printed and not {ord(letter) for letter in printed} & CONTROLS.keys()
