"""From the command line to an exit code."""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.cancel import watched
from core.errors import BadInput, Cancelled
from inspector import log
from inspector.cli.arguments import COMMANDS, module, parser
from inspector.cli.terminal import plain_output
from inspector.files import is_stdout

BAD_INPUT, MISTAKE, CANCELLED = 2, 70, 130
TRACEBACK = "DDI_INSPECTOR_TRACEBACK"
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Errors of writing to standard output, which has no name to say."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; see the package for exit codes."""
    _use_utf8()
    with plain_output():
        return _run(list(sys.argv[1:] if arguments is None else arguments))


def _run(words: list[str]) -> int:
    if not words or (words[0] not in COMMANDS and not words[0].startswith("-")):
        words.insert(0, "open")
    try:
        chosen, unknown = parser().parse_known_args(words)
        if unknown:
            if chosen.command == "open" and chosen.file is not None:
                module("open").check_file(chosen.file)  # a mistyped command looks like a missing file
            parser().error(f"unknown: {' '.join(unknown)}")
        return run(chosen)
    except BadInput as error:
        print(f"ddi-inspector: {error}", file=sys.stderr)
        return BAD_INPUT
    except (Cancelled, KeyboardInterrupt):
        print("ddi-inspector: cancelled", file=sys.stderr)
        return CANCELLED
    except MemoryError:
        print(f"ddi-inspector: {words[0]}: out of memory", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        _forget_stdout()
        return 0
    except OSError as error:
        if error.filename is None and error.errno in FULL:
            _forget_stdout()
            print(f"ddi-inspector: cannot write to standard output: {error.strerror}", file=sys.stderr)
        else:
            print(f"ddi-inspector: {error.filename or words[0]}: {error.strerror or error}", file=sys.stderr)
        return BAD_INPUT
    except Exception as error:
        print(f"ddi-inspector: {unexpected(error)}", file=sys.stderr)
        if os.environ.get(TRACEBACK):
            traceback.print_exception(error)
        return MISTAKE
    except SystemExit as stop:  # argparse has said what is wrong, or printed its help
        return stop.code if isinstance(stop.code, int) else BAD_INPUT


def run(chosen: argparse.Namespace) -> int:
    """Runs a command; what it says goes to stderr if the file that it writes goes to standard output."""
    log.begin(chosen.log)
    from inspector.cli.several import run_each, run_file
    from inspector.timeline.budgets import gone

    for sentence in gone():
        print(f"ddi-inspector: {sentence}", file=sys.stderr)
    command = module(chosen.command)
    files = [file for name in ("output", "save", "export") if (file := getattr(chosen, name, None)) is not None]
    if getattr(chosen, "output_kinds", None) and chosen.output is not None:
        from inspector.exports.formats import format_of

        format_of(chosen.output, *chosen.output_kinds)  # a suffix that is none is refused before anything is opened
    words = sys.stderr if any(map(is_stdout, files)) else sys.stdout
    with contextlib.redirect_stdout(words), _watched():
        code = int((run_each if getattr(command, "SEVERAL", False) else run_file)(command.run, chosen))
    sys.stdout.flush()  # a disk that is full is noticed here, not when Python ends
    return code


@contextlib.contextmanager
def _watched() -> Iterator[None]:
    """What takes long says so on the terminal."""
    from inspector.cli.opening import Progress

    progress = Progress()
    try:
        with watched(progress):
            yield
    finally:
        progress.done()


def unexpected(error: BaseException) -> str:
    """One sentence about an unexpected exception: what it was, and where in the program."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(place.filename).name}, line {place.lineno}"
    what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return f"internal error ({what}; {where}); please report it ({TRACEBACK}=1 shows a traceback)"


def _use_utf8() -> None:
    """Windows consoles and pipes take another encoding by default; what cannot be shown is escaped, never an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _forget_stdout() -> None:
    """Whoever read our output has gone: nothing more to say, and no complaint at exit."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.close()
