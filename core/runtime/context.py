"""One IDirect3DDevice8, or one of the older ones: its DDI context, its registers as the API sees them, its swap chain."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.runtime.objects import Resource, Sent, View
from core.runtime.rows.table import LIGHT, LIGHT_MADE, LIGHT_OFF, LIGHT_WORDS, LIGHTS, RUNTIME_SLOTS
from core.spec.slots import BASE, DEFAULTS, LIGHT_DEFAULTS, SLOTS, STAGE_STATES, STREAMS, TEXTURE_STAGES

if TYPE_CHECKING:
    from core.runtime.directdraw.objects import DrawSurface, Older
    from core.runtime.methods.stateblocks import StateBlock
    from core.runtime.methods.swapchain import SwapChain


def fresh_registers() -> np.ndarray:
    """The runtime's vector at the start of a device."""
    registers = np.zeros(RUNTIME_SLOTS, np.uint32)
    registers[:SLOTS] = DEFAULTS
    registers[LIGHT:LIGHT_OFF].reshape(LIGHTS, LIGHT_WORDS)[:] = LIGHT_DEFAULTS[:LIGHT_WORDS]
    registers[LIGHT_OFF:LIGHT_MADE] = 1
    return registers


@dataclass(eq=False)
class Context:
    """See the module's docstring.  blocks: state blocks by token; vertex_shaders, pixel_shaders: by the API's handle."""

    number: int
    pointer: int
    behavior: int
    chain: SwapChain | None = None
    depth: Resource | None = None
    registers: np.ndarray = field(default_factory=fresh_registers)
    recorded: np.ndarray = field(default_factory=lambda: np.zeros(RUNTIME_SLOTS, np.uint32))
    touched: np.ndarray = field(default_factory=lambda: np.zeros(RUNTIME_SLOTS, np.uint8))
    blocks: dict[int, StateBlock] = field(default_factory=dict)
    mode: int = 0  # whether a state block is being recorded (layout.RECORD_...)
    recording: int = 0  # handle of the driver's state set being recorded (pure device)
    vertex_shaders: dict[int, Shader] = field(default_factory=dict)
    pixel_shaders: dict[int, Shader] = field(default_factory=dict)
    palettes: dict[int, bytes] = field(default_factory=dict)
    sent_palettes: dict[int, int] = field(default_factory=dict)  # palette number -> DDI palette handle
    lights: dict[int, np.ndarray] = field(default_factory=dict)  # beyond those in the registers
    target: View | None = None
    stencil: View | None = None  # the depth surface that is set
    doomed: list[Resource] = field(default_factory=list)  # released, still bound
    is_software: bool = False  # the runtime processes vertices
    is_legacy: bool = False  # the driver is of DirectX 7
    version: int = 8  # of Direct3D
    is_rasteriser: bool = False  # a software device of Direct3D 6 or 5
    surface: DrawSurface | None = None  # the render target of Direct3D 7 and before
    older: Older | None = None  # of Direct3D 6 and 5
    sent: Sent = field(default_factory=Sent)  # about transformed vertices
    up_indices: int = 0  # the runtime's index buffer for DrawIndexedPrimitiveUP
    up_size: int = 0

    @property
    def is_pure(self) -> bool:
        return bool(self.behavior & 0x10)

    def bound_handles(self) -> set[int]:
        """Handles that the registers hold."""
        registers = self.registers
        stages = registers[BASE["texture_stage"] :][: TEXTURE_STAGES * STAGE_STATES : STAGE_STATES]
        streams = registers[BASE["stream"] :][: 3 * STREAMS : 3]
        more = registers[[BASE["indices"], BASE["render_target"], BASE["depth_stencil"]]]
        held = {int(h) for part in (stages, streams, more) for h in part}
        for block in self.blocks.values():
            held |= block.handles()
        return held - {0}


@dataclass(frozen=True, slots=True)
class Shader:
    """A vertex or pixel shader: what the driver calls it, and what it was made from."""

    handle: int
    declaration: tuple[int, ...]
    code: bytes
