"""Registration with file managers: the types of capture files, their icon, their program, their thumbnails.

Linux: files below XDG_DATA_HOME, as the freedesktop.org specifications of desktop entries, shared MIME information and icon
themes, and GNOME's of thumbnailers say.  Windows: keys of HKEY_CURRENT_USER.  Both are the user's own: no administrator needed.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import BadInput, cannot
from core.sources import PROJECT

APP_ID = "DdiInspector.Window"
"""Windows groups the window's buttons in the taskbar by it; `ui.app` says so at start."""
PROGRAM_ID = "DdiInspector.Capture"
NAME, COMMENT = "DDI Inspector", "A frame debugger for Direct3D 8 and older"
CLASSES = r"Software\Classes"


@dataclass(frozen=True)
class Kind:
    """A kind of file.  `magic`: rows of offset and text, all of which it has.  `ours`: no other program's files end so."""

    suffix: str
    mime: str
    title: str
    magic: tuple[tuple[int, str], ...] = ()
    ours: bool = True


KINDS = (
    Kind(".ddicap", "application/x-ddicap", "Direct3D 8 capture", ((0, "SQLite format 3"), (68, "DDIC"))),
    Kind(".ddirec", "application/x-ddirec", "Recording of a display driver", ((0, "DDIREC"),)),
    Kind(".trace", "application/x-apitrace", "API trace", (), ours=False),
)


def integrate() -> list[str]:
    """Registers the program; a line for each thing written.  Raises BadInput where that is not possible."""
    return _do(_write_files, _write_keys)


def remove() -> list[str]:
    """Removes what `integrate` wrote; a line for each thing removed."""
    return _do(_remove_files, _remove_keys)


def _do(for_linux: Any, for_windows: Any) -> list[str]:
    try:
        if sys.platform == "win32":
            import winreg

            return list(for_windows(winreg))
        if sys.platform == "darwin":
            raise BadInput("macOS associates files with application bundles only; drop captures on the window")
        return list(for_linux(data_home()))
    except OSError as error:
        raise BadInput(cannot("write", error.filename or "the registry", error)) from error


def program(window: bool) -> list[str]:
    """The command that starts the window's program or the commands', from an installation or a checkout."""
    suffix = ".exe" if sys.platform == "win32" else ""
    installed = Path(sys.executable).with_name(f"ddi-inspector{'-window' * window}{suffix}")
    if (PROJECT / "run.py").exists() or not installed.exists():
        return [sys.executable, str(PROJECT / "run.py")]
    return [str(installed)]


# ---- Linux -----------------------------------------------------------------------------------


def data_home() -> Path:
    chosen = os.environ.get("XDG_DATA_HOME", "")
    return Path(chosen) if os.path.isabs(chosen) else Path("~/.local/share").expanduser()


def files() -> dict[str, str]:
    """Text of each file by its path below the data folder."""
    icon = (PROJECT / "resources" / "icons" / "ddi-inspector.svg").read_text(encoding="utf-8")
    return {
        "applications/ddi-inspector.desktop": desktop_entry(),
        "mime/packages/ddi-inspector.xml": mime_package(),
        "thumbnailers/ddi-inspector.thumbnailer": thumbnailer(),
        "icons/hicolor/scalable/apps/ddi-inspector.svg": icon,
        **{f"icons/hicolor/scalable/mimetypes/{kind.mime.replace('/', '-')}.svg": icon for kind in KINDS if kind.ours},
    }


def desktop_entry() -> str:
    mimes = "".join(f"{kind.mime};" for kind in KINDS)
    lines = (
        *("Type=Application", f"Name={NAME}", "GenericName=Frame debugger", f"Comment={COMMENT}", "Icon=ddi-inspector"),
        *(f"Exec={quoted(program(window=True))} %f", f"MimeType={mimes}", "Categories=Development;Debugger;Graphics;"),
        *("Keywords=Direct3D;apitrace;DDI;", "StartupWMClass=ddi-inspector", "Terminal=false"),
    )
    return "\n".join(["[Desktop Entry]", *lines, ""])


def thumbnailer() -> str:
    """Only of captures: another file would have to be imported first."""
    lines = (f"Exec={quoted(program(window=False))} thumbnail %i %o --size %s", f"MimeType={KINDS[0].mime};")
    return "\n".join(["[Thumbnailer Entry]", *lines, ""])


def quoted(words: list[str]) -> str:
    """A command as desktop entries have it: in double quotes, four characters escaped, % doubled."""
    return " ".join('"' + "".join("\\" * (letter in '"`$\\') + letter for letter in word) + '"' for word in words).replace(
        "%", "%%"
    )


