"""Opening a file while it is read: hands out captures of the beginning before the rest is read.

A trace or recording that no cache holds is imported as ever; in between, after a chunk, somebody gets a Capture of the calls
that the tape holds for certain.  It stays what it is; the next one is longer.  They share the listing of events, the device
that is moved along the tape and the walk that follows state (inspector.timeline.growing), so nothing is made twice.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from core.errors import Cancelled, TraceError
from inspector.capture import Capture
from inspector.imports import cache, import_file, is_capture
from inspector.imports.follow import RECENT, Following
from inspector.log import timed
from inspector.progress import Progress
from inspector.tape import Tape, TapeWriter, database
from inspector.tape.growing import TapeSoFar
from inspector.timeline import kept_listing
from inspector.timeline.budgets import Budgets
from inspector.timeline.growing import Growth
from inspector.timeline.timeline import Timeline

log = logging.getLogger(__name__)
GROWTH = 1.25  # a capture is handed out when it has so many times the calls of the one before
SOONEST = 0.25  # seconds between two of them
REST = 8  # times as long as handing one out took, nothing is at the end of a file that is being written
WORTH_STOPPING = 1 << 26  # bytes of a trace of which no more than a range of frames is read
PATIENCE = 1.0  # seconds until a part of a frame is handed out, if none has ended
STOPPED = "Reading was stopped: the capture ends there."

Grown = Callable[[Capture], object]
"""Gets a capture of what has been read so far, on the thread that reads.  False: it was not taken; where the reader waits for
more of the file, it is offered again."""


def open_growing(
    path: Path, grown: Grown, progress: Progress | None = None, budgets: Budgets | None = None, follow: float = 0.0
) -> Capture:
    """As Capture.open; calls `grown` with longer and longer captures of the beginning.

    follow: goes on with a file that is still being written until nothing has been for so many seconds; the import of one that
    has grown is not kept.

    When `progress` returns False after the first of them, or the rest of the file cannot be read, the capture ends there, with
    a notice.  Captures that were handed out answer until the one that is returned is closed.  Raises BadInput, Cancelled.
    """
    if not is_capture(path):
        following = _following(path, follow)
        place = cache.look_up(path, progress) if following is None else cache.unread(path)
        if place.tape is None and place.folder is not None:
            reading = _Reading(path, place, grown, progress, budgets or Budgets.of_environment(), following)
            if (capture := _where_there_is_room(reading)) is not None:
                return capture
    return Capture.open(path, progress, budgets=budgets)


def open_range(
    path: Path, frames: tuple[int, int], progress: Progress | None = None, budgets: Budgets | None = None
) -> Capture:  # fmt: skip
    """As Capture.open with `frames`; a long trace that no cache holds is read as far as these frames go, and not kept.

    Raises BadInput, Cancelled.
    """
    if 0 <= frames[0] < frames[1] and not is_capture(path) and _is_long(path):
        place = cache.look_up(path, progress)
        if place.tape is not None:
            place.tape.close()
        elif place.folder is not None:
            reading = _Reading(path, place, lambda capture: None, progress, budgets or Budgets.of_environment(), frames=frames)
            if (capture := _where_there_is_room(reading)) is not None:
                return capture
    return Capture.open(path, progress, frames, budgets)


def _is_long(path: Path) -> bool:
    """Whether reading the whole trace is worth avoiding."""
    with suppress(OSError):
        return path.stat().st_size > WORTH_STOPPING
    return False


def _where_there_is_room(reading: _Reading) -> Capture | None:
    """What is read; None, where the disk has no room: Capture.open goes on in memory."""
    try:
        return reading.read()
    except Exception as error:
        if not database.is_full(error):
            raise
        log.warning("%s", error)
    return None


def _following(path: Path, patience: float) -> Following | None:
    """What follows a file that may be still being written: one that was written to just now."""
    with suppress(OSError):
        if patience and time.time() - path.stat().st_mtime < RECENT:
            return Following(patience)
    return None


class _Reading:
    """One file being read."""

    def __init__(
        self, path: Path, place: cache.Place, grown: Grown, progress: Progress | None, budgets: Budgets,
        following: Following | None = None, frames: tuple[int, int] | None = None,
    ) -> None:  # fmt: skip
        """`frames`: those that are wanted; nothing is handed out, and reading ends after them."""
        self._following, self._frames, self._enough = following, frames, False
        self._path, self._place, self._grown, self._progress = path, place, grown, progress
        self._growth, self._budgets = Growth(budgets), budgets
        self._tape: TapeSoFar | None = None
        self._handed = 0  # calls of the capture handed out last
        self._rest_until = 0.0  # at the end of a file that is being written
        self._begun = self._handed_at = time.monotonic()
        self._writer: TapeWriter

    def read(self) -> Capture:
        """The whole capture, or as much of it as there is."""
        assert self._place.folder is not None
        part = cache.part_of(self._place.folder, self._place.digest)
        try:
            with timed(log, "read %s", self._path, level=logging.INFO):
                return self._read_into(part)
        except BaseException:
            part.unlink(missing_ok=True)
            raise

    def _read_into(self, part: Path) -> Capture:
        writer = self._writer = TapeWriter(part, {"code_digest": cache.code_digest()}, durable=False, quick=True)
        writer.heard = self._growth.listing.append
        stopped = digest = ""
        try:
            digest = import_file(self._path, writer, self._report, digest=self._place.digest, following=self._following).digest
            if self._following is not None and self._following.has_grown:
                digest = ""  # it came in other pieces than the finished file will: not kept
        except (Cancelled, TraceError) as error:
            if self._tape is None and not self._enough:
                writer.abandon()
                raise
            stopped = self._why_stopped(error)
            writer.add_notice(stopped)
        except BaseException:
            writer.abandon()
            raise
        tape = self._finished(part, digest)
        if self._frames is not None:
            return Capture(self._path, tape, Timeline.of_tape(tape, self._frames, self._budgets, heard=self._growth.listing))
        if tape.known_as:
            kept_listing.keep(tape.known_as, self._growth.listing)
        return Capture(self._path, tape, self._growth.timeline(tape.calls, lambda: "" if tape.damaged else tape.known_as))

    def _why_stopped(self, error: Exception) -> str:
        if self._enough:
            return f"Only the first {len(self._growth.listing.presentations()):,} frames were read: no later one was asked for."
        return STOPPED if isinstance(error, Cancelled) else str(error)

    def _finished(self, part: Path, digest: str) -> Tape:
        """The tape of the finished file; what was handed out reads it, too.  `digest`: of the file, "" if not all was read."""
        if self._tape is None:
            return self._closed(part, digest)
        with self._tape.shared.lock:
            tape = self._closed(part, digest)
            self._tape.shared.connection = tape.connection
        return tape

    def _closed(self, part: Path, digest: str) -> Tape:
        self._writer.close()
        if not digest:
            return cache.Unkept(part)
        return cache.keep(self._path, part, self._place, digest)

    def _report(self, fraction: float, text: str) -> object:
        """After each chunk: hands out what is there if that is worth it; ends the reading after the frames that are wanted."""
        if self._frames is None:
            self._hand_out()
        elif len(self._growth.listing.presentations()) >= self._frames[1]:
            self._enough = True
            return False
        return self._progress(fraction, text) if self._progress else None

    def _hand_out(self) -> None:
        now, writer = time.monotonic(), self._writer
        following = self._following
        waits = following is not None and following.is_waiting and following.has_grown
        if waits and now >= self._rest_until and writer.call_count > writer.committed:
            writer.commit()
        if not waits and writer.committed < GROWTH * self._handed:
            return
        if self._handed and now < (self._rest_until if waits else self._handed_at + SOONEST):
            return
        calls = self._end_of_frames(writer.committed)
        if not calls and now - self._begun > PATIENCE:
            calls = writer.committed
        if calls <= self._handed:
            return
        writer.settle()
        self._tape = (self._tape or TapeSoFar(self._path, writer)).grown(calls)
        before, self._handed, self._handed_at = self._handed, calls, now
        capture = Capture(self._path, self._tape, self._growth.timeline(self._tape.calls))
        capture.complete = False
        if self._grown(capture) is False and waits:
            self._handed = before
        self._rest_until = time.monotonic() + max(SOONEST, REST * (time.monotonic() - now))

    def _end_of_frames(self, committed: int) -> int:
        """After the last call of `committed` with which a frame ends, once one that draws is among them; 0: there is none."""
        ends = self._growth.listing.presentations(committed)
        frames = self._growth.listing.frames(committed) if ends and not self._handed else []
        return ends[-1] + 1 if ends and (self._handed or any(frame.draws for frame in frames)) else 0
