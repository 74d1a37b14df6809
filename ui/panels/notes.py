"""Notes of the whole capture: Markdown, with links to places, kept with the capture."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from core.errors import BadInput
from inspector.focus import Focus
from inspector.tape.bookmarks import Bookmarks
from ui import style
from ui.panels.panel import Panel
from ui.widgets.controls import halves, label, single_shot, spoken, strip, tool
from ui.widgets.notes_view import NotesView
from ui.widgets.plain import MOST, put_text

DELAY, PREVIEW = 800, 150
"""Milliseconds after the last key until notes are kept, and shown as a page."""
HINT = "Markdown: # Heading, - list, **bold**, `code`. #812 and #event=812&pixel=40,52 lead to places."


class NotesPanel(Panel):
    title, name = "Notes", "notes"
    depends = ()

    def build(self) -> None:
        self.store: Bookmarks | None = None
        self._kept = self._page = ""
        """As the editor has it, and as it was read."""
        self._asked = 0
        self._wanted_from: QWidget | None = None
        """What had the keyboard when it was wanted here, before the notes were read."""
        self.edit = spoken(QPlainTextEdit(), "Notes")
        self.edit.setPlaceholderText(HINT)
        self.edit.setFont(style.mono_font())
        self.edit.setTabChangesFocus(True)
        self.view = NotesView()
        self.view.followed.connect(self.follow)
        here = tool("Insert a link to this place", "Insert a link to the current event, surface and pixel", text="Link here")
        here.clicked.connect(self.insert_place)
        self.said = label(kind="faint")
        self.box.addWidget(strip(here, None, self.said))
        self.box.addWidget(halves(self.edit, self.view, sizes=(140, 220), beside=(300, 400)), 1)
        self._keeping = single_shot(self, DELAY, self.keep_notes)
        self._showing = single_shot(self, PREVIEW, self._show)
        self.edit.textChanged.connect(self._changed)
        self.edit.setEnabled(False)
        self.desk.leaving.connect(self._leave)
        self.desk.returned.connect(self._look_again)

    def first_for_keys(self) -> QWidget:
        self._wanted_from = QApplication.focusWidget() if not self.edit.isEnabled() else None
        return self.edit

    # Keeping: on the asking thread, one after the other

    def capture_changed(self) -> None:
        capture = self.desk.capture
        self.store = Bookmarks(capture.tape, capture.path) if capture is not None else None
        self._put("")
        if self.store is not None:
            store = self.store
            self.edit.setEnabled(False)
            self.desk.ask("notes.page", lambda _: store.page(), self._put, self._refused)

    def grown(self) -> None:
        capture = self.desk.capture
        if capture is not None and capture.complete:  # now its file can be written to
            self.keep_notes()
            self.store = Bookmarks(capture.tape, capture.path)

    def keep_notes(self) -> None:
        """Writes what is there, if it is something else than before."""
        self._keeping.stop()
        text, store = self.edit.toPlainText(), self.store
        if store is not None and text != self._kept:
            self._kept, self._page, self._asked = text, text, self._asked + 1
            self.desk.ask(
                f"notes.{self._asked}", lambda _: store.write_page(text), lambda _: self.said.setText("Kept"), self._refused
            )

    def _leave(self) -> None:
        """The capture is about to go: what is written is kept at once."""
        self._keeping.stop()
        text = self.edit.toPlainText()
        if self.store is not None and text != self._kept:
            try:
                self.store.write_page(text)
            except (BadInput, OSError) as error:
                self.fail(str(error))

    def _refused(self, error: Exception) -> None:
        self.edit.setEnabled(self.store is not None)
        self._kept = "\0"  # whatever is there is tried again
        self.said.setText("Not kept")
        self.fail(str(error))

    def _look_again(self) -> None:
        """Shows what another window of the program has written meanwhile, unless something is being written here."""
        store, before = self.store, self._page
        if store is None or self.edit.toPlainText() != self._kept:
            return

        def take(text: str) -> None:
            unchanged = store is self.store and before == self._page and self.edit.toPlainText() == self._kept
            if unchanged and text != before:
                self._put(text)

        self.desk.ask("notes.again", lambda _: store.page(), take, lambda _: None)

    def _put(self, text: str) -> None:
        self._page = text
        self.edit.blockSignals(True)
        whole = put_text(self.edit, text)
        self.edit.blockSignals(False)
        self._kept = self.edit.toPlainText()  # line ends as the editor has them
        self.edit.setEnabled(self.store is not None and whole)
        here, self._wanted_from = self._wanted_from, None
        if here is not None and here is QApplication.focusWidget():  # who wanted the keyboard here has not gone elsewhere
            self.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._show()
        self.said.setText("" if whole else f"The first {MOST:,} characters; longer notes cannot be edited here")

    # Writing and reading

    def _changed(self) -> None:
        self.said.setText("")
        self._keeping.start()
        self._showing.start()

    def _show(self) -> None:
        text = self.edit.toPlainText()
        self.view.show_notes(text)
        self.view.setVisible(bool(text.strip()))  # an empty page would be half of the panel

    def insert_place(self) -> None:
        """A link to where one looks, at the cursor."""
        place, index = self.desk.focus.focus, self.desk.index
        if index and place.event < len(index) and self.edit.isEnabled():
            self.edit.insertPlainText(f"[{index.name(place.event)} #{place.event}]({place.text()})")
            self.edit.setFocus()

    def follow(self, link: str) -> None:
        """To a place of the capture; anything else is said, not opened."""
        try:
            there = Focus.parse(link) if link.startswith("#") else None
        except BadInput:
            there = None
        count = len(self.desk.index or ())
        if there is None or not 0 <= there.event < count:
            self.said.setText(
                "Links lead to places only, such as #event=812"
                if there is None
                else f"Event {there.event:,} is out of range (0 to {count - 1:,})"
            )
            return
        self.said.setText("")
        self.desk.focus.go_to(there)
