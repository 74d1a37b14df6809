"""The derived tables of SQL: contents of each, and how it is made.  docs/sql.md has examples."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.cancel import stoppable
from core.ddi.calls import answered
from core.errors import Cancelled
from core.spec.calls import CALLS, DRAW_MEMBERS
from core.spec.effects import EventKind
from core.spec.enums import DxgiFormat
from core.spec.formats import FORMATS
from core.spec.kinds import F32, I32
from core.spec.slots import BASE, TEXTURE_STAGES
from core.spec.tokens import TOKENS
from inspector.progress import StillWanted
from inspector.query.draws.counts import COUNTS, counts_of
from inspector.query.events.detail import call_fields, result_text
from inspector.query.events.findings import are_drawn, known
from inspector.query.events.texts import texts_of
from inspector.query.search.fields import frame_numbers
from inspector.query.state.places import places_with, spelled
from inspector.tape.side import Staged
from inspector.timeline.counters import overdraw
from inspector.timeline.fates import CHANGED, FINAL
from inspector.timeline.lives import DXGI, NAMES, Role
from inspector.timeline.primitives import primitive_counts
from inspector.timeline.states import NEVER

if TYPE_CHECKING:
    from inspector.capture import Capture

Columns = Sequence[Any]
CALLS_A_LOOK = 256
CALL_NUMBERS = tuple(name for name in DRAW_MEMBERS.values() if name != "result" and name not in CALLS["DrawPrimitives2"].data)
"""Columns of `calls`: the numbers of D3DHAL_DRAWPRIMITIVES2DATA."""


@dataclass(frozen=True)
class Table:
    """`create`: SQL of the table, its indexes and views.  `columns(capture, still_wanted)`: each with one value per row.

    `fuller(capture)`: whether more is known by now than without drawing; then a table that holds less is rebuilt.
    `staged`: what makes the rows of the columns, where these are numbers and the rows are not.
    """

    name: str
    create: str
    columns: Callable[[Capture, StillWanted], Columns]
    needs: tuple[str, ...] = ()
    fuller: Callable[[Capture], bool] = lambda capture: False
    staged: Staged | None = None

    def marks(self, capture: Capture) -> tuple[str, ...]:
        """What `made` holds once the table is complete."""
        return (self.name, f"{self.name}, drawn") if self.fuller(capture) else (self.name,)


def _frames(capture: Capture, still_wanted: StillWanted) -> Columns:
    rows = [(f.index, f.first_event, f.last_event, f.draws) for f in capture.frames]
    return list(zip(*rows, strict=True)) or [[]] * 4


def _calls(capture: Capture, still_wanted: StillWanted) -> Columns:
    index = capture.tape.call_index()
    first = capture.events.first_of_call
    entries = [index.names[number] for number in index.entry.tolist()]
    refused = [number in capture.walked.refused for number in stoppable(range(len(entries)))]
    own = [np.arange(len(entries)), entries, _none(index.source, -1), first[:-1], np.diff(first), refused]
    said: list[tuple[Any, ...]] = []
    for number, call in enumerate(capture.calls.streams()):
        _look(still_wanted, number, len(entries))
        known, result = call.args | call.out, answered(call)
        said.append((result, result_text(result), *(_number(known.get(name)) for name in CALL_NUMBERS)))
    return [*own, *(zip(*said, strict=True) if said else [[]] * (len(CALL_NUMBERS) + 2))]


def _number(value: Any) -> int | float | None:
    """What SQLite can hold as a number."""
    return value if isinstance(value, int | float) and abs(value) < 1 << 63 else None


def _look(still_wanted: StillWanted, number: int, total: int) -> None:
    if not number % CALLS_A_LOOK and not still_wanted(number / max(total, 1)):
        raise Cancelled("table cancelled")


def _call_fields(capture: Capture, still_wanted: StillWanted) -> Columns:
    rows = []
    for number, call in enumerate(capture.calls):
        _look(still_wanted, number, len(capture.calls))
        for field in call_fields(call):
            rows.append((number, field.name, field.header or None, _number(field.value), field.text))
    return list(zip(*rows, strict=True)) or [[]] * 5


def _texts(capture: Capture, still_wanted: StillWanted) -> Columns:
    texts = texts_of(capture, still_wanted)
    sample = texts.sample.tolist()
    names, headers = zip(*_names(capture, texts.sample), strict=True) if sample else ((), ())
    lines = [texts.line(number) for number in range(len(sample))]
    kinds = [EventKind(kind).word for kind in stoppable(texts.kind.tolist())]
    return [np.arange(len(names)), names, headers, kinds, lines]


def _names(capture: Capture, sample: np.ndarray) -> Iterator[tuple[str, str | None]]:
    """Name and header of events; a call's without decoding its arguments."""
    index, rows = capture.tape.call_index(), capture.events.rows[sample]
    for op, entry in stoppable(zip(rows["op"].tolist(), index.entry[rows["call"]].tolist(), strict=True)):
        if op in TOKENS:
            yield TOKENS[op].name, TOKENS[op].struct or None
        else:
            call = CALLS.get(name := index.names[entry])
            yield name, (call.header or None) if call else None


