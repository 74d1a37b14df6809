"""Calls that the walk executes in groups: plain draws of one context, and presents that repeat an earlier one.

Most calls of a long tape are these.  One by one they cost a third of a millisecond each, nearly all of it in looking for
broken rules in a handful of records.  Here the command buffers of calls that follow each other are read as one; where anything
at all is found in them, they are executed one by one after all, so the result is the same.

Locks, and surfaces that come and go while no waiting stream looks one up, pass the draws that wait: neither sees what the other
does, and findings are put in the order of their events again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.rules.check import Finding
from core.ddi.stream import dp2
from core.device.device import CommandBuffer
from core.device.registers.records import NOTHING, for_device
from core.device.tokens.operations import OPERATIONS
from core.spec import slots
from core.spec.effects import EventKind, Touches
from core.spec.enums import Dp2Flag
from core.spec.tokens import TOKENS, Op, ops_that
from inspector.tape.sequence import RawCall
from inspector.timeline.events import LARGEST_VERTEX, Events
from inspector.timeline.liveness import PLAIN_DRAWS, Operation

if TYPE_CHECKING:
    from inspector.timeline.walk import Walker

MOST_CALLS, MOST_BYTES = 1024, 1 << 20  # that are executed at once
MOST_SHAPES = 4096  # that are remembered
PRESENTS = frozenset({"Blt", "Flip"})
KEEP_SURFACES = PRESENTS | {"DrawPrimitives2", "Lock", "Unlock", "LockD3DBuffer", "UnlockD3DBuffer"}
"""Entries after which every surface is what it was, but for its pixels."""
LOCKS = frozenset({"Lock", "Unlock", "LockD3DBuffer", "UnlockD3DBuffer"})
"""Entries that draws may wait over: they change no register, and no handle's meaning."""
MAKE_SURFACES = frozenset({"CreateSurface", "DestroySurface"})
"""Entries that draws may wait over which look up no handle."""
DRAW_ARGUMENTS = frozenset(
    {"context", "flags", "command_offset", "command_length", "vertex_type", "vertex_offset", "vertex_length", "vertex_size"}
)
PLAIN_DRAW = np.array(PLAIN_DRAWS)
PLAIN = PLAIN_DRAW | ops_that(
    lambda row: (
        row.name == "CLEAR"
        or (
            row.kind in (EventKind.STATE, EventKind.TRANSFORM, EventKind.SHADER)
            and row.since < 9
            and row.touches == Touches.NOTHING
        )
    )
)
"""By token: it changes registers only, or draws."""
CLEAR = Op["CLEAR"]
LOOK_UP = [CLEAR, Op["SETRENDERTARGET"], Op["SETSTREAMSOURCE"], Op["SETINDICES"]]
"""Plain tokens of which a rule, or what they do without drawing, wants to know what a handle names."""
CLEAR_FIELDS = TOKENS[CLEAR].fields_dtype.itemsize
assert TOKENS[CLEAR].place("flags") == (0, 4)


class Draw(NamedTuple):
    """What there is to know of the arguments of a plain DrawPrimitives2."""

    context: int
    stride: int
    commands: int  # bytes of them
    vertices: int  # bytes that it needs of them
    user: bool


