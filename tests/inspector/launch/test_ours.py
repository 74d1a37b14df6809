"""Our recording d3d8.dll: what it writes of a program that draws, under Wine, and what the importer makes of it.

The program (drawing.c) knows its calls and what Wine drew: both are compared with the recording.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cramjam
import numpy as np
import pefile
import pytest

import inspector
from core.runtime.calls.source import SourceCall, describe
from inspector.cli import main
from inspector.imports.stream import TraceStream
from inspector.launch import session, tracer
from inspector.launch.session import Request
from resources.tracer import build, generate
from tests.inspector.launch.built import build_game, build_pure
from tests.inspector.launch.running import EXACT, assert_ends, launch, run_threads

WIDTH, HEIGHT = 96, 64
NOT_WINDOWS = pytest.mark.skipif(sys.platform == "win32", reason="Wine")
FAILED = 1 << 31
"""Of an HRESULT."""
ROUNDING = 2
"""8-bit steps that Wine on llvmpipe and our device may be apart."""
LOST_BY_APITRACE = ["CREATEVERTEXSHADER", "Unlock", "Unlock"]
ENOUGH = 500
"""Calls of a function in another program that show what kinds of values apitrace writes for it."""
LARGEST = 256 << 10
"""Bytes of the DLL: it comes with every installation."""


@dataclass
class Run:
    """What a run of the program left: its calls as (name, result), its pictures, its trace."""

    calls: list[tuple[str, int]]
    pictures: np.ndarray
    trace: Path


@pytest.fixture(scope="module")
def dll(bits: int, tool: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    tool(build.COMPILERS[bits])
    return build.build(tmp_path_factory.mktemp("dll"), bits)


@pytest.fixture(scope="module")
def game(bits: int, tool: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_game("drawing", tmp_path_factory.mktemp("drawing"), tool(build.COMPILERS[bits]))


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    from inspector.imports import cache

    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setattr(cache, "cache_folder", lambda: folder)


def left(folder: Path, trace: str = "out.trace") -> Run:
    lines = [line.split() for line in (folder / "calls.txt").read_text().splitlines()]
    pictures = np.fromfile(folder / "pixels.bin", "<u4").reshape(-1, HEIGHT, WIDTH)
    return Run([(name, int(result)) for name, result in lines], pictures, folder / trace)


def start(game: Path, dll: Path | None, wine: dict[str, str], folder: Path, frames: int, *shape: str, **settings: str) -> Any:
    """The drawing program with the DLL beside it."""
    paths = [session.windows_path(folder / name) for name in ("calls.txt", "pixels.bin")]
    return launch(game, dll, wine, folder, str(frames), *paths, *shape, **settings)


def run(*rest: Any, **settings: str) -> Run:
    _, dll, _, folder, *_ = rest
    assert_ends(start(*rest, **settings), dll, folder)
    return left(folder)


def source_calls(path: Path, most: int = sys.maxsize) -> list[SourceCall]:
    """In order; of each function at most so many."""
    found, count = [], Counter[str]()
    for calls, _ in TraceStream(path):
        for i in range(len(calls)):
            name = calls.signature(i).name
            count[name] += 1
            if count[name] <= most:
                found.append(describe(calls, i))
    return found


def unpacked(path: Path) -> bytes:
    """The bytes of a trace out of their snappy blocks."""
    data, at, parts = path.read_bytes(), 2, []
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "little")
        parts.append(bytes(cramjam.snappy.decompress_raw(data[at + 4 : at + 4 + length])))
        at += 4 + length
    return b"".join(parts)


def drawn(path: Path) -> list[np.ndarray]:
    """What each frame of a trace shows, [HEIGHT, WIDTH, 3]."""
    with inspector.open(path) as capture:
        assert capture.findings == []
        events = [
            max(e for e in range(frame.first_event, frame.last_event + 1) if capture.name(e) in ("Blt", "Flip"))
            for frame in capture.frames
        ]
        return [capture.image(event, 1)[..., :3].astype(int) for event in events]


def as_channels(picture: np.ndarray) -> np.ndarray:
    return np.stack([picture >> shift & 255 for shift in (16, 8, 0)], -1).astype(int)


def assert_same_pictures(found: list[np.ndarray], expected: np.ndarray) -> None:
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert np.abs(one - as_channels(other)).max() <= ROUNDING
        assert len(np.unique(other)) > 30  # it shows something


# ---- what is built ---------------------------------------------------------------------------------------------------


def test_it_is_small_and_stands_in_for_the_real_one(bits: int, dll: Path, tmp_path: Path) -> None:
    """No warning: mingw-w64's tables of methods are of exactly our types."""
    assert dll.stat().st_size < LARGEST and tracer.is_ours(dll)
    with pefile.PE(str(dll)) as image:
        names = [symbol.name.decode() for symbol in image.DIRECTORY_ENTRY_EXPORT.symbols]
        needs = {row.dll.decode().lower() for row in image.DIRECTORY_ENTRY_IMPORT}
        assert image.FILE_HEADER.TimeDateStamp == 0
    assert names == ["D3D8GetSWInfo", "DebugSetMute", "Direct3DCreate8", "ValidatePixelShader", "ValidateVertexShader"]
    assert needs == {"kernel32.dll", "user32.dll", "msvcrt.dll"}  # nothing that a machine might lack
    if bits == 32:  # the sooner built; of the other, it is the same generator and linker
        assert build.build(tmp_path, bits).read_bytes() == dll.read_bytes()


