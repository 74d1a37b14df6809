"""What every import is given, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import xxhash

from core.errors import TraceError, cannot


@dataclass(frozen=True, slots=True)
class Import:
    """What an import did: API calls read, DDI calls written, sentences about what is missing."""

    sources: int
    calls: int
    notices: tuple[str, ...]


def file_digest(path: Path) -> str:
    """xxh3-128 of a file, in hex.  Raises TraceError if it cannot be read."""
    state = xxhash.xxh3_128()
    try:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                state.update(block)
    except OSError as error:
        raise TraceError(cannot("read", path, error)) from error
    return state.hexdigest()
