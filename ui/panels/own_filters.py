"""The menu next to a filter or a query: saves it under a name, applies or removes saved ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtWidgets import QInputDialog, QLineEdit, QMenu, QToolButton

from ui.widgets.controls import tool
from ui.widgets.sql_edit import SqlEdit

LONGEST = 60
"""Characters of a filter that a menu shows."""


class OwnFilters:
    """`button`: next to `edit`; `kept`: name -> text, passed to `keep` when it changes; `what`: what the texts are."""

    def __init__(
        self, edit: QLineEdit | SqlEdit, kept: Mapping[str, str], keep: Callable[[dict[str, str]], object], what: str = "filter"
    ) -> None:
        self._edit, self._keep, self._what = edit, keep, what
        self.kept = {name: text for name, text in kept.items() if isinstance(text, str)}
        self.button = tool(f"{what.capitalize()}s", f"Save this {what}, or choose a saved one", "save")
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.button)
        self.menu.aboutToShow.connect(self.fill)
        self.button.setMenu(self.menu)

    def fill(self) -> None:
        """The menu as it is now."""
        self.menu.clear()
        self.menu.addAction(f"Save {self._what}…", self.ask_name).setEnabled(bool(self._edit.text().strip()))
        self.menu.addSeparator()
        for name, text in self.kept.items():
            text_line = " ".join(text.split())
            shown = text_line if len(text_line) <= LONGEST else text_line[:LONGEST] + "…"
            self.menu.addAction(f"{name}\t{shown}".replace("&", "&&"), partial(self._edit.setText, text))
        if not self.kept:
            self.menu.addAction(f"No saved {self._what}s").setEnabled(False)
            return
        removing = self.menu.addMenu("Remove")
        for name in self.kept:
            removing.addAction(name.replace("&", "&&"), partial(self.remove, name))

    def ask_name(self) -> None:
        """Saves what is written under a name; one that is taken is replaced."""
        name, is_given = QInputDialog.getText(self._edit, f"Save {self._what}", "Name")
        if is_given and name.strip():
            self.put(name.strip(), self._edit.text().strip())

    def put(self, name: str, text: str) -> None:
        self.kept[name] = text
        self._keep(self.kept)

    def remove(self, name: str) -> None:
        self.kept.pop(name, None)
        self._keep(self.kept)
