"""Driver calls, one after the other, recorded with what the driver answered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from inspector.tape import Recorder, TapeWriter
from tests.driver_calls import stream


class Script:
    """Driver calls, recorded with what the driver answered."""

    def __init__(self, path: Path, driver: EmulatedDriver) -> None:
        self.writer = TapeWriter(path)
        self.driver = Recorder(driver, self.writer)

    def __call__(self, entry: str, data: Any = None, **args: Any) -> DdiCall:
        return self.driver.call(DdiCall(entry, args, data or {}))

    def surfaces(self, *handles: int, size: int = 16, format: int = 22) -> None:
        for handle in handles:
            self("CreateSurface", handle=handle, width=size, height=size, format=format, label="image")

    def draw(self, *tokens: tuple, **args: Any) -> DdiCall:
        commands = stream(*tokens)
        return self("DrawPrimitives2", {"commands": commands}, context=1, command_length=len(commands), **args)
