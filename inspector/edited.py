"""A capture as it would be with edits: answers every question that a capture does, under the event numbers of the original."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from inspector.capture import Capture
from inspector.query.what_if.edits import Edit
from inspector.query.what_if.planning import planned
from inspector.tape.side import SideCache
from inspector.timeline.edited import EditedDriver, EditedReplay, edited_calls
from inspector.timeline.replay import Replay, usual_threads
from inspector.timeline.walk import Walk, walk


class EditedCapture(Capture):
    """A view of a capture that shares its tape, and what lies before the first edit; closing it closes nothing."""

    def __init__(self, original: Capture, edits: Sequence[Edit]) -> None:
        """Raises BadInput for an edit that cannot be."""
        found = planned(original, edits)
        self.original, self.edits, self.plan = original, tuple(edits), found.plan
        self._same_state = found.same_state
        self.path, self.title, self.tape = original.path, original.title, original.tape
        self.calls, self.events = edited_calls(original.calls, found.edited), found.events
        self._all_frames, self.frames, self.draws = original._all_frames, original.frames, original.draws
        self.skipped = found.plan.skipped

    def close(self) -> None:
        """The tape is the original's."""

    @cached_property
    def walked(self) -> Walk:  # type: ignore[override]
        """The state index; of edits that leave state alone, the original's."""
        if self._same_state:
            return self.original.walked
        return walk(self.calls, self.events, driver=self.driver(draws=False, check=True))

    @cached_property
    def side_cache(self) -> SideCache:
        """In memory: the one on disk is of the tape."""
        return SideCache("")

    @cached_property
    def replay(self) -> Replay:
        """A device of its own, which starts from the original's keyframe before the first edit."""
        first = max((frame.first_event for frame in self._all_frames if frame.first_event <= self.plan.first), default=0)
        driver = self.driver(threads=usual_threads())
        return EditedReplay(self.original.replay, first, self.calls, self.events, self._frame_starts.tolist(), driver)

    def driver(self, threads: int = 1, draws: bool = True, check: bool = False) -> EditedDriver:
        """A fresh driver that executes the calls of this capture, edits and all."""
        return EditedDriver(self.plan, self.events, threads=threads, draws=draws, check=check)
