"""Recordings of a driver's calls (resources/ddi_record.h) as DDI calls.

What a driver receives in the DDK's terms becomes what the tape keeps: capability bits become kinds of surfaces and memory,
contents with no recorded writer become a lock and an unlock.  What the driver refused stays as an event with its result
and is not executed again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

from core.ddi.calls import OFFSETS, DdiCall
from core.errors import Cancelled, TraceError
from core.spec.enums import DdBlt, DdFlip, HResult, SurfaceCaps, SurfaceCaps2, Usage
from inspector.imports.follow import Following
from inspector.imports.hashed import HashedFile
from inspector.imports.report import Import, file_digest
from inspector.progress import Cancel, Progress
from inspector.tape import TapeWriter
from inspector.tape.recording import PENDING, Record, RecordingFile, shifted

MOST_NOTICES = 100
CREATORS = {"CreateSurface", "CreateD3DBuffer"}
_CONTENTS = {"Contents": ("Lock", "Unlock"), "BufferContents": ("LockD3DBuffer", "UnlockD3DBuffer")}


def import_recording(
    path: Path | str, writer: TapeWriter, progress: Progress | None = None, cancel: Cancel | None = None, digest: str = "",
    following: Following | None = None,
) -> Import:  # fmt: skip
    """Reads a recording and appends its calls to `writer`; one that breaks off is read up to its last whole record.

    `digest`: of the file, where it is known already.  `following`: of a file that is still being written, whose digest is "".

    Raises TraceError for what is not a recording, TapeError, Cancelled.
    """
    conversion = Conversion()
    following = following or Following(0)

    def wait(file: int) -> bool:
        goes_on = following.wait(file)
        _report(recording, progress, cancel, following)
        if goes_on:
            following.pause()
        return goes_on

    hashed: list[HashedFile] = []

    def through(file: BinaryIO) -> BinaryIO:
        hashed.append(HashedFile(file, lambda: _report(recording, progress, cancel, following)))
        return cast(BinaryIO, hashed[0])

    in_passing = not digest and not following.patience
    with RecordingFile(Path(path), wait if following.patience else None, through if in_passing else None) as recording:
        writer.set_meta(source_file=recording.path.name, source_digest=digest, recorded_by="driver")
        for number, record in enumerate(recording):
            following.more()
            if not number & 1023:
                _report(recording, progress, cancel, following)
            for call in conversion.convert(record):
                writer.append(call)
        for call in conversion.finish():
            writer.append(call)
        if in_passing:
            digest = hashed[0].digest()
            writer.set_meta(source_digest=digest)
    if following.patience and not following.has_grown:
        with suppress(TraceError):  # it has gone: what was read of it stays
            digest = file_digest(recording.path, progress, cancel)
            writer.set_meta(source_digest=digest)
    notices = [*conversion.notices, *([recording.problem] if recording.problem else [])]
    for notice in notices:
        writer.add_notice(notice)
    return Import(0, writer.call_count, tuple(notices), digest)


def _report(recording: RecordingFile, progress: Progress | None, cancel: Cancel | None, following: Following) -> None:
    fraction = recording.position / max(recording.size, 1)
    told = f"reading {recording.path.name}" + (f", {following.sentence}" if following.is_waiting else "")
    if (progress and progress(fraction, told) is False) or (cancel and cancel()):
        raise Cancelled("import cancelled")


class Conversion:
    """Turns records into calls, in order; `notices` are sentences for whoever opens the capture."""

    def __init__(self) -> None:
        self.notices: list[str] = []
        self._pending: tuple[Record, DdiCall] | None = None
        self._boxes: dict[int, Any] = {}  # of surfaces being locked
        self._roots: dict[int, int] = {}  # handles of living subresources -> of their surface
        self._resumed: dict[int, list[int]] = {}  # thread -> unknown commands of the draw that goes on, and where it resumed

    def convert(self, record: Record) -> Iterator[DdiCall]:
        """The calls that a record adds."""
        if record.entry in _CONTENTS:
            yield from self._contents(record)
            return
        if record.entry == "Note":
            self._note(str(record.args.get("text", "")))
            return
        if record.entry == "ParseUnknownCommand":
            self._parsed(record)
            return
        if self._pending is not None and record.entry == "Result":
            self._resume(record.thread, self._pending[1])
            self._pending[1].result = record.result
            self._pending[1].out.update(record.out)
        waiting, self._pending = self._pending, None
        if waiting is not None:
            yield _settled(waiting[1])
        if record.entry == "Result":
            return
        call = self._call(record)
        if record.flags & PENDING:
            self._pending = record, call
        else:
            self._resume(record.thread, call)
            yield _settled(call)

    def finish(self) -> Iterator[DdiCall]:
        """What is left when the file has ended."""
        if self._pending is not None:
            record, call = self._pending
            self._note(f"The {record.entry} recorded at byte {record.offset:,} never returned.")
            yield _settled(call)

    def _parsed(self, record: Record) -> None:
        """D3dParseUnknownCommand, which the driver calls while it draws: it belongs to that draw."""
        places = record.args.get("command_offset"), record.out.get("resume_offset")
        if not record.result >> 31:
            self._resumed.setdefault(record.thread, []).extend(place for place in places if isinstance(place, int))

    def _resume(self, thread: int, call: DdiCall) -> None:
        if call.entry == "DrawPrimitives2" and (places := self._resumed.pop(thread, None)):
            call.out["resumed"] = tuple(places)

    def _note(self, sentence: str) -> None:
        if sentence and len(self.notices) < MOST_NOTICES:
            self.notices.append(sentence[:1000])

    def _call(self, record: Record) -> DdiCall:
        args, out = dict(record.args), dict(record.out)
        if record.time:
            out["time"] = record.time
        if record.thread:
            out["thread"] = record.thread
        if isinstance(words := out.get("callbacks"), str):
            out["callbacks"] = tuple(words.split())
        call = DdiCall(record.entry, args, dict(record.data), record.result, out)
        complete = _COMPLETE.get(record.entry)
        if complete is not None:
            complete(call)
        if record.entry == "CreateSurface" and not record.result:
            self._remember(args)
        elif record.entry == "Lock":
            self._boxes[_key(args)] = args.get("box")
        elif record.entry == "Unlock" and "box" not in args:
            args["box"] = self._boxes.pop(_key(args), None)
        elif record.entry == "DestroySurface" and not record.result:
            self._end(args)
        return call

    def _remember(self, args: dict[str, Any]) -> None:
        root, count = _key(args), int(args["levels"]) * int(args["faces"])
        for handle in args.get("handles") or range(root, root + min(count, 256)):
            self._roots[handle] = root

    def _end(self, args: dict[str, Any]) -> None:
        """Drivers are notified of every level's end; the emulated device ends the whole surface with its first level."""
        handle = _key(args)
        if self._roots.pop(handle, handle) != handle:
            args["recorded"] = int(HResult.DD_OK)

    def _contents(self, record: Record) -> Iterator[DdiCall]:
        locking, unlocking = _CONTENTS[record.entry]
        where = {name: value for name, value in record.args.items() if name in ("handle", "box", "offset")}
        yield DdiCall(locking, {**where, "flags": 0, "synthetic": 1})
        yield DdiCall(unlocking, {**record.args, "synthetic": 1}, dict(record.data))


