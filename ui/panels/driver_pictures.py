"""The result for a recorded driver's pictures in the Verify panel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from inspector.query.comparison.driver_pictures import DriverPicture, sentence
from ui.widgets.facts import Fact, Section

NO_PICTURES = "This capture contains no pictures of a driver (ddir_picture; see Recording a driver)."


@dataclass(frozen=True)
class Pictures:
    """All pictures of a capture, compared."""

    found: tuple[DriverPicture, ...]
    tolerance: int = 0

    @property
    def first(self) -> DriverPicture | None:
        """The first that differs."""
        return next((one for one in self.found if one.difference is not None), None)

    @property
    def verdict(self) -> str:
        """In one sentence."""
        wrong = sum(one.difference is not None for one in self.found)
        counted = f"{len(self.found):,} pictures of the driver"
        if self.tolerance and self.found:
            counted += f", tolerance {self.tolerance}"
        if self.first is None:
            return f"{counted}. No difference." if self.found else NO_PICTURES
        return f"{counted}, {wrong:,} differ. First difference: event {self.first.event}."

    def sections(self, text: Callable[[int], str]) -> list[Section]:
        """The first difference: the picture, the pixel, and the primitive that wrote it."""
        if self.first is None:
            return [Section("Pictures", (Fact("", self.verdict),))]
        one, culprit = self.first, self.first.culprit
        picture = (Fact("After", f"event {one.event}", one.event), Fact("Surface", str(one.where)), Fact("", sentence(one)))
        if culprit is None:
            writer = Fact("", "Nothing has written these pixels since the previous picture.")
            return [Section("First difference", picture), Section("Written by", (writer,))]
        facts = [Fact("Event", f"event {culprit.event}", culprit.event), Fact("", text(culprit.event))]
        if culprit.primitive >= 0:
            facts.append(Fact("Primitive", f"{culprit.primitive:,}"))
        facts.append(Fact("Pixel", f"({culprit.x}, {culprit.y})"))
        return [Section("First difference", picture), Section("Written by", tuple(facts))]

    def place(self) -> dict[str, Any]:
        """The focus on the pixel of the first difference."""
        assert self.first is not None and self.first.difference is not None
        one, culprit, gone = self.first, self.first.culprit, self.first.difference
        pixel = (culprit.x, culprit.y) if culprit else (gone.x, gone.y)
        event = culprit.event if culprit else one.event
        primitive = culprit.primitive if culprit and culprit.primitive >= 0 else None
        where = one.where
        return {"event": event, "surface": where.surface, "level": where.level, "face": where.face, "slice": gone.slice,
                "pixel": pixel, "primitive": primitive}  # fmt: skip
