"""Inputs of the vertex stages, computed once per draw from the register vector.

`bind` reads the registers and fills a VERTEX_STATE; it runs inside the kernel of the draw, so nothing is cached and nothing
can be stale.  Matrices are row by row, vectors are rows: v * M.  Products and inverses are made in double precision and
rounded once.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from core.kernels.jit import outlined, stage
from core.matrices import as_float, bounded, inverse_transpose, multiply, solve4
from core.pipeline.draw_state.light_sources import bind_lights
from core.spec.enums import FillMode, FogMode, TextureCoordinateSource, TextureOp, VertexBlend
from core.spec.slots import REGISTERS, STAGE_STATES, TEXTURE_STAGES
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID

F = np.float32

GUARD_BAND = 2048.0  # pixels that geometry may reach beyond the viewport on each side without being clipped
SCREEN_LIMIT = 16384.0  # no screen coordinate beyond, whatever the viewport
MAX_POINT_SIZE = 256.0  # MaxPointSize of the device (core.spec.caps)
USER_PLANES = 6  # MaxUserClipPlanes of the device
SMALLEST_W = 1e-10  # of a vertex that clipping makes
UNBOUNDED = 1e18  # depth that is not clipped


class VertexKind(IntEnum):
    """Who makes screen vertices of what the streams hold."""

    FIXED = 0
    TRANSFORMED = 1  # XYZRHW
    SHADER = 2


class FogSource(IntEnum):
    """What the fog factor of a vertex is."""

    ONE = 0  # no fog, or fog of the pixel's depth
    SPECULAR_ALPHA = 1
    SHADER = 2  # oFog
    LINEAR = 3
    EXP = 4
    EXP2 = 5


VERTEX_REGISTERS = np.dtype([
    ("view_matrix" if name == "view" else name, *((base, shape) if shape else (base,)))
    for name in REGISTERS.names or ()
    for base, shape in [(REGISTERS[name].base, REGISTERS[name].shape)]
])  # fmt: skip
"""REGISTERS under names that compiled code can read: numba reserves `view`."""

TEXCOORD_STAGE = np.dtype(
    [
        ("set", "i4"),  # coordinate set, 0..7
        ("generate", "i4"),  # TextureCoordinateSource
        ("count", "i4"),  # components that the matrix makes; 0: not transformed
        ("size", "i4"),  # components that the vertex has in the set (0: none)
        ("matrix", "f4", 16),
    ]
)

VERTEX_STATE = np.dtype([
    ("kind", "i4"), ("present", "u4"),                      # VertexKind; input registers that the vertex has, one bit each
    ("lighting", "i4"), ("specular", "i4"), ("local_viewer", "i4"), ("normalize", "i4"), ("color_vertex", "i4"),
    ("needs_eye", "i4"), ("needs_normal", "i4"),            # derived: some stage wants them
    ("wanted", "i4"),                                       # derived: input registers that some stage reads, one bit each
    ("tween", "i4"), ("tween_factor", "f4"),
    ("blend", "i4"), ("weights", "i4"), ("indexed", "i4"),  # not just one world matrix; weights and indices in the vertex
    ("diffuse_source", "i4"), ("specular_source", "i4"), ("ambient_source", "i4"), ("emissive_source", "i4"),
    ("ambient", "f4", 4), ("material", "f4", 17), ("light_count", "i4"),
    ("fog_source", "i4"), ("fog_range", "i4"), ("fog_start", "f4"), ("fog_end", "f4"), ("fog_density", "f4"),
    ("points", "i4"), ("point_size", "f4"), ("point_min", "f4"), ("point_max", "f4"), ("point_scale", "i4"),
    ("point_factor", "f4", 3), ("point_sprite", "i4"), ("viewport_height", "f4"),
    ("fill_mode", "i4"), ("cull_mode", "i4"), ("last_pixel", "i4"), ("line_pattern", "i4"),
    ("stage_count", "i4"), ("stage", TEXCOORD_STAGE, 8),
    ("world_view", "f4", 16), ("world_view_projection", "f4", 16), ("view_projection", "f4", 16),
    ("normal", "f4", 12), ("view_normal", "f4", 12),        # inverse transposes, 3 rows of 4
    ("scale", "f4", 4), ("offset", "f4", 4),                # screen = offset + scale * xyz / w
    ("frustum", "f4", 4),                                   # viewport: least and greatest x / w, and y / w counted downwards
    ("guard", "f4", 4),                                     # the same of the guard band
    ("screen", "f4", 6),                                    # ends of what comes out: x x y y z z
    ("z_clip", "i4"),                                       # near and far cut; otherwise depth is clamped pixel by pixel
    ("y_up", "i4"),                                         # screen y runs against clip space y
    ("user_planes", "i4"), ("plane", "f4", (17, 4)),        # in clip space, in the order of Fate
    ("work", "f8", 40),
], align=True)  # fmt: skip

BLEND_WEIGHT, BLEND_INDICES, NORMAL, POINT_SIZE, DIFFUSE, SPECULAR, TEXCOORD, POSITION_2, NORMAL_2 = 1, 2, 3, 4, 5, 6, 7, 15, 16

RS, TSS = RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID
_SPECULARENABLE = RS["SPECULARENABLE"]
_ZENABLE = RS["ZENABLE"]
_CLIPPING = RS["CLIPPING"]
_FOGENABLE = RS["FOGENABLE"]
_FOGTABLEMODE = RS["FOGTABLEMODE"]
_FOGVERTEXMODE = RS["FOGVERTEXMODE"]
_FOGSTART = RS["FOGSTART"]
_FOGEND = RS["FOGEND"]
_FOGDENSITY = RS["FOGDENSITY"]
_RANGEFOG = RS["RANGEFOGENABLE"]
_LIGHTING = RS["LIGHTING"]
_AMBIENT = RS["AMBIENT"]
_COLORVERTEX = RS["COLORVERTEX"]
_LOCALVIEWER = RS["LOCALVIEWER"]
_NORMALIZE = RS["NORMALIZENORMALS"]
_DIFFUSE_SOURCE = RS["DIFFUSEMATERIALSOURCE"]
_SPECULAR_SOURCE = RS["SPECULARMATERIALSOURCE"]
_AMBIENT_SOURCE = RS["AMBIENTMATERIALSOURCE"]
_EMISSIVE_SOURCE = RS["EMISSIVEMATERIALSOURCE"]
_VERTEXBLEND = RS["VERTEXBLEND"]
_INDEXED = RS["INDEXEDVERTEXBLENDENABLE"]
_TWEENFACTOR = RS["TWEENFACTOR"]
_CLIPPLANES = RS["CLIPPLANEENABLE"]
_POINTSIZE = RS["POINTSIZE"]
_POINTMIN = RS["POINTSIZE_MIN"]
_POINTMAX = RS["POINTSIZE_MAX"]
_POINTSPRITE = RS["POINTSPRITEENABLE"]
_POINTSCALE = RS["POINTSCALEENABLE"]
_SCALE_A = RS["POINTSCALE_A"]
_SCALE_B = RS["POINTSCALE_B"]
_SCALE_C = RS["POINTSCALE_C"]
_FILLMODE = RS["FILLMODE"]
_CULLMODE = RS["CULLMODE"]
_LASTPIXEL = RS["LASTPIXEL"]
_LINEPATTERN = RS["LINEPATTERN"]
_COLOROP = TSS["COLOROP"]
_COORDINDEX = TSS["TEXCOORDINDEX"]
_TTFF = TSS["TEXTURETRANSFORMFLAGS"]


@stage
def bind(state, layout, points, registers, vector, lights, light_slots, light_slot_count, normals):
    """Fills `state` for vertices of `layout` (fetch.VERTEX_LAYOUT), and `lights`.

    points: the draw makes points.  normals: room for the inverse transposes of the world matrices (12 floats each),
    made only for vertex blending.
    """
    render = registers.render_state
    state.kind, state.present, state.points = layout.kind, layout.present, points or render[_FILLMODE] == FillMode.POINT
    bind_viewport(state, registers)
    bind_planes(state, registers)
    bind_points(state, registers)
    bind_fog(state, render)
    state.specular = 1 if render[_SPECULARENABLE] != 0 else 0
    state.fill_mode, state.cull_mode = render[_FILLMODE], render[_CULLMODE]
    state.last_pixel, state.line_pattern = render[_LASTPIXEL] != 0, render[_LINEPATTERN] & 0xFFFF
    bind_texture_coordinates(state, layout, registers)
    state.light_count = 0
    if state.kind == VertexKind.FIXED:
        bind_lighting(state, registers)
        bind_matrices(state, registers, normals)
        if state.lighting:
            state.light_count = bind_lights(registers, vector, lights, light_slots, light_slot_count)
    state.wanted = wanted_registers(state)


@stage
def wanted_registers(state):
    """Input registers that are read: all of them by a shader."""
    if state.kind == VertexKind.SHADER:
        return -1
    wanted = 1 | 1 << DIFFUSE | 1 << SPECULAR
    if state.points:
        wanted |= 1 << POINT_SIZE
    for i in range(state.stage_count):
        wanted |= 1 << TEXCOORD + state.stage[i].set
    if state.kind == VertexKind.FIXED:
        if state.needs_normal:
            wanted |= 1 << NORMAL | 1 << NORMAL_2
        if state.tween:
            wanted |= 1 << POSITION_2
        if state.blend:
            wanted |= 1 << BLEND_WEIGHT | 1 << BLEND_INDICES
    return wanted


@outlined
def bind_viewport(state, registers):
    """Scale and offset of the viewport, guard band, and the ends of what may come out."""
    viewport, z = registers.viewport, registers.zrange
    left, top = F(viewport[0]), F(viewport[1])
    width, height = F(viewport[2]), F(viewport[3])
    near, far = bounded(z[0], F(0.0), F(1.0)), bounded(z[1], F(0.0), F(1.0))
    state.viewport_height = height
    screen = state.screen
    screen[0], screen[1] = max(left - F(GUARD_BAND), F(-SCREEN_LIMIT)), min(left + width + F(GUARD_BAND), F(SCREEN_LIMIT))
    screen[2], screen[3] = max(top - F(GUARD_BAND), F(-SCREEN_LIMIT)), min(top + height + F(GUARD_BAND), F(SCREEN_LIMIT))
    scale, offset, render = state.scale, state.offset, registers.render_state
    tests_depth = render[_ZENABLE] != 0 and registers.depth_stencil != 0
    state.z_clip = state.kind != VertexKind.TRANSFORMED or tests_depth
    state.y_up = 0 if state.kind == VertexKind.TRANSFORMED else 1
    if state.kind == VertexKind.TRANSFORMED:
        screen[4], screen[5] = F(0.0), F(1.0)
        scale[0], scale[1], scale[2] = F(1.0), F(1.0), F(1.0)
        offset[0], offset[1], offset[2] = F(0.0), F(0.0), F(0.0)
    else:
        screen[4], screen[5] = min(near, far), max(near, far)
        scale[0], scale[1], scale[2] = width * F(0.5), height * F(-0.5), far - near
        offset[0], offset[1], offset[2] = left + width * F(0.5), top + height * F(0.5), near
    if not state.z_clip:
        screen[4], screen[5] = F(-UNBOUNDED), F(UNBOUNDED)
    frustum, guard = state.frustum, state.guard
    frustum[0], frustum[1] = (left - offset[0]) / scale[0], (left + width - offset[0]) / scale[0]
    down = -scale[1] if state.y_up else scale[1]
    frustum[2], frustum[3] = (top - offset[1]) / down, (top + height - offset[1]) / down
    guard[0], guard[1] = (screen[0] - offset[0]) / scale[0], (screen[1] - offset[0]) / scale[0]
    guard[2], guard[3] = (screen[2] - offset[1]) / down, (screen[3] - offset[1]) / down


@stage
def set_plane(planes, number, a, b, c, d):
    planes[4 * number], planes[4 * number + 1], planes[4 * number + 2], planes[4 * number + 3] = a, b, c, d


@outlined
def bind_planes(state, registers):
    """The clip planes as (a, b, c, d) with a x + b y + c z + d w >= 0 inside, over clip space."""
    planes, guard, frustum = state.plane, state.guard, state.frustum
    one, zero = F(1.0), F(0.0)
    down = -one if state.y_up else one
    for base, box in ((0, frustum), (12, guard)):
        set_plane(planes, base, one, zero, zero, -box[0])
        set_plane(planes, base + 1, -one, zero, zero, box[1])
        set_plane(planes, base + 2, zero, down, zero, -box[2])
        set_plane(planes, base + 3, zero, -down, zero, box[3])
    set_plane(planes, 4, zero, zero, one, zero)
    set_plane(planes, 5, zero, zero, -one, one)
    set_plane(planes, 16, zero, zero, zero, one)
    state.user_planes = 0
    if state.kind != VertexKind.TRANSFORMED and registers.render_state[_CLIPPING] != 0:
        state.user_planes = registers.render_state[_CLIPPLANES] & ((1 << USER_PLANES) - 1)
    if state.kind == VertexKind.FIXED:
        multiply(registers.view_matrix, registers.projection, state.view_projection)
    for k in range(USER_PLANES):
        if state.user_planes >> k & 1:
            bind_user_plane(state, registers.clip_plane, k)


@stage
def bind_user_plane(state, given, k):
    """A plane over clip space: given so for shaders, over world space for the fixed function."""
    work = state.work
    for i in range(4):
        work[20 + i] = np.float64(given[4 * k + i])
    if state.kind == VertexKind.FIXED:
        solve4(state.view_projection, 0, work)
    set_plane(state.plane, 6 + k, F(work[20]), F(work[21]), F(work[22]), F(work[23]))


@stage
def bind_points(state, registers):
    """Sizes of points: none is larger than the driver's MaxPointSize (DX8 DDI, Point Sprites: Smax)."""
    render, limit = registers.render_state, F(MAX_POINT_SIZE)
    if registers.point_limit > F(0.0):
        limit = min(limit, registers.point_limit)
    state.point_size = as_float(render[_POINTSIZE])
    state.point_min, state.point_max = min(as_float(render[_POINTMIN]), limit), min(as_float(render[_POINTMAX]), limit)
    state.point_scale = state.kind == VertexKind.FIXED and render[_POINTSCALE] != 0
    state.point_sprite = render[_POINTSPRITE] != 0
    factor = state.point_factor
    factor[0], factor[1], factor[2] = as_float(render[_SCALE_A]), as_float(render[_SCALE_B]), as_float(render[_SCALE_C])


