"""An OBJ with its material: the shape, a library of one material (.mtl), and the texture that colours it as PNG.

MTL is that of Wavefront Technologies, "Appendix B2. Material Library Files".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from inspector.exports.meshes import Texture, base_texture
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


def write_obj(path: Path, grid: Grid, title: str, textures: Sequence[Texture]) -> list[Path]:
    """Writes them beside each other; the files."""
    written = []
    for name, data in obj_files(grid, title, textures, path.stem).items():
        file = path if name.endswith(".obj") else path.with_name(name)
        write_bytes(file, data)
        written.append(file)
    return written
