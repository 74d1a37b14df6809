"""Managed textures, dirty regions, UpdateTexture, copies, palettes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.runtime.d3d8 import D3DError
from core.spec.enums import LockFlag, Pool, PrimitiveType

A8R8G8B8, DXT1, P8 = 21, int.from_bytes(b"DXT1", "little"), 41


def surfaces(bench: Any) -> list[dict]:
    return [call.args for call in bench.said() if call.entry == "CreateSurface"]


def draw(bench: Any) -> list[tuple[str, dict]]:
    """Tokens of a draw with everything before it."""
    bench.said()
    bench.device.DrawPrimitive(PrimitiveType.TRIANGLELIST, 0, 1)
    return bench.tokens()


def blit(name: str, destination: int, source: int, rect: list[int]) -> tuple[str, dict]:
    return (name, {"destination": destination, "source": source, "point": rect[:2], "rect": rect, "flags": 0})


def test_a_managed_texture_has_two_copies_and_is_uploaded_before_its_draw(bench: Any) -> None:
    device = bench.device
    texture = device.CreateTexture(8, 8, 0, 0, A8R8G8B8, Pool.MANAGED)
    system, video = surfaces(bench)
    assert (system["memory"], video["memory"], video["levels"]) == ("system", "video", 4)
    assert system["handle"] >= video["handle"] + 4  # one handle a level
    texture.LockRect(0)[:] = 1
    texture.UnlockRect(0)
    unlock = bench.said()[-1]
    assert (unlock.entry, unlock.args["handle"], unlock.args["pitch"]) == ("Unlock", system["handle"], 32)
    assert bytes(unlock.data["contents"]) == b"\1" * 256
    device.SetTexture(0, texture)
    assert draw(bench)[0] == blit("TEXBLT", video["handle"], system["handle"], [0, 0, 8, 8])
    assert [name for name, _ in draw(bench)] == ["DRAWPRIMITIVE"]
    with bench_lock(texture, 0, (2, 2, 4, 4)):
        pass
    assert draw(bench)[0] == blit("TEXBLT", video["handle"], system["handle"], [2, 2, 4, 4])
    with bench_lock(texture, 1, (1, 1, 2, 2)):
        pass
    assert draw(bench)[0] == blit("TEXBLT", video["handle"], system["handle"], [2, 2, 4, 4])


class bench_lock:
    """A lock that writes nothing in particular."""

    def __init__(self, texture: Any, level: int, rect: Any, flags: int = 0) -> None:
        self.texture, self.args = texture, (level, rect, flags)

    def __enter__(self) -> None:
        self.texture.LockRect(*self.args)

    def __exit__(self, *_: Any) -> None:
        self.texture.UnlockRect(self.args[0])


@pytest.mark.parametrize("flags", [LockFlag.READONLY, LockFlag.NO_DIRTY_UPDATE])
def test_locks_that_do_not_dirty(bench: Any, flags: int) -> None:
    texture = bench.device.CreateTexture(8, 8, 1, 0, A8R8G8B8, Pool.MANAGED)
    bench.device.SetTexture(0, texture)
    with bench_lock(texture, 0, (0, 0, 1, 1)):
        pass
    draw(bench)
    with bench_lock(texture, 0, None, flags):
        pass
    assert [name for name, _ in draw(bench)] == ["DRAWPRIMITIVE"]
    texture.AddDirtyRect((1, 2, 3, 4))
    assert draw(bench)[0][1]["rect"] == [1, 2, 3, 4]


def test_an_unbound_texture_waits(bench: Any) -> None:
    texture = bench.device.CreateTexture(8, 8, 1, 0, A8R8G8B8, Pool.MANAGED)
    with bench_lock(texture, 0, None):
        pass
    assert [name for name, _ in draw(bench)] == ["DRAWPRIMITIVE"]
    bench.device.SetTexture(3, texture)
    assert [name for name, _ in draw(bench)] == ["TEXBLT", "DRAWPRIMITIVE"]


def test_preload_uploads_now(bench: Any) -> None:
    texture = bench.device.CreateTexture(8, 8, 1, 0, A8R8G8B8, Pool.MANAGED)
    with bench_lock(texture, 0, None):
        pass
    bench.said()
    texture.PreLoad()
    assert [name for name, _ in bench.tokens()] == ["TEXBLT"]


def test_faces_of_a_managed_cube_are_uploaded_one_by_one(bench: Any) -> None:
    cube = bench.device.CreateCubeTexture(4, 3, 0, A8R8G8B8, Pool.MANAGED)
    system, video = (surface["handle"] for surface in surfaces(bench))
    for face in (1, 4):
        cube.LockRect(face, 0)
        cube.UnlockRect(face, 0)
    assert {call.args["handle"] - system for call in bench.said() if call.entry == "Unlock"} == {3, 12}
    bench.device.SetTexture(0, cube)
    blits = [fields for name, fields in draw(bench) if name == "TEXBLT"]
    assert [(b["destination"] - video, b["source"] - system) for b in blits] == [(3, 3), (12, 12)]


def test_a_managed_volume_is_uploaded_by_volumeblt(bench: Any) -> None:
    volume = bench.device.CreateVolumeTexture(8, 8, 4, 1, 0, A8R8G8B8, Pool.MANAGED)
    rows = volume.LockBox(0, (0, 2, 8, 6, 1, 3))
    assert rows.shape == (2, 4, 32)
    volume.UnlockBox(0)
    bench.device.SetTexture(0, volume)
    name, fields = draw(bench)[0]
    assert (name, fields["x"], fields["y"], fields["z"], fields["box"]) == ("VOLUMEBLT", 0, 2, 1, [0, 2, 8, 6, 1, 3])


def test_blocks_are_not_split(bench: Any) -> None:
    texture = bench.device.CreateTexture(16, 16, 1, 0, DXT1, Pool.MANAGED)
    bench.device.SetTexture(0, texture)
    texture.AddDirtyRect((5, 5, 7, 9))
    assert draw(bench)[0][1]["rect"] == [4, 4, 8, 12]


def test_update_texture_copies_what_is_dirty(bench: Any) -> None:
    device = bench.device
    source = device.CreateTexture(8, 8, 1, 0, A8R8G8B8, Pool.SYSTEMMEM)
    target = device.CreateTexture(8, 8, 1, 0, A8R8G8B8, Pool.DEFAULT)
    one, other = (surface["handle"] for surface in surfaces(bench))
    device.UpdateTexture(source, target)
    assert bench.tokens() == [blit("TEXBLT", other, one, [0, 0, 8, 8])]
    device.UpdateTexture(source, target)
    assert bench.tokens() == []
    with bench_lock(source, 0, (0, 0, 2, 2)):
        pass
    device.UpdateTexture(source, target)
    assert bench.tokens() == [blit("TEXBLT", other, one, [0, 0, 2, 2])]
    with pytest.raises(D3DError):
        device.UpdateTexture(target, source)


def test_update_texture_learns_of_changes_by_level_0(bench: Any) -> None:
    """DX8 SDK, AddDirtyRect: dirty regions are recorded for level 0 only; so on Wine 8.0 (tests.wine.run7 copies8)."""
    device = bench.device
    source = device.CreateTexture(8, 8, 2, 0, A8R8G8B8, Pool.SYSTEMMEM)
    target = device.CreateTexture(8, 8, 2, 0, A8R8G8B8, Pool.DEFAULT)
    one, other = (surface["handle"] for surface in surfaces(bench))
    device.UpdateTexture(source, target)
    bench.tokens()
    with bench_lock(source, 1, None):
        pass
    device.UpdateTexture(source, target)
    assert bench.tokens() == []
    with bench_lock(source, 0, (0, 0, 2, 2)):
        pass
    device.UpdateTexture(source, target)
    assert bench.tokens() == [blit("TEXBLT", other, one, [0, 0, 2, 2])]


def test_copy_rects_blits_rectangle_by_rectangle(bench: Any) -> None:
    device = bench.device
    image = device.CreateImageSurface(64, 48, 22)
    handle = surfaces(bench)[0]["handle"]
    back = device.GetBackBuffer(0)
    device.CopyRects(back, [(0, 0, 4, 4), (8, 8, 10, 12)], 2, image, [(1, 1), (20, 20)])
    blits = [call.args for call in bench.said() if call.entry == "Blt"]
    assert [(b["source_box"], b["destination_box"]) for b in blits] == [
        ((0, 0, 4, 4), (1, 1, 5, 5)), ((8, 8, 10, 12), (20, 20, 22, 24)),
    ]  # fmt: skip
    assert {b["destination"] for b in blits} == {handle}
    device.CopyRects(back, None, 0, image, None)
    assert bench.said()[-1].args["destination_box"] == (0, 0, 64, 48)


def test_copying_into_a_managed_texture_dirties_it(bench: Any) -> None:
    texture = bench.device.CreateTexture(64, 48, 1, 0, 22, Pool.MANAGED)
    system = surfaces(bench)[0]["handle"]
    bench.device.SetTexture(0, texture)
    bench.device.CopyRects(bench.device.GetBackBuffer(0), [(0, 0, 4, 4)], 1, texture.GetSurfaceLevel(0), [(8, 8)])
    call = next(call for call in bench.said() if call.entry == "Blt")
    assert call.args["destination"] in (system, system + 1)
    assert draw(bench)[0][1]["rect"] == [8, 8, 12, 12]


def test_lod_and_priority_of_managed_textures(bench: Any) -> None:
    texture = bench.device.CreateTexture(8, 8, 0, 0, A8R8G8B8, Pool.MANAGED)
    handle = bench.runtime.surface_of_pointer(texture.pointer)
    bench.said()
    assert (texture.SetLOD(2), texture.SetPriority(9), texture.GetLOD(), texture.GetPriority()) == (0, 0, 2, 9)
    assert bench.tokens() == [("SETTEXLOD", {"surface": handle, "lod": 2}), ("SETPRIORITY", {"surface": handle, "priority": 9})]


def test_paletted_textures_learn_their_palette_before_draws(bench: Any) -> None:
    device = bench.device
    texture = device.CreateTexture(4, 4, 1, 0, P8, Pool.DEFAULT)
    handle = surfaces(bench)[0]["handle"]
    entries = np.arange(1024).reshape(256, 4) & 0xFF
    device.SetPaletteEntries(7, entries)
    assert bench.tokens() == []
    device.SetCurrentTexturePalette(7)
    call = bench.said()[-1]
    body = bytes(call.data["commands"])
    assert body[:4] == b"\x1f\0\1\0" and body[8:12] == b"\0\0\0\1" and body[12:] == entries.astype(np.uint8).tobytes()
    number = int.from_bytes(body[4:8], "little")
    device.SetTexture(0, texture)
    assert draw(bench)[0] == ("SETPALETTE", {"palette": number, "flags": 0x2000, "surface": handle})
    assert [name for name, _ in draw(bench)] == ["DRAWPRIMITIVE"]
    device.SetPaletteEntries(7, entries)
    assert [name for name, _ in bench.tokens()] == ["UPDATEPALETTE"]
    device.SetPaletteEntries(8, entries)
    device.SetCurrentTexturePalette(8)
    assert draw(bench)[0][1]["palette"] != number
    assert device.GetCurrentTexturePalette() == 8


def test_a_partial_lock_shows_the_rectangle(bench: Any) -> None:
    image = bench.device.CreateImageSurface(16, 8, A8R8G8B8)
    rows = image.LockRect((4, 2, 10, 5))
    assert rows.shape == (3, 24)
    rows.view(np.uint32)[:] = 0x01020304
    bench.said()
    image.UnlockRect()
    unlock = bench.said()[-1]
    assert (unlock.args["box"], unlock.args["pitch"]) == ((4, 2, 10, 5), 64)
    sent = bytes(unlock.data["contents"])
    assert sent[:24] == sent[64:88] == sent[128:152] == bytes([4, 3, 2, 1]) * 6 and not any(sent[24:64])
    with pytest.raises(D3DError):
        image.UnlockRect()
