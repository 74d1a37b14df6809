"""Numbers, sizes and layouts of the rule book against mingw-w64's headers."""

from __future__ import annotations

import re
from pathlib import Path

from core.spec import caps, enums, shaders, slots, states, tokens
from core.spec.formats import FORMATS
from tests.conftest import unavailable
from tests.core.spec.headers import API, DDK, wrong_facts

# Members that no mingw-w64 header has: Microsoft's documentation or (STATESET CREATE, RTPATCHFLAG) an open-source driver is
# the source.
API_ENUMS = {
    "CmpFunc": "D3DCMP_", "Blend": "D3DBLEND_", "BlendOp": "D3DBLENDOP_", "StencilOp": "D3DSTENCILOP_",
    "TextureOp": "D3DTOP_",
    "TextureArg": "D3DTA_", "TextureAddress": "D3DTADDRESS_", "TextureFilter": "D3DTEXF_",
    "TextureCoordinateSource": "D3DTSS_TCI_",
    "TextureTransform": "D3DTTFF_", "FogMode": "D3DFOG_", "Cull": "D3DCULL_", "FillMode": "D3DFILL_",
    "ShadeMode": "D3DSHADE_",
    "ZBufferType": "D3DZB_", "MaterialColorSource": "D3DMCS_", "VertexBlend": "D3DVBF_", "PatchEdgeStyle": "D3DPATCHEDGE_",
    "DebugMonitorToken": "D3DDMT_", "ColorWrite": "D3DCOLORWRITEENABLE_", "TransformState": "D3DTS_",
    "PrimitiveType": "D3DPT_",
    "LightType": "D3DLIGHT_", "BasisType": "D3DBASIS_", "OrderType": "D3DORDER_", "Pool": "D3DPOOL_",
    "ResourceType": "D3DRTYPE_",
    "CubeFace": "D3DCUBEMAP_FACE_", "MultisampleType": "D3DMULTISAMPLE_", "StateBlockType": "D3DSBT_",
    "DeviceType": "D3DDEVTYPE_",
    "SwapEffect": "D3DSWAPEFFECT_", "BackBufferType": "D3DBACKBUFFER_TYPE_", "Fvf": "D3DFVF_", "Usage": "D3DUSAGE_",
    "LockFlag": "D3DLOCK_", "ClearFlag": "D3DCLEAR_", "CreateFlag": "D3DCREATE_", "PresentInterval": "D3DPRESENT_INTERVAL_",
    "ClipCode": "D3DCS_",
}  # fmt: skip
DDK_ENUMS = {
    "DdLock": "DDLOCK_", "DdBlt": "DDBLT_", "DdFlip": "DDFLIP_", "SurfaceCaps": "DDSCAPS_", "SurfaceCaps2": "DDSCAPS2_",
    "SurfaceCaps3": "DDSCAPS3_", "PixelFormatFlag": "DDPF_", "SurfaceDescFlag": "DDSD_", "DdCaps2": "DDCAPS2_",
    "SurfaceFlag": "DDRAWISURF_", "PaletteFlag": "DDRAWIPAL_", "DriverReturn": "DDHAL_DRIVER_", "DriverInfo2": "D3DGDI2_",
    "TriangleFlag": "D3DTRIFLAG_", "Dp2Flag": "D3DHALDP2_", "LegacyMagFilter": "D3DTFG_", "LegacyMinFilter": "D3DTFN_",
    "LegacyMipFilter": "D3DTFP_", "LegacyFilter": "D3DFILTER_", "LegacyBlend": "D3DTBLEND_", "Antialias": "D3DANTIALIAS_",
    "LightData": "D3DHAL_SETLIGHT_", "StateSetOperation": "D3DHAL_STATESET", "HalInfoFlag": "DDHALINFO_",
}  # fmt: skip
CAPS_ENUMS = {
    "DeviceCaps1": "D3DCAPS_", "DeviceCaps2": "D3DCAPS2_", "DeviceCaps3": "D3DCAPS3_", "CursorCaps": "D3DCURSORCAPS_",
    "DevCaps": "D3DDEVCAPS_", "PrimitiveMiscCaps": "D3DPMISCCAPS_", "RasterCaps": "D3DPRASTERCAPS_",
    "CmpCaps": "D3DPCMPCAPS_",
    "BlendCaps": "D3DPBLENDCAPS_", "ShadeCaps": "D3DPSHADECAPS_", "TextureCaps": "D3DPTEXTURECAPS_",
    "TextureFilterCaps": "D3DPTFILTERCAPS_", "TextureAddressCaps": "D3DPTADDRESSCAPS_", "LineCaps": "D3DLINECAPS_",
    "StencilCaps": "D3DSTENCILCAPS_", "FvfCaps": "D3DFVFCAPS_", "TextureOpCaps": "D3DTEXOPCAPS_",
    "VertexProcessingCaps": "D3DVTXPCAPS_",
}  # fmt: skip


