"""The keys of state: for each key of the scripting contract its slots, and its text form.

Keys: "ALPHAREF"; ("TEXTURESTAGE", 0, "COLOROP"); ("TRANSFORM", "WORLD0"); ("LIGHT", 0, "Diffuse"); ("VIEWPORT", "X") ...
(`core.spec.slots` lists them).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from core.errors import BadInput
from core.spec.kinds import BOOL, F32, Kind
from core.spec.slots import LIGHT_FIELDS, ROWS, Key
from core.spec.states import RENDER_STATE_ID
from inspector.timeline.uses import FOR_CLEARS

MATRIX = 16


@dataclass(frozen=True, slots=True, eq=False)
class StatePlace:
    """Where a key's dwords lie, and how they read."""

    key: Key
    name: str
    stage: str
    slot: int
    count: int
    kind: Kind
    default: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Places, and their slots one after the other: place n has slots[starts[n]:starts[n + 1]] (int64).

    defaults: uint32 a slot; cleared: bool a place, whether a CLEAR reads it.
    """

    places: tuple[StatePlace, ...]
    slots: np.ndarray
    starts: np.ndarray
    defaults: np.ndarray
    cleared: np.ndarray


FIXED_PLACES = tuple(StatePlace(row.key, row.name, row.stage, row.slot, row.count, row.kind, row.default) for row in ROWS)
FIXED_BY_KEY = {place.key: place for place in FIXED_PLACES}

Lights = tuple[tuple[int, int], ...]
"""(number, first slot) of every light there is."""


def light_places(light: int, slot: int) -> Iterator[StatePlace]:
    """The fields of one light whose numbered slots begin at `slot`."""
    for name, field in LIGHT_FIELDS.items():
        key, title = ("LIGHT", light, name), f"Light {light} {name}"
        yield StatePlace(key, title, "light", slot + field.offset, field.count, field.kind, field.default)


@lru_cache(maxsize=64)
def places_with(lights: Lights) -> Mapping[Key, StatePlace]:
    """Every key there is when these lights exist, in the order of the rule book."""
    return FIXED_BY_KEY | {place.key: place for light, slot in lights for place in light_places(light, slot)}


@lru_cache(maxsize=256)
def layout_of_stage(stage: str | None, lights: Lights) -> Layout:
    """The places of one pipeline stage; of all without one."""
    return layout([place for place in places_with(lights).values() if stage is None or place.stage == stage])


def layout(places: Sequence[StatePlace]) -> Layout:
    counts = np.array([place.count for place in places], np.int64)
    starts = np.concatenate([[0], np.cumsum(counts)])
    slots = np.repeat(np.array([place.slot for place in places], np.int64) - starts[:-1], counts) + np.arange(starts[-1])
    defaults = np.array([word for place in places for word in place.default], np.uint32)
    cleared = np.array([place.slot < len(FOR_CLEARS) and FOR_CLEARS[place.slot] for place in places], bool)
    return Layout(tuple(places), slots, starts, defaults, cleared)


@lru_cache(maxsize=16)
def rows_of(layout: Layout) -> Mapping[Key, int]:
    """By key, the number of its place."""
    return {place.key: number for number, place in enumerate(layout.places)}


def spelled(key: Key) -> str:
    """A key as people type it: ALPHAREF, COLOROP[0], WORLD0, MATERIAL.Diffuse, LIGHT[2].Range, STREAM[0].stride, TEXTURE[1]."""
    if isinstance(key, str):
        return key
    kind, *rest = key
    if kind == "TRANSFORM":
        return str(rest[0])
    if kind == "TEXTURESTAGE":
        return f"{'TEXTURE' if rest[1] == 'TEXTUREMAP' else rest[1]}[{rest[0]}]"
    return kind + "".join(f"[{word}]" if isinstance(word, int) else f".{word}" for word in rest)


def key_text(key: Key) -> str:
    """A key as one word, which is read too: ALPHAREF, TEXTURESTAGE.0.COLOROP; of what a file has in its place, its text."""
    return ".".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _words(text: str) -> tuple[str, ...]:
    """What is between dots, brackets, slashes and blanks, whatever the case."""
    return tuple(filter(None, re.split(r"[.\[\]/\s]+", text.casefold())))


@lru_cache(maxsize=64)
def _by_words(lights: Lights) -> Mapping[tuple[str, ...], StatePlace]:
    """By spelling, by key and by name."""
    places = places_with(lights).values()
    return {_words(text): place for place in places for text in (place.name, key_text(place.key), spelled(place.key))}


@lru_cache(maxsize=64)
def _by_spelling(lights: Lights) -> Mapping[str, StatePlace]:
    return {spelled(place.key).casefold(): place for place in places_with(lights).values()}


ALIASES = {"world": "world0", "vs": "vertexshader", "ps": "pixelshader", "depth": "depthstencil"}


def places_like(pattern: str, lights: Lights) -> list[StatePlace]:
    """The places that a name means, whatever the case; * stands for anything: FOG*, *[0], LIGHT[*].Enabled.

    Names are spellings (COLOROP[0]), keys (TEXTURESTAGE.0.COLOROP) or those of the state table (Viewport X).  The name of a
    group stands for its members: LIGHT[0], MATERIAL, VIEWPORT, STREAM[1]; rs.* for render states only.
    """
    folded = pattern.casefold()
    if folded.startswith("rs."):
        return [place for place in _like(folded[3:], lights) if place.key in RENDER_STATE_ID]
    return _like(folded, lights)


def _like(folded: str, lights: Lights) -> list[StatePlace]:
    folded = "texture" + folded[3:] if folded.startswith("tex[") else ALIASES.get(folded, folded)
    exact = _by_words(lights).get(_words(folded))
    if exact is not None:
        return [exact]
    fits = _wildcard(folded)
    return [place for name, place in _by_spelling(lights).items() if fits.fullmatch(name)]


def _wildcard(pattern: str) -> re.Pattern[str]:
    """Matches names that begin as the pattern says and end there, or at a dot after it.  What stands between two stars is
    taken where it is found first (an atomic group): a matcher that tries all places takes for ever with a dozen stars."""
    first, *others = pattern.split("*")
    between = "".join(f"(?>.*?{re.escape(part)})" for part in others[:-1] if part)
    last = f".*{re.escape(others[-1])}" if others else ""
    return re.compile(rf"{re.escape(first)}{between}{last}(\..*)?")


def place_of(key: Key, lights: Lights) -> StatePlace:
    """The one place of a key, or of its text.  BadInput, with what may be meant, for one that is none."""
    found = places_with(lights).get(key) or _by_words(lights).get(_words(key_text(key)))
    if found is None:
        raise BadInput(f"unknown state {key_text(key)!r}{meant(key_text(key), lights)}")
    return found


def meant(name: str, lights: Lights) -> str:
    """`; did you mean ALPHAREF or ALPHAFUNC?`, or nothing."""
    near = difflib.get_close_matches(name.casefold(), list(_by_spelling(lights)), 3)
    spellings = [spelled(_by_spelling(lights)[one].key) for one in near]
    return f"; did you mean {' or '.join(spellings)}?" if spellings else ""


def value_of(kind: Kind, raw: Sequence[int]) -> Any:
    """One dword by its kind, sixteen as a (4, 4) matrix, others as a tuple."""
    if len(raw) == 1:
        return kind.value(raw[0])
    if len(raw) == MATRIX and kind is F32:
        return np.array(raw, np.uint32).view(np.float32).reshape(4, 4)
    return tuple(kind.value(word) for word in raw)


def text_of(kind: Kind, raw: Sequence[int]) -> str:
    """The value in one line; matrices row by row."""
    if len(raw) == MATRIX:
        return " | ".join(" ".join(map(kind.text, raw[row : row + 4])) for row in range(0, MATRIX, 4))
    return " ".join(map(kind.text, raw))


def kind_name(kind: Kind, raw: Sequence[int]) -> str:
    """What the panels need to know to draw it: "enum", "flags", "float", "bool", "color", "handle", "matrix", "int"."""
    if len(raw) == MATRIX:
        return "matrix"
    if kind.members is not None:
        return "enum"
    names = {F32.name: "float", BOOL.name: "bool", "COLOR": "color", "HANDLE": "handle"}
    return names.get(kind.name, "int")
