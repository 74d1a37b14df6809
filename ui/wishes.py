"""What panels want of the window and of each other, from when they are made."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from inspector.query.what_if.edits import Edit
from ui.models.pixels import Picture
from ui.widgets.own_keys import WALKS

if TYPE_CHECKING:
    from ui.panels.stepping import SteppingPanel
    from ui.window import Window


def wire(window: Window) -> None:
    """Listens to the desk and to the panels."""
    when_made = window.docks.panels.when_made
    when_made("events", lambda panel: panel.table.setProperty(WALKS, True))
    when_made("surface", lambda panel: panel.shown.connect(partial(_show_picture, window)))
    when_made("surface", lambda panel: panel.toned.connect(partial(_show_toned, window)))
    when_made("inspector", lambda panel: _show_picture(window, window.picture))
    when_made("resources", lambda panel: panel.opened.connect(lambda: window.docks.bring("surface")))
    when_made("what-if", lambda panel: panel.compared.connect(partial(_compare_with, window)))
    when_made("verify", lambda panel: panel.parted.connect(partial(_compare_files, window)))
    window.desk.wanted.connect(partial(_do, window))
    window.desk.edits_wanted.connect(partial(_replace_edits, window))


def _do(window: Window, what: str, about: str) -> None:
    if what == "side":
        window.take_side(about)
    elif what == "filter":
        window.events.edit.setText(about)
        window.docks.bring("events")
    elif what == "buffer":
        window.docks.show_buffer(about)
    elif what == "panel":
        window.docks.bring(about)
    elif what == "origin":
        steps: SteppingPanel = window.docks.panels["stepping"]  # type: ignore[assignment]
        steps.show_origins_of_pixel(about)
        window.docks.bring("stepping")
    else:
        (window.what_if.begin if what == "begin" else window.what_if.add)(about)
        window.docks.bring("what-if")


def _show_picture(window: Window, picture: Picture | None) -> None:
    """The values of the pixel are those of the picture that is shown."""
    if "inspector" in window.docks.panels.made:
        window.inspector.set_picture(picture)


def _show_toned(window: Window, argb: np.ndarray) -> None:
    """What is enlarged looks as it does in the surface."""
    if "inspector" in window.docks.panels.made:
        window.inspector.set_toned(argb)


def _replace_edits(window: Window, edits: tuple[Edit, ...]) -> None:
    window.what_if.replace_edits(edits)
    window.docks.bring("what-if")


def _compare_with(window: Window, view: Any, side: str) -> None:
    """A side of the capture against the same with edits."""
    window.docks.bring("comparison")
    window.comparison.against("What if", view, side)


def _compare_files(window: Window, path: str, a: str, b: str) -> None:
    """An event of this capture against one of another file."""
    window.docks.bring("comparison")
    window.comparison.between(path, a, b)
