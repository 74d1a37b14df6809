"""apitrace traces of Direct3D 8 and DirectDraw programs, converted to DDI calls by the runtime."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from core.ddi.driver.emulated import EmulatedDriver
from core.runtime.calls.columns import Names
from core.runtime.calls.values import BITMASK, ENUM, FUNCTION, STRUCT
from core.runtime.paper import PaperDriver
from core.runtime.runtime import Runtime
from inspector.imports.adapters import Adapters
from inspector.imports.condense import Condenser
from inspector.imports.cut import Cut
from inspector.imports.follow import Following
from inspector.imports.report import Import
from inspector.imports.stream import TraceStream
from inspector.progress import Cancel, Progress
from inspector.tape import Recorder, TapeWriter
from inspector.tape.writer import SignatureRow

FINDINGS_KEPT = 10_000
NOTICES_KEPT = 8  # about what the recorder does not keep


def import_trace(
    path: Path | str, writer: TapeWriter, progress: Progress | None = None, cancel: Cancel | None = None, profile: str = "",
    digest: str = "", following: Following | None = None,
) -> Import:  # fmt: skip
    """Reads a trace and appends the DDI calls that a runtime makes of it, and the API calls themselves, to `writer`.

    progress(fraction, text) and cancel() are asked once per chunk; progress may return False to stop.  A trace that breaks off
    is imported up to its last whole call, with a notice in the tape.  `profile`: the driver that the runtime finds
    (default: one that says yes to everything).  `digest`: of the file, where it is known already.  `following`: of a file
    that is still being written.  Raises TraceError, TapeError, Cancelled.
    """
    trace = Path(path)
    stream = TraceStream(trace, progress, cancel, following, hashes=not digest)
    pointers: list[tuple[int, int, int]] = []
    driver = EmulatedDriver(profile, draws=False) if profile else PaperDriver()
    runtime = Runtime(Recorder(driver, writer), pointer_sink=lambda *row: pointers.append(row))
    condense = Condenser(writer.keep_blob)
    words = _Words(writer)
    adapters, cut = Adapters(), Cut()
    if profile:
        writer.set_meta(profile=profile)
    writer.set_meta(source_file=trace.name)
    for calls, end in stream:
        words.declare(stream.names)
        adapters.look(calls)
        cut.look(calls)
        verdicts = runtime.run(calls)
        writer.append_sources(len(calls), condense(calls, end, verdicts))
        writer.add_pointers(pointers)
        pointers.clear()
    runtime.finish()
    writer.add_pointers(pointers)
    _keep_findings(writer, runtime)
    writer.set_meta(source_digest=digest or stream.digest)
    writer.set_meta(trace_version=stream.version, trace_properties=stream.properties, adapters=adapters.found)
    stream.notices += _missing(runtime) + cut.notices(runtime)
    for notice in stream.notices:
        writer.add_notice(notice)
    return Import(stream.count, writer.call_count, tuple(stream.notices), digest or stream.digest)


def _missing(runtime: Runtime) -> list[str]:
    """Sentences about what is not there: calls that nothing here does, what the recorder does not keep."""
    found = [
        f"{name}: {count:,} calls are of an interface that is not implemented here; they draw nothing."
        for name, count in runtime.unknown.items()
        if name.startswith("IDirect") and not name.endswith("8")
    ]
    lost = Counter(what.text for _, what in runtime.findings if what.rule == "not-recorded")
    often = {1: "", 2: " (twice)"}
    return found + [
        f"{_begun(text)}{often.get(count, f' ({count:,} times)')}." for text, count in lost.most_common(NOTICES_KEPT)
    ]


def _begun(text: str) -> str:
    """As the beginning of a sentence; names keep their letters."""
    return text[:1].upper() + text[1:] if text.partition(" ")[0].islower() else text


def _keep_findings(writer: TapeWriter, runtime: Runtime) -> None:
    for source, found in runtime.findings[:FINDINGS_KEPT]:
        writer.add_finding(source, str(found.rule), found.text)
    if len(runtime.findings) > FINDINGS_KEPT:
        writer.add_notice(f"Only the first {FINDINGS_KEPT:,} of {len(runtime.findings):,} findings about API calls are kept.")


class _Words:
    """Declares to the tape what the trace declared since the last chunk."""

    def __init__(self, writer: TapeWriter) -> None:
        self._writer = writer
        self._declared: set[tuple[int, int]] = set()
        self._seen = 0

    def declare(self, names: Names) -> None:
        count = len(names.functions) + len(names.structs) + len(names.enums) + len(names.masks)
        if count == self._seen:
            return
        self._seen = count
        rows: list[SignatureRow] = []
        for kind, table in ((FUNCTION, names.functions), (STRUCT, names.structs)):
            rows += [(kind, number, *table[number]) for number in self._new(kind, table)]
        for number in self._new(ENUM, names.enums):
            rows.append((ENUM, number, "", [(name, value) for value, name in names.enums[number].items()]))
        rows += [(BITMASK, number, "", names.masks[number]) for number in self._new(BITMASK, names.masks)]
        self._writer.add_signatures(rows)

    def _new(self, kind: int, numbers: Iterable[int]) -> list[int]:
        fresh = [number for number in numbers if (kind, number) not in self._declared]
        self._declared.update((kind, number) for number in fresh)
        return fresh


__all__ = ["Import", "import_trace"]
