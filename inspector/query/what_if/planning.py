"""From edits to a plan: changed calls, suppressed events, and where states are forced and objects replaced."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.rules.shader_check import assemble_checked
from core.ddi.stream import dp2
from core.ddi.stream.shader_assemble import assemble
from core.errors import BadInput
from core.spec.calls import touched_by_call
from core.spec.effects import Touches
from core.spec.shaders import is_pixel
from core.spec.tokens import ops_that
from inspector.query.events.detail import record_of
from inspector.query.state.dwords import dwords_of
from inspector.query.state.places import place_of
from inspector.query.what_if.edits import Disable, Edit, Force, Primitives, SetBytes, SetField, Shader, Texture
from inspector.query.what_if.repainting import Repainted
from inspector.timeline.edited import EditedDriver, Forced, Plan, Planned, edited_calls
from inspector.timeline.events import Events
from inspector.timeline.records import events_of
from inspector.timeline.retake import Splice, retaken, spliced
from inspector.timeline.walk import Walk, walk

if TYPE_CHECKING:
    from inspector.capture import Capture

STATEFUL = Touches.OBJECTS
SURFACES_AFTER = ops_that(
    lambda row: (
        (not row.draws and bool(row.touches & Touches.SURFACES))
        or (row.writes is not None and row.writes.field == "render_target")
    )
)
"""Tokens that write surfaces, or say to which ones draws go."""
STATELESS = ops_that(lambda row: row.draws or (row.writes is None and not row.touches & STATEFUL))


def planned(capture: Capture, edits: Sequence[Edit]) -> Planned:
    """The plan of these edits; BadInput for an invalid one."""
    skipped = _skipped(capture, [one for one in edits if isinstance(one, Disable)])
    edited, touched = _edited(capture, edits)
    events = retaken(capture.events, edited)
    plan = Plan(skipped)
    plain = not edited and _stateless(capture, skipped)
    forces = [one for one in edits if isinstance(one, Force)]
    forced, writers = _forced(capture, forces, capture.walked if plain or not forces else _walk(capture, plan, edited, events))
    primitives = _primitives(capture, [one for one in edits if isinstance(one, Primitives)])
    replaced = [Repainted.of(capture, one) for one in edits if isinstance(one, Texture)]
    edges = np.flatnonzero(np.diff(skipped.astype(np.int8), prepend=0, append=0))
    breaks = {*edges.tolist(), *writers, *primitives, *(event + 1 for event in primitives)}
    breaks |= {place for one in forced for place in (one.first, one.last + 1)} | {one.first for one in replaced}
    breaks |= set(_surface_events(events, min((one.first for one in replaced), default=len(events))))
    firsts = [one.first for one in forced] + [one.first for one in replaced]
    first = min([*touched, *edges.tolist(), *primitives, *firsts, len(events)])
    plan = Plan(skipped, tuple(forced), tuple(replaced), primitives, tuple(sorted(breaks)), int(first))
    return Planned(plan, edited, events, plain and not forced)


def _surface_events(events: Events, first: int) -> list[int]:
    """Positions after tokens that may write surfaces, from `first` on."""
    return (np.flatnonzero(SURFACES_AFTER[events.rows["op"][first:]]) + first + 1).tolist()


# ---- events that do not happen -----------------------------------------------------------------------------------------


def _skipped(capture: Capture, edits: Sequence[Disable]) -> np.ndarray:
    skipped = np.zeros(len(capture.events), bool)
    for one in edits:
        if capture.check_event(one.first) > capture.check_event(one.last):
            raise BadInput(f"{one}: the first event comes after the last")
        skipped[one.first : one.last + 1] = True
    return skipped


def _stateless(capture: Capture, skipped: np.ndarray) -> bool:
    """Whether none of these events sets state."""
    rows = capture.events.rows[skipped]
    tokens = STATELESS[rows["op"]]
    calls = [capture.calls[n].entry for n in np.unique(rows["call"][rows["op"] == 0]).tolist()]
    return bool((tokens | (rows["op"] == 0)).all()) and not any(touched_by_call(entry) & STATEFUL for entry in calls)


def _primitives(capture: Capture, edits: Sequence[Primitives]) -> dict[int, tuple[int, int]]:
    for one in edits:
        if not capture.primitives(capture.check_event(one.event)):
            raise BadInput(f"{one}: event {one.event} draws no primitives")
    return {one.event: (one.first, one.last) for one in edits}


# ---- calls that read differently -----------------------------------------------------------------------------------------


def _edited(capture: Capture, edits: Sequence[Edit]) -> tuple[dict[int, DdiCall], list[int]]:
    """Calls by number, and the events whose bytes or arguments are others."""
    splices: defaultdict[int, list[Splice]] = defaultdict(list)
    edited: dict[int, DdiCall] = {}
    touched = []
    for one in edits:
        if isinstance(one, Shader):
            for event, splice in _shader_splices(capture, one):
                splices[_call_of(capture, event)].append(splice)
                touched.append(event)
        elif isinstance(one, SetField | SetBytes):
            number = _call_of(capture, capture.check_event(one.event))
            touched.append(one.event)
            if capture.events.rows["op"][one.event]:
                splices[number] += _splices(capture, one)
            else:
                edited[number] = _other_argument(edited.get(number) or capture.calls[number], one)
    for number, found in splices.items():
        edited[number] = spliced(capture.calls[number], found)
    return edited, touched


def _call_of(capture: Capture, event: int) -> int:
    return int(capture.events.rows["call"][event])


def _splices(capture: Capture, edit: SetField | SetBytes) -> list[Splice]:
    """The bytes that an edit of a token changes."""
    record, buffer = record_of(capture.events, edit.event), capture.events.buffer(edit.event)
    begin, size = int(record["offset"]), int(record["size"])
    if isinstance(edit, SetBytes):
        if edit.at < 0 or edit.at + len(edit.data) > size:
            raise BadInput(f"{edit}: the record has {size} bytes")
        return [(begin + edit.at, begin + edit.at + len(edit.data), edit.data)]
    fields = dp2.describe(buffer, record)
    within = edit.name + ".", edit.name + "["
    named = [f for f in fields if f.name == edit.name] or [f for f in fields if f.name.startswith(within)]
    named = named or [f for f in fields if f.header and f.header == edit.name]
    values = [edit.value] if len(named) == 1 else edit.value.replace(",", " ").split()
    if not named or len(values) != len(named):
        names = ", ".join(field.name for field in fields)
        what = f"expected {len(named)} values" if named else f"event {edit.event} has no such field; it has {names}"
        raise BadInput(f"{edit}: {what}")
    try:
        raws = [int(field.kind.raw(value)) for field, value in zip(named, values, strict=True)]
    except ValueError as error:
        raise BadInput(f"{edit}: {error}") from error
    return [(f.begin, f.end, raw.to_bytes(f.end - f.begin, "little")) for f, raw in zip(named, raws, strict=True)]


def _other_argument(call: DdiCall, edit: SetField | SetBytes) -> DdiCall:
    """A driver call with another argument, of the type it has."""
    if isinstance(edit, SetBytes) or edit.name not in call.args:
        raise BadInput(f"{edit}: {call.entry} has the arguments {', '.join(call.args)}")
    args = {**call.args, edit.name: _like(call.args[edit.name], edit)}
    return DdiCall(call.entry, args, dict(call.data), call.result, dict(call.out), call.source)


def _like(value: Any, edit: SetField) -> Any:
    try:
        if isinstance(value, tuple | list):
            return tuple(int(word, 0) for word in edit.value.strip("()").replace(",", " ").split())
        return edit.value if isinstance(value, str) else float(edit.value) if isinstance(value, float) else int(edit.value, 0)
    except ValueError as error:
        raise BadInput(f"{edit}: {error}") from error


def _shader_splices(capture: Capture, edit: Shader) -> list[tuple[int, Splice]]:
    """The code of every shader that is made under the handle: (event, bytes)."""
    code = assemble(edit.code)
    pixel = is_pixel(int(code[0]))
    found = []
    rows = capture.events.rows
    for event in events_of(capture.events, "CREATEPIXELSHADER" if pixel else "CREATEVERTEXSHADER").tolist():
        begin, buffer = int(rows["offset"][event]), capture.events.buffer(event)
        words = np.frombuffer(buffer[begin : begin + (8 if pixel else 12)].tobytes(), "<u4").tolist()
        if words[0] == edit.handle:
            head = [words[0], *words[1:-1], code.nbytes]
            end = begin + int(rows["size"][event])
            assemble_checked(edit.code, buffer[end - words[-1] : end].tobytes() if words[-1] else None)
            kept = buffer[begin + 4 * len(words) : end - words[-1]].tobytes()
            made = np.array(head, "<u4").tobytes() + kept + code.tobytes()
            found.append((event, (begin, end, made)))
    if not found:
        raise BadInput(f"{capture.title}: no {'pixel' if pixel else 'vertex'} shader {edit.handle} is created")
    return found


# ---- forced state ----------------------------------------------------------------------------------------------------------


def _walk(capture: Capture, plan: Plan, edited: dict[int, DdiCall], events: Events) -> Walk:
    """The state index without what is forced: it says what follows when that ends."""
    return walk(edited_calls(capture.calls, edited), events, driver=EditedDriver(plan, events, draws=False))


def _forced(capture: Capture, edits: Sequence[Force], walked: Walk) -> tuple[list[Forced], set[int]]:
    """What is forced, and the positions after events that write it."""
    forced, writers = [], set()
    for one in edits:
        last = len(capture.events) - 1 if one.last is None else one.last
        if capture.check_event(one.first) > capture.check_event(last):
            raise BadInput(f"{one}: the first event comes after the last")
        place = place_of(one.key, walked.lights_at(len(capture.events)))
        slot, count = place.slot, place.count
        values = dwords_of(place.kind, count, one.value)
        after = walked.states.at(last, np.arange(slot, slot + count))[0]
        forced.append(Forced(slot, values, one.first, last, after))
        for each in range(slot, slot + count):
            events = walked.states.history(each)[0]
            writers |= set((events[(events >= one.first) & (events <= last)] + 1).tolist())
    return forced, writers
