"""Statistics per capture, frame or draw: requests, redundant and unused ones, uploads, frequency of uses.

A draw's row counts what lies between the draw before it and itself: the state that was set for it, the data uploaded for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from core.cancel import look, stoppable
from core.errors import BadInput, out_of_range, unknown
from core.spec.effects import EventKind
from core.spec.formats import FORMATS
from core.spec.slots import ROW_AT, ROWS, SLOTS
from core.spec.stages import STAGE_NAMES
from inspector.progress import Cancel, spans
from inspector.query.draws.counts import COUNTS, counts_of
from inspector.query.search.fields import Fields
from inspector.query.search.state import StateMasks
from inspector.timeline.lives import Life, Role

if TYPE_CHECKING:
    from inspector.capture import Capture

UNITS = ("capture", "frame", "draw")
OF_KIND = {"clears": EventKind.CLEAR, "copies": EventKind.COPY, "presents": EventKind.PRESENT}
TRIANGLES, PIXELS, BYTES, CHANGES = 25e6, 800e6, 1e9, 1e6
"""What a second is enough for on the card that costs are estimated for, of the class of 2001: primitives through the vertex
half, fragments, bytes over AGP 4x, state changes in the driver."""

ROWS_SHOWN = 50  # by a notebook
CHANGES_CONTENTS = np.isin(np.arange(256), [Role.UPLOADED, Role.BLT_DESTINATION, Role.TARGET, Role.CLEARED, Role.FILLED])


@dataclass(frozen=True, eq=False)
class Figures:
    """`columns`: each with one number per row; row n is about events start[n]..stop[n] (int64, both included).

    `groups`: state by pipeline stage; `textures`, `shaders`: what the draws of all rows together use, most used first.
    """

    unit: str
    number: np.ndarray
    start: np.ndarray
    stop: np.ndarray
    columns: Mapping[str, np.ndarray]
    groups: tuple[Group, ...]
    textures: tuple[TextureUse, ...]
    shaders: tuple[ShaderUse, ...]

    def __len__(self) -> int:
        return len(self.start)

    def __repr__(self) -> str:
        return f"<Figures by {self.unit}: {len(self)} rows; columns {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        """A notebook shows the first rows."""
        titles = "".join(f"<th>{name}" for name in (self.unit, *self.columns))
        rows = zip(self.number.tolist(), *(column.tolist() for column in self.columns.values()), strict=True)
        cells = "".join(f"<tr>{''.join(f'<td>{cell:,.6g}' for cell in row)}</tr>" for row in islice(rows, ROWS_SHOWN))
        return f"<table><tr>{titles}</tr>{cells}</table><p>{len(self):,} rows</p>"

    def total(self, name: str) -> float:
        """The sum of a column."""
        return float(self.columns[name].sum())


@dataclass(frozen=True, slots=True)
class Group:
    """State of one pipeline stage: dwords set, those set to another value, and those that no draw used."""

    stage: str
    set: int
    changed: int
    unused: int


@dataclass(frozen=True, slots=True)
class TextureUse:
    """A texture: its bytes with all levels and faces, the draws that sample it, and how often its contents were written."""

    life: Life
    format: str
    width: int
    height: int
    bytes: int
    draws: int
    writes: int


@dataclass(frozen=True, slots=True)
class ShaderUse:
    """A shader, or (None) what is drawn without one of this kind, and the draws that do."""

    kind: str
    life: Life | None
    draws: int


@dataclass(frozen=True)
class Statistics:
    """Figures by "capture" (one row), "frame" or "draw"; of one frame only with `frame`, of one draw with `event`.

    pixels: with what became of primitives and fragments, for which everything asked about is redrawn.
    """

    by: str = "capture"
    frame: int | None = None
    event: int | None = None
    pixels: bool = False

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Figures:
        """BadInput for a frame or draw that there is not."""
        if self.by not in UNITS:
            raise BadInput(unknown("unit of statistics", self.by, UNITS))
        number, start, stop = _units(capture, self)
        counter = Counter(capture)
        columns = {name: _sums(make(), start, stop) for name, make in stoppable(counter.columns().items(), 1)}
        low, high = (int(start[0]), int(stop[-1])) if len(start) else (0, -1)
        if self.pixels:
            columns |= _drawn(capture, counts_of(capture, low, high, cancel), start, stop)
        columns["cost_us"] = _cost(columns)
        made = counter.groups(low, high), _textures(capture, low, high), _shaders(capture, low, high)
        unit = self.by if self.event is None else "draw"
        return Figures(unit, number, start, stop, columns, tuple(made[0]), tuple(made[1]), tuple(made[2]))


def _units(capture: Capture, wanted: Statistics) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(number, first event, last event) of each row."""
    frames = [frame for frame in capture.frames if wanted.frame in (None, frame.index)]
    if not frames:
        raise BadInput(out_of_range("frame", wanted.frame or 0, len(capture.frames)))
    first, last = frames[0].first_event, frames[-1].last_event
    if wanted.event is None and wanted.by == "capture":
        return np.zeros(1, np.int64), np.array([first]), np.array([last])
    if wanted.event is None and wanted.by == "frame":
        rows = np.array([(frame.index, frame.first_event, frame.last_event) for frame in frames])
        return rows[:, 0], rows[:, 1], rows[:, 2]
    draws = capture.draws
    starts = np.concatenate([[0], draws[:-1] + 1])
    if wanted.event is not None:
        if wanted.event not in draws:
            raise BadInput(f"event {wanted.event} does not draw")
        chosen = draws == wanted.event
    else:
        chosen = (draws >= first) & (draws <= last)
    return draws[chosen], np.maximum(starts[chosen], first if wanted.event is None else 0), draws[chosen]