def _event_rows(capture: Capture, still_wanted: StillWanted) -> Columns:
    rows, frames = capture.events.rows, frame_numbers(capture)
    undone = capture.events.undone()

    def place(name: str) -> Part:
        return Part(len(rows), lambda span: np.ma.masked_where(rows["op"][span] == 0, rows[name][span]))

    group = texts_of(capture, still_wanted).group
    return [_numbers(len(rows)), frames, rows["call"], rows["op"], group,
            *map(place, ("token", "offset", "size", "index")), Part(len(rows), lambda span: _none(rows["source"][span], -1)),
            Part(len(rows), lambda span: ~undone[span])]  # fmt: skip


class Part:
    """A column of numbers that is made a part at a time: all of it would be a hundred bytes a row."""

    def __init__(self, count: int, made: Callable[[slice], np.ndarray], dtype: np.typing.DTypeLike = np.int64) -> None:
        self._count, self._made, self.dtype = count, made, np.dtype(dtype)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, span: slice) -> np.ndarray:
        return self._made(span)


def _numbers(count: int) -> Part:
    """0, 1, 2, ..."""
    return Part(count, lambda span: np.arange(*span.indices(count)))


def _none(values: np.ndarray, missing: int) -> np.ma.MaskedArray:
    """Numbers, those that mean nothing masked: NULL."""
    return np.ma.masked_equal(values, missing)


def _slots(capture: Capture, still_wanted: StillWanted) -> Columns:
    lights = capture.walked.lights_at(len(capture.events))
    rows = [
        (place.slot + word, spelled(place.key), word, place.stage, place.kind.name, _value(place.kind, place.default[word]))
        for place in places_with(lights).values() for word in range(place.count)
    ]  # fmt: skip
    return list(zip(*rows, strict=True))


def _value(kind: Any, raw: int) -> float | int:
    """A dword as a number."""
    value = kind.value(raw)
    return float(value) if kind is F32 else int(value)


def _writes(capture: Capture, still_wanted: StillWanted) -> Columns:
    """Of WRITES."""
    states, initial = capture.walked.states, capture.walked.initial
    final = np.flatnonzero(states.marks & FINAL)
    slots = np.repeat(np.arange(len(states.first) - 1), np.diff(states.first))[final]
    seqs, raw, count = states.seqs[final].astype(np.int64), states.values[final], len(final)
    until = np.full(count, NEVER)
    same = slots[1:] == slots[:-1]
    until[:-1][same] = seqs[1:][same]
    kinds = {place.slot + word: place.kind for place in places_with(capture.walked.lights_at(len(capture.events))).values()
             for word in range(place.count)}  # fmt: skip
    is_float, is_signed = (
        np.isin(np.arange(len(states.first)), [slot for slot, kind in kinds.items() if kind is wanted]) for wanted in (F32, I32)
    )

    def whole(span: slice) -> np.ndarray:
        return np.where(is_signed[slots[span]], raw[span].view(np.int32), raw[span].astype(np.int64))

    def real(span: slice) -> np.ndarray:
        with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
            return raw[span].view(np.float32).astype(np.float64)

    return [_numbers(count), slots, seqs, _none(until, NEVER), raw, Part(count, whole),
            Part(count, real, np.float64),
            Part(count, lambda span: is_float[slots[span]]), Part(count, lambda span: states.marks[final[span]] & CHANGED != 0),
            Part(count, lambda span: initial[seqs[span]])]  # fmt: skip


WRITES = Staged(
    ("n", "slot", "event", "until", "raw", "whole", "real", "is_real", "changed", "by_runtime"),
    "slot, event, until, raw, CASE is_real WHEN 0 THEN whole ELSE real END, changed, by_runtime",
)


