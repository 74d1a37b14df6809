"""Devices and presentation: CreateDevice, Reset, swap chains, render targets, Present."""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct
from typing import TYPE_CHECKING, Any

from core.runtime.context import Context, fresh_registers
from core.runtime.methods.driver_info import ask_driver
from core.runtime.methods.initial import send_defaults
from core.runtime.methods.surfaces import make_surface, show, view_of
from core.runtime.objects import Resource, View
from core.runtime.rows.commands import payload
from core.runtime.rows.layout import PRESENTS
from core.runtime.rows.table import LIGHT_MADE, LIGHTS
from core.spec.caps import RasterCaps
from core.spec.enums import DdBlt, DdFlip, SwapEffect, Usage
from core.spec.formats import FORMATS
from core.spec.slots import BASE, ONE
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

X8R8G8B8 = 22
TARGET, DEPTH, VIEWPORT, DEPTH_RANGE = (BASE[name] for name in ("render_target", "depth_stencil", "viewport", "zrange"))
_HANDLES, _AREA = Struct("<2I"), Struct("<4I")  # as `payload` packs SETRENDERTARGET and VIEWPORTINFO
WHOLE_RANGE = payload(Op.ZRANGE, min=0.0, max=1.0)
WAIT = int(DdBlt.WAIT)
PRESENTATION = int(DdBlt.WAIT | DdBlt.PRESENTATION | DdBlt.LAST_PRESENTATION)
"""Only for drivers of DirectX 8 (DX8 DDI, "Presentation")."""


@dataclass(slots=True)
class PresentParameters:
    """D3DPRESENT_PARAMETERS, members in the structure's order."""

    width: int
    height: int
    format: int = X8R8G8B8
    count: int = 1
    samples: int = 0
    effect: int = SwapEffect.DISCARD
    window: int = 0
    windowed: int = 1
    auto_depth: int = 0
    depth_format: int = 0
    flags: int = 0
    refresh: int = 0
    interval: int = 0


@dataclass(eq=False, slots=True)
class SwapChain:
    """A primary (front) surface and its back buffers."""

    parameters: PresentParameters
    front: Resource
    back: list[Resource]
    pointer: int = 0
    stretches: bool = False  # a flip resolves the back buffer

    @property
    def copies(self) -> bool:
        """The program asked that a back buffer keeps its contents and its place."""
        return self.parameters.effect in (SwapEffect.COPY, SwapEffect.COPY_VSYNC)

    @property
    def flips(self) -> bool:
        """Full screen chains flip, unless the program asked for copies or the back buffer has to be resolved by one."""
        single = self.parameters.samples < 2 or self.stretches
        return single and not self.parameters.windowed and not self.copies

    @property
    def rotates(self) -> bool:
        """Whether its back buffers change places when one is presented."""
        return len(self.back) > 1 and not self.flips and not self.copies


def tell_chain(rt: Runtime) -> None:
    """Tells the loop whether a Present of the current device does nothing but call the driver."""
    chain = rt.context.chain if rt.context else None
    rt.commands.numbers[PRESENTS] = chain is not None and not chain.rotates


def _parameters(rt: Runtime, values: Any) -> PresentParameters:
    """The structure as it came back: what the program left 0 is filled in."""
    parameters = PresentParameters(*values[0])
    if not parameters.width or not parameters.height:
        rt.note("runtime-rejected", "the size of the back buffer is not recorded: 640 x 480 is assumed")
        parameters.width, parameters.height = parameters.width or 640, parameters.height or 480
    if parameters.format not in FORMATS:
        parameters.format = X8R8G8B8
    parameters.count = max(1, parameters.count)
    return parameters


def _make_chain(rt: Runtime, parameters: PresentParameters) -> SwapChain:
    """The primary surface, as large as the picture that is shown, and the back buffers."""
    size = (parameters.width, parameters.height)
    front = make_surface(rt, "primary", parameters.format, *size)
    back = [
        make_surface(rt, "back_buffer", parameters.format, *size, usage=Usage.RENDERTARGET, samples=parameters.samples)
        for _ in range(parameters.count)
    ]
    for surface in (front, *back):
        surface.implicit = True
    return SwapChain(parameters, front, back, stretches=rt.facts.has("RasterCaps", RasterCaps.STRETCHBLTMULTISAMPLE, False))


