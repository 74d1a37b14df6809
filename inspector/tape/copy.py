"""Recovery: copies the readable part of a tape to a new file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from core.errors import Cancelled
from inspector.progress import Progress
from inspector.tape import database
from inspector.tape.packing import shrunk
from inspector.tape.reader import Tape

COLUMNS = {
    "entry": 2, "blob": 4, "batch": 5, "signature": 4, "source": 4, "finding": 3, "pointer": 3, "annotation": 4, "thumbnail": 2,
}  # fmt: skip


def copy_tape(tape: Tape, path: Path | str, progress: Progress | None = None) -> None:
    """Writes what is intact in `tape` to a new `.ddicap`, with the notices that say what is missing."""
    path = Path(path)
    with database.errors_named(path, "create it"):
        database.remove(path)
        db = database.create(path, durable=False)
    try:
        with database.errors_named(path, "write to it"):
            db.execute("BEGIN")
            for number, (table, columns) in enumerate(COLUMNS.items()):
                if progress and progress(number / len(COLUMNS), f"copying {table}") is False:
                    raise Cancelled("copy cancelled")
                db.executemany(f"INSERT OR IGNORE INTO {table} VALUES({', '.join('?' * columns)})", _intact(tape, table))
            meta = {**tape.meta, "closed": True, "notices": tape.notices}
            meta |= {"calls": len(tape.calls), "sources": tape.source_count}
            db.executemany("INSERT INTO meta VALUES(?, ?)", [(key, json.dumps(value)) for key, value in meta.items()])
            db.execute("COMMIT")
            db.execute("PRAGMA journal_mode = DELETE").fetchone()
    finally:
        db.close()


def _intact(tape: Tape, table: str) -> Iterator[tuple]:
    """The readable rows of a table, data compressed; of calls and source calls those that the tape shows."""
    shown = {"batch": len(tape.calls), "source": tape.source_count}.get(table)
    for row in tape.rows(table):
        if shown is None or row[0] < shown:
            yield (*row[:3], shrunk(row[3])) if table == "blob" else row
