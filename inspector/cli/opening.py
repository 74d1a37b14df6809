"""Opens captures and resolves places given on the command line."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import inspector
from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.terminal import CONTROLS
from inspector.tape.bookmarks import kept_place


class Progress:
    """A line on the terminal, only where it is one, and only when it takes long."""

    def __init__(self) -> None:
        self._shown = False
        self._began = self._last = time.monotonic()

    def __call__(self, fraction: float, text: str) -> bool:
        now = time.monotonic()
        if sys.stderr.isatty() and now - self._began > 1 and now - self._last > 0.1:
            _draw(f"\r{100 * fraction:3.0f}%  {text[:60].translate(CONTROLS):60}")
            self._last, self._shown = now, True
        if fraction >= 1:
            self.done()
        return True

    def done(self) -> None:
        if self._shown:
            _draw("\r" + " " * 68 + "\r")
            self._shown = False


def _draw(text: str) -> None:
    """Over the line of progress."""
    stream: Any = sys.stderr
    getattr(stream, "draw", stream.write)(text)
    stream.flush()


def opened(path: Path, frames: tuple[int, int] | None = None) -> Capture:
    """The capture in a file; `frames`: as of inspector.open."""
    progress = Progress()
    try:
        return inspector.open(path, progress, frames)
    finally:
        progress.done()


def event_of(capture: Capture, chosen: argparse.Namespace) -> int | None:
    """The event that --event, --frame or --source-call name; None if none of them is given."""
    if chosen.event is not None:
        return capture.check_event(chosen.event)
    if chosen.frame is not None:
        return capture.frame(chosen.frame).last_event
    if chosen.source_call is not None:
        return capture.event_of_source_call(chosen.source_call)
    return None


def draw_of(capture: Capture, chosen: argparse.Namespace, pixel: tuple[int, int] | None = None) -> int:
    """The event that a question about a draw means: of --frame the last draw of the frame, of all else as said.

    `pixel`: of the render target; the draw of the frame that gave it its value, if there is one.  BadInput for a frame that
    draws nothing.
    """
    if chosen.frame is None:
        return or_last_draw(capture, event_of(capture, chosen))
    frame = capture.frame(chosen.frame)
    draws = capture.draws[(capture.draws >= frame.first_event) & (capture.draws <= frame.last_event)]
    if not len(draws):
        raise BadInput(f"{capture.path}: frame {frame.index} draws nothing")
    last = int(draws[-1])
    if pixel is not None:
        from inspector.query.pixels.writers import Writers

        written = capture.ask(Writers("render_target", *pixel, first=frame.first_event, last=last))["event"]
        written = written[np.isin(written, draws)]
        return int(written[-1]) if len(written) else last
    return last


def or_last_draw(capture: Capture, event: int | None) -> int:
    """The event; without one the place that the capture keeps (a bug bundle), the last that draws, or in a capture without
    draws the last before the program releases everything."""
    if event is None and (place := kept_place(capture)) is not None:
        return place.event
    if event is None:
        event = int(capture.draws[-1]) if len(capture.draws) else _before_the_end(capture)
    return capture.check_event(event)


def _before_the_end(capture: Capture) -> int:
    """The last event but for the calls that end a program: they destroy all that there is to see."""
    if not len(capture.events):
        raise BadInput(f"{capture.path}: the capture has no events: nothing was drawn or copied")
    event = len(capture.events) - 1
    while event > 0 and capture.name(event).startswith(("Destroy", "ContextDestroy")):
        event -= 1
    return event


def print_json(value: Any) -> None:
    json.dump(value, sys.stdout, indent=2, ensure_ascii=False, default=_plain)
    print()


def print_json_rows(rows: Iterable[Mapping[str, Any]]) -> None:
    """What print_json prints of a list, row by row."""
    before = "[\n"
    for row in rows:
        print(before + textwrap.indent(json.dumps(row, indent=2, ensure_ascii=False, default=_plain), "  "), end="")
        before = ",\n"
    print("[]" if before == "[\n" else "\n]")


def _plain(value: Any) -> Any:
    """numpy values and the like for JSON."""
    return value.tolist() if hasattr(value, "tolist") else str(value)
