"""Keyframes that are small: what they hold alike is one, and their arrays lie in a mapped file.

A keyframe read from disk has surfaces, contexts and shaders of its own.  Of those that describe the same things there is one of
each here, as between keyframes of one run: going from keyframe to keyframe only exchanges contents that differ, and textures
need not be unpacked again.
"""

from __future__ import annotations

from collections.abc import Hashable
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from core.ddi.driver.emulated import Snapshot
from core.device.device import Context
from core.device.memory.surfaces import Buffer, Contents, Surface, next_version
from inspector.timeline import values
from inspector.timeline.kept import Kept
from inspector.timeline.keyframes import Keyframes
from inspector.timeline.mapped import LEAST, is_mapped

A_FEW = 16  # keyframes gone to after which the pages that were read of them go
MOST_SHADERS = 64  # of a context; of more, each keyframe has its own
SURFACE, OTHERS = 200, 20_000  # bytes that a keyframe takes in memory for each surface and buffer, and for the rest


class Alike:
    """Of the keyframes of one device."""

    def __init__(self, kept: Kept | None) -> None:
        """kept: those on disk, and the mapped file; None: keyframes stay as they are."""
        self.kept = kept
        self._gone_to = 0
        self._surfaces: dict[Hashable, tuple[Surface, tuple]] = {}  # of the latest keyframe
        self._buffers: dict[Hashable, tuple[Buffer, tuple]] = {}
        self._contexts: dict[Hashable, Context] = {}
        self._shaders: dict[Hashable, tuple[Any, bytes]] = {}

    def of(self, found: Snapshot, other_run: bool) -> Snapshot:
        """An equal keyframe.  other_run: its versions of contents may be those of others in this run."""
        (surfaces, buffers), contexts, current, current_state, chain = found.state
        self._surfaces = dict(self._surface(surface, state, other_run) for surface, state in surfaces)
        self._buffers = dict(self._buffer(buffer, state, other_run) for buffer, state in buffers)
        own = {context: (self._context(context), self._context_state(context, state)) for context, state in contexts}
        one = own.get(current) or (self._context(current), self._context_state(current, current_state))
        self._contexts = {_name_of(context): twin for context, (twin, _) in own.items()}
        twin = copy(found)
        memory = list(self._surfaces.values()), list(self._buffers.values())
        twin.state = memory, list(own.values()), *one, chain
        return twin

    def read(self, position: int) -> Snapshot | None:
        """One that is kept on disk; None if it cannot be read."""
        found = self.kept.keyframe(position) if self.kept is not None else None
        return None if found is None else self.of(found, True)

    def make_small(self, keyframes: Keyframes, position: int) -> None:
        """A keyframe that there is in memory or on disk takes little memory from now on, where there is disk for that."""
        if self.kept is not None and not keyframes.is_small(position):
            state = self.of(keyframes[position], False) if position in keyframes else self.read(position)
            if state is not None:
                keyframes.keep(position, state, rest_of(state))

    def gone_to(self, keyframe: Snapshot) -> Snapshot:
        """The keyframe, to which the device goes: pages of those before are not kept for long."""
        self._gone_to += 1
        if self.kept is not None and self._gone_to % A_FEW == 0:
            self.kept.mapped.forget_pages()
        return keyframe

    # ---- memory
    def _surface(self, surface: Surface, state: tuple, other_run: bool) -> tuple[Hashable, tuple[Surface, tuple]]:
        key = _key(surface)
        *settings, parts = state
        known = self._surfaces.get(key)
        if known is None:
            if other_run:
                surface.facts.pop("key_mask", None)
                surface.version = next_version()
            return key, (surface, (*settings, [self._contents(new, None, other_run) for new in parts]))
        one, (*before, held) = known
        own = [self._contents(new, old, other_run) for new, old in zip(parts, held, strict=True)]
        if settings == before and all(new is old for new, old in zip(own, held, strict=True)):
            return key, known
        return key, (one, (*settings, own))

    def _contents(self, new: Contents, old: Contents | None, other_run: bool) -> Contents:
        linear, blocks, version = new
        if old is not None and not other_run and version == old[2]:
            return old
        linear, blocks = self._held(linear), self._held(blocks)
        if old is not None and _same(linear, old[0]) and _same(blocks, old[1]):
            return old
        if other_run and (linear is not None or blocks is not None):
            version = next_version()
        return linear, blocks, version

    def _held(self, array: np.ndarray | None) -> np.ndarray | None:
        return array if array is None or self.kept is None else self.kept.mapped.put(array)

    def _buffer(self, buffer: Buffer, state: tuple, other_run: bool) -> tuple[Hashable, tuple[Buffer, tuple]]:
        key = buffer.handle, buffer.size, buffer.kind, repr(buffer.facts)
        known = self._buffers.get(key)
        one, old = known or (buffer, None)
        linear, _, version = self._contents((state[0], None, state[1]), old and (old[0], None, old[1]), other_run)
        if old is not None and linear is old[0] and version == old[1]:
            return key, (one, old)
        return key, (one, (linear, version))

    # ---- contexts
    def _context(self, context: Context) -> Context:
        return self._contexts.get(_name_of(context), context)

    def _context_state(self, context: Context, state: tuple) -> tuple:
        registers, vertex, pixel, *rest = state
        if len(vertex) + len(pixel) <= MOST_SHADERS:
            vertex, pixel = self._shaders_of(context, "vertex", vertex), self._shaders_of(context, "pixel", pixel)
        return (self._held(registers[0]), *registers[1:]), vertex, pixel, *rest

    def _shaders_of(self, context: Context, kind: str, shaders: dict[int, Any]) -> dict[int, Any]:
        return {handle: self._shader((context.handle, kind, handle), shader) for handle, shader in shaders.items()}

    def _shader(self, key: Hashable, shader: Any) -> Any:
        known = self._shaders.get(key)
        if known is not None and known[0] is shader:
            return shader
        try:
            data, arrays = values.packed(shader)
        except TypeError:  # of what is not kept on disk either
            return shader
        data += b"".join(arrays)
        if known is not None and known[1] == data:
            return known[0]
        self._shaders[key] = shader, data
        return shader


class Rest(NamedTuple):
    """What a keyframe holds but arrays, about."""

    nbytes: int


def rest_of(found: Snapshot) -> list[Rest]:
    """That, of a keyframe all of whose arrays lie in mapped files or are small; nothing of another."""
    if not all(array.nbytes < LEAST or is_mapped(array) for array in found.arrays()):
        return []
    surfaces, buffers = found.state[0]
    return [Rest(OTHERS + SURFACE * (len(surfaces) + len(buffers)))]


def _key(surface: Surface) -> Hashable:
    """What a surface is for as long as it lives."""
    facts = sorted((name, repr(value)) for name, value in surface.facts.items() if name != "key_mask")
    return (
        surface.handle, surface.format, surface.width, surface.height, surface.depth, surface.levels, surface.faces,
        surface.samples, surface.memory, surface.volume, tuple(part.handle for part in surface.parts), tuple(facts),
    )  # fmt: skip


def _name_of(context: Context) -> Hashable:
    return context.handle, context.interface


def _same(a: np.ndarray | None, b: np.ndarray | None) -> bool:
    """Whether two arrays hold the same: large ones are one array then."""
    if a is b:
        return True
    return a is not None and b is not None and a.nbytes == b.nbytes and _equal(a, b)


def _equal(a: np.ndarray, b: np.ndarray) -> bool:
    if a.nbytes < LEAST:
        return a.tobytes() == b.tobytes()
    return is_mapped(a) and is_mapped(b) and a.__array_interface__["data"] == b.__array_interface__["data"]
