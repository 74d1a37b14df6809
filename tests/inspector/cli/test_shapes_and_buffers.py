"""`shape`, `buffer --format`, `buffer --versions`, `resources --memory`: what they write is what the questions answer."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import inspector
from inspector.cli import main
from inspector.query.shapes.painting import Style
from inspector.query.shapes.picture import ShapePicture
from tests.inspector.conftest import ROOM

TORUS, BUFFER = 595, 42


def told(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> str:
    assert main([str(word) for word in words]) == code, capsys.readouterr()
    return capsys.readouterr().out


def test_a_shape_is_saved(room: inspector.Capture, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "torus.png"
    found = json.loads(
        told(capsys, "shape", ROOM, "--event", TORUS, "--color", "normal", "--size", "200,100", "-o", path, "--json")
    )
    assert (found["space"], found["points"], found["shapes"]) == ("object", 4320, 1440)
    with Image.open(path) as image:
        saved = np.asarray(image)[..., :3]
    expected = room.ask(ShapePicture(TORUS, style=Style(attribute="normal"), width=200, height=100))
    assert (saved == expected).all()
    told(capsys, "shape", ROOM, "--event", TORUS, "--turn", "180,0", "-o", path)
    with Image.open(path) as image:
        assert image.size == (800, 600)


@pytest.mark.parametrize(
    "words",
    [("--color", "warmth"), ("--size", "0,5"), ("--turn", "1"), ("--turn", "0,100"), ("--shading", "shiny"), ("-o", "x.obj")],
)
def test_a_shape_that_cannot_be_is_refused(words: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    place = () if "-o" in words else ("-o", str(tmp_path / "x.png"))
    try:
        assert main(["shape", str(ROOM), "--event", str(TORUS), *words, *place]) == 2
    except SystemExit as end:
        assert end.code == 2
    assert not (tmp_path / "x.png").exists()


def test_rows_of_a_buffer(room: inspector.Capture, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ("buffer", ROOM, BUFFER, "--event", TORUS, "--format", "float3 place; skip 20", "--rows", 4)
    found = json.loads(told(capsys, *words, "--json"))
    positions = room.ask(inspector.Streams(TORUS)).streams[0].rows["position"]
    assert [row[2:] for row in found["rows"]] == [pytest.approx(place) for place in positions[:4].tolist()]
    told(capsys, *words, "-o", tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4 and float(rows[1]["place.y"]) == pytest.approx(float(positions[1][1]))


def test_versions_of_a_buffer(capsys: pytest.CaptureFixture[str]) -> None:
    def versions(*words: object) -> list[int]:
        found = json.loads(told(capsys, "buffer", ROOM, BUFFER, "--versions", "--json", *words))
        return [row["event"] for row in found]

    assert versions("--event", TORUS) == [418, 421] and versions("--event", 419) == [418]
    assert versions("--event", TORUS, "--offset", 24928, "--size", 4) == []


def test_memory_over_time(room: inspector.Capture, capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(told(capsys, "resources", ROOM, "--memory", "--json"))
    last = room.surfaces(len(room.events) - 1)
    assert rows[-1]["total"] == sum(info.size for info in last)
    assert rows[-1]["vertex buffer video"] == sum(info.size for info in last if info.label == "vertex buffer")
    assert all(row["total"] == sum(value for name, value in row.items() if name not in ("event", "total")) for row in rows)
