"""The "Fast" table: fills, a frame of 2,000 draws, vertices, the undo log and starting, beside Mesa's llvmpipe.

    python -m tests.bench.raster [--peer] [--rounds 7] [--only TEXT] [--no-start]

Per CPU-second (process clock, median of rounds that alternate between the two): Mpixel/s of 8 layers of 1024 x 768, million
10-pixel triangles/s, million vertices/s; milliseconds of frames.  "times": how many times the other side's figure.
--peer compiles llvmpipe.c (gcc, EGL); without it, or where that is not possible, only ours is told.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from core.device.lane.drawing import BEGUN_PRIMITIVES
from core.pipeline.draw import Watch
from tests.bench.geometry import SIDE, mesh_runs
from tests.bench.machine import machine
from tests.bench.peer import Peer
from tests.bench.scenes import (
    CELLS,
    CYCLE,
    FILLS,
    HEIGHT,
    LAYERS,
    WIDTH,
    FillKit,
    FrameDriver,
    indexed,
    large,
    patches,
    peer_patches,
    small,
)

GROWING = 3  # turns
Run = Callable[[], tuple[float, float]]  # (CPU, wall) seconds of one round


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """(CPU, wall) seconds of a call."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - cpu, time.perf_counter() - wall


class Table:
    """Prints rows as they are measured."""

    def __init__(self, rounds: int, only: str) -> None:
        self.rounds, self.only = rounds, only
        print(f"{'':42}{'unit':>10}{'ours':>9}{'other':>9}{'times':>7}{'must':>7}{'aim':>7}")

    def wants(self, name: str) -> bool:
        return self.only in name

    def row(self, name: str, unit: str, ours: float, other: float | None, times: float | None, must: str, aim: str) -> None:
        told = [f"{value:9.1f}" if value is not None else f"{'-':>9}" for value in (ours, other)]
        factor = f"{times:7.2f}" if times is not None else f"{'-':>7}"
        print(f"{name:42}{unit:>10}{told[0]}{told[1]}{factor}{must:>7}{aim:>7}", flush=True)

    def medians(self, *runs: Run, clock: int = 0) -> list[float]:
        """Median seconds of runs that take turns; the first turns, in which memory grows, do not count."""
        turns = [[run()[clock] for run in runs] for _ in range(self.rounds + GROWING)][GROWING:]
        return [statistics.median(column) for column in zip(*turns, strict=True)]

    def against(self, name: str, unit: str, amount: float, ours: Run, other: Run | None, must: str = "1.2x", aim: str = "3x",
                clock: int = 0) -> None:  # fmt: skip
        """A row: ours against the peer; amount / seconds / 1e6, or milliseconds if amount is 0."""
        if not self.wants(name):
            return
        found = self.medians(ours, *([other] if other else []), clock=clock)
        value = [amount / seconds / 1e6 if amount else seconds * 1e3 for seconds in found]
        self.row(name, unit, value[0], value[1] if other else None, found[1] / found[0] if other else None, must, aim)

    def ratio(self, name: str, first: Run, second: Run, must: str, aim: str, clock: int = 0, inverse: bool = False) -> None:
        """A row: milliseconds of two runs and the second's part of the first."""
        if self.wants(name):
            a, b = self.medians(first, second, clock=clock)
            self.row(name, "ms", b * 1e3, a * 1e3, a / b if inverse else b / a, must, aim)


def fill(kit: FillKit, scene: str, shape: tuple, times: int, threads: int = 1, log: bool = False) -> Run:
    """Draws a shape so many times; clearing is not counted."""

    def run() -> tuple[float, float]:
        kit.clear()

        def work() -> None:
            for _ in range(times):
                kit.batch.add(*shape, kit.prepare(scene), 0)
            kit.run(threads, Watch(log=True) if log else None)

        return timed(work)

    return run


def fills(table: Table, peer: Peer | None) -> None:
    for scene in FILLS:
        for shape, times, name, amount in ((large(), 1, "large", LAYERS * WIDTH * HEIGHT), (small(), 2, "small", 0)):
            if not table.wants(f"{scene}, {name}"):
                continue
            other = asked(peer, scene, name)
            unit = "Mtri/s" if name == "small" else "Mpix/s"
            table.against(
                f"{scene}, {name}", unit, amount or 2 * len(shape[1]), fill(FillKit(scene), scene, shape, times), other
            )


def asked(peer: Peer | None, scene: str, shape: str) -> Run | None:
    """The peer's round of a scene."""
    if peer is None or peer.child is None:
        return None
    return lambda: peer.seconds(scene, shape) or (float("nan"), float("nan"))


