"""Pictures and tokens looked at together."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from inspector.query.comparison.views import GAP, amplified, beside, changed_words, column_of, loudest, what_changed

A = np.arange(2 * 3 * 4, dtype=np.uint8).reshape(2, 3, 4)
B = A + 2


def test_differences_are_amplified_up_to_white() -> None:
    far = A.copy()
    far[0, 0, 0] += 5
    assert amplified(A, far)[0, 0].tolist() == [5, 0, 0, 255]
    assert amplified(A, far, 8)[0, 0].tolist() == [40, 0, 0, 255] and not amplified(A, far, 8)[1, :, :3].any()
    assert amplified(A, far, 64)[0, 0].tolist() == [255, 0, 0, 255]


@pytest.mark.parametrize("largest, count, title", [(51, 64, "Difference × 5"), (0, 64, "Pixels that differ"),
                                                   (51, 1, "Difference × 5, each pixel larger")])  # fmt: skip
def test_a_difference_is_seen_however_small_it_is(largest: int, count: int, title: str) -> None:
    a = np.zeros((20, 200, 4), np.uint8)
    mask = np.zeros((20, 200), bool)
    mask[9, 50 : 50 + count] = True
    b = np.where(mask[..., None], np.uint8(largest), a)
    one = SimpleNamespace(a=a, b=b, mask=mask, largest=largest, gain=255 // largest if largest else 0, count=count, width=200,
                          height=20)  # fmt: skip
    said, image = loudest(one)  # type: ignore[arg-type]
    assert said == title and image[9, 50, :3].tolist() == [255] * 3 and not image[0, :, :3].any()
    assert image[..., :3].any(-1).sum() == (25 if count == 1 else count) and (image[..., 3] == 255).all()


def test_both_stand_side_by_side() -> None:
    both = beside(A, B)
    assert both.shape == (2, 6 + GAP, 4)
    assert np.array_equal(both[:, :3], A) and np.array_equal(both[:, -3:], B)
    assert [column_of(x, 3) for x in range(6 + GAP)] == [0, 1, 2, *[-1] * GAP, 0, 1, 2]


def test_the_fields_that_differ_are_named() -> None:
    assert changed_words("RENDERSTATE ZFUNC=LESS", "RENDERSTATE ZFUNC=LESS") == []
    a, b = "SETTRANSFORM type=WORLD0 matrix=(1.0 2.0)", "SETTRANSFORM type=WORLD0 matrix=(1.0 3.0) more=1"
    assert changed_words(a, b) == [("matrix", "(1.0 2.0)", "(1.0 3.0)"), ("more", "", "1")]
    assert what_changed(a, b) == "matrix[1]: 2.0 to 3.0, more: nothing to 1"
    assert what_changed("X v=(1 2)", "X v=(1 2 3)") == "v: (1 2) to (1 2 3)"
    many = " ".join(map(str, range(20)))
    assert what_changed(f"X v=({many})", f"X v=({many.replace(' ', ' -')})").endswith("v[16]: 16 to -16, 3 more")
