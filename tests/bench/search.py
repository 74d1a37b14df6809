"""Search over a million events, beside looking at each event by itself.

`python -m tests.bench.search`
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

import numpy as np

import inspector
from core.ddi.calls import DdiCall
from core.ddi.stream import dp2
from core.spec.enums import PrimitiveType
from core.spec.formats import FORMAT_BY_NAME
from core.spec.states import RENDER_STATE_ID
from core.spec.tokens import Op
from inspector.query.events import texts
from inspector.query.search import search
from inspector.tape import TapeWriter
from inspector.timeline.resources import build
from tests.bench.machine import machine
from tests.bench.timeline import median, report

FRAMES, RECORDS = 100, 10_000
FILTERS = (
    "blend", "+DRAWPRIMITIVE -count=2", "$regex(/ALPHA.*0x8/i)", "$action()", "$draw(primitives > 2)", "ALPHAREF > 128",
    "$draw() and ALPHAREF > 128 and ZENABLE == TRUE", "texture[0] == 2", "changed(FOG*)", "changed()", "redundant()",
    "unused()", "FOG* != default", "setby(500000)", "frame == 40..60 and $draw()", "uses(2)", "$param(count: 3)",
    "(a or b) and not frame < 9",
)  # fmt: skip


def stream(seed: int) -> bytes:
    """A frame: RECORDS records, states of all kinds and every eighth a draw."""
    chance, out = random.Random(seed), bytearray()
    states = [RENDER_STATE_ID[name] for name in ("ALPHAREF", "ZENABLE", "FOGENABLE", "FOGSTART", "FOGCOLOR", "SRCBLEND")]
    for n in range(RECORDS):
        if n % 8 == 7:
            draw = {"type": int(PrimitiveType.TRIANGLELIST), "start": 0, "count": chance.randrange(1, 6)}
            dp2.emit(out, Op["DRAWPRIMITIVE"], [draw])
        elif n % 5 == 0:
            dp2.emit(out, Op["TEXTURESTAGESTATE"], [{"stage": chance.randrange(4), "state": 0, "value": chance.randrange(4)}])
        else:
            dp2.emit(out, Op["RENDERSTATE"], [{"state": chance.choice(states), "value": chance.randrange(256)}])
    return bytes(out)


def write(path: Path) -> None:
    """A capture of FRAMES frames."""
    format = FORMAT_BY_NAME["A8R8G8B8"].id
    with TapeWriter(path, durable=False) as writer:
        for handle, label in ((1, "primary"), (2, "texture"), (3, "texture")):
            shape = {"width": 64, "height": 64, "levels": 1, "format": format, "label": label}
            writer.append(DdiCall("CreateSurface", {"handle": handle, **shape}, {}))
        writer.append(DdiCall("ContextCreate", {"context": 1, "render_target": 1, "depth_stencil": 0}, {}))
        for frame in range(FRAMES):
            commands = stream(frame % 7)
            arguments = {"context": 1, "command_length": len(commands)}
            writer.append(DdiCall("DrawPrimitives2", arguments, {"commands": commands}))
            writer.append(DdiCall("Flip", {"surface": [1]}, {}))


def main() -> int:
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "million.ddicap"
        write(path)
        with inspector.open(path) as capture:
            measure(capture)
    return 0


def measure(capture: inspector.Capture) -> None:
    print(f"{len(capture.events):,} events, {len(capture.walked.states):,} writes, {len(capture.draws):,} draws")
    first = median(lambda: (search._masks.clear(), texts._known.clear(), capture.ask(inspector.Search("blend"))), 3)
    report("the first search (reads each different text)", first)
    sample = np.arange(0, len(capture.events), 499).tolist()
    plain = median(lambda: ["blend" in capture.text(event) for event in sample], 3) * len(capture.events) / len(sample)
    index, streams = capture.tape.call_index(), {"DrawPrimitives2"}
    quiet = np.flatnonzero([index.names[number] not in streams for number in index.entry.tolist()])
    report("all objects and their uses", median(lambda: build(capture.calls, quiet, capture.events, capture.walked), 3))
    report("statistics by frame", median(lambda: capture.ask(inspector.Statistics("frame")), 3))
    for text in FILTERS:
        found = capture.ask(inspector.Search(text))  # what it needs is read
        report(f"{text} [{len(found):,}]", median(lambda text=text: capture.ask(inspector.Search(text))), "one by one", plain)


if __name__ == "__main__":
    sys.exit(main())
