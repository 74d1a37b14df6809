"""Trials of what several hold at once, and of a disk that is full from any one write on."""

from __future__ import annotations

import atexit
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import cache
from pathlib import Path

from tests.conftest import ROOT
from tests.own_folders import with_kernels
from tests.soak.trials import LONGEST, ROOM, Outcome, open_tape, plain

WRITES = 150  # of a recorder of 300 commits, about: where the disk may be full


def _children(work: str, folders: list[str], chooser: random.Random) -> list[list[str]]:
    """The whole lines of several writers beside each other, after their first, all killed at some moment."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.soak.writers", work]
    children = [
        subprocess.Popen(
            [*command, folder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT, env=environment, text=True
        )
        for folder in folders
    ]
    try:
        for child in children:
            assert child.stdout is not None
            child.stdout.readline()  # "begun", or nothing of one that found the file locked
        time.sleep(chooser.random() * LONGEST)
    finally:
        for child in children:
            child.kill()
    return [child.communicate()[0].split("\n")[:-1] for child in children]


def two_windows(folder: Path, chooser: random.Random) -> Outcome:
    """Two windows take notes on one capture: all that were acknowledged are there, of both."""
    shutil.copy(ROOM, folder / "a.ddicap")
    told = _children("annotate", [str(folder)] * 2, chooser)
    tape, message = open_tape(folder / "a.ddicap", folder)
    if tape is None:
        return Outcome(message, message)
    with tape:
        lost = Counter(line for lines in told for line in lines) - Counter(note.text for note in tape.annotations)
        return Outcome(message, f"{lost.total()} notes, {message}" if lost or tape.damaged else "")


def together(folder: Path, works: list[str], rounds: int) -> list[list[str]]:
    """The lines of several writers that begin and end beside each other, on their own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DDI_INSPECTOR_CACHE": with_kernels(folder / "cache")}
    command = [sys.executable, "-m", "tests.soak.writers"]
    children = [
        subprocess.Popen(
            [*command, work, str(folder), str(rounds)], stdout=subprocess.PIPE, cwd=ROOT, env=environment, text=True
        )
        for work in works
    ]
    told = [child.communicate(timeout=120)[0].split("\n")[1:-1] for child in children]
    assert not any(child.returncode for child in children)
    return told


def recent_files(folder: Path, chooser: random.Random) -> Outcome:
    """Two windows open files at the same time: all are among the recent ones, of both."""
    from PySide6.QtCore import QSettings

    from ui.settings import MOST_RECENT, Settings

    together(folder, ["recent", "recent too"], MOST_RECENT // 2)
    kept = Settings(QSettings(str(folder / "a.ini"), QSettings.Format.IniFormat)).recent
    return Outcome("kept", "" if len(set(kept)) == MOST_RECENT else f"{len(kept)} of {MOST_RECENT} files")


def two_bookmark(folder: Path, chooser: random.Random) -> Outcome:
    """Two windows set and remove bookmarks of one trace at the same time: those are there that are to be."""
    from inspector.tape.bookmarks import Bookmarks

    told = together(folder, ["bookmarks"] * 2, 10)
    kept = sorted(one.text for one in Bookmarks(None, folder / "a.trace").all())
    wanted = sorted(line for lines in told for line in lines)
    return Outcome("kept", "" if kept == wanted else f"{len(kept)} of {len(wanted)} bookmarks")


@cache
def _no_space() -> Path:
    """no_space.c, compiled once."""
    folder = Path(tempfile.mkdtemp(prefix="no-space-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    made = folder / "no_space.so"
    source = Path(__file__).with_name("no_space.c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(made), str(source), "-ldl"], check=True)
    return made


def no_space(folder: Path, chooser: random.Random) -> Outcome:
    """The disk is full from some write on: one sentence, and what was committed before stays."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LD_PRELOAD": str(_no_space()), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["NO_SPACE_AT"] = str(chooser.randrange(1, WRITES))
    command = [sys.executable, "-m", "tests.soak.writers", "record", str(folder), "30"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False, timeout=120)
    committed = max([int(line) for line in done.stdout.split() if line.isdigit()], default=0)
    said = done.stderr.strip().split("\n")[-1] or "all was written"
    tape, message = open_tape(folder / "a.ddicap", folder)
    if "Traceback" in done.stderr or (tape is None and committed):
        return Outcome(plain(said, folder), f"{committed} committed, {message}; {said}")
    if tape is not None:
        with tape:
            wrong = [number for number, call in enumerate(tape.calls) if call.args != {"handle": number}]
            if len(tape.calls) < committed or wrong:
                return Outcome(plain(said, folder), f"{len(tape.calls)} of {committed} calls, wrong: {wrong[:3]}")
    return Outcome(plain(said, folder))
