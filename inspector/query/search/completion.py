"""Completion: the possible endings of a filter's last word, each explained in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.spec.calls import CALLS
from core.spec.effects import EventKind
from core.spec.findings import RULES
from core.spec.kinds import BOOL, COLOR, F32, HANDLE, HEX8, HEX32, Kind
from core.spec.tokens import TOKENS
from inspector.query.draws.counts import COUNTS
from inspector.query.search.fields import ALIASES, COMPARISON_FLAGS, MAKERS
from inspector.query.search.masks import COUNTED, DOLLARS, PREDICATES
from inspector.query.state.places import Lights, StatePlace, places_like, places_with, spelled, text_of

FUNCTIONS = {
    "action": "draws, clears, copies and presents; accepts a condition",
    "event": "any event; accepts a condition",
    "draw": "draws; accepts a condition: $draw(numIndices > 30)",
    "clear": "clears; accepts a condition",
    "copy": "copies; accepts a condition",
    "present": "presents; accepts a condition",
    "dispatch": "none: Direct3D 8 has no dispatches",
    "state": "events that set device state",
    "param": "events with this field or API call argument: $param(count: 2)",
    "regex": "events whose text matches an expression: $regex(/ALPHA.*=0x8/i)",
    "parent": "events of a driver call: $parent(Blt)",
    "childOf": "events of a driver call or frame: $childOf(Frame 3)",
    "api": "events caused by an API call with this name: $api(SetRenderState)",
}
CONDITIONS = {
    "changed": "events that change one of these states: changed(FOG*)",
    "set": "events that set one of these states: set(FOG*)",
    "redundant": "events that set state without changing it",
    "unused": "events that set a value no draw uses before it is overwritten",
    "setby": "events at which a value set by an event is still in force: setby(812)",
    "uses": "draws that sample, fetch from, draw into or run an object: uses(12)",
    "object": "events in the history of an object: object(12)",
    "finding": "events with findings, by rule id: finding(bad-*)",
    "touches": "events that change a pixel of the back buffer, or a rectangle: touches(40, 52)",
}
COLUMNS = {
    "event": "event number",
    "frame": "frame number: frame == 3..5",
    "draw": "number among the draws",
    "action": "number among draws, clears, copies and presents",
    "op": "opcode: op == CLEAR",
    "kind": "kind of event: kind == shader",
    "call": "driver call number",
    "source": "API call number",
    "done": "0 for events that were not executed because their call failed: done == 0",
    "token": "offset of the token in the command buffer, in bytes",
    "offset": "offset of the record in the command buffer, in bytes",
    "size": "size of the record, in bytes",
    "count": "number of records in the token",
    "index": "index of the record in its token",
    "primitives": "primitives in the draw",
    "numindices": "vertices or indices in the draw",
    "basevertex": "offset added to each index",
    "vertexoffset": "first vertex of a draw without indices",
    "indexoffset": "first index of a draw",
    "numinstances": "1 for draws",
    "instanceoffset": "0 for draws",
    "flags": f"{', '.join(COMPARISON_FLAGS)}: flags & Indexed",
    "name": "event name: name == CLEAR, name ~ draw",
    "header": "DDK name of the structure or entry point: header == D3DHAL_DP2CLEAR",
    "text": "text of the event: text ~ blend",
    "shader": "current vertex or pixel shader",
    "overdraw": "average number of writes per covered pixel",
    "pixels": "pixels that the draw changes",
    "fragments": "fragments that the draw makes",
    "clipped": "primitives that are clipped away",
    "culled": "primitives that are culled",
    "degenerate": "primitives without an area",
    "empty": "primitives that cover no pixel centre",
    "rasterised": "primitives that cover a pixel",
    "texkill": "fragments killed by texkill",
    "color_key": "fragments killed by the colour key",
    "alpha_test": "fragments that failed the alpha test",
    "stencil_test": "fragments that failed the stencil test",
    "depth_test": "fragments that failed the depth test",
    "masked": "fragments masked by the write mask",
    "written": "fragments written",
    "changed": "fragments that changed the stored value",
}
NEVER_THERE = "not in Direct3D 8; no event has a value"
DRAWS_NEEDED = "; requires a redraw"
STATE_ARGUMENTS = ("changed", "set", "redundant", "unused", "setby")
_VALUE = re.compile(r"([\w.*\[\]]+)\s*(==|!=|<=|>=|<|>|&|~)\s*([\w|]*)$")
_ARGUMENT = re.compile(r"(\$?\w+)\(\s*([\w.*\[\]-]*)$")
_TYPED = re.compile(r"[$\w.*\[\]]*$")
LONGEST_END = 1000  # characters that are looked at: these patterns need the square of a word's length
_KINDS = {F32.name: "a number", BOOL.name: "TRUE or FALSE", HANDLE.name: "a handle", COLOR.name: "a colour, 0xAARRGGBB",
          HEX8.name: "0 to 0xff", HEX32.name: "bits"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Completion:
    """text[:begin] + word is the longer filter; `about`: what the word means."""

    word: str
    about: str
    begin: int


def complete(text: str, lights: Lights = ()) -> list[Completion]:
    """What the word that `text` ends with could become, best first: functions, columns, states, values, rules.

    Behind a comparison these are the values that there are, in `changed(` states only, in `finding(` rules.  `lights` are
    those of the capture: `lights_of`.
    """
    end = text[-LONGEST_END:]
    if (found := _VALUE.search(end)) and (values := list(_values(found[1], found[2], lights))):
        return _fitting(values, found[3].rpartition("|")[2], len(text), least=0)
    if (found := _ARGUMENT.search(end)) and found[1].casefold() in (*STATE_ARGUMENTS, "finding"):
        inside = _rules() if found[1].casefold() == "finding" else _states(lights)
        return _fitting(inside, found[2], len(text))
    typed = _TYPED.search(end)
    return _fitting([*_words(), *_states(lights)], typed[0] if typed else "", len(text))


def completions(text: str, capture: Any = None) -> list[str]:
    """The words alone, with the lights of a capture."""
    return [one.word for one in complete(text, lights_of(capture) if capture is not None else ())]


def lights_of(capture: Any) -> Lights:
    """All lights of a capture; waits for the walk over its events."""
    lights: Lights = capture.walked.lights_at(len(capture.events))
    return lights


def _fitting(words: Iterable[tuple[str, str]], typed: str, end: int, least: int = 1) -> list[Completion]:
    """The words that begin with what is typed, then those that have it within; none if less than `least` is typed."""
    if len(typed) < least:
        return []
    folded = typed.casefold()
    begin: list[Completion] = []
    within: list[Completion] = []
    for word, about in words:
        there = word.casefold().find(folded)
        if there >= 0 and word.casefold() != folded:
            (within if there else begin).append(Completion(word, about, end - len(typed)))
    return begin + within


def _words() -> Iterator[tuple[str, str]]:
    yield from ((f"${name}(", FUNCTIONS[name]) for name in DOLLARS)
    yield from ((f"{name}(", CONDITIONS[name]) for name in PREDICATES)
    yield from ((name, COLUMNS.get(name, NEVER_THERE)) for name in MAKERS)
    yield from ((name, COLUMNS[name] + DRAWS_NEEDED) for name in COUNTED)
    yield from ((name, COLUMNS[meant]) for name, meant in ALIASES.items())
    yield from ((name, COLUMNS[name]) for name in ("name", "header", "text", "shader"))
    yield from ((name, "a flag of an event: flags & " + name) for name in COMPARISON_FLAGS)


@lru_cache(maxsize=8)
def _states(lights: Lights) -> tuple[tuple[str, str], ...]:
    return tuple((spelled(place.key), about_place(place)) for place in places_with(lights).values())


def _rules() -> Iterator[tuple[str, str]]:
    return ((rule.id, rule.sentence) for rule in RULES.values())


def about_place(place: StatePlace) -> str:
    """Stage, what it takes, what it is at first: `alpha test: NEVER, LESS, EQUAL ...; at first ALWAYS`."""
    kind = place.kind
    takes = ", ".join(kind.members.__members__) if kind.members is not None else _KINDS.get(kind.name, "a whole number")
    if place.count > 1:
        takes = f"{place.count} numbers" if kind is F32 else f"{place.count} values"
    first = "" if place.count > 4 else f"; at first {text_of(kind, place.default)}"
    return f"{place.stage.replace('_', ' ')}: {takes}{first}"


def _values(name: str, op: str, lights: Lights) -> Iterator[tuple[str, str]]:
    """The values that there are, of what has names for them."""
    folded = name.casefold()
    if folded in ("op", "name"):
        yield from ((row.name, f"token {op}") for op, row in TOKENS.items())
    elif folded == "header":
        yield from ((row.struct, row.name) for row in TOKENS.values() if row.struct)
        yield from ((row.header, row.name) for row in CALLS.values() if row.header)
    elif folded == "kind":
        yield from ((kind.word, f"{kind.title}: colour in the timeline") for kind in EventKind)
    elif folded == "flags":
        yield from ((flag, "") for flag in COMPARISON_FLAGS)
    elif folded not in MAKERS and folded not in COUNTS and (places := places_like(name, lights)):
        yield from _members(places[0].kind)
        if op in ("==", "!="):
            yield "default", f"default: {text_of(places[0].kind, places[0].default)}"


def _members(kind: Kind) -> Iterator[tuple[str, str]]:
    if kind.members is not None:
        yield from ((name, f"{kind.name} {int(member)}") for name, member in kind.members.__members__.items())
    elif kind is BOOL:
        yield from (("TRUE", ""), ("FALSE", ""))
