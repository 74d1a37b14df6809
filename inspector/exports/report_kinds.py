"""Reports on a draw, a pixel, a comparison or a driver: one page each (inspector.exports.report)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from core.errors import BadInput
from inspector.exports.pages import Shot, driver_part, event_page, left_out, page, reporter, shot
from inspector.exports.report import PICTURES, report
from inspector.focus import Focus
from inspector.progress import Progress
from inspector.query.comparison.compare import Compare
from inspector.query.comparison.data import data_difference
from inspector.query.comparison.difference import Difference
from inspector.query.comparison.vertices import WHICH, CompareVertices, draw_pairs
from inspector.query.comparison.views import loudest, what_changed
from inspector.query.driver.buffers import Renames, Stalls
from inspector.query.events.findings import Findings
from inspector.query.events.spans import span
from inspector.query.looks.look import Look
from inspector.query.looks.wires import WireFrame
from inspector.query.objects.usage import ResourcesOf
from inspector.query.pixels.explain import Explain
from inspector.query.pixels.history import PixelHistory
from inspector.query.pixels.writers import PixelsOf
from inspector.tape.bookmarks import Bookmarks, resource_names
from inspector.timeline.lives import Role

KINDS = {
    "capture": "findings, frames, one event in full, tokens, the driver",
    "draw": "what a draw changed, its textures, vertices and state",
    "pixel": "the history of a pixel, its last fragment explained",
    "comparison": "what differs between two events, draws, frames or captures",
    "driver": "whether the driver conforms; requirements, broken rules, capabilities, formats, presentation",
}
ROWS_LISTED, TOKENS_LISTED, SURFACES_SHOWN = 100, 200, 8
SLICES_SHOWN = 16
LOOKED_AT = 60
"""Tokens that read the same, and whose vertices or data are compared one by one; and so many pairs of draws."""
CROP = 16  # pixels each way around the one that a report is about
TEXTURE_ROLES = (Role.TEXTURE, Role.UNREAD_TEXTURE)


def report_of(
    kind: str, capture: Any, focus: Focus, progress: Progress | None = None, drawn: bool = True, pictures: int = PICTURES,
    other: Any = None, sides: tuple[str, str] = ("", ""), note: str = "",
) -> str:  # fmt: skip
    """A report of one of KINDS about a place.

    other, sides: what a comparison compares (inspector.query.comparison.compare).  note: what somebody says of a draw or a
    pixel, above everything else.  BadInput for a kind whose place is missing; Cancelled.
    """
    if kind == "capture":
        return report(capture, focus.event, pictures, progress, drawn)
    if kind == "driver":
        return driver_report(capture, progress, drawn)
    if kind == "comparison":
        return comparison_report(capture, other, *sides, progress)
    if kind == "pixel":
        return pixel_report(capture, focus, progress, note)
    return draw_report(capture, focus, progress, drawn, note)


# ---- a draw ------------------------------------------------------------------------------------------------------------


def draw_report(capture: Any, focus: Focus, progress: Progress | None = None, drawn: bool = True, note: str = "") -> str:
    """One draw, clear or copy.  BadInput for an event that does not exist."""
    say, event = reporter(progress), capture.check_event(focus.event)
    findings = [one for one in capture.ask(Findings(drawn, lambda done, text: say(0.7 * done, text))) if one.seq == event]
    say(0.75, "images")
    facts = [("frame", capture.frame_of(event)), ("primitives", capture.primitives(event))]
    if capture.events.rows["draw"][event]:
        covered, changed = capture.ask(PixelsOf(event)).counts
        facts += [("pixels covered", covered), ("pixels changed", changed)]
    names, rows, more = vertex_rows(capture, event)
    return page(
        "draw.html",
        capture,
        f"Event {event}: {capture.name(event)}",
        [*facts, ("findings", len(findings))],
        findings,
        drawn,
        note,
        shots=list(looks(capture, event)),
        textures=list(textures(capture, event)),
        columns=names,
        vertices=rows,
        vertex_note=more,
        page=event_page(capture, event),
        history=history_part(capture, focus) if focus.pixel is not None else None,
    )


def looks(capture: Any, event: int) -> Iterator[Shot]:
    """The target before the event, what it changed, its wire frame, its depth surface."""
    for text, when in (("Before", "before"), ("Changed by it", "changed")):
        try:
            yield shot(text, capture.ask(Look(event, when=when)).rgba)
        except BadInput:
            continue
    with contextlib.suppress(BadInput):
        yield shot("Wireframe", capture.ask(WireFrame(event)).over(capture.image(event)))
    with contextlib.suppress(BadInput):
        yield shot("Depth after it", capture.image(event, "depth"))


def textures(capture: Any, event: int) -> Iterator[Shot]:
    """Every bound texture: its first level; of cubes all faces, of volumes at most SLICES_SHOWN slices, evenly spread.

    Pictures in reports are opaque: an alpha channel that says something, as that of a font does, follows as one of its own.
    """
    known = {info.handle: info for info in capture.surfaces(event)}
    names = resource_names(Bookmarks(capture.tape, capture.path).all())
    for use in capture.ask(ResourcesOf(event)):
        info = known.get(use.life.handle)
        if info is None or use.role not in TEXTURE_ROLES:
            continue
        title = named(info, names)
        parts = [(0, face) for face in range(info.faces)] if info.kind == "cube" else [(0, 0)]
        if info.kind == "volume":
            spread = np.linspace(0, info.depth - 1, min(info.depth, SLICES_SHOWN)).round().astype(int)
            parts = [(number, 0) for number in spread.tolist()]
        for slice_, face in parts:
            part = f", slice {slice_}" if info.kind == "volume" else f", face {face}" if info.kind == "cube" else ""
            size = f"{info.width} x {info.height}{f' x {info.depth}' if info.depth > 1 else ''} {info.format}"
            try:
                image = capture.image(event, info.handle, 0, face, slice_)
            except BadInput:
                continue
            yield shot(f"{use.text}: {title}{part}, {size}", image, 420)
            alpha = image[..., 3:]
            if alpha.size and alpha.min() < alpha.max():
                yield shot(f"alpha of {title}{part}", np.repeat(alpha, 4, axis=2), 420)


def named(info: Any, names: Any) -> str:
    """A surface by what it is, and the name that somebody gave it: "Texture 8", "lamp (Texture 8)"."""
    name = names.get((max(info.created, 0), info.handle), "")
    return f"{name} ({info.title})" if name else str(info.title)


def surface_title(capture: Any, event: int, handle: int) -> str:
    """The same of a handle after an event."""
    names = resource_names(Bookmarks(capture.tape, capture.path).all())
    return next((named(info, names) for info in capture.surfaces(event) if info.handle == handle), f"surface {handle}")


def vertex_rows(capture: Any, event: int) -> tuple[list[str], list[list[str]], str]:
    """(columns, texts of the first rows, how many were left out) of the vertices as assembled."""
    if not capture.events.rows["draw"][event]:
        return [], [], ""
    try:
        grid = capture.vertices(event, "assembled")
    except BadInput:
        return [], [], ""
    rows = [
        [f"{value:.6g}" if isinstance(value, float) else str(value) for value in row]
        for row in grid.rows[:ROWS_LISTED].tolist()
    ]
    return grid.columns, rows, left_out(len(grid.rows), ROWS_LISTED, "vertices are listed")


# ---- a pixel -----------------------------------------------------------------------------------------------------------


def history_part(capture: Any, focus: Focus) -> dict[str, Any]:
    """A pixel's history in its frame up to the event, the explanation of the last fragment that was written, the picture."""
    if focus.pixel is None:
        raise BadInput("a report about a pixel needs a pixel")
    x, y = focus.pixel
    first, last = span(capture, focus.event, "until")
    found = capture.ask(PixelHistory(focus.where, x, y, first, last))
    written = [entry for entry in found.entries if entry.kind == "fragment" and entry.passed]
    rgba = capture.image(focus.event, focus.where)
    left, top = max(x - CROP, 0), max(y - CROP, 0)
    around = rgba[top : y + CROP + 1, left : x + CROP + 1]
    marked = np.repeat(np.repeat(around, 12, 0), 12, 1).copy()
    box = (slice((y - top) * 12, (y - top) * 12 + 12), slice((x - left) * 12, (x - left) * 12 + 12))
    frame = marked[box].copy()
    marked[box] = (255, 0, 255, 255)
    marked[box][1:-1, 1:-1] = frame[1:-1, 1:-1]
    return {
        "found": found,
        "surface": surface_title(capture, focus.event, found.surface),
        "names": {one.event: capture.name(one.event) for one in (*found.entries, *found.misses)},
        "explained": capture.ask(Explain(written[-1])).lines if written else [],
        "explained_event": written[-1].event if written else -1,
        "around": shot(f"{2 * CROP + 1} x {2 * CROP + 1} pixels around it", marked),
        "whole": shot(f"after event {focus.event}", rgba),
    }


