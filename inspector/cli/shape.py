"""ddi-inspector shape: a picture of the shape of a draw: wires, flat or smooth, coloured by an attribute or its texture."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.errors import BadInput
from inspector.cli.arguments import json_option, numbers, output, place
from inspector.cli.opening import draw_of, opened, print_json
from inspector.exports.formats import format_of
from inspector.files import unused_name, write_bytes
from inspector.query.draws.vertices import WHICH
from inspector.query.shapes.mesh import SPACES, Shape
from inspector.query.shapes.painting import SHADINGS, TEXTURE, Style, paint
from inspector.query.shapes.picture import SAMPLES, checked_size, usual_camera

EXAMPLES = (
    "shape game.trace --frame 2 -o shape.png",
    "shape game.trace --frame 2 --shading smooth --color texture --turn 40,15 -o shape.png",
    "shape game.trace --which transformed --color rhw",
)


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    command.add_argument("--which", choices=WHICH, default="assembled", help="which vertices to show (default: assembled)")
    command.add_argument("--space", choices=SPACES, default="", help="default: that of the vertices")
    command.add_argument("--shading", choices=SHADINGS, default="flat", help="default: flat")
    command.add_argument("--color", default="", metavar="NAME", help=f"an attribute (normal, diffuse, rhw ...), or {TEXTURE}")
    command.add_argument("--plain", action="store_true", help="leave out edges, frustum and control net")
    command.add_argument(
        "--turn", type=_angles, metavar="YAW,PITCH", help="direction of view in degrees (default: from above and to one side)"
    )
    command.add_argument("--size", type=_size, default=(800, 600), metavar="W,H", help="of the picture (default: 800,600)")
    output(command, "picture", text="default: FILE's name and the event number with .png, in the current folder")
    json_option(command)


def _angles(text: str) -> tuple[float, float]:
    try:
        yaw, pitch = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not two angles: YAW,PITCH") from None
    if not abs(yaw) <= 360 or not abs(pitch) <= 90:
        raise argparse.ArgumentTypeError(f"{text}: YAW is -360 to 360 degrees, PITCH -90 to 90")
    return float(np.radians(yaw)), float(np.radians(pitch))


def _size(text: str) -> tuple[int, int]:
    width, height = numbers(text, 2, "a size: WIDTH,HEIGHT")
    try:
        checked_size(width, height)
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return width, height


def run(chosen: argparse.Namespace) -> int:
    form = format_of(chosen.output, "picture") if chosen.output is not None else None
    with opened(chosen.file) as capture:
        event = draw_of(capture, chosen)
        mesh = capture.ask(Shape(event, chosen.which, chosen.space, chosen.color == TEXTURE))
    if chosen.color == TEXTURE and mesh.texture is None:
        raise BadInput(f"event {event} samples no two-dimensional texture")
    shown = not chosen.plain
    style = Style(chosen.shading, chosen.color, shown, shown, shown)
    width, height = chosen.size
    camera = usual_camera(mesh, width, height)
    if chosen.turn is not None:
        camera = usual_camera(mesh, width, height, replace(camera, yaw=chosen.turn[0], pitch=chosen.turn[1]))
    painted = paint(mesh, camera, width, height, style, SAMPLES)
    opaque = np.full((*painted.picture.shape[:2], 1), 255, np.uint8)
    path = chosen.output or unused_name(Path(f"{chosen.file.stem}_{event}_shape.png"))
    write_bytes(path, (form or format_of(path, "picture")).make(np.concatenate([painted.picture, opaque], axis=2)))
    drawn = int(mesh.usable.sum())
    if chosen.json:
        print_json({"file": path, "event": event, "space": mesh.space, "points": len(mesh.points), "shapes": drawn})
    else:
        print(f"{path}: event {event}, {mesh.which}, {mesh.space} space, {drawn:,} of {len(mesh.shapes):,} shapes")
    return 0
