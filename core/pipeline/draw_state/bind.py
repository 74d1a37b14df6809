"""From the register vector to PIXEL_STATE: the pixel half's inputs, decoded once per draw."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from core.kernels.jit import address_of, array, i8, kernel, outlined, stage
from core.kernels.simd import Pointer, advance, calling, pointer, record_at
from core.pipeline.draw_state.bind_plain import bind_plain, is_near
from core.pipeline.draw_state.bind_planes import bind_planes
from core.pipeline.draw_state.bind_stages import BORDERCOLOR, IN_ORDER, bind_cascade, bind_stages
from core.pipeline.draw_state.pixel_lookups import bind_lookups
from core.pipeline.draw_state.pixel_program import PixelProgram
from core.pipeline.records.layout import MAX_SAMPLES, PIXEL_STATE, SUBPIXELS, TARGET, ColorKey, FogSource
from core.pipeline.records.stage_state import PIXEL_INSTRUCTION, STAGES, TEXTURE_STAGE
from core.pipeline.records.texture import TEXTURE
from core.spec.enums import Blend, CmpFunc, FogMode, TextureFilter, ZBufferType
from core.spec.slots import REGISTERS
from core.spec.states import RENDER_STATE_ID as RS

INSTRUCTION_WORDS = PIXEL_INSTRUCTION.itemsize // 4
registers_at, words_at = record_at(REGISTERS), record_at(np.dtype([("word", "u4", INSTRUCTION_WORDS)]))
BOTHSRCALPHA, BOTHINVSRCALPHA = int(Blend.BOTHSRCALPHA), int(Blend.BOTHINVSRCALPHA)
STAGE_STATES, STATES_END, PROJECTION, VIEW, CONSTANTS = (
    REGISTERS.fields[name][1] // 4  # type: ignore[index]
    for name in ("texture_stage", "view", "projection", "viewport", "ps_const"))  # fmt: skip
CONSTANT_WORDS = 32
NO_INSTRUCTIONS = np.zeros(0, PIXEL_INSTRUCTION)
VIEW_WORDS = 8  # viewport, z range, w range
STAGE_WORDS = 32

# render states by number, as plain ints for the compiler
(Z_ENABLE, LINE_PATTERN, Z_WRITE, ALPHA_TEST, SRC_BLEND, DEST_BLEND, CULL_MODE, Z_FUNC, ALPHA_REF,
 ALPHA_FUNC, DITHER, ALPHA_BLEND, FOG_ENABLE, SPECULAR_ENABLE, FOG_COLOR, FOG_TABLE, FOG_START, FOG_END, FOG_DENSITY,
 Z_BIAS, STENCIL_ENABLE, STENCIL_FAIL, STENCIL_ZFAIL, STENCIL_PASS, STENCIL_FUNC, STENCIL_REF, STENCIL_MASK,
 STENCIL_WRITE, TEXTURE_FACTOR, ANTIALIAS, SAMPLE_MASK, COLOR_WRITE, BLEND_OP, EDGE_ANTIALIAS, COLOR_KEY,
 COLOR_KEY_BLEND) = (RS[name] for name in (
    "ZENABLE", "LINEPATTERN", "ZWRITEENABLE", "ALPHATESTENABLE", "SRCBLEND", "DESTBLEND",
    "CULLMODE", "ZFUNC", "ALPHAREF", "ALPHAFUNC", "DITHERENABLE", "ALPHABLENDENABLE", "FOGENABLE", "SPECULARENABLE",
    "FOGCOLOR", "FOGTABLEMODE", "FOGSTART", "FOGEND", "FOGDENSITY", "ZBIAS", "STENCILENABLE", "STENCILFAIL",
    "STENCILZFAIL", "STENCILPASS", "STENCILFUNC", "STENCILREF", "STENCILMASK", "STENCILWRITEMASK", "TEXTUREFACTOR",
    "MULTISAMPLEANTIALIAS", "MULTISAMPLEMASK", "COLORWRITEENABLE", "BLENDOP", "EDGEANTIALIAS",
    "COLORKEYENABLE", "COLORKEYBLENDENABLE"))  # fmt: skip


@stage
def unpack_argb(word, out):
    """A8R8G8B8 -> r g b a in 0..1."""
    for i in range(4):
        out[i] = np.float32((word >> (24 if i == 3 else 16 - 8 * i)) & 255) * np.float32(1 / 255)


@stage
def signed(word):
    """A dword as the int32 with the same bits."""
    return (word & 0x7FFFFFFF) - (word & 0x80000000)


@stage
def common_divisor(a, b):
    while b:
        a, b = b, a % b
    return a


@stage
def sample_turn(n):
    """The step from row to row: near the golden section of n + 1 and prime to it."""
    turn = (n + 1) * 618 // 1000
    while turn > 1 and common_divisor(turn, n + 1) != 1:
        turn -= 1
    return max(turn, 2) if n == 2 else max(turn, 1)


@stage
def bind_samples(state):
    """Sample positions: each in a column and a row of its own of an n x n grid; four of them are the rotated grid."""
    n = state.samples
    turn = sample_turn(n)
    for i in range(n):
        x, y = 0, 0
        if state.antialias and n > 1:
            x, y = 2 * i + 1, 2 * ((turn * (i + 1)) % (n + 1)) - 1
            x, y = x * (SUBPIXELS // 2) // n - SUBPIXELS // 2, y * (SUBPIXELS // 2) // n - SUBPIXELS // 2
        state.sample_x[i], state.sample_y[i] = x, y


@stage
def bind_target(registers, target, state):
    """Scissor, samples and where the channels lie."""
    view = registers.viewport
    state.left, state.top = max(min(view[0], 1 << 20), target.left), max(min(view[1], 1 << 20), target.top)
    # 64-bit sums: the viewport may be anything
    state.right = min(np.int64(view[0]) + np.int64(view[2]), target.right) - 1
    state.bottom = min(np.int64(view[1]) + np.int64(view[3]), target.bottom) - 1
    state.has_color, state.has_depth = target.has_color, target.has_depth
    state.samples, state.sample_stride = target.samples, target.sample_stride
    state.antialias = registers.render_state[ANTIALIAS] != 0
    bind_samples(state)
    state.sample_mask = registers.render_state[SAMPLE_MASK] & ((1 << MAX_SAMPLES) - 1)
    for i in range(4):
        state.color_shift[i], state.color_bits[i] = target.color_shift[i], target.color_bits[i]
        state.color_max[i] = np.float32((1 << target.color_bits[i]) - 1)
    state.has_alpha = target.color_bits[3] > 0
    state.color_plain = (target.color_shift[0] == 16 and target.color_shift[1] == 8 and target.color_shift[2] == 0
                         and target.color_bits[0] == 8 and target.color_bits[1] == 8 and target.color_bits[2] == 8
                         and (target.color_bits[3] == 0 or target.color_shift[3] == 24))  # fmt: skip


@stage
def w_range(registers):
    """w of the near and the far plane: as WINFO said; before it says anything, as the projection matrix has them."""
    near, far, m = registers.winfo[0], registers.winfo[1], registers.projection
    if near == 0.0 and far == 1.0 and m[11] != 0.0 and m[10] != 0.0 and m[10] != m[11]:
        return -m[11] * m[14] / m[10], m[11] * m[14] / (m[11] - m[10])
    return near, far


@stage
def bind_depth(registers, target, state):
    """Depth test, depth format, bias."""
    rs = registers.render_state
    state.z_enable = rs[Z_ENABLE] != 0 and target.has_depth
    state.z_write = state.z_enable and rs[Z_WRITE] != 0
    state.z_func = rs[Z_FUNC]
    if state.z_enable and state.z_func == CmpFunc.ALWAYS and not state.z_write:
        state.z_enable = 0
    bits = target.depth_bits
    near, far = w_range(registers)
    state.w_buffer = rs[Z_ENABLE] == ZBufferType.USEW and far > near
    state.depth_bits, state.depth_shift = bits, target.depth_shift
    state.depth_mask = signed((1 << bits) - 1)
    state.depth_keep = signed(~(((1 << bits) - 1) << target.depth_shift) & 0xFFFFFFFF)
    state.depth_scale = np.float64((1 << bits) - 1)
    state.depth_max = np.float32(state.depth_scale)
    if bits == 0:
        state.depth_scale, state.depth_max = np.float64(0xFFFFFF), np.float32(0xFFFFFF)
    state.depth_bias = np.float32(min(rs[Z_BIAS], 16))
    state.w_near = near
    state.w_scale = state.depth_max / (far - near)


@stage
def bind_stencil(registers, target, state):
    """Stencil test; without a stencil buffer there is none."""
    rs = registers.render_state
    state.stencil_enable = rs[STENCIL_ENABLE] != 0 and target.has_depth and target.stencil_bits > 0
    state.stencil_func, state.stencil_fail = rs[STENCIL_FUNC], rs[STENCIL_FAIL]
    state.stencil_zfail, state.stencil_pass = rs[STENCIL_ZFAIL], rs[STENCIL_PASS]
    state.stencil_ref, state.stencil_mask = signed(rs[STENCIL_REF]), signed(rs[STENCIL_MASK])
    state.stencil_write_mask = signed(rs[STENCIL_WRITE])
    largest = (1 << target.stencil_bits) - 1
    state.stencil_shift, state.stencil_max = target.stencil_shift, largest
    state.stencil_keep = signed(~(largest << target.stencil_shift) & 0xFFFFFFFF)
    state.depth_used = state.z_enable or state.stencil_enable


@stage
def bind_output(registers, target, state):
    """Alpha test, blending, masks."""
    rs = registers.render_state
    state.alpha_test_enable = rs[ALPHA_TEST] != 0 and rs[ALPHA_FUNC] != CmpFunc.ALWAYS
    state.alpha_func, state.alpha_ref = rs[ALPHA_FUNC], rs[ALPHA_REF] & 255
    state.blend_enable, state.blend_op = rs[ALPHA_BLEND] != 0, rs[BLEND_OP]
    state.blend_source, state.blend_dest = rs[SRC_BLEND], rs[DEST_BLEND]
    if rs[SRC_BLEND] == BOTHSRCALPHA:
        state.blend_source, state.blend_dest = Blend.SRCALPHA, Blend.INVSRCALPHA
    elif rs[SRC_BLEND] == BOTHINVSRCALPHA:
        state.blend_source, state.blend_dest = Blend.INVSRCALPHA, Blend.SRCALPHA
    state.dither = rs[DITHER] != 0
    mask = 0
    if target.has_color:
        for i in range(4):
            if rs[COLOR_WRITE] >> i & 1:
                mask |= ((1 << target.color_bits[i]) - 1) << target.color_shift[i]
    state.color_write = signed(mask)


@stage
def bind_fog(registers, floats, state):
    """Which fog, if any (semantics section 6)."""
    rs, projection = registers.render_state, registers.projection
    state.fog_source = FogSource.NONE
    unpack_argb(rs[FOG_COLOR], state.fog_color)
    state.fog_start, state.fog_end, state.fog_density = floats[FOG_START], floats[FOG_END], floats[FOG_DENSITY]
    state.fog_scale = np.float32(1.0) / (state.fog_end - state.fog_start)
    affine = projection[3] == 0.0 and projection[7] == 0.0 and projection[11] == 0.0 and projection[15] == 1.0
    state.fog_uses_w = not affine
    if rs[FOG_ENABLE]:
        mode = rs[FOG_TABLE]
        if mode == FogMode.LINEAR:
            state.fog_source = FogSource.LINEAR
        elif mode == FogMode.EXP:
            state.fog_source = FogSource.EXP
        elif mode == FogMode.EXP2:
            state.fog_source = FogSource.EXP2
        else:
            state.fog_source = FogSource.VERTEX


@stage
def is_filtered(s):
    """Whether a stage's texel is what sample.sample_pair gives."""
    return is_near(s) and s.textured and s.mag_filter >= TextureFilter.LINEAR and not s.premodulated


