"""How surfaces were looked at, kept from session to session: by capture, of the last MOST captures."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.query.looks.tones import Tones

MOST = 20
KEPT = "ranges"
Key = tuple[int | str, str, bool]
"""A surface's handle, or its role; its format; whether values computed from it are meant."""


@dataclass
class Memory:
    """How a surface was looked at: black, white, gamma, whether they always fit, depth or stencil, channels of colour.

    own: the user changed something, which is kept.
    """

    tones: Tones
    auto: bool = False
    fitted: bool = False
    plane: int = 0
    shown: str = "RGB"
    own: bool = False


def read(kept: Callable[[str, Any], Any], source: str) -> dict[Key, Memory]:
    """The memories of a capture; what makes no sense is left out."""
    rows = kept(KEPT, {}).get(source)
    return dict(found for row in rows if (found := _memory(row)) is not None) if isinstance(rows, list) else {}


def write(kept: Callable[[str, Any], Any], keep: Callable[[str, Any], None], source: str, found: Mapping[Key, Memory]) -> None:
    """Keeps those that the user changed, as those of the newest capture."""
    rows = [
        [*key, one.tones.low, one.tones.high, one.tones.gamma, one.auto, one.plane, one.shown]
        for key, one in found.items()
        if one.own
    ]
    others = {name: value for name, value in kept(KEPT, {}).items() if name != source}
    newest = list(others.items())[-(MOST - 1) :] + ([(source, rows)] if rows else [])
    keep(KEPT, json.loads(json.dumps(dict(newest))))


def _memory(row: Any) -> tuple[Key, Memory] | None:
    """Of a row as `write` makes it; None for another, which somebody may have put into the settings."""
    try:
        name, form, computed, low, high, gamma, auto, plane, shown = row
        numbers = float(low), float(high), float(gamma)
        sane = all(map(math.isfinite, numbers)) and numbers[2] > 0 and set(shown) <= set("RGBA") and plane in (0, 1)
    except (TypeError, ValueError):
        return None
    if not sane or not isinstance(name, int | str) or not isinstance(form, str):
        return None
    return (name, form, bool(computed)), Memory(Tones(*numbers), bool(auto), True, int(plane), shown, True)
