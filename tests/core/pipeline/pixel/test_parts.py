"""A batch of very many pixels is drawn in parts: the same words, the same log, whatever a part holds."""

from __future__ import annotations

import itertools
import threading
import time

import numpy as np
import pytest

from core import cancel
from core.errors import Cancelled
from core.pipeline.draw import Watch
from core.pipeline.pixel import binned, parts
from core.pipeline.records.arenas import Arenas
from tests.core.pipeline.random_scene import digest, random_kit
from tests.core.pipeline.raster_kit import rectangle


@pytest.mark.parametrize("samples", [1, 4])
@pytest.mark.parametrize("most", [1, 7, 300])
def test_parts_change_nothing(samples: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, seen = random_kit(7, 40, 200, samples), Watch(log=True)
    whole.run(1, seen)
    probed = Watch(probe=(256 + 17, 0x0FF1))
    random_kit(7, 40, 200, samples).run(1, probed)
    monkeypatch.setattr(parts, "MOST_PLACES", most)
    for threads in (1, 2):
        watch = Watch(log=True)
        assert digest(random_kit(7, 40, 200, samples).run(threads)) == digest(whole)
        assert digest(random_kit(7, 40, 200, samples).run(threads, watch)) == digest(whole)
        assert len(watch.journals) > 1
        order = [np.sort(one.records, order=["block", "seq", "primitive", "lanes"], kind="stable") for one in (seen, watch)]
        assert order[0].tobytes() == order[1].tobytes()
        again = watch.fragments_of(256 + 17, 0x0FF1)
        assert len(again) == len(probed.fragments) and again["source"].tobytes() == probed.fragments["source"].tobytes()


def test_no_part_has_more_places_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a batch that wants 160 times as many."""
    sizes: list[int] = []
    made = Arenas.__init__

    def measured(self: Arenas, edges: int = 4096, floats: int = 1 << 17, places: int = 8192) -> None:
        sizes.append(places)
        made(self, edges, floats, places)

    monkeypatch.setattr(parts, "MOST_PLACES", 100)
    monkeypatch.setattr(Arenas, "spare", [])
    monkeypatch.setattr(Arenas, "__init__", measured)
    random_kit(1, 400, 300, draws=4).run()
    assert len(sizes) > 100 and max(sizes[1:]) <= 100


def test_a_log_without_room_is_lost_and_the_words_are_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MOST_PLACES", 50)
    watch = Watch(log=True, room=100_000)
    assert digest(random_kit(2, 40, 200).run(1, watch)) == digest(random_kit(2, 40, 200).run())
    assert not watch.log and not watch.journals


class Enough:
    """A `cancel` that says yes from its `most`th question on."""

    def __init__(self, most: int) -> None:
        self.most, self.asked = most, 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked >= self.most


def held_until(enough: Enough, pieces: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Helping threads draw so many pieces and wait for `enough` to say yes: the thread that asks has something left to draw."""
    asking, drawn, raster = threading.current_thread(), itertools.count(1), binned.raster_tiles

    def in_turn(*args: object) -> int:
        while threading.current_thread() is not asking and next(drawn) > pieces and enough.asked < enough.most:
            time.sleep(0.001)
        return raster(*args)

    monkeypatch.setattr(binned, "raster_tiles", in_turn)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("log", [False, True])
def test_drawing_stops_soon_and_the_batch_is_as_new(threads: int, log: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece of drawing is 5,000 pixels here; 400 rectangles have 4 million, and who asks draws some of them."""
    monkeypatch.setattr(binned, "A_PIECE", 5000)
    monkeypatch.setattr(cancel, "SELDOM", 0.0)
    drawn, last = random_kit(1, 1, 100), rectangle(0, 0, 80, 97, diffuse=(0, 1, 0, 1))
    for n in range(400):
        drawn.add(rectangle(0, 0, 100, 97, diffuse=(n / 400, 0, 0, 1)))
    enough = Enough(2)
    held_until(enough, 10, monkeypatch)
    with cancel.cancellable(enough), pytest.raises(Cancelled):
        drawn.run(threads, Watch(log=True) if log else None)
    assert enough.asked == 2 and len(drawn.batch) == 0 and not drawn.batch.counts.any()
    fresh = random_kit(1, 1, 100, draws=0)
    drawn.color[:], drawn.depth[:] = fresh.color, fresh.depth
    drawn.registers[:] = fresh.registers
    assert digest(drawn.add(last).run(threads)) == digest(fresh.add(last).run())
