"""Show in folder: the file is selected where the system's file manager can do that."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import ClassInfo, QObject, QUrl, Slot
from PySide6.QtDBus import QDBusConnection
from PySide6.QtGui import QDesktopServices

from ui import file_manager
from ui.file_manager import PLACE, SERVICE, ask_file_manager, mac_command, show_in_folder, windows_command

needs_bus = pytest.mark.skipif(shutil.which("dbus-daemon") is None, reason="needs dbus-daemon (Debian package dbus-daemon)")


@ClassInfo({"D-Bus Interface": SERVICE})
class FileManager(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.shown: list[Any] = []

    @Slot("QStringList", str)
    def ShowItems(self, uris: list[str], start: str) -> None:
        self.shown.append(list(uris))


@pytest.fixture
def bus() -> Iterator[str]:
    """The address of a session bus of its own."""
    with subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as daemon:  # fmt: skip
        assert daemon.stdout is not None
        yield daemon.stdout.readline().strip()
        for name in ("manager", "window"):
            QDBusConnection.disconnectFromBus(name)
        daemon.terminate()


@needs_bus
def test_the_file_manager_of_the_session_shows_the_file(qtbot: Any, bus: str, tmp_path: Path) -> None:
    manager, gone = FileManager(), []
    path = tmp_path / "half done, #1 ü%20.png"
    path.touch()
    window = QDBusConnection.connectToBus(bus, "window")
    ask_file_manager(path, lambda: gone.append(path), window)
    qtbot.waitUntil(lambda: gone == [path])  # no file manager yet
    there = QDBusConnection.connectToBus(bus, "manager")
    assert there.registerObject(PLACE, manager, QDBusConnection.RegisterOption.ExportAllSlots)
    assert there.registerService(SERVICE)
    ask_file_manager(path, lambda: gone.append(path), window)
    qtbot.waitUntil(lambda: bool(manager.shown))
    assert [QUrl(uri).toLocalFile() for uri in manager.shown[0]] == [str(path)]
    assert manager.shown[0][0].isascii() and "#" not in manager.shown[0][0], "the file's name is encoded"
    qtbot.waitUntil(lambda: not file_manager._asked)
    assert gone == [path]


def test_without_a_session_bus_the_folder_opens(tmp_path: Path) -> None:
    gone: list[bool] = []
    ask_file_manager(tmp_path, lambda: gone.append(True), QDBusConnection("nowhere"))
    assert gone == [True]


def test_commands_select_the_file_and_have_no_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYSTEMROOT", r"D:\Win")
    odd: Any = r"C:\a b, c\x & y.png"
    assert windows_command(odd) == r'"D:\Win\explorer.exe" /select,"C:\a b, c\x & y.png"'
    assert mac_command(Path("/a b/$x.png")) == ["/usr/bin/open", "-R", "/a b/$x.png"]


@pytest.mark.parametrize("there", [True, False])
def test_a_file_that_has_gone_and_a_command_that_is_missing_open_the_folder(
    there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setitem(file_manager.COMMANDS, "darwin", lambda path: [str(tmp_path / "no such program"), str(path)])
    path = tmp_path / "x.png"
    if there:
        path.touch()
    show_in_folder(path)
    assert opened == [str(tmp_path)]
