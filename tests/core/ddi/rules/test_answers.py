"""Recorded answers may hold anything."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from core.ddi.calls import DdiCall
from core.ddi.rules.answers import BY_ENTRY, AnswerCheck

VALUE = st.one_of(
    st.integers(-3, 300), st.integers(), st.none(), st.text(max_size=3), st.floats(), st.lists(st.integers(), max_size=3)
)
ARGUMENTS = [
    "handle",
    "flags",
    "context",
    "caps2",
    "caps3",
    "caps4",
    "depth",
    "samples",
    "kind",
    "memory",
    "format",
    "label",
    "vertex_buffer",
    "type",
    "index",
    "guid",
    "command_offset",
    "command_length",
    "vertex_size",
    "source",
    "surface",
    "render_target",
    "expected_size",
]
RESULTS = [
    "handled",
    "actual_size",
    "fp_vid_mem",
    "fp_heap_offset",
    "fp_start",
    "surf_data",
    "stalled",
    "queued",
    "callbacks",
    "context",
    "status",
    "asked",
    "pitches",
    "error_offset",
    "slice_pitches",
    "samples",
    "swapped_vertex_buffer",
]
CALL = st.tuples(
    st.sampled_from([*BY_ENTRY, "GetHalInfo", "DxgiPresent", "DxgiQueryResourceResidency", "DxgiSetResourcePriority"]),
    st.dictionaries(st.sampled_from(ARGUMENTS), VALUE, max_size=8),
    st.dictionaries(st.sampled_from(RESULTS), VALUE, max_size=8),
    st.dictionaries(st.sampled_from(["request", "reply", "commands", "texture_formats"]), st.binary(max_size=80), max_size=4),
    st.sampled_from([0, 0x80004005, 0x8876021C, 0x88760BB8]),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(CALL, max_size=8))
def test_no_answer_can_crash_the_check(calls: list[tuple[str, Any, Any, Any, int]]) -> None:
    check = AnswerCheck()
    for seq, (entry, args, out, data, result) in enumerate(calls):
        for found in check.findings(DdiCall(entry, args, data, result, out), seq):
            assert found.section and found.seq == seq