def pixel_report(capture: Any, focus: Focus, progress: Progress | None = None, note: str = "") -> str:
    """The history of a pixel.  BadInput without a pixel, or for one that is not on the surface."""
    say = reporter(progress)
    capture.check_event(focus.event)
    say(0.1, "history of the pixel")
    part = history_part(capture, focus)
    found, pixel = part["found"], focus.pixel or (0, 0)
    last = found.end[0].text if found.end else ""
    return page(
        "pixel.html",
        capture,
        f"Pixel {pixel[0]}, {pixel[1]} of {part['surface']} after event {focus.event}",
        [
            ("entries", len(found.entries)),
            ("fragments", len(found.fragments)),
            ("missed it", len(found.misses)),
            ("value", last),
        ],
        note=note,
        history=part,
    )


# ---- a comparison ------------------------------------------------------------------------------------------------------


def comparison_report(capture: Any, other: Any, a: str, b: str, progress: Progress | None = None) -> str:
    """What differs; `other`: the capture of side b, None: the same."""
    say = reporter(progress)
    say(0.1, "comparing")
    found = capture.ask(Compare(a, b, other))
    second = other if other is not None else capture
    names = [f"{one.title}: {text}" for one, text in ((capture, a), (second, b))]
    say(0.6, "vertices")
    vertices, vertex_note = vertex_differences(found, capture, second)
    say(0.8, "images")
    rows = found.tokens.differing
    return page(
        "comparison.html",
        capture,
        "No difference" if found.empty else "Comparison",
        [("tokens differ", len(rows)), ("states differ", len(found.state)), ("surfaces differ", len(found.surfaces)),
         ("resources differ", len(found.resources))],
        found=found,
        sides=names,
        same_capture=other is None,
        surfaces=[surface_shots(one) for one in found.surfaces[:SURFACES_SHOWN]],
        surface_note=left_out(len(found.surfaces), SURFACES_SHOWN, "surfaces are shown"),
        tokens=token_rows(found, capture, second, TOKENS_LISTED),
        token_note=left_out(len(rows), TOKENS_LISTED, "tokens are listed"),
        vertices=vertices,
        vertex_note=vertex_note,
    )  # fmt: skip


