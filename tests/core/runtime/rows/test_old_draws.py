"""Draws of Direct3D 7 and 6: the compiled rows make what the methods make, and leave them what only they can do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.runtime.calls.structs7 import D3DVERTEXBUFFERDESC, DDCOLORKEY, DDSCAPS2, DDSURFACEDESC2
from core.runtime.directdraw import draws
from core.runtime.rows import layout as c
from core.runtime.rows.commands import Commands
from core.runtime.script.script import Array, Pointer
from core.spec.enums import DdBlt
from core.spec.tokens import Op
from tests.core.runtime.directdraw.desk import CAPS, FORMAT, OFFSCREEN, RGB32, SIZE, Desk

DEVICE_3D = 0x2000
FORMATS = [0x44, 0x144, 0x1C4, 0x112, 0x1E2, 0x42, 0x20112, 0x80F12, 0x4, 0x6, 0xE, 0x46, 0x0, 0x40]
"""XYZRHW | DIFFUSE ...: D3DTLVERTEX, D3DVERTEX, D3DLVERTEX; coordinates of 1 to 4 numbers, blend weights, no position."""
BUFFERS = [(0x112, 40), (0x144, 8)]
LIGHTING, NORMALS_UNLIT = 137, 0x10


class Program(Desk):
    """A device of Direct3D 7 or 6, two vertex buffers, and what the driver is called with."""

    def __init__(self, version: int, by_methods: bool) -> None:
        super().__init__()
        self.calls: list[str] = []
        self.driver.call, self._answer = self._heard, self.driver.call  # type: ignore[method-assign]
        self.by_methods = by_methods
        self.target = self.surface(OFFSCREEN | DEVICE_3D, 16, 8)
        root = self.made("IDirectDraw7::QueryInterface", self.draw, None, ...)
        interface, more = ("IDirect3D7::", ()) if version == 7 else ("IDirect3D3::", (None,))
        self.kind = "IDirect3DDevice7::" if version == 7 else "IDirect3DDevice3::"
        self.device = self.made(interface + "CreateDevice", root, None, self.target, ..., *more)
        self.buffers = []
        for format, count in BUFFERS:
            desc = Array([D3DVERTEXBUFFERDESC(16, 0, format, count)])
            self.buffers.append(self.made(interface + "CreateVertexBuffer", root, desc, ..., 0, *more))

    def _heard(self, call: DdiCall) -> DdiCall:
        contents = {name: bytes(value) for name, value in call.data.items()}
        self.calls.append(f"{call.entry} {call.args} {contents}")
        return self._answer(call)

    def do(self, method: str, *args: Any) -> None:
        loop = self.runtime._loop
        loop._dispatch.compile(self.script._calls.names.functions)
        if self.by_methods:
            for rows, known in zip(loop._dispatch.rows, range(2), strict=True):
                rows["known"][rows["draw"] >= 0] = 0
                loop._dispatch.known[known] = (rows["known"] > rows["counts"]).tobytes()
        self.script.call(self.kind + method, self.device, *args)


def blob(size: int, seed: int) -> bytes:
    return np.random.default_rng(seed).integers(0, 256, size, np.uint8).tobytes()


def play(program: Program, seed: int, indexed_buffers: bool) -> None:
    """A hundred draws of all kinds, valid or not, among states, fills, and buffers that come and go."""
    dice = np.random.default_rng(seed)

    def pick(*choices: Any) -> Any:
        return choices[dice.integers(len(choices))]

    for i in range(100):
        kind = int(dice.integers(0, 9)) if dice.random() < 0.1 else int(dice.integers(1, 7))
        format = pick(*FORMATS, 0x144, 0x144)
        count, flags = int(pick(0, 1, 3, 4, 5, 7, 9)), int(pick(0, 0, 4, NORMALS_UNLIT))
        size = draws.stride_of(format) * count
        vertices = pick(blob(size, i), blob(size, i), blob(size + 5, i), blob(max(size - 1, 0), i), None)
        number = int(pick(0, 1, 3, 4, 6, 7, 70000)) if dice.random() < 0.2 else int(pick(3, 4, 6))
        indices = pick(blob(2 * number, i), blob(2 * number, i), blob(2 * number + 3, i), b"", None)
        buffer = pick(*program.buffers, program.target if dice.random() < 0.1 else program.buffers[0])
        start = int(pick(0, 0, 1, 5))
        what = int(dice.integers(9))
        if what == 0:
            program.do("SetRenderState", int(pick(LIGHTING, 139)), int(pick(0, 1)))
        elif what == 1 and dice.random() < 0.3:
            program.script.call("IDirectDrawSurface7::Blt", program.target, None, None, None, int(DdBlt.COLORFILL), None)
        elif what in (2, 3, 4):
            program.do("DrawPrimitive", kind, format, vertices, count, flags)
        elif what == 5:
            program.do("DrawIndexedPrimitive", kind, format, vertices, count, indices, number, flags)
        elif what == 6:
            program.do("DrawPrimitiveVB", kind, buffer, start, count, flags)
        elif indexed_buffers:
            program.do("DrawIndexedPrimitiveVB", kind, buffer, start, count, indices, number, flags)
        else:
            program.do("DrawIndexedPrimitiveVB", kind, buffer, indices, number, flags)
    program.runtime.finish()


@pytest.mark.parametrize("version", [7, 6])
@pytest.mark.parametrize("seed", range(6))
def test_rows_and_methods_agree(version: int, seed: int) -> None:
    played = [Program(version, by_methods) for by_methods in (False, True)]
    for program in played:
        play(program, seed, version == 7)
    assert played[0].calls == played[1].calls
    assert played[0].said == played[1].said
    assert any("DrawPrimitives2" in call for call in played[0].calls) and played[0].said


def test_many_draws_fill_buffers_alike() -> None:
    played = [Program(7, by_methods) for by_methods in (False, True)]
    for program in played:
        for i in range(2000):
            program.do("DrawPrimitive", 4, 0x144, blob(3 * 28 * 40, i), 3 * 40, 0)
            program.do("DrawIndexedPrimitive", 5, 0x144, blob(4 * 28, i), 4, blob(2 * 30, i), 30, 0)
        program.do("DrawPrimitive", 4, 0x144, blob(28 * 12000, 1), 12000, 0)
        program.do("DrawIndexedPrimitive", 4, 0x144, blob(28 * 3, 1), 3, blob(2 * 60000, 1), 60000, 0)
        program.runtime.finish()
    assert played[0].calls == played[1].calls and len(played[0].calls) > 20


def test_the_loop_does_them(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(7, False)
    for name in ("_user", "_buffer"):
        monkeypatch.setattr(draws, name, lambda *_: pytest.fail("done by the method"))
    judged: list[int] = []
    program.runtime._verdict_sink = lambda verdicts: judged.extend(verdicts.tolist())
    program.do("DrawPrimitive", 4, 0x44, blob(60, 0), 3, 0)
    program.do("DrawIndexedPrimitive", 4, 0x44, blob(60, 0), 3, blob(6, 0), 3, 0)
    program.do("DrawPrimitiveVB", 4, program.buffers[0], 0, 3, 0)
    program.do("DrawIndexedPrimitiveVB", 4, program.buffers[0], 0, 3, blob(6, 0), 3, 0)
    assert judged == [c.PYTHON] * 4, "tapes have called them done by methods since before they were rows"


def test_a_released_buffer_is_found_no_more() -> None:
    program = Program(7, False)
    program.do("DrawPrimitiveVB", 4, program.buffers[0], 0, 3, 0)
    program.script.call("IDirect3DVertexBuffer7::Release", program.buffers[0], result=0)
    program.do("DrawPrimitiveVB", 4, program.buffers[0], 0, 3, 0)
    assert program.said == [f"{program.buffers[0]:#x} names no resource"]


def test_an_address_that_is_a_surface_now_is_no_buffer() -> None:
    program = Program(7, False)
    address = program.buffers[0]
    form = DDSURFACEDESC2(124, CAPS | FORMAT | SIZE, 4, 4, 0, 0, 0, 0, DDCOLORKEY(), RGB32, DDSCAPS2(OFFSCREEN))
    program.script.call("IDirectDraw7::CreateSurface", program.draw, Array([form]), Array([Pointer(address)]), None)
    program.do("DrawPrimitiveVB", 4, address, 0, 3, 0)
    assert len(program.said) == 1 and "names no resource" in program.said[0]


def test_tokens_end_where_their_indices_end() -> None:
    """Counts and fields by hand: three indices are six bytes, and the next token follows them."""
    commands = Commands()
    commands.put_own(Op.TRIANGLELIST, 7, b"\x34\x12", 0)
    commands.put(Op.RENDERSTATE, bytes(range(8)), 1)
    commands.put_own(Op.INDEXEDTRIANGLELIST2, 1, bytes(range(8)), 2)
    edges, vertices = b"\xaa\xbb\xcc\xdd", bytes(range(16, 32))
    commands.put_own(Op.TRIANGLELIST, 1, b"\x01\x00", 3)
    commands.put_own(Op.TRIANGLEFAN_IMM, 2, edges + vertices, 4)
    triangles, fan, indexed = int(Op.TRIANGLELIST), int(Op.TRIANGLEFAN_IMM), int(Op.INDEXEDTRIANGLELIST2)
    wanted = bytes((triangles, 0, 7, 0, 0x34, 0x12, int(Op.RENDERSTATE), 0, 1, 0, *range(8), indexed, 0, 1, 0, *range(8),
                    triangles, 0, 1, 0, 1, 0))  # fmt: skip
    wanted += bytes((fan, 0, 2, 0)) + edges
    wanted += bytes(-len(wanted) & 3) + vertices
    assert commands.take()["commands"] == wanted
    assert commands.empty and not commands.numbers[c.OWN]
