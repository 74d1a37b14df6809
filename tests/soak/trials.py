"""One trial of each kind: what is done, when it ends, and what must be there afterwards."""

from __future__ import annotations

import atexit
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.errors import BadInput
from inspector import open as open_capture
from inspector.tape import Tape
from inspector.tape.side import SideCache
from inspector.timeline.kept import Kept
from tests.conftest import ROOT
from tests.own_folders import with_kernels

ROOM = ROOT / "resources" / "room.ddicap"
LONGEST = 0.25  # seconds until a child is killed, once it has begun


@dataclass(frozen=True)
class Outcome:
    """`message`: what the program says of what is left, without places and numbers; `loss`: what was lost, "" for nothing."""

    message: str
    loss: str = ""


def plain(error: object, folder: Path) -> str:
    """A sentence without what differs from trial to trial."""
    return re.sub(r"\d+", "N", str(error).replace(str(folder), "").replace(str(ROOT), ""))


def _killed(work: str, folder: Path, chooser: random.Random) -> list[str]:
    """The whole lines that a child printed until it was killed; it runs `work` of tests.soak.writers."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DDI_INSPECTOR_CACHE": with_kernels(folder / "cache")}
    return _killed_program([sys.executable, "-m", "tests.soak.writers", work, str(folder)], chooser, environment)


def _killed_program(command: list[str], chooser: random.Random, environment: dict[str, str] | None = None) -> list[str]:
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=environment, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "begun\n"
        time.sleep(chooser.random() * LONGEST)
        child.kill()
        told, _ = child.communicate()
    return told.split("\n")[:-1]


def open_tape(path: Path, folder: Path) -> tuple[Tape | None, str]:
    """What opens, and what is said."""
    try:
        tape = Tape(path)
    except BadInput as error:
        return None, plain(error, folder)
    return tape, plain(" ".join(tape.notices) or "opens", folder)


def record(folder: Path, chooser: random.Random) -> Outcome:
    """A durable recording: every committed batch is there, and nothing that was not recorded."""
    told = _killed("record", folder, chooser)
    committed = int(told[-1]) if told else 0
    tape, message = open_tape(folder / "a.ddicap", folder)
    if tape is None:
        return Outcome(message, f"{committed} calls are gone: {message}" if committed else "")
    with tape:
        wrong = [n for n, call in enumerate(tape.calls) if call.args != {"handle": n}]
        if tape.damaged or wrong or len(tape.calls) < committed:
            return Outcome(message, f"{len(tape.calls)} of {committed} calls, wrong: {wrong[:3]}, {message}")
    return Outcome(message)


def settings(folder: Path, chooser: random.Random) -> Outcome:
    """What the window remembers is what was kept last, or the one before or after."""
    import json

    from PySide6.QtCore import QSettings

    told = _killed("settings", folder, chooser)
    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    text = str(store.value("keys", ""))
    if not text:
        return Outcome("nothing is kept", f"{len(told)} rounds" if told else "")
    keys = json.loads(text)
    number = int(keys["command 0"][0].removeprefix("Ctrl+"))
    whole = len(keys) == 200 and all(key == [f"Ctrl+{number}"] for key in keys.values())
    return Outcome(
        "kept", "" if whole and number >= int(told[-1] if told else 0) else f"{number} of {told[-1:]}, whole: {whole}"
    )


PROGRAM = """#include <stdio.h>
#define DDI_RECORD_IMPLEMENTATION
#include "ddi_record.h"
int main(int count, char **words)
{
    static ddir_recorder recorder;
    static unsigned char bytes[3000];
    unsigned int n;
    if (count < 2 || !ddir_open(&recorder, words[1])) return 1;
    puts("begun");
    fflush(stdout);
    for (n = 0;; n++) {
        bytes[n % sizeof bytes] = (unsigned char)n;
        ddir_call(&recorder, "Unlock", 0);
        ddir_u32_field(&recorder, DDIR_ARGUMENT, "handle", n);
        ddir_data_field(&recorder, "contents", bytes, sizeof bytes);
        if (!ddir_end(&recorder)) return 2;
        printf("%u\\n", n + 1);
        fflush(stdout);
    }
}
"""


@cache
def _recorder() -> Path:
    """The program above, compiled once."""
    from tests.resources.recorder_kit import compiled

    folder = Path(tempfile.mkdtemp(prefix="recorder-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return compiled(folder, PROGRAM)


def recorder(folder: Path, chooser: random.Random) -> Outcome:
    """Of a driver that is killed every record is read that it had ended."""
    from inspector.tape.recording import RecordingFile

    path = folder / "a.ddirec"
    told = _killed_program([str(_recorder()), str(path)], chooser)
    with RecordingFile(path) as recording:
        there = sum(1 for _ in recording)
    ended = int(told[-1]) if told else 0
    return Outcome("whole records", "" if there >= ended else f"{there} of {ended} records")


def beside(folder: Path, chooser: random.Random) -> Outcome:
    """A capture that is being recorded opens at any moment, with what was committed until then."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.soak.writers", "record", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=environment, text=True) as child:
        assert child.stdout is not None
        loss, message = "", ""
        for _ in range(chooser.randrange(2, 6)):
            line = child.stdout.readline().strip()
            committed = int(line) if line.isdigit() else 0
            tape, message = open_tape(folder / "a.ddicap", folder)
            if tape is None:
                loss = loss or (message if committed else "")
                continue
            with tape:
                if tape.damaged or len(tape.calls) < committed:
                    loss = f"{len(tape.calls)} of {committed} calls, {message}"
        child.kill()
        child.communicate()
    return Outcome(message, loss)


