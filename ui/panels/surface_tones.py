"""The range of the surface panel's image: fitted, dragged in a histogram, remembered for each surface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from inspector.query.looks.stored import channels
from inspector.query.looks.tones import Distribution, Tones, distribution
from ui.ask import Ask
from ui.models.pixels import Picture, fitted, toned
from ui.panels import tone_memory
from ui.panels.tone_memory import Key, Memory
from ui.widgets.controls import single_shot
from ui.widgets.tones_bar import HistogramBar, Tone

CALM = 60
"""Milliseconds without another picture until values are counted."""
BINS = 128


class Toning(QObject):
    """`changed()`: the picture looks otherwise now."""

    changed = Signal()

    def __init__(self, ask: Ask, kept: Callable[[str, Any], Any], keep: Callable[[str, Any], None], parent: QObject) -> None:
        super().__init__(parent)
        self._kept, self._keep, self._source = kept, keep, ""
        self.controls = Tone(self)
        self.bar = HistogramBar(self.controls)
        self._ask, self._picture = ask, None
        self._memories: dict[Key, Memory] = {}
        self._memory = Memory(Tones())
        self._names: tuple[str, ...] = ()
        self._later = single_shot(self.bar, CALM, self._count)  # which ends with the window
        self.controls.changed.connect(self._changed)
        self.controls.fit.connect(self._fit_now)
        self.controls.plane_chosen.connect(self._choose_plane)
        self.controls.reset.clicked.connect(self._reset)
        self.controls.asked.connect(self._open)
        self.bar.dragged.connect(self._drag)

    _picture: Picture | None

    def forget(self, source: str = "") -> None:
        """Another capture, from this file: its surfaces are others, and looked at as they were last."""
        self._source = source
        self._memories = tone_memory.read(self._kept, source)
        self._memory = Memory(Tones())

    def _remember(self) -> None:
        """What is as the user wants it is so the next time, too."""
        self._memory.own = True
        if self._source:
            tone_memory.write(self._kept, self._keep, self._source, self._memories)

    def take(self, picture: Picture | None) -> str:
        """Another picture is shown; the channels of colour that were shown of its surface."""
        self._picture = picture
        if picture is None:
            return self._memory.shown
        key = (_name(picture), getattr(picture.format, "name", ""), picture.values is not None)
        known = key in self._memories
        self._memory = self._memories.setdefault(key, Memory(picture.default_tones, shown=self._memory.shown))
        self.controls.put(self._memory.tones)
        self.controls.auto.blockSignals(True)
        self.controls.auto.setChecked(self._memory.auto)
        self.controls.auto.blockSignals(False)
        planes = self._planes(picture)
        self.controls.plane.setVisible(len(planes) > 1)
        self.controls.plane.setCurrentIndex(self._memory.plane)
        self.controls.range.setVisible(self._needed(picture))
        if self._memory.auto or (planes and not self._memory.fitted) or (not known and picture.is_depth):
            self._fit(silent=True)
        self._later.start()
        return self._memory.shown

    def keep_channels(self, shown: str) -> None:
        self._memory.shown = shown
        self._remember()

    def argb(self, picture: Picture) -> np.ndarray:
        """The picture by the range, uint32 0xAARRGGBB."""
        return toned(picture, self.tones, self.plane(picture))

    @property
    def tones(self) -> Tones:
        return self._memory.tones

    def of_parts(self, picture: Picture | None) -> Tones | None:
        """What sheets and cuts are asked with; None: as the format is shown."""
        return None if picture is None or self.tones == picture.default_tones else self.tones

    def plane(self, picture: Picture) -> str:
        """The channel that is shown grey: depth, or stencil if that was chosen; empty: colours."""
        planes = self._planes(picture)
        return planes[min(self._memory.plane, len(planes) - 1)] if planes else ""

    def _planes(self, picture: Picture) -> list[str]:
        if picture.values is not None or picture.changed_only or picture.sheet is not None:
            return []
        return sorted(row[3] for row in channels(picture.format) if row[3] in ("depth", "stencil"))

    def _needed(self, picture: Picture) -> bool:
        """Depth, floats and computed values have no range that is right for all; others when it is changed."""
        special = picture.is_depth or picture.is_float or picture.values is not None
        return special or self.controls.opened.isChecked() or self.tones != picture.default_tones

    def _fit_now(self) -> None:
        self._fit()
        self._remember()

    def _fit(self, silent: bool = False) -> None:
        picture = self._picture
        if picture is None or picture.sheet is not None:
            return
        plane = self.plane(picture)
        names = (plane,) if plane else tuple(name for name in picture.numbers.planes if name not in ("a", "stencil"))
        low, high, varied = fitted(picture, names)
        self._memory.fitted = varied
        self._put(Tones(low, high, self.tones.gamma), silent)

    def _put(self, tones: Tones, silent: bool = False) -> None:
        self._memory.tones = tones
        self.controls.put(tones)
        self.bar.show_tones(tones)
        if self._picture is not None:
            self.controls.range.setVisible(self._needed(self._picture))
        if not silent:
            self.changed.emit()

    def _changed(self) -> None:
        """Somebody typed a number."""
        self._put(self.controls.tones)
        self._remember()

    def _drag(self, low: float, high: float) -> None:
        inverted = self.tones.low > self.tones.high
        self._put(Tones(high, low, self.tones.gamma) if inverted else Tones(low, high, self.tones.gamma))
        self._remember()

    def _reset(self) -> None:
        if self._picture is not None:
            self._memory.auto = False
            self.controls.auto.setChecked(False)
            self._put(self._picture.default_tones)
            self._remember()

    def _choose_plane(self) -> None:
        self._memory.plane = self.controls.plane.currentIndex()
        self._fit()
        self._remember()
        self._later.start()

    def _open(self, on: bool) -> None:
        self.bar.setVisible(on)
        if self._picture is not None:
            self.controls.range.setVisible(self._needed(self._picture))
        self._later.start()

    def set_auto(self, on: bool) -> None:
        self._memory.auto = on
        self._remember()

    # Counting

    def _count(self) -> None:
        picture = self._picture
        if picture is None or not self.bar.isVisible() or picture.sheet is not None:
            return
        plane = self.plane(picture)
        self._ask("histogram", lambda _: _counted(picture, (plane,) if plane else ()), self._show_counts, lambda error: None)

    def _show_counts(self, found: Distribution) -> None:
        if self.bar.isVisible():
            self.bar.show_counts(found, self.tones)


def _counted(picture: Picture, names: tuple[str, ...]) -> Distribution:
    return distribution(picture.numbers, BINS, names=names)


def _name(picture: Picture) -> int | str:
    """What surfaces are remembered by."""
    return getattr(picture.info, "handle", picture.surface)
