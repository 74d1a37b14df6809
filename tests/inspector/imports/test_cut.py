"""Traces that were cut say so."""

from __future__ import annotations

from pathlib import Path

import pytest

import inspector
from tests.inspector.imports import trace_file as t


def notices(trace: t.TraceFile, path: Path) -> list[str]:
    path.write_bytes(t.snappy(trace.bytes()))
    with inspector.open(path) as capture:
        return list(capture.tape.notices)


def test_a_whole_trace_has_no_notice(tmp_path: Path) -> None:
    assert notices(t.small_program(3), tmp_path / "whole.trace") == []


@pytest.mark.parametrize("frames", [1, 4])
def test_a_trace_without_its_beginning_says_how_many_calls_draw_nothing(frames: int, tmp_path: Path) -> None:
    trace = t.TraceFile(6, {})
    for frame in range(frames):
        t.device_call(trace, "BeginScene")
        t.set_render_state(trace, 137, frame)
        t.device_call(trace, "EndScene")
    (said,) = notices(trace, tmp_path / "cut.trace")
    assert said.startswith(f"{3 * frames} calls on a device come in a trace where no device is created")


def test_calls_before_the_device_are_counted_and_those_after_it_are_not(tmp_path: Path) -> None:
    trace = t.TraceFile(6, {})
    t.set_render_state(trace, 137, 0)
    t.begin(trace)
    for _ in range(5):
        t.set_render_state(trace, 137, 1)
    (said,) = notices(trace, tmp_path / "late.trace")
    assert said.startswith("1 calls on a device come before the first device is created")


def test_a_middle_that_was_cut_out_is_noticed(tmp_path: Path) -> None:
    trace = t.small_program(1)
    for stage in range(2):
        t.device_call(trace, "SetTexture", Stage=stage, pTexture=t.Pointer(0xABC0))
    said = notices(trace, tmp_path / "hole.trace")
    assert any("name objects whose creation is not in the trace" in one for one in said), said
