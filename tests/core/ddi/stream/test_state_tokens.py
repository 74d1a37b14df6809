"""Records that bring slots to the values of a vector: layouts of the DX8 DDI specification."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from core.ddi.stream.state_tokens import record, setter_of
from core.spec.slots import BASE, SLOTS, STAGE_STATES

VECTOR = np.arange(1, SLOTS + 1, dtype=np.uint32)


@pytest.mark.parametrize(
    ("slot", "form", "numbers", "words"),
    [
        (BASE["render_state"] + 27, "<I", (27,), 1),  # D3DHAL_DP2RENDERSTATE
        (BASE["texture_stage"] + 3 * STAGE_STATES + 5, "<2H", (3, 5), 1),  # D3DHAL_DP2TEXTURESTAGESTATE
        (BASE["view"], "<I", (2,), 16),  # D3DHAL_DP2SETTRANSFORM
        (BASE["viewport"], "<", (), 4),  # D3DHAL_DP2VIEWPORTINFO
    ],
)
def test_a_record_says_which_element_it_sets_and_then_its_words(
    slot: int, form: str, numbers: tuple[int, ...], words: int
) -> None:  # fmt: skip
    setter = setter_of(slot, VECTOR)
    assert setter is not None
    expected = struct.pack(form, *numbers) + VECTOR[slot : slot + words].tobytes()
    assert setter.payload(VECTOR)[: len(expected)] == expected


@pytest.mark.parametrize("vector", [VECTOR, np.zeros(SLOTS, np.uint32)], ids=["numbers", "zeros"])
def test_the_short_way_and_the_long_one_make_the_same_records(vector: np.ndarray) -> None:
    setters = [setter for slot in range(SLOTS) if (setter := setter_of(slot, vector)) is not None]
    assert any(setter.ahead is not None for setter in setters)
    for setter in setters:
        words = vector[setter.first : setter.first + setter.size]
        assert setter.payload(vector) == record(setter.row, setter.numbers, words), setter
