"""Every texture that draws sample, once, in files named after their contents, with an index of their uses (index.csv)."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput, Cancelled
from inspector.exports.dds import dds
from inspector.exports.png import png
from inspector.exports.rows import csv_text
from inspector.files import write_bytes
from inspector.progress import Progress
from inspector.query.objects.textures import UsedTexture

if TYPE_CHECKING:
    from inspector.capture import Capture

FORMS = {
    "both": "DDS as stored, and PNG as seen",
    "dds": "DDS: all levels, faces and slices as stored",
    "png": "PNG: the first level as seen",
}
COLUMNS = (
    "file",
    "width",
    "height",
    "depth",
    "levels",
    "faces",
    "format",
    "draws",
    "first",
    "last",
    "handles",
    "stages",
    "digest",
)
"""Of index.csv."""


def save_textures(capture: Capture, found: list[UsedTexture], folder: Path, form: str, progress: Progress | None = None) -> int:
    """Writes the files and the index; returns how many files.  A format that DDS does not have is saved as PNG alone.

    `form`: a key of FORMS.  Raises BadInput for a folder that cannot be written, Cancelled.
    """
    folder.mkdir(parents=True, exist_ok=True)
    count, rows = 0, []
    for n, one in enumerate(found):
        if progress and progress(n / len(found), f"texture {n} of {len(found)}") is False:
            raise Cancelled("saving cancelled")
        names = []
        for suffix in (".dds", ".png"):
            if form in ("both", suffix[1:]) and (data := _data(capture, one, suffix)) is not None:
                write_bytes(folder / f"{one.name}{suffix}", data)
                names.append(f"{one.name}{suffix}")
        count += len(names)
        rows.append(_row(one, names))
    write_bytes(folder / "index.csv", csv_text(COLUMNS, rows).encode())
    return count


def _data(capture: Capture, one: UsedTexture, suffix: str) -> bytes | None:
    try:
        if suffix == ".dds":
            return dds(capture.moment(one.event), one.handle)
        return png(capture.image(one.event, one.handle))
    except BadInput:
        return None


def _row(one: UsedTexture, names: list[str]) -> tuple[Any, ...]:
    values = {**dataclasses.asdict(one), "file": " ".join(names)}
    values["handles"], values["stages"] = (" ".join(map(str, values[name])) for name in ("handles", "stages"))
    return tuple(values[name] for name in COLUMNS)
