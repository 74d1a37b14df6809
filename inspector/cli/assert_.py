"""ddi-inspector assert: checks a capture against expectations, for scripts and continuous integration."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import BadInput
from inspector.cli.arguments import color, json_option, leniency, output, pixel, place, subresource, where
from inspector.cli.opening import event_of, opened, or_last_draw, print_json
from inspector.expectations import Clean, Count, Expectation, Image, Outcome, Pixel, State
from inspector.exports.formats import format_of
from inspector.files import write_bytes
from inspector.query.comparison.right import Picture

FAILED = 1
EXAMPLES = (
    "assert game.trace --frame 20 --pixel 40,52=255,0,0 --tolerance 2",
    "assert game.trace --event 812 --state ALPHAREF=0x80 --state ALPHATESTENABLE=TRUE",
    "assert game.trace --frame 20 --image frame20.png --tolerance 8 --allow 0.5% -o difference.png",
    "assert game.trace --count '$draw() >= 100' --clean",
)


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    subresource(command)
    some = {"action": "append", "default": []}
    command.add_argument("--pixel", metavar="X,Y=R,G,B[,A]", type=_pixel, help="check that a pixel has this colour", **some)  # type: ignore[arg-type]
    command.add_argument("--state", metavar="NAME=VALUE", type=_state, help="check that a state has this value", **some)  # type: ignore[arg-type]
    command.add_argument("--image", type=Path, metavar="PNG", help="check that the surface looks like this image")
    command.add_argument("--count", metavar="'FILTER == N'", help="check the number of matching events up to this one", **some)  # type: ignore[arg-type]
    command.add_argument("--clean", action="store_true", help="check that no rule is broken (see check)")
    command.add_argument("--allow-rule", metavar="RULE", help="with --clean: allow this rule to be broken", **some)  # type: ignore[arg-type]
    leniency(command)
    output(command, "picture", text="with --image: save what differs")
    json_option(command)


def _pixel(text: str) -> tuple[tuple[int, int], tuple[int, ...]]:
    at, found, rgba = text.partition("=")
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r}: expected X,Y=R,G,B")
    return pixel(at), color(rgba)


def _state(text: str) -> State:
    name, found, value = text.partition("=")
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r}: expected NAME=VALUE")
    return State(name.strip(), value.strip())


def expectations(chosen: argparse.Namespace) -> Iterator[Expectation]:
    """What is expected, in the order of the help."""
    for (x, y), rgba in chosen.pixel:
        yield Pixel(x, y, rgba, chosen.tolerance, where(chosen))
    yield from chosen.state
    if chosen.image is not None:
        yield Image(Picture.of(chosen.image, chosen.tolerance, chosen.allow, chosen.ignore_edges), where(chosen))
    yield from map(Count.of, chosen.count)
    if chosen.clean:
        yield Clean(frozenset(chosen.allow_rule))


def run(chosen: argparse.Namespace) -> int:
    """Exit code 1 if one of them is not met."""
    expected = list(expectations(chosen))
    if not expected:
        raise BadInput("assert: expected --pixel, --state, --image, --count or --clean")
    form = format_of(chosen.output, "picture") if chosen.output else None
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
        found = [one.check(capture, event) for one in expected]
    pictures = [one.picture for one in found if one.picture is not None]
    if form is not None and pictures:
        write_bytes(chosen.output, form.make(pictures[0]))
    met = all(one.met for one in found)
    if chosen.json:
        print_json({"event": event, "met": met, "expectations": [_row(one) for one in found]})
    else:
        print(*found, sep="\n")
    return 0 if met else FAILED


def _row(one: Outcome) -> dict[str, Any]:
    return {"met": one.met, "expected": one.expected, "found": one.found}
