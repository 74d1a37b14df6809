"""ddi-inspector frames: the frames of a capture as a list, images or a contact sheet; one of them being drawn."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import json_option, number, output
from inspector.cli.opening import Progress, opened, print_json, print_json_rows
from inspector.cli.terminal import sized, some
from inspector.exports.chosen_frames import picture_of, titles_of
from inspector.exports.formats import format_of
from inspector.exports.png import opaque, png
from inspector.files import write_bytes
from inspector.imports.presents import frames_of
from inspector.query.looks.drawn import BY, Drawn
from inspector.timeline.frames import Frame

EXAMPLES = (
    "frames game.trace",
    "frames game.trace --quick",
    "frames game.trace --every 10 -o sheet.png",
    "frames game.trace --folder pictures",
    "frames game.trace --drawn 3 -o drawn.webp",
)
MOST_ON_SHEET = 400
BLACK = np.zeros((48, 64, 4), np.uint8)
BLACK[..., 3] = 255


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("--first", type=number, default=0, help="first frame (default: 0)")
    command.add_argument("--last", type=number, help="last frame (default: the last)")
    command.add_argument("--quick", action="store_true", help="list the frames of a trace without importing it")
    command.add_argument("--every", type=number, default=1, metavar="N", help="every Nth frame (default: 1)")
    command.add_argument("--folder", type=Path, metavar="FOLDER", help="save each frame as a PNG in this folder")
    command.add_argument(
        "--widest", type=number, default=240, help="width or height of a frame on the sheet, whichever is longer (default: 240)"
    )
    command.add_argument("--drawn", type=number, metavar="FRAME", help="with -o: animate this frame being drawn")
    command.add_argument("--by", choices=BY, default="primitive", help="one image per draw or per primitive (default)")
    command.add_argument(
        "--images", type=number, default=120, metavar="N", help="largest number of images in the animation (default: 120)"
    )
    command.add_argument("--seconds", type=number, default=5, help="length of the animation (default: 5)")
    output(command, "sheet", "animation", text="save a contact sheet; with --drawn an animation")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    if chosen.drawn is not None and chosen.output is None:
        raise BadInput("frames: --drawn needs -o OUT")
    if chosen.quick and list_quickly(chosen):
        return 0
    form = format_of(chosen.output, "sheet" if chosen.drawn is None else "animation") if chosen.output else None
    with opened(chosen.file, None if chosen.last is None else (0, chosen.last + 1)) as capture:
        if form is not None and chosen.drawn is not None:
            pictures = capture.ask(Drawn(chosen.drawn, chosen.by, chosen.images))
            size = write_bytes(chosen.output, form.make(pictures, chosen.seconds))
            print(f"{chosen.output}: {some(len(pictures), 'image')}, {sized(size)}")
            return 0
        frames = wanted(capture, chosen)
        if chosen.folder is not None:
            save_each(capture, frames, chosen.folder)
        if form is not None:
            shown = frames[:MOST_ON_SHEET]
            write_bytes(
                chosen.output, form.make(pictures_of(capture, shown), [f"frame {one.index}" for one in shown], chosen.widest)
            )
            more = f" of {len(frames)}" if len(frames) > len(shown) else ""
            print(f"{chosen.output}: {len(shown)}{more} frames")
        if form is None and chosen.folder is None:
            show(capture, frames, chosen.json)
    return 0


def list_quickly(chosen: argparse.Namespace) -> bool:
    """Lists what decoding alone tells; False of what has to be imported."""
    if chosen.output is not None or chosen.folder is not None:
        raise BadInput("frames: --quick lists frames; pictures take importing them")
    progress = Progress()
    try:
        frames = frames_of(chosen.file, progress)
    finally:
        progress.done()
    if frames is None:
        return False
    last = len(frames) - 1 if chosen.last is None else min(chosen.last, len(frames) - 1)
    numbers = range(chosen.first, last + 1, max(chosen.every, 1))
    listed = ((frame, *frames[frame].tolist()) for frame in numbers)  # there may be millions
    if chosen.json:
        print_json_rows(dict(zip(("frame", "api_call", "api_calls", "draws"), row, strict=True)) for row in listed)
        return True
    for frame, call, calls, draws in listed:
        print(f"frame {frame:<6} API calls {call} to {call + calls - 1}, {draws} draws")
    if not numbers:
        print("ddi-inspector: no frames", file=sys.stderr)
    return True


def wanted(capture: Capture, chosen: argparse.Namespace) -> list[Frame]:
    """The frames that are asked for."""
    last = len(capture.frames) - 1 if chosen.last is None else chosen.last
    return [frame for frame in capture.frames if chosen.first <= frame.index <= last][:: max(chosen.every, 1)]


def show(capture: Capture, frames: list[Frame], as_json: bool) -> None:
    titles = titles_of(capture)
    if as_json:
        print_json([
            {"frame": one.index, "first_event": one.first_event, "last_event": one.last_event, "draws": one.draws,
             "title": titles.get(one.index, "")}
            for one in frames
        ])  # fmt: skip
        return
    for one in frames:
        events = f"events {one.first_event} to {one.last_event}, {one.draws} draws"
        print(f"frame {one.index:<6} {events}  {titles.get(one.index, '')}".rstrip())
    if not frames:
        print("ddi-inspector: no frames", file=sys.stderr)


def pictures_of(capture: Capture, frames: list[Frame]) -> list[np.ndarray]:
    """What is on the screen after each frame; of a frame without a back buffer, the render target; else black."""
    progress, found = Progress(), []
    try:
        for n, frame in enumerate(frames):
            progress(n / len(frames), f"frame {frame.index}")
            found.append(picture(capture, frame))
    finally:
        progress.done()
    return found


def picture(capture: Capture, frame: Frame) -> np.ndarray:
    """uint8[h, w, 4] of a frame's end; of one that shows nothing, a small black one."""
    found = picture_of(capture, frame)
    return BLACK if found is None else found


def save_each(capture: Capture, frames: list[Frame], folder: Path) -> None:
    """frame-0007.png and so on; BadInput if the folder cannot be made."""
    folder.mkdir(parents=True, exist_ok=True)
    digits = len(str(max((frame.index for frame in frames), default=0)))
    for frame in frames:
        write_bytes(folder / f"frame-{frame.index:0{digits}}.png", png(opaque(picture(capture, frame))))
    print(f"{folder}: {some(len(frames), 'image')}")
