"""What a kernel is linked from."""

from __future__ import annotations

from typing import Any

from llvmlite import binding


class StageLibrary:
    """The intermediate code of a stage, and the libraries that it calls; numba links it where it is used.

    It is neither optimised nor made into machine code on its own: the kernels that use it are.
    """

    def __init__(self) -> None:
        self.text = ""
        self.called: dict[Any, None] = {}
        self._reload_init: set[Any] = set()  # numba's: what has to be done when a kernel is loaded
        self._module: Any = None

    def add_linking_library(self, library: Any) -> None:
        self.called[library] = None

    def _ensure_finalized(self) -> None:
        pass

    def _get_module_for_linking(self) -> Any:
        if self._module is None:
            self._module = binding.parse_assembly(self.text)
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