def annotate(folder: Path, chooser: random.Random) -> Outcome:
    """Every note that was acknowledged is there."""
    shutil.copy(ROOM, folder / "a.ddicap")
    told = [line for line in _killed("annotate", folder, chooser) if line]
    tape, message = open_tape(folder / "a.ddicap", folder)
    if tape is None:
        return Outcome(message, message)
    with tape:
        there = {note.text for note in tape.annotations}
        lost = [line for line in told if line not in there]
        return Outcome(message, f"{len(lost)} of {len(told)} notes, {message}" if lost or tape.damaged else "")


def convert(folder: Path, chooser: random.Random) -> Outcome:
    """A file that is replaced is the old one or the new one."""
    path = folder / "out.png"
    old = b"old" * 1000
    path.write_bytes(old)
    _killed("convert", folder, chooser)
    data = path.read_bytes()
    whole = data == old or (len(data) == 200_000 and len(set(data)) == 1)
    return Outcome("old" if data == old else "new", "" if whole else f"{len(data)} bytes of neither")


def convert_capture(folder: Path, chooser: random.Random) -> Outcome:
    """Captures and recordings that `convert` replaces are the old ones or whole; the next one clears up."""
    from inspector.files import write_bytes
    from tests.inspector.imports import trace_file as t

    frames, old = 400, b"old" * 1000
    (folder / "a.trace").write_bytes(t.snappy(t.small_program(frames).bytes()))
    targets = [folder / "out.ddirec", folder / "out.ddicap"]
    for path in targets:
        path.write_bytes(old)
    _killed("convert capture", folder, chooser)
    midway = [path for path in folder.glob("*.part") if path.stat().st_size]
    found = []
    for path, count in zip(targets, (_calls_of_the_room(), 2 + 7 * frames), strict=True):
        if path.read_bytes() != old:
            with open_capture(path) as capture:
                there = len(capture.calls) if path.suffix == ".ddirec" else capture.tape.source_count
                if there != count or capture.tape.notices:
                    return Outcome("cut", f"{path.name}: {there} of {count} calls, {capture.tape.notices}")
            found.append(path.suffix)
    for part in folder.glob("*.part*"):
        os.utime(part, (1, 1))  # or the killed writer might be taken for a living one
    for path in targets:
        write_bytes(path, b"new")
    left = list(folder.glob("*.part*"))
    where = f"in the middle of {midway[0].name.split('.')[1]}" if midway else "between files"
    return Outcome(f"{where}, new: {' '.join(found) or 'none'}", f"{left[0].name} stays" if left else "")


