"""One recording: the program runs with a recording DLL next to it until it ends or is stopped.

Recording(request)     places the DLL and starts; poll(), stop(), close()
lines(request)         what Steam and Lutris need, for a program that they start
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PureWindowsPath

from core.errors import BadInput, cannot
from inspector.launch.building import Say, silent
from inspector.launch.follow import Follower, Progress
from inspector.launch.placing import Placed
from inspector.launch.prefix import why_not
from inspector.launch.program import Program, read_program
from inspector.launch.tracer import APIS, COMPILER, OUR_NAME, OURS, find_command, find_dll, is_ours, warning

OVERRIDES, TRACE_FILE = "WINEDLLOVERRIDES", "TRACE_FILE"
FRAMES, KEY, COUNT = "DDI_RECORD_FRAMES", "DDI_RECORD_KEY", "DDI_RECORD_COUNT"
FRAME_RANGE, KEYS = re.compile(r"\d{1,9}(-\d{1,9})?"), re.compile(r"F([1-9]|1\d|2[0-4])|[A-Z0-9]", re.I)
SETTLED = 3.0
"""Seconds without a byte after the program has ended: a launcher ends before what it launched."""
ASKED_EVERY = 2.0
GRACE = 15.0
"""Seconds that a program has to close its window before it is ended."""


@dataclass(frozen=True)
class Request:
    """What is to be recorded.  `folder`: where the program runs, its own if None; `output`: the trace.

    `tracer`: the DLL or its folder; `kind`: "ours", "apitrace", or empty (see find_dll).  Not everything, but `frames`
    (FIRST or FIRST-LAST), or `count` of them whenever `key` is pressed.
    """

    program: Path
    arguments: Sequence[str] = ()
    folder: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    output: Path = Path("game.trace")
    tracer: Path | None = None
    kind: str = ""
    frames: str = ""
    key: str = ""
    count: int = 1

    @property
    def is_part(self) -> bool:
        """Whether only some frames are recorded, which our DLL does."""
        return bool(self.frames or self.key)

    @property
    def where(self) -> Path:
        return self.folder or self.program.resolve().parent


class Recording:
    """A program that is recorded; `say` is told before the DLL is built.

    Raises BadInput if it cannot be started; then nothing is left beside it.
    """

    def __init__(self, request: Request, say: Say = silent) -> None:
        program = check(request)
        self.output = request.output.resolve()
        dll = chosen_dll(request, program, say)
        self.warning = warning(dll)
        self._placed: Placed | None = None
        self._program = program
        self._follower = Follower(self.output)
        self._grew, self._size = time.monotonic(), -1
        self._stopped = False
        command = None if is_ours(dll) else find_command(dll)
        words = [str(request.program.resolve()), *request.arguments]
        if command is not None:
            words = [str(command), "trace", "--api", APIS[program.library], "--output", str(self.output), *words]
        else:
            words = [*runner(), *words]
            self._placed = Placed(dll, request.program.resolve().parent)
        self._environment = {**os.environ, **request.environment}  # of Wine's own programs, without the override
        try:
            self._process = subprocess.Popen(
                words,
                cwd=request.where,
                env=environment(request, os.environ, program.library),
                start_new_session=os.name != "nt",
            )  # a session of its own: Ctrl+C is for us, who let it close its window
        except OSError as error:
            self.close()
            raise BadInput(cannot("start", words[0], error)) from error

    def poll(self) -> Progress:
        """What the trace has so far."""
        progress = self._follower.look()
        if progress.size != self._size:
            self._grew, self._size = time.monotonic(), progress.size
        return progress

    @property
    def ended(self) -> bool:
        """Whether the program has ended, and whatever it may have started writes no more.  Changes with `poll`."""
        if self._process.poll() is None:
            return False
        return self._stopped or self._size <= 0 or time.monotonic() - self._grew > SETTLED

    @property
    def exit_code(self) -> int | None:
        return self._process.poll()

    def why_nothing(self) -> str:
        """What may have kept the program from being recorded."""
        known = "" if sys.platform == "win32" else why_not(self._program, self._environment)
        return known or f"exit code {self.exit_code}; docs/recording-a-game.md#when-nothing-is-recorded has what helps"

    def stop(self) -> None:
        """Asks the program to close its window, and ends it if it does not: what it had not yet written is lost then."""
        self._stopped = True
        until = time.monotonic() + GRACE
        while time.monotonic() < until and self._process.poll() is None:  # more than once: it may not have a window yet
            self._ask_to_close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(ASKED_EVERY)
        if self._process.poll() is None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE)

    def _ask_to_close(self) -> None:
        asking = [*runner(), "taskkill", "/IM", self._program.path.name]
        settings = {**self._environment, "WINEDEBUG": "-all"}
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(asking, env=settings, capture_output=True, check=False, timeout=GRACE)

    def close(self) -> None:
        """Removes the DLL."""
        if self._placed is not None:
            self._placed.close()


def variables(words: Sequence[str]) -> dict[str, str]:
    """Of ["NAME=VALUE", ...], without blank ones.  Raises BadInput."""
    found = {}
    for word in filter(str.strip, words):
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise BadInput(f"'{word}' is not an environment variable; expected NAME=VALUE")
        found[name] = value
    return found


def free_name(program: Path, folder: Path) -> Path:
    """game.trace, game-2.trace ... in a folder, whichever is not there yet."""
    names = (folder / f"{program.stem}{f'-{n}' * (n > 1)}.trace" for n in range(1, 10_000))
    return next(name for name in names if not name.exists())


def check(request: Request) -> Program:
    """The program; BadInput if it cannot be recorded, or the trace cannot be written."""
    program = read_program(request.program)
    if not program.library:
        raise BadInput(f"{program.text()}; only Direct3D 8, DirectDraw and Direct3D 7 are recorded")
    _check_part(request, program.library)
    if request.output.exists():
        raise BadInput(f"{request.output} is there already; choose another name with -o")
    if not request.output.resolve().parent.is_dir():
        raise BadInput(f"{request.output.parent}: there is no such folder")
    if not request.where.is_dir():
        raise BadInput(f"{request.where}: there is no such folder")
    return program


def _check_part(request: Request, library: str) -> None:
    """BadInput for frames, keys and counts that mean nothing, and for frames of programs that only apitrace records."""
    if request.is_part and library not in ("", OUR_NAME):
        raise BadInput("frames can be chosen for Direct3D 8 programs only; apitrace records DirectDraw programs whole")
    if request.frames and request.key:
        raise BadInput("choose frames or a key, not both")
    if request.frames and not FRAME_RANGE.fullmatch(request.frames):
        raise BadInput(f"'{request.frames}' is not a frame range; expected FIRST or FIRST-LAST, as in 100-102")
    first, _, last = request.frames.partition("-")
    if last and int(last) < int(first):
        raise BadInput(f"'{request.frames}' ends before it begins; expected FIRST-LAST, as in 100-102")
    if request.key and not KEYS.fullmatch(request.key):
        raise BadInput(f"'{request.key}' is not a key; use F1 to F24, a letter or a digit")
    if request.count < 1:
        raise BadInput("at least one frame must be recorded")
    if request.count > 1 and not request.key:
        raise BadInput("--count is the number of frames that --key records; name a key, or use --frames")


def chosen_dll(request: Request, program: Program, say: Say = silent) -> Path:
    """The DLL that records it; `say` is told before it is built.

    Raises BadInput if there is none, or it cannot do what is asked.
    """
    kind = request.kind or (OURS if request.is_part and not request.tracer else "")
    dll = find_dll(program.bits, request.tracer, program.library, kind, say)
    if request.is_part and not is_ours(dll):
        raise BadInput("apitrace records from the beginning to the end; frames are chosen with --with ours")
    return dll


def runner() -> list[str]:
    """What starts Windows programs here.  Raises BadInput if nothing does."""
    if sys.platform == "win32":
        return []
    for name in ("wine", "wine64"):
        if path := shutil.which(name):
            return [path]
    raise BadInput("Wine was not found; --print shows what to enter where Steam or Lutris starts the program")


def environment(request: Request, base: Mapping[str, str], library: str = "d3d8.dll") -> dict[str, str]:
    """The variables that the program gets."""
    settings = {**_with_part({**base, **request.environment}, request), TRACE_FILE: windows_path(request.output)}
    if sys.platform != "win32":
        name = library.partition(".")[0]
        others = [part for part in settings.get(OVERRIDES, "").split(";") if part and not part.lower().startswith(f"{name}=")]
        settings[OVERRIDES] = ";".join([*others, f"{name}=n,b"])
    return settings


def part_of(request: Request) -> dict[str, str]:
    """What our DLL is told about frames (resources/tracer/d3d8.c)."""
    if request.frames:
        return {FRAMES: request.frames}
    return {KEY: request.key.upper(), COUNT: str(request.count)} if request.key else {}


def _with_part(variables: Mapping[str, str], request: Request) -> dict[str, str]:
    """Variables and those of the part; others about frames, as the user's environment may have them, would override it."""
    others = (FRAMES, KEY, COUNT) if request.is_part else ()
    return {**{name: value for name, value in variables.items() if name not in others}, **part_of(request)}


