"""What waits while the loop goes on: the driver gets what it gets when every call ends the loop, in the same order."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.runtime import dispatch, late
from core.runtime.rows import layout
from tests.bench.import_programs import BUFFER, DEVICE, FVF, INDICES, LIST, MEMORY, ORDER, STRIDE, VERTICES, Program8, rect
from tests.core.runtime.rows.test_old_blits import driven
from tests.inspector.imports.trace_file import OK, Pointer, zstd

REFUSED = 0x8876086C - (1 << 32)
SECOND, NOTHING = Pointer(0x9000), Pointer(0xA000)
BUFFERS = {BUFFER: "Vertex", SECOND: "Vertex", INDICES: "Index"}
PRESENT = dict.fromkeys(("pSourceRect", "pDestRect", "hDestWindowOverride", "pDirtyRegion"))
SMALL, MIDDLE, LARGE = 3 * STRIDE, 900 * STRIDE, 4500 * STRIDE


class Sequence(Program8):
    """Random calls that lock buffers, draw from memory, end scenes, present, and release what is bound."""

    def __init__(self, seed: int, **shown: int) -> None:
        super().__init__(**shown)
        self.dice = random.Random(seed)
        self.make(SECOND)

    def make(self, buffer: Pointer) -> None:
        self.do("CreateVertexBuffer", {"ppVertexBuffer": [buffer]}, Length=len(VERTICES), Usage=0, FVF=FVF, Pool=0)

    def step(self) -> None:
        """One call, or a few that belong together."""
        dice = self.dice
        kinds: list[tuple[Callable[[], None], int]] = [
            (self._lock, 10), (self._token, 10), (self._draw_up, 4), (self._show, 4), (self._end, 4), (self._release, 1),
        ]  # fmt: skip
        dice.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]()

    def _result(self) -> int:
        return REFUSED if self.dice.random() < 0.05 else OK

    def _of_buffer(self, method: str, out: dict[str, Any] | None = None, **args: Any) -> None:
        this, kind = self.dice.choice((*BUFFERS.items(), (NOTHING, "Vertex"))) if self.dice.random() < 0.2 else self.locked
        self.trace.call(f"IDirect3D{kind}Buffer8::{method}", {"this": this, **args}, self._result(), out)

    def _lock(self) -> None:
        """Lock, memcpy, Unlock, or some of them, with other calls between."""
        dice = self.dice
        self.locked = dice.choice([*BUFFERS.items()])
        memory = Pointer(MEMORY.address + 0x10000 * dice.randrange(2))
        flags = dice.choice((0, 0, 0, 0x10, 0x2000))
        size = dice.choice((0, 0, 8, 1 << 20))
        out = [memory] if dice.random() < 0.8 else None
        self._of_buffer("Lock", {"ppbData": out}, OffsetToLock=dice.choice((0, 4)), SizeToLock=size, ppbData=None,
                        Flags=flags)  # fmt: skip
        for _ in range(dice.choice((0, 0, 1, 4))):
            dice.choice((self._token, self._token, self._draw_up, self._show, self._end, self._release))()
        if dice.random() < 0.8:
            data = dice.randbytes(dice.randrange(60))
            there = memory if dice.random() < 0.9 else NOTHING
            self.trace.call("memcpy", {"dest": there, "src": data if dice.random() < 0.9 else None, "n": len(data)})
        if dice.random() < 0.9:
            self._of_buffer("Unlock")

    def _token(self) -> None:
        dice = self.dice
        kinds = (self.state, self.texture, self.clear, self.fill, self.draw, self.draw_indexed, self.lock, self.transform)
        dice.choice(kinds)(dice.randrange(5))

    def _draw_up(self) -> None:
        data = self.dice.randbytes(self.dice.choice((SMALL, SMALL, SMALL, MIDDLE, LARGE)))
        more = {"MinVertexIndex": 0, "NumVertexIndices": 3, "pIndexData": ORDER[:6], "IndexDataFormat": 101}
        name, given = ("DrawIndexedPrimitiveUP", more) if self.dice.random() < 0.4 else ("DrawPrimitiveUP", {})
        args = {"PrimitiveType": LIST, "PrimitiveCount": 1, **given, "pVertexStreamZeroData": data}
        self.do(name, **args, VertexStreamZeroStride=STRIDE)

    def _show(self) -> None:
        area = rect(0, 0, 8, 8) if self.dice.random() < 0.1 else None
        this = NOTHING if self.dice.random() < 0.05 else DEVICE
        self.trace.call("IDirect3DDevice8::Present", {"this": this, **PRESENT, "pDestRect": area}, self._result())

    def _end(self) -> None:
        self.do(self.dice.choice(("BeginScene", "EndScene")))

    def _release(self) -> None:
        """A buffer goes while it is bound, or locked, or neither; another one takes its address."""
        self.do("SetStreamSource", StreamNumber=0, pStreamData=self.dice.choice((BUFFER, SECOND, None)), Stride=STRIDE)
        gone = self.dice.choice((BUFFER, SECOND))
        is_locked = self.dice.random() < 0.5
        if is_locked:
            self._begin_lock(gone)
        self.trace.call("IDirect3DVertexBuffer8::Release", {"this": gone}, 0)
        if self.dice.random() < 0.7:
            self.make(gone)
        if is_locked:
            self.state(self.dice.randrange(5))
            self.call("IDirect3DVertexBuffer8::Unlock", gone)

    def _begin_lock(self, buffer: Pointer) -> None:
        self.call("IDirect3DVertexBuffer8::Lock", buffer, {"ppbData": [MEMORY]}, OffsetToLock=0, SizeToLock=0, ppbData=None,
                  Flags=0)  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_what_waits_is_what_is_done_at_once(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rotates = seed == 4  # a Present moves the back buffers: Python does it
    program = Sequence(seed, Windowed=int(seed != 3), BackBufferCount=1 + rotates)
    for _ in range(400):
        program.step()
    path = tmp_path / "random.trace"
    path.write_bytes(zstd(program.trace.bytes()))
    waited = dict.fromkeys((layout.LOCK_BUFFER, layout.MEMCPY, layout.METHOD, layout.COMMANDS, layout.PRESENT), 0)
    send = late.send_queue

    def counted(rt: Any, do: Any) -> None:
        kinds = rt.commands.queue[: rt.commands.numbers[layout.QUEUED], layout.Q_KIND].tolist()
        for kind in waited:
            waited[kind] += kinds.count(kind)
        send(rt, do)

    with monkeypatch.context() as patch:
        patch.setattr("core.runtime.loop.send_queue", counted)
        later = driven(path)
    assert (waited.pop(layout.PRESENT) > 20) is not rotates
    assert min(waited.values()) > 5, waited
    monkeypatch.setattr(dispatch, "ALL_ROWS", {name: row for name, row in dispatch.ALL_ROWS.items() if row.blit is None})
    monkeypatch.setattr(layout, "POSTED_BYTES", 0)
    assert later == driven(path)
