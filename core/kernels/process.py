"""A process that compiles kernels: `python -m core.kernels.process FORKS MODULE...`; core.kernels.warm_up starts it.

It reads the numbers of modules from standard input, a byte each, and writes a number when it is done with that module.
Processes that share both pipes share the work.  FORKS more are made of this one when it has read the compiler.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
import traceback

from core.kernels.cache import marker
from core.kernels.jit import load_kernels, prepare_to_compile


def main(forks: int, modules: list[str]) -> None:
    gc.disable()  # a tenth faster
    if hasattr(os, "nice"):
        os.nice(10)
    for module in modules:
        importlib.import_module(module)  # all of them first: numba looks up what an operator means only once
    prepare_to_compile()
    others = fork(forks)
    work(modules)
    for other in others:
        os.waitpid(other, 0)
    os._exit(0)  # to give all memory back first takes a second


def fork(count: int) -> list[int]:
    """Makes copies of this process; their ids, or nothing in a copy."""
    made: list[int] = []
    for _ in range(count):
        if sys.platform == "linux":
            if not (copy := os.fork()):
                return []
            made.append(copy)
    return made


def work(modules: list[str]) -> None:
    while number := os.read(0, 1):
        module = modules[number[0]]
        try:
            load_kernels(module)
            marker(module).parent.mkdir(parents=True, exist_ok=True)
            marker(module).touch()
        except Exception:  # our own mistake; who needs the kernels compiles them himself
            traceback.print_exc()
        try:
            os.write(1, number)
        except OSError:
            return  # nobody waits any more


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
