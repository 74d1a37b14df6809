"""Parameters and results common to all imports."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.errors import Cancelled, TraceError, cannot
from inspector.imports.hashed import BLOCK, FileHash
from inspector.progress import Cancel, Progress


@dataclass(frozen=True, slots=True)
class Import:
    """What an import did: API calls read, DDI calls written, sentences about what is missing, the digest of the file."""

    sources: int
    calls: int
    notices: tuple[str, ...]
    digest: str


def file_digest(path: Path, progress: Progress | None = None, cancel: Cancel | None = None) -> str:
    """What a file is known by (FileHash).  Raises TraceError if it cannot be read, Cancelled."""
    state = FileHash()
    try:
        with open(path, "rb") as file:
            while block := file.read(BLOCK):
                state.update(block)
                if (progress and progress(0.0, f"reading {path.name}") is False) or (cancel and cancel()):
                    raise Cancelled("import cancelled")
    except OSError as error:
        raise TraceError(cannot("read", path, error)) from error
    return state.hexdigest()
