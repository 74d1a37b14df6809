"""The last and first fragments of pixels, and how many there were with each fate, against the histories of single pixels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from core.spec.subresource import Subresource
from core.spec.tokens import Op
from inspector.query.pixels.history import Entry, History, PixelHistory
from inspector.query.pixels.picks import FATES, PickMap, Picks
from tests.scenes import all_scenes, opened
from tests.scenes.kit import TEXTURE

SCENES = {scene.name: scene for scene in all_scenes()}
STAGES = {"texkill": "killed", "color_key": "killed"}


def check(capture: inspector.Capture, surface: int | str, first: int, last: int, places: list[tuple[int, int]]) -> set[str]:
    """Compares pixels of all maps with their histories; the fates that were met."""
    maps: dict[str, PickMap] = {fate: capture.ask(Picks(surface, first, last, fate)) for fate in FATES}
    earliest: PickMap = capture.ask(Picks(surface, first, last, earliest=True))
    met = set()
    for x, y in places:
        history = capture.ask(PixelHistory(surface, x, y, first=first, last=last, misses=False))
        for fate, found in maps.items():
            here = [one for one in history.fragments if STAGES.get(one.fate, one.fate) == fate]
            assert found.counts[y, x] == len(here), (fate, x, y)
            met |= {fate} if here else set()
        writers = [one for one in history.entries if wrote(one)]
        assert maps["written"].at(x, y) == place_of(writers[-1:]), (x, y)
        assert earliest.at(x, y) == place_of(writers[:1]), (x, y)
    return met


def wrote(entry: Entry) -> bool:
    return entry.fate == "written" or entry.kind != "fragment"


def place_of(entries: list[Entry]) -> tuple[int, int] | None:
    return next(((one.event, -1 if one.primitive is None else one.primitive) for one in entries), None)


@pytest.mark.parametrize("surface", ["back_buffer", "depth"])
def test_pixels_of_a_frame_have_the_fragments_of_their_history(room: inspector.Capture, surface: str) -> None:
    frame = room.frames[-1]
    rng = np.random.default_rng(3)
    places = list(zip(rng.integers(0, 640, 80).tolist(), rng.integers(0, 480, 80).tolist(), strict=True))
    draws = room.draws[(room.draws >= frame.first_event) & (room.draws <= frame.last_event)].tolist()
    met = check(room, surface, frame.first_event, draws[-1], places)
    met |= check(room, surface, draws[len(draws) // 3], draws[len(draws) // 2], places[:30])
    assert {"written", "depth_test"} <= met


@pytest.mark.parametrize(
    ("name", "surface", "fate"),
    [
        ("samples/4", 1, "written"),
        ("states/COLORWRITEENABLE 0x0", 1, ""),
        ("states/ALPHAFUNC NEVER", 1, "alpha_test"),
        ("states/STENCILFUNC NEVER", 1, "stencil_test"),
        ("shaders/texkill", 1, "killed"),
        ("states/COLORKEYENABLE", 1, "killed"),
        ("tokens/CLEAR", 1, ""),
        ("tokens/TEXBLT", 11, ""),
        ("entries/Blt stretch and convert", 1, ""),
    ],
)
def test_scenes(name: str, surface: int, fate: str, tmp_path: Path) -> None:
    with opened(SCENES[name], tmp_path) as capture:
        last = capture.frames[-1].last_event
        info = next(info for info in capture.surfaces(last) if info.handle == surface)
        places = [(x, y) for x in range(0, info.width, 7) for y in range(0, info.height, 7)]
        met = check(capture, surface, 0, last, places)
    assert not fate or fate in met


def test_every_pixel_of_a_draw_is_the_primitive_that_covers_it_last(room: inspector.Capture) -> None:
    event = 3026
    found: PickMap = room.ask(Picks("back_buffer", event, event))
    ys, xs = np.nonzero(found.there)
    chosen = np.random.default_rng(1).permutation(len(xs))[:60]
    for x, y in zip(xs[chosen].tolist(), ys[chosen].tolist(), strict=True):
        history: History = room.ask(PixelHistory("back_buffer", x, y, first=event, last=event, misses=False))
        assert found.at(x, y) == place_of([one for one in history.entries if wrote(one)][-1:])
    assert found.counts.sum() == room.ask(Picks("back_buffer", event, event, earliest=True)).counts.sum()
    assert found.pixels.sum() == np.count_nonzero(found.there) == 7075


def test_places_without_a_pick_and_bad_questions(room: inspector.Capture) -> None:
    found: PickMap = room.ask(Picks("back_buffer", 3026, 3026))
    y, x = (int(one[0]) for one in np.nonzero(~found.there))
    assert found.at(x, y) is found.at(-1, 0) is found.at(0, 480) is None
    for query in (Picks(12345), Picks("back_buffer", last=10**9), Picks("back_buffer", fate="lost")):
        with pytest.raises(BadInput):
            room.ask(query)


def test_of_a_volume_each_slice_has_its_own_writers(tmp_path: Path) -> None:
    """VOLUMEBLT writes 2 x 2 texels at 2, 0 of slices 1 and 2 (tests/scenes/tokens.py)."""
    with opened(SCENES["tokens/VOLUMEBLT"], tmp_path) as capture:
        copy = int(np.flatnonzero(capture.events.op == Op["VOLUMEBLT"])[-1])
        for number in range(4):
            found = capture.ask(Picks(Subresource(TEXTURE + 1, slice=number), copy, copy))
            wanted = np.zeros((4, 4), bool)
            wanted[0:2, 2:4] = number in (1, 2)
            assert (found.there == wanted).all()
