"""The captures that come with the program."""

from __future__ import annotations

import contextlib
from importlib import resources
from pathlib import Path


def sample_captures() -> list[tuple[str, Path]]:
    """(title, file) of every sample; empty in an installation without them."""
    with contextlib.suppress(ModuleNotFoundError, NotADirectoryError, FileNotFoundError):
        found = [entry for folder in ("resources", "resources.samples") for entry in resources.files(folder).iterdir()]
        paths = sorted(Path(str(entry)) for entry in found if entry.name.endswith(".ddicap"))
        return [(path.stem.replace("-", " ").capitalize(), path) for path in paths]
    return []
