"""What a clear, fill, blt, copy, upload or flip did to a pixel, in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.device.surfaces import Level
from core.device.tap import Overwrite
from core.spec.enums import DdBlt
from core.spec.tokens import Op
from inspector.query.event import record_of
from inspector.timeline.logged import LoggedFrame

if TYPE_CHECKING:
    from inspector.capture import Capture

KEYED = DdBlt.KEYSRC | DdBlt.KEYSRCOVERRIDE
COPIES = (Op["TEXBLT"], Op["VOLUMEBLT"])


@dataclass(frozen=True, slots=True)
class Told:
    """kind and fate as in pixel_history.Entry."""

    kind: str
    fate: str
    reason: str


def tell_overwrite(capture: Capture, frame: LoggedFrame, cause: Overwrite, x: int, y: int) -> Told:
    """The entry's kind, whether the pixel was written, and what happened."""
    op = int(capture.events.rows["op"][cause.seq])
    if op == Op["CLEAR"]:
        return Told("clear", "written", "cleared")
    if op in COPIES:
        source = _copied_from(capture, cause.seq)
        return Told("copy", "written", f"copied from surface {source}, with the levels that match")
    call = capture.calls[int(capture.events.rows["call"][cause.seq])]
    if call.entry == "Blt":
        return _blt(call.args, frame, cause, x, y)
    if call.entry in ("Clear", "Clear2"):
        return Told("clear", "written", "cleared")
    if call.entry == "Unlock":
        return Told("lock", "written", "written by the program, through a lock")
    if call.entry == "Flip":
        return Told("flip", "written", _flip(call.args, cause))
    return Told(call.entry.lower(), "written", f"changed by {call.entry}")


def _copied_from(capture: Capture, event: int) -> int:
    record = record_of(capture.events, event)
    offset = int(record["offset"]) + 4
    return int.from_bytes(capture.events.buffer(event)[offset : offset + 4].tobytes(), "little")


def _flip(args: dict[str, Any], cause: Overwrite) -> str:
    chain = list(args.get("surfaces", args.get("surface", ())))
    if cause.handle not in chain:
        return "flipped"
    return f"flipped: what surface {chain[(chain.index(cause.handle) + 1) % len(chain)]} held came here"


def _blt(args: dict[str, Any], frame: LoggedFrame, cause: Overwrite, x: int, y: int) -> Told:
    flags = int(args.get("flags", 0) or 0)
    if flags & (DdBlt.COLORFILL | DdBlt.DEPTHFILL):
        return Told("fill", "written", "filled")
    kind = "present" if args.get("presentation") else "blt"
    found = frame.moment(cause.seq - 1).owner(int(args.get("source", 0)))
    if found is None:
        return Told(kind, "written", "copied")
    source = found[0].part(*found[1:])
    left, top, right, bottom = _box(args.get("source_box"), source)
    to = _box(args.get("destination_box"), cause.part)
    sx = left + (x - to[0]) * (right - left) // max(to[2] - to[0], 1)
    sy = top + (y - to[1]) * (bottom - top) // max(to[3] - to[1], 1)
    if flags & KEYED and _within_key(args, frame, source, cause.seq, sx, sy):
        return Told(kind, "color_key", f"pixel {sx}, {sy} of surface {source.handle} is within its colour key: left alone")
    return Told(kind, "written", f"copied from surface {source.handle}, pixel {sx}, {sy}")


def _box(box: Any, part: Level) -> tuple[int, int, int, int]:
    if box is None:
        return 0, 0, part.width, part.height
    left, top, right, bottom = (int(edge) for edge in tuple(box)[:4])
    return left, top, right, bottom


def _within_key(args: dict[str, Any], frame: LoggedFrame, source: Level, event: int, x: int, y: int) -> bool:
    """Whether a pixel of the source is one that a keyed copy leaves out."""
    key = args.get("color_key") or frame.rewind.past(event - 1).settings[source.surface][3]
    part = frame.rewind.part(source, event - 1)
    size = part.format.block[2]
    at = y * part.pitch + x * size
    pixel = int.from_bytes(part.linear()[at : at + size].tobytes(), "little")
    return bool(key) and key[0] <= pixel <= key[1]
