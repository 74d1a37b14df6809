"""Files that can be opened: how they end, as dialogs ask for them, and as they are dropped."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData

SUFFIXES = (".ddicap", ".trace", ".ddirec")
CAPTURES = f"Captures ({' '.join(f'*{suffix}' for suffix in SUFFIXES)});;All files (*)"
"""The filter of a file dialog."""


def dropped_capture(data: QMimeData) -> Path | None:
    """The first local file of a drop that could be a capture."""
    paths = (Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())
    return next((path for path in paths if path.suffix.lower() in SUFFIXES), None)
