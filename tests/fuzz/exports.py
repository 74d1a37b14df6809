"""Exports: every format of captures as they are and of changed ones; what is written is read again by others."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import inspector
from core.errors import BadInput
from inspector.exports.edited import export_edited
from inspector.exports.formats import FORMATS, format_of
from inspector.focus import Focus
from inspector.player import standalone
from inspector.query.what_if.what_if import WhatIf
from inspector.tape.bookmarks import kept_place
from tests.fuzz.inputs import Harness, main
from tests.fuzz.recipes import cooked, some_recipe
from tests.fuzz.what_ifs import some_edit

KINDS = sorted({(row.kind, row.suffix) for row in FORMATS})
WHICH = ("streams", "assembled", "transformed", "tessellated", "clipped", "primitives")


def make(chooser: random.Random) -> bytes:
    recipe = some_recipe(chooser)
    if chooser.random() < 0.3:
        recipe["steps"] = []
    about = {"event": chooser.randrange(3000), "draw": chooser.randrange(200), "surface": chooser.randrange(40),
             "which": chooser.choice(WHICH), "edits": [some_edit(chooser) for _ in range(2)]}  # fmt: skip
    return json.dumps({**recipe, **about, "formats": chooser.sample(KINDS, 3)}).encode()


def run(data: bytes, folder: Path) -> None:
    recipe = json.loads(data)
    with inspector.open(cooked(recipe, folder)) as capture:
        if not len(capture.events):
            return
        for kind, suffix in recipe["formats"]:
            try:
                WRITERS[kind](capture, recipe, folder / f"out{suffix}")
            except BadInput as error:
                assert str(error)


def _formatted(kind: str, path: Path) -> Callable[..., Any]:
    return format_of(path, kind).make


def _event(capture: inspector.Capture, recipe: dict[str, Any]) -> int:
    return int(recipe["event"]) % len(capture.events)


def _picture(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    rgba = capture.image(_event(capture, recipe))
    with Image.open(io.BytesIO(_formatted("picture", path)(rgba))) as read:
        assert (read.height, read.width) == rgba.shape[:2]


def _surface(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    event = _event(capture, recipe)
    found = [info.handle for info in capture.surfaces(event)]
    if found:
        written = _formatted("surface", path)(capture.moment(event), found[recipe["surface"] % len(found)])
        assert written[:8] == b"DDS \x7c\0\0\0"


def _slice(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    event = _event(capture, recipe)
    found = [info.handle for info in capture.surfaces(event)]
    if not found:
        return
    handle = found[recipe["surface"] % len(found)]
    written = _formatted("slice", path)(capture.moment(event), handle)
    rows, _ = capture.stored(event, handle)
    if path.suffix == ".raw":
        assert written == rows.tobytes()
    elif path.suffix == ".npy":
        assert np.load(io.BytesIO(written)).shape
    elif path.suffix == ".exr":  # which Pillow does not read
        import OpenEXR

        path.write_bytes(written)
        with OpenEXR.File(str(path)) as file:
            planes = [channel.pixels for channel in file.channels().values()]
        assert planes and all(plane.shape[:2] == capture.image(event, handle).shape[:2] for plane in planes)
    else:
        with Image.open(io.BytesIO(written)) as read:
            assert (read.height, read.width) == capture.image(event, handle).shape[:2]


def _deep(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    event = _event(capture, recipe)
    found = [info.handle for info in capture.surfaces(event)]
    if found:
        handle = found[recipe["surface"] % len(found)]
        with Image.open(io.BytesIO(_formatted("deep", path)(capture.moment(event), handle))) as read:
            assert (read.height, read.width) == capture.image(event, handle).shape[:2]


def _vertices(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    draws = capture.draws
    grid = capture.vertices(int(draws[recipe["draw"] % len(draws)]) if len(draws) else 0, recipe["which"])
    data = _formatted("vertices", path)(grid, "a title\nof two lines")
    if path.suffix in (".ply", ".glb", ".gltf"):
        assert data[:4] in (b"ply\n", b"glTF", b'{"as')
        return
    text = data.decode()
    if path.suffix == ".csv":
        assert len(list(csv.reader(io.StringIO(text)))) == len(grid.rows) + 1
    else:
        corners = sum(line.startswith("v ") for line in text.splitlines())
        named = [
            int(word.split("/")[0]) for line in text.splitlines() if line[:2] in ("f ", "l ", "p ") for word in line.split()[1:]
        ]
        assert all(1 <= number <= corners for number in named)


def _bundle(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    event = _event(capture, recipe)
    _formatted("bundle", path)(capture, path, Focus(event), "a note")
    with inspector.open(path) as again:
        place = kept_place(again)
        assert place is not None and again.text(place.event) == capture.text(event)


def _rows(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    found = capture.ask(inspector.Sql("SELECT event, name, header FROM events LIMIT 40"))
    text = _formatted("rows", path)(found.columns, found.rows).decode("utf-8-sig")
    assert len(READERS[path.suffix](text)) == len(found) and {len(row) for row in READERS[path.suffix](text)} <= {3}


READERS: dict[str, Callable[[str], list[Any]]] = {
    ".csv": lambda text: list(csv.reader(io.StringIO(text, newline="")))[1:],
    ".tsv": lambda text: [line.split("\t") for line in text.removesuffix("\n").split("\n")[1:]],
    ".json": json.loads,
    ".md": lambda text: [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.removesuffix("\n").split("\n")[2:]],
}
"""The rows of a table as others read them, without titles."""


def _report(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    parser = HTMLParser()
    parser.feed(_formatted("report", path)(capture, _event(capture, recipe), 1, None).decode())
    parser.close()


def _capture(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    _formatted("capture", path)(capture.tape, path, None)
    with inspector.open(path) as again:
        assert len(again.calls) == len(capture.calls)


def _edited(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    export_edited(WhatIf.of(*recipe["edits"]).open(capture), path)
    inspector.open(path).close()


def _frames(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    if capture.frames:
        frame = recipe["event"] % len(capture.frames)
        _formatted("frames", path)(capture, path, frame, frame)
        with inspector.open(path) as again:
            assert len(again.frames) == 1


def _hashes(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    json.loads(_formatted("hashes", path)(capture.ask(inspector.Verify("frame"))))


def _edits(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    edits = WhatIf.of(*recipe["edits"])
    assert WhatIf.from_json(_formatted("edits", path)(edits).decode()) == edits


def _some_pictures(capture: inspector.Capture, recipe: dict[str, Any]) -> list[Any]:
    """Of a few events, as far as the render target keeps its size."""
    first = _event(capture, recipe)
    found = [capture.image(event) for event in range(first, min(first + 3, len(capture.events)))]
    return [one for one in found if one.shape == found[0].shape]


def _sheet(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    pictures = _some_pictures(capture, recipe)
    with Image.open(io.BytesIO(_formatted("sheet", path)(pictures, [str(n) for n in range(len(pictures))], 40))) as read:
        read.load()


def _animation(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    pictures = _some_pictures(capture, recipe)
    with Image.open(io.BytesIO(_formatted("animation", path)(pictures, 0.1))) as read:
        read.load()


def _bytes(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    data = np.arange(_event(capture, recipe) % 256, dtype=np.uint8)
    assert _formatted("bytes", path)(data) == bytes(range(len(data)))


def _text(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    assert _formatted("text", path)("a") == b"a\n"


def _program(capture: inspector.Capture, recipe: dict[str, Any], path: Path) -> None:
    event = _event(capture, recipe)
    compile(_formatted("program", path)(standalone(capture, event, event)[0]), "program", "exec")


WRITERS = {"text": _text, "program": _program, "bytes": _bytes, "sheet": _sheet, "animation": _animation,
           "picture": _picture, "surface": _surface, "slice": _slice, "deep": _deep,
           "vertices": _vertices, "rows": _rows, "report": _report,
           "capture": _capture, "frames": _frames, "bundle": _bundle,
           "edited": _edited, "hashes": _hashes, "edits": _edits}  # fmt: skip
HARNESS = Harness("exports", make, run, 3, seconds=20.0)

if __name__ == "__main__":
    main(HARNESS)
