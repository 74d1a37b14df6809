"""The filter language: its grammar as a table, its meaning against evaluating each event by itself."""

from __future__ import annotations

import operator
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import inspector
from core.ddi.calls import DdiCall
from core.errors import BadInput, Cancelled
from core.spec.tokens import Op
from inspector.query.search.search import completions
from inspector.query.search.syntax import (
    Both,
    Call,
    Compare,
    Either,
    FilterError,
    Node,
    Not,
    Regex,
    Terms,
    Word,
    notes,
    parse,
)
from inspector.tape import TapeWriter
from tests.inspector.following import followed
from tests.inspector.programs import PROGRAM, Step, capture_of

FEW = settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow],
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # a failure says all that a smaller one would
)  # fmt: skip


# ---- grammar


@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("a b", "(a b)"),
        ("a  and   b", "a && b"),
        ("a or b and c", "a || (b && c)"),
        ("not a and b", "(not a) and b"),
        ("!a", "not a"),
        ("ALPHAREF>128", "ALPHAREF > 128"),
        ("android", '"android"'),
        ("SRCBLEND=ONE", '"SRCBLEND=ONE"'),
        ("$draw( )", "$draw()"),
    ],
)
def test_spellings_that_mean_the_same(text: str, same_as: str) -> None:
    assert _bare(parse(text)) == _bare(parse(same_as))


def _bare(node: Any) -> Any:
    """A tree without columns."""
    if isinstance(node, tuple):
        return tuple(map(_bare, node))
    if not hasattr(node, "__dataclass_fields__"):
        return node
    fields = [name for name in node.__dataclass_fields__ if "column" not in name]
    return type(node).__name__, *(_bare(getattr(node, name)) for name in fields)


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("(a", 1, "not closed"),
        ("a)", 2, "closes nothing"),
        ("x >", 4, "a value must follow >"),
        ("$", 1, "wants a name"),
        ("+ a", 1, "must follow +"),
        ("$regex(a)", 8, "/an expression/"),
        ("$regex(/(/)", 9, "regular expression"),
        ("$regex(/a/x)", 11, "only flag"),
        ('b "abc', 3, "quotation mark"),
        ("a and", 3, "must follow and"),
        ("not", 1, "must follow not"),
        ("> 3", 1, "cannot stand here"),
        ("touches(1,2", 8, "not closed"),
        ("ALPHAREF > lunch", 12, "takes a number"),
        ("ALPHAFUNC == LUNCH", 14, "it takes NEVER, LESS"),
        ("a LUNCH == 3", 3, "no state and no column"),
        ("lunch(3)", 1, "there are changed()"),
        ("$lunch()", 1, "there are $action"),
        ("$draw(flags & Lunch)", 15, "no flag"),
        ("frame == x", 10, "wants a number"),
        ("op == LUNCH", 7, "a token's name"),
        ("changed(FOG*, LUNCH)", 15, "no state"),
        ("uses(999)", 6, "no surface or buffer 999"),
        ("setby()", 1, "setby(event)"),
        ("$param(x)", 8, "name: text"),
        ("text > 3", 1, "==, != and ~"),
        ("a touches(9999, 3)", 3, "not on surface"),
        ("touches(a, b)", 1, "touches(x, y)"),
    ],
)
def test_bad_filters_say_where(room: inspector.Capture, text: str, column: int, says: str) -> None:
    with pytest.raises(FilterError, match=re.escape(says)) as told:
        room.ask(inspector.Search(text))
    assert told.value.column == column
    assert isinstance(told.value, BadInput)


def test_plain_words_beside_required_ones_are_worth_a_note() -> None:
    assert notes(parse("+a b")) and not notes(parse("+a -b")) and not notes(parse("a (+b)"))


def test_findings_that_need_drawing_are_worth_a_note() -> None:
    (note,) = notes(parse("$draw() and finding(bad-*)"))
    assert "only drawing shows" in note and not notes(parse("finding"))


