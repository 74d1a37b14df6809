"""An edited capture as a separate file: edits become tokens and calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.stream import dp2
from core.ddi.stream.state_tokens import state_tokens
from core.device.memory.surfaces import SurfacePart
from core.errors import BadInput, Cancelled
from core.spec.enums import PrimitiveType
from core.spec.slots import BASE
from core.spec.tokens import COMMAND_BYTES, TOKENS
from inspector.progress import Progress
from inspector.tape import Tape, TapeWriter
from inspector.timeline.edited import EditedDriver, EditedTimeline, Plan
from inspector.timeline.events import Events

if TYPE_CHECKING:
    from inspector.capture import Capture

CALLS_A_PROGRESS = 64
EACH = {PrimitiveType.POINTLIST: 1, PrimitiveType.LINELIST: 2, PrimitiveType.TRIANGLELIST: 3, PrimitiveType.LINESTRIP: 1}


def export_edited(capture: Capture, path: Path, progress: Progress | None = None) -> None:
    """Writes the capture with its edits done; event numbers are others wherever tokens came or went.

    Raises BadInput for an edit that no stream of tokens can say, and for a capture that is not an edited one.
    """
    if not isinstance(capture.timeline, EditedTimeline):
        raise BadInput(f"{capture.title}: nothing is edited")
    with TapeWriter(path, {"edits": [str(edit) for edit in capture.edits]}, durable=False) as writer:
        if isinstance(capture.tape, Tape):
            writer.take_over(capture.tape)
        scribe = Scribe(capture.timeline.plan, capture.events)
        for number, call in enumerate(capture.calls):
            told = number % CALLS_A_PROGRESS or not progress or progress(number / len(capture.calls), "writing calls")
            if told is False:
                raise Cancelled("export cancelled")
            for made in scribe.calls_of(call, capture.events.of_call(number)):
                writer.append(made)


@dataclass
class _Stream:
    """A DrawPrimitives2 call that is being put together."""

    call: DdiCall
    commands: bytearray = field(default_factory=bytearray)
    sources: list[int] = field(default_factory=list)

    def finished(self) -> DdiCall:
        args = {**self.call.args, "command_offset": 0, "command_length": len(self.commands)}
        data: dict[str, Any] = {name: value for name, value in self.call.data.items() if name not in ("commands", "sources")}
        data["commands"] = bytes(self.commands)
        if min(self.sources, default=-1) >= 0:
            data["sources"] = np.array(self.sources, np.uint32)
        return DdiCall("DrawPrimitives2", args, data, self.call.result, {}, self.call.source)


class Scribe(EditedDriver):
    """Carries the edited calls out, and writes down calls that do the same without any edits."""

    def __init__(self, plan: Plan, events: Events) -> None:
        super().__init__(plan, events)
        self._made: list[DdiCall | _Stream] = []
        self._call = DdiCall("")

    def calls_of(self, call: DdiCall, span: range) -> Iterator[DdiCall]:
        """What a call of the edited capture becomes."""
        self._made, self._call = [], call
        self.run(call, span.start)
        for made in self._made:
            yield made.finished() if isinstance(made, _Stream) else made

    # ---- what is heard while it runs -------------------------------------------------------------------------------------
    def _carry_out(self, call: DdiCall) -> None:
        super()._carry_out(call)
        self._made.append(call)

    def _run_part(self, call: DdiCall, first_seq: int, at: int, until: int) -> None:
        super()._run_part(call, first_seq, at, until)
        failed = self._events.failed.get(int(self._events.rows["call"][at]))
        until = until if failed is None else min(until, failed.first)  # the rest was not executed
        stream = self._stream()
        kept = self.plan.primitives.get(at)
        for bytes_, events in records(self._events, at, until, len(stream.commands)):
            stream.commands += bytes_ if kept is None else self._cut(bytes_, at, kept)
            stream.sources += self._events.rows["source"][events.start : events.stop].tolist()

    def _write(self, slot: int, values: np.ndarray, seq: int) -> None:
        super()._write(slot, values, seq)
        if self.device.context.handle not in self.device.contexts:
            return  # before there is a context; it is forced again when there is one
        made = state_tokens(self.device.registers, slot, len(values))
        if made is None:
            raise BadInput(f"no token sets slot {slot}, so this force cannot be saved in a capture")
        stream = self._stream()
        count = len(records_in(made))
        stream.commands += made
        stream.sources += [int(self._events.rows["source"][min(seq, len(self._events) - 1)])] * count

    def _put(self, part: SurfacePart, rows: np.ndarray, seq: int) -> None:
        super()._put(part, rows, seq)
        source = self._call.source
        self._made.append(DdiCall("Lock", {"handle": part.handle, "box": None, "flags": 0}, {}, 0, {}, source))
        args = {"handle": part.handle, "box": None, "pitch": part.pitch, "slice_pitch": part.slice_pitch}
        self._made.append(DdiCall("Unlock", args, {"contents": rows.copy()}, 0, {}, source))

    def _stream(self) -> _Stream:
        """The stream that tokens go into: the one at the end, or a new one."""
        if self._made and isinstance(self._made[-1], _Stream):
            return self._made[-1]
        call = self._call
        if call.entry != "DrawPrimitives2":
            call = DdiCall("DrawPrimitives2", {"context": self.device.context.handle}, {}, 0, {}, call.source)
        made = _Stream(call)
        self._made.append(made)
        return made

    def _cut(self, token: bytes, event: int, kept: tuple[int, int]) -> bytes:
        """A draw of some of its primitives, where a draw can say so."""
        stride = int(self.device.registers.vector[BASE["indices"] + 1])
        made = cut_draw(token, *kept, stride)
        if made is None:
            name = TOKENS[token[0]].name
            raise BadInput(f"event {event}: no {name} of this kind draws only primitives {kept[0]} to {kept[1]}")
        return made


def records(events: Events, at: int, until: int, place: int) -> Iterator[tuple[bytes, range]]:
    """Tokens with the records of events at..until-1, and which events those are; `place`: where they will stand."""
    rows, buffer = events.rows, events.buffer(at)
    while at < until:
        end = at + 1
        while end < until and rows["token"][end] == rows["token"][at]:
            end += 1
        row = TOKENS[int(rows["op"][at])]
        token, first = int(rows["token"][at]), int(rows["offset"][at])
        last = int(rows["offset"][end - 1]) + int(rows["size"][end - 1])
        head, body = buffer[token : token + COMMAND_BYTES].tobytes(), buffer[first:last].tobytes()
        if row.repeat == "count":
            count = 0 if dp2.is_empty(rows[at]) else end - at
            head = head[:2] + count.to_bytes(2, "little")
        elif row.items is not None and row.items.vertices:
            size = row.fields_dtype.itemsize
            body = body[:size] + bytes(-(place + COMMAND_BYTES + size) & 3) + body[size + (-(first + size) & 3) :]
        yield head + body, range(at, end)
        place += len(head) + len(body)
        at = end


def records_in(commands: bytes) -> list[int]:
    """Offsets of the tokens of one record each that state_tokens makes."""
    return [int(record["token"]) for record in dp2.scan(commands).records]


def cut_draw(token: bytes, first: int, last: int, index_stride: int) -> bytes | None:
    """A DirectX 8 draw of its primitives first..last only; None where a token cannot say so."""
    name = TOKENS[token[0]].name
    if name not in ("DRAWPRIMITIVE", "DRAWINDEXEDPRIMITIVE", "DRAWINDEXEDPRIMITIVE2"):
        return None
    words = np.frombuffer(token[COMMAND_BYTES:], "<u4").copy()
    kind, count = PrimitiveType(int(words[0])), int(words[-1])
    last = min(last, count - 1)
    each = EACH.get(kind, 1 if kind == PrimitiveType.TRIANGLESTRIP and first % 2 == 0 else 0)
    if first and not each:
        return None
    words[-2 if name != "DRAWPRIMITIVE" else 1] += first * each * (index_stride if name.endswith("2") else 1)
    words[-1] = max(last - first + 1, 0)
    return token[:COMMAND_BYTES] + words.tobytes()