def _key(args: dict[str, Any]) -> int:
    handle = args.get("handle", 0)
    return handle if isinstance(handle, int) else 0


def _settled(call: DdiCall) -> DdiCall:
    """A call that was refused has no effect; a stream that failed in the middle has that of its first half."""
    if call.result >> 31 and call.entry != "DrawPrimitives2":  # of a draw, its result and error_offset tell the same
        call.args["recorded"] = call.result
    for name in OFFSETS if call.args.get("buffer_offset") else ():
        if name in call.out:
            call.out[name] = shifted(call.out[name], -call.args["buffer_offset"])
    return call


# ---- what the tape wants to know and the DDK says in bits --------------------------------------------------------------


def _caps(args: dict[str, Any], name: str) -> int:
    value = args.get(name, 0)
    return value if isinstance(value, int) else 0


def _memory(caps: int) -> str:
    if caps & SurfaceCaps.SYSTEMMEMORY:
        return "system"
    return "agp" if caps & SurfaceCaps.NONLOCALVIDMEM else "video"


LABELS = (
    (SurfaceCaps.PRIMARYSURFACE, "primary"), (SurfaceCaps.BACKBUFFER, "back_buffer"), (SurfaceCaps.ZBUFFER, "depth"),
    (SurfaceCaps.TEXTURE, "texture"), (SurfaceCaps.DEVICE_3D, "render_target"),
)  # fmt: skip


