"""Warm-up: compile all kernels in niced child processes that fill the cache, then load them.

Threads do not compile in parallel, processes do; and a window stays fluent while others compile.  A child takes module
after module: starting one costs half a second.  What drawing needs comes first: the rest (importing traces, steps through
stages, tessellation) is compiled behind the first picture.
"""

from __future__ import annotations

import gc
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from core.kernel_cache import JIT_DISABLED, PROJECT, cache_folder, root, source, source_files

MOST_PROCESSES = 4
KEPT_FOLDERS = 200  # digests kept on disk

READY_TO_DRAW = 0.75  # of the progress that is reported
DRAWING = tuple(
    f"core.{name}" for name in (
        "pipeline.vertex_kernel", "pipeline.shade", "pipeline.raster", "pipeline.draw_state.bind", "device.states",
        "pipeline.setup", "device.draw_loop",
        "ddi.dp2", "pipeline.observe.shapes", "device.undo", "pipeline.blit", "pipeline.clear",
    )
)  # fmt: skip
"""What the pictures of a capture need, the longest first."""

PAUSE = 0.03
"""Seconds before each module is loaded that drawing does not need: the first picture is drawn meanwhile (a fifth sooner)."""

CHILD = """
import gc, os, sys
gc.disable()
from core.jit import load_kernels
if hasattr(os, "nice"):
    os.nice(10)
for line in sys.stdin:
    load_kernels(line.strip())
    print(line.strip(), flush=True)
"""


def kernel_modules() -> list[str]:
    """The modules with entry points (a decoration `@kernel(`), by reading the sources; the longest ones first."""
    found = [module for module in source_files() if b"\n@kernel(" in source(module)]
    found.sort(key=lambda module: (-len(source(module)), module))
    return [*(module for module in DRAWING if module in found), *(module for module in found if module not in DRAWING)]


def marker(module: str) -> Path:
    """A file beside the kernels of a module that says that they are all there."""
    return cache_folder(module) / f"{module}.compiled"


def warm_up(report: Callable[[float, str], object] = lambda fraction, text: None, processes: int | None = None) -> None:
    """Compiles what is cold, what drawing needs first; loads everything, removes what is old.

    report(fraction, sentence) is called from this thread; from report(READY_TO_DRAW, ...) on a capture can be opened and its
    pictures be drawn.  A child that fails is no error: its kernels are compiled here.
    """
    modules = kernel_modules()
    cold = [] if JIT_DISABLED else [module for module in modules if not marker(module).exists()]
    compiled, feeders = _compile(cold, processes or min(os.cpu_count() or 1, MOST_PROCESSES))
    from core.jit import load_kernels  # brings numba along, while the children begin

    first, missing = [module for module in modules if module in DRAWING], set(cold)
    late = len(missing.difference(first))
    for module in first:
        while module in missing:
            missing.discard(done := compiled.get())
            share = len(missing.intersection(first)) / len(first)
            report(READY_TO_DRAW * (1.0 - share), f"compiled {done}")
        load_kernels(module)
    report(READY_TO_DRAW, "ready to draw")
    while missing:
        missing.discard(done := compiled.get())
        report(1.0 - (1.0 - READY_TO_DRAW) * (len(missing) + 1) / (late + 1), f"compiled {done}")
    report(1.0, "ready")  # what is not loaded yet is at its first call, in 20 ms
    for module in modules[len(first) :]:
        time.sleep(PAUSE)
        load_kernels(module)
    for feeder in feeders:
        feeder.join()
    remove_old(root())
    gc.freeze()  # collections in the middle of a frame need not look at the compiler's objects


def _compile(modules: list[str], processes: int) -> tuple[queue.SimpleQueue[str], list[threading.Thread]]:
    """Starts child processes: the modules come out of the queue as they are finished, or given up; and who feeds them."""
    todo: queue.SimpleQueue[str] = queue.SimpleQueue()
    done: queue.SimpleQueue[str] = queue.SimpleQueue()
    for module in modules:
        todo.put(module)
    feeders = [threading.Thread(target=_feed_child, args=(todo, done), daemon=True) for _ in modules[:processes]]
    for feeder in feeders:
        feeder.start()
    return done, feeders


def _feed_child(todo: queue.SimpleQueue[str], done: queue.SimpleQueue[str]) -> None:
    """Gives modules to one child until none is left; a child that dies is replaced."""
    child: subprocess.Popen[str] | None = None
    while True:
        try:
            module = todo.get_nowait()
        except queue.Empty:
            break
        if child is not None and child.poll() is not None:
            _close(child)
            child = None
        child = child or _start_child()
        if _ask(child, module):
            marker(module).parent.mkdir(parents=True, exist_ok=True)
            marker(module).touch()
        done.put(module)
    if child is not None:
        _close(child)


def _start_child() -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PROJECT), os.environ.get("PYTHONPATH", "")])}
    lower = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
    return subprocess.Popen([sys.executable, "-c", CHILD], env=environment, creationflags=lower, text=True,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip


def _ask(child: subprocess.Popen[str], module: str) -> bool:
    """Whether the child has imported the module."""
    assert child.stdin is not None and child.stdout is not None
    try:
        child.stdin.write(module + "\n")
        child.stdin.flush()
    except OSError:
        return False
    answer = child.stdout.readline().strip()
    if answer != module:
        child.wait()
    return answer == module


def _close(child: subprocess.Popen[str]) -> None:
    """Lets a child end."""
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    child.wait()


def remove_old(root: Path) -> None:
    """Removes the folders of digests that have not been used for long."""
    folders = sorted((f for f in root.iterdir() if f.is_dir()), key=lambda f: f.stat().st_mtime, reverse=True)
    for folder in folders[KEPT_FOLDERS:]:
        for path in [*sorted(folder.rglob("*"), reverse=True), folder]:
            try:
                path.rmdir() if path.is_dir() else path.unlink()
            except OSError:
                continue  # another process uses it
