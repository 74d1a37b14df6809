"""A capture as one HTML page that needs nothing else: frames, tokens, findings, and everything at one event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import BadInput, Cancelled
from core.spec.tokens import TOKENS
from inspector.exports.png import data_uri, opaque, png
from inspector.progress import Progress
from inspector.query.driver.caps import DriverCaps
from inspector.query.driver.presentation import Presentation
from inspector.query.events.findings import Findings

if TYPE_CHECKING:
    import jinja2

PICTURES = 12
FRAMES_LISTED = 500
FINDINGS_LISTED = 500
BYTES_LISTED = 512
PRESENTATIONS_LISTED = 200
FINDING_SHARE = 0.4  # of the time that the page takes
COLUMNS = 480  # of the chart
PICTURE_WIDTH, TARGET_WIDTH = 400, 1024


@dataclass(frozen=True, slots=True)
class FrameRow:
    """One frame: `tokens` are (name, count), most frequent first; `picture` a data URI or empty."""

    index: int
    first_event: int
    last_event: int
    events: int
    draws: int
    tokens: tuple[tuple[str, int], ...]
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """One column of the chart: its place and height in the picture, 0..100."""

    x: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, slots=True)
class EventPage:
    """Everything at one event."""

    detail: Any
    hexdump: str
    changed: frozenset[Any]
    stages: tuple[tuple[str, tuple[Any, ...]], ...]
    surfaces: tuple[Any, ...]
    target: str
    note: str


def report(
    capture: Any, event: int | None = None, pictures: int = PICTURES, progress: Progress | None = None, drawn: bool = True
) -> str:
    """The page.

    event: where state and surfaces are shown (default: the last draw of the middle frame).  pictures: how many frames are shown
    as images.  drawn: whether everything is drawn once, for the findings that show only then.  progress(fraction, text) may
    return False to stop.  Raises BadInput for an event that does not exist, Cancelled.
    """
    say = _reporter(progress)
    chosen = middle(capture) if event is None else event
    findings = capture.ask(Findings(drawn, lambda done, text: say(FINDING_SHARE * done, text)))
    frames = frame_rows(capture, pictures, lambda done, text: say(FINDING_SHARE + (1 - FINDING_SHARE) * done, text))
    say(0.95, f"event {chosen}")
    shown = sum(1 for frame in frames if frame.picture)
    page = event_page(capture, chosen) if len(capture.events) else None
    return _template().render(
        title=capture.title,
        meta={"created": "", "producer": "", **capture.tape.meta},
        notices=capture.tape.notices,
        made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        totals=_totals(capture, len(findings)),
        frames=frames[:FRAMES_LISTED],
        frame_note=_left_out(len(frames), FRAMES_LISTED, "frames are listed"),
        picture_note=_left_out(len(frames), shown, "frames are shown as pictures"),
        draw_bars=bars([frame.draws for frame in frames], "draws"),
        event_bars=bars([frame.events for frame in frames], "events"),
        tokens=token_totals(capture),
        findings=findings[:FINDINGS_LISTED],
        finding_note=_left_out(len(findings), FINDINGS_LISTED, "findings are listed"),
        drawn=drawn,
        driver=driver_part(capture),
        page=page,
    )


@dataclass(frozen=True, slots=True)
class DriverPart:
    """What the driver reported (DriverReport) and how it presented (rows of PRESENTATION)."""

    report: Any
    presented: np.ndarray
    recorded: bool
    note: str


def driver_part(capture: Any) -> DriverPart:
    """Requirements, capabilities, formats, presentation."""
    queue = capture.ask(Presentation())
    note = _left_out(len(queue.rows), PRESENTATIONS_LISTED, "presentations are listed")
    return DriverPart(capture.ask(DriverCaps()), queue.rows[:PRESENTATIONS_LISTED], queue.recorded, note)


def middle(capture: Any) -> int:
    """An event worth a look: the last draw of the middle frame, or the last event."""
    if not len(capture.frames):
        return max(len(capture.events) - 1, 0)
    frame = capture.frames[len(capture.frames) // 2]
    drawn = np.searchsorted(capture.draws, frame.last_event, side="right") - 1
    return int(capture.draws[drawn]) if drawn >= 0 and capture.draws[drawn] >= frame.first_event else frame.last_event


def frame_rows(capture: Any, pictures: int, say: Progress) -> list[FrameRow]:
    """All frames; `pictures` of them, evenly spread, with their picture."""
    count = len(capture.frames)
    shown = min(max(pictures, 0), count)
    chosen = set(np.linspace(0, count - 1, shown).round().astype(int).tolist())
    rows = []
    for number, frame in enumerate(capture.frames):
        ops = capture.events.op[frame.first_event : frame.last_event + 1]
        picture = ""
        if number in chosen:
            say(0.9 * number / count, f"frame {frame.index}")
            picture = frame_picture(capture, frame)
        events = frame.last_event - frame.first_event + 1
        rows.append(FrameRow(frame.index, frame.first_event, frame.last_event, events, frame.draws, _counts(ops), picture))
    return rows


def frame_picture(capture: Any, frame: Any) -> str:
    """What the frame looks like just before it is presented; empty if there is nothing to see."""
    last = max(frame.first_event, frame.last_event - 1)
    for surface in ("back_buffer", "render_target"):
        try:
            return data_uri(png(opaque(capture.image(last, surface)), PICTURE_WIDTH))
        except BadInput:
            continue
    return ""


def token_totals(capture: Any) -> list[tuple[str, int, float]]:
    """(name, count, share of the most frequent) of all tokens."""
    counts = _counts(capture.events.op)
    return [(name, count, count / counts[0][1]) for name, count in counts]


def event_page(capture: Any, event: int) -> EventPage:
    """State, surfaces and target at an event."""
    state = capture.state(event)
    stages = tuple((stage, tuple(values)) for stage, values in state.by_stage().items() if values)
    detail = capture.event(event)
    note = ""
    target = ""
    surfaces: tuple[Any, ...] = ()
    try:
        surfaces = tuple(capture.surfaces(event))
        target = data_uri(png(opaque(capture.image(event)), TARGET_WIDTH))
    except BadInput as error:
        note = str(error)
    changed = frozenset(value.key for value in state.changed)
    return EventPage(detail, hexdump(detail.data, detail.base_offset), changed, stages, surfaces, target, note)


def hexdump(data: bytes, base: int, limit: int = BYTES_LISTED) -> str:
    """Sixteen bytes per line, with offsets and characters."""
    lines = []
    for at in range(0, min(len(data), limit), 16):
        part = data[at : at + 16]
        words = " ".join(f"{byte:02x}" for byte in part)
        lines.append(f"{base + at:06x}  {words:<47}  {''.join(chr(b) if 32 <= b < 127 else '.' for b in part)}")
    if len(data) > limit:
        lines.append(f"... {len(data) - limit} more bytes")
    return "\n".join(lines)


def bars(values: Sequence[int], what: str) -> list[Bar]:
    """At most COLUMNS columns; where there are more values, the largest of each group."""
    if not values:
        return []
    groups = np.array_split(np.array(values), min(COLUMNS, len(values)))
    top = max(max(values), 1)
    width = 100 / len(groups)
    first = 0
    out = []
    for number, group in enumerate(groups):
        last = first + len(group) - 1
        frames = f"frame {first}" if first == last else f"frames {first} to {last}"
        out.append(Bar(number * width, width, 100 * int(group.max()) / top, f"{frames}: {int(group.max()):,} {what}"))
        first = last + 1
    return out


def _counts(ops: np.ndarray) -> tuple[tuple[str, int], ...]:
    counts = np.bincount(ops, minlength=256)
    counts[0] = 0
    order = np.argsort(counts, kind="stable")[::-1]
    return tuple((_token_name(int(op)), int(counts[op])) for op in order if counts[op])


def _token_name(op: int) -> str:
    return TOKENS[op].name if op in TOKENS else f"token {op}"


def _totals(capture: Any, findings: int) -> list[tuple[str, str]]:
    """The numbers at the top of the page."""
    numbers = (
        ("frames", len(capture.frames)), ("draws", len(capture.draws)), ("events", len(capture.events)),
        ("driver calls", len(capture.calls)), ("API calls", capture.tape.source_count), ("findings", findings),
    )  # fmt: skip
    return [(name, f"{number:,}") for name, number in numbers]


def _left_out(count: int, shown: int, what: str) -> str:
    return f"{min(shown, count):,} of {count:,} {what}." if count > shown else ""


def _reporter(progress: Progress | None) -> Progress:
    def say(fraction: float, text: str) -> None:
        if progress and progress(fraction, text) is False:
            raise Cancelled("report cancelled")

    return say


@cache
def _template() -> jinja2.Template:
    import jinja2  # when a report is written: commands that only count and print start without it

    source = files("inspector.exports").joinpath("report.html").read_text("utf-8")
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters["thousands"] = lambda number: f"{number:,}"
    environment.filters["color"] = lambda raw: f"rgb({raw >> 16 & 255} {raw >> 8 & 255} {raw & 255})"
    return environment.from_string(source)
