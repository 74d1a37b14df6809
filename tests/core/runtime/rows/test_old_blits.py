"""Blts, flips and locks of DirectDraw: what waits in the queue is what the methods send, in the same order."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.ddi.calls import DdiCall
from core.runtime import dispatch
from core.runtime.directdraw import queue
from core.runtime.paper import PaperDriver
from core.runtime.runtime import Runtime
from inspector.imports.stream import TraceStream
from tests.bench.import_programs import (
    BACK,
    DRAW,
    EDGE,
    HEIGHT,
    MEMORY,
    SCREEN,
    SURFACE,
    TEXTURES,
    WIDTH,
    Program7,
    effects,
    rect,
    surface,
)
from tests.inspector.imports.trace_file import OK, Enum, Mask, Pointer, Struct, zstd

S = "IDirectDrawSurface7::"
TWIN, AGAIN, PACKED, NOTHING = (Pointer(0x300000 + 0x1000 * i) for i in range(4))
PLACES = [BACK, SCREEN, *TEXTURES, SURFACE, TWIN, AGAIN, PACKED]
COLORFILL, DEPTHFILL, KEYSRC, WAIT, KEYDEST, DDFX = 0x400, 0x2000000, 0x8000, 0x1000000, 0x2000, 0x800
REFUSED = 0x88760096 - (1 << 32)


def key(low: int) -> list[Any]:
    return [Struct("DDCOLORKEY", {"dwColorSpaceLowValue": low, "dwColorSpaceHighValue": low})]


class Sequence(Program7):
    """Random calls on a flip chain, textures, a surface, one that was duplicated, one of DXT1; a device draws between them."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.dice = random.Random(seed)
        self.has_surface = True
        self.made(TWIN, surface(0x1007, 0x40, EDGE, EDGE))
        packed = surface(0x1007, 0x1000, EDGE, EDGE)
        packed[0].members["ddpfPixelFormat"] = Struct("DDPIXELFORMAT", {
            **packed[0].members["ddpfPixelFormat"].members, "dwFlags": 4, "dwFourCC": 0x31545844,
        })  # fmt: skip
        self.made(PACKED, packed)
        self.call("IDirectDraw7::DuplicateSurface", DRAW, {"lplpDupDDSurface": [AGAIN]}, lpDDSurface=TWIN)

    def step(self) -> None:
        """One call, or a lock with what belongs to it."""
        dice = self.dice
        kinds: list[tuple[Callable[[], None], int]] = [
            (self._blt, 8), (self._fast, 8), (self._fill, 6), (self._lock, 8), (self._flip, 3), (self._key, 2),
            (self._token, 6), (self._bind_and_end, 1), (self._end, 1),
        ]  # fmt: skip
        dice.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]()

    def _box(self, width: int = EDGE, height: int = EDGE) -> list[Any] | None:
        dice = self.dice
        if dice.random() < 0.2:
            return None
        left, top = dice.randrange(width), dice.randrange(height)
        right, bottom = dice.randint(left + 1, width), dice.randint(top + 1, height)
        beyond = dice.choice((0,) * 8 + (1, -left - 1, 3 * EDGE))
        return rect(left + min(beyond, 0), top, right + max(beyond, 0), bottom)

    def _do(self, method: str, this: Pointer, refused: float = 0.05, **args: Any) -> None:
        result = REFUSED if self.dice.random() < refused else OK
        self.trace.call(S + method, {"this": this, **args}, result)

    def _blt(self) -> None:
        dice = self.dice
        flags = dice.choice((WAIT, WAIT | KEYSRC, 0, WAIT | KEYDEST, WAIT | DDFX, WAIT | DDFX))
        this, source = dice.choice(PLACES), dice.choice([*PLACES, NOTHING])
        fx = effects(2) if flags & DDFX and dice.random() < 0.9 else None
        if fx:
            fx[0].members["dwDDFX"] = Mask((("DDBLTFX_MIRRORLEFTRIGHT", 2),), dice.choice((0, 2, 4, 6, 0x10, 0x12, 0x16, 0x20)))
        self._do("Blt", this, lpDestRect=self._box(), lpDDSrcSurface=source, lpSrcRect=self._box(), dwFlags=flags, lpDDBltFx=fx)

    def _fast(self) -> None:
        dice = self.dice
        x, y = dice.randrange(WIDTH if dice.random() < 0.5 else EDGE), dice.randrange(EDGE)
        self._do("BltFast", dice.choice(PLACES), dwX=x, dwY=y, lpDDSrcSurface=dice.choice(PLACES), lpSrcRect=self._box(),
                 dwTrans=dice.choice((16, 16, 17, 17, 18)))  # fmt: skip

    def _fill(self) -> None:
        flags = self.dice.choice((COLORFILL, COLORFILL | WAIT, DEPTHFILL | WAIT))
        fx = effects(self.dice.randrange(1 << 32)) if self.dice.random() < 0.9 else None
        self._do("Blt", self.dice.choice(PLACES), lpDestRect=self._box(), lpDDSrcSurface=None, lpSrcRect=None, dwFlags=flags,
                 lpDDBltFx=fx)  # fmt: skip

    def _lock(self) -> None:
        dice, this = self.dice, self.dice.choice(PLACES)
        memory = Pointer(MEMORY.address + 0x10000 * dice.randrange(3)) if dice.random() < 0.9 else None
        shown = surface(0x100F, 0x1000, EDGE, EDGE, memory=memory)
        self._do("Lock", this, lpDestRect=self._box(), lpDDSurfaceDesc=shown, dwFlags=dice.choice((1, 1, 1, 0x11)), hEvent=None)
        if dice.random() < 0.2:
            self._blt()
        if dice.random() < 0.8:
            there = memory if dice.random() < 0.9 else MEMORY
            data = dice.randbytes(dice.randrange(40))
            self.trace.call("memcpy", {"dest": there or MEMORY, "src": data, "n": len(data)}, OK)
        if dice.random() < 0.9:
            self._do("Unlock", this if dice.random() < 0.9 else dice.choice(PLACES), lpRect=None)

    def _flip(self) -> None:
        override = BACK if self.dice.random() < 0.2 else None
        self._do("Flip", SCREEN, 0.4, lpDDSurfaceTargetOverride=override, dwFlags=self.dice.choice((1, 1, 0x2000001)))

    def _key(self) -> None:
        given = key(self.dice.randrange(3)) if self.dice.random() < 0.7 else None
        self._do("SetColorKey", self.dice.choice(PLACES), dwFlags=self.dice.choice((8, 2)), lpDDColorKey=given)

    def _token(self) -> None:
        if self.dice.random() < 0.3:
            self.texture(1)
        self.do("SetRenderState", dwRenderStateType=Enum("D3DRENDERSTATE_AMBIENT", 139), dwRenderState=self.dice.randrange(9))

    def _bind_and_end(self) -> None:
        """A texture is released while it is bound; another one takes its address."""
        self.texture(0)
        if self.dice.random() < 0.5:
            self.trace.call(S + "Release", {"this": TEXTURES[0]}, 0)
            self.made(TEXTURES[0], surface(0x1007, 0x1000, EDGE, EDGE))

    def _end(self) -> None:
        """A surface is released, or made again."""
        self.has_surface = not self.has_surface
        if self.has_surface:
            self.made(SURFACE, surface(0x1007, 0x40, EDGE, EDGE))
        else:
            self.trace.call(S + "Release", {"this": SURFACE}, 0)


