"""Tokens that restore slots of the register vector: encodes state as a stream.

Which token sets a slot, and from which of its fields, is what the rows of `core.spec.tokens` say (`Token.writes`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.spec.effects import Slots
from core.spec.enums import LightData
from core.spec.slots import BASE, LIGHT_SLOTS, PIXEL_CONSTANTS, REGISTERS, SLOTS, STREAMS, TRANSFORM_SLOTS, VERTEX_CONSTANTS
from core.spec.tokens import TOKEN_BY_NAME, TOKENS, Token

if TYPE_CHECKING:
    from core.device.registers.vector import Registers

FIRSTS, FIELDS = zip(*sorted((first, name) for name, first in BASE.items()), strict=True)
MATRIX_AT = {slot: number for number, slot in enumerate(TRANSFORM_SLOTS) if slot >= 0}
MATRIX, TRANSFORM = 16, "transform"
LIGHT_WORDS = LIGHT_SLOTS - 1  # what SETLIGHT carries: without whether it is on


class Setter(NamedTuple):
    """A token that sets slots first .. first + size - 1; `numbers`: the fields that say which element these are."""

    row: Token
    numbers: Mapping[str, int]
    first: int
    size: int
    ahead: bytes | None = None  # of a record that ends with the words: what comes before them

    def payload(self, vector: np.ndarray) -> bytes:
        """Its record, with the values of a vector."""
        words = vector[self.first : self.first + self.size]
        if self.ahead is None:
            return record(self.row, self.numbers, words)
        return self.ahead + words.astype("<u4", copy=False).tobytes()


def widths(row: Token, writes: Slots) -> list[int | None]:
    """How many slots each of `words` fills; None: as many as an element has (a part of any size)."""
    fields = {field.name: field.bytes // 4 for field in row.fields}
    return [1 if isinstance(word, int) else fields.get(word) for word in writes.words]


def record(row: Token, numbers: Mapping[str, int], words: np.ndarray) -> bytes:
    """A record of one element: its numbers, and `words` (uint32) in the fields and the part that they belong to."""
    data = np.ascontiguousarray(words, "<u4").tobytes()
    return b"".join(
        data[piece.place] if piece.place else _number(piece, numbers) for piece in _pieces(row.op)
    )  # fmt: skip


class Piece(NamedTuple):
    """A part of a record: `place` in the bytes of the words, or where that is None a number of this many bytes."""

    name: str
    bytes: int
    place: slice | None


def _ahead(row: Token, numbers: Mapping[str, int], size: int) -> bytes | None:
    """What comes before the words in a record that ends with `size` of them, as they are; None for other records."""
    pieces = _pieces(row.op)
    lead = next((i for i, piece in enumerate(pieces) if piece.place is not None), len(pieces))
    places, at = [piece.place for piece in pieces[lead:]], 0
    for place in places:
        if place is None or place.start != at:
            return None
        at = 4 * size if place.stop is None else place.stop
    return b"".join(_number(piece, numbers) for piece in pieces[:lead]) if at == 4 * size else None


def _number(piece: Piece, numbers: Mapping[str, int]) -> bytes:
    return int(numbers.get(piece.name, 1)).to_bytes(piece.bytes, "little")


@cache
def _pieces(op: int) -> tuple[Piece, ...]:
    """What a record of a token is made of; fields that count parts are numbers, too."""
    row = TOKENS[op]
    assert row.writes is not None
    places, at = {}, 0
    for word, width in zip(row.writes.words, widths(row, row.writes), strict=True):
        places[word] = slice(at, None if width is None else at + 4 * width)
        at += 4 * (width or 0)
    fields = [Piece(field.name, field.bytes, places.get(field.name)) for field in row.fields]
    return (*fields, *(Piece(part.name, 0, places[part.name]) for part in row.parts if part.name in places))


def _setters() -> dict[str, tuple[Token, ...]]:
    """Field of the register vector -> the tokens that set it, so that they may say all its values."""
    found: dict[str, tuple[Token, ...]] = {}
    for row in TOKENS.values():
        writes = row.writes
        if writes is None or writes.updates or row.since >= 9:
            continue
        if writes.field == TRANSFORM:
            names = ["view", "projection", "texture_transform", "world"]
        elif writes.field in BASE:
            names = [writes.field]
            if not writes.keys:  # what is set together may be fields of its own
                end = BASE[writes.field] + sum(width or 0 for width in widths(row, writes))
                names = [name for name, first in BASE.items() if BASE[writes.field] <= first < end]
        else:
            continue
        for name in names:
            found[name] = (*found.get(name, ()), row)
    return found


SETTERS = _setters()


def field_of(slot: int) -> str:
    """The field of the register vector that a slot below SLOTS belongs to."""
    return str(FIELDS[bisect_right(FIRSTS, slot) - 1])


def setter_of(slot: int, vector: np.ndarray) -> Setter | None:
    """The token that brings a slot to its value in `vector`; None if none does."""
    for found, fixed in _candidates(slot):
        if all(vector[at] == value for at, value in fixed):
            return found
    return None


@cache
def _candidates(slot: int) -> tuple[tuple[Setter, tuple[tuple[int, int], ...]], ...]:
    """Tokens that set a slot, each with (slot, value) where it can only set this value."""
    found = []
    for row in SETTERS.get(field_of(slot), ()):
        setter = _setter(row, slot)
        assert row.writes is not None
        fixed = tuple((setter.first + i, word) for i, word in enumerate(row.writes.words) if isinstance(word, int))
        found.append((setter, fixed))
    return tuple(found)


def _setter(row: Token, slot: int) -> Setter:
    writes = row.writes
    assert writes is not None
    if writes.field == TRANSFORM:
        first = slot - (slot - BASE["view"]) % MATRIX
        found = {writes.keys[0][0]: MATRIX_AT[first]}
        return Setter(row, found, first, MATRIX, _ahead(row, found, MATRIX))
    numbers, rest = {}, slot - BASE[writes.field]
    for name, stride in writes.keys:
        numbers[name], rest = divmod(rest, stride)
    least = writes.keys[-1][1] if writes.keys else 0
    size = sum(least if width is None else width for width in widths(row, writes))
    return Setter(row, numbers, slot - rest, size, _ahead(row, numbers, size))


# ---- tokens ----------------------------------------------------------------------------------------------------------


def state_tokens(registers: Registers, slot: int, count: int) -> bytes | None:
    """Tokens after which `count` slots from `slot` hold what they hold in `registers`; None if no token sets them.

    A token that sets more than asked for also sets the rest, to its present values.
    """
    if slot >= SLOTS:
        return _numbered(registers, slot, count)
    found = b""
    for at in range(slot, slot + count):
        setter = setter_of(at, registers.vector)
        if setter is None:
            return None
        made = _token(setter.row, setter.payload(registers.vector)) + b"".join(_after(setter, registers.vector))
        found += made if made not in found else b""
    return found


def _token(row: Token, payload: bytes) -> bytes:
    """A token of one record."""
    return bytes((row.op, 0, 1, 0)) + payload


def _after(setter: Setter, vector: np.ndarray) -> Iterator[bytes]:
    """What making a shader current loads: the constants that it defines, without one the streams."""
    value = int(vector[setter.first])
    if setter.row.name == "SETVERTEXSHADER":
        yield from (_constants(vector, "vs_const", VERTEX_CONSTANTS),) if value else _streams(vector)
    elif setter.row.name == "SETPIXELSHADER" and value:
        yield _constants(vector, "ps_const", PIXEL_CONSTANTS)


def _streams(vector: np.ndarray) -> Iterator[bytes]:
    for slot in range(BASE["stream"], BASE["stream"] + 3 * STREAMS, 3):
        setter = setter_of(slot, vector)
        assert setter is not None
        yield _token(setter.row, setter.payload(vector))


def _constants(vector: np.ndarray, field: str, count: int) -> bytes:
    """All constants of a kind of shader."""
    (row,) = SETTERS[field]
    return _token(row, record(row, {"register": 0, "count": count}, vector[BASE[field] :][: 4 * count]))


def _numbered(registers: Registers, slot: int, count: int) -> bytes | None:
    """Lights and palettes."""
    owner = registers.key_of(slot)
    if owner is None:
        return None
    kind, number, word = owner
    first, vector = slot - word, registers.vector
    if kind == "palette":
        row = TOKEN_BY_NAME["UPDATEPALETTE"]
        return _token(row, record(row, {"palette": number, "start": word, "count": count}, vector[slot : slot + count]))
    row, found = TOKEN_BY_NAME["SETLIGHT"], b""
    if word < LIGHT_WORDS:
        values = vector[first : first + LIGHT_WORDS]
        found += _token(row, record(row, {"index": number, "data": LightData.DATA}, values))
    if word + count > LIGHT_WORDS:
        on = LightData.ENABLE if vector[first + LIGHT_WORDS] else LightData.DISABLE
        found += _token(row, record(row, {"index": number, "data": on}, vector[:0]))
    return found


assert set(SETTERS) == set(REGISTERS.names or ()) - {"scene", "point_limit", "before_7", "reserved"}