# ---- meaning, on the built-in capture


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 2978),
        ("$action()", 80 + 16 + 5 + 8),
        ("$action() -Copy -Clear", 80 + 8),
        ("$action() (+Bind +Buffer)", 109),
        ("$draw()", 80),
        ("$draw(flags & Indexed)", 64),
        ("$draw(flags & Clear|Indexed)", 64),
        ("$clear(flags & ClearDepthStencil)", 16),
        ("$dispatch()", 0),
        ("+$action(EID > 2000) +Present", 4),
        ("+RENDERSTATE +zfunc", 57),
        ("$regex(/^CLEAR .*stencil/i)", 16),
        ("$regex(/^clear/)", 0),
        ("$param(PrimitiveCount: 2) and $draw()", 8),
        ("$param(flags == TARGET|ZBUFFER|STENCIL)", 8),
        ("$childOf(Frame 3) and $draw()", 10),
        ("$parent(DrawPrimitives2) and $draw()", 80),
        ("$api(IDirect3DDevice8::Clear)", 16),
        ("frame == 3..5 and $draw()", 30),
        ("op == CLEAR", 16),
        ("draw == 7", 1),
        ("draw < 7", 7),
        ("uses(41) and $draw()", 16),
        ("$state() and not set(*)", 0),
        ("$event(EID < 10)", 10),
    ],
)
def test_counts_on_the_built_in_capture(room: inspector.Capture, text: str, count: int) -> None:
    assert len(room.ask(inspector.Search(text))) == count


def test_parameters_of_api_calls_are_found(room: inspector.Capture) -> None:
    found = room.ask(inspector.Search("$param(State: ZFUNC)")).tolist()
    assert found
    assert all("ZFUNC" in room.source_text(int(room.events.source[event])) + room.text(event) for event in found)
    drawn = room.ask(inspector.Search("$draw() and $param(primCount > 100)")).tolist()
    calls = {event: dict(room.tape.source(int(room.events.source[event])).args) for event in room.draws.tolist()}
    assert drawn == [event for event, arguments in calls.items() if arguments.get("primCount", 0) > 100]


def test_tokens_of_the_same_bytes_differ_by_the_command_s_count(tmp_path: Path) -> None:
    commands = bytearray()
    for count in (1, 2, 1):
        commands += struct.pack("<BBHH", Op["TRIANGLELIST"], 0, count, 0)
    with TapeWriter(tmp_path / "a.ddicap", durable=False) as writer:
        arguments = {"context": 1, "command_length": len(commands)}
        writer.append(DdiCall("DrawPrimitives2", arguments, {"commands": bytes(commands)}))
    with inspector.open(tmp_path / "a.ddicap") as capture:
        assert capture.ask(inspector.Search('"primitives=2"')).tolist() == [1]
        assert capture.ask(inspector.Search("primitives == 1")).tolist() == [0, 2]


def test_searching_can_be_cancelled() -> None:
    from tests.inspector.conftest import ROOM

    with inspector.open(ROOM) as capture, pytest.raises(Cancelled):
        capture.ask(inspector.Search("blend"), lambda: True)


def test_completions_begin_with_what_is_typed(room: inspector.Capture) -> None:
    assert completions("$draw() and ALPHAR", room)[0] == "ALPHAREF"
    assert "$draw(" in completions("$dr", room)
    assert "LIGHT[1].Enabled" in completions("light[1].e", room)
    assert completions("", room) == completions("blend ", room) == []


@pytest.mark.parametrize(
    "text", ["pixels > 20000", "touches(320, 240)", "not (culled > 700)", "touches(0, 0, 9, 9) or texkill == 1"]
)
def test_what_takes_drawing_is_only_asked_where_the_rest_holds(room: inspector.Capture, text: str) -> None:
    whole, frame = (set(room.ask(inspector.Search(part)).tolist()) for part in (text, "frame == 2"))
    for both in (
        f"frame == 2 and ({text})",
        f"({text}) && frame == 2",
        f"+frame==2 +({text})",
        f"$event(frame == 2 and ({text}))",
    ):
        assert set(room.ask(inspector.Search(both)).tolist()) == whole & frame
    assert set(room.ask(inspector.Search(f"+frame==2 -({text})")).tolist()) == frame - whole


def test_touches_finds_every_event_that_makes_a_pixel_another(room: inspector.Capture) -> None:
    frame, x, y = room.frames[3], 320, 240
    found = set(room.ask(inspector.Search(f"frame == 3 and touches({x}, {y})")).tolist())
    looks = [event for event in range(frame.first_event, frame.last_event + 1) if event in found or room.events.draw[event]]
    changes = {event for event in looks
               if (room.image(event, "back_buffer")[y, x] != room.image(event - 1, "back_buffer")[y, x]).any()}  # fmt: skip
    assert changes and changes <= found
    assert all(room.name(event) == "CLEAR" or event in changes for event in found)


