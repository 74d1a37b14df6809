"""The outcome of a call."""

from __future__ import annotations

from core.runtime.rows.layout import EMITTED, FAILED, PYTHON, RECORDED, REDUNDANT, SILENT

__all__ = ["EMITTED", "FAILED", "PYTHON", "RECORDED", "REDUNDANT", "RETRY", "SILENT", "VERDICTS", "Retry"]

VERDICTS = ("emitted", "redundant", "silent", "python", "recorded", "failed")
"""By number: the call made tokens; made tokens that set the value already set; made nothing; was done by a method, which may
have called the driver; went into a state block; failed when it was recorded, so nothing was done."""


class Retry:
    """The answer of a method that made the needs of the call's row true: the row takes the call."""


RETRY = Retry()
