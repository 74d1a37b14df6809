"""The console without its window: what runs, what is written, what Stop ends, what Tab may know."""

from __future__ import annotations

import subprocess
import sys
import threading
from functools import cached_property
from typing import Any

import pytest

from core.cancel import look
from core.errors import BadInput
from inspector import console as module
from inspector.console import Console


class Told(list):  # type: ignore[type-arg]
    """What was written."""

    @property
    def text(self) -> str:
        return "".join(self)


def made(**names: Any) -> tuple[Console, Told]:
    told = Told()
    return Console(names, told.append), told


@pytest.mark.parametrize(
    ("text", "is_whole"),
    [
        ("1 + 1", True),
        ("", True),
        ("for i in range(3):", False),
        ("for i in range(3):\n    print(i)", False),
        ("for i in range(3):\n    print(i)\n", True),
        ("for i in range(3):\n    print(i)\n    ", True),
        ("print(", False),
        ("'''a", False),
        ("a = 1\nb = 2", True),
        ("a = 1\nif a:\n    b = 2", False),
        ("a = 1\nif a:\n    b = 2\n", True),
        ("a = 1\nprint(", False),
        ("def f(:", True),
        ("a b", True),
    ],
)
def test_an_input_is_whole_as_in_python(text: str, is_whole: bool) -> None:
    assert made()[0].is_whole(text) == is_whole


def test_values_are_shown_and_names_stay() -> None:
    console, told = made(nine=9)
    assert console.run("a = nine\na + 1\n'<b>bold</b>'\nNone")
    assert told.text == "10\n'<b>bold</b>'\n"
    assert console.run("_ * 2 + str(a)")
    assert told[-1] == "'<b>bold</b><b>bold</b>9'\n"


def test_what_is_printed_comes_here_and_only_what_this_thread_prints(capsys: pytest.CaptureFixture[str]) -> None:
    console, told = made(thread=threading.Thread)
    before = sys.stdout, sys.stderr, sys.stdin, sys.displayhook
    assert console.run("import sys\nprint('mine')\nprint('wrong', file=sys.stderr)\nt = thread(target=print, args=('other',))")
    assert console.run("t.start()\nt.join()")
    assert told.text == "mine\nwrong\n" and capsys.readouterr().out == "other\n"
    assert (sys.stdout, sys.stderr, sys.stdin, sys.displayhook) == before


def test_what_is_wrong_is_written_without_our_frames() -> None:
    def refuse() -> None:
        raise BadInput("there is no event 99")

    console, told = made(refuse=refuse)
    assert not console.run("def f():\n    return 1 // 0\nf()")
    assert told.text.startswith("Traceback") and told.text.endswith("ZeroDivisionError: integer division or modulo by zero\n")
    assert "console.py" not in told.text and 'File "<console>", line 2, in f' in told.text
    told.clear()
    assert not console.run("a b")
    assert "SyntaxError: invalid syntax" in told.text
    told.clear()
    assert not console.run("refuse()")
    assert told.text == "BadInput: there is no event 99\n"


def test_it_neither_ends_the_program_nor_waits_for_a_terminal() -> None:
    console, told = made()
    assert not console.run("exit()") and "stays open" in told.text
    assert not console.run("input()") and "EOFError" in told.text


def test_long_values_are_cut_and_said_to_be() -> None:
    console, told = made()
    assert console.run("'a' * 30_000")
    assert len(told.text) < module.LONGEST + 100 and told.text.endswith("(10,002 more characters)\n")


@pytest.mark.parametrize(
    "text",
    [
        "while True: pass",
        "while True: print('again')",
        "while True: shown(1)",
        "while True:\n    try:\n        while True: pass\n    except ValueError: pass",
    ],
)
def test_stop_ends_a_loop(text: str) -> None:
    console, told = made()
    console.names["shown"] = lambda value: module._shortened(str(value))
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    assert not console.run(text, stop)
    assert told[-1] == "Stopped.\n"
    assert console.run("1")  # nothing of it is left


def test_our_own_code_stops_only_where_it_looks() -> None:
    """A replay that is interrupted anywhere would be left half done."""
    looked = []

    def replay() -> None:
        while True:
            for _ in range(1000):
                pass
            looked.append(0)
            try:
                look()
            except BaseException as error:
                looked.append(error)
                raise

    code = compile("", module._OURS[1] + "replay.py", "exec").replace(co_name="replay")
    ours = replay.__code__.replace(co_filename=code.co_filename)
    console, told = made(replay=type(replay)(ours, replay.__globals__, "replay", None, replay.__closure__))
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    assert not console.run("replay()", stop)
    assert told.text == "Stopped.\n" and type(looked[-1]).__name__ == "Cancelled"


class Held:
    """Something with all kinds of attributes."""

    word = "w"

    def __init__(self) -> None:
        self.own = 3
        self._hidden = 4

    @property
    def costly(self) -> str:
        raise AssertionError("completion has called a property")

    @cached_property
    def kept(self) -> str:
        raise AssertionError("completion has called a property")

    def method(self) -> int:
        return 1


def test_names_are_completed_without_calling_properties() -> None:
    console, _ = made(held=Held(), heavy=1, os=sys)
    assert console.completions("x = he") == (4, ["heavy", "held", "help", "hex"])
    assert console.completions("held.")[1] == ["costly", "kept", "method", "own", "word"]
    assert console.completions("held._h")[1] == ["_hidden"]
    assert console.completions("f(held.co") == (7, ["costly"])
    assert console.completions("held.costly.upp")[1] == ["upper"]
    assert console.completions("held.kept.upp")[1] == ["upper"]
    assert console.completions("held.own.bit_l")[1] == ["bit_length"]
    assert console.completions("held.nothing.a")[1] == []
    assert console.completions("os.stdo")[1] == ["stdout"]
    assert console.completions("whi")[1] == ["while"]
    assert console.completions("1 + ")[1] == [] and console.completions("f().a")[1] == []


def test_nothing_stays_pending_in_the_interpreter() -> None:
    """CPython 3.11 counts an exception that is taken back as pending for ever; a profiled call then never ends."""
    program = (
        "import sys, threading\n"
        "from inspector.console import Console\n"
        "assert Console({}, lambda text: None).run('1 + 1', threading.Event())\n"
        "sys.setprofile(lambda *_: None)\n"
        "len(str(Console))\n"
        "class Made:\n"
        "    def __init__(self): pass\n"
        "Made()\n"
        "sys.setprofile(None)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
