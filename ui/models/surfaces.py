"""The surface panel's view of an event: an image, the bound surfaces, overlays.  Computed on the asking thread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from core.errors import BadInput
from core.spec.effects import EventKind
from core.spec.subresource import Subresource
from core.spec.tokens import TOKENS
from inspector.focus import RENDER_TARGET, Focus
from inspector.progress import Cancel
from inspector.query.looks.custom import Custom
from inspector.query.looks.look import Look
from inspector.query.looks.pair import both
from inspector.query.looks.sheet import Orthoslices, Sheet, SheetOf
from inspector.query.looks.stored import packed
from inspector.query.looks.texel import PaletteOf
from inspector.query.looks.tones import Tones
from inspector.query.looks.values import Numbers, Values
from inspector.query.looks.wires import WireFrame, Wires
from inspector.query.pixels.overlay import OF_DRAWS, Layer, Overlay
from inspector.query.pixels.sheet_overlay import SheetOverlay
from inspector.view import CaptureView
from ui.ask import Progress
from ui.keys.keymap import KEYS
from ui.models.pixels import Picture, argb_of_rgba, rgba_of_argb
from ui.words import counting

ROLES = ((RENDER_TARGET, "Render target"), ("depth", "Depth and stencil"), ("back_buffer", "Back buffer"))
ROLE_TITLES = dict(ROLES)
FLIPPED = (RENDER_TARGET, "back_buffer")
"""Roles whose surface a Flip exchanges."""
BINDINGS: tuple[tuple[Any, str], ...] = (
    ("RENDERTARGET", "Target"),
    ("DEPTHSTENCIL", "Depth"),
    *((("TEXTURESTAGE", stage, "TEXTUREMAP"), f"Texture {stage}") for stage in range(8)),
)
COPIED, LOCKED = {"destination": "Destination", "source": "Source"}, {"handle": "Locked"}
COPYING = ("Blt", *(row.name for row in TOKENS.values() if row.kind == EventKind.COPY))
MOVING = dict.fromkeys(COPYING, COPIED) | dict.fromkeys(("Lock", "Unlock"), LOCKED)
"""Event -> its fields that name surfaces whose pixels it moves or opens -> role."""


SWATCH = 16
"""Pixels of an entry of a palette."""
MODES = {
    "image": "As it is", "sheet": "All levels, faces and slices", "cuts": "Three cuts through a volume",
    "index": "Palette indices", "palette": "Palette", "bytes": "Stored bytes", "formula": "Formula",
}  # fmt: skip
"""What is shown of a surface."""
HOW = {"side": "Side by side", "wipe": "Wipe", "difference": "Difference"}
"""Two pictures together (inspector.query.looks.pair.WAYS)."""


@dataclass(frozen=True, eq=False)
class ImageFile:
    """An image from a file, as a screenshot of another renderer: uint8[height, width, 3 or 4]."""

    pixels: np.ndarray

    def argb(self, like: np.ndarray) -> np.ndarray:
        """uint32 0xAARRGGBB; without alpha of its own, that of a picture of the same size (uint32), else opaque."""
        found = argb_of_rgba(np.dstack([self.pixels[..., :3], np.full(self.pixels.shape[:2], 255, np.uint8)]))
        if self.pixels.shape[2] == 4:
            return argb_of_rgba(self.pixels)
        return (found & 0xFFFFFF) | (like & 0xFF000000) if like.shape == found.shape else found


@dataclass(frozen=True)
class Partner:
    """The other picture: of a file, or of a capture (None: this one), with a title; `look` None: the one before the event."""

    how: str
    amount: float = 8.0
    look: Look | None = None
    title: str = "before"
    capture: CaptureView | None = None
    file: ImageFile | None = None


@dataclass(frozen=True)
class Wanted:
    """when: one of inspector.query.looks.look.MOMENTS; overlays: some of inspector.query.pixels.overlay.KINDS; wired: with the
    draw's wire frame; draw: whose overlays and wires are shown (at a state, the draw that it is for); mode: one of MODES;
    shape: width by height of the place for the picture."""

    when: str = "after"
    overlays: tuple[str, ...] = ()
    wired: bool = False
    draw: int | None = None
    mode: str = "image"
    formula: str = ""
    tones: Tones | None = None
    partner: Partner | None = None
    other: Look | None = None
    shape: float = 1.0


@dataclass(frozen=True)
class View:
    """A picture (None if there is no such surface) with its overlays by name; note: why an overlay or a view is missing.

    second: another picture of the same size, uint32 0xAARRGGBB; names: of both.
    """

    picture: Picture | None
    surfaces: list[Any]
    layers: tuple[tuple[str, Layer], ...] = ()
    wires: Wires | None = None
    note: str = ""
    sizes: Mapping[int | str, tuple[int, int]] = field(default_factory=dict)
    """Width and height of the surfaces, by handle and role."""
    second: np.ndarray | None = None
    names: tuple[str, str] = ("", "")
    followed: str = ROLES[0][1]
    """What the first of ROLES shows: in a program that has no render target, what stands in for it."""


def view(capture: CaptureView, focus: Focus, wanted: Wanted, progress: Progress) -> View:
    """What the panel shows of the focus."""
    asked, focus = focus.surface, _stand_in(capture, focus)
    picture, surfaces = look(capture, focus, wanted.when, progress)
    followed = picture.title if picture is not None and asked == RENDER_TARGET else ROLES[0][1]
    sizes = _sizes(capture, focus.event, surfaces)
    if picture is None:
        return View(None, surfaces, sizes=sizes)
    picture = replace(picture, surface=asked)
    stop, notes = progress.stop.is_set, []
    try:
        picture = _in_mode(capture, focus, wanted, picture, stop)
    except BadInput as error:
        notes.append(str(error))
    layers, wires = list[tuple[str, Layer]](), None
    if wanted.mode != "palette":
        layers, missing = _layers(capture, focus, wanted, picture, stop)
        notes += missing
    if picture.sheet is None and wanted.mode != "palette":
        if wanted.wired and wanted.draw is not None:
            wires = capture.ask(WireFrame(wanted.draw, focus.primitive), stop)
    elif wanted.wired or (wanted.overlays and picture.sheet is None):
        what = "Wires need" if picture.sheet is not None else "Overlays and wires need"
        notes.append(f"{what} the surface as it is ({KEYS.text('surface.next-view')} changes the view).")
    found = View(picture, surfaces, tuple(layers), wires, "", sizes, followed=followed)
    if wanted.partner is not None and picture.sheet is None:
        try:
            found = _with_partner(capture, focus, wanted.partner, found, progress)
        except BadInput as error:
            notes.append(str(error))
    return replace(found, note=" ".join(dict.fromkeys(notes)))


def _layers(
    capture: CaptureView, focus: Focus, wanted: Wanted, picture: Picture, stop: Cancel
) -> tuple[list[tuple[str, Layer]], list[str]]:  # fmt: skip
    """The overlays by name, over a sheet those of all its parts; and why some are missing."""
    layers, notes = [], []
    for name in wanted.overlays:
        event = wanted.draw if wanted.draw is not None and name in OF_DRAWS else focus.event
        if name in OF_DRAWS and not capture.events.draw[event]:
            way = f" Press {KEYS.text('next-draw')} to go to the next draw." if len(capture.draws) else ""
            notes.append(f"This event draws nothing.{way}")
            continue
        try:
            overlay = Overlay(name, event, focus.where) if picture.sheet is None else SheetOverlay(name, event, picture.sheet)
            layers.append((name, capture.ask(overlay, stop)))
        except BadInput as error:
            notes.append(f"No overlay: {error}.")
    return layers, notes


def _stand_in(capture: CaptureView, focus: Focus) -> Focus:
    """Where nothing is drawn to, at the surface that is shown instead: every view is then of the same one."""
    if focus.surface != RENDER_TARGET or capture.render_target(focus.event) is not None:
        return focus
    found = capture.resolve(focus.event, RENDER_TARGET)
    return focus if found is None else focus.replace(surface=found[1])


def _in_mode(capture: CaptureView, focus: Focus, wanted: Wanted, picture: Picture, stop: Cancel) -> Picture:
    """Another view of what the picture shows.  BadInput if there is none of it."""
    info = picture.info
    if wanted.mode == "image" or info is None:
        return picture
    asked = Look(focus.event, focus.where, picture.primitive, wanted.when if focus.event else "after")
    if wanted.mode == "sheet":
        return _of_sheet(picture, capture.ask(Sheet(picture.event, info.handle, wanted.tones, wanted.shape), stop))
    if wanted.mode == "cuts":
        sides = [max(side >> focus.level, 1) for side in (info.width, info.height)]
        x, y = focus.pixel or (sides[0] // 2, sides[1] // 2)
        cross = (min(x, sides[0] - 1), min(y, sides[1] - 1), focus.slice)
        return _of_sheet(picture, capture.ask(Orthoslices(picture.event, info.handle, focus.level, cross, wanted.tones), stop))
    if wanted.mode == "palette":
        rgba = capture.ask(PaletteOf(picture.event, focus.where, SWATCH), stop)
        title = f"Palette of {picture.title}"
        return replace(
            picture, title=title, argb=argb_of_rgba(rgba), raw=None, stored=None, format=None, part=None, entry=SWATCH
        )
    if wanted.mode == "index":
        plane = capture.ask(Values(picture.event, focus.where, picture.primitive), stop).planes.get("index")
        if plane is None:
            raise BadInput("Only surfaces with a palette have indices.")
        found = Numbers(np.dstack([plane] * 3 + [np.ones_like(plane)]), {"index": plane})
        return replace(picture, argb=argb_of_rgba(Tones(0, 255).grey(plane)), values=found, part=None)
    if wanted.mode == "bytes":
        found = capture.ask(Values(picture.event, focus.where, picture.primitive, raw=True), stop)
        return replace(picture, argb=argb_of_rgba(Tones(0, 255).picture(found)), values=found, part=None)
    found = capture.ask(Custom(wanted.formula, asked, wanted.other), stop)
    return replace(picture, argb=argb_of_rgba(Tones().picture(found)), values=found, raw=None, format=None, part=None)


def _of_sheet(picture: Picture, sheet: SheetOf) -> Picture:
    return replace(picture, argb=argb_of_rgba(sheet.rgba), raw=None, stored=None, sheet=sheet, part=None)


def partner_picture(capture: CaptureView, focus: Focus, partner: Partner, picture: Picture, progress: Progress) -> Picture:
    """The other picture, to be shown instead of this one."""
    if partner.file is not None:
        argb = partner.file.argb(picture.argb)
        return Picture(focus.event, focus.surface, partner.title, argb, None, None, picture.info, picture.primitive)
    asked = partner.look or Look(focus.event, focus.where, picture.primitive, "before" if focus.event else "after")
    found = (partner.capture or capture).ask(asked, progress.stop.is_set)
    height, width = found.rgba.shape[:2]
    raw = packed(found.stored, found.format, width, height)
    return Picture(found.event, focus.surface, partner.title, argb_of_rgba(found.rgba), raw, found.format, picture.info,
                   found.primitive, stored=found.stored)  # fmt: skip


def _with_partner(capture: CaptureView, focus: Focus, partner: Partner, found: View, progress: Progress) -> View:
    """The other picture beside the one there is, or their difference instead of it."""
    picture = found.picture
    assert picture is not None
    other = partner_picture(capture, focus, partner, picture, progress)
    names = (f"event {picture.event}", partner.title)
    if partner.how != "difference":
        if partner.how == "wipe" and other.argb.shape != picture.argb.shape:
            raise BadInput(f"The other image is {other.width} × {other.height}: only side by side is possible.")
        return replace(found, second=other.argb, names=names)
    apart = both(rgba_of_argb(picture.argb), rgba_of_argb(other.argb), "difference", partner.amount)
    differ = f"{counting(apart.changed, 'pixel')} {'differs' if apart.changed == 1 else 'differ'}"
    title = f"{differ} from {partner.title}, by at most {apart.largest} of 255"
    if not apart.changed:
        title = f"No pixel differs from {partner.title}"
    argb = argb_of_rgba(apart.rgba)
    shown = replace(picture, argb=argb, raw=None, stored=None, format=None, title=title, part=None)
    return replace(found, picture=shown)


def _sizes(capture: CaptureView, event: int, surfaces: Iterable[Any]) -> dict[int | str, tuple[int, int]]:
    sizes: dict[int | str, tuple[int, int]] = {surface.handle: (surface.width, surface.height) for surface in surfaces}
    for role, _ in ROLES:
        root, part = capture.resolve(event, role) or (0, 0)
        if root == part and root in sizes:
            sizes[role] = sizes[root]
    return sizes


def look(capture: CaptureView, focus: Focus, when: str, progress: Progress) -> tuple[Picture | None, list[Any]]:
    """The focused subresource at a moment (inspector.query.looks.look.MOMENTS), and the surfaces there are.

    Nothing is before the first event: it is shown as after it.
    """
    stop = progress.stop.is_set
    primitive = focus.primitive if capture.events.draw[focus.event] else None
    asked = Look(focus.event, focus.where, primitive, when if focus.event else "after")
    event, primitive = asked.moment
    surfaces = [surface for surface in capture.surfaces(event, stop) if surface.kind != "buffer"]
    standing_in = focus.surface == RENDER_TARGET and capture.render_target(event) is None
    if standing_in and capture.resolve(event, RENDER_TARGET) is None:
        return None, surfaces
    found = capture.ask(asked, stop)
    info = next((surface for surface in surfaces if surface.handle == found.resource), None)
    role = "" if standing_in else ROLE_TITLES.get(str(focus.surface), "")
    title = role or (info.title if info else str(focus.surface))
    height, width = found.rgba.shape[:2]
    raw = packed(found.stored, found.format, width, height)
    first = focus.where == Subresource(focus.surface) and primitive is None
    picture = Picture(event, focus.surface, title, argb_of_rgba(found.rgba), raw, found.format, info, primitive,
                      found.handle if first else None, found.changed_only, found.stored)  # fmt: skip
    return picture, surfaces


def bound(capture: CaptureView, event: int, surfaces: Iterable[Any]) -> list[tuple[str, int, Any]]:
    """(role, handle, resource) of what is bound at the event, and of what it copies, fills or locks."""
    state = capture.state(event)
    infos = {surface.handle: surface for surface in surfaces}

    def there(named: Iterable[tuple[str, int]]) -> list[tuple[str, int, Any]]:
        found = ((role, capture.resolve(event, handle) or (0, 0)) for role, handle in named if handle)
        return [(role, part, infos[root]) for role, (root, part) in found if root in infos]

    rows = there((role, int(state[key].value)) for key, role in BINDINGS if key in state)
    shown = {part for _, part, _ in rows}
    return rows + [row for row in there(_moved(capture, event)) if row[1] not in shown]


def _moved(capture: CaptureView, event: int) -> list[tuple[str, int]]:
    """(role, handle) of the surfaces whose pixels an event moves, fills or opens."""
    roles = MOVING.get(capture.name(event), {})
    fields = capture.event(event).fields if roles else ()
    return [(roles[field.name], field.value) for field in fields if field.name in roles]
