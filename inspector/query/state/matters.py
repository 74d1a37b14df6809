"""The state that matters for a draw, and why: blend factors while blending is on, a light's range unless it is directional.

A rule says for a value whether the draw can depend on it.  Rules err on one side: a value that is said not to matter changes
nothing, whatever it is; tests force others and compare pictures.  What has no rule (states of Direct3D 6 and 7, most of all)
matters once it is not at its default.
"""

from __future__ import annotations

from collections.abc import Callable

from core.spec.enums import (
    BlendOp,
    CmpFunc,
    FillMode,
    FogMode,
    LightType,
    ShadeMode,
    StencilOp,
    TextureAddress,
    TextureArg,
    TextureFilter,
    TextureOp,
    VertexBlend,
)
from core.spec.slots import Key
from inspector.query.state.situation import Situation

Verdict = tuple[bool, str]
"""Whether it matters, and the reason."""
Rule = Callable[[Situation], Verdict]
NOT_SET = "at its default"


def verdict(found: Situation, key: Key, is_default: bool) -> Verdict:
    """Whether a value matters for the draw, and why (not)."""
    rule = RULES.get(key) if isinstance(key, str) else None
    if rule is not None:
        return rule(found)
    if isinstance(key, tuple) and key[0] in FAMILIES:
        return FAMILIES[key[0]](found, *key[1:])
    return (not is_default, NOT_SET if is_default else "set")


def has_rule(key: Key) -> bool:
    """Whether a rule knows the value."""
    return key in RULES or (isinstance(key, tuple) and key[0] in FAMILIES)


def _if(matters: object, yes: str, no: str) -> Verdict:
    return bool(matters), yes if matters else no


def _unbound(found: Situation) -> str:
    return "the token has the indices" if found.indexed else "the draw is not indexed"


# ---- single states ---------------------------------------------------------------------------------------------------------


def _switch(words: str) -> Rule:
    """A state that switches something on: it always matters."""
    return lambda found: (True, words)


def _with(switch: str, also: Callable[[Situation], bool] = lambda _: True, why: str = "") -> Rule:
    """A state that is read while another one is on."""

    def rule(found: Situation) -> Verdict:
        if not found.raw(switch):
            return False, f"{switch} is FALSE"
        return _if(also(found), f"{switch} is on", why)

    return rule


def _lit(also: Callable[[Situation], bool] = lambda _: True, why: str = "") -> Rule:
    def rule(found: Situation) -> Verdict:
        if not found.lit:
            return False, _not_lit(found)
        return _if(also(found), "vertices are lit", why)

    return rule


def _not_lit(found: Situation) -> str:
    """Why there is no lighting."""
    return "LIGHTING is FALSE" if found.fixed else _not_fixed(found)


def _not_fixed(found: Situation) -> str:
    """Why the fixed function does not run on vertices."""
    return "vertices are transformed already" if found.transformed else "a vertex shader runs"


def _fixed(also: Callable[[Situation], bool] = lambda _: True, why: str = "") -> Rule:
    def rule(found: Situation) -> Verdict:
        if not found.fixed:
            return False, _not_fixed(found)
        return _if(also(found), "the fixed function transforms vertices", why)

    return rule


def _fog(also: Callable[[Situation], bool], why: str) -> Rule:
    return _with("FOGENABLE", also, why)


def _modes(found: Situation) -> set[int]:
    """The fog modes in force: of pixels, or else of vertices."""
    table = found.raw("FOGTABLEMODE")
    return {table} if table else {found.raw("FOGVERTEXMODE")}


def _vertex_fog(found: Situation) -> bool:
    return not found.raw("FOGTABLEMODE")


def _blend_factor(found: Situation) -> Verdict:
    if not found.raw("ALPHABLENDENABLE"):
        return False, "ALPHABLENDENABLE is FALSE"
    minmax = found.raw("BLENDOP") in (BlendOp.MIN, BlendOp.MAX)
    return _if(not minmax, "blending is on", "BLENDOP takes the smaller or larger value, whatever the factors")


def _stencil(also: Callable[[Situation], bool] = lambda _: True, why: str = "") -> Rule:
    return _with("STENCILENABLE", also, why)


def _writes_stencil(found: Situation) -> bool:
    return any(found.raw(f"STENCIL{when}") != StencilOp.KEEP for when in ("FAIL", "ZFAIL", "PASS"))


def _replaces(found: Situation) -> bool:
    return any(found.raw(f"STENCIL{when}") == StencilOp.REPLACE for when in ("FAIL", "ZFAIL", "PASS"))


def _depth_stencil(found: Situation) -> Verdict:
    return _if(found.raw("ZENABLE") or found.raw("STENCILENABLE"), "the depth or stencil test is on",
               "neither the depth nor the stencil test is on")  # fmt: skip


