"""ddi-inspector report: one HTML page."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.errors import BadInput
from inspector.cli.arguments import number, place
from inspector.cli.opening import Progress, event_of, opened, write_file
from inspector.exports.report import report
from inspector.samples import built_in_capture


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    command.add_argument("--pictures", type=number, default=12, help="how many frames are shown as pictures (12)")
    command.add_argument("-o", "--output", type=Path, help="default: FILE's name, .html")


def run(chosen: argparse.Namespace) -> int:
    file = chosen.file or built_in_capture()
    if file is None:
        raise BadInput("report: which FILE? No capture comes with this installation")
    with opened(file) as capture:
        progress = Progress()
        try:
            page = report(capture, event_of(capture, chosen), chosen.pictures, progress)
        finally:
            progress.done()
    output = chosen.output or Path(file.with_suffix(".html").name if chosen.file is None else file.with_suffix(".html"))
    write_file(output, lambda part: part.write_text(page, "utf-8", newline="\n"))
    print(f"{output}: {len(page.encode()) / 1e6:.1f} MB")
    return 0
