"""A call of the columns as Python values: for the runtime's rare methods, and for display (`describe`)."""

from __future__ import annotations

import struct
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple
from unicodedata import normalize

from core.runtime.calls.columns import FAKE, Calls, Names, Signature, uint_at
from core.runtime.calls.naming7 import meanings
from core.runtime.calls.values import (
    ABSENT,
    ARRAY,
    BLOB,
    ENUM,
    ENUMV,
    FALSE,
    FLOAT,
    MASKV,
    MOST_VALUES,
    NULL,
    OPAQUE,
    SINT,
    STRUCT,
    STRUCTV,
    TRUE,
    UINT,
)  # fmt: skip

NOTHING = frozenset((NULL, ABSENT))
NESTED = frozenset((BLOB, ARRAY, STRUCTV))  # where the number is an offset; the frequent ones
SCALARS = frozenset((FALSE, TRUE, UINT, ENUMV, MASKV, OPAQUE))
_FLOAT = struct.Struct("<f")
_DOUBLE = struct.Struct("<d")


class Word(int):
    """A number that has a name: a member of an enumeration, a bit mask, a pointer."""

    text: str

    def __new__(cls, value: int, text: str) -> Word:
        word = super().__new__(cls, value)
        word.text = text
        return word

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


class Blob(NamedTuple):
    """Bytes of an argument: how many, and a digest when only that was kept."""

    size: int
    contents: bytes | None = None
    digest: str = ""

    def __str__(self) -> str:
        return f"blob({self.size})"


@dataclass(frozen=True, slots=True)
class SourceCall:
    """One API call as it was made: values are None, numbers, Words, strings, Blobs, lists, and dicts for structures."""

    number: int
    name: str
    args: list[tuple[str, Any]]
    result: int
    thread: int = 0
    fake: bool = False

    def __str__(self) -> str:
        words = ", ".join(f"{name} = {text(value)}" for name, value in self.args)
        return f"{self.name}({words})"

    def __getitem__(self, name: str) -> Any:
        return dict(self.args)[name]

    def written(self) -> list[tuple[str, str]]:
        """The arguments by name, as text."""
        return [(name, text(value)) for name, value in self.args]