def _make_targets(rt: Runtime, context: Context, parameters: PresentParameters) -> None:
    """The implicit swap chain and depth surface of a device."""
    context.chain = _make_chain(rt, parameters)
    tell_chain(rt)
    context.depth = None
    if parameters.auto_depth:
        context.depth = make_surface(
            rt, "depth", parameters.depth_format, parameters.width, parameters.height, usage=Usage.DEPTHSTENCIL,
            samples=parameters.samples,
        )  # fmt: skip
        context.depth.implicit = True


def _target_handles(context: Context) -> tuple[int, int]:
    assert context.chain is not None
    return context.chain.back[0].handle, context.depth.handle if context.depth else 0


def create_device(
    rt: Runtime, this: int, adapter: int, type: int, window: int, behavior: int, values: Any, out: Any
) -> None:  # fmt: skip
    """IDirect3D8::CreateDevice: swap chain, depth surface, DDI context, and all state at its defaults."""
    if not out or not values:
        return
    rt.flush()
    parameters = _parameters(rt, values)
    context = Context(rt.new_number(), out[0], behavior)
    ask_driver(rt, context)
    rt.select(context)
    _make_targets(rt, context, parameters)
    color, depth = _target_handles(context)
    rt.call("ContextCreate", {
        "context": context.number, "render_target": color, "depth_stencil": depth, "width": parameters.width,
        "height": parameters.height, "windowed": int(bool(parameters.windowed)),
    })  # fmt: skip
    rt.fit_index_buffer()
    rt.name(out[0], context, 0)
    context.registers[TARGET], context.registers[DEPTH] = color, depth
    assert context.chain is not None
    context.target = View(context.chain.back[0])
    context.stencil = View(context.depth) if context.depth else None
    rt.tell_target()
    send_defaults(rt, context)


def reset(rt: Runtime, this: int, values: Any) -> None:
    """IDirect3DDevice8::Reset: new swap chain and depth surface, default state; the DDI context and its shaders stay."""
    context = rt.device(this)
    if context is None or not values:
        return
    parameters = _parameters(rt, values)
    old = [*_surfaces(context)]
    before = context.registers.copy()
    _make_targets(rt, context, parameters)
    rt.flush()
    context.registers[:] = fresh_registers()
    context.registers[LIGHT_MADE : LIGHT_MADE + LIGHTS] = before[LIGHT_MADE : LIGHT_MADE + LIGHTS]
    context.blocks.clear()
    assert context.chain is not None
    _set_target(rt, context, View(context.chain.back[0]), View(context.depth) if context.depth else None)
    send_defaults(rt, context, before)
    for surface in old:
        rt.destroy(surface)


def _surfaces(context: Context) -> list[Resource]:
    chain = context.chain
    return [*([chain.front, *chain.back] if chain else []), *([context.depth] if context.depth else [])]


def end_context(rt: Runtime, context: Context) -> list[Resource]:
    """ContextDestroy; returns what was released while it was bound, and can go now."""
    rt.select(context)
    rt.flush()
    gone, context.doomed = context.doomed, []
    context.registers[:] = 0
    context.blocks.clear()
    rt.call("ContextDestroy", {"context": context.number})
    return gone


def release_device(rt: Runtime, this: int) -> None:
    """Release of a device: at 0 references its swap chain and context end."""
    context = rt.objects.get(this)
    if rt.result != 0 or not isinstance(context, Context):
        return
    for resource in (*end_context(rt, context), *_surfaces(context)):
        rt.destroy(resource)
    rt.call("DestroyD3DBuffer", {"handle": context.up_indices})
    rt.forget(this)
    rt.select(next((thing for thing in rt.objects.values() if isinstance(thing, Context)), None))


def create_additional_swap_chain(rt: Runtime, this: int, values: Any, out: Any) -> None:
    """IDirect3DDevice8::CreateAdditionalSwapChain."""
    if rt.device(this) is None or not values or not out:
        return
    chain = _make_chain(rt, _parameters(rt, values))
    chain.pointer = out[0]
    rt.name(out[0], chain, 0)


def release_swap_chain(rt: Runtime, this: int) -> None:
    """Release of an additional swap chain."""
    chain = rt.objects.get(this)
    if rt.result == 0 and isinstance(chain, SwapChain):
        rt.forget(this)
        for surface in (chain.front, *chain.back):
            rt.destroy(surface)


