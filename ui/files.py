"""File types that can be opened: suffixes for dialogs and for drag and drop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from inspector.exports.formats import Format, format_of, formats

if TYPE_CHECKING:
    from ui.saving import Saving

SUFFIXES = (".ddicap", ".trace", ".ddirec", ".zip")
CAPTURES = f"Captures ({' '.join(f'*{suffix}' for suffix in SUFFIXES)});;All files (*)"
"""The filter of a file dialog."""
IMAGES = "Images (*.png *.bmp *.jpg *.jpeg);;All files (*)"


def ask_where(parent: QWidget, title: str, name: str, *kinds: str) -> tuple[Path, Format] | None:
    """Where to write something of these kinds, and in which format: the suffix decides, without one the filter chosen.

    A name without a folder is offered in the one where the window that `parent` is in has saved last (ui.saving).

    Where several formats have the suffix, as PNG of 8 and of 16 bits, the filter decides among them.

    None if nothing was chosen.  Raises BadInput for a suffix that there is no format for.
    """
    filters = {f"{row.name}: {row.holds} (*{row.suffix})": row for row in formats(*kinds)}
    saving = saving_of(parent)
    offered = str(saving.folder() / name) if saving is not None else name  # a name that has a folder keeps it
    text, chosen = QFileDialog.getSaveFileName(parent, title, offered, ";;".join(filters))
    if not text:
        return None
    path = Path(text)
    if saving is not None:
        saving.keep_folder(path.resolve().parent)
    if not path.suffix and not path.exists():  # what exists may be a device
        path = path.with_name(path.name + filters.get(chosen, next(formats(*kinds))).suffix)
    row = filters.get(chosen)
    return path, row if row is not None and row.suffix == path.suffix.lower() else format_of(path, *kinds)


def saving_of(widget: QWidget | None) -> Saving | None:
    """What saves files in the window that a widget is in, however deep, or floats above; None without one."""
    while widget is not None:
        if (saving := getattr(widget, "saving", None)) is not None:
            return cast("Saving", saving)
        widget = widget.parentWidget()
    return None


def near(widget: QWidget) -> str:
    """The folder in which files that belong to a capture are looked for first; "": anywhere."""
    saving = saving_of(widget)
    return str(saving.beside()) if saving is not None else ""


def in_short(folder: Path, most: int = 60) -> str:
    """A folder in few letters: the home folder is ~, and what is long loses its middle."""
    home = Path.home()
    written = str(Path("~") / folder.relative_to(home)) if folder.is_relative_to(home) else str(folder)
    return written if len(written) <= most else f"{written[: most // 3]}…{written[-(most - most // 3 - 1) :]}"


def leave_drops_to_window(parts: QWidget) -> None:
    """No field in these parts takes a drop: a file over one would be moved into it as an address, and not be opened."""
    for edit in (one for kind in (QLineEdit, QPlainTextEdit, QTextEdit) for one in parts.findChildren(kind)):
        edit.setAcceptDrops(False)


def take_copy(event: QDropEvent) -> None:
    """Accepts a drop as a copy, whatever was proposed: a file manager removes what was moved."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


def dropped_captures(data: QMimeData) -> list[Path]:
    """The local files of a drop that could be captures; the first one is opened."""
    paths = (Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())
    return [path for path in paths if path.suffix.lower() in SUFFIXES and not path.is_dir()]
