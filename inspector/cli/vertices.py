"""ddi-inspector vertices: the vertices of a draw, as comma separated values or as a Wavefront OBJ."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from inspector.cli.arguments import place
from inspector.cli.opening import event_of, opened, or_last_draw, write_file
from inspector.exports.vertices import obj, vertices_csv
from inspector.query.draws.vertices import WHICH


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    which = "as in the streams, as assembled (default), after tessellation, on the screen, after clipping; or the primitives"
    command.add_argument("--which", choices=WHICH, default="assembled", help=which)
    command.add_argument("-o", "--output", type=Path, help="a .obj holds the shape, any other CSV; without it CSV is printed")


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
        grid = capture.vertices(event, chosen.which)
        as_obj = chosen.output is not None and chosen.output.suffix.lower() == ".obj"
        data = obj(grid, f"{capture.title}, event {event}, {chosen.which}") if as_obj else vertices_csv(grid)
    for note in grid.notes:
        print(f"event {event}: {note}", file=sys.stderr)
    if chosen.output is None:
        print(data.decode(), end="")
    else:
        write_file(chosen.output, lambda part: part.write_bytes(data))
        print(f"{chosen.output}: {len(grid.rows):,} rows, {chosen.which} of event {event}")
    return 0
