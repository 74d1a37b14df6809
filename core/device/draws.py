"""Draw tokens (being built)."""

from __future__ import annotations

from typing import Any

DRAW_OPERATIONS: dict[int, Any] = {}


class Drawing:
    def __init__(self, device: Any, threads: int) -> None:
        self.device = device

    def flush(self) -> None: ...
    def drop(self) -> None: ...
    def rebind(self) -> None: ...
    def before_write(self, surface: Any) -> None: ...
    def before_fill(self, part: Any, seq: int) -> None: ...
