"""The stall rules: every example line of the documentation (DP2, Remarks), and the rules about later runtimes."""

from __future__ import annotations

import pytest

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.rules.stalls import DX80, DX81, StallRules, StallVerdict
from core.spec.enums import Dp2Flag, SurfaceCaps2

SWAP, SIZE, USER = (int(flag) for flag in (Dp2Flag.SWAPVERTEXBUFFER, Dp2Flag.REQCOMMANDBUFSIZE, Dp2Flag.USERMEMVERTICES))
IMPLICIT, EXPLICIT = 1, 2


def rules(locked: bool) -> StallRules:
    """One implicit and one explicit buffer, the explicit one locked or not; the implicit one is locked in either case."""
    made = StallRules()
    made.see(DdiCall("CreateD3DBuffer", {"handle": IMPLICIT, "caps2": 0}))
    made.see(DdiCall("CreateD3DBuffer", {"handle": EXPLICIT, "caps2": int(SurfaceCaps2.VERTEXBUFFER)}))
    made.see(DdiCall("LockD3DBuffer", {"handle": IMPLICIT}))
    if locked:
        made.see(DdiCall("LockD3DBuffer", {"handle": EXPLICIT}))
    return made


def draw(made: StallRules, buffer: int, flags: int) -> StallVerdict:
    verdict = made.see(DdiCall("DrawPrimitives2", {"flags": flags, "vertex_buffer": buffer}))
    assert verdict is not None
    return verdict


# (buffer, flags): stall under DirectX 8.0 if not locked, if locked; one document example after the other.
EXAMPLES = {
    "stall on an implicit buffer": [((0, USER), False, False), ((IMPLICIT, 0), True, True)],
    "do not stall on an implicit buffer": [
        ((0, USER), False, False), ((EXPLICIT, 0), False, True), ((EXPLICIT, SWAP), False, False),
        ((IMPLICIT, 0), False, False), ((IMPLICIT, 0), False, False), ((0, USER), False, False),
        ((IMPLICIT, SWAP), False, False),
    ],
    "stall on an explicit buffer": [((EXPLICIT, 0), False, True)],
    "do not stall on an explicit buffer": [
        ((EXPLICIT, SIZE), False, False), ((EXPLICIT, SWAP), False, False), ((EXPLICIT, SWAP | SIZE), False, False),
    ],
    "the driver need not stall": [((0, USER), False, False), ((IMPLICIT, SIZE), False, False)],
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("locked", [False, True])
def test_examples_of_directx_8_0(name: str, locked: bool) -> None:
    made = rules(locked)
    for (buffer, flags), free, held in EXAMPLES[name]:
        verdict = draw(made, buffer, flags)
        assert verdict.of(DX80).stall == (held if locked else free), verdict.dx80.reason


@pytest.mark.parametrize(
    ("buffer", "flags", "locked", "stall"),
    [
        (IMPLICIT, 0, False, False), (IMPLICIT, 0, True, False), (EXPLICIT, 0, False, False), (EXPLICIT, 0, True, True),
        (EXPLICIT, SWAP, True, False), (EXPLICIT, SIZE, True, True), (0, USER, True, False), (0, 0, True, False),
    ],
)  # fmt: skip
def test_later_runtimes(buffer: int, flags: int, locked: bool, stall: bool) -> None:
    made = rules(locked)
    draw(made, 0, USER)
    assert draw(made, buffer, flags).of(DX81).stall == stall


def test_an_unlocked_buffer_is_free_again() -> None:
    made = rules(True)
    made.see(DdiCall("UnlockD3DBuffer", {"handle": EXPLICIT}))
    assert not draw(made, EXPLICIT, 0).dx80.stall


def test_the_driver_waits_and_says_so() -> None:
    driver = EmulatedDriver(clock="modelled")
    driver.call(DdiCall("CreateSurface", {"handle": 10, "width": 16, "height": 16, "format": 22}))
    driver.call(DdiCall("ContextCreate", {"context": 1, "render_target": 10}))
    driver.call(DdiCall("CreateD3DBuffer", {"handle": 40, "size": 64}))
    driver.call(DdiCall("LockD3DBuffer", {"handle": 40}))
    driver.call(DdiCall("Blt", {"destination": 10, "flags": 0x400, "color": 0}))
    assert not driver.clock.idle()
    args = {"context": 1, "vertex_buffer": 40, "vertex_size": 16, "vertex_length": 1}
    assert driver.call(DdiCall("DrawPrimitives2", args, {"commands": b""})).out["stall"] == 1
    assert driver.clock.idle()
