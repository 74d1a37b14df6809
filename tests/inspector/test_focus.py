"""A focus survives being written as a link."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from inspector.focus import Focus

small = st.integers(0, 10**6)
places = st.builds(
    Focus,
    event=small,
    primitive=st.none() | small,
    surface=st.sampled_from(["render_target", "depth", "back_buffer"]) | small,
    level=small,
    face=st.integers(0, 5),
    slice=small,
    sample=st.none() | st.integers(0, 15),
    pixel=st.none() | st.tuples(small, small),
    vertex=st.none() | small,
    step=st.none() | small,
)


@given(places)
def test_text_and_back(focus: Focus) -> None:
    assert Focus.parse(focus.text()) == focus


def test_text_names_only_what_was_chosen() -> None:
    assert Focus(812, surface=3, pixel=(40, 52)).text() == "#event=812&surface=3&pixel=40,52"


@pytest.mark.parametrize("text", ["#event=x", "#colour=1", "#pixel=4", "#surface=../etc", "#event"])
def test_nonsense_is_refused_by_name(text: str) -> None:
    with pytest.raises(BadInput, match="focus"):
        Focus.parse(text)
