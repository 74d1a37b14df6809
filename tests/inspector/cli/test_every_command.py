"""Every command of the command line: its examples are taken, run, and stopped."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from PIL import Image

import inspector
from core import cancel
from inspector.cli import main
from inspector.cli.arguments import COMMANDS, module, whole_parser
from inspector.cli.main import CANCELLED
from inspector.tape import side
from tests.inspector.cli.test_commands import FRAME, buffer_of, last_draw
from tests.inspector.conftest import ROOM
from tests.soak.hostile import Stop

EXAMPLES = [example for name in COMMANDS for example in getattr(module(name), "EXAMPLES", ())]


def test_every_command_has_examples_that_its_parser_takes() -> None:
    parser = whole_parser()
    for name in COMMANDS:
        examples = module(name).EXAMPLES
        assert examples and all(example.split()[0] == name for example in examples), name
    for example in EXAMPLES:
        parser.parse_args(shlex.split(example))


NOT_RUN = ("open", "record", "cache", "integrate")
RUN = [example for example in EXAMPLES if example.split()[0] not in NOT_RUN and " game.ddirec --" not in example]


def prepared(example: str, room: inspector.Capture) -> list[str]:
    """The words of an example about ROOM; in the present folder is what they name."""
    event = str(last_draw(room, FRAME))
    words = [word.replace("20", "2") if word == "20" else word for word in shlex.split(example)]
    words = [event if word == "812" else str(ROOM) if word in ("game.trace", "other.trace") else word for word in words]
    if words[0] == "buffer":
        words[2] = str(buffer_of(room))
    for word in words[1:]:
        if "/" in word and not Path(word).is_absolute():
            Path(word).parent.mkdir(parents=True, exist_ok=True)
    for name in {"frame20.png", "right.png"}.intersection(words):
        Image.fromarray(room.image(last_draw(room, 2))).save(name)
    if "--against" in words:
        assert main(["verify", str(ROOM), "--per", "frame", "-o", "hashes.json"]) == 0
    if words[0] == "batch":
        for file in map(Path, ("traces/1.trace", "a.trace", "b.trace", "hashes/none")):
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(ROOM.read_bytes())
    if words[0] == "notes":  # which writes into its file
        words[1] = str(shutil.copyfile(ROOM, "game.ddicap"))
        assert main(["notes", words[1], "--add", "a note"]) == 0
    if words[0] == "python":
        Path("overdraw.py").write_text("import sys, inspector\nprint(len(inspector.open(sys.argv[1]).draws))\n", "utf-8")
    return words


@pytest.mark.parametrize("example", RUN)
def test_examples_run(
    example: str, room: inspector.Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(prepared(example, room)) in (0, 1), capsys.readouterr().err


SHORT = {"caps", "check", "completion", "convert", "driver", "dump", "find", "frames", "header", "notes", "python"}
"""Commands that have an example which is done on ROOM before the third look: they are stopped at the first."""
AT_ONCE = {
    "dump game.trace --frame 2", "dump game.trace --event 100", "dump game.trace --frame 2 -o frame2.csv",
    "frames game.trace", "frames game.trace --quick", "convert game.trace game.ddicap", "convert game.trace game.ddirec",
    "caps --profile dx7", "caps game.trace --json", "notes game.trace",
    "notes game.trace --add 'the roof is black' --frame 2 --pixel 320,240", "notes game.trace -o notes.md",
    "notes game.trace --change 1 'the roof is black again' --json", "notes game.trace --remove 1", "check --rules",
    "completion bash", "completion powershell", "header",
    "header -o driver/ddi_record.h", "header --player -o tests/ddi_play.h", "python overdraw.py game.trace",
}  # fmt: skip
"""Examples that are done on ROOM without a look."""


def written() -> dict[Path, int]:
    """The files in the present folder, and when they were written."""
    return {path: path.stat().st_mtime_ns for path in Path().rglob("*") if path.is_file()}


@pytest.mark.parametrize("example", [example for example in RUN if not example.startswith("batch ")])  # looks in its processes
def test_every_command_stops(
    example: str, room: inspector.Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence and its exit code, and no file that is not whole."""
    (tmp_path / "known").mkdir()
    monkeypatch.setattr(side, "user_folder", lambda name: tmp_path / "known")  # nothing of ROOM from the last time
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    words = prepared(example, room)
    before = written()
    capsys.readouterr()
    stop = Stop(1) if words[0] in SHORT else Stop()
    with cancel.cancellable(stop):
        code = main(words)
    assert stop.said or example in AT_ONCE
    assert (code == CANCELLED) == stop.said
    if stop.said:
        assert capsys.readouterr().err == "ddi-inspector: cancelled\n"
        assert written() == before
