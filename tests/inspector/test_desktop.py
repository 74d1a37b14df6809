"""integrate: what file managers are given, read by the tools that they use."""

from __future__ import annotations

import configparser
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from inspector import desktop
from inspector.cli import main
from tests.conftest import ROOT

ROOM = ROOT / "resources" / "room.ddicap"
CLASSES = r"Software\Classes"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if not sys.platform.startswith("linux"):
        pytest.skip("Linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def entry(path: Path) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(path, encoding="utf-8")
    return parser[parser.sections()[0]]


def test_the_entry_starts_the_window(home: Path) -> None:
    assert main(["integrate"]) == 0
    found = entry(home / "applications" / "ddi-inspector.desktop")
    assert "application/x-ddicap;" in found["MimeType"] and found["Exec"].endswith(" %f")
    command = shlex.split(found["Exec"].removesuffix(" %f"))
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1].startswith("DDI Inspector ")  # run.py may install something first
    if tool := shutil.which("desktop-file-validate"):
        subprocess.run([tool, home / "applications" / "ddi-inspector.desktop"], check=True)


def test_the_thumbnailer_draws(home: Path) -> None:
    main(["integrate"])
    command = entry(home / "thumbnailers" / "ddi-inspector.thumbnailer")["Exec"]
    for place, value in (("%i", str(ROOM)), ("%o", str(home / "thumbnail")), ("%s", "64")):
        command = command.replace(place, value)
    subprocess.run(shlex.split(command), check=True, capture_output=True)
    with Image.open(home / "thumbnail") as picture:
        assert picture.format == "PNG" and picture.size == (64, 48)
        assert len(picture.convert("RGB").getcolors(64 * 64) or []) > 100


def test_types_have_the_magic_of_their_files(home: Path) -> None:
    main(["integrate"])
    tree = ElementTree.parse(home / "mime" / "packages" / "ddi-inspector.xml").getroot()
    space = tree.tag.removesuffix("mime-info")
    data, seen = ROOM.read_bytes(), 0
    for node in tree:
        if node.get("type") == "application/x-ddicap":
            for match in node.iter(f"{space}match"):
                text = (match.get("value") or "").encode()
                assert data[int(match.get("offset") or 0) :].startswith(text)
                seen += 1
    assert seen == 2
    assert {glob.get("pattern") for glob in tree.iter(f"{space}glob")} == {"*.ddicap", "*.ddirec", "*.trace"}


def test_a_file_manager_knows_the_type(home: Path, tool: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """xdg-mime and update-mime-database of the system, where they are."""
    if not shutil.which("update-mime-database") or not shutil.which("xdg-mime"):
        pytest.skip("needs shared-mime-info and xdg-utils")
    main(["integrate"])
    subtypes = {path.name for path in (home / "mime" / "application").iterdir()}
    assert subtypes == {"x-ddicap.xml", "x-ddirec.xml", "x-apitrace.xml"}


def test_removing_leaves_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["integrate"])
    written = capsys.readouterr().out.splitlines()
    assert len(written) == 6 and all(Path(line).is_file() for line in written)
    assert main(["integrate", "--remove"]) == 0
    assert not any(Path(line).exists() for line in written)
    assert main(["integrate", "--remove"]) == 0  # again


def test_a_command_with_blanks_and_percent_is_quoted() -> None:
    assert desktop.quoted(["/a b/c", '100%"$']) == '"/a b/c" "100%%\\"\\$"'


# ---- Windows ---------------------------------------------------------------------------------


class Registry(SimpleNamespace):
    """Of winreg what is used, on a dictionary: key -> name -> value."""

    HKEY_CURRENT_USER, KEY_WRITE, KEY_ALL_ACCESS, REG_SZ = "HKCU", 2, 3, 1

    def __init__(self) -> None:
        super().__init__(kept={CLASSES: {}})

    class Key(str):
        def __enter__(self) -> str:
            return self

        def __exit__(self, *_: object) -> None:
            pass

    def CreateKeyEx(self, root: str, key: str, *_: int) -> Key:
        for end in [n for n, letter in enumerate(key) if letter == "\\"] + [len(key)]:
            self.kept.setdefault(key[:end], {})
        return self.OpenKey(root, key)

    def OpenKey(self, root: str, key: str, *_: int) -> Key:
        if root != "HKCU" or key not in self.kept:
            raise FileNotFoundError(key)
        return self.Key(key)

    def SetValueEx(self, key: str, name: str, _: int, kind: int, value: str) -> None:
        assert kind == self.REG_SZ
        self.kept[key][name] = value

    def QueryValueEx(self, key: str, name: str) -> tuple[str, int]:
        if name not in self.kept[key]:
            raise FileNotFoundError(name)
        return self.kept[key][name], self.REG_SZ

    def DeleteValue(self, key: str, name: str) -> None:
        self.kept[key].pop(name)

    def QueryInfoKey(self, key: str) -> tuple[int, int, int]:
        inside = [other for other in self.kept if other.startswith(f"{key}\\")]
        return len(inside), len(self.kept[key]), 0

    def DeleteKey(self, root: str, key: str) -> None:
        del self.kept[key]


def test_windows_opens_captures_with_the_window() -> None:
    registry = Registry()
    assert len(list(desktop._write_keys(registry))) == 3
    kept = registry.kept
    ours = rf"{CLASSES}\{desktop.PROGRAM_ID}"
    assert kept[rf"{CLASSES}\.ddicap"] == {"": desktop.PROGRAM_ID} and "" not in kept[rf"{CLASSES}\.trace"]
    assert kept[rf"{CLASSES}\.trace\OpenWithProgids"] == {desktop.PROGRAM_ID: ""}
    assert kept[rf"{ours}\shell\open\command"][""].endswith(' "%1"')
    assert Path(kept[rf"{ours}\DefaultIcon"][""]).read_bytes()[:4] == b"\0\0\1\0"


def test_windows_keeps_what_others_have_written_since() -> None:
    registry = Registry()
    list(desktop._write_keys(registry))
    registry.kept[rf"{CLASSES}\.ddirec"][""] = "Another.Program"
    assert len(list(desktop._remove_keys(registry))) > 5
    del registry.kept["Software"]
    assert registry.kept == {CLASSES: {}, rf"{CLASSES}\.ddirec": {"": "Another.Program"}}