def header_name(prefix: str, name: str) -> str:
    """The header's spelling: digits that we put last come first there."""
    head, _, tail = name.rpartition("_")
    special = {"ENTRIES": tail, "WEIGHTS": f"{tail}WEIGHTS", "SAMPLES": f"{tail}_SAMPLES", "DEVICE": f"{tail}DEVICE"}
    return prefix + (special[head] if head in special and tail[:1].isdigit() else name)


def members(module: object, prefixes: dict[str, str]) -> dict[str, int]:
    return {
        header_name(prefix, name): int(member)
        for cls, prefix in prefixes.items()
        for name, member in getattr(module, cls).__members__.items()
    }


def test_api_enumerations(tmp_path: Path) -> None:
    assert wrong_facts(tmp_path, API, members(enums, API_ENUMS)) == ["D3DCLEAR_COMPUTERECTS"]


def test_ddk_enumerations(tmp_path: Path) -> None:
    """The exceptions: DirectX 8.1 and 9 bits of Microsoft's documentation, and one number of an open-source driver."""
    assert wrong_facts(tmp_path, DDK, members(enums, DDK_ENUMS)) == [
        "D3DHAL_STATESETCREATE",
        "DDCAPS2_CANAUTOGENMIPMAP",
        "DDCAPS2_CANMANAGERESOURCE",
        "DDCAPS2_DYNAMICTEXTURES",
        "DDHALINFO_GETDRIVERINFO2",
        "DDPF_D3DFORMAT",
        "DDSCAPS2_INDEXBUFFER",
    ]


def test_capability_bits(tmp_path: Path) -> None:
    assert wrong_facts(tmp_path, API, members(caps, CAPS_ENUMS)) == ["D3DDEVCAPS_HWINDEXBUFFER", "D3DDEVCAPS_HWVERTEXBUFFER"]


def test_results(tmp_path: Path) -> None:
    results = {name: int(member) for name, member in enums.HResult.__members__.items() if not name.startswith("DXGI")}
    ddraw = {name: value for name, value in results.items() if name.startswith("DD")}
    assert wrong_facts(tmp_path, DDK, ddraw) == []
    assert wrong_facts(tmp_path, API, {name: value for name, value in results.items() if name not in ddraw}) == [
        "D3DERR_COMMAND_UNPARSED",
        "D3DERR_DEVICEREMOVED",
        "D3DHAL_CONTEXT_BAD",
        "D3DHAL_OUTOFCONTEXTS",
        "S_NOT_RESIDENT",
        "S_PRESENT_MODE_CHANGED",
        "S_PRESENT_OCCLUDED",
        "S_RESIDENT_IN_SHARED_MEMORY",
    ]


def test_state_numbers(tmp_path: Path) -> None:
    """Every state of the DX8 API by its D3DRS_ name, the older ones by their D3DRENDERSTATE_ name."""
    rows = states.RENDER_STATES.values()
    assert wrong_facts(tmp_path, API, {f"D3DRS_{row.name}": row.id for row in rows if row.since == 8}) == [
        "D3DRS_DELETERTPATCH"
    ]
    legacy = {f"D3DRENDERSTATE_{row.name}": row.id for row in rows if row.since < 8}
    assert wrong_facts(tmp_path, DDK, legacy) == ["D3DRENDERSTATE_EVICTMANAGEDTEXTURES", "D3DRENDERSTATE_SCENECAPTURE"]


