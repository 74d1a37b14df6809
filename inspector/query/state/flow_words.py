"""The effect of each pipeline stage on a draw, in a few words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from core.spec.enums import FogMode, LightType
from core.spec.kinds import float_of
from inspector.query.state.situation import Situation

Summary = tuple[bool, str]
"""Whether the stage does anything, and what, or why not."""
MOST_NAMED = 4
NO_DEVICE = "no device yet: all values are defaults"


def summary_of(found: Situation, stage: str) -> Summary:
    """Of a stage by its name (core.spec.stages)."""
    if not found.draws and not found.raw("RENDERTARGET"):
        return False, NO_DEVICE
    words = SUMMARIES.get(stage)
    return words(found) if words else (True, "")


def _text(found: Situation, *key: object) -> str:
    return found.state[key[0] if len(key) == 1 else key].text  # type: ignore[index]


def _why_not_fixed(found: Situation) -> str:
    return "vertices are transformed already" if found.transformed else "a vertex shader runs"


def _fetch(found: Situation) -> Summary:
    streams = [n for n in range(16) if found.raw("STREAM", n, "handle") or found.raw("STREAM", n, "user_memory")]
    sources = [_text(found, "STREAM", n, "handle") if found.raw("STREAM", n, "handle") else "user memory" for n in streams]
    if not found.draws:
        named = f", vertices from {', '.join(sources)}" if sources else ""
        return True, f"not a draw: values for a draw here{named}"
    what = "patch" if "PATCH" in found.name else found.kind.name.lower()
    indices = f", indices {_text(found, 'INDICES') if found.bound_indices else 'in the token'}" if found.indexed else ""
    return True, f"{what}, vertices from {', '.join(sources) or _of_call(found)}{indices}"


def _of_call(found: Situation) -> str:
    """Where a draw of DirectX 7 has its vertices."""
    if found.name.endswith("_IMM"):
        return "the token"
    buffer = found.call_fields.get("vertex_buffer")
    return f"{buffer.text if buffer is not None and buffer.value else 'user memory'} of the call"


def _patch(found: Situation) -> Summary:
    return found.curved, "patches are tessellated" if found.curved else "no patches"


def _transform(found: Situation) -> Summary:
    if not found.fixed:
        return False, _why_not_fixed(found)
    blended = found.blended_matrices
    return True, "world, view, projection" if blended == 1 else f"{blended} world matrices blended, view, projection"


def _light(found: Situation) -> Summary:
    if not found.lit:
        return False, "off: LIGHTING is FALSE" if found.fixed else _why_not_fixed(found)
    kinds = Counter(found.lights.values())
    words = ", ".join(f"{kinds[kind]} {kind.name.lower()}" for kind in LightType if kinds[kind])
    return True, f"{words or 'no light'}{'; specular' if found.raw('SPECULARENABLE') else ''}"


def _texgen(found: Situation) -> Summary:
    if not found.fixed and not found.transformed:
        return False, _why_not_fixed(found)
    made = [n for n in range(found.cascade) if found.stage(n, "TEXCOORDINDEX") >> 16 or found.stage(n, "TEXTURETRANSFORMFLAGS")]
    return bool(made), f"made or transformed for stage {', '.join(map(str, made))}" if made else "as the vertices have them"


def _program(kind: str) -> Callable[[Situation], Summary]:
    def words(found: Situation) -> Summary:
        shader = found.vertex_program if kind == "vertex" else found.pixel_program
        if shader is None:
            return False, "none: the fixed function runs" if kind == "vertex" else "none: texture stages run"
        letters = "vs" if kind == "vertex" else "ps"
        version = f"{letters}_{shader.version >> 8 & 255}_{shader.version & 255}"
        return True, f"{version}, {len(shader.computing)} instructions"

    return words


def _clip(found: Situation) -> Summary:
    x, y, width, height = (found.raw("VIEWPORT", name) for name in ("X", "Y", "Width", "Height"))
    near, far = (float_of(found.raw("VIEWPORT", name)) for name in ("MinZ", "MaxZ"))
    planes = found.raw("CLIPPLANEENABLE").bit_count()
    more = f", {planes} clip plane{'s' if planes > 1 else ''}" if planes else ""
    return True, f"viewport {width} x {height} at {x}, {y}, depth {near:.4g} to {far:.4g}{more}"


def _setup(found: Situation) -> Summary:
    cull = {1: "nothing is culled", 2: "clockwise is culled", 3: "counter-clockwise is culled"}.get(found.raw("CULLMODE"), "")
    return True, f"{_text(found, 'FILLMODE').lower()}, {_text(found, 'SHADEMODE').lower()} shading, {cull}"


def _sample(found: Situation) -> Summary:
    stages = sorted(found.sampled)
    named = [f"{n}: {_text(found, 'TEXTURESTAGE', n, 'TEXTUREMAP')}" for n in stages[:MOST_NAMED]]
    return bool(stages), f"textures {', '.join(named)}{', ...' if len(stages) > MOST_NAMED else ''}" if stages else "no texture"


def _combine(found: Situation) -> Summary:
    if found.pixel_program is not None:
        return False, "a pixel shader runs"
    ops = [_text(found, "TEXTURESTAGE", n, "COLOROP") for n in range(found.cascade)]
    return True, ", ".join(ops) if ops else "none: the diffuse colour"


def _fog(found: Situation) -> Summary:
    if not found.raw("FOGENABLE"):
        return False, "off: FOGENABLE is FALSE"
    table, vertex = found.raw("FOGTABLEMODE"), found.raw("FOGVERTEXMODE")
    mode = FogMode(table or vertex) if (table or vertex) in set(FogMode) else FogMode.NONE
    if mode == FogMode.NONE:
        return True, "by the alpha of the specular colour"
    start, end, density = (float_of(found.raw(f"FOG{name}")) for name in ("START", "END", "DENSITY"))
    how = f"from {start:.4g} to {end:.4g}" if mode == FogMode.LINEAR else f"density {density:.4g}"
    return True, f"{mode.name}, {how}, of {'pixels' if table else 'vertices'}"


def _alpha(found: Situation) -> Summary:
    if not found.raw("ALPHATESTENABLE"):
        return False, "off: ALPHATESTENABLE is FALSE"
    return True, f"alpha {_text(found, 'ALPHAFUNC')} {_text(found, 'ALPHAREF')}"


def _stencil(found: Situation) -> Summary:
    if not found.raw("STENCILENABLE"):
        return False, "off: STENCILENABLE is FALSE"
    fail, depth, done = (_text(found, f"STENCIL{when}") for when in ("FAIL", "ZFAIL", "PASS"))
    return True, f"{_text(found, 'STENCILREF')} {_text(found, 'STENCILFUNC')}; {fail}, {depth}, {done}"


def _depth(found: Situation) -> Summary:
    if not found.raw("ZENABLE"):
        return False, "off: ZENABLE is FALSE"
    return True, f"{_text(found, 'ZFUNC')}, {'written' if found.raw('ZWRITEENABLE') else 'not written'}"


def _blend(found: Situation) -> Summary:
    if not found.raw("ALPHABLENDENABLE"):
        return False, "off: ALPHABLENDENABLE is FALSE"
    return True, f"{_text(found, 'BLENDOP')} of source * {_text(found, 'SRCBLEND')}, destination * {_text(found, 'DESTBLEND')}"


def _output(found: Situation) -> Summary:
    return True, f"{_text(found, 'RENDERTARGET')}, {_text(found, 'COLORWRITEENABLE')}"


SUMMARIES: dict[str, Callable[[Situation], Summary]] = {
    "fetch": _fetch, "patch": _patch, "transform": _transform, "light": _light, "texgen": _texgen,
    "vshader": _program("vertex"), "clip": _clip, "setup": _setup, "coverage": lambda _: (True, ""), "sample": _sample,
    "combine": _combine, "pshader": _program("pixel"), "fog": _fog, "alpha_test": _alpha, "stencil_test": _stencil,
    "depth_test": _depth, "blend": _blend, "output": _output,
}  # fmt: skip