@stage
def bind_pair(state):
    """Whether all stages are brief, and whether the texels of stages 0 and 1 may be looked up at once: stage 0 neither moves
    nor multiplies the other one."""
    state.brief = True
    for index in range(state.stage_count):
        state.brief = state.brief and state.stage[index].brief
    first, second = state.stage[0], state.stage[1]
    several = state.stage_count > 1 and not state.pixel_shader
    state.pair = several and is_filtered(first) and is_filtered(second) and second.bump_first == 1


@outlined
def bind_program(registers, program, count, needs, state):
    """The pixel shader's instructions, and constants; count 0: the texture stages."""
    state.pixel_shader, state.shader_needs = count, needs
    if count:
        for i in range(count):
            source, out = words_at(program, i).word, words_at(state.instruction, i).word
            for n in range(INSTRUCTION_WORDS):
                out[n] = source[n]
        for n in range(CONSTANT_WORDS):
            state.constant[n] = registers[CONSTANTS + n]


BIND = i8(Pointer("u4"), Pointer("f4"), Pointer(TEXTURE), Pointer("i4"), Pointer(TARGET), Pointer(PIXEL_INSTRUCTION), i8, i8,
          Pointer(PIXEL_STATE))  # fmt: skip
call_bind = calling(BIND)


@kernel(BIND)
def bind_state(registers, floats, textures, numbers, target, program, count, needs, states):
    """Fills states[0] from registers; `color_key` says whether the caller has made a `key_stage`.

    floats: the same words; textures, numbers: as bind_stages; program: `count` instructions, `needs` as PixelProgram.  Whatever
    stood in the record is not read.  Returns 1 for a w-buffer that cannot be (without a range): z is used.
    """
    held, goal, state = registers_at(registers, 0), target[0], states[0]
    rs = held.render_state
    bind_program(floats, program, count, needs, state)
    state.stage_count = bind_cascade(
        advance(registers, STAGE_STATES), advance(floats, STAGE_STATES), textures, numbers, state.stage
    )
    bind_target(held, goal, state)
    bind_depth(held, goal, state)
    bind_stencil(held, goal, state)
    bind_output(held, goal, state)
    bind_fog(held, floats, state)
    state.cull = rs[CULL_MODE]
    state.line_repeat, state.line_pattern = rs[LINE_PATTERN] & 0xFFFF, rs[LINE_PATTERN] >> 16
    state.specular_enable = rs[SPECULAR_ENABLE] != 0 and not state.pixel_shader
    unpack_argb(rs[TEXTURE_FACTOR], state.texture_factor)
    state.edge_antialias = rs[EDGE_ANTIALIAS] != 0
    bind_planes(held, state)
    bind_pair(state)
    bind_lookups(state)
    if state.color_key:  # the caller wants it, if it can be
        state.key_stage.coordinate_plane = state.stage[0].coordinate_plane
        state.color_key = ColorKey.BLEND if rs[COLOR_KEY_BLEND] else ColorKey.DISCARD
        if state.pixel_shader or state.stage_count == 0 or not rs[COLOR_KEY]:
            state.color_key = ColorKey.NONE
    state.needs_color = state.color_write != 0 or state.alpha_test_enable or state.pixel_shader or state.color_key
    state.rare_color = state.color_key or state.edge_antialias
    bind_plain(state)
    return rs[Z_ENABLE] == ZBufferType.USEW and state.has_depth and not state.w_buffer


