"""ddi-inspector report: one HTML page."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.errors import BadInput
from inspector.cli.arguments import number, output, place
from inspector.cli.opening import Progress, event_of, opened, unused_name
from inspector.exports.formats import format_of
from inspector.files import write_bytes
from inspector.samples import built_in_capture

EXAMPLES = ("report game.trace -o report.html",)


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    command.add_argument("--pictures", type=number, default=12, help="number of frames shown as images (default: 12)")
    command.add_argument("--undrawn", action="store_true", help="leave out the findings that only drawing everything shows")
    output(command, "report", text="default: FILE's name, .html, in the current folder; replaces no file")


def run(chosen: argparse.Namespace) -> int:
    file = chosen.file or built_in_capture()
    if file is None:
        raise BadInput("report: FILE is required; this installation contains no capture")
    to = chosen.output or unused_name(Path(file.with_suffix(".html").name))
    form = format_of(to, "report")
    with opened(file) as capture:
        progress = Progress()
        try:
            page = form.make(capture, event_of(capture, chosen), chosen.pictures, progress, not chosen.undrawn)
        finally:
            progress.done()
    print(f"{to}: {write_bytes(to, page) / 1e6:.1f} MB")
    return 0
