"""Representations of a capture in notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from core.errors import BadInput
from inspector.exports.png import data_uri, opaque, png

if TYPE_CHECKING:
    from inspector.capture import Capture

WIDEST = 320


def capture_html(capture: Capture) -> str:
    """A table of what is in it, and the picture at its end."""
    rows = {
        "file": str(capture.path), "frames": len(capture.frames), "draws": len(capture.draws), "events": len(capture.events),
        "API calls": capture.tape.source_count, "edits": len(capture.edits), "notices": " ".join(capture.tape.notices),
    }  # fmt: skip
    texts = {name: f"{value:,}" if isinstance(value, int) else str(value) for name, value in rows.items() if value}
    cells = "".join(f"<tr><th>{escape(name)}<td>{escape(text)}</tr>" for name, text in texts.items())
    return f"<table>{cells}</table>{_picture(capture)}"


def _picture(capture: Capture) -> str:
    if not capture.frames:
        return ""
    try:
        image = capture.image(capture.picture_event(capture.frames[-1]), "back_buffer")
    except BadInput:
        return ""
    return f'<img src="{data_uri(png(opaque(image), WIDEST))}" alt="the last frame">'
