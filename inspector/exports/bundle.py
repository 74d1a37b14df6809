"""A bug bundle: a zip with the frame as a separate capture, the place in it, and a report on that place.

The capture knows its place, so that window and commands begin there; inspector.imports opens the zip as it is.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import BadInput
from inspector.exports.pages import reporter
from inspector.exports.report_kinds import report_of
from inspector.exports.trimmed import export_trimmed
from inspector.focus import Focus
from inspector.imports.bundles import CAPTURE, PLACE, REPORT
from inspector.progress import Progress
from inspector.tape import copy_tape
from inspector.tape.bookmarks import keep_place
from inspector.timeline.edited import EditedTimeline
from inspector.version import VERSION

if TYPE_CHECKING:
    from inspector.capture import Capture

FEW_CALLS = 100_000
"""API calls that go with the frame; with more, only the driver's side does."""
README = """\
A bug bundle of DDI Inspector {version}: {title}, event {event}.

capture.ddicap  the frame as a capture of its own. Open it, or the whole zip, with DDI Inspector: it begins at the place.
report.html     what there is to see at the place. Any browser shows it, without network.
place.json      the place and the note for programs: "place" in capture.ddicap, "original" in the capture it was cut out of.
"""


def write_bundle(capture: Capture, path: Path, focus: Focus, note: str = "", progress: Progress | None = None) -> None:
    """Writes the frame of a place, the place with a note, and a report.  The whole capture where the frame alone draws
    something else.

    BadInput for an event that does not exist, and for an edited capture; Cancelled.
    """
    say, event = reporter(progress), capture.check_event(focus.event)
    if isinstance(capture.timeline, EditedTimeline):
        raise BadInput(f"{capture.title} is edited; export it first (what-if --export), and bundle that file")
    with tempfile.TemporaryDirectory(prefix="ddi-inspector-") as folder:
        part = Path(folder) / CAPTURE
        say(0.1, "cutting out the frame")
        place = focus.replace(event=_cut_out(capture, part, event, progress))
        with type(capture).open(part) as trimmed:
            trimmed.tape.annotate(place.text(), note or f"the place of {path.stem}")
        keep_place(part, place)
        with type(capture).open(part) as trimmed:
            say(0.6, "writing the report")
            page = report_of(_kind(trimmed, place), trimmed, place, pictures=2, note=note)
        about = {"place": place.text(), "original": focus.text(), "note": note, "version": VERSION, "title": capture.title}
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("README.txt", README.format(version=VERSION, title=capture.title, event=event))
            file.writestr(PLACE, json.dumps(about, ensure_ascii=False, indent=1))
            file.writestr(REPORT, page)
            file.write(part, CAPTURE)


def _kind(capture: Any, place: Focus) -> str:
    """The report that says most about a place."""
    if place.pixel is not None and not capture.events.rows["draw"][place.event]:
        return "pixel"
    return "draw"


def _cut_out(capture: Capture, part: Path, event: int, progress: Progress | None) -> int:
    """Writes the event's frame, or everything; the event's number there."""
    frames = capture.all_frames
    frame = capture.frame_of(event) if frames else -1
    if 0 <= frame < len(frames):
        number = int(capture.events.rows["call"][frames[frame].last_event])
        left = capture.events.of_call(number).stop - event
        for everything in (False, True):
            part.unlink(missing_ok=True)
            export_trimmed(capture, part, frame, frame, everything, capture.tape.source_count <= FEW_CALLS, progress)
            with type(capture).open(part) as trimmed:
                there = len(trimmed.events) - left
                if 0 <= there < len(trimmed.events) and _same(capture, event, trimmed, there):
                    return there
    part.unlink(missing_ok=True)
    copy_tape(capture.tape, part, progress)
    return event


def _same(a: Capture, event: int, b: Capture, there: int) -> bool:
    """Whether both show the same event and draw the same."""
    if a.text(event) != b.text(there):
        return False
    for surface in ("render_target", "depth"):
        pictures: list[np.ndarray | None] = []
        for capture, place in ((a, event), (b, there)):
            try:
                pictures.append(capture.raw(place, surface))
            except BadInput:
                pictures.append(None)
        one, other = pictures
        if (one is None) != (other is None) or (one is not None and other is not None and not np.array_equal(one, other)):
            return False
    return True
