"""The window's settings, kept between sessions."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

from core.errors import cannot
from inspector.files import in_turn
from inspector.timeline.budgets import MEGABYTE, Budgets
from ui.options import BY_NAME

LAYOUT_VERSION = 4
MOST_RECENT = 10
MOST_LEFT = 100
PAGE = 4096  # bytes
NEWER = 2_000_000  # nanoseconds: QSettings compares milliseconds


class Settings:
    def __init__(self, store: QSettings | None = None) -> None:
        self._store = store or QSettings("DDI Inspector", "DDI Inspector")
        self.trouble = ""
        """Why nothing can be kept at the moment, as a sentence."""

    def value(self, name: str) -> Any:
        """One of ui.options."""
        option = BY_NAME[name]
        return option.checked(self._store.value(name, option.usual))

    def put(self, name: str, value: Any) -> None:
        self._store.setValue(name, BY_NAME[name].checked(value))
        self.changed(name)

    def changed(self, name: str) -> None:
        """For the window, which replaces this: an option has another value."""

    def not_kept(self, sentence: str) -> None:
        """For the window, which replaces this: nothing can be kept at the moment; said once until it can again."""

    @property
    def theme(self) -> str:
        return str(self.value("theme"))

    @theme.setter
    def theme(self, name: str) -> None:
        self._store.setValue("theme", name)

    @property
    def keys(self) -> dict[str, Any]:
        """By command the keys that the user has changed, as they were kept: not checked."""
        return self._json("keys")

    @keys.setter
    def keys(self, own: Mapping[str, Sequence[str]]) -> None:
        self._store.setValue("keys", json.dumps(own))

    def kept(self, name: str, default: Any) -> Any:
        """What a panel kept under this name, if it is of the default's type."""
        try:
            value = json.loads(str(self._store.value(f"panels/{name}", "null")))
        except ValueError:
            return default
        return value if isinstance(value, type(default)) else default

    def keep(self, name: str, value: Any) -> None:
        """Remembers what JSON can hold."""
        self._store.setValue(f"panels/{name}", json.dumps(value))

    @property
    def budgets(self) -> Budgets:
        """What the environment says, and else what the user has set."""
        wanted = {name: self.value(name) * MEGABYTE for name in ("memory", "disk")}
        told = Budgets.of_environment()
        usual = Budgets()
        said = {name: getattr(told, name) for name in wanted if getattr(told, name) != getattr(usual, name)}
        return Budgets(**(wanted | said))

    # Where captures were left

    @property
    def last(self) -> str:
        """The capture that was open last; "" for none."""
        return str(self._store.value("last", ""))

    @last.setter
    def last(self, path: str) -> None:
        self._store.setValue("last", path)

    @property
    def ended(self) -> bool:
        """Whether the window was closed as it should; false while one is open."""
        return str(self._store.value("ended", "true")).casefold() == "true"

    @ended.setter
    def ended(self, ended: bool) -> None:
        with self._turn():
            self._store.setValue("ended", "true" if ended else "false")

    def left(self, path: Path) -> Any:
        """Where a capture was left, as it was kept: not checked (ui.session.Left)."""
        return self._json("left").get(str(path.resolve()))

    def leave(self, path: Path, values: Mapping[str, Any]) -> None:
        with self._turn():
            kept = self._json("left")
            kept.pop(str(path.resolve()), None)
            kept[str(path.resolve())] = dict(values)
            newest = dict(list(kept.items())[-MOST_LEFT:])
            self._store.setValue("left", json.dumps(newest))

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Within the block no other window changes what is kept, and all that others have kept is known."""
        with in_turn(f"settings in {self._store.fileName()}"):
            self._make_newer()
            self._store.sync()
            yield
            self._store.sync()
            self._make_newer()
        self._tell_failure()

    def _tell_failure(self) -> None:
        """What could not be written is tried again with the next change: QSettings holds it, but gives no reason."""
        failing = self._store.status() == QSettings.Status.AccessError  # which stays once there was one
        reason = _why_not(Path(self._store.fileName())) if failing else ""
        before, self.trouble = self.trouble, f"Settings and places are not kept at the moment: {reason}." if reason else ""
        if self.trouble and not before:
            self.not_kept(self.trouble)

    def _make_newer(self) -> None:
        """QSettings reads a file again if its size or time is another one: those of two quick writers may be the same."""
        place = self._store.fileName()
        with suppress(OSError):  # no file yet, or the registry
            status = os.stat(place)
            os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns + NEWER))

    def _json(self, name: str) -> dict[str, Any]:
        try:
            kept = json.loads(str(self._store.value(name, "{}")))
        except ValueError:
            return {}
        return kept if isinstance(kept, dict) else {}

    @property
    def recent(self) -> list[str]:
        """The captures opened last, newest first, that are still there."""
        paths = self._store.value("recent", [])
        listed = paths if isinstance(paths, list) else [paths] if paths else []
        return [path for path in map(str, listed) if Path(path).exists()]

    def forget_recent(self, path: Path) -> None:
        """Takes a capture from the list; where it was left is still known."""
        with self._turn():
            self._store.setValue("recent", [old for old in self.recent if Path(old) != path])

    def add_recent(self, path: Path) -> None:
        text = str(path.resolve())
        with self._turn():
            self._store.setValue("recent", [text, *(old for old in self.recent if old != text)][:MOST_RECENT])

    @property
    def recordings(self) -> list[dict[str, str]]:
        """How programs were recorded (ui.recording), the last one first; each has at least its "program"."""
        try:
            kept = json.loads(str(self._store.value("recordings", "[]")))
        except ValueError:
            return []
        rows = kept if isinstance(kept, list) else []
        whole = [{str(name): str(value) for name, value in row.items()} for row in rows if isinstance(row, dict)]
        return [row for row in whole if "program" in row]

    def add_recording(self, row: Mapping[str, str]) -> None:
        with self._turn():
            others = [old for old in self.recordings if old["program"] != row["program"]]
            self._store.setValue("recordings", json.dumps([dict(row), *others][:MOST_RECENT]))

    def save_layout(self, geometry: QByteArray, docks: QByteArray | None) -> None:
        """`docks`: None as long as no capture was open; then what was saved before stays."""
        self._store.setValue(f"geometry/{LAYOUT_VERSION}", geometry)
        if docks is not None:
            self._store.setValue(f"layout/{LAYOUT_VERSION}", docks)

    def layout(self) -> tuple[QByteArray | None, QByteArray | None]:
        """The window's geometry and the layout of its docks as saved."""
        geometry, docks = (self._store.value(f"{what}/{LAYOUT_VERSION}") for what in ("geometry", "layout"))
        return geometry if isinstance(geometry, QByteArray) else None, docks if isinstance(docks, QByteArray) else None

    @property
    def arrangement(self) -> tuple[str, bool]:
        """The layout that was used last, and whether panels were moved since."""
        return str(self._store.value("arrangement", "")), str(self._store.value("moved", "")).casefold() == "true"

    @arrangement.setter
    def arrangement(self, kept: tuple[str, bool]) -> None:
        self._store.setValue("arrangement", kept[0])
        self._store.setValue("moved", "true" if kept[1] else "false")

    @property
    def layouts(self) -> dict[str, QByteArray]:
        """The layouts that the user has saved, by name."""
        names = self._json(f"layouts/{LAYOUT_VERSION}/names")
        found = {name: self._store.value(f"layouts/{LAYOUT_VERSION}/{key}") for name, key in names.items()}
        return {name: state for name, state in found.items() if isinstance(state, QByteArray)}

    def keep_layout(self, name: str, state: QByteArray | None) -> None:
        """Saves a layout; None: removes it."""
        with self._turn():
            kept = self.layouts
            kept.pop(name, None)
            self._put_layouts(kept | ({name: state} if state is not None else {}))

    def _put_layouts(self, layouts: Mapping[str, QByteArray]) -> None:
        self._store.remove(f"layouts/{LAYOUT_VERSION}")
        names = {name: f"state{number}" for number, name in enumerate(layouts)}
        self._store.setValue(f"layouts/{LAYOUT_VERSION}/names", json.dumps(names))
        for name, key in names.items():
            self._store.setValue(f"layouts/{LAYOUT_VERSION}/{key}", layouts[name])


def _why_not(file: Path) -> str:
    """Why as much as is in a file, and a page more, cannot be written beside it; "" if it can."""
    try:
        size = file.stat().st_size if file.is_file() else 0
        folder = next(folder for folder in file.parents if folder.exists())
        with tempfile.TemporaryFile(dir=folder) as trial:
            trial.write(bytes(size + PAGE))
    except OSError as error:
        return cannot("write", file, error)
    return ""
