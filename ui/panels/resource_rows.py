"""Rows of the Resources panel: surfaces, buffers and objects under handles, with their order and sizes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PySide6.QtGui import QImage

from core.errors import BadInput
from inspector.focus import Focus
from inspector.query.driver.dxgi import DxgiResources
from inspector.query.held.kept import Kept, Thing
from inspector.query.objects.holdings import UseStrips
from inspector.query.objects.usage import ResourcesOf
from inspector.timeline.lives import DXGI, MEMORY
from inspector.view import CaptureView
from ui.ask import Progress
from ui.panels.contents import squares_of

PICTURES = ("2d", "cube", "volume")
WITHOUT_STORY = ("state_set", "patch")  # their contents say which events defined and used them
BINS = 96
Roles = dict[tuple[str, int], str]
"""What the event uses a resource as, by what names it (`named`)."""


@dataclass(frozen=True)
class KeptRow:
    """What is no surface and no buffer, as a row among them: `thing` says all of it."""

    thing: Thing
    levels: int = 0
    faces: int = 0
    memory: str = ""
    size: int = 0
    format: str = ""

    @property
    def kind(self) -> str:
        return self.thing.kind

    @property
    def label(self) -> str:
        return self.thing.kind

    @property
    def handle(self) -> int:
        return self.thing.handle

    @property
    def created(self) -> int:
        return self.thing.created


@dataclass(frozen=True)
class Listed:
    """What exists at an event, what the event uses it as, and when it is used (`named`: uint8[bins])."""

    event: int
    rows: list[Any]
    roles: Roles
    strips: dict[tuple[str, int], np.ndarray] = field(default_factory=dict)
    places: dict[int, str] = field(default_factory=dict)
    """Where a resource of DXGI is resident, by the handle of the surface that shows it."""


def named(row: Any) -> tuple[str, int]:
    """Handles of palettes, shaders and so on are names of their own; all pictures of a resource of DXGI have its name."""
    if isinstance(row, KeptRow):
        return row.kind, row.handle
    shown = getattr(row, "shows", None)
    return (MEMORY, row.handle) if shown is None else (DXGI, shown[0])


def filter_of(row: Any) -> str | None:
    """The filter of the draws that use it, as in "uses(12)"; None for what histories do not follow."""
    if row.kind in WITHOUT_STORY:
        return None
    thing = thing_of(row)
    return f"uses({thing})" if isinstance(thing, int) else f"uses({thing[0]}:{thing[1]})"


def thing_of(row: Any) -> Any:
    """What histories call it: of a surface that shows a resource of DXGI, that."""
    if isinstance(row, KeptRow):
        return row.kind, row.handle
    shown = getattr(row, "shows", None)
    return row.handle if shown is None else ("dxgi", shown[0])


def place_of(row: Any) -> Focus | None:
    """Where the name of a surface or buffer is kept: a bookmark at its creation that looks at it."""
    return None if isinstance(row, KeptRow) else Focus(event=max(row.created, 0), surface=row.handle)


def resources(capture: CaptureView, event: int, progress: Progress) -> Listed:
    """Runs on the asking thread."""
    surfaces, cancel = list(capture.surfaces(event, progress.stop.is_set)), progress.stop.is_set
    roles: dict[tuple[str, int], list[str]] = {}
    for use in capture.ask(ResourcesOf(event), cancel):
        roles.setdefault((use.life.space, use.life.handle), []).append(use.text)
    rows: list[Any] = [*surfaces, *(KeptRow(thing) for thing in capture.ask(Kept(event), cancel))]
    strips = {}
    try:
        told = {thing_of(row): named(row) for row in rows if has_story(row)}
        found = capture.ask(UseStrips(tuple(told), event, BINS), cancel)
        strips = {told[thing]: strip for thing, strip in found.items()}
    except BadInput:
        pass
    places = _places(capture, event, [one for one in surfaces if one.shows], cancel)
    return Listed(event, rows, {name: "; ".join(texts) for name, texts in roles.items()}, strips, places)


def _places(capture: CaptureView, event: int, shown: list[Any], cancel: Any) -> dict[int, str]:
    """Where resources of DXGI are."""
    found = {one.number: one.residency for one in capture.ask(DxgiResources(event), cancel)} if shown else {}
    return {one.handle: found.get(one.shows[0], "") for one in shown}


def has_story(row: Any) -> bool:
    """Whether what happened to it is known."""
    return row.kind not in WITHOUT_STORY


def sums(rows: list[Any]) -> tuple[str, str]:
    """As in "23 resources, 5.6 MB (video 5.4 MB, system 0.2 MB)", and by kind "back buffer 1.2 MB, texture 0.3 MB"."""
    kinds: dict[str, int] = {}
    pools: dict[str, int] = {}
    for row in rows:
        if row.size:
            kind = str(row.label or row.kind).replace("_", " ")
            kinds[kind] = kinds.get(kind, 0) + row.size
            pools[str(row.memory) or "other"] = pools.get(str(row.memory) or "other", 0) + row.size
    said = f"{len(rows)} resource{'' if len(rows) == 1 else 's'}, {amount(sum(kinds.values()))}"
    if not kinds:
        return said, ""
    return f"{said} ({_listed(pools)})", _listed(kinds)


def _listed(sizes: dict[str, int]) -> str:
    return ", ".join(f"{name} {amount(size)}" for name, size in sorted(sizes.items(), key=lambda one: -one[1]))


def surface_name(surface: Any) -> str:
    if shown := getattr(surface, "shows", None):
        return f"DXGI {shown[0]}" + (f".{shown[1]}" if shown[1] else "")
    return f"{str(surface.label or surface.kind).replace('_', ' ')}  {surface.handle}"


def plain(text: str) -> str:
    """As filters compare it: "256 x 256", "256x256" and "256 × 256" are the same."""
    return re.sub(r"(?<=\d)\s*[x×]\s*(?=\d)", "×", text.casefold())


def levels(surface: Any) -> str:
    if surface.kind not in PICTURES:
        return ""
    return f"{surface.levels} × {surface.faces}" if surface.faces > 1 else str(surface.levels)


def amount(size: int) -> str:
    """Bytes, in the unit in which they are few."""
    for unit, name in ((1_000_000, "MB"), (1_000, "kB")):
        if size >= unit:
            return f"{size / unit:,.1f} {name}"
    return f"{size} bytes"


def dimensions(surface: Any) -> str:
    if isinstance(surface, KeptRow):
        return surface.thing.summary
    if surface.kind == "buffer":
        return f"{surface.size:,} bytes"
    depth = f" × {surface.depth}" if surface.depth and surface.depth > 1 else ""
    samples = f"  {surface.samples}x" if surface.samples and surface.samples > 1 else ""
    return f"{surface.width} × {surface.height}{depth}{samples}"


def texels(row: Any) -> tuple[int, str]:
    """How large, to sort by."""
    if isinstance(row, KeptRow):
        return -1, row.thing.summary
    return row.size if row.kind == "buffer" else row.width * row.height * max(row.depth or 1, 1), ""


def palette_picture(row: Any) -> QImage | None:
    """256 colours as 16 x 16 squares."""
    thing = getattr(row, "thing", None)
    return None if thing is None else squares_of(thing, 2)


SortKey = Callable[[Any], Any]
