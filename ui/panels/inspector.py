"""The panel on the right: the focus in full, with the event, the frame, the surface and the pixel."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtGui import QResizeEvent, QShowEvent

from inspector.focus import Focus
from inspector.view import CaptureView
from ui.index import DRAW, KIND_TITLES, EventIndex
from ui.models.pixels import Picture, PixelValue, bytes_at, neighbourhood, pixel_value
from ui.models.surface_words import sized
from ui.panels.contents import facts_of, show_contents, things_of
from ui.panels.panel import Panel, Question
from ui.widgets.facts import Fact, Facts, Section
from ui.widgets.loupe import Loupe

REACH = 6
CALL_STRUCT = "D3DHAL_DRAWPRIMITIVES2DATA"

COUNTED = ("P", "S")
"""Channels whose numbers are no fractions: indices of a palette, stencil."""


class InspectorPanel(Panel):
    title, name = "Inspector", "inspector"
    quick = True

    def build(self) -> None:
        self.picture: Picture | None = None
        self._toned: np.ndarray | None = None
        self._detail: Any = None
        self._index: EventIndex | None = None
        self._unshown = False  # what has changed since the panel was seen last
        self.facts = Facts("Details of the selection")
        self.facts.followed.connect(lambda event: self.go(event=event))
        self.facts.asked.connect(lambda kind, handle: show_contents(self.desk, self, kind, handle))
        self.loupe = Loupe()
        self.box.addWidget(self.facts, 1)
        self.box.addWidget(self.loupe)
        self.loupe.hide()
        self.desk.found_changed.connect(self._show)
        self.desk.bookmarks_changed.connect(self._show)

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        return lambda _: capture.event(focus.event)

    def display(self, detail: Any) -> None:
        self._detail, self._index = detail, self.desk.index
        self._show()

    def clear(self) -> None:
        self._detail, self.picture = None, None
        self._show()

    def moved(self, new: Focus, old: Focus) -> None:
        if new.pixel != old.pixel:
            self._show()

    def set_picture(self, picture: Picture | None) -> None:
        """The surface panel has another picture, perhaps of all parts or of a palette, which are no texels."""
        self.picture, self._toned = picture, None
        if self.desk.capture is not None:  # else `clear` shows that
            self._show()

    def set_toned(self, argb: np.ndarray) -> None:
        """The picture as it is seen, uint32[h, w] 0xAARRGGBB: with the range and the channels that are chosen."""
        self._toned = argb
        if self.can_be_seen:
            self._enlarge(self._pixel())
        else:
            self._unshown = True

    def _enlarge(self, value: PixelValue | None) -> None:
        if value is not None and self.picture is not None:
            argb = self.picture.argb if self._toned is None else self._toned
            self.loupe.show_pixels(neighbourhood(argb, value.x, value.y, REACH))

    def set_raised(self, raised: bool) -> None:
        super().set_raised(raised)
        self._show_late()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_late()

    def _show_late(self) -> None:
        """Shows what the panel was told while nobody could see it."""
        if self._unshown and self.can_be_seen:
            self._show()

    def _show(self) -> None:
        self._unshown = not self.can_be_seen
        if self._unshown:
            return
        value = self._pixel()
        sections = [
            *self._event_sections(),
            *([pixel_section(value, self.picture)] if value else []),
            *self._surface_sections(),
            *self._call_sections(),
        ]
        self.facts.show_sections(sections)
        self.loupe.setVisible(value is not None)
        self._enlarge(value)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.loupe.updateGeometry()  # it leaves the details their room

    def _pixel(self) -> PixelValue | None:
        pixel = self.desk.focus.focus.pixel
        picture = self.picture
        return pixel_value(picture, *pixel) if picture is not None and picture.has_texels and pixel else None

    def _event_sections(self) -> list[Section]:
        detail, index = self._detail, self._index
        if detail is None or index is None:
            return []
        first, after = index.frame_range(detail.frame)
        facts = [
            Fact("Kind", KIND_TITLES[index.kind[detail.seq]]),
            *([Fact("In the DDK", detail.header)] if detail.header else []),
            Fact("Frame", f"{detail.frame}", first),
            Fact("Position", f"event {detail.seq - first + 1:,} of {after - first:,} in its frame"),
            Fact("Driver call", f"{detail.call}", mono=True),
        ]
        if index.kind[detail.seq] == DRAW:
            number = int(np.searchsorted(index.draws, detail.seq))
            facts.insert(1, Fact("Draw", f"{number:,} (0 to {len(index.draws) - 1:,}{self.desk.so_far})"))
        if detail.source >= 0:
            name = detail.source_text.partition("(")[0].rpartition("::")[2]
            facts.append(Fact("API call", f"{detail.source}  {name}", mono=True))
        result = next((one for one in (*detail.fields, *detail.call_fields) if one.name == "result" and one.value), None)
        if result is not None:  # of a call that failed, or that did nothing
            done = "" if index.is_done(detail.seq) else ": not executed"
            facts.insert(1, Fact("Result", f"{result.text.partition(' ')[2] or result.text}{done}"))
        facts += facts_of(things_of(detail.name, detail.fields))
        own = [found for found in self.desk.found if found.seq == detail.seq]
        found = [Section(f"Finding: {finding.severity}", (Fact("", finding.text),)) for finding in own]
        return [Section(f"{detail.name}  #{detail.seq}", tuple(facts)), *found]

    def _call_sections(self) -> list[Section]:
        """The DrawPrimitives2 that the token came in, by the members of its structure."""
        fields = self._detail.call_fields if self._detail is not None else ()
        width = max((len(field.header) for field in fields), default=0) + 1  # in one text: long names leave the others room
        members = tuple(Fact("", f"{field.header:{width}}{field.text}", mono=True) for field in fields if field.header)
        return [Section(CALL_STRUCT, members)] if members else []

    def _surface_sections(self) -> list[Section]:
        info = self.picture.info if self.picture else None
        if info is None:
            return []
        name, shown = self.desk.name_of(info), info.shows
        several = {"Levels": info.levels, "Faces": info.faces, "Samples": info.samples}
        facts = (
            *([Fact("Name", name)] if name else []),
            Fact("Handle", str(info.handle) if shown is None else f"DXGI {shown[0]}", mono=True),
            Fact("Size", sized(info).replace("×", " × ")),
            *(Fact(words, str(count)) for words, count in several.items() if count > 1),
            Fact("Format", str(info.format) if shown is None else str(info.label).removeprefix("dxgi ")),
            Fact("Memory", str(info.memory)),
            *([Fact("Created", f"#{info.created}", info.created)] if info.created >= 0 else []),
        )
        label = str(info.label or "surface").replace("_", " ")
        return [Section(label[:1].upper() + label[1:] if shown is None else info.title, facts)]


def _part(name: str, number: float, stored: int | None) -> str:
    """A channel as a number and as stored; what is counted, once."""
    if stored is None:
        return f"{number:.6f}"
    return f"{stored}" if name in COUNTED else f"{number:.6f}   {stored}"


def pixel_section(value: PixelValue, picture: Picture | None) -> Section:
    red, green, blue, alpha = value.rgba8
    facts = [Fact("Shown", f"{red}  {green}  {blue}  {alpha}", mono=True)]
    if value.raw is not None:
        facts.append(Fact("Stored", f"{value.raw:0{value.digits}x}", mono=True))
    if picture is not None and (data := bytes_at(picture, value.x, value.y)):
        facts.append(Fact("Bytes", data, mono=True))
    facts += [Fact(name, _part(name, number, stored), mono=True) for name, stored, number in value.parts]
    return Section(f"Pixel {value.x}, {value.y}", tuple(facts))
