"""The register vector: layout, keys, defaults."""

from __future__ import annotations

import numpy as np
import pytest

from core.spec import slots, stateblocks
from core.spec.enums import TextureOp
from core.spec.kinds import float_bits
from core.spec.slots import BASE, DEFAULTS, REGISTERS, ROWS, SLOTS, key_slots, row_at, slot, view
from core.spec.stages import STAGE_NAMES
from core.spec.states import RENDER_STATE_ID, RENDER_STATES, TEXTURE_STAGE_STATE_ID, TEXTURE_STAGE_STATES


def test_layout_is_the_published_one() -> None:
    """Order and sizes, in dwords, as every module may rely on."""
    sizes = [256, 256, 16, 16, 128, 4096, 17, 4, 2, 2, 128, 48, 2, 1, 1, 1, 1, 1, 1024, 128, 1, 1, 14]
    assert [REGISTERS.fields[name][0].itemsize // 4 for name in REGISTERS.names] == sizes
    assert sum(sizes) == SLOTS == 6144


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("ALPHAREF", (24, 1)),
        (("TEXTURESTAGE", 0, "TEXTUREMAP"), (256, 1)),
        (("TEXTURESTAGE", 3, "COLOROP"), (256 + 3 * 32 + 1, 1)),
        (("TRANSFORM", "VIEW"), (512, 16)),
        (("TRANSFORM", "PROJECTION"), (528, 16)),
        (("TRANSFORM", "TEXTURE1"), (544 + 16, 16)),
        (("TRANSFORM", "WORLD0"), (672, 16)),
        (("TRANSFORM", "WORLD255"), (672 + 255 * 16, 16)),
        (("MATERIAL", "Diffuse"), (4768, 4)),
        (("MATERIAL", "Power"), (4784, 1)),
        (("VIEWPORT", "Width"), (4787, 1)),
        (("VIEWPORT", "MaxZ"), (4790, 1)),
        (("CLIPPLANE", 1), (4797, 4)),
        (("STREAM", 1, "stride"), (4921 + 4, 1)),
        ("INDICES", (4969, 1)),
        ("VERTEXSHADER", (4971, 1)),
        ("RENDERTARGET", (4973, 1)),
        (("VSCONST", 2), (4976 + 8, 4)),
        (("PSCONST", 31), (6000 + 124, 4)),
    ],
    ids=str,
)
def test_keys(key: slots.Key, place: tuple[int, int]) -> None:
    assert key_slots(key)[:2] == place
    assert slot(key) == place[0]


def test_rows_cover_each_slot_once() -> None:
    seen = np.zeros(SLOTS, int)
    for row in ROWS:
        seen[row.slot : row.slot + row.count] += 1
        assert row.stage in STAGE_NAMES
        assert len(row.default) == row.count
        assert row_at(row.slot + row.count - 1) is row
    assert seen.max() == 1
    elsewhere = ("render_state", "texture_stage", "point_limit", "before_7", "reserved")
    defined = [name for name in REGISTERS.names if name not in elsewhere]
    for name in defined:
        assert seen[BASE[name] : BASE[name] + REGISTERS.fields[name][0].itemsize // 4].all(), name


def test_unknown_keys_and_slots() -> None:
    with pytest.raises(KeyError):
        slot("ALPHAREV")
    with pytest.raises(KeyError):
        key_slots(("LIGHT", 0, "Diffuse"))
    assert row_at(0) is None
    assert row_at(SLOTS) is None
    assert row_at(-1) is None


def test_view_shares_memory() -> None:
    vector = np.append(DEFAULTS.copy(), np.zeros(10, np.uint32))
    record = view(vector)
    record["view"][3] = 2.5
    record["texture_stage"][2, 1] = 9
    assert vector[slot(("TRANSFORM", "VIEW")) + 3] == float_bits(2.5)
    assert vector[slot(("TEXTURESTAGE", 2, "COLOROP"))] == 9
    assert not DEFAULTS.flags.writeable


def test_defaults() -> None:
    """Against the values Wine's d3d8 stateblock test expects of Windows."""
    fresh = view(DEFAULTS.copy())
    render = {name: int(fresh["render_state"][number]) for name, number in RENDER_STATE_ID.items()}
    expected = {
        "FILLMODE": 3,
        "SHADEMODE": 2,
        "ZWRITEENABLE": 1,
        "LASTPIXEL": 1,
        "SRCBLEND": 2,
        "DESTBLEND": 1,
        "CULLMODE": 3,
        "ZFUNC": 4,
        "ALPHAFUNC": 8,
        "STENCILMASK": 0xFFFFFFFF,
        "TEXTUREFACTOR": 0xFFFFFFFF,
        "CLIPPING": 1,
        "LIGHTING": 1,
        "COLORVERTEX": 1,
        "LOCALVIEWER": 1,
        "DIFFUSEMATERIALSOURCE": 1,
        "SPECULARMATERIALSOURCE": 2,
        "AMBIENTMATERIALSOURCE": 0,
        "EMISSIVEMATERIALSOURCE": 0,
        "POINTSIZE": 0x3F800000,
        "POINTSIZE_MIN": 0,
        "COLORWRITEENABLE": 15,
        "BLENDOP": 1,
        "FOGEND": 0x3F800000,
        "FOGDENSITY": 0x3F800000,
        "ALPHAREF": 0,
        "FOGENABLE": 0,
        "MULTISAMPLEANTIALIAS": 1,
        "PATCHSEGMENTS": 0x3F800000,
        "POSITIONORDER": 3,
        "NORMALORDER": 1,
    }
    assert {name: render[name] for name in expected} == expected
    stages = fresh["texture_stage"]
    assert list(stages[:, TEXTURE_STAGE_STATE_ID["COLOROP"]]) == [TextureOp.MODULATE] + [TextureOp.DISABLE] * 7
    assert list(stages[:, TEXTURE_STAGE_STATE_ID["ALPHAOP"]]) == [TextureOp.SELECTARG1] + [TextureOp.DISABLE] * 7
    assert list(stages[:, TEXTURE_STAGE_STATE_ID["TEXCOORDINDEX"]]) == list(range(8))
    assert np.array_equal(fresh["world"][7].reshape(4, 4), np.eye(4))
    assert list(fresh["zrange"]) == [0, 1]


def test_every_state_has_a_stage_and_a_source() -> None:
    for row in (*RENDER_STATES.values(), *TEXTURE_STAGE_STATES.values()):
        assert row.stage in STAGE_NAMES, row.name
        assert row.source
        assert all(0 <= row.default_at(i) <= 0xFFFFFFFF for i in range(8))


def test_state_block_rows_name_states() -> None:
    """Counts as in the DX8 DDI specification; nothing that is neither pixel nor vertex state."""
    rows = (stateblocks.PIXEL_RENDER_STATES, stateblocks.VERTEX_RENDER_STATES, stateblocks.PIXEL_STAGE_STATES)
    assert [len(row) for row in rows] == [39, 38, 27]
    assert set(stateblocks.ALL_RENDER_STATES) <= set(RENDER_STATE_ID)
    assert set(stateblocks.PIXEL_STAGE_STATES) | set(stateblocks.VERTEX_STAGE_STATES) <= set(TEXTURE_STAGE_STATE_ID)
    assert "ZVISIBLE" not in stateblocks.ALL_RENDER_STATES