def surface_shots(one: Any) -> dict[str, Any]:
    """Both sides and their difference."""
    pictures = (("A", one.a), ("B", one.b), loudest(one))
    return {"one": one, "shots": [shot(text, rgba, 640) for text, rgba in pictures]}


def vertex_differences(found: Difference, a: Any, b: Any) -> tuple[list[dict[str, Any]], str]:
    """The first pairs of draws whose vertices differ, as the streams have them or else as the pipeline leaves them; how many
    pairs were not looked at."""
    pairs, rows = draw_pairs(found.tokens, a, b), []
    for _, left, right in pairs[:LOOKED_AT].tolist():
        for which in WHICH:
            with contextlib.suppress(BadInput):  # what has no vertices, as patches that are drawn by handle
                both = a.ask(CompareVertices(f"event {left}", f"event {right}", b, which))
                if count := len(both.rows.differing):
                    apart = ", ".join(f"{name} by up to {both.largest(name):.6g}" for name in both.differing)
                    rows.append({"a": left, "b": right, "which": which, "count": count, "of": len(both.rows), "apart": apart})
                    break
    return rows, left_out(len(pairs), LOOKED_AT, "pairs of draws are looked at")


def token_rows(found: Difference, a: Any, b: Any, most: int) -> list[dict[str, Any]]:
    """Kind, events and texts of tokens that differ, and what changed: of the first ones that read the same, too, which takes a
    look at vertices and data."""
    rows: list[dict[str, Any]] = []
    looks = iter(range(LOOKED_AT))
    for row in found.tokens.differing[:most].tolist():
        left, right = int(found.tokens.a[row]), int(found.tokens.b[row])
        texts = [one.text(event) if event >= 0 else "" for one, event in ((a, left), (b, right))]
        changed = what_changed(*texts) if all(texts) else ""
        if texts[0] == texts[1] and next(looks, None) is not None:
            changed = data_difference(a, left, b, right)
        rows.append({"kind": found.tokens.kind(row), "a": left, "b": right, "text_a": texts[0], "text_b": texts[1],
                     "changed": changed})  # fmt: skip
    return rows


# ---- a driver ----------------------------------------------------------------------------------------------------------


def driver_report(capture: Any, progress: Progress | None = None, drawn: bool = True) -> str:
    """What a driver's authors, and those who certify it, want to know first: whether it conforms."""
    say = reporter(progress)
    findings = capture.ask(Findings(drawn, lambda done, text: say(0.8 * done, text)))
    part = driver_part(capture)
    failed = [one for one in part.report.clauses if one.verdict == "failed"]
    errors = sum(one.severity == "error" for one in findings)
    stalls, renames = capture.ask(Stalls(True)), capture.ask(Renames())
    return page(
        "driver.html",
        capture,
        f"The driver {part.report.verdict}",
        [("requirements not met", len(failed)), ("requirements", len(part.report.clauses)), ("findings", len(findings)),
         ("errors among them", errors), ("stalls", len(stalls)), ("renames", len(renames))],
        findings,
        drawn,
        driver=part,
        failed=failed,
    )  # fmt: skip