class Paper(PaperDriver):
    """Keeps what it was called with."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def call(self, call: DdiCall) -> DdiCall:
        data = {name: bytes(value) for name, value in call.data.items()}
        self.calls.append(f"{call.source} {call.entry} {call.args} {data}")
        return call


def driven(path: Path) -> tuple[list[str], list[list[int]], list[tuple[int, str]]]:
    """The driver's calls, the verdicts of the program's, and what was found."""
    driver = Paper()
    verdicts: list[list[int]] = []
    runtime = Runtime(driver, verdict_sink=lambda chunk: verdicts.append(chunk.tolist()))
    for calls, _ in TraceStream(path, hashes=False):
        runtime.run(calls)
    runtime.finish()
    return driver.calls, verdicts, [(source, found.text) for source, found in runtime.findings]


@pytest.mark.parametrize("seed", range(4))
def test_the_queue_sends_what_the_methods_send(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Sequence(seed)
    for _ in range(400):
        program.step()
    path = tmp_path / "random.trace"
    path.write_bytes(zstd(program.trace.bytes()))
    used: dict[int, int] = dict.fromkeys(queue.SENDERS, 0)

    def counted(kind: int, send: Any) -> Any:
        def sender(*args: Any) -> None:
            used[kind] += 1
            send(*args)

        return sender

    with monkeypatch.context() as patch:
        patch.setattr(queue, "SENDERS", {kind: counted(kind, send) for kind, send in queue.SENDERS.items()})
        by_rows = driven(path)
    assert min(used.values()) > 2, used
    monkeypatch.setattr(dispatch, "ALL_ROWS", {name: row for name, row in dispatch.ALL_ROWS.items() if row.blit is None})
    by_methods = driven(path)
    assert by_rows == by_methods


def test_a_program_without_a_device_is_done_by_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program7()
    del program.trace.out[:]
    program.trace.__init__()  # type: ignore[misc]
    program.trace.call("DirectDrawCreateEx", {"lpGUID": None, "lplpDD": None, "iid": None, "pUnkOuter": None}, OK,
                       {"lplpDD": [DRAW]})  # fmt: skip
    program.draw7("SetDisplayMode", dwWidth=WIDTH, dwHeight=HEIGHT, dwBPP=32, dwRefreshRate=0, dwFlags=0)
    program.made(BACK, surface(0x1007, 0x40, WIDTH, HEIGHT))
    program.made(SURFACE, surface(0x1007, 0x40, EDGE, EDGE))
    for i in range(5):
        program.copy(i)
    path = tmp_path / "flat.trace"
    path.write_bytes(zstd(program.trace.bytes()))
    monkeypatch.setitem(dispatch.ALL_METHODS, S + "Blt", None)  # nobody else does it
    calls, _, _ = driven(path)
    boxes = [line for line in calls if " Blt " in line]
    assert len(boxes) == 5 and "'destination_box': (4, 4, 68, 68), 'source_box': (0, 0, 64, 64)" in boxes[4]
