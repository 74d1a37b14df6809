"""Copying a device's state to another: its own surfaces, buffers and contexts share contents until either device writes."""

from __future__ import annotations

from copy import deepcopy

from core.device.device import Context
from core.device.memory.surfaces import Buffer, Surface


def copied(state: tuple) -> tuple:
    """What `Device.snapshot()` returned, in the form that another device's `restore` takes."""
    (surfaces, buffers), contexts, current, current_state, chain = state
    twins = {context: Context(context.handle, context.interface) for context, _ in contexts}
    twins.setdefault(current, Context(current.handle, current.interface))
    memory = (
        [(_surface(surface), contents) for surface, contents in surfaces],
        [(Buffer(buffer.handle, buffer.size, buffer.kind, **buffer.facts), contents) for buffer, contents in buffers],
    )
    own = [(twins[context], _context(contents)) for context, contents in contexts]
    return memory, own, twins[current], _context(current_state), list(chain)


def _surface(surface: Surface) -> Surface:
    return Surface(
        surface.handle, surface.format, surface.width, surface.height, surface.depth, surface.levels, surface.faces,
        surface.samples, **{**surface.facts, "label": surface.label, "volume": surface.volume},
    )  # fmt: skip


def _context(state: tuple) -> tuple:
    """A state set that is being recorded would be recorded by both."""
    registers, *rest = state
    return (*registers[:5], *deepcopy(registers[5:])), *rest
