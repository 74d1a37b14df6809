"""Saves frames as a capture of their own, and checks that it draws the same.

trim(capture, path, first, last)      writes frames first..last, with as little around them as draws the same
differing(capture, path, first, last) the frames that do not end with the same surfaces
"""

from __future__ import annotations

from pathlib import Path

from inspector.capture import Capture
from inspector.exports.trimmed import export_trimmed, used_in
from inspector.files import write_file
from inspector.progress import Progress
from inspector.query.comparison.contents import PartKey
from inspector.query.comparison.digests import Ledger


def trim(
    capture: Capture, path: Path, first: int, last: int, api_calls: bool = False, checked: bool = True,
    progress: Progress | None = None,
) -> tuple[int, list[int]]:  # fmt: skip
    """Writes a .ddicap: first with what the frames use; if that draws something else, with all surfaces and buffers.

    `api_calls`: with all API calls of the capture, which are most of a trace's size.
    Returns the bytes of the file, and the frames that still do not end with the same surfaces (none if not `checked`).

    Raises BadInput for frames that are out of range or a file that cannot be written; Cancelled.
    """

    def written(everything: bool) -> tuple[int, list[int]]:
        size = write_file(path, lambda part: export_trimmed(capture, part, first, last, everything, api_calls, progress))
        return size, differing(capture, path, first, last, everything) if checked else []

    size, wrong = written(False)
    return written(True) if wrong else (size, wrong)


def differing(capture: Capture, path: Path, first: int, last: int, everything: bool) -> list[int]:
    """The frames after which the surfaces that these frames use (or all) are not the same; all that are missing."""
    begin, end = capture.frame(first).first_event, capture.frame(last).last_event
    used = None if everything else used_in(capture, begin, end)
    wrong = []
    with Capture.open(path) as trimmed:
        for frame, number in enumerate(range(first, last + 1)):
            here = _digests(capture, capture.frame(number).last_event, used)
            if frame >= len(trimmed.frames) or _digests(trimmed, trimmed.frames[frame].last_event, used) != here:
                wrong.append(number)
    return wrong


def _digests(capture: Capture, event: int, used: set[int] | None) -> dict[PartKey, int | None]:
    """Of all that these surfaces (None: all) hold after an event."""
    with capture.replay.at(event) as driver:
        found = Ledger().update(driver.device)
    return {key: digest for key, digest in found.items() if used is None or key.handle in used}