def test_the_x87_is_left_to_the_program(bits: int, dll: Path, tool: Any) -> None:
    """Programs unmask its exceptions, set its precision, and are in the middle of MMX."""
    objdump = tool(build.COMPILERS[bits].replace("gcc", "objdump"))
    code = subprocess.check_output([objdump, "-d", "--no-show-raw-insn", str(dll)], text=True)
    assert len(re.findall(r"\tcall\b", code)) > 1000
    assert re.findall(r"\tf[a-z0-9]+.*|\temms.*", code) == []


def test_every_row_is_used() -> None:
    from resources.tracer.arguments import AFTER, ARGUMENTS, BEFORE, EXCEPTIONS, RESULTS, STATE

    every = generate.methods()
    assert ARGUMENTS.keys() <= {a.name for m in every for a in m.arguments}
    keys = {key for m in every for a in m.arguments for key in (f"{m.interface}::{m.name}.{a.name}", f"{m.name}.{a.name}")}
    assert EXCEPTIONS.keys() <= keys
    assert {*RESULTS, *STATE, *AFTER, *BEFORE} <= {m.name for m in every}


# ---- what is recorded ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(game: Path, dll: Path, wine: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(game, dll, wine, tmp_path_factory.mktemp("whole"), 4)


@NOT_WINDOWS
def test_the_calls_are_those_of_the_program(whole: Run) -> None:
    calls = [call for call in source_calls(whole.trace) if not call.fake]
    assert len(calls) > 200
    found = [(call.name, call.result) for call in calls]
    assert [re.sub(".*::Release", "Release", name) for name, _ in found] == [
        re.sub(".*::Release", "Release", name) for name, _ in whole.calls
    ]
    results = [result for (name, _), (_, result) in zip(found, whole.calls, strict=True) if name != "Direct3DCreate8"]
    assert [result for name, result in found if name != "Direct3DCreate8"] == results


@NOT_WINDOWS
def test_the_pictures_are_those_that_wine_drew(whole: Run) -> None:
    assert_same_pictures(drawn(whole.trace), whole.pictures)


@NOT_WINDOWS
def test_the_program_draws_what_it_draws_without(whole: Run, game: Path, wine: dict[str, str], tmp_path: Path) -> None:
    assert np.array_equal(run(game, None, wine, tmp_path, 4).pictures, whole.pictures)


def shape(value: Any) -> Any:
    """What kind of value it is: of structures their members, of arrays what they hold."""
    if value is None:
        return "address"
    if isinstance(value, dict):
        return tuple((name, shape(member)) for name, member in value.items())
    if isinstance(value, list):
        return ["array", *{repr(shape(one)) for one in value}]
    if isinstance(value, float):
        return "float"
    if isinstance(value, int):
        return "address" if value > 0xFFFF and str(value).startswith("0x") else "number"  # masks of no bits are 0x0, too
    return "bytes"


@NOT_WINDOWS
def test_values_are_as_apitrace_writes_them(whole: Run, captures: Path) -> None:
    """Of the same function and argument, ours are of a kind that apitrace's have, in traces of other programs."""
    theirs: dict[tuple[str, str], set[str]] = {}
    orders: dict[str, list[str]] = {}
    for name in ("hge_tut04", "irr03_customnode", "irr10_shaders"):
        for call in source_calls(captures / "apps" / f"{name}.trace", ENOUGH):
            if not call.result & FAILED:  # those that fail have written nothing
                orders[call.name] = [a for a, _ in call.args]
            for argument, value in call.args:
                if value is None:
                    continue
                theirs.setdefault((call.name, argument), set()).add(repr(shape(value)))
    compared = 0
    for call in source_calls(whole.trace):
        for argument, value in call.args:
            if (call.name, argument) in theirs and value is not None and call.name in orders:
                assert repr(shape(value)) in theirs[call.name, argument], (call.name, argument, value)
                compared += 1
        if call.name in orders and not call.result & FAILED:
            assert [a for a, _ in call.args] == orders[call.name]
    assert compared > 300


