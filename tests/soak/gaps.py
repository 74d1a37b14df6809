"""How long every question works on a large, hostile capture before it looks whether anybody still wants its answer.

    python -m tests.soak.gaps [--events 1000000] [--file FILE] [NAME ...]

Every event is another one, every draw has its own state, one call draws 100,000 triangles.  Prints by question the longest
CPU time (of the whole process) between two looks at Stop, where the look at its end was, the total, and how often it looked.
With FILE that capture is asked instead, and the walk over it is the first row (empty the cache folder before).
A question is given up after --seconds of CPU, as a user would.
"""

from __future__ import annotations

import argparse
import random
import struct
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

import inspector
from core import cancel
from core.ddi.calls import DdiCall
from core.errors import BadInput, Cancelled
from core.spec.states import RENDER_STATE_ID
from inspector.tape import TapeWriter
from tests.driver_calls import call, tokens
from tests.soak.hostile import BUFFER, PALETTE, PALETTED, VOLUME
from tests.soak.questions import questions

SURFACE = "render_target"
"""What questions look at: every capture with a draw has one; not every one has a back buffer."""
RECORDS, SIZE, TRIANGLES, ON_SCREEN = 10_000, 64, 4, 0x44
LIMIT = 1.0
"""Seconds within which Stop works."""


def large(path: Path, events: int, drawn: int = 100_000) -> None:
    """One draw of many triangles, then frames of RECORDS different events each."""
    chance = random.Random(13)
    states = [RENDER_STATE_ID[name] for name in ("ALPHAREF", "FOGSTART", "FOGCOLOR", "TEXTUREFACTOR", "FOGDENSITY", "AMBIENT")]
    corners = b"".join(struct.pack("<4fI", x, y, 0.5, 1, 0xFF00FF00) for x, y in ((0, 0), (9, 0), (0, 9)))
    with TapeWriter(path, durable=False) as writer:
        for handle, format, label in ((1, 21, "back_buffer"), (2, 75, "depth")):
            writer.append(call("CreateSurface", handle=handle, width=SIZE, height=SIZE, format=format, label=label))
        writer.append(call("ContextCreate", context=1, render_target=1, depth_stencil=2, width=SIZE, height=SIZE))
        for one in _others():
            writer.append(one)
        writer.append(call("CreateD3DBuffer", handle=BUFFER, size=len(corners) * drawn, kind="vertex"))
        for one in _filled(0, corners * drawn):
            writer.append(one)
        many = "DRAWPRIMITIVE", [{"type": TRIANGLES, "start": 0, "count": drawn}]
        stream = "SETSTREAMSOURCE", None, {"stream": 0, "buffer": BUFFER, "stride": 20}
        writer.append(tokens(_set_up()[0], stream, many))
        for _ in range(max(events // RECORDS, 1)):
            for one in _filled(0, corners):
                writer.append(one)
            writer.append(_frame(chance, states, corners))
            writer.append(call("Flip", surface=[1]))


def _others() -> Iterator[DdiCall]:
    """A surface with a palette, and a volume."""
    yield call("CreateSurface", handle=PALETTED, width=SIZE, height=SIZE, format=41)
    yield call("CreateSurface", handle=VOLUME, width=SIZE, height=SIZE, depth=4, kind="volume", format=21)
    yield tokens(("SETPALETTE", None, {"palette": PALETTE, "flags": 0, "surface": PALETTED}))


def _filled(offset: int, contents: bytes) -> Iterator[DdiCall]:
    """The buffer is written to."""
    yield call("LockD3DBuffer", handle=BUFFER, offset=offset, size=len(contents), flags=0)
    yield call("UnlockD3DBuffer", {"contents": contents}, handle=BUFFER, offset=offset)


def _set_up() -> Sequence[tuple]:
    return ("SETVERTEXSHADER", None, {"shader": ON_SCREEN}), ("SETSTREAMSOURCEUM", None, {"stride": 20})


def _frame(chance: random.Random, states: Sequence[int], corners: bytes) -> DdiCall:
    made = []
    for number in range(RECORDS // 2):
        made.append(("RENDERSTATE", [{"state": states[number % len(states)], "value": chance.getrandbits(32)}]))
        made.append(("DRAWPRIMITIVE", [{"type": TRIANGLES, "start": number % 40, "count": 1}]))
    return tokens(*_set_up(), *made, vertices=corners * 20)


class Probe:
    """Whom `cancel` asks: says yes after so many seconds of CPU; keeps the longest gap, and where it ended."""

    def __init__(self, seconds: float) -> None:
        self.first = self.last = time.process_time()
        self.seconds, self.longest, self.where, self.asked = seconds, 0.0, "", 0

    def __call__(self) -> bool:
        self.note()
        return self.last - self.first > self.seconds

    def note(self) -> None:
        now = time.process_time()
        self.asked += 1
        if now - self.last > self.longest:
            self.longest = now - self.last
            ours = [one for one in traceback.extract_stack()[::-1] if "/core/" in one.filename or "/inspector/" in one.filename]
            self.where = " < ".join(f"{Path(one.filename).name}:{one.lineno}" for one in ours[:8])
        self.last = time.process_time()


def gaps(path: Path, seconds: float, names: Sequence[str]) -> Iterator[tuple[str, Probe]]:
    """Every question of a capture of which nothing is known yet but its events."""
    with inspector.open(path) as capture:
        probe = Probe(1000.0)
        with cancel.cancellable(probe):
            assert capture.walked
        probe.note()
        yield "walk", probe
        every = [name for name, _ in questions(capture, surface=SURFACE)] if set(names) != {"walk"} else []
    for number, name in enumerate(every):
        if names and name not in names:
            continue
        with inspector.open(path) as capture:
            capture.prepare()
            ask = next(islice(questions(capture, surface=SURFACE), number, None))[1]
            probe = Probe(seconds)
            with suppress(BadInput, Cancelled), cancel.cancellable(probe):
                ask()
            probe.note()
        yield name, probe


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.gaps", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--file", type=Path)
    options = parser.parse_args(words)
    late = 0
    with tempfile.TemporaryDirectory() as folder:
        path = options.file or Path(folder) / "large.ddicap"
        if not options.file:
            large(path, options.events)
        for name, probe in gaps(path, options.seconds, options.names):
            late += probe.longest > LIMIT
            spent = f"{probe.longest:6.2f} s of {probe.last - probe.first:6.2f}, {probe.asked:5} looks"
            print(f"{spent}  {name}  {probe.where}", flush=True)
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
