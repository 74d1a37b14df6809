"""ddi-inspector script: a draw or a frame as a Python program that draws it again."""

from __future__ import annotations

import argparse
from pathlib import Path

from inspector.cli.arguments import json_option, number
from inspector.cli.opening import opened, or_last_draw, print_json
from inspector.cli.terminal import sized
from inspector.exports.formats import format_of
from inspector.files import unused_name, write_bytes
from inspector.player import standalone

DIFFERENT = 1
EXAMPLES = ("script game.trace --frame 2 -o frame2.py", "script game.trace --event 812 -o draw.py")


def declare(command: argparse.ArgumentParser) -> None:
    which = command.add_mutually_exclusive_group()
    which.add_argument("--event", type=number, help="this draw, clear or copy (default: the last draw)")
    which.add_argument("--frame", type=number, help="this frame")
    name = "the program (default: FILE's name and the event or frame, .py, in the current folder)"
    command.add_argument("-o", "--output", type=Path, metavar="OUT", help=name)
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    """Exit code 1 if the program does not draw the same."""
    form = format_of(chosen.output or Path("x.py"), "program")
    with opened(chosen.file) as capture:
        if chosen.frame is not None:
            frame = capture.frame(chosen.frame)
            first, last, name = frame.first_event, frame.last_event, f"frame{chosen.frame}"
        else:
            first = last = or_last_draw(capture, chosen.event)
            name = f"event{first}"
        text, same = standalone(capture, first, last)
    to = chosen.output or unused_name(Path(f"{chosen.file.stem}_{name}.py"))
    write_bytes(to, form.make(text))
    if chosen.json:
        print_json({"file": to, "first": first, "last": last, "bytes": len(text), "same": same})
    else:
        print(f"{to}: {sized(len(text))}, {'draws the same' if same else 'does not draw the same'}")
    return 0 if same else DIFFERENT
