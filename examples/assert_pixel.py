"""Compare a pixel with a screenshot; if it differs, name the draw that made it.

    python assert_pixel.py CAPTURE FRAME X,Y SCREENSHOT.png [TOLERANCE]

Exit code 1 if a channel differs by more than TOLERANCE (default: 2 of 255).
"""

import sys

from PIL import Image

import ddi_inspector as ddi

path, frame, (x, y) = sys.argv[1], int(sys.argv[2]), map(int, sys.argv[3].split(","))
tolerance = int(sys.argv[5]) if len(sys.argv) > 5 else 2
expected = Image.open(sys.argv[4]).convert("RGB").getpixel((x, y))

with ddi.open(path) as capture:
    event = capture.frames[frame].last_event
    found = tuple(capture.image(event, "back_buffer")[y, x, :3].tolist())
    if all(abs(a - b) <= tolerance for a, b in zip(found, expected, strict=True)):
        print(f"pixel {x},{y} is {found}")
        sys.exit(0)
    print(f"pixel {x},{y} is {found}, the screenshot has {expected}")
    history = capture.ask(ddi.PixelHistory("back_buffer", x, y, first=capture.frames[frame].first_event, last=event))
    if history.last_writer:
        print(f"last written by event {history.last_writer.event}: {capture.text(history.last_writer.event)}")
    sys.exit(1)
