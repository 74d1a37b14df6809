"""Measure overdraw: how many fragments each pixel of each frame received.

    python overdraw.py CAPTURE

A fragment counts wherever it ended: written, or rejected by a test.
"""

import sys

import ddi_inspector as ddi

with ddi.open(sys.argv[1]) as capture:
    for frame in capture.frames:
        if frame.draws:
            counts = capture.ask(ddi.FragmentsOn("back_buffer", first=frame.first_event, last=frame.last_event)).counts
            y, x = divmod(int(counts.argmax()), counts.shape[1])
            print(f"frame {frame.index}: {counts.mean():.2f} per pixel, most {counts.max()} at {x},{y}")
