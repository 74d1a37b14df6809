"""Real shaders: the code and apitrace's own disassembly of it, as they stand in captures of programs that this project did
not write."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from inspector.imports.containers import Container
from tests.conftest import CAPTURES, unavailable

NAMES = (
    "apps/attests_tri_pp",
    "apps/irr10_shaders",
    "tests/cnd_test",
    "tests/test_signed_formats",
    "tests/test_pointsize",
    "pages/page_vs",
    "pages/page_decl",
)
TEXT = re.compile(rb"(?:vs|ps)_1_[0-4]\n(?:[ -~]+\n)*")


class RealShader(NamedTuple):
    trace: str
    text: str  # apitrace's
    code: bytes


def _blob(data: bytes, at: int) -> bytes:
    """The blob after a text: a type byte, its length in groups of seven bits, its bytes."""
    size, shift, at = 0, 0, at + 1
    while True:
        size |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return data[at : at + size]


@cache
def real_shaders() -> tuple[RealShader, ...]:
    """Every different shader of NAMES; skips without the captures, fails in continuous integration."""
    if not CAPTURES.is_dir():
        unavailable(f"the captures in {CAPTURES}")
    found: dict[bytes, RealShader] = {}
    for name in NAMES:
        with Container(CAPTURES / f"{name}.trace") as container:
            data = b"".join(bytes(piece) for piece in container)
        for match in TEXT.finditer(data):
            code = _blob(data, match.end())
            found.setdefault(code, RealShader(name, match[0].decode("ascii"), code))
    return tuple(found.values())
