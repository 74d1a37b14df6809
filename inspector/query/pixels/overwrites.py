"""The effect of a clear, fill, blt, copy, upload or flip on a pixel, in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.ddi.driver.present import KEY_SOURCE, KEY_TARGET, KEYED
from core.device.memory.surfaces import SurfacePart
from core.device.past.pixel_log import pixel_words
from core.device.past.tap import Overwrite
from core.spec.calls import kind_of_call
from core.spec.effects import EventKind
from core.spec.enums import DdBlt
from core.spec.tokens import TOKENS
from inspector.query.events.detail import record_of
from inspector.timeline.kinds import KIND_OF_OP
from inspector.timeline.logged import LoggedFrame

if TYPE_CHECKING:
    from inspector.capture import Capture

WORD = 0xFFFFFFFF
OTHERS = {
    "DxgiCreateResource": ("lock", "received its initial contents"), "DxgiBlt": ("blt", "copied"),
    "DxgiPresent": ("present", "copied"), "DxgiRotateResourceIdentities": ("flip", "exchanged"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class OverwriteEffect:
    """kind and fate as in `history.Entry`."""

    kind: str
    fate: str
    reason: str


def effect_of(capture: Capture, frame: LoggedFrame, cause: Overwrite, x: int, y: int) -> OverwriteEffect:
    """The entry's kind, whether the pixel was written, and what happened."""
    op = int(capture.events.rows["op"][cause.seq])
    if KIND_OF_OP[op] == EventKind.CLEAR:
        return OverwriteEffect("clear", "written", "cleared")
    if KIND_OF_OP[op] == EventKind.COPY:
        source = _copied_from(capture, cause.seq)
        return OverwriteEffect("copy", "written", f"copied from surface {source}, with the levels that match")
    call = capture.calls[int(capture.events.rows["call"][cause.seq])]
    if call.entry == "Blt":
        return _blt(call.args, frame, cause, x, y)
    if kind_of_call(call.entry, call.args) == EventKind.CLEAR:
        return OverwriteEffect("clear", "written", "cleared")
    if call.entry == "Unlock":
        return OverwriteEffect("lock", "written", "written by the application, through a lock")
    if call.entry == "Flip":
        return OverwriteEffect("flip", "written", _flip(call.args, cause))
    kind, did = OTHERS.get(call.entry, ("copy", "changed"))
    return OverwriteEffect(kind, "written", f"{did} by {call.entry}")


def _copied_from(capture: Capture, event: int) -> int:
    record = record_of(capture.events, event)
    row, offset = TOKENS[int(record["op"])], int(record["offset"])
    fields = capture.events.buffer(event)[offset : offset + row.fields_dtype.itemsize]
    return int(fields.view(row.fields_dtype)[0]["source"])


def _flip(args: dict[str, Any], cause: Overwrite) -> str:
    chain = list(args.get("surfaces", args.get("surface", ())))
    if cause.handle not in chain:
        return "flipped"
    return f"flipped: what surface {chain[(chain.index(cause.handle) + 1) % len(chain)]} held came here"


def _blt(args: dict[str, Any], frame: LoggedFrame, cause: Overwrite, x: int, y: int) -> OverwriteEffect:
    flags = int(args.get("flags", 0) or 0)
    if flags & (DdBlt.COLORFILL | DdBlt.DEPTHFILL):
        return OverwriteEffect("fill", "written", "filled")
    kind = "present" if args.get("presentation") else "blt"
    found = frame.moment(cause.seq - 1).owner(int(args.get("source", 0) or 0))
    if found is None:
        return OverwriteEffect(kind, "written", "copied")
    source = found[0].part(*found[1:])
    left, top, right, bottom = _box(args.get("source_box"), source)
    to = _box(args.get("destination_box"), cause.part)
    sx = left + (2 * (x - to[0]) + 1) * (right - left) // max(2 * (to[2] - to[0]), 1)
    sy = top + (2 * (y - to[1]) + 1) * (bottom - top) // max(2 * (to[3] - to[1]), 1)
    mirror = int(args.get("mirror", 0))
    sx = left + right - 1 - sx if mirror & 1 else sx
    sy = top + bottom - 1 - sy if mirror & 2 else sy
    if flags & KEYED and (why := _keyed(args, flags, frame, source, cause, (sx, sy), (x, y))):
        return OverwriteEffect(kind, "color_key", why)
    return OverwriteEffect(kind, "written", f"copied from surface {source.handle}, pixel {sx}, {sy}")


def _box(box: Any, part: SurfacePart) -> tuple[int, int, int, int]:
    if box is None:
        return 0, 0, part.width, part.height
    left, top, right, bottom = (int(edge) for edge in tuple(box)[:4])
    return left, top, right, bottom


def _keyed(args: dict[str, Any], flags: int, frame: LoggedFrame, source: SurfacePart, cause: Overwrite, at: tuple[int, int],
           to: tuple[int, int]) -> str:  # fmt: skip
    """Why a keyed copy leaves a pixel alone; empty if it does not."""
    if flags & KEY_SOURCE and _is_keyed(args.get("color_key"), 0, frame, source, cause.seq, at):
        return f"pixel {at[0]}, {at[1]} of surface {source.handle} is within its colour key: left alone"
    if flags & KEY_TARGET and not _is_keyed(args.get("destination_key"), 1, frame, cause.part, cause.seq, to):
        return "the pixel is not within the destination's colour key: left alone"
    return ""


def _is_keyed(given: Any, which: int, frame: LoggedFrame, part: SurfacePart, event: int, at: tuple[int, int]) -> bool:
    """Whether a pixel lies within a key: of the call, or the surface's own source (0) or destination (1) key."""
    key = given or frame.rewind.past(event - 1).settings[part.surface][3][which]
    word = pixel_words(part, frame.rewind.part(part, event - 1).contents(), *at)[0]
    return bool(key) and key[0] & WORD <= word <= key[1] & WORD
