"""Pictures of strangers: three formats, limited, and a sentence for everything else."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import EpsImagePlugin, Image

from core.errors import BadInput
from inspector import pictures
from inspector.query.comparison.right import Picture
from inspector.query.what_if.as_json import from_values, to_values
from inspector.query.what_if.edits import Texture

EPS = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 8 8\n%%EndComments\nshowpage\n%%EOF\n"
PIXELS = np.arange(4 * 3 * 4, dtype=np.uint8).reshape(3, 4, 4)


def saved(form: str) -> bytes:
    file = io.BytesIO()
    Image.fromarray(PIXELS).convert("RGB").save(file, form)
    return file.getvalue()


def chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def bomb(width: int, height: int) -> bytes:
    """A PNG of few bytes that claims a size."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(99))) + chunk(b"IEND", b"")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes when Pillow is about to start Ghostscript."""
    notes: list[str] = []

    def start(*_: object, **__: object) -> Image.Image:
        notes.append("started")
        return Image.new("RGB", (8, 8))

    monkeypatch.setattr(EpsImagePlugin, "Ghostscript", start)
    return notes


def test_no_picture_starts_another_program(tmp_path: Path, started: list[str]) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(EPS)
    for ask in (
        lambda: Texture(5, EPS).picture(),
        lambda: from_values(to_values((Texture(5, EPS),)))[0].picture(),  # type: ignore[union-attr]
        lambda: Texture.of(5, path),
        lambda: Picture.of(path),
        lambda: Picture.of(EPS),
    ):
        with pytest.raises(BadInput, match="cannot be read as an image: it is not PNG"):
            ask()
    assert not started


@pytest.mark.parametrize("form", ["PNG", "BMP", "JPEG"])
def test_pictures_of_these_formats_are_read(form: str, tmp_path: Path) -> None:
    path = tmp_path / "picture"
    path.write_bytes(saved(form))
    assert Texture.of(5, path).picture().size == (4, 3)
    assert Picture.of(path).pixels.shape == (3, 4, 3)


@pytest.mark.parametrize("form", ["GIF", "TIFF", "PPM", "WEBP", "ICO"])
def test_no_others_are(form: str) -> None:
    with pytest.raises(BadInput, match="PNG, BMP or JPEG"):
        Picture.of(saved(form))


def test_an_edit_holds_a_png_and_nothing_else() -> None:
    with pytest.raises(BadInput, match=r"the image of texture 5: .* it is not PNG"):
        Texture(5, saved("BMP")).picture()


@pytest.mark.parametrize(("width", "height"), [(8193, 8192), (13_000, 13_000), (20_000, 20_000), (1 << 30, 1 << 30)])
def test_a_picture_has_a_largest_size(width: int, height: int) -> None:
    with pytest.raises(BadInput, match=r"the image of texture 5: an image of more than 67,108,864 pixels"):
        Texture(5, bomb(width, height)).picture()


def test_a_file_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.png: no such file"):
        Texture.of(5, tmp_path / "none.png")


@given(st.binary(max_size=200), st.integers(0, 80), st.sampled_from(["PNG", "BMP", "JPEG"]))
def test_damaged_pictures_are_pictures_or_bad_input(data: bytes, at: int, form: str) -> None:
    whole = saved(form)
    try:
        assert pictures.read(whole[:at] + data + whole[at + len(data) :], "it").size
    except BadInput as error:
        assert str(error).startswith("it: ")
