"""Vertices as CSV and OBJ, read again by a parser of the test's own and held against what was drawn."""

from __future__ import annotations

import csv
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from inspector.cli import main
from inspector.exports.vertices import obj, vertices_csv
from inspector.query.draws.vertices import Grid
from inspector.tape import TapeWriter
from tests.inspector.conftest import ROOM
from tests.scenes.kit import Stage, t

TORUS, FVF = 2945, 0x112  # XYZ | NORMAL | TEX1


def parsed(text: str) -> tuple[dict[str, np.ndarray], dict[str, list[list[list[int | None]]]]]:
    """(v, vt, vn; points, lines and faces as corners of up to three numbers from 0)."""
    numbers: dict[str, list[list[float]]] = {"v": [], "vt": [], "vn": []}
    shapes: dict[str, list[list[list[int | None]]]] = {"p": [], "l": [], "f": []}
    for line in text.splitlines():
        word, *rest = line.split()
        if word in numbers:
            numbers[word].append([float(part) for part in rest])
        elif word in shapes:
            shapes[word].append([[int(part) - 1 if part else None for part in corner.split("/")] for corner in rest])
        else:
            assert word in ("#", "mtllib", "usemtl")
    return {word: np.array(rows) for word, rows in numbers.items()}, shapes


def drawn(folder: Path, kind: str, count: int, vertices: Sequence[Sequence[float]]) -> inspector.Capture:
    path = folder / f"{kind}.ddicap"
    with TapeWriter(path, durable=False) as writer:
        scene = Stage(writer)
        scene.tokens(
            t("SETVERTEXSHADER", shader=FVF), t("SETSTREAMSOURCEUM", stride=32),
            t("DRAWPRIMITIVE", type=kind, start=0, count=count),
            vertices=[struct.pack("<8f", *vertex) for vertex in vertices], stride=32,
        )  # fmt: skip
    return inspector.open(path)


VERTICES = [(x, y, 0.1 * x, 0, 0.6, 0.8, x / 4, y / 4) for x, y in ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2.5, 1e-7))]


@pytest.mark.parametrize(
    ("kind", "count", "shapes"),
    [
        ("POINTLIST", 3, [{0}, {1}, {2}]),
        ("LINELIST", 2, [{0, 1}, {2, 3}]),
        ("LINESTRIP", 3, [{0, 1}, {1, 2}, {2, 3}]),
        ("TRIANGLELIST", 2, [{0, 1, 2}, {3, 4, 5}]),
        ("TRIANGLESTRIP", 3, [{0, 1, 2}, {1, 2, 3}, {2, 3, 4}]),
        ("TRIANGLEFAN", 3, [{0, 1, 2}, {0, 2, 3}, {0, 3, 4}]),
    ],
)
def test_what_was_drawn_is_in_both_files(tmp_path: Path, kind: str, count: int, shapes: list[set[int]]) -> None:
    with drawn(tmp_path, kind, count, VERTICES) as capture:
        grid = capture.vertices(int(capture.draws[0]), "assembled")
    used = 1 + max(max(shape) for shape in shapes)
    expected = np.array(VERTICES, np.float32)[:used]
    rows = list(csv.DictReader(vertices_csv(grid).decode().splitlines()))
    names = [f"position.{axis} [object space]" for axis in "xyz"] + [f"normal.{axis}" for axis in "xyz"]
    found = [[np.float32(row[name]) for name in (*names, "texture 0.u", "texture 0.v")] for row in rows]
    assert np.array_equal(np.array(found, np.float32), expected)
    assert [int(row["vertex"]) for row in rows] == list(range(used))
    numbers, elements = parsed(obj(grid).decode())
    assert np.array_equal(numbers["v"].astype(np.float32), expected[:, :3] * np.float32([1, 1, -1]))
    assert np.allclose(numbers["vt"], [(u, 1 - v) for u, v in expected[:, 6:]], atol=1e-7)
    assert np.array_equal(numbers["vn"].astype(np.float32), expected[:, 3:6] * np.float32([1, 1, -1]))
    word = "p" if kind == "POINTLIST" else "l" if kind.startswith("LINE") else "f"
    assert [{corner[0] for corner in shape} for shape in elements[word]] == shapes
    assert sum(map(len, elements.values())) == count
    assert all(len(set(corner) - {None}) == 1 for shape in elements[word] for corner in shape)


