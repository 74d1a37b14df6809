"""Patches that a driver keeps under handles: created, drawn, changed, deleted (Rect patch, Remarks)."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.device.registers.records import is_empty
from core.spec.enums import BasisType, OrderType, PatchFlag
from core.spec.states import RENDER_STATE_ID
from core.spec.tokens import Op
from inspector.progress import Cancel

if TYPE_CHECKING:
    from inspector.capture import Capture

RECT, TRI = Op["DRAWRECTPATCH"], Op["DRAWTRIPATCH"]
KINDS = {int(RECT): "rectangle", int(TRI): "triangle"}
DELETE = RENDER_STATE_ID["DELETERTPATCH"]


@dataclass
class Patch:
    """One handle's life: `info` by name (of its last definition); events that defined, drew and deleted it (-1: never)."""

    handle: int
    kind: str
    info: dict[str, int | str]
    defined: list[int] = field(default_factory=list)
    drawn: list[int] = field(default_factory=list)
    deleted: int = -1


@dataclass(frozen=True)
class Patches:
    """The patches that the driver keeps after an event; `gone` True: those that were deleted before it too."""

    event: int
    gone: bool = False

    def run(self, capture: Capture, cancel: Cancel | None = None) -> tuple[Patch, ...]:
        """In the order of their first definition; a handle that was deleted and defined again is two patches."""
        rows = capture.events.rows[: self.event + 1]
        ops = rows["op"]
        drawn = np.flatnonzero((ops == RECT) | (ops == TRI))
        if not len(drawn):
            return ()
        deleting = np.flatnonzero(ops == Op["RENDERSTATE"])
        wanted = np.sort(np.concatenate([drawn, deleting[deleting > drawn[0]]]))
        wanted = wanted[~is_empty(rows[wanted])]
        kept: dict[int, Patch] = {}
        all_of_them: list[Patch] = []
        for event in wanted.tolist():
            row = rows[event]
            at = int(row["offset"])
            first, second = struct.unpack_from("<2I", capture.events.buffer(event).data, at)
            if row["op"] == Op["RENDERSTATE"]:
                if first == DELETE and second in kept:
                    kept.pop(second).deleted = event
                continue
            if second & PatchFlag.HASINFO and first:
                patch = kept.get(first)
                if patch is None:
                    patch = kept[first] = Patch(first, "", {})
                    all_of_them.append(patch)
                _define(patch, capture, event, int(row["op"]), at, second)
            if first in kept and kept[first].kind == KINDS[int(row["op"])]:
                kept[first].drawn.append(event)
        return tuple(patch for patch in all_of_them if self.gone or patch.deleted < 0)


def _define(patch: Patch, capture: Capture, event: int, op: int, at: int, flags: int) -> None:
    edges, names = (4, ("StartVertexOffsetWidth", "StartVertexOffsetHeight", "Width", "Height", "Stride")) if op == RECT else (
        3, ("StartVertexOffset", "NumVertices"))  # fmt: skip
    at += 8 + (4 * edges if flags & PatchFlag.HASSEGS else 0)
    *numbers, basis, order = struct.unpack_from(f"<{len(names) + 2}I", capture.events.buffer(event).data, at)
    patch.kind = KINDS[op]
    patch.info = dict(zip(names, numbers, strict=True)) | {"Basis": _name(BasisType, basis), "Order": _name(OrderType, order)}
    patch.defined.append(event)


def _name(members: type, value: int) -> str:
    return members(value).name if value in members.__members__.values() else str(value)  # type: ignore[attr-defined]
