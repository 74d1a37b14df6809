"""Programs for the compiler of stages."""

from __future__ import annotations

from typing import Any

from core.kernels.jit import array, i8, kernel, outlined, stage

GLOBAL, TABLE = 5, (2, 3, 5, 7)


@stage
def scaled(x, n):
    return x * n


@stage
def branches(a, b):
    x = 1
    if a > b:
        x, y = a, 2
    elif a == 2:
        y = 3
        if b:
            x = b
    else:
        y = 4
    return x * 10 + y


@stage
def early(a, b):
    if a < 0:
        return 1
    if a == 0:
        return b
    else:
        if b > a:
            return 3
    return 4


@stage
def looped(a, b):
    total = 0
    for i in range(b):
        if i == a:
            continue
        if i > 5:
            break
        total += i
    for i in range(a, b, 2):
        total = total * 3 + i
    for i in range(b, a, -3):
        total = total * 3 - i
    return total + i


@stage
def nested(a, b):
    found = -1
    for i in range(b):
        for k in range(i):
            if i * k == a + 7:
                found = i * 100 + k
                break
            found += 1
        else_found = found
        if else_found > 1000:
            return i
    return found


@stage
def conditional(a, b):
    n = 0
    while n < b and not (a > 1 and n > a):
        n += 2
    while True:
        n += 1
        if n % 5 == 0:
            return n


@stage
def values(a, b):
    x = a or b
    y = a and b
    z = a if a > b else (b if a else GLOBAL)
    return x, y, z, 1 < a <= 5 != b, a in (1, b, 5), a not in TABLE, not a


@stage
def tuples(a, b):
    a, b = b, a
    pair = (a, b), 3
    (x, y), z = pair
    table = TABLE
    return pair[0][1], x, y, z, table[-1] + scaled(*pair[0])


@stage
def unrolled(a, b):
    total = 0
    for n, factor in ((1, a), (2, b), (3, a + b)):
        last = n
        total = total * 10 + factor * n
    return total + last


@stage
def operators(a, b):
    return a // b, a % b, a / b, a << 2, b >> 1, a & b, a | b, a ^ b, -a, ~a, +b, a**2, abs(a), min(a, b, 3), max(a, 2)


@stage
def constants(a, b):
    """The first string is no statement."""
    ready = False
    if GLOBAL == 5:
        ready = True
    if not ready or len(TABLE) == 3:
        return (1, 2, 3, 4)
    pass
    return (-GLOBAL, -2, ~3, 0x7FFFFFFF + a)


@stage
def reused(a, b):
    for i in range(3):
        a = a + i
    for i in range(2):
        b = b - i
    if a > b:
        i = 7
    return a, b, i


NUMBERS = ["branches", "early", "looped", "nested", "conditional", "values", "tuples", "unrolled", "operators",
           "constants", "reused"]  # fmt: skip


@stage
def zero_of(negative):
    x = 0.0
    if negative:
        x = -0.0
    return x


@stage
def extremes(a, b):
    return min(a, b), max(a, b)


@stage
def widened(x, n):
    for _ in range(n):
        x = x * 2
    return x


@stage
def averaged(n):
    mean = 0
    for i in range(n):
        mean = (mean + i) / 2 + 1
    return mean


@stage
def set_in_loop(n):
    for i in range(n):
        last = i * 2
    if n > 99:
        last = 5
    return last


@stage
def seen(counts, number):
    counts[0] += 1
    return number


@stage
def counted_chain(counts, a, b):
    return 1 < seen(counts, a) < seen(counts, b)


@outlined
def add_in_place(record, counts):
    record.count += 5
    record.weight += 1.5
    record.place[seen(counts, 1)] += 7
    return 0


@stage
def unrelated(flag):
    if flag:
        x, y = 1, (1, 2)
    else:
        y = 3
        x = y - 1
    return x


@stage
def through(function, x):
    return function(x)


@stage
def twice_and_thrice(x):
    return scaled(x, 2) + scaled(x, 3)


@outlined
def summed(x, y, flag):
    total = 0
    for i in range(x):
        total += i * i ^ total
    if flag == 1:
        return total
    return y * 1000 + total


@kernel(i8(array("i8")))
def with_one(values):
    return summed(values[0], values[1], 1) + summed(values[1], values[0], 1)


def through_kernel(values):
    return with_one(values)


@stage
def endless(x):
    return endless(x + 1)


def adding(n: int) -> Any:
    def add(x):
        return x + n

    return add


# ---- not in the language -----------------------------------------------------------------------


def _raising(a, b):
    if a < b:
        raise ValueError("no")
    return a


def _trying(a, b):
    try:
        return a
    except ValueError:
        return b


def _comprehension(a, b):
    return [x for x in (a, b)]  # noqa: C416


def _default(a, b=3):
    return a + b


def _keyword(a, b):
    return scaled(a, n=b)


def _over_what(a, b):
    total = 0
    for x in TABLE:
        total += x
    return total


def _unset(a, b):
    for _ in range(b):
        a += before  # noqa: F821
        before = a  # noqa: F841
    return a


def _mixed(a, b):
    if a:
        x = (a, b)
    else:
        x = b
    return x


def _nothing(a, b):
    if a:
        return b


def _unknown(a, b):
    return a + missing  # type: ignore[name-defined]  # noqa: F821


def _attribute(a, b):
    return a.count_of_things


def _too_many(a, b):
    a, b = a, b, a
    return a


def _steps(a, b):
    total = 0
    for i in range(0, 9, b):
        total += i
    return total


REFUSED = {
    "raising": (_raising, "Raise is not in the language"), "trying": (_trying, "Try is not in the language"),
    "comprehension": (_comprehension, "ListComp is not in the language"), "default": (_default, "plain arguments"),
    "keyword": (_keyword, "keyword"), "over_what": (_over_what, "loops go over"), "unset": (_unset, "before may have no value"),
    "mixed": (_mixed, "x may have no value here, or values without a common type"),
    "nothing": (_nothing, "no common type"), "unknown": (_unknown, "missing is not defined"),
    "attribute": (_attribute, "has no count_of_things"), "too_many": (_too_many, "3 values for 2 names"),
    "steps": (_steps, "the step of range"),
}  # fmt: skip
