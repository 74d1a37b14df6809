"""ddi-inspector vertices: the vertices of a draw, as comma-separated values or as a shape (OBJ, PLY, glTF)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from inspector.cli.arguments import json_option, output, place
from inspector.cli.opening import draw_of, opened, print_json
from inspector.exports.formats import format_of
from inspector.exports.materials import SEVERAL, write_several
from inspector.exports.meshes import textures_of
from inspector.files import is_stdout, write_bytes
from inspector.query.draws.vertices import WHICH

EXAMPLES = (
    "vertices game.trace --frame 2 -o draw.obj",
    "vertices game.trace --frame 2 -o draw.glb",
    "vertices game.trace --which transformed",
)


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    which = (
        "as stored in the streams, assembled (default), after tessellation, in screen space, after clipping; or the primitives"
    )
    command.add_argument("--which", choices=WHICH, default="assembled", help=which)
    output(command, "vertices", text="default: CSV on standard output")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    to = Path("-") if chosen.output is None else chosen.output
    form = format_of(to, "vertices")
    with opened(chosen.file) as capture:
        event = draw_of(capture, chosen)
        grid = capture.vertices(event, chosen.which)
        title = f"{capture.title}, event {event}, {chosen.which}"
        is_several = form.suffix in SEVERAL and not is_stdout(to) and (not to.exists() or to.is_file())
        held = textures_of(capture, event) if is_several else []
        data = b"" if is_several else form.make(grid, title, lambda: textures_of(capture, event))
    for note in grid.notes:
        print(f"event {event}: {note}", file=sys.stderr)
    files = write_several(to, grid, title, held) if is_several else [to]
    if chosen.output is not None and not is_several:
        write_bytes(chosen.output, data)
    if chosen.json:
        rows = [dict(zip(grid.columns, row, strict=True)) for row in grid.rows.tolist()]
        print_json({"event": event, "which": chosen.which, "primitive": grid.primitive, "notes": grid.notes, "rows": rows,
                    "files": files if chosen.output is not None else []})  # fmt: skip
    elif chosen.output is None:
        print(data.decode(), end="")
    else:
        beside = f", with {', '.join(file.name for file in files[1:])}" if files[1:] else ""
        print(f"{chosen.output}: {len(grid.rows):,} rows, {chosen.which} of event {event}{beside}")
    return 0
