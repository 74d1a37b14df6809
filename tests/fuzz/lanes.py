"""Streams of any tokens, in every way there is to carry them out: the same bytes in every surface, and the same Findings."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from core.ddi.driver.emulated import EmulatedDriver
from core.device.past.tap import Tap
from core.errors import BadInput
from core.pipeline.pixel import binned, parts
from tests.fuzz import dp2, shaders
from tests.fuzz.harness import TOP
from tests.fuzz.inputs import Harness, main
from tests.fuzz.streams import contents, packed, unpacked

Change = Callable[[EmulatedDriver], None]


def _slow(driver: EmulatedDriver) -> None:
    driver.executor.follower = lambda *_: None  # sees every draw, so each goes through Python


def _threads(driver: EmulatedDriver) -> None:
    driver.device.threads = 2


def _log(driver: EmulatedDriver) -> None:
    driver.device.tap = Tap(log=True)


def _all(driver: EmulatedDriver) -> None:
    _slow(driver), _threads(driver), _log(driver)


WAYS: dict[str, Change] = {"fast": lambda driver: None, "slow": _slow, "two threads": _threads, "log": _log, "all three": _all}


def make(chooser: random.Random) -> bytes:
    calls = dp2.setup(chooser)
    for _ in range(chooser.randrange(1, 5)):
        kind = chooser.random()
        calls.append(dp2.stream(chooser) if kind < 0.5 else shaders.drawn(chooser) if kind < 0.8 else dp2.entry(chooser))
        if kind < 0.4:
            calls.append(calls[-1])  # the fast lane learns from the first of a kind
    return packed(calls)


def carried_out(data: bytes, change: Change) -> dict[str, str]:
    driver = EmulatedDriver()
    change(driver)
    for call in unpacked(data):
        driver.call(call)
    return contents(driver)


def run(data: bytes, folder: Path) -> None:
    usual = binned.WORTH_A_THREAD, parts.MOST_PLACES
    binned.WORTH_A_THREAD = 2
    try:
        found = {way: carried_out(data, change) for way, change in WAYS.items()}
        parts.MOST_PLACES = 50
        found["in parts"] = carried_out(data, WAYS["fast"])
    finally:
        binned.WORTH_A_THREAD, parts.MOST_PLACES = usual
    for way, got in found.items():
        assert got == found["fast"], f"{way}: {different(got, found['fast'])}"


def different(some: dict[str, str], others: dict[str, str]) -> str:
    """What two ways do not agree about."""
    return ", ".join(name for name in {**some, **others} if some.get(name) != others.get(name))


# ---- compiled and plain


def in_a_process(inputs: list[bytes], folder: Path, disabled: bool) -> list[dict[str, str]]:
    """What comes of inputs in a process of its own."""
    paths = [folder / f"{number}" for number in range(len(inputs))]
    for path, data in zip(paths, inputs, strict=True):
        path.write_bytes(data)
    environment = {**os.environ, "NUMBA_DISABLE_JIT": str(int(disabled))}
    command = [sys.executable, "-m", "tests.fuzz.lanes", "--contents", *map(str, paths)]
    done = subprocess.run(command, cwd=TOP, env=environment, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def small(seed: int) -> bytes:
    """An input that plain Python can do: a small target, few primitives."""
    chooser = random.Random(seed)
    with suppress(BadInput):
        for _ in range(200):
            data = make(chooser)
            if all(call.args.get("width", 0) <= 40 for call in unpacked(data)) and len(data) < 30_000:
                return data
    return make(chooser)


HARNESS = Harness("lanes", make, run, 8, seconds=40.0)

if __name__ == "__main__":
    if "--contents" in sys.argv:
        for name in sys.argv[2:]:
            print(json.dumps(carried_out(Path(name).read_bytes(), WAYS["fast"])), flush=True)
    else:
        main(HARNESS)
