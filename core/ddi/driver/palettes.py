"""DirectDraw palettes: a surface with a palette has its own copy of the 256 entries, which SetEntries changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.ddi.calls import DdiCall
from core.ddi.driver.arguments import Rejected, blob, number
from core.ddi.driver.resources import part_of
from core.device.memory.surfaces import Surface, next_version
from core.spec.enums import HResult

if TYPE_CHECKING:
    from core.ddi.driver.emulated import EmulatedDriver

BYTES = 1024


def set_palette(driver: EmulatedDriver, call: DdiCall) -> None:
    """SetPalette(handle, surface; entries): the surface shows its indices through a palette; handle 0: through none."""
    surface, handle, given = part_of(driver, call, "surface").surface, number(call, "handle", 0), blob(call, "entries")
    entries = bytes(BYTES) if given is None else given[:BYTES].tobytes().ljust(BYTES, b"\0")
    _give(driver, surface, (handle, entries) if handle else 0)


def set_entries(driver: EmulatedDriver, call: DdiCall) -> None:
    """SetEntries(handle, start, count; entries): new colours for all surfaces that have the palette."""
    handle, start, count = number(call, "handle"), number(call, "start", 0), number(call, "count", 0)
    given = blob(call, "entries")
    if given is None or start + count > BYTES // 4 or 4 * count > len(given):
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-data", f"SetEntries: {count} entries from {start}")
    for surface in driver.device.memory.surfaces.values():
        held = surface.palette
        if isinstance(held, tuple) and held[0] == handle:
            entries = held[1][: 4 * start] + given[: 4 * count].tobytes() + held[1][4 * (start + count) :]
            _give(driver, surface, (handle, entries))


def _give(driver: EmulatedDriver, surface: Surface, palette: tuple[int, bytes] | int) -> None:
    driver.device.flush()
    driver.device.note(driver.seq, "settings", surface, surface.settings())
    surface.palette = palette
    surface.version = next_version()  # draws that follow must bind it again
