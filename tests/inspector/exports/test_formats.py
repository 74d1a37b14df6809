"""The table of what can be written: the suffix decides, and what is not in the table is refused."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import inspector
from core.errors import BadInput
from inspector.exports.formats import FORMATS, Format, endings, format_of

ROOT = Path(__file__).resolve().parents[3]
SIGNATURES = {
    ".png": b"\x89PNG",
    ".tga": b"\0\0\x02",
    ".bmp": b"BM",
    ".dds": b"DDS ",
    ".tiff": b"II*\0",
    ".npy": b"\x93NUMPY",
    ".raw": b"",
    ".bin": b"",
    ".txt": b"",
    ".csv": b"",
    ".obj": b"#",
    ".ply": b"ply\n",
    ".glb": b"glTF",
    ".gltf": b'{"asset":',
    ".html": b"<!DOCTYPE html>",
    ".json": b"{",
}


def test_a_suffix_names_one_format_of_a_kind() -> None:
    places = [(row.kind, row.suffix) for row in FORMATS]
    assert len(set(places)) == len(places)
    assert all(row.suffix == row.suffix.lower() and row.suffix.startswith(".") for row in FORMATS)


@pytest.mark.parametrize("row", FORMATS, ids=lambda row: f"{row.kind}{row.suffix}")
def test_every_format_is_found_in_both_cases_and_listed(row: Format) -> None:
    assert format_of(Path(f"folder.exr/x{row.suffix}"), row.kind) is row
    assert format_of(Path(f"x{row.suffix.upper()}"), row.kind) is row
    listed = re.search(rf"{re.escape(row.suffix)}(?:, \.\w+)* \((.*?)\)(?:,|$)", endings(row.kind))
    assert listed and listed[1] == row.holds


@pytest.mark.parametrize("name", ["x.jpg", "x.exr", "x.gltf", "x.stl", "x", "png", ".png", "x.png.gz"])
def test_what_there_is_no_format_for_is_refused_with_the_list(name: str) -> None:
    with pytest.raises(BadInput, match=rf"^{re.escape(name)}: .*; choose \.png, .*, \.dds "):
        format_of(Path(name), "picture", "surface")


def test_standard_output_and_devices_get_the_first_format() -> None:
    assert format_of(Path("-"), "vertices").suffix == ".csv"
    if Path("/dev/null").exists():
        assert format_of(Path("/dev/null"), "picture", "surface").suffix == ".png"


def test_what_is_made_is_what_the_table_says(room: inspector.Capture) -> None:
    event = int(room.draws[-1])
    grid = room.vertices(event, "assembled")
    made = {
        ("picture", ".png"): (np.zeros((2, 3, 4), np.uint8),),
        ("surface", ".dds"): (room.moment(event), "render_target"),
        ("picture", ".tga"): (np.zeros((2, 3, 4), np.uint8),),
        ("picture", ".bmp"): (np.zeros((2, 3, 4), np.uint8),),
        ("slice", ".tiff"): (room.moment(event), "depth"),
        ("slice", ".npy"): (room.moment(event), "depth"),
        ("slice", ".raw"): (room.moment(event), "render_target"),
        ("vertices", ".csv"): (grid, "title"),
        ("vertices", ".obj"): (grid, "title"),
        ("vertices", ".ply"): (grid, "title"),
        ("vertices", ".glb"): (grid, "title", lambda: ()),
        ("vertices", ".gltf"): (grid, "title", lambda: ()),
        ("rows", ".csv"): (("a", "b"), [(1, None)]),
        ("report", ".html"): (room, event, 0, None),
        ("edits", ".json"): (inspector.WhatIf.of("disable 5"),),
    }
    for (kind, suffix), about in made.items():
        data = format_of(Path(f"x{suffix}"), kind).make(*about)
        assert isinstance(data, bytes)
        assert data.lower().startswith(SIGNATURES[suffix].lower()), suffix
        if kind == "picture":
            assert Image.open(io.BytesIO(data)).size == (3, 2)
        if kind == "rows":
            assert data == b"a,b\n1,\n"


def test_the_manual_lists_the_formats() -> None:
    page = (ROOT / "docs" / "manual.md").read_text(encoding="utf-8")
    for row in FORMATS:
        assert f"| `{row.suffix}` | {row.name} | {row.holds} |" in page
