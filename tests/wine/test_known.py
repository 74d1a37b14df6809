"""Which scenes Wine is known to draw otherwise: told by their state, without Wine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.spec.enums import TextureOp
from tests.reference.scene import Draw
from tests.reference.texture import Texture
from tests.reference.vertex import Vertex, World
from tests.wine.known import KNOWN, why
from tests.wine.run import EXACT, scene

VIEW = World((0, 0, 32, 32, 0.0, 1.0))
POINT = {
    "POINTSPRITEENABLE": 0,
    "POINTSCALEENABLE": 0,
    "POINTSIZE": 8.0,
    "POINTSIZE_MIN": 1.0,
    "POINTSIZE_MAX": 64.0,
    "SPECULARENABLE": 0,
    "LIGHTING": 0,
}
STAGE = {"COLOROP": TextureOp.MODULATE, "ALPHAOP": TextureOp.SELECTARG1, "COLORARG1": 2, "COLORARG2": 0, "MIPFILTER": 2}
PLAIN = Draw(POINT, (STAGE,), (None,), (Vertex((1.0, 1.0, 0.5, 1.0), diffuse=0xFFFFFFFF),) * 3, VIEW)
LIT = tuple(replace(vertex, position=vertex.position[:3]) for vertex in PLAIN.vertices)


def textured(levels: int) -> Texture:
    return Texture(21, 4, 4, tuple(bytes(64 >> 2 * n) for n in range(levels)))


def changed(draw: Draw = PLAIN, states: Any = None, stage: Any = None, **more: Any) -> Draw:
    return replace(draw, states={**draw.states, **(states or {})}, stages=({**draw.stages[0], **(stage or {})},), **more)


@pytest.mark.parametrize(
    ("name", "differs", "agrees"),
    [
        ("no texture", changed(shader="ps_1_1\ntex t0\nmov r0, t0"),
         changed(shader="ps_1_1\ntex t0\nmov r0, t0", textures=(textured(1),))),
        ("missing coordinates", changed(stage={"TEXTURETRANSFORMFLAGS": 2}), changed(stage={"TEXTURETRANSFORMFLAGS": 0})),
        ("specular argument", changed(states={"LIGHTING": 1}, stage={"COLORARG2": 4}, vertices=LIT),
         changed(states={"LIGHTING": 1}, stage={"COLORARG2": 3}, vertices=LIT)),
        ("smooth lines", changed(states={"EDGEANTIALIAS": 1}, vertices=PLAIN.vertices[:2]),
         changed(states={"EDGEANTIALIAS": 1})),
        ("wrapping", changed(states={"WRAP0": 1}), changed(states={"WRAP0": 0})),
        ("mip levels", changed(textures=(textured(3),)), changed(textures=(textured(1),))),
    ],
)  # fmt: skip
def test_a_known_difference_is_told_by_the_state(name: str, differs: Draw, agrees: Draw) -> None:
    assert (why(differs), why(agrees)) == (name, "")


def test_a_point_is_known_by_its_centre() -> None:
    point = replace(PLAIN.vertices[0], size=8.0)
    for x, known in ((-2.0, True), (2.0, False), (31.0, False), (33.0, True)):
        vertices = (replace(point, position=(x, 16.0, 0.5, 1.0)),)
        assert (why(replace(PLAIN, vertices=vertices)) == "centre outside") == known, x


def test_every_known_difference_says_where_it_was_seen() -> None:
    assert all(len(one.source.split()) > 5 for one in KNOWN) and len({one.name for one in KNOWN}) == len(KNOWN)


def test_most_random_scenes_are_compared() -> None:
    """What is known is a part; else a comparison would say nothing."""
    for kind in ("pixels", "points", "lines", "worlds"):
        compared = sum(not why(scene(kind, seed).draws[0]) for seed in range(60))
        assert compared > 20, kind


def test_wine_runs_with_mesas_exact_filters() -> None:
    assert "no_filter_hacks" in EXACT["GALLIVM_PERF"].split(",")
