"""What the tap hears and the undo log takes back; probes, and describing instead of drawing."""

from __future__ import annotations

import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.ddi.stream import dp2
from core.device.past.tap import Tap
from tests.core.device.drawn import (
    BLUE,
    CONTEXT,
    DEPTH,
    GREEN,
    QUAD,
    RED,
    SIZE,
    STRIP,
    TARGET,
    WHITE,
    Machine,
    draw_textured,
    quad,
    user_memory,
)


def undo(words: np.ndarray, records: np.ndarray) -> None:
    """Takes the colour words of a surface in block form back, last record first."""
    blocks = words.reshape(-1, 16)
    for record in records[::-1]:
        lanes = int(record["lanes"])
        for lane in range(16):
            if lanes >> lane & 1:
                blocks[record["block"], lane] = record["color"][lane]


def test_the_undo_log_takes_every_draw_back() -> None:
    machine = Machine()
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    machine.draw(user_memory(), token, vertices=b"".join(quad(0, 0, 16, 16, GREEN)))
    before = machine.picture()
    part = machine.driver.device.memory.part(TARGET)
    held = part.blocks().copy()
    tap = machine.driver.device.tap = Tap(log=True)
    first = machine.driver.seq
    for n, color in enumerate((RED, BLUE, WHITE)):
        machine.draw(token, vertices=b"".join(quad(n, n, n + 9, n + 5, color)))
    machine.driver.device.flush()
    assert not np.array_equal(machine.picture(), before)
    (only,) = tap.passes
    assert (only.target, only.depth, only.first_seq, only.last_seq) == (TARGET, DEPTH, first, first + 2)
    words = part.blocks().copy()
    undo(words, only.watch.records)
    assert np.array_equal(words, held)


def test_the_size_of_a_log_is_the_memory_that_it_keeps() -> None:
    machine = Machine()
    tap = machine.driver.device.tap = Tap(log=True)
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    for n, color in enumerate((RED, BLUE, WHITE)):
        machine.draw(user_memory(), token, vertices=b"".join(quad(n, n, n + 9, n + 5, color)))
        machine.driver.device.flush()
    journals = [journal for one in tap.passes for journal in one.watch.journals]
    assert len(journals) == 3
    shared = {id(journal.binned.states): journal.binned.states for journal in journals}
    assert len(shared) == 1
    records = [one.watch.records.copy() for one in tap.passes]
    for trimmed in (False, True):
        own = sum(one.nbytes for journal in journals for one in (journal.kept, *vars(journal.binned.arenas).values()))
        (states,) = {id(journal.binned.states): journal.binned.states for journal in journals}.values()
        assert tap.held == own + states.nbytes + tap.shapes.size
        assert own - sum(journal.kept.nbytes for journal in journals) < 10_000  # six triangles: not megabytes
        assert (states.nbytes < 100_000) == trimmed  # few states are used, and room for 512 is kept until then
        if not trimmed:
            tap.trim()
    for one, expected in zip(tap.passes, records, strict=True):
        one.watch.forget_records()
        assert np.array_equal(one.watch.records, expected)


@pytest.mark.parametrize("fate", ["written", "destroyed"])
def test_the_log_keeps_the_texels_it_was_drawn_with(fate: str) -> None:
    machine = Machine()
    machine.surface(30, "A8R8G8B8", 4, 4, label="texture")
    machine.fill(30, np.full((4, 4), RED, np.uint32))
    tap = machine.driver.device.tap = Tap(log=True)
    draw_textured(machine, 30, (0, 0, 8, 8))
    draw_textured(machine, 30, (2, 2, 9, 9))
    machine.driver.device.flush()
    if fate == "written":
        machine.fill(30, np.full((4, 4), BLUE, np.uint32))
    else:
        machine("DestroySurface", handle=30)
    machine.surface(31, "A8R8G8B8", 4, 4, label="texture")
    machine.fill(31, np.full((4, 4), GREEN, np.uint32))
    draw_textured(machine, 31, (0, 0, 8, 8))
    (fragment,) = tap.passes[0].watch.fragments_of(0, 1)
    assert int(fragment["new_color"]) & 0xFFFFFF == RED


def test_the_tap_hears_clears_and_copies() -> None:
    machine = Machine()
    tap = machine.driver.device.tap = Tap(log=True)
    machine.fill(TARGET, np.full((SIZE, SIZE), 5, np.uint32))
    seq = machine.driver.seq
    machine.draw(("CLEAR", [(0, 0, 4, 4)], {"flags": 1, "color": 9, "depth": 0, "stencil": 0}))
    assert [(write.handle, write.seq) for write in tap.overwrites] == [(TARGET, seq - 1), (TARGET, seq)]
    part = machine.driver.device.memory.part(TARGET)
    part.set_contents(tap.overwrites[-1].before)
    assert (machine.picture() == 5).all()


def test_a_probe_sees_the_fragments_of_one_pixel() -> None:
    machine = Machine()
    tap = machine.driver.device.tap = Tap(probe=(TARGET, 5, 6))
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    first = machine.driver.seq + 1
    machine.draw(user_memory(), token, vertices=b"".join(quad(0, 0, 16, 16, RED)))
    machine.draw(token, vertices=b"".join(quad(0, 0, 4, 4, GREEN)))
    machine.draw(token, vertices=b"".join(quad(5, 6, 6, 7, BLUE)))
    machine.driver.device.flush()
    fragments = np.concatenate([one.watch.fragments for one in tap.passes])
    assert fragments["seq"].tolist() == [first, first + 2]
    assert (fragments["new_color"] & 0xFFFFFF).tolist() == [RED, BLUE]


def test_describing_a_draw_changes_nothing() -> None:
    machine = Machine()
    stream = bytearray()
    dp2.emit(stream, "SETSTREAMSOURCEUM", [{"stream": 0, "stride": 20}])
    dp2.emit(stream, "DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    call = DdiCall(
        "DrawPrimitives2",
        {"context": CONTEXT, "command_length": len(stream), "vertex_size": 20, "vertex_length": 4},
        {"commands": bytes(stream), "vertices": b"".join(QUAD)},
    )
    machine.driver.run(call, machine.driver.seq, 0, 1)
    described = machine.driver.describe_draw(call, 1)
    assert (described.arguments["kind"], described.arguments["count"]) == (STRIP, 2)
    assert machine.driver.describe_draw(call, 0) is None
    assert not machine.picture().any()