def test_texture_stage_state_numbers(tmp_path: Path) -> None:
    rows = states.TEXTURE_STAGE_STATES.values()
    facts = {f"D3DTSS_{row.name}": row.id for row in rows if row.name not in ("TEXTUREMAP", "ADDRESS")}
    assert wrong_facts(tmp_path, API, facts) == []
    assert wrong_facts(tmp_path, DDK, {"D3DTSS_TEXTUREMAP": 0, "D3DTSS_ADDRESS": 12}) == []


def test_every_api_state_has_a_row(tmp_path: Path) -> None:
    """The other direction: numbers of D3DRENDERSTATETYPE up to its last member, read from the header's text."""
    header = Path("/usr/share/mingw-w64/include/d3d8types.h")
    if not header.exists():
        unavailable("the text of d3d8types.h (Debian: mingw-w64-common)")
    text = header.read_text(errors="replace")
    body = text[text.index("typedef enum _D3DRENDERSTATETYPE") : text.index("} D3DRENDERSTATETYPE")]
    named = {int(number): name for name, number in re.findall(r"D3DRS_(\w+)\s*=\s*(\d+)\s*[,\n]", body)}
    assert len(named) == 76
    assert {number: states.RENDER_STATES[number].name for number in named} == named


def test_token_numbers(tmp_path: Path) -> None:
    facts = {f"D3DDP2OP_{row.name}": row.op for row in tokens.TOKENS.values()}
    assert wrong_facts(tmp_path, DDK, facts) == [
        "D3DDP2OP_EXT",  # an open-source driver's
        "D3DDP2OP_RESERVED0",  # an open-source driver's
        "D3DDP2OP_SETCLIPPLANE",
    ]  # the header misspells it D3DPP2OP_SETCLIPPLANE
    assert wrong_facts(tmp_path, DDK, {"D3DPP2OP_SETCLIPPLANE": tokens.Op.SETCLIPPLANE}) == []


def test_formats(tmp_path: Path) -> None:
    assert wrong_facts(tmp_path, API, {f"D3DFMT_{row.name}": row.id for row in FORMATS.values()}) == []


def test_shader_numbers(tmp_path: Path) -> None:
    facts = {f"D3DSIO_{op.name}": int(op) for op in shaders.Sio}
    kinds = ("TEMP", "INPUT", "CONST", "ADDR", "TEXTURE", "RASTOUT", "ATTROUT", "TEXCRDOUT")
    facts |= {f"(D3DSPR_{name} >> D3DSP_REGTYPE_SHIFT) & 7": int(shaders.Spr[name]) for name in kinds}
    facts |= {
        f"D3DSPSM_{name} >> D3DSP_SRCMOD_SHIFT": number
        for name, number in {
            "NONE": 0,
            "NEG": 1,
            "BIAS": 2,
            "BIASNEG": 3,
            "SIGN": 4,
            "SIGNNEG": 5,
            "COMP": 6,
            "X2": 7,
            "X2NEG": 8,
            "DZ": 9,
            "DW": 10,
        }.items()
    }
    facts |= {
        "D3DSI_COISSUE": shaders.COISSUE,
        "D3DVS_NOSWIZZLE": shaders.IDENTITY << 16,
        "D3DVS_ADDRMODE_RELATIVE": shaders.RELATIVE,
        "D3DVS_VERSION(1, 1)": shaders.VS_1_1,
        "D3DPS_VERSION(1, 4)": shaders.PS_1_4,
        "D3DSP_DSTMOD_SHIFT": shaders.MODIFIER_SHIFT,
        "D3DSP_DSTSHIFT_SHIFT": shaders.SHIFT_SHIFT,
    }
    assert wrong_facts(tmp_path, API, facts) == []


def test_declaration_numbers(tmp_path: Path) -> None:
    facts = {f"D3DVSDT_{kind.name}": int(kind) for kind in shaders.VsdType}
    facts |= {f"D3DVSDE_{register.name}": int(register) for register in shaders.VsdRegister}
    facts |= {f"D3DVSD_TOKEN_{kind.name}": int(kind) for kind in shaders.VsdToken}
    facts["D3DVSD_END()"] = shaders.VSD_END
    assert wrong_facts(tmp_path, API, facts) == []


# ---- layouts ---------------------------------------------------------------------------------


def layout_facts(struct: str, fields: tuple[tokens.Field, ...]) -> dict[str, int]:
    facts, offset = {}, 0
    for field in fields:
        facts[f"offsetof({struct}, {field.header})"] = offset
        facts[f"sizeof((({struct}*)0)->{field.header})"] = field.bytes
        offset += field.bytes
    return facts