@kernel(i8(i8, array("u4"), array("f4"), array(TEXTURE), array("i4"), array(TARGET), array(PIXEL_INSTRUCTION), i8,
           array(PIXEL_STATE), i8))  # fmt: skip
def _bind_arrays(entry, registers, floats, textures, numbers, target, program, needs, states, number):
    """bind_state (which stands at the address `entry`) over arrays."""
    return call_bind(entry, (
        pointer(registers, 0), pointer(floats, 0), pointer(textures, 0), pointer(numbers, 0), pointer(target, 0),
        pointer(program, 0), program.size, needs, pointer(states, number),
    ))  # fmt: skip


@cache
def bind_entry() -> int:
    """Where bind_state stands."""
    return address_of(bind_state, BIND)


def bound_from(registers: np.ndarray, textures: Sequence[bytes], program: PixelProgram | None) -> tuple[bytes | int, ...]:
    """A key: bind_pixel_state makes the same of equal ones, for one target and without a colour key.

    textures: the TEXTURE records.
    """
    constants = registers[CONSTANTS : CONSTANTS + CONSTANT_WORDS].tobytes() if program is not None else b""
    projection, view = registers[PROJECTION : PROJECTION + 16].tobytes(), registers[VIEW : VIEW + VIEW_WORDS].tobytes()
    return registers[:STATES_END].tobytes(), projection, view, constants, id(program), *textures


