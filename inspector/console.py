"""A Python console: runs statements as they are entered, and completes names without running anything.

Without Qt, and for one thread at a time: `Console.run` runs on the thread that calls it, which a `stop` from another thread
interrupts.  Only what is handed to `run` is executed; nothing here reads programs from a file.
"""

from __future__ import annotations

import ast
import builtins
import ctypes
import inspect
import io
import os
import re
import sys
import threading
import traceback
from codeop import CommandCompiler
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from core.cancel import cancellable
from core.errors import Cancelled, DdiInspectorError

SOURCE = "<console>"
LONGEST = 20_000
"""Characters of a value that are written; the rest is counted."""
OFTEN, SOON, AGAIN = 0.05, 0.002, 0.25
"""Seconds between two looks at Stop; until what is in our own code is looked at again; until a program that has caught
KeyboardInterrupt is interrupted again."""
_OURS = tuple(str(Path(__file__).resolve().parents[1] / part) + os.sep for part in ("core", "inspector", "ui"))
_PATH = re.compile(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)*\.?$")
_BLANK_LINE = re.compile(r"\n[ \t]*\Z")

Write = Callable[[str], object]


class Console:
    """`names`: what statements see.  What they print goes to `write`, on their thread; what is wrong with them to `wrong`."""

    def __init__(self, names: Mapping[str, Any], write: Write, wrong: Write | None = None) -> None:
        self.names: dict[str, Any] = {"__name__": "__console__", "__builtins__": builtins, **names}
        self._write, self._wrong = write, wrong or write
        self._compiler = CommandCompiler()

    def is_whole(self, text: str) -> bool:
        """Whether this can be run, or is wrong: no further line is needed.  As in Python's own, a blank line ends a block."""
        text = _BLANK_LINE.sub("\n", text)
        try:
            return self._compiler(text, SOURCE, "single") is not None
        except (SyntaxError, ValueError, OverflowError):
            last = text.rpartition("\n")[2]
            return not _goes_on(text) and not (last[:1].isspace() and _is_valid(text))

    def run(self, text: str, stop: threading.Event | None = None) -> bool:
        """Runs statements; values of expressions are written.  False: something was wrong, which is written, too."""
        stop = stop or threading.Event()
        with _redirected(self._write, self.show, stop):
            try:
                with cancellable(stop.is_set), _interrupted_by(stop):
                    self._execute(text)
                return True
            except SystemExit:
                self._write("The console stays open; close the window instead.\n")
            except (KeyboardInterrupt, Cancelled):
                self._write("Stopped.\n")
            except SyntaxError as error:
                self._wrong("".join(traceback.format_exception_only(error)))
            except BaseException as error:  # whatever it is: the user's own program has raised it
                self._wrong(_told(error))
        return False

    def _execute(self, text: str) -> None:
        body = ast.parse(_BLANK_LINE.sub("\n", text), SOURCE).body
        for statement in body:
            code = compile(ast.Interactive([statement]), SOURCE, "single")
            exec(code, self.names)

    def show(self, value: object) -> None:
        """The value of an expression, which is `_` from then on."""
        if value is not None:
            self.names["_"] = value
            self._write(f"{_shortened(repr(value))}\n")

    def completions(self, text: str) -> tuple[int, list[str]]:
        """(where the last name of the text begins, what it could be).  Properties are not called."""
        found = _PATH.search(text)
        path = found.group() if found else ""
        *holders, begun = path.split(".")
        if holders:
            words = _attributes(self._at(holders))
        else:
            words = {*self.names, *vars(builtins), *_KEYWORDS}
        hidden = not begun.startswith("_")
        fitting = sorted(word for word in words if word.startswith(begun) and not (hidden and word.startswith("_")))
        return len(text) - len(begun), fitting if path else []

    def _at(self, path: list[str]) -> object:
        """What is there, as far as that is known without calling anything: of a property, its type."""
        holder = self.names.get(path[0], getattr(builtins, path[0], _NOTHING))
        for name in path[1:]:
            holder = _part(holder, name)
        return holder


_KEYWORDS = ("and", "as", "assert", "break", "class", "continue", "def", "del", "elif", "else", "except", "False", "finally",
             "for", "from", "if", "import", "in", "is", "lambda", "None", "not", "or", "pass", "raise", "return", "True", "try",
             "while", "with", "yield")  # fmt: skip
_NOTHING = object()


class _Of:
    """Some instance of a class: what a property would return."""

    def __init__(self, kind: type) -> None:
        self.kind = kind


def _part(holder: object, name: str) -> object:
    """An attribute that is simply there; of a property, what its annotation says; else nothing."""
    if isinstance(holder, ModuleType):
        return vars(holder).get(name, _NOTHING)
    kind = holder.kind if isinstance(holder, _Of) else holder if isinstance(holder, type) else type(holder)
    static = inspect.getattr_static(kind if isinstance(holder, (_Of, type)) else holder, name, _NOTHING)
    getter = static.fget if isinstance(static, property) else static.func if isinstance(static, cached_property) else None
    if getter is not None:
        return _returned(getter)
    if inspect.ismemberdescriptor(static) and not isinstance(holder, (_Of, type)):
        return getattr(holder, name, _NOTHING)  # a slot
    return _NOTHING if isinstance(holder, _Of) and not callable(static) else static


