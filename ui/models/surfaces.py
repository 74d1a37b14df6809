"""What the surface panel shows of an event: a picture, what is bound, overlays.  Asked on the asking thread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import BadInput
from core.spec.subresource import Subresource
from inspector.focus import RENDER_TARGET, Focus
from inspector.query.looks.look import Look
from inspector.query.looks.stored import packed
from inspector.query.looks.wires import WireFrame, Wires
from inspector.query.pixels.overlay import OF_DRAWS, Layer, Overlay
from inspector.view import CaptureView
from ui.ask import Progress
from ui.keys.keymap import KEYS
from ui.models.pixels import Picture, argb_of_rgba

ROLES = ((RENDER_TARGET, "Render target"), ("depth", "Depth and stencil"), ("back_buffer", "Back buffer"))
ROLE_TITLES = dict(ROLES)
BINDINGS: tuple[tuple[Any, str], ...] = (
    ("RENDERTARGET", "Target"),
    ("DEPTHSTENCIL", "Depth"),
    *((("TEXTURESTAGE", stage, "TEXTUREMAP"), f"Texture {stage}") for stage in range(8)),
)


@dataclass(frozen=True)
class View:
    """A picture (None if there is no such surface) with its overlay; note: why an overlay is missing."""

    picture: Picture | None
    surfaces: list[Any]
    layer: Layer | None = None
    wires: Wires | None = None
    note: str = ""
    sizes: Mapping[int | str, tuple[int, int]] = field(default_factory=dict)
    """Width and height of the surfaces, by handle and role."""


def view(
    capture: CaptureView, focus: Focus, when: str, overlay: str, wired: bool, progress: Progress, draw: int | None = None
) -> View:
    """overlay: one of inspector.query.pixels.overlay.KINDS, empty: none; wired: with the draw's wire frame.

    draw: whose overlay and wires are shown; at a state, the draw that it is for.
    """
    picture, surfaces = look(capture, focus, when, progress)
    layer, wires, note = None, None, ""
    if picture is not None and overlay:
        try:
            event = draw if draw is not None and overlay in OF_DRAWS else focus.event
            layer = capture.ask(Overlay(overlay, event, focus.where), progress.stop.is_set)
        except BadInput:
            note = f"This event draws nothing. Press {KEYS.text('next-draw')} to go to the next draw."
    if picture is not None and wired and draw is not None:
        wires = capture.ask(WireFrame(draw, focus.primitive), progress.stop.is_set)
    return View(picture, surfaces, layer, wires, note, _sizes(capture, focus.event, surfaces))


def _sizes(capture: CaptureView, event: int, surfaces: Iterable[Any]) -> dict[int | str, tuple[int, int]]:
    sizes: dict[int | str, tuple[int, int]] = {surface.handle: (surface.width, surface.height) for surface in surfaces}
    for role, _ in ROLES:
        root, part = capture.resolve(event, role) or (0, 0)
        if root == part and root in sizes:
            sizes[role] = sizes[root]
    return sizes


def look(capture: CaptureView, focus: Focus, when: str, progress: Progress) -> tuple[Picture | None, list[Any]]:
    """The focused subresource at a moment (inspector.query.looks.look.MOMENTS), and the surfaces there are.

    Nothing is before the first event: it is shown as after it.
    """
    stop = progress.stop.is_set
    primitive = focus.primitive if capture.events.draw[focus.event] else None
    asked = Look(focus.event, focus.where, primitive, when if focus.event else "after")
    event, primitive = asked.moment
    surfaces = [surface for surface in capture.surfaces(event, stop) if surface.kind != "buffer"]
    if focus.surface == RENDER_TARGET and capture.render_target(event) is None:
        return None, surfaces
    found = capture.ask(asked, stop)
    info = next((surface for surface in surfaces if surface.handle == found.resource), None)
    title = ROLE_TITLES.get(str(focus.surface), "") or (info.title if info else str(focus.surface))
    height, width = found.rgba.shape[:2]
    raw = packed(found.stored, found.format, width, height)
    first = focus.where == Subresource(focus.surface) and primitive is None
    picture = Picture(event, focus.surface, title, argb_of_rgba(found.rgba), raw, found.format, info, primitive,
                      found.handle if first else None, found.changed_only)  # fmt: skip
    return picture, surfaces


def bound(capture: CaptureView, event: int, surfaces: Iterable[Any]) -> list[tuple[str, int, Any]]:
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


def about(picture: Picture) -> str:
    form = getattr(picture.format, "name", "")
    primitive = "" if picture.primitive is None else f", primitive {picture.primitive:,}"
    return f"{picture.title}   {picture.width} × {picture.height}   {form}   event {picture.event}{primitive}"


def writer_words(capture: CaptureView | None, layer: Layer | None, x: int, y: int) -> str:
    """Who wrote a pixel, as an overlay knows it: "2975 DRAWPRIMITIVE, primitive 4"; empty: it is not about that."""
    writer = layer.writer_at(x, y) if layer is not None else None
    if writer is None or capture is None:
        return ""
    event, primitive = writer
    return f"{event} {capture.name(event)}" + (f", primitive {primitive:,}" if primitive >= 0 else "")
