"""ddi-inspector textures: every texture used, once, in files named after their contents, and an index of its uses."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from inspector.cli.arguments import json_option, number
from inspector.cli.opening import Progress, opened, print_json
from inspector.cli.terminal import some
from inspector.exports.textures import FORMS, save_textures
from inspector.query.objects.textures import UsedTexture, UsedTextures

EXAMPLES = ("textures game.trace", "textures game.trace --frame 20 -o textures", "textures game.trace --form png -o textures")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("--frame", type=number, help="only textures that this frame uses")
    command.add_argument("--all-versions", action="store_true", help="save textures that are drawn to after each change")
    command.add_argument(
        "--form", choices=tuple(FORMS), default="both", help="which files to save per texture: .dds as stored, .png as seen"
    )
    command.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="save the files and index.csv in this folder")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        frame = None if chosen.frame is None else capture.frame(chosen.frame)
        first, last = (0, None) if frame is None else (frame.first_event, frame.last_event)
        found = capture.ask(UsedTextures(first, last, chosen.all_versions))
        if chosen.output is not None:
            progress = Progress()
            try:
                files = save_textures(capture, found, chosen.output, chosen.form, progress)
            finally:
                progress.done()
            print(f"{chosen.output}: {some(len(found), 'texture')}, {some(files, 'file')}, index.csv")
        elif chosen.json:
            print_json([dataclasses.asdict(one) for one in found])
        else:
            print("".join(f"{line(one)}\n" for one in found), end="")
            if not found:
                print("ddi-inspector: no texture is used", file=sys.stderr)
    return 0


def line(one: UsedTexture) -> str:
    """`3f2a...  256 x 256 A8R8G8B8, 9 levels, surfaces 12 15, 40 draws from event 812`."""
    return f"{one.name}  {shape(one)}, surfaces {' '.join(map(str, one.handles))}, {one.draws} draws from event {one.first}"


def shape(one: UsedTexture) -> str:
    depth, faces = f" x {one.depth}" if one.depth > 1 else "", f", {one.faces} faces" if one.faces > 1 else ""
    return f"{one.width} x {one.height}{depth} {one.format}, {one.levels} level{'s' * (one.levels > 1)}{faces}"