@pytest.mark.parametrize("kind", ["TRIANGLESTRIP", "TRIANGLEFAN"])
def test_a_strip_and_a_fan_turn_one_way(tmp_path: Path, kind: str) -> None:
    """A row and a disc of triangles, the first one clockwise as seen along z: counter-clockwise in a right-handed space."""
    strip = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    fan = [(0, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1)]
    places = strip if kind == "TRIANGLESTRIP" else fan
    with drawn(tmp_path, kind, 4, [(x, y, 0.5, 0, 0, -1, 0, 0) for x, y in places]) as capture:
        numbers, elements = parsed(obj(capture.vertices(int(capture.draws[0]), "assembled")).decode())
    for face in elements["f"]:
        a, b, c = (numbers["v"][corner[0]] for corner in face)
        assert np.cross(b - a, c - a)[2] > 0


@pytest.mark.parametrize("which", ["assembled", "transformed", "clipped"])
def test_the_torus_looks_as_it_does_in_the_capture(room: inspector.Capture, which: str) -> None:
    grid = room.vertices(TORUS, which)
    numbers, elements = parsed(obj(grid, "torus").decode())
    corners = np.array([[corner[0] for corner in face] for face in elements["f"]])
    a, b, c = (numbers["v"][corners[:, n]] for n in range(3))
    across = np.cross(b - a, c - a)
    if which == "assembled":  # fronts are outside, where the normals point
        normals = numbers["vn"][corners].sum(axis=1)
        assert len(corners) == 1440 and ((across * normals).sum(axis=1) > 0).all()
        assert len(numbers["v"]) == len(set(grid.rows["vertex"].tolist())) < len(grid.rows)
    else:  # of the screen: what is drawn turns counter-clockwise, what is culled the other way
        fates = room.vertices(TORUS, "primitives").rows["fate"]
        assert len(corners) == len(fates)
        assert ((across[:, 2] > 0) == (fates == "drawn"))[np.abs(across[:, 2]) > 1].all()


def test_screen_and_program_coordinates_have_their_units(room: inspector.Capture) -> None:
    titles = vertices_csv(room.vertices(TORUS, "transformed")).decode().partition("\n")[0].split(",")
    assert {"vertex", "screen.x [pixels]", "screen.z [0..1]", "rhw [1/w]", "diffuse.r [0..1]", "texture 7.q"} <= set(titles)
    titles = vertices_csv(room.vertices(2790, "assembled")).decode().partition("\n")[0].split(",")  # XYZRHW
    assert {"position.x [pixels]", "position.z [0..1]", "position.w [1/w]"} <= set(titles)


def test_what_is_no_number_and_what_is_no_shape(room: inspector.Capture) -> None:
    rows = np.zeros(6, [("position.x", "f4"), ("position.y", "f4"), ("position.z", "f4")])
    rows["position.x"][:3], rows["position.y"][0] = (0, 1, 2), 1
    rows["position.x"][4] = np.nan
    grid = Grid(list(rows.dtype.names), rows, primitive="TRIANGLELIST")
    numbers, elements = parsed(obj(grid).decode())
    assert len(numbers["v"]) == 6 and np.isfinite(numbers["v"]).all() and len(elements["f"]) == 1
    assert vertices_csv(grid).decode().splitlines()[5] == "nan,0.0,0.0"
    for which in ("streams", "primitives"):
        with pytest.raises(BadInput, match="no triangles"):
            obj(room.vertices(TORUS, which))
    with pytest.raises(BadInput, match="no position"):
        obj(Grid(["v4.x"], np.zeros(3, [("v4.x", "f4")]), primitive="POINTLIST"))


def test_the_command_writes_and_prints(room: inspector.Capture, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "torus.OBJ"
    assert main(["vertices", str(ROOM), "--event", str(TORUS), "-o", str(path)]) == 0
    assert "4,320 rows, assembled" in capsys.readouterr().out
    assert len(parsed(path.read_text())[1]["f"]) == 1440
    assert main(["vertices", str(ROOM), "--event", str(TORUS), "--which", "streams"]) == 0
    printed = list(csv.reader(capsys.readouterr().out.splitlines()))
    assert len(printed) == 1 + len(room.vertices(TORUS, "streams").rows)
    assert main(["vertices", str(ROOM), "--event", str(TORUS), "--which", "streams", "-o", str(path)]) == 2
    assert "no triangles" in capsys.readouterr().err
    assert main(["vertices", str(ROOM), "--event", "0"]) == 0  # says why there is nothing
    assert "draws no primitives" in capsys.readouterr().err
