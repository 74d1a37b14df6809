"""Save an animation of a frame being drawn, primitive by primitive.

python frame_being_drawn.py CAPTURE FRAME OUT.webp
"""

import sys
from pathlib import Path

import ddi_inspector as ddi
from ddi_inspector.inspector.exports.animation import animation

path, frame, out = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])

with ddi.open(path) as capture:
    images = capture.ask(ddi.Drawn(frame, by="primitive", pictures=100))
    out.write_bytes(animation(images, "WEBP", seconds=5))
    print(f"{out}: {len(images)} images")
