"""Terminal output: text from files is printed as plain text.

Escape sequences in a capture could move the cursor, hide lines or answer for the user; what turns the direction of writing
could make one name look like another.  They are written as Python would: \\x1b.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any, TextIO

KEPT = "\n\t"
CONTROLS = {
    code: f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
    for code in (*range(0x20), *range(0x7F, 0xA0), 0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
    if chr(code) not in KEPT
}


def some(count: int, word: str, verb: str = "") -> str:
    """A count with a noun, and a verb (in its plural form): "1 surface differs", "2 surfaces differ"."""
    return f"{count:,} {word}{'s' * (count != 1)}" + (f" {verb}{'s' * (count == 1)}" if verb else "")


def sized(size: int) -> str:
    """Bytes in words: "29.8 KB" below a tenth of a megabyte, "3.0 MB" above."""
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size / 1e3:.1f} KB"


class PlainStream:
    """A text stream in front of another: control characters are written out."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(text.translate(CONTROLS))
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def draw(self, text: str) -> None:
        """Writes text of our own as it is: a line of progress that goes back to its beginning."""
        self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def plain_output() -> Iterator[None]:
    """Meanwhile everything that is printed goes through a PlainStream."""
    before: tuple[Any, Any] = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = PlainStream(before[0]), PlainStream(before[1])  # type: ignore[assignment]
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
