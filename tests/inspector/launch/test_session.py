"""record: what is started with which variables; and under Wine, for real."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.errors import BadInput
from inspector.cli import main
from inspector.launch import session, tracer
from inspector.launch.session import Request
from tests.inspector.imports import trace_file as t
from tests.inspector.launch.built import COMPILERS, build

NOT_WINDOWS = pytest.mark.skipif(sys.platform == "win32", reason="Wine")


@pytest.fixture(scope="module")
def built(bits: int, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """program.exe and the tracer."""
    if not (compiler := shutil.which(COMPILERS[bits])):
        pytest.skip(f"needs {COMPILERS[bits]} (Debian: gcc-mingw-w64)")
    return build(tmp_path_factory.mktemp("built"), compiler)


@NOT_WINDOWS
def test_the_program_gets_its_variables(tmp_path: Path) -> None:
    request = Request(tmp_path / "a.exe", environment={"A": "1"}, output=tmp_path / "b.trace")
    found = session.environment(request, {"WINEDLLOVERRIDES": "mshtml=;D3D8=b", "B": "2"})
    windows = "Z:" + str(tmp_path / "b.trace").replace("/", "\\")
    assert found == {"A": "1", "B": "2", "TRACE_FILE": windows, "WINEDLLOVERRIDES": "mshtml=;d3d8=n,b"}
    some = Request(tmp_path / "a.exe", output=tmp_path / "b.trace", frames="3-4")
    found = session.environment(some, {"WINEDLLOVERRIDES": "d3d8=b"}, "ddraw.dll")
    assert found == {"TRACE_FILE": windows, "WINEDLLOVERRIDES": "d3d8=b;ddraw=n,b", "DDI_RECORD_FRAMES": "3-4"}
    pressed = Request(tmp_path / "a.exe", output=tmp_path / "b.trace", key="f12", count=5)
    assert session.part_of(pressed) == {"DDI_RECORD_KEY": "F12", "DDI_RECORD_COUNT": "5"}


def test_frames_of_the_users_environment_do_not_override_the_key(tmp_path: Path) -> None:
    users = {"DDI_RECORD_FRAMES": "1", "DDI_RECORD_KEY": "F1", "DDI_RECORD_COUNT": "9"}
    parts = ({"key": "F12"}, {"DDI_RECORD_KEY": "F12", "DDI_RECORD_COUNT": "1"}), ({"frames": "3"}, {"DDI_RECORD_FRAMES": "3"})
    for part, want in (*parts, ({}, users)):
        for base, own in ((users, {}), ({}, users)):
            request = Request(tmp_path / "a.exe", environment=own, output=tmp_path / "b.trace", **part)  # type: ignore[arg-type]
            found = session.environment(request, base)
            assert {name: value for name, value in found.items() if name.startswith("DDI_")} == want


def test_frames_of_directdraw_programs_are_refused(
    built: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever DLL is named: ours does not record them, and apitrace's records no part."""
    monkeypatch.chdir(tmp_path)
    older = tmp_path / "older.exe"
    older.write_bytes(built[0].read_bytes().replace(b"d3d8.dll\0", b"ddraw.dll"))
    for words in ([], ["--with", "ours"], ["--with", "apitrace"], ["--print"]):
        assert main(["record", "--frames", "1", *words, str(older)]) == 2
        err = capsys.readouterr().err
        assert "frames can be chosen for Direct3D 8 programs only; apitrace records DirectDraw programs whole" in err


