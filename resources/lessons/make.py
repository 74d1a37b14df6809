"""Records the captures of the lessons: `python -m resources.lessons.make [NAME]`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.ddi.driver.emulated import EmulatedDriver
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, IDirect3DDevice8
from core.spec.enums import DeviceType
from inspector.cli.convert import keep_thumbnail
from inspector.imports.scripts import record
from resources.canvas import format_id
from resources.driver_side import Queue
from resources.lessons import scenes, slow_driver
from resources.lessons.stage import HEIGHT, WIDTH, Stage
from resources.make_sample import HARDWARE, WHEN

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Lesson:
    """A scene of `frames` frames, drawn with its bug or without; the bug of `driver` is in what executes it."""

    title: str
    scene: Callable[[IDirect3DDevice8, bool], Stage | Queue]
    frames: int = 2
    size: tuple[int, int] = (WIDTH, HEIGHT)
    driver: Callable[[bool], EmulatedDriver] = lambda broken: EmulatedDriver(clock="instant")

    def make(self, path: Path, broken: bool = True) -> None:
        """Records it."""
        with record(path, self.driver(broken), title=self.title, created=WHEN) as d3d:
            parameters = D3DPRESENT_PARAMETERS(
                *self.size, format_id("X8R8G8B8"), EnableAutoDepthStencil=1, AutoDepthStencilFormat=format_id("D24S8")
            )
            scene = self.scene(d3d.CreateDevice(0, DeviceType.HAL, 0, HARDWARE, parameters), broken)
            for frame in range(self.frames):
                scene.draw(frame / self.frames)


LESSONS = {
    "blend-factor": Lesson("Lesson 1: the pane that hides what is behind it", scenes.BlendFactor),
    "alpha-test": Lesson("Lesson 2: the fence that is not there", scenes.AlphaTest),
    "z-fighting": Lesson("Lesson 3: the poster that flickers", scenes.ZFighting, 3),
    "unset-stage": Lesson("Lesson 4: the white crate", scenes.UnsetStage),
    "wrong-fvf": Lesson("Lesson 5: the ring in false colours", scenes.WrongFvf),
    "stale-target": Lesson("Lesson 6: the screen that lags", scenes.StaleTarget, 4),
    "bad-palette": Lesson("Lesson 7: the pool of fire", scenes.BadPalette),
    "fog": Lesson("Lesson 8: the compass in the fog", scenes.FogOnPanels),
    "missing-level": Lesson("Lesson 9: the band across the runway", scenes.MissingLevel),
    "driver": Lesson(
        "Lesson 10: the driver that cannot say no", lambda device, _: Queue(device), 8, (640, 480), slow_driver.driver
    ),
}  # fmt: skip
"""By the name of the file, in the order of docs/lessons.md."""


def make(name: str, folder: Path = FOLDER, broken: bool = True) -> Path:
    """Draws one of them; its place."""
    path = folder / f"{name}.ddicap"
    path.unlink(missing_ok=True)
    LESSONS[name].make(path, broken)
    keep_thumbnail(path)
    return path


def main(names: list[str]) -> int:
    for name in names or LESSONS:
        path = make(name)
        print(f"{path}: {path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
