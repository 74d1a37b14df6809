"""Names of subresources."""

from __future__ import annotations

import pytest

from core.spec.subresource import Subresource


@pytest.mark.parametrize(
    ("named", "text"),
    [
        (Subresource(), "render_target"),
        (Subresource(23), "surface 23"),
        (Subresource(23, level=2, sample=0), "surface 23 level 2 sample 0"),
        (Subresource("depth", face=1, slice=3), "depth face 1 slice 3"),
    ],
)
def test_text_says_what_is_not_the_first(named: Subresource, text: str) -> None:
    assert str(named) == text


def test_a_surface_alone_is_its_first_subresource() -> None:
    assert Subresource.of(23) == Subresource(23, 0, 0, 0, None)
    assert Subresource.of("depth") == Subresource("depth")
    assert Subresource.of(Subresource(5, 1)) == Subresource(5, 1)
