"""The driver's calls that the loop left in its queue: what it read (rows/old_blits.py), as Python values.

They are older than the tokens gathered since, so they go to the driver as they are: `Runtime.call` would send those first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from core.ddi.calls import DdiCall
from core.runtime.directdraw.blits import DEPTHFILL, WAIT, depth_code, flip_arguments
from core.runtime.directdraw.memory import KEPT
from core.runtime.directdraw.objects import DrawSurface
from core.runtime.methods.locks import READ_ONLY, driver_flags, pitches
from core.runtime.rows import layout as c

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

Row = list[int]


def _copy(rt: Runtime, row: Row) -> None:
    """Blt or BltFast from a surface."""
    _, source, target, origin, left, top, right, bottom, a, b, width, height, flags, shows, *_ = row
    args: dict[str, Any] = {
        "destination": target, "source": origin, "destination_box": (left, top, right, bottom),
        "source_box": (a, b, width, height), "flags": flags,
    }  # fmt: skip
    if row[c.Q_MIRROR]:
        args["mirror"] = row[c.Q_MIRROR]
    args["presentation"] = shows
    rt.send(DdiCall("Blt", args, source=source))


def _fill(rt: Runtime, row: Row) -> None:
    """Blt of a colour or depth."""
    box, kind, value = tuple(row[c.Q_BOX : c.Q_BOX + 4]), row[c.Q_FLAGS], row[c.Q_VALUE]
    if kind == DEPTHFILL:
        value = depth_code(_surface(rt, row[c.Q_ORIGIN]), value)
    args = {
        "destination": row[c.Q_TARGET], "source": 0, "destination_box": box, "source_box": box, "flags": kind | WAIT,
        "color": value, "presentation": 0,
    }  # fmt: skip
    rt.send(DdiCall("Blt", args, source=row[c.Q_CALL]))


def _flip(rt: Runtime, row: Row) -> None:
    """Flip to the next buffer."""
    args = flip_arguments(_surface(rt, row[c.Q_TARGET]).ring, row[c.Q_FLAGS])
    rt.send(DdiCall("Flip", args, source=row[c.Q_CALL]))


def _lock(rt: Runtime, row: Row) -> None:
    """Lock, what was written, Unlock."""
    view, flags, size = _surface(rt, row[c.Q_TARGET]).view, row[c.Q_FLAGS] & KEPT, row[c.Q_BLOB_SIZE]
    box = None if row[c.Q_BOX] < 0 else tuple(row[c.Q_BOX : c.Q_BOX + 4])
    answer = rt.send(DdiCall("Lock", {"handle": view.handle, "box": box, "flags": driver_flags(flags)}, source=row[c.Q_CALL]))
    slice_pitch = answer.out.get("slice_pitch") or pitches(view.resource, view.level)[1]
    at = row[c.Q_BLOB]
    data: dict[str, Any] = {} if size < 0 else {"contents": rt.commands.chunk[at : at + size]}
    where = {"handle": view.handle, "box": box, "pitch": row[c.Q_PITCH], "slice_pitch": slice_pitch}
    rt.send(DdiCall("Unlock", where, data, source=row[c.Q_END]))
    if not flags & READ_ONLY:
        rt.locks.pop(row[c.Q_ADDRESS], None)  # of a lock that the trace left open


def _surface(rt: Runtime, pointer: int) -> DrawSurface:
    """The surface at an address, which the loop found there."""
    thing = rt.objects[pointer]
    assert isinstance(thing, DrawSurface)
    return thing


SENDERS: dict[int, Callable[[Runtime, Row], None]] = {c.COPY: _copy, c.FILL: _fill, c.FLIP: _flip, c.LOCK: _lock}
