"""The contents of a buffer, palette, shader, state set, patch or light at the event, as a text over the window."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMenu, QWidget

from core.errors import BadInput
from inspector.query.held.kept import Kept, Thing
from ui.panels.panel import Desk, as_sentence
from ui.widgets.facts import Fact
from ui.widgets.text_dialog import TextDialog

MOST_LINES = 20_000
SQUARE = 18
"""Pixels of a palette's colour, above its numbers."""
FIELDS = {"shader": "shader", "palette": "palette", "buffer": "buffer", "patch": "patch"}
"""Fields of tokens that name something, and the kind of it."""
NAMED = re.compile(r"\b(vertex shader|pixel shader|palette|set|patch|buffer) (0x[0-9a-f]+|\d+)\b")
"""What sentences of findings name so."""


def titled(kind: str, handle: int) -> str:
    """`shader 5`, `state set 2`."""
    return f"{kind.replace('_', ' ')} {handle}"


def named_by(token: str, field: str, value: Any) -> tuple[str, int] | None:
    """What a token's field names: (kind, handle); None for fields that name nothing of these."""
    kind = "state_set" if token == "STATESET" and field == "handle" else FIELDS.get(field, "")
    if not kind or not isinstance(value, int) or not value or (token == "SETVERTEXSHADER" and not value & 1):
        return None
    if kind == "shader":
        kind = "pixel_shader" if "PIXEL" in token else "vertex_shader"
    return kind, value


def things_of(token: str, fields: Iterable[Any]) -> list[tuple[str, int]]:
    """What an event's fields (`name`, `value`) name, each once: (kind, handle)."""
    found = [named_by(token, field.name, field.value) for field in fields]
    return list(dict.fromkeys(thing for thing in found if thing is not None))


def things_in(sentence: str) -> list[tuple[str, int]]:
    """What a sentence names: `vertex shader 0x5 is unusable`."""
    kinds = {"set": "state_set"}
    named = ((kinds.get(kind, kind.replace(" ", "_")), int(handle, 0)) for kind, handle in NAMED.findall(sentence))
    return list(dict.fromkeys(thing for thing in named if thing[1]))


def facts_of(things: Iterable[tuple[str, int]]) -> list[Fact]:
    """Links to what they hold."""
    return [Fact("Names", titled(*thing), thing=thing) for thing in things]


def add_shows(menu: QMenu, things: Iterable[tuple[str, int]], desk: Desk, parent: QWidget) -> None:
    """`Show vertex shader 5…`, one for each."""
    for thing in things:
        menu.addAction(f"Show {titled(*thing)}…", partial(show_contents, desk, parent, *thing))


def show_contents(desk: Desk, parent: QWidget, kind: str, handle: int, at: int | None = None) -> None:
    """Asks what it holds at an event (None: the present one), and shows that."""
    capture, event = desk.capture, desk.focus.focus.event if at is None else at
    if capture is None:
        return
    if kind == "buffer":
        if at is not None:
            desk.focus.go(event=at)
        desk.wanted.emit("buffer", str(handle))
        return

    def look(progress: Any) -> tuple[str, str, list[QImage]]:
        rows = capture.ask(Kept(event, kind, handle), progress.stop.is_set)
        if not rows:
            raise BadInput(f"no {titled(kind, handle)} at event {event}")
        images = [image for row in rows if (image := squares_of(row, SQUARE)) is not None]
        return "\n\n".join(map(_heading, rows)), "\n\n".join(map(_text, rows)), images

    def show(found: tuple[str, str, list[QImage]]) -> None:
        TextDialog(parent.window(), f"{found[0]}, event {event}", found[1], images=found[2]).open()

    desk.ask("contents", look, show, lambda error: desk.noted.emit(as_sentence(str(error))))


def squares_of(thing: Thing, size: int) -> QImage | None:
    """The 256 colours of a palette as 16 x 16 squares of so many pixels; None for anything else."""
    colors = getattr(thing, "colors", None)
    if colors is None or len(colors) != 256:
        return None
    data = (np.asarray(colors, np.uint32) | np.uint32(0xFF000000)).tobytes()
    return QImage(data, 16, 16, 64, QImage.Format.Format_ARGB32).copy().scaled(16 * size, 16 * size)


def _heading(row: Thing) -> str:
    name = titled(row.kind, row.handle)
    return name[:1].upper() + name[1:]


def _text(row: Thing) -> str:
    lines = row.lines
    more = [f"... {len(lines) - MOST_LINES:,} more lines"] if len(lines) > MOST_LINES else []
    return "\n".join([row.summary, "", *lines[:MOST_LINES], *more])
