"""How one pixel of one primitive got its colour: each texture stage, or each instruction of the pixel shader."""

from __future__ import annotations

from dataclasses import dataclass

from core.ddi.driver import EmulatedDriver
from core.ddi.shader_code import decode
from core.ddi.shader_text import instruction_text
from core.device import states
from core.device.tap import Tap
from core.errors import ShaderError
from core.pipeline.trace import Rgba, Trace
from core.spec.enums import TextureOp
from core.spec.states import TEXTURE_STAGE_STATE_ID
from inspector.timeline.replay import Cancel, Replay

COLOROP, ALPHAOP = (TEXTURE_STAGE_STATE_ID[name] for name in ("COLOROP", "ALPHAOP"))


@dataclass(frozen=True, slots=True)
class ShadingStep:
    """A texture stage or an instruction. `values` by name: what came in and what it left (core.pipeline.trace.Step)."""

    title: str
    values: dict[str, Rgba]


@dataclass(frozen=True, slots=True)
class Shading:
    """The pixel before specular add, fog, alpha test and blending."""

    shader: bool
    inputs: dict[str, Rgba]
    steps: list[ShadingStep]
    result: Rgba
    killed: bool
    depth: float | None


def shading(replay: Replay, event: int, primitive: int, x: int, y: int, cancel: Cancel | None = None) -> Shading | None:
    """The steps of the pixel; None if the primitive of this draw does not cover it (or was culled, or clipped away)."""
    with replay.before(event, cancel) as driver:
        device = driver.device
        device.flush()
        before, device.tap = device.tap, Tap(trace=(event, primitive, x, y))
        tap = device.tap
        try:
            with replay.at(event, cancel) as drawn:
                drawn.device.flush()
                return None if tap.traced is None else told(drawn, tap.traced)
        finally:
            device.tap = before


def told(driver: EmulatedDriver, trace: Trace) -> Shading:
    """A trace with the steps' titles; the device has the state that the draw had."""
    titles = shader_titles(driver) if trace.shader else stage_titles(driver)
    steps = [ShadingStep(titles.get(step.number, f"{step.number}"), step.values) for step in trace.steps]
    return Shading(trace.shader, trace.inputs, steps, trace.result, trace.killed, trace.depth)


def shader_titles(driver: EmulatedDriver) -> dict[int, str]:
    """The instructions that compute, disassembled."""
    device = driver.device
    shader = device.context.pixel_shaders.get(int(device.registers.vector[states.PIXEL_SHADER]))
    try:
        code = decode(shader.facts["code"]) if shader else None
    except ShaderError:
        code = None
    if code is None:
        return {}
    running = [one for one in code.instructions if one.row.kind != "other"]
    return {number: instruction_text(code.version, one) for number, one in enumerate(running)}


def stage_titles(driver: EmulatedDriver) -> dict[int, str]:
    """The colour and alpha operations of the stages."""
    first = states.TEXTURE_STAGE
    words = driver.device.registers.vector[first : first + 256].reshape(8, 32)[:, [COLOROP, ALPHAOP]].tolist()
    return {n: f"stage {n}: {operation(color)}, alpha {operation(alpha)}" for n, (color, alpha) in enumerate(words)}


def operation(number: int) -> str:
    return TextureOp(number).name if number in TextureOp._value2member_map_ else str(number)
