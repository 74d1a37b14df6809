"""Searches at once do not disturb each other, end when one says stop, and say what is too much."""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import inspector
from core.errors import Cancelled
from inspector.query.search import masks
from inspector.query.search.search import mask_of
from inspector.query.search.syntax import DEEPEST, LONGEST, FilterError, parse
from tests.inspector.conftest import ROOM

FILTERS = ("$draw() and pixels == 0", "zfunc", "$param(flags == TARGET|ZBUFFER|STENCIL)", "touches(40, 52) and event < 900",
           "$draw() and overdraw > 1", "$regex(/^CLEAR .*stencil/i)", "$api(IDirect3DDevice8::Clear)")  # fmt: skip


def test_a_search_is_cancelled_by_its_own_question_only(room: inspector.Capture) -> None:
    """One search starts another at every look at its progress; neither sees the other's."""
    wanted = {text: room.ask(inspector.Search(text)).tolist() for text in FILTERS}
    for text in FILTERS:
        inner = iter(FILTERS)

        def cancel(inner: object = inner) -> bool:
            other = next(inner, None)  # type: ignore[call-overload]
            if other is not None:
                with pytest.raises(Cancelled):
                    room.ask(inspector.Search(other), lambda: True)
                assert room.ask(inspector.Search(other)).tolist() == wanted[other]
            return False

        assert room.ask(inspector.Search(text), cancel).tolist() == wanted[text]


def test_searches_of_several_threads_find_what_each_finds_alone() -> None:
    with inspector.open(ROOM) as capture:
        alone = {text: capture.ask(inspector.Search(text)).tolist() for text in FILTERS}
    with inspector.open(ROOM) as capture:
        found: list[tuple[str, list[int]]] = []
        barrier = threading.Barrier(4)

        def ask(number: int) -> None:
            barrier.wait()
            for text in FILTERS[number:] + FILTERS[:number]:
                found.append((text, capture.ask(inspector.Search(text)).tolist()))

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 4 * len(FILTERS)
        assert all(alone[text] == events for text, events in found)


def test_what_one_question_narrows_is_not_narrow_for_another(room: inspector.Capture) -> None:
    """A condition on pixels is asked only where the rest holds: of the frame of event 900, not of all."""
    every = mask_of(room, parse("pixels > 0"))
    inside: list[np.ndarray] = []

    def progress(fraction: float) -> bool:
        if not inside:
            inside.append(every)
            inside.append(mask_of(room, parse("pixels > 0")))
        return True

    mask_of(room, parse("event == 900 and pixels > 0"), progress)
    assert np.array_equal(inside[0], inside[1])


def test_a_capture_that_was_searched_is_let_go() -> None:
    capture = inspector.open(ROOM)
    for text in FILTERS:
        capture.ask(inspector.Search(text))
    known = weakref.ref(capture)
    capture.close()
    del capture
    gc.collect()
    assert known() is None


# -- limits -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pattern", [r"(([A-Z0-9 ]+)+)+[!]$", r"(x+x+)+y", r"^(([a-z])+.)+[A-Z]([a-z])+$", r"(\w+\s?)+\1#"])
def test_expressions_that_try_everything_come_to_an_end(room: inspector.Capture, pattern: str) -> None:
    try:
        room.ask(inspector.Search(f"$regex(/{pattern}/)"))
    except FilterError as error:
        assert "takes too long" in str(error)


def test_an_expression_that_takes_too_long_is_reported(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(masks, "REGEX_SECONDS", 0.0)
    with pytest.raises(FilterError, match=r"column 1: .*takes too long"):
        room.ask(inspector.Search(r"$regex(/(\w+\s?)+\1#/)"))


def test_between_two_texts_an_expression_can_be_cancelled(room: inspector.Capture) -> None:
    looks = iter([False] * 9)
    with pytest.raises(Cancelled):
        room.ask(inspector.Search("$regex(/a.*b/)"), lambda: next(looks, True))


@pytest.mark.parametrize(
    ("left", "right"), [("(", ")"), ("not ", ""), ("!", ""), ("$draw(", ")"), ("-(", ")"), ("(a or ", ")")]
)
def test_conditions_may_be_so_deep_and_no_deeper(room: inspector.Capture, left: str, right: str) -> None:
    room.ask(inspector.Search(left * DEEPEST + "draw" + right * DEEPEST))
    for deep in (DEEPEST + 1, 300, LONGEST // 8):
        with pytest.raises(FilterError, match=r"nested at most \d+ deep"):
            parse(left * deep + "draw" + right * deep)


def test_a_filter_has_a_longest_length(room: inspector.Capture) -> None:
    with pytest.raises(FilterError, match="at most 20,000 characters, not 1,000,000"):
        room.ask(inspector.Search("a " * 500_000))
    looks = iter([False] * 50)
    with pytest.raises(Cancelled):
        room.ask(inspector.Search("a " * (LONGEST // 2)), lambda: next(looks, True))


@settings(max_examples=300, deadline=None)
@example("[[")
@given(st.text(st.sampled_from('ab "()!$+-&|<>=~/.*,[]{}0x\\') | st.characters(), max_size=60))
def test_any_text_is_a_filter_or_says_where_not(text: str) -> None:
    try:
        parse(text)
        parse(f"$regex(/{text}/)")
    except FilterError as error:
        assert str(error).startswith("column ")
