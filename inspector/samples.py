"""The built-in captures."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

SENTENCES = {
    "room": "A stone room with a mirror floor: render to texture, stencil, shaders, a volume texture, sparks.",
    "reflections": "A chrome knot under an evening sky: a cube map that is redrawn in every frame.",
    "bump-mapping": "A brick wall whose relief follows a lamp, and a pond that mirrors it in ripples.",
    "stencil-shadows": "A gallery at night: shadow volumes in the stencil buffer, and a mirror that it cuts out.",
    "smoke": "Smoke above a camp fire: two volume textures, drawn as slices that face the camera.",
    "patches": "A vase, a flag, petals and a stone: curved surfaces, tessellated more coarsely from frame to frame.",
    "direct3d-7": "A lighthouse at dusk: a flip chain, a rotating palette, fog, Blt and BltFast with colour keys.",
    "palettes-and-state-sets": "A pure device with palettised textures, and states recorded and reused as sets.",
    "textures": "Formats, levels, faces, filters and addressing of textures, one small draw for each.",
    "tests-and-blending": "Alpha, depth and stencil tests, and blending: which test let a pixel pass, and how it was blended.",
    "shaders-patches-samples": "Vertex and pixel shaders, patches and multisampling, one small draw for each.",
    "tokens": "Every token of the interface, at least once.",
    "broken-rules": "A program that breaks one rule after another; each break is a finding.",
    "dxgi-presentation": "Presentation through DXGI, with rotated identities and the residency of resources.",
    "presentation-queue": "A presentation queue that fills up, and vertex buffers that are renamed.",
    "vertex-buffer-stalls": "A driver of DirectX 7: where it stalls for vertex buffers, and where it renames them.",
}
"""What one sees in a sample, by its file's name; in the order in which they are offered, pictures first."""

PLACES = {"broken-rules": "#event=254", "tests-and-blending": "#event=2450", "textures": "#event=1308"}
"""Where to look first in a sample whose first frame is of one colour: at a draw that breaks a rule and is seen, at a frame with
more to see."""

PACKAGES = ("resources", "resources.samples", "resources.lessons")
LESSONS = {
    "blend-factor": "The pane that hides what is behind it",
    "alpha-test": "The fence that is not there",
    "z-fighting": "The poster that flickers",
    "unset-stage": "The white crate",
    "wrong-fvf": "The ring in false colours",
    "stale-target": "The screen that lags",
    "bad-palette": "The pool of fire",
    "fog": "The compass in the fog",
    "missing-level": "The band across the runway",
    "driver": "The driver that cannot say no",
}
"""The titles of the pages on them, by their files' names, in the order of docs/lessons.md."""


def sentence_about(path: Path) -> str:
    """One sentence; empty for a sample that has none."""
    return SENTENCES.get(path.stem, "")


def is_shipped(path: Path) -> bool:
    """Whether a capture is a part of this installation, which stays as it is."""
    return path.resolve() in {one.resolve() for package in PACKAGES for one in _captures(package)}


def place_in_sample(path: Path) -> str:
    """Where to look first, as the text of a Focus; empty: where one does in any other capture, or the file is no sample."""
    place = PLACES.get(path.stem, "")
    return place if place and is_shipped(path) else ""


def built_in_capture() -> Path | None:
    """The capture that is shown when none is asked for; None in an installation without it."""
    return next(iter(_captures("resources")), None)


def sample_captures() -> list[tuple[str, Path]]:
    """(title, file) of every sample, in the order of SENTENCES; empty in an installation without them."""
    order = {name: place for place, name in enumerate(SENTENCES)}
    paths = _captures("resources") + _captures("resources.samples")
    return [(title_of(path), path) for path in sorted(paths, key=lambda path: (order.get(path.stem, len(order)), path.stem))]


def title_of(path: Path) -> str:
    """As in menus: `Bump mapping`, `DXGI presentation`, `Direct3D 7`."""
    title = path.stem.replace("-", " ")
    return (title[:1].upper() + title[1:]).replace("Dxgi", "DXGI").replace("Direct3d", "Direct3D")


def lesson_captures() -> list[tuple[str, Path]]:
    """(title, file) of every lesson, in their order; empty in an installation without them."""
    there = {path.stem: path for path in _captures("resources.lessons")}
    return [(f"{number}. {title}", there[name]) for number, (name, title) in enumerate(LESSONS.items(), 1) if name in there]


def _captures(package: str) -> list[Path]:
    """The captures in a folder of resources, by name."""
    try:
        return sorted(Path(str(entry)) for entry in resources.files(package).iterdir() if entry.name.endswith(".ddicap"))
    except (ModuleNotFoundError, NotADirectoryError, FileNotFoundError):
        return []
