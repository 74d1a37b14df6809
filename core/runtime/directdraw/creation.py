"""CreateSurface and display modes: from the trace's description to surfaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.runtime.directdraw.formats import depth_format, format_of, format_of_mode, has_low_depth
from core.runtime.directdraw.linking import bind_all, known_surface, link
from core.runtime.directdraw.making import LARGEST, realise, surface_of
from core.runtime.directdraw.objects import Body, Clipper, DirectDraw, DrawSurface
from core.runtime.methods.state import leaves
from core.runtime.methods.surfaces import full_chain
from core.spec.enums import HResult, PixelFormatFlag, SurfaceCaps, SurfaceCaps2

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

(CAPS, HEIGHT, WIDTH, BACK_BUFFERS, DEPTH_BITS, CLIENT_MEMORY, PIXEL_FORMAT, SOURCE_KEY, MIP_MAPS) = (
    1, 2, 4, 0x20, 0x40, 0x800, 0x1000, 0x10000, 0x20000)  # DDSD_*  # fmt: skip
FACES = [SurfaceCaps2.CUBEMAP_POSITIVEX << i for i in range(6)]
MOST_BUFFERS = 16
FOURCC = int(PixelFormatFlag.FOURCC)


def direct_draw_create(rt: Runtime, guid: Any, out: Any, *_: Any) -> None:
    """DirectDrawCreate, DirectDrawCreateEx."""
    if out and out[0]:
        link(rt, DirectDraw(), out[0])


def create_clipper(rt: Runtime, *args: Any) -> None:
    """IDirectDraw::CreateClipper, DirectDrawCreateClipper: the address is the last argument but one."""
    out = args[-2]
    if out and out[0]:
        link(rt, Clipper(), out[0])


def set_display_mode(rt: Runtime, this: int, width: int, height: int, bits: int, *_: int) -> None:
    """SetDisplayMode."""
    owner = rt.objects.get(this)
    if isinstance(owner, DirectDraw):
        owner.width, owner.height, owner.format = width, height, format_of_mode(bits)


def restore_display_mode(rt: Runtime, this: int) -> None:
    """RestoreDisplayMode: back to the desktop, which the trace does not describe."""
    owner = rt.objects.get(this)
    if isinstance(owner, DirectDraw):
        owner.width = owner.height = owner.format = 0


def get_display_mode(rt: Runtime, this: int, desc: Any) -> None:
    """GetDisplayMode: what it answered is the display mode."""
    owner = rt.objects.get(this)
    if isinstance(owner, DirectDraw) and desc:
        owner.width, owner.height = int(desc[0].dwWidth), int(desc[0].dwHeight)
        owner.format = format_of(desc[0].ddpfPixelFormat)


def get_pixel_format(rt: Runtime, this: int, pixels: Any) -> None:
    """GetPixelFormat: what it answered is the format of a surface that was made without one."""
    surface = known_surface(rt, this)
    if surface is not None and pixels:
        _learn(surface, 0, 0, pixels[0])


def get_surface_desc(rt: Runtime, this: int, desc: Any) -> None:
    """GetSurfaceDesc, and what Lock answers: size and format of a surface that was made without them."""
    surface = known_surface(rt, this)
    if surface is not None and desc:
        learn(surface, desc[0])


def learn(surface: DrawSurface, desc: Any) -> None:
    """What a description that came back says about a surface that the driver has not been asked for."""
    if surface.body.resource is None and surface.level == 0:
        _learn(surface, int(desc.dwWidth), int(desc.dwHeight), desc.ddpfPixelFormat)


def _learn(surface: DrawSurface, width: int, height: int, pixels: Any) -> None:
    body = surface.body
    if body.resource is None:
        body.width, body.height = body.width or width, body.height or height
        body.format = body.format or format_of(pixels)
        owner = body.owner
        if surface.is_primary:
            owner.width, owner.height = owner.width or width, owner.height or height
            owner.format = owner.format or body.format


def create_surface(rt: Runtime, this: int, desc: Any, out: Any, outer: Any) -> None:
    """CreateSurface: one surface, one with its levels and faces, or a flip chain."""
    owner = rt.objects.get(this)
    if not desc or not out or not out[0]:
        return
    if not isinstance(owner, DirectDraw):
        rt.reject(f"{this:#x} is no DirectDraw object")
        return
    asked = desc[0]
    flags, caps = int(asked.dwFlags), int(asked.ddsCaps.dwCaps)
    if flags & CLIENT_MEMORY:
        rt.note("runtime-unimplemented", "the surface is the program's own memory: what it writes there is not recorded")
    body = _body(rt, owner, asked, flags, caps)
    if body is None:
        return
    surface = body.surfaces[0]
    if any(isinstance(thing, DrawSurface) and thing.is_primary for thing in rt.objects.values() if surface.is_primary):
        rt.note("runtime-unimplemented", "another primary surface exists: both are the screen, here each has its own memory")
    buffers = int(asked.dwBackBufferCount) if flags & BACK_BUFFERS and caps & SurfaceCaps.FLIP else 0
    if buffers:
        _make_ring(surface, min(buffers, MOST_BUFFERS))
    link(rt, surface, out[0])
    if _is_known(body):
        realise(rt, surface)


def duplicate_surface(rt: Runtime, this: int, original: int, out: Any) -> None:
    """DuplicateSurface: one more surface object with the memory of another, which ends with the last of them."""
    given = surface_of(rt, original)
    if given is None or not out or not out[0]:
        return
    twin = DrawSurface(given.body, given.face, given.level, given.caps, given.caps2, source_key=given.source_key)
    given.body.surfaces.append(twin)
    link(rt, twin, out[0])
    for one in given.body.surfaces:
        bind_all(rt, one)


def _body(rt: Runtime, owner: DirectDraw, asked: Any, flags: int, caps: int) -> Body | None:
    """What was asked for; None, with a finding, for what cannot be."""
    width, height = (int(asked.dwWidth) if flags & WIDTH else 0), (int(asked.dwHeight) if flags & HEIGHT else 0)
    caps2 = int(getattr(asked.ddsCaps, "dwCaps2", 0))
    if not 0 <= width <= LARGEST or not 0 <= height <= LARGEST:
        rt.reject(f"a surface of {width} x {height}", HResult.DDERR_INVALIDPARAMS)
        return None
    body = Body(owner, _label(caps, caps2), width, height, _format(rt, asked, flags, caps), caps, caps2)
    if flags & PIXEL_FORMAT:
        body.low_depth = has_low_depth(asked.ddpfPixelFormat)
        body.is_foreign = bool(asked.ddpfPixelFormat.dwFlags) and not body.format
    if caps & SurfaceCaps.MIPMAP and caps & SurfaceCaps.COMPLEX:
        told = int(asked.dwMipMapCount) if flags & MIP_MAPS else 0
        body.levels = min(told, full_chain(width, height)) or full_chain(width, height)
    if caps2 & SurfaceCaps2.CUBEMAP:
        body.faces = 6
    if flags & SOURCE_KEY:
        body.key = tuple(asked.ddckCKSrcBlt)
    _add_surfaces(body)
    return body


def _label(caps: int, caps2: int) -> str:
    """What kind of surface it is, in the driver's words."""
    if caps & SurfaceCaps.PRIMARYSURFACE:
        return "primary"
    if caps2 & SurfaceCaps2.CUBEMAP:
        return "cube"
    if caps & SurfaceCaps.TEXTURE:
        return "texture"
    if caps & SurfaceCaps.ZBUFFER:
        return "depth"
    return "render_target" if caps & SurfaceCaps.DEVICE_3D else "image"


