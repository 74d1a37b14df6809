"""Locks that wait or rename, and patches under handles."""

from __future__ import annotations

import struct
from pathlib import Path

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from tests.inspector.query.driver.scripted import Script


def test_stalls_and_renamed_buffers(tmp_path: Path) -> None:
    script = Script(tmp_path / "a.ddicap", EmulatedDriver())
    with script.writer:
        script.surfaces(10)
        script("ContextCreate", context=1, render_target=10, depth_stencil=0)
        script("CreateD3DBuffer", handle=40, size=64, memory="agp")
        script.draw(vertex_buffer=40, vertex_size=16, vertex_length=1)
        script("LockD3DBuffer", handle=40, flags=0x2000)
        script.draw(vertex_buffer=40, vertex_size=16, vertex_length=1)
        script("UnlockD3DBuffer", handle=40)
        script.draw()
    with inspector.open(tmp_path / "a.ddicap") as capture:
        rows = capture.ask(inspector.Stalls(current=True))
        assert [row.verdict.dx81.stall for row in rows] == [False, True]
        assert [capture.calls[row.call].out["stall"] for row in rows] == [0, 1]
        assert len(capture.ask(inspector.Stalls())) == 3
        (lock,) = capture.ask(inspector.Renames())
        assert lock.discards and lock.renamed and lock.heap_offset > 0 and capture.calls[lock.call].entry == "LockD3DBuffer"
        assert capture.ask(inspector.Renames(99)) == ()


def test_patches_live_under_their_handles(tmp_path: Path) -> None:
    info = struct.pack("<7I", 0, 0, 4, 4, 4, 0, 3)
    script = Script(tmp_path / "a.ddicap", EmulatedDriver())
    with script.writer:
        script.surfaces(10)
        script("ContextCreate", context=1, render_target=10, depth_stencil=0)
        script.draw(
            ("DRAWRECTPATCH", {"patch": 7, "flags": 2, "info": info}), ("DRAWRECTPATCH", {"patch": 7, "flags": 0}),
            ("DRAWTRIPATCH", {"patch": 0, "flags": 2, "info": struct.pack("<4I", 0, 10, 0, 3)}),
            ("RENDERSTATE", {"items": [{"state": "DELETERTPATCH", "value": 7}]}),
        )  # fmt: skip
    with inspector.open(tmp_path / "a.ddicap") as capture:
        first = capture.events.of_call(2).start
        (patch,) = capture.ask(inspector.Patches(first + 1))
        assert (patch.handle, patch.kind, patch.defined, patch.drawn) == (7, "rectangle", [first], [first, first + 1])
        assert (patch.info["Width"], patch.info["Order"]) == (4, "CUBIC")
        assert capture.ask(inspector.Patches(first + 3)) == ()
        assert capture.ask(inspector.Patches(first + 3, gone=True))[0].deleted == first + 3
