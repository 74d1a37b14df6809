"""ddi-inspector textures: every texture used, once, in files named after their contents, and an index of its uses."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path
from typing import Any

from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import json_option, number
from inspector.cli.opening import Progress, opened, print_json
from inspector.cli.terminal import some
from inspector.exports.dds import dds
from inspector.exports.png import png
from inspector.exports.rows import csv_text
from inspector.files import write_bytes
from inspector.query.objects.textures import UsedTexture, UsedTextures

FORMS = ("both", "dds", "png")
COLUMNS = (
    "file",
    "width",
    "height",
    "depth",
    "levels",
    "faces",
    "format",
    "draws",
    "first",
    "last",
    "handles",
    "stages",
    "digest",
)
EXAMPLES = ("textures game.trace", "textures game.trace --frame 20 -o textures", "textures game.trace --form png -o textures")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("--frame", type=number, help="only textures that this frame uses")
    command.add_argument("--all-versions", action="store_true", help="save textures that are drawn to after each change")
    command.add_argument(
        "--form", choices=FORMS, default="both", help="which files to save per texture: .dds as stored, .png as seen"
    )
    command.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="save the files and index.csv in this folder")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        frame = None if chosen.frame is None else capture.frame(chosen.frame)
        first, last = (0, None) if frame is None else (frame.first_event, frame.last_event)
        found = capture.ask(UsedTextures(first, last, chosen.all_versions))
        if chosen.output is not None:
            files = save(capture, found, chosen.output, chosen.form)
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


def save(capture: Capture, found: list[UsedTexture], folder: Path, form: str) -> int:
    """Writes the files and the index; returns how many files.  A format that DDS does not have is saved as PNG alone."""
    folder.mkdir(parents=True, exist_ok=True)
    progress, count, rows = Progress(), 0, []
    try:
        for n, one in enumerate(found):
            progress(n / len(found), f"texture {n} of {len(found)}")
            names = []
            for suffix in (".dds", ".png"):
                if form in ("both", suffix[1:]) and (data := _data(capture, one, suffix)) is not None:
                    write_bytes(folder / f"{one.name}{suffix}", data)
                    names.append(f"{one.name}{suffix}")
            count += len(names)
            rows.append(_row(one, names))
    finally:
        progress.done()
    write_bytes(folder / "index.csv", csv_text(COLUMNS, rows).encode())
    return count


def _data(capture: Capture, one: UsedTexture, suffix: str) -> bytes | None:
    try:
        if suffix == ".dds":
            return dds(capture.moment(one.event), one.handle)
        return png(capture.image(one.event, one.handle))
    except BadInput:
        return None


def _row(one: UsedTexture, names: list[str]) -> tuple[Any, ...]:
    values = {**dataclasses.asdict(one), "file": " ".join(names)}
    values["handles"], values["stages"] = (" ".join(map(str, values[name])) for name in ("handles", "stages"))
    return tuple(values[name] for name in COLUMNS)