def _format(rt: Runtime, asked: Any, flags: int, caps: int) -> int:
    """The format that a description names; 0: that of the display mode."""
    if flags & PIXEL_FORMAT and int(asked.ddpfPixelFormat.dwFlags):
        found = format_of(asked.ddpfPixelFormat)
        if not found:
            text = f"pixel format {_words(asked.ddpfPixelFormat)} is unknown: what the program writes there is not shown"
            rt.reject(text, HResult.DDERR_INVALIDPIXELFORMAT)
        return found
    if caps & SurfaceCaps.ZBUFFER and flags & DEPTH_BITS:
        return depth_format(int(getattr(asked, "dwZBufferBitDepth", 0)), 0)
    return 0


def _words(pixels: Any) -> str:
    """How a sentence names a pixel format: a FOURCC, if it is letters and digits, or all numbers."""
    letters = (int(pixels.dwFourCC) & 0xFFFFFFFF).to_bytes(4, "little") if pixels.dwFlags & FOURCC else b""
    if letters.isalnum():
        return letters.decode()
    masks = ", ".join(f"{int(mask):#x}" for mask in (pixels.dwRBitMask, pixels.dwRGBAlphaBitMask))
    return f"of flags {int(pixels.dwFlags):#x}, {int(pixels.dwRGBBitCount)} bits, masks {masks}"


