"""What all tests share: where the real captures are, and how a missing tool is treated."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings

from inspector.timeline.spare import give_back
from tests.own_folders import find_kernels, use_own_folders

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
use_own_folders()
find_kernels()
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")  # a busy machine is no defect
ROOT = Path(__file__).resolve().parent.parent
CAPTURES = Path(os.environ.get("DDI_CAPTURES", ROOT.parent / "shared" / "captures"))


def unavailable(what: str) -> NoReturn:
    """Skips the test, except in CI, where everything must be there."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing, and with CI=true that is a failure")
    pytest.skip(f"needs {what}")


@pytest.fixture(scope="session")
def captures() -> Path:
    """The folder of real captures (README.md there says what they are)."""
    if not CAPTURES.is_dir():
        unavailable(f"the captures in {CAPTURES} (environment variable DDI_CAPTURES)")
    return CAPTURES


@pytest.fixture(scope="session")
def tool():
    """`tool("gcc")`: the path of a program the test needs."""

    def find(name: str) -> str:
        path = shutil.which(name)
        if path is None:
            unavailable(name)
        return path

    return find


MEMORY: list[tuple[float, str]] = []
"""Megabytes that this process holds after each module (Linux)."""
MOST_MEMORY = 2048
"""Megabytes that are never held after a module: somebody else's tests run beside these."""
ROOMY = 1024
"""Megabytes from which on what is garbage, or free and kept by the C library, is given back first."""
WHOLE_SUITE = 50  # modules


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long-files", action="store_true", help=f"write anew which files take {LONG} seconds (tests/long_files.txt)"
    )
    parser.addoption("--memory", action="store_true", help="print the memory that this process holds after each module (Linux)")


def held_memory() -> float:
    """Megabytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Once the fixtures of a module have gone, fails where what they held is still there."""
    if sys.platform != "linux" or (nextitem is not None and nextitem.path == item.path):
        return
    module, held, before = str(item.path.relative_to(ROOT)), held_memory(), MEMORY[-1][0] if MEMORY else 0.0
    if item.config.option.memory or held > ROOMY:
        gc.collect()
        give_back()
        held = held_memory()
    MEMORY.append((held, module))
    if held > MOST_MEMORY >= before:
        grown = sorted(((now - then, name) for (then, _), (now, name) in pairwise(MEMORY)), reverse=True)[:5]
        most = ", ".join(f"{name} {by:+.0f}" for by, name in grown)
        pytest.fail(f"the test process holds {held:.0f} MB, more than {MOST_MEMORY}; it grew most in {most}", pytrace=False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    before = 0.0
    if config.option.long_files:
        rows = [f"{spent:.0f} {file}\n" for file, spent in SECONDS.most_common() if spent >= LONG]
        LONG_FILES.write_text("".join(rows), encoding="utf-8")
    for now, module in MEMORY if config.option.memory else ():
        terminalreporter.write_line(f"{now:8.0f} MB {now - before:+8.0f}  {module}")
        before = now
    if len(MEMORY) > WHOLE_SUITE:
        terminalreporter.write_line("memory: {:.0f} MB at most, after {}".format(*max(MEMORY)))


def set_aside() -> None:
    """400,000 objects, the program and its tests, stay until the end: collecting garbage (a quarter of a second, after each
    module of the window and between) does not look at them.  Once more where a test gave everything back."""
    if not gc.get_freeze_count():
        gc.collect()
        gc.freeze()


def pytest_collection_finish(session: pytest.Session) -> None:
    if not session.config.option.collectonly:
        set_aside()


# ---- which tests run, and in which order


SECONDS: Counter[str] = Counter()
"""How long the tests of each file took."""
LONG = 5
"""Seconds from which on it matters when a file begins."""
LONG_FILES = ROOT / "tests" / "long_files.txt"
"""The files that take so long, and their seconds: renewed with `--long-files` when nothing else runs."""


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    SECONDS[report.nodeid.partition("::")[0]] += report.duration


def long_files() -> dict[str, float]:
    """Seconds of files that take long."""
    rows = (line.split() for line in LONG_FILES.read_text(encoding="utf-8").splitlines())
    return {file: float(spent) for spent, file in rows}


def longest_first(items: list[pytest.Item]) -> None:
    """Of several processes none has a long file to itself at the end; what is short stays in its order."""
    seconds = long_files()
    items.sort(key=lambda item: -seconds.get(item.nodeid.partition("::")[0], 0.0))


ON_DEMAND = {"bench": "a measurement", "slow": "takes minutes"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for name, what in ON_DEMAND.items():
        if name not in (config.option.markexpr or ""):
            skip = pytest.mark.skip(reason=f"{what}; run with -m {name}")
            for item in items:
                if name in item.keywords:
                    item.add_marker(skip)
    if "PYTEST_XDIST_WORKER" in os.environ:
        longest_first(items)
