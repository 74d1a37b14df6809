"""Stop works wherever a question is: no work goes on after it, and what is asked next is answered rightly."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

import inspector
from core import cancel
from core.ddi.calls import DdiCall
from core.errors import BadInput, Cancelled
from core.pipeline.surface import blit
from core.pipeline.vertex import npatch
from inspector.tape import TapeWriter, side
from inspector.timeline import walk
from tests.driver_calls import call
from tests.soak import gaps
from tests.soak.hostile import SIZE, Stop, blits, of_directdraw, of_driver_calls, patches, start
from tests.soak.questions import questions

DRAWING = {
    *("PixelHistory", "Writers", "Touched", "PixelsOf", "PrimitiveAt", "Overlay", "Thumbnail", "Compare", "Bisect", "Verify"),
    *("PixelLife", "surfaces"),
}  # questions that cannot be answered without drawing


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stop") / "hostile.ddicap"
    of_driver_calls(path)
    return path


@pytest.fixture(scope="module")
def hostile_directdraw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stop") / "directdraw.ddicap"
    of_directdraw(path)
    return path


@pytest.mark.parametrize("which", ["hostile", "hostile_directdraw"])
def test_every_question_stops(which: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever was told to stop has no answer; the picture that is asked for after it is the right one."""
    path = request.getfixturevalue(which)
    monkeypatch.setattr("tests.soak.questions._pixel_of", lambda capture, draw: (SIZE // 2, SIZE // 2))
    with inspector.open(path) as capture:
        last = len(capture.events) - 1
        right = capture.image(last)
        names = [name for name, _ in questions(capture)]
    assert set(names) >= set(inspector.QUESTIONS)
    stopped = set()
    for number, name in enumerate(names):
        with inspector.open(path) as capture:  # nothing known yet
            ask = next(islice(questions(capture), number, None))[1]
            stop, answered = Stop(), False
            with suppress(BadInput, Cancelled), cancel.cancellable(stop):
                ask()
                answered = True
            assert not (answered and stop.said), name
            if stop.said:
                stopped.add(name)
                assert np.array_equal(capture.image(last), right), name
    assert stopped >= DRAWING, DRAWING - stopped


def looks_of(path: Path, calls: list[DdiCall]) -> int:
    """How often work that these calls cause can be stopped."""
    with TapeWriter(path, durable=False) as writer:
        for one in (*start(), *calls):
            writer.append(one)
    stop = Stop(1 << 30)
    with inspector.open(path) as capture:
        capture.image(len(capture.events) - 1, cancel=stop)
    return (1 << 30) - stop.left


KEY_SOURCE, KEY_TARGET, DXGI_STRETCH, RGBA8 = 0x8000, 0x2000, 4, 28
"""DDBLT_KEYSRC, DDBLT_KEYDEST; DXGI_DDI_ARG_BLT's Stretch; DXGI_FORMAT_R8G8B8A8_UNORM."""


def keyed() -> Iterator[DdiCall]:
    whole = {"destination_box": (0, 0, SIZE, SIZE), "source_box": (0, 0, SIZE, SIZE)}
    keys = {"color_key": (0, 5), "destination_key": (0, 5)}
    yield call("Blt", destination=3, source=1, flags=KEY_SOURCE | KEY_TARGET, **whole, **keys)


def dxgi() -> Iterator[DdiCall]:
    for handle in (50, 51):
        yield call("DxgiCreateResource", handle=handle, width=SIZE, height=SIZE, format=RGBA8)
    half = (0, 0, SIZE, SIZE // 2)
    yield call("DxgiBlt", destination=51, destination_subresource=0, box=half, source=50, source_subresource=0,
               flags=DXGI_STRETCH)  # fmt: skip


@pytest.mark.parametrize(("calls", "steps"), [(keyed, 3), (dxgi, 2)])
def test_copies_of_other_kinds_are_made_in_pieces(tmp_path: Path, calls: Any, steps: int) -> None:
    """Keys of source and target, what is put back; the mean of samples, stretching and converting of half as much."""
    with mock.patch.object(blit, "PIECE", SIZE * 4):
        assert looks_of(tmp_path / "copies.ddicap", list(calls())) >= steps * SIZE // 4


def test_blits_are_made_in_pieces(tmp_path: Path) -> None:
    """A look at least for every PIECE of texels, also while a single row is shrunk from many."""
    with mock.patch.object(blit, "PIECE", SIZE * 4):
        assert looks_of(tmp_path / "blits.ddicap", list(blits())) >= 2 * SIZE // 4


def test_curved_triangles_are_made_in_pieces(tmp_path: Path) -> None:
    """6 vertices each."""
    with mock.patch.object(npatch, "PIECE", 60):
        assert looks_of(tmp_path / "patches.ddicap", [patches()]) >= 500 * 6 // 60


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("result", [(13, 16), (5, 4), (30, 33), (13, 40)])
def test_pieces_make_no_difference(linear: bool, result: tuple[int, int]) -> None:
    texels = np.random.default_rng(1).random((16, 13, 4))
    whole = blit.stretch(texels, result, linear)
    with mock.patch.object(blit, "PIECE", 20):
        assert np.array_equal(blit.stretch(texels, result, linear), whole)


# ---- large captures

EVENTS, DRAWN, FEW_CALLS = 10_000, 1_000, 25_000
"""Events, triangles of the first draw, and the calls of Python's functions that may be made between two looks."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("large") / "large.ddicap"
    gaps.large(path, EVENTS, DRAWN)
    return path


class Counted:
    """What never cancels, and counts calls of Python's functions between two looks."""

    def __init__(self) -> None:
        self.calls, self.most = 0, 0

    def __call__(self) -> bool:
        self.most, self.calls = max(self.most, self.calls), 0
        return False

    def seen(self, frame: object, event: str, argument: object) -> None:
        self.calls += event == "call"


def most_calls(ask: Callable[[], Any]) -> int:
    """The most calls from one look to the next."""
    counted = Counted()
    with cancel.cancellable(counted):
        sys.setprofile(counted.seen)
        try:
            with suppress(BadInput):
                ask()
        finally:
            sys.setprofile(None)
    counted()
    return counted.most


LOOPS = ("Compare", "Sql", "Timing", "vertices")
"""Questions with loops in Python that once did not look."""


@pytest.mark.parametrize("names", [LOOPS, pytest.param((), marks=pytest.mark.slow)], ids=["some", "all"])
def test_questions_on_a_large_capture_look_often(
    names: tuple[str, ...], large: Path, hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many events there are, and whether their answers come from a loop in Python."""
    with inspector.open(hostile) as capture:
        asked = [number for number, (name, _) in enumerate(questions(capture)) if not names or name in names]
    monkeypatch.setattr(walk, "WHOLE", 0.0)
    late = {}
    for number in asked:
        for time in ("first", "second"):  # the first time also compiles and imports
            monkeypatch.setattr(side, "user_folder", lambda name, folder=tmp_path / f"{number}-{time}": folder)
            with inspector.open(large) as capture:
                capture.prepare()
                name, ask = next(islice(questions(capture), number, None))
                most = most_calls(ask)
        if most > FEW_CALLS:
            late[f"{number} {name}"] = most
    assert not late


STOPPED = ("walk", "Sql", "Statistics", "PixelHistory", "Touched", "Compare", "resources")
"""Questions that look often: Stop is pressed at one look of them, chosen at random."""

OBJECTS = re.compile(" at 0x[0-9a-f]+")
"""Addresses in what answers print."""


class Pressed:
    """What cancels at a look, and counts calls of Python's functions from then on."""

    def __init__(self, look: int) -> None:
        self.left, self.calls = look, 0

    def __call__(self) -> bool:
        self.left -= 1
        return self.left <= 0

    def seen(self, frame: object, event: str, argument: object) -> None:
        self.calls += event == "call" and self.left <= 0


def _asks(capture: inspector.Capture, name: str) -> Callable[[], Any]:
    if name == "walk":
        return lambda: capture.walked
    return next(ask for other, ask in questions(capture, surface="render_target") if other == name)


@pytest.mark.parametrize("name", STOPPED)
def test_stop_at_any_moment_ends_the_work(name: str, large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is answered after it, hardly anything is done, and who asks again gets the answer of an undisturbed capture."""
    monkeypatch.setattr(side, "user_folder", lambda kind: tmp_path)
    every = Pressed(1 << 30)
    with inspector.open(large) as capture, cancel.cancellable(every):
        right = _asks(capture, name)()
    looks = (1 << 30) - every.left
    assert looks > 3
    moment = random.Random(name).randint(1, looks)
    for kept in tmp_path.iterdir():
        kept.unlink()
    with inspector.open(large) as capture:
        pressed, answered = Pressed(moment), False
        with suppress(Cancelled), cancel.cancellable(pressed):
            sys.setprofile(pressed.seen)
            try:
                _asks(capture, name)()
                answered = True
            finally:
                sys.setprofile(None)
        assert not (answered and pressed.left <= 0)  # threads that draw are looked after more or less often
        assert pressed.calls < FEW_CALLS, f"look {moment} of {looks}"
        assert re.sub(OBJECTS, "", repr(_asks(capture, name)())) == re.sub(OBJECTS, "", repr(right))
