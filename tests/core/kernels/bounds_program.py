"""One access of each kind by compiled code: `python -m tests.core.kernels.bounds_program KIND NUMBER` prints what it reads.

The array has 32 dwords, 0 to 31; the records have one of their own in front of an array of 4.
"""

from __future__ import annotations

import sys

import numpy as np

from core.kernels.jit import array, i8, kernel, outlined
from core.kernels.simd import (
    advance,
    atomic_add,
    gather,
    gather_quads,
    lane,
    lane_number,
    load_int,
    pointer,
    record_at,
    scatter,
    store_int,
    transpose,
)

RECORD = np.dtype([("head", "u4"), ("part", "u4", 4), ("tail", "u4")])
SIGNATURE = i8(array("u4"), i8)
_record = record_at(RECORD)


@outlined
def _item(memory, n):
    return memory[n]


@kernel(SIGNATURE)
def in_a_stage(words, n):
    return _item(pointer(words, 0), n)


@kernel(SIGNATURE)
def written(words, n):
    memory = pointer(words, 0)
    memory[n] = np.uint32(n)
    return memory[n]


@kernel(SIGNATURE)
def further(words, n):
    return advance(pointer(words, 0), 20)[n - 20]


@kernel(SIGNATURE)
def loaded(words, n):
    return lane(load_int(pointer(words, 0), n - 15), 15)


@kernel(SIGNATURE)
def stored(words, n):
    memory = pointer(words, 0)
    store_int(memory, n - 15, load_int(memory, 16))
    return memory[n]


@kernel(SIGNATURE)
def gathered(words, n):
    return lane(gather(pointer(words, 0), lane_number() + np.int32(n - 15)), 15)


@kernel(SIGNATURE)
def quads(words, n):
    return lane(gather_quads(pointer(words, 0), lane_number() * 0 + np.int32(n - 9), 8)[3], 0)


@kernel(SIGNATURE)
def scattered(words, n):
    memory, place = pointer(words, 0), lane_number() + np.int32(n - 3)
    scatter(memory, place, place, lane_number() < 4)
    return memory[n]


@kernel(SIGNATURE)
def counted(words, n):
    return atomic_add(pointer(words, 0), n, 1)


@kernel(SIGNATURE)
def turned(words, n):
    memory = pointer(words, 0)
    transpose(memory, n - 15, 0, memory, 16, 0)
    return n


@kernel(SIGNATURE)
def array_item(words, n):
    return words[n]


@kernel(SIGNATURE)
def array_written(words, n):
    words[n] = np.uint32(n)
    return n


@kernel(i8(array(RECORD), i8))
def field(records, n):
    return pointer(records, 0)[n - 29].tail


@kernel(i8(array(RECORD), i8))
def part_of_a_record(records, n):
    return pointer(records, 0)[1].part[n - 28]


@kernel(i8(array(RECORD), i8))
def part_of_one_beyond(records, n):
    return pointer(records, 0)[n - 29].part[3]


@kernel(SIGNATURE)
def part_cut_short(words, n):
    """A record of six dwords at 27: its part would end with the array, its last dword is beyond."""
    return _record(pointer(words, 0), 27).part[n - 28]


KINDS = {
    name: kernel for name, kernel in list(globals().items())
    if getattr(kernel, "__module__", "") == __name__ and hasattr(kernel, "py_func") and not name.startswith("_")
}  # fmt: skip
ON_RECORDS = ("field", "part_of_a_record", "part_of_one_beyond")


def main() -> None:
    name, number = sys.argv[1], int(sys.argv[2])
    records = np.zeros(3, RECORD)
    records["tail"] = 31
    records["part"][:, 3] = 31
    print(int(KINDS[name](records if name in ON_RECORDS else np.arange(32, dtype=np.uint32), number)))


if __name__ == "__main__":
    main()
