"""Driver entry points: rows, and their arguments as text."""

from __future__ import annotations

import pytest

from core.ddi.driver.emulated import ENTRIES
from core.spec.calls import CALLS, STREAM_CALLS, argument_text

TEXTS = [
    ("LockD3DBuffer", "flags", 0x2000, "DISCARDCONTENTS"),
    ("LockD3DBuffer", "handle", 4, "#4"),
    ("CreateSurface", "format", 21, "A8R8G8B8"),
    ("CreateSurface", "format", 0x31545844, "DXT1"),
    ("CreateSurface", "caps", 0x1008, "COMPLEX|TEXTURE"),
    ("CreateSurface", "label", "texture", "texture"),
    ("CreateSurface", "pool", None, "None"),
    ("Blt", "flags", 0x31000000, "WAIT|PRESENTATION|LAST_PRESENTATION"),
    ("Blt", "source_box", (0, 0, 640, -1), "(0 0 640 -1)"),
    ("DxgiRotateResourceIdentities", "resources", [3, 4, 0], "(#3 #4 none)"),
    ("ContextCreate", "windowed", 1, "TRUE"),
    ("NoSuchEntry", "x", 1.5, "1.5"),
]


@pytest.mark.parametrize(("entry", "name", "value", "text"), TEXTS, ids=[f"{row[0]} {row[1]} {row[3]}" for row in TEXTS])
def test_argument_text(entry: str, name: str, value: object, text: str) -> None:
    assert argument_text(entry, name, value) == text


def test_the_driver_answers_known_entries() -> None:
    """Each entry point our driver answers has a row (GetDriverInfo2 is GetDriverInfo by its other name)."""
    assert set(ENTRIES) - set(CALLS) <= {"GetDriverInfo2"}
    assert {"DrawPrimitives2"} == STREAM_CALLS
