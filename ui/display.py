"""Detects whether a window can be shown, before Qt is loaded: Qt ends the process if it cannot.

run.py reads it before anything is installed: standard library only.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import socket
import sys
from contextlib import suppress

from core.errors import BadInput

QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
"""Shared library -> Debian package: what the Qt wheels expect the system to have."""
X11_ONLY = ("libxcb-", "libX11-", "libxkbcommon-x11")
NO_DISPLAY = """cannot open the window: there is no display (DISPLAY and WAYLAND_DISPLAY are not set); \
info, report and all other commands need none"""


def require_display() -> None:
    """Raises BadInput, in one sentence, if Qt cannot open a window."""
    if not sys.platform.startswith("linux"):
        return
    platform = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    wayland = platform != "xcb" and wayland_answers()
    x11 = platform == "xcb" or not (platform or wayland)
    if x11 and not os.environ.get("DISPLAY"):
        raise BadInput(NO_DISPLAY)
    if missing := missing_libraries(x11):
        packages = " ".join(QT_LIBRARIES[name] for name in missing)
        hint = f"; as root: apt-get install {packages}" if shutil.which("apt-get") else ""
        raise BadInput(f"cannot open the window: Qt needs {', '.join(missing)}{hint}")
    if x11 and not x11_answers():
        raise BadInput(f"cannot open the window: the display {os.environ['DISPLAY']} does not answer")


def has_display() -> bool:
    """Whether the environment names a display, or another way to show windows."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def missing_libraries(x11: bool = True) -> list[str]:
    """The libraries that cannot be loaded; with those that only X11 needs, if asked."""
    return [name for name in QT_LIBRARIES if (x11 or not name.startswith(X11_ONLY)) and not loads(name)]


def loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def x11_answers() -> bool:
    """Whether the X server of DISPLAY takes a connection."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # Qt will say
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not failed


def wayland_answers() -> bool:
    """Whether the compositor of WAYLAND_DISPLAY takes a connection."""
    name = os.environ.get("WAYLAND_DISPLAY")
    if not name:
        return False
    path = os.path.join(os.environ.get("XDG_RUNTIME_DIR", ""), name)  # an absolute name stands for itself
    with suppress(OSError), socket.socket(socket.AF_UNIX) as client:
        client.connect(path)
        return True
    return False
