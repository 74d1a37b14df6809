"""Rules for a driver's recorded results: the requirements of the documents on drivers and on the runtimes that call them.

`AnswerCheck` is shown every call of a tape in order, with its recorded result, before anything executes it again.  It says
only what the recording shows: results that were not recorded break no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from core.ddi.calls import DdiCall, Outcome
from core.ddi.rules import requirements, surface_limits
from core.ddi.rules.dxgi_answers import DxgiAnswers
from core.ddi.rules.facts import UNPARSED, DriverFacts, Request, request_of
from core.ddi.rules.renaming import renamed_address
from core.ddi.rules.stalls import DX81, StallRules
from core.device.findings import Finding, finding
from core.spec.caps import DevCaps
from core.spec.enums import (
    ClearFlag,
    DdBlt,
    DdLock,
    Dp2Flag,
    DriverInfo2,
    DriverReturn,
    HalInfoFlag,
    HResult,
    SurfaceCaps2,
)
from core.spec.tokens import TOKENS

Broken = tuple[str, str] | tuple[str, str, int]
KEEPS_HEADER = (DriverInfo2.TYPE_GETFORMATCOUNT, DriverInfo2.TYPE_GETFORMAT, DriverInfo2.TYPE_DXVERSION)
STEREO_BYTES = 24
QUEUED = 3
LARGEST_VERTEX = 1 << 16
HARDWARE = {"vertex": DevCaps.HWVERTEXBUFFER, "index": DevCaps.HWINDEXBUFFER}


def _number(values: Any, name: str, default: int = 0) -> int:
    value = values.get(name, default)
    return value if isinstance(value, int) else default


def _list(values: Any, name: str, default: list[int]) -> list[Any]:
    value = values.get(name)
    return list(value) if isinstance(value, (list, tuple)) and value else default


class AnswerCheck:
    """See the module's docstring.  `facts`: what the driver has said so far; `runtime`: the DirectX runtime's version."""

    def __init__(self, facts: DriverFacts | None = None, runtime: int = DX81) -> None:
        self.facts = DriverFacts() if facts is None else facts
        self.runtime = runtime
        self._stalls, self._dxgi = StallRules(), DxgiAnswers()
        self._buffers: dict[int, tuple[str, str]] = {}  # handle -> kind, memory
        self._places: dict[int, tuple[int, int]] = {}  # handle -> fpVidMem, fpHeapOffset
        self._surfaces: dict[int, dict[str, Any]] = {}
        self._targets: dict[int, int] = {}  # context -> render target
        self._flipping: set[int] = set()
        self._presenting: dict[int, int] = {}  # source -> Blts of the Present that is going on

    @property
    def is_idle(self) -> bool:
        """Whether nothing that takes several calls is going on."""
        return not self._flipping and not self._presenting

    def findings(self, call: DdiCall, seq: int) -> list[Finding]:
        """Rules that the call, or its answer, breaks; `seq` is its (first) event."""
        self.facts.learn(call)
        look = BY_ENTRY.get(call.entry)
        broken = [] if look is None else list(look(self, call))
        broken += self._dxgi.look(call) if call.entry.startswith("Dxgi") else ()
        return [finding(one[0], seq, one[1], one[2] if len(one) > 2 else -1) for one in broken]

    # ---- driver information
    def driver_info(self, call: DdiCall) -> Iterator[Broken]:
        asked = request_of(call)
        if asked is None:
            return
        if _number(call.out, "handled", 1) != DriverReturn.HANDLED:
            yield "info2-handled", f"GetDriverInfo2 type {asked.type} returned {call.out['handled']}"
        if asked.magic != DriverInfo2.MAGIC:
            if not call.result and _number(call.out, "actual_size", STEREO_BYTES) != STEREO_BYTES:
                yield "info2-stereo", f"DD_STEREOMODE answered with {call.out['actual_size']} bytes"
            return
        flags = self.facts.hal_flags
        if flags is not None and not flags & HalInfoFlag.GETDRIVERINFO2:
            yield "info2-gate", f"GetDriverInfo2 although dwFlags is {flags:#x}"
        yield from self._info2(call, asked)

    def _info2(self, call: DdiCall, asked: Request) -> Iterator[Broken]:
        known = asked.type in DriverInfo2.__members__.values() and asked.type != DriverInfo2.MAGIC
        if call.result:
            if call.result != HResult.DDERR_CURRENTLYNOTAVAIL and asked.type not in KEEPS_HEADER:
                yield "info2-type", f"type {asked.type} was answered with {call.result:#010x}"
        elif not known and call.out:
            yield "info2-type", f"type {asked.type}, which nobody defines, was answered with DD_OK"
        copied = _number(call.out, "actual_size")
        if asked.expected and copied > asked.expected:
            yield "info2-size", f"{copied} bytes for a buffer of {asked.expected}"
        if asked.type in KEEPS_HEADER and asked.before and asked.after[4:16] != asked.before[4:16]:
            yield "info2-header", "the driver wrote over dwMagic, dwType or dwExpectedSize"
        if not call.result and asked.type == DriverInfo2.TYPE_GETD3DCAPS8:
            yield from requirements.caps_problems(self.facts)
        elif asked.type == DriverInfo2.TYPE_GETFORMAT:
            yield from self._format(call, asked.index)

    def _format(self, call: DdiCall, index: int) -> Iterator[Broken]:
        facts = self.facts
        if facts.count is not None and index >= facts.count:
            yield "format-index", f"format {index} of {facts.count}"
        if call.result or index not in facts.formats:
            return
        yield from requirements.format_problems(facts.formats[index])
        twin = requirements.duplicate(facts, index)
        if twin is not None:
            yield "format-unique", f"formats {twin} and {index} are the same"
        if facts.count == len(facts.formats):
            yield from requirements.list_problems(facts)

    # ---- surfaces and buffers
    def create_surface(self, call: DdiCall) -> Iterator[Broken]:
        args = call.args
        self._surfaces[_number(args, "handle")] = args
        depth, caps2 = _number(args, "depth"), args.get("caps2")
        volume = depth > 1 or bool(isinstance(caps2, int) and caps2 & SurfaceCaps2.VOLUME)
        if isinstance(caps2, int) and (depth > 1) > bool(caps2 & SurfaceCaps2.VOLUME):
            yield "volume-depth", f"depth {depth} without DDSCAPS2_VOLUME"
        if volume and isinstance(args.get("caps4"), int) and args["caps4"] & 0xFFFF != depth:
            yield "volume-depth", f"dwCaps4 {args['caps4']:#x} for a depth of {depth}"
        if volume and call.out.get("pitches") and 0 in _list(call.out, "slice_pitches", [0]):
            yield "slice-pitch", "no slice pitch of a volume"
        yield from self._samples(args)
        if not call.result & 0x80000000:
            yield from surface_limits.problems(self.facts, args)

    def _samples(self, args: Any) -> Iterator[Broken]:
        kind, samples = args.get("caps3"), _number(args, "samples")
        if isinstance(kind, int) and (kind == 1 or kind > 16):
            yield "samples-type", f"dwCaps3 {kind:#x} is not a D3DMULTISAMPLE_TYPE"
        found = next((one for one in self.facts.formats.values() if one.fourcc == args.get("format")), None)
        if samples > 1 and found is not None and not (found.flip_samples | found.blt_samples) >> (samples - 1) & 1:
            yield "sample-count", f"{samples} samples of {requirements.format_name(found)}, which does not report them"

    def create_surface_ex(self, call: DdiCall) -> Iterator[Broken]:
        kind = self._buffers.get(_number(call.args, "handle"), ("", ""))[0]
        if kind:
            self.facts.surface_ex[kind] = call.result
            if call.result:
                yield "minimum-surface-ex", f"CreateSurfaceEx of a {kind} buffer failed with {call.result:#010x}"

    def lock(self, call: DdiCall) -> Iterator[Broken]:
        surface = self._surfaces.get(_number(call.args, "handle"), {})
        if surface.get("label") == "primary" and _number(call.out, "samples") > 1:
            yield "primary-lock", f"the lock of a primary shows {call.out['samples']} samples per pixel"

    def create_buffer(self, call: DdiCall) -> Iterator[Broken]:
        args, out = call.args, call.out
        kind, memory, caps2 = args.get("kind", "vertex"), args.get("memory", "video"), args.get("caps2")
        if call.result and "handled" in out and (call.result, out["handled"]) != (HResult.E_FAIL, DriverReturn.HANDLED):
            yield "buffer-refusal", f"creation failed with {call.result:#010x} and returned {out['handled']}"
        if isinstance(caps2, int) and bool(caps2 & SurfaceCaps2.INDEXBUFFER) != (kind == "index"):
            yield "index-buffer-caps", f"a {kind} buffer with caps2 {caps2:#x}"
        if memory != "system" and isinstance(kind, str) and kind in HARDWARE and not self.facts.has("DevCaps", HARDWARE[kind]):
            yield "buffer-memory", f"a {kind} buffer in {memory} memory of a driver without {HARDWARE[kind].name}"
        handle = _number(args, "handle")
        self._buffers[handle] = str(kind), str(memory)
        if "fp_vid_mem" in out:
            self._places[handle] = _number(out, "fp_vid_mem"), _number(out, "fp_heap_offset")
        self._stalls.see(call)

    def lock_buffer(self, call: DdiCall) -> Iterator[Broken]:
        self._stalls.see(call)
        handle, out = _number(call.args, "handle"), call.out
        if call.result or "fp_vid_mem" not in out:
            return
        address, offset = _number(out, "fp_vid_mem"), _number(out, "fp_heap_offset")
        before = self._places.get(handle)
        self._places[handle] = address, offset
        if before is None or before[0] == address:
            return
        if not _number(call.args, "flags") & DdLock.DISCARDCONTENTS:
            yield "rename-discard", f"buffer {handle} moved from {before[0]:#x} to {address:#x} at a lock without DISCARD"
        yield from self._renamed(call, handle, before, address, offset)

    def _renamed(self, call: DdiCall, handle: int, before: tuple[int, int], address: int, offset: int) -> Iterator[Broken]:
        out, memory = call.out, self._buffers.get(handle, ("", ""))[1]
        if memory == "agp" and "fp_start" in out:
            right = renamed_address(*before, _number(out, "fp_start"), offset)
            if address != right:
                yield "rename-address", f"fpVidMem {address:#x} at heap offset {offset:#x}; it would be {right:#x}"
        data = _number(out, "surf_data", address)
        if memory != "video" and data != address:
            yield "rename-address", f"lpSurfData {data:#x} is not fpVidMem {address:#x}"
        if _number(out, "handled", 1) != DriverReturn.HANDLED or "surf_data" not in out:
            yield "rename-reply", f"buffer {handle} was renamed by fpVidMem alone"

    def unlock_buffer(self, call: DdiCall) -> Iterator[Broken]:
        self._stalls.see(call)
        return iter(())

    def set_palette(self, call: DdiCall) -> Iterator[Broken]:
        surface = self._surfaces.get(_number(call.args, "surface"), {})
        if surface.get("label") == "texture":
            yield "palette-entry", f"{call.entry} of texture {call.args.get('surface')}"

    # ---- drawing
    def context_create(self, call: DdiCall) -> Iterator[Broken]:
        self._targets[_number(call.args, "context")] = _number(call.args, "render_target")
        return iter(())

    def draw(self, call: DdiCall) -> Iterator[Broken]:
        args, out, flags = call.args, call.out, _number(call.args, "flags")
        verdict = self._stalls.see(call)
        if verdict is not None and "stalled" in out:
            asked = verdict.of(self.runtime)
            if asked.stall and not out["stalled"]:
                yield "stall-missing", asked.reason
            elif out["stalled"] and not asked.stall:
                yield "stall-needless", asked.reason
        for name, bit in (("vertex_buffer", Dp2Flag.SWAPVERTEXBUFFER), ("command_buffer", Dp2Flag.SWAPCOMMANDBUFFER)):
            if _number(out, f"swapped_{name}") and not flags & bit:
                yield "swap-buffer", f"the {name.replace('_', ' ')} was renamed without {bit.name}"
        if flags & Dp2Flag.USERMEMVERTICES and _number(args, "vertex_buffer"):
            yield "user-memory", "D3DHALDP2_USERMEMVERTICES and a vertex buffer"
        if self._targets.get(_number(args, "context")) in self._flipping and call.result != HResult.DDERR_WASSTILLDRAWING:
            yield "flip-in-progress", "the render target is being flipped"
        yield from self._result(call)
        yield from self._unfinished("a draw")

    def _result(self, call: DdiCall) -> Iterator[Broken]:
        """dwErrorOffset of a call that failed."""
        if not call.result & 0x80000000 or call.result == HResult.DDERR_WASSTILLDRAWING or "error_offset" not in call.out:
            return
        from core.ddi.stream import dp2  # at need: it compiles

        offset, commands = _number(call.out, "error_offset"), bytes(call.data.get("commands") or b"")
        begin = _number(call.args, "command_offset")
        length = _number(call.args, "command_length", len(commands) - begin)
        if not 0 <= begin <= begin + length <= len(commands):
            return  # reported when the call is executed
        size = min(max(_number(call.args, "vertex_size"), 0), LARGEST_VERTEX)
        scan = dp2.scan(commands, begin, length, size, Outcome.of(call).resumed.get)
        starts = {int(at) for at in scan.records["token"]} | ({scan.error.offset} if scan.error else set())
        if offset not in starts and commands:
            yield "error-offset", f"{offset} is not where a command begins", offset
        elif call.result == UNPARSED and 0 <= offset < len(commands):
            row = TOKENS.get(commands[offset])
            if row is not None and row.draws and row.since == 8:
                self.facts.unparsed.add(row.name)
                yield "minimum-tokens", f"{row.name} was left unparsed", offset

    def clear(self, call: DdiCall) -> Iterator[Broken]:
        if _number(call.args, "flags") & ClearFlag.COMPUTERECTS:
            yield "clear-computerects", f"D3DCLEAR_COMPUTERECTS in {call.entry}"
        yield from self._unfinished(f"a {call.entry}")

    # ---- presentation
    def _unfinished(self, what: str) -> Iterator[Broken]:
        """Presents that something else came before the last Blt of."""
        for source in self._presenting:
            yield "presentation-last", f"{what} before the last Blt of the Present of surface {source}"
        self._presenting.clear()

    def end(self, seq: int) -> list[Finding]:
        """Rules that the end of the tape breaks, at its last event."""
        return [finding(one[0], seq, one[1]) for one in self._unfinished("the recording ends")]

    def blt(self, call: DdiCall) -> Iterator[Broken]:
        flags, source, out = _number(call.args, "flags"), _number(call.args, "source"), call.out
        last = flags & DdBlt.LAST_PRESENTATION
        if not flags & DdBlt.PRESENTATION:
            if last:
                yield "presentation-flags", "DDBLT_LAST_PRESENTATION without DDBLT_PRESENTATION"
            yield from self._unfinished("a Blt without presentation flags")
            return
        hal = self.facts.hal_flags
        if hal is not None and not hal & HalInfoFlag.GETDRIVERINFO2:
            yield "presentation-driver", "presentation flags for a driver of DirectX 7"
        if call.result == HResult.DDERR_WASSTILLDRAWING:
            return
        waiting = _number(out, "queued")
        if waiting >= QUEUED:
            yield "presentation-queue", f"accepted with {waiting} frames of surface {source} queued"
        elif waiting and self.facts.conservative:
            yield "presentation-conservative", f"accepted with {waiting} frames of surface {source} queued"
        if last:
            self._presenting.pop(source, None)
        else:
            self._presenting[source] = self._presenting.get(source, 0) + 1

    def flip(self, call: DdiCall) -> Iterator[Broken]:
        surfaces = call.args.get("surface", call.args.get("surfaces"))
        if isinstance(surfaces, (list, tuple)) and not call.result:
            self._flipping.clear()
        yield from self._unfinished("a Flip")

    def flip_status(self, call: DdiCall) -> Iterator[Broken]:
        handle = _number(call.args, "handle")
        if call.result == HResult.DDERR_WASSTILLDRAWING:
            self._flipping.add(handle)
        else:
            self._flipping.discard(handle)
        return iter(())

    def blank(self, call: DdiCall) -> Iterator[Broken]:
        self._flipping.clear()
        return iter(())


Look = Callable[[AnswerCheck, DdiCall], Iterator[Broken]]
BY_ENTRY: dict[str, Look] = {
    "GetDriverInfo": AnswerCheck.driver_info,
    "CreateSurface": AnswerCheck.create_surface,
    "CreateSurfaceEx": AnswerCheck.create_surface_ex,
    "Lock": AnswerCheck.lock,
    "CreateD3DBuffer": AnswerCheck.create_buffer,
    "LockD3DBuffer": AnswerCheck.lock_buffer,
    "UnlockD3DBuffer": AnswerCheck.unlock_buffer,
    "SetPalette": AnswerCheck.set_palette,
    "ContextCreate": AnswerCheck.context_create,
    "DrawPrimitives2": AnswerCheck.draw,
    "Clear": AnswerCheck.clear,
    "Clear2": AnswerCheck.clear,
    "Blt": AnswerCheck.blt,
    "Flip": AnswerCheck.flip,
    "GetFlipStatus": AnswerCheck.flip_status,
    "WaitForVerticalBlank": AnswerCheck.blank,
}