def _draws(capture: Capture, still_wanted: StillWanted) -> Columns:
    table = capture.resources.draws
    bound = [table.column(BASE[name]) for name in ("render_target", "depth_stencil", "vertex_shader", "pixel_shader")]
    textures = [_none(table.texture(stage), 0) for stage in range(TEXTURE_STAGES)]
    primitives = primitive_counts(capture.events, table.event)
    frames = frame_numbers(capture)[table.event]
    return [table.event, np.arange(len(table)), frames, primitives, *(_none(column, 0) for column in bound), *textures]


def _draw_counts(capture: Capture, still_wanted: StillWanted) -> Columns:
    """Draws every frame once."""
    frames, rows = capture.frames, []
    for number, frame in enumerate(frames):
        part = lambda number=number: not still_wanted(number / len(frames))  # noqa: E731
        rows.append(counts_of(capture, frame.first_event, frame.last_event, part))
    table = np.concatenate(rows)
    return [table["event"], *(table[name] for name in COUNTS), overdraw(table)]


def _objects(capture: Capture, still_wanted: StillWanted) -> Columns:
    rows = [
        (n, life.kind, life.handle, life.label, life.first, None if life.last == NEVER else life.last, life.parts)
        for n, life in stoppable(enumerate(capture.resources.lives.all))
    ]
    return list(zip(*rows, strict=True)) or [[]] * 7


def _uses(capture: Capture, still_wanted: StillWanted) -> Columns:
    """Of USES."""
    resources = capture.resources
    rows = np.concatenate([resources.touches, resources.uses])
    rows = rows[np.argsort(rows["event"], kind="stable")]
    return [_numbers(len(rows)), *(rows[name] for name in ("event", "life", "role", "detail"))]


_ROLES = " ".join(f"WHEN {role.value} THEN '{NAMES[role]}'" for role in Role)
USES = Staged(("n", "event", "object", "role", "detail"), f"event, object, CASE role {_ROLES} END, detail")


def _surfaces(capture: Capture, still_wanted: StillWanted) -> Columns:
    rows = list(_surface_rows(capture))
    return list(zip(*rows, strict=True)) or [[]] * 12


def _surface_rows(capture: Capture) -> Iterator[tuple]:
    for number, life in stoppable(enumerate(capture.resources.lives.all)):
        if life.kind in ("surface", DXGI):
            call = capture.calls[int(capture.events.rows["call"][life.first])]
            args = call.args
            sizes = [args.get(name, 0) or fallback for name, fallback in (("width", 0), ("height", 0), ("depth", 1))]
            faces = args.get("faces", 1) or 1
            yield (number, life.handle, life.label, *sizes, life.parts // faces, faces, args.get("samples", 0),
                   _format(life.kind, args), args.get("memory"), args.get("pool"))  # fmt: skip


def _format(kind: str, args: Mapping[str, Any]) -> str:
    """The name of a format; of one that is not known, its number."""
    number = args.get("format", 0)
    if kind == DXGI:
        return DxgiFormat(number).name if number in set(DxgiFormat) else str(number)
    row = FORMATS.get(number)
    return row.name if row else str(args.get("format"))


def _findings(capture: Capture, still_wanted: StillWanted) -> Columns:
    rows = [(f.seq, f.rule, f.severity, f.text, f.section, None if f.offset < 0 else f.offset) for f in known(capture)]
    return list(zip(*rows, strict=True)) or [[]] * 6


def _sources(capture: Capture, still_wanted: StillWanted) -> Columns:
    names: list[str] = []
    for calls in capture.tape.source_columns():
        spelled_names = {number: signature.name for number, signature in calls.names.functions.items()}
        names += [spelled_names[number] for number in calls.calls["signature"].tolist()]
    numbers = np.arange(len(names))
    source = capture.events.rows["source"]
    first, after = np.searchsorted(source, numbers), np.searchsorted(source, numbers, side="right")
    return [numbers, names, _none(np.where(after > first, first, -1), -1), after - first]


