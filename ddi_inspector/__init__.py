"""DDI Inspector as one package: what a wheel installs, and what scripts import, in a checkout too.

    import ddi_inspector as ddi
    capture = ddi.open("game.trace")                        # .trace, .ddicap or .ddirec
    event = capture.frames[3].last_event
    capture.ask(ddi.Search("$draw() and ALPHABLENDENABLE == TRUE"))

Everything that `inspector` exports has the same name here.

The program's four packages are called `core`, `inspector`, `ui` and `resources` in its own sources.  In a wheel they are inside
this package, so that no other distribution and no folder of a script can take their places; in a checkout they are beside it.
`Finder` finds exactly these four names, before anything else does.  `ddi_inspector.core.spec` is the same module as
`core.spec`.  A process can hold one `core` only: a program that has one of its own runs DDI Inspector in another process.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

PARTS = ("core", "inspector", "ui", "resources")
_HERE = Path(__file__).resolve().parent
HOME = _HERE if (_HERE / "core").is_dir() else _HERE.parent
"""The folder that holds the four packages: this one when installed, the one above in a checkout."""


class Finder(MetaPathFinder):
    """Finds the four packages in HOME, and `ddi_inspector.NAME` as another name for each of their modules."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name in PARTS:
            return PathFinder.find_spec(name, [str(HOME)])
        package, _, inner = name.partition(".")
        if package == __name__ and inner.partition(".")[0] in PARTS:
            return spec_from_loader(name, SameModule(inner))
        return None


class SameModule(Loader):
    """Loads a module under another name: it is imported once, by its own."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.spec: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(self.name)
        self.spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec  # the import system has put the other name there


def _begin() -> None:
    """Raises ImportError, in one sentence, where the program cannot run."""
    if sys.maxsize < 1 << 32:
        raise ImportError("DDI Inspector needs a 64-bit Python; this one is 32-bit")
    for name in PARTS:
        if (other := _file_of(name)) and HOME not in other.parents:
            raise ImportError(
                f"DDI Inspector cannot be imported after another package called {name!r} ({other}); run it in another process"
            )
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder())


def _file_of(name: str) -> Path | None:
    """Where an imported module is; None if it is not imported or has no file."""
    module = sys.modules.get(name)
    places = [getattr(module, "__file__", None), *getattr(module, "__path__", [])]
    return next((Path(place, "_").resolve().parent for place in places if place), None)


_begin()


def main() -> int:
    """ddi-inspector: the command line."""
    return int(import_module("inspector.cli").main())


def window() -> int:
    """ddi-inspector-window: the window, from a program without a console on Windows."""
    return int(import_module("inspector.cli.window").main())


if TYPE_CHECKING:
    from inspector import *  # noqa: F403
else:

    def __getattr__(name: str) -> Any:
        if name.startswith("__") and name not in ("__all__", "__version__"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name == "__version__":
            return import_module("inspector.version").VERSION
        return getattr(import_module("inspector"), name)


def __dir__() -> list[str]:
    """What scripts import: no machinery of the package itself."""
    return sorted({*import_module("inspector").__all__, "__all__", "__doc__", "__version__"})
