"""The command line: what it prints, and its exit codes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.ddi.calls import DdiCall
from core.errors import Cancelled
from inspector.cli import main
from inspector.cli import open as open_command
from inspector.cli.arguments import parser
from inspector.tape import Tape, TapeWriter
from tests.inspector.imports import trace_file as t

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cli") / "small.trace"
    path.write_bytes(t.snappy(t.small_program(3).bytes()))
    return path


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Imports go to a folder of this test; compiled kernels stay where they are."""
    from inspector.imports import cache

    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setattr(cache, "cache_folder", lambda: folder)


def run(*words: object) -> int:
    return main([str(word) for word in words])


def test_info(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("info", trace) == 0
    out = capsys.readouterr().out
    assert "small.exe" in out
    assert "frames           3" in out
    assert "DRAWPRIMITIVE 3" in out


def test_info_as_json(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("info", "--json", trace) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["frames"], facts["draws"], facts["api_calls"]) == (3, 3, t.small_program(3).count)
    assert facts["tokens"]["DRAWPRIMITIVE"] == 3


def test_dump_has_a_line_per_event(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("dump", trace) == 0
    lines = capsys.readouterr().out.splitlines()
    assert run("info", "--json", trace) == 0
    assert len(lines) == json.loads(capsys.readouterr().out)["events"]
    assert [int(line.split()[0]) for line in lines] == list(range(len(lines)))
    draws = [line for line in lines if "DRAWPRIMITIVE" in line]
    assert len(draws) == 3
    assert "TRIANGLELIST" in draws[0]
    assert draws[0].endswith("<- API call 6")


def test_dump_of_a_frame_an_event_and_an_api_call(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("dump", trace, "--source-call", 6) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines and all(line.endswith("API call 6") for line in lines)
    event = lines[-1].split()[0]
    assert run("dump", trace, "--event", event) == 0
    out = capsys.readouterr().out
    assert "DrawPrimitiveUP" in out
    assert "TRIANGLELIST" in out
    assert run("dump", trace, "--event", event, "--json") == 0
    assert bytes.fromhex(json.loads(capsys.readouterr().out)["bytes"])
    assert run("dump", trace, "--frame", 1, "--json") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sum(row["name"] == "DRAWPRIMITIVE" for row in rows) == 1


def test_state_tells_values_and_who_set_them(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("dump", trace, "--json") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    setter = next(row["event"] for row in rows if row["source_call"] == 4 and row["name"] == "RENDERSTATE")
    assert run("state", trace, "--source-call", 6, "--json", "--stage", "light") == 0
    told = json.loads(capsys.readouterr().out)
    lighting = next(value for value in told["state"] if value["key"] == "LIGHTING")
    assert (lighting["text"], lighting["writer"]) == ("FALSE", setter)
    assert run("state", trace, "--event", 0, "--all") == 0
    assert "LIGHTING" in capsys.readouterr().out


def test_image_writes_a_png(trace: Path, tmp_path: Path) -> None:
    assert run("image", trace, "-o", tmp_path / "a.png", "--source-call", 6) == 0
    pixels = np.array(Image.open(io.BytesIO((tmp_path / "a.png").read_bytes())))
    assert pixels.shape == (48, 64, 4)
    assert pixels[10, 10, :3].tolist() == [255, 0, 0]
    assert pixels[45, 60, :3].tolist() == [0, 0, 0]


def test_image_of_a_primitive(trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("image", trace, "-o", tmp_path / "a.png", "--primitive", 0) == 0
    assert "after primitive 0 of event" in capsys.readouterr().out
    assert run("image", trace, "-o", tmp_path / "a.png", "--primitive", 1000) == 2


def test_convert_and_read_back(trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "a.ddicap", tmp_path / "b.ddicap"
    assert run("convert", trace, first) == 0
    assert run("convert", first, second) == 0
    with Tape(first) as one, Tape(second) as two:
        assert len(one.calls) == len(two.calls) > 0
        assert [str(one.source(n)) for n in range(one.source_count)] == [str(two.source(n)) for n in range(two.source_count)]
        assert two.notices == []
    capsys.readouterr()
    assert run("dump", trace) == run("dump", second) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.ddicap", "b.ddicap"]


def test_convert_recovers_a_damaged_capture(trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, cut, saved = tmp_path / "a.ddicap", tmp_path / "cut.trace", tmp_path / "b.ddicap"
    cut.write_bytes(t.snappy(t.small_program(3).bytes()[:-9]))
    assert run("convert", cut, whole) == 0
    assert "cut short" in capsys.readouterr().out
    assert run("convert", whole, saved) == 0
    with Tape(saved) as tape:
        assert "cut short" in tape.notices[0]
    assert run("check", saved) == 1


def test_report_writes_a_page(trace: Path, tmp_path: Path) -> None:
    assert run("report", trace, "-o", tmp_path / "a.html", "--pictures", 1) == 0
    assert (tmp_path / "a.html").read_text("utf-8").startswith("<!doctype html>")


def test_check_tells_whether_anything_was_found(trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", trace) == 0
    assert "0 findings" in capsys.readouterr().out
    odd = t.small_program(1)
    odd.call("IDirect3DDevice8::SomethingNew", {"this": t.DEVICE}, t.OK)
    path = tmp_path / "odd.trace"
    path.write_bytes(t.snappy(odd.bytes()))
    assert run("check", path) == 0
    assert "warning: IDirect3DDevice8::SomethingNew" in capsys.readouterr().out


def test_check_ends_with_1_for_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odd.ddicap"
    with TapeWriter(path) as writer:
        args = {"context": 1, "command_offset": 0, "command_length": 8, "vertex_length": 0}
        writer.append(DdiCall("DrawPrimitives2", args, {"commands": bytes((250, 0, 1, 0, 0, 0, 0, 0))}))
    assert run("check", path, "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert "error" in {finding["severity"] for finding in told["findings"]}


BAD = [
    (["assert", "{trace}", "--state", "ZFUNC=NOPE"], "ZFUNC: unknown value 'NOPE'; expected NEVER, LESS, EQUAL, LESSEQUAL"),
    (["assert", "{trace}", "--state", "COLORWRITEENABLE=RED|NOPE"], "unknown value 'NOPE'; expected RED, GREEN, BLUE, ALPHA"),
    (["assert", "{trace}", "--state", "FOGENABLE=maybe"], "FOGENABLE: unknown value 'maybe'; expected TRUE, FALSE or a number"),
    (["assert", "{trace}", "--state", "FOGSTART=near"], "FOGSTART: unknown value 'near'; expected a number"),
    (["assert", "{trace}", "--state", "VIEW=1 2"], "VIEW: expected 16 numbers, not 2"),
    (["info", "nowhere.trace"], "nowhere.trace: no such file"),
    (["info", "{folder}"], "not a file"),
    (["dump", "{trace}", "--event", "999999"], "event 999999 is out of range"),
    (["dump", "{trace}", "--frame", "77"], "frame 77 is out of range"),
    (["dump", "{trace}", "--source-call", "99999"], "caused no event"),
    (["state", "{trace}", "--stage", "lunch"], "unknown stage 'lunch'"),
    (["image", "{trace}", "--surface", "99999", "-o", "{folder}/x.png"], "surface"),
    (["image", "{trace}", "--level", "40", "-o", "{folder}/x.png"], "level"),
    (["image", "{trace}", "-o", "{folder}/no/such/x.png"], "cannot write"),
    (["image", "{trace}", "-o", "{folder}/x.jpg"], "there is no format for .jpg here; choose .png, .tga (one image"),
    (["image", "{trace}", "--overlay", "tests", "-o", "{folder}/x.dds"], "need .png"),
    (["vertices", "{trace}", "-o", "{folder}/x.stl"], "there is no format for .stl here; choose .csv (every column"),
    (["report", "{trace}", "-o", "{folder}/x.pdf"], "choose .html"),
    (["verify", "{trace}", "-o", "{folder}/x.txt"], "choose .json"),
    (["compare", "{trace}", "{trace}", "-o", "{folder}/x.dds"], "choose .png"),
    (["pixels", "{trace}", "-o", "{folder}/x"], "the name has no suffix; choose .png"),
    (["what-if", "{trace}", "--disable", "5", "--export", "{folder}/x.ddirec"], "choose .ddicap"),
    (["what-if", "{trace}", "--disable", "5", "--save", "{folder}/x.xml"], "choose .json"),
    (["convert", "{trace}", "{folder}/x.zip"], "choose .ddicap"),
    (["convert", "{trace}", "{trace}"], "input and output are the same file"),
    (["infoo", "{trace}"], "infoo: no such file or command; did you mean info?"),
    (["infoo"], "did you mean info?"),
    (["frobnicate"], "frobnicate: no such file or command; --help lists the commands"),
    (["convert", "{trace}", "{folder}/no/such/x.ddicap"], "cannot write"),
    (["dump", "{trace}", "--event", "-4"], "--event"),
    (["info"], "FILE"),
    (["info", "{trace}", "--lunch"], "unknown: --lunch"),
    (["lunch", "--menu"], "lunch"),
]


@pytest.mark.parametrize(("words", "sentence"), BAD)
def test_bad_input_is_one_sentence_and_exit_code_2(
    words: list[str], sentence: str, trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert run(*(word.format(trace=trace, folder=tmp_path) for word in words)) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert "Traceback" not in told
    assert list(tmp_path.glob("*.part")) == []


def test_a_file_on_standard_output_is_alone_there(trace: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run("image", trace, "-o", "-") == 0
    told = capfdbinary.readouterr()
    assert Image.open(io.BytesIO(told.out)).size == (64, 48)
    assert b"-: 64 x 48" in told.err
    assert run("vertices", trace) == 0
    assert capfdbinary.readouterr().out.startswith(b"vertex,")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["info"], ["image", "-o", "-"], ["dump"]])
def test_a_full_disk_behind_standard_output_is_one_sentence(words: list[str], trace: Path) -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "inspector.cli", words[0], str(trace), *words[1:]]
        buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, cwd=ROOT, env=buffered, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "ddi-inspector: cannot write to standard output: No space left on device"
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr


def test_cancelling_is_exit_code_130(trace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import inspector

    def cancelled(*_: object) -> None:
        raise Cancelled("import cancelled")

    monkeypatch.setattr(inspector, "open", cancelled)
    assert run("info", trace) == 130
    monkeypatch.setattr(inspector, "open", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    assert run("info", trace) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_no_memory_is_one_sentence(trace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import inspector

    monkeypatch.setattr(inspector, "open", lambda *_: (_ for _ in ()).throw(MemoryError))
    assert main(["info", str(trace)]) == 2
    assert capsys.readouterr().err == "ddi-inspector: info: out of memory\n"


def test_a_file_alone_opens_the_window(trace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[list[str]] = []

    class App:
        @staticmethod
        def main(words: list[str]) -> int:
            told.append(words)
            return 0

    monkeypatch.setitem(sys.modules, "ui.app", App)
    monkeypatch.setattr(open_command, "begin", lambda: None)  # to compile
    assert open_command.run(parser().parse_args(["open", str(trace)])) == 0
    assert open_command.run(parser().parse_args(["open", str(trace), "--event", "7", "--theme", "dark"])) == 0
    assert open_command.run(parser().parse_args(["open", "--screenshot", "window.png"])) == 0
    assert told == [
        [str(trace)],
        [str(trace), "--focus", "#event=7", "--theme", "dark"],
        ["--screenshot", "window.png"],
    ]


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    out = capsys.readouterr().out
    for command in ("info", "dump", "state", "image", "convert", "report", "check", "open"):
        assert f"\n    {command}" in out


def test_output_is_utf8_and_a_closed_pipe_is_no_error(trace: Path, tmp_path: Path) -> None:
    named = tmp_path / "prüfung \N{SNOWMAN}.trace"
    named.write_bytes(trace.read_bytes())
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "inspector.cli"]
    done = subprocess.run([*command, "info", str(named)], capture_output=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert "prüfung \N{SNOWMAN}" in done.stdout.decode("utf-8")
    pipe = subprocess.PIPE
    reader = subprocess.Popen([*command, "dump", str(named)], stdout=pipe, stderr=pipe, env=environment)
    assert reader.stdout and reader.stderr
    reader.stdout.close()
    told = reader.stderr.read()
    reader.stderr.close()
    assert reader.wait() == 0
    assert b"Traceback" not in told
