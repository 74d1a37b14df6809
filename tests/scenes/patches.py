"""One scene for each kind of patch.  Control points lie on flat, even grids, so that the surface's outline is known: Bezier
patches reach the corner points, B-splines and interpolating splines the inner cell."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from core.ddi.stream.shader_assemble import assemble
from core.spec.enums import BasisType, OrderType, PatchEdgeStyle
from tests.scenes.kit import BLACK, GREEN, SIZE, WHITE, Picture, Stage, Token, add, picture, scene, states, t

SHADER = 0x42  # XYZ | DIFFUSE


def point(x: float, y: float, color: int = WHITE) -> bytes:
    """A place of the pixel grid, in clip space."""
    return struct.pack("<3fI", (x - 0.5) / 32 - 1, 1 - (y - 0.5) / 32, 0.5, color)


def grid(columns: int, rows: int, step: float, start: float = 2.0) -> list[bytes]:
    return [point(start + step * x, start + step * y) for y in range(rows) for x in range(columns)]


def rect(patch: int, columns: int, rows: int, basis: int = 0, order: int = 3, segments: float | None = 4.0) -> Token:
    info = {
        "start_width": 0,
        "start_height": 0,
        "width": columns,
        "height": rows,
        "stride": columns,
        "basis": basis,
        "order": order,
    }
    more: dict[str, Any] = {"segments": [segments] * 4} if segments is not None else {}
    return t("DRAWRECTPATCH", patch=patch, info=info, **more)


def send(stage: Stage, points: list[bytes], *tokens: Token) -> None:
    stage.tokens(
        t("SETVERTEXSHADER", shader=SHADER), t("SETSTREAMSOURCEUM", stride=16), *tokens, vertices=points, stride=16
    )  # fmt: skip


def inner(box: tuple[int, int, int, int]) -> tuple[Picture, np.ndarray]:
    """The box, and where it is not its edge."""
    left, top, right, bottom = box
    edge = picture(((left - 1, top - 1, right + 1, bottom + 1), 1), ((left + 1, top + 1, right - 1, bottom - 1), 0), ground=0)
    return picture((box, WHITE)), edge == 0


def _rect(basis: BasisType, order: OrderType) -> None:
    count = {OrderType.LINEAR: 2, OrderType.CUBIC: 4, OrderType.QUINTIC: 6}[order]

    def make(stage: Stage) -> None:
        step = 48 // (count - 1)
        send(stage, grid(count, count, step), rect(0, count, count, basis, order))
        cut = (count - 2) // 2 * step if basis != BasisType.BEZIER else 0
        low, high = 2 + cut, 2 + step * (count - 1) - cut
        expected, mask = inner((low, low, high, high))
        stage.sees(expected, mask=mask)

    name = f"patches/rectangle {basis.name} {order.name}"
    add(name, make, "token:DRAWRECTPATCH", f"value:BasisType.{basis.name}", f"value:OrderType.{order.name}")


for _basis in (BasisType.BEZIER, BasisType.BSPLINE):
    for _order in (OrderType.LINEAR, OrderType.CUBIC, OrderType.QUINTIC):
        _rect(_basis, _order)
_rect(BasisType.INTERPOLATE, OrderType.CUBIC)


def _tri(order: OrderType) -> None:
    """Control points row by row from corner 0."""
    degree = int(order)

    def make(stage: Stage) -> None:
        step = 30 / degree
        points = [point(10 + step * x, 10 + step * (row - x)) for row in range(degree + 1) for x in range(row + 1)]
        info = {"start": 0, "vertex_count": len(points), "basis": BasisType.BEZIER, "order": order}
        send(stage, points, t("DRAWTRIPATCH", patch=0, segments=[3.0] * 3, info=info))
        x, y = np.meshgrid(np.arange(SIZE), np.arange(SIZE))
        inside = (x > 10) & (y > 10) & (x + y < 48)
        outside = (x < 9) | (y < 9) | (x + y > 50)
        stage.sees(np.where(inside, WHITE, BLACK).astype(np.uint32), mask=inside | outside)

    add(f"patches/triangle {order.name}", make, "token:DRAWTRIPATCH", f"value:OrderType.{order.name}")


for _order in (OrderType.LINEAR, OrderType.CUBIC, OrderType.QUINTIC):
    _tri(_order)


@scene("patches/mosaic", "token:DRAWRECTPATCH")
def mosaic(stage: Stage) -> None:
    """Seven by four points are two cubic Bezier patches that share a column."""
    send(stage, grid(7, 4, 8), rect(0, 7, 4))
    expected, mask = inner((2, 2, 50, 26))
    stage.sees(expected, mask=mask)


@scene("patches/segments by state")
def by_state(stage: Stage) -> None:
    """Without RTPATCHFLAG_HASSEGS the render state counts."""
    send(stage, grid(4, 4, 16), states(PATCHSEGMENTS=3.0), rect(0, 4, 4, segments=None))
    expected, mask = inner((2, 2, 50, 50))
    stage.sees(expected, mask=mask)


ANY = 0xFFFFFFFF  # handles are any dword


@scene("patches/cached", "token:DRAWRECTPATCH", "state:DELETERTPATCH", "rule:bad-patch")
def cached(stage: Stage) -> None:
    """A patch with a handle is drawn again without information and without streams; deleted it is gone."""
    clear = t("CLEAR", [(0, 0, SIZE, SIZE)], flags=1, color=BLACK)
    send(stage, grid(2, 2, 40), rect(ANY, 2, 2, 0, 1))
    expected, mask = inner((2, 2, 42, 42))
    stage.tokens(clear, t("SETSTREAMSOURCE", stream=0, buffer=0, stride=0), t("DRAWRECTPATCH", patch=ANY, segments=[2.0] * 4))
    stage.sees(expected, mask=mask)
    stage.tokens(clear, states(DELETERTPATCH=ANY), t("DRAWRECTPATCH", patch=ANY, segments=[2.0] * 4))
    stage.sees(picture())
    stage.finds("bad-patch")


@scene("patches/updated", "token:DRAWRECTPATCH")
def updated(stage: Stage) -> None:
    """Information for a known handle replaces what was kept."""
    send(stage, grid(2, 2, 40), rect(7, 2, 2, 0, 1))
    send(stage, grid(2, 2, 10), t("CLEAR", [(0, 0, SIZE, SIZE)], flags=1, color=BLACK), rect(7, 2, 2, 0, 1))
    expected, mask = inner((2, 2, 12, 12))
    stage.sees(expected, mask=mask)


@scene("patches/handle of the other kind", "token:DRAWRECTPATCH", "token:DRAWTRIPATCH", "rule:bad-patch")
def other_kind(stage: Stage) -> None:
    """DRAWTRIPATCH asks for what an earlier DRAWTRIPATCH has specified: a rectangle's handle without information is ignored."""
    send(stage, grid(2, 2, 40), rect(7, 2, 2, 0, 1))
    stage.tokens(t("CLEAR", [(0, 0, SIZE, SIZE)], flags=1, color=BLACK), t("DRAWTRIPATCH", patch=7, segments=[2.0] * 3))
    stage.sees(picture())
    stage.tokens(t("DRAWRECTPATCH", patch=7, segments=[2.0] * 4))
    expected, mask = inner((2, 2, 42, 42))
    stage.sees(expected, mask=mask)
    info = {"start": 0, "vertex_count": 3, "basis": 0, "order": 1}
    send(stage, [point(10, 10), point(10, 40), point(40, 10)], t("DRAWTRIPATCH", patch=7, segments=[2.0] * 3, info=info))
    stage.tokens(t("CLEAR", [(0, 0, SIZE, SIZE)], flags=1, color=BLACK), t("DRAWRECTPATCH", patch=7, segments=[2.0] * 4))
    stage.sees(picture())
    stage.finds("bad-patch", "bad-patch")


