"""The captures that come with the program."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

SENTENCES = {
    "room": "A room with lights, fog, a mirror of water and a flickering fire: every panel has something to show.",
    "broken-rules": "A program that breaks one rule after the other: each has its finding.",
    "bump-mapping": "Relief from textures: DOTPRODUCT3, environment bump mapping, and a map of the surroundings.",
    "dxgi-presentation": "A driver's side of presentation: rotated identities, residency, priorities.",
    "palettes-and-state-sets": "Palettised textures, and states that are recorded and used again as sets.",
    "patches": "Curved surfaces from a few control points: rectangle and triangle patches, and N-patches.",
    "presentation-queue": "Frames that wait for the display: how many are queued, and where the driver waits.",
    "reflections": "A cube map that is redrawn in every frame, and shapes that reflect it.",
    "shaders-patches-samples": "Vertex and pixel shaders, patches and multisampling, one small draw for each.",
    "smoke": "A volume texture seen through a pixel shader: look at its slices.",
    "stencil-shadows": "Shadow volumes counted in the stencil buffer, and a mirror cut out with it.",
    "tests-and-blending": "Alpha, depth and stencil tests, and blending: who let a pixel pass, and how it was mixed.",
    "textures": "Formats, levels, faces, filters and addressing of textures, one small draw for each.",
    "tokens": "Every token of the interface at least once.",
    "vertex-buffer-stalls": "Locks that make the driver wait for draws, and locks that do not.",
}
"""What one sees in a sample, by its file's name."""


def sentence_about(path: Path) -> str:
    """One sentence; empty for a sample that has none."""
    return SENTENCES.get(path.stem, "")


def built_in_capture() -> Path | None:
    """The capture that is shown when none is asked for; None in an installation without it."""
    return next(iter(_captures("resources")), None)


def sample_captures() -> list[tuple[str, Path]]:
    """(title, file) of every sample; empty in an installation without them."""
    paths = sorted(_captures("resources") + _captures("resources.samples"))
    return [(path.stem.replace("-", " ").capitalize(), path) for path in paths]


def _captures(package: str) -> list[Path]:
    """The captures in a folder of resources, by name."""
    try:
        return sorted(Path(str(entry)) for entry in resources.files(package).iterdir() if entry.name.endswith(".ddicap"))
    except (ModuleNotFoundError, NotADirectoryError, FileNotFoundError):
        return []
