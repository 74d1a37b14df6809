"""ddi-inspector report: a self-contained HTML page about a capture, a draw, a pixel, a comparison or a driver."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path

from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import json_option, number, output, pixel, place, subresource, where
from inspector.cli.opening import Progress, draw_of, event_of, opened, print_json
from inspector.cli.terminal import sized
from inspector.exports.formats import format_of, formats
from inspector.exports.report_kinds import KINDS, report_of
from inspector.files import unused_name, write_bytes, write_file
from inspector.focus import Focus
from inspector.samples import built_in_capture

BUNDLE = "bundle"
ALL = {**KINDS, BUNDLE: "a zip with the frame as a capture, the place in it, and a report"}
EXAMPLES = (
    "report game.trace -o report.html",
    "report game.trace --kind draw --event 812",
    "report game.trace --kind pixel --pixel 320,240 --frame 2",
    "report game.trace --kind comparison --a 'frame 1' --b 'frame 2'",
    "report game.trace --kind driver",
    "report game.trace --kind bundle --event 812 --note 'the roof is black' -o bug.zip",
)


def declare(command: argparse.ArgumentParser) -> None:
    kinds = "; ".join(f"{name}: {what}" for name, what in ALL.items())
    command.add_argument("--kind", choices=tuple(ALL), default="capture", help=f"{kinds} (default: capture)")
    place(command)
    subresource(command)
    command.add_argument("--pixel", type=pixel, metavar="X,Y", help="with --kind pixel or draw: the pixel")
    command.add_argument("--a", default="", help='of a comparison: a side, such as "frame 2" (default: all)')
    command.add_argument("--b", default="", help="the other side (default with --other: the same as --a)")
    command.add_argument("--other", type=Path, metavar="FILE", help="of a comparison: the capture of side B")
    command.add_argument("--note", default="", metavar="TEXT", help="with --kind bundle: what is wrong in this view")
    command.add_argument("--pictures", type=number, default=12, help="number of frames shown as images (default: 12)")
    command.add_argument("--undrawn", action="store_true", help="leave out findings that need the whole capture to be redrawn")
    output(command, "report", BUNDLE, text="default: FILE's name, .html or .zip, in the current folder; replaces no file")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    file = chosen.file or built_in_capture()
    if file is None:
        raise BadInput("report: FILE is required; this installation contains no capture")
    check(chosen)
    kind = BUNDLE if chosen.kind == BUNDLE else "report"
    suffix = next(formats(kind)).suffix
    name = f"{file.stem}{suffix}" if chosen.kind == "capture" else f"{file.stem}-{chosen.kind}{suffix}"
    to = chosen.output or unused_name(Path(name))
    form = format_of(to, kind)
    with contextlib.ExitStack() as stack:
        capture = stack.enter_context(opened(file))
        other = stack.enter_context(opened(chosen.other)) if chosen.other else None
        progress = Progress()
        stack.callback(progress.done)
        drawn = not chosen.undrawn
        if chosen.kind == BUNDLE:
            focus = focus_of(capture, chosen)
            size = write_file(to, lambda part: form.make(capture, part, focus, chosen.note, progress))
            page = b""
        elif chosen.kind == "capture":
            page = form.make(capture, event_of(capture, chosen), chosen.pictures, progress, drawn)
        else:
            sides = (chosen.a or "all", chosen.b or chosen.a or "all")
            page = report_of(chosen.kind, capture, focus_of(capture, chosen), progress, drawn, 0, other, sides).encode()
    if chosen.kind != BUNDLE:
        size = write_bytes(to, page)
    if chosen.json:
        print_json({"file": to, "kind": chosen.kind, "bytes": size})
    else:
        print(f"{to}: {sized(size)}")
    return 0


def check(chosen: argparse.Namespace) -> None:
    """Raises BadInput where a kind of report lacks what it is about."""
    if chosen.kind == "pixel" and chosen.pixel is None:
        raise BadInput("report: --kind pixel needs --pixel X,Y")
    if chosen.kind == "comparison" and not chosen.other and not (chosen.a and chosen.b):
        raise BadInput("report: --kind comparison needs --a and --b, or --other")


def focus_of(capture: Capture, chosen: argparse.Namespace) -> Focus:
    """The place that a report is about; by default the last draw.  Of a frame: its last draw, or what drew the pixel."""
    if not len(capture.events):
        raise BadInput(f"{capture.title}: there are no events to report on")
    part = where(chosen)
    on_target = chosen.pixel if part.surface == "render_target" and chosen.kind in ("draw", BUNDLE) else None
    event = draw_of(capture, chosen, on_target)
    return Focus(
        event, surface=part.surface, level=part.level, face=part.face, slice=part.slice, sample=part.sample, pixel=chosen.pixel
    )
