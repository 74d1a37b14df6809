"""What a filter finds against looking at each event by itself."""

from __future__ import annotations

import operator
import re
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import inspector
from core.spec.tokens import Op
from inspector.query.search.syntax import (
    Both,
    Call,
    Compare,
    Either,
    Node,
    Not,
    Regex,
    Terms,
    Word,
    parse,
)
from tests.inspector.following import followed
from tests.inspector.programs import PROGRAM, Step, capture_of

FEW = settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow],
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # a failure says all that a smaller one would
)  # fmt: skip


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
                header = 2 if self.capture.events.op[event] else 0  # the command's own count is not a parameter
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
