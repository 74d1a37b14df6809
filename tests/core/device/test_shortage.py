"""No memory left, at any allocation: the call says so, and everything after it is exact."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
import pytest

from core.device.past.tap import Tap
from core.pipeline.records import recycle
from core.pipeline.records.arenas import Arenas
from tests.core.device.drawn import (
    EXPECTED,
    POINTS,
    QUAD,
    SIZE,
    STRIP,
    TRIANGLES,
    Machine,
    draw_textured,
    quad,
    shader,
    user_memory,
)  # fmt: skip

ALLOCATING = "zeros", "empty", "full", "concatenate", "zeros_like", "arange", "cumsum"


class Failing:
    """Calls of numpy that allocate: the n-th raises MemoryError; `count`: how many there were."""

    def __init__(self, failing: int) -> None:
        self.failing, self.count = failing, 0

    def wrap(self, allocate: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **named: Any) -> Any:
            self.count += 1
            if self.count == self.failing:
                raise MemoryError
            return allocate(*arguments, **named)

        return wrapped


@contextmanager
def short_of_memory(failing: int) -> Iterator[Failing]:
    """Within the block the allocation of this number fails."""
    found = Failing(failing)
    Arenas.forget_spare()
    recycle.forget_spare()
    with mock.patch.multiple(np, **{name: found.wrap(getattr(np, name)) for name in ALLOCATING}):
        yield found


def scene(machine: Machine) -> None:
    """Draws of several kinds, each with new needs: many points, a texture that is new, more primitives than arenas hold."""
    points = b"".join(quad(0, 0, SIZE, SIZE)) * 700
    machine.call(user_memory(), ("DRAWPRIMITIVE", [{"type": POINTS, "start": 0, "count": 2800}]), vertices=points)
    large = b"".join(quad(-900, -900, 900, 900)[:3]) * 3000
    machine.call(user_memory(), ("DRAWPRIMITIVE", [{"type": TRIANGLES, "start": 0, "count": 3000}]), vertices=large)
    machine.surface(30, "A8R8G8B8", 64, 64)
    draw_textured(machine, 30, (0, 0, 16, 16))
    machine.driver.device.flush()


class Careless(Machine):
    """Does not mind calls that fail."""

    def __call__(self, entry: str, data: dict[str, Any] | None = None, **args: Any) -> Any:
        from core.ddi.calls import DdiCall

        return self.driver.call(DdiCall(entry, args, data or {}))

    def call(self, *tokens: tuple, **more: Any) -> None:
        self.draw(*tokens, **more)


def exact(machine: Machine) -> bool:
    """Whether a clear and a quad come out as they should."""
    machine.draw(("CLEAR", [(0, 0, SIZE, SIZE)], {"flags": 1, "color": 0, "depth": 1.0, "stencil": 0}))
    machine.draw(("TEXTURESTAGESTATE", [{"stage": 0, "state": 1, "value": 1}]), shader(0x44), user_memory(),
                 ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}]), vertices=b"".join(QUAD))  # fmt: skip
    return np.array_equal(machine.picture(), EXPECTED)


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_any_allocation_may_fail(log: bool, threads: int) -> None:
    failing, shortages = 1, 0
    while True:
        machine = Careless()
        machine.driver.device.threads = threads
        machine.driver.device.tap = tap = Tap(log=True) if log else None
        with short_of_memory(failing) as allocations:
            try:
                scene(machine)
            except MemoryError:
                assert machine.driver.device.shortages
        assert exact(machine), failing
        if machine.driver.device.shortages:
            shortages += 1
            assert tap is None or tap.lost
        if allocations.count < failing:
            break
        failing += 1 + failing // 20
    assert shortages > 20


def test_who_has_no_memory_is_told_and_goes_on() -> None:
    """Sorting the primitives into tiles fails: where once the next batch was written out of bounds."""
    machine = Careless()
    with mock.patch.object(Arenas, "room_for", side_effect=MemoryError):
        machine.call(user_memory(), ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}]), ("CLEAR", [(0, 0, 1, 1)], {}),
                     vertices=b"".join(QUAD))  # fmt: skip
    told = [finding.text for finding in machine.driver.findings]
    assert told == ["DrawPrimitives2: out of memory; queued draws are lost"]
    assert not machine.picture().any()
    assert exact(machine)


def test_an_array_that_is_written_for_a_snapshot_stays_as_it_is() -> None:
    """Making the copy fails: the next write still has to make one."""
    machine = Careless()
    machine.draw(user_memory(), ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}]), vertices=b"".join(QUAD))
    level = machine.driver.part(10)
    assert level is not None
    for write in (level.write_blocks, level.write_linear):
        write()
        kept = machine.driver.snapshot()
        words = [array.copy() for array in kept.arrays()]
        name = "core.device.memory.surfaces.recycled" + ("_bytes" if write == level.write_linear else "")
        with mock.patch(name, side_effect=MemoryError), pytest.raises(MemoryError):
            write(whole=True)
        write(whole=True)[:] = 7
        assert all(np.array_equal(*pair) for pair in zip(words, kept.arrays(), strict=True))
