"""Recordings of drivers: records with arguments and data of any kind, whose checksums are right; some cut or changed."""

from __future__ import annotations

import random
from pathlib import Path

import inspector
from inspector.tape.recording import Record, pack_header, pack_record
from tests.fuzz.dp2 import entry, stream
from tests.fuzz.harness import main
from tests.inspector.imports.test_recording import some_records
from tests.inspector.test_hostile import damaged


def recorded(chooser: random.Random) -> list[Record]:
    """Calls that draw, with arguments as a recorder would have written them."""
    calls = [stream(chooser) if chooser.random() < 0.6 else entry(chooser) for _ in range(chooser.randrange(1, 6))]
    found = some_records()
    for call in calls:
        args = {name: tuple(value) if isinstance(value, list) else value for name, value in call.args.items()}
        args = {name: value for name, value in args.items() if isinstance(value, int) and 0 <= value < 1 << 31}
        found.append(Record(call.entry, args=args, data={name: bytes(blob) for name, blob in call.data.items()}))
    return found


def case(chooser: random.Random, folder: Path) -> None:
    """Opened and asked for some pictures."""
    path = folder / "a.ddirec"
    data = pack_header() + b"".join(pack_record(n, record) for n, record in enumerate(recorded(chooser)))
    path.write_bytes(damaged(data, chooser) if chooser.random() < 0.3 else data)
    with inspector.open(path) as capture:
        for _ in range(2 if len(capture.events) else 0):
            capture.image(chooser.randrange(len(capture.events)))


if __name__ == "__main__":
    main(case)
