"""Our pictures beside the reference pictures.  `python -m tests.captures.comparison [NAME ...]` writes the sheets."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

import inspector
from tests.captures.oracle import Picture, pictures
from tests.conftest import CAPTURES, ROOT

OUTPUT = ROOT / "test-output"
FAR_OFF = 16  # of 255: a pixel that looks different


@dataclass(frozen=True)
class Difference:
    """How far our picture is from the reference: mean of |difference| over r, g, b (0..255), share of pixels far off."""

    picture: Picture
    mean: float
    far_off: float
    ours: np.ndarray
    theirs: np.ndarray


def compare(capture: inspector.Capture, picture: Picture) -> Difference:
    """The picture's surface, or the render target (before a Present: the back buffer), after the picture's call."""
    theirs = np.asarray(Image.open(picture.path).convert("RGB")).astype(np.int32)
    event = capture.event_of_source_call(picture.source_call)
    where = capture.surface_of_source(picture.surface, event) if picture.surface else "render_target"
    ours = capture.image(event, where)[..., :3].astype(np.int32)
    if ours.shape != theirs.shape:
        return Difference(picture, 255.0, 1.0, ours, theirs)
    apart = np.abs(ours - theirs)
    return Difference(picture, float(apart.mean()), float((apart.max(2) > FAR_OFF).mean()), ours, theirs)


def differences(file: Path) -> list[Difference]:
    """Every picture of one capture of apps/ or d3d7/apps/, in the order of the tape."""
    capture = inspector.open(file.with_suffix(".trace"))
    return [compare(capture, picture) for picture in sorted(pictures(file), key=lambda p: p.source_call)]


def sheet(rows: list[Difference], width: int = 320) -> Image.Image:
    """Ours, theirs, and the difference times four, one row per picture."""
    strips = []
    for row in rows:
        apart = np.abs(row.ours - row.theirs) * 4 if row.ours.shape == row.theirs.shape else row.theirs * 0
        images = [Image.fromarray(np.clip(a, 0, 255).astype(np.uint8)) for a in (row.ours, row.theirs, apart)]
        strips.append([i.resize((width, max(1, i.height * width // i.width))) for i in images])
    page = Image.new("RGB", (width * 3, sum(max(i.height for i in strip) for strip in strips)))
    y = 0
    for strip in strips:
        for column, image in enumerate(strip):
            page.paste(image, (column * width, y))
        y += max(i.height for i in strip)
    return page


def write_sheet(file: Path, rows: list[Difference]) -> Path:
    """The comparison sheet of one capture, in test-output."""
    OUTPUT.mkdir(exist_ok=True)
    path = OUTPUT / f"{file.stem}.png"
    sheet(rows).save(path)
    return path


def main(names: list[str]) -> int:
    for file in (path for folder in ("apps", "d3d7/apps") for path in sorted((CAPTURES / folder).glob("*.json"))):
        if file.stem == "manifest" or (names and file.stem not in names):
            continue
        rows = differences(file)
        for row in rows:
            print(f"{file.stem:20} {row.picture.title:12} mean {row.mean:7.3f}   far off {row.far_off:7.2%}")
        if rows:
            print(f"{'':20} {write_sheet(file, rows)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
