"""Frame buffer blending: source * factor OP destination * factor, clamped to 0..1 (semantics section 5).

MIN and MAX ignore the factors, as later hardware does; BOTHSRCALPHA and BOTHINVSRCALPHA are resolved by bind.
"""

from __future__ import annotations

from core.kernels.jit import stage
from core.kernels.simd import Color, gray, maximum, minimum, saturate
from core.spec.enums import Blend, BlendOp


@stage
def blend_factor(mode, source, dest):
    """What a colour is multiplied by."""
    if mode == Blend.ONE:
        return gray(1.0)
    elif mode == Blend.SRCALPHA:
        return gray(source.a)
    elif mode == Blend.INVSRCALPHA:
        return gray(1.0 - source.a)
    elif mode == Blend.SRCCOLOR:
        return source
    elif mode == Blend.INVSRCCOLOR:
        return 1.0 - source
    elif mode == Blend.DESTALPHA:
        return gray(dest.a)
    elif mode == Blend.INVDESTALPHA:
        return gray(1.0 - dest.a)
    elif mode == Blend.DESTCOLOR:
        return dest
    elif mode == Blend.INVDESTCOLOR:
        return 1.0 - dest
    elif mode == Blend.SRCALPHASAT:
        f = minimum(source.a, 1.0 - dest.a)
        return Color(f, f, f, 1.0)
    return gray(0.0)


@stage
def blend(state, source, dest):
    """The colour that goes into the target."""
    op = state.blend_op
    if op == BlendOp.MIN:
        return minimum(source, dest)
    elif op == BlendOp.MAX:
        return maximum(source, dest)
    s = source * blend_factor(state.blend_source, source, dest)
    d = dest * blend_factor(state.blend_dest, source, dest)
    if op == BlendOp.SUBTRACT:
        result = s - d
    elif op == BlendOp.REVSUBTRACT:
        result = d - s
    else:
        result = s + d
    return saturate(result)
