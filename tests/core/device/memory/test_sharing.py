"""Contents that are equal share memory: in snapshots, and in the texture heap."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from core.device.memory.surfaces import Surface
from core.device.memory.textures import TextureHeap
from core.spec.formats import FORMATS

A8R8G8B8, SIDE = 21, 64
WORDS = SIDE * SIDE


def texture(handle: int, first: int, step: int = 1) -> Surface:
    """A picture whose texels are not those of one with another beginning."""
    surface = Surface(handle, FORMATS[A8R8G8B8], SIDE, SIDE)
    fill(surface, first, step)
    return surface


def fill(surface: Surface, first: int, step: int = 1) -> None:
    surface.part().write_linear(whole=True).view(np.uint32)[:] = np.arange(first, first + WORDS * step, step)


def texels(heap: TextureHeap, surface: Surface) -> np.ndarray:
    heap.bind(surface, None, 0)
    words = surface.heap_block.words
    return heap.words[words.first : words.first + words.count].copy()


def test_snapshots_of_equal_surfaces_hold_one_array() -> None:
    a, b, other = texture(1, 0), texture(2, 0), texture(3, 7)
    first, second, third = (one.part().contents()[0] for one in (a, b, other))
    assert first is second and first is not third


def test_writing_to_one_of_two_leaves_the_other() -> None:
    a, b = texture(1, 0), texture(2, 0)
    before = [one.part().contents()[0] for one in (a, b)]
    assert before[0] is before[1]
    a.part().write_linear()[:4] = 9
    assert b.part().linear().view(np.uint32)[0] == 0 and a.part().linear()[0] == 9
    fill(b, 5)
    assert before[0] is not None and before[0].view(np.uint32)[0] == 0


@pytest.mark.parametrize("drawn", [False, True])
def test_a_whole_copy_shares_memory_until_either_is_written(drawn: bool) -> None:
    """Both ways: whoever writes first leaves the other, and a snapshot of it, as they were."""
    for writes_first in (0, 1):
        pair = texture(1, 0), texture(2, 50)
        source, target = (one.part() for one in pair)
        if drawn:
            source.write_blocks()
        old = target.version
        target.take(source)
        assert target.contents()[drawn] is source.contents()[drawn] and target.version != old
        written, other = (source, target)[:: 1 - 2 * writes_first]
        kept = other.contents()[drawn]
        if drawn:
            written.write_blocks()[:] = 9
        else:
            fill(pair[writes_first], 100)
        assert other.contents()[drawn] is kept
        assert other.linear().view(np.uint32).tolist() == list(range(WORDS))
        assert written.linear().view(np.uint32)[0] == (9 if drawn else 100)


def test_equal_textures_share_words_until_one_changes() -> None:
    heap, a, b = TextureHeap(), texture(1, 0), texture(2, 0)
    texels(heap, a), texels(heap, b)
    assert a.heap_block.words is b.heap_block.words
    assert heap.bind(a, None, 0)["start"].tolist() == heap.bind(b, None, 0)["start"].tolist()
    fill(a, 100)
    assert texels(heap, a)[0] == 100 and texels(heap, b)[0] == 0
    assert a.heap_block.words is not b.heap_block.words


def test_words_that_were_filled_again_are_not_shared() -> None:
    heap, a = TextureHeap(), texture(1, 0)
    texels(heap, a)
    fill(a, 50)
    texels(heap, a)  # in place: nobody else reads them
    b = texture(2, 0)
    assert texels(heap, b)[0] == 0 and texels(heap, a)[0] == 50
    assert a.heap_block.words is not b.heap_block.words


def test_loading_textures_again_and_again_takes_no_more_of_the_heap() -> None:
    """As every look back to before they were loaded does, while logs read what there was."""
    heap, lent = TextureHeap(WORDS * 4), []
    for _ in range(20):
        surface = texture(1, 3)
        texels(heap, surface)
        lent += heap.lend([surface.heap_block])
        heap.forget(surface)
    assert len({id(words) for words in lent}) == 1 and heap.changed == 0
    lent.clear()
    gc.collect()
    assert (texels(heap, texture(2, 9, 3)) == np.arange(9, 9 + WORDS * 3, 3)).all()
