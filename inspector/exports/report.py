"""A capture as one self-contained HTML page: findings, frames, one event in full, tokens, the driver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.spec.tokens import TOKENS
from inspector.exports.chosen_frames import chosen_pictures, titles_of
from inspector.exports.pages import driver_part, event_page, hexdump, left_out, page, reporter
from inspector.exports.png import data_uri, opaque, png
from inspector.progress import Progress
from inspector.query.events.findings import Findings

__all__ = ["PICTURES", "bars", "hexdump", "middle", "report", "token_totals"]

PICTURES = 12
FRAMES_LISTED = 500
FINDING_SHARE = 0.4  # of the time that the page takes
COLUMNS = 480  # of the chart
PICTURE_WIDTH = 400


@dataclass(frozen=True, slots=True)
class FrameRow:
    """One frame: `tokens` are (name, count), most frequent first; `picture` a data URI or empty; `title` from annotations."""

    index: int
    first_event: int
    last_event: int
    events: int
    draws: int
    tokens: tuple[tuple[str, int], ...]
    picture: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """One column of the chart: its place and height in the picture, 0..100."""

    x: float
    width: float
    height: float
    title: str


def report(
    capture: Any, event: int | None = None, pictures: int = PICTURES, progress: Progress | None = None, drawn: bool = True
) -> str:
    """The page.

    event: where state and surfaces are shown (default: the last draw of the middle frame).  pictures: how many frames are shown
    as images.  drawn: whether everything is drawn once, for the findings that show only then.  progress(fraction, text) may
    return False to stop.  Raises BadInput for an event that does not exist, Cancelled.
    """
    say = reporter(progress)
    chosen = middle(capture) if event is None else event
    findings = capture.ask(Findings(drawn, lambda done, text: say(FINDING_SHARE * done, text)))
    first = [] if event is None else [capture.frame_of(event)]
    frames = frame_rows(
        capture, pictures, first, findings, lambda done, text: say(FINDING_SHARE + (1 - FINDING_SHARE) * done, text)
    )
    say(0.95, f"event {chosen}")
    shown = sum(1 for frame in frames if frame.picture)
    return page(
        "report.html",
        capture,
        "",
        _totals(capture, len(findings)),
        findings,
        drawn,
        frames=frames[:FRAMES_LISTED],
        pictured=[frame for frame in frames if frame.picture],
        frame_note=left_out(len(frames), FRAMES_LISTED, "frames are listed"),
        picture_note=left_out(len(frames), shown, "frames are shown as images"),
        draw_bars=bars([frame.draws for frame in frames], "draws"),
        event_bars=bars([frame.events for frame in frames], "events"),
        tokens=token_totals(capture),
        driver=driver_part(capture),
        page=event_page(capture, chosen) if len(capture.events) else None,
    )


def middle(capture: Any) -> int:
    """An event worth a look: the last draw of the middle frame, or the last event."""
    if not len(capture.frames):
        return max(len(capture.events) - 1, 0)
    frame = capture.frames[len(capture.frames) // 2]
    drawn = np.searchsorted(capture.draws, frame.last_event, side="right") - 1
    return int(capture.draws[drawn]) if drawn >= 0 and capture.draws[drawn] >= frame.first_event else frame.last_event


def frame_rows(capture: Any, pictures: int, first: Sequence[int], findings: Sequence[Any], say: Progress) -> list[FrameRow]:
    """All frames; `pictures` of them with their picture, frames `first` among them."""
    found = chosen_pictures(capture, max(pictures, 0), first, findings, lambda done, text: say(0.9 * done, text))
    titles = titles_of(capture)
    rows = []
    for place, frame in enumerate(capture.frames):
        ops = capture.events.op[frame.first_event : frame.last_event + 1]
        picture = data_uri(png(opaque(found[place]), PICTURE_WIDTH)) if place in found else ""
        events = frame.last_event - frame.first_event + 1
        title = titles.get(frame.index, "")
        rows.append(
            FrameRow(frame.index, frame.first_event, frame.last_event, events, frame.draws, _counts(ops), picture, title)
        )
    return rows


def token_totals(capture: Any) -> list[tuple[str, int, float]]:
    """(name, count, share of the most frequent) of all tokens."""
    counts = _counts(capture.events.op)
    return [(name, count, count / counts[0][1]) for name, count in counts]


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


def _totals(capture: Any, findings: int) -> list[tuple[str, int]]:
    """The numbers at the top of the page."""
    return [
        ("findings", findings), ("frames", len(capture.frames)), ("draws", len(capture.draws)), ("events", len(capture.events)),
        ("driver calls", len(capture.calls)), ("API calls", capture.tape.source_count),
    ]  # fmt: skip
