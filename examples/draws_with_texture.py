"""List the draws that use a texture: sample it, or draw into it.

    python draws_with_texture.py CAPTURE HANDLE

HANDLE is the texture's surface handle: `ddi-inspector resources CAPTURE` lists them.
"""

import sys

import ddi_inspector as ddi

path, handle = sys.argv[1], int(sys.argv[2])

with ddi.open(path) as capture:
    for event in capture.ask(ddi.UsersOf(handle)).draws.tolist():
        print(f"frame {capture.frame_of(event)}, event {event}: {capture.text(event)}")
