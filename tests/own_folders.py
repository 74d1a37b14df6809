"""Folders of the tests' own: nothing of the user's is read, written or made longer by a test (but for compiled kernels)."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from core import folders


def use_own_folders() -> None:
    """From here on, in this process and its children: a cache beside the user's, and on Linux settings in it.

    Kept from run to run, as what is imported serves again.  Compiled kernels are the user's where a link can lead to them.
    Processes of pytest-xdist share the cache; each has settings of its own.
    """
    if os.environ.get("DDI_INSPECTOR_CACHE"):
        if worker := os.environ.get("PYTEST_XDIST_WORKER"):
            os.environ["XDG_CONFIG_HOME"] = str(_made(folders.user_folder(f"config-{worker}")))
        return
    kernels = folders.user_folder("kernels")
    own = kernels.parent.with_name(kernels.parent.name + "-tests")
    own.mkdir(mode=folders.PRIVATE, parents=True, exist_ok=True)
    with suppress(OSError):  # there already, or Windows, where links need a privilege
        (own / "kernels").symlink_to(kernels, target_is_directory=True)
    os.environ["DDI_INSPECTOR_CACHE"] = str(own)
    os.environ["XDG_CONFIG_HOME"] = str(_made(own / "config"))


def find_kernels() -> Path:
    """Where compiled kernels are, from here on: not in the folder of a test that has a cache of its own, or that one and all
    that follow would compile them again."""
    from core.kernels import cache

    return cache.root()


def with_kernels(folder: Path) -> str:
    """A cache folder of a child's own, in which kernels are compiled already."""
    folder.mkdir(mode=folders.PRIVATE, parents=True, exist_ok=True)
    with suppress(OSError):
        (folder / "kernels").symlink_to(find_kernels(), target_is_directory=True)
    return str(folder)


def _made(folder: Path) -> Path:
    folder.mkdir(mode=folders.PRIVATE, exist_ok=True)
    return folder
