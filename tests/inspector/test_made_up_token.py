"""A token that no header has: one row and the function that executes it, and every reader of the rows knows it.

In a process of its own, as rows are read when modules are imported.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = r"""
import sys
from pathlib import Path

from core.spec.effects import EventKind, Slots, Touches
from core.spec.kinds import COLOR, F32, U16
from core.spec.tokens import TOKEN_BY_NAME, Field, Token, enter

enter(Token(120, "WASH", "D3DHAL_DP2WASH", (Field("color", "dwColor", COLOR),), kind=EventKind.CLEAR,
            touches=Touches.SURFACES, reads=TOKEN_BY_NAME["CLEAR"].reads))

# one that only sets state needs no function at all
enter(Token(121, "SETPLANE", "D3DHAL_DP2SETPLANE", (Field("index", "dwIndex", U16), Field("plane", "plane", F32, 4)),
            kind=EventKind.TRANSFORM, writes=Slots("clip_plane", ("plane",), (("index", 4),))))

from core.device.tokens.copies import clear_rectangles
from core.device.tokens.operations import OPERATIONS
from core.device.registers.records import fields


def wash(device, stream, record, seq):
    clear_rectangles(device, seq, 1, fields(stream, record).color, 1.0, 0, [[0, 0, 40, 40]])


OPERATIONS[120] = wash

from core.ddi.stream import dp2
from inspector import Compare, ObjectHistory, Search, Sql, Verify
from inspector.query.search.completion import complete
from inspector.query.what_if.parsing import parse
from tests.inspector.streams import TARGET, beginning, capture_of, draws, tokens
from ui.index import KINDS, build_index

RED, BLUE = 0xFFFF0000, 0xFF0000FF
folder = Path(sys.argv[1])
sent = tokens(("WASH", [{"color": RED}, {"color": BLUE}]))
capture = capture_of([*beginning(), draws(1), sent], folder)
first, last = len(capture.events) - 2, len(capture.events) - 1


def corner(view, event):
    return view.image(event, TARGET)[0, 0].tolist()


# encoded, decoded, listed
assert bytes(sent.data["commands"]).hex() == "78000200" + "0000ffff" + "ff0000ff"
assert (capture.name(last), capture.text(last)) == ("WASH", "WASH color=0xff0000ff")
detail = capture.event(first)
assert detail.header == "D3DHAL_DP2WASH"
assert [(field.name, field.header, field.value) for field in detail.fields][-1] == ("color", "dwColor", RED)

# executed, forwards and backwards
assert corner(capture, last) == [0, 0, 255, 255]
assert corner(capture, first) == [255, 0, 0, 255]
assert corner(capture, first - 1) != [255, 0, 0, 255]
assert capture.findings == []

# in the history of what it clears
log = capture.ask(ObjectHistory(TARGET, last))
assert [log.text(row) for row, event in enumerate(log.event) if event >= first] == ["cleared", "cleared"]

# coloured, filtered, asked by SQL
assert [KINDS[kind] for kind in build_index(capture).kind[first:].tolist()] == ["clear", "clear"]
for text in ("$clear() && wash", "op == WASH", "$param(dwColor: 0xff0000ff) || $param(color: 0xffff0000)", "header ~ dp2wash"):
    assert capture.ask(Search(text)).tolist() == [first, last], text
assert [row[0] for row in capture.ask(Sql("SELECT kind FROM events WHERE name = 'WASH'")).rows] == ["clear", "clear"]
assert any(one.word == "WASH" for one in complete("op == WA"))

# state: by the walker that executes and the one that only follows
planes = [{"index": 3, "plane": [1.0, 2.0, 3.0, 4.0]}, {"index": 99, "plane": [0.0] * 4}]
(folder / "state").mkdir()
with capture_of([*beginning(), tokens(("SETPLANE", planes))], folder / "state") as other:
    setter = len(other.events) - 2
    value = other.state(setter)["CLIPPLANE", 3]
    assert (value.value, value.writer) == ((1.0, 2.0, 3.0, 4.0), setter)
    assert setter in other.ask(Search("$state() && SETPLANE")).tolist()
    found = [(finding.seq, finding.rule) for finding in other.findings]
    assert found == [(setter + 1, "unimplemented-token")]  # there is no plane 99

# hashed, compared, edited
assert {first, last} <= {step.event for step in capture.ask(Verify(per="token")).steps}
edits = parse(f"set {last}.dwColor=0xff00ff00")
with capture.edited(edits) as view:
    assert corner(view, last) == [0, 255, 0, 255]
    found = capture.ask(Compare("all", "all", other=view))
    assert found.tokens.a[found.tokens.differing].tolist() == [last]
    assert [one.place.handle for one in found.surfaces] == [TARGET]
with capture.edited(parse(f"disable {last}")) as view:
    assert corner(view, last) == [255, 0, 0, 255]
"""


def test_one_row_and_its_execution_are_enough(tmp_path: Path) -> None:
    top = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(top), "QT_QPA_PLATFORM": "offscreen"}
    found = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)], cwd=top, env=environment, capture_output=True, text=True
    )
    assert found.returncode == 0, found.stderr