class Quiet:
    """Of a walk: `take` calls in order, `flush` before one that it does not take."""

    def __init__(self, walker: Walker) -> None:
        self._walker = walker
        self._calls: Sequence[DdiCall] = ()
        self._events: Events
        self._raw: Callable[[int], RawCall | None]
        self._loud, self._looks_up = np.zeros((2, 0), bool)  # by call
        self._draws: dict[tuple[bytes, int, bytes], Draw | None] = {}
        self._presents: dict[tuple[str, bytes, int, bytes], tuple[Operation, ...]] = {}
        self._clears: dict[tuple[object, ...], tuple[Operation, ...]] = {}
        self._waiting: list[int] = []
        self._bytes, self._user, self._like = 0, False, (0, 0)  # of those that wait: context and stride of all
        self._looking = False  # one of them looks handles up
        self._found, self._passed = 0, False  # findings before the first of them; whether another call was done meanwhile
        self._begin = 0  # where the commands being executed begin among all of the tape's

    def look_at(self, calls: Sequence[DdiCall], events: Events) -> None:
        """From now on these are the calls: those of before, and perhaps more."""
        self._calls, self._events = calls, events
        self._raw = getattr(calls, "raw", lambda number: None)
        self._loud, self._looks_up = np.zeros((2, len(calls)), bool)
        rows = events.rows
        self._looks_up[rows["call"][np.isin(rows["op"], LOOK_UP)]] = True
        self._loud[rows["call"][~PLAIN[rows["op"]] & (rows["op"] != 0)]] = True
        self._loud[[*(error.call for error in events.errors), *events.failed]] = True

    def take(self, number: int) -> bool:
        """Whether the call is done, or will be with others; if not, everything before it that matters to it is."""
        raw = None if self._loud[number] else self._raw(number)
        if raw is not None and self._walker.answers.is_idle:
            if raw.entry == "DrawPrimitives2":
                draw = self._draw(number, raw)
                if draw is not None:
                    self._wait(number, draw)
                    return True
            elif raw.entry in PRESENTS and (done := self._presents.get(_key(raw))) is not None:
                self._follow(done, self._events.of_call(number).start)
                return True
            elif self._waiting and self._may_pass(raw.entry):
                self._passed = True
                return False
        self.flush()
        return False

    def _may_pass(self, entry: str) -> bool:
        """Whether a call and the draws that wait come to the same in either order."""
        return entry in LOCKS or (entry in MAKE_SURFACES and not self._looking)

    def watch(self, number: int, call: DdiCall, carry_out: Callable[[], None]) -> None:
        """Carries out a call that was not taken, and remembers a present after which nothing was different."""
        walker, entry, recorded = self._walker, call.entry, call.result
        if entry not in KEEP_SURFACES:
            self._presents.clear()
            self._clears.clear()
        raw = self._raw(number) if entry in PRESENTS and walker.answers.is_idle else None
        found, followed = len(walker.driver.findings), len(walker.follower.others)
        carry_out()
        quiet = raw is not None and not raw.data and recorded == call.result == 0
        quiet = quiet and walker.answers.is_idle and len(walker.driver.findings) == found
        if raw is not None and quiet and len(self._presents) < MOST_SHAPES:
            self._presents[_key(raw)] = tuple(walker.follower.others[followed:])

    def flush(self) -> None:
        """Carries out what waits."""
        waiting, self._waiting = self._waiting, []
        if waiting and not (len(waiting) > 1 and self._together(waiting)):
            for number in waiting:
                self._walker.go(self._calls[number], self._events.of_call(number).start)
        if waiting and self._passed:
            findings, call_of = self._walker.driver.findings, self._events.rows["call"]
            findings[self._found :] = sorted(findings[self._found :], key=lambda one: int(call_of[one.seq]))
        self._bytes, self._user, self._looking, self._passed = 0, False, False, False

    # ---- draws
    def _draw(self, number: int, raw: RawCall) -> Draw | None:
        """What it is if it is plain, and of the current context."""
        key = raw.args, raw.result, raw.out
        if key not in self._draws:
            if len(self._draws) >= MOST_SHAPES:
                self._draws.clear()
            self._draws[key] = _plain_draw(self._calls[number])
        draw, device = self._draws[key], self._walker.driver.device
        if draw is None or device.contexts.get(draw.context) is not device.context or device.registers.recording:
            return None
        if device.registers is not self._walker.registers:
            return None
        commands, vertices = raw.data.get("commands"), raw.data.get("vertices")
        size = vertices[1] if isinstance(vertices, list) else -1 if vertices is None else len(vertices)
        fits = draw.vertices <= max(size, 0)
        return draw if fits and isinstance(commands, bytes) and len(commands) == draw.commands > 0 else None

    def _wait(self, number: int, draw: Draw) -> None:
        like = draw.context, draw.stride
        if self._waiting and (like != self._like or len(self._waiting) >= MOST_CALLS or self._bytes > MOST_BYTES):
            self.flush()
        if not self._waiting:
            self._found = len(self._walker.driver.findings)
        self._waiting.append(number)
        self._looking = self._looking or bool(self._looks_up[number])
        self._like, self._bytes, self._user = like, self._bytes + draw.commands, self._user or draw.user

    def _together(self, waiting: list[int]) -> bool:
        """Carries out all of them at once; False, and nothing is done, if that would not be the same."""
        events, driver, (context, stride) = self._events, self._walker.driver, self._like
        first, stop = events.of_call(waiting[0]).start, events.of_call(waiting[-1]).stop
        rows = events.rows[first:stop]
        rows = rows[rows["op"] != 0]
        self._begin = int(events.base[waiting[0]])
        commands = events.commands[self._begin : self._begin + self._bytes]
        scan = dp2.scan(commands, 0, len(commands), stride)
        same = scan.error is None and len(scan.records) == len(rows)
        if not same or any((scan.records[name] != rows[name]).any() for name in ("op", "count", "size")):
            return False
        records = for_device(scan.records)
        seqs = first + np.flatnonzero(events.rows["op"][first:stop])
        watch = driver.watch(context).copy()
        if driver.state_check.copy().check(commands, records, 0) or watch.findings(commands, records, 0):
            return False
        driver.watches[context] = watch
        self._carry_out(commands, records, seqs, stride)
        if self._user:  # for those that want to know where the vertices of the draw before were
            last = DdiCall("DrawPrimitives2", {"context": context, "flags": int(Dp2Flag.USERMEMVERTICES)})
            driver.stalls.see(last)
            self._walker.answers.findings(last, stop)
        driver.seq = stop
        return True

    def _carry_out(self, commands: np.ndarray, records: np.ndarray, seqs: np.ndarray, stride: int) -> None:
        """Records of which number n is event seqs[n]."""
        walker, registers, log = self._walker, self._walker.registers, self._walker.log
        draws = PLAIN_DRAW[records["op"]]
        walker.follower.draws.extend(seqs[draws].tolist())
        records, seqs = records[~draws], seqs[~draws]
        stream, begun, named = CommandBuffer(commands, records, vertex_stride=stride), log.length, []
        n, device = 0, walker.driver.device
        while (n := registers.walk(commands, records, n, len(records), 0)) < len(records):
            op, seq = int(records["op"][n]), int(seqs[n])
            if op == CLEAR:
                self._clear(stream, n, seq)
            elif op != NOTHING:
                found, before = len(device.findings), log.length
                OPERATIONS[op](device, stream, records[n], seq)
                named.append((before, log.length))
                self._place(device.findings, found, seq)
            n += 1
        _name(log.keys, begun, named, seqs)

    def _place(self, findings: list[Finding], first: int, seq: int) -> None:
        """Offsets of new findings are within the buffer of their call."""
        base = self._events.base
        for n in range(first, len(findings)):
            if findings[n].offset >= 0:
                call = int(self._events.rows["call"][seq])
                findings[n] = replace(findings[n], offset=findings[n].offset - int(base[call]) + self._begin)

    # ---- what is reported to the follower
    def _clear(self, stream: CommandBuffer, n: int, seq: int) -> None:
        """As Follower.token of a CLEAR; one like it is done the same way while surfaces are what they were."""
        walker, record, vector = self._walker, stream.records[n], self._walker.registers.vector
        begin = int(record["offset"])
        flags, rects = stream.buffer[begin : begin + 4], stream.buffer[begin + CLEAR_FIELDS : begin + int(record["size"])]
        view = vector[slots.VIEWPORT : slots.VIEWPORT + 4].tobytes()
        key = flags.tobytes(), rects.tobytes(), int(vector[slots.RENDER_TARGET]), int(vector[slots.DEPTH_STENCIL]), view
        done = self._clears.get(key)
        if done is not None:
            self._follow(done, seq)
            return
        before = len(walker.follower.others)
        walker.follower.token(walker.driver.device, stream, record, seq)
        if len(self._clears) < MOST_SHAPES:
            self._clears[key] = tuple(walker.follower.others[before:])

    def _follow(self, done: tuple[Operation, ...], seq: int) -> None:
        """The same again, by another event."""
        self._walker.follower.others.extend([Operation(one.kind, seq, seq, *one[3:]) for one in done])