def _sums(values: np.ndarray, start: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """The sum of each start[n]..stop[n], which follow each other: int64[rows]."""
    edges = np.stack([start, stop + 1], axis=1).reshape(-1)
    inside = edges[:-1] if len(edges) and edges[-1] == len(values) else edges
    return np.add.reduceat(values, inside, dtype=np.int64)[::2] if len(edges) else edges


def _drawn(capture: Capture, rows: np.ndarray, start: np.ndarray, stop: np.ndarray) -> dict[str, np.ndarray]:
    """Sums of DRAW_COUNTS rows, and fragments written for each pixel that a draw changed."""
    found = {}
    for name in COUNTS:
        each = np.zeros(len(capture.events), np.int64)
        each[rows["event"]] = rows[name]
        found[name] = _sums(each, start, stop)
    written, pixels = found["written"], found["pixels"]
    found["overdraw"] = np.divide(written, pixels, out=np.zeros(len(written)), where=pixels > 0)
    return found


def _cost(columns: Mapping[str, np.ndarray]) -> np.ndarray:
    """Estimated microseconds: primitives, uploads and state changes, and fragments where they are known."""
    seconds = columns["primitives"] / TRIANGLES + columns["bytes_uploaded"] / BYTES + columns["state_changed"] / CHANGES
    if "fragments" in columns:
        seconds = seconds + columns["fragments"] / PIXELS
    return np.round(seconds * 1e6, 1)


class Counter:
    """Per-event columns of a capture: how much of everything each event is."""

    def __init__(self, capture: Capture) -> None:
        self.capture, self.count = capture, len(capture.events)
        self.fields = Fields(capture)
        self.state = StateMasks(capture.walked, self.count)

    def columns(self) -> dict[str, Callable[[], np.ndarray]]:
        """Name -> what makes the column, bool or int64[events]: one at a time, there may be many events.  Raises Cancelled."""
        fields, state, initial = self.fields, self.state, self.capture.walked.initial
        return {
            "events": lambda: np.ones(self.count, bool),
            "api_calls": self._api_calls,
            "draws": lambda: fields.draw,
            **{name: partial(self._are, kind) for name, kind in OF_KIND.items()},
            "primitives": self._primitives,
            "vertices": lambda: fields.vertices,
            "state_set": lambda: state.all_written() & ~initial,
            "state_changed": lambda: state.all_written(True) & ~initial,
            "state_redundant": lambda: state.all_written() & ~state.all_written(True) & ~initial,
            "state_unused": lambda: state.unused(state.required("*", 0)),
            "bytes_uploaded": self._uploads,
            "textures_sampled": self._sampled,
        }

    def _are(self, kind: EventKind) -> np.ndarray:
        return self.fields.kind == kind

    def _api_calls(self) -> np.ndarray:
        """Where another API call begins to cause events."""
        source, found = self.capture.events.rows["source"], np.zeros(self.count, bool)
        found[:1] = source[:1] >= 0
        for span in spans(self.count - 1):
            found[span.start + 1 : span.stop + 1] = source[span.start + 1 : span.stop + 1] > source[span]
        return found

    def _primitives(self) -> np.ndarray:
        column = self.fields.column("primitives")
        assert column is not None
        return np.where(self.fields.draw, column.values, 0)

    def _uploads(self) -> np.ndarray:
        """Bytes that the program handed over: at the unlock, or with the call that draws them."""
        found = np.zeros(self.count, np.int64)
        first = self.capture.events.first_of_call
        raw = getattr(self.capture.calls, "raw", lambda number: None)
        for number in stoppable(range(len(first) - 1)):
            stored = raw(number)
            data = self.capture.calls[number].data if stored is None else stored.data
            found[first[number]] += sum(_size_in(data, name) for name in ("contents", "vertices") if name in data)
        return found

    def _sampled(self) -> np.ndarray:
        """Textures that each draw samples."""
        uses = self.capture.resources.uses
        return np.bincount(uses["event"][uses["role"] == Role.TEXTURE], minlength=self.count).astype(np.int64)

    def groups(self, low: int, high: int) -> Iterator[Group]:
        """State of events low..high by pipeline stage; what the runtime set up is left out."""
        counts = self.state.fates.counts(low, high)
        stage = _stage_of_slot()[np.minimum(np.arange(len(counts)), SLOTS)]
        for number, name in enumerate(STAGE_NAMES):
            written, changed, unused = counts[stage == number].sum(axis=0).tolist()
            if written:
                yield Group(name, written, changed, unused)


def _size_in(data: Mapping[str, Any], name: str) -> int:
    """How many bytes of data a call carries; `data`: of a call, or as it is stored, where [number, bytes] stands for a blob."""
    size: Any = getattr(data, "size", None)
    if size is not None:
        return int(size(name))
    value = data[name]
    return int(value[1]) if isinstance(value, list) else memoryview(value).nbytes


def _stage_of_slot() -> np.ndarray:
    """Slot -> number of its pipeline stage; lights and palettes (beyond SLOTS) count as lighting."""
    stages = np.array([STAGE_NAMES.index(row.stage) for row in ROWS] + [STAGE_NAMES.index("scene")])
    return np.append(stages[ROW_AT], STAGE_NAMES.index("light"))


def _textures(capture: Capture, low: int, high: int) -> Iterator[TextureUse]:
    """The textures that draws of these events sample, most used first."""
    resources, count = capture.resources, len(capture.resources.lives.all)
    uses = resources.during(low, high, "uses")
    draws = np.zeros(count, np.int64)
    for span in spans(len(uses)):
        draws += _draws_sampling(uses, span, count)
    writes = np.zeros(count, np.int64)
    for rows in (uses, resources.during(low, high, "touches")):
        look()
        writes += np.bincount(rows["life"][CHANGES_CONTENTS[rows["role"]]], minlength=count)
    numbers = np.flatnonzero(draws)
    for number in stoppable(numbers[np.argsort(-draws[numbers], kind="stable")].tolist(), 1):
        life = resources.life(number)
        args = capture.calls[int(capture.events.rows["call"][life.first])].args
        format = FORMATS.get(args.get("format", 0))
        size = _bytes_of(args) if format else 0
        yield TextureUse(life, format.name if format else "", int(args.get("width", 0)), int(args.get("height", 0)), size,
                         int(draws[number]), int(writes[number]))  # fmt: skip


def _draws_sampling(uses: np.ndarray, span: slice, count: int) -> np.ndarray:
    """int64[count]: by life, the draws that begin among these rows and sample it."""
    low, high = (
        int(np.searchsorted(uses["event"], uses["event"][at])) if at < len(uses) else at for at in (span.start, span.stop)
    )
    sampled = uses[low:high][uses["role"][low:high] == Role.TEXTURE]
    pairs = np.unique(sampled["event"] * count + sampled["life"])
    return np.bincount(pairs % max(count, 1), minlength=count)


def _bytes_of(args: Mapping[str, Any]) -> int:
    """A surface's bytes, all levels and faces."""
    width, height, depth = (max(int(args.get(name) or 1), 1) for name in ("width", "height", "depth"))
    levels = int(args.get("levels") or max(width, height, depth).bit_length())
    row = FORMATS[args["format"]]
    sizes = (row.size(max(width >> n, 1), max(height >> n, 1), max(depth >> n, 1)) for n in range(levels))
    return sum(sizes) * max(int(args.get("faces") or 1), 1) * max(int(args.get("samples") or 0), 1)


def _shaders(capture: Capture, low: int, high: int) -> Iterator[ShaderUse]:
    """Vertex and pixel shaders, and the fixed function, by draws."""
    resources = capture.resources
    uses = resources.during(low, high, "uses")
    numbers, draws = np.unique(uses["life"][uses["role"] == Role.SHADER], return_counts=True)
    total = int(((capture.draws >= low) & (capture.draws <= high)).sum())
    for kind in ("vertex_shader", "pixel_shader"):
        found = [(resources.life(int(number)), int(count)) for number, count in zip(numbers, draws, strict=True)]
        mine = sorted(((life, count) for life, count in found if life.kind == kind), key=lambda pair: -pair[1])
        yield from (ShaderUse(kind, life, count) for life, count in mine)
        if (rest := total - sum(count for _, count in mine)) > 0:
            yield ShaderUse(kind, None, rest)
