"""Promises made by locking a buffer: NOOVERWRITE does not touch data that draws use, DISCARD does not need the old contents.

DX8 SDK, D3DLOCK_NOOVERWRITE: no vertices that drawing calls have referred to since the start of the frame, or since the last
lock without this flag, are modified; a lock with both flags counts as NOOVERWRITE (docs/decisions.md).  A draw's range is what
its token says; where an index buffer has not been written since, the indices themselves.  Followed are draws from buffers;
patches, and buffers before the first lock with one of the two flags (or without D3DUSAGE_DYNAMIC), are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.ddi.rules.old_uses import OLD_DRAWS, Given, given, numbered
from core.device.findings import Finding, finding
from core.device.registers import records
from core.pipeline.vertex.assemble import reference_count
from core.spec import slots
from core.spec.enums import DdBlt, DdLock, Usage
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.ddi.calls import DdiCall
    from core.device.device import CommandBuffer, Device

REPEATS = 8  # of a rule for a buffer
KEEPS = int(DdLock.NOOVERWRITE | DdLock.READONLY)
BINDINGS = (Op["SETSTREAMSOURCE"], Op["SETSTREAMSOURCEUM"], Op["SETINDICES"], Op["SETVERTEXSHADER"])
INDEXED = (Op["DRAWINDEXEDPRIMITIVE"], Op["DRAWINDEXEDPRIMITIVE2"])
FANS = (Op["CLIPPEDTRIANGLEFAN"],)
DRAWS = (Op["DRAWPRIMITIVE"], Op["DRAWPRIMITIVE2"], *INDEXED, *FANS)
WATCHED = np.isin(np.arange(256), [int(op) for op in (*BINDINGS, *DRAWS, *OLD_DRAWS)])
Bytes = tuple[int, int]  # first, past the last
Broken = tuple[str, str]


class Indices(NamedTuple):
    """Which vertices a draw takes: `number` indices at byte `first` of a buffer that was written `writes` times by then."""

    buffer: int
    first: int
    number: int
    width: int
    writes: int
    base: int


class Use(NamedTuple):
    """What a draw reads of a buffer; `stride` and `offset`: where vertex 0 is and how far it is to the next.

    Of the bytes it reads all, or the vertices that its indices or `vertices` name.
    """

    event: int
    bytes: Bytes
    stride: int = 0
    offset: int = 0
    indices: Indices | None = None
    vertices: np.ndarray | None = None  # int64[n]


@dataclass(slots=True)
class Held:
    """A buffer that is followed.  discarded: the event of a DISCARD that nothing was written after, -1: none."""

    flags: int = 0
    discarded: int = -1
    uses: list[Use] = field(default_factory=list)


class Bindings:
    """What draws read from, record by record."""

    def __init__(self, vector: np.ndarray) -> None:
        self.streams = vector[slots.STREAM : slots.STREAM + 3 * slots.STREAMS].reshape(-1, 3).tolist()
        self.indices, self.width = vector[slots.INDICES : slots.INDICES + 2].tolist()
        self.shader = int(vector[slots.VERTEX_SHADER])

    def follow(self, op: int, token: Any) -> None:
        if op == Op["SETINDICES"]:
            self.indices, self.width = token.buffer, token.stride
        elif op == Op["SETVERTEXSHADER"]:
            self.shader = token.shader
        elif token.stream < len(self.streams):
            from_user = op == Op["SETSTREAMSOURCEUM"]
            self.streams[token.stream] = [0 if from_user else token.buffer, token.stride, int(from_user)]

    def drawn(self, op: int, token: Any) -> tuple[int, int, int]:
        """(first vertex, vertices, byte offset of vertex 0 of stream 0) that a draw announces."""
        if op in INDEXED:
            base, offset = (token.base, 0) if op == Op["DRAWINDEXEDPRIMITIVE"] else (0, token.base_offset)
            return base + token.min_index, token.vertex_count, offset
        count = token.count + 2 if op in FANS else reference_count(token.type, token.count)
        return (token.start, count, 0) if op == Op["DRAWPRIMITIVE"] else (0, count, token.first_offset)

    def index_bytes(self, op: int, token: Any) -> Bytes:
        first = token.start * self.width if op == Op["DRAWINDEXEDPRIMITIVE"] else token.start_offset
        return first, first + self.width * reference_count(token.type, token.count)


class LockPromises:
    """See the module's docstring."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._held: dict[int, Held] = {}
        self._writes: Counter[int] = Counter()  # that unlocks have brought
        self._told: Counter[tuple[str, int]] = Counter()

    # ---- calls
    def look(self, call: DdiCall, seq: int) -> list[Broken]:
        """Promises that a call breaks; asked before it is executed."""
        handle = call.args.get("handle", 0)
        if call.entry in ("Flip", "DxgiPresent") or (call.entry == "Blt" and _ends_frame(call.args)):
            for held in self._held.values():
                held.uses.clear()
        if not isinstance(handle, int):
            return []
        match call.entry:
            case "CreateD3DBuffer":
                return self._created(handle, call.args.get("usage", 0))
            case "LockD3DBuffer":
                return [one for one in self._locked(handle, call.args.get("flags", 0), seq) if self._news(one, handle)]
            case "UnlockD3DBuffer":
                return [one for one in self._unlocked(handle, call) if self._news(one, handle)]
            case "DestroyD3DBuffer":
                self._held.pop(handle, None)
        return []

    def _news(self, one: Broken, handle: int) -> bool:
        self._told[one[0], handle] += 1
        return self._told[one[0], handle] <= REPEATS

    def _created(self, handle: int, usage: Any) -> list[Broken]:
        self._held.pop(handle, None)
        if isinstance(usage, int) and usage & Usage.DYNAMIC:
            self._held[handle] = Held()
        return []

    def _locked(self, handle: int, flags: Any, seq: int) -> Iterator[Broken]:
        flags = flags if isinstance(flags, int) else 0
        if flags & (DdLock.NOOVERWRITE | DdLock.DISCARDCONTENTS):
            self._held.setdefault(handle, Held())
        held = self._held.get(handle)
        if held is None:
            return
        held.flags = flags
        if flags & DdLock.DISCARDCONTENTS:
            if held.discarded >= 0:
                yield (
                    "lock-discard",
                    f"buffer {handle} was discarded at event {held.discarded} and has not been written since",
                )
            held.discarded = seq
        if not flags & KEEPS or flags & (DdLock.DISCARDCONTENTS | DdLock.NOOVERWRITE) == DdLock.DISCARDCONTENTS:
            held.uses.clear()

    def _unlocked(self, handle: int, call: DdiCall) -> Iterator[Broken]:
        contents, held = call.data.get("contents"), self._held.get(handle)
        if contents is None:
            return
        self._writes[handle] += 1
        if held is None:
            return
        held.discarded = -1
        buffer, offset = self._device.memory.buffers.get(handle), call.args.get("offset", 0)
        if not held.flags & DdLock.NOOVERWRITE or not held.uses or buffer is None or not isinstance(offset, int):
            return
        new = np.frombuffer(contents, np.uint8)
        old = buffer.bytes()[offset : min(offset + len(new), buffer.size)]
        changed = offset + np.flatnonzero(old != new[: len(old)])
        for use in held.uses:
            hit = changed[np.searchsorted(changed, use.bytes[0]) : np.searchsorted(changed, use.bytes[1])]
            if len(hit) and len(hit := hit[self._is_read(use, hit)]):
                where = f"byte {hit[0]}" if len(hit) == 1 else f"bytes {hit[0]} to {hit[-1]}"
                yield "lock-overwrite", f"{where} of buffer {handle}, used by the draw at event {use.event}, are changed"

    def _is_read(self, use: Use, at: np.ndarray) -> np.ndarray:
        """Which of these bytes the draw reads: by its indices, if they are still what they were."""
        if use.vertices is not None:
            return np.isin((at - use.offset) // use.stride, use.vertices)
        indices = use.indices
        buffer = self._device.memory.buffers.get(indices.buffer) if indices is not None else None
        if indices is None or buffer is None or self._writes[indices.buffer] != indices.writes:
            return np.ones(len(at), bool)
        memory = buffer.bytes()[: buffer.size][indices.first : indices.first + indices.number * indices.width]
        words = memory[: len(memory) // indices.width * indices.width].view(f"<u{indices.width}").astype(np.int64)
        return np.isin((at - use.offset) // use.stride, words + indices.base)

    # ---- draws
    def findings(self, call: DdiCall, stream: CommandBuffer, found: np.ndarray, first_seq: int) -> list[Finding]:
        """Notes what the draws of a stream read, before they are executed; draws from what was discarded and not written."""
        if not self._held:
            return []
        bindings, vertices, broken = Bindings(self._device.registers.vector), given(call), list[Finding]()
        for n in np.flatnonzero(WATCHED[found["op"]] & (found["count"] > 0)).tolist():
            op, token = int(found["op"][n]), records.fields(stream, found[n])
            if op in BINDINGS:
                bindings.follow(op, token)
                continue
            is_old = op in OLD_DRAWS
            event = first_seq + n
            uses = self._old_uses(vertices, stream, found[n], event) if is_old else self._uses(bindings, op, token, event)
            for handle, use in uses:
                held = self._held[handle]
                held.uses.append(use)
                text = f"buffer {handle} was discarded at event {held.discarded} and is drawn from before anything is written"
                if held.discarded >= 0 and self._news(("lock-discard", text), handle):
                    broken.append(finding("lock-discard", first_seq + n, text, int(found["offset"][n])))
        return broken

    def _uses(self, bindings: Bindings, op: int, token: Any, event: int) -> Iterator[tuple[int, Use]]:
        """(buffer, what is read of it) of the buffers that are followed."""
        indices = None
        if op in INDEXED:
            span, width = bindings.index_bytes(op, token), bindings.width
            if bindings.indices in self._held:
                yield bindings.indices, Use(event, span)
            if width in (2, 4):
                base = token.base if op == Op["DRAWINDEXEDPRIMITIVE"] else 0
                writes = self._writes[bindings.indices]
                indices = Indices(bindings.indices, span[0], (span[1] - span[0]) // width, width, writes, base)
        first, count, offset = bindings.drawn(op, token)
        for number in self._read_streams(bindings.shader):
            handle, stride, _ = bindings.streams[number]
            if handle in self._held and stride:
                start = offset if number == 0 else 0
                begin = start + first * stride
                yield handle, Use(event, (begin, begin + count * stride), stride, start, indices)

    def _old_uses(self, vertices: Given, stream: CommandBuffer, record: Any, event: int) -> Iterator[tuple[int, Use]]:
        """The same of a draw whose vertices are those of the call."""
        handle, stride, offset = vertices
        if handle in self._held and stride:
            first, end, names = numbered(stream, record)
            yield handle, Use(event, (offset + first * stride, offset + end * stride), stride, offset, vertices=names)

    def _read_streams(self, shader: int) -> tuple[int, ...]:
        """Streams that the vertex format or shader reads."""
        made = self._device.context.vertex_shaders.get(shader) if shader & 1 else None
        return made.declaration.streams if made is not None and made.declaration is not None else (0,)


def _ends_frame(args: dict[str, Any]) -> bool:
    flags = args.get("flags", 0)
    return bool(args.get("presentation")) or (isinstance(flags, int) and bool(flags & DdBlt.LAST_PRESENTATION))
