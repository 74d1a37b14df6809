"""The options: one row each, from which the settings dialog, its values and its checks are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from inspector.timeline.budgets import MEGABYTE, USUAL

START, LOOK, NUMBERS, MEMORY = "Start and files", "Appearance", "Numbers", "Memory and cache"
MOST_OF_A_NAME = 200
LATER = "from the next start"
NEXT = "from the next capture"


@dataclass(frozen=True)
class Option:
    """choices: (value, words); fonts: the name of "all" or of the "fixed" ones, "": as usual; else a whole number from `least`
    to `most`.  when: a change does not count at once."""

    name: str
    group: str
    text: str
    usual: Any
    choices: tuple[tuple[Any, str], ...] = ()
    least: int = 0
    most: int = 0
    unit: str = ""
    about: str = ""
    when: str = ""
    fonts: str = ""

    def checked(self, value: Any) -> Any:
        """The value as kept, or the usual one for what makes no sense (any more)."""
        if self.fonts:
            return value[:MOST_OF_A_NAME] if isinstance(value, str) else self.usual
        if self.choices:
            return next((one for one, _ in self.choices if str(one) == str(value)), self.usual)
        try:
            return min(max(int(value), self.least), self.most)
        except (TypeError, ValueError):
            return self.usual


OPTIONS: tuple[Option, ...] = (
    Option("start", START, "Begin with", "last",
           (("last", "the last capture, where you left it"), ("page", "the start page"),
            ("sample", "the built-in capture"))),
    Option("autosave", START, "Save the view every", 30, least=5, most=600, unit="s",
           about="How often the view and the edits are saved, so that you can continue there after a crash"),
    Option("theme", LOOK, "Theme", "system",
           (("system", "system"), ("dark", "dark"), ("light", "light"), ("contrast", "high contrast"))),
    Option("palette", LOOK, "Colours of events and marks", "usual",
           (("usual", "Okabe and Ito"), ("tol", "Tol: no red next to green"),
            ("blue-orange", "blue and orange: differ in lightness"))),
    Option("scale", LOOK, "Scale", 100, tuple((percent, f"{percent}%") for percent in (100, 125, 150, 175, 200)),
           about="On top of the system's scale", when=LATER),
    Option("family", LOOK, "Font", "", fonts="all", about="For all text; by default the best font that the system has"),
    Option("mono", LOOK, "Font of values", "", fonts="fixed", about="For values, events and code; only monospaced fonts"),
    Option("font", LOOK, "Font size", 100, tuple((percent, f"{percent}%") for percent in (85, 100, 115, 130))),
    Option("timeline", LOOK, "Height of the timeline", 72, least=64, most=240, unit="px"),
    Option("digits", NUMBERS, "Digits of floats in tables", 6, least=3, most=9,
           about="Nine digits are enough to tell any two floats apart"),
    Option("integers", NUMBERS, "Integers of tokens and states", "decimal",
           (("decimal", "decimal"), ("hex", "hexadecimal"), ("both", "both")),
           about="In Token, State, API calls and the integers of vertices; masks and addresses are always hexadecimal"),
    Option("memory", MEMORY, "Memory for looking back", USUAL.memory // MEGABYTE, least=64, most=65_536, unit="MB", when=NEXT,
           about="For keyframes and for the frame logs of steps, pixel history and overlays, together"),
    Option("disk", MEMORY, "Keyframes on disk", 256, least=0, most=65_536, unit="MB", when=NEXT,
           about="Per capture, and as much again for images of frames while it is open; 0 keeps none"),
)  # fmt: skip
BY_NAME = {option.name: option for option in OPTIONS}
GROUPS = tuple(dict.fromkeys(option.group for option in OPTIONS))
