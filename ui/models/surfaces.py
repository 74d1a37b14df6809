"""What the surface panel shows of an event: a picture, what is bound, overlays.  Asked on the asking thread."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.ddi.dxgi_resources import resource_of
from core.errors import BadInput
from inspector.focus import RENDER_TARGET, Focus
from inspector.query.pixels.overlay import Layer, Overlay
from ui.ask import Progress
from ui.models.pixels import Picture, argb_of_rgba, changed, packed

ROLES = ((RENDER_TARGET, "Render target"), ("depth", "Depth and stencil"), ("back_buffer", "Back buffer"))
ROLE_TITLES = dict(ROLES)
AFTER, BEFORE, CHANGED = "After", "Before", "Changed"
BINDINGS: tuple[tuple[Any, str], ...] = (
    ("RENDERTARGET", "Target"),
    ("DEPTHSTENCIL", "Depth"),
    *((("TEXTURESTAGE", stage, "TEXTUREMAP"), f"Texture {stage}") for stage in range(8)),
)
MOST_LINES = 60_000


@dataclass(frozen=True)
class Wires:
    """Edges of triangles and lines on the screen, float32[n, 4] (x, y, x, y in pixels of the picture): those that were drawn,
    those of culled triangles, and those of the primitive that one looks at."""

    drawn: np.ndarray
    culled: np.ndarray
    chosen: np.ndarray


@dataclass(frozen=True)
class View:
    """A picture (None: there is no such surface) with what lies over it; note: why an overlay is not there."""

    picture: Picture | None
    surfaces: list[Any]
    layer: Layer | None = None
    wires: Wires | None = None
    note: str = ""


def view(capture: Any, focus: Focus, when: str, overlay: str, wired: bool, progress: Progress) -> View:
    """overlay: one of inspector.query.pixels.overlay.KINDS, empty: none; wired: with the draw's wire frame."""
    picture, surfaces = look(capture, focus, when, progress)
    layer, wires, note = None, None, ""
    if picture is not None and overlay:
        try:
            layer = capture.ask(Overlay(overlay, focus.event, focus.where), progress.stop.is_set)
        except BadInput:
            note = "This event draws nothing: Ctrl+Right goes to the next draw."
    if picture is not None and wired and capture.events.draw[focus.event]:
        wires = wires_of(capture.vertices(focus.event, "clipped", progress.stop.is_set), focus.primitive)
    return View(picture, surfaces, layer, wires, note)


def wires_of(grid: Any, primitive: int | None) -> Wires | None:
    """Of the primitives that go to the rasteriser (capture.vertices(event, "clipped"))."""
    corners = {"TRIANGLELIST": 3, "LINELIST": 2}.get(grid.primitive, 0)
    count = len(grid.rows) // corners * corners if corners else 0
    if not count:
        return None
    rows = grid.rows[:count]
    places = np.stack([rows["screen.x"], rows["screen.y"]], axis=1).astype(np.float32) + np.float32(0.5)  # centres are whole
    shapes = places.reshape(-1, corners, 2)
    usable = np.isfinite(shapes).all(axis=(1, 2))
    left_out = rows["culled"][::corners] != "" if "culled" in rows.dtype.names else np.zeros(len(shapes), bool)
    chosen = rows["primitive"][::corners] == (-1 if primitive is None else primitive)
    return Wires(*(_edges(shapes[usable & some]) for some in (~left_out, left_out, chosen)))


def _edges(shapes: np.ndarray) -> np.ndarray:
    """float32[n, 4] of float32[shapes, corners, 2]."""
    ends = np.concatenate([shapes, np.roll(shapes, -1, axis=1)], axis=2)
    return ends[:, : 1 if shapes.shape[1] == 2 else None].reshape(-1, 4)[:MOST_LINES]


def look(capture: Any, focus: Focus, when: str, progress: Progress) -> tuple[Picture | None, list[Any]]:
    """The focused subresource before or after the event, and the surfaces there are."""
    before = focus.replace(event=focus.event - 1, primitive=None)
    if focus.primitive:
        before = focus.replace(primitive=focus.primitive - 1)
    if when == BEFORE and focus.event:
        return picture_at(capture, before, progress)
    old = picture_at(capture, before, progress)[0] if when == CHANGED and focus.event else None
    picture, surfaces = picture_at(capture, focus, progress)
    if picture is not None and old is not None and old.surface == picture.surface:
        picture = replace(picture, argb=changed(old.argb, picture.argb), changed_only=True)
    return picture, surfaces


def picture_at(capture: Any, focus: Focus, progress: Progress) -> tuple[Picture | None, list[Any]]:
    """The focused subresource after the event, and the surfaces there are."""
    stop = progress.stop.is_set
    surfaces = [surface for surface in capture.surfaces(focus.event, stop) if surface.kind != "buffer"]
    primitive = focus.primitive if capture.events.draw[focus.event] else None
    handle = capture.render_target(focus.event) if focus.surface == RENDER_TARGET else focus.surface
    if handle is None:
        return None, surfaces
    rgba, stored, form = capture.look(focus.event, focus.where, primitive, stop)
    root, part = capture.resolve(focus.event, handle, stop) or (None, None)
    info = next((surface for surface in surfaces if surface.handle == root), None)
    raw = packed(stored, form, rgba.shape[1], rgba.shape[0])
    title = ROLE_TITLES.get(str(focus.surface), "") or (surface_title(info) if info else str(handle))
    first = (focus.level, focus.face, focus.slice, focus.sample, focus.primitive) == (0, 0, 0, None, None)
    shown = part if first else None
    return Picture(focus.event, focus.surface, title, argb_of_rgba(rgba), raw, form, info, focus.primitive, shown), surfaces


def bound(capture: Any, event: int, surfaces: Iterable[Any]) -> list[tuple[str, int, Any]]:
    """(role, handle, resource) of what is bound at the event."""
    state = capture.state(event)
    infos = {surface.handle: surface for surface in surfaces}
    rows = []
    for key, role in BINDINGS:
        if handle := int(state[key].value) if key in state else 0:
            root, part = capture.resolve(event, handle) or (0, 0)
            if root in infos:
                rows.append((role, part, infos[root]))
    return rows


def surface_title(surface: Any) -> str:
    if (shown := resource_of(surface.handle)) is not None:
        return f"DXGI resource {shown[0]}" + (f", picture {shown[1]}" if shown[1] else "")
    return f"{str(surface.label).replace('_', ' ').capitalize()} {surface.handle}"


def about(picture: Picture) -> str:
    form = getattr(picture.format, "name", "")
    primitive = "" if picture.primitive is None else f", primitive {picture.primitive:,}"
    return f"{picture.title}   {picture.width} × {picture.height}   {form}   event {picture.event}{primitive}"
