"""Draws the built-in capture: `python -m resources.make_sample [OUT.ddicap]`."""

from __future__ import annotations

import sys
from pathlib import Path

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS
from core.spec.enums import CreateFlag, DeviceType
from inspector.cli.convert import keep_thumbnail
from inspector.imports.scripts import record
from resources.room import HEIGHT, WIDTH, Room, format_id

FRAMES = 8
SAMPLE = Path(__file__).with_name("room.ddicap")


def make(path: Path, frames: int = FRAMES) -> None:
    """Records `frames` frames of the room."""
    path.unlink(missing_ok=True)
    driver = EmulatedDriver()
    with record(path, driver, title="The room") as d3d:
        parameters = D3DPRESENT_PARAMETERS(
            WIDTH, HEIGHT, format_id("X8R8G8B8"), EnableAutoDepthStencil=1, AutoDepthStencilFormat=format_id("D24S8")
        )
        device = d3d.CreateDevice(0, DeviceType.HAL, 0, CreateFlag.HARDWARE_VERTEXPROCESSING, parameters)
        room = Room(device)
        for frame in range(frames):
            room.draw(frame / frames)


def main(arguments: list[str]) -> int:
    path = Path(arguments[0]) if arguments else SAMPLE
    make(path)
    keep_thumbnail(path)
    with inspector.open(path) as capture:
        print(f"{path}: {path.stat().st_size} bytes, {len(capture.frames)} frames, {len(capture.events)} events")
        print(*capture.findings, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