def get_back_buffer(rt: Runtime, this: int, number: int, type: int, out: Any) -> None:
    """GetBackBuffer of a device or swap chain."""
    thing = rt.objects.get(this)
    chain = thing.chain if isinstance(thing, Context) else thing
    if not isinstance(chain, SwapChain) or number >= len(chain.back):
        rt.reject(f"there is no back buffer {number}")
        return
    show(rt, chain.back[number], 0, 0, out)


def set_render_target(rt: Runtime, this: int, target: int | None, depth: int | None) -> None:
    """IDirect3DDevice8::SetRenderTarget: NULL keeps the target; NULL depth is none.  The viewport becomes the whole target."""
    context = rt.device(this)
    if context is None:
        return
    color = view_of(rt, target) if target else context.target
    if color is not None:
        _set_target(rt, context, color, view_of(rt, depth))


def _set_target(rt: Runtime, context: Context, color: View, depth: View | None) -> None:
    context.target, context.stencil = color, depth
    rt.tell_target()
    registers = context.registers.data  # an element costs a tenth of numpy's
    registers[TARGET], registers[DEPTH] = handle, below = color.handle, depth.handle if depth else 0
    rt.emit_bytes(Op.SETRENDERTARGET, _HANDLES.pack(handle, below))
    width, height, _ = color.size
    rt.emit_bytes(Op.VIEWPORTINFO, _AREA.pack(0, 0, width, height))
    rt.emit_bytes(Op.ZRANGE, WHOLE_RANGE)
    registers[VIEWPORT], registers[VIEWPORT + 1], registers[VIEWPORT + 2], registers[VIEWPORT + 3] = 0, 0, width, height
    registers[DEPTH_RANGE], registers[DEPTH_RANGE + 1] = 0, ONE


def get_render_target(rt: Runtime, this: int, out: Any) -> None:
    """IDirect3DDevice8::GetRenderTarget."""
    context = rt.device(this)
    if context is not None and context.target is not None:
        show(rt, context.target.resource, context.target.face, context.target.level, out)


def get_depth_stencil_surface(rt: Runtime, this: int, out: Any) -> None:
    """IDirect3DDevice8::GetDepthStencilSurface."""
    context = rt.device(this)
    if context is not None and context.stencil is not None:
        show(rt, context.stencil.resource, context.stencil.face, context.stencil.level, out)


def present(rt: Runtime, this: int, source: Any, destination: Any, window: int | None, dirty: Any) -> None:
    """Present of a device or swap chain: a windowed one copies the back buffer to the primary, a full screen one flips."""
    thing = rt.objects.get(this)
    chain = thing.chain if isinstance(thing, Context) else thing
    if not isinstance(chain, SwapChain):
        rt.reject(f"{this:#x} names no device")
        return
    if chain.flips:
        rt.call("Flip", {"surface": [chain.front.handle, *(b.handle for b in chain.back)], "flags": int(DdFlip.WAIT)})
        return
    flagged = rt.context is None or not rt.context.is_legacy
    whole = (0, 0, chain.parameters.width, chain.parameters.height)
    rt.call("Blt", {
        "destination": chain.front.handle, "source": chain.back[0].handle,
        "destination_box": tuple(destination[0]) if destination else whole,
        "source_box": tuple(source[0]) if source else whole,
        "flags": PRESENTATION if flagged else WAIT, "presentation": 2,
    })  # fmt: skip
    if chain.rotates:
        _rotate(rt, chain)


def _rotate(rt: Runtime, chain: SwapChain) -> None:
    """A windowed chain of several back buffers moves them up by one, the presented one to the end (Wine's test_flip)."""
    handles = [surface.handle for surface in chain.back]
    for surface, handle in zip(chain.back, handles[1:] + handles[:1], strict=True):
        surface.handle = handle
        for pointer in surface.views.values():
            rt.renamed(pointer, handle)
    context = rt.context
    if context is not None and context.target is not None and context.target.resource in chain.back:
        depth = context.stencil.handle if context.stencil else 0
        rt.emit(Op.SETRENDERTARGET, render_target=context.target.handle, depth_stencil=depth)
        context.registers[TARGET] = context.target.handle
