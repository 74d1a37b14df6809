"""The library that a kernel is linked from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llvmlite import binding, ir

from core.kernels.compiler.values import Unsupported
from core.kernels.numba_inside import cpu_target


class StageLibrary:
    """The intermediate code of a stage, and the libraries that it calls.

    It is neither optimised nor made into machine code on its own: the kernels that use it are.
    """

    def __init__(self) -> None:
        self.name, self.text = "", ""
        self.declared: dict[str, str] = {}  # what it takes from elsewhere, by name
        self.called: dict[Any, None] = {}
        self._reload_init: set[Any] = set()  # numba's: what has to be done when a kernel is loaded
        self._module: Any = None

    def add_linking_library(self, library: Any) -> None:
        self.called[library] = None

    def _ensure_finalized(self) -> None:
        pass

    def _get_module_for_linking(self) -> Any:
        """For numba's own functions that call the stage."""
        if self._module is None:
            self._module = module_of([self])
        return self._module

    def everything(self) -> list[Any]:
        """This library and all that it calls, directly or not."""
        found: dict[Any, None] = {}
        todo: list[Any] = [self]
        while todo:
            library = todo.pop()
            if library not in found:
                found[library] = None
                todo += library.called if isinstance(library, StageLibrary) else ()
        return list(found)


notes: list[Any] = []  # LLVM's metadata in the code of all stages: numbered once for all of them


def new_module(name: str) -> ir.Module:
    """An empty module for a stage."""
    module: ir.Module = cpu_target.target_context.create_module(name)
    module.metadata = notes
    return module


def module_of(stages: Iterable[StageLibrary]) -> Any:
    """The code of stages as one module: read and linked at once, which takes a third of the time of one by one."""
    defined = {stage.name: stage.text for stage in stages}
    declared: dict[str, str] = {}
    for stage in stages:
        for name, text in stage.declared.items():
            if declared.setdefault(name, text) != text:
                raise Unsupported(f"{stage.name}: another stage means something else by {name}")
    needed = [text for name, text in declared.items() if name not in defined]
    return binding.parse_assembly("\n".join([str(new_module("stages")), *needed, *defined.values()]))
