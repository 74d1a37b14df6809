"""The columns of the event list, and the values of those that are computed only when a row becomes visible."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ui.index import CLEAR, COPY, DRAW


@dataclass(frozen=True)
class EventColumn:
    """`name`: as settings know it, and inspector.query.events.columns; `kinds`: the events that have a value, if not all."""

    name: str
    title: str
    width: int
    kinds: tuple[int, ...] = ()
    is_late: bool = False
    text: Callable[[Any], str] = str
    is_number: bool = False


def _handles(handles: Iterable[int]) -> str:
    return " ".join(map(str, handles))


COLUMNS = (
    EventColumn("number", "#", 58, is_number=True),
    EventColumn("call", "Driver call", 52, is_number=True),
    EventColumn("text", "Event", 300),
    EventColumn("source", "API call", 112, is_late=True),
    EventColumn("draw", "Draw", 52, (DRAW,), is_number=True),
    EventColumn("primitives", "Primitives", 74, (DRAW,), is_number=True),
    EventColumn("target", "Target", 76, (DRAW, CLEAR, COPY), is_late=True, text="surface {}".format),
    EventColumn("textures", "Textures", 110, (DRAW,), is_late=True, text=_handles),
    EventColumn("pixels", "Pixels", 74, (DRAW,), is_late=True, text="{:,}".format, is_number=True),
    EventColumn("tests", "Tests and blending", 230, (DRAW,), is_late=True),
    EventColumn("findings", "Findings", 130),
    EventColumn("cost", "Replay (ms)", 84, (DRAW,), is_late=True, text="{:.2f}".format, is_number=True),
)
NUMBER, CALL, TEXT, SOURCE, DRAWN, PRIMITIVES, TARGET, TEXTURES, PIXELS, TESTS, FINDINGS, COST = range(len(COLUMNS))
SHOWN = (NUMBER, TEXT, SOURCE)
"""Those that a new user sees."""


class LateValues:
    """What is known of the late columns, and what is not and was looked at: `wanted`, events by column."""

    def __init__(self, wish: Callable[[], object]) -> None:
        self._wish = wish
        self._known: dict[int, dict[int, Any]] = defaultdict(dict)
        self.wanted: dict[int, set[int]] = {}

    def clear(self) -> None:
        self._known.clear()
        self.wanted.clear()

    def known(self, column: int) -> dict[int, Any]:
        """What is known of a column, by event."""
        return self._known[column]

    def get(self, column: int, event: int) -> Any:
        """The value; None if there is none, or none yet: then it is wanted from now on."""
        known = self._known[column]
        if event not in known:
            self.wanted.setdefault(column, set()).add(event)
            self._wish()
            return None
        return known[event]

    def put(self, column: int, values: Mapping[int, Any]) -> None:
        """Values that were wanted, None where there is none."""
        self._known[column].update(values)
        left = self.wanted.get(column, set()) - values.keys()
        if left:
            self.wanted[column] = left
        else:
            self.wanted.pop(column, None)

    def take(self, most: int) -> dict[int, list[int]]:
        """What is wanted, the last events of each column; nothing is wanted then until it is looked at again."""
        taken = {column: sorted(events)[-most:] for column, events in self.wanted.items()}
        self.wanted.clear()
        return taken
