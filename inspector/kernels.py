"""Prepares compiled kernels and reports progress.  Imports the compiler when it is called, not before."""

from __future__ import annotations

from collections.abc import Callable


def warm_up(report: Callable[[float, str], object]) -> None:
    """core.kernels.warm_up's: compiles (the first time) or loads all kernels; report(fraction, sentence)."""
    from core.kernels.warm_up import warm_up as compile_and_load

    compile_and_load(report)


def ready_to_draw() -> float:
    """The fraction reported from which on pictures can be drawn."""
    from core.kernels.warm_up import READY_TO_DRAW

    return READY_TO_DRAW
