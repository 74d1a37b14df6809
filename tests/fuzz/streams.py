"""Driver calls as bytes, to be kept and carried out again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.errors import BadInput
from inspector.query.comparison.digests import part_digest


def packed(calls: Sequence[DdiCall]) -> bytes:
    return msgspec.msgpack.encode([(c.entry, c.args, {name: bytes(blob) for name, blob in c.data.items()}) for c in calls])


def unpacked(data: bytes) -> list[DdiCall]:
    """BadInput for bytes that are no calls."""
    try:
        rows = msgspec.msgpack.decode(data, type=list[tuple[str, dict[str, Any], dict[str, bytes]]])
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadInput(f"no calls: {error}") from error
    return [DdiCall(entry, {name: _tupled(value) for name, value in args.items()}, data) for entry, args, data in rows]


def _tupled(value: Any) -> Any:
    return tuple(map(_tupled, value)) if isinstance(value, list) else value


def contents(driver: EmulatedDriver) -> dict[str, str]:
    """A digest of every subresource, and the Findings."""
    driver.device.flush()
    found = {
        f"surface {handle} part {number}": f"{part_digest(part):016x}"
        for handle, surface in sorted(driver.device.memory.surfaces.items())
        for number, part in enumerate(surface.parts)
    }
    return found | {"findings": repr([(one.rule, one.seq, one.text) for one in driver.findings])}
