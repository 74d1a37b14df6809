"""The captures that come with the program."""

from __future__ import annotations

from importlib import resources
from pathlib import Path


def built_in_capture() -> Path | None:
    """The capture that is shown when none is asked for; None in an installation without it."""
    return next(iter(_captures("resources")), None)


def sample_captures() -> list[tuple[str, Path]]:
    """(title, file) of every sample; empty in an installation without them."""
    paths = sorted(_captures("resources") + _captures("resources.samples"))
    return [(path.stem.replace("-", " ").capitalize(), path) for path in paths]


def _captures(package: str) -> list[Path]:
    """The captures in a folder of resources, by name."""
    try:
        return sorted(Path(str(entry)) for entry in resources.files(package).iterdir() if entry.name.endswith(".ddicap"))
    except (ModuleNotFoundError, NotADirectoryError, FileNotFoundError):
        return []
