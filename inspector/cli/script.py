"""ddi-inspector script: a draw or a frame as a Python program that draws it again."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import json_option, number
from inspector.cli.opening import frame_of, opened, or_last_draw, print_json, unused_name
from inspector.exports.alone import alone
from inspector.exports.program import comment, program
from inspector.files import write_bytes
from inspector.player import digests_of, play

DIFFERENT = 1
THOROUGH = (0, 1, 2)
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
    with opened(chosen.file) as capture:
        if chosen.frame is not None:
            frame = frame_of(capture, chosen.frame)
            first, last, name = frame.first_event, frame.last_event, f"frame{chosen.frame}"
        else:
            first = last = or_last_draw(capture, chosen.event)
            name = f"event{first}"
        text, same = written(capture, first, last)
    to = chosen.output or unused_name(Path(f"{chosen.file.stem}_{name}.py"))
    write_bytes(to, text.encode())
    if chosen.json:
        print_json({"file": to, "first": first, "last": last, "bytes": len(text), "same": same})
    else:
        print(f"{to}: {len(text) / 1e6:.1f} MB, {'draws the same' if same else 'does not draw the same'}")
    return 0 if same else DIFFERENT


def written(capture: Capture, first: int, last: int) -> tuple[str, bool]:
    """(the program, whether it draws what the capture does), as short as it can be for that."""
    expected = digests_of(capture, last)
    if not expected:
        raise BadInput(f"after event {last} there is nothing that is drawn to")
    for begin, thorough in ways(capture, first):
        calls = alone(capture, begin, last, thorough)
        same = play(calls).digests() == expected
        if same:
            break
    what = (
        f"event {first}, {capture.text(first)}"
        if first == last
        else f"frame {capture.frame_of(last)}, events {first} to {last}"
    )
    return program(calls, comment(f"{capture.title}: {what}"), expected), same


def ways(capture: Capture, first: int) -> list[tuple[int, int]]:
    """(first event, thoroughness), the shortest program first.  Samples of a multisampled surface cannot be uploaded: what was
    drawn there before is drawn again, from the beginning of the frame."""
    begins = dict.fromkeys((first, capture.frame_at(first).first_event))
    return [(begin, thorough) for begin in begins for thorough in THOROUGH]