def _add_surfaces(body: Body) -> None:
    """The surface objects of a body: a face and its levels are a chain of attachments, other faces hang on the first.

    That finds the last face before its own next level when asked for neither (Wine 8.0 does; DDSCAPS2_MIPMAPSUBLEVEL tells
    them apart).
    """
    for face in range(body.faces):
        above: DrawSurface | None = None
        for level in range(body.levels):
            caps2 = body.caps2
            if body.faces > 1:
                caps2 = caps2 & ~int(SurfaceCaps2.CUBEMAP_ALLFACES) | FACES[face]
            if level:
                caps2 |= SurfaceCaps2.MIPMAPSUBLEVEL
            one = DrawSurface(body, face, level, body.caps, int(caps2), is_root=not body.surfaces)
            body.surfaces.append(one)
            if above is not None:
                above.attached.append(one)
            elif face:
                body.surfaces[0].attached.insert(0, one)
            above = one
    if body.key:
        body.surfaces[0].source_key, body.surfaces[0].last_key = body.key, body.key[0]


def _make_ring(front: DrawSurface, count: int) -> None:
    """The back buffers of a flip chain, each attached to the one before, the first surface to the last."""
    body, back = front.body, int(SurfaceCaps.FLIP | SurfaceCaps.COMPLEX) | front.caps & int(SurfaceCaps.DEVICE_3D)
    memory = front.caps & int(SurfaceCaps.VIDEOMEMORY | SurfaceCaps.SYSTEMMEMORY)
    label = "back_buffer" if front.is_primary else body.label
    for number in range(count):
        caps = back | memory | (int(SurfaceCaps.BACKBUFFER) if number == 0 or not front.is_primary else 0)
        other = Body(body.owner, label, body.width, body.height, body.format, caps, body.caps2, is_foreign=body.is_foreign)
        _add_surfaces(other)
        other.surfaces[0].is_root = False
        front.ring = [*(front.ring or [front]), other.surfaces[0]]
    for here, there in zip(front.ring, front.ring[1:] + front.ring[:1], strict=True):
        here.ring = front.ring
        here.attached.append(there)
    front.caps |= int(SurfaceCaps.FRONTBUFFER | SurfaceCaps.VISIBLE)


def _is_known(body: Body) -> bool:
    """Whether size and format need no display mode, or that is known."""
    owner = body.owner
    return bool((body.format or owner.format) and (body.width or owner.width))


def set_window(rt: Runtime, this: int, flags: int, window: int | None) -> None:
    """IDirectDrawClipper::SetHWnd: Blts are limited to the visible part of a window."""
    clipper = rt.objects.get(this)
    if isinstance(clipper, Clipper):
        clipper.window = window or 0
        clipper.box = None


def set_clip_list(rt: Runtime, this: int, regions: Any, flags: int) -> None:
    """SetClipList: the recorder keeps the box around the rectangles, not the rectangles; of one rectangle that is all."""
    clipper, numbers = rt.objects.get(this), list(leaves(regions or ()))  # dwSize, iType, nCount, nRgnSize, rcBound
    if not isinstance(clipper, Clipper):
        return
    clipper.box = (numbers[4], numbers[5], numbers[6], numbers[7]) if len(numbers) >= 8 else None
    if regions and (clipper.box is None or numbers[2] != 1):
        known = "; Blts are cut to the box around them" if clipper.box is not None else "; Blts go beyond them"
        rt.note("not-recorded", f"SetClipList: its rectangles are not in the trace{known}")
    for thing in tuple(rt.objects.values()):
        if isinstance(thing, DrawSurface) and thing.clipper is clipper:
            bind_all(rt, thing)