def _create_surface(call: DdiCall) -> None:
    args = call.args
    caps, caps2 = _caps(args, "caps"), _caps(args, "caps2")
    volume = bool(caps2 & SurfaceCaps2.VOLUME)
    usage = Usage.RENDERTARGET if caps & SurfaceCaps.DEVICE_3D else Usage.DEPTHSTENCIL if caps & SurfaceCaps.ZBUFFER else 0
    derived = {
        "levels": 1, "faces": 6 if caps2 & SurfaceCaps2.CUBEMAP else 1, "depth": _caps(args, "caps4") & 0xFFFF if volume else 0,
        "samples": _caps(args, "caps3") & 31, "memory": _memory(caps), "usage": int(usage), "pool": 0,
        "label": next((label for bit, label in LABELS if caps & bit), "image"),
    }  # fmt: skip
    for name, value in derived.items():
        args.setdefault(name, value)
    for name in ("levels", "faces"):
        if not isinstance(args[name], int):
            args[name] = 1
    handles = args.get("handles")
    if handles is not None and list(handles) == list(range(_key(args), _key(args) + len(handles))):
        del args["handles"]


def _create_buffer(call: DdiCall) -> None:
    caps, caps2 = _caps(call.args, "caps"), _caps(call.args, "caps2")
    index, command = caps2 & SurfaceCaps2.INDEXBUFFER, caps2 & SurfaceCaps2.COMMANDBUFFER
    call.args.setdefault("kind", "index" if index else "command" if command else "vertex")
    call.args.setdefault("memory", _memory(caps))
    call.args.setdefault("usage", 0)


def _blt(call: DdiCall) -> None:
    flags = _caps(call.args, "flags")
    presentation = 2 if flags & DdBlt.LAST_PRESENTATION else 1 if flags & DdBlt.PRESENTATION else 0
    call.args.setdefault("presentation", presentation)


def _flip(call: DdiCall) -> None:
    flags = _caps(call.args, "flags")
    call.args.setdefault("interval", 0 if flags & DdFlip.NOVSYNC else max(flags >> 24 & 7, 1))


def _clear(call: DdiCall) -> None:
    rects = call.args.get("rects", ())
    if isinstance(rects, tuple) and all(isinstance(n, int) for n in rects):
        call.args["rects"] = tuple(rects[i : i + 4] for i in range(0, len(rects) - 3, 4))


def _draw(call: DdiCall) -> None:
    """The recorder keeps the part of the command buffer that is to be executed."""
    offset = call.args.get("command_offset", 0)
    if isinstance(offset, int) and offset:
        call.args["buffer_offset"] = offset
    call.args.update(command_offset=0, command_length=len(call.data.get("commands", b"")))
    call.args.setdefault("vertex_offset", 0)


_COMPLETE = {
    "CreateSurface": _create_surface, "CreateD3DBuffer": _create_buffer, "Blt": _blt, "Flip": _flip, "Clear2": _clear,
    "Clear": _clear, "DrawPrimitives2": _draw,
}  # fmt: skip
