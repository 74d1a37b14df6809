"""What is killed: writers that print a line for everything they have acknowledged.

python -m tests.soak.writers WORK FOLDER [ROUNDS]
"""

from __future__ import annotations

import itertools
import os
import random
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from core.ddi.calls import DdiCall
from core.errors import BadInput
from inspector.tape import Tape, TapeWriter

CALLS = 40  # from one commit to the next


def say(text: object) -> None:
    print(text, flush=True)


def record(folder: Path, rounds: Iterable[int]) -> None:
    with TapeWriter(folder / "a.ddicap") as writer:
        say("begun")
        for number in rounds:
            for handle in range(number * CALLS, (number + 1) * CALLS):
                contents = {"contents": random.Random(handle).randbytes(2000)} if not handle % 10 else {}
                writer.append(DdiCall("Lock", {"handle": handle}, contents))
            writer.commit()
            say(writer.call_count)


def annotate(folder: Path, rounds: Iterable[int]) -> None:
    with Tape(folder / "a.ddicap") as tape:
        say("begun")
        for number in rounds:
            tape.annotate("event 1", f"note {number}")
            say(f"note {number}")


def convert(folder: Path, rounds: Iterable[int]) -> None:
    from inspector.files import write_bytes

    say("begun")
    for number in rounds:
        write_bytes(folder / "out.png", bytes([number % 256]) * 200_000)


def convert_capture(folder: Path, rounds: Iterable[int]) -> None:
    """The command, which takes its time between two calls: nearly every moment is in the middle of a file."""
    from inspector.cli import main
    from inspector.exports import recording
    from tests.soak.trials import ROOM

    begun: list[bool] = []

    def slowly(do: Callable[..., Any]) -> Callable[..., Any]:
        def done(*given: Any, **named: Any) -> Any:
            if not begun:
                begun.append(True)
                say("begun")
            time.sleep(0.002)
            return do(*given, **named)

        return done

    recording.pack_record = slowly(recording.pack_record)
    for name in ("append", "append_calls", "append_sources", "keep_blob", "commit", "close"):
        setattr(TapeWriter, name, slowly(getattr(TapeWriter, name)))
    work = [(ROOM, "out.ddirec"), (folder / "a.trace", "out.ddicap")]
    random.shuffle(work)
    for _ in rounds:
        for source, target in work:
            assert main(["convert", str(source), str(folder / target)]) == 0


def import_(folder: Path, rounds: Iterable[int]) -> None:
    from inspector.imports.cache import open_trace

    say("begun")
    for _ in rounds:
        open_trace(folder / "a.trace").close()
        for path in (folder / "cache").rglob("*.ddicap"):
            path.unlink()


def side(folder: Path, rounds: Iterable[int]) -> None:
    import numpy as np

    from inspector.tape.side import SideCache
    from inspector.timeline.kept import Kept

    kept = Kept(SideCache("ab" * 16), 1 << 30)
    say("begun")
    for number in rounds:
        kept.keep("value", (number, np.full(50_000, number)))


def settings(folder: Path, rounds: Iterable[int]) -> None:
    from PySide6.QtCore import QSettings

    from ui.settings import Settings

    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    kept = Settings(store)
    say("begun")
    for number in rounds:
        kept.keys = {f"command {n}": [f"Ctrl+{number}"] for n in range(200)}
        store.sync()
        say(number)


def recent(folder: Path, rounds: Iterable[int]) -> None:
    """Another window opens a file in each round."""
    _add_recent(folder, "other", rounds)


def recent_too(folder: Path, rounds: Iterable[int]) -> None:
    """One more window, at the same time."""
    _add_recent(folder, "third", rounds)


def _add_recent(folder: Path, name: str, rounds: Iterable[int]) -> None:
    from PySide6.QtCore import QSettings

    from ui.settings import Settings

    kept = Settings(QSettings(str(folder / "a.ini"), QSettings.Format.IniFormat))
    say("begun")
    for number in rounds:
        path = folder / f"{name} {number}"
        path.touch()
        kept.add_recent(path)


def bookmarks(folder: Path, rounds: Iterable[int]) -> None:
    """Sets bookmarks of a trace, removes every other one."""
    from inspector.focus import Focus
    from inspector.tape.bookmarks import Bookmarks

    marks = Bookmarks(None, folder / "a.trace")
    name = f"by {os.getpid()}"
    say("begun")
    for number in rounds:
        marks.add(Focus(event=number), f"{name}, kept {number}")
        marks.add(Focus(event=number), f"{name}, removed {number}")
        mine = next(one for one in marks.all() if one.text == f"{name}, removed {number}")
        marks.remove(mine.number)
        say(f"{name}, kept {number}")


def turn(folder: Path, rounds: Iterable[int]) -> None:
    """Has the turn, and keeps it."""
    from core.folders import in_turn

    with in_turn("a thing") as mine:
        say("begun" if mine else "refused")
        for _ in rounds:
            time.sleep(1.0)


def window(folder: Path, rounds: Iterable[int]) -> None:
    """Goes from draw to draw in a window; says what it shows."""
    import xxhash
    from PySide6.QtCore import QSettings

    import inspector
    from tests.fuzz.shown import application, shown
    from ui.settings import Settings

    application()
    with shown(Settings(QSettings(str(folder / "a.ini"), QSettings.Format.IniFormat)), inspector.open) as seen:
        seen.open(folder / "a.ddicap")
        assert seen.window.desk.capture is not None
        draws = seen.window.desk.capture.draws.tolist()
        say("begun")
        for number in rounds:
            event = draws[number * 7 % len(draws)]
            seen.window.desk.focus.go(event=event)
            while (picture := seen.window.surface.picture) is None or picture.event != event:
                seen.turn(0.01)
            say(f"{picture.event} {xxhash.xxh3_64_hexdigest(picture.stored.tobytes())}")


WORKS: dict[str, Callable[[Path, Iterable[int]], None]] = {
    "record": record, "annotate": annotate, "convert": convert, "convert capture": convert_capture, "import": import_,
    "side": side, "settings": settings,
    "recent": recent, "recent too": recent_too, "bookmarks": bookmarks, "turn": turn, "window": window,
}  # fmt: skip


def main() -> int:
    work, folder, *rounds = sys.argv[1:]
    try:
        WORKS[work](Path(folder), range(int(rounds[0])) if rounds else itertools.count())
    except BadInput as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