def _texture_factor(found: Situation) -> Verdict:
    blends = any(
        found.stage(n, f"{channel}OP") == TextureOp.BLENDFACTORALPHA
        for n in range(found.cascade)
        for channel in ("COLOR", "ALPHA")
    )
    return _if(blends or found.selects(TextureArg.TFACTOR), "a stage reads TFACTOR", "no stage reads TFACTOR")


def _specular(found: Situation) -> Verdict:
    return True, "adds the specular colour" if found.raw("SPECULARENABLE") else "no specular colour is added"


def _cull(found: Situation) -> Verdict:
    return _if(not found.points and not found.lines, "triangles are drawn", "points and lines are not culled")


def _points(found: Situation) -> Verdict:
    return _if(found.points, "points are drawn", "no points are drawn")


def _point_scale(found: Situation) -> Verdict:
    if not found.points or not found.fixed:
        return False, "no points are drawn" if not found.points else _not_fixed(found)
    return _if(found.raw("POINTSCALEENABLE"), "points are scaled", "POINTSCALEENABLE is FALSE")


def _fills(found: Situation, mode: FillMode) -> bool:
    return found.raw("FILLMODE") == mode


def _line_pattern(found: Situation) -> Verdict:
    wired = found.lines or _fills(found, FillMode.WIREFRAME)
    return _if(wired, "lines are drawn", "no lines are drawn")


def _patches(found: Situation) -> Verdict:
    return _if(found.curved, "patches are drawn", "no patches are drawn")


def _shade(found: Situation) -> Verdict:
    flat = found.raw("SHADEMODE") == ShadeMode.FLAT
    return _if(not found.points, "the colour of the first vertex counts" if flat else "colours are interpolated",
               "points have one vertex")  # fmt: skip


NEUTRAL = frozenset((
    "RESULTARG", "MIPMAPLODBIAS", "MAXMIPLEVEL", "TEXTURETRANSFORMFLAGS", "ADDRESSW", "user_memory", "stride", "TEXCOORDINDEX",
    "MinZ", "MaxZ", "RANGEFOGENABLE", "SPECULARENABLE", "CLIPPING", "COLORWRITEENABLE", "FILLMODE", "BUMPENVLOFFSET",
    "ZBIAS", "LINEPATTERN", "CLIPPLANEENABLE", "LASTPIXEL",
))  # fmt: skip
"""States that do nothing while they are at their defaults, though others would do something."""


def is_neutral(key: Key, is_default: bool) -> bool:
    """Whether a value matters, but does nothing as it is."""
    return is_default and (key[-1] if isinstance(key, tuple) else key) in NEUTRAL


