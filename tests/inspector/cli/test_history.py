"""history, touched and pixels on the command line: what they print, beside the examples of the docs, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from inspector.cli import main

ROOM = Path(__file__).resolve().parents[3] / "resources" / "room.ddicap"


def run(*words: object) -> int:
    return main([str(word) for word in words])


def test_history_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("history", ROOM, "--event", 2945, "--draw", "--surface", "depth", "--pixel", "320,240", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    (entry,) = found["entries"]
    assert (entry["event"], entry["primitive"], entry["fate"], entry["token"]) == (2945, 595, "written", "DRAWINDEXEDPRIMITIVE")
    assert found["end"][0]["raw"] == entry["after"]["raw"] and found["fates"] == {"written": 1}


def test_history_of_the_whole_capture(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("history", ROOM, "--all", "--surface", "back_buffer", "--pixel", "0x10,20") == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(" CLEAR " in line for line in lines) == 8


def test_primitives_that_touched_a_rectangle(capsys: pytest.CaptureFixture[str]) -> None:
    where = ("--event", 2945, "--draw", "--rect", "316,237,331,246")
    assert run("touched", ROOM, *where, "--primitives") == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("[595]" in line and line.endswith(" 75 pixels") for line in lines)
    assert run("touched", ROOM, *where, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert {row["primitive"]: row["pixels"] for row in found["primitives"]}[595] == 75
    assert [row["event"] for row in found["events"]] == [2945]


def test_pixels_of_a_primitive_as_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "mask.png"
    assert run("pixels", ROOM, "--event", 2945, "--primitive", 595, "-o", picture, "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["covered"], facts["bounds"]) == (75, [316, 237, 330, 245])
    with Image.open(picture) as image:
        assert (np.asarray(image)[..., :3] == 255).all(axis=2).sum() == 75


@pytest.mark.parametrize(
    "words",
    [
        ("history", "--pixel", "640,0"), ("history", "--pixel", "a,b"), ("history", "--pixel", "1,1", "--frame", "99"),
        ("history", "--pixel", "1,1", "--explain", "0"), ("touched", "--rect", "5,5,5,6"), ("touched", "--rect", "0,0,999,9"),
        ("pixels", "--event", "3"), ("pixels", "--event", "2945", "--primitive", "1", "--pixel", "1,1"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_told_in_a_sentence(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words[0], ROOM, *words[1:]) == 2
    assert capsys.readouterr().err.strip()
