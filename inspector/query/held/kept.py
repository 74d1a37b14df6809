"""Everything a driver keeps under handles except surfaces and buffers, as rows of one list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from core.errors import BadInput
from inspector.progress import Cancel
from inspector.query.driver.patches import Patch, Patches
from inspector.query.held.things import Buffer, Lights, Palettes, Shaders
from inspector.query.state.sets import StateSets

if TYPE_CHECKING:
    from inspector.capture import Capture

KINDS = ("palette", "vertex_shader", "pixel_shader", "state_set", "patch", "light")


class Thing(Protocol):
    """What a row says: `created` is an event, -1 if unknown."""

    @property
    def kind(self) -> str: ...

    @property
    def handle(self) -> int: ...

    @property
    def created(self) -> int: ...

    @property
    def summary(self) -> str: ...

    @property
    def lines(self) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class PatchRow:
    """A patch that the driver keeps."""

    patch: Patch
    kind: str = "patch"

    @property
    def handle(self) -> int:
        return self.patch.handle

    @property
    def created(self) -> int:
        return self.patch.defined[0]

    @property
    def summary(self) -> str:
        return f"{self.patch.kind}, drawn {len(self.patch.drawn):,} times"

    @property
    def lines(self) -> list[str]:
        """What defines it, and the events."""
        listed = {"defined": self.patch.defined, "drawn": self.patch.drawn}
        events = [f"{name:24} {' '.join(f'#{event}' for event in found)}" for name, found in listed.items()]
        return [*(f"{name:24} {value}" for name, value in self.patch.info.items()), *events]


@dataclass(frozen=True)
class Kept:
    """Palettes, shaders, state sets, patches and lights that exist after an event; `kind` (KINDS, "shader", or "buffer" with
    a handle) and `handle`: only those."""

    event: int
    kind: str = ""
    handle: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> tuple[Thing, ...]:
        """By kind, then in order of handles. Raises Cancelled, and BadInput for a kind that is none."""
        capture.check_event(self.event)
        if self.kind == "buffer" and self.handle is not None:
            return (capture.ask(Buffer(self.handle, self.event), cancel),)
        if self.kind not in ("", "shader", *KINDS):
            raise BadInput(f"{self.kind}: the kinds of things are {', '.join((*KINDS, 'shader', 'buffer'))}")
        rows: list[Thing] = []
        if self._wants("palette"):
            rows += capture.ask(Palettes(self.event), cancel)
        if self._wants("vertex_shader", "pixel_shader", "shader"):
            kind = self.kind if self.kind in ("vertex_shader", "pixel_shader") else ""
            rows += capture.ask(Shaders(self.event, self.handle, kind), cancel)
        if self._wants("state_set"):
            rows += capture.ask(StateSets(self.event, self.handle), cancel)
        if self._wants("patch"):
            rows += map(PatchRow, capture.ask(Patches(self.event), cancel))
        if self._wants("light"):
            rows += capture.ask(Lights(self.event), cancel)
        return tuple(row for row in rows if self.handle in (None, row.handle))

    def _wants(self, *kinds: str) -> bool:
        return self.kind in ("", *kinds)
