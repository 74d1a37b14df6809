"""Scripted resources: textures, surfaces, volumes, buffers, swap chains."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.runtime.calls.structs import D3DBOX, D3DLOCKED_BOX, D3DLOCKED_RECT, RECT
from core.runtime.methods.swapchain import SwapChain
from core.runtime.objects import Lock, Resource, View
from core.runtime.runtime import D3DError
from core.runtime.script.interface import Desk, Interface
from core.runtime.script.script import Array, Pointer, fit
from core.spec.enums import HResult, LockFlag, Pool, ResourceType
from core.spec.formats import FORMATS

Key = tuple[int, int]


class Locked:
    """Memory of an open lock: `rows` is what the program sees, `whole` what goes back at Unlock."""

    def __init__(self, pointer: Pointer, whole: np.ndarray, rows: np.ndarray, lock: Lock) -> None:
        self.pointer, self.whole, self.rows, self.lock = pointer, whole, rows, lock


class ResourceInterface(Interface):
    """A texture, surface, volume or buffer."""

    def __init__(self, desk: Desk, pointer: Pointer, parent: Interface | None = None, keeper: Interface | None = None) -> None:
        super().__init__(desk, pointer, parent, keeper)
        self._private: dict[Any, bytes] = {}  # by GUID
        self._locks: dict[Key, Locked] = {}

    @property
    def resource(self) -> Resource:
        """What the runtime knows about it."""
        thing = self._desk.runtime.objects.get(self.pointer)
        assert isinstance(thing, (Resource, View)), "the object was released"
        return thing.resource if isinstance(thing, View) else thing

    def GetDevice(self) -> Any:
        """The device that made it."""
        self._do("GetDevice", None)
        return self._device()

    def _device(self) -> Any:
        parent = self._parent
        while isinstance(parent, ResourceInterface):
            parent = parent._parent
        return parent

    def SetPrivateData(self, refguid: Any, pData: bytes, SizeOfData: int = 0, Flags: int = 0) -> None:
        """Keeps bytes for the program."""
        self._do("SetPrivateData", None, bytes(pData), SizeOfData or len(pData), Flags)
        self._private[refguid] = bytes(pData)

    def GetPrivateData(self, refguid: Any) -> bytes:
        """What SetPrivateData kept."""
        self._do("GetPrivateData", None, None, None)
        return self._private[refguid]

    def FreePrivateData(self, refguid: Any) -> None:
        """Forgets it."""
        self._do("FreePrivateData", None)
        self._private.pop(refguid, None)

    def SetPriority(self, PriorityNew: int) -> int:
        """The priority so far."""
        old = self.resource.priority
        self._do("SetPriority", PriorityNew)
        return old

    def GetPriority(self) -> int:
        """See SetPriority."""
        self._do("GetPriority")
        return self.resource.priority

    def PreLoad(self) -> None:
        """Uploads a managed resource now."""
        self._do("PreLoad")

    def GetType(self) -> ResourceType:
        """What it is."""
        self._do("GetType")
        kinds = {
            "texture": "TEXTURE",
            "cube": "CUBETEXTURE",
            "volume": "VOLUMETEXTURE",
            "vertex": "VERTEXBUFFER",
            "index": "INDEXBUFFER",
        }
        return ResourceType[kinds.get(self.resource.kind, "SURFACE")]

    def _open(self, key: Key, box: Any, method: str, args: tuple[Any, ...], flags: int) -> np.ndarray:
        """Locks a picture: rows x bytes of the box, or slices x rows x bytes; what is written there goes back at Unlock."""
        resource, level = self.resource, key[1]
        width, height, depth = resource.size(level)
        edges = (0, 0, width, height, 0, depth) if box is None else (*box, 0, 1)[:6]
        left, top, right, bottom, front, back = edges
        format = FORMATS[resource.format]
        wide, high, size = format.block
        pitch, rows, line = format.pitch(width), -(-(bottom - top) // high), -(-(right - left) // wide) * size
        slice_pitch = pitch * format.row_count(height)
        used = (back - front - 1) * slice_pitch + rows * pitch
        pointer = self._desk.script.new_memory(used)
        locked = D3DLOCKED_BOX(pitch, slice_pitch, pointer) if resource.kind == "volume" else D3DLOCKED_RECT(pitch, pointer)
        area = None if box is None else Array([fit(RECT if len(box) == 4 else D3DBOX, box)])
        lock = self._do(method, *args, Array([locked]), area, int(flags))
        whole = np.zeros((back - front) * slice_pitch, np.uint8)
        source = None if flags & LockFlag.DISCARD else self._desk.memory(lock.handle)
        if source is not None:
            start = front * slice_pitch + top // high * pitch + left // wide * size
            part = source[start : start + used]
            whole[: len(part)] = part
        shown = whole.reshape(back - front, -1, pitch)[:, :rows, :line]
        self._locks[key] = Locked(pointer, whole[:used], shown, lock)
        return shown if resource.kind == "volume" else shown[0]

    def _close(self, key: Key, method: str, *args: Any) -> None:
        locked = self._locks.pop(key, None)
        if locked is not None and not locked.lock.read_only:
            self._desk.script.call("memcpy", locked.pointer, locked.whole, len(locked.whole))
        self._do(method, *args)


def box_of(cls: type, area: Any) -> tuple[int, ...] | None:
    """A rectangle or box argument as plain numbers."""
    return None if area is None else tuple(fit(cls, area))


class BaseTexture(ResourceInterface):
    """What textures, cubes and volume textures share."""

    def SetLOD(self, LODNew: int) -> int:
        """The most detailed level of a managed texture that is used; returns the one so far."""
        old = self.resource.lod
        self._do("SetLOD", LODNew)
        return old

    def GetLOD(self) -> int:
        """See SetLOD."""
        self._do("GetLOD")
        return self.resource.lod

    def GetLevelCount(self) -> int:
        """Mip levels."""
        self._do("GetLevelCount")
        return self.resource.levels

    def GetLevelDesc(self, Level: int) -> dict[str, int]:
        """Format, size and use of a level."""
        self._do("GetLevelDesc", Level, None)
        return describe_level(self.resource, Level)


def describe_level(resource: Resource, level: int) -> dict[str, int]:
    """The members of D3DSURFACE_DESC or D3DVOLUME_DESC."""
    width, height, depth = resource.size(level)
    size = FORMATS[resource.format].size(width, height, depth)
    desc = {"Format": resource.format, "Usage": int(resource.usage), "Pool": int(resource.pool), "Size": size}
    desc |= {"MultiSampleType": resource.samples, "Width": width, "Height": height}
    return desc | ({"Depth": depth} if resource.kind == "volume" else {})


class IDirect3DSurface8(ResourceInterface):
    """A picture: a level of a texture, a target, an image."""

    def _key(self) -> Key:
        thing = self._desk.runtime.objects[self.pointer]
        return (thing.face, thing.level) if isinstance(thing, View) else (0, 0)

    def GetContainer(self, riid: Any = None) -> Any:
        """The texture or device that it belongs to."""
        self._do("GetContainer", None, None)
        return self._parent

    def GetDesc(self) -> dict[str, int]:
        """Format, size and use."""
        self._do("GetDesc", None)
        return describe_level(self.resource, self._key()[1])

    def LockRect(self, pRect: Any = None, Flags: int = 0) -> np.ndarray:
        """Writable uint8[rows, bytes] of the rectangle; of a multiple of 4 bytes per row, `.view(np.uint32)` are pixels."""
        return self._open(self._key(), box_of(RECT, pRect), "LockRect", (), Flags)

    def UnlockRect(self) -> None:
        """What was written goes to the driver."""
        self._close(self._key(), "UnlockRect")


class IDirect3DVolume8(IDirect3DSurface8):
    """A level of a volume texture."""

    def LockBox(self, pBox: Any = None, Flags: int = 0) -> np.ndarray:
        """Writable uint8[slices, rows, bytes] of the box."""
        return self._open(self._key(), box_of(D3DBOX, pBox), "LockBox", (), Flags)

    def UnlockBox(self) -> None:
        """What was written goes to the driver."""
        self._close(self._key(), "UnlockBox")


def part_of(owner: Interface, method: str, args: tuple[Any, ...], resource: Resource, face: int, level: int) -> Any:
    """What a method whose last argument brings a surface brings: always the same object for the same level."""
    desk = owner._desk
    pointer = resource.views.get((face, level), resource.pointer if resource.kind == "surface" else 0)
    known = desk.at(pointer)
    owner._do(method, *args, Array([known.pointer if known else (new := desk.script.new_pointer())]))
    if known is not None:
        known._keeper._references += 1
        return known
    cls = IDirect3DVolume8 if resource.kind == "volume" else IDirect3DSurface8
    container = desk.at(resource.pointer) if resource.kind != "surface" else None
    return cls(desk, new, container or owner, container)


def back_buffer(owner: Interface, chain: SwapChain | None, number: int, type: int) -> IDirect3DSurface8:
    """GetBackBuffer of a device or swap chain."""
    if chain is None or not 0 <= number < len(chain.back):
        raise D3DError(int(HResult.D3DERR_INVALIDCALL), f"there is no back buffer {number}")
    return part_of(owner, "GetBackBuffer", (number, type), chain.back[number], 0, 0)


class IDirect3DTexture8(BaseTexture):
    """A texture."""

    def GetSurfaceLevel(self, Level: int) -> IDirect3DSurface8:
        """A level as a surface; it shares the texture's references."""
        return part_of(self, "GetSurfaceLevel", (Level,), self.resource, 0, Level)

    def LockRect(self, Level: int, pRect: Any = None, Flags: int = 0) -> np.ndarray:
        """Writable uint8[rows, bytes] of the rectangle."""
        return self._open((0, Level), box_of(RECT, pRect), "LockRect", (Level,), Flags)

    def UnlockRect(self, Level: int) -> None:
        """What was written goes to the driver."""
        self._close((0, Level), "UnlockRect", Level)

    def AddDirtyRect(self, pDirtyRect: Any = None) -> None:
        """Marks a rectangle of level 0 as changed."""
        self._do("AddDirtyRect", None if pDirtyRect is None else Array([fit(RECT, pDirtyRect)]))


