"""File types that can be opened: suffixes for dialogs and for drag and drop."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QDropEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from inspector.exports.formats import Format, format_of, formats

SUFFIXES = (".ddicap", ".trace", ".ddirec", ".zip")
CAPTURES = f"Captures ({' '.join(f'*{suffix}' for suffix in SUFFIXES)});;All files (*)"
"""The filter of a file dialog."""


def ask_where(parent: QWidget, title: str, name: str, *kinds: str) -> tuple[Path, Format] | None:
    """Where to write something of these kinds, and in which format: the suffix decides, without one the filter chosen.

    Where several formats have the suffix, as PNG of 8 and of 16 bits, the filter decides among them.

    None if nothing was chosen.  Raises BadInput for a suffix that there is no format for.
    """
    filters = {f"{row.name}: {row.holds} (*{row.suffix})": row for row in formats(*kinds)}
    text, chosen = QFileDialog.getSaveFileName(parent, title, name, ";;".join(filters))
    if not text:
        return None
    path = Path(text)
    if not path.suffix and not path.exists():  # what exists may be a device
        path = path.with_name(path.name + filters.get(chosen, next(formats(*kinds))).suffix)
    row = filters.get(chosen)
    return path, row if row is not None and row.suffix == path.suffix.lower() else format_of(path, *kinds)


def in_short(folder: Path, most: int = 60) -> str:
    """A folder in few letters: the home folder is ~, and what is long loses its middle."""
    home = Path.home()
    written = str(Path("~") / folder.relative_to(home)) if folder.is_relative_to(home) else str(folder)
    return written if len(written) <= most else f"{written[: most // 3]}…{written[-(most - most // 3 - 1) :]}"


def take_copy(event: QDropEvent) -> None:
    """Accepts a drop as a copy, whatever was proposed: a file manager removes what was moved."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


def show_in_folder(path: Path) -> None:
    """Opens the folder of a file in the system's file manager."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.resolve().parent)))


def dropped_captures(data: QMimeData) -> list[Path]:
    """The local files of a drop that could be captures; the first one is opened."""
    paths = (Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())
    return [path for path in paths if path.suffix.lower() in SUFFIXES and not path.is_dir()]
