"""Compare the last frames of two captures: state, tokens and pixels.

    python compare_captures.py CAPTURE OTHER

Exit code 1 if a pixel differs.
"""

import sys

import ddi_inspector as ddi

with ddi.open(sys.argv[1]) as capture, ddi.open(sys.argv[2]) as other:
    last = f"frame {min(capture.frames[-1].index, other.frames[-1].index)}"
    found = capture.ask(ddi.Compare(last, last, other))
    print(f"{len(found.state)} states, {len(found.tokens.differing)} tokens and {len(found.surfaces)} surfaces differ")
    if found.first:
        print(f"first difference:\n  {found.first.text_a or 'nothing'}\n  {found.first.text_b or 'nothing'}")
    for surface in found.surfaces:
        print(f"{surface.name}: {surface.count} pixels within {surface.box}, the largest difference is {surface.largest}")
    sys.exit(bool(found.surfaces))
