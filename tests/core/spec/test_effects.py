"""What rows say that tokens and calls are for, beside a list by hand from the sentences of the DDI documents."""

import pytest

from core.spec.calls import CALLS, kind_of_call
from core.spec.effects import EventKind, Touches
from core.spec.enums import DdBlt
from core.spec.tokens import TOKENS

KINDS = {
    EventKind.CLEAR: "CLEAR COLORFILL",
    EventKind.COPY: "TEXBLT VOLUMEBLT BUFFERBLT BLT SURFACEBLT GENERATEMIPSUBLEVELS",
    EventKind.STATE: "RENDERSTATE TEXTURESTAGESTATE SETSTREAMSOURCE SETSTREAMSOURCEUM SETINDICES SETRENDERTARGET STATESET "
    "SETSCISSORRECT SETSTREAMSOURCE2 SETRENDERTARGET2 SETDEPTHSTENCIL SETSTREAMSOURCEFREQ",
    EventKind.TRANSFORM: "SETTRANSFORM MULTIPLYTRANSFORM SETLIGHT CREATELIGHT SETMATERIAL SETCLIPPLANE "
    "VIEWPORTINFO ZRANGE WINFO",
    EventKind.RESOURCE: "SETPALETTE UPDATEPALETTE SETPRIORITY SETTEXLOD ADDDIRTYRECT ADDDIRTYBOX",
    EventKind.OTHER: "RESERVED0 EXT CREATEQUERY DELETEQUERY ISSUEQUERY RESPONSEQUERY RESPONSECONTINUE",
}


def test_kinds_of_tokens() -> None:
    for kind, names in KINDS.items():
        assert {row.name for row in TOKENS.values() if row.kind is kind} == set(names.split()), kind
    shaders = {row.name for row in TOKENS.values() if row.kind is EventKind.SHADER}
    assert shaders == {row.name for row in TOKENS.values() if "SHADER" in row.name}
    draws = {row.name for row in TOKENS.values() if row.kind is EventKind.DRAW}
    words = ("POINTS", "LINE", "TRIANGLE", "DRAW")
    assert draws == {row.name for row in TOKENS.values() if any(word in row.name for word in words)}


@pytest.mark.parametrize(
    ("entry", "args", "kind"),
    [
        ("Blt", {"flags": int(DdBlt.WAIT)}, EventKind.COPY),
        ("Blt", {"flags": int(DdBlt.COLORFILL)}, EventKind.CLEAR),
        ("Blt", {"flags": int(DdBlt.DEPTHFILL | DdBlt.WAIT)}, EventKind.CLEAR),
        ("Blt", {"flags": int(DdBlt.PRESENTATION), "presentation": 1}, EventKind.PRESENT),
        ("Blt", {"flags": "bad"}, EventKind.COPY),
        ("Flip", {}, EventKind.PRESENT),
        ("GetFlipStatus", {}, EventKind.OTHER),
        ("GetBltStatus", {}, EventKind.OTHER),
        ("WaitForVerticalBlank", {}, EventKind.OTHER),
        ("Clear2", {}, EventKind.CLEAR),
        ("Lock", {}, EventKind.RESOURCE),
        ("DxgiPresent", {}, EventKind.PRESENT),
        ("UpdatePalettes", {}, EventKind.OTHER),  # no call at all
    ],
)
def test_kinds_of_calls(entry: str, args: dict, kind: EventKind) -> None:
    assert kind_of_call(entry, args) is kind


def test_what_writes_surfaces() -> None:
    """Tokens of DirectX 8: draws, clears and copies of textures; a copy between buffers writes none."""
    found = {row.name for row in TOKENS.values() if row.touches & Touches.SURFACES and row.since < 9 and not row.draws}
    assert found == {"CLEAR", "TEXBLT", "VOLUMEBLT"}
    assert all(row.touches & Touches.SURFACES for row in TOKENS.values() if row.draws)
    calls = {row.name for row in CALLS.values() if row.touches & Touches.SURFACES and row.family != "dxgi"}
    assert calls == {"Lock", "Unlock", "Blt", "Flip", "Clear", "Clear2"}
