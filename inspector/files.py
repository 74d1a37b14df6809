"""The one way to write a file: complete or not at all, through links and into devices, `-` for standard output."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from glob import escape
from pathlib import Path

from core.errors import BadInput, cannot
from core.folders import remove_abandoned

STDOUT = ("-", "/dev/stdout")


def unused_name(path: Path) -> Path:
    """`path`, or with a number after its name if that file exists: a default name replaces nothing."""
    names = (path, *(path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(2, 10_000)))
    return next((name for name in names if not name.exists()), path)


def is_stdout(path: Path) -> bool:
    """Whether a path names standard output."""
    return path.as_posix() in STDOUT


def write_bytes(path: Path, data: bytes) -> int:
    """Writes `data` as `write_file` does."""
    return write_file(path, lambda part: part.write_bytes(data))


def write_file(path: Path, make: Callable[[Path], object]) -> int:
    """Has `make` write a file and puts it where `path` says; returns its bytes.

    A file is replaced only once the new one is complete; of a link, the file it leads to.  What is no file (a device, a pipe)
    is written to and stays what it is.  Raises BadInput if that fails; BrokenPipeError when standard output has no reader.
    """
    try:
        if is_stdout(path):
            return _pour(1, make)
        target = path.resolve()
        if target.exists() and not target.is_file():
            return _pour(_not_a_folder(target), make)
        return _replace(target, make)
    except BrokenPipeError:
        raise
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle, up to Python 3.12
        where = "standard output" if is_stdout(path) else path
        raise BadInput(cannot("write to" if is_stdout(path) else "write", where, error)) from error


def _not_a_folder(target: Path) -> Path:
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    return target


def _replace(target: Path, make: Callable[[Path], object]) -> int:
    """Writes the new file next to the old one, then replaces it, keeping its permissions."""
    there = target.exists()
    if there and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    remove_abandoned(target.parent, f"{escape(target.name[:80])}.*.part")
    part = target.with_name(f"{target.name[:80]}.{os.getpid()}.part")
    try:
        part.touch(exist_ok=False)
        with _named(target, part):
            make(part)
        if there:
            os.chmod(part, stat.S_IMODE(target.stat().st_mode))
        size = part.stat().st_size
        os.replace(part, target)
        return size
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _named(target: Path, part: Path) -> Iterator[None]:
    """Errors name the file that is wanted, not the unfinished one."""
    try:
        yield
    except BadInput as error:
        if (words := str(error)) == (named := words.replace(str(part), str(target))):
            raise
        raise BadInput(named) from error


def _pour(target: Path | int, make: Callable[[Path], object]) -> int:
    """Into something that is open or takes bytes one after the other, from a file that is complete."""
    with tempfile.TemporaryDirectory(prefix="ddi-inspector-") as folder:
        part = Path(folder) / "part"
        part.touch()
        make(part)
        with part.open("rb") as source, open(target, "wb", closefd=not isinstance(target, int)) as sink:
            shutil.copyfileobj(source, sink)
        return part.stat().st_size


def cache_folder(kind: str) -> Path:
    """A folder of the user's cache (core.folders), for what the window keeps there: `pictures`, `reports`."""
    from core.folders import user_folder

    return user_folder(kind)


def in_turn(what: str) -> AbstractContextManager[bool]:
    """Within the block no other window reads, changes and writes `what` (core.folders)."""
    from core import folders

    return folders.in_turn(what)


def is_temporary(folder: Path) -> bool:
    """Whether a folder of a kind goes when the program ends, since nothing can be written to the user's (core.folders)."""
    from core import folders

    made = folders._temporary.cache_info().currsize
    return bool(made) and folder.is_relative_to(folders._temporary())
