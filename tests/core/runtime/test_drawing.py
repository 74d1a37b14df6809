"""User-memory draws, flush points, the order of calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.runtime.d3d8 import D3DError
from core.runtime.rows.commands import CAPACITY, USER_BYTES
from core.spec.enums import Pool, PrimitiveType

TRIANGLES = PrimitiveType.TRIANGLELIST


def vertices(count: int, stride: int, first: int = 0) -> bytes:
    return bytes((first + i) & 0xFF for i in range(count * stride))


def test_user_vertices_share_one_block_and_start_at_multiples_of_their_stride(bench: Any) -> None:
    device = bench.device
    device.DrawPrimitiveUP(TRIANGLES, 1, vertices(3, 20), 20)
    device.DrawPrimitiveUP(TRIANGLES, 2, vertices(6, 28, 9), 28)
    (call,) = bench.said()
    assert bench.tokens([call]) == [
        ("SETSTREAMSOURCEUM", {"stream": 0, "stride": 20}), ("DRAWPRIMITIVE", {"type": 4, "start": 0, "count": 1}),
        ("SETSTREAMSOURCEUM", {"stream": 0, "stride": 28}), ("DRAWPRIMITIVE", {"type": 4, "start": 3, "count": 2}),
    ]  # fmt: skip
    assert call.args["flags"] == 1
    block = bytes(call.data["vertices"])
    assert block[:60] == vertices(3, 20) and block[84:] == vertices(6, 28, 9) and not any(block[60:84])


def test_user_indices_go_into_the_runtimes_index_buffer_first(bench: Any) -> None:
    device = bench.device
    small, large = np.array([0, 1, 2], np.uint16), np.array([2, 1, 0, 0, 1, 2], np.uint32)
    device.DrawIndexedPrimitiveUP(TRIANGLES, 0, 3, 1, small, 101, vertices(3, 16), 16)
    device.DrawIndexedPrimitiveUP(TRIANGLES, 1, 2, 2, large, 102, vertices(3, 16, 5), 16)
    lock, unlock, draw = bench.said()
    assert [lock.entry, unlock.entry, draw.entry] == ["LockD3DBuffer", "UnlockD3DBuffer", "DrawPrimitives2"]
    assert bytes(unlock.data["contents"]) == small.tobytes() + b"\0\0" + large.tobytes()
    buffer = lock.args["handle"]
    draws = [fields for name, fields in bench.tokens([draw]) if name == "DRAWINDEXEDPRIMITIVE"]
    assert draws == [
        {"type": 4, "base": 0, "min_index": 0, "vertex_count": 3, "start": 0, "count": 1},
        {"type": 4, "base": 3, "min_index": 1, "vertex_count": 2, "start": 2, "count": 2},
    ]
    sets = [fields for name, fields in bench.tokens([draw]) if name == "SETINDICES"]
    assert sets == [{"buffer": buffer, "stride": 2}, {"buffer": buffer, "stride": 4}]
    assert device.GetIndices()[0] is None


def test_stream_0_is_empty_after_a_user_memory_draw(bench: Any) -> None:
    device = bench.device
    device.SetStreamSource(0, device.CreateVertexBuffer(64, 0, 0, Pool.DEFAULT), 16)
    assert device.GetStreamSource(0)[1] == 16
    device.DrawPrimitiveUP(TRIANGLES, 1, vertices(3, 16), 16)
    assert device.GetStreamSource(0) == (None, 0)


@pytest.mark.parametrize(("count", "stride"), [(0, 16), (1, 0)])
def test_nothing_to_draw_makes_no_token(bench: Any, count: int, stride: int) -> None:
    bench.device.DrawPrimitiveUP(TRIANGLES, count, vertices(3, 16), stride)
    assert bench.said() == []


def test_an_indexed_draw_without_indices_draws_nothing(bench: Any) -> None:
    bench.device.DrawIndexedPrimitive(TRIANGLES, 0, 3, 0, 1)
    assert bench.said() == []


def test_a_user_memory_draw_without_vertices_is_refused(bench: Any) -> None:
    with pytest.raises(D3DError):
        bench.device._do("DrawPrimitiveUP", 4, 1, None, 16)


def test_large_draws_get_the_room_they_need(bench: Any) -> None:
    device = bench.device
    count = USER_BYTES // 16 + 10
    device.SetRenderState(7, 1)
    device.DrawPrimitiveUP(PrimitiveType.POINTLIST, count, vertices(count, 16), 16)
    (sent,) = bench.said()
    assert len(sent.data["vertices"]) == count * 16
    indices = np.zeros(USER_BYTES, np.uint16)
    device.DrawIndexedPrimitiveUP(PrimitiveType.POINTLIST, 0, 1, len(indices), indices, 101, vertices(1, 16), 16)
    assert [len(call.data["contents"]) for call in bench.said() if call.entry == "UnlockD3DBuffer"] == [2 * USER_BYTES]


def test_large_user_memory_goes_alone(bench: Any) -> None:
    small, large = vertices(3, 16), bytes(96 << 10)
    for data in (small, large, small):
        bench.device.SetRenderState(7, 1)
        bench.device.DrawPrimitiveUP(PrimitiveType.POINTLIST, len(data) // 16, data, 16)
    assert [len(call.data["vertices"]) for call in bench.said()] == [48, 96 << 10, 48]


def test_the_runtimes_index_buffer_grows_with_the_indices(bench: Any) -> None:
    size = next(c.args["size"] for c in bench.start if c.entry == "CreateD3DBuffer")
    indices = np.zeros(size, np.uint16)
    bench.device.DrawIndexedPrimitiveUP(PrimitiveType.POINTLIST, 0, 1, len(indices), indices, 101, vertices(1, 16), 16)
    said = bench.said()
    grown = next(call.args for call in said if call.entry == "CreateD3DBuffer")
    assert grown["size"] >= 2 * size
    unlock = next(call for call in said if call.entry == "UnlockD3DBuffer")
    assert unlock.args["handle"] == grown["handle"]
    assert next(f for name, f in bench.tokens(said) if name == "SETINDICES")["buffer"] == grown["handle"]


# ---- flush points ----------------------------------------------------------------------------------


def test_the_buffer_is_sent_when_it_is_full(bench: Any) -> None:
    for i in range(CAPACITY // 64):
        bench.device.SetTransform(256 + i % 200, np.eye(4))
    calls = bench.said()
    assert len(calls) > 1 and all(len(call.data["commands"]) <= CAPACITY for call in calls)
    assert sum(len(call.data["sources"]) for call in calls) == CAPACITY // 64 * 4


def test_end_of_scene_sends_what_was_gathered(bench: Any) -> None:
    bench.device.BeginScene()
    assert bench.driver.new() == []
    bench.device.EndScene()
    assert [call.entry for call in bench.driver.new()] == ["DrawPrimitives2"]


def test_calls_without_a_stream_come_after_what_was_gathered(bench: Any) -> None:
    device = bench.device
    image = device.CreateImageSurface(4, 4, 21)
    buffer = device.CreateVertexBuffer(64, 0, 0, Pool.DEFAULT)
    bench.said()
    for act, entry in (
        (lambda: image.LockRect(), "Lock"), (lambda: image.UnlockRect(), "Unlock"), (lambda: buffer.Lock(), "LockD3DBuffer"),
        (lambda: buffer.Unlock(), "UnlockD3DBuffer"), (lambda: device.CreateTexture(1, 1, 1, 0, 21, 0), "CreateSurface"),
        (lambda: device.Present(), "Blt"), (lambda: device.ValidateDevice(), "ValidateTextureStageState"),
        (lambda: device.CreatePixelShader([0xFFFF0101, 1, 0x800F0000, 0xA0E40000, 0xFFFF]), "DrawPrimitives2"),
    ):  # fmt: skip
        device.SetRenderState(7, 1)
        act()
        assert [call.entry for call in bench.driver.new()][:2] == ["DrawPrimitives2", entry]


def test_records_name_their_api_calls_in_order(bench: Any) -> None:
    device = bench.device
    first = bench.runtime.source
    device.SetRenderState(7, 1)  # first + 1
    device.GetRenderState(7)
    device.SetViewport((0, 0, 4, 4))  # first + 3: two records
    device.DrawPrimitiveUP(TRIANGLES, 1, vertices(3, 16), 16)  # first + 4: two records
    (call,) = bench.said()
    assert (np.frombuffer(call.data["sources"], np.uint32).astype(int) - first).tolist() == [1, 3, 3, 4, 4]
    assert call.source == first + 4
