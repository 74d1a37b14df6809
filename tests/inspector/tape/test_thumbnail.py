"""A converted capture carries a picture of itself."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from inspector.tape import Tape
from tests.inspector.conftest import ROOM


def test_the_built_in_capture_shows_its_busiest_frame() -> None:
    with Tape(ROOM) as tape:
        assert tape.thumbnail is not None
        picture = Image.open(io.BytesIO(tape.thumbnail))
    assert picture.size == (320, 240)
    assert len(picture.convert("RGB").getcolors(1 << 17) or []) > 1000


def test_a_new_thumbnail_replaces_the_old(tmp_path: Path) -> None:
    copy = tmp_path / "copy.ddicap"
    copy.write_bytes(ROOM.read_bytes())
    with Tape(copy) as tape:
        tape.keep_thumbnail(b"picture")
        assert tape.thumbnail == b"picture"
