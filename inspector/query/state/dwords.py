"""State values in text form: "0x40", "WIREFRAME", "1 0 0 1"."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from core.errors import BadInput
from core.spec.kinds import Kind


def dwords_of(kind: Kind, count: int, value: Any) -> np.ndarray:
    """uint32[count]: what a value, or its text ("0x40", "WIREFRAME", "1 0 0 1"), is as bits.  BadInput if it is none."""
    if isinstance(value, str):
        parts: list[Any] = re.split(r"[,\s]+", value.strip()) if count > 1 else [value.strip()]
    else:
        parts = np.asarray(value).reshape(-1).tolist()
    if len(parts) != count:
        raise BadInput(f"{value!r} has {len(parts)} values; expected {count}")
    try:
        return np.array([kind.raw(part) for part in parts], np.uint32)
    except (ValueError, TypeError) as error:
        raise BadInput(f"invalid value {value!r}: {error}") from error