ABSENT = {"", "D3DHAL_DP2EXT", "D3DHAL_DP2SETCLIPPLANE"}
STRIPS = {f"D3DHAL_DP2INDEXED{name}" for name in ("LINESTRIP", "TRIANGLESTRIP", "TRIANGLEFAN")}
MINGW_STRUCTS = {row.struct for row in tokens.TOKENS.values() if row.since < 8} - ABSENT - STRIPS
"""DX6 and DX7 structures that ddk/d3dhal.h declares; of strips it declares the indices of one primitive."""


def test_token_layouts(tmp_path: Path) -> None:
    """Every DX6 and DX7 structure that ddk/d3dhal.h declares; it has none of DirectX 8's."""
    facts: dict[str, int] = {}
    for row in tokens.TOKENS.values():
        if row.struct in MINGW_STRUCTS:
            element = row.fields + (row.items.element if row.items and row.name != "INDEXEDTRIANGLELIST2" else ())
            element = row.items.element if row.items and row.name == "INDEXEDTRIANGLELIST2" else element
            if row.name not in ("TRIANGLEFAN_IMM", "INDEXEDLINELIST2"):
                facts |= layout_facts(row.struct, element)
    assert len(facts) > 120
    assert wrong_facts(tmp_path, DDK, facts) == []


def test_struct_sizes(tmp_path: Path) -> None:
    """The fixed part of every token whose structure the header declares has the header's size."""
    facts = {
        f"sizeof({row.struct})": row.fields_dtype.itemsize
        for row in tokens.TOKENS.values()
        if row.struct in MINGW_STRUCTS and row.items is None
    }
    facts |= {"sizeof(D3DHAL_DP2COMMAND)": tokens.COMMAND_BYTES, "sizeof(D3DLIGHT7)": tokens.dtype_of(tokens.LIGHT).itemsize}
    assert wrong_facts(tmp_path, DDK, facts) == []
    patches = {
        "sizeof(D3DRECTPATCH_INFO)": tokens.dtype_of(tokens.RECT_PATCH_INFO).itemsize,
        "sizeof(D3DTRIPATCH_INFO)": tokens.dtype_of(tokens.TRI_PATCH_INFO).itemsize,
    }
    assert wrong_facts(tmp_path, API, patches) == []


def test_patch_and_light_layouts(tmp_path: Path) -> None:
    assert wrong_facts(tmp_path, DDK, layout_facts("D3DLIGHT7", tokens.LIGHT)) == []
    assert (
        wrong_facts(
            tmp_path,
            API,
            layout_facts("D3DRECTPATCH_INFO", tokens.RECT_PATCH_INFO) | layout_facts("D3DTRIPATCH_INFO", tokens.TRI_PATCH_INFO),
        )
        == []
    )


def test_light_slots(tmp_path: Path) -> None:
    """The numbered slots of a light are the dwords of D3DLIGHT8, then the enabled flag."""
    facts = {}
    for field in slots.LIGHT_FIELDS.values():
        if field.name != "Enabled":
            facts[f"offsetof(D3DLIGHT8, {field.name})"] = 4 * field.offset
            facts[f"sizeof(((D3DLIGHT8*)0)->{field.name})"] = 4 * field.count
    assert wrong_facts(tmp_path, API, facts) == []
    assert slots.LIGHT_FIELDS["Enabled"].offset == slots.LIGHT_SLOTS - 1


def test_caps8_layout(tmp_path: Path) -> None:
    facts = {f"offsetof(D3DCAPS8, {cap.name})": 4 * i for i, cap in enumerate(caps.CAPS8)}
    facts["sizeof(D3DCAPS8)"] = caps.CAPS8_BYTES
    assert wrong_facts(tmp_path, API, facts) == []


def test_a_wrong_fact_is_seen(tmp_path: Path) -> None:
    """The check itself can fail: a wrong number, an unknown name, a right one."""
    assert wrong_facts(tmp_path, API, {"D3DCMP_LESS": 3, "D3DCMP_NONSENSE": 1, "D3DCMP_EQUAL": 3}) == [
        "D3DCMP_LESS",
        "D3DCMP_NONSENSE",
    ]
