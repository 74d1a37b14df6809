"""A tape's identity in caches: a digest of everything that answers depend on, computed from the contents.

Digests stored in the file are claims: with them a changed copy passed for the genuine capture, and its answers were kept as
that one's.  The hash has no known collisions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

CONTENTS = {
    "entry": "SELECT id, name FROM entry ORDER BY id",
    "batch": "SELECT first, calls, head, body FROM batch ORDER BY first",
    "blob": "SELECT id, size, data FROM blob ORDER BY id",
    "signature": "SELECT kind, id, name, members FROM signature ORDER BY kind, id",
    "source": "SELECT first, calls, data FROM source ORDER BY first",
    "finding": "SELECT source, rule, text FROM finding ORDER BY rowid",
    "pointer": "SELECT source, pointer, handle FROM pointer ORDER BY rowid",
    "meta": "SELECT key, value FROM meta WHERE key IN ('adapters', 'profile', 'trace_properties', 'trace_version') "
    "ORDER BY key",
}
"""Without what is different each time that the same file is imported, or only about the file."""


def name_in_caches(tape: Any) -> str:
    """What names a tape there; "" once something of it could not be read, since what is derived then is of zeros."""
    name = tape.known_as or tape.digest
    return "" if getattr(tape, "damaged", False) else name


def digest(rows: Callable[[str], Iterator[tuple[Any, ...]]]) -> str:
    """32 hexadecimal digits; `rows` answers queries."""
    state = hashlib.blake2b(digest_size=16)
    for table, query in CONTENTS.items():
        state.update(f"{table}\n".encode())
        for row in rows(query):
            for value in row:
                data = value if isinstance(value, bytes) else repr(value).encode()
                state.update(f"{type(value).__name__} {len(data)}:".encode())
                state.update(data)
    return state.hexdigest()
