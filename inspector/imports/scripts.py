"""Programs that draw with our own runtime, recorded as they run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.ddi.calls import Driver
from core.ddi.driver import EmulatedDriver
from core.runtime.d3d8 import Direct3DCreate8, IDirect3D8, finish
from inspector.tape import Recorder, TapeWriter


@contextmanager
def record(path: Path | str, driver: Driver | None = None, **meta: Any) -> Iterator[IDirect3D8]:
    """Direct3D 8 whose driver calls go into a new `.ddicap` at `path`, with the API calls that caused them.

    driver: who carries the calls out (default: the emulated device).  When the block is left the file is complete;
    a program that is killed loses at most the last batch.  Raises TapeError.
    """
    with TapeWriter(path, meta) as writer:
        recorder = Recorder(driver or EmulatedDriver(), writer)
        d3d = Direct3DCreate8(recorder, source_sink=writer.append_calls, pointer_sink=writer.add_pointer)
        yield d3d
        finish(d3d)
