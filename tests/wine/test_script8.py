"""Programs of Direct3D 8 as scripts for player8.c: bytes as its reader takes them, without Wine."""

from __future__ import annotations

import struct

import pytest

from tests.wine.headers import FOLDER
from tests.wine.script8 import Recorder8

pytestmark = pytest.mark.skipif(not (FOLDER / "d3d8.h").exists(), reason="MinGW's headers are not installed")


def test_calls_levels_and_handles_are_written_for_the_player() -> None:
    rec = Recorder8()
    device = rec.device()
    device.SetRenderState(137, 0)
    texture = device.CreateTexture(2, 1, 1, 0, 21, 1)
    texture.LockRect(0)[:] = range(8)
    texture.UnlockRect(0)
    device.ApplyStateBlock(device.CreateStateBlock(3))
    number, made, kept = (0, 3, 5)
    call, write = 1, 2  # places in a table of methods: d3d8.h, IUnknown's three first
    expected = [
        (call, 0, 50, 2, number, 137, 0, number, 0, 0),
        (call, 0, 20, 7, *(word for n in (2, 1, 1, 0, 21, 1) for word in (number, n, 0)), made, 1),
        (write, 1, 0, 0, 0, 1, 8, 1, 0x03020100, 0x07060504),
        (call, 0, 57, 2, number, 3, 0, 6, 1),
        (call, 0, 54, 1, kept, 1),
    ]
    assert rec.parts == [struct.pack(f"<{len(words)}I", *words) for words in expected]
    assert rec.script().startswith(struct.pack("<2I", 0, 0))
