"""The facade: one capture, and its answers to scripts, panels and exports."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Hashable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from core.cancel import asked, cancellable
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.rules.check import Finding
from core.device.past.moment import Moment
from core.device.past.reading import find
from core.errors import BadInput, Cancelled, in_a_sentence, out_of_range
from core.spec.formats import Format
from core.spec.subresource import Subresource, Where
from inspector import imports
from inspector.ends import Ends
from inspector.focus import RENDER_TARGET
from inspector.log import timed
from inspector.progress import Cancel, Progress
from inspector.query.draws import vertices as vertex_query
from inspector.query.draws.vertices import Grid
from inspector.query.events import detail as event_query
from inspector.query.events.copied import followed
from inspector.query.events.detail import EventDetail, FieldText
from inspector.query.events.findings import listed
from inspector.query.objects.surfaces import SurfaceInfo
from inspector.query.state.at_event import DeviceState, States
from inspector.tape.side import SideCache
from inspector.timeline import resources as resource_list
from inspector.timeline.budgets import Budgets
from inspector.timeline.frames import Frame, numbered, picture_event
from inspector.timeline.kept import Kept
from inspector.timeline.listing import Listing
from inspector.timeline.primitives import primitives_of
from inspector.timeline.replay import Replay
from inspector.timeline.resources import Resources
from inspector.timeline.spare import give_back
from inspector.timeline.timeline import Timeline
from inspector.timeline.walk import Walk

if TYPE_CHECKING:
    from inspector.query.what_if.edits import Edit
    from inspector.tape import Tape

log = logging.getLogger(__name__)
Answer = TypeVar("Answer", covariant=True)
IMPORT_SHARE, EVENT_SHARE = 0.85, 0.15  # of the time it takes to open


class Query(Protocol[Answer]):
    """A question: a frozen dataclass that says what is asked."""

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Answer:
        """Finds the answer; slow ones look at `cancel` now and then."""


class QueryInPieces(Protocol[Answer]):
    """A question whose answer takes long, and can be found bit by bit, with other things done in between."""

    def in_pieces(self, capture: Capture) -> Generator[float, None, Answer]:
        """Yields how far it is, and returns the answer."""


def _subresource(surface: Where, level: int, face: int, slice: int, sample: int | None) -> Subresource:
    return surface if isinstance(surface, Subresource) else Subresource(surface, level, face, slice, sample)


class Capture:
    """An open capture: a tape, and the timeline of what happens on it.

    Events count from 0 over the whole tape; every method may be called from any thread.  `edits`: what this view of the tape
    has other than it was recorded (`edited`); of a capture as recorded, nothing.

    Raises BadInput for events, surfaces or keys that do not exist.
    """

    def __init__(
        self, path: Path, tape: Tape, timeline: Timeline, edits: Sequence[Edit] = (), original: Capture | None = None
    ) -> None:
        """`original`: the capture that this one is an edited view of; it keeps the tape."""
        self.path, self.title = path, path.name
        self.tape, self.timeline, self.edits = tape, timeline, tuple(edits)
        self.calls, self.events, self.frames, self.draws = timeline.calls, timeline.events, timeline.frames, timeline.draws
        self.all_frames = timeline.all_frames  # also those that were read and are not listed
        self.complete = True
        """Whether this is all of the file; False: what had been read of it when this capture was handed out."""
        self._original, self._ends, self._states = original, Ends(self), States()
        self.explained: Any = None  # inspector.query.pixels.explain.Explanation: the last, which several panels ask for

    @classmethod
    def open(
        cls, path: Path, progress: Progress | None = None, frames: tuple[int, int] | None = None, budgets: Budgets | None = None
    ) -> Capture:
        """inspector.open."""
        give_back()  # what the capture before has left by now
        budgets, report = budgets or Budgets.of_environment(), _Reporter(progress)
        with timed(log, "opened %s", path, level=logging.INFO), in_a_sentence(path):
            heard = Listing()
            tape = imports.open_tape(path, report.part(0.0, IMPORT_SHARE), report.cancelled, heard.append)
            return cls(path, tape, Timeline.of_tape(tape, frames, budgets, report.part(IMPORT_SHARE, EVENT_SHARE), heard))

    def __repr__(self) -> str:
        sizes = {noun: len(getattr(self, noun)) for noun in ("frames", "draws", "events")}
        counts = ", ".join(f"{size:,} {noun if size != 1 else noun[:-1]}" for noun, size in sizes.items())
        return f"<Capture {self.title}: {counts}{', edited' * bool(self.edits)}{', so far' * (not self.complete)}>"

    def _repr_html_(self) -> str:
        """A notebook shows what is in it, and what is on the screen at its end."""
        from inspector.exports.notebook import capture_html

        return capture_html(self)

    def close(self) -> None:
        """Lets go of the file; of an edited view, of nothing."""
        if self._original is None:
            self.tape.close()
            self.timeline.close()
            self._ends.shelf.close()
            give_back()

    def __enter__(self) -> Capture:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, query: Query[Answer], cancel: Cancel | None = None) -> Answer:
        """The answer to a question of inspector.query; raises Cancelled when `cancel` says so, or who asked the question
        that asks this one."""
        with timed(log, "%.100r", query), cancellable(cancel):
            return query.run(self, asked())

    def in_pieces(self, query: QueryInPieces[Answer]) -> Generator[float, None, Answer]:
        """The answer to a question, found bit by bit; yields how far it is."""
        return query.in_pieces(self)

    # ---- where things are ----------------------------------------------------------------------------------------

    def check_event(self, event: int) -> int:
        """The event; BadInput if there is no such one."""
        if not 0 <= event < len(self.events):
            raise BadInput(f"{self.title}: {out_of_range('event', event, len(self.events))}")
        return int(event)

    def frame_of(self, event: int) -> int:
        """The number of the frame an event belongs to."""
        return int(np.searchsorted(self.timeline.starts, self.check_event(event), side="right")) - 1

    def frame(self, number: int) -> Frame:
        """The listed frame of this number: the first listed one need not be frame 0."""
        return numbered(self.frames, number, self.title)

    def frame_at(self, event: int) -> Frame:
        """The frame an event belongs to; what comes after the last one belongs to that."""
        return self.timeline.all_frames[self.frame_of(event)]

    def picture_event(self, frame: Frame) -> int:
        """The event after which a frame is whole in its back buffer: its last, or the one before if that is a Flip."""
        return picture_event(frame.first_event, frame.last_event, self.name(frame.last_event))

    def event_of_source_call(self, number: int) -> int:
        """The last event caused by API call `number`, or by the nearest earlier call that caused one."""
        event = self.events.last_of_source(number)
        if event < 0:
            raise BadInput(f"{self.title}: API call {number} and the calls before it caused no event")
        return event

    def surface_of_source(self, pointer: int, event: int) -> int:
        """The handle of the surface behind an API object (its address in the trace), as named at `event`."""
        source = int(self.events.rows["source"][self.check_event(event)])
        rows = self.tape.pointers
        rows = rows[rows["pointer"] == np.uint64(pointer)]
        if not len(rows):
            raise BadInput(f"{self.title}: no surface was created at pointer {pointer:#x}")
        known = rows[rows["source"] <= source]
        return int((known if len(known) else rows[:1])[-1]["handle"])

    # ---- events --------------------------------------------------------------------------------------------------

    def name(self, event: int) -> str:
        """What an event is, as "RENDERSTATE" or "CreateSurface"."""
        return event_query.name_of(self.events, self.calls, self.check_event(event))

    def text(self, event: int) -> str:
        """The event in one line."""
        return event_query.line_of(self.events, self.calls, self.check_event(event))

    def event(self, event: int) -> EventDetail:
        """Fields, bytes and cause of one event."""
        row = self.events.rows[self.check_event(event)]
        call, source = int(row["call"]), int(row["source"])
        fields, data, base = (
            event_query.token_detail(self.events, event) if row["op"] else event_query.call_detail(self.calls[call])
        )
        return EventDetail(
            event, self.frame_of(event), self.name(event), self.text(event), call, source, self.source_text(source),
            fields, data, base, event_query.header_of(self.events, self.calls, event), self.call_fields(event),
        )  # fmt: skip

    def call_fields(self, event: int) -> tuple[FieldText, ...]:
        """The members of the driver call that a token came in; nothing for events that are calls themselves."""
        row = self.events.rows[self.check_event(event)]
        return event_query.call_fields(self.calls[int(row["call"])]) if row["op"] else ()

    def source_text(self, number: int) -> str:
        """An API call in one line; empty when unknown."""
        return str(self.tape.source(number)) if 0 <= number < self.tape.source_count else ""

    # ---- state ---------------------------------------------------------------------------------------------------

    def state(self, event: int) -> DeviceState:
        """The device state after an event."""
        return self._states.at(self.walked, self.check_event(event))

    def render_target(self, event: int) -> int | None:
        """The handle being drawn to after an event."""
        return int(self.state(event)["RENDERTARGET"].raw[0]) or None

    @property
    def walked(self) -> Walk:
        """The state index and what the walk over the tape found: made when first asked for, kept for the next opening."""
        return self.timeline.walked

    @property
    def held(self) -> tuple[int, int, int, int]:
        """Bytes of keyframes and logs, wherever `budgets` are shared; of what is known of events, in memory and in files."""
        return (*self.timeline.held, *self.timeline.indexed)

    @property
    def budgets(self) -> Budgets:
        """How much memory and disk looking back may take."""
        return self.timeline.budgets

    @property
    def kept(self) -> Kept:
        """What earlier openings left: the walk, keyframes."""
        return self.timeline.kept

    @property
    def skipped(self) -> np.ndarray:
        """bool[events]: events disabled by edits."""
        return self.timeline.skipped

    def edited(self, edits: Sequence[Edit]) -> Capture:
        """The same capture as it would be with these edits (inspector.query.what_if.what_if); this one stays as it is.

        An edited view with more edits has all of them.  Raises BadInput for an invalid edit.
        """
        if self._original is not None:
            return self._original.edited((*self.edits, *edits))
        from inspector.query.what_if.planning import planned
        from inspector.timeline.edited import EditedTimeline

        return Capture(self.path, self.tape, EditedTimeline(self.timeline, planned(self, edits)), edits, self)

    @cached_property
    def findings(self) -> list[Finding]:
        """What the program or driver did wrong, as far as it shows without drawing, in tape order."""
        return listed(self.tape, self.events, self.walked.findings)

    @property
    def shortages(self) -> tuple[Finding, ...]:
        """Events that could not be executed so far for lack of memory: images after them may be wrong."""
        return self.timeline.shortages

    # ---- surfaces ------------------------------------------------------------------------------------------------

    @property
    def replay(self) -> Replay:
        """The device that is moved along the tape."""
        return self.timeline.replay

    def driver(self, threads: int = 1, draws: bool = True, check: bool = False) -> EmulatedDriver:
        """A fresh driver, before the first call."""
        return self.timeline.driver(threads, draws, check)

    def image(
        self, event: int, surface: Where = RENDER_TARGET, level: int = 0, face: int = 0, slice: int = 0,
        sample: int | None = None, *, primitive: int | None = None, cancel: Cancel | None = None,
    ) -> np.ndarray:  # fmt: skip
        """(h, w, 4) uint8 RGBA of a surface after an event, or after that primitive of it.

        `surface`: a handle, "render_target", "back_buffer" or "depth"; or a whole Subresource.  Stored channels are scaled to
        0..255; a missing alpha is 255; depth is grey over its full range; signed formats map -1..1 to 0..255.
        """
        where = _subresource(surface, level, face, slice, sample)
        moment = self.moment(event, primitive, cancel)
        return self._answer(lambda: moment.rgba(where), cancel)

    def raw(
        self, event: int, surface: Where = RENDER_TARGET, level: int = 0, face: int = 0, slice: int = 0,
        sample: int | None = None, *, primitive: int | None = None, cancel: Cancel | None = None,
    ) -> np.ndarray:  # fmt: skip
        """The stored bytes after an event: uint8 (rows, pitch); rows of blocks for compressed formats."""
        return self.stored(event, _subresource(surface, level, face, slice, sample), primitive, cancel)[0]

    def stored(
        self, event: int, where: Where = RENDER_TARGET, primitive: int | None = None, cancel: Cancel | None = None
    ) -> tuple[np.ndarray, Format]:
        """`raw`, and the format it is in."""
        moment = self.moment(event, primitive, cancel)
        return self._answer(lambda: moment.read(where), cancel)

    def look(
        self, event: int, where: Where = RENDER_TARGET, primitive: int | None = None, cancel: Cancel | None = None
    ) -> tuple[np.ndarray, np.ndarray, Format]:
        """`image` and both of `stored`, in the time of one; of the ends of frames, looked at before, without executing."""
        if primitive is None and (seen := self._ends.look(event, where)) is not None:
            return seen
        moment = self.moment(event, primitive, cancel)
        found = self._answer(lambda: moment.both(where), cancel)
        return found if primitive is not None else self._ends.keep(event, where, found)

    def resolve(self, event: int, where: Where, cancel: Cancel | None = None) -> tuple[int, int] | None:
        """(the resource's handle, the subresource's own) of what is meant after an event; None: nothing."""
        return self._ends.resolve(event, where, lambda: self.moment(event, None, cancel))

    def stamp(self, event: int, surface: int, cancel: Cancel | None = None) -> Hashable:
        """A value for what a surface looks like after an event: where it is the same, so is the surface's first picture."""
        moment = self.moment(event, None, cancel)
        part = find(moment, surface)
        if part is None:
            raise BadInput(f"{self.title}: no surface {surface} at event {event}")
        before = int(np.searchsorted(self.draws, event, side="right"))
        return moment.stamp(part, int(self.draws[before - 1]) if before else -1)

    def moment(self, event: int, primitive: int | None = None, cancel: Cancel | None = None) -> Moment:
        """Surfaces, and all that belongs to them, just after an event, or after that primitive of it."""
        if primitive is not None and not 0 <= primitive < max(self.primitives(event), 1):
            raise BadInput(f"{self.title}: primitive {primitive} is out of range; event {event} draws {self.primitives(event)}")
        with cancellable(cancel):
            return followed(self, event, self.replay.moment(self.check_event(event), primitive, cancel))

    def prepare(self, cancel: Cancel | None = None) -> float:
        """Prepares one more keyframe, or picture of a frame; returns the fraction done (1.0: all).  Raises Cancelled."""
        with cancellable(cancel):
            self.timeline.keep_walk()
            keyframes = self.replay.prepare(cancel)
            return (keyframes + (self._ends.prepare(cancel) if keyframes >= 1 else 0.0)) / 2

    def primitives(self, event: int) -> int:
        """How many primitives a draw asks for; 0 for what is not a draw."""
        return primitives_of(self.events, self.check_event(event))

    def _answer(self, ask: Callable[[], Answer], cancel: Cancel | None) -> Answer:
        try:
            with cancellable(cancel):
                return ask()
        except LookupError as missing:
            raise BadInput(f"{self.title}: {missing.args[0] if missing.args else missing}") from None

    def surfaces(self, event: int, cancel: Cancel | None = None) -> list[SurfaceInfo]:
        """Surfaces and buffers that exist after an event, in order of their handles."""
        return self._ends.surfaces(event, lambda: self.moment(event, None, cancel))

    @cached_property
    def resources(self) -> Resources:
        """All objects of the tape, what happened to them, and which draw uses which."""
        index = self.tape.call_index()
        streams = [number for number, name in index.names.items() if name == "DrawPrimitives2"]
        return resource_list.build(self.calls, np.flatnonzero(~np.isin(index.entry, streams)), self.events, self.walked)

    @property
    def side_cache(self) -> SideCache:
        """Where tables derived from this tape are kept; deleting them is harmless."""
        return self.timeline.side_cache

    # ---- vertices ------------------------------------------------------------------------------------------------

    def vertices(self, event: int, which: str = "streams", cancel: Cancel | None = None) -> Grid:
        """The vertices of a draw: "streams" as bound, "assembled" in drawing order, "transformed" to the screen.

        Also "tessellated" (of curved draws), "clipped", and the "primitives".
        """
        with cancellable(cancel), self.replay.before(self.check_event(event), cancel, drawn=True) as driver:
            return vertex_query.grid(self, driver, event, which)


class _Reporter:
    """Turns the caller's progress(fraction, text) into parts; returning False from it cancels."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress, self._stop = progress, False

    def cancelled(self) -> bool:
        return self._stop

    def part(self, start: float, share: float) -> Progress:
        def report(fraction: float, text: str) -> None:
            if self._progress and self._progress(start + share * min(max(fraction, 0.0), 1.0), text) is False:
                self._stop = True
                raise Cancelled("opening cancelled")

        return report
