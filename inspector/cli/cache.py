"""ddi-inspector cache: the contents and the limits of the cache folder."""

from __future__ import annotations

import argparse

from core import folders
from core.errors import BadInput, unknown
from inspector.cli.arguments import json_option
from inspector.cli.opening import print_json

OWN_FILE = True
EXAMPLES = ("cache", "cache --limit captures=20GB derived=500MB", "cache --clear captures")
UNITS = {"": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}


def declare(command: argparse.ArgumentParser) -> None:
    kinds = ", ".join(folders.KINDS)
    command.add_argument("--clear", nargs="*", metavar="KIND", help=f"delete everything, or only {kinds}")
    limited = ", ".join(folders.DEFAULT_LIMITS)
    command.add_argument(
        "--limit", nargs="+", default=[], metavar="KIND=SIZE", help=f"keep at most this much, such as captures=20GB ({limited})"
    )
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    limits = dict(map(read_limit, chosen.limit))
    for kind, size in limits.items():
        folders.set_limit(kind, size)
    if chosen.clear is not None:
        for kind in chosen.clear or folders.KINDS:
            check_kind(kind, tuple(folders.KINDS))
        for kind in chosen.clear or folders.KINDS:
            folders.clear(kind)
    show(chosen.json)
    return 0


def read_limit(text: str) -> tuple[str, int]:
    """Of "captures=20GB": captures, 21474836480."""
    kind, _, size = text.partition("=")
    check_kind(kind, tuple(folders.DEFAULT_LIMITS))
    digits = size.rstrip("KMGTBkmgtb")
    try:
        count = float(digits) * UNITS[size[len(digits) :].upper()]
    except (ValueError, KeyError):
        count = -1.0
    if not 0 <= count < 1 << 60:
        raise BadInput(f"--limit {text}: {size!r} is not a size, as in 500MB or 20GB")
    return kind, int(count)


def check_kind(kind: str, kinds: tuple[str, ...]) -> None:
    if kind not in kinds:
        raise BadInput(unknown("kind of cache", kind, kinds))


def show(as_json: bool) -> None:
    """A row for each kind."""
    limits = {kind: folders.limit(kind) for kind in folders.DEFAULT_LIMITS}
    used = {kind: folders.usage(kind) for kind in folders.KINDS}
    if as_json:
        rows = [
            {"kind": kind, "files": files, "bytes": size, "limit": limits.get(kind), "holds": folders.KINDS[kind]}
            for kind, (files, size) in used.items()
        ]
        print_json({"folder": str(folders.root_folder()), "kinds": rows})
        return
    print(folders.root_folder())
    for kind, (files, size) in used.items():
        limit = f"of {megabytes(limits[kind])}" if kind in limits else ""
        print(f"  {kind:9} {files:6,} files {megabytes(size):>11} {limit:14} {folders.KINDS[kind]}")


def megabytes(size: int) -> str:
    return f"{size / (1 << 20):,.1f} MB"
