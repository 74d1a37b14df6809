"""ddi-inspector trim: some frames as a separate capture that draws the same."""

from __future__ import annotations

import argparse
from pathlib import Path

import inspector
from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import json_option, number, numbers
from inspector.cli.opening import Progress, opened, print_json
from inspector.cli.terminal import sized
from inspector.exports.trimmed import export_trimmed, used_in
from inspector.files import write_file
from inspector.query.comparison.verify import Verify

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
        wrong: list[int] = []
        for everything in (False, True):
            size = written(capture, chosen.output, first, last, everything, chosen.api_calls)
            wrong = [] if chosen.unchecked else differing(capture, chosen.output, first, last, everything)
            if not wrong:
                break
    if chosen.json:
        print_json({"file": chosen.output, "bytes": size, "first": first, "last": last, "different": wrong})
        return DIFFERENT if wrong else 0
    which = f"frame {first}" if first == last else f"frames {first} to {last}"
    print(f"{chosen.output}: {which}, {sized(size)} ({chosen.file.name}: {sized(chosen.file.stat().st_size)})")
    if wrong:
        print(f"frames that do not end with the same surfaces: {', '.join(map(str, wrong))}")
    return DIFFERENT if wrong else 0


def written(capture: Capture, path: Path, first: int, last: int, everything: bool, api_calls: bool) -> int:
    """Writes the new capture; returns its bytes."""
    progress = Progress()
    try:
        return write_file(path, lambda part: export_trimmed(capture, part, first, last, everything, api_calls, progress))
    finally:
        progress.done()


def differing(capture: Capture, path: Path, first: int, last: int, everything: bool) -> list[int]:
    """The frames after which the surfaces that these frames use (or all) are not the same; all that are missing."""
    begin, end = capture.frame(first).first_event, capture.frame(last).last_event
    used = None if everything else used_in(capture, begin, end)
    with inspector.open(path) as trimmed:
        theirs, ours = (one.ask(Verify("frame")) for one in (capture, trimmed))
    wrong = []
    for frame in range(first, last + 1):
        if frame - first >= len(ours.steps):
            wrong.append(frame)
            continue
        both = (theirs.digests(frame - capture.frames[0].index + 1), ours.digests(frame - first + 1))
        a, b = ({key: value for key, value in one.items() if used is None or key.handle in used} for one in both)
        wrong += [frame] if a != b else []
    return wrong
