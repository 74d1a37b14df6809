"""The menu next to a filter or a query: saves it under a name, applies or removes saved ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtWidgets import QInputDialog, QLineEdit, QMenu, QToolButton

from ui.widgets.controls import tool
from ui.widgets.sql_edit import SqlEdit
from ui.words import several

LONGEST = 60
"""Characters of a filter that a menu shows."""


class OwnFilters:
    """`button`: next to `edit`; `kept`: name -> text, passed to `keep` when it changes; `what`: what the texts are;
    `used()`: one was put into `edit`."""

    def __init__(
        self,
        edit: QLineEdit | SqlEdit,
        kept: Mapping[str, str],
        keep: Callable[[dict[str, str]], object],
        what: str = "filter",
        used: Callable[[], object] = lambda: None,
    ) -> None:
        self._edit, self._keep, self._what, self._used = edit, keep, what, used
        self.kept = {name: text for name, text in kept.items() if isinstance(text, str)}
        self.button = tool(several(what).capitalize(), f"Save this {what}, or choose a saved one", "save")
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
            self.menu.addAction(f"{name}\t{shown}".replace("&", "&&"), partial(self.use, text))
        if not self.kept:
            self.menu.addAction(f"No saved {several(self._what)}").setEnabled(False)
            return
        for title, does in (("Rename", self.ask_other_name), ("Remove", self.remove)):
            menu = self.menu.addMenu(title)
            for name in self.kept:
                menu.addAction(f"{name}{'…' * (title == 'Rename')}".replace("&", "&&"), partial(does, name))

    def ask_name(self) -> None:
        """Saves what is written under a name; one that is taken is replaced."""
        name, is_given = QInputDialog.getText(self._edit, f"Save {self._what}", "Name")
        if is_given and name.strip():
            self.put(name.strip(), self._edit.text().strip())

    def ask_other_name(self, name: str) -> None:
        """Gives a saved one another name, at its place in the menu; one that is taken is replaced."""
        other, is_given = QInputDialog.getText(self._edit, f"Rename {self._what}", "Name", text=name)
        if is_given and (other := other.strip()) and other != name:
            self.kept.pop(other, None)
            self.kept = {other if one == name else one: text for one, text in self.kept.items()}
            self._keep(self.kept)

    def use(self, text: str) -> None:
        self._edit.setText(text)
        self._used()

    def put(self, name: str, text: str) -> None:
        self.kept[name] = text
        self._keep(self.kept)

    def remove(self, name: str) -> None:
        self.kept.pop(name, None)
        self._keep(self.kept)