def _returned(getter: Callable[..., Any]) -> object:
    """The class that a function's annotation names, where its module knows it."""
    said = inspect.get_annotations(getter).get("return")
    said = getter.__globals__.get(said, vars(builtins).get(said)) if isinstance(said, str) else said
    return _Of(said) if isinstance(said, type) else _NOTHING


def _attributes(holder: object) -> set[str]:
    if holder is _NOTHING:
        return set()
    if isinstance(holder, _Of):
        return set(dir(holder.kind))
    if isinstance(holder, (type, ModuleType)):
        return set(dir(holder))
    return set(dir(type(holder))) | set(getattr(holder, "__dict__", ()))


def _is_valid(text: str) -> bool:
    try:
        ast.parse(text, SOURCE)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _goes_on(text: str) -> bool:
    """Whether several statements end in one that is not whole yet."""
    compiler = CommandCompiler()
    try:
        return compiler(text, SOURCE, "exec") is None
    except (SyntaxError, ValueError, OverflowError):
        return False


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text) - LONGEST:,} more characters)"


def _told(error: BaseException) -> str:
    """What went wrong, and where in what was typed; of a question that cannot be answered, its sentence alone."""
    if isinstance(error, DdiInspectorError):
        return f"{type(error).__name__}: {error}\n"
    here = os.path.abspath(__file__)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if os.path.abspath(frame.filename) != here]
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(frames)] if frames else []
    return _shortened("".join([*lines, *traceback.format_exception_only(error)]))


# What is printed, by this thread only


class _Output(io.TextIOBase):
    """What one thread prints goes to `write`, until `stop`; what others print, where it would have gone."""

    def __init__(self, write: Write, others: Any, stop: threading.Event) -> None:
        super().__init__()
        self._mine, self._thread, self._others, self._stop = write, threading.get_ident(), others, stop

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if threading.get_ident() == self._thread:
            if self._stop.is_set():
                raise KeyboardInterrupt
            self._mine(text)
        elif self._others is not None:  # without a terminal there is none
            self._others.write(text)
        return len(text)

    def flush(self) -> None:
        if threading.get_ident() != self._thread and self._others is not None:
            self._others.flush()


@contextmanager
def _redirected(write: Write, show: Callable[[object], None], stop: threading.Event) -> Iterator[None]:
    """`print` writes here, `input` finds nothing to read, values are shown here."""
    before = sys.stdout, sys.stderr, sys.stdin, sys.displayhook
    sys.stdout, sys.stderr = _Output(write, before[0], stop), _Output(write, before[1], stop)
    sys.stdin, sys.displayhook = io.StringIO(), show
    try:
        yield
    finally:
        sys.stdout, sys.stderr, sys.stdin, sys.displayhook = before


# Stop


@contextmanager
def _interrupted_by(stop: threading.Event) -> Iterator[None]:
    """Raises KeyboardInterrupt in this thread, inside the block only, when the event is set by another one.

    Not while the program's own code runs: that looks at Stop by itself, and would be left half done.
    """
    watch = _Watch(threading.get_ident(), stop)
    threading.Thread(target=watch.run, name="console-stop", daemon=True).start()
    try:
        yield
    finally:
        watch.leave()


def _is_ours(frame: FrameType | None) -> bool:
    """Whether a thread is in a call of this program."""
    while frame is not None and frame.f_code.co_filename != SOURCE:
        if frame.f_code.co_filename.startswith(_OURS):
            return True
        frame = frame.f_back
    return frame is None


class _Watch:
    """Interrupts `thread` once `stop` is set, and again until it leaves."""

    def __init__(self, thread: int, stop: threading.Event) -> None:
        self._thread, self._stop = ctypes.c_ulong(thread), stop
        self._left, self._turn = threading.Event(), threading.Lock()

    def run(self) -> None:
        pause = OFTEN
        while not self._left.wait(pause):
            if self._stop.is_set():
                pause = AGAIN if self._interrupted() else SOON

    def _interrupted(self) -> bool:
        with self._turn:
            frame = sys._current_frames().get(self._thread.value)
            if self._left.is_set() or _is_ours(frame):
                return False
            ctypes.pythonapi.PyThreadState_SetAsyncExc(self._thread, ctypes.py_object(KeyboardInterrupt))
            return True

    def leave(self) -> None:
        """On the watched thread: from now on nothing is raised.  What was raised meanwhile ends the attempt to leave."""
        while True:
            try:
                with self._turn:
                    self._left.set()
                for _ in range(2):  # what is pending is raised here: taking it back would have Python look for it for ever
                    pass
                return
            except KeyboardInterrupt:
                continue
