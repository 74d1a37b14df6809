"""Counts in a trace that grows, byte by byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.launch.follow import Follower, Progress
from tests.inspector.imports import trace_file as t


def test_counts_grow_with_the_file(tmp_path: Path) -> None:
    program = t.small_program(20)
    data, path = t.snappy(program.bytes(), block=300), tmp_path / "growing.trace"
    follower = Follower(path)
    assert follower.look().size == 0  # not there yet
    seen = []
    for end in range(0, len(data) + 97, 97):
        path.write_bytes(data[:end])
        seen.append(follower.look())
        assert seen[-1].size == min(end, len(data))
    assert (seen[-1].calls, seen[-1].frames) == (program.count, 20)
    assert [one.calls for one in seen] == sorted(one.calls for one in seen)
    assert len({one.frames for one in seen}) > 10
    assert seen[-1].text() == f"{program.count:,} calls, 20 frames, {-(-len(data) // 1024)} KB"
    assert Progress(1, 2, 3 << 20).text() == "1 call, 2 frames, 3.0 MB"


@pytest.mark.parametrize("data", [b"", b"a", b"no trace", b"at\x05\0\0\0wrong", b"at" + b"\xff" * 40])
def test_what_cannot_be_followed_still_has_a_size(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "strange.trace"
    path.write_bytes(data)
    follower = Follower(path)
    for _ in range(2):
        found = follower.look()
        assert (found.calls, found.frames, found.size) == (0, 0, len(data))
