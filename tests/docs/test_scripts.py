"""The programs of examples/, run as a user runs them, on captures whose answers are known beforehand."""

from __future__ import annotations

import ast
import csv
import json
import runpy
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import ddi_inspector as ddi
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS
from core.spec.enums import ClearFlag, Fvf, Pool, PrimitiveType
from core.spec.formats import FORMAT_BY_NAME
from core.spec.states import RENDER_STATE_ID
from inspector.imports.scripts import record
from tests.conftest import ROOT

EXAMPLES = ROOT / "examples"
WIDTH, HEIGHT = 32, 16
RED, BLUE, WHITE = 0xFFFF0000, 0xFF0000FF, 0xFFFFFFFF


def rectangle(width: int, color: int) -> np.ndarray:
    """A strip over the left `width` columns: position, diffuse, coordinates."""
    corners = np.array([(x - 0.5, y - 0.5, 0, 1, 0, x / WIDTH, y / HEIGHT)
                        for x in (0, width) for y in (HEIGHT, 0)], np.float32)  # fmt: skip
    corners.view(np.uint32)[:, 4] = color
    return corners


def drawing(path: Path, *rectangles: tuple[int, int]) -> Path:
    """A capture of one frame, cleared, with these (width, colour) drawn over each other, times a white texture."""
    with record(path) as d3d:
        x8r8g8b8 = FORMAT_BY_NAME["X8R8G8B8"].id
        device = d3d.CreateDevice(0, 1, 0, 0x40, D3DPRESENT_PARAMETERS(WIDTH, HEIGHT, x8r8g8b8))
        texture = device.CreateTexture(4, 2, 1, 0, FORMAT_BY_NAME["A8R8G8B8"].id, Pool.MANAGED)
        texture.LockRect(0, None, 0).view(np.uint32)[:2, :4] = WHITE
        texture.UnlockRect(0)
        device.Clear(0, None, ClearFlag.TARGET, 0, 1.0, 0)
        device.BeginScene()
        device.SetRenderState(RENDER_STATE_ID["CULLMODE"], 1)
        device.SetTexture(0, texture)
        device.SetVertexShader(Fvf.XYZRHW | Fvf.DIFFUSE | Fvf.TEX1)
        for width, color in rectangles:
            device.DrawPrimitiveUP(PrimitiveType.TRIANGLESTRIP, 2, rectangle(width, color).tobytes(), 28)
        device.EndScene()
        device.Present(None, None, None, None)
    return path


