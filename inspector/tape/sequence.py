"""The DDI calls of a tape as a sequence, and their data as a mapping, both filled on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping, Sequence
from typing import Any, NamedTuple, overload

from core.ddi.calls import DdiCall


class CallData(MutableMapping[str, Any]):
    """The data of a call: bulk bytes are fetched when they are looked at."""

    __slots__ = ("_fetch", "_stored")

    def __init__(self, stored: dict[str, Any], fetch: Callable[[int, int], bytes]) -> None:
        self._stored = stored
        self._fetch = fetch

    def __getitem__(self, name: str) -> Any:
        value = self._stored[name]
        if isinstance(value, list):
            value = self._stored[name] = self._fetch(*value)
        return value

    def size(self, name: str) -> int:
        """How many bytes there are, without fetching them; 0 without such data."""
        value = self._stored.get(name)
        if value is None:
            return 0
        return int(value[1]) if isinstance(value, list) else memoryview(value).nbytes

    def __setitem__(self, name: str, value: Any) -> None:
        self._stored[name] = value

    def __delitem__(self, name: str) -> None:
        del self._stored[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._stored)

    def __len__(self) -> int:
        return len(self._stored)

    def __contains__(self, name: object) -> bool:
        return name in self._stored

    def __repr__(self) -> str:
        return repr(dict(self))


class RawCall(NamedTuple):
    """A call as it is stored: arguments and results still packed.  Where these bytes are equal, the values are."""

    entry: str
    args: bytes
    data: dict[str, Any]
    result: int
    out: bytes


class CallSequence(Sequence[DdiCall]):
    """The DDI calls of a tape.  Every access makes a new DdiCall, which the caller may change; lists are tuples."""

    def __init__(
        self, length: int, fetch: Callable[[int], DdiCall], raw: Callable[[int], RawCall | None] = lambda number: None
    ) -> None:
        """`raw`: a call as it is stored, None where calls are not stored."""
        self._length = length
        self._fetch = fetch
        self.raw = raw

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> DdiCall: ...
    @overload
    def __getitem__(self, index: slice) -> list[DdiCall]: ...
    def __getitem__(self, index: int | slice) -> DdiCall | list[DdiCall]:
        if isinstance(index, slice):
            return [self._fetch(i) for i in range(*index.indices(self._length))]
        number = index + self._length if index < 0 else index
        if not 0 <= number < self._length:
            raise IndexError(f"call {index} of {self._length}")
        return self._fetch(number)

    def __iter__(self) -> Iterator[DdiCall]:
        return (self._fetch(i) for i in range(self._length))

    def streams(self) -> Iterator[DdiCall]:
        """The same as iterating: command buffers come with the call, bulk bytes only when looked at."""
        return iter(self)
