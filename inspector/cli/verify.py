"""ddi-inspector verify: hashes of all surfaces, and where two runs first differ."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
from pathlib import Path

from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import json_option, number, output
from inspector.cli.opening import opened, print_json
from inspector.exports.formats import format_of
from inspector.files import write_bytes
from inspector.query.comparison.driver_pictures import DriverPictures, blamed, sentence
from inspector.query.comparison.verify import PER, Hashes, Parting, Verify, apart, load_hashes, parting

DIFFERENT = 1
EXAMPLES = (
    "verify game.trace --per frame -o hashes.json", "verify game.trace --against hashes.json", "verify game.ddirec --pictures",
)  # fmt: skip


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--per", choices=PER, help="hash after every token, draw or frame (default: draw, or what the file of hashes has)"
    )
    command.add_argument("--against", type=Path, metavar="B", help="a capture, or saved hashes, to compare with")
    command.add_argument(
        "--pictures",
        action="store_true",
        help="compare with the images that the recorded driver drew, and name the first primitive that differs",
    )
    command.add_argument(
        "--tolerance", type=number, default=0, metavar="N", help="largest difference per channel that is allowed (default: 0)"
    )
    command.add_argument("--threads", type=number, help="number of drawing threads; it does not affect the hashes")
    output(command, "hashes")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    """Exit code 1 if the two part."""
    if chosen.pictures:
        return pictures(chosen)
    form = format_of(chosen.output, "hashes") if chosen.output else None
    with contextlib.ExitStack() as stack:
        capture = stack.enter_context(opened(chosen.file))
        is_hashes = chosen.against is not None and chosen.against.suffix == ".json"
        known = load_hashes(chosen.against) if is_hashes else None
        per = chosen.per or (known.per if known else "draw")
        if known and per != known.per:
            raise BadInput(f"{chosen.against}: cannot compare hashes per {known.per} with hashes per {per}")
        query = Verify(per, chosen.threads)
        found = capture.ask(query)
        if form:
            write_bytes(chosen.output, form.make(found))
        facts = {"per": found.per, "hashes": len(found.steps), "last": _last(found)}
        if not chosen.json:
            print(f"{chosen.file.name}: {facts['hashes']} hashes per {found.per}, the last one {facts['last']}")
        if chosen.against is None:
            if chosen.json:
                print_json(facts)
            return 0
        other = None if known else stack.enter_context(opened(chosen.against))
        theirs = known or other.ask(query)  # type: ignore[union-attr]
        where = parting(found, theirs)
        if chosen.json:
            print_json({**facts, "equal": where is None, "first": where and dataclasses.asdict(where)})
        else:
            show(capture, other, where)
    return DIFFERENT if where else 0


def pictures(chosen: argparse.Namespace) -> int:
    """The pictures of a driver, one a line; exit code 1 if one differs."""
    with opened(chosen.file) as capture:
        found = capture.ask(DriverPictures(chosen.tolerance, chosen.threads))
        if chosen.json:
            print_json([dataclasses.asdict(one) | {"sentence": sentence(one)} for one in found])
            return DIFFERENT if any(one.difference is not None or one.problem for one in found) else 0
        for one in found:
            print(f"event {one.event}  {one.where}: {sentence(one)}")
        first = next((one for one in found if one.difference), None)
        if first is not None:
            print(f"first difference: {blamed(first, capture)}")
        wrong = sum(one.difference is not None or bool(one.problem) for one in found)
        print(f"{chosen.file.name}: {len(found)} pictures, {wrong} differ")
    return DIFFERENT if wrong else 0


def _last(found: Hashes) -> str:
    return f"{found.steps[-1].total:016x}" if found.steps else "of nothing"


def show(a: Capture, b: Capture | None, where: Parting | None) -> None:
    """The first difference, with bounding boxes when both sides can be looked at."""
    if where is None:
        print("no difference")
        return
    ends = [f"event {event}" if event is not None else "its end" for event in (where.a, where.b)]
    print(f"first difference: {ends[0]}" + ("" if ends[0] == ends[1] else f" | {ends[1]}"))
    if where.a is not None:
        print(f"  {a.text(where.a)}")
    boxes = {one.place: one for one in apart(a, b, where)} if b is not None else {}
    for place in where.places:
        one = boxes.get(place)
        more = f": {one.count} pixels in ({' '.join(map(str, one.box))}), by up to {one.largest}" if one else ""
        print(f"  {one.name if one else 'surface ' + ' '.join(map(str, place))}{more}")