@NOT_WINDOWS
def test_without_a_dll_the_lines_name_the_one_that_can(
    bits: int, built: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(tracer.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(tracer, "our_place", lambda bits, name: tmp_path / name)
    ours, theirs = f"Copy our win{bits} d3d8.dll, which is built once you", f"Copy the win{bits} d3d8.dll of apitrace"
    for words, says in ((["--frames", "1"], ours), (["--key", "F1"], ours), (["--with", "ours"], ours), ([], theirs)):
        assert main(["record", "--print", *words, str(built[0])]) == 0
        assert says in capsys.readouterr().out


@NOT_WINDOWS
def test_steam_and_lutris_get_lines(built: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "--print", "-o", "/x/game.trace", "--set", "A=1", "--dll", str(built[1]), str(built[0])]) == 0
    out = capsys.readouterr().out
    assert f"1. Copy {built[1]}\n   to {built[0].parent}\n" in out
    assert "   A=1 WINEDLLOVERRIDES=\"d3d8=n,b\" TRACE_FILE='Z:\\x\\game.trace' %command%\n" in out


def test_on_windows_apitrace_starts_it(built: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command of apitrace's own program; no DLL is placed."""
    unpacked = tmp_path / "apitrace-13.0-win64"
    for name, source in (("bin/apitrace.exe", built[0]), ("lib/wrappers/d3d8.dll", built[1])):
        (unpacked / name).parent.mkdir(parents=True)
        shutil.copy(source, unpacked / name)
    started = []

    class Process:
        def __init__(self, words: list[str], **_: object) -> None:
            started.append(words)

    monkeypatch.setattr(tracer.sys, "platform", "win32")
    monkeypatch.setattr(session.subprocess, "Popen", Process)
    session.Recording(Request(built[0], ["-x"], output=tmp_path / "a.trace", tracer=unpacked)).close()
    (words,) = started
    assert words[:4] == [str(unpacked / "bin" / "apitrace.exe"), "trace", "--api", "d3d8"]
    assert words[4:] == ["--output", str(tmp_path / "a.trace"), str(built[0]), "-x"]
    assert [path.name for path in built[0].parent.iterdir()] == ["program.exe"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-o", "{there}"], "is there already; choose another name"),
        (["-o", "/no/such/folder/a.trace"], "there is no such folder"),
        (["--folder", "/no/such/folder"], "there is no such folder"),
        (["--set", "A"], "expected NAME=VALUE"),
        (["--frames", "3-4"], "apitrace records from the beginning to the end"),
        (["--frames", "three"], "'three' is not a frame range; expected FIRST or FIRST-LAST, as in 100-102"),
        (["--frames", "102-100"], "'102-100' ends before it begins"),
        (["--key", "F25"], "'F25' is not a key; use F1 to F24, a letter or a digit"),
        (["--count", "3"], "--count is the number of frames that --key records"),
        (["--frames", "1", "--count", "3"], "--count is the number of frames that --key records"),
        (["--key", "F1", "--count", "0"], "at least one frame"),
        (["--key", "F1", "--frames", "1"], "not both"),
        (["--with", "ours"], "is apitrace's, but ours was asked for"),
    ],
)
def test_what_cannot_be_done_is_refused_before(
    words: list[str], says: str, built: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.trace").write_bytes(b"at")
    words = [word.format(there=tmp_path / "there.trace") for word in words]
    assert main(["record", *words, "--dll", str(built[1]), str(built[0])]) == 2
    assert says in capsys.readouterr().err
    assert [path.name for path in built[0].parent.iterdir()] == ["program.exe"]


def test_a_program_that_cannot_be_started_leaves_nothing(
    built: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "runner", lambda: [str(tmp_path / "nothing")])
    with pytest.raises(BadInput, match="cannot start"):
        session.Recording(Request(built[0], output=tmp_path / "a.trace", tracer=built[1]))
    assert not (built[0].parent / "d3d8.dll").exists()


def test_names_are_not_taken_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert session.free_name(Path("x/game.exe"), Path()) == Path("game.trace")
    Path("game.trace").touch()
    assert session.free_name(Path("x/game.exe"), Path()) == Path("game-2.trace")


# ---- Wine ------------------------------------------------------------------------------------


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A trace of 30 frames in small blocks, of which the tracer writes the first half at once and the rest at the end."""
    path = tmp_path / "source.trace"
    path.write_bytes(t.snappy(t.small_program(30).bytes(), block=500))
    return path


def start(built: tuple[Path, Path], wine: dict[str, str], source: Path, *words: str) -> subprocess.Popen[str]:
    """ddi-inspector record in a process of its own."""
    target = source.with_name("out.trace")
    environment = {**wine, "TRACE_SOURCE": str(source), "TRACE_FIRST": str(source.stat().st_size // 2)}
    call = [sys.executable, "-m", "inspector.cli", "record", "-o", str(target), "--dll", str(built[1])]
    call += ["--set", "GREETING=hello", str(built[0]), *words]
    return subprocess.Popen(call, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(path: Path, size: int) -> None:
    for _ in range(1200):
        if path.exists() and path.stat().st_size >= size:
            return
        time.sleep(0.1)
    pytest.fail(f"{path} did not grow to {size} bytes")


@NOT_WINDOWS
def test_a_program_is_recorded_under_wine(bits: int, built: tuple[Path, Path], wine: dict[str, str], source: Path) -> None:
    told = source.with_name("told.txt")
    with start(built, wine, source, "2500", session.windows_path(told)) as process:
        out, err = process.communicate(timeout=120)
    target = source.with_name("out.trace")
    assert process.returncode == 0, err
    assert target.read_bytes() == source.read_bytes()
    assert out.splitlines()[0] == f"program.exe: {bits}-bit, loads Direct3D 8"
    size = -(-source.stat().st_size // 1024)
    assert out.splitlines()[-1] == f"{target}: {t.small_program(30).count:,} calls, 30 frames, {size} KB"
    adapters, folder, greeting = told.read_text().splitlines()
    assert (adapters, greeting) == ("1 adapters", "hello")  # passed on to Wine's own Direct3D 8
    assert folder.replace("\\", "/") == f"Z:{built[0].parent}"
    assert [path.name for path in built[0].parent.iterdir()] == ["program.exe"]


@NOT_WINDOWS
def test_stopping_closes_the_window(built: tuple[Path, Path], wine: dict[str, str], source: Path) -> None:
    """The program gets time to write what it has: the trace is whole."""
    with start(built, wine, source, "100000") as process:
        wait_for(source.with_name("out.trace"), source.stat().st_size // 2)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "stopping" in out and source.with_name("out.trace").read_bytes() == source.read_bytes()
    assert [path.name for path in built[0].parent.iterdir()] == ["program.exe"]


@NOT_WINDOWS
def test_a_crash_of_ours_leaves_no_dll(built: tuple[Path, Path], wine: dict[str, str], source: Path) -> None:
    with start(built, wine, source, "4000") as process:
        wait_for(source.with_name("out.trace"), 1)
        assert (built[0].parent / "d3d8.dll").exists()
        process.kill()
    for _ in range(1200):
        if not (built[0].parent / "d3d8.dll").exists():
            break
        time.sleep(0.05)
    assert [path.name for path in built[0].parent.iterdir()] == ["program.exe"]