@stage
def bind_fog(state, render):
    """Which fog factor a vertex gets: semantics section 6."""
    state.fog_source = FogSource.ONE
    if render[_FOGENABLE] != 0 and render[_FOGTABLEMODE] == FogMode.NONE:
        mode = render[_FOGVERTEXMODE]
        if state.kind == VertexKind.SHADER:
            state.fog_source = FogSource.SHADER
        elif state.kind == VertexKind.TRANSFORMED or mode == FogMode.NONE or mode > FogMode.LINEAR:
            state.fog_source = FogSource.SPECULAR_ALPHA
        elif mode == FogMode.LINEAR:
            state.fog_source = FogSource.LINEAR
        else:
            state.fog_source = FogSource.EXP if mode == FogMode.EXP else FogSource.EXP2
    state.fog_range = render[_RANGEFOG] != 0
    state.fog_start, state.fog_end = as_float(render[_FOGSTART]), as_float(render[_FOGEND])
    state.fog_density = as_float(render[_FOGDENSITY])


@stage
def used_stages(registers):
    """Texture stages that the pixel half can read: up to the first disabled one, all of them for a pixel shader."""
    if registers.pixel_shader != 0:
        return TEXTURE_STAGES
    count = 0
    while count < TEXTURE_STAGES and registers.texture_stage[count * STAGE_STATES + _COLOROP] != TextureOp.DISABLE:
        count += 1
    return count


