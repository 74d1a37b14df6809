"""Folders of the user's cache: imported traces, derived tables.  Everything in them can be made again."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import platformdirs
import xxhash

ROOT = Path(__file__).resolve().parents[2]


def user_folder(name: str) -> Path:
    """A folder of the cache, writable: beside the compiled kernels, or temporary."""
    for folder in _candidates(name):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="ddi-inspector-"))


def _candidates(name: str) -> Iterable[Path]:
    if chosen := os.environ.get("DDI_INSPECTOR_CACHE"):
        yield Path(f"{chosen}-{name}")
    yield Path(platformdirs.user_cache_dir("ddi-inspector", appauthor=False)) / name
    yield Path(tempfile.gettempdir()) / f"ddi-inspector-{name}"


@cache
def digest_of_code(*folders: str) -> str:
    """Digest of the program text of these folders: another text may make other things."""
    state = xxhash.xxh3_64()
    for folder in folders:
        for source in sorted((ROOT / folder).rglob("*.py")):
            state.update(source.relative_to(ROOT).as_posix().encode() + source.read_bytes())
    return state.hexdigest()


def remove_oldest(newest: Path, most: int) -> None:
    """Keeps the files of a kind below `most` bytes, but for `newest`; what another window has open stays where it must."""
    total = 0
    for path, size in _by_age(newest.parent, f"*{newest.suffix}"):
        total += size
        if total > most and path != newest:
            try:
                path.unlink()
            except OSError:
                continue


def _by_age(folder: Path, pattern: str) -> Iterator[tuple[Path, int]]:
    """Files and their sizes, newest first."""
    found = []
    for path in folder.glob(pattern):
        try:
            status = path.stat()
        except OSError:
            continue
        found.append((status.st_mtime, path, status.st_size))
    for _, path, size in sorted(found, reverse=True):
        yield path, size
