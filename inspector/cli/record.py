"""ddi-inspector record: runs a program and records its Direct3D 8, or DirectDraw, calls (docs/recording-a-game.md)."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import BadInput
from inspector.launch.program import Program, read_program
from inspector.launch.session import Recording, Request, chosen_dll, free_name, lines, variables
from inspector.launch.tracer import APITRACE, OURS, VARIABLE

EXAMPLES = (
    "record game.exe",
    "record -o game.trace game.exe -window -level 3",
    "record --frames 100-102 game.exe",
    "record --key F12 --count 3 game.exe",
    "record --inspect game.exe",
    "record --print game.exe",
)
OWN_FILE = True
NOTHING_RECORDED = 1
INTERVAL = 0.5
"""Seconds between two looks at the trace."""


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="PROGRAM", help="an .exe")
    command.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="arguments of the program")
    command.add_argument(
        "-o", "--trace", type=Path, metavar="OUT", help="the trace to write (default: the program's name with .trace)"
    )
    command.add_argument("--folder", type=Path, help="the folder to run the program in (default: its own)")
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an environment variable for the program; may be repeated",
    )
    command.add_argument(
        "--dll", type=Path, help=f"the DLL that records, or apitrace's folder (default: from {VARIABLE} or PATH)"
    )
    command.add_argument(
        "--with", dest="kind", choices=(OURS, APITRACE), default="",
        help="which DLL records: DDI Inspector's or apitrace's (default: apitrace's if it is found)",
    )  # fmt: skip
    command.add_argument(
        "--frames", default="", metavar="N[-M]", help="record only these frames, counted from 0 (DDI Inspector's DLL)"
    )
    command.add_argument(
        "--key", default="", help="record when this key is pressed in the program, such as F12 (DDI Inspector's DLL)"
    )
    command.add_argument(
        "--count", type=int, default=1, metavar="N", help="with --key: the number of frames to record (default: 1)"
    )
    command.add_argument("--seconds", type=float, help="stop after this many seconds")
    command.add_argument("--inspect", action="store_true", help="show what kind of program it is, without running it")
    command.add_argument("--print", action="store_true", help="print what to enter in Steam or Lutris, without running it")


def run(chosen: argparse.Namespace) -> int:
    """Exit code 1 if nothing was recorded."""
    program = read_program(chosen.file)
    print(program.text(), flush=True)
    if chosen.inspect:
        return 0
    request = Request(
        chosen.file,
        chosen.arguments,
        chosen.folder,
        variables(chosen.set),
        chosen.trace or free_name(chosen.file, Path()),
        chosen.dll,
        chosen.kind,
        chosen.frames,
        chosen.key,
        chosen.count,
    )
    if chosen.print:
        print("\n".join(lines(request, _dll(request, program))))
        return 0
    return record(request, chosen.seconds)


def _dll(request: Request, program: Program) -> Path | None:
    try:
        return chosen_dll(request, program, _say)
    except BadInput:
        return None


def _say(sentence: str) -> None:
    print(f"ddi-inspector: {sentence}", file=sys.stderr, flush=True)


def record(request: Request, seconds: float | None) -> int:
    """Runs it until it ends, Ctrl+C is pressed or time is up."""
    with _interruptible():
        recording = Recording(request, _say)
        try:
            if recording.warning:
                print(f"ddi-inspector: {recording.warning}", file=sys.stderr)
            print("recording; Ctrl+C stops", flush=True)
            _watch(recording, seconds)
        except KeyboardInterrupt:
            print("stopping", flush=True)
            recording.stop()
        finally:
            recording.close()
    progress = recording.poll()
    if not progress.size:
        print(f"ddi-inspector: nothing was recorded: {recording.why_nothing()}", file=sys.stderr)
        return NOTHING_RECORDED
    print(f"{request.output}: {progress.text()}")
    return 0


def _watch(recording: Recording, seconds: float | None) -> None:
    """Shows the counts, on a terminal in one line, until the program has ended; stops it when time is up."""
    until = None if seconds is None else time.monotonic() + seconds
    shown = ""
    while True:
        text = recording.poll().text()
        if text != shown:
            print(
                f"\r{text}   " if sys.stderr.isatty() else text,
                end="" if sys.stderr.isatty() else "\n",
                file=sys.stderr,
                flush=True,
            )
            shown = text
        if recording.ended:
            break
        if until is not None and time.monotonic() >= until:
            recording.stop()
            break
        time.sleep(INTERVAL)
    if sys.stderr.isatty():
        print(file=sys.stderr)


@contextmanager
def _interruptible() -> Iterator[None]:
    """SIGTERM as Ctrl+C: the program is stopped and the DLL removed."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
