"""ddi-inspector notes: marked places with text, which are the window's bookmarks, and the page in its Notes panel."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from core.errors import BadInput, cannot
from inspector.capture import Capture
from inspector.cli.arguments import json_option, number, pixel, place, surface
from inspector.cli.opening import event_of, opened, or_last_draw, print_json
from inspector.cli.tables import save_rows, table_option
from inspector.focus import RENDER_TARGET, Focus
from inspector.tape.bookmarks import LARGEST, Bookmark, Bookmarks

EXAMPLES = (
    "notes game.trace",
    "notes game.trace --add 'the roof is black' --frame 2 --pixel 320,240",
    "notes game.trace -o notes.md",
    "notes game.trace --change 1 'the roof is black again' --json",
    "notes game.trace --remove 1",
)


def declare(command: argparse.ArgumentParser) -> None:
    what = command.add_mutually_exclusive_group()
    what.add_argument("--add", metavar="TEXT", help="add a note; its first line is its name")
    what.add_argument("--change", nargs=2, metavar=("N", "TEXT"), help="give note N of the list another text")
    what.add_argument("--remove", type=number, metavar="N", help="remove note N of the list")
    what.add_argument("--load", type=Path, metavar="JSON", help="add the notes of a .json file that -o wrote")
    place(command)
    command.add_argument("--surface", type=surface, default=RENDER_TARGET, help="with --add: the surface, a handle or a role")
    command.add_argument("--pixel", type=pixel, metavar="X,Y", help="with --add: a pixel of the surface")
    command.add_argument("--primitive", type=number, help="with --add: a primitive of the event")
    table_option(command)
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        notes = Bookmarks(capture.tape, capture.path)
        edit(capture, notes, chosen)
        rows = [row(capture, n, note) for n, note in enumerate(notes.all(), 1)]
        page = notes.page().strip()
    if chosen.json:
        print_json(rows)
    elif chosen.output is None:
        for one in rows:
            frame = "" if one["frame"] is None else f", frame {one['frame']}"
            print(f"{one['note']:3}  {one['place']}{frame}  " + one["text"].replace("\n", "\n     "))
        print(f"{len(rows)} note{'' if len(rows) == 1 else 's'}" + (f"\n\n{page}" if page else ""))
    if chosen.output is not None:
        save_rows(chosen.output, rows)
    return 0


def edit(capture: Capture, notes: Bookmarks, chosen: argparse.Namespace) -> None:
    """Adds, changes or removes what is asked for."""
    if chosen.add is not None:
        event = or_last_draw(capture, event_of(capture, chosen))
        notes.add(Focus(event, chosen.primitive, chosen.surface, pixel=chosen.pixel), chosen.add)
    elif chosen.change is not None:
        notes.change(numbered(notes, which(chosen.change[0])).number, chosen.change[1])
    elif chosen.remove is not None:
        notes.remove(numbered(notes, chosen.remove).number)
    elif chosen.load is not None:
        for focus, text in loaded(chosen.load):
            capture.check_event(focus.event)
            notes.add(focus, text)


def which(text: str) -> int:
    """The number of a note, which argparse took as a text."""
    if not text.isdecimal():
        raise BadInput(f"--change: {text!r} is not the number of a note")
    return int(text)


def numbered(notes: Bookmarks, wanted: int) -> Bookmark:
    """Note `wanted` of the list, from 1."""
    found = notes.all()
    if not 1 <= wanted <= len(found):
        raise BadInput(f"note {wanted} is out of range ({f'1 to {len(found)}' if found else 'the capture has none'})")
    return found[wanted - 1]


def row(capture: Capture, n: int, note: Bookmark) -> dict[str, Any]:
    event = note.focus.event
    frame = capture.frame_of(event) if 0 <= event < len(capture.events) else None
    return {"note": n, "place": note.focus.text(), "frame": frame, "text": note.text, "created": note.created}


def loaded(path: Path) -> list[tuple[Focus, str]]:
    """The places and texts of a file; BadInput unless all of them can be read."""
    try:
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{path}: {path.stat().st_size:,} bytes are too many for notes")
        rows = json.loads(path.read_text(encoding="utf-8"))
        return [(Focus.parse(str(row["place"])), str(row["text"])) for row in rows]
    except OSError as error:
        raise BadInput(cannot("read", path, error)) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(f"{path}: not the .json of notes") from error
