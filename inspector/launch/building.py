"""Our recording DLL where an installation has none, as a checkout: built by mingw-w64 when it is first needed, and kept."""

from __future__ import annotations

import logging
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path

from core.errors import BadInput, cannot
from core.folders import user_folder
from core.sources import digest_of_packages
from inspector.log import timed

log = logging.getLogger(__name__)
KIND = "tracers"
"""Of the folder in the user's cache."""
Say = Callable[[str], object]
"""Is told what takes long before it begins."""


def silent(sentence: str) -> None:
    """For callers that show nothing."""


def built(bits: int, say: Say = silent) -> Path | None:
    """The DLL, built if that has not been done, of which `say` is told; None without a compiler.

    Raises BadInput if the compiler fails.
    """
    from resources.tracer import build  # with what it is generated from

    if shutil.which(build.COMPILERS[bits]) is None:
        return None
    place = user_folder(KIND) / _digest(build.HERE)
    dll = place / f"win{bits}" / "d3d8.dll"
    if not dll.exists():
        say(f"building the {bits}-bit recording DLL; this happens once and takes some seconds")
        try:
            with tempfile.TemporaryDirectory(dir=place.parent) as made, timed(log, "building our %d-bit DLL", bits):
                dll.parent.mkdir(parents=True, exist_ok=True)
                build.build(Path(made), bits).replace(dll)
        except subprocess.TimeoutExpired as error:
            raise BadInput(f"{build.COMPILERS[bits]} did not end within {build.PATIENCE:g} s") from error
        except subprocess.CalledProcessError as error:
            raise BadInput(f"{build.COMPILERS[bits]} did not build our d3d8.dll; its messages are above") from error
        except OSError as error:
            raise BadInput(cannot("build", dll, error)) from error
    return dll


def _digest(folder: Path) -> str:
    """Of all that the DLL is made of: another text, another DLL."""
    digest = blake2b(digest_of_packages("core.spec", "core.runtime.calls").encode(), digest_size=10)
    for path in _sources(folder):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _sources(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.iterdir()) if path.suffix in (".c", ".h", ".py"))