@cache
def _calls_of_the_room() -> int:
    with Tape(ROOM) as tape:
        return len(tape.calls)


def import_(folder: Path, chooser: random.Random) -> Outcome:
    """After a killed import the next one gives the whole capture."""
    from inspector.imports import cache
    from tests.inspector.imports import trace_file as t

    frames = 400
    path = folder / "a.trace"
    path.write_bytes(t.snappy(t.small_program(frames).bytes()))
    _killed("import", folder, chooser)
    left = len(list((folder / "cache").rglob("*.part")))
    with _cache_in(folder), cache.open_trace(path) as tape:
        whole = tape.source_count == 2 + 7 * frames and not tape.damaged and not tape.notices
    return Outcome(f"whole, {left} .part left" if whole else "cut", "" if whole else f"{tape.source_count} calls")


def side_cache(folder: Path, chooser: random.Random) -> Outcome:
    """What is kept of a capture is whole or not there."""
    import numpy as np

    _killed("side", folder, chooser)
    with _cache_in(folder):
        kept = Kept(SideCache("ab" * 16), 1 << 30)
        found = kept.value("value")
        if found is None:
            return Outcome("nothing is kept")
        number, array = found
        return Outcome("kept", "" if np.array_equal(array, np.full(50_000, number)) else "half a value")


class _cache_in:
    """The cache folder of a trial, for a while."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._before = str(folder / "cache"), os.environ.get("DDI_INSPECTOR_CACHE")

    def __enter__(self) -> None:
        os.environ["DDI_INSPECTOR_CACHE"] = self._folder

    def __exit__(self, *_: object) -> None:
        os.environ.pop("DDI_INSPECTOR_CACHE")
        if self._before is not None:
            os.environ["DDI_INSPECTOR_CACHE"] = self._before


def torn(folder: Path, chooser: random.Random) -> Outcome:
    """A capture that was cut off, at a page or anywhere, or lost a page: says so, and shows nothing else than was recorded."""
    data, page = bytearray(ROOM.read_bytes()), 8192
    place = chooser.randrange(0, len(data), page)
    how = chooser.choice(("cut at a page", "cut", "zeros", "noise"))
    if how.startswith("cut"):
        del data[place if how == "cut at a page" else chooser.randrange(len(data)) :]
    else:
        data[place : place + page] = bytes(page) if how == "zeros" else chooser.randbytes(page)
    path = folder / "a.ddicap"
    path.write_bytes(data)
    tape, message = open_tape(path, folder)
    if tape is None:
        return Outcome(message)
    with tape, Tape(ROOM) as whole, suppress(BadInput):
        for number, (call, right) in enumerate(zip(tape.calls, whole.calls, strict=False)):
            if (call.entry, call.args, call.result) != (right.entry, right.args, right.result):
                return Outcome(message, f"call {number} is another one, {message}")
        if len(tape.calls) < len(whole.calls) and not tape.damaged:
            return Outcome(message, f"{len(tape.calls)} calls, and nothing is said: {message}")
    return Outcome(message)


def full(folder: Path, chooser: random.Random) -> Outcome:
    """A disk that fills up at some write: one sentence, and what was committed stays."""
    told = _run_in_little_room(folder, chooser.randrange(1, 150) * 8192)
    committed = max([int(line) for line in told if line.isdigit()], default=0)
    tape, message = open_tape(folder / "a.ddicap", folder)
    said = next((line for line in told if not line.isdigit() and line), "all was written")
    if "Traceback" in said or (tape is None and committed):
        return Outcome(said, f"{committed} committed, {message}; {said}")
    if tape is not None:
        with tape:
            if len(tape.calls) < committed:
                return Outcome(said, f"{len(tape.calls)} of {committed} calls")
    return Outcome(plain(said, folder))


def _run_in_little_room(folder: Path, size: int) -> list[str]:
    """What a recorder prints that cannot make files larger than `size` bytes."""
    import resource

    done = subprocess.run(
        [sys.executable, "-m", "tests.soak.writers", "record", str(folder), "300"], capture_output=True, text=True, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False, timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )  # fmt: skip
    return [*done.stdout.split("\n")[1:], *done.stderr.strip().split("\n")]
