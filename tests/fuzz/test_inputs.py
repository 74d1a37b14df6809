"""The harnesses that take inputs: a few of fixed seeds whenever the tests run, and again everything that was a defect once."""

from __future__ import annotations

import os
import random
import re
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QSettings, QTimer, qWarning
from PySide6.QtWidgets import QWidget

from core.errors import BadInput
from tests.conftest import ROOT
from tests.fuzz import exports, lanes, shown, windows
from tests.fuzz.inputs import FOUND, LONGEST, Harness, distinct
from tests.ui.fake import FakeCapture
from ui.settings import Settings

NAMES = (
    "captures",
    "commands",
    "ddraw",
    "exports",
    "filters",
    "formats",
    "lanes",
    "links",
    "notes",
    "patches",
    "settings",
    "sql",
    "what_ifs",
    "windows",
)
BY_HAND = windows.LONGEST_BLOCK
KEPT = [path.relative_to(FOUND) for path in sorted(FOUND.glob("*/*"))]


def harness_of(name: str) -> Harness:
    found = import_module(f"tests.fuzz.{name}").HARNESS
    assert isinstance(found, Harness) and found.name == name
    return found


@pytest.fixture(autouse=True)
def loose(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times are judged by hand and at night."""
    monkeypatch.setattr(windows, "LONGEST_BLOCK", windows.LONGEST_BLOCK_IN_SUITE)


@pytest.mark.parametrize("name", NAMES)
def test_no_input_is_a_defect(name: str, tmp_path: Path, qapp: object) -> None:
    fuzzed = harness_of(name)
    phases = [Phase.generate, Phase.shrink] if fuzzed.seconds <= LONGEST else [Phase.generate]

    @settings(max_examples=fuzzed.few, derandomize=True, database=None, deadline=None, phases=phases,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(st.integers(0, 1 << 32))
    def each(seed: int) -> None:
        fuzzed.case(random.Random(seed), tmp_path)

    each()
    end = time.monotonic() + float(os.environ.get("DDI_FUZZ_SECONDS", "0"))
    seed = 1 << 32  # hypothesis goes up to there
    while (seed := seed + 1) and time.monotonic() < end:
        fuzzed.case(random.Random(seed), tmp_path)


@pytest.mark.parametrize("kept", KEPT, ids=str)
def test_what_was_found_once_stays_away(kept: Path, tmp_path: Path, qapp: object) -> None:
    harness_of(kept.parts[0]).execute((FOUND / kept).read_bytes(), tmp_path)


def test_every_harness_runs_at_night() -> None:
    names = {path.stem for path in Path(__file__).parent.glob("*.py") if path.read_text(encoding="utf-8").count("\nHARNESS = ")}
    assert names == set(NAMES)
    workflow = (ROOT / ".github" / "workflows" / "fuzz.yml").read_text(encoding="utf-8")
    listed = re.search(r"harness: \[(.*?)\]", workflow, re.S)
    assert listed is not None
    assert set(re.split(r"[,\s]+", listed[1].strip())) == names | {"dp2", "shaders", "traces", "recordings"}


def test_plain_python_carries_out_the_same(tmp_path: Path) -> None:
    inputs = [lanes.small(seed) for seed in range(8)]
    compiled, plain = (lanes.in_a_process(inputs, tmp_path, disabled) for disabled in (False, True))
    assert compiled == plain and all(len(found) > 3 for found in compiled)


def test_every_kind_of_export_is_fuzzed() -> None:
    assert {kind for kind, _ in exports.KINDS} == set(exports.WRITERS)


# ---- that they see


def test_whatever_is_raised_is_a_defect_but_what_is_meant(tmp_path: Path) -> None:
    def run(data: bytes, folder: Path) -> None:
        raise {b"b": BadInput, b"k": KeyError, b"a": AssertionError}[data]("a word")

    fuzzed = Harness("none", lambda chooser: b"", run, 1)
    fuzzed.execute(b"b", tmp_path)
    for data, kind in ((b"k", KeyError), (b"a", AssertionError)):
        with pytest.raises(kind):
            fuzzed.execute(data, tmp_path)


def test_an_input_that_takes_too_long_is_a_defect(tmp_path: Path) -> None:
    fuzzed = Harness("none", lambda chooser: b"", lambda data, folder: sum(range(1000)) and None, 1, seconds=0.0)
    with pytest.raises(AssertionError, match="took"):
        fuzzed.execute(b"", tmp_path)


def test_blocks_of_the_window_are_judged_loosely_in_the_suite(
    tmp_path: Path, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(windows, "_blocks", lambda data, folder: [(0.6, "a click")])
    windows.run(b"", tmp_path)
    monkeypatch.setattr(windows, "LONGEST_BLOCK", BY_HAND)
    with pytest.raises(AssertionError, match=r"stood still: .0\.6, 'a click'"):
        windows.run(b"", tmp_path)


def test_one_kind_is_listed_once() -> None:
    defects = [(3, "KeyError: 5 (a.py:1 b.py:2)"), (4, "KeyError: 7 (a.py:1 b.py:2)"), (9, "KeyError: 5 (a.py:1 b.py:3)")]
    assert [seed for seed, _ in distinct(defects)] == [3, 9]


def test_inputs_are_what_their_seeds_make(qapp: object) -> None:
    for name in NAMES:
        fuzzed = harness_of(name)
        first, again, other = (fuzzed.make(random.Random(seed)) for seed in (5, 5, 6))
        assert first == again != other, name


def _fault(kind: str) -> None:
    if kind == "raised":
        raise KeyError("in a slot")
    if kind == "Qt":
        qWarning("a complaint")


@pytest.mark.parametrize(("kind", "says"), [("raised", "KeyError: 'in a slot'"), ("Qt", "Qt: a complaint"), ("nothing", "")])
def test_a_watched_window_reports_what_goes_wrong_in_it(kind: str, says: str, tmp_path: Path, qapp: object) -> None:
    before = sys.excepthook
    settings = Settings(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))

    def look() -> None:
        with shown.shown(settings, lambda path, progress: FakeCapture(), tmp_path) as watched:
            QTimer.singleShot(0, lambda: _fault(kind))
            watched.turn(0.05)

    if says:
        with pytest.raises(AssertionError, match=re.escape(says)):
            look()
    else:
        look()
    assert sys.excepthook is before


@pytest.mark.parametrize(
    "action", [["click", 0, 0.5, 0.5], ["double", 0, 0.5, 0.5], ["drag", 0, 0.5, 0.5, 9, 9], ["wheel", 0, 0.5, 0.5, 120]]
)
def test_the_mouse_does_nothing_to_a_widget_that_is_gone(
    action: list[Any], tmp_path: Path, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = QWidget()
    shiboken6.delete(gone)
    monkeypatch.setattr(shown.Watched, "_widget", lambda *about: (gone, QPoint(1, 1)))
    settings = Settings(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))
    with shown.shown(settings, lambda path, progress: FakeCapture(), tmp_path) as watched:
        watched.act(action)


def test_a_watched_window_counts_blocks(tmp_path: Path, qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "BLOCK", 0.0)
    settings = Settings(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))
    with shown.shown(settings, lambda path, progress: FakeCapture(), tmp_path) as watched:
        watched.act(["resize", 700, 500])
    assert ("['resize', 700, 500]") in {doing for _, doing in watched.blocks}
