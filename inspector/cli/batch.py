"""ddi-inspector batch: one command over many captures, on the cores of this machine or on a Dask cluster.

What follows -- goes to the command; there {name} is the file's name without its suffix, {folder} its folder.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import BadInput, unknown
from inspector.cli.arguments import json_option, number
from inspector.cli.opening import print_json
from inspector.cli.several import matching

OWN_FILE = True
TRIES = 3  # of a file whose process ended
ENDED = 70  # the exit code of a file whose process ended every time
NOT_HERE = ("open", "batch", "record", "completion", "header", "python", "cache", "integrate")
EXAMPLES = (
    "batch check traces/*.trace",
    "batch verify a.trace b.trace -- --per frame -o hashes/{name}.json",
    "batch assert traces/*.trace --jobs 8 -- --clean",
)


class Done(NamedTuple):
    """What a command said about a file."""

    file: str
    code: int
    out: str
    err: str


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("command_name", metavar="COMMAND", help="the command to run for each file")
    command.add_argument("files", type=Path, nargs="+", metavar="FILE")
    command.add_argument("--jobs", type=number, help="processes at a time (default: the number of cores)")
    command.add_argument("--dask", metavar="ADDRESS", help="run on this Dask cluster, as in tcp://10.0.0.1:8786, not here")
    command.passes_on = True  # type: ignore[attr-defined]
    command.set_defaults(arguments=[])
    command.usage = "ddi-inspector batch COMMAND FILE [FILE ...] [--jobs N] [--dask ADDRESS] [--json] [-- ARGUMENTS OF COMMAND]"
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    """The highest exit code of all files."""
    from inspector.cli.arguments import COMMANDS

    names = sorted(COMMANDS.keys() - set(NOT_HERE))
    if chosen.command_name not in names:
        raise BadInput(f"batch: {unknown('command', chosen.command_name, names)}")
    if chosen.jobs == 0:
        raise BadInput("--jobs: expected 1 or more")
    work = [words_of(chosen.command_name, file, chosen.arguments) for file in matching(chosen.files)]
    found = {}
    done = on_dask(work, chosen.dask) if chosen.dask else on_cores(work, chosen.jobs or os.cpu_count() or 1)
    for place, one in done:
        found[place] = one
        print(f"{len(found)} of {len(work)}  {one.file}: exit code {one.code}", file=sys.stderr)
    rows = [found[place] for place in range(len(work))]
    if chosen.json:
        print_json([row._asdict() for row in rows])
    else:
        for row in rows:
            print(f"== {row.file}: exit code {row.code}")
            print(row.out, end="")
            print(row.err, end="", file=sys.stderr)
    return max((row.code for row in rows), default=0)


def words_of(command: str, file: Path, more: Sequence[str]) -> list[str]:
    """The command line for one file.  A name that begins with a hyphen, which a stranger may have given it, is no option."""
    path = os.path.join(".", file) if str(file).startswith("-") else str(file)
    named = [word.replace("{name}", file.stem).replace("{folder}", str(file.parent)) for word in more]
    return [command, path, *named]


def run_one(words: Sequence[str]) -> Done:
    """Runs a command line in this process and keeps what it prints."""
    from inspector.cli.main import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(words))
    return Done(words[1], code, out.getvalue(), err.getvalue())


def on_cores(work: Sequence[Sequence[str]], jobs: int) -> Iterator[tuple[int, Done]]:
    """(place in `work`, what came of it), as they end.  A process that is killed costs nothing but its time: its file and those
    that waited are run again, one that ends its process TRIES times is reported."""
    left = dict.fromkeys(range(len(work)), 0)
    careful = False  # one at a time tells which file ends its process
    while left:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1 if careful else min(jobs, len(left)), mp_context=context) as pool:
            places: dict[Future[Done], int] = {}
            waiting = list(left)[:1] if careful else list(left)
            try:
                places = {pool.submit(run_one, work[place]): place for place in waiting}
                for future in as_completed(places):
                    yield places[future], future.result()
                    del left[places[future]]
                careful = careful and any(left.values())
            except BrokenProcessPool:
                if careful:
                    place = waiting[0]
                    left[place] += 1
                    if left[place] >= TRIES:
                        del left[place]
                        yield place, Done(work[place][1], ENDED, "", f"{work[place][1]}: the process ended {TRIES} times\n")
                careful = True


def on_dask(work: Sequence[Sequence[str]], address: str) -> Iterator[tuple[int, Done]]:
    """The same on a cluster, whose workers have this package and see the files under the same names."""
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise BadInput("--dask needs the package distributed: pip install ddi-inspector[dask]") from error
    try:
        client: Any = Client(address, timeout="10s")
    except (OSError, TimeoutError, ValueError) as error:
        raise BadInput(f"--dask {address}: {error}") from error
    with client:
        futures = [client.submit(run_one, list(words), pure=False, retries=TRIES) for words in work]
        places = {future.key: place for place, future in enumerate(futures)}
        for future in as_completed(futures):
            place = places[future.key]
            failed = future.exception()
            yield place, Done(work[place][1], ENDED, "", f"{work[place][1]}: {failed}\n") if failed else future.result()