@NOT_WINDOWS
def test_apitrace_records_the_same_events(whole: Run, bits: int, game: Path, wine: dict[str, str], tmp_path: Path) -> None:
    """Of the same program: every event as text, and every picture.  DDI_APITRACE: CONTRIBUTING.md."""
    theirs = Path(os.environ.get("DDI_APITRACE", ""), f"win{bits}", "lib", "wrappers", "d3d8.dll")
    if not theirs.is_file():
        pytest.skip("needs apitrace's d3d8.dll: python -m tests.inspector.launch.apitrace")
    other = run(game, theirs, wine, tmp_path, 4)
    assert np.array_equal(other.pictures, whole.pictures)
    with inspector.open(whole.trace) as a, inspector.open(other.trace) as b:
        differ = [(a.text(e), b.text(e)) for e in range(max(len(a.events), len(b.events))) if a.text(e) != b.text(e)]
        # apitrace loses what is locked through a texture and unlocked as a surface, or the other way round, and the constants
        # in a vertex declaration
        assert len(a.events) == len(b.events) and sorted(one.split()[0] for one, _ in differ) == LOST_BY_APITRACE, differ


# ---- some frames, and ends -----------------------------------------------------------------------------------------


@NOT_WINDOWS
def test_frames_begin_with_the_state_and_the_contents_before_them(
    game: Path, dll: Path, wine: dict[str, str], tmp_path: Path
) -> None:
    """Render targets drawn to earlier, textures of the default pool, write-only buffers, state blocks, products of matrices."""
    made = run(game, dll, wine, tmp_path, 9, DDI_RECORD_FRAMES="4-6")
    assert_same_pictures(drawn(made.trace), made.pictures[4:7])
    kinds = [call.name.partition("::")[2] for call in source_calls(made.trace)]
    made_here = [kinds.count(f"Create{kind}Texture") for kind in ("", "Cube", "Volume")]
    assert made_here == [4, 1, 1]  # not those whose last reference was one to a level


@NOT_WINDOWS
def test_a_key_records_frames(game: Path, dll: Path, wine: dict[str, str], tmp_path: Path) -> None:
    """It is down when frame 2 is shown: frames 3 and 4."""
    made = run(game, dll, wine, tmp_path, 7, "key", DDI_RECORD_KEY="F12", DDI_RECORD_COUNT="2")
    assert_same_pictures(drawn(made.trace), made.pictures[3:5])


@NOT_WINDOWS
def test_the_second_key_knows_what_happened_during_the_first(
    game: Path, dll: Path, wine: dict[str, str], tmp_path: Path
) -> None:
    """Matrices are multiplied in every frame, and nowhere set."""
    made = run(game, dll, wine, tmp_path, 8, "keys", DDI_RECORD_KEY="F12")
    for trace, frame in ((made.trace, 3), (tmp_path / "out.1.trace", 6)):
        assert_same_pictures(drawn(trace), made.pictures[frame : frame + 1])


@NOT_WINDOWS
def test_short_presses_count_also_while_frames_are_recorded(
    game: Path, dll: Path, wine: dict[str, str], tmp_path: Path
) -> None:
    """Released before frames 2 and 3 are shown: frames 3 and 4, then frames 5 and 6."""
    made = run(game, dll, wine, tmp_path, 9, "taps", DDI_RECORD_KEY="F12", DDI_RECORD_COUNT="2")
    assert not (tmp_path / "out.2.trace").exists()
    for trace, frame in ((made.trace, 3), (tmp_path / "out.1.trace", 5)):
        assert_same_pictures(drawn(trace), made.pictures[frame : frame + 2])


@NOT_WINDOWS
@pytest.mark.parametrize("frames", ["2-3", "4-6"])
def test_pure_devices_are_not_asked(
    frames: str, bits: int, game: Path, dll: Path, wine: dict[str, str], tool: Any, tmp_path: Path
) -> None:
    """Products of matrices, and what a state block sets back to what nobody had set, without the device's answers."""
    pure = build_pure(tmp_path, tool(build.COMPILERS[bits]))
    first, last = map(int, frames.split("-"))
    made = run(game, dll, wine, tmp_path, 8, DDI_RECORD_FRAMES=frames, DDI_RECORD_D3D8=session.windows_path(pure))
    assert_same_pictures(drawn(made.trace), made.pictures[first : last + 1])


