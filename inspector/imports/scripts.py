"""Programs that draw with our own runtime, recorded as they run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.ddi.calls import Driver
from core.ddi.driver.emulated import EmulatedDriver
from core.errors import BadInput, unknown
from core.runtime.d3d7 import DirectDrawCreateEx, Object7
from core.runtime.d3d7 import finish as finish_directdraw
from core.runtime.d3d8 import Direct3DCreate8, IDirect3D8, finish
from core.spec.profiles import PROFILES
from inspector.tape import Recorder, TapeWriter


@contextmanager
def record(path: Path | str, driver: Driver | None = None, profile: str = "full", **meta: Any) -> Iterator[IDirect3D8]:
    """Direct3D 8 whose driver calls go into a new `.ddicap` at `path`, with the API calls that caused them.

    driver: what executes the calls (default: the emulated device of a profile: full, fixed, stretch, minimum, dx7).  When the
    block is left the file is complete; a program that is killed loses at most the last batch.  Raises TapeError, and
    BadInput for a profile that is none.
    """
    with _writing(path, driver, profile, meta) as (writer, recorder):
        d3d = Direct3DCreate8(
            recorder, source_sink=writer.append_calls, pointer_sink=writer.add_pointer, verdict_sink=writer.judge
        )
        yield d3d
        finish(d3d)


@contextmanager
def record_directdraw(path: Path | str, driver: Driver | None = None, profile: str = "full", **meta: Any) -> Iterator[Object7]:
    """The same of DirectDraw and Direct3D 7."""
    with _writing(path, driver, profile, meta) as (writer, recorder):
        draw = DirectDrawCreateEx(recorder, writer.append_calls, writer.add_pointer, writer.judge)
        yield draw
        finish_directdraw(draw)


@contextmanager
def _writing(
    path: Path | str, driver: Driver | None, profile: str, meta: dict[str, Any]
) -> Iterator[tuple[TapeWriter, Recorder]]:  # fmt: skip
    if profile not in PROFILES:
        raise BadInput(unknown("profile", profile, PROFILES))
    with TapeWriter(path, {"profile": profile} | meta) as writer:
        yield writer, Recorder(driver or EmulatedDriver(profile), writer)