def test_counts_of_pixels_are_those_of_the_picture(room: inspector.Capture) -> None:
    draws = [event for event in room.draws.tolist() if room.frame_of(event) == 3]
    for event in draws:
        changed = int(room.ask(inspector.PixelsOf(event)).changed.sum())
        assert event in room.ask(inspector.Search(f"frame == 3 and pixels == {changed}")).tolist()


# ---- meaning, against one event at a time

LEAVES = (
    "state", "draw", "-clear", "+render", '"ALPHAREF=0x08"', "$draw()", "$action()", "$clear()", "$state()",
    "ALPHAREF > 2", "ALPHAREF != 0", "FOGSTART >= 0.25", "SRCBLEND == ONE", "ALPHATESTENABLE == TRUE", "VIEW[0][0] > 1",
    "VIEW._22 == 2", "LIGHT[0].Range < 2", "LIGHT[1].Enabled == TRUE", "texture[0] != 0", "COLOROP[*] == SELECTARG1",
    "ALPHAREF != default", "SRCBLEND ~ on", "ALPHAREF & 8", "changed(ALPHAREF)", "changed(VIEW)", "set(FOG*)",
    "changed(FOG*, ALPHAREF)", "changed()", "set(LIGHT[*])", "redundant(ALPHAREF)", "unused(ALPHAREF)", "unused(VIEW)",
    "frame == 0", "frame > 0", "event < 400", "draw >= 1", "op == RENDERSTATE", "primitives == 1", "source > 20",
    "$regex(/blend|alpha/i)", "$param(count: 2)", "setby(ALPHAREF, 385)", "setby(390)",
)  # fmt: skip
FILTERS = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(" ".join),
        st.tuples(inner, st.sampled_from(("and", "or", "&&", "||")), inner).map(
            lambda parts: f"({parts[0]}) {parts[1]} ({parts[2]})"
        ),
        inner.map(lambda text: f"not ({text})"),
        st.tuples(st.sampled_from("+-"), inner).map(lambda parts: f"{parts[0]}({parts[1]})"),
    ),
    max_leaves=6,
)
COMPARE = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