@outlined
def bind_texture_coordinates(state, layout, registers):
    """Which coordinates each texture stage gets; what is not fixed function has no generation and no matrix."""
    state.stage_count = used_stages(registers)
    for i in range(state.stage_count):
        texgen = state.stage[i]
        index = registers.texture_stage[i * STAGE_STATES + _COORDINDEX]
        flags = registers.texture_stage[i * STAGE_STATES + _TTFF]
        texgen.set = index & 7
        texgen.size = layout.coordinate_size[texgen.set]
        texgen.generate = index & 0x30000 if state.kind == VertexKind.FIXED else 0
        count = flags & 0xFF  # COUNT1 passes the coordinates as they are (Wine)
        texgen.count = count if state.kind == VertexKind.FIXED and 2 <= count <= 4 else 0
        for k in range(16):
            texgen.matrix[k] = registers.texture_transform[16 * i + k]


@outlined
def bind_lighting(state, registers):
    """Material, its sources, ambient light; which of them the vertex can give."""
    render = registers.render_state
    state.lighting = render[_LIGHTING] != 0
    state.local_viewer, state.normalize = render[_LOCALVIEWER] != 0, render[_NORMALIZE] != 0
    coloured = render[_COLORVERTEX] != 0
    state.diffuse_source = material_source(state, coloured, render[_DIFFUSE_SOURCE])
    state.specular_source = material_source(state, coloured, render[_SPECULAR_SOURCE])
    state.ambient_source = material_source(state, coloured, render[_AMBIENT_SOURCE])
    state.emissive_source = material_source(state, coloured, render[_EMISSIVE_SOURCE])
    for k in range(17):
        state.material[k] = registers.material[k]
    ambient = render[_AMBIENT]
    for k in range(3):
        state.ambient[k] = F(ambient >> (16 - 8 * k) & 255) / F(255.0)


