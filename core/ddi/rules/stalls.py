"""When DrawPrimitives2 must wait for the current vertex buffer (DP2, Remarks).

Only programs of DirectX 7 have a current vertex buffer (lpDDVertex); draws of DirectX 8 programs never stall.  An *implicit*
buffer was created with DDSCAPS_EXECUTEBUFFER alone, an *explicit* one with DDSCAPS2_VERTEXBUFFER too.  `StallRules` follows
the calls of a tape in order and says for each DrawPrimitives2 what a DirectX 8.0 runtime and what later ones ask for.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from core.ddi.calls import DdiCall
from core.spec.enums import Dp2Flag, SurfaceCaps2

NOTHING, USER, IMPLICIT, EXPLICIT = "none", "user memory", "implicit", "explicit"
DX80, DX81 = 0x0800, 0x0801
SWAP, REQUESTED = int(Dp2Flag.SWAPVERTEXBUFFER), int(Dp2Flag.REQCOMMANDBUFSIZE)


class Verdict(NamedTuple):
    """Whether the driver stalls, and why."""

    stall: bool
    reason: str


class StallVerdict(NamedTuple):
    """What is asked of one DrawPrimitives2: `vertices` says where they are."""

    vertices: str
    buffer: int
    locked: bool
    flags: int
    dx80: Verdict
    dx81: Verdict

    def of(self, version: int) -> Verdict:
        """The verdict under a runtime of this version."""
        return self.dx80 if version <= DX80 else self.dx81


def later_runtimes(vertices: str, flags: int, locked: bool) -> Verdict:
    """DirectX 8.1 and later."""
    if vertices == IMPLICIT:
        return Verdict(False, "an implicit buffer never stalls")
    if vertices != EXPLICIT:
        return Verdict(False, "no vertex buffer is current")
    if not locked:
        return Verdict(False, "the explicit buffer is not locked")
    if flags & SWAP:
        return Verdict(False, "the buffer is renamed")
    return Verdict(True, "the explicit buffer is locked and not renamed: stall at the end")


def first_runtime(vertices: str, flags: int, locked: bool, after_user_memory: bool) -> Verdict:
    """DirectX 8.0; `after_user_memory`: the draw before had its vertices in user memory."""
    if vertices not in (IMPLICIT, EXPLICIT):
        return Verdict(False, "no vertex buffer is current")
    if flags & SWAP:
        return Verdict(False, "the buffer is renamed")
    if flags & REQUESTED:
        return Verdict(False, "D3DHALDP2_REQCOMMANDBUFSIZE: the driver need not stall")
    if vertices == IMPLICIT:
        if after_user_memory:
            return Verdict(True, "from user memory to an implicit buffer that is not renamed")
        return Verdict(False, "the previous draw was not from user memory")
    if locked:
        return Verdict(True, "the explicit buffer is locked and not renamed")
    return Verdict(False, "the explicit buffer is not locked")


def is_explicit(args: dict[str, Any]) -> bool:
    """Whether CreateD3DBuffer makes an explicit buffer."""
    caps2 = args.get("caps2")
    if isinstance(caps2, int):
        return bool(caps2 & (SurfaceCaps2.VERTEXBUFFER | SurfaceCaps2.INDEXBUFFER))
    return args.get("kind", "vertex") in ("vertex", "index")


class StallRules:
    """Follows buffers, locks and draws."""

    def __init__(self) -> None:
        self._explicit: dict[int, bool] = {}
        self._locks: dict[int, int] = {}
        self._after_user_memory = False

    def copy(self) -> StallRules:
        """Another one that goes on by itself."""
        twin = StallRules()
        twin._explicit, twin._locks, twin._after_user_memory = dict(self._explicit), dict(self._locks), self._after_user_memory
        return twin

    def see(self, call: DdiCall) -> StallVerdict | None:
        """Takes note of a call; a verdict for DrawPrimitives2."""
        args = call.args
        handle = args.get("handle", 0)
        handle = handle if isinstance(handle, int) else 0
        if call.entry == "DrawPrimitives2":
            return self._draw(args, call.data)
        if call.entry == "CreateD3DBuffer":
            self._explicit[handle] = is_explicit(args)
            self._locks.pop(handle, None)
        elif call.entry == "LockD3DBuffer":
            self._locks[handle] = self._locks.get(handle, 0) + 1
        elif call.entry == "UnlockD3DBuffer":
            self._locks[handle] = max(self._locks.get(handle, 0) - 1, 0)
        return None

    def _draw(self, args: dict[str, Any], data: Any) -> StallVerdict:
        flags = args.get("flags", 0)
        flags = flags if isinstance(flags, int) else 0
        buffer = args.get("vertex_buffer", 0)
        buffer = buffer if isinstance(buffer, int) else 0
        vertices = NOTHING
        if flags & Dp2Flag.USERMEMVERTICES:
            vertices = USER
        elif buffer:
            vertices = EXPLICIT if self._explicit.get(buffer, True) else IMPLICIT
        locked = bool(self._locks.get(buffer, 0)) if vertices in (IMPLICIT, EXPLICIT) else False
        verdict = StallVerdict(
            vertices, buffer, locked, flags, first_runtime(vertices, flags, locked, self._after_user_memory),
            later_runtimes(vertices, flags, locked),
        )  # fmt: skip
        if vertices != NOTHING:
            self._after_user_memory = vertices == USER
        return verdict
