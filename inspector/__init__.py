"""Capture files, the timeline and the questions.  Imports core.  No Qt.

What scripts see, through `ddi_inspector`:

    import ddi_inspector as ddi
    capture = ddi.open("game.trace")                        # or .ddicap, .ddirec
    event = capture.frames[3].last_event
    capture.state(event)["ALPHAREF"].value
    capture.state(event)[("TEXTURESTAGE", 0, "COLOROP")].text
    capture.image(event)                                    # (h, w, 4) uint8: the render target after the event
    capture.image(event, ddi.Subresource(23, level=2))
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput, Cancelled
from core.spec.subresource import Subresource
from inspector.focus import Focus

if TYPE_CHECKING:  # what __getattr__ finds, for type checkers and editors; a test holds it to QUESTIONS
    from inspector.capture import Capture, Progress
    from inspector.query.comparison.bisect import Bisect as Bisect
    from inspector.query.comparison.compare import Compare as Compare
    from inspector.query.comparison.driver_pictures import DriverPictures as DriverPictures
    from inspector.query.comparison.verify import Verify as Verify
    from inspector.query.comparison.vertices import CompareVertices as CompareVertices
    from inspector.query.comparison.vertices import NextDifferentDraws as NextDifferentDraws
    from inspector.query.draws.streams import Streams as Streams
    from inspector.query.driver.buffers import Renames as Renames
    from inspector.query.driver.buffers import Stalls as Stalls
    from inspector.query.driver.caps import DriverCaps as DriverCaps
    from inspector.query.driver.dxgi import DxgiResources as DxgiResources
    from inspector.query.driver.patches import Patches as Patches
    from inspector.query.driver.presentation import Presentation as Presentation
    from inspector.query.events.addresses import Addresses as Addresses
    from inspector.query.events.columns import EventColumn as EventColumn
    from inspector.query.events.findings import Findings as Findings
    from inspector.query.events.verdicts import Verdicts as Verdicts
    from inspector.query.events.verdicts import VerdictsByFunction as VerdictsByFunction
    from inspector.query.held.buffer_read import BufferOf as BufferOf
    from inspector.query.held.buffer_read import BufferRead as BufferRead
    from inspector.query.held.buffer_table import BufferTable as BufferTable
    from inspector.query.held.buffer_versions import BufferVersions as BufferVersions
    from inspector.query.held.kept import Kept as Kept
    from inspector.query.held.things import Buffer as Buffer
    from inspector.query.held.things import Lights as Lights
    from inspector.query.held.things import Palettes as Palettes
    from inspector.query.held.things import Shaders as Shaders
    from inspector.query.looks.custom import Custom as Custom
    from inspector.query.looks.custom import FindTexel as FindTexel
    from inspector.query.looks.drawn import Drawn as Drawn
    from inspector.query.looks.look import Look as Look
    from inspector.query.looks.pair import Pair as Pair
    from inspector.query.looks.sheet import Orthoslices as Orthoslices
    from inspector.query.looks.sheet import Sheet as Sheet
    from inspector.query.looks.texel import PaletteOf as PaletteOf
    from inspector.query.looks.texel import Texel as Texel
    from inspector.query.looks.thumbnails import Thumbnail as Thumbnail
    from inspector.query.looks.tones import Histogram as Histogram
    from inspector.query.looks.values import Values as Values
    from inspector.query.looks.wires import WireFrame as WireFrame
    from inspector.query.objects.holdings import MemoryOverTime as MemoryOverTime
    from inspector.query.objects.holdings import UseStrips as UseStrips
    from inspector.query.objects.textures import UsedTextures as UsedTextures
    from inspector.query.objects.usage import ObjectHistory as ObjectHistory
    from inspector.query.objects.usage import ResourcesOf as ResourcesOf
    from inspector.query.objects.usage import UsersOf as UsersOf
    from inspector.query.pixels.explain import Explain as Explain
    from inspector.query.pixels.fragments import FragmentsOn as FragmentsOn
    from inspector.query.pixels.history import PixelHistory as PixelHistory
    from inspector.query.pixels.life import PixelLife as PixelLife
    from inspector.query.pixels.overlay import Overlay as Overlay
    from inspector.query.pixels.picks import Picks as Picks
    from inspector.query.pixels.sheet_overlay import SheetOverlay as SheetOverlay
    from inspector.query.pixels.writers import PixelsOf as PixelsOf
    from inspector.query.pixels.writers import PrimitiveAt as PrimitiveAt
    from inspector.query.pixels.writers import Touched as Touched
    from inspector.query.pixels.writers import Writers as Writers
    from inspector.query.search.search import Search as Search
    from inspector.query.shapes.mesh import Shape as Shape
    from inspector.query.shapes.picture import ShapePicture as ShapePicture
    from inspector.query.state.at_event import StateAt as StateAt
    from inspector.query.state.flow import StateFlow as StateFlow
    from inspector.query.state.history import SlotHistory as SlotHistory
    from inspector.query.state.sets import StateSets as StateSets
    from inspector.query.state.spheres import FogCurve as FogCurve
    from inspector.query.state.spheres import LightSphere as LightSphere
    from inspector.query.steps.levers import Levers as Levers
    from inspector.query.steps.origins import OriginsOf as OriginsOf
    from inspector.query.steps.pixel import StepPixel as StepPixel
    from inspector.query.steps.quad import QuadAt as QuadAt
    from inspector.query.steps.spread import SpreadOf as SpreadOf
    from inspector.query.steps.vertex import StepVertex as StepVertex
    from inspector.query.tables.sql import Sql as Sql
    from inspector.query.tables.statistics import Statistics as Statistics
    from inspector.query.tables.timing import Timing as Timing
    from inspector.query.what_if.what_if import WhatIf as WhatIf
    from inspector.timeline.budgets import Budgets

QUESTIONS = {
    "StateAt": "state.at_event",
    "SlotHistory": "state.history",
    "StateFlow": "state.flow",
    "LightSphere": "state.spheres",
    "FogCurve": "state.spheres",
    "ObjectHistory": "objects.usage",
    "ResourcesOf": "objects.usage",
    "UsersOf": "objects.usage",
    "MemoryOverTime": "objects.holdings",
    "UseStrips": "objects.holdings",
    "UsedTextures": "objects.textures",
    "Buffer": "held.things",
    "BufferOf": "held.buffer_read",
    "BufferRead": "held.buffer_read",
    "BufferTable": "held.buffer_table",
    "BufferVersions": "held.buffer_versions",
    "Kept": "held.kept",
    "Lights": "held.things",
    "Palettes": "held.things",
    "Shaders": "held.things",
    "StateSets": "state.sets",
    "Streams": "draws.streams",
    "Shape": "shapes.mesh",
    "ShapePicture": "shapes.picture",
    "Search": "search.search",
    "PixelHistory": "pixels.history",
    "PixelLife": "pixels.life",
    "Explain": "pixels.explain",
    "Writers": "pixels.writers",
    "Touched": "pixels.writers",
    "PixelsOf": "pixels.writers",
    "PrimitiveAt": "pixels.writers",
    "FragmentsOn": "pixels.fragments",
    "Picks": "pixels.picks",
    "Overlay": "pixels.overlay",
    "Look": "looks.look",
    "WireFrame": "looks.wires",
    "Drawn": "looks.drawn",
    "Thumbnail": "looks.thumbnails",
    "Values": "looks.values",
    "Histogram": "looks.tones",
    "Sheet": "looks.sheet",
    "SheetOverlay": "pixels.sheet_overlay",
    "Orthoslices": "looks.sheet",
    "Pair": "looks.pair",
    "Texel": "looks.texel",
    "PaletteOf": "looks.texel",
    "Custom": "looks.custom",
    "FindTexel": "looks.custom",
    "StepVertex": "steps.vertex",
    "Levers": "steps.levers",
    "OriginsOf": "steps.origins",
    "QuadAt": "steps.quad",
    "SpreadOf": "steps.spread",
    "StepPixel": "steps.pixel",
    "Sql": "tables.sql",
    "Statistics": "tables.statistics",
    "Timing": "tables.timing",
    "DriverCaps": "driver.caps",
    "DxgiResources": "driver.dxgi",
    "EventColumn": "events.columns",
    "Findings": "events.findings",
    "Patches": "driver.patches",
    "Presentation": "driver.presentation",
    "Renames": "driver.buffers",
    "Stalls": "driver.buffers",
    "Addresses": "events.addresses",
    "Verdicts": "events.verdicts",
    "VerdictsByFunction": "events.verdicts",
    "Compare": "comparison.compare",
    "CompareVertices": "comparison.vertices",
    "NextDifferentDraws": "comparison.vertices",
    "WhatIf": "what_if.what_if",
    "Bisect": "comparison.bisect",
    "Verify": "comparison.verify",
    "DriverPictures": "comparison.driver_pictures",
}
"""Each question and its module in inspector.query: `capture.ask(inspector.SlotHistory("ALPHAREF"))`."""

__all__ = [
    "QUESTIONS",
    "Addresses",
    "BadInput",
    "Bisect",
    "Buffer",
    "BufferOf",
    "BufferRead",
    "BufferTable",
    "BufferVersions",
    "Cancelled",
    "Capture",
    "Compare",
    "CompareVertices",
    "Custom",
    "Drawn",
    "DriverCaps",
    "DriverPictures",
    "DxgiResources",
    "EventColumn",
    "Explain",
    "FindTexel",
    "Findings",
    "Focus",
    "FogCurve",
    "FragmentsOn",
    "Histogram",
    "Kept",
    "Levers",
    "LightSphere",
    "Lights",
    "Look",
    "MemoryOverTime",
    "NextDifferentDraws",
    "ObjectHistory",
    "OriginsOf",
    "Orthoslices",
    "Overlay",
    "Pair",
    "PaletteOf",
    "Palettes",
    "Patches",
    "Picks",
    "PixelHistory",
    "PixelLife",
    "PixelsOf",
    "Presentation",
    "PrimitiveAt",
    "Progress",
    "QuadAt",
    "Renames",
    "ResourcesOf",
    "Search",
    "Shaders",
    "Shape",
    "ShapePicture",
    "Sheet",
    "SheetOverlay",
    "SlotHistory",
    "SpreadOf",
    "Sql",
    "Stalls",
    "StateAt",
    "StateFlow",
    "StateSets",
    "Statistics",
    "StepPixel",
    "StepVertex",
    "Streams",
    "Subresource",
    "Texel",
    "Thumbnail",
    "Timing",
    "Touched",
    "UseStrips",
    "UsedTextures",
    "UsersOf",
    "Values",
    "Verdicts",
    "VerdictsByFunction",
    "Verify",
    "WhatIf",
    "WireFrame",
    "Writers",
    "open",
]


if not TYPE_CHECKING:  # else every misspelled name would be Any

    def __getattr__(name: str) -> Any:
        """Capture, Progress and the questions, when asked for: reading a tape alone needs no compiled kernels."""
        if name in QUESTIONS:
            return getattr(import_module(f"inspector.query.{QUESTIONS[name]}"), name)
        if name in ("Capture", "Progress"):
            return getattr(import_module("inspector.capture"), name)
        raise AttributeError(f"module 'inspector' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *QUESTIONS})


def _range(frames: object) -> tuple[int, int]:
    """BadInput for what is not two whole numbers with a frame between them."""
    try:
        first, end = map(index, frames)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        first = end = -1
    if not 0 <= first < end:
        raise BadInput(f"frames: expected the first frame and the one after the last, not {frames!r:.100}")
    return first, end


def open(
    path: str | os.PathLike[str],
    progress: Progress | None = None,
    frames: tuple[int, int] | None = None,
    budgets: Budgets | None = None,
    grown: Callable[[Capture], object] | None = None,
    follow: float = 0.0,
) -> Capture:
    """Opens a `.trace`, `.ddicap` or `.ddirec`.

    Calls `progress(fraction, text)` as work proceeds; returning False cancels (raises Cancelled).  `frames` = (a, b) lists
    only frames a..b-1: what comes before is executed for its effects; event and frame numbers stay those of the whole tape.
    A trace above 64 MB that was not imported before is then read up to frame b only.
    `budgets`: memory and disk for looking back; None: as the environment says (inspector.timeline.budgets).
    `grown`: is called, on this thread, with captures of the beginning of a trace while the rest is being read; `frames` must
    not be given then, and what cancels after the first of them ends the capture there.  `follow`: with `grown`, reads on in a
    file that a recorder is still writing, until nothing has come for so many seconds.
    Raises BadInput, in one sentence, for a file that cannot be used, and for a range of no frames.
    """
    if grown is not None and frames is None:
        from inspector.reading import open_growing

        return open_growing(Path(path), grown, progress, budgets, follow)
    if frames is not None:
        from inspector.reading import open_range

        return open_range(Path(path), _range(frames), progress, budgets)
    from inspector.capture import Capture

    return Capture.open(Path(path), progress, None, budgets)