@pytest.fixture
def half(tmp_path: Path) -> Path:
    """All red, then the left half blue."""
    return drawing(tmp_path / "half.ddicap", (WIDTH, RED), (WIDTH // 2, BLUE))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """`run("overdraw", capture)`: exit code, lines printed."""

    def call(name: str, *words: object) -> tuple[int, list[str]]:
        monkeypatch.setattr(sys, "argv", [name, *map(str, words)])
        code = 0
        try:
            runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
        except SystemExit as ended:
            code = int(ended.code or 0)
        return code, capsys.readouterr().out.splitlines()

    return call


def draws_of(path: Path) -> list[int]:
    with ddi.open(path) as capture:
        return capture.draws.tolist()


def test_draws_with_a_texture(run: Any, half: Path) -> None:
    with ddi.open(half) as capture:
        used = capture.ask(ddi.UsedTextures())
    assert [(one.width, one.height) for one in used] == [(4, 2)]
    code, printed = run("draws_with_texture", half, used[0].handle)
    assert code == 0
    assert [line.partition(":")[0] for line in printed] == [f"frame 0, event {event}" for event in draws_of(half)]


def test_all_textures_once(run: Any, half: Path, tmp_path: Path) -> None:
    assert run("all_textures", half, tmp_path / "out") == (0, ["1 textures"])
    (row,) = csv.DictReader((tmp_path / "out" / "index.csv").read_text(encoding="utf-8").splitlines())
    assert (row["width"], row["height"], row["format"], row["draws"]) == ("4", "2", "A8R8G8B8", "2")
    for suffix in ("png", "dds"):
        with Image.open(tmp_path / "out" / f"{row['name']}.{suffix}") as file:
            image = np.asarray(file.convert("RGBA"))
        assert image.shape == (2, 4, 4) and (image == 255).all()


def test_overdraw(run: Any, half: Path) -> None:
    assert run("overdraw", half) == (0, ["frame 0: 1.50 per pixel, most 2 at 0,0"])


def test_two_captures(run: Any, half: Path, tmp_path: Path) -> None:
    assert run("compare_captures", half, half) == (0, ["0 states, 0 tokens and 0 surfaces differ"])
    other = drawing(tmp_path / "other.ddicap", (WIDTH, RED), (WIDTH // 4, BLUE))
    code, printed = run("compare_captures", half, other)
    assert code == 1 and any(f"{WIDTH * HEIGHT // 4} pixels within (8, 0, 16, 16)" in line for line in printed)


def test_a_draw_as_gltf(run: Any, half: Path, tmp_path: Path) -> None:
    code, printed = run("draw_to_gltf", half, draws_of(half)[0], tmp_path / "draw.glb")
    assert code == 0 and "4 vertices" in printed[0]
    data = (tmp_path / "draw.glb").read_bytes()
    magic, _, length = struct.unpack_from("<4sII", data)
    document = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    assert (magic, length) == (b"glTF", len(data))
    assert len(document["images"]) == 1
    position = document["meshes"][0]["primitives"][0]["attributes"]["POSITION"]
    assert document["accessors"][position]["count"] == 4


def test_a_pixel_against_a_screenshot(run: Any, half: Path, tmp_path: Path) -> None:
    Image.new("RGB", (WIDTH, HEIGHT), (255, 0, 0)).save(tmp_path / "red.png")
    assert run("assert_pixel", half, 0, "20,3", tmp_path / "red.png") == (0, ["pixel 20,3 is (255, 0, 0)"])
    code, printed = run("assert_pixel", half, 0, "3,3", tmp_path / "red.png")
    assert code == 1 and printed[0] == "pixel 3,3 is (0, 0, 255), the screenshot has (255, 0, 0)"
    assert printed[1].startswith(f"last written by event {draws_of(half)[1]}: ")


def test_a_frame_being_drawn(run: Any, half: Path, tmp_path: Path) -> None:
    code, printed = run("frame_being_drawn", half, 0, tmp_path / "drawn.webp")
    assert code == 0 and printed[0].endswith("5 images")  # the clear, and four triangles
    with Image.open(tmp_path / "drawn.webp") as film:
        assert film.n_frames == 5
        film.seek(4)
        last = film.convert("RGB")
    assert last.getpixel((3, 3)) == (0, 0, 255) and last.getpixel((20, 3)) == (255, 0, 0)


def show(cell: dict[str, Any], names: dict[str, Any]) -> Any:
    """Runs a cell; the value of its last expression."""
    tree = ast.parse("".join(cell["source"]))
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None


def test_the_notebook_runs_and_shows_images_and_tables() -> None:
    notebook = json.loads((EXAMPLES / "notebook.ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] for cell in cells)  # none that may be out of date
    names: dict[str, Any] = {}
    shown = [show(cell, names) for cell in cells]
    assert "<table>" in shown[0]._repr_html_()
    assert shown[1]._repr_png_().startswith(b"\x89PNG")
    assert len(shown[2]) == 10
    assert "ALPHABLENDENABLE" in shown[3]._repr_html_()
    assert "<table>" in shown[5]._repr_html_()
    assert shown[6].sum() == 640 * 480


def test_a_page_lists_every_example() -> None:
    page = (ROOT / "docs" / "examples.md").read_text(encoding="utf-8")
    there = {path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".ipynb")}
    assert len(there) == 8 and {name for name in there if f"`{name}`" in page} == there