class IDirect3DCubeTexture8(BaseTexture):
    """A texture of six faces (CubeFace)."""

    def GetCubeMapSurface(self, FaceType: int, Level: int) -> IDirect3DSurface8:
        """A level of a face as a surface; it shares the texture's references."""
        return part_of(self, "GetCubeMapSurface", (FaceType, Level), self.resource, FaceType, Level)

    def LockRect(self, FaceType: int, Level: int, pRect: Any = None, Flags: int = 0) -> np.ndarray:
        """Writable uint8[rows, bytes] of the rectangle."""
        return self._open((FaceType, Level), box_of(RECT, pRect), "LockRect", (FaceType, Level), Flags)

    def UnlockRect(self, FaceType: int, Level: int) -> None:
        """What was written goes to the driver."""
        self._close((FaceType, Level), "UnlockRect", FaceType, Level)

    def AddDirtyRect(self, FaceType: int, pDirtyRect: Any = None) -> None:
        """Marks a rectangle of level 0 of a face as changed."""
        self._do("AddDirtyRect", FaceType, None if pDirtyRect is None else Array([fit(RECT, pDirtyRect)]))


class IDirect3DVolumeTexture8(BaseTexture):
    """A texture of three dimensions."""

    def GetVolumeLevel(self, Level: int) -> IDirect3DVolume8:
        """A level as a volume; it shares the texture's references."""
        return part_of(self, "GetVolumeLevel", (Level,), self.resource, 0, Level)

    def LockBox(self, Level: int, pBox: Any = None, Flags: int = 0) -> np.ndarray:
        """Writable uint8[slices, rows, bytes] of the box."""
        return self._open((0, Level), box_of(D3DBOX, pBox), "LockBox", (Level,), Flags)

    def UnlockBox(self, Level: int) -> None:
        """What was written goes to the driver."""
        self._close((0, Level), "UnlockBox", Level)

    def AddDirtyBox(self, pDirtyBox: Any = None) -> None:
        """Marks a box of level 0 as changed."""
        self._do("AddDirtyBox", None if pDirtyBox is None else Array([fit(D3DBOX, pDirtyBox)]))


