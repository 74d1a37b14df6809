"""ddi-inspector batch: one command over many captures, on the cores of this machine or on a Dask cluster.

What follows -- goes to the command; there {name} is the file's name without its suffix, {folder} its folder.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import multiprocessing
import os
import queue
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import LONGEST, BadInput, unknown
from inspector.cli.arguments import json_option, number
from inspector.cli.opening import print_json
from inspector.cli.several import matching

OWN_FILE = True
NAMED = re.compile(r"\{name\}|\{folder\}")
TRIES = 3  # of a file whose process ended
ENDED = 70  # the exit code of a file whose process ended every time
ANSWERS = 10.0  # seconds that a cluster has to answer
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
    command.add_argument(
        "--dask", metavar="ADDRESS", help="run on this Dask cluster, such as tcp://10.0.0.1:8786, instead of here"
    )
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
    done = on_dask(work, chosen.dask) if chosen.dask is not None else on_cores(work, chosen.jobs or os.cpu_count() or 1)
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
    """The command line for one file.  Strangers give files their names: one that begins with a hyphen is no option, one of dots
    (`...trace`) no folder, and braces in a name mean nothing."""
    names = {"{name}": file.stem if file.stem.strip(".") else file.name, "{folder}": str(file.parent)}
    named = [(word, NAMED.sub(lambda found: names[found[0]], word)) for word in more]
    return [command, _no_option(str(file)), *(word if given.startswith("-") else _no_option(word) for given, word in named)]


def _no_option(word: str) -> str:
    return os.path.join(".", word) if word.startswith("-") else word


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
    """The same on a cluster, whose workers have this package and see the files under the same names.

    A file that the cluster gives no answer for, or a false one, is reported like one whose process ended.
    """
    client = connected(address)
    from distributed import as_completed

    left, why = dict(enumerate(work)), "the cluster gave no answer"
    with contextlib.ExitStack() as stack:
        stack.callback(_closed, client)
        try:
            futures = [client.submit(run_one, list(words), pure=False, retries=TRIES) for words in work]
            places = {future.key: place for place, future in enumerate(futures)}
            for future in as_completed(futures):
                if (place := places.get(future.key)) in left:
                    yield place, answer(left.pop(place)[1], future)
        except Exception as error:
            why = f"the cluster is gone: {_sentence(error)}"
    for place, words in left.items():
        yield place, Done(words[1], ENDED, "", f"{words[1]}: {why}\n")


def connected(address: str) -> Any:
    """A client of the cluster; BadInput if something else is there, or nothing, or if it does not answer in time."""
    try:
        from distributed import Client
    except ImportError as error:
        raise BadInput("--dask needs the package distributed: pip install ddi-inspector[dask]") from error
    told: queue.Queue[Any] = queue.Queue()
    first = threading.Lock()  # taken once: by the answer, or by who has waited long enough for it

    def connect() -> None:
        client = Client.__new__(Client)
        found: Any = client
        try:
            Client.__init__(client, address, timeout=f"{ANSWERS:g}s")
        except Exception as error:
            found = error
        in_time = first.acquire(blocking=False)
        if in_time:
            told.put(found)
        if not in_time or found is not client:
            _given_up(client)

    threading.Thread(target=connect, daemon=True).start()
    try:
        found = told.get(timeout=1.5 * ANSWERS)  # the limit of Client holds for connecting, not for one that then says nothing
    except queue.Empty:
        found = TimeoutError("it does not answer") if first.acquire(blocking=False) else told.get()
    if isinstance(found, Exception):
        raise BadInput(f"--dask {address[:LONGEST]}: no Dask scheduler: {_sentence(found)}") from found
    return found


def _given_up(client: Any) -> None:
    """Ends the thread of a client that did not connect.  What is only garbage would do so within a collection, on any thread,
    and might wait there for ever: nothing else is collected then."""
    _closed(client)
    with contextlib.suppress(Exception):
        client._loop_runner.stop()  # which closing leaves running where the connection had failed


def _closed(client: Any) -> None:
    with contextlib.suppress(Exception):
        client.close(timeout=ANSWERS)


def answer(file: str, future: Any) -> Done:
    """What a cluster says of a file, if it is an answer."""
    try:
        failed = future.exception()
        given = future.result() if failed is None else None
    except Exception as error:
        failed, given = error, None
    if failed is not None:
        return Done(file, ENDED, "", f"{file}: {_sentence(failed)}\n")
    if not isinstance(given, Done) or [type(part) for part in given] != [str, int, str, str] or not 0 <= given.code <= 255:
        return Done(file, ENDED, "", f"{file}: the cluster gave a false answer\n")
    return given._replace(file=file)


def _sentence(error: BaseException) -> str:
    """What an error says, or its kind where it says nothing."""
    try:
        text = str(error).strip()
    except Exception:
        text = ""
    return (text.splitlines()[0] if text else type(error).__name__)[:LONGEST]
