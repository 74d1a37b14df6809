"""Programs that draw with our own runtime, recorded as they run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.ddi.calls import Driver
from core.ddi.driver.emulated import EmulatedDriver
from core.errors import BadInput, unknown
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
    if profile not in PROFILES:
        raise BadInput(unknown("profile", profile, PROFILES))
    with TapeWriter(path, {"profile": profile} | meta) as writer:
        recorder = Recorder(driver or EmulatedDriver(profile), writer)
        d3d = Direct3DCreate8(
            recorder, source_sink=writer.append_calls, pointer_sink=writer.add_pointer, verdict_sink=writer.judge
        )
        yield d3d
        finish(d3d)
