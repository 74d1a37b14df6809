"""Twenty questions that a newcomer asks: CONTRIBUTING.md answers each in a row, and the file named holds what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROWS = re.findall(r"^\| (.*?) \| (.*)$", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.M)

QUESTIONS = (
    ("fog", "core/pipeline/pixel/fog.py", "def apply_fog("),
    ("a token", "core/spec/tokens.py", "class Token:"),
    ("what a click on a pixel does", "ui/panels/surface.py", "picked.connect("),
    ("the `.ddicap` schema and its version", "inspector/tape/schema.py", "VERSION = "),
    ("the cache of compiled kernels, and every other cache", "core/kernels/cache.py", "def cache_folder("),
    ("the undo log", "core/pipeline/observe/journal.py", "class Journal"),
    ("the thread that asks", "ui/ask.py", "QThreadPool("),
    ("a finding", "core/device/device.py", "def find("),
    ("an export format", "inspector/exports/formats.py", "FORMATS"),
    ("keys and shortcuts", "ui/keys/commands.py", "Ctrl+"),
    ("multisample resolve", "core/pipeline/surface/resolve.py", "def resolve"),
    ("settings, environment variables, budgets", "ui/settings.py", "class Settings"),
    ("A4R4G4B4, and DXT", "core/pipeline/surface/formats/texels.py", "def "),
    ("the bytes of an apitrace file", "inspector/imports/containers.py", "class Container"),
    ("the HTML report", "inspector/exports/report.py", "def report("),
    ("the theme", "ui/style.py", "def apply("),
    ("the top-left rule", "core/pipeline/pixel/setup.py", "def edge_function("),
    ("the sentence on why a fragment ended", "inspector/query/pixels/fates.py", "class Reasons"),
    ("the kind of an event (draw, clear, copy, ...)", "inspector/timeline/kinds.py", "def kinds_of("),
    ("the token that an API call becomes, or why none", "core/runtime/rows/table.py", "class Row"),
)


@pytest.mark.parametrize(("asked", "file", "holds"), QUESTIONS, ids=[asked for asked, *_ in QUESTIONS])
def test_a_row_answers(asked: str, file: str, holds: str) -> None:
    [answer] = [text for question, text in ROWS if question == asked]
    assert f"`{file}`" in answer
    assert holds in (ROOT / file).read_text(encoding="utf-8")
