"""The kinds of random scenes: how one is read off random bytes, and how many it takes."""

from __future__ import annotations

from collections.abc import Callable

from tests.reference.depths import DEPTH_BYTES, depth_scene
from tests.reference.lines import LINE_BYTES, line_scene
from tests.reference.patches import PATCH_BYTES, patch_scene
from tests.reference.pictures import PICTURE_BYTES, picture_scene
from tests.reference.points import POINT_BYTES, point_scene
from tests.reference.samples import SAMPLED_BYTES, sampled_scene
from tests.reference.scene import Scene
from tests.reference.scenes import SCENE_BYTES, scene
from tests.reference.shaders import SHADER_BYTES, shader_scene
from tests.reference.worlds import WORLD_BYTES, world_scene

KINDS: dict[str, tuple[Callable[[bytes], Scene], int]] = {
    "pixels": (scene, SCENE_BYTES),
    "worlds": (world_scene, WORLD_BYTES),
    "shaders": (shader_scene, SHADER_BYTES),
    "points": (point_scene, POINT_BYTES),
    "lines": (line_scene, LINE_BYTES),
    "samples": (sampled_scene, SAMPLED_BYTES),
    "patches": (patch_scene, PATCH_BYTES),
    "pictures": (picture_scene, PICTURE_BYTES),
    "depths": (depth_scene, DEPTH_BYTES),
}
