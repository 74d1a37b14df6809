"""What any version wrote, this one opens; what a newer one wrote is one sentence."""

from __future__ import annotations

import shutil
import sqlite3
import zlib
from pathlib import Path
from typing import Any

import pytest

import inspector
from core.errors import BadInput
from inspector.query.what_if.what_if import kept
from inspector.tape import schema
from inspector.version import VERSION
from tests.corpus.make import COLOR, HEIGHT, NOTE, PNG, WIDTH

FOLDER = Path(__file__).parent
VERSIONS = sorted(path.name for path in FOLDER.iterdir() if path.is_dir() and not path.name.startswith("__"))
FILES = ("settings.ini", "small.ddicap", "small.ddirec")
RGBA = [COLOR >> 16 & 255, COLOR >> 8 & 255, COLOR & 255, 255]


def test_this_version_has_its_files() -> None:
    assert VERSION.rpartition(".")[0] in VERSIONS and len(VERSIONS) >= 2
    for version in VERSIONS:
        assert sorted(path.name for path in (FOLDER / version).iterdir()) == list(FILES)


@pytest.fixture(params=VERSIONS)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a version's files."""
    return Path(shutil.copytree(FOLDER / request.param, tmp_path / request.param))


def test_captures_open(folder: Path) -> None:
    with inspector.open(folder / "small.ddicap") as capture:
        assert capture.tape.notices == [] and not capture.tape.damaged
        assert [call.entry for call in capture.calls] == ["CreateSurface"] * 2 + ["ContextCreate", "DrawPrimitives2", "Flip"]
        assert [capture.name(event) for event in (3, 4, 5)] == ["RENDERSTATE", "CLEAR", "Flip"]
        assert capture.state(5)["ALPHAREF"].value == 64
        picture = capture.image(4, "back_buffer")
        assert picture.shape == (HEIGHT, WIDTH, 4) and (picture == RGBA).all()
        assert capture.tape.source(0).name == "IDirect3D8::GetAdapterCount"
        assert capture.tape.annotations[0].text == NOTE and capture.tape.thumbnail == PNG
        capture.tape.annotate("event 4", "one more")
        assert capture.tape.annotations[-1].text == "one more"


@pytest.mark.parametrize("version", [version for version in VERSIONS if not version.startswith("0.1")])
def test_what_ifs_open(version: str) -> None:
    with inspector.open(FOLDER / version / "small.ddicap") as capture:
        ((focus, edits),) = kept(capture)
        assert focus == "event 3"
        assert edits.open(capture).state(5)["ALPHAREF"].value == 0x20


def test_recordings_open(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(folder / "cache"))
    with inspector.open(folder / "small.ddirec") as capture:
        assert [call.entry for call in capture.calls] == ["CreateSurface", "Lock", "Unlock"] * 3
        assert [call.args["handle"] for call in capture.calls] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
        assert all(bytes(capture.calls[number].data["contents"]) == b"\7" * 2048 for number in (2, 5, 8))


def test_settings_open(folder: Path, qtbot: Any) -> None:
    from PySide6.QtCore import QSettings

    from ui.settings import Settings

    settings = Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
    assert settings.theme == "dark" and settings.recent == [] and settings.keys == {}
    assert len(settings.layout()) == 2  # of an older layout: none


def test_a_newer_capture_is_one_sentence(tmp_path: Path) -> None:
    path = Path(shutil.copy(FOLDER / VERSIONS[-1] / "small.ddicap", tmp_path))
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    connection.close()
    with pytest.raises(
        BadInput, match=rf"small\.ddicap: made by a newer version of this program \(schema {schema.VERSION + 1};"
    ):
        inspector.open(path)


def test_a_newer_recording_is_one_sentence(tmp_path: Path) -> None:
    data = bytearray((FOLDER / VERSIONS[-1] / "small.ddirec").read_bytes())
    data[8:10] = (2).to_bytes(2, "little")
    data[28:32] = zlib.crc32(data[:28]).to_bytes(4, "little")
    path = tmp_path / "newer.ddirec"
    path.write_bytes(data)
    with pytest.raises(BadInput, match=r"newer\.ddirec: .*version 2"):
        inspector.open(path)