class BufferInterface(ResourceInterface):
    """What vertex and index buffers share."""

    def Lock(self, OffsetToLock: int = 0, SizeToLock: int = 0, Flags: int = 0) -> np.ndarray:
        """Writable uint8[SizeToLock]; 0: to the end."""
        size = SizeToLock or self.resource.width - OffsetToLock
        pointer = self._desk.script.new_memory(size)
        lock = self._do("Lock", OffsetToLock, SizeToLock, Array([pointer]), int(Flags))
        whole = np.zeros(size, np.uint8)
        source = None if Flags & LockFlag.DISCARD else self._desk.memory(lock.handle)
        if source is not None:
            whole[:] = source[OffsetToLock : OffsetToLock + size]
        self._locks[0, 0] = Locked(pointer, whole, whole, lock)
        return whole

    def Unlock(self) -> None:
        """What was written goes to the driver."""
        self._close((0, 0), "Unlock")

    def GetDesc(self) -> dict[str, int]:
        """Size and use."""
        self._do("GetDesc", None)
        resource = self.resource
        return {
            "Format": resource.format, "Usage": int(resource.usage), "Pool": int(resource.pool), "Size": resource.width,
            "FVF": resource.fvf,
        }  # fmt: skip


class IDirect3DVertexBuffer8(BufferInterface):
    """Vertices."""


class IDirect3DIndexBuffer8(BufferInterface):
    """Indices."""


class IDirect3DSwapChain8(Interface):
    """An additional swap chain."""

    def Present(
        self, pSourceRect: Any = None, pDestRect: Any = None, hDestWindowOverride: int = 0, pDirtyRegion: Any = None
    ) -> None:
        """Shows the back buffer."""
        present(self, pSourceRect, pDestRect, hDestWindowOverride)

    def GetBackBuffer(self, BackBuffer: int, Type: int = 0) -> IDirect3DSurface8:
        """A back buffer as a surface."""
        chain = self._desk.runtime.objects[self.pointer]
        assert isinstance(chain, SwapChain)
        return back_buffer(self, chain, BackBuffer, Type)


def present(chain: Interface, source: Any, destination: Any, window: int) -> None:
    """Present of a device or swap chain."""
    areas = [None if area is None else Array([fit(RECT, area)]) for area in (source, destination)]
    chain._do("Present", *areas, Pointer(window) if window else None, None)


__all__ = ["IDirect3DSurface8", "Pool", "present"]
