"""Checks of the arguments of driver entries: kernels receive only validated values, whatever a tape holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.ddi.calls import DdiCall
from core.spec.enums import HResult

LARGEST = 0xFFFFFFFF


class Rejected(Exception):
    """The driver refuses a call: the HRESULT, the rule that was broken, one sentence."""

    def __init__(self, result: int, rule: str, text: str) -> None:
        super().__init__(text)
        self.result, self.rule, self.text = int(result), rule, text


class StillDrawing(Exception):
    """The answer is DDERR_WASSTILLDRAWING: the caller is to try again; nobody did anything wrong."""


def number(call: DdiCall, name: str, default: int | None = None, low: int = 0, high: int = LARGEST) -> int:
    """An integer argument within low..high. Raises Rejected."""
    given = call.args.get(name, default)
    value = _whole(given)
    if value is None or not low <= value <= high:
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-argument", f"{call.entry}: {name} = {given!r}")
    return value


def _whole(value: Any) -> int | None:
    """A number without its fraction; None for what is none."""
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, float) and value == value and abs(value) < 1 << 63:
        return int(value)
    return None


def numbers(call: DdiCall, name: str) -> list[int]:
    """A list of integers, or a single one. Raises Rejected."""
    value = call.args.get(name)
    items: list[Any] = list(value) if isinstance(value, (list, tuple)) else [value]
    if not all(isinstance(item, (int, np.integer)) for item in items):
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-argument", f"{call.entry}: {name} = {value!r}")
    return [int(item) for item in items]


def text(call: DdiCall, name: str, default: str) -> str:
    """A string argument. Raises Rejected."""
    value = call.args.get(name, default)
    if not isinstance(value, str):
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-argument", f"{call.entry}: {name} = {value!r}")
    return value


def blob(call: DdiCall, name: str) -> np.ndarray | None:
    """A blob as uint8[n] without copying; None when the call has none. Raises Rejected."""
    value = call.data.get(name)
    if value is None:
        return None
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value).reshape(-1).view(np.uint8)
    try:
        return np.frombuffer(value, np.uint8)
    except (TypeError, ValueError, BufferError):
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-data", f"{call.entry}: {name} is not of type bytes") from None
