"""ddi-inspector surface: the contents of a surface (range, histogram, texels by value and by byte) and views of it."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import json_option, number, numbers, output, pixel, place, subresource, where
from inspector.cli.opening import event_of, opened, or_last_draw, print_json
from inspector.exports.formats import format_of
from inspector.files import write_bytes
from inspector.query.looks.custom import EXAMPLES as FORMULAS
from inspector.query.looks.custom import NAMES, Custom, FindTexel
from inspector.query.looks.look import Look
from inspector.query.looks.pair import WAYS, Pair
from inspector.query.looks.sheet import Orthoslices, Sheet, SheetOf
from inspector.query.looks.texel import PaletteOf, Texel
from inspector.query.looks.tones import Distribution, Tones, distribution
from inspector.query.looks.values import Numbers, Values
from inspector.query.pixels.overlay import KINDS
from inspector.query.pixels.sheet_overlay import SheetOverlay

VIEWS = ("sheet", "cut", "expression", "against", "palette")
LISTED = 20
SIDE = 16
"""Pixels of an entry of a palette."""
EXAMPLES = (
    "surface game.trace --frame 2",
    "surface game.trace --frame 2 --surface depth --histogram 8",
    'surface game.trace --frame 2 --find "r > 0.9"',
    "surface game.trace --frame 2 --texel 40,52",
    "surface game.trace --frame 2 --sheet -o sheet.png",
    "surface game.trace --frame 2 --sheet --overlay last_writer --opacity 70 -o sheet.png",
    'surface game.trace --frame 2 --expression "abs(this - before) * 8" -o changed.png',
    "surface game.trace --frame 2 --surface depth --fit --gamma 2.2 -o depth.png",
    "surface game.trace --frame 2 --against 812 --amount 8 -o difference.png",
)


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    subresource(command)
    facts = command.add_argument_group("what is printed")
    facts.add_argument("--histogram", type=number, metavar="BINS", help="count values in this many ranges")
    facts.add_argument(
        "--find", metavar="VALUE", help="texels that have a value: 0.5, 0.2..0.4, nan, #rrggbb, or a formula: r > 0.5"
    )
    facts.add_argument("--texel", type=pixel, metavar="X,Y", help="the bytes of a texel, and what they mean")
    json_option(command)
    views = command.add_argument_group("what is saved").add_mutually_exclusive_group()
    views.add_argument("--sheet", action="store_true", help="all levels, faces and slices")
    views.add_argument("--cut", type=_texel, metavar="X,Y,Z", help="a volume cut in three directions through this texel")
    views.add_argument(
        "--expression",
        metavar="TEXT",
        help=f"a formula over the surface, such as {', '.join(FORMULAS[:3])}; names: {', '.join(NAMES)}",
    )
    views.add_argument("--against", type=number, metavar="EVENT", help="together with the surface after another event")
    views.add_argument("--palette", action="store_true", help="the entries of its palette")
    command.add_argument(
        "--overlay", choices=tuple(KINDS), metavar="KIND", help="with --sheet or --cut: an overlay, as of the command image"
    )
    command.add_argument("--opacity", type=number, default=100, metavar="PERCENT", help="of the overlay (default: 100)")
    command.add_argument(
        "--other", type=number, metavar="EVENT", help="the event after which `other` in a formula is the surface"
    )
    command.add_argument("--how", choices=tuple(WAYS), default="difference", help=_listed(WAYS))
    command.add_argument("--amount", type=float, default=1.0, help="differences are multiplied by this (default: 1)")
    command.add_argument("--black", type=float, help="the value shown as black")
    command.add_argument("--white", type=float, help="the value shown as white")
    command.add_argument("--fit", action="store_true", help="set black and white to the smallest and largest value present")
    command.add_argument(
        "--gamma", type=float, default=1.0, help="above 1 brightens the values between black and white (default: 1)"
    )
    output(command, "picture", text="save the view, by default the surface as these options show it")


def _listed(choices: dict[str, str]) -> str:
    return "; ".join(f"{name}: {what}" for name, what in choices.items())


def _texel(text: str) -> tuple[int, ...]:
    return numbers(text, 3, "a texel: X,Y,Z")


def run(chosen: argparse.Namespace) -> int:
    form = format_of(chosen.output, "picture") if chosen.output is not None else None
    wanted = [name for name in VIEWS if getattr(chosen, name) not in (None, False)]
    if wanted and form is None:
        raise BadInput(f"--{wanted[0]} makes an image: name its file with -o")
    if chosen.overlay and not chosen.sheet and chosen.cut is None:
        raise BadInput("--overlay lies over --sheet or --cut; of one part alone, the command image has it")
    if not chosen.gamma > 0:
        raise BadInput(f"--gamma must be more than 0, not {chosen.gamma:g}")
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
        if form is None:
            return _print(capture, event, chosen)
        rgba, words = _view(capture, event, chosen)
    write_bytes(chosen.output, form.make(rgba))
    print(f"{chosen.output}: {rgba.shape[1]} x {rgba.shape[0]}, {words}")
    return 0


# ---- views -------------------------------------------------------------------------------------------------------------


def _view(capture: Capture, event: int, chosen: argparse.Namespace) -> tuple[np.ndarray, str]:
    """The picture, and what it is."""
    after = f"{where(chosen)} after event {event}"
    if chosen.sheet or chosen.cut is not None:
        sheet = _sheet(capture, event, chosen)
        words = f"{len(sheet.tiles)} parts of {after}{'; ' * bool(sheet.note)}{sheet.note}"
        return (sheet.rgba, words) if not chosen.overlay else _overlaid(capture, event, sheet, words, chosen)
    if chosen.palette:
        return capture.ask(PaletteOf(event, where(chosen), SIDE)), f"the palette of {after}"
    look = Look(event, where(chosen))
    if chosen.against is not None:
        both = capture.ask(Pair(look, Look(chosen.against, where(chosen)), chosen.how, chosen.amount))
        return both.rgba, f"{after} and {chosen.against}: {both.changed:,} pixels differ, by at most {both.largest}"
    if chosen.expression is not None:
        other = None if chosen.other is None else Look(chosen.other, where(chosen))
        found = capture.ask(Custom(chosen.expression, look, other))
        return _tones(found, chosen).picture(found), f"{chosen.expression} of {after}"
    found = capture.ask(Values(event, where(chosen)))
    return _tones(found, chosen).picture(found), after


def _overlaid(
    capture: Capture, event: int, sheet: SheetOf, words: str, chosen: argparse.Namespace
) -> tuple[np.ndarray, str]:  # fmt: skip
    """The sheet with the overlay, and what its colours mean."""
    layer = capture.ask(SheetOverlay(chosen.overlay, event, sheet))
    shown = np.where(sheet.covered[..., None], layer.over(sheet.rgba, min(chosen.opacity, 100) / 100), np.uint8(0))
    return shown, "\n  ".join([words, *(text for _, text in layer.legend), *filter(None, [layer.note])])


def _sheet(capture: Capture, event: int, chosen: argparse.Namespace) -> SheetOf:
    given = any(value is not None for value in (chosen.black, chosen.white)) or chosen.fit or chosen.gamma != 1.0
    tones = _tones(capture.ask(Values(event, where(chosen))), chosen) if given else None
    if chosen.sheet:
        return capture.ask(Sheet(event, chosen.surface, tones))
    x, y, z = chosen.cut
    return capture.ask(Orthoslices(event, chosen.surface, chosen.level, (x, y, z), tones))


def _tones(found: Numbers, chosen: argparse.Namespace) -> Tones:
    """As the options say; unless said otherwise as the format is shown."""
    names = tuple(name for name in found.planes if name not in ("a", "stencil")) if chosen.fit else ()
    low, high = distribution(found, 1, names=names).fitting if chosen.fit else found.default_range
    return Tones(low if chosen.black is None else chosen.black, high if chosen.white is None else chosen.white, chosen.gamma)


# ---- facts -------------------------------------------------------------------------------------------------------------


def _print(capture: Capture, event: int, chosen: argparse.Namespace) -> int:
    facts = _facts(capture, event, chosen)
    if chosen.json:
        print_json(facts)
        return 0
    title = f"{facts['surface']} after event {event}: {facts['width']} x {facts['height']} {facts['format']}"
    lines = [title, *(_channel_line(one) for one in facts["channels"])]
    lines += [f"  {row['from']:.6g} to {row['to']:.6g}: {_counts(row['counts'])}" for row in facts.get("histogram", ())]
    if "found" in facts:
        found = facts["found"]
        more = f", the first {len(found['places'])}" if found["count"] > len(found["places"]) else ""
        lines.append(f"{found['count']:,} texels with {chosen.find}{more}{':' * bool(found['count'])}")
        lines += [f"  {x}, {y}" for x, y in found["places"]]
    if "texel" in facts:
        lines += _texel_lines(facts["texel"])
    print("\n".join(lines))
    return 0


def _facts(capture: Capture, event: int, chosen: argparse.Namespace) -> dict[str, Any]:
    values = capture.ask(Values(event, where(chosen)))
    found = distribution(values, max(chosen.histogram or 1, 1), chosen.black, chosen.white)
    facts: dict[str, Any] = {
        "event": event, "surface": str(where(chosen)), "width": values.shape[1], "height": values.shape[0],
        "format": values.format.name if values.format is not None else "", "channels": _channels(found),
    }  # fmt: skip
    if chosen.histogram:
        columns = zip(found.edges[:-1].tolist(), found.edges[1:].tolist(), found.counts.T.tolist(), strict=True)
        facts["histogram"] = [
            {"from": low, "to": high, "counts": dict(zip(found.names, counts, strict=True))} for low, high, counts in columns
        ]
    if chosen.find is not None:
        facts["found"] = _found(capture, event, chosen)
    if chosen.texel is not None:
        texel = capture.ask(Texel(event, chosen.texel[0], chosen.texel[1], where(chosen)))
        facts["texel"] = {
            "x": texel.x, "y": texel.y, "bytes": texel.hex, "offset": texel.offset, "block": texel.block, "rgba": texel.rgba,
            "parts": [{"channel": name, "stored": stored, "value": value} for name, stored, value in texel.parts],
        }  # fmt: skip
    return facts


def _channels(found: Distribution) -> list[dict[str, Any]]:
    rows = zip(found.names, found.low.tolist(), found.high.tolist(), found.odd.tolist(), strict=True)
    return [{"channel": name, "low": low, "high": high, "odd": odd} for name, low, high, odd in rows]


def _found(capture: Capture, event: int, chosen: argparse.Namespace) -> dict[str, Any]:
    """The first texels with the value, and how many there are."""
    look = Look(event, where(chosen))
    other = None if chosen.other is None else Look(chosen.other, where(chosen))
    places: list[tuple[int, int]] = []
    found = capture.ask(FindTexel(chosen.find, look, None, other=other))
    while found.place is not None and len(places) < min(LISTED, found.count):
        places.append(found.place)
        if len(places) < min(LISTED, found.count):
            found = capture.ask(FindTexel(chosen.find, look, found.place, other=other))
    return {"value": chosen.find, "count": found.count, "places": places}


def _channel_line(channel: dict[str, Any]) -> str:
    odd = f", {channel['odd']:,} NaN or infinite" if channel["odd"] else ""
    return f"  {channel['channel']}: {channel['low']:.6g} to {channel['high']:.6g}{odd}"


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def _texel_lines(texel: dict[str, Any]) -> list[str]:
    shared = "" if tuple(texel["block"]) == (1, 1) else f", of a block of {texel['block'][0]} x {texel['block'][1]} texels"
    lines = [f"texel {texel['x']}, {texel['y']}: {texel['bytes']}, at byte {texel['offset']:,}{shared}"]
    lines += [f"  {part['channel']}: {part['stored']} = {part['value']:.6g}" for part in texel["parts"]]
    return [*lines, "  rgba: " + ", ".join(f"{value:.6g}" for value in texel["rgba"])]