@NOT_WINDOWS
@pytest.mark.parametrize("shape", ["end", "hang"])
def test_a_program_that_leaves_or_is_killed_leaves_its_frames(
    shape: str, game: Path, dll: Path, wine: dict[str, str], tmp_path: Path
) -> None:
    with start(game, dll, wine, tmp_path, 3, shape) as process:
        if shape == "hang":
            for _ in range(1200):
                if (tmp_path / "pixels.bin").exists() and (tmp_path / "pixels.bin").stat().st_size == 3 * 4 * WIDTH * HEIGHT:
                    break
                time.sleep(0.1)
            time.sleep(1)
            process.kill()
            subprocess.run(["wineserver", "--kill"], env={**os.environ, **wine}, check=False)
        process.wait(timeout=120)
    assert_same_pictures(drawn(tmp_path / "out.trace"), np.fromfile(tmp_path / "pixels.bin", "<u4").reshape(-1, HEIGHT, WIDTH))


@NOT_WINDOWS
def test_threads_call_at_the_same_time(bits: int, dll: Path, wine: dict[str, str], tool: Any, tmp_path: Path) -> None:
    """Each thread's calls are whole and in its order, bit for bit, and its x87 is as without the recorder.

    A recorder that loads their floats as numbers ends the program: they are signalling NaNs.
    """
    program, rounds = build_game("threads", tmp_path, tool(build.COMPILERS[bits])), 300
    told = []
    for one in (None, dll):
        run_threads(program, one, wine, tmp_path, "told.txt", str(rounds))
        told.append((tmp_path / "told.txt").read_text())
    assert told[0] == told[1] and all(line.endswith(" 0") for line in told[0].splitlines()[1:])
    factors: dict[int, list[int]] = {}
    for call in source_calls(tmp_path / "out.trace"):
        if call.name.endswith("::SetRenderState"):
            factors.setdefault(call.thread, []).append(call["Value"])
    assert sorted(factors.values()) == [[n << 16 | i for i in range(rounds)] for n in range(4)]
    data = unpacked(tmp_path / "out.trace")
    for number in (0x7FA00000 + (n << 16) + i for n in range(4) for i in range(rounds)):
        assert data.count(number.to_bytes(4, "little")) == 2  # set and got


@NOT_WINDOWS
def test_nothing_is_overwritten(game: Path, dll: Path, wine: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "out.trace").write_bytes(b"mine")
    run(game, dll, wine, tmp_path, 1)
    assert (tmp_path / "out.trace").read_bytes() == b"mine"
    assert len(drawn(tmp_path / "out.1.trace")) == 1


@NOT_WINDOWS
def test_another_dll_is_recorded_in_place_of_the_systems(game: Path, dll: Path, wine: dict[str, str], tmp_path: Path) -> None:
    """Two recorders, one behind the other, hear the same."""
    other = tmp_path / "wrapper" / "d3d8.dll"
    other.parent.mkdir()
    # the second asks for the same variable, and would load itself
    other.write_bytes(dll.read_bytes().replace(b"DDI_RECORD_D3D8", b"DDI_RECORD_NONE"))
    run(game, dll, wine, tmp_path, 1, DDI_RECORD_D3D8=session.windows_path(other))
    one, two = ([call.name for call in source_calls(tmp_path / name) if not call.fake] for name in ("out.trace", "out.1.trace"))
    assert len(one) > 100 and len(two) > 100 and set(two) <= set(one)
    assert all(name.endswith("Desc") for name in set(one) - set(two)), "but for what a recorder asks itself"


@NOT_WINDOWS
def test_record_takes_ours(
    game: Path,
    dll: Path,
    wine: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Placed for the time of the recording; frames in the middle."""
    (game.parent / "d3d8.dll").unlink(missing_ok=True)
    monkeypatch.setattr(tracer, "our_place", lambda bits, name: dll)
    for name, value in {**wine, **EXACT}.items():
        monkeypatch.setenv(name, value)
    paths = [session.windows_path(tmp_path / name) for name in ("calls.txt", "pixels.bin")]
    trace = tmp_path / "some.trace"
    assert main(["record", "--with", "ours", "--frames", "1-2", "-o", str(trace), str(game), "4", *paths]) == 0
    assert ", 2 frames, " in capsys.readouterr().out.splitlines()[-1]
    assert_same_pictures(drawn(trace), left(tmp_path).pictures[1:3])
    assert [path.name for path in game.parent.iterdir()] == ["drawing.exe"]
    assert session.chosen_dll(Request(game, frames="1"), session.read_program(game)) == dll