def windows_path(path: Path) -> str:
    """A path as a Windows program knows it; in Wine, Z: is the root of the file system."""
    absolute = path.resolve()
    return str(absolute) if sys.platform == "win32" else str(PureWindowsPath("Z:" + absolute.as_posix()))


def lines(request: Request, dll: Path | None) -> list[str]:
    """What to do by hand where Steam, Lutris or another launcher starts the program.  Raises BadInput."""
    trace, program = windows_path(request.output), read_program(request.program)
    _check_part(request, program.library)
    library = program.library or OUR_NAME
    own = "".join(f"{name}={value} " for name, value in _with_part(request.environment, request).items())
    source = str(dll) if dll else f"the win{program.bits} {library} of apitrace"
    if not dll and (request.is_part or request.kind == OURS):
        source = f"our win{program.bits} {library}, which is built once you have {COMPILER}"
    name = library.partition(".")[0]
    return [
        f"1. Copy {source}",
        f"   to {request.program.resolve().parent}",
        "2. Steam: Properties > General > Launch options:",
        f"   {own}{OVERRIDES}=\"{name}=n,b\" {TRACE_FILE}='{trace}' %command%",
        f"   Lutris: Configure > Runner options > DLL overrides: {name} = n,b;",
        f"   System options > Environment variables: {TRACE_FILE} = {trace}"
        + "".join(f", {name} = {value}" for name, value in part_of(request).items()),
        "3. Remove the DLL afterwards.",
    ]
