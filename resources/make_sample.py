"""Draws the captures that come with the program: `python -m resources.make_sample [NAME ...]` (none: all of them).

Nothing in them depends on the time or the machine: drawn again, each is the same but for zeros that some processors round to
1e-17 (tests/resources/test_samples.py).  Those that are made of test scenes: `python -m tests.scenes.make_samples`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from core.errors import BadInput, unknown
from core.runtime.d3d7 import Object7
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, IDirect3DDevice8
from core.spec.enums import CreateFlag, DeviceType
from inspector.cli.convert import keep_thumbnail
from inspector.imports.scripts import record, record_directdraw
from inspector.tape import Recorder, TapeWriter
from resources import driver_side, lighthouse, reflections, relief, room, shadows, smoke, tessellation
from resources.canvas import format_id
from resources.stills import keep_frame, keep_resource

FOLDER = Path(__file__).parent
WHEN = "2026-01-01T00:00:00+00:00"  # the same bytes for the same script
HARDWARE, PURE = int(CreateFlag.HARDWARE_VERTEXPROCESSING), int(CreateFlag.PUREDEVICE)


@dataclass(frozen=True)
class Show:
    """A program that draws `frames` frames of what `scene(device)` draws at a time from 0 to 1."""

    title: str
    scene: Callable[[IDirect3DDevice8], object]
    frames: int = 4
    size: tuple[int, int] = (640, 480)
    samples: int = 0
    behavior: int = HARDWARE
    clock: str = "instant"

    def make(self, path: Path) -> None:
        """Records it."""
        with record(path, EmulatedDriver(clock=self.clock), title=self.title, created=WHEN) as d3d:
            parameters = D3DPRESENT_PARAMETERS(
                *self.size, format_id("X8R8G8B8"), MultiSampleType=self.samples, EnableAutoDepthStencil=1,
                AutoDepthStencilFormat=format_id("D24S8"),
            )  # fmt: skip
            scene = self.scene(d3d.CreateDevice(0, DeviceType.HAL, 0, self.behavior, parameters))
            for frame in range(self.frames):
                scene.draw(frame / self.frames)  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Show7:
    """A program that draws `frames` frames of what `scene(directdraw)` draws: DirectDraw and Direct3D 7."""

    title: str
    scene: Callable[[Object7], object]
    frames: int

    def make(self, path: Path) -> None:
        """Records it."""
        with record_directdraw(path, title=self.title, created=WHEN) as directdraw:
            scene = self.scene(directdraw)
            for frame in range(self.frames):
                scene.draw(frame / self.frames)  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Script:
    """Driver calls, without a runtime above them."""

    title: str
    calls: Callable[[Recorder, EmulatedDriver], None]
    clock: str = "instant"
    still: int = 0  # the DXGI resource that is its picture; 0: the back buffer

    def make(self, path: Path) -> None:
        """Records them."""
        with _recorder(path, self.title, EmulatedDriver(clock=self.clock)) as (recorder, driver):
            driver_side.introduce(recorder.call)
            self.calls(recorder, driver)


@contextmanager
def _recorder(path: Path, title: str, driver: EmulatedDriver) -> Iterator[tuple[Recorder, EmulatedDriver]]:
    with TapeWriter(path, {"title": title, "created": WHEN}) as writer:
        yield Recorder(driver, writer), driver


def _dxgi(recorder: Recorder, driver: EmulatedDriver) -> None:
    driver_side.present_with_dxgi(recorder.call, driver)


def _current_buffers(recorder: Recorder, driver: EmulatedDriver, frames: int = 6) -> None:
    scene = driver_side.CurrentBuffers(recorder.call, driver)
    for frame in range(frames):
        scene.draw(frame / frames)


SMALL = (driver_side.WIDTH, driver_side.HEIGHT)
SHOWS: dict[str, Show | Show7 | Script] = {
    "room": Show("The room", room.Room, 8),
    "samples/reflections": Show(reflections.TITLE, reflections.Reflections),
    "samples/smoke": Show(smoke.TITLE, smoke.Smoke),
    "samples/bump-mapping": Show(relief.TITLE, relief.Relief),
    "samples/patches": Show(tessellation.TITLE, tessellation.Tessellation, samples=tessellation.SAMPLES),
    "samples/stencil-shadows": Show(shadows.TITLE, shadows.Shadows),
    "samples/presentation-queue": Show(driver_side.Queue.TITLE, driver_side.Queue, 12, clock="modelled"),
    "samples/vertex-buffer-stalls": Script("Vertex buffers of DirectX 7: stalled and renamed", _current_buffers, "modelled"),
    "samples/palettes-and-state-sets": Show(
        driver_side.Palettes.TITLE, driver_side.Palettes, 8, SMALL, behavior=HARDWARE | PURE
    ),
    "samples/direct3d-7": Show7(lighthouse.TITLE, lighthouse.Lighthouse, 6),
    "samples/dxgi-presentation": Script("DXGI: presentation, rotation, residency", _dxgi, still=driver_side.DESKTOP),
}
"""By the name of the file, without its suffix."""


def make(name: str, folder: Path = FOLDER) -> Path:
    """Draws one of them; its place."""
    path = folder / f"{name}.ddicap"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    show = SHOWS[name]
    show.make(path)
    if isinstance(show, Script) and show.still:
        keep_resource(path, show.still)
    elif isinstance(show, Show7 | Script):
        keep_frame(path)
    else:
        keep_thumbnail(path)
    return path


def main(arguments: list[str]) -> int:
    for name in arguments or SHOWS:
        if name not in SHOWS:
            raise BadInput(unknown("capture", name, SHOWS))
        with inspector.open(path := make(name)) as capture:
            print(f"{path}: {path.stat().st_size:,} bytes, {len(capture.frames)} frames, {len(capture.events)} events")
            print(*capture.ask(inspector.Findings()), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
