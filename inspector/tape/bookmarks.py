"""Bookmarks: marked places of a capture, with a name and notes.

Each is an annotation: a place (the text of a Focus) and a text, whose first line is the name.  They are kept in the `.ddicap`
that was opened; of another file, or one that cannot be written to, in a JSON file beside it, or else in the user's folder; of a
capture that is a part of this installation, always in the user's folder:

The notes of the whole capture, a page of Markdown, are kept the same way, with `#notes` as their place.

    {"version": 1, "bookmarks": [{"focus": "#event=812", "text": "the roof", "created": "2026-11-22T12:00:00+00:00"}]}

A file in the user's folder that was written because the one beside the capture could not be holds, in `beside`, what that one
held: the two are read as one.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.folders import in_turn, user_folder
from inspector.files import is_temporary, write_bytes
from inspector.focus import Focus
from inspector.samples import is_shipped
from inspector.tape import database

VERSION, SUFFIX = 1, ".bookmarks.json"
PAGE = "#notes"
"""The place of the notes of the whole capture: that of no event, so that they are no bookmark."""
LARGEST = 1 << 24
"""Bytes of a file of bookmarks that is read."""
_Row = tuple[str, str, str]
"""Of a file: place, text, date."""


@dataclass(frozen=True, slots=True)
class Bookmark:
    """`number` tells those of a capture apart; negative ones are kept beside it.  `created`: UTC, ISO 8601."""

    number: int
    focus: Focus
    text: str
    created: str = ""

    @property
    def name(self) -> str:
        """The first line of its text."""
        return self.text.partition("\n")[0].strip()


def resource_names(bookmarks: Iterable[Bookmark]) -> dict[tuple[int, int], str]:
    """(event of the creation, handle) -> the name of a surface or buffer: a bookmark there that looks at it and at no pixel."""
    named = [one for one in bookmarks if one.name and isinstance(one.focus.surface, int) and one.focus.pixel is None]
    return {(one.focus.event, int(one.focus.surface)): one.name for one in named}


class Bookmarks:
    """Those of one capture; for one thread at a time.  `tape`: with annotations, or without."""

    def __init__(self, tape: Any, path: Path) -> None:
        self._tape, self._path = tape, path
        self._beside = path.with_name(path.name + SUFFIX)
        self._shipped = is_shipped(path)
        self._seen: list[_Row] | None = None  # those that negative numbers count

    def all(self) -> list[Bookmark]:
        """In order of their events.  Annotations whose place is none are left out."""
        noted = [(note.id, note.focus, note.text, note.created) for note in getattr(self._tape, "annotations", ())]
        self._seen = self._read()
        noted += [(-1 - n, *row) for n, row in enumerate(self._seen)]
        found = [one for row in noted if (one := _bookmark(*row)) is not None]
        return sorted(found, key=lambda one: (one.focus.event, one.number < 0, abs(one.number)))

    def add(self, focus: Focus, text: str = "") -> None:
        """One more; BadInput if it can be kept nowhere."""
        if not (self._in_tape and self._tried(lambda: self._tape.annotate(focus.text(), text))):
            with self._turn():
                self._write([*self._read(), (focus.text(), text, _now())])

    def change(self, number: int, text: str) -> None:
        """Another text; of one that another window has removed, nothing.  BadInput for one in a bug bundle or
        in a capture of this installation."""
        if number > 0:
            self._check_kept()
            self._tape.change_annotation(number, text)
        else:
            self._replace(number, lambda row: [(row[0], text, row[2])])

    def remove(self, number: int) -> None:
        """BadInput for one in a bug bundle or in a capture of this installation."""
        if number > 0:
            self._check_kept()
            self._tape.remove_annotation(number)
        else:
            self._replace(number, lambda row: [])

    def page(self) -> str:
        """The notes of the whole capture; those beside it, if there are such, instead of those in it."""
        beside = [text for place, text, _ in self._read() if place == PAGE]
        return "\n\n".join(beside or [note.text for note in self._pages])

    def write_page(self, text: str) -> None:
        """Other notes of the whole capture, "" for none; BadInput if they can be kept nowhere."""
        in_tape = self._in_tape and self._tried(lambda: self._write_in_tape(text))
        with self._turn():
            rows = self._read()
            others = [row for row in rows if row[0] != PAGE]
            hides = bool(self._pages) and not in_tape  # an empty page hides the one that stays in the capture
            wanted = others if in_tape or not (text or hides) else [*others, (PAGE, text, _now())]
            if wanted != rows:
                self._write(wanted)

    def _write_in_tape(self, text: str) -> None:
        first, *others = [*self._pages, None]
        if first is not None and text:
            self._tape.change_annotation(first.id, text)
        elif text:
            self._tape.annotate(PAGE, text)
        for note in others if text else self._pages:
            if note is not None:
                self._tape.remove_annotation(note.id)

    @property
    def _pages(self) -> list[Any]:
        """The annotations that are notes of the whole capture."""
        return [note for note in getattr(self._tape, "annotations", ()) if note.focus == PAGE]

    def _replace(self, number: int, new: Callable[[_Row], list[_Row]]) -> None:
        """The row that had this number when they were listed, wherever it is by now; it keeps its number here."""
        if self._seen is None:
            self._seen = self._read()
        old = self._seen[-1 - number]
        with self._turn():
            rows = self._read()
            if old in rows:
                place = rows.index(old)
                rows[place : place + 1] = new(old)
                self._write(rows)
        self._seen[-1 - number] = (*new(old), old)[0]

    def _turn(self) -> AbstractContextManager[bool]:
        return in_turn(f"bookmarks of {self._path.resolve()}")

    def _check_kept(self) -> None:
        """What is changed in the tape of a bundle is changed in the cache, which forgets it; a shipped tape stays as it is."""
        if self._shipped or os.path.abspath(self._tape.path) != os.path.abspath(self._path):
            raise BadInput(f"{self._path.name} has this note, and stays as it is; add a note of your own")

    @property
    def _in_tape(self) -> bool:
        """Whether the file that was opened takes them: not what was imported from another, which a cache may forget."""
        if self._shipped or not hasattr(self._tape, "annotate") or self._path.suffix.lower() != ".ddicap":
            return False
        return os.access(self._path, os.W_OK) and os.access(self._path.parent, os.W_OK)

    @staticmethod
    def _tried(write: Any) -> bool:
        try:
            write()
        except BadInput:
            return False
        return True

    def _files(self) -> list[Path]:
        """Where they may be kept beside the capture, the best place first; beside one of this installation, nowhere."""
        digest = blake2b(str(self._path.resolve()).encode(errors="replace"), digest_size=16).hexdigest()
        own = user_folder("bookmarks") / f"{digest}.json"
        return [own] if self._shipped else [self._beside, own]

    def _read(self) -> list[_Row]:
        """Those beside the capture, with what was changed in the user's folder while nothing could be written beside it."""
        *beside_it, own = (_held(file) for file in self._files())
        beside = beside_it[0] if beside_it else None
        if own is None or beside is None:
            return _rows((own or beside or {}).get("bookmarks"))
        return _merged(_rows(own.get("beside")), _rows(own.get("bookmarks")), _rows(beside.get("bookmarks")))

    def _write(self, rows: list[_Row]) -> None:
        files = self._files()
        there = [file for file in files if file.is_file()]
        refused: BadInput | OSError | None = None
        for file in there[:1] + [file for file in files if file not in there[:1]]:
            held: dict[str, Any] = {"version": VERSION, "bookmarks": _named(rows)}
            if file != self._beside and (beside := _held(self._beside)) is not None:
                held["beside"] = _named(_rows(beside.get("bookmarks")))
            try:
                if is_temporary(file.parent):
                    raise OSError("no folder of the user's can be written to")
                write_bytes(file, json.dumps(held, ensure_ascii=False, indent=1).encode())
            except (BadInput, OSError) as error:
                refused = error
                continue
            if file == self._beside:  # which has all of them now
                with contextlib.suppress(OSError):
                    files[1].unlink(missing_ok=True)
            return
        raise BadInput(f"{self._path.name}: bookmarks can be kept nowhere: {refused}")


