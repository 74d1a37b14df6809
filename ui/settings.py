"""What the window remembers from one day to the next."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

LAYOUT_VERSION = 3
MOST_RECENT = 10


class Settings:
    def __init__(self, store: QSettings | None = None) -> None:
        self._store = store or QSettings("DDI Inspector", "DDI Inspector")

    @property
    def theme(self) -> str:
        return str(self._store.value("theme", "system"))

    @theme.setter
    def theme(self, name: str) -> None:
        self._store.setValue("theme", name)

    @property
    def keys(self) -> dict[str, Any]:
        """By command the keys that the user has changed, as they were kept: not checked."""
        try:
            kept = json.loads(str(self._store.value("keys", "{}")))
        except ValueError:
            return {}
        return kept if isinstance(kept, dict) else {}

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
    def recent(self) -> list[str]:
        """The captures opened last, newest first, that are still there."""
        paths = self._store.value("recent", [])
        listed = paths if isinstance(paths, list) else [paths] if paths else []
        return [path for path in map(str, listed) if Path(path).exists()]

    def add_recent(self, path: Path) -> None:
        text = str(path.resolve())
        self._store.sync()  # another window may have opened something meanwhile
        self._store.setValue("recent", [text, *(old for old in self.recent if old != text)][:MOST_RECENT])
        self._store.sync()

    def save_layout(self, geometry: QByteArray, docks: QByteArray | None) -> None:
        """`docks`: None as long as no capture was open; then what was saved before stays."""
        self._store.setValue(f"geometry/{LAYOUT_VERSION}", geometry)
        if docks is not None:
            self._store.setValue(f"layout/{LAYOUT_VERSION}", docks)

    def layout(self) -> tuple[QByteArray | None, QByteArray | None]:
        """The window's geometry and the layout of its docks as saved."""
        geometry, docks = (self._store.value(f"{what}/{LAYOUT_VERSION}") for what in ("geometry", "layout"))
        return geometry if isinstance(geometry, QByteArray) else None, docks if isinstance(docks, QByteArray) else None
