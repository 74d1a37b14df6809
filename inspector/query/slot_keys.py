"""Keys of state as people write them: "ALPHAREF", "COLOROP[0]", "VIEWPORT.X", "LIGHT.0.Diffuse"; and values for them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from core.errors import BadInput
from core.spec.kinds import Kind
from core.spec.slots import LIGHT_FIELDS, ROWS, Key


def slots_of(key: Key, lights: Mapping[int, int]) -> tuple[int, int, Kind]:
    """(first slot, how many, kind) of a key, or of its text; `lights`: first slot by number.  BadInput: no such state."""
    text = key_text(key)
    words = tuple(filter(None, re.split(r"[.\[\]/\s]+", text.upper())))
    found = _fixed().get(words)
    if found is not None:
        return found
    if len(words) == 3 and words[0] == "LIGHT" and words[1].isdigit():
        field = {name.upper(): field for name, field in LIGHT_FIELDS.items()}.get(words[2])
        if field is not None and int(words[1]) in lights:
            return lights[int(words[1])] + field.offset, field.count, field.kind
    near = difflib.get_close_matches(text.upper(), [".".join(known) for known in _fixed()], 3)
    raise BadInput(f"there is no state {text!r}" + (f"; is it {' or '.join(near)}?" if near else ""))


@cache
def _fixed() -> dict[tuple[str, ...], tuple[int, int, Kind]]:
    """Keys and names of the rule book's rows as words: ("COLOROP", "0") and ("TEXTURESTAGE", "0", "COLOROP")."""
    found = {}
    for row in ROWS:
        for text in (row.key if isinstance(row.key, str) else ".".join(map(str, row.key)), row.name):
            found[tuple(filter(None, re.split(r"[.\[\]/\s]+", text.upper())))] = row.slot, row.count, row.kind
    return found


def key_text(key: Key) -> str:
    """A key as `slots_of` reads it: "ALPHAREF", "TEXTURESTAGE.0.COLOROP"."""
    return ".".join(map(str, key)) if isinstance(key, tuple) else key


def dwords_of(kind: Kind, count: int, value: Any) -> np.ndarray:
    """uint32[count]: what a value, or its text ("0x40", "WIREFRAME", "1 0 0 1"), is as bits.  BadInput if it is none."""
    if isinstance(value, str):
        parts: list[Any] = re.split(r"[,\s]+", value.strip()) if count > 1 else [value.strip()]
    else:
        parts = np.asarray(value).reshape(-1).tolist()
    if len(parts) != count:
        raise BadInput(f"{value!r} is {len(parts)} values, not {count}")
    try:
        return np.array([kind.raw(part) for part in parts], np.uint32)
    except (ValueError, TypeError) as error:
        raise BadInput(f"{value!r} cannot be: {error}") from error