def _held(file: Path) -> dict[str, Any] | None:
    """What a file holds; None for none, and for one that makes no sense."""
    try:
        if not file.is_file() or file.stat().st_size > LARGEST:
            return None
        held = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return held if isinstance(held, dict) else None


def _rows(held: Any) -> list[_Row]:
    """Of the list in a file; what makes no sense in it is left out."""
    known = (row for row in held if isinstance(row, dict)) if isinstance(held, list) else ()
    return [(str(row.get("focus", "")), str(row.get("text", "")), str(row.get("created", ""))) for row in known]


def _named(rows: list[_Row]) -> list[dict[str, str]]:
    return [{"focus": focus, "text": text, "created": created} for focus, text, created in rows]


def _merged(base: list[_Row], own: list[_Row], beside: list[_Row]) -> list[_Row]:
    """`beside` with the changes from `base` to `own`: what another has added there since is kept, too."""
    if beside == base:
        return own
    kept = [row for row in beside if row in own or row not in base]
    return kept + [row for row in own if row not in base and row not in beside]


def keep_place(path: Path, place: Focus) -> None:
    """Has a `.ddicap` say where to begin.  TapeError if it cannot be written to."""
    with database.errors_named(path, "write to it"), contextlib.closing(database.open_to_write(path)) as connection:
        connection.execute("INSERT OR REPLACE INTO meta VALUES('place', ?)", (json.dumps(place.text()),))


def kept_place(capture: Any) -> Focus | None:
    """Where a capture says that one should begin (a bug bundle does); None for none, and for one that it does not have."""
    text = getattr(capture.tape, "meta", {}).get("place")
    try:
        place = Focus.parse(text) if isinstance(text, str) and text else None
    except BadInput:
        return None
    return place if place is not None and 0 <= place.event < len(capture.events) else None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _bookmark(number: int, focus: str, text: str, created: str) -> Bookmark | None:
    try:
        return Bookmark(number, Focus.parse(focus), text, created)
    except BadInput:
        return None
