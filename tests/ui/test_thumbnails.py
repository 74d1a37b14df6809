"""Thumbnails of surfaces: made once for what is there, in the window on the built-in capture."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
from PySide6.QtGui import QImage

from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.models.pixels import is_depth, thumbnail
from ui.models.thumbnails import Thumbnails
from ui.window import Window

DRAW, NEXT = 1827, 1868  # both to the back buffer


def made(pieces: Generator[float, None, dict[int, QImage]]) -> dict[int, QImage]:
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def words(image: QImage) -> np.ndarray:
    """int16 (height, width, 4)."""
    rows = np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint8)
    return rows.reshape(image.height(), image.width(), 4).astype(np.int16)


def asked(window: Window) -> list[int]:
    """The surfaces whose contents are looked up for thumbnails from now on."""
    capture, seen = window.desk.capture, []
    stored = capture.stored
    capture.stored = lambda event, surface, **more: (seen.append(surface), stored(event, surface, **more))[1]
    return seen


def test_a_picture_is_of_the_moment_it_is_kept_for(real: Window) -> None:  # noqa: F811
    capture = real.desk.capture
    small = Thumbnails(capture)
    for event in (DRAW, NEXT, DRAW):
        surfaces = [info for info in capture.surfaces(event) if info.kind != "buffer"]
        found = made(small.make(event, [(info.handle, info.format) for info in surfaces]))
        assert found.keys() == {info.handle for info in surfaces}
        for info in surfaces:
            whole = thumbnail(capture.image(event, info.handle), is_depth(info.format))
            assert np.abs(words(found[info.handle]) - words(whole)).mean() < 4, (event, info.handle)
    assert small.find(DRAW, 2) is not small.find(NEXT, 2) is not None
    assert small.find(DRAW, 5) is small.find(NEXT, 5) is not None


def test_state_between_draws_looks_nothing_up(qtbot: Any, real: Window) -> None:  # noqa: F811
    ask = real.desk.ask
    real.docks.bring("surface")
    for event in (DRAW, NEXT):
        real.desk.focus.go(event=event)
        settle(qtbot, real)
        qtbot.waitUntil(lambda: not ask.is_aside("bound thumbnails"))
    assert real.surface.bindings.count() > 1
    seen = asked(real)
    for event in (NEXT + 1, NEXT + 2, DRAW + 1, DRAW):
        real.desk.focus.go(event=event)
        settle(qtbot, real)
        assert not ask.is_aside("bound thumbnails")
    assert not seen


def test_where_a_surface_is_missing_nothing_of_another_event_is_shown(qtbot: Any, real: Window) -> None:  # noqa: F811
    real.docks.bring("surface")
    for surface, count in (("render_target", 2), (77, 0)):
        real.desk.focus.go(event=DRAW, surface=surface)
        settle(qtbot, real)
        assert real.surface.bindings.count() == count, surface


def test_resources_have_their_pictures_once(qtbot: Any, real: Window) -> None:  # noqa: F811
    real.docks.bring("resources")
    real.desk.focus.go(event=DRAW)
    settle(qtbot, real)
    qtbot.waitUntil(lambda: not real.desk.ask.is_aside("thumbnails"), timeout=20_000)
    panel: Any = real.docks.panels["resources"]
    assert len(panel._pictures) == sum(info.kind != "buffer" for info in real.desk.capture.surfaces(DRAW))
    seen = asked(real)
    real.desk.focus.go(event=NEXT)
    settle(qtbot, real)
    qtbot.waitUntil(lambda: not real.desk.ask.is_aside("thumbnails"), timeout=20_000)
    assert set(seen) == {2, 3}  # only the target and its depth are others
