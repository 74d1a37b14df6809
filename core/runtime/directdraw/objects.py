"""Objects behind DirectDraw addresses: DirectDraw itself, surfaces, palettes, clippers.

A surface with its mip levels and faces is one `Body`, which the driver is asked for when its size and format are known; each of
its levels is a `DrawSurface`, as is each buffer of a flip chain, which has a body of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.runtime.objects import Resource, View
from core.spec.enums import SurfaceCaps

if TYPE_CHECKING:
    from core.runtime.context import Context

PRIMARY, TEXTURE, ZBUFFER = int(SurfaceCaps.PRIMARYSURFACE), int(SurfaceCaps.TEXTURE), int(SurfaceCaps.ZBUFFER)


@dataclass(eq=False, slots=True)
class DirectDraw:
    """A DirectDraw object, and the display mode as far as the trace says it (0: it does not).

    drawn: surfaces by the handle that GetDC gave out.
    """

    width: int = 0
    height: int = 0
    format: int = 0
    addresses: list[int] = field(default_factory=list)
    drawn: dict[int, DrawSurface] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Body:
    """The memory of a surface: as it was asked for, and once the driver made it, `resource`.

    width, height, format: 0 as long as they are not known.  `low_depth`: the program's depths are in the low bits, ours in the
    high ones.  `is_foreign`: the program named a format that Direct3D lacks; what it writes is not taken.
    """

    owner: DirectDraw
    label: str
    width: int
    height: int
    format: int
    caps: int
    caps2: int
    levels: int = 1
    faces: int = 1
    low_depth: bool = False
    is_foreign: bool = False
    key: tuple[int, int] | None = None  # DDSD_CKSRCBLT
    resource: Resource | None = None
    surfaces: list[DrawSurface] = field(default_factory=list)  # all levels, the top one first; then duplicates
    keys: list[int] = field(default_factory=list)  # by which the loop finds its texture handles


@dataclass(eq=False, slots=True)
class DrawSurface:
    """One surface object.  `attached` in the order in which GetAttachedSurface looks; `ring`: the flip chain, front first."""

    body: Body
    face: int = 0
    level: int = 0
    caps: int = 0
    caps2: int = 0
    is_root: bool = True  # made by a call; others live as long as what they are attached to
    addresses: list[int] = field(default_factory=list)
    attached: list[DrawSurface] = field(default_factory=list)
    ring: list[DrawSurface] = field(default_factory=list)
    flips: bool = False  # of the front: the program has flipped it
    is_lost: bool = False  # a call has answered so since the last Restore
    palette: Palette | None = None
    clipper: Clipper | None = None
    source_key: tuple[int, int] | None = None
    last_key: int = 0  # the lowest value of the source key that it has or had
    destination_key: tuple[int, int] | None = None
    last_destination: tuple[int, int] = (0, 0)  # the destination key that it has or had

    @property
    def is_primary(self) -> bool:
        return bool(self.caps & PRIMARY)

    @property
    def is_texture(self) -> bool:
        return bool(self.caps & TEXTURE)

    @property
    def is_depth(self) -> bool:
        return bool(self.caps & ZBUFFER)

    @property
    def handle(self) -> int:
        """Of the driver's surface; 0 as long as there is none."""
        resource = self.body.resource
        return resource.handle + resource.subresource(self.face, self.level) if resource else 0

    @property
    def view(self) -> View:
        """The subresource, which the driver has."""
        assert self.body.resource is not None
        return View(self.body.resource, self.face, self.level)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, which the driver knows."""
        assert self.body.resource is not None
        return self.body.resource.size(self.level)[:2]

    @property
    def depth(self) -> DrawSurface | None:
        """The attached depth buffer."""
        return next((one for one in self.attached if one.is_depth), None)


@dataclass(eq=False, slots=True)
class Palette:
    """A palette: its number for the driver, 256 entries of red, green, blue, flags; which of them the trace says."""

    number: int
    caps: int
    entries: bytearray
    surfaces: list[DrawSurface] = field(default_factory=list)
    addresses: list[int] = field(default_factory=list)
    is_told: bool = False  # that its first entries are not recorded


@dataclass(eq=False, slots=True)
class Clipper:
    """A clipper: the window whose visible part limits Blts (the trace says none of its rectangles), or the box around the
    rectangles of a list: left, top, right, bottom."""

    window: int = 0
    box: tuple[int, int, int, int] | None = None
    addresses: list[int] = field(default_factory=list)


# ---- Direct3D 6 and 5 ----------------------------------------------------------------------------

DARK = -1  # the index of a light that does not shine


@dataclass(eq=False, slots=True)
class Light:
    """A light object: 26 dwords of a D3DLIGHT7, once it was set; the viewport that it is in, its index while it shines there.

    is_active: D3DLIGHT_ACTIVE of its D3DLIGHT2; other lights are always on.
    """

    words: np.ndarray | None = None
    is_active: bool = True
    viewport: Viewport | None = None
    index: int = DARK
    addresses: list[int] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Material:
    """A material object: 17 dwords of a D3DMATERIAL7; for which devices it has handles."""

    words: np.ndarray = field(default_factory=lambda: np.zeros(17, np.uint32))
    handles: list[tuple[Context, int]] = field(default_factory=list)
    addresses: list[int] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Viewport:
    """A viewport object.  area: x, y, width, height on the target; clip: 4 x 4 float32, what follows the projection (row
    vectors); both None until they were set."""

    device: Context | None = None
    area: tuple[int, int, int, int] | None = None
    clip: np.ndarray | None = None
    background: Material | None = None
    lights: list[Light] = field(default_factory=list)
    addresses: list[int] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Begun:
    """What Begin or BeginIndexed was given, and the vertices so far."""

    kind: int
    format: int
    vertices: bytearray
    count: int
    flags: int


@dataclass(eq=False, slots=True)
class Older:
    """What a device of Direct3D 6 or 5 has besides registers (rows.older_slots).  materials, textures: by the handle that
    GetHandle answered; begun: a batch between Begin and End; indices: what Index gave since BeginIndexed, None after Begin."""

    viewport: Viewport | None = None  # the current one
    viewports: list[Viewport] = field(default_factory=list)
    materials: dict[int, Material] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)  # of the materials, in the order in which they got handles
    textures: dict[int, DrawSurface] = field(default_factory=dict)
    begun: Begun | None = None
    indices: list[int] | None = None


Thing = DirectDraw | DrawSurface | Palette | Clipper | Light | Material | Viewport
