"""Parts common to all reports: the page, the events it mentions, one event in full, images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import BadInput, Cancelled
from inspector.exports.png import data_uri, opaque, png
from inspector.progress import Progress
from inspector.query.driver.caps import DriverCaps
from inspector.query.driver.presentation import Presentation
from inspector.tape.bookmarks import Bookmarks

if TYPE_CHECKING:
    import jinja2

BYTES_LISTED = 512
FIELDS_LISTED = 64
EVENTS_LISTED = 1000
FINDINGS_LISTED = 500
PRESENTATIONS_LISTED = 200
LONGEST = 300  # letters of a call in the list of events
TARGET_WIDTH = 1024
SMALL = 64  # pictures up to this size are enlarged


class Mentioned:
    """The events that a page names: each is a link to its row in the page's list of events, whose anchor is its place."""

    def __init__(self, capture: Any) -> None:
        self._capture = capture
        self._events: dict[int, None] = {}

    def __call__(self, event: Any) -> Any:
        """An event's number as a link; nothing for none."""
        from markupsafe import Markup

        event = -1 if event is None else int(event)
        if not 0 <= event < len(self._capture.events):
            return ""
        if event not in self._events and len(self._events) >= EVENTS_LISTED:
            return str(event)
        self._events.setdefault(event)
        return Markup('<a class="event" href="#event={}">{}</a>').format(event, event)

    def rows(self) -> list[dict[str, Any]]:
        """In tape order: event, frame, text and API call."""
        capture, found = self._capture, []
        for event in sorted(self._events):
            source = capture.source_text(int(capture.events.rows["source"][event]))
            text = capture.text(event)
            found.append({"event": event, "frame": capture.frame_of(event), "text": text[:LONGEST], "source": source[:LONGEST]})
        return found

    @property
    def note(self) -> str:
        return f"The first {EVENTS_LISTED:,} are listed." if len(self._events) >= EVENTS_LISTED else ""


@dataclass(frozen=True, slots=True)
class EventPage:
    """Everything at one event."""

    detail: Any
    fields: Sequence[Any]  # the first FIELDS_LISTED of detail.fields: of indices there are thousands
    hexdump: str
    changed: frozenset[Any]
    stages: tuple[tuple[str, tuple[Any, ...]], ...]
    surfaces: tuple[Any, ...]
    target: str
    note: str


@dataclass(frozen=True, slots=True)
class DriverPart:
    """What the driver reported (DriverReport) and how it presented (rows of PRESENTATION)."""

    report: Any
    presented: np.ndarray
    recorded: bool
    note: str


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture with what it shows."""

    text: str
    picture: str


def driver_part(capture: Any) -> DriverPart:
    """Requirements, capabilities, formats, presentation."""
    queue = capture.ask(Presentation())
    note = left_out(len(queue.rows), PRESENTATIONS_LISTED, "presentations are listed")
    return DriverPart(capture.ask(DriverCaps()), queue.rows[:PRESENTATIONS_LISTED], queue.recorded, note)


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
    fields = detail.fields[:FIELDS_LISTED]
    return EventPage(detail, fields, hexdump(detail.data, detail.base_offset), changed, stages, surfaces, target, note)


def shot(text: str, rgba: np.ndarray, widest: int = TARGET_WIDTH) -> Shot:
    """A picture as it is shown: opaque, a very small one enlarged by whole numbers."""
    shown = opaque(rgba)
    times = max(1, 2 * SMALL // max(shown.shape[:2])) if max(shown.shape[:2]) <= SMALL else 1
    return Shot(text, data_uri(png(np.repeat(np.repeat(shown, times, 0), times, 1), widest)))


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


def left_out(count: int, shown: int, what: str) -> str:
    return f"{min(shown, count):,} of {count:,} {what}." if count > shown else ""


def reporter(progress: Progress | None) -> Progress:
    """Raises Cancelled when progress(fraction, text) says so."""

    def say(fraction: float, text: str) -> None:
        if progress and progress(fraction, text) is False:
            raise Cancelled("report cancelled")

    return say


def page(
    name: str, capture: Any, heading: str, totals: Sequence[tuple[str, Any]], findings: Sequence[Any] = (), drawn: bool = True,
    note: str = "", **parts: Any,
) -> str:  # fmt: skip
    """The page of a template: what every template shows, and its own `parts`."""
    return (
        _templates()
        .get_template(name)
        .render(
            title=capture.title,
            heading=heading,
            note=note,
            written=Bookmarks(capture.tape, capture.path).page().strip(),
            meta={"created": "", "producer": "", **capture.tape.meta},
            notices=capture.tape.notices,
            made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
            mentioned=Mentioned(capture),
            totals=[(what, f"{number:,}" if isinstance(number, int) else number) for what, number in totals],
            findings=findings[:FINDINGS_LISTED],
            finding_note=left_out(len(findings), FINDINGS_LISTED, "findings are listed"),
            drawn=drawn,
            everything_open=heading != "",
            **parts,
        )
    )


@cache
def _templates() -> jinja2.Environment:
    import jinja2  # when a report is written: commands that only count and print start without it

    def source(name: str) -> str:
        return files("inspector.exports").joinpath(name).read_text("utf-8")

    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(source),
    )  # fmt: skip
    environment.filters["thousands"] = lambda number: f"{number:,}"
    environment.filters["color"] = lambda raw: f"rgb({raw >> 16 & 255} {raw >> 8 & 255} {raw & 255})"
    environment.filters["rgba"] = _css_color
    environment.filters["breaks"] = _breaks
    environment.filters["ranges"] = ranges
    return environment


def ranges(numbers: Sequence[int]) -> str:
    """Rising numbers in few words: 2, 3, 4, 8 is "2 to 4, 8"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)


def _css_color(value: Any) -> str:
    """Of a PixelValue; transparent where it is no colour."""
    if getattr(value, "rgba", None) is None:
        return "transparent"
    red, green, blue = (
        int(min(max(channel, 0.0), 1.0) * 255 + 0.5) if channel == channel else 0 for channel in value.color[:3]
    )
    return f"rgb({red} {green} {blue})"


def _breaks(text: str) -> Any:
    """Names that are joined by bars, on as many lines as they need."""
    from markupsafe import Markup

    return Markup("|<wbr>").join(text.split("|"))