def _key(raw: RawCall) -> tuple[str, bytes, int, bytes]:
    return raw.entry, raw.args, raw.result, raw.out


def _name(keys: np.ndarray, begun: int, named: list[tuple[int, int]], seqs: np.ndarray) -> None:
    """Writes name numbers of records, but for those in `named`, which are named by their events already."""
    fresh = np.ones(len(keys) - begun, bool)
    for start, stop in named:
        fresh[start - begun : stop - begun] = False
    written = keys[begun:]
    low = np.uint64(0xFFFFFFFF)
    written[fresh] = written[fresh] & ~low | seqs[written[fresh] & low].astype(np.uint64)


def _plain_draw(call: DdiCall) -> Draw | None:
    """What a DrawPrimitives2 is if it succeeded and does nothing but draw from user memory, or set states."""
    args = call.args
    numbers = all(isinstance(value, int) and 0 <= value < 1 << 31 for value in args.values())
    if call.result or any(call.out.values()) or not numbers or not args.keys() <= DRAW_ARGUMENTS or "context" not in args:
        return None
    flags, stride = args.get("flags", 0), args.get("vertex_size", 0)
    if (
        flags & ~Dp2Flag.USERMEMVERTICES
        or args.get("command_offset", 0)
        or stride > LARGEST_VERTEX
        or "command_length" not in args
    ):
        return None
    needed = args.get("vertex_length", 0) * max(stride, 1)
    return Draw(args["context"], stride, args["command_length"], args.get("vertex_offset", 0) + needed, bool(flags))
