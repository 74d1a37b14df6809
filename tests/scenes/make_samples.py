"""Makes the samples that come with the program: `python -m tests.scenes.make_samples [FOLDER]`.

A sample is a capture of several scenes on one screen, a frame each; every frame has a note with the scene's name.
"""

from __future__ import annotations

import sys
from pathlib import Path

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.spec.enums import DdBlt
from inspector.focus import Focus
from inspector.tape import MemoryTape, TapeWriter
from resources.driver_side import introduce
from resources.stills import keep_scenes
from tests.conftest import ROOT
from tests.core.ddi.rule_bench import TARGET as RULES_TARGET
from tests.scenes import all_scenes
from tests.scenes.kit import TARGET, Scene, Stage

FOLDER = ROOT / "resources" / "samples"
SCREEN = 5000
WHEN = "2026-01-01T00:00:00+00:00"  # the same bytes for the same scenes
PRESENT = int(DdBlt.PRESENTATION | DdBlt.LAST_PRESENTATION)
SAMPLES: dict[str, tuple[str, tuple[str, ...]]] = {
    # file: title, the scenes' names begin with
    "tokens": ("Every token of DirectX 6 to 8", ("tokens/",)),
    "tests-and-blending": ("Alpha, stencil and depth tests, blending, fog, light", (
        "states/ALPHAFUNC", "states/ZFUNC", "states/STENCIL", "states/SRCBLEND", "states/DESTBLEND", "states/BLENDOP",
        "states/COLORWRITE", "states/CULLMODE", "states/SHADEMODE", "states/FOG", "states/AMBIENT", "states/POINT",
    )),
    "textures": ("Texture stages, filters and formats", (
        "states/COLOROP", "states/COLORARG", "states/ADDRESS", "states/M", "states/TEX", "formats/",
    )),
    "shaders-patches-samples": ("Shader instructions, patches, sample counts", ("shaders/", "patches/", "samples/")),
    "broken-rules": ("Rules of the interface, broken one by one", ("rules/",)),
}  # fmt: skip


def chosen(prefixes: tuple[str, ...]) -> list[Scene]:
    """Scenes that can share a driver, with those names."""
    return [scene for scene in all_scenes() if scene.name.startswith(prefixes) and shares(scene)]


def shares(scene: Scene) -> bool:
    """Whether a scene can be played on any driver: the full one with the instant clock, which did everything itself."""
    if scene.options.get("profile", "full") != "full" or "clock" in scene.options:
        return False
    return not scene.record(MemoryTape()).seen.answers


class Screen:
    """One tape on which scene after scene is played and shown."""

    def __init__(self, writer: TapeWriter) -> None:
        self.writer = writer
        first = Stage(writer, bare=True)
        first.surface(SCREEN, "X8R8G8B8", label="primary")
        self.driver = first.driver
        introduce(first.recorder.call)

    def play(self, scene: Scene) -> None:
        """Draws a scene, shows its target, and ends what it made."""
        stage = SharedStage(self.writer, self.driver, scene)
        scene.make(stage)
        target = RULES_TARGET if scene.name.startswith("rules/") else TARGET
        if self.driver.device.memory.part(target) is not None:
            shown = {"destination": SCREEN, "source": target, "flags": PRESENT, "presentation": 2}
            stage.recorder.call(DdiCall("Blt", shown))
            self.writer.add_annotation(Focus(event=self.driver.seq - 1).text(), scene.name, WHEN)
        self.clean(stage)

    def clean(self, stage: Stage) -> None:
        device = self.driver.device
        for context in list(device.contexts):
            stage("ContextDestroy", context=context)
        for handle in [handle for handle in device.memory.surfaces if handle != SCREEN]:
            stage("DestroySurface", handle=handle)
        for handle in list(device.memory.buffers):
            stage("DestroyD3DBuffer", handle=handle)


class SharedStage(Stage):
    """A stage on a driver that others have used and will use."""

    def __init__(self, writer: TapeWriter, driver: EmulatedDriver, scene: Scene) -> None:
        self._shared = driver
        super().__init__(writer, **scene.options)

    def use(self, driver: EmulatedDriver) -> None:
        super().use(self._shared)


def make(name: str, folder: Path) -> Path:
    title, prefixes = SAMPLES[name]
    path = folder / f"{name}.ddicap"
    path.unlink(missing_ok=True)
    with TapeWriter(path, {"title": title, "created": WHEN}) as writer:
        screen = Screen(writer)
        for scene in chosen(prefixes):
            screen.play(scene)
    keep_scenes(path)
    keep_scenes(path)
    return path


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else FOLDER
    for name in SAMPLES:
        path = make(name, folder)
        print(f"{path}: {path.stat().st_size:,} bytes, {len(chosen(SAMPLES[name][1]))} scenes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