TEXTURE_COLUMNS = ", ".join(f"texture{stage} INTEGER" for stage in range(TEXTURE_STAGES))
TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        Table("frames", "CREATE TABLE frames(frame INTEGER PRIMARY KEY, first_event INTEGER, last_event INTEGER, "
              "draws INTEGER)", _frames),
        Table("calls", "CREATE TABLE calls(call INTEGER PRIMARY KEY, entry TEXT, source INTEGER, first_event INTEGER, "
              "events INTEGER, refused INTEGER, result INTEGER, result_text TEXT, "
              f"{', '.join(f'{name} INTEGER' for name in CALL_NUMBERS)})", _calls),
        Table("call_fields", "CREATE TABLE call_fields(call INTEGER, name TEXT, header TEXT, value NUMERIC, text TEXT);"
              "CREATE INDEX call_fields_by_call ON call_fields(call)", _call_fields),
        Table("event_texts", "CREATE TABLE event_texts(id INTEGER PRIMARY KEY, name TEXT, header TEXT, kind TEXT, "
              "text TEXT)", _texts),
        Table("event_rows", "CREATE TABLE event_rows(event INTEGER PRIMARY KEY, frame INTEGER, call INTEGER, op INTEGER, "
              "text_id INTEGER, token INTEGER, offset INTEGER, size INTEGER, number INTEGER, source INTEGER, "
              "done INTEGER);"
              "CREATE VIEW events AS SELECT event, frame, call, op, name, header, kind, token, offset, size, number, "
              "source, done, text "
              "FROM event_rows JOIN event_texts ON text_id = id;"
              "CREATE VIEW tokens AS SELECT * FROM events WHERE op <> 0", _event_rows, ("event_texts",)),
        Table("slots", "CREATE TABLE slots(slot INTEGER PRIMARY KEY, key TEXT, component INTEGER, stage TEXT, kind TEXT, "
              "\"default\" NUMERIC); CREATE INDEX slots_by_key ON slots(key)", _slots),
        Table("writes", "CREATE TABLE writes(slot INTEGER, event INTEGER, until INTEGER, raw INTEGER, value NUMERIC, "
              "changed INTEGER, by_runtime INTEGER, PRIMARY KEY(slot, event)) WITHOUT ROWID;"
              "CREATE INDEX writes_by_event ON writes(event);"
              "CREATE VIEW states AS SELECT key, component, event, until, value, raw, changed, by_runtime, stage "
              "FROM slots JOIN writes USING(slot)", _writes, ("slots",), staged=WRITES),
        Table("draws", "CREATE TABLE draws(event INTEGER PRIMARY KEY, draw INTEGER, frame INTEGER, primitives INTEGER, "
              "render_target INTEGER, depth_stencil INTEGER, vertex_shader INTEGER, pixel_shader INTEGER, "
              f"{TEXTURE_COLUMNS})", _draws),
        Table("draw_counts", "CREATE TABLE draw_counts(event INTEGER PRIMARY KEY, "
              f"{', '.join(f'{name} INTEGER' for name in COUNTS)}, overdraw REAL)", _draw_counts),
        Table("objects", "CREATE TABLE objects(object INTEGER PRIMARY KEY, kind TEXT, handle INTEGER, label TEXT, "
              "first_event INTEGER, last_event INTEGER, parts INTEGER)", _objects),
        Table("uses", "CREATE TABLE uses(event INTEGER, object INTEGER, role TEXT, detail INTEGER);"
              "CREATE INDEX uses_by_event ON uses(event); CREATE INDEX uses_by_object ON uses(object)", _uses, ("objects",),
              staged=USES),
        Table("surfaces", "CREATE TABLE surfaces(object INTEGER PRIMARY KEY, handle INTEGER, label TEXT, width INTEGER, "
              "height INTEGER, depth INTEGER, levels INTEGER, faces INTEGER, samples INTEGER, format TEXT, memory TEXT, "
              "pool INTEGER)", _surfaces, ("objects",)),
        Table("findings", "CREATE TABLE findings(event INTEGER, rule TEXT, severity TEXT, text TEXT, section TEXT, "
              "offset INTEGER)", _findings, fuller=are_drawn),
        Table("sources", "CREATE TABLE sources(source INTEGER PRIMARY KEY, name TEXT, first_event INTEGER, events INTEGER)",
              _sources),
    )
}  # fmt: skip
VIEWS = {"events": "event_rows", "tokens": "event_rows", "states": "writes"}
"""View -> the table with which it comes."""


def schema() -> dict[str, list[str]]:
    """Tables and views with their columns, without a capture."""
    connection = sqlite3.connect(":memory:")
    try:
        for table in TABLES.values():
            connection.executescript(table.create)
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")]
        return {name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")] for name in names}
    finally:
        connection.close()
