"""Shapes in several files: OBJ with a material library (.mtl) and its texture; glTF as text.

MTL is that of Wavefront Technologies, "Appendix B2. Material Library Files".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from inspector.exports.meshes import Texture, base_texture, gltf_files
from inspector.exports.png import png
from inspector.exports.vertices import Grid, obj, shape_of
from inspector.files import write_bytes

MATERIAL = "draw"


def obj_files(grid: Grid, title: str, textures: Sequence[Texture], name: str) -> dict[str, bytes]:
    """File name -> contents: NAME.obj, and if a texture colours the shape NAME.mtl and the texture; further textures as PNG.

    `name`: of the files, without suffix; blanks in it become underscores where one file names another.
    """
    base = base_texture(shape_of(grid), textures)
    if base is None:
        return {f"{name}.obj": obj(grid, title)}
    plain = re.sub(r"[\s#]+", "_", name)
    pictures = {one: f"{plain}-stage{one.stage}.png" for one in textures}
    lines = [f"newmtl {MATERIAL}", "Ka 0 0 0", "Kd 1 1 1", "illum 1"]
    clamped = " -clamp on" if base.wrap != ("WRAP", "WRAP") else ""
    lines.append(f"map_Kd{clamped} {pictures[base]}")
    files = {f"{name}.obj": obj(grid, title, base.coordinates, f"{plain}.mtl")}
    files[f"{plain}.mtl"] = ("\n".join(lines) + "\n").encode("ascii", "replace")
    return files | {file: png(one.rgba) for one, file in pictures.items()}


SEVERAL = {".obj": obj_files, ".gltf": gltf_files}
"""What makes the files of a format that has more than one, by suffix."""


def write_several(path: Path, grid: Grid, title: str, textures: Sequence[Texture]) -> list[Path]:
    """Writes the files of a format in SEVERAL beside each other; `path` first."""
    written = []
    suffix = path.suffix.lower()
    for name, data in SEVERAL[suffix](grid, title, textures, path.stem).items():
        file = path if name == f"{path.stem}{suffix}" else path.with_name(name)
        write_bytes(file, data)
        written.append(file)
    return written
