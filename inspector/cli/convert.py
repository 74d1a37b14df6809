"""ddi-inspector convert: a trace, a recording or the readable part of a capture as a new .ddicap; a capture as a recording."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.errors import BadInput
from core.spec.profiles import PROFILES
from inspector.capture import Capture
from inspector.cli.arguments import json_option
from inspector.cli.opening import Progress, print_json
from inspector.cli.terminal import sized
from inspector.exports.formats import Format, endings, format_of
from inspector.exports.png import opaque, png
from inspector.files import write_file
from inspector.imports import import_file, is_capture, open_tape
from inspector.tape import Tape, TapeWriter

THUMBNAIL = 320  # pixels, the longer side
EXAMPLES = ("convert game.trace game.ddicap", "convert game.trace game.ddirec")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--profile", choices=PROFILES, default="", help="the emulated driver that the application in a trace uses"
    )
    command.add_argument("output", type=Path, metavar="OUT", help=endings("capture"))
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    if chosen.output.exists() and chosen.file.exists() and chosen.output.samefile(chosen.file):
        raise BadInput(f"{chosen.output}: input and output are the same file")
    form = format_of(chosen.output, "capture")
    notices: list[str] = []
    size = write_file(chosen.output, lambda part: notices.extend(convert(chosen.file, part, form, chosen.profile)))
    if chosen.json:
        print_json({"file": chosen.output, "bytes": size, "notices": notices})
        return 0
    for notice in notices:
        print(notice)
    print(f"{chosen.output}: {sized(size)}")
    return 0


def convert(source: Path, output: Path, form: Format, profile: str = "") -> list[str]:
    """Writes `output`, a capture or a recording of a driver's calls; returns what is missing from it."""
    progress = Progress()
    try:
        if form.suffix == ".ddicap" and not is_capture(source):
            with TapeWriter(output, durable=False) as writer:
                notices = list(import_file(source, writer, progress, None, profile).notices)
            keep_thumbnail(output)
            return notices
        with open_tape(source, progress) as tape:
            form.make(tape, output, progress)
            return list(tape.notices)
    finally:
        progress.done()


def keep_thumbnail(path: Path) -> None:
    """Puts a picture of its busiest frame into a `.ddicap`, if a frame has one.  Raises TapeError."""
    with Capture.open(path) as capture:
        frame = max(capture.frames, key=lambda frame: frame.draws, default=None)
        if frame is None:
            return
        try:
            picture = capture.image(capture.picture_event(frame), "back_buffer")
        except BadInput:
            return
    with Tape(path) as tape:
        tape.keep_thumbnail(png(opaque(picture), THUMBNAIL))
