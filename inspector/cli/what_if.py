"""ddi-inspector what-if: the image with other tokens, states, textures or shaders."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import json_option, output, place, subresource, where
from inspector.cli.opening import Progress, event_of, opened, or_last_draw, print_json
from inspector.cli.terminal import sized
from inspector.exports.formats import Format, format_of
from inspector.files import write_bytes, write_file
from inspector.focus import Focus
from inspector.query.comparison.difference import bounding_box, distance
from inspector.query.events.spans import span
from inspector.query.what_if.edits import ALWAYS, PRESETS, Range
from inspector.query.what_if.what_if import WhatIf

EDITS = {
    "disable": ("EVENT", "disable an event, or events 10..20"),
    "set": ("EVENT.FIELD=VALUE", "set a field of a token, or an argument of a driver call"),
    "bytes": ("EVENT+BYTE=HEX", "overwrite bytes of a token"),
    "force": ("STATE=VALUE", "keep a state at one value, whatever is written: ALPHAREF=0x40, COLOROP[0]=ADD, VIEWPORT.X=5"),
    "texture": ("HANDLE=PNG", "give a surface another image; '12 level 1=brick.png' for one level"),
    "shader": ("HANDLE=TEXT", "give a shader other code, assembled from a text file"),
    "primitives": ("EVENT=FIRST..LAST", "limit a draw to these primitives"),
    "preset": ("NAME", ", ".join(PRESETS)),
}

OUTPUTS = {
    "output": ("picture", "save the image"),
    "save": ("edits", "save the edits"),
    "export": ("edited", "save the edited capture as a new one"),
}
EXAMPLES = ("what-if game.trace --frame 2 --force ZENABLE=FALSE -o without-depth.png",)


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    subresource(command)
    for name, (form, text) in EDITS.items():
        command.add_argument(f"--{name}", metavar=form, action="append", default=[], help=text)
    command.add_argument(
        "--always", action="store_true", help="apply forces, presets and textures to all events, not one frame"
    )
    command.add_argument("--load", type=Path, metavar="JSON", help="load saved edits, and add the options above to them")
    command.add_argument("--annotate", action="store_true", help="store the edits in the capture, as an annotation")
    for option, (kind, text) in OUTPUTS.items():
        output(command, kind, text=text, option=f"--{option}")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    forms = {
        option: format_of(path, kind) for option, (kind, _) in OUTPUTS.items() if (path := getattr(chosen, option)) is not None
    }
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
        asked = edits(chosen, ALWAYS if chosen.always else span(capture, event))
        view = asked.open(capture)
        after, before = (side.image(event, where(chosen)) for side in (view, capture))
        if chosen.json:
            print_json({"event": event, "edits": list(map(str, asked.edits)), **changed(after, before)})
        else:
            print(*asked.edits, differing(after, before, chosen.surface, event), sep="\n")
        if "export" in forms:
            size = export(view, chosen.export, forms["export"])
            if not chosen.json:
                print(f"{chosen.export}: {sized(size)}")
        if chosen.annotate:
            asked.annotate(capture, Focus(event=event, surface=chosen.surface))
    if "save" in forms:
        write_bytes(chosen.save, forms["save"].make(asked))
    if "output" in forms:
        write_bytes(chosen.output, forms["output"].make(after))
        if not chosen.json:
            print(f"{chosen.output}: {after.shape[1]} x {after.shape[0]}")
    return 0


def edits(chosen: argparse.Namespace, when: Range) -> WhatIf:
    """The edits that the command line names."""
    loaded = WhatIf.load(chosen.load).edits if chosen.load else ()
    asked = WhatIf.of(*(f"{name} {text}" for name in EDITS for text in getattr(chosen, name)), when=when)
    if not loaded and not asked.edits:
        raise BadInput(f"what-if: give at least one edit: {', '.join(f'--{name}' for name in (*EDITS, 'load'))}")
    return WhatIf(loaded + asked.edits)


def export(view: Capture, path: Path, form: Format) -> int:
    """The edited capture as a file; its bytes."""
    progress = Progress()
    try:
        return write_file(path, lambda part: form.make(view, part, progress))
    finally:
        progress.done()


def changed(after: np.ndarray, before: np.ndarray) -> dict[str, Any]:
    """How much of the picture is different: pixels and the box around them; of another size, None."""
    if after.shape != before.shape:
        return {"pixels": None, "box": None}
    mask = distance(after, before).max(-1) > 0
    return {"pixels": int(mask.sum()), "box": bounding_box(mask)}


def differing(after: np.ndarray, before: np.ndarray, surface: int | str, event: int) -> str:
    """The same in words."""
    pixels, box = changed(after, before).values()
    if pixels is None:
        return f"{surface} after event {event}: another size"
    if box is None:
        return f"{surface} after event {event}: no pixel differs"
    return f"{surface} after event {event}: {pixels} pixels differ in ({' '.join(map(str, box))})"