RULES: dict[Key, Rule] = {
    "INDICES": lambda found: _if(found.bound_indices, "the draw is indexed", _unbound(found)),
    "VERTEXSHADER": _switch("what vertices are"),
    "PIXELSHADER": lambda found: _if(found.raw("PIXELSHADER"), "a pixel shader runs", "texture stages run"),
    "RENDERTARGET": _switch("what is drawn to"),
    **dict.fromkeys(("SCENE", "SCENECAPTURE"), lambda _: (False, "of no consequence for the draw")),
    "DEPTHSTENCIL": _depth_stencil,
    # vertices
    "VERTEXBLEND": _fixed(lambda found: bool(found.raw("VERTEXBLEND")), "one world matrix moves vertices"),
    "INDEXEDVERTEXBLENDENABLE": _fixed(lambda found: bool(found.raw("VERTEXBLEND")), "vertices are not blended"),
    "TWEENFACTOR": _fixed(lambda found: found.raw("VERTEXBLEND") == VertexBlend.TWEENING, "vertices are not tweened"),
    "NORMALIZENORMALS": _fixed(lambda found: found.lit or _generates(found), "nothing needs normals"),
    **dict.fromkeys(("POINTSIZE", "POINTSIZE_MIN", "POINTSIZE_MAX", "POINTSPRITEENABLE", "POINTSCALEENABLE"), _points),
    **dict.fromkeys(("POINTSCALE_A", "POINTSCALE_B", "POINTSCALE_C"), _point_scale),
    **dict.fromkeys(("PATCHEDGESTYLE", "PATCHSEGMENTS", "POSITIONORDER", "NORMALORDER"), _patches),
    "LIGHTING": _fixed(),
    **dict.fromkeys(("AMBIENT", "COLORVERTEX"), _lit()),
    "LOCALVIEWER": _lit(lambda found: bool(found.raw("SPECULARENABLE") or _generates(found)), "no specular colour is computed"),
    **{f"{name}MATERIALSOURCE": _lit(lambda found: bool(found.raw("COLORVERTEX")), "COLORVERTEX is FALSE")
       for name in ("DIFFUSE", "SPECULAR", "AMBIENT", "EMISSIVE")},
    "FOGVERTEXMODE": _fog(_vertex_fog, "fog is computed for pixels: FOGTABLEMODE"),
    "RANGEFOGENABLE": _fog(lambda found: _vertex_fog(found) and bool(found.raw("FOGVERTEXMODE")),
                           "no fog is computed for vertices"),
    "CLIPPING": _switch("whether primitives are clipped"),
    "CLIPPLANEENABLE": _switch("which planes of the application clip"),
    # primitives
    "CULLMODE": _cull,
    "SHADEMODE": _shade,
    "FILLMODE": lambda found: _if(not found.points or _fills(found, FillMode.POINT), "how triangles are filled",
                                  "points are drawn"),
    "LASTPIXEL": lambda found: _if(found.lines or _fills(found, FillMode.WIREFRAME), "lines are drawn", "no lines are drawn"),
    "LINEPATTERN": _line_pattern,
    "ZBIAS": _with("ZENABLE"),
    # pixels
    "SPECULARENABLE": _specular,
    "TEXTUREFACTOR": _texture_factor,
    "FOGENABLE": _switch("whether colours are fogged"),
    "FOGCOLOR": _with("FOGENABLE"),
    "FOGTABLEMODE": _with("FOGENABLE"),
    **dict.fromkeys(("FOGSTART", "FOGEND"), _fog(lambda found: FogMode.LINEAR in _modes(found), "fog is not linear")),
    "FOGDENSITY": _fog(lambda found: bool({FogMode.EXP, FogMode.EXP2} & _modes(found)), "fog is not exponential"),
    "ALPHATESTENABLE": _switch("whether alpha is tested"),
    "ALPHAFUNC": _with("ALPHATESTENABLE"),
    "ALPHAREF": _with("ALPHATESTENABLE", lambda found: found.compares("ALPHAFUNC"), "ALPHAFUNC compares nothing"),
    "STENCILENABLE": _switch("whether stencil is tested"),
    "STENCILFUNC": _stencil(),
    "STENCILREF": _stencil(lambda found: found.compares("STENCILFUNC") or _replaces(found), "nothing is compared or replaced"),
    "STENCILMASK": _stencil(lambda found: found.compares("STENCILFUNC"), "STENCILFUNC compares nothing"),
    "STENCILWRITEMASK": _stencil(_writes_stencil, "stencil is kept"),
    "STENCILFAIL": _stencil(lambda found: found.raw("STENCILFUNC") != CmpFunc.ALWAYS, "STENCILFUNC is ALWAYS"),
    "STENCILZFAIL": _stencil(lambda found: bool(found.raw("ZENABLE")), "ZENABLE is FALSE"),
    "STENCILPASS": _stencil(),
    "ZENABLE": _switch("whether depth is tested"),
    "ZFUNC": _with("ZENABLE"),
    "ZWRITEENABLE": _with("ZENABLE"),
    "ALPHABLENDENABLE": _switch("whether colours are blended"),
    **dict.fromkeys(("SRCBLEND", "DESTBLEND"), _blend_factor),
    "BLENDOP": _with("ALPHABLENDENABLE"),
    "COLORWRITEENABLE": _switch("which channels are written"),
}  # fmt: skip


# ---- families --------------------------------------------------------------------------------------------------------------


def _generates(found: Situation) -> bool:
    """Whether a stage makes its coordinates from the normal or the position."""
    return any(found.stage(n, "TEXCOORDINDEX") >> 16 for n in range(8))


def _transform(found: Situation, name: str) -> Verdict:
    if not found.fixed:
        return False, _not_fixed(found)
    if name.startswith("TEXTURE"):
        number = int(name[7:])
        used = found.stage(number, "TEXTURETRANSFORMFLAGS") & 0xFF
        return _if(
            used and (number < found.cascade or found.pixel_program),
            "moves texture coordinates",
            "coordinates are not transformed",
        )
    if name.startswith("WORLD"):
        return _if(int(name[5:]) < found.blended_matrices, "object to world", "no vertex is moved by it")
    return True, {"VIEW": "world to eye", "PROJECTION": "eye to clip space"}.get(name, "")


def _material(found: Situation, name: str) -> Verdict:
    if not found.lit:
        return False, _not_lit(found)
    if name in ("Specular", "Power"):
        return _if(found.raw("SPECULARENABLE"), "specular light", "SPECULARENABLE is FALSE")
    return True, "what light falls on"


PLACED = ("Position", "Range", "Attenuation0", "Attenuation1", "Attenuation2")
SPOT = ("Falloff", "Theta", "Phi")