def mime_package() -> str:
    types = "\n".join(map(_mime_type, KINDS))
    space = "http://www.freedesktop.org/standards/shared-mime-info"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<mime-info xmlns="{space}">\n{types}\n</mime-info>\n'


def _mime_type(kind: Kind) -> str:
    matches = ""
    for offset, text in reversed(kind.magic):
        inside = f">{matches}</match>" if matches else "/>"
        matches = f'<match type="string" value="{text}" offset="{offset}"{inside}'
    magic = f'\n    <magic priority="60">{matches}</magic>' if matches else ""
    weight = "" if kind.ours else ' weight="40"'
    glob = f'<glob pattern="*{kind.suffix}"{weight}/>'
    return f'  <mime-type type="{kind.mime}">\n    <comment>{kind.title}</comment>{magic}\n    {glob}\n  </mime-type>'


def _write_files(home: Path) -> Iterator[str]:
    for name, text in files().items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        yield str(path)
    _refresh(home)


def _remove_files(home: Path) -> Iterator[str]:
    for name in files():
        with suppress(FileNotFoundError):
            (home / name).unlink()
            yield f"removed {home / name}"
    _refresh(home)


def _refresh(home: Path) -> None:
    """Has the databases of these folders built again, where they are used."""
    for command in (
        "update-mime-database mime",
        "update-desktop-database applications",
        "gtk-update-icon-cache -q -t icons/hicolor",
    ):
        *words, folder = shlex.split(command)
        if (tool := shutil.which(words[0])) and (home / folder).is_dir():
            subprocess.run([tool, *words[1:], str(home / folder)], capture_output=True, check=False)


# ---- Windows ---------------------------------------------------------------------------------


def keys() -> Iterator[tuple[str, str, str]]:
    """(key below HKEY_CURRENT_USER, name of the value, value)."""
    ours = rf"{CLASSES}\{PROGRAM_ID}"
    yield ours, "", "Direct3D 8 capture"
    yield ours, "AppUserModelID", APP_ID
    yield rf"{ours}\DefaultIcon", "", str(PROJECT / "resources" / "icons" / "ddi-inspector.ico")
    yield rf"{ours}\shell\open\command", "", subprocess.list2cmdline([*program(window=True), "%1"]).replace("%1", '"%1"')
    for kind in KINDS:
        yield rf"{CLASSES}\{kind.suffix}\OpenWithProgids", PROGRAM_ID, ""
        if kind.ours:
            yield rf"{CLASSES}\{kind.suffix}", "", PROGRAM_ID


def _write_keys(registry: Any) -> Iterator[str]:
    for key, name, value in keys():
        with registry.CreateKeyEx(registry.HKEY_CURRENT_USER, key, 0, registry.KEY_WRITE) as opened:
            registry.SetValueEx(opened, name, 0, registry.REG_SZ, value)
    yield from (f"{kind.suffix}: opened with {NAME}" if kind.ours else f"{kind.suffix}: {NAME} is offered" for kind in KINDS)
    _tell_explorer()


def _remove_keys(registry: Any) -> Iterator[str]:
    """Removes the values that are still as they were written, and the keys that are empty then."""
    written = list(keys())
    for key, name, value in written:
        with (
            suppress(FileNotFoundError),
            registry.OpenKey(registry.HKEY_CURRENT_USER, key, 0, registry.KEY_ALL_ACCESS) as opened,
        ):
            if key.startswith(rf"{CLASSES}\{PROGRAM_ID}") or registry.QueryValueEx(opened, name)[0] == value:
                registry.DeleteValue(opened, name)
                yield f"removed {key} {name}".rstrip()
    folders = {parent for key, _, _ in written for parent in _parents(key)}
    for key in sorted(folders, key=len, reverse=True):
        with suppress(OSError):
            with registry.OpenKey(registry.HKEY_CURRENT_USER, key) as opened:
                empty = registry.QueryInfoKey(opened)[:2] == (0, 0)
            if empty:
                registry.DeleteKey(registry.HKEY_CURRENT_USER, key)
    _tell_explorer()


def _parents(key: str) -> Iterator[str]:
    """A key and those above it, up to that of the classes."""
    while key != CLASSES:
        yield key
        key = key.rpartition("\\")[0]


def _tell_explorer() -> None:
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.shell32.SHChangeNotify(0x08000000, 0, None, None)  # SHCNE_ASSOCCHANGED