def bind_pixel_state(registers: np.ndarray, textures: np.ndarray, target: np.ndarray, states: np.ndarray, number: int,
                     program: PixelProgram | None = None, key: np.ndarray | None = None) -> int:  # fmt: skip
    """Fills states[number] (PIXEL_STATE) from uint32[SLOTS...], TEXTURE[8], TARGET[1] and the pixel shader's program.

    key: TEXTURE[1] that is 0 where stage 0's texture has its colour key and 1 elsewhere.  Returns 1 for a w-buffer that cannot
    be (without a range): z is used.
    """
    states["color_key"][number] = key is not None
    if key is not None:
        keyed, stages = textures.copy(), np.zeros(STAGES, TEXTURE_STAGE)
        keyed[0] = key[0]
        stage_states = registers[STAGE_STATES : STAGE_STATES + STAGES * STAGE_WORDS].copy()
        stage_states[BORDERCOLOR] = 0xFFFFFFFF  # no texel, so never keyed
        bind_stages(stage_states, stage_states.view(np.float32), keyed, IN_ORDER, stages)
        states["key_stage"][number] = stages[0]
    records, needs = (NO_INSTRUCTIONS, 0) if program is None else (program.records, program.needs)
    floats = registers.view(np.float32)
    return _bind_arrays(bind_entry(), registers, floats, textures, IN_ORDER, target, records, needs, states, number)
