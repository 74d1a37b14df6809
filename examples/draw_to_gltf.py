"""Save a draw as glTF, with its textures, for a 3D program.

python draw_to_gltf.py CAPTURE EVENT OUT.glb
"""

import sys
from pathlib import Path

import ddi_inspector as ddi
from ddi_inspector.inspector.exports.meshes import glb, textures_of

path, event, out = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])

with ddi.open(path) as capture:
    vertices = capture.vertices(event, "assembled")
    out.write_bytes(glb(vertices, f"event {event}", lambda: textures_of(capture, event)))
    print(f"{out}: {len(vertices.rows)} vertices of {capture.text(event)}")