@stage
def material_source(state, coloured, wanted):
    """MaterialColorSource, MATERIAL where the vertex has no such colour."""
    if coloured and wanted == 1 and state.present >> DIFFUSE & 1:
        return 1
    if coloured and wanted == 2 and state.present >> SPECULAR & 1:
        return 2
    return 0


@outlined
def bind_matrices(state, registers, normals):
    """Products and inverse transposes, and whether eye space is needed at all.

    Contexts before Direct3D 7 turn normals by the 3x3 part of the matrix alone (Wine's test_lighting for 6 and 5).
    """
    render, affine = registers.render_state, registers.before_7 != 0
    generates = 0
    for i in range(state.stage_count):
        generates |= state.stage[i].generate
    fog = state.fog_source >= FogSource.LINEAR
    state.needs_normal = state.lighting or generates == TextureCoordinateSource.CAMERASPACENORMAL or generates > 0x20000
    state.needs_eye = state.needs_normal or fog or generates != 0 or (state.points and state.point_scale)
    mode = render[_VERTEXBLEND]
    state.tween = mode == VertexBlend.TWEENING
    state.tween_factor = as_float(render[_TWEENFACTOR])
    state.indexed = render[_INDEXED] != 0 and (mode <= 3 or mode == VertexBlend.WEIGHTS_0) and mode != 0
    state.weights = mode if mode <= 3 else 0
    state.blend = state.weights > 0 or state.indexed
    multiply(registers.world, registers.view_matrix, state.world_view)
    multiply(registers.world, state.view_projection, state.world_view_projection)
    if state.needs_normal:
        inverse_transpose(state.world_view, 0, state.normal, 0, state.work, affine)
    if state.blend and state.needs_normal:
        inverse_transpose(registers.view_matrix, 0, state.view_normal, 0, state.work, affine)
        for k in range(256 if state.indexed else state.weights + 1):
            inverse_transpose(registers.world, 16 * k, normals, 12 * k, state.work, affine)
