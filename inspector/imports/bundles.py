"""Bug bundles (inspector.exports.bundle): the capture in a zip, unpacked once into the cache folder.

A bundle is a stranger's file: one member is read, by its name, as far as its declared size; no other name is looked at.
"""

from __future__ import annotations

import io
import os
import tempfile
import zipfile
from pathlib import Path

from core.errors import Cancelled, TraceError, in_a_sentence
from core.folders import limit, remove_abandoned, remove_oldest, user_folder
from inspector.imports.report import file_digest
from inspector.progress import Cancel, Progress

CAPTURE, PLACE, REPORT = "capture.ddicap", "place.json", "report.html"
LARGEST = 1 << 33
"""Bytes of a capture in a zip."""
LARGEST_SMALL, TIMES = 1 << 28, 100
"""A capture is packed already: more than this, it has no more than so many times the bytes of its zip."""
LONGEST_LIST = 1 << 20
"""Bytes of the list of members: ours have four, and a list of millions cannot be stopped."""
AT_ONCE = 1 << 20


class _Guarded(io.FileIO):
    """A file of which nobody reads much at once, as zipfile does with the list of members."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or size > LONGEST_LIST:
            raise TraceError(f"{self.name}: a zip with far more files than a bug bundle has")
        return super().read(size)  # type: ignore[return-value]


def unpacked(path: Path, progress: Progress | None = None, cancel: Cancel | None = None) -> Path:
    """The capture of a bundle, as a file.  TraceError for another zip, for a damaged and for a very large one; Cancelled."""
    kept = user_folder("captures") / f"{file_digest(path, progress, cancel)}-bundle.ddicap"
    if kept.exists():
        os.utime(kept)  # its age decides what to remove first
        return kept
    with in_a_sentence(path), _Guarded(str(path)) as raw, zipfile.ZipFile(raw) as file:
        info = next((one for one in file.infolist() if one.filename == CAPTURE), None)
        if info is None:
            raise TraceError(f"{path}: a zip without {CAPTURE}; only bug bundles can be opened")
        if info.file_size > min(LARGEST, max(LARGEST_SMALL, TIMES * path.stat().st_size)):
            raise TraceError(f"{path}: {CAPTURE} in it claims {info.file_size:,} bytes")
        _unpack(file, info, kept, cancel)
    remove_oldest(kept, limit("captures"))
    return kept


def _unpack(file: zipfile.ZipFile, info: zipfile.ZipInfo, kept: Path, cancel: Cancel | None) -> None:
    remove_abandoned(kept.parent, "*.part*")
    handle, name = tempfile.mkstemp(".part", kept.stem[:16], kept.parent)
    part = Path(name)
    try:
        with file.open(info) as source, os.fdopen(handle, "wb") as sink:
            while data := source.read(AT_ONCE):  # zipfile gives no more than the declared size, and checks the checksum
                if cancel and cancel():
                    raise Cancelled("opening cancelled")
                sink.write(data)
        os.replace(part, kept)
    finally:
        part.unlink(missing_ok=True)