@scene("patches/another shader", "token:DRAWRECTPATCH", "token:SETVERTEXSHADER")
def another_shader(stage: Stage) -> None:
    """What is kept are control points; what is current now processes the vertices, be it a shader or the fixed function."""
    clear = t("CLEAR", [(0, 0, SIZE, SIZE)], flags=1, color=BLACK)
    declaration = [0x20000000, 0x40020000, 0x40040005, 0xFFFFFFFF]  # stream 0: FLOAT3 into v0, D3DCOLOR into v5
    code = assemble("vs_1_1\ndef c0, 0, 1, 0, 1\nmov oPos, v0\nmov oD0, c0")
    stage.tokens(t("CREATEVERTEXSHADER", shader=3, declaration=declaration, code=code))
    expected, mask = inner((2, 2, 42, 42))
    green = np.where(expected == WHITE, GREEN, expected)
    for first, second, seen in ((SHADER, 3, green), (3, SHADER, expected)):
        points, setup = grid(2, 2, 40), (t("SETVERTEXSHADER", shader=first), t("SETSTREAMSOURCEUM", stride=16))
        stage.tokens(*setup, rect(7, 2, 2, 0, 1), vertices=points, stride=16)
        stage.tokens(clear, t("SETVERTEXSHADER", shader=second), t("DRAWRECTPATCH", patch=7, segments=[2.0] * 4))
        stage.sees(seen, mask=mask)


@scene("patches/continuous edges")
def continuous(stage: Stage) -> None:
    """Fractional segment counts; a flat patch stays whole."""
    send(stage, grid(4, 4, 16), states(PATCHEDGESTYLE=PatchEdgeStyle.CONTINUOUS), rect(0, 4, 4, segments=2.5))
    expected, mask = inner((2, 2, 50, 50))
    stage.sees(expected, mask=mask)


@scene("patches/curved", "token:DRAWRECTPATCH")
def curved(stage: Stage) -> None:
    """A quadratic arc written as a cubic: the upper edge's middle lies at the mean of its points' heights, weighted 1 3 3 1."""
    heights = (40.0, 8.0, 8.0, 40.0)
    points = [point(2 + 20 * x, 62 - (62 - heights[x]) * (3 - y) / 3) for y in range(4) for x in range(4)]
    send(stage, points, rect(0, 4, 4, segments=24.0))
    middle = (40 + 3 * 8 + 3 * 8 + 40) / 8
    x, y = np.meshgrid(np.arange(SIZE), np.arange(SIZE))
    column = (x == 32) & (np.abs(y - middle) > 1.5) & (y < 61)
    stage.sees(np.where(y > middle, WHITE, BLACK).astype(np.uint32), mask=column)


@scene("patches/N-patches")
def n_patches(stage: Stage) -> None:
    """Triangles with normals, in three segments; normals that agree leave the triangle flat."""
    quad = [
        struct.pack("<6fI", (x - 0.5) / 32 - 1, 1 - (y - 0.5) / 32, 0.5, 0, 0, -1, WHITE) for y in (4, 44) for x in (4, 44)
    ]  # fmt: skip
    stage.tokens(
        states(PATCHSEGMENTS=3.0, LIGHTING=0), t("SETVERTEXSHADER", shader=0x52), t("SETSTREAMSOURCEUM", stride=28),
        t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2), vertices=quad, stride=28,
    )  # fmt: skip
    stage.holds("PATCHSEGMENTS", 3.0, back=4)
    expected, mask = inner((4, 4, 44, 44))
    stage.sees(expected, mask=mask)