def _light(found: Situation, number: int, name: str) -> Verdict:
    if not found.lit:
        return False, _not_lit(found)
    if name == "Enabled":
        return _if(number in found.lights, "it shines", "it is off")
    if number not in found.lights:
        return False, "it is off"
    kind = found.lights[number]
    if name == "Specular":
        return _if(found.raw("SPECULARENABLE"), "specular light", "SPECULARENABLE is FALSE")
    if (name in PLACED and kind == LightType.DIRECTIONAL) or (name == "Direction" and kind == LightType.POINT):
        return False, f"a {kind.name.lower()} light has none"
    return _if(name not in SPOT or kind == LightType.SPOT, "it shines", "it is no spotlight")


def _stage(found: Situation, number: int, name: str) -> Verdict:
    if name == "ADDRESS":
        return False, "ADDRESSU and ADDRESSV have it"
    if name in SAMPLER:
        return _sampler(found, number, name)
    if name in ("TEXCOORDINDEX", "TEXTURETRANSFORMFLAGS"):
        used = number < found.cascade or (found.pixel_program is not None and number in found.sampled)
        return _if(used and (found.fixed or found.pixel_program is None), "coordinates of the stage", _unused(found, number))
    if name.startswith("BUMPENV"):
        return _if(number in found.bumps, "the stage bumps", "the stage does not bump")
    if name == "COLOROP" and number == found.cascade and found.pixel_program is None:
        return True, "ends the cascade"
    if number >= found.cascade:
        return False, _unused(found, number)
    return _argument(found, number, name)


def _unused(found: Situation, number: int) -> str:
    if found.pixel_program is not None:
        return "a pixel shader runs"
    return f"the cascade ends before stage {number}"


def _argument(found: Situation, number: int, name: str) -> Verdict:
    """COLOROP, COLORARG1, ..., RESULTARG of a stage that runs."""
    channel, argument, which = name.partition("ARG")
    if argument and channel in ("COLOR", "ALPHA"):
        op = found.stage(number, f"{channel}OP")
        if channel == "ALPHA" and op == TextureOp.DISABLE:
            return False, "ALPHAOP is DISABLE"
        return _if(int(which) in found.arguments(number, channel), "the operation reads it", "the operation does not read it")
    return True, "the stage runs"


SAMPLER = ("TEXTUREMAP", "ADDRESSU", "ADDRESSV", "ADDRESSW", "BORDERCOLOR", "MAGFILTER", "MINFILTER", "MIPFILTER",
           "MIPMAPLODBIAS", "MAXMIPLEVEL", "MAXANISOTROPY")  # fmt: skip


def _sampler(found: Situation, number: int, name: str) -> Verdict:
    if number not in found.sampled:
        bound = found.stage(number, "TEXTUREMAP")
        return False, "bound, but no stage reads it" if bound else "no texture is bound"
    mips = found.stage(number, "MIPFILTER") != TextureFilter.NONE
    if name == "MIPMAPLODBIAS":
        return _if(mips, "MIPFILTER chooses levels", "MIPFILTER is NONE")
    if name == "MAXANISOTROPY":
        filters = {found.stage(number, "MINFILTER"), found.stage(number, "MAGFILTER")}
        return _if(TextureFilter.ANISOTROPIC in filters, "the filter is anisotropic", "no filter is anisotropic")
    if name == "BORDERCOLOR":
        modes = {found.stage(number, f"ADDRESS{axis}") for axis in "UVW"}
        return _if(TextureAddress.BORDER in modes, "coordinates end at a border", "no address mode is BORDER")
    return True, "the texture is read"


def _constant(kind: str) -> Callable[..., Verdict]:
    def rule(found: Situation, number: int) -> Verdict:
        read = found.constants(kind)
        if read is None:
            return True, "the shader may read it, by an address"
        return _if(number in read, "the shader reads it", "the shader does not read it" if read else "no such shader runs")

    return rule


def _stream(found: Situation, number: int, name: str) -> Verdict:
    bound = found.raw("STREAM", number, "handle") or found.raw("STREAM", number, "user_memory")
    return _if(bound, "vertices come from it", "nothing is bound")


def _viewport(found: Situation, name: str) -> Verdict:
    return _if(not found.transformed or name not in ("MinZ", "MaxZ"), "where it draws", "vertices are transformed already")


def _clip_plane(found: Situation, number: int) -> Verdict:
    return _if(found.raw("CLIPPLANEENABLE") >> number & 1, "it clips", "the plane is off")


FAMILIES: dict[str, Callable[..., Verdict]] = {
    "TRANSFORM": _transform, "MATERIAL": _material, "LIGHT": _light, "TEXTURESTAGE": _stage, "VSCONST": _constant("vertex"),
    "PSCONST": _constant("pixel"), "STREAM": _stream, "VIEWPORT": _viewport, "CLIPPLANE": _clip_plane,
    "INDICES": lambda found, _: _if(found.bound_indices, "the draw is indexed", _unbound(found)),
    "WINFO": lambda found, _: (False, "w-buffers: of no consequence here"),
}  # fmt: skip
