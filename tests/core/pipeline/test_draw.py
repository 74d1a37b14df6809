"""Whole batches: threads, the plain Python twin, undo log, probe, fates."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import numpy as np
import pytest

from core.kernels import cache
from core.pipeline.draw import Watch
from core.pipeline.pixel import binned
from core.pipeline.records.layout import Fate, from_blocks, to_blocks
from core.spec.enums import CmpFunc
from tests.conftest import ROOT
from tests.core.pipeline.random_scene import digest, random_kit
from tests.core.pipeline.raster_kit import Kit, rectangle, vertex


def test_block_order_and_back():
    image = np.arange(70 * 133, dtype=np.uint32).reshape(70, 133)
    words = to_blocks(image)
    assert (from_blocks(words, 133, 70) == image).all()
    assert words[:16].tolist() == image[:4, :4].ravel().tolist() and words[4096] == image[0, 64]


@pytest.mark.parametrize("samples", [1, 4])
def test_any_number_of_threads_gives_the_same_bytes_and_log(samples):
    results = []
    for threads in (1, 2, 5):
        watch = Watch(log=True)
        kit = random_kit(7, 40, 200, samples)
        kit.run(threads, watch)
        results.append((digest(kit), watch.records.tobytes()))
    assert results[0] == results[1] == results[2]


def test_neither_the_log_nor_the_batching_changes_anything():
    plain, logged, apart = random_kit(3, 30), random_kit(3, 30), random_kit(3, 30, at_once=True)
    watch = Watch(log=True)
    assert digest(plain.run()) == digest(logged.run(1, watch)) == digest(apart)
    assert len(watch.records)


def scene_in_a_process(samples: int, **environment: str) -> str:
    """What random_scene.py prints."""
    command = [sys.executable, "-m", "tests.core.pipeline.random_scene", "21", "2", str(samples)]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("samples", [1, 4])
def test_plain_python_draws_the_same_words(samples):
    """NUMBA_DISABLE_JIT=1 in a process of its own, against compiled code."""
    plain = scene_in_a_process(samples, NUMBA_DISABLE_JIT="1")
    assert plain == scene_in_a_process(samples, NUMBA_DISABLE_JIT="0")


@pytest.mark.bench
@pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="levels of x86 processors")
@pytest.mark.parametrize("level", ["x86-64-v2", "x86-64-v3"])
def test_older_processors_draw_the_same_words(level):
    """Without AVX-512, without AVX2 and fma; a quarter of a minute of compilation each."""
    older = scene_in_a_process(4, NUMBA_CPU_NAME=level, NUMBA_CPU_FEATURES="")
    assert older == scene_in_a_process(4)


@pytest.mark.bench
@pytest.mark.skipif(not cache.HAS_AVX512, reason="gathers of AVX-512")
def test_gathers_and_single_loads_give_the_same_words():
    """Whichever this processor chooses; a quarter of a minute of compilation."""
    other = scene_in_a_process(4, DDI_INSPECTOR_GATHERS="0" if cache.GATHERS else "1")
    assert other == scene_in_a_process(4)


def undo(kit: Kit, records: np.ndarray, seq: int) -> tuple[np.ndarray, np.ndarray]:
    """Colour and depth before event `seq`: the oldest record of each block and sample plane from then on."""
    color, depth = kit.color.copy(), kit.depth.copy()
    stride = kit.color.size // kit.samples
    for record in records[records["seq"] >= seq][::-1]:
        place = (int(record["lanes"]) >> 16) * stride + int(record["block"]) * 16
        color[place : place + 16], depth[place : place + 16] = record["color"], record["depth"]
    return color, depth


@pytest.mark.parametrize("samples", [1, 3])
def test_undo_log_restores_every_event(samples):
    watch = Watch(log=True)
    final = random_kit(5, 6, 90, samples)
    before = final.color.copy(), final.depth.copy()
    final.run(2, watch)
    for seq in range(10, -1, -1):
        prefix = random_kit(5, 6, 90, samples, draws=seq)
        prefix.color[:], prefix.depth[:] = before
        prefix.run()
        color, depth = undo(final, watch.records, seq)
        assert (color == prefix.color).all() and (depth == prefix.depth).all(), seq


def test_log_lanes_are_those_that_changed():
    kit, watch = Kit(), Watch(log=True)
    kit.add(rectangle(1, 1, 3, 2)).run(1, watch)
    record = watch.records[0]
    assert (record["block"], record["seq"], record["primitive"] in (0, 1)) == (0, 0, True)
    assert sum(int(r["lanes"]) for r in watch.records) == 1 << 5 | 1 << 6
    kit.add(rectangle(1, 1, 3, 2)).run(1, again := Watch(log=True))
    assert len(again.records) == 0, "nothing changed"


def test_log_grows_beyond_one_chunk():
    kit, watch = Kit(512, 512), Watch(log=True)
    for i in range(4):
        kit.add(rectangle(0, 0, 512, 512, diffuse=(i / 5, 0, 0, 1)))
    kit.run(2, watch)
    assert len(watch.records) == 4 * (128 * 128 + 128), "blocks on the diagonal belong to both triangles"
    assert (undo(kit, watch.records, 0)[0] == 0).all()


def test_probe_tells_each_fragment_of_a_pixel():
    kit = Kit(depth_format="D24S8").set(ZENABLE=1, ZFUNC=CmpFunc.LESSEQUAL, ZWRITEENABLE=1)
    kit.depth[:] = 0xFFFFFFFF
    kit.add(rectangle(0, 0, 8, 8, z=0.5, diffuse=(1, 0, 0, 1)))
    kit.add(rectangle(0, 0, 8, 8, z=0.75, diffuse=(0, 1, 0, 1)))
    kit.set(ALPHATESTENABLE=1, ALPHAFUNC=CmpFunc.GREATER, ALPHAREF=128)
    kit.add(rectangle(0, 0, 8, 8, z=0.25, diffuse=(0, 0, 1, 0.25)))
    kit.add(np.stack([vertex(7, 7), vertex(8, 7), vertex(8, 8)]))
    kit.set(ALPHATESTENABLE=0, STENCILENABLE=1, STENCILFUNC=CmpFunc.NEVER).add(rectangle(0, 0, 8, 8, z=0.1))
    watch = Watch(probe=(0, 1 << 6))  # pixel (2, 1)
    kit.run(1, watch)
    found = watch.fragments
    assert found["seq"].tolist() == [0, 1, 2, 4]
    assert found["fate"].tolist() == [Fate.WRITTEN, Fate.DEPTH_TEST, Fate.ALPHA_TEST, Fate.STENCIL_TEST]
    assert found["source"][2].tolist() == [0, 0, 1, 0.25]
    assert found["new_color"].tolist() == [0xFFFF0000] * 4 and found["old_color"].tolist() == [0] + [0xFFFF0000] * 3
    assert found["lane"].tolist() == [6] * 4


@pytest.mark.parametrize("samples", [1, 4])
def test_the_log_knows_the_fragments_of_every_pixel(samples):
    block, lanes = 256 + 17, 0x0FF1
    probed, logged = Watch(probe=(block, lanes)), Watch(log=True)
    random_kit(9, 20, 200, samples).run(1, probed)
    kit = random_kit(9, 20, 200, samples).run(2, logged)
    kit.color[:], kit.depth[:] = 1, 2
    assert len(probed.fragments) and logged.fragments_of(block, lanes).tobytes() == probed.fragments.tobytes()


def test_the_log_outlives_later_batches_and_knows_its_size():
    watches = []
    for _ in range(2):
        kit = random_kit(4, 10, 90)
        watches.append(Watch(log=True))
        kit.run(1, watches[-1])
        random_kit(8, 30, 90).run()
    assert watches[0].records.tobytes() == watches[1].records.tobytes()
    assert watches[0].size >= 2 * 4 * kit.color.size + watches[0].records.nbytes


def test_probe_counts_what_finds_no_room(monkeypatch):
    monkeypatch.setattr(binned, "MOST_FRAGMENTS", 3)
    kit, watch = Kit(), Watch(probe=(0, 1))
    for _ in range(5):
        kit.add(rectangle(0, 0, 8, 8))
    kit.run(1, watch)
    assert watch.fragments["seq"].tolist() == [0, 1, 2] and watch.fragments_lost == 2


def test_fates_and_overdraw_of_a_range_of_events():
    kit = Kit(64, 64, depth_format="D16").set(ZENABLE=1, ZFUNC=CmpFunc.LESS, ZWRITEENABLE=1)
    kit.depth[:] = 0xFFFF
    for z, right in ((0.5, 40), (0.4, 20), (0.6, 64)):
        kit.add(rectangle(0, 0, right, 64, z=z))
    watch = Watch(fates=(1, 2), pixels=kit.color.size)
    kit.run(1, watch)
    overdraw, fates = from_blocks(watch.overdraw, 64, 64), from_blocks(watch.fate_plane, 64, 64)
    assert (overdraw[5] == [2] * 20 + [1] * 44).all()
    assert (fates[5] == [1 + Fate.WRITTEN] * 20 + [1 + Fate.DEPTH_TEST] * 20 + [1 + Fate.WRITTEN] * 24).all()


@pytest.mark.parametrize("func", list(CmpFunc))
@pytest.mark.parametrize("colors", ["diffuse", "constant", "none"])
def test_plain_draws_go_a_shorter_way_to_the_same_words(func, colors):
    """A watched block goes the long way."""
    drawn = []
    for watch in (None, Watch(fates=(0, 100), pixels=2 * 64 * 64)):
        kit = Kit(100, 60, color_format="X8R8G8B8", depth_format="D24S8")
        kit.set(ZENABLE=1, ZFUNC=func, ZWRITEENABLE=1, TEXTUREFACTOR=0x80123456, COLORWRITEENABLE=0 if colors == "none" else 5)
        kit.put(("TEXTURESTAGE", 0, "COLOROP"), 2 if colors == "constant" else 1)
        for name, value in (("COLORARG1", 3), ("ALPHAOP", 2), ("ALPHAARG1", 3)):
            kit.put(("TEXTURESTAGE", 0, name), value)
        random = np.random.default_rng(int(func))
        kit.color[:], kit.depth[:] = 0xFF00FF, random.choice(np.uint32([0x7F, 0x40000055, 0xC0000000]), kit.depth.size)
        shape = [vertex(*random.uniform(-9, 99, 2), random.uniform(-0.1, 1.1), random.uniform(0.5, 2), random.uniform(0, 1, 4))
                 for _ in range(60)]  # fmt: skip
        kit.add(np.stack(shape))
        assert kit.batch.states["plain"][0] == (2 if colors == "constant" else 1)
        drawn.append(digest(kit.run(1, watch)))
    assert drawn[0] == drawn[1]
