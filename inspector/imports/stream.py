"""A trace of any length as chunks of whole calls: one byte buffer and one set of columns for the whole file."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.errors import Cancelled, TraceError
from core.runtime.calls.columns import Calls, Names
from core.runtime.calls.values import PADDING
from inspector.imports.containers import PIECE, SNAPPY_LIMIT, Container
from inspector.imports.decoder import CHUNK, Decoder, header
from inspector.imports.follow import Following
from inspector.progress import Cancel, Progress

BUFFER = 1 << 22  # bytes gathered before they are decoded
QUIET_LIMIT = 1 << 26  # bytes after which calls are handed over although one of another thread is still open
EVENT_LIMIT = 1 << 29  # bytes of one event; a lock of the largest texture has a fraction of it
UNPACKED_LIMIT = 1 << 37
FOREIGN_LIMIT = 1 << 18  # calls without any of Direct3D 8 or DirectDraw before a trace counts as foreign
LONGEST_NAME = 60  # characters of a function's name in a sentence
KNOWN = re.compile(r"Direct3DCreate8|IDirect3D\w*8::\w+|DirectDrawCreate(Ex)?$|IDirectDraw\w*::\w+")

BYTE = re.compile(r"byte (\d+)")


class TraceStream:
    """The calls of a trace file, by iterating: (Calls, offset of the end of their bytes), each valid until the next.

    Afterwards `notices` holds sentences about what is missing.  Raises TraceError, Cancelled.
    """

    def __init__(
        self, path: Path, progress: Progress | None = None, cancel: Cancel | None = None, following: Following | None = None,
        hashes: bool = True,
    ) -> None:  # fmt: skip
        """following: reads on as long as the file is written.  hashes: whether there is a `digest` in the end."""
        self.path = path
        self._following, self._hashes = following, hashes
        self.notices: list[str] = []
        self.version = 0
        self.properties: dict[str, str] = {}
        self.count = 0
        self.digest = ""
        """Of the file, after all of it was read."""
        self._decoder = Decoder()
        self._progress = progress
        self._cancel = cancel
        self._data = np.empty(BUFFER + 2 * PIECE + PADDING, np.uint8)
        self._fill = 0
        self._dropped = 0  # unpacked bytes before the buffer
        self._more = True

    @property
    def names(self) -> Names:
        return self._decoder.names

    def __iter__(self) -> Iterator[tuple[Calls, int]]:
        with Container(self.path, self._following, lambda: self._report(container), self._hashes) as container:
            pieces = iter(container)
            while self._more and not self._fill:
                self._gather(pieces, BUFFER, container)
            begin = self._header(container)
            while True:
                begin = yield from self._decode(begin, container)
                self._keep_rest(begin)
                begin = 0
                if not self._more:
                    break
                self._gather(pieces, max(BUFFER, 2 * self._fill), container)  # an event may be larger than the buffer
            yield from self._tail(container)
            if not self._is_known():
                raise TraceError(self._foreign())
            if self._hashes:
                self.digest = container.digest()

    def _header(self, container: Container) -> int:
        if not self._fill and container.cut and container.kind != "brotli":  # of which the first bytes say nothing
            raise TraceError(f"{self.path}: {_cut_off(container)}")
        try:
            if not self._fill:
                raise TraceError("it is cut short before its first byte" if container.cut else "the file holds nothing")
            self.version, self.properties, begin = header(self._data[: self._fill].data)
            if begin > self._fill:
                raise TraceError("the file ends within the header of an API trace")
        except (TraceError, ValueError) as error:
            raise TraceError(f"{self.path}: not an apitrace trace: {error}") from error
        return begin

    # -- bytes --------------------------------------------------------------------------------------------------------

    def _gather(self, pieces: Iterator[bytes | np.ndarray], enough: int, container: Container) -> None:
        """Appends pieces until the buffer holds `enough` bytes, the file ends, or nothing more has been written yet."""
        while self._more and self._fill < enough:
            if self._cancel and self._cancel():
                raise Cancelled("import cancelled")
            self._reserve(self._fill + PIECE)
            container.room = self._data[self._fill : len(self._data) - PADDING]
            piece = next(pieces, None)
            if piece is None:
                self._more = False
                break
            if not len(piece) and container.following is not None:
                self._report(container)
                break
            if self._fill > BUFFER:  # of one event, of which it is not known yet where it ends
                self._report(container)
            if isinstance(piece, bytes):
                self._reserve(self._fill + len(piece))
                self._data[self._fill : self._fill + len(piece)] = np.frombuffer(piece, np.uint8)
            self._fill += len(piece)
        if self._dropped + self._fill > UNPACKED_LIMIT:
            raise TraceError(f"{self.path}: unpacks to more than {UNPACKED_LIMIT >> 30} GiB")
        self._data[self._fill : self._fill + PADDING] = 0

    def _reserve(self, size: int) -> None:
        if size + PADDING > len(self._data):
            if size > EVENT_LIMIT + SNAPPY_LIMIT:
                raise TraceError(f"{self.path}: call {self.count}: its event is larger than {EVENT_LIMIT >> 20} MiB")
            larger = np.empty(min(2 * size, EVENT_LIMIT + SNAPPY_LIMIT) + PADDING, np.uint8)
            larger[: self._fill] = self._data[: self._fill]
            self._data = larger

    def _keep_rest(self, begin: int) -> None:
        """Moves what was not decoded to the front; makes room if that is all there is."""
        if not begin:
            return
        rest = self._fill - begin
        self._data[:rest] = self._data[begin : self._fill].copy()
        self._fill = rest
        self._dropped += begin

    # -- calls --------------------------------------------------------------------------------------------------------

    def _decode(self, begin: int, container: Container) -> Generator[tuple[Calls, int], None, int]:
        """Yields what the buffer holds in whole calls; returns the offset of the rest."""
        while True:
            calls, offset = self._chunk(begin, self._fill >= QUIET_LIMIT)
            if not len(calls):
                return offset
            yield calls, offset
            self._report(container)
            begin = offset
            if self._more and self._fill - begin < PIECE:
                return begin

    def _chunk(self, begin: int, loose: bool) -> tuple[Calls, int]:
        try:
            calls, offset = self._decoder.decode(self._data, begin, self._fill, loose)
        except TraceError as error:
            sentence = BYTE.sub(lambda found: f"byte {int(found[1]) + self._dropped}", str(error))
            is_foreign = self.count and not self._is_known()
            raise TraceError(self._foreign() if is_foreign else f"{self.path}: {sentence}, unpacked") from error
        self.count += len(calls)
        return calls, offset

    def _tail(self, container: Container) -> Iterator[tuple[Calls, int]]:
        """What follows the last place where no call was open: whole calls, less those at the end that lack their results."""
        open_calls = 0
        while self._fill:
            calls, offset = self._chunk(0, True)
            kept = len(calls)
            if len(calls) < CHUNK and len(calls.values) <= 6 * CHUNK:  # else the columns are full, and more follows
                kept = self._whole(calls)
                open_calls = len(calls) - kept
                self.count -= open_calls
            if kept:
                yield _first(calls, kept), offset
            self._keep_rest(offset)
            if not len(calls):
                break
        if self._fill or container.cut or open_calls or container.overwritten:
            self._report_cut(container)

    def _whole(self, calls: Calls) -> int:
        """How many calls to keep: all but those at the end that lack their results."""
        keep, pending = len(calls), self._decoder.pending
        later: set[int] = set()
        while keep and pending and (thread := int(calls.calls["thread"][keep - 1])) not in later:
            later.add(thread)
            keep -= 1
            pending -= 1
        return keep

    def _report_cut(self, container: Container) -> None:
        if not self.count:
            raise TraceError(f"{self.path}: cut short at byte {container.size}, before the end of its first call")
        what = "was overwritten while it was being read," if container.overwritten else "is cut short"
        self.notices.append(f"{self.path.name} {what} after call {self.count - 1}: what follows is not shown.")

    def _report(self, container: Container) -> None:
        if self._cancel and self._cancel():
            raise Cancelled("import cancelled")
        told = f"{self.count:,} calls"
        if container.following is not None and container.following.is_waiting:
            told += f", {container.following.sentence}"
        if self._progress and self._progress(container.position / container.size, told) is False:
            raise Cancelled("import cancelled")
        if self.count > FOREIGN_LIMIT and not self._is_known():
            raise TraceError(self._foreign())

    def _is_known(self) -> bool:
        return any(KNOWN.match(signature.name) for signature in self.names.functions.values())

    def _foreign(self) -> str:
        seen = sorted({s.name for s in self.names.functions.values()} - {"memcpy", "malloc", "free", "realloc"})
        return f"{self.path}: a trace without calls of Direct3D 8 or DirectDraw" + (
            f" (it calls {', '.join(name[:LONGEST_NAME] for name in seen[:3])})" if seen else ""
        )


def _first(calls: Calls, count: int) -> Calls:
    """The first `count` calls."""
    if count == len(calls):
        return calls
    values = int(calls.calls["args"][count])
    columns = {name: getattr(calls, name)[:values] for name in ("values", "tags", "words")}
    return replace(calls, calls=calls.calls[:count], **columns)


def _cut_off(container: Container) -> str:
    """Of a file that ends before its first block does: what it is, and where it ends."""
    end = f"it ends at byte {container.size:,}, within its first block"
    least = f"; that block alone reaches to byte {container.least:,}" if container.least else ""
    return f"an apitrace trace ({container.kind}) that was cut off: {end}{least}"
