"""Warm-up: compile all kernels in niced child processes that fill the cache, then load them.

Threads do not compile in parallel, processes do; and a window stays fluent while others compile.  What drawing needs comes
first: the rest (importing traces, steps through stages, tessellation) is compiled behind the first picture.
"""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.kernels.cache import JIT_DISABLED, marker, root
from core.sources import PROJECT, source, source_files

MOST_PROCESSES = 4
KEPT_FOLDERS = 200  # digests kept on disk
REMOVED = "removed-"  # begins the names of folders that are being removed, or were when a process ended

READY_TO_DRAW = 0.75  # of the progress that is reported
DRAWING = (
    "core.pipeline.vertex.vertex_kernel", "core.pipeline.pixel.shade", "core.pipeline.pixel.raster",
    "core.pipeline.draw_state.bind", "core.device.registers.states", "core.pipeline.pixel.setup", "core.device.lane.draw_loop",
    "core.ddi.stream.dp2", "core.pipeline.observe.shapes", "core.device.past.undo", "core.pipeline.surface.blit",
    "core.pipeline.surface.clear", "inspector.timeline.states",
)  # fmt: skip
"""What the pictures of a capture need, the longest first."""

LONG_TURN = 0.02
"""Seconds after which a thread that imports hands over to another: what a window can wait for."""

PAUSE = 0.03
"""Seconds before each module is loaded that drawing does not need: the first picture is drawn meanwhile (a fifth sooner)."""


def kernel_modules() -> list[str]:
    """The modules with entry points (a decoration `@kernel(`), by reading the sources; the longest ones first."""
    found = [module for module in source_files() if b"\n@kernel(" in source(module)]
    found.sort(key=lambda module: (-len(source(module)), module))
    return [*(module for module in DRAWING if module in found), *(module for module in found if module not in DRAWING)]


_begun: list[tuple[list[str], Iterator[str]]] = []


def begin() -> None:
    """Starts to compile what is cold; `warm_up` goes on with it.  For who has a second of other work before."""
    _begun.append(_begin())


def warm_up(report: Callable[[float, str], object] = lambda fraction, text: None, processes: int | None = None) -> None:
    """Compiles what is cold, what drawing needs first; loads everything, removes what is old.

    report(fraction, sentence) is called from this thread; from report(READY_TO_DRAW, ...) on a capture can be opened and its
    pictures be drawn.  A child that fails is no error: its kernels are compiled here.
    """
    modules = kernel_modules()
    cold, compiled = _begun.pop() if _begun else _begin(processes)
    first, missing = [module for module in modules if module in DRAWING], set(cold)
    late = len(missing.difference(first))
    with _undisturbed():
        from core.kernels.jit import load_kernels  # brings numba along, while the children begin

        for module in first:
            while module in missing:
                missing.discard(done := next(compiled))
                share = (len(missing.intersection(first)) + 1) / (len(first) + 1)
                report(READY_TO_DRAW * (1.0 - share), f"compiled {done}")
            load_kernels(module)
    report(READY_TO_DRAW, "ready to draw")
    for done in compiled:
        missing.discard(done)
        report(1.0 - (1.0 - READY_TO_DRAW) * (len(missing) + 1) / (late + 1), f"compiled {done}")
    report(1.0, "ready")  # what is not loaded yet is at its first call, in 20 ms
    for module in modules[len(first) :]:
        time.sleep(PAUSE)
        load_kernels(module)
    remove_old(root())
    source.cache_clear()  # 4 MB that hardly anything will look at again
    gc.freeze()  # collections in the middle of a frame need not look at the compiler's objects


@contextmanager
def _undisturbed() -> Iterator[None]:
    """No garbage is looked for, and threads take long turns: what is imported stays, and others import at the same time."""
    collected, turn = gc.isenabled(), sys.getswitchinterval()
    gc.disable()
    sys.setswitchinterval(LONG_TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(turn)
        if collected:
            gc.enable()


def _begin(processes: int | None = None) -> tuple[list[str], Iterator[str]]:
    """The modules that are cold; and the same as child processes finish them."""
    cold = [] if JIT_DISABLED else [module for module in kernel_modules() if not marker(module).exists()]
    return cold, _finished(cold, *_start(cold, min(len(cold), processes or min(os.cpu_count() or 1, MOST_PROCESSES))))


def _start(modules: list[str], processes: int) -> tuple[list[subprocess.Popen], int]:
    """Starts processes that compile modules; who they are, and where they report the numbers of those that are done."""
    todo, give = os.pipe()
    told, done = os.pipe()
    forks = max(processes - 1, 0) if sys.platform == "linux" else 0  # the compiler is read once: 0.8 s less
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PROJECT), os.environ.get("PYTHONPATH", "")])}
    environment["DDI_INSPECTOR_CACHE"] = str(root().parent)  # also a temporary one
    environment["OPENBLAS_NUM_THREADS"] = "1"  # NumPy's: a process with threads should not fork
    # -P: a folder called core where the user happens to be is not ours
    command = [sys.executable, "-P", "-W", "ignore:numba", "-m", "core.kernels.process", str(forks), *modules]
    lower = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
    children = [subprocess.Popen(command, env=environment, creationflags=lower, stdin=todo, stdout=done)
                for _ in range(processes - forks)]  # fmt: skip
    os.write(give, bytes(range(len(modules))))
    for end in (todo, give, done):
        os.close(end)
    return children, told


def _finished(modules: list[str], children: list[subprocess.Popen], told: int) -> Iterator[str]:
    """The modules as they are finished; those that were given up, because a process died, come last."""
    missing = dict.fromkeys(modules)
    with open(told, "rb", buffering=0) as numbers:
        while number := numbers.read(1):
            missing.pop(module := modules[number[0]])
            yield module
    yield from missing
    for child in children:
        child.wait()


def remove_old(root: Path) -> None:
    """Removes the folders of digests that have not been used for long, but for those that another process uses.

    Another window may remove them at the same time.  They are renamed first: one of which files have gone is as new as one that
    is used, and would be kept instead of it.
    """
    ages, gone = list[tuple[float, Path]](), list[Path]()
    with suppress(OSError):
        for folder in root.iterdir():
            with suppress(OSError):
                if folder.name.startswith(REMOVED):
                    gone.append(folder)
                elif folder.is_dir():
                    ages.append((folder.stat().st_mtime, folder))
    for _, folder in sorted(ages, reverse=True)[KEPT_FOLDERS:]:
        with suppress(OSError):
            gone.append(folder.rename(root / f"{REMOVED}{folder.name}"))
    for folder in gone:
        shutil.rmtree(folder, ignore_errors=True)
