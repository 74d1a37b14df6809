"""Every question there is, asked of any capture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np

import inspector
from core.errors import BadInput
from inspector.query.comparison.right import Color
from inspector.query.looks.look import Look

FILTERS = (
    *("blend", '"two words"', "$regex(/a.*b/i)", "$draw()", "$action(indexed)", "$param(count: 2)", "$parent(Draw)"),
    *("$childOf(Frame 0)", "$api(Set)", "frame == 0", "op == CLEAR", "primitives > 1", "ALPHAREF > 1", "FOG* != default"),
    *("set(FOG*)", "changed(FOG*)", "redundant()", "unused()", "setby(9)", "shader == 5", "uses(1)", "object(1)"),
    *("pixels == 0", "overdraw > 1", "touches(2, 2)", "finding()", "LIGHT[0].Range > 1"),
)
SELECTS = ("SELECT * FROM events LIMIT 3", "SELECT count(*) FROM writes", "SELECT count(*) FROM uses", "SELECT * FROM findings")
IN_PIECES = ("Findings", "PixelLife", "Verify")


def _asked(event: int, draw: int, x: int, y: int, surface: str) -> dict[str, tuple[Any, ...]]:
    """What each question is asked about."""
    rect = (x, y, x + 8, y + 8)
    return {
        "StateAt": (event,), "StateFlow": (draw, event), "LightSphere": (draw,), "FogCurve": (draw,),
        "SlotHistory": ("ALPHAREF",), "ObjectHistory": (1,), "ResourcesOf": (draw,), "UsersOf": (1,),
        "PixelHistory": (surface, x, y), "Writers": (surface, x, y), "Touched": (surface, rect),
        "PixelsOf": (draw,), "PrimitiveAt": (draw, x, y), "FragmentsOn": (surface,), "Picks": (surface,),
        "Overlay": ("tests", draw),
        "Look": (event,), "WireFrame": (draw,), "Thumbnail": (event,), "Values": (event,), "Histogram": (event,),
        "Sheet": (event,), "Texel": (event, x, y), "Custom": ("abs(this - before)", Look(event)),
        "FindTexel": ("r > 0.5", Look(event)), "Pair": (Look(event), Look(event, when="before")),
        "StepVertex": (draw, 0), "StepPixel": (draw, x, y), "QuadAt": (draw, x, y),
        "SpreadOf": (draw, x, y, 0, "diffuse"),
        "Statistics": (), "DriverCaps": (), "Findings": (), "Patches": (event,), "Presentation": (), "Renames": (),
        "Stalls": (), "DriverPictures": (), "Verdicts": (), "Addresses": (100,), "VerdictsByFunction": (),
        "Compare": ("frame 0", "frame 0"), "CompareVertices": (f"event {draw}", f"event {draw}"),
        "NextDifferentDraws": (((draw, draw),),),
        "Bisect": (Color((1, 2, 3, 4)), surface, (x, y, x + 1, y + 1)), "Verify": (),
        "Kept": (event,), "Palettes": (event,), "Shaders": (event,), "Lights": (event,), "StateSets": (event,),
        "Streams": (draw,), "MemoryOverTime": (), "UseStrips": ((1, 2), event), "Shape": (draw,),
        "ShapePicture": (draw, "transformed"),
        "DxgiResources": (event,), "UsedTextures": (0, draw), "Drawn": (0, "draw", 3),
        "Timing": (),
    }  # fmt: skip


def questions(
    capture: inspector.Capture, draw: int | None = None, event: int | None = None, surface: str = "back_buffer"
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """(name, what asks it) of every question, and of everything else that a capture answers; asked about the first draw and the
    end of the first frame unless others are given."""
    if draw is None:
        draw = int(capture.draws[0]) if len(capture.draws) else 0
    if event is None:
        event = capture.frames[0].last_event if capture.frames else 0
    for name, words in _asked(event, draw, *_pixel_of(capture, draw), surface).items():
        yield name, lambda name=name, words=words: capture.ask(getattr(inspector, name)(*words))  # type: ignore[misc]
    yield "SheetOverlay", lambda: capture.ask(inspector.SheetOverlay("tests", draw, capture.ask(inspector.Sheet(draw))))
    for text in FILTERS:
        yield "Search", lambda text=text: capture.ask(inspector.Search(text))  # type: ignore[misc]
    for text in SELECTS:
        yield "Sql", lambda text=text: capture.ask(inspector.Sql(text))  # type: ignore[misc]
    for name in IN_PIECES:
        yield name, lambda name=name: list(capture.in_pieces(getattr(inspector, name)()))  # type: ignore[misc]
    for name in ("target", "textures", "tests", "pixels", "cost"):
        yield "EventColumn", lambda name=name: capture.ask(inspector.EventColumn(name, (draw,)))  # type: ignore[misc]
    yield "Buffer", lambda: capture.ask(inspector.Buffer(capture.state(draw)["STREAM", 0, "handle"].value, draw))
    yield "BufferRead", lambda: capture.ask(inspector.BufferRead(capture.state(draw)["STREAM", 0, "handle"].value, event))
    yield "BufferTable", lambda: capture.ask(inspector.BufferTable(capture.state(draw)["STREAM", 0, "handle"].value, event))
    yield (
        "BufferVersions",
        lambda: capture.ask(inspector.BufferVersions(capture.state(draw)["STREAM", 0, "handle"].value, draw)),
    )
    yield "Orthoslices", lambda: capture.ask(inspector.Orthoslices(event, _first(capture, event, "volume")))
    yield "BufferOf", lambda: capture.ask(inspector.BufferOf(event))
    yield "PaletteOf", lambda: capture.ask(inspector.PaletteOf(event, _first(capture, event, "P8")))
    yield "Explain", lambda: _explain(capture, draw, surface)
    yield (
        "OriginsOf",
        lambda: capture.ask(inspector.OriginsOf(capture.ask(inspector.StepVertex(draw, 0)), 99, "screen", vertex=0)),
    )
    yield "OriginsOf", lambda: _origins(capture, draw, *_pixel_of(capture, draw))
    yield "Levers", lambda: capture.ask(inspector.Levers(capture.ask(inspector.StepVertex(draw, 0))))
    yield "WhatIf", lambda: _what_if(capture, draw, event)
    yield "StepPixel", lambda: _forced(capture, draw, *_pixel_of(capture, draw))
    yield "surfaces", lambda: capture.surfaces(event)
    yield "resources", lambda: len(capture.resources.lives.all)
    yield "prepare", capture.prepare
    yield "vertices", lambda: [capture.vertices(draw, which) for which in ("streams", "assembled", "transformed", "clipped")]


def _first(capture: inspector.Capture, event: int, which: str) -> int:
    """The first surface of a kind or format."""
    return next((info.handle for info in capture.surfaces(event) if which in (info.kind, info.format)), 0)


def _pixel_of(capture: inspector.Capture, draw: int) -> tuple[int, int]:
    """One that a draw covers."""
    with suppress(BadInput):
        rows, columns = np.nonzero(capture.ask(inspector.PixelsOf(draw)).fragments)
        if len(rows):
            return int(columns[0]), int(rows[0])
    return 0, 0


def _versions(capture: inspector.Capture, draw: int) -> Any:
    return capture.ask(inspector.BufferVersions(capture.state(draw)["STREAM", 0, "handle"].value, draw))


def _explain(capture: inspector.Capture, draw: int, surface: str) -> Any:
    """Of the first fragment on a pixel of a draw, if there is one."""
    x, y = _pixel_of(capture, draw)
    entries = capture.ask(inspector.PixelHistory(surface, x, y)).entries
    first = next((entry for entry in entries if entry.kind == "fragment"), None)
    return first and capture.ask(inspector.Explain(first))


def _what_if(capture: inspector.Capture, draw: int, event: int) -> np.ndarray:
    """An edited view, asked the same sort of things."""
    view = capture.ask(inspector.WhatIf.of(f"disable {draw}"))
    view.ask(inspector.Search("changed(FOG*) or blend"))
    return view.image(event)


def _forced(capture: inspector.Capture, draw: int, x: int, y: int) -> Any:
    """A pixel stepped through with a state forced."""
    view = capture.ask(inspector.WhatIf.of("force TEXTUREFACTOR=0x40"))
    return view.ask(inspector.StepPixel(draw, x, y))


def _origins(capture: inspector.Capture, draw: int, x: int, y: int) -> Any:
    """Of every value that a fragment left on its way."""
    run = capture.ask(inspector.StepPixel(draw, x, y))
    last = len(run.steps) - 1
    names = dict.fromkeys(value.name for step in run.steps for value in step.writes)
    return [capture.ask(inspector.OriginsOf(run, last, name, pixel=(x, y))) for name in names]


def ask_all(capture: inspector.Capture) -> set[str]:
    """Asks everything; the names of the questions that had an answer."""
    answered = set()
    for name, ask in questions(capture):
        with suppress(BadInput):
            ask()
            answered.add(name)
    return answered
