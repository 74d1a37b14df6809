"""Programs that draw with our own runtime, recorded as they run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.ddi.calls import Driver
from core.ddi.driver import EmulatedDriver
from core.runtime.columns import Calls
from core.runtime.d3d8 import Direct3DCreate8, IDirect3D8, finish
from core.runtime.source import describe
from inspector.tape import Recorder, TapeWriter


@contextmanager
def record(path: Path | str, driver: Driver | None = None, **meta: Any) -> Iterator[IDirect3D8]:
    """Direct3D 8 whose driver calls go into a new `.ddicap` at `path`, with the API calls that caused them.

    driver: who carries the calls out (default: the emulated device).  When the block is left the file is complete;
    a program that is killed loses at most the last batch.  Raises TapeError.
    """
    with TapeWriter(path, meta) as writer:
        d3d = Direct3DCreate8(
            Recorder(driver or EmulatedDriver(), writer),
            source_sink=lambda calls: _keep_sources(writer, calls),
            pointer_sink=lambda *row: writer.add_pointers([row]),
        )
        yield d3d
        finish(d3d)


def _keep_sources(writer: TapeWriter, calls: Calls) -> None:
    for number in range(len(calls.calls)):
        source = describe(calls, number)
        writer.append_source(source.name, dict(source.args), source.result)