def text(value: Any) -> str:
    """An argument as apitrace prints it: `&{Width = 4}`, NULL, D3DRS_LIGHTING."""
    if value is None:
        return "NULL"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {text(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "&" + text(value[0]) if len(value) == 1 else "{" + ", ".join(map(text, value)) + "}"
    if isinstance(value, float):
        return f"{value:.7g}"
    return str(value)


MOST_NAMED = 64  # members; longer structures are plain tuples


@lru_cache(256)
def _members(struct: Signature) -> Callable[[list[Any]], Any]:
    """What makes a tuple of a structure's members, which also have their names."""
    if len(struct.arguments) > MOST_NAMED:
        return tuple
    names = [normalize("NFKC", name) for name in struct.arguments]  # as Python's parser reads them: some are the same then
    made: Any = namedtuple("Members", names, rename=True)  # type: ignore[misc]
    return partial(tuple.__new__, made)


READ_LATE = frozenset({"DDSURFACEDESC", "DDSURFACEDESC2", "DDBLTFX"})
"""Structures of twenty or more members, of which most calls need one or two."""


class LateStruct:
    """A structure that is read up to the member that somebody asks for, by its name."""

    __slots__ = ("_at", "_places", "_reader", "_values")

    def __init__(self, reader: Reader, places: dict[str, int], at: int) -> None:
        """places: members by name; at: where the first one is."""
        self._reader, self._places, self._at = reader, places, at
        self._values: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        place, values = self._places.get(name), self._values
        if place is None:
            raise AttributeError(name)
        if place >= len(values):
            more, self._at = self._reader._several(place + 1 - len(values), self._at)
            values += more
        return values[place]


class Reader:
    """Reads values at offsets of one chunk's bytes.

    Structures become tuples with named members, arrays lists, blobs memoryviews of the chunk (valid until the next),
    enumerations and masks numbers.
    """

    def __init__(self, calls: Calls) -> None:
        self.data = calls.data.data
        self.names = calls.names
        self.defined: dict[int, int] = {offset: kind for kind, _, offset in calls.definitions.tolist()}
        self._makers: dict[int, tuple[Callable[[list[Any]], Any], int]] = {}  # of structures, with their count of members
        self._places: dict[int, dict[str, int]] = {}  # members of structures that are read late, none of others
        self._table: list[Callable[[int], tuple[Any, int]]] = [
            lambda p: (None, p), lambda p: (False, p), lambda p: (True, p), self._negative, self._number, self._float,
            self._double, self._string, self._blob, self._enum, self._mask, self._array, self._struct, self._pointer,
            self._repr, self._wide, self._omitted,
        ]  # fmt: skip
        self._defines = bool(self.defined)

    def value(self, p: int) -> Any:
        """The value whose tag byte is at p."""
        return self._table[self.data[p]](p + 1)[0]

    def late_argument(self, tag: int, number: int) -> Any:
        """An argument slot of the columns; a pointer to a large structure as a list of one that is read when it is needed."""
        if tag == ARRAY and self.data[number + 1] == 1 and self.data[number + 2] == STRUCTV:
            struct, at = uint_at(self.data, number + 3)
            places = self._places.get(struct)
            if places is None:
                name, members = self.names.structs[struct]
                places = {member: i for i, member in reversed([*enumerate(members)])} if name in READ_LATE else {}
                self._places[struct] = places
            if places:
                return [LateStruct(self, places, self._past(at))]
        return self.argument(tag, number)

    def argument(self, tag: int, number: int) -> Any:
        """An argument slot of the columns."""
        if tag in NOTHING:
            return None
        if tag in NESTED:
            return self._table[self.data[number]](number + 1)[0]
        if tag in SCALARS:
            return number
        if tag == SINT:
            return number - (number >> 63 << 64)
        if tag == FLOAT:
            return _FLOAT.unpack(number.to_bytes(4, "little"))[0]
        return self.value(number)

    def _next(self, p: int) -> tuple[Any, int]:
        return self._table[self.data[p]](p + 1)

    def _several(self, count: int, p: int) -> tuple[list[Any], int]:
        """This many values from p on; most are numbers of one or two bytes."""
        data, table = self.data, self._table
        values = []
        for _ in range(count):
            tag = data[p]
            if tag == UINT:
                number = data[p + 1]
                if number < 128:
                    p += 2
                elif (high := data[p + 2]) < 128:
                    number, p = number & 127 | high << 7, p + 3
                else:
                    number, p = uint_at(data, p + 1)
                values.append(number)
            else:
                value, p = table[tag](p + 1)
                values.append(value)
        return values, p

    def _past(self, p: int) -> int:
        """p, or what follows the definition that stands at p."""
        kind = self.defined.get(p)
        if kind is None:
            return p
        if kind == STRUCT:
            n, p = uint_at(self.data, p)
            p += n
        count, p = uint_at(self.data, p)
        for _ in range(count):
            n, p = uint_at(self.data, p)
            p += n
            if kind != STRUCT:
                _, p = uint_at(self.data, p + 1 if kind == ENUM else p)
        return p

    def _number(self, p: int) -> tuple[Any, int]:
        return uint_at(self.data, p)

    def _pointer(self, p: int) -> tuple[Any, int]:
        return uint_at(self.data, p)

    def _negative(self, p: int) -> tuple[Any, int]:
        n, p = uint_at(self.data, p)
        return -n, p

    def _float(self, p: int) -> tuple[Any, int]:
        return _FLOAT.unpack_from(self.data, p)[0], p + 4

    def _double(self, p: int) -> tuple[Any, int]:
        return _DOUBLE.unpack_from(self.data, p)[0], p + 8

    def blob(self, p: int) -> memoryview:
        """The bytes whose tag byte is at p."""
        n, p = uint_at(self.data, p + 1)
        return self.data[p : p + n]

    def _blob(self, p: int) -> tuple[Any, int]:
        n, p = uint_at(self.data, p)
        return self.data[p : p + n], p + n

    def _string(self, p: int) -> tuple[Any, int]:
        n, p = uint_at(self.data, p)
        return str(self.data[p : p + n], "latin1"), p + n

    def _wide(self, p: int) -> tuple[Any, int]:
        n, p = uint_at(self.data, p)
        if n > MOST_VALUES:
            raise ValueError(f"more than {MOST_VALUES} characters")
        units = []
        for _ in range(n):
            unit, p = uint_at(self.data, p)
            units.append(chr(unit & 0xFFFF))
        return "".join(units), p

    def _enum(self, p: int) -> tuple[Any, int]:
        _, p = uint_at(self.data, p)
        p = self._past(p)
        n, q = uint_at(self.data, p + 1)
        return -n if self.data[p] == SINT else n, q

    def _mask(self, p: int) -> tuple[Any, int]:
        _, p = uint_at(self.data, p)
        return uint_at(self.data, self._past(p))

    def _array(self, p: int) -> tuple[Any, int]:
        n = self.data[p]
        if n < 128:
            return self._several(n, p + 1)
        n, p = uint_at(self.data, p)
        return self._several(n, p)

    def _struct(self, p: int) -> tuple[Any, int]:
        number, after = self.data[p], p + 1
        if number > 127:
            number, after = uint_at(self.data, p)
        made = self._makers.get(number)
        if made is None:
            struct, _ = self._members_at(p)
            made = self._makers[number] = _members(struct), len(struct.arguments)
        values, p = self._several(made[1], self._past(after) if after in self.defined else after)
        return made[0](values), p

    def _members_at(self, p: int) -> tuple[Signature, int]:
        """The structure whose number stands at p, and where its members begin."""
        number, p = uint_at(self.data, p)
        return self.names.structs[number], self._past(p) if self._defines else p

    def _repr(self, p: int) -> tuple[Any, int]:
        _, p = self._next(p)
        return self._next(p)

    def _omitted(self, p: int) -> tuple[Any, int]:
        n, p = uint_at(self.data, p)
        return Blob(n, None, bytes(self.data[p : p + 8]).hex()), p + 8


class NamingReader(Reader):
    """The same, for people: dicts for structures, Words for names, Blobs for blobs.  ValueError for more than MOST_VALUES."""

    _left = MOST_VALUES

    def _several(self, count: int, p: int) -> tuple[list[Any], int]:
        self._left -= count
        if self._left < 0:
            raise ValueError(f"more than {MOST_VALUES} values within an API call")
        return super()._several(count, p)

    def named(self, tag: int, number: int, word: int) -> Any:
        """An argument slot with the id of its enumeration or mask."""
        if tag == OPAQUE:
            return Word(number, f"{number:#x}")
        if tag == ENUMV:
            return _enum_word(self.names, word, number - (number >> 63 << 64))
        if tag == MASKV:
            return Word(number, mask_text(self.names.masks.get(word, []), number))
        return self.argument(tag, number)

    def _pointer(self, p: int) -> tuple[Any, int]:
        n, p = uint_at(self.data, p)
        return Word(n, f"{n:#x}"), p

    def _blob(self, p: int) -> tuple[Any, int]:
        n, p = uint_at(self.data, p)
        return Blob(n, bytes(self.data[p : p + n])), p + n

    def _enum(self, p: int) -> tuple[Any, int]:
        number, _ = uint_at(self.data, p)
        value, p = super()._enum(p)
        return _enum_word(self.names, number, value), p

    def _mask(self, p: int) -> tuple[Any, int]:
        number, _ = uint_at(self.data, p)
        value, p = super()._mask(p)
        return Word(value, mask_text(self.names.masks.get(number, []), value)), p

    def _struct(self, p: int) -> tuple[Any, int]:
        struct, p = self._members_at(p)
        values, p = self._several(len(struct.arguments), p)
        return dict(zip(struct.arguments, values, strict=True)), p

    def _repr(self, p: int) -> tuple[Any, int]:
        human, p = self._next(p)
        machine, p = self._next(p)
        return human if isinstance(human, str) else machine, p


def _enum_word(names: Names, number: int, value: int) -> int:
    name = names.enums.get(number, {}).get(value)
    return value if name is None else Word(value, name)


def mask_text(words: list[tuple[str, int]], value: int) -> str:
    """`D3DFVF_XYZ | D3DFVF_TEX1`, the rest in hex, as apitrace prints masks."""
    names, rest = [], value
    for name, bits in words:
        if bits and (rest & bits) == bits:
            names.append(name)
            rest &= ~bits
        elif value == bits == 0:
            return name
    return " | ".join([*names, f"{rest:#x}"] if rest or not names else names)


def describe(calls: Calls, i: int) -> SourceCall:
    """The i-th call of a chunk with all its values (see SourceCall)."""
    row = calls.calls[i]
    signature = calls.signature(i)
    reader = NamingReader(calls)
    begin = int(row["args"])
    args = []
    for k, name in enumerate(signature.arguments):
        tag = int(calls.tags[begin + k])
        if tag != ABSENT:
            args.append((name, reader.named(tag, int(calls.values[begin + k]), int(calls.words[begin + k]))))
    number = calls.first + i
    told = meanings(signature.name, args)
    if told:
        args = [(name, Word(value, told[name]) if name in told else value) for name, value in args]
    return SourceCall(number, signature.name, args, int(row["result"]), int(row["thread"]), bool(row["flags"] & FAKE))
