"""Which is quicker: going over frames, or reading a keyframe that was kept on disk."""

from __future__ import annotations

EVENT, READING = 5e-6, 0.02
"""Seconds that are expected at first: to go over an event without a visible result; to read a keyframe and its textures."""
LEG = 0.1
"""Seconds that frames may take to go over until a keyframe is worth its memory."""
WORTH = 16
"""As many times as making a keyframe takes, or keeping one on disk, lie between two: thousands of surfaces take long."""
SHARE, AGAIN = 0.25, 0.97
"""What one measurement counts; what is left of the cost of an event each time that reading looks better: so that going over
frames is tried again some day."""


class Pace:
    """Measured as one goes: between frames that can be left out and frames that must be drawn lies a factor of a thousand."""

    def __init__(self, measured: object = None) -> None:
        """measured: what an earlier opening measured."""
        self._event, self._reading, self._making = EVENT, READING, 0.0
        if isinstance(measured, tuple) and len(measured) == 2 and all(isinstance(one, float) and one > 0 for one in measured):
            self._event, self._reading = measured

    @property
    def measured(self) -> tuple[float, float]:
        """Seconds for an event and for reading a keyframe."""
        return self._event, self._reading

    def pays(self, events: int) -> bool:
        """Whether to read a keyframe that saves going over so many events."""
        found = events * self._event > self._reading
        if found:
            self._event *= AGAIN
        return found

    @property
    def events_in_a_leg(self) -> int:
        """So many are gone over in LEG seconds, or in the time that keyframes are worth."""
        return int(max(LEG, WORTH * self._making) / max(self._event, 1e-9))

    def passed(self, events: int, seconds: float) -> None:
        """So many events were gone over."""
        self._event += SHARE * (seconds / max(events, 1) - self._event)

    def made(self, seconds: float) -> None:
        """A keyframe was made, in memory."""
        self._making += SHARE * (seconds - self._making)

    def read(self, seconds: float) -> None:
        """A keyframe was read.  Its textures are unpacked later, which takes about as long."""
        self._reading += SHARE * (2 * seconds - self._reading)
