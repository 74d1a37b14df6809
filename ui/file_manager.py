"""Shows a file in the system's file manager, selected in its folder, without a shell.

Windows: `explorer.exe /select,"PATH"`.  macOS: `open -R PATH`.  Elsewhere: ShowItems of org.freedesktop.FileManager1 over D-Bus
(freedesktop.org, "File Manager D-Bus Interface"), which Nautilus, Dolphin, Nemo, Thunar and others have.  Where that does not
work, or the file has gone, its folder is opened.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path, PureWindowsPath

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

SERVICE, PLACE = "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1"
PATIENCE = 4000
"""Milliseconds for a file manager to start; then the folder is opened."""
_asked: set[object] = set()
"""Calls that no answer has come to."""


def show_in_folder(path: Path) -> None:
    """Shows a file where it is, selected if the file manager can do that."""
    path = Path(os.path.abspath(path))
    if not path.exists():
        open_folder(path)
    elif sys.platform in COMMANDS:
        try:
            subprocess.Popen(COMMANDS[sys.platform](path), close_fds=True)
        except OSError:
            open_folder(path)
    else:
        ask_file_manager(path, lambda: open_folder(path))


def open_folder(path: Path) -> None:
    """Opens the folder of a file, with nothing selected."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))


def windows_command(path: Path) -> str:
    """A whole command line: explorer reads its own, in which quotes begin after /select, and no path has one."""
    explorer = PureWindowsPath(os.environ.get("SYSTEMROOT", r"C:\Windows")) / "explorer.exe"
    return f'"{explorer}" /select,"{path}"'


def mac_command(path: Path) -> list[str]:
    return ["/usr/bin/open", "-R", str(path)]


COMMANDS: dict[str, Callable[[Path], str | list[str]]] = {"win32": windows_command, "darwin": mac_command}


def ask_file_manager(path: Path, otherwise: Callable[[], object], bus: object = None) -> None:
    """Has the file manager of the session show a file; `otherwise` is called if there is none, now or later.

    bus: a QDBusConnection instead of the session's.
    """
    try:
        from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher
    except ImportError:  # a Qt without D-Bus
        otherwise()
        return
    connection = bus if isinstance(bus, QDBusConnection) else QDBusConnection.sessionBus()
    if not connection.isConnected():
        otherwise()
        return
    message = QDBusMessage.createMethodCall(SERVICE, PLACE, SERVICE, "ShowItems")
    message.setArguments([[QUrl.fromLocalFile(str(path)).toString(QUrl.ComponentFormattingOption.FullyEncoded)], ""])
    watcher = QDBusPendingCallWatcher(connection.asyncCall(message, PATIENCE))

    def answered(watcher: QDBusPendingCallWatcher) -> None:
        _asked.discard(watcher)
        with contextlib.suppress(RuntimeError):  # the window has gone meanwhile
            if watcher.isError():
                otherwise()

    _asked.add(watcher)
    watcher.finished.connect(answered)
