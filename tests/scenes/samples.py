"""One scene for each sample count: what the sample mask leaves out is not in the resolved colour; edges lie between."""

from __future__ import annotations

from core.spec.enums import MultisampleType
from tests.scenes.kit import BLACK, SIZE, WHITE, Stage, add, gray, picture, scene, states, t


def _count(samples: int) -> None:
    """Left all samples, in the middle half of them, right the first alone."""

    def make(stage: Stage) -> None:
        counts = (samples, samples // 2, 1)
        boxes = ((0, 0, 16, SIZE), (16, 0, 32, SIZE), (32, 0, 48, SIZE))
        for box, count in zip(boxes, counts, strict=True):
            stage.quad(box, WHITE, 0.5, states(MULTISAMPLEMASK=(1 << count) - 1))
        shown = [(box, gray(round(255 * count / samples))) for box, count in zip(boxes, counts, strict=True)]
        stage.sees(picture(*shown), tolerance=1)
        for sample in (0, samples - 1):
            inside = [(box, WHITE) for box, count in zip(boxes, counts, strict=True) if sample < count]
            stage.sees(picture(*inside), sample=sample)

    covers = ("state:MULTISAMPLEMASK", f"value:MultisampleType.{MultisampleType(samples).name}")
    add(f"samples/{samples}", make, *covers, samples=samples)


for _samples in range(2, 17):
    _count(_samples)


@scene("samples/edge", "state:MULTISAMPLEANTIALIAS", samples=4)
def edge(stage: Stage) -> None:
    """An edge through the middle of column 32: two of four samples, which lie in columns of their own."""
    stage.quad((0, 0, 32.5, SIZE))
    stage.sees(picture(((0, 0, 32, SIZE), WHITE), ((32, 0, 33, SIZE), gray(128))), tolerance=1)


@scene("samples/without antialiasing", "state:MULTISAMPLEANTIALIAS", samples=4)
def without(stage: Stage) -> None:
    """MULTISAMPLEANTIALIAS off: a pixel is all in or all out."""
    stage.quad((0, 0, 32.25, SIZE), WHITE, 0.5, states(MULTISAMPLEANTIALIAS=0))
    stage.sees(picture(((0, 0, 32, SIZE), WHITE)))


@scene("samples/depth", samples=4, depth="D24S8")
def depth(stage: Stage) -> None:
    """Depth is kept for each sample: of two quads that meet inside of a pixel, both are seen there."""
    stage.quad((0, 0, 32.5, SIZE), WHITE, 0.2, states(ZENABLE=1))
    stage.quad((0, 0, SIZE, SIZE), 0xFF0000FF, 0.6)
    stage.sees(picture(((0, 0, 32, SIZE), WHITE), ((32, 0, 33, SIZE), 0xFF8080FF), ground=0xFF0000FF), tolerance=1)


@scene("samples/clear", samples=8)
def clear(stage: Stage) -> None:
    """A CLEAR reaches every sample, whatever the mask."""
    stage.tokens(states(MULTISAMPLEMASK=1), t("CLEAR", [(4, 4, 20, 20)], flags=1, color=0xFF336699))
    stage.sees(picture(((4, 4, 20, 20), 0xFF336699), ground=BLACK))
    stage.sees(picture(((4, 4, 20, 20), 0xFF336699), ground=BLACK), sample=7)