def frame(threads: int = 1, log: bool = False) -> Run:
    """The pixel half of the frame: three states bound before, setup, binning, raster; others begin early as in the device."""
    kit, shapes, items = FillKit(CYCLE[0]), patches(), indexed(CELLS)

    def run() -> tuple[float, float]:
        kit.clear()
        states = [kit.prepare(scene) for scene in CYCLE]

        def work() -> None:
            for i, vertices in enumerate(shapes):
                kit.batch.add(vertices, items, states[i % 3], i)
                if threads > 1 and kit.batch.waiting > BEGUN_PRIMITIVES and kit.batch.idle:
                    kit.batch.begin(kit.color, kit.depth, kit.memory, threads)
            kit.run(threads, Watch(log=True) if log else None)

        return timed(work)

    return run


def device_frame(threads: int = 1) -> Run:
    """The frame as a command buffer through the driver: decoding, state, vertices, pixels."""
    driver = FrameDriver(threads)

    def run() -> tuple[float, float]:
        driver.wipe()
        return timed(driver.run)

    return run


def frames(table: Table, peer: Peer | None, both: Peer | None) -> None:
    table.against("frame, pixel half", "ms", 0, frame(), asked(peer, CYCLE[0], "frame"), "2x", "5x")
    table.against("frame, whole device", "ms", 0, device_frame(), asked(peer, CYCLE[0], "frame"), "2x", "5x")
    table.against("frame, 2 threads, wall", "ms", 0, frame(2), asked(both, CYCLE[0], "frame"), "2x", "5x", clock=1)
    table.ratio("frame, 2 threads against 1, wall", frame(), frame(2), "1.7x", "1.95x", clock=1, inverse=True)
    one, two = device_frame(), device_frame(2)
    table.ratio("frame, device, 2 threads against 1, wall", one, two, "1.7x", "1.95x", clock=1, inverse=True)
    table.ratio("frame, device, CPU of 2 threads against 1", one, two, "-", "-")
    table.ratio("frame, undo log against none", frame(), frame(log=True), "1.15x", "1.07x")
    for scene in ("gouraud+z", "bilinear x diffuse+z"):
        plain, logged = (fill(FillKit(scene), scene, large(), 1, log=log) for log in (False, True))
        table.ratio(f"{scene}, undo log against none", plain, logged, "1.15x", "1.07x")


def app_frames(table: Table) -> None:
    """Frames of an application with a log for every other one."""
    from tests.bench.replay import logged_frames
    from tests.conftest import CAPTURES

    for name in ("irr08_specialfx", "hge_tut07"):
        title = f"{name}, undo log against none"
        if table.wants(title) and (CAPTURES / "apps" / f"{name}.trace").exists():
            plain, logged = logged_frames(name)
            table.row(title, "ms", logged * 1e3, plain * 1e3, logged / plain, "1.15x", "1.07x")


def vertices(table: Table, peer: Peer | None) -> None:
    for name, run in mesh_runs():
        repeated = 10 * (SIDE + 1) ** 2
        table.against(name, "Mvertex/s", repeated, lambda run=run: timed(lambda: [run() for _ in range(10)]),
                      asked(peer, name, "mesh"), aim="2x")  # fmt: skip


def start(table: Table) -> None:
    """Fresh processes."""
    from tests.bench.startup import first_picture

    if not table.wants("first picture"):
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, must, aim in (("no kernels", "8 s", "4 s"), ("warm", "1 s", "0.5 s")):
            picture, whole, cpu = first_picture(Path(folder))
            table.row(f"{name}, first picture", "s", picture, None, None, must, aim)
            table.row(f"{name}, all kernels (wall, then CPU)", "s", whole, cpu, None, "", "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="", help="rows whose names contain this")
    parser.add_argument("--peer", action="store_true", help="Mesa llvmpipe, too (needs gcc, EGL and GL)")
    parser.add_argument("--no-start", action="store_true", help="without compiling all kernels anew")
    options = parser.parse_args()
    peers = [Peer(peer_patches(), threads) for threads in (0, 2)] if options.peer else [None, None]
    print(machine())
    if peers[0] is None or peers[0].child is None:
        print("ours only:", peers[0].reason if peers[0] else "no --peer")
    table = Table(options.rounds, options.only)
    fills(table, peers[0])
    vertices(table, peers[0])
    frames(table, *peers)
    app_frames(table)
    if not options.no_start:
        start(table)
    for peer in peers:
        if peer is not None:
            peer.close()


if __name__ == "__main__":
    main()
