"""DrawPrimitives2 (DP2, Remarks): the vertices and commands of a call, how far they are executed, and the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.ddi.calls import DdiCall, Outcome
from core.ddi.driver.arguments import Rejected, StillDrawing, blob, number
from core.ddi.driver.buffers import swap_buffers
from core.ddi.rules.check import finding
from core.ddi.rules.shader_check import limits
from core.ddi.stream import dp2
from core.ddi.stream.shader_code import decode
from core.device.device import CommandBuffer
from core.device.memory.surfaces import PADDING
from core.device.registers import records
from core.pipeline.records.recycle import recycled_copy
from core.spec import slots
from core.spec.calls import HRESULT
from core.spec.enums import Dp2Flag, Fvf, HResult
from core.spec.tokens import FLAG_DRAWS, FLAG_DX9, TOKENS, Op

if TYPE_CHECKING:
    from core.ddi.driver.emulated import EmulatedDriver

RESERVED = Fvf.RESERVED0 | Fvf.RESERVED2
SINCE = np.array([TOKENS[op].since if op in TOKENS else 0 for op in range(256)])


class Stop(NamedTuple):
    """Where a call is left before its end: the first record that is not executed, the offset of its command, the result;
    the rule that is broken there, by which record, and a sentence."""

    record: int
    offset: int
    result: int
    rule: str
    culprit: int
    sentence: str


def run(driver: EmulatedDriver, call: DdiCall, first_seq: int, start: int, stop: int | None) -> None:
    """Carries out records start..stop-1, of which the first of all is event `first_seq`."""
    try:
        select_context(driver, call)
        stream, error = scan(driver, call)
        _check_vertices(driver, call)
    except Rejected:
        call.out["error_offset"] = 0
        driver.seq = max(driver.seq, first_seq + 1)
        raise
    stream.first_seq = first_seq
    records = stream.records
    end = len(records) if stop is None else min(stop, len(records))
    call.out["error_offset"], target = 0, driver.device.registers.render_target
    after = first_seq + (max(end, 1) if stop is None else end)
    if driver.waits or driver.clock.flipping(target):
        driver.seq = after
        raise StillDrawing
    left = _stop(driver, stream, error, end)
    known = min(left.record, end) if left else end
    _watch(driver, call, stream, start, known, first_seq)
    driver.executor.execute(stream, start, known)
    drawn = int(np.count_nonzero(records["flags"][start:known] & FLAG_DRAWS))
    driver.clock.draws(target, drawn)
    if drawn:
        driver.clock.reads(_buffers(driver, call))
    driver.seq = after
    _finish(driver, call, stream, start, known, end)
    if left:
        call.result, call.out["error_offset"] = left.result, left.offset
        if start <= max(left.culprit, 0):  # else the part before has found it
            driver.device.findings.append(finding(left.rule, first_seq + max(left.culprit, 0), left.sentence, left.offset))


def _stop(driver: EmulatedDriver, stream: CommandBuffer, error: dp2.ScanError | None, end: int) -> Stop | None:
    """Why not all records before `end` are executed; None if they are.  What a tape says comes before what we would do."""
    records, recorded = stream.records, driver.recorded
    failed = recorded.error_offset is not None
    told = len(records)
    if recorded.error_offset is not None:
        told = int(np.searchsorted(records["token"], recorded.error_offset))
    n, rule, why = _limit(driver, stream, end, told if failed else 0)
    first = n - int(records["index"][n]) if n < end else end  # a command that cannot be executed as a whole is not begun
    if first < min(end, told + 1):
        unparsed = rule == "later-token"
        result = HResult.D3DERR_COMMAND_UNPARSED if unparsed else HResult.D3DERR_DRIVERINVALIDCALL
        return Stop(first, int(records["token"][first]), int(result), rule, n, why)
    if failed and told < end:
        return _failed(recorded, told, told, len(records))
    if end < len(records):
        return None
    if error is not None:
        result = HResult.D3DERR_COMMAND_UNPARSED if error.unknown else HResult.DDERR_INVALIDPARAMS
        rule = "unknown-token" if error.unknown else "broken-stream"
        return Stop(end, error.offset, int(result), rule, end - 1, error.sentence)
    return _failed(recorded, end, end - 1, end) if failed else None


def _failed(recorded: Outcome, record: int, culprit: int, count: int) -> Stop:
    """The driver of a tape has failed the call there, and nothing here says why."""
    sentence = f"DrawPrimitives2 returned {HRESULT.text(recorded.result)}: {record} of {count} records were executed"
    return Stop(record, recorded.error_offset or 0, recorded.result, "failed-call", culprit, sentence)


def _watch(driver: EmulatedDriver, call: DdiCall, stream: CommandBuffer, start: int, stop: int, first_seq: int) -> None:
    """Rules that only watch."""
    records = stream.records[start:stop]
    driver.device.findings += driver.state_check.check(stream.commands, records, first_seq + start)
    if driver.check:
        watch = driver.watch(number(call, "context", 0))
        driver.device.findings += watch.findings(stream.commands, records, first_seq + start)
        if driver.device.draws:
            driver.device.findings += driver.promises.findings(call, stream, records, first_seq + start)


def _finish(driver: EmulatedDriver, call: DdiCall, stream: CommandBuffer, start: int, known: int, stop: int) -> None:
    """What the flags ask for after the commands; buffers are swapped when the last record is done."""
    flags = number(call, "flags", 0)
    verdict = driver.stalls.see(call) if start == 0 else None
    if verdict is not None and verdict.buffer:
        asked = verdict.of(driver.runtime_version)
        call.out["stall"] = int(asked.stall)
        if asked.stall:
            driver.clock.wait_idle()
    if flags & Dp2Flag.EXECUTEBUFFER:
        _mirror_states(call, stream, start, known)
    if flags & (Dp2Flag.SWAPVERTEXBUFFER | Dp2Flag.SWAPCOMMANDBUFFER) and stop == len(stream.records):
        swap_buffers(driver, call, flags)


def _check_vertices(driver: EmulatedDriver, call: DdiCall) -> None:
    """dwVertexType, for drivers without transform and lighting (DP2, Remarks)."""
    kind = number(call, "vertex_type", 0)
    if not kind or driver.profile.processes_vertices:
        return
    problem = vertex_type_problem(kind)
    if problem:
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "vertex-type", f"DrawPrimitives2: vertex type {kind:#x}: {problem}")


def vertex_type_problem(kind: int) -> str:
    """Why a driver without transform and lighting fails a call with this dwVertexType; empty if it does not."""
    if kind & Fvf.POSITION_MASK != Fvf.XYZRHW:
        return "D3DFVF_XYZRHW is not set"
    if kind & Fvf.NORMAL:
        return "normals are specified"
    return "reserved bits are set" if kind & RESERVED else ""


def _buffers(driver: EmulatedDriver, call: DdiCall) -> list[int]:
    """Handles of the buffers that the call's draws read."""
    vector = driver.device.registers.vector
    streams = vector[slots.STREAM : slots.STREAM + 3 * slots.STREAMS : 3].tolist()
    return [handle for handle in (*streams, int(vector[slots.INDICES]), number(call, "vertex_buffer", 0)) if handle]