class Plainly:
    """Evaluates a filter event by event, from what other questions answer."""

    def __init__(self, capture: inspector.Capture) -> None:
        self.capture = capture
        self.vectors, self.written = followed(capture)
        self.stream = int(np.flatnonzero(capture.events.op)[0])  # before it the context is made, at once

    def fits(self, node: Node, event: int) -> bool:
        match node:
            case Word():
                return node.text.casefold() in self.text(event).casefold()
            case Regex():
                return bool(re.search(node.pattern, self.text(event), re.I if node.flags else 0))
            case Both():
                return all(self.fits(part, event) for part in node.parts)
            case Either():
                return any(self.fits(part, event) for part in node.parts)
            case Not():
                return not self.fits(node.part, event)
            case Terms():
                if any(self.fits(part, event) for part in node.never):
                    return False
                if node.must:
                    return all(self.fits(part, event) for part in node.must)
                return not node.plain or any(self.fits(part, event) for part in node.plain)
            case Call():
                return self.call(node, event)
            case Compare():
                return self.compare(node, event)

    def text(self, event: int) -> str:
        return f"{self.capture.text(event)} {self.kind(event)}"

    def kind(self, event: int) -> str:
        name = self.capture.name(event)
        if self.capture.events.draw[event]:
            return "Draw"
        if name == "Blt":
            return "Present" if "presentation" in self.capture.text(event) else "Copy"
        return {"CLEAR": "Clear", "TEXBLT": "Copy", "Flip": "Present"}.get(name, "")

    def call(self, node: Call, event: int) -> bool:
        texts = [argument.text for argument in node.arguments]
        match node.name:
            case "draw" | "clear":
                return self.kind(event).lower() == node.name
            case "action":
                return bool(self.kind(event))
            case "state":
                return bool(self.written[event])
            case "param":
                header = 2 if self.capture.events.op[event] else 0  # the command's own count is no parameter
                own = self.capture.event(event).fields[header:]
                return any(field.name == "count" and field.value == 2 for field in own) or any(
                    name == "count" for name, _ in self.arguments(event)
                )
            case "setby":
                if len(texts) == 2:
                    return self.capture.state(event)[texts[0]].writer == int(texts[1])
                writer = int(texts[0])
                later = set().union(*self.written[writer + 1 : event + 1])
                return event >= writer < len(self.written) and bool(self.written[writer] - later)
        slots = self.slots(texts, event)
        if node.name == "unused":
            return self.in_vain(event, slots)
        set_now = self.written[event] & slots
        before = self.vectors[event - 1] if event else None
        changed = before is None or any(self.word(before, s) != self.vectors[event][s] for s in set_now)
        if node.name == "redundant":
            return bool(set_now) and not changed and not self.capture.walked.initial[event]
        return bool(set_now) and (node.name == "set" or changed)

    def in_vain(self, event: int, slots: set[int]) -> bool:
        """It writes one of the slots, and another event does before a draw (or a matrix product) could use it."""
        if self.written[event].isdisjoint(slots) or self.capture.walked.initial[event]:
            return False
        for later in range(event + 1, len(self.written)):
            if not self.written[later].isdisjoint(slots):
                return self.capture.name(later) != "MULTIPLYTRANSFORM"
            if self.capture.events.draw[later]:
                return False
        return False

    @staticmethod
    def word(vector: np.ndarray, slot: int) -> int:
        return int(vector[slot]) if slot < len(vector) else 0

    def arguments(self, event: int) -> list:
        source = int(self.capture.events.source[event])
        return self.capture.tape.source(source).args if source >= 0 else []

    def slots(self, patterns: list[str], event: int) -> set[int]:
        if not patterns:
            return set(range(1 << 16))
        found: set[int] = set()
        for place in self.capture.state(len(self.capture.events) - 1).places.values():
            name = place.key if isinstance(place.key, str) else f"{place.key[0]}[{place.key[1]}]"
            wanted = [pattern.replace("*]", f"{place.key[1]}]") if "[" in pattern else pattern for pattern in patterns]
            if name in wanted or ("FOG*" in wanted and name.startswith("FOG")) or place.key == ("TRANSFORM", wanted[0]):
                found |= set(range(place.slot, place.slot + place.count))
        return found

    def compare(self, node: Compare, event: int) -> bool:
        row = self.capture.events.rows[event]
        draws = self.capture.draws.tolist()
        numbers = {
            "frame": self.capture.frame_of(event), "event": event, "source": int(row["source"]), "op": int(row["op"]),
            "draw": draws.index(event) if event in draws else None,
            "primitives": self.capture.primitives(event) if row["draw"] else None,
        }  # fmt: skip
        if node.name in numbers:
            value = numbers[node.name]
            wanted = int(Op[node.value]) if node.name == "op" else int(node.value)
            return value is not None and value >= 0 and COMPARE[node.op](value, wanted)
        state = self.capture.state(event)
        return any(self.holds(value, node) for value in self.values(state, node.name))

    def values(self, state: Any, name: str) -> list[tuple[Any, Any, Any]]:
        """(value, its text, value object) of what a name means."""
        if name.startswith("VIEW"):
            matrix = state[("TRANSFORM", "VIEW")].value
            return [(matrix[1, 1] if "22" in name else matrix[0, 0], "", None)]
        keys: list[Any] = [name]
        if name.startswith("LIGHT"):
            keys = [("LIGHT", int(name[6]), name[9:])]
        elif name == "texture[0]":
            keys = [("TEXTURESTAGE", 0, "TEXTUREMAP")]
        elif name == "COLOROP[*]":
            keys = [("TEXTURESTAGE", stage, "COLOROP") for stage in range(8)]
        return [(state[key].value, state[key].text, state[key]) for key in keys if key in state]

    def holds(self, given: tuple[Any, Any, Any], node: Compare) -> bool:
        value, text, whole = given
        if node.value == "default":
            return bool(whole.is_default) == (node.op == "==")
        if node.op == "~":
            return node.value.casefold() in text.casefold()
        if node.op == "&":
            return bool(value & int(node.value))
        if node.value in ("ONE", "TRUE", "SELECTARG1"):
            return COMPARE[node.op](text, node.value)
        return bool(COMPARE[node.op](float(value), float(node.value)))


@FEW
@given(PROGRAM, st.lists(FILTERS, min_size=6, max_size=6), st.randoms(use_true_random=False))
def test_a_filter_finds_what_looking_at_each_event_finds(program: list[Step], filters: list[str], chance: Any) -> None:
    with capture_of(program) as capture:
        plainly = Plainly(capture)
        made, late = range(plainly.stream, len(capture.events)), range(340, len(capture.events))
        events = sorted({*chance.sample(made, 40), *chance.sample(late, min(len(late), 40))})
        for text in [*filters, *chance.sample(LEAVES, 6)]:
            found = set(capture.ask(inspector.Search(text)).tolist())
            tree = parse(text)
            for event in events:
                assert (event in found) == plainly.fits(tree, event), (text, event, capture.text(event))
