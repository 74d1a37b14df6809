"""A driver that returns results without drawing: for importing traces, and for tests of the runtime's output."""

from __future__ import annotations

from core.ddi.calls import DdiCall


class PaperDriver:
    """Says yes to everything.  It keeps nothing: locks have no memory (`pitch` 0), the runtime takes the trace's."""

    def call(self, call: DdiCall) -> DdiCall:
        """Accepts the call."""
        return call
