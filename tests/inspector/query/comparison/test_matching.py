"""Surfaces of two captures: those that are the same thing are compared, whatever their handles are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from core.ddi.calls import DdiCall
from inspector.focus import Focus
from inspector.query.comparison.compare import Compare
from inspector.tape.bookmarks import Bookmarks
from tests.driver_calls import call
from tests.inspector import streams
from tests.inspector.streams import capture_of, draws, new_texels, stream

NOISE = np.random.default_rng(9)


def moved(by: int, first: list[DdiCall], steps: list[tuple[str, int]], patch: pytest.MonkeyPatch) -> list[DdiCall]:
    """A stream whose surfaces have other handles, because some are created before them."""
    for name in ("TARGET", "DEPTH", "TEXTURE"):
        patch.setattr(streams, name, getattr(streams, name) + by)
    return [*first, *stream(steps)]


def texture(handle: int, contents: bytes | None = None, **shape: int) -> list[DdiCall]:
    """One of 8 x 8, not written to, or with these texels."""
    made = [call("CreateSurface", handle=handle, **{"width": 8, "height": 8, "format": 21} | shape, label="texture")]
    if contents is None:
        return made
    lock = call("Lock", handle=handle, box=None, flags=0)
    return [*made, lock, call("Unlock", {"contents": contents}, handle=handle, box=None, pitch=32, slice_pitch=0)]


def matched(one: inspector.Capture, other: inspector.Capture) -> dict[str, str]:
    """How each surface that differs was matched; each side's picture is that of its own surface."""
    found = one.ask(Compare("all", "all", other, parts=("surfaces",)))
    for row in found.surfaces:
        assert np.array_equal(row.a, one.image(len(one.events) - 1, row.place.handle))
        assert np.array_equal(row.b, other.image(len(other.events) - 1, row.place_b.handle))
    return {row.name: row.matched for row in found.surfaces}


def test_what_is_bound_alike_is_compared_where_handles_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A texture more, of the target's handle on the other side: by handles alone nothing would be compared."""
    with capture_of([*stream([]), draws(1)], tmp_path) as one:
        calls = moved(2, texture(10, bytes(range(256))), [], monkeypatch)
        with capture_of([*calls, draws(2)], tmp_path, "moved.ddicap") as other:
            assert matched(one, other) == {
                "render_target 10 | render_target 12": "render target", "depth 11 | depth 13": "depth buffer",
            }  # fmt: skip
            (left,) = one.ask(Compare("all", "all", other, parts=("resources",))).resources
            assert (left.kind, left.handle, left.a) == ("surface", 10, None), "the texture that only B has"
            names = {row.name for row in one.ask(Compare("all", "all", other, parts=("state",))).state}
            assert not names & {"Render target", "Depth-stencil surface", "TEXTUREMAP[0]"}, "they name the same surfaces"


def test_textures_are_known_by_their_contents_or_else_by_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B has a texture of the same shape before those of A; the middle ones of A have other texels in B."""
    a, b, c, d, e, f, new, changed, too = (NOISE.bytes(256) for _ in range(9))
    first = [one for n, texels in enumerate((a, b, c, d, e, f)) for one in texture(20 + n, texels)]
    later = [one for n, texels in enumerate((new, a, b, changed, too, e, f)) for one in texture(20 + n, texels)]
    with capture_of([*stream([]), *first], tmp_path) as one, capture_of([*stream([]), *later], tmp_path, "b.ddicap") as other:
        in_order = ("texture 22 | texture 23", "texture 23 | texture 24")
        assert matched(one, other) == dict.fromkeys(in_order, "size, format and order")
        found = one.ask(Compare("all", "all", other, parts=("resources",))).resources
        assert [(row.handle, row.a) for row in found] == [(20, None)]


def test_textures_that_are_alike_keep_their_handles(tmp_path: Path) -> None:
    """Contents that several have, and blank ones, say nothing about which is which."""
    a, other_a = NOISE.bytes(256), NOISE.bytes(256)
    first = [*texture(20, a), *texture(21, a), *texture(22), *texture(23, a)]
    later = [*texture(20, a), *texture(21, other_a), *texture(22, a), *texture(23)]
    with capture_of([*stream([]), *first], tmp_path) as one, capture_of([*stream([]), *later], tmp_path, "b.ddicap") as other:
        assert matched(one, other) == dict.fromkeys(("texture 21", "texture 22", "texture 23"), "handle")


def test_a_name_that_both_were_given_counts_more_than_a_handle(tmp_path: Path) -> None:
    made = [texture(handle, NOISE.bytes(256)) for handle in (20, 21, 20, 21)]
    captures = [
        capture_of([*stream([]), *made[2 * n], *made[2 * n + 1]], tmp_path, f"{n}.ddicap") for n in (0, 1)
    ]  # fmt: skip
    assert matched(*captures) == {"texture 20": "handle", "texture 21": "handle"}
    for capture, handle in zip(captures, (20, 21), strict=True):
        created = next(info.created for info in capture.surfaces(len(capture.events) - 1) if info.handle == handle)
        Bookmarks(capture.tape, capture.path).add(Focus(created, surface=handle), "the lightmap\nof the hall")
    assert matched(*captures) == {"texture 20 | texture 21": "name", "texture 21 | texture 20": "size, format and order"}
    for capture in captures:
        capture.close()


def test_targets_of_two_draws_of_one_capture_are_compared(tmp_path: Path) -> None:
    """Of one capture a handle is the same surface; two draws to different targets compare these as well."""
    away = streams.tokens(("SETRENDERTARGET", {"render_target": 30, "depth_stencil": streams.DEPTH}))
    target = call("CreateSurface", handle=30, width=streams.SIZE, height=streams.SIZE, format=21, label="texture")
    with capture_of([*stream([]), target, draws(1), *new_texels(3), away, draws(2)], tmp_path) as one:
        last = [int(one.draws[n]) for n in (1, 3)]
        found = one.ask(Compare(*(f"event {event}" for event in last), parts=("surfaces",)))
        first = found.surfaces[0]
        assert (first.name, first.matched) == ("render_target 10 | texture 30", "render target")
        for picture, event, handle in zip((first.a, first.b), last, (10, 30), strict=True):
            assert np.array_equal(picture, one.image(event, handle))
        assert {row.name: row.matched for row in found.surfaces[1:]} == dict.fromkeys(
            ("depth 11", "texture 12", "texture 30"), "handle"
        )
        assert not any("|" in row.name for row in one.ask(Compare("draw 0", "draw 1", parts=("surfaces",))).surfaces)
