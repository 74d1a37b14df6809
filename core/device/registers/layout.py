"""Packed records as Python numbers, by field name."""

from __future__ import annotations

import struct
from collections import namedtuple
from typing import Any

import numpy as np

CODES = {"u1": "B", "u2": "H", "i2": "h", "u4": "I", "i4": "i", "f4": "f", "u8": "Q", "i8": "q"}


class Layout:
    """Reads and writes the fields of a packed dtype all at once: a third of what NumPy takes for a record of a few fields.

    `values` is a named tuple with one item for each field, which is a tuple where the field has several values.
    """

    def __init__(self, dtype: np.dtype) -> None:
        names = dtype.names or ()
        kinds = [dtype[name] for name in names]
        counts = [int(np.prod(kind.shape, dtype=int)) for kind in kinds]
        codes = [CODES[kind.base.str[1:]] for kind in kinds]
        self._struct = struct.Struct("<" + "".join(f"{count}{code}" for count, code in zip(counts, codes, strict=True)))
        assert self._struct.size == dtype.itemsize, dtype
        self.size = dtype.itemsize
        self.values: Any = namedtuple("values", names)  # type: ignore[misc]
        ends = np.cumsum(counts, dtype=int).tolist()
        places = [slice(end - count, end) if kind.shape else end - 1
                  for kind, count, end in zip(kinds, counts, ends, strict=True)]  # fmt: skip
        self._places = places if any(kind.shape for kind in kinds) else None  # None: one value for each field

    def read(self, memory: Any, offset: int) -> Any:
        """The fields of the record at a byte offset, as `values`."""
        found = self._struct.unpack_from(memory, offset)
        return self.values._make(found if self._places is None else [found[place] for place in self._places])

    def write(self, memory: Any, offset: int, **values: int | float) -> None:
        """Sets all fields of the record at a byte offset; there are no fields with several values."""
        assert self._places is None
        self._struct.pack_into(memory, offset, *self.values(**values))
