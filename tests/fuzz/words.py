"""Texts and values that are likely to go wrong."""

from __future__ import annotations

import random
from typing import Any

NUMBERS = ("0", "-1", "1", "2", "7", "255", "4096", "2147483647", "2147483648", "4294967295", "9223372036854775808",
           "1e999", "-0.0",
           "nan", "0x", "0x40", "1_0", "1.5", "٣", "9" * 400, "9" * 5000, "0x" + "f" * 400, "")  # fmt: skip
TEXTS = ("", " ", "x", "ALPHAREF", "back_buffer", "../..", "\0", "\x1b[31m", "é", "\U0001f600", "\ud800", "<b>", "%s",
         "{0}", "'", '"',
         "\\", "a" * 3000)  # fmt: skip
VALUES: tuple[Any, ...] = (None, True, False, 0, -1, 1, 3, 1 << 31, 1 << 40, 1 << 63, -(1 << 63), 1.5, float("inf"), "",
                           "x", [], {},
                           [1], [[1]], {"a": 1}, [None, "x"])  # fmt: skip
SIGNS = "()[]{}<>!&|=+-*/$%.,:;#\"'@~ \t\n0aZ_"


def mutated(text: str, chooser: random.Random, words: tuple[str, ...]) -> str:
    """Some words put in, parts taken out, doubled or exchanged."""
    for _ in range(chooser.choice([0, 1, 1, 2, 5])):
        at, to = sorted(chooser.randrange(len(text) + 1) for _ in range(2))
        part = chooser.choice([
            "", text[at:to] * 2, chooser.choice(words), chooser.choice(SIGNS), chooser.choice(NUMBERS), chooser.choice(TEXTS),
            chooser.choice(SIGNS) * chooser.choice([2, 50, 400]),
        ])  # fmt: skip
        text = text[:at] + part + text[to:]
    return text


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass" if b"\xed" in data else "replace")
