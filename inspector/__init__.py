"""THE MEMORY AND THE QUESTIONS.  Imports core.  No Qt.

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
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput, Cancelled
from core.spec.subresource import Subresource
from inspector.focus import Focus

if TYPE_CHECKING:
    from inspector.capture import Capture, Progress
    from inspector.timeline.budgets import Budgets

QUESTIONS = {
    "StateAt": "state.at_event",
    "SlotHistory": "state.history",
    "ObjectHistory": "objects.usage",
    "ResourcesOf": "objects.usage",
    "UsersOf": "objects.usage",
    "Buffer": "held.things",
    "Kept": "held.kept",
    "Lights": "held.things",
    "Palettes": "held.things",
    "Shaders": "held.things",
    "StateSets": "state.sets",
    "Streams": "draws.streams",
    "Search": "search.search",
    "PixelHistory": "pixels.history",
    "Explain": "pixels.explain",
    "Writers": "pixels.writers",
    "Touched": "pixels.writers",
    "PixelsOf": "pixels.writers",
    "PrimitiveAt": "pixels.writers",
    "FragmentsOn": "pixels.fragments",
    "Overlay": "pixels.overlay",
    "Look": "looks.look",
    "WireFrame": "looks.wires",
    "Thumbnail": "looks.thumbnails",
    "StepVertex": "steps.vertex",
    "StepPixel": "steps.pixel",
    "Sql": "tables.sql",
    "Statistics": "tables.statistics",
    "DriverCaps": "driver.caps",
    "DxgiResources": "driver.dxgi",
    "EventColumn": "events.columns",
    "Findings": "events.findings",
    "Patches": "driver.patches",
    "Presentation": "driver.presentation",
    "Renames": "driver.buffers",
    "Stalls": "driver.buffers",
    "Verdicts": "events.verdicts",
    "VerdictsByFunction": "events.verdicts",
    "Compare": "comparison.compare",
    "WhatIf": "what_if.what_if",
    "Bisect": "comparison.bisect",
    "Verify": "comparison.verify",
    "DriverPictures": "comparison.driver_pictures",
}
"""Each question and its module in inspector.query: `capture.ask(inspector.SlotHistory("ALPHAREF"))`."""

__all__ = ["QUESTIONS", "BadInput", "Cancelled", "Capture", "Focus", "Progress", "Subresource", "open"]


def __getattr__(name: str) -> Any:
    """Capture, Progress and the questions, when asked for: reading a tape alone needs no compiled kernels."""
    if name in QUESTIONS:
        return getattr(import_module(f"inspector.query.{QUESTIONS[name]}"), name)
    if name in ("Capture", "Progress"):
        return getattr(import_module("inspector.capture"), name)
    raise AttributeError(f"module 'inspector' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *QUESTIONS})


def open(
    path: str | os.PathLike[str],
    progress: Progress | None = None,
    frames: tuple[int, int] | None = None,
    budgets: Budgets | None = None,
) -> Capture:
    """Opens a `.trace`, `.ddicap` or `.ddirec`.

    Calls `progress(fraction, text)` as work proceeds; returning False cancels (raises Cancelled).  `frames` = (a, b) lists
    only frames a..b-1: what comes before is executed for its effects; event and frame numbers stay those of the whole tape.
    `budgets`: memory and disk for looking back; None: as the environment says (inspector.timeline.budgets).
    Raises BadInput, in one sentence, for a file that cannot be used.
    """
    from inspector.capture import Capture

    return Capture.open(Path(path), progress, frames, budgets)
