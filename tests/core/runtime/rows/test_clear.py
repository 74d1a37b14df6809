"""Clear without rectangles: the compiled row makes what the method makes, and leaves the method what only it can do."""

from __future__ import annotations

from typing import Any

import pytest

from core.runtime.d3d8 import D3DError
from core.runtime.methods import state
from core.runtime.rows import layout as c
from core.spec.enums import ClearFlag
from tests.core.runtime.conftest import Bench

TARGET, DEPTH = int(ClearFlag.TARGET), int(ClearFlag.ZBUFFER)
PURE = 0x50
WITH_DEPTH = {"EnableAutoDepthStencil": 1, "AutoDepthStencilFormat": 75}  # D3DFMT_D24S8
VIEWPORTS = [(0, 0, 64, 48), (10, 11, 20, 21), (60, 40, 20, 20), (64, 0, 4, 4), (3, 3, 0, 5), (0, 0, 4000, 4000)]


def cleared(bench: Bench, by_method: bool, viewport: tuple[int, ...], arguments: tuple[Any, ...]) -> str:
    """The tokens of a Clear, or how it is refused."""
    bench.device.SetViewport(viewport)
    bench.said()
    if by_method:
        bench.runtime.commands.state[c.TARGET_WIDTH] = 0
    try:
        bench.device.Clear(*arguments)
    except D3DError as error:
        bench.said()
        return str(error)
    finally:
        bench.runtime.tell_target()
    return bench.hex()


@pytest.mark.parametrize("viewport", VIEWPORTS)
@pytest.mark.parametrize("behavior, more", [(0x40, {}), (0x40, WITH_DEPTH), (0x20, WITH_DEPTH), (PURE, WITH_DEPTH)])
def test_row_and_method_agree(behavior: int, more: dict[str, int], viewport: tuple[int, ...]) -> None:
    bench = Bench(behavior, **more)
    for arguments in [(0, None, TARGET, 0xFF102030, 0.5, 3), (2, None, TARGET | DEPTH, 7, 1.0, 255), (0, None, DEPTH, 0, 0, 0),
                      (1, [(1, 2, 30, 4)], TARGET, 1, 1.0, 0)]:  # fmt: skip
        assert cleared(bench, False, viewport, arguments) == cleared(bench, True, viewport, arguments)


def test_the_row_follows_the_render_target(bench: Any) -> None:
    texture = bench.device.CreateTexture(16, 8, 1, 1, 22, 0)
    bench.device.SetRenderTarget(texture.GetSurfaceLevel(0), None)
    assert cleared(bench, False, (4, 4, 60, 40), (0, None, TARGET, 0, 1.0, 0)).endswith("00000004 00000004 00000010 00000008")


def test_the_loop_does_it(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "clear_areas", lambda *_: pytest.fail("done by the method"))
    judged: list[int] = []
    bench.runtime._verdict_sink = lambda verdicts: judged.extend(verdicts.tolist())
    bench.device.Clear(0, None, TARGET, 0, 1.0, 0)
    assert bench.hex() and judged == [c.PYTHON], "tapes have called it done by a method since before it was a row"


def test_a_full_buffer_is_left_to_the_method(bench: Any) -> None:
    bench.said()
    numbers = bench.runtime.commands.numbers
    while numbers[c.POSITION] + c.MARGIN <= 4 * len(bench.runtime.commands.out):
        bench.device.SetTransform(2, [float(numbers[c.POSITION])] * 16)
    bench.device.Clear(0, None, TARGET, 0, 1.0, 0)
    assert bench.entries() == ["DrawPrimitives2"], "one buffer: the token had room"
