"""Validates arguments and results of driver calls from a file: what is returned is safe for all readers of calls.

A value of the wrong type, a text where a number belongs or a list where a handle does, is left out: its call then lacks this
argument, which the driver finds (rule bad-argument), and every other call of the capture is what it was.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from core.spec.calls import CALLS, CAP_KINDS, KINDS
from core.spec.kinds import F32

LARGEST = 1 << 63
DEEPEST = 2  # lists within each other
BOXES = frozenset({"box", "rect", "rects", "source_box", "destination_box"})
LISTS = BOXES | {
    "handles", "resources", "surface", "surfaces", "views", "callbacks", "pitches", "slice_pitches", "texture_formats",
    "low", "high", "resumed", "status", "asked",
}  # fmt: skip
TEXTS = frozenset(name for name, kind in KINDS.items() if kind is None)
NUMBERS = frozenset({"rop", "time", "thread", "synthetic", "buffer_offset"}) | {
    argument.name for row in CALLS.values() for argument in (*row.args, *row.out) if argument.kind is not F32
}  # fmt: skip
FLOATS = frozenset(argument.name for row in CALLS.values() for argument in (*row.args, *row.out) if argument.kind is F32)
Fits = Callable[[Any], bool]


def checked(entry: str, values: dict[str, Any]) -> dict[str, Any]:
    """The arguments or results that fit, lists as tuples."""
    found = {}
    for name, value in values.items():
        if type(value) is int and -LARGEST <= value < LARGEST and name not in TEXTS:
            found[name] = value
        elif _fitting(entry, name)(value):
            found[name] = _tuples(value)
    return found


@cache
def _fitting(entry: str, name: str) -> Fits:
    if name in LISTS:
        return _is_list_or_number
    if name in TEXTS:
        return _is_text
    if name in FLOATS or (entry == "GetDriverInfo" and name in CAP_KINDS):
        return _is_number
    if entry == "GetDriverInfo" and name == "type":  # in words, too
        return lambda value: _is_text(value) or _is_whole(value)
    return _is_whole if name in NUMBERS or name in KINDS else _is_anything_plain


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and -LARGEST <= value < LARGEST


def _is_number(value: Any) -> bool:
    return isinstance(value, float) or _is_whole(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_anything_plain(value: Any) -> bool:
    return (
        value is None
        or _is_text(value)
        or _is_number(value)
        or _is_list(value, lambda item: _is_text(item) or _is_number(item))
    )


def _is_list_or_number(value: Any) -> bool:
    return value is None or _is_whole(value) or _is_list(value, lambda item: _is_whole(item) or _is_text(item))


def _is_list(value: Any, fits: Fits, depth: int = 1) -> bool:
    if not isinstance(value, (list, tuple)) or depth > DEEPEST:
        return False
    return all(fits(item) or _is_list(item, fits, depth + 1) for item in value)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, (list, tuple)) else value
