"""What is said about a surface: what it is of, where the frame is complete, who wrote a pixel."""

from __future__ import annotations

from collections.abc import Iterable

from inspector.query.objects.surfaces import SurfaceInfo
from inspector.query.pixels.layers import Layer
from inspector.view import CaptureView
from ui.index import EventIndex
from ui.models.pixels import Picture
from ui.models.surfaces import FLIPPED


def sized(info: SurfaceInfo) -> str:
    """The size of a resource: "32×32×8" of a volume."""
    return "×".join(map(str, (info.width, info.height, *([info.depth] if info.depth > 1 else []))))


def about(picture: Picture, name: str = "") -> str:
    """What it is of; name: the surface's, if it was given one."""
    title = f"{name} ({picture.title})" if name else picture.title
    if picture.entry:
        return f"{title}   {picture.width * picture.height // picture.entry**2} entries   event {picture.event}"
    form = "formula" if picture.is_computed else getattr(picture.format, "name", "")
    primitive = "" if picture.primitive is None else f", primitive {picture.primitive:,}"
    whole = picture.info if picture.sheet is not None and picture.info is not None else picture
    slices = f" × {picture.info.depth}" if picture.sheet is not None and picture.info and picture.info.depth > 1 else ""
    words = (title, f"{whole.width} × {whole.height}{slices}", form, f"event {picture.event}{primitive}")
    return "   ".join(word for word in words if word)


def completed_at(picture: Picture, index: EventIndex | None) -> int | None:
    """Of a surface that is followed, at a Flip: the event at which the image of the frame is complete."""
    complete = index.picture_event(index.frame(picture.event)) if index and picture.surface in FLIPPED else picture.event
    return complete if complete < picture.event else None


def writer_words(capture: CaptureView | None, layers: Iterable[tuple[str, Layer]], x: int, y: int) -> str:
    """Who wrote a pixel, as the overlays know it, and what a click does ("2975 DRAWPRIMITIVE, primitive 4: click to go there");
    empty: none is about that."""
    writer = writer_at(layers, x, y)
    if writer is None or capture is None:
        return ""
    event, primitive = writer
    which = f", primitive {primitive:,}" if primitive >= 0 else ""
    return f"{event} {capture.name(event)}{which}: click to go there"


def writer_at(layers: Iterable[tuple[str, Layer]], x: int, y: int) -> tuple[int, int] | None:
    """(event, primitive or -1) that the topmost overlay which is about writers has for a pixel."""
    found = (layer.writer_at(x, y) for _, layer in reversed(list(layers)))
    return next((writer for writer in found if writer is not None), None)
