"""The program's source text: its files, their imports, and digests that name cached files.

Another text may make other things, so whatever is made by a part of the program is kept under the digest of that part.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PARTS = ("core", "inspector")  # packages that make what is kept

# they begin with a word, not with the start of a line: six times faster, and one too many does no harm
_FROM = re.compile(rf"from[ \t]+((?:{'|'.join(PARTS)}|\.)[.\w]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)")
_IMPORT = re.compile(rf"import[ \t]+((?:{'|'.join(PARTS)})\b[.\w]*)")
_NAME = re.compile(r"(\w+)(?:[ \t]+as[ \t]+\w+)?[ \t\n]*(?:,|\)|$)")


@cache
def source_files() -> dict[str, Path]:
    """The files of all modules of these packages, by name."""
    found = {}
    for part in PARTS:
        for folder, _, files in os.walk(PROJECT / part):
            package = ".".join(Path(folder).relative_to(PROJECT).parts)
            for name in files:
                if name.endswith(".py"):
                    module = package if name == "__init__.py" else f"{package}.{name[:-3]}"
                    found[module] = Path(folder, name)
    return found


@cache
def source(module: str) -> bytes:
    """The text of a module."""
    return source_files()[module].read_bytes()


@cache
def _digest(module: str) -> bytes:
    return hashlib.sha256(source(module)).digest()


def digest_of(modules: Iterable[str], *circumstances: str) -> str:
    """A digest of the texts of modules and of whatever else matters; 20 hexadecimal digits."""
    digest = hashlib.sha256(repr(circumstances).encode())
    for name in modules:
        digest.update(name.encode() + _digest(name))
    return digest.hexdigest()[:20]


@cache
def digest_of_packages(*packages: str) -> str:
    """A digest of the texts of all modules of some packages."""
    inside = tuple(f"{package}." for package in packages)
    return digest_of(sorted(name for name in source_files() if f"{name}.".startswith(inside)))


@cache
def _imports(module: str) -> tuple[str, ...]:
    """The project modules that a project module imports, by reading its text."""
    package = module.split(".") if source_files()[module].name == "__init__.py" else module.split(".")[:-1]
    text = source(module).decode("utf-8")
    found = _IMPORT.findall(text)
    for base, names in _FROM.findall(text):
        if dots := len(base) - len(base.lstrip(".")):
            base = ".".join([*package[: len(package) - dots + 1], *filter(None, [base.lstrip(".")])])
        found.append(base)
        found += [f"{base}.{name}" for name in _NAME.findall(names.strip("("))]
    return tuple(dict.fromkeys(name for name in found if name in source_files()))


def sources_of(module: str) -> list[str]:
    """A project module and all project modules that it imports, directly or not; sorted."""
    seen, todo = {module}, [module]
    while todo:
        fresh = [name for name in _imports(todo.pop()) if name not in seen]
        seen.update(fresh)
        todo += fresh
    return sorted(seen)
