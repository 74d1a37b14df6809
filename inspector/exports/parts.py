"""All parts of surfaces: the levels, faces and slices of one, or of all that an event or a frame uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import Cancelled
from core.spec.subresource import Subresource
from inspector.exports.formats import Format
from inspector.exports.trimmed import used_in
from inspector.files import write_bytes
from inspector.progress import Progress
from inspector.query.objects.surfaces import SurfaceInfo

if TYPE_CHECKING:
    from inspector.capture import Capture

WHOLE = {
    "surface": "This surface: all its levels, faces and slices",
    "event": "All surfaces that this event uses",
    "frame": "All surfaces that its frame uses",
}
"""What can be saved at once."""


@dataclass(frozen=True, slots=True)
class SavedPart:
    """A file that was written; `size` in bytes."""

    file: Path
    part: SurfacePart
    size: int


@dataclass(frozen=True, slots=True)
class SurfacePart:
    """One slice: its surface, where it is in it, and the name of its file without a suffix, as in "texture-23-level1"."""

    info: SurfaceInfo
    where: Subresource
    name: str


def parts_of(capture: Capture, event: int, handles: set[int]) -> Iterator[SurfacePart]:
    """All slices of these surfaces as they are after an event; buffers are left out."""
    for info in capture.surfaces(event):
        if info.handle not in handles or info.kind == "buffer":
            continue
        for level in range(info.levels):
            for face in range(info.faces if info.kind == "cube" else 1):
                for slice_ in range(max(info.depth >> level, 1)):
                    numbers = (
                        ("level", level, info.levels),
                        ("face", face, info.faces),
                        ("slice", slice_, info.depth),
                    )
                    more = "".join(f"-{name}{number}" for name, number, count in numbers if count > 1)
                    where = Subresource(info.handle, level, face, slice_, None)
                    yield SurfacePart(info, where, f"{info.label.replace('_', '-')}-{info.handle}{more}")


def handles_of(capture: Capture, kind: str, event: int, surface: int | str) -> set[int]:
    """The surfaces that are meant: "surface", one; "event", "frame", those that it uses, with what it draws to."""
    if kind == "surface":
        found = capture.resolve(event, surface)
        return {found[0]} if found else set()
    frame = capture.frame_at(event)
    first, last = (event, event) if kind == "event" else (frame.first_event, frame.last_event)
    return used_in(capture, first, last)


def save_parts(
    capture: Capture, event: int, handles: set[int], form: Format, folder: Path, progress: Progress | None = None
) -> list[SavedPart]:
    """Writes a file for each part, in `form`: of kind "picture" as shown, of "slice" and "deep" as stored.

    Raises BadInput for what the format cannot hold, Cancelled.
    """
    folder.mkdir(parents=True, exist_ok=True)
    saved: list[SavedPart] = []
    parts = list(parts_of(capture, event, handles))
    for number, part in enumerate(parts):
        if progress and progress(number / len(parts), part.name) is False:
            raise Cancelled("saving cancelled")
        file, moment = folder / f"{part.name}{form.suffix}", capture.moment(event)
        data = form.make(capture.image(event, part.where)) if form.kind == "picture" else form.make(moment, part.where)
        saved.append(SavedPart(file, part, write_bytes(file, data)))
    return saved