def _mirror_states(call: DdiCall, stream: CommandBuffer, start: int, stop: int) -> None:
    """EXECUTEBUFFER: the render states that were set also go into lpdwRStates, `data["states"]`, 256 dwords."""
    given = blob(call, "states")
    mirror = np.zeros(256, "<u4")
    if given is not None:
        kept = given[: len(given) // 4 * 4].view("<u4")[:256]
        mirror[: len(kept)] = kept
    for record in stream.records[start:stop]:
        if record["op"] == Op["RENDERSTATE"]:
            state, value = records.fields(stream, record)
            mirror[min(state, 255)] = value if state < 256 else mirror[255]
    call.data["states"] = mirror.tobytes()


def _limit(driver: EmulatedDriver, stream: CommandBuffer, end: int, accepted: int) -> tuple[int, str, str]:
    """(first record that this driver does not execute, or `end`; the rule; a sentence); the first `accepted` are taken as
    they are."""
    records = stream.records[:end]
    limits: list[tuple[int, str, str]] = [(end, "", "")]
    beyond = records["flags"] & FLAG_DX9 != 0
    if driver.profile.ddi < 8:
        beyond |= SINCE[stream.commands[records["token"]]] >= 8
    if beyond.any():
        n = int(np.argmax(beyond))
        op = int(stream.commands[records["token"][n]])
        limits.append((n, "later-token", f"token {op} is of DirectX {max(SINCE[op], 8)}"))
    limits += _shader_limits(driver, stream, min(limits)[0], accepted)
    return min(limits)


def _shader_limits(driver: EmulatedDriver, stream: CommandBuffer, end: int, accepted: int) -> list[tuple[int, str, str]]:
    """The first shader that cannot be created: the driver fails the call there."""
    records = stream.records[:end]
    creates = np.flatnonzero((records["op"] == Op["CREATEVERTEXSHADER"]) | (records["op"] == Op["CREATEPIXELSHADER"]))
    for n in creates.tolist():
        kind, handle, code, errors = _decoded(driver, stream, records[n])
        rule, why = ("bad-shader", errors[0]) if errors else _beyond(driver, kind, code) if n >= accepted else ("", "")
        if rule:
            return [(n, rule, f"{kind} shader {handle:#x}: {why}")]
    return []


def _decoded(driver: EmulatedDriver, stream: CommandBuffer, record: np.void) -> tuple[str, int, np.ndarray, list[str]]:
    """(what, handle, code, what is wrong with it) of a shader that is about to be created."""
    create = records.fields(stream, record)
    if record["op"] == Op["CREATEPIXELSHADER"]:
        code = records.payload(stream, record, create.code_size)
        return "pixel", create.shader, code, driver.device.decode_pixel_shader(code).facts["errors"]
    declaration = records.payload(stream, record, create.declaration_size)
    code = records.payload(stream, record, create.code_size, create.declaration_size)
    return "vertex", create.shader, code, driver.device.decode_vertex_shader(declaration, code).facts["errors"]


def _beyond(driver: EmulatedDriver, kind: str, code: np.ndarray) -> tuple[str, str]:
    """(rule, why) of code that this driver cannot run, or empty strings; what a tape's driver has accepted, it could run."""
    if driver.accepted or not len(code):
        return "", ""
    shader, facts = decode(code.tobytes()), driver.facts
    reported = int(facts.number(f"{kind.title()}ShaderVersion", 0xFFFF)) & 0xFFFF
    if shader.version & 0xFFFF > reported:
        most = f"{reported >> 8}.{reported & 255}" if reported else "none"
        return "shader-version" if reported else "shader-support", f"{shader.name}, the driver has {most}"
    problems = limits(shader, int(facts.number("MaxVertexShaderConst", 256)))
    return ("bad-shader", f"dword {problems[0].dword}: {problems[0].sentence}") if problems else ("", "")


def select_context(driver: EmulatedDriver, call: DdiCall) -> None:
    """Makes the context that the call names the current one. Raises Rejected."""
    handle = number(call, "context", 0)
    context = driver.device.contexts.get(handle)
    if context is None:
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-context", f"DrawPrimitives2: no context {handle}")
    driver.select(context)


def scan(driver: EmulatedDriver, call: DdiCall) -> tuple[CommandBuffer, dp2.ScanError | None]:
    """The call's records; kept for the next part of the same call. Raises Rejected."""
    if driver.stream is not None and driver.stream[0] is call:
        return driver.stream[1], driver.stream[2]
    commands = blob(call, "commands")
    commands = np.zeros(0, np.uint8) if commands is None else commands
    commands = commands if commands.flags.writeable else recycled_copy(commands)  # kernels are compiled for writable arrays
    offset = number(call, "command_offset", 0)
    length = number(call, "command_length", len(commands) - offset if len(commands) >= offset else 0)
    if offset + length > len(commands):
        raise Rejected(
            HResult.DDERR_INVALIDPARAMS, "broken-stream", f"{length} bytes from {offset} of {len(commands)} command bytes"
        )
    vertices, stride, size = _vertices(driver, call)
    found = dp2.scan(commands, offset, length, stride, _resume(driver, commands))
    if found.resumed:
        call.out["resumed"] = found.resumed
    stream = CommandBuffer(
        commands, records.for_device(found.records), 0, vertices, size, number(call, "vertex_type", 0), stride
    )
    driver.stream = call, stream, found.error
    return stream, found.error


def _resume(driver: EmulatedDriver, commands: np.ndarray) -> dp2.Resume | None:
    """Who is asked about unknown commands: the tape, or the runtime's callback."""
    if driver.follows:
        return driver.recorded.resumed.get
    ask = driver.parse_unknown_command
    return None if ask is None else lambda offset: ask(commands, offset)


def _vertices(driver: EmulatedDriver, call: DdiCall) -> tuple[np.ndarray | None, int, int]:
    """(vertex bytes from the first vertex on, padded; stride; bytes) of a call, from user memory or from a buffer."""
    stride, offset = number(call, "vertex_size", 0, 0, 1 << 16), number(call, "vertex_offset", 0)
    user = number(call, "flags", 0) & Dp2Flag.USERMEMVERTICES
    given: np.ndarray | None = blob(call, "vertices")
    handle = number(call, "vertex_buffer", 0)
    if user and given is None and number(call, "vertex_length", 0):
        driver.find("user-memory", "D3DHALDP2_USERMEMVERTICES without vertices in user memory")
    if given is None and handle and not user:
        buffer = driver.device.memory.buffers.get(handle)
        if buffer is None:
            raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-handle", f"DrawPrimitives2: no vertex buffer {handle}")
        given = buffer.bytes()[: buffer.size]
    if given is None:
        return None, stride, 0
    size = number(call, "vertex_length", 0) * max(stride, 1)
    if offset + size > len(given):
        raise Rejected(
            HResult.DDERR_INVALIDPARAMS, "bad-data", f"{size} vertex bytes from byte {offset}, of {len(given)} given"
        )
    padded = np.zeros(size + PADDING, np.uint8)
    padded[:size] = given[offset : offset + size]
    return padded, stride, size
