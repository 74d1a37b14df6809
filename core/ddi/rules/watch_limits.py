"""Rules checked on passing streams: what tokens require, compared with the driver's reported capabilities.

Nothing is said of what the driver was not asked (`DriverFacts` without caps).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from core.ddi.rules.facts import DriverFacts
from core.spec.caps import DevCaps
from core.spec.enums import ClearFlag, PatchFlag, StateSetOperation
from core.spec.states import RENDER_STATE_ID
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.ddi.rules.watch import Broken, Records

MOST_STREAMS = 16
POINT_SIZES = tuple(RENDER_STATE_ID[name] for name in ("POINTSIZE",))
Limit = Callable[["Records", DriverFacts], Iterator["Broken"]]


def _version(facts: DriverFacts, name: str) -> int:
    """major << 8 | minor; a driver that was not asked has every version."""
    return int(facts.number(name, 0xFFFF)) & 0xFFFF


def _stream_source(batch: Records, facts: DriverFacts) -> Iterator[Broken]:
    most, stride = int(facts.number("MaxStreams", MOST_STREAMS)), int(facts.number("MaxStreamStride", 0xFFFFFFFF))
    stream = batch.fields["stream"]
    beyond = (stream >= most) & (stream < MOST_STREAMS)
    yield from batch.where("bad-stream", beyond, lambda row: f"stream {row['stream']} of {most}")
    wide = batch.fields["stride"] > stride
    yield from batch.where("stream-stride", wide, lambda row: f"a stride of {row['stride']}, of at most {stride}")


def _indices(batch: Records, facts: DriverFacts) -> Iterator[Broken]:
    if facts.number("MaxVertexIndex", 0xFFFFFFFF) <= 0xFFFF:
        yield from batch.where("index-width", batch.fields["stride"] == 4, "32-bit indices, MaxVertexIndex is below 65536")


def _create_shader(name: str) -> Limit:
    def limit(batch: Records, facts: DriverFacts) -> Iterator[Broken]:
        reported = _version(facts, name)
        kind = "vertex" if name.startswith("Vertex") else "pixel"
        for i, row in enumerate(batch.fields):
            if not reported:
                yield batch.broken("shader-support", i, f"{kind} shader {row['shader']:#x} for a driver without shader support")
            elif (asked := _asked(batch, i, row)) > reported:
                text = f"{kind} shader {row['shader']:#x} is of version {asked >> 8}.{asked & 255}, the driver of "
                yield batch.broken("shader-version", i, text + f"{reported >> 8}.{reported & 255}")

    return limit


def _asked(batch: Records, i: int, row: np.void) -> int:
    """The version of the code, as major << 8 | minor; 0 without code."""
    skip = int(row["declaration_size"]) if "declaration_size" in (row.dtype.names or ()) else 0
    code = batch.tail(i, skip + 4)[skip:]
    return int.from_bytes(code, "little") & 0xFFFF if row["code_size"] >= 4 else 0


def _set_shader(name: str, mask: int, text: str) -> Limit:
    def limit(batch: Records, facts: DriverFacts) -> Iterator[Broken]:
        if not _version(facts, name):
            yield from batch.where("shader-support", batch.fields["shader"] & mask != 0, text)

    return limit


def _constants(name: str) -> Limit:
    def limit(batch: Records, facts: DriverFacts) -> Iterator[Broken]:
        if not _version(facts, name):
            text = f"{batch.name} for a driver without shader support"
            yield from batch.where("shader-support", batch.fields["count"] > 0, text)
        most = int(facts.number("MaxVertexShaderConst", 256)) if batch.name.startswith("SETVERTEX") else 8
        end = batch.fields["register"].astype(np.int64) + batch.fields["count"]
        beyond = (end > most) & (batch.fields["register"] < 32) if most == 8 else (end > most) & (end <= 256)
        have = f"constants beyond c{most - 1}" if most else "constants for a driver without any (MaxVertexShaderConst is 0)"
        yield from batch.where("bad-constant", beyond, have)

    return limit


def _draw(batch: Records, facts: DriverFacts) -> Iterator[Broken]:
    most = int(facts.number("MaxPrimitiveCount", 0xFFFFFFFF))
    yield from batch.where("primitive-count", batch.fields["count"] > most, lambda row: f"{row['count']} primitives of {most}")


def _patch(batch: Records, facts: DriverFacts) -> Iterator[Broken]:
    nothing = (batch.fields["patch"] == 0) & (batch.fields["flags"] & PatchFlag.HASINFO == 0)
    yield from batch.where("patch-zero", nothing, "handle 0 without RTPATCHFLAG_HASINFO")
    if not facts.has("DevCaps", DevCaps.RTPATCHES):
        yield from batch.where("patch-support", batch.fields["flags"] >= 0, f"{batch.name} for a driver without RTPATCHES")


def _render_state(batch: Records, facts: DriverFacts) -> Iterator[Broken]:
    largest = float(facts.number("MaxPointSize", np.inf))
    sizes = batch.fields["value"].astype(np.uint32).view(np.float32)
    too_large = np.isin(batch.fields["state"], POINT_SIZES) & (sizes > largest)
    for i in np.flatnonzero(too_large).tolist():
        yield batch.broken("point-size", i, f"a point size of {sizes[i]:g}, of at most {largest:g}")


def _state_set(batch: Records, facts: DriverFacts) -> Iterator[Broken]:
    if not facts.has("DevCaps", DevCaps.PUREDEVICE):
        created = batch.fields["operation"] == StateSetOperation.CREATE
        yield from batch.where("state-set-pure", created, "D3DHAL_STATESETCREATE for a driver without PUREDEVICE")


def _clear(batch: Records, facts: DriverFacts) -> Iterator[Broken]:
    computed = batch.fields["flags"] & ClearFlag.COMPUTERECTS != 0
    if not facts.has("DevCaps", DevCaps.PUREDEVICE):
        yield from batch.where("clear-computerects", computed, "D3DCLEAR_COMPUTERECTS for a driver without PUREDEVICE")
    yield from batch.where("clear-nothing", (batch.records["count"] == 0) & ~computed, "CLEAR without rectangles")


LIMITS: dict[int, Limit] = {
    Op["RENDERSTATE"]: _render_state,
    Op["SETSTREAMSOURCE"]: _stream_source,
    Op["SETINDICES"]: _indices,
    Op["CREATEVERTEXSHADER"]: _create_shader("VertexShaderVersion"),
    Op["CREATEPIXELSHADER"]: _create_shader("PixelShaderVersion"),
    Op["SETVERTEXSHADER"]: _set_shader("VertexShaderVersion", 1, "a vertex shader for a driver without shader support"),
    Op["SETPIXELSHADER"]: _set_shader("PixelShaderVersion", 0xFFFFFFFF, "a pixel shader for a driver without shader support"),
    Op["SETVERTEXSHADERCONST"]: _constants("VertexShaderVersion"),
    Op["SETPIXELSHADERCONST"]: _constants("PixelShaderVersion"),
    Op["DRAWPRIMITIVE"]: _draw,
    Op["DRAWINDEXEDPRIMITIVE"]: _draw,
    Op["DRAWPRIMITIVE2"]: _draw,
    Op["DRAWINDEXEDPRIMITIVE2"]: _draw,
    Op["CLIPPEDTRIANGLEFAN"]: _draw,
    Op["DRAWRECTPATCH"]: _patch,
    Op["DRAWTRIPATCH"]: _patch,
    Op["STATESET"]: _state_set,
    Op["CLEAR"]: _clear,
}
