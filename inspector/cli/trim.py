"""ddi-inspector trim: some frames as a separate capture that draws the same."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.errors import BadInput
from inspector.cli.arguments import json_option, number, numbers
from inspector.cli.opening import Progress, opened, print_json
from inspector.cli.terminal import sized
from inspector.trimming import trim

DIFFERENT = 1
EXAMPLES = ("trim game.trace --frame 2 frame2.ddicap", "trim game.trace --frames 1,3 some.ddicap")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("output", type=Path, metavar="OUT", help="the new .ddicap")
    which = command.add_mutually_exclusive_group(required=True)
    which.add_argument("--frame", type=number, help="this frame")
    which.add_argument("--frames", type=_frames, metavar="FIRST,LAST", help="these frames, both included")
    command.add_argument("--api-calls", action="store_true", help="also keep the API calls of the whole capture")
    command.add_argument("--unchecked", action="store_true", help="do not check that both draw the same")
    json_option(command)


def _frames(text: str) -> tuple[int, int]:
    first, last = numbers(text, 2, "a range of frames: FIRST,LAST")
    return first, last


def run(chosen: argparse.Namespace) -> int:
    """Exit code 1 if the new capture does not draw the same."""
    first, last = (chosen.frame, chosen.frame) if chosen.frame is not None else chosen.frames
    if chosen.output.suffix.lower() != ".ddicap":
        raise BadInput(f"{chosen.output}: expected a name that ends in .ddicap")
    with opened(chosen.file, None if chosen.api_calls else (0, last + 1)) as capture:
        progress = Progress()
        try:
            size, wrong = trim(capture, chosen.output, first, last, chosen.api_calls, not chosen.unchecked, progress)
        finally:
            progress.done()
    if chosen.json:
        print_json({"file": chosen.output, "bytes": size, "first": first, "last": last, "different": wrong})
        return DIFFERENT if wrong else 0
    which = f"frame {first}" if first == last else f"frames {first} to {last}"
    print(f"{chosen.output}: {which}, {sized(size)} ({chosen.file.name}: {sized(chosen.file.stat().st_size)})")
    if wrong:
        print(f"frames that do not end with the same surfaces: {', '.join(map(str, wrong))}")
    return DIFFERENT if wrong else 0
