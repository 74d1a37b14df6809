"""Random programs of DirectDraw and Direct3D 8, 7, 6, 5 on ours and on Wine's: `python -m tests.wine.run7 KIND FIRST COUNT`
prints those whose surfaces differ.

A program (tests.wine.programs7) runs here, and Wine plays the same calls (script7, player7.c; script8, player8.c).  Where Wine
refuses a call, the program runs here again with that result, as a trace of it would have it.  It needs Wine with 64-bit
programs, a display of 24 bits (`xvfb-run -s "-screen 0 1024x768x24"`) and MinGW.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from core.errors import BadInput
from core.spec.formats import FORMATS
from tests.wine import copies7, edges7, kinds7, kinds8, more7, shapes7  # noqa: F401
from tests.wine.programs7 import KINDS, Kind
from tests.wine.run import COMPILER, EXACT
from tests.wine.script7 import Recorder, words
from tests.wine.script8 import Recorder8

DESKTOP = "/desktop=ddi,1024x768"
SECONDS = 600


class Answer(NamedTuple):
    """What Wine answered to a command."""

    result: int
    data: bytes


def on_wine(programs: list[Recorder]) -> list[list[Answer]]:
    """The answers to each program; fewer when Wine ended before."""
    with tempfile.TemporaryDirectory() as folder:
        program, given, answer = (Path(folder, name) for name in ("player.exe", "script", "answers"))
        source = str(Path(__file__).with_name(programs[0].player))
        subprocess.run([*COMPILER, source, "-o", str(program), *programs[0].libraries], check=True)
        given.write_bytes(words(len(programs)) + b"".join(one.script() for one in programs))
        environment = {"WINEDEBUG": "-all", "WINEDLLOVERRIDES": "winedbg.exe=d", **EXACT, **os.environ}  # else a crash waits
        subprocess.run(["wine", "explorer", DESKTOP, program.name, given.name, answer.name], cwd=folder, env=environment,
                       timeout=SECONDS)  # fmt: skip
        data, found = answer.read_bytes() if answer.exists() else b"", []
    for one in programs:
        answers = []
        for command in one.commands:
            if len(data) < 4 + command.size:
                return found
            answers.append(Answer(int.from_bytes(data[:4], "little", signed=True), data[4 : 4 + command.size]))
            data = data[4 + command.size :]
        found.append(answers)
    return found


def valid_bits(format: int) -> int:
    """The bits of a pixel that mean something."""
    row = FORMATS[format]
    return {"X8R8G8B8": 0xFFFFFF, "X1R5G5B5": 0x7FFF, "X4R4G4B4": 0xFFF}.get(row.name, (1 << row.bits) - 1)


def channels(held: np.ndarray, format: int) -> np.ndarray:
    """uint8[height, bytes] -> 0..255 each, along a last axis; what has no channels: bytes."""
    row = FORMATS[format]
    sizes = {"X8R8G8B8": (8, 8, 8), "A8R8G8B8": (8, 8, 8, 8), "R5G6B5": (5, 6, 5), "X1R5G5B5": (5, 5, 5),
             "A1R5G5B5": (5, 5, 5, 1), "A4R4G4B4": (4, 4, 4, 4)}.get(row.name)  # fmt: skip
    if sizes is None:
        return held.astype(np.int64)[..., None]
    values, shift, found = held.view(f"<u{row.bits // 8}").astype(np.int64), 0, []
    for bits in (*reversed(sizes[:3]), *sizes[3:]):
        found.append((values >> shift & (1 << bits) - 1) * 255 // ((1 << bits) - 1))
        shift += bits
    return np.stack(found, -1)


class Worst(NamedTuple):
    """The pixel of a read surface that differs most; `wrong` pixels differ by more than is allowed."""

    place: tuple[int, ...]
    here: list[int]
    there: list[int]
    wrong: int


def apart(kind: Kind, ours: np.ndarray, theirs: np.ndarray, format: int) -> Worst | None:
    """What differs between two pictures; None: less than the kind allows."""
    a, b = channels(ours, format), channels(theirs, format)
    allowed = kind.allowed if FORMATS[format].bits == 32 else max(kind.allowed, 9 if kind.allowed else 0)
    most = np.abs(a - b).max(-1)
    wrong = int(np.count_nonzero(most > allowed))
    if wrong <= kind.pixels + kind.share * most.size:
        return None
    place = np.unravel_index(int(most.argmax()), most.shape)
    return Worst(tuple(map(int, place)), a[place].tolist(), b[place].tolist(), wrong)


def difference(kind: Kind, one: Recorder, answers: list[Answer]) -> str:
    """What differs first, or nothing."""
    for number, ours in one.reads.items():
        result, data = answers[number]
        if result < 0:
            return f"command {number}: Wine could not read: {result & 0xFFFFFFFF:#x}"
        theirs = np.frombuffer(data, np.uint8).reshape(ours.shape)
        format = one.formats.get(number)
        if format is None:
            text = kind.compare(ours, theirs)
            if text:
                return f"command {number}: {text}"
            continue
        worst = apart(kind, ours, theirs, format)
        if worst is not None:
            pixels = channels(ours, format)[..., 0].size
            return (f"command {number}: {worst.wrong} of {pixels} pixels, most at ({worst.place[1]}, {worst.place[0]}): "
                    f"{worst.here} here, {worst.there} there")  # fmt: skip
    return kind.answers(one, answers)


def played(name: str, seed: int, results: list[int] | None = None, skipped: frozenset[int] = frozenset()) -> Recorder:
    """A program of a kind, run here."""
    kind = KINDS[name]
    recorder = (Recorder8 if kind.is_8 else Recorder)(results, skipped)
    kind.play(recorder, Random(f"{name} {seed}"))
    recorder.desk.runtime.finish()
    return recorder


def verdict(name: str, seed: int, one: Recorder, answers: list[Answer]) -> tuple[str, bool]:
    """What differs, and whether Wine refused a call; then the program runs here again with its results."""
    bad = [n for n, answer in enumerate(answers) if answer.result < 0]
    refusal = f"Wine refused {one.commands[bad[0]].text}: {answers[bad[0]].result & 0xFFFFFFFF:#x}" if bad else ""
    if refusal and os.environ.get("DDI_SHOW"):
        print(f"{name} {seed}: {refusal}")
    try:
        one = played(name, seed, [answer.result for answer in answers]) if bad else one
    except BadInput as error:  # what it goes on with was not made
        return f"{refusal}; {error}", True
    return "; ".join(one.refused) or difference(KINDS[name], one, answers), bool(bad)


def main(name: str, first: int, count: int) -> int:
    programs = [played(name, seed) for seed in range(first, first + count)]
    found = on_wine(programs)
    different = refused = 0
    for seed, pair in enumerate(zip(programs, found, strict=False), first):
        text, was_refused = verdict(name, seed, *pair)
        different, refused = different + bool(text), refused + was_refused
        if text:
            print(f"{name} {seed}: {text}", flush=True)
    if len(found) < count:
        print(f"Wine ended in program {first + len(found)}")
    print(f"{name}: {different} of {len(found)} differ, {refused} with calls that Wine refused")
    return int(different > 0)


ALIKE = 24  # of 255: how far a pixel that differs may move while a program shrinks


def first_apart(kind: Kind, one: Recorder, answers: list[Answer]) -> tuple[int, Worst] | None:
    """Which of the pictures that are read differs first, and where."""
    for place, (number, ours) in enumerate(one.reads.items()):
        theirs, format = np.frombuffer(answers[number].data, np.uint8).reshape(ours.shape), one.formats.get(number)
        worst = apart(kind, ours, theirs, format) if format is not None else None
        if worst is not None:
            return place, worst
    return None


def still(kind: Kind, one: Recorder, answers: list[Answer], was: tuple[int, Worst] | None) -> bool:
    """Whether the pixel that differed most still has about its colours; without one: whether anything differs."""
    if was is None:
        return bool(difference(kind, one, answers))
    numbers, (place, worst) = list(one.reads), was
    if place >= len(numbers) or one.formats.get(numbers[place]) is None or answers[numbers[place]].result < 0:
        return False
    ours, format = one.reads[numbers[place]], one.formats[numbers[place]]
    theirs = np.frombuffer(answers[numbers[place]].data, np.uint8).reshape(ours.shape)
    pair = channels(ours, format)[worst.place], channels(theirs, format)[worst.place]
    return all(np.abs(a - b).max() <= ALIKE for a, b in zip(pair, (worst.here, worst.there), strict=True))


def shrink(name: str, seed: int) -> None:
    """Prints the calls of a program without which the difference goes."""
    kind, whole = KINDS[name], played(name, seed)
    was = first_apart(kind, whole, on_wine([whole])[0])

    def differs(tried: list[frozenset[int]]) -> list[bool]:
        programs = [played(name, seed, None, skipped) for skipped in tried]
        if not programs:  # every part is needed
            return []
        return [still(kind, one, answers, was) for one, answers in zip(programs, on_wine(programs), strict=False)]

    calls, spare = whole.calls, frozenset[int]()
    size = max(len(calls) // 4, 1)
    while True:  # parts of `size` calls, each with Wine; halves when all of them are needed
        left = [n for n in range(len(calls)) if n not in spare]
        parts = [frozenset(left[i : i + size]) for i in range(0, len(left), size)]
        idle = [part for part, text in zip(parts, differs([spare | part for part in parts]), strict=False) if text]
        together = [spare.union(*idle[i:]) for i in (0, len(idle) // 2)] if idle else []
        best = next((tried for tried, text in zip(together, differs(together), strict=False) if text), None)
        if idle:
            spare = best or spare | idle[0]
            print(f"{len(calls) - len(spare)} calls left", flush=True)
        elif size == 1:
            break
        size = max(size // 2, 1)
    for n, call in enumerate(calls):
        if n not in spare:
            print(f"  {call}")


if __name__ == "__main__":
    if sys.argv[1] == "shrink":
        shrink(sys.argv[2], int(sys.argv[3]))
    else:
        sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
