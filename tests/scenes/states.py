"""Render states and texture stage states: every one is stored and seen with its writer; of each group, what its values do.

Depths, colours and factors are chosen so that the outcome can be worked out with a few multiplications, done here in floats.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from core.spec.enums import (
    CmpFunc,
    StencilOp,
)
from core.spec.states import RENDER_STATES, TEXTURE_STAGE_STATES, State
from tests.scenes.kit import (
    BLACK,
    GREEN,
    RED,
    SIZE,
    TEXTURE,
    THIRDS,
    WHITE,
    Stage,
    add,
    checkered,
    picture,
    scene,
    stage,
    states,
    t,
)

COMPARE: dict[CmpFunc, Callable[[float, float], bool]] = {
    CmpFunc.NEVER: lambda new, old: False, CmpFunc.LESS: lambda new, old: new < old, CmpFunc.EQUAL: lambda new, old: new == old,
    CmpFunc.LESSEQUAL: lambda new, old: new <= old, CmpFunc.GREATER: lambda new, old: new > old,
    CmpFunc.NOTEQUAL: lambda new, old: new != old, CmpFunc.GREATEREQUAL: lambda new, old: new >= old,
    CmpFunc.ALWAYS: lambda new, old: True,
}  # fmt: skip

# ---- every state is stored -------------------------------------------------------------------------------------------

WITHOUT_EFFECT = ("EDGEANTIALIAS", "ZVISIBLE", "SCISSORTESTENABLE")
FLOATS = (
    *("FOGSTART", "FOGEND", "FOGDENSITY", "POINTSIZE", "POINTSIZE_MIN", "POINTSIZE_MAX", "TWEENFACTOR", "PATCHSEGMENTS"),
    *("POINTSCALE_A", "POINTSCALE_B", "POINTSCALE_C", "MIPMAPLODBIAS", "BUMPENVLSCALE", "BUMPENVLOFFSET"),
    *("BUMPENVMAT00", "BUMPENVMAT01", "BUMPENVMAT10", "BUMPENVMAT11"),
)  # the SDK: "the type of this value is floating point"
UNSET = ("DELETERTPATCH", "SCENECAPTURE")  # commands rather than states


def another(row: State, at: int = 0) -> int:
    """A value that is not the default: the next member, another number."""
    default = row.default_at(at)
    members = [int(member) for member in row.kind.members or ()]
    if members:
        return next((member for member in members if member != default and member), default)
    return {"BOOL": 1 - min(default, 1), "F32": 0x3F000000}.get(row.kind.name, default ^ 1)


def stored(row: State, dword: int) -> int | float:
    """What a dword means: a float where the SDK says so, else the number."""
    value: float = struct.unpack("<f", struct.pack("<I", dword))[0]
    return value if row.name in FLOATS else dword


def _every_render_state(group: str) -> None:
    rows = [row for row in RENDER_STATES.values() if row.stage == group and not row.until and row.name not in UNSET]

    def make(stage: Stage) -> None:
        stage.holds(rows[0].name, stored(rows[0], rows[0].default_at(0)), back=None)
        for row in rows:
            stage.tokens(t("RENDERSTATE", state=row.id, value=another(row)))
            stage.holds(row.name, stored(row, another(row)))
        stage.finds(*["unimplemented-state" for row in rows if row.name in WITHOUT_EFFECT])

    if rows:
        add(f"states/{group} set", make, *(f"stored:{row.name}" for row in rows))


def _every_retired_state() -> None:
    rows = [row for row in RENDER_STATES.values() if row.until]

    def make(stage: Stage) -> None:
        for row in rows:
            stage.tokens(t("RENDERSTATE", state=row.id, value=row.default_at(0)))
            stage.holds(row.name, stored(row, row.default_at(0)))
        stage.finds("legacy-state")

    add("states/retired", make, *(f"stored:{row.name}" for row in rows), "rule:legacy-state")


def _every_stage_state(number: int) -> None:
    rows = [row for row in TEXTURE_STAGE_STATES.values() if row.name not in ("TEXTUREMAP", "ADDRESS")]

    def make(scene: Stage) -> None:
        for row in rows:
            value = another(row, number)
            scene.tokens(t("TEXTURESTAGESTATE", stage=number, state=row.id, value=value))
            scene.holds(("TEXTURESTAGE", number, row.name), stored(row, value))

    add(f"states/texture stage {number} set", make, *(f"stored_stage:{row.name}" for row in rows))


for _group in dict.fromkeys(row.stage for row in RENDER_STATES.values()):
    _every_render_state(_group)
_every_retired_state()
for _number in range(8):
    _every_stage_state(_number)


@scene("states/legacy texture address", "stage_state:ADDRESS")
def legacy_address(scene: Stage) -> None:
    """D3DTSS_ADDRESS sets both directions."""
    scene.tokens(stage(1, ADDRESS=3))
    scene.holds(("TEXTURESTAGE", 1, "ADDRESSU"), 3)
    scene.holds(("TEXTURESTAGE", 1, "ADDRESSV"), 3)


# ---- tests: alpha, depth, stencil ------------------------------------------------------------------------------------


def _alpha_test(func: CmpFunc) -> None:
    def make(stage: Stage) -> None:
        drawn = []
        stage.tokens(states(ALPHATESTENABLE=1, ALPHAREF=0x80, ALPHAFUNC=func))
        for box, alpha in zip(THIRDS, (0x7F, 0x80, 0x81), strict=True):
            stage.quad(box, alpha << 24 | 0xFFFFFF)
            drawn += [(box, alpha << 24 | 0xFFFFFF)] if COMPARE[func](alpha, 0x80) else []
        stage.sees(picture(*drawn))

    add(f"states/ALPHAFUNC {func.name}", make, "state:ALPHAFUNC", f"value:CmpFunc.{func.name}")


def _depth_test(func: CmpFunc) -> None:
    def make(stage: Stage) -> None:
        stage.quad((0, 0, SIZE, SIZE), BLACK, 0.5, states(ZENABLE=1, ZFUNC=CmpFunc.ALWAYS))
        drawn = []
        for box, z in zip(THIRDS, (0.25, 0.5, 0.75), strict=True):
            stage.quad(box, WHITE, z, states(ZFUNC=func))
            drawn += [(box, WHITE)] if COMPARE[func](z, 0.5) else []
        stage.sees(picture(*drawn))

    add(f"states/ZFUNC {func.name}", make, "state:ZFUNC", "state:ZENABLE", f"value:CmpFunc.{func.name}", depth="D24S8")


def _stencil_test(func: CmpFunc) -> None:
    """The reference is compared with what is stored, both under the mask."""

    def make(stage: Stage) -> None:
        stage.tokens(
            *(t("CLEAR", [box], flags=4, stencil=0x40 | n) for box, n in zip(THIRDS, (1, 2, 3), strict=True)),
            states(STENCILENABLE=1, STENCILFUNC=func, STENCILREF=0x82, STENCILMASK=0x0F),
        )  # fmt: skip
        stage.quad((0, 0, 48, SIZE))
        stage.sees(picture(*((box, WHITE) for box, n in zip(THIRDS, (1, 2, 3), strict=True) if COMPARE[func](2, n))))

    add(f"states/STENCILFUNC {func.name}", make, "state:STENCILFUNC", "state:STENCILMASK", depth="D24S8")


for _func in CmpFunc:
    _alpha_test(_func)
    _depth_test(_func)
    _stencil_test(_func)

STENCIL: dict[StencilOp, Callable[[int], int]] = {
    StencilOp.KEEP: lambda s: s, StencilOp.ZERO: lambda s: 0, StencilOp.REPLACE: lambda s: 0x5A,
    StencilOp.INCRSAT: lambda s: min(s + 1, 255), StencilOp.DECRSAT: lambda s: max(s - 1, 0),
    StencilOp.INVERT: lambda s: s ^ 255,
    StencilOp.INCR: lambda s: (s + 1) & 255, StencilOp.DECR: lambda s: (s - 1) & 255,
}  # fmt: skip


def _stencil_op(op: StencilOp, which: str) -> None:
    """Seen by drawing where the stencil is what it should have become."""

    def make(stage: Stage) -> None:
        before = (0, 7, 255)
        fails, hidden = which == "STENCILFAIL", which == "STENCILZFAIL"
        stage.tokens(*(t("CLEAR", [box], flags=4, stencil=s) for box, s in zip(THIRDS, before, strict=True)))
        stage.quad(
            (0, 0, 48, SIZE), BLACK, 0.5,
            states(STENCILENABLE=1, STENCILREF=0x5A, STENCILFUNC=CmpFunc.NEVER if fails else CmpFunc.ALWAYS, ZENABLE=1),
            states(ZFUNC=CmpFunc.NEVER if hidden else CmpFunc.ALWAYS, **{which: op}),
        )  # fmt: skip
        stage.tokens(states(STENCILFUNC=CmpFunc.EQUAL, STENCILFAIL=1, STENCILZFAIL=1, STENCILPASS=1, ZENABLE=0))
        for box, s in zip(THIRDS, before, strict=True):
            stage.quad(box, GREEN, 0.5, states(STENCILREF=STENCIL[op](s)))
        stage.sees(picture(*((box, GREEN) for box in THIRDS)))

    add(f"states/{which} {op.name}", make, f"state:{which}", f"value:StencilOp.{op.name}", depth="D24S8")


for _op in StencilOp:
    for _which in ("STENCILFAIL", "STENCILZFAIL", "STENCILPASS"):
        _stencil_op(_op, _which)


@scene("states/STENCILWRITEMASK", "state:STENCILWRITEMASK", depth="D24S8")
def stencil_write_mask(stage: Stage) -> None:
    stage.tokens(t("CLEAR", [(0, 0, SIZE, SIZE)], flags=4, stencil=0x33))
    stage.quad((0, 0, 32, SIZE), BLACK, 0.5, states(STENCILENABLE=1, STENCILREF=0xFF, STENCILPASS=3, STENCILWRITEMASK=0x0C))
    stage.quad((0, 0, SIZE, SIZE), RED, 0.5, states(STENCILFUNC=CmpFunc.EQUAL, STENCILREF=0x3F, STENCILPASS=1))
    stage.sees(picture(((0, 0, 32, SIZE), RED)))


@scene("states/ZWRITEENABLE", "state:ZWRITEENABLE", depth="D16")
def depth_write(stage: Stage) -> None:
    """What was drawn without writing depth hides nothing."""
    stage.quad((0, 0, 32, SIZE), RED, 0.2, states(ZENABLE=1, ZWRITEENABLE=0))
    stage.quad((32, 0, SIZE, SIZE), RED, 0.2, states(ZWRITEENABLE=1))
    stage.quad((0, 0, SIZE, SIZE), GREEN, 0.4)
    stage.sees(picture(((0, 0, 32, SIZE), GREEN), ((32, 0, SIZE, SIZE), RED)))


@scene("states/TEXTUREMAP", "stage_state:TEXTUREMAP")
def texture_map(scene: Stage) -> None:
    """Binding and unbinding: without a texture the stage has the diffuse colour alone."""
    checkered(scene)
    scene.holds(("TEXTURESTAGE", 0, "TEXTUREMAP"), TEXTURE, back=6)
    scene.tokens(stage(0, TEXTUREMAP=0, COLOROP=4))
    scene.quad(color=GREEN)
    scene.sees(picture(ground=GREEN))


@scene("states/SCENECAPTURE", "state:SCENECAPTURE")
def scene_capture(stage: Stage) -> None:
    stage.tokens(states(SCENECAPTURE=1))
    stage.holds("SCENE", 1)
    stage.tokens(states(SCENECAPTURE=0))
    stage.holds("SCENE", 0)
