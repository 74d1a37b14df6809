"""The history of a pixel as rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from inspector.query.pixels.fates import FATE_TITLES
from inspector.query.pixels.history import Entry, History, Miss
from inspector.query.pixels.pixel import PixelValue
from inspector.view import CaptureView
from ui.words import argb_of

Rgba = tuple[float, ...]


@dataclass(frozen=True)
class Row:
    """One entry of the history, or one miss.  `mark` and `color` are theme tokens; swatches 0xAARRGGBB or None."""

    event: int
    token: str
    primitive: int | None
    sample: int | None
    fate: str
    sentence: str
    mark: str
    color: str
    swatches: tuple[int | None, ...] = ()
    """The colours before, shaded and after."""
    entry: Entry | None = None
    frame: int = 0

    def value(self, moment: int) -> str:
        """What was there before (0), shaded (1), after (2), in numbers; "" for what has none."""
        entry = self.entry
        if entry is None:
            return ""
        if moment == 1:
            return "" if entry.shaded is None else ", ".join(f"{part:.4g}" for part in entry.shaded)
        stored = entry.before if moment == 0 else entry.after
        return f"{stored.stored}  {stored.text}"

    @property
    def depth(self) -> str:
        """Of the fragment."""
        return "" if self.entry is None or self.entry.depth is None else f"{self.entry.depth:.7g}"

    def kept(self, name: str) -> str:
        """The "depth" or "stencil" that was stored, as "0.5", or as "0.5 \N{RIGHTWARDS ARROW} 0.25" if another was written."""
        if self.entry is None:
            return ""
        both = (self.entry.before, self.entry.after), (self.entry.other_before, self.entry.other_after)
        for pair in both:
            values = [getattr(value, name) for value in pair if value is not None]
            if len(values) == 2 and None not in values:
                return " \N{RIGHTWARDS ARROW} ".join(dict.fromkeys(f"{value:.7g}" for value in values))
        return ""

    def swatch(self, moment: int) -> int | None:
        return self.swatches[moment] if self.swatches else None

    @property
    def which(self) -> str:
        """The primitive, as "175", or as "175.2" of sample 2."""
        sample = "" if self.sample is None else f".{self.sample}"
        return "" if self.primitive is None else f"{self.primitive}{sample}"

    def mentions(self, words: Iterable[str]) -> bool:
        """Whether all words are in it."""
        text = f"#{self.event} {self.token} {self.fate} {self.sentence}".casefold()
        return all(word in text for word in words)


def rows_of(capture: CaptureView, history: History) -> list[Row]:
    """Entries and misses in the order of time: by event, and within a draw by primitive."""
    rows = [entry_row(capture, entry) for entry in history.entries] + [miss_row(capture, miss) for miss in history.misses]
    return sorted(rows, key=lambda row: (row.event, -1 if row.primitive is None else row.primitive))


def entry_row(capture: CaptureView, entry: Entry) -> Row:
    mark = "good" if entry.passed else "error"
    return Row(
        entry.event, capture.name(entry.event), entry.primitive, entry.sample,
        FATE_TITLES[entry.fate] if entry.kind == "fragment" else entry.kind, entry.reason, mark,
        "text" if entry.passed else "muted", (swatch(entry.before), argb(entry.shaded), swatch(entry.after)), entry,
        entry.frame,
    )  # fmt: skip


def miss_row(capture: CaptureView, miss: Miss) -> Row:
    return Row(
        miss.event, capture.name(miss.event), miss.primitive, None, "missed", miss.reason, "faint", "faint", frame=miss.frame
    )


def argb(color: Rgba | None) -> int | None:
    """0xFFRRGGBB of numbers in 0..1."""
    return None if color is None else argb_of(color)


def swatch(value: PixelValue) -> int | None:
    """As the picture shows it; depth as grey."""
    return argb_of(value.color)
